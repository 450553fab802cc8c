/* Clips that were not T3DM's: steps, curves, late starts, keys between ticks, and channels that move nothing. */
#include "formats/t3dm/animation/animation.h"
#include "harness.h"
#include "support/buffer.h"
#include "trilobite/trilobite.h"

#include <stdio.h>
#include <string.h>

enum { CHANNELS = 3 };

/* A triangle on two bones; the second one rests at 0, 3, 0. Tests fill in the channels. */
typedef struct sample {
    trilo_mesh mesh;
    trilo_node nodes[2];
    trilo_joint joints[2];
    trilo_skin skin;
    trilo_channel channels[CHANNELS];
    trilo_clip clip;
    trilo_model model;
} sample;

static const trilo_mat4 identity = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};

static void sample_fill(sample *s, double duration)
{
    static const float positions[3][3] = {{0, 0, 0}, {2, 0, 0}, {0, 1, 0}}, normals[3][3] = {{1}, {1}, {1}};
    static const float weights[3][4] = {{1}, {1}, {1}};
    static const uint16_t joints[3][4] = {{0}};
    static const uint32_t indices[3] = {0, 1, 2};
    memset(s, 0, sizeof *s);
    for (uint32_t i = 0; i < 2; i++) {
        s->nodes[i] = (trilo_node){.parent = TRILO_NONE, .rotation.w = 1, .scale = {1, 1, 1}, .local = identity};
        s->joints[i] = (trilo_joint){i, identity};
    }
    s->nodes[1].parent = 0;
    s->nodes[1].translation.y = 3;
    s->nodes[1].local.m[13] = 3;
    s->mesh = (trilo_mesh){.material = TRILO_NONE,
                           .node = TRILO_NONE,
                           .vertex_count = 3,
                           .index_count = 3,
                           .positions = positions,
                           .normals = normals,
                           .joints = joints,
                           .weights = weights,
                           .indices = indices};
    s->skin = (trilo_skin){2, s->joints};
    s->clip = (trilo_clip){.duration = duration, .channels = s->channels};
    s->model = (trilo_model){.mesh_count = 1,
                             .meshes = &s->mesh,
                             .node_count = 2,
                             .nodes = s->nodes,
                             .skin_count = 1,
                             .skins = &s->skin,
                             .clip_count = 1,
                             .clips = &s->clip};
}

static void add_channel(sample *s, trilo_target target, trilo_interpolation how, uint32_t keys, const double *times,
                        const float *values)
{
    s->channels[s->clip.channel_count++] = (trilo_channel){
        .node = 1, .target = target, .interpolation = how, .key_count = keys, .times = times, .values = values};
}

/* The model in a file and back; `heard` has the rules about its clips. */
typedef struct result {
    char heard[512];
    char text[256];          /* of the last */
    buffer file, streams[2]; /* "leaf.0.sdata" and "leaf.1.sdata" */
    const trilo_model *model;
} result;

static void note(void *user, const trilo_finding *finding)
{
    result *r = user;
    if (strncmp(finding->path, "clips[0]", 8) != 0)
        return;
    CHECK_INT(finding->severity, TRILO_SEVERITY_NOTE);
    strcat(r->heard, finding->rule);
    strcat(r->heard, " ");
    snprintf(r->text, sizeof r->text, "%s", finding->text);
}

static bool keep_stream(void *user, const char *name, trilo_bytes bytes)
{
    return buffer_sink(&((result *)user)->streams[name[5] == '1'], bytes.data, bytes.size);
}

static bool give_stream(void *user, const char *name, trilo_bytes *bytes)
{
    const result *r = user;
    const buffer *stream = &r->streams[name[5] == '1'];
    *bytes = (trilo_bytes){stream->data, stream->size};
    return true;
}

/* At scale 1, so that numbers are those of the model. */
static void through_t3dm(const sample *s, result *r)
{
    trilo_error err = {0};
    *r = (result){.model = NULL};
    const trilo_write_opts opts = {.format = TRILO_FORMAT_T3DM,
                                   .name = "leaf.t3dm",
                                   .on_finding = note,
                                   .on_finding_user = r,
                                   .companion = keep_stream,
                                   .companion_user = r,
                                   .t3dm = &(trilo_t3dm_write_opts){.scale = 1}};
    if (!trilo_model_write(&s->model, &opts, buffer_sink, &r->file, &err))
        FAIL("%s: %s", err.path, err.text);
    const trilo_load_opts load = {.companion = give_stream, .companion_user = r, .name = "leaf.t3dm"};
    r->model = trilo_model_load(r->file.data, r->file.size, &load, &err);
    if (!r->model)
        FAIL("%s: %s", err.path, err.text);
}

