/* How far the keys of a T3DM clip are from their source, compared with a plain player: one tick after the other, every
 * bone, every vertex. And the tables that the measurement works with. */
#include "formats/t3dm/animation/animation.h"
#include "formats/t3dm/decode/sdata.h"
#include "harness.h"
#include "support/numbers.h"
#include "support/t3dm_encoder.h"
#include "trilobite/pose.h"

#include <math.h>
#include <string.h>

enum { BONES = 6, NODES = BONES + 1, POINTS = 11, SOURCES = 8, PLAYED = 8, KEYS = 6, TICKS = 40 };

/* A clip with all that it needs. Node n is bone n; the last node is none. */
typedef struct room {
    encoder_bench bench;
    t3dm_bone bones[BONES], rest[BONES];
    uint32_t bone_of_node[NODES], order[NODES + 1];
    t3dm_binding bindings[NODES];
    trilo_mesh meshes[NODES + 1];
    float positions[NODES + 1][POINTS][3];
    trilo_channel sources[SOURCES];
    double times[SOURCES][KEYS];
    float values[SOURCES][KEYS * 4];
    t3dm_curve curves[PLAYED];
    tl_sdata_channel played[PLAYED];
    uint32_t ticks[PLAYED][KEYS], codes[PLAYED][KEYS];
    t3dm_clip_builder clip;
    const t3dm_skin_samples *samples;
    bool measured[BONES], is_measured[BONES];
    uint64_t state;
} room;

static uint32_t below(room *r, uint32_t limit)
{
    return (uint32_t)(random_bits(&r->state) >> 33) % limit;
}

static double spread(room *r)
{
    return below(r, 20001) / 10000.0 - 1;
}

static void random_unit(room *r, float q[4])
{
    double v[4], square = 0;
    for (int i = 0; i < 4; i++) {
        v[i] = spread(r) + (i == 3 ? 1.5 : 0);
        square += v[i] * v[i];
    }
    for (int i = 0; i < 4; i++)
        q[i] = (float)(v[i] / sqrt(square));
}

static void fill_bone(room *r, t3dm_bone *bone)
{
    const bool scaled = below(r, 3) == 0;
    for (int i = 0; i < 3; i++) {
        bone->position[i] = (float)(5 * spread(r));
        bone->scale[i] = scaled ? (float)(1 + spread(r) / 2) : 1;
    }
    random_unit(r, bone->rotation);
}

/* Bones are in depth-first order: the parent of one is the bone before or one above that. */
static void make_skeleton(room *r)
{
    const uint32_t count = 1 + below(r, BONES);
    r->bench.file.bones = r->bones;
    r->bench.file.skeleton.bone_count = (uint16_t)count;
    r->bench.e.bone_of_node = r->bone_of_node;
    r->bench.model.node_count = NODES;
    for (uint32_t b = 0; b < NODES; b++)
        r->bone_of_node[b] = b < count ? b : TRILO_NONE;
    for (uint32_t b = 0; b < count; b++) {
        uint16_t parent = b == 0 ? T3DM_NO_BONE : (uint16_t)(b - 1);
        while (parent != T3DM_NO_BONE && below(r, 3) == 0)
            parent = r->bones[parent].parent;
        r->bones[b].parent = parent;
        fill_bone(r, &r->bones[b]);
        r->rest[b] = r->bones[b];
    }
}

/* A mesh for each node and one without; some vertices come twice. */
static void make_meshes(room *r)
{
    const uint32_t bones = r->bench.file.skeleton.bone_count;
    r->bench.model.meshes = r->meshes;
    r->bench.model.mesh_count = NODES + 1;
    r->bench.e.meshes = r->order;
    r->bench.e.mesh_count = NODES + 1;
    r->bench.e.node_bindings = r->bindings;
    for (uint32_t i = 0; i <= NODES; i++) {
        const uint32_t count = below(r, 3) == 0 ? 0 : below(r, POINTS + 1);
        r->order[i] = NODES - i;
        for (uint32_t v = 0; v < count; v++)
            for (int k = 0; k < 3; k++)
                r->positions[i][v][k] = v > 0 && v % 4 == 0 ? r->positions[i][v - 1][k] : (float)(4 * spread(r));
        r->meshes[i] = (trilo_mesh){.node = i < NODES ? i : TRILO_NONE,
                                    .skin = TRILO_NONE,
                                    .vertex_count = count,
                                    .positions = (const float(*)[3])r->positions[i]};
        if (i == NODES)
            continue;
        r->bindings[i].bone = i < bones ? (uint16_t)i : T3DM_NO_BONE;
        for (int k = 0; k < 16; k++)
            r->bindings[i].points.m[k] = k % 5 == 0 ? 1 : k >= 12 && k < 15 ? (float)spread(r) : 0;
    }
}

