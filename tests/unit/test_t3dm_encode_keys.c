/* Keys that are left out of T3DM's clips: what vertices are off is measured here once more, by other code, and streams
 * are read as the console reads them. */
#include "formats/t3dm/animation/animation.h"
#include "formats/t3dm/decode/sdata.h"
#include "harness.h"
#include "support/buffer.h"
#include "trilobite/trilobite.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BONES = 4, POINTS = 3, KEYS = 90, SCALE = 16 };

/* A chain of bones with three vertices on each, and a clip that turns all of them and moves and stretches the first. */
typedef struct rig {
    trilo_mesh mesh;
    trilo_node nodes[BONES];
    trilo_joint joints[BONES];
    trilo_skin skin;
    trilo_channel channels[BONES + 2];
    trilo_clip clip;
    trilo_model model;
    char names[BONES][4];
    float positions[BONES * POINTS][3], weights[BONES * POINTS][4];
    uint16_t of[BONES * POINTS][4];
    uint32_t indices[BONES * POINTS];
    double times[KEYS];
    float values[BONES + 2][KEYS * 4];
} rig;

static const trilo_mat4 identity = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};

static uint32_t chance(uint32_t *seed, uint32_t below)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) % below;
}

static double noise(uint32_t *seed)
{
    return chance(seed, 20001) / 10000.0 - 1;
}

static void fill_body(rig *r)
{
    for (uint32_t b = 0; b < BONES; b++) {
        snprintf(r->names[b], sizeof r->names[b], "b%u", b);
        r->nodes[b] = (trilo_node){.name = {r->names[b], 2},
                                   .parent = b > 0 ? b - 1 : TRILO_NONE,
                                   .translation.y = b > 0 ? 1.5f : 0,
                                   .rotation.w = 1,
                                   .scale = {1, 1, 1},
                                   .local = identity};
        r->nodes[b].local.m[13] = r->nodes[b].translation.y;
        r->joints[b] = (trilo_joint){b, identity};
        for (uint32_t i = 0; i < POINTS; i++) {
            const uint32_t v = b * POINTS + i;
            r->positions[v][i] = 1 + 0.5f * (float)i;
            r->weights[v][0] = 1;
            r->of[v][0] = (uint16_t)b;
            r->indices[v] = v;
        }
    }
}

/* Ways that bend slowly, or not so slowly. */
static void fill_values(rig *r, uint32_t *seed)
{
    for (uint32_t c = 0; c < BONES + 2; c++) {
        double value[3] = {0}, speed[3] = {0};
        const double wild = c % 2 ? 0.02 : 0.005;
        for (uint32_t k = 0; k < KEYS; k++) {
            for (int i = 0; i < 3; i++) {
                speed[i] = 0.9 * speed[i] + wild * noise(seed);
                value[i] += speed[i];
            }
            if (c < BONES) {
                const double length = sqrt(1 + value[0] * value[0] + value[1] * value[1] + value[2] * value[2]);
                for (int i = 0; i < 4; i++)
                    r->values[c][4 * k + (uint32_t)i] = (float)((i < 3 ? value[i] : 1) / length);
            } else
                for (int i = 0; i < 3; i++)
                    r->values[c][3 * k + (uint32_t)i] = (float)(c == BONES ? value[i] : 1 + 0.2 * value[i]);
        }
    }
}

static void rig_fill(rig *r, uint32_t *seed, double rate)
{
    memset(r, 0, sizeof *r);
    fill_body(r);
    fill_values(r, seed);
    for (uint32_t k = 0; k < KEYS; k++)
        r->times[k] = k / rate;
    for (uint32_t c = 0; c < BONES + 2; c++)
        r->channels[c] = (trilo_channel){.node = c < BONES ? c : 0,
                                         .target = c < BONES    ? TRILO_TARGET_ROTATION
                                                   : c == BONES ? TRILO_TARGET_TRANSLATION
                                                                : TRILO_TARGET_SCALE,
                                         .key_count = KEYS,
                                         .times = r->times,
                                         .values = r->values[c]};
    r->mesh = (trilo_mesh){.material = TRILO_NONE,
                           .node = TRILO_NONE,
                           .vertex_count = BONES * POINTS,
                           .index_count = BONES * POINTS,
                           .positions = (const float(*)[3])r->positions,
                           .joints = (const uint16_t(*)[4])r->of,
                           .weights = (const float(*)[4])r->weights,
                           .indices = r->indices};
    r->skin = (trilo_skin){BONES, r->joints};
    r->clip = (trilo_clip){.duration = r->times[KEYS - 1], .channel_count = BONES + 2, .channels = r->channels};
    r->model = (trilo_model){.format = TRILO_FORMAT_GLTF,
                             .mesh_count = 1,
                             .meshes = &r->mesh,
                             .node_count = BONES,
                             .nodes = r->nodes,
                             .skin_count = 1,
                             .skins = &r->skin,
                             .clip_count = 1,
                             .clips = &r->clip};
}