static void result_free(result *r)
{
    trilo_model_free(r->model);
    buffer_free(&r->file);
    buffer_free(&r->streams[0]);
    buffer_free(&r->streams[1]);
}

/* Keys of one axis: ticks and values. */
typedef struct axis_key {
    int tick;
    double value;
} axis_key;

static void check_axis(const result *r, uint32_t channel, trilo_target target, const axis_key *want, uint32_t count)
{
    CHECK(channel < r->model->clips[0].channel_count);
    const trilo_channel *c = &r->model->clips[0].channels[channel];
    CHECK_INT(c->target, target);
    CHECK_INT(c->key_count, count);
    for (uint32_t k = 0; k < count; k++) {
        CHECK_NEAR(c->times[k] * 60, want[k].tick, 1e-6);
        CHECK_NEAR(c->values[k], want[k].value, 1e-3);
    }
}

#define CHECK_AXIS(r, channel, target, ...)                                                                            \
    check_axis(r, channel, target, (const axis_key[]){__VA_ARGS__}, sizeof(axis_key[]){__VA_ARGS__} / sizeof(axis_key))

/* ---- steps and curves ---- */

/* 1 until half a second, then 11: the jump takes the tick from 29 to 30. */
TEST(a_step_takes_a_tick)
{
    static const double times[3] = {0, 0.5, 0.75};
    static const float x[3] = {1, 11, 11};
    sample s;
    result r;
    sample_fill(&s, 1);
    add_channel(&s, TRILO_TARGET_TRANSLATION_X, TRILO_INTERPOLATION_STEP, 3, times, x);
    through_t3dm(&s, &r);
    CHECK_STR(r.heard, "T3DM-RESAMPLED ");
    CHECK_AXIS(&r, 0, TRILO_TARGET_TRANSLATION_X, {0, 1}, {29, 1}, {30, 11}, {45, 11}, {60, 11});
    result_free(&r);
}

/* Steps on neighbouring ticks have no tick left between them; one between two ticks jumps at the nearer, and to its own
 * value. */
TEST(steps_close_together)
{
    static const double times[4] = {0, 1 / 60.0, 2 / 60.0, 9.6 / 60};
    static const float x[4] = {1, 2, 3, 4};
    sample s;
    result r;
    sample_fill(&s, 0.5);
    add_channel(&s, TRILO_TARGET_SCALE_Y, TRILO_INTERPOLATION_STEP, 4, times, x);
    through_t3dm(&s, &r);
    CHECK_STR(r.heard, "T3DM-RESAMPLED T3DM-LOST-KEYS ");
    CHECK_AXIS(&r, 0, TRILO_TARGET_SCALE_Y, {0, 1}, {1, 2}, {2, 3}, {9, 3}, {10, 4}, {30, 4});
    s.channels[0].times = (const double[4]){0, 1 / 60.0, 2 / 60.0, 10.4 / 60}; /* behind its tick */
    result_free(&r);
    through_t3dm(&s, &r);
    CHECK_AXIS(&r, 0, TRILO_TARGET_SCALE_Y, {0, 1}, {1, 2}, {2, 3}, {9, 3}, {10, 4}, {30, 4});
    result_free(&r);
}

/* A constant is no step at all. */
TEST(a_constant_step)
{
    static const double times[2] = {0, 0.5};
    static const float x[2] = {7, 7};
    sample s;
    result r;
    sample_fill(&s, 0.5);
    add_channel(&s, TRILO_TARGET_TRANSLATION_X, TRILO_INTERPOLATION_STEP, 2, times, x);
    through_t3dm(&s, &r);
    CHECK_STR(r.heard, "");
    CHECK_AXIS(&r, 0, TRILO_TARGET_TRANSLATION_X, {0, 7}, {30, 7});
    result_free(&r);
}

/* From 0 to 16 within four ticks without tangents: 0.15625, 0.5 and 0.84375 of 16. Then straight, 960 a second, for
 * four more ticks. Two channels, one finding. */
TEST(a_curve_has_a_key_a_tick)
{
    static const double times[3] = {0, 4 / 60.0, 8 / 60.0};
    static const float x[9] = {0, 0, 0, 0, 16, 960, 960, 80, 0};
    sample s;
    result r;
    sample_fill(&s, 8 / 60.0);
    add_channel(&s, TRILO_TARGET_TRANSLATION_X, TRILO_INTERPOLATION_CUBIC, 3, times, x);
    add_channel(&s, TRILO_TARGET_SCALE_Z, TRILO_INTERPOLATION_CUBIC, 2, times, x);
    through_t3dm(&s, &r);
    CHECK_STR(r.heard, "T3DM-RESAMPLED ");
    CHECK_AXIS(&r, 0, TRILO_TARGET_TRANSLATION_X, {0, 0}, {1, 2.5}, {2, 8}, {3, 13.5}, {4, 16}, {8, 80});
    CHECK_AXIS(&r, 1, TRILO_TARGET_SCALE_Z, {0, 0}, {1, 2.5}, {2, 8}, {3, 13.5}, {4, 16}, {8, 16});
    result_free(&r);
}