static void make_sources(room *r)
{
    const uint32_t nodes = r->bench.file.skeleton.bone_count + 1;
    r->clip.channels = r->sources;
    r->clip.channel_count = below(r, SOURCES + 1);
    for (uint32_t i = 0; i < r->clip.channel_count; i++) {
        trilo_channel *c = &r->sources[i];
        *c = (trilo_channel){.node = below(r, nodes), .times = r->times[i], .values = r->values[i]};
        c->target = (trilo_target)below(r, TRILO_TARGET_COUNT);
        c->key_count = below(r, KEYS + 1);
        const uint32_t width = trilo_target_width(c->target);
        const bool constant = below(r, 4) == 0;
        for (uint32_t k = 0; k < c->key_count; k++) {
            r->times[i][k] = (k == 0 ? 0 : r->times[i][k - 1]) + (k == 0 ? below(r, 2) : 1 + below(r, 500)) / 3000.0;
            float *value = r->values[i] + (size_t)width * k;
            if (k > 0 && constant)
                memcpy(value, r->values[i], width * sizeof *value);
            else if (width == 4)
                random_unit(r, value);
            else
                for (uint32_t n = 0; n < width; n++)
                    value[n] = (float)(1 + spread(r));
        }
    }
}

static void make_played(room *r)
{
    r->clip.curves = r->curves;
    r->clip.sdata.channels = r->played;
    r->clip.sdata.channel_count = below(r, PLAYED + 1);
    for (uint32_t i = 0; i < r->clip.sdata.channel_count; i++) {
        static const uint8_t types[3] = {T3DM_ROTATION, T3DM_TRANSLATION, T3DM_SCALE};
        const uint32_t kind = below(r, 3), same = below(r, 3);
        r->curves[i].mapping = (t3dm_mapping){.bone = (uint16_t)below(r, r->bench.file.skeleton.bone_count),
                                              .type = types[kind],
                                              .axis = kind == 0 ? 0 : (uint8_t)below(r, 3),
                                              .scale = 0.00005f,
                                              .offset = -0.5f};
        r->played[i] = (tl_sdata_channel){below(r, KEYS + 1), r->ticks[i], r->codes[i]};
        for (uint32_t k = 0; k < r->played[i].key_count; k++) {
            const uint32_t code = (uint32_t)random_bits(&r->state);
            r->ticks[i][k] = k == 0 ? below(r, 2) : r->ticks[i][k - 1] + below(r, 9);
            r->codes[i][k] = k > 0 && same == 0 ? r->codes[i][k - 1] : kind == 0 ? code : code & 0xFFFF;
        }
    }
}

static void make_room(room *r, uint64_t seed)
{
    memset(r, 0, sizeof *r);
    encoder_bench_init(&r->bench);
    r->state = seed;
    r->bench.e.policy.scale = 1 + below(r, 3);
    r->bench.e.policy.nlerp = below(r, 3) == 0;
    r->bench.e.policy.has_tolerance = below(r, 2) == 0;
    r->bench.e.measured_left = 1e9;
    r->clip.last_tick = below(r, TICKS);
    r->clip.suspect = below(r, TICKS + 3);
    make_skeleton(r);
    make_meshes(r);
    make_sources(r);
    make_played(r);
    if (below(r, 3) == 0) {
        fill_bone(r, &r->rest[below(r, r->bench.file.skeleton.bone_count)]);
        r->clip.rest = r->rest;
    }
    r->samples = tl_t3dm_skin_samples_new(&r->bench.e);
    CHECK(r->samples);
    CHECK(tl_t3dm_list_clip_bones(&r->bench.e, &r->clip));
    if (below(r, 2) == 0)
        CHECK(tl_t3dm_keep_source_values(&r->bench.e, &r->clip));
    if (below(r, 2) == 0)
        CHECK(tl_t3dm_keep_source_poses(&r->bench.e, &r->clip));
    for (uint32_t b = 0; b < BONES; b++)
        r->is_measured[b] = true;
    if (below(r, 3) != 0)
        return;
    r->clip.measured = r->measured;
    memset(r->is_measured, 0, sizeof r->is_measured);
    for (uint32_t i = 0; i < r->clip.bone_count; i++)
        r->is_measured[r->clip.bones[i]] = r->measured[i] = below(r, 2) == 0;
}

