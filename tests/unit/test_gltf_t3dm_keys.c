/* Clips from glTF in T3DM beside those of Tiny3D's own converter: fewer bytes, and no channel and no vertex further off
 * the source, as the console plays them. */
#include "harness.h"
#include "support/t3dm_twins.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS = 10 }; /* x, y, z of the place, the turn, which is 3 to 6, x, y, z of the scale */

typedef struct pose {
    double part[PARTS];
} pose;

typedef struct affine {
    double m[3][4];
} affine;

/* ---- poses ---- */

static void straight_turn(const trilo_channel *c, double seconds, double out[4])
{
    uint32_t k = 0;
    double dot = 0, length = 0;
    while (k + 2 < c->key_count && c->times[k + 1] <= seconds)
        k++;
    const float *a = c->values + 4 * (size_t)k, *b = a + 4;
    const double amount = fmin(1, fmax(0, (seconds - c->times[k]) / (c->times[k + 1] - c->times[k])));
    for (int i = 0; i < 4; i++)
        dot += (double)a[i] * b[i];
    for (int i = 0; i < 4; i++) {
        out[i] = a[i] * (1 - amount) * (dot < 0 ? -1 : 1) + b[i] * amount;
        length += out[i] * out[i];
    }
    for (int i = 0; i < 4; i++)
        out[i] /= sqrt(length);
}

/* Of a T3DM file as the console does it; of a source with the library, times 64. */
static void pose_all(const trilo_model *model, uint32_t clip, double seconds, bool console, pose *out)
{
    static const int first[] = {0, 3, 7, 0, 1, 2, 7, 8, 9};
    for (uint32_t i = 0; i < model->node_count; i++) {
        const trilo_node *n = &model->nodes[i];
        out[i] = (pose){{n->translation.x, n->translation.y, n->translation.z, n->rotation.x, n->rotation.y,
                         n->rotation.z, n->rotation.w, n->scale.x, n->scale.y, n->scale.z}};
    }
    for (uint32_t i = 0; i < model->clips[clip].channel_count; i++) {
        const trilo_channel *c = &model->clips[clip].channels[i];
        double *to = out[c->node].part + first[c->target];
        float v[4];
        trilo_channel_sample(c, seconds, v);
        for (uint32_t k = 0; k < trilo_target_width(c->target); k++)
            to[k] = v[k];
        if (console && c->target == TRILO_TARGET_ROTATION)
            straight_turn(c, seconds, to);
    }
    for (uint32_t i = 0; !console && i < model->node_count; i++)
        for (int k = 0; k < 3; k++)
            out[i].part[k] *= 64;
}

static affine local_of(const pose *p)
{
    const double x = p->part[3], y = p->part[4], z = p->part[5], w = p->part[6];
    const double r[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
                            {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
                            {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}};
    affine a;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            a.m[i][k] = r[i][k] * p->part[7 + k];
        a.m[i][3] = p->part[i];
    }
    return a;
}

static affine times(const affine *a, const affine *b)
{
    affine c;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++)
            c.m[i][k] =
                a->m[i][0] * b->m[0][k] + a->m[i][1] * b->m[1][k] + a->m[i][2] * b->m[2][k] + (k == 3 ? a->m[i][3] : 0);
    return c;
}

static void worlds_of(const trilo_model *bones, const pose *poses, affine *worlds)
{
    for (uint32_t i = 0; i < bones->node_count; i++) {
        const affine local = local_of(&poses[i]);
        const uint32_t parent = bones->nodes[i].parent;
        worlds[i] = parent == TRILO_NONE ? local : times(&worlds[parent], &local);
    }
}

/* ---- how far off ---- */

typedef struct off {
    double (*parts)[8]; /* of each bone: place, turn, scale, as in OFF_... */
    double vertex;
} off;

enum { OFF_PLACE = 0, OFF_TURN = 3, OFF_SCALE = 4, OFFS = 7 };