/* ---- times ---- */

/* 24 keys a second fall between ticks: 2.5 becomes 3. At a steady 60 a second it is 3 there, not the 2.5 of the key.
 * The last key keeps its value: 7.4 ticks, 7.4. */
TEST(between_ticks_the_pace_stays)
{
    static const double times[4] = {0, 2.5 / 60, 5 / 60.0, 7.4 / 60};
    static const float x[4] = {0, 2.5f, 5, 7.4f};
    sample s;
    result r;
    sample_fill(&s, 7.4 / 60);
    add_channel(&s, TRILO_TARGET_TRANSLATION_X, TRILO_INTERPOLATION_LINEAR, 4, times, x);
    through_t3dm(&s, &r);
    CHECK_STR(r.heard, "T3DM-LOST-KEYS ");
    CHECK_AXIS(&r, 0, TRILO_TARGET_TRANSLATION_X, {0, 0}, {3, 3}, {5, 5}, {7, 7.4});
    result_free(&r);
}

/* Half a second before the first key of all goes; the channel that starts later holds its first value from 0 on. */
TEST(a_late_start_is_moved_to_0)
{
    static const double early[2] = {0.5, 1}, late[2] = {0.75, 1.5};
    static const float x[2] = {1, 2};
    sample s;
    result r;
    sample_fill(&s, 1.5);
    add_channel(&s, TRILO_TARGET_TRANSLATION_X, TRILO_INTERPOLATION_LINEAR, 2, early, x);
    add_channel(&s, TRILO_TARGET_TRANSLATION_Z, TRILO_INTERPOLATION_STEP, 2, late, x);
    through_t3dm(&s, &r);
    CHECK_STR(r.heard, "T3DM-TRIMMED T3DM-RESAMPLED ");
    CHECK(strstr(r.text, "(1) were resampled")); /* only the one with steps */
    CHECK_NEAR(r.model->clips[0].duration, 1, 1e-6);
    CHECK_AXIS(&r, 0, TRILO_TARGET_TRANSLATION_X, {0, 1}, {30, 2}, {60, 2});
    CHECK_AXIS(&r, 1, TRILO_TARGET_TRANSLATION_Z, {0, 1}, {15, 1}, {59, 1}, {60, 2});
    result_free(&r);
}

/* One channel at 0 is enough to keep the time. Keys before 0 are not seen: half way from -0.5 (0) to 0.5 (4) is 2. */
TEST(a_start_at_0_or_before)
{
    static const double at_once[2] = {0, 0.5}, before[2] = {-0.5, 0.5};
    static const float x[2] = {0, 4};
    sample s;
    result r;
    sample_fill(&s, 0.5);
    add_channel(&s, TRILO_TARGET_TRANSLATION_X, TRILO_INTERPOLATION_LINEAR, 2, at_once, x);
    add_channel(&s, TRILO_TARGET_TRANSLATION_Z, TRILO_INTERPOLATION_LINEAR, 2, before, x);
    through_t3dm(&s, &r);
    CHECK_STR(r.heard, "T3DM-LOST-KEYS ");
    CHECK_AXIS(&r, 0, TRILO_TARGET_TRANSLATION_X, {0, 0}, {30, 4});
    CHECK_AXIS(&r, 1, TRILO_TARGET_TRANSLATION_Z, {0, 2}, {30, 4});
    result_free(&r);
}

/* ---- what moves nothing ---- */