/* ---- the plain player ---- */

typedef struct local_pose {
    double translation[3], rotation[4], scale[3];
} local_pose;

typedef struct world_pose {
    double m[3][4], q[4]; /* q without scale */
} world_pose;

static void set_rest(const room *r, const t3dm_bone *bones, local_pose *poses)
{
    for (uint32_t b = 0; b < r->bench.file.skeleton.bone_count; b++)
        for (int k = 0; k < 4; k++) {
            poses[b].rotation[k] = bones[b].rotation[k];
            if (k < 3) {
                poses[b].translation[k] = bones[b].position[k];
                poses[b].scale[k] = bones[b].scale[k];
            }
        }
}

/* A rotation on the straight line between its keys where the policy says so. */
static void sample_source(const room *r, const trilo_channel *c, double seconds, double out[4])
{
    float value[4] = {0};
    uint32_t k = 0;
    trilo_channel_sample(c, seconds, value);
    for (int i = 0; i < 4; i++)
        out[i] = value[i];
    while (k + 1 < c->key_count && c->times[k + 1] <= seconds)
        k++;
    if (!r->bench.e.policy.nlerp || c->target != TRILO_TARGET_ROTATION || k + 1 >= c->key_count ||
        seconds <= c->times[k])
        return;
    const float *a = c->values + (size_t)4 * k, *b = a + 4;
    const double t = (seconds - c->times[k]) / (c->times[k + 1] - c->times[k]);
    double dot = 0;
    for (int i = 0; i < 4; i++)
        dot += (double)a[i] * b[i];
    for (int i = 0; i < 4; i++)
        out[i] = (dot < 0 ? -a[i] : a[i]) * (1 - t) + b[i] * t;
}

static void pose_source(const room *r, uint32_t tick, local_pose *poses)
{
    set_rest(r, r->bones, poses);
    for (uint32_t i = 0; i < r->clip.channel_count; i++) {
        const trilo_channel *c = &r->sources[i];
        const uint32_t bone = r->bone_of_node[c->node], width = trilo_target_width(c->target);
        double value[4];
        if (bone == TRILO_NONE || c->key_count == 0)
            continue;
        sample_source(r, c, tick / 60.0, value);
        const bool moves = c->target == TRILO_TARGET_TRANSLATION ||
                           (c->target >= TRILO_TARGET_TRANSLATION_X && c->target <= TRILO_TARGET_TRANSLATION_Z);
        const uint32_t axis = width == 1 ? (uint32_t)c->target - (moves ? (uint32_t)TRILO_TARGET_TRANSLATION_X
                                                                        : (uint32_t)TRILO_TARGET_SCALE_X)
                                         : 0;
        double *to = width == 4 ? poses[bone].rotation : moves ? poses[bone].translation : poses[bone].scale;
        for (uint32_t k = 0; k < width; k++)
            to[axis + k] = (float)(value[k] * (moves ? r->bench.e.policy.scale : 1));
    }
}

/* The segment of a tick begins at the last key that has passed, but never at the last key of all. */
static void pose_played(const room *r, uint32_t tick, local_pose *poses)
{
    set_rest(r, r->clip.rest ? r->rest : r->bones, poses);
    for (uint32_t i = 0; i < r->clip.sdata.channel_count; i++) {
        const tl_sdata_channel *c = &r->played[i];
        const t3dm_mapping *m = &r->curves[i].mapping;
        uint32_t k = 0;
        if (c->key_count == 0)
            continue;
        while (k + 2 < c->key_count && c->ticks[k + 1] <= tick)
            k++;
        const uint32_t next = k + 1 < c->key_count ? k + 1 : k, start = c->ticks[k], end = c->ticks[next];
        const double t = tick >= end ? 1 : tick <= start ? 0 : (double)(tick - start) / (end - start);
        local_pose *pose = &poses[m->bone];
        if (m->type == T3DM_ROTATION) {
            const trilo_quat a = tl_sdata_unpack_quat(c->values[k]), b = tl_sdata_unpack_quat(c->values[next]);
            const double p[4] = {a.x, a.y, a.z, a.w}, q[4] = {b.x, b.y, b.z, b.w};
            const double sign = p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3] < 0 ? -1 : 1;
            for (int n = 0; n < 4; n++)
                pose->rotation[n] = p[n] * (1 - t) + sign * q[n] * t;
            continue;
        }
        const double a = (float)((uint16_t)c->values[k] * (double)m->scale + m->offset);
        const double b = (float)((uint16_t)c->values[next] * (double)m->scale + m->offset);
        (m->type == T3DM_TRANSLATION ? pose->translation : pose->scale)[m->axis] = a + (b - a) * t;
    }
}