/* ---- through the file ---- */

typedef struct result {
    buffer file, stream;
    const trilo_model *model;
    bool coarse;
    double told; /* how far it says to be off */
    unsigned told_keys;
} result;

static void note(void *user, const trilo_finding *finding)
{
    result *r = user;
    r->coarse = r->coarse || strcmp(finding->rule, "T3DM-KEYS-COARSE") == 0;
    if (strcmp(finding->rule, "T3DM-KEYS") != 0)
        return;
    const char *name = strstr(finding->text, "\": "), *text = name ? name + 3 : finding->text;
    CHECK_INT(sscanf(text, "%u keys, with which no vertex is more than %lf units", &r->told_keys, &r->told), 2);
}

static bool keep_stream(void *user, const char *name, trilo_bytes bytes)
{
    (void)name;
    return buffer_sink(&((result *)user)->stream, bytes.data, bytes.size);
}

static bool give_stream(void *user, const char *name, trilo_bytes *bytes)
{
    const result *r = user;
    (void)name;
    *bytes = (trilo_bytes){r->stream.data, r->stream.size};
    return true;
}

static void through_t3dm(const trilo_model *model, trilo_t3dm_write_opts t3dm, result *r)
{
    trilo_error err = {0};
    *r = (result){.told = -1};
    const trilo_write_opts opts = {.format = TRILO_FORMAT_T3DM,
                                   .name = "rig.t3dm",
                                   .on_finding = note,
                                   .on_finding_user = r,
                                   .companion = keep_stream,
                                   .companion_user = r,
                                   .t3dm = &t3dm};
    if (!trilo_model_write(model, &opts, buffer_sink, &r->file, &err))
        FAIL("%s: %s", err.path, err.text);
    const trilo_load_opts load = {.companion = give_stream, .companion_user = r, .name = "rig.t3dm", .strict = true};
    r->model = trilo_model_load(r->file.data, r->file.size, &load, &err);
    if (!r->model)
        FAIL("%s: %s", err.path, err.text);
}

static void result_free(result *r)
{
    trilo_model_free(r->model);
    buffer_free(&r->file);
    buffer_free(&r->stream);
}

static uint32_t keys_of(const trilo_clip *clip)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < clip->channel_count; i++)
        count += clip->channels[i].key_count;
    return count;
}

/* ---- poses ---- */

typedef struct pose {
    double t[3], r[4], s[3];
} pose;

static void blend_turn(const float *a, const float *b, double amount, bool straight, double out[4])
{
    double dot = 0, length = 0;
    for (int i = 0; i < 4; i++)
        dot += (double)a[i] * b[i];
    const double angle = acos(fmin(1, fabs(dot))), sine = sin(angle);
    const bool arc = !straight && sine > 1e-6;
    const double of_a = arc ? sin((1 - amount) * angle) / sine : 1 - amount;
    const double of_b = arc ? sin(amount * angle) / sine : amount;
    for (int i = 0; i < 4; i++) {
        out[i] = a[i] * of_a * (dot < 0 ? -1 : 1) + b[i] * of_b;
        length += out[i] * out[i];
    }
    for (int i = 0; i < 4; i++)
        out[i] /= sqrt(length);
}