/* The bone rests at 0, 3, 0 with scale 1, unturned; -1 is the same turn as 1. Only x moves, and y stands elsewhere. */
TEST(static_channels_are_left_out)
{
    static const double times[2] = {0, 0.5};
    static const float move[6] = {0, 4, 0, 1, 4, 0.000001f}, turn[8] = {0, 0, 0, 1, 0, 0, 0, -1};
    static const float size[6] = {1, 1, 1, 1, 1, 1};
    sample s;
    result r;
    sample_fill(&s, 0.5);
    add_channel(&s, TRILO_TARGET_TRANSLATION, TRILO_INTERPOLATION_LINEAR, 2, times, move);
    add_channel(&s, TRILO_TARGET_ROTATION, TRILO_INTERPOLATION_LINEAR, 2, times, turn);
    add_channel(&s, TRILO_TARGET_SCALE, TRILO_INTERPOLATION_LINEAR, 2, times, size);
    through_t3dm(&s, &r);
    CHECK_STR(r.heard, "");
    CHECK_INT(r.model->clips[0].channel_count, 2);
    CHECK_AXIS(&r, 0, TRILO_TARGET_TRANSLATION_X, {0, 0}, {30, 1});
    CHECK_AXIS(&r, 1, TRILO_TARGET_TRANSLATION_Y, {0, 4}, {30, 4});
    result_free(&r);

    s.model.format = TRILO_FORMAT_T3DM; /* as it came */
    through_t3dm(&s, &r);
    CHECK_INT(r.model->clips[0].channel_count, 7);
    result_free(&r);
}

/* The console leaves a bone where the clip before has put it. What moves in one clip must be put back in the other,
 * where it rests; what rests in both needs nothing. Noise below a 256th of a unit is none. */
TEST(a_channel_that_moves_elsewhere_stays)
{
    static const double times[2] = {0, 0.5};
    static const float rests[6] = {0, 3, 0, 0.003f, 3, -0.003f}, moves[6] = {0, 3, 0, 0, 5, 0};
    sample s;
    result r;
    sample_fill(&s, 0.5);
    const trilo_channel channels[2] = {
        {.node = 1, .target = TRILO_TARGET_TRANSLATION, .key_count = 2, .times = times, .values = rests},
        {.node = 1, .target = TRILO_TARGET_TRANSLATION, .key_count = 2, .times = times, .values = moves},
    };
    const trilo_clip clips[2] = {{.duration = 0.5, .channel_count = 1, .channels = &channels[0]},
                                 {.duration = 0.5, .channel_count = 1, .channels = &channels[1]}};
    s.model.clips = clips;
    s.model.clip_count = 2;
    through_t3dm(&s, &r);
    for (uint32_t i = 0; i < 2; i++) {
        const trilo_clip *c = &r.model->clips[i];
        CHECK_INT(c->channel_count, 1);
        CHECK_INT(c->channels[0].target, TRILO_TARGET_TRANSLATION_Y);
        CHECK_NEAR(c->channels[0].values[0], 3, 1e-3);
        CHECK_NEAR(c->channels[0].values[c->channels[0].key_count - 1], i == 0 ? 3 : 5, 1e-3);
    }
    result_free(&r);
}

/* More than a 256th is no noise. Below a bone that is 100 times as large, less than that shows, too. */
TEST(noise_counts_where_it_shows)
{
    static const double times[2] = {0, 0.5};
    static const float rests[6] = {0, 3, 0, 0.003f, 3, -0.003f}, moves[6] = {0, 3, 0, 0.003f, 3, -0.005f};
    sample s;
    result r;
    sample_fill(&s, 0.5);
    add_channel(&s, TRILO_TARGET_TRANSLATION, TRILO_INTERPOLATION_LINEAR, 2, times, moves);
    through_t3dm(&s, &r);
    CHECK_INT(r.model->clips[0].channel_count, 1);
    CHECK_AXIS(&r, 0, TRILO_TARGET_TRANSLATION_Z, {0, 0}, {30, -0.005});
    result_free(&r);

    s.channels[0].values = rests;
    s.nodes[0].scale = (trilo_vec3){100, 100, 100};
    for (int i = 0; i < 3; i++)
        s.nodes[0].local.m[5 * i] = 100;
    through_t3dm(&s, &r);
    CHECK_INT(r.model->clips[0].channel_count, 2);
    CHECK_AXIS(&r, 0, TRILO_TARGET_TRANSLATION_X, {0, 0}, {30, 0.003});
    CHECK_AXIS(&r, 1, TRILO_TARGET_TRANSLATION_Z, {0, 0}, {30, -0.003});
    result_free(&r);
}

/* A unit of infinite length makes the scale 0: then no movement is noise. */
TEST(no_noise_without_a_scale)
{
    static const double times[2] = {0, 0.5};
    static const float x[2] = {0, 0.5f};
    sample s;
    uint8_t *animated;
    tl_arena arena;
    sample_fill(&s, 0.5);
    add_channel(&s, TRILO_TARGET_TRANSLATION_X, TRILO_INTERPOLATION_LINEAR, 2, times, x);
    tl_arena_init(&arena, NULL);
    t3dm_encoder e = {.arena = &arena, .model = &s.model, .policy.scale = 0};
    CHECK(tl_t3dm_find_animated(&e, &animated));
    CHECK_INT(animated[1], tl_t3dm_animated_bit(&s.channels[0], 0));
    tl_arena_free(&arena);
}