/* Where a vector of the space of a rotation goes: v + 2 w (q x v) + 2 q x (q x v). */
static void rotate(const double q[4], const double v[3], double out[3])
{
    const double c[3] = {q[1] * v[2] - q[2] * v[1], q[2] * v[0] - q[0] * v[2], q[0] * v[1] - q[1] * v[0]};
    const double d[3] = {q[1] * c[2] - q[2] * c[1], q[2] * c[0] - q[0] * c[2], q[0] * c[1] - q[1] * c[0]};
    for (int i = 0; i < 3; i++)
        out[i] = v[i] + 2 * q[3] * c[i] + 2 * d[i];
}

static void multiply(const double a[4], const double b[4], double out[4])
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        out[i] = a[3] * b[i] + a[i] * b[3] + a[j] * b[k] - a[k] * b[j];
    }
    out[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
}

static void transform(const world_pose *w, const double p[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = w->m[i][0] * p[0] + w->m[i][1] * p[1] + w->m[i][2] * p[2] + w->m[i][3];
}

static void make_worlds(const room *r, const local_pose *locals, world_pose *worlds)
{
    for (uint32_t b = 0; b < r->bench.file.skeleton.bone_count; b++) {
        const local_pose *l = &locals[b];
        const uint16_t parent = r->bones[b].parent;
        double q[4], columns[4][3], length = 0;
        for (int i = 0; i < 4; i++)
            length += l->rotation[i] * l->rotation[i];
        for (int i = 0; i < 4; i++)
            q[i] = length > 0 ? l->rotation[i] / sqrt(length) : i == 3;
        for (int k = 0; k < 3; k++) {
            const double axis[3] = {k == 0 ? l->scale[0] : 0, k == 1 ? l->scale[1] : 0, k == 2 ? l->scale[2] : 0};
            rotate(q, axis, columns[k]);
        }
        memcpy(columns[3], l->translation, sizeof columns[3]);
        world_pose own;
        memcpy(own.q, q, sizeof q);
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 4; k++)
                own.m[i][k] = columns[k][i];
        worlds[b] = own;
        if (parent == T3DM_NO_BONE)
            continue;
        const world_pose *above = &worlds[parent];
        multiply(above->q, q, worlds[b].q);
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 4; k++)
                worlds[b].m[i][k] = above->m[i][0] * own.m[0][k] + above->m[i][1] * own.m[1][k] +
                                    above->m[i][2] * own.m[2][k] + (k == 3 ? above->m[i][3] : 0);
    }
}

static double apart(const double a[3], const double b[3])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

/* The largest distance of a vertex of each bone at each tick, and the errors of all. */
typedef struct plain_error {
    double distances[TICKS][BONES], distance, rotation, position;
} plain_error;

static void measure_plainly(const room *r, plain_error *out)
{
    static const double origin[3] = {0, 0, 0};
    const double scale = r->bench.e.policy.scale;
    memset(out, 0, sizeof *out);
    for (uint32_t tick = 0; tick <= r->clip.last_tick; tick++) {
        local_pose locals[2][BONES];
        world_pose worlds[2][BONES];
        pose_source(r, tick, locals[0]);
        pose_played(r, tick, locals[1]);
        make_worlds(r, locals[0], worlds[0]);
        make_worlds(r, locals[1], worlds[1]);
        for (uint32_t b = 0; b < r->bench.file.skeleton.bone_count; b++) {
            const double *p = worlds[0][b].q, *q = worlds[1][b].q;
            const double dot = p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3];
            double at[2][3];
            if (!r->is_measured[b])
                continue;
            out->rotation = fmax(out->rotation, sqrt(fmax(0, 1 - dot * dot)));
            transform(&worlds[0][b], origin, at[0]);
            transform(&worlds[1][b], origin, at[1]);
            out->position = fmax(out->position, apart(at[0], at[1]));
            for (uint32_t v = 0; v < r->meshes[b].vertex_count; v++) {
                double point[3];
                for (int k = 0; k < 3; k++)
                    point[k] = (float)((r->positions[b][v][k] + r->bindings[b].points.m[12 + k]) * scale);
                transform(&worlds[0][b], point, at[0]);
                transform(&worlds[1][b], point, at[1]);
                out->distances[tick][b] = fmax(out->distances[tick][b], apart(at[0], at[1]));
            }
            out->distance = fmax(out->distance, out->distances[tick][b]);
        }
    }
}

