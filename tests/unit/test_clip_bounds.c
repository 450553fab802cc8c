/* Boxes of clips, against the union of poses at the times that the documentation lists: 60 a second, the end, and each
 * key and frame; or 4096 evenly spaced ones if those are too many. */
#include "base/strict_float.h"

#include "harness.h"
#include "support/exercise.h"
#include "support/numbers.h"
#include "trilobite/trilobite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { VERTICES = 3, KEYS = 9, FRAMES = 5 };

/* A child that turns on a root that moves, with a mesh; and a mesh of frames on the child. */
typedef struct scene {
    trilo_node nodes[2];
    float positions[2][VERTICES][3], frames_at[FRAMES][VERTICES][3], turns[KEYS][4], moves[KEYS][3];
    double times[2][KEYS];
    uint32_t indices[VERTICES];
    trilo_channel channels[2];
    trilo_frame frames[FRAMES];
    trilo_track track;
    trilo_clip clip;
    trilo_mesh meshes[2];
    trilo_model model;
} scene;

static double between(uint64_t *seed, double low, double high)
{
    return low + (high - low) * (double)(random_bits(seed) >> 40) / (double)(1 << 24);
}

static void fill_vectors(float (*out)[3], int count, uint64_t *seed)
{
    for (int i = 0; i < 3 * count; i++)
        out[i / 3][i % 3] = (float)between(seed, -9, 9);
}

/* Keys begin before the clip and end behind it. */
static void fill_scene(scene *s, double duration, uint64_t seed)
{
    static const trilo_mat4 identity = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};
    memset(s, 0, sizeof *s);
    fill_vectors(s->positions[0], VERTICES, &seed);
    fill_vectors(s->positions[1], VERTICES, &seed);
    fill_vectors(s->frames_at[0], FRAMES * VERTICES, &seed);
    fill_vectors(s->moves, KEYS, &seed);
    for (int i = 0; i < 2; i++)
        s->nodes[i] =
            (trilo_node){.parent = i ? 0 : TRILO_NONE, .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}, .local = identity};
    for (int k = 0; k < KEYS; k++) {
        double q[4], squares = 0;
        for (int i = 0; i < 4; i++) {
            q[i] = between(&seed, -1, 1);
            squares += q[i] * q[i];
        }
        for (int i = 0; i < 4; i++)
            s->turns[k][i] = (float)(q[i] / sqrt(squares));
        for (int i = 0; i < 2; i++)
            s->times[i][k] = duration * (k - 0.5 + between(&seed, 0.1, 0.9)) / (KEYS - 2);
    }
    for (int k = 0; k < FRAMES; k++)
        s->frames[k] =
            (trilo_frame){duration * (k + between(&seed, 0, 0.9)) / FRAMES, (const float(*)[3])s->frames_at[k], NULL};
    s->channels[0] =
        (trilo_channel){1, TRILO_TARGET_ROTATION, TRILO_INTERPOLATION_LINEAR, KEYS, s->times[0], s->turns[0], 0, 0};
    s->channels[1] =
        (trilo_channel){0, TRILO_TARGET_TRANSLATION, TRILO_INTERPOLATION_STEP, KEYS, s->times[1], s->moves[0], 0, 0};
    s->track = (trilo_track){.mesh = 1, .frame_count = FRAMES, .frames = s->frames};
    s->clip = (trilo_clip){
        .duration = duration, .channel_count = 2, .channels = s->channels, .track_count = 1, .tracks = &s->track};
    for (uint32_t i = 0; i < 2; i++)
        s->meshes[i] = (trilo_mesh){.material = TRILO_NONE,
                                    .node = 1,
                                    .skin = TRILO_NONE,
                                    .vertex_count = VERTICES - i,
                                    .positions = (const float(*)[3])s->positions[i]};
    s->model = (trilo_model){
        .node_count = 2, .nodes = s->nodes, .mesh_count = 2, .meshes = s->meshes, .clip_count = 1, .clips = &s->clip};
}

static void add_pose(const scene *s, uint32_t clip, double seconds, float box[2][3])
{
    trilo_mat4 locals[2], worlds[2];
    trilo_pose_locals(&s->model, clip, seconds, locals);
    trilo_pose_worlds(&s->model, locals, worlds);
    for (uint32_t m = 0; m < 2; m++) {
        float at[VERTICES][3], posed[VERTICES][3];
        trilo_pose_frame(&s->model, m, clip, seconds, TRILO_FRAME_MODE_HOLD, at, NULL);
        trilo_pose_vertices(&s->model, m, worlds, NULL, (const float(*)[3])at, NULL, posed, NULL);
        for (uint32_t v = 0; v < s->meshes[m].vertex_count; v++)
            for (int k = 0; k < 3; k++) {
                box[0][k] = fminf(box[0][k], posed[v][k]);
                box[1][k] = fmaxf(box[1][k], posed[v][k]);
            }
    }
}