static void channel_at(const trilo_channel *c, double seconds, bool straight, double *out)
{
    const uint32_t width = c->target == TRILO_TARGET_ROTATION ? 4 : trilo_target_width(c->target);
    uint32_t k = 0;
    while (k + 2 < c->key_count && c->times[k + 1] <= seconds)
        k++;
    const double amount = fmin(1, fmax(0, (seconds - c->times[k]) / (c->times[k + 1] - c->times[k])));
    const float *a = c->values + (size_t)k * width, *b = a + width;
    if (c->target == TRILO_TARGET_ROTATION)
        blend_turn(a, b, amount, straight, out);
    for (uint32_t i = 0; c->target != TRILO_TARGET_ROTATION && i < width; i++)
        out[i] = a[i] + ((double)b[i] - a[i]) * amount;
}

/* Bones in the order of the chain, whatever their numbers are. */
static void pose_chain(const trilo_model *model, double seconds, bool straight, pose out[BONES])
{
    for (uint32_t n = 0; n < BONES; n++) {
        const trilo_node *node = &model->nodes[n];
        pose *p = &out[node->name.data[1] - '0'];
        *p = (pose){{node->translation.x, node->translation.y, node->translation.z},
                    {node->rotation.x, node->rotation.y, node->rotation.z, node->rotation.w},
                    {node->scale.x, node->scale.y, node->scale.z}};
        for (uint32_t i = 0; i < model->clips[0].channel_count; i++) {
            const trilo_channel *c = &model->clips[0].channels[i];
            double *const places[] = {p->t, p->r, p->s, p->t, p->t + 1, p->t + 2, p->s, p->s + 1, p->s + 2};
            if (c->node == n)
                channel_at(c, seconds, straight, places[c->target]);
        }
    }
}

/* v becomes t + r * (s * v). */
static void place(const pose *p, double unit, double v[3])
{
    const double *q = p->r, x[3] = {v[0] * p->s[0], v[1] * p->s[1], v[2] * p->s[2]};
    const double c[3] = {q[1] * x[2] - q[2] * x[1] + q[3] * x[0], q[2] * x[0] - q[0] * x[2] + q[3] * x[1],
                         q[0] * x[1] - q[1] * x[0] + q[3] * x[2]};
    v[0] = x[0] + 2 * (q[1] * c[2] - q[2] * c[1]) + p->t[0] * unit;
    v[1] = x[1] + 2 * (q[2] * c[0] - q[0] * c[2]) + p->t[1] * unit;
    v[2] = x[2] + 2 * (q[0] * c[1] - q[1] * c[0]) + p->t[2] * unit;
}

/* The farthest that a vertex is from where the source has it, in units of the file. */
static double off_at(const rig *r, const trilo_model *file, double seconds)
{
    pose want[BONES], got[BONES];
    double most = 0;
    pose_chain(&r->model, seconds, false, want);
    pose_chain(file, seconds, true, got);
    for (uint32_t v = 0; v < BONES * POINTS; v++) {
        double a[3], b[3], sum = 0;
        for (int i = 0; i < 3; i++)
            a[i] = b[i] = r->positions[v][i] * SCALE;
        for (uint32_t bone = r->of[v][0] + 1u; bone-- > 0;) {
            place(&want[bone], SCALE, a);
            place(&got[bone], 1, b);
        }
        for (int i = 0; i < 3; i++)
            sum += (a[i] - b[i]) * (a[i] - b[i]);
        most = fmax(most, sqrt(sum));
    }
    return most;
}

static double most_off(const rig *r, const trilo_model *file, double steps)
{
    double most = 0;
    for (uint32_t i = 0; i <= r->clip.duration * 60 * steps; i++)
        most = fmax(most, off_at(r, file, i / (60 * steps)));
    return most;
}

/* ---- the bound ---- */