static void check_worst(const room *r, const plain_error *want, const t3dm_clip_error *got, uint64_t seed)
{
    const double slack = 1e-5 + 1e-6 * want->distance;
    if (fabs(got->distance - want->distance) > slack || fabs(got->rotation - want->rotation) > 1e-6 ||
        fabs(got->position - want->position) > slack)
        FAIL("seed %u: %g %g %g, plainly %g %g %g", (unsigned)seed, got->distance, got->rotation, got->position,
             want->distance, want->rotation, want->position);
    if (want->distance < 1e-3)
        return;
    CHECK(got->bone < r->bench.file.skeleton.bone_count && got->tick <= r->clip.last_tick);
    CHECK_NEAR(want->distances[got->tick][got->bone], want->distance, slack);
    for (uint32_t tick = 0; tick < got->tick; tick++) /* the first of equal ones */
        for (uint32_t b = 0; b < BONES; b++)
            CHECK(want->distances[tick][b] <= want->distance - 1e-12 || want->distances[tick][b] < got->distance);
}

TEST(the_error_is_that_of_a_plain_player)
{
    static room r;
    static plain_error want;
    const uint32_t rounds = test_rounds(20000, TEST_SLOW ? 60 : 400);
    for (uint64_t seed = 1; seed <= rounds; seed++) {
        t3dm_clip_error got, limited;
        make_room(&r, seed);
        measure_plainly(&r, &want);
        CHECK(tl_t3dm_clip_error(&r.bench.e, r.samples, &r.clip, NULL, &got));
        CHECK_INT(r.clip.failing_bone, TRILO_NONE);
        check_worst(&r, &want, &got, seed);
        if (got.bone != TRILO_NONE)
            CHECK_INT(r.clip.suspect, got.tick);

        const t3dm_clip_error wide = {got.distance * 1.001 + 1e-6, got.rotation + 1e-6, got.position + 1e-6, 0, 0};
        CHECK(tl_t3dm_clip_error(&r.bench.e, r.samples, &r.clip, &wide, &limited));
        check_worst(&r, &want, &limited, seed);
        CHECK_INT(r.clip.failing_bone, TRILO_NONE);

        for (int part = 0; part < 3; part++) { /* one of them is beyond its limit */
            t3dm_clip_error narrow = wide;
            double *const parts[3] = {&narrow.distance, &narrow.rotation, &narrow.position};
            if (part == 0 ? got.distance < 1e-3 : part == 1 ? got.rotation < 1e-3 : got.position < 1e-3)
                continue;
            *parts[part] *= 0.8;
            CHECK(tl_t3dm_clip_error(&r.bench.e, r.samples, &r.clip, &narrow, &limited));
            CHECK(!tl_t3dm_error_within(&limited, &narrow) && tl_t3dm_error_within(&limited, &wide));
            CHECK(r.clip.suspect % 4 == 0 && r.clip.suspect <= r.clip.last_tick);
            CHECK(r.clip.failing_bone < r.clip.bone_count);
            if (part == 0 && !r.clip.measured) {
                double most = 0;
                for (uint32_t lane = 0; lane < 4 && r.clip.suspect + lane <= r.clip.last_tick; lane++)
                    most = fmax(most, want.distances[r.clip.suspect + lane][r.clip.bones[r.clip.failing_bone]]);
                CHECK(most > narrow.distance * 0.999999);
            }
        }

        r.clip.ignored = got.distance * (seed % 2 ? 0.9 : 1.1);
        CHECK(tl_t3dm_clip_error(&r.bench.e, r.samples, &r.clip, NULL, &limited));
        if (seed % 2)
            check_worst(&r, &want, &limited, seed);
        else
            CHECK(limited.distance <= got.distance * (1 + 1e-9));
        encoder_bench_free(&r.bench);
    }
}