static double turn_between(const double a[4], const double b[4])
{
    double plus = 0, minus = 0;
    for (int i = 0; i < 4; i++) {
        plus += (a[i] - b[i]) * (a[i] - b[i]);
        minus += (a[i] + b[i]) * (a[i] + b[i]);
    }
    return 4 * asin(fmin(1, sqrt(fmin(plus, minus)) / 2)) * 180 / 3.14159265358979;
}

static void widen_parts(const pose *a, const pose *b, double parts[8])
{
    for (int i = 0; i < 3; i++) {
        parts[OFF_PLACE + i] = fmax(parts[OFF_PLACE + i], fabs(a->part[i] - b->part[i]));
        parts[OFF_SCALE + i] = fmax(parts[OFF_SCALE + i], fabs(a->part[7 + i] - b->part[7 + i]));
    }
    parts[OFF_TURN] = fmax(parts[OFF_TURN], turn_between(a->part + 3, b->part + 3));
}

/* The vertices of `body`, which stand in the spaces of its bones. */
static double vertices_off(const trilo_model *body, const affine *a, const affine *b)
{
    double most = 0;
    for (uint32_t i = 0; i < body->mesh_count; i++) {
        const trilo_mesh *mesh = &body->meshes[i];
        for (uint32_t v = 0; v < mesh->vertex_count; v++) {
            const bool skinned = mesh->skin != TRILO_NONE && mesh->weights && mesh->weights[v][0] > 0;
            const trilo_joint *joint = skinned ? &body->skins[mesh->skin].joints[mesh->joints[v][0]] : NULL;
            const uint32_t node = joint ? joint->node : mesh->node;
            const float *p = mesh->positions[v], *m = joint ? joint->inverse_bind.m : NULL;
            double q[3], sum = 0;
            if (node == TRILO_NONE)
                continue;
            for (int k = 0; k < 3; k++)
                q[k] = m ? (double)m[k] * p[0] + (double)m[4 + k] * p[1] + (double)m[8 + k] * p[2] + m[12 + k] : p[k];
            for (int k = 0; k < 3; k++) {
                const double *x = a[node].m[k], *y = b[node].m[k];
                const double d = (x[0] - y[0]) * q[0] + (x[1] - y[1]) * q[1] + (x[2] - y[2]) * q[2] + x[3] - y[3];
                sum += d * d;
            }
            most = fmax(most, sqrt(sum));
        }
    }
    return most;
}

typedef struct bench {
    const trilo_model *source, *sides[2]; /* ours, theirs */
    uint32_t *twins;                      /* of their bones in the source */
    pose *all, *poses[3];
    affine *worlds[3];
    off offs[2];
} bench;

static void bench_open(bench *b)
{
    const trilo_model *theirs = b->sides[1];
    const size_t count = theirs->node_count;
    CHECK(b->twins = calloc(count, sizeof *b->twins));
    CHECK(b->all = calloc(b->source->node_count, sizeof *b->all));
    for (int i = 0; i < 3; i++)
        CHECK((b->poses[i] = calloc(count, sizeof(pose))) && (b->worlds[i] = calloc(count, sizeof(affine))));
    for (int i = 0; i < 2; i++)
        CHECK(b->offs[i].parts = calloc(count, sizeof *b->offs[i].parts));
    for (uint32_t i = 0; i < count; i++) {
        CHECK_STR(b->sides[0]->nodes[i].name.data, theirs->nodes[i].name.data);
        while (strcmp(b->source->nodes[b->twins[i]].name.data, theirs->nodes[i].name.data) != 0)
            CHECK(++b->twins[i] < b->source->node_count);
    }
}

static void bench_close(bench *b)
{
    free(b->twins);
    free(b->all);
    for (int i = 0; i < 3; i++) {
        free(b->poses[i]);
        free(b->worlds[i]);
    }
    for (int i = 0; i < 2; i++)
        free(b->offs[i].parts);
}