/* Keys on ticks, where the source is straight between them, or 24 a second, which are not. */
TEST(no_vertex_exceeds_the_tolerance)
{
    const uint32_t rounds = test_rounds(TEST_SLOW ? 8 : 24, TEST_SLOW ? 4 : 8);
    uint32_t seed = 11, kept = 0, usual = 0, coarse = 0;
    for (uint32_t round = 0; round < rounds; round++) {
        static rig r;
        result got, plain;
        const double bound = (round % 4 + 1) * (round % 3 ? 0.3 : 1.5);
        rig_fill(&r, &seed, round % 2 ? 30 : 24);
        through_t3dm(&r.model, (trilo_t3dm_write_opts){.scale = SCALE, .anim_error = bound}, &got);
        through_t3dm(&r.model, (trilo_t3dm_write_opts){.scale = SCALE}, &plain);
        const double off = most_off(&r, got.model, 1);
        if (off > bound * (1 + 1e-4) && !got.coarse)
            FAIL("round %u: %g units off, %g were asked for", round, off, bound);
        CHECK(got.coarse == (off > bound * (1 + 1e-4)));
        CHECK_NEAR(got.told, off, 0.001 * off + 1e-3);
        CHECK_INT(got.told_keys, keys_of(&got.model->clips[0]));
        if (round % 2 && !got.coarse)
            CHECK(most_off(&r, got.model, 4) <= bound * 1.02 + 0.01);
        kept += keys_of(&got.model->clips[0]);
        usual += keys_of(&plain.model->clips[0]);
        coarse += got.coarse;
        CHECK(plain.told >= 0);
        result_free(&got);
        result_free(&plain);
    }
    printf("%u keys within the bounds, %u without one, %u of %u too coarse\n", kept, usual, coarse, rounds);
    CHECK(kept < 0.6 * usual);
    CHECK(coarse < 5);
}

/* Every channel for itself. */
TEST(no_channel_exceeds_the_tolerance)
{
    uint32_t seed = 5;
    for (uint32_t round = 0; round < test_rounds(TEST_SLOW ? 4 : 10, TEST_SLOW ? 2 : 4); round++) {
        static rig r;
        result got;
        double turn = 0, way = 0;
        rig_fill(&r, &seed, 30);
        through_t3dm(
            &r.model,
            (trilo_t3dm_write_opts){.scale = SCALE, .anim_rotation_error = 0.5, .anim_translation_error = 0.25}, &got);
        for (uint32_t tick = 0; tick <= r.clip.duration * 60; tick++) {
            pose want[BONES], have[BONES];
            pose_chain(&r.model, tick / 60.0, false, want);
            pose_chain(got.model, tick / 60.0, true, have);
            for (uint32_t b = 0; b < BONES; b++) {
                double dot = 0;
                for (int i = 0; i < 4; i++)
                    dot += want[b].r[i] * have[b].r[i];
                turn = fmax(turn, 2 * acos(fmin(1, fabs(dot))) * 180 / 3.14159265358979);
                for (int i = 0; i < 3; i++)
                    way = fmax(way, fabs(want[b].t[i] * SCALE - have[b].t[i]));
            }
        }
        if (turn > 0.501 || way > 0.2501)
            FAIL("round %u: %g degrees and %g units off", round, turn, way);
        CHECK(turn > 0.3 && way > 0.1); /* it was made use of */
        result_free(&got);
    }
}

/* What was thinned once is a source like any other: with a bound, its clips lose keys, and without, none. */
TEST(files_of_the_console_are_thinned_when_asked)
{
    static rig r;
    uint32_t seed = 23;
    result first, same, less;
    rig_fill(&r, &seed, 30);
    through_t3dm(&r.model, (trilo_t3dm_write_opts){.scale = SCALE}, &first);
    through_t3dm(first.model, (trilo_t3dm_write_opts){0}, &same);
    CHECK_INT(same.stream.size, first.stream.size);
    CHECK(memcmp(same.stream.data, first.stream.data, first.stream.size) == 0);
    through_t3dm(first.model, (trilo_t3dm_write_opts){.anim_error = 2}, &less);
    CHECK(10 * less.stream.size < 7 * first.stream.size);
    const double off = most_off(&r, first.model, 1) + 2;
    CHECK(most_off(&r, less.model, 1) <= off + 1e-3);
    result_free(&first);
    result_free(&same);
    result_free(&less);
}

/* ---- the stream ---- */

typedef struct reader {
    const buffer *stream;
    size_t at, size;
    double start[64], end[64];
} reader;

static uint32_t word(const buffer *b, size_t at)
{
    return (uint32_t)b->data[at] << 8 | b->data[at + 1];
}

static bool read_key(reader *r)
{
    if (r->at >= r->stream->size)
        return false;
    const uint32_t time = word(r->stream, r->at), channel = word(r->stream, r->at + 2);
    CHECK(channel < 64);
    r->at += r->size;
    r->size = time & 0x8000 ? 8 : 6;
    r->start[channel] = r->end[channel];
    r->end[channel] += time & 0x7FFF;
    return true;
}