static void add_time(const scene *s, double seconds, float box[2][3])
{
    if (seconds >= 0 && seconds <= s->clip.duration)
        add_pose(s, 0, seconds, box);
}

static void check_box(const scene *s, uint32_t clip, float box[2][3])
{
    trilo_bounds got;
    trilo_error err = {0};
    CHECK(trilo_clip_bounds(&s->model, clip, NULL, &got, &err));
    const float low[3] = {got.min.x, got.min.y, got.min.z}, high[3] = {got.max.x, got.max.y, got.max.z};
    for (int k = 0; k < 3; k++) {
        CHECK(low[k] == box[0][k]);
        CHECK(high[k] == box[1][k]);
    }
}

#define EMPTY_BOX                                                                                                      \
    {                                                                                                                  \
        {INFINITY, INFINITY, INFINITY},                                                                                \
        {                                                                                                              \
            -INFINITY, -INFINITY, -INFINITY                                                                            \
        }                                                                                                              \
    }

TEST(poses_at_all_listed_times)
{
    static const double durations[] = {0.05, 0.5, 0.99, 1.0 / 60, 1.7};
    for (uint64_t seed = 1; seed <= (TEST_SLOW ? 5 : 25); seed++) {
        static scene s;
        float box[2][3] = EMPTY_BOX;
        fill_scene(&s, durations[seed % 5], seed);
        for (int i = 0; i <= 200; i++)
            add_time(&s, i / 60.0, box);
        add_time(&s, s.clip.duration, box);
        for (int i = 0; i < 2 * KEYS; i++)
            add_time(&s, s.times[i / KEYS][i % KEYS], box);
        for (int i = 0; i < FRAMES; i++)
            add_time(&s, s.frames[i].time, box);
        check_box(&s, 0, box);
    }
}

/* From 4096 / 60 seconds on; and without a duration, or without the clip, the pose at 0. */
TEST(poses_of_long_clips_and_of_none)
{
    static scene s;
    float box[2][3] = EMPTY_BOX, rest[2][3] = EMPTY_BOX, start[2][3] = EMPTY_BOX;
    fill_scene(&s, 4096 / 60.0, 3);
    for (int i = 0; i < 4096; i++)
        add_pose(&s, 0, s.clip.duration * i / 4095, box);
    check_box(&s, 0, box);
    add_pose(&s, 1, 0, rest);
    check_box(&s, 1, rest);
    check_box(&s, TRILO_NONE, rest);
    s.clip.duration = 0;
    add_pose(&s, 0, 0, start);
    check_box(&s, 0, start);
}

/* Each allocation may fail: then there is no box, and the error says so. */
TEST(boxes_without_memory)
{
    static scene s;
    fill_scene(&s, 0.5, 8);
    for (size_t fail_at = 1;; fail_at++) {
        meter m = {.fail_at = fail_at};
        const trilo_memory memory = meter_memory(&m, 0);
        trilo_error err = {0};
        trilo_bounds got;
        const bool made = trilo_clip_bounds(&s.model, 0, &memory, &got, &err);
        CHECK_INT(m.now, 0);
        CHECK_INT(made, m.calls < fail_at);
        if (made)
            break;
        CHECK_INT(err.code, TRILO_CODE_NO_MEMORY);
    }
    for (size_t limit = 64; limit < 8192; limit += 64) {
        trilo_error err = {0};
        trilo_bounds got;
        if (!trilo_clip_bounds(&s.model, 0, &(trilo_memory){.max_bytes = limit}, &got, &err))
            CHECK_INT(err.code, TRILO_CODE_NO_MEMORY);
        else
            CHECK(got.min.x < got.max.x);
    }
}

/* 4096 distinct times are looked at, one more makes them even. The root is far away at one key only. */
TEST(as_many_times_as_are_looked_at)
{
    enum { MOST = 4095 };
    for (uint32_t count = TEST_EMULATED ? MOST : MOST - 1; count <= MOST; count++) {
        static scene s;
        static double times[MOST];
        static float moves[MOST][3];
        fill_scene(&s, 1.0 / 64, 5); /* besides the keys: at 0 and at the end */
        for (uint32_t i = 0; i < count; i++) {
            times[i] = (1 + i) * 3.5e-6;
            memset(moves[i], 0, sizeof moves[i]);
        }
        moves[1001][0] = 1000;
        s.clip.track_count = 0;
        s.clip.channel_count = 1;
        s.clip.channels =
            &(trilo_channel){0, TRILO_TARGET_TRANSLATION, TRILO_INTERPOLATION_LINEAR, count, times, moves[0], 0, 0};
        trilo_bounds got;
        CHECK(trilo_clip_bounds(&s.model, 0, NULL, &got, NULL));
        CHECK_INT(got.max.x > 990, count == MOST - 1);
    }
}

TEST_MAIN(CASE(poses_at_all_listed_times), CASE(poses_of_long_clips_and_of_none), CASE(boxes_without_memory),
          CASE(as_many_times_as_are_looked_at))