/* A curve that leaves its keys and comes back to them moves. */
TEST(a_curve_between_equal_keys_stays)
{
    static const double times[2] = {0, 4 / 60.0};
    static const float y[6] = {0, 3, 240, -240, 3, 0}; /* half way: 3 + 0.125 * 16 + 0.125 * 16 */
    sample s;
    result r;
    sample_fill(&s, 4 / 60.0);
    add_channel(&s, TRILO_TARGET_TRANSLATION_Y, TRILO_INTERPOLATION_CUBIC, 2, times, y);
    through_t3dm(&s, &r);
    CHECK_AXIS(&r, 0, TRILO_TARGET_TRANSLATION_Y, {0, 3}, {1, 6}, {2, 7}, {3, 6}, {4, 3});
    result_free(&r);
}

/* A clip that is the rest pose stays a clip. */
TEST(a_static_clip_keeps_its_channels)
{
    static const double times[1] = {0};
    static const float turn[4] = {0, 0, 0, 1};
    sample s;
    result r;
    sample_fill(&s, 0.5);
    add_channel(&s, TRILO_TARGET_ROTATION, TRILO_INTERPOLATION_LINEAR, 1, times, turn);
    through_t3dm(&s, &r);
    CHECK_STR(r.heard, "");
    CHECK_INT(r.model->clips[0].channel_count, 1);
    CHECK_INT(r.model->clips[0].channels[0].key_count, 2);
    result_free(&r);
}

/* T3DM's own files keep a first key that comes late: a key at 0 holds it. */
TEST(a_late_start_of_its_own_stays)
{
    static const double times[2] = {0.5, 1};
    static const float x[2] = {1, 2};
    sample s;
    result r;
    sample_fill(&s, 1);
    add_channel(&s, TRILO_TARGET_TRANSLATION_X, TRILO_INTERPOLATION_LINEAR, 2, times, x);
    s.model.format = TRILO_FORMAT_T3DM;
    through_t3dm(&s, &r);
    CHECK_STR(r.heard, "");
    CHECK_AXIS(&r, 0, TRILO_TARGET_TRANSLATION_X, {0, 1}, {30, 1}, {60, 2});
    result_free(&r);
}

/* A string of T3DM has at most 1,023 bytes: a folder of 1,011 leaves room for "leaf.0.sdata". */
TEST(a_path_of_a_stream_that_is_too_long_is_refused)
{
    enum { FOLDER = 1011 };
    static const double times[2] = {0, 1};
    static const float x[2] = {1, 2};
    sample s;
    char rom_path[FOLDER + 12];
    sample_fill(&s, 1);
    add_channel(&s, TRILO_TARGET_TRANSLATION_X, TRILO_INTERPOLATION_LINEAR, 2, times, x);
    for (int folder = FOLDER; folder <= FOLDER + 1; folder++) {
        memset(rom_path, 'a', sizeof rom_path);
        memcpy(rom_path, "rom:/", 5);
        snprintf(rom_path + folder - 1, 11, "/leaf.t3dm");
        result r = {.model = NULL};
        trilo_error err = {0};
        const trilo_write_opts opts = {.format = TRILO_FORMAT_T3DM,
                                       .name = "leaf.t3dm",
                                       .companion = keep_stream,
                                       .companion_user = &r,
                                       .t3dm = &(trilo_t3dm_write_opts){.scale = 1, .rom_path = rom_path}};
        CHECK_INT(trilo_model_write(&s.model, &opts, buffer_sink, &r.file, &err), folder == FOLDER);
        if (folder > FOLDER) {
            CHECK_INT(err.code, TRILO_CODE_CANT_WRITE);
            CHECK(strstr(err.text, "\"leaf.0.sdata\" on the console is too long: at most 1023 bytes"));
        }
        result_free(&r);
    }
}

TEST_MAIN(CASE(a_step_takes_a_tick), CASE(steps_close_together), CASE(a_constant_step), CASE(a_curve_has_a_key_a_tick),
          CASE(between_ticks_the_pace_stays), CASE(a_late_start_is_moved_to_0), CASE(a_start_at_0_or_before),
          CASE(static_channels_are_left_out), CASE(a_channel_that_moves_elsewhere_stays),
          CASE(noise_counts_where_it_shows), CASE(no_noise_without_a_scale), CASE(a_curve_between_equal_keys_stays),
          CASE(a_static_clip_keeps_its_channels), CASE(a_late_start_of_its_own_stays),
          CASE(a_path_of_a_stream_that_is_too_long_is_refused))