/* As the console plays: whatever key comes next is taken when a channel has run out. None may be missing then, and none
 * may have come too early, for it would have pushed out what is still shown. */
TEST(streams_are_read_forward)
{
    uint32_t seed = 31;
    for (uint32_t round = 0; round < test_rounds(30, TEST_SLOW ? 8 : 30); round++) {
        static rig r;
        result got;
        rig_fill(&r, &seed, 12 + chance(&seed, 50));
        through_t3dm(&r.model, (trilo_t3dm_write_opts){.scale = SCALE, .anim_error = round % 3}, &got);
        const uint32_t count = got.model->clips[0].channel_count;
        reader p = {.stream = &got.stream, .size = 8};
        for (double now = 0; now < got.model->clips[0].duration * 60 - 0.01; now += 0.25) {
            for (uint32_t c = 0; c < count; c++)
                while (now >= p.end[c] && read_key(&p))
                    ;
            for (uint32_t c = 0; c < count; c++)
                if (!(p.start[c] <= now && now < p.end[c]))
                    FAIL("round %u: at tick %g channel %u goes from %g to %g", round, now, c, p.start[c], p.end[c]);
        }
        result_free(&got);
    }
}

/* Where errors add up along the chain, all channels get more keys before some go back to those of Tiny3D's converter,
 * which are more. One of these rigs is accurate enough with a smaller fraction of the error, although a larger one was
 * not: 10,633 keys in all, 10,668 if that were not found. */
TEST(smaller_fractions_of_the_error_are_tried)
{
    uint32_t seed = 41, keys = 0;
    for (uint32_t round = 0; round < 12; round++) {
        static rig r;
        result got;
        rig_fill(&r, &seed, 20 + 5 * (round % 3));
        through_t3dm(&r.model, (trilo_t3dm_write_opts){.scale = SCALE}, &got);
        keys += keys_of(&got.model->clips[0]);
        result_free(&got);
    }
    printf("%u keys\n", keys);
    CHECK(keys < 10650);
}

/* ---- clips that are the same ---- */

typedef struct said {
    buffer streams, findings;
} said;

/* Those about clips. */
static void keep_finding(void *user, const trilo_finding *finding)
{
    if (strstr(finding->path, "clips") == NULL)
        return;
    buffer_sink(&((said *)user)->findings, finding->text, strlen(finding->text));
    buffer_sink(&((said *)user)->findings, "\n", 1);
}

static bool append_stream(void *user, const char *name, trilo_bytes bytes)
{
    (void)name;
    return buffer_sink(&((said *)user)->streams, bytes.data, bytes.size);
}

static void encode_clips(rig *r, const trilo_clip *clips, uint32_t count, said *out)
{
    const trilo_t3dm_write_opts t3dm = {.scale = SCALE};
    const trilo_write_opts opts = {.format = TRILO_FORMAT_T3DM,
                                   .name = "rig.t3dm",
                                   .on_finding = keep_finding,
                                   .on_finding_user = out,
                                   .companion = append_stream,
                                   .companion_user = out,
                                   .t3dm = &t3dm};
    trilo_error err = {0};
    buffer file = {0};
    r->model.clip_count = count;
    r->model.clips = clips;
    if (!trilo_model_write(&r->model, &opts, buffer_sink, &file, &err))
        FAIL("%s: %s", err.path, err.text);
    buffer_free(&file);
}

/* Each clip has the keys and the findings that it has alone. The second is a copy of the first; the third differs in
 * one value, the fourth in the time of its last key. */