/* A bone that stands still in another place than the source has it: the first tick and the first bone count. */
TEST(of_equal_distances_the_first_tick)
{
    static room r;
    for (uint32_t suspect = 0; suspect < 12; suspect++) {
        t3dm_clip_error got;
        make_room(&r, 3);
        r.bench.file.skeleton.bone_count = 1;
        r.clip = (t3dm_clip_builder){.rest = r.rest, .last_tick = 10, .suspect = suspect};
        r.rest[0] = r.bones[0];
        r.rest[0].position[1] += 2;
        memset(r.meshes, 0, sizeof r.meshes);
        for (uint32_t i = 0; i <= NODES; i++)
            r.meshes[i] = (trilo_mesh){.node = TRILO_NONE, .skin = TRILO_NONE};
        r.meshes[0] = (trilo_mesh){
            .node = 0, .skin = TRILO_NONE, .vertex_count = 2, .positions = (const float(*)[3])r.positions[0]};
        r.samples = tl_t3dm_skin_samples_new(&r.bench.e);
        CHECK(r.samples && tl_t3dm_list_clip_bones(&r.bench.e, &r.clip));
        CHECK(tl_t3dm_clip_error(&r.bench.e, r.samples, &r.clip, NULL, &got));
        CHECK_NEAR(got.distance, 2, 1e-5);
        CHECK_NEAR(got.position, 2, 1e-5);
        CHECK_INT(got.bone, 0);
        CHECK_INT(got.tick, 0);
        encoder_bench_free(&r.bench);
    }
}

TEST(an_error_is_within_a_limit)
{
    const t3dm_clip_error limit = {1, 2, 3, 0, 0};
    for (int i = 0; i < 27; i++) {
        const int part[3] = {i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1};
        const t3dm_clip_error error = {1 + 0.5 * part[0], 2 + 0.5 * part[1], 3 + 0.5 * part[2], 7, 7};
        CHECK_INT(tl_t3dm_error_within(&error, &limit), part[0] <= 0 && part[1] <= 0 && part[2] <= 0);
    }
}

/* ---- bones of a clip ---- */

static bool is_at_or_below(const room *r, uint32_t bone, uint32_t above)
{
    while (bone != above && r->bones[bone].parent != T3DM_NO_BONE)
        bone = r->bones[bone].parent;
    return bone == above;
}

/* Those of the channels, those below them, and those above these. */
TEST(bones_that_a_clip_moves)
{
    static room r;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        make_room(&r, seed);
        bool moves[BONES] = {0}, listed[BONES] = {0};
        const uint32_t count = r.bench.file.skeleton.bone_count;
        uint32_t at = 0;
        for (uint32_t b = 0; b < count; b++) {
            moves[b] = r.clip.rest != NULL;
            for (uint32_t i = 0; i < r.clip.channel_count; i++)
                moves[b] = moves[b] || (r.bone_of_node[r.sources[i].node] != TRILO_NONE &&
                                        is_at_or_below(&r, b, r.bone_of_node[r.sources[i].node]));
            for (uint32_t i = 0; i < r.clip.sdata.channel_count; i++)
                moves[b] = moves[b] || is_at_or_below(&r, b, r.curves[i].mapping.bone);
        }
        for (uint32_t b = 0; b < count; b++)
            for (uint32_t k = 0; k < count; k++)
                listed[b] = listed[b] || (moves[k] && is_at_or_below(&r, k, b));
        for (uint32_t b = 0; b < BONES + 2; b++) {
            const bool in = b < count && listed[b];
            CHECK_INT(tl_t3dm_find_clip_bone(&r.clip, b), in ? at : TRILO_NONE);
            if (!in)
                continue;
            const uint16_t parent = r.bones[b].parent;
            CHECK(at < r.clip.bone_count);
            CHECK_INT(r.clip.bones[at], b);
            CHECK_INT(r.clip.parents[at],
                      parent == T3DM_NO_BONE ? TRILO_NONE : tl_t3dm_find_clip_bone(&r.clip, parent));
            at++;
        }
        CHECK_INT(r.clip.bone_count, at);
        encoder_bench_free(&r.bench);
    }
}

/* ---- points ---- */