static void measure(bench *b, uint32_t clip)
{
    const trilo_model *theirs = b->sides[1];
    for (uint32_t tick = 0; tick <= theirs->clips[clip].duration * 60 + 0.01; tick++) {
        pose_all(b->source, clip, tick / 60.0, false, b->all);
        for (uint32_t i = 0; i < theirs->node_count; i++)
            b->poses[2][i] = b->all[b->twins[i]];
        worlds_of(theirs, b->poses[2], b->worlds[2]);
        for (int s = 0; s < 2; s++) {
            pose_all(b->sides[s], clip, tick / 60.0, true, b->poses[s]);
            worlds_of(theirs, b->poses[s], b->worlds[s]);
            for (uint32_t i = 0; i < theirs->node_count; i++)
                widen_parts(&b->poses[2][i], &b->poses[s][i], b->offs[s].parts[i]);
            b->offs[s].vertex = fmax(b->offs[s].vertex, vertices_off(theirs, b->worlds[2], b->worlds[s]));
        }
    }
}

/* ---- all clips ---- */

/* Of the stream, and of the table of channels. */
static uint32_t bytes_of(const trilo_clip *clip)
{
    uint32_t bytes = 0;
    for (uint32_t i = 0; i < clip->channel_count; i++)
        bytes += clip->channels[i].key_count * (clip->channels[i].target == TRILO_TARGET_ROTATION ? 8 : 6) + 12;
    return bytes;
}

/* What rests within a 256th of a unit, or a 10,000th, has no channel at all; their own numbers are 32-bit ones, which
 * moves some of their keys by a tick. */
static const double SLACK[OFFS] = {1 / 256.0, 1 / 256.0, 1 / 256.0, 0.01, 1e-4, 1e-4, 1e-4};

static void compare_clip(const twin *p, bench *b, uint32_t clip, uint32_t *ours, uint32_t *theirs)
{
    const uint32_t size = bytes_of(&b->sides[0]->clips[clip]), of = bytes_of(&b->sides[1]->clips[clip]);
    bench_open(b);
    measure(b, clip);
    printf("%s/%s: %u of %u bytes, %.3f and %.3f units off\n", p->name, b->sides[1]->clips[clip].name.data, size, of,
           b->offs[0].vertex, b->offs[1].vertex);
    if (size >= of)
        FAIL("%s, clip %u: %u bytes, the reference %u", p->name, clip, size, of);
    if (b->offs[0].vertex > b->offs[1].vertex * 1.0001 + 0.001)
        FAIL("%s, clip %u: %g units off, the reference %g", p->name, clip, b->offs[0].vertex, b->offs[1].vertex);
    for (uint32_t i = 0; i < b->sides[1]->node_count; i++)
        for (int k = 0; k < OFFS; k++)
            if (b->offs[0].parts[i][k] > b->offs[1].parts[i][k] + SLACK[k])
                FAIL("%s, clip %u, bone %u, part %d: %g off, the reference %g", p->name, clip, i, k,
                     b->offs[0].parts[i][k], b->offs[1].parts[i][k]);
    *ours += size;
    *theirs += of;
    bench_close(b);
    memset(b->offs, 0, sizeof b->offs);
}

TEST(clips_are_smaller_and_no_worse)
{
    uint32_t ours = 0, theirs = 0, clips = 0;
    test_corpus("t3dm");
    for (uint32_t i = 0; i < TWINS; i++) {
        twin_side got, want;
        const trilo_model *source = twin_source(&twins[i]);
        if (source->clip_count > 0) {
            twin_reference(&twins[i], &want);
            twin_make(twins[i].name, source, NULL, NULL, &got);
            CHECK_INT(got.model->clip_count, want.model->clip_count);
            CHECK_INT(got.model->node_count, want.model->node_count);
            bench b = {.source = source, .sides = {got.model, want.model}};
            for (uint32_t k = 0; k < want.model->clip_count; k++, clips++)
                compare_clip(&twins[i], &b, k, &ours, &theirs);
            twin_close(&got);
            twin_close(&want);
        }
        trilo_model_free(source);
    }
    printf("%u clips, %u of %u bytes: %.4f\n", clips, ours, theirs, (double)ours / theirs);
    CHECK_INT(clips, 16);
    CHECK(ours <= 0.73 * theirs);
}