TEST(a_clip_that_comes_again_has_the_same_keys)
{
    static rig r, copies[3];
    trilo_clip clips[4];
    uint32_t seed = 77;
    said together = {0}, alone = {0};
    rig_fill(&r, &seed, 20);
    clips[0] = r.clip;
    clips[0].name = (trilo_str){"one", 3};
    for (uint32_t i = 0; i < 3; i++) {
        rig *copy = &copies[i];
        *copy = r;
        for (uint32_t c = 0; c < BONES + 2; c++) {
            copy->channels[c].times = copy->times;
            copy->channels[c].values = copy->values[c];
        }
        clips[i + 1] = copy->clip;
        clips[i + 1].channels = copy->channels;
        clips[i + 1].name = (trilo_str){i == 0 ? "another" : i == 1 ? "bent" : "late", i == 0 ? 7 : 4};
    }
    copies[1].values[BONES][3 * 40] += 0.5f;
    copies[2].times[KEYS - 1] -= 0.02;
    encode_clips(&r, clips, 4, &together);
    for (uint32_t i = 0; i < 4; i++)
        encode_clips(&r, &clips[i], 1, &alone);
    CHECK(together.findings.size > 0 && together.streams.size > 0);
    CHECK_INT(together.streams.size, alone.streams.size);
    CHECK(memcmp(together.streams.data, alone.streams.data, alone.streams.size) == 0);
    CHECK_INT(together.findings.size, alone.findings.size);
    CHECK(memcmp(together.findings.data, alone.findings.data, alone.findings.size) == 0);
    buffer_free(&together.streams), buffer_free(&together.findings);
    buffer_free(&alone.streams), buffer_free(&alone.findings);
}

/* ---- curves ---- */

static t3dm_curve sample_rotation(t3dm_encoder *e, tl_arena *arena, const trilo_channel *channel, double duration)
{
    t3dm_curve curve = {.channel = channel, .fraction = 1};
    tl_arena_init(arena, NULL);
    *e = (t3dm_encoder){.arena = arena};
    CHECK(tl_t3dm_sample_curve(e, duration, NULL, &curve));
    return curve;
}

/* The second key has the other sign, which is the same rotation: no sample is on the other side of the one before. */
TEST(samples_stay_in_one_hemisphere)
{
    static const double times[3] = {0, 0.5, 1};
    static const float values[12] = {0, 0, 0.28f, 0.96f, 0, 0, -0.6f, -0.8f, 0, 0, 0.28f, 0.96f};
    const trilo_channel turn = {.target = TRILO_TARGET_ROTATION, .key_count = 3, .times = times, .values = values};
    t3dm_encoder e;
    tl_arena arena;
    const t3dm_curve curve = sample_rotation(&e, &arena, &turn, 1);
    CHECK(curve.count >= 3);
    for (uint32_t k = 1; k < curve.count; k++) {
        const double *a = curve.rotations[k - 1], *b = curve.rotations[k];
        CHECK(a[2] * b[2] + a[3] * b[3] > 0.9);
    }
    tl_arena_free(&arena);
}

/* From 0 degrees about z, half a second before the start, to 90 half a second after it: the first key that is seen has
 * 45 degrees, so the sine and cosine of 22.5, and the last those of 45. Steps of a component are 0.0014. */
TEST(a_rotation_that_began_before_0)
{
    static const double times[2] = {-0.5, 0.5};
    static const float values[8] = {0, 0, 0, 1, 0, 0, 0.70710678f, 0.70710678f};
    const trilo_channel turn = {.target = TRILO_TARGET_ROTATION, .key_count = 2, .times = times, .values = values};
    t3dm_encoder e;
    tl_arena arena;
    t3dm_curve curve = sample_rotation(&e, &arena, &turn, 0.5);
    CHECK(tl_t3dm_find_tiny3d_keys(&e, &curve, 1));
    const uint32_t last = curve.tiny3d.key_count - 1;
    CHECK_INT(curve.tiny3d.ticks[0], 0);
    CHECK_INT(curve.tiny3d.ticks[last], 30);
    const trilo_quat first = tl_sdata_unpack_quat(curve.tiny3d.values[0]);
    const trilo_quat end = tl_sdata_unpack_quat(curve.tiny3d.values[last]);
    CHECK_NEAR(first.z, 0.38268343, 0.0014);
    CHECK_NEAR(first.w, 0.92387953, 0.0014);
    CHECK_NEAR(fabs((double)end.z), 0.70710678, 0.0014);
    CHECK_NEAR(fabs((double)end.w), 0.70710678, 0.0014);
    tl_arena_free(&e.curve_scratch);
    tl_arena_free(&arena);
}

TEST_MAIN(CASE(no_vertex_exceeds_the_tolerance), CASE(no_channel_exceeds_the_tolerance),
          CASE(files_of_the_console_are_thinned_when_asked), CASE(streams_are_read_forward),
          CASE(smaller_fractions_of_the_error_are_tried), CASE(a_clip_that_comes_again_has_the_same_keys),
          CASE(samples_stay_in_one_hemisphere), CASE(a_rotation_that_began_before_0))