/* Each point once, in the order of the meshes that become objects, and spheres that hold what they are around. */
TEST(points_that_follow_a_bone)
{
    static room r;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        make_room(&r, seed);
        for (uint32_t b = 0; b < r.bench.file.skeleton.bone_count; b++) {
            const t3dm_bone_points *got = tl_t3dm_skin_sample_points(r.samples, b);
            double reach = 0, low[3] = {0}, high[3] = {0};
            uint32_t count = 0;
            for (uint32_t v = 0; v < r.meshes[b].vertex_count; v++) {
                double p[3];
                for (int k = 0; k < 3; k++)
                    p[k] = (float)((float)(r.positions[b][v][k] + r.bindings[b].points.m[12 + k]) *
                                   r.bench.e.policy.scale);
                if (v > 0 && v % 4 == 0)
                    continue; /* the same as before */
                CHECK(count < got->count);
                reach = fmax(reach, p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
                for (int k = 0; k < 3; k++) {
                    CHECK_NEAR(got->points[count][k], p[k], 1e-6);
                    low[k] = count == 0 ? p[k] : fmin(low[k], p[k]);
                    high[k] = count == 0 ? p[k] : fmax(high[k], p[k]);
                }
                count++;
            }
            CHECK_INT(got->count, count);
            CHECK_NEAR(got->reach_squared, reach, 1e-4);
            double radius = 0;
            for (uint32_t i = 0; i < count; i++) {
                const t3dm_point_sphere *group = &got->groups[i / T3DM_POINT_GROUP];
                radius = fmax(radius, apart(got->points[i], got->sphere.center));
                CHECK(apart(got->points[i], group->center) <= group->radius * (1 + 1e-12));
                CHECK(group->radius <= 2 * sqrt(reach));
            }
            CHECK_NEAR(got->sphere.radius, radius, 1e-9);
            for (int k = 0; count > 0 && k < 3; k++)
                CHECK_NEAR(got->sphere.center[k], (low[k] + high[k]) / 2, 1e-6);
        }
        encoder_bench_free(&r.bench);
    }
}

/* By hand. Bone 0 is twice as large, at (1, 0, 0); bone 1 below it at (5, 0, 0) with factors 1, 3, 1, so in the model
 * at (11, 0, 0) and scaled by 2, 6, 2; bone 2 below that at (0, 0, 1), at (11, 0, 2) in the model; bone 3 is another
 * root. The vertex (1, 1, 1) of bone 0 is at (3, 2, 2), that of bone 1 at (13, 6, 2); one that follows nothing at (0,
 * 0, -7). Lengths of the model times 1. */
TEST(sizes_of_bones)
{
    static const t3dm_bone bones[4] = {
        {.parent = T3DM_NO_BONE, .scale = {2, 2, 2}, .rotation = {0, 0, 0, 1}, .position = {1, 0, 0}},
        {.parent = 0, .scale = {1, 3, 1}, .rotation = {0, 0, 0, 1}, .position = {5, 0, 0}},
        {.parent = 1, .scale = {1, 1, 1}, .rotation = {0, 0, 0, 1}, .position = {0, 0, 1}},
        {.parent = T3DM_NO_BONE, .scale = {4, 4, 4}, .rotation = {0, 0, 0, 1}, .position = {0, 0, 0}},
    };
    static const float one[1][3] = {{1, 1, 1}}, low[1][3] = {{0, 0, -7}};
    static room r;
    make_room(&r, 1);
    memcpy(r.bones, bones, sizeof bones);
    r.bench.file.skeleton.bone_count = 4;
    r.bench.e.policy.scale = 1;
    r.bench.e.policy.has_tolerance = true;
    for (uint32_t i = 0; i < NODES; i++) {
        r.bindings[i] = (t3dm_binding){.bone = i < 2 ? (uint16_t)i : T3DM_NO_BONE};
        for (int k = 0; k < 4; k++)
            r.bindings[i].points.m[5 * k] = 1;
    }
    for (uint32_t i = 0; i <= NODES; i++)
        r.meshes[i] = (trilo_mesh){.node = i < NODES ? i : TRILO_NONE,
                                   .skin = TRILO_NONE,
                                   .vertex_count = i < 2 || i == NODES ? 1 : 0,
                                   .positions = i == NODES ? low : one};
    const t3dm_skin_samples *s = tl_t3dm_skin_samples_new(&r.bench.e);
    CHECK(s);
    CHECK_NEAR(tl_t3dm_model_size(s), sqrt(13 * 13 + 6 * 6 + 9 * 9), 1e-5);
    /* Bone 0 turns both vertices around (1, 0, 0); bone 1 its own around (11, 0, 0). Boxes of points are points, but a
     * parent turns the corners of the box around all below it: (3, 2, 2) to (13, 6, 2). */
    const double radius[4] = {sqrt(12 * 12 + 6 * 6 + 2 * 2), sqrt(2 * 2 + 6 * 6 + 2 * 2),
                              sqrt(12 * 12 + 6 * 6 + 2 * 2) / 8, sqrt(12 * 12 + 6 * 6 + 2 * 2) / 8};
    const double above[4] = {1, 2, 6, 1}; /* the largest factor of the bones above */
    for (uint16_t b = 0; b < 4; b++) {
        t3dm_curve curve = {.mapping = {.bone = b, .type = T3DM_TRANSLATION}};
        CHECK_NEAR(tl_t3dm_error_per_unit(s, &curve), above[b], 1e-6);
        curve.mapping.type = T3DM_ROTATION;
        CHECK_NEAR(tl_t3dm_error_per_unit(s, &curve), 2 * radius[b], 1e-5);
        curve.mapping.type = T3DM_SCALE;
        CHECK_NEAR(tl_t3dm_error_per_unit(s, &curve), radius[b], 1e-5);
    }
    encoder_bench_free(&r.bench);
}