/* ---- a bound for all ---- */

static bool keep_stream(void *user, const char *name, trilo_bytes bytes)
{
    twin_side *s = user;
    CHECK(s->stream_count < TWIN_STREAMS);
    snprintf(s->streams[s->stream_count].name, sizeof s->streams[0].name, "%s", name);
    return buffer_sink(&s->streams[s->stream_count++].bytes, bytes.data, bytes.size);
}

static bool give_stream(void *user, const char *name, trilo_bytes *bytes)
{
    const twin_side *s = user;
    for (uint32_t i = 0; i < s->stream_count; i++)
        if (strcmp(s->streams[i].name, name) == 0)
            *bytes = (trilo_bytes){s->streams[i].bytes.data, s->streams[i].bytes.size};
    return bytes->data != NULL;
}

/* Within a quarter of a degree and of a unit, as twin_make does it without. */
static const trilo_model *make_bounded(const trilo_model *source, twin_side *s)
{
    trilo_error err = {0};
    memset(s, 0, sizeof *s);
    const trilo_write_opts opts = {
        .format = TRILO_FORMAT_T3DM,
        .name = "a.t3dm",
        .companion = keep_stream,
        .companion_user = s,
        .t3dm = &(trilo_t3dm_write_opts){.anim_rotation_error = 0.25, .anim_translation_error = 0.25}};
    const trilo_load_opts load = {.name = "a.t3dm", .companion = give_stream, .companion_user = s};
    CHECK(trilo_model_write(source, &opts, buffer_sink, &s->made, &err));
    const trilo_model *model = trilo_model_load(s->made.data, s->made.size, &load, &err);
    CHECK(model);
    return model;
}

/* 32-bit numbers of some 10,000 are a 1000th apart. */
static void check_bound(const bench *b, uint32_t clip)
{
    for (uint32_t i = 0; i < b->sides[1]->node_count; i++) {
        const double *parts = b->offs[0].parts[i];
        for (int k = 0; k < 3; k++)
            if (parts[OFF_PLACE + k] > 0.252 || parts[OFF_TURN] > 0.2505)
                FAIL("clip %u, bone %u: %g units and %g degrees off", clip, i, parts[OFF_PLACE + k], parts[OFF_TURN]);
    }
}

TEST(a_quarter_of_a_degree_and_of_a_unit)
{
    uint32_t ours = 0, theirs = 0;
    test_corpus("t3dm");
    for (uint32_t i = 0; i < TWINS; i++) {
        twin_side made, want;
        const trilo_model *source = twin_source(&twins[i]);
        if (source->clip_count > 0) {
            twin_reference(&twins[i], &want);
            const trilo_model *got = make_bounded(source, &made);
            bench b = {.source = source, .sides = {got, want.model}};
            for (uint32_t k = 0; k < want.model->clip_count; k++) {
                bench_open(&b);
                measure(&b, k);
                check_bound(&b, k);
                bench_close(&b);
                ours += bytes_of(&got->clips[k]);
                theirs += bytes_of(&want.model->clips[k]);
            }
            trilo_model_free(got);
            for (uint32_t k = 0; k < made.stream_count; k++)
                buffer_free(&made.streams[k].bytes);
            buffer_free(&made.made);
            twin_close(&want);
        }
        trilo_model_free(source);
    }
    printf("%u of %u bytes: %.4f\n", ours, theirs, (double)ours / theirs);
    CHECK(ours <= 0.61 * theirs);
}

TEST_MAIN(CASE(clips_are_smaller_and_no_worse), CASE(a_quarter_of_a_degree_and_of_a_unit))