typedef struct plain_box {
    double low[3], high[3];
    bool any;
} plain_box;

static void box_add(plain_box *box, const double p[3])
{
    for (int k = 0; k < 3; k++) {
        box->low[k] = box->any ? fmin(box->low[k], p[k]) : p[k];
        box->high[k] = box->any ? fmax(box->high[k], p[k]) : p[k];
    }
    box->any = true;
}

static void box_corner(const plain_box *box, int i, double out[3])
{
    out[0] = i % 2 ? box->high[0] : box->low[0];
    out[1] = i / 2 % 2 ? box->high[1] : box->low[1];
    out[2] = i / 4 ? box->high[2] : box->low[2];
}

/* The radius of a bone reaches to the corners of the box around what is below it: of the corners of the boxes around
 * the points of each bone. */
TEST(sizes_of_random_bones)
{
    static room r;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        world_pose worlds[BONES];
        local_pose locals[BONES];
        plain_box subtrees[BONES] = {{.any = false}}, model = {.any = false};
        double radius[BONES] = {0}, largest = 0;
        make_room(&r, seed);
        const uint32_t count = r.bench.file.skeleton.bone_count;
        r.bench.e.policy.has_tolerance = true;
        const t3dm_skin_samples *s = tl_t3dm_skin_samples_new(&r.bench.e);
        CHECK(s);
        set_rest(&r, r.bones, locals);
        make_worlds(&r, locals, worlds);
        for (uint32_t i = 0; i <= NODES; i++) {
            plain_box points = {.any = false};
            double p[3], world[3];
            for (uint32_t v = 0; v < r.meshes[i].vertex_count; v++) {
                for (int k = 0; k < 3; k++)
                    p[k] = (r.positions[i][v][k] + (i < NODES ? r.bindings[i].points.m[12 + k] : 0)) *
                           r.bench.e.policy.scale;
                box_add(&points, p);
                if (i < count)
                    transform(&worlds[i], p, world);
                box_add(&model, i < count ? world : p);
            }
            for (int k = 0; i < count && points.any && k < 8; k++) {
                box_corner(&points, k, p);
                transform(&worlds[i], p, world);
                box_add(&subtrees[i], world);
            }
        }
        for (uint32_t b = count; b-- > 0;) {
            const double origin[3] = {worlds[b].m[0][3], worlds[b].m[1][3], worlds[b].m[2][3]};
            for (int k = 0; subtrees[b].any && k < 8; k++) {
                double p[3];
                box_corner(&subtrees[b], k, p);
                radius[b] = fmax(radius[b], apart(p, origin));
                if (r.bones[b].parent != T3DM_NO_BONE)
                    box_add(&subtrees[r.bones[b].parent], p);
            }
            largest = fmax(largest, radius[b]);
        }
        CHECK_NEAR(tl_t3dm_model_size(s), model.any ? apart(model.low, model.high) : 0, 1e-4);
        for (uint16_t b = 0; b < count; b++) {
            t3dm_curve curve = {.mapping = {.bone = b, .type = T3DM_SCALE}};
            double scale = r.bones[b].parent == T3DM_NO_BONE ? 1 : 0;
            for (int k = 0; r.bones[b].parent != T3DM_NO_BONE && k < 3; k++) {
                const world_pose *w = &worlds[r.bones[b].parent];
                scale = fmax(scale, sqrt(w->m[0][k] * w->m[0][k] + w->m[1][k] * w->m[1][k] + w->m[2][k] * w->m[2][k]));
            }
            CHECK_NEAR(tl_t3dm_error_per_unit(s, &curve), fmax(radius[b], largest / 8), 1e-4);
            curve.mapping.type = T3DM_TRANSLATION;
            CHECK_NEAR(tl_t3dm_error_per_unit(s, &curve), scale, 1e-4);
        }
        encoder_bench_free(&r.bench);
    }
}

TEST_MAIN(CASE(the_error_is_that_of_a_plain_player), CASE(of_equal_distances_the_first_tick),
          CASE(an_error_is_within_a_limit), CASE(bones_that_a_clip_moves), CASE(points_that_follow_a_bone),
          CASE(sizes_of_bones), CASE(sizes_of_random_bones))
