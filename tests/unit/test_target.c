#include "model/target.h"

#include "harness.h"
#include "model/owned.h"
#include "support/exercise.h"
#include "trilobite/pose.h"

#include <stdlib.h>
#include <string.h>

TEST(widths)
{
    CHECK_INT(trilo_target_width(TRILO_TRANSLATION), 3);
    CHECK_INT(trilo_target_width(TRILO_ROTATION), 4);
    CHECK_INT(trilo_target_width(TRILO_SCALE), 3);
    for (int target = TRILO_TRANSLATION_X; target <= TRILO_SCALE_Z; target++)
        CHECK_INT(trilo_target_width((trilo_target)target), 1);
}

TEST(wholes_and_axes)
{
    static const struct {
        trilo_target target, whole;
        uint32_t axis;
    } all[TRILO_TARGET_COUNT] = {
        {TRILO_TRANSLATION, TRILO_TRANSLATION, 0},
        {TRILO_ROTATION, TRILO_ROTATION, 0},
        {TRILO_SCALE, TRILO_SCALE, 0},
        {TRILO_TRANSLATION_X, TRILO_TRANSLATION, 0},
        {TRILO_TRANSLATION_Y, TRILO_TRANSLATION, 1},
        {TRILO_TRANSLATION_Z, TRILO_TRANSLATION, 2},
        {TRILO_SCALE_X, TRILO_SCALE, 0},
        {TRILO_SCALE_Y, TRILO_SCALE, 1},
        {TRILO_SCALE_Z, TRILO_SCALE, 2},
    };
    for (size_t i = 0; i < TRILO_TARGET_COUNT; i++) {
        CHECK_INT(tl_target_whole(all[i].target), all[i].whole);
        CHECK_INT(tl_target_axis(all[i].target), all[i].axis);
    }
}

static const trilo_node node = {.translation = {1, 2, 3}, .rotation.w = 1, .scale = {4, 5, 6}};

static void check_keys(const trilo_channel *c, uint32_t count, const double *times, const float (*values)[3])
{
    CHECK_INT(c->key_count, count);
    CHECK(memcmp(c->times, times, count * sizeof *times) == 0);
    for (uint32_t k = 0; k < count; k++)
        for (int i = 0; i < 3; i++)
            CHECK_NEAR(c->values[3 * k + (uint32_t)i], (double)values[k][i], 0);
}

/* x: 10 at 0, 20 at 1. y: 5 at 0.5, 7 at 1, 3 at 3. z rests at 3. Key by key: at 0 y holds its first; at 0.5 x is half
 * way; at 3 x holds its last. */
TEST(three_axes)
{
    const double x_times[2] = {0, 1}, y_times[3] = {0.5, 1, 3};
    const float x[2] = {10, 20}, y[3] = {5, 7, 3};
    const trilo_channel
        along_x = {.node = 7, .target = TRILO_TRANSLATION_X, .key_count = 2, .times = x_times, .values = x},
        along_y = {.node = 7, .target = TRILO_TRANSLATION_Y, .key_count = 3, .times = y_times, .values = y};
    const trilo_channel *const axes[3] = {&along_x, &along_y, NULL};
    trilo_channel merged;
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    CHECK(tl_channel_merge(&arena, &node, axes, &merged));
    CHECK_INT(merged.target, TRILO_TRANSLATION);
    CHECK_INT(merged.node, 7);
    check_keys(&merged, 4, (const double[]){0, 0.5, 1, 3},
               (const float[][3]){{10, 5, 3}, {15, 5, 3}, {20, 7, 3}, {20, 3, 3}});
    tl_arena_free(&arena);
}

/* A channel without keys moves nothing. */
TEST(one_axis_of_the_scale)
{
    const double times[2] = {-1, 1};
    const float z[2] = {9, 8};
    const trilo_channel empty = {.target = TRILO_SCALE_X},
                        along_z = {.target = TRILO_SCALE_Z, .key_count = 2, .times = times, .values = z};
    const trilo_channel *const axes[3] = {&empty, NULL, &along_z}, *const none[3] = {&empty, NULL, NULL};
    trilo_channel merged;
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    CHECK(tl_channel_merge(&arena, &node, axes, &merged));
    CHECK_INT(merged.target, TRILO_SCALE);
    check_keys(&merged, 2, times, (const float[][3]){{4, 5, 9}, {4, 5, 8}});
    CHECK(tl_channel_merge(&arena, &node, none, &merged));
    CHECK_INT(merged.key_count, 0);
    tl_arena_free(&arena);
}

static uint32_t random_u32(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* At its keys the merged channel is what the axes are there, to the bit; between them it goes the same way. */
TEST(goes_the_way_of_its_axes)
{
    enum { MOST = 30 };
    uint32_t state = 1;
    for (int round = 0; round < 200; round++) {
        double times[3][MOST];
        float values[3][MOST];
        trilo_channel channels[3], merged;
        const trilo_channel *axes[3];
        for (uint32_t i = 0; i < 3; i++) {
            const uint32_t count = 1 + random_u32(&state) % MOST;
            for (uint32_t k = 0; k < count; k++) {
                times[i][k] = (k > 0 ? times[i][k - 1] : 0) + (1 + random_u32(&state) % 8) / 60.0;
                values[i][k] = (float)random_u32(&state) * 0x1p-20f;
            }
            channels[i] = (trilo_channel){.target = (trilo_target)(TRILO_TRANSLATION_X + i),
                                          .key_count = count,
                                          .times = times[i],
                                          .values = values[i]};
            axes[i] = &channels[i];
        }
        tl_arena arena;
        tl_arena_init(&arena, NULL);
        CHECK(tl_channel_merge(&arena, &node, axes, &merged));
        CHECK(merged.key_count <= channels[0].key_count + channels[1].key_count + channels[2].key_count);
        for (uint32_t k = 0; k < merged.key_count; k++) {
            float got[4], want[4];
            CHECK(k == 0 || merged.times[k] > merged.times[k - 1]);
            for (uint32_t i = 0; i < 3; i++) {
                trilo_channel_sample(&channels[i], merged.times[k], want);
                CHECK(merged.values[3 * k + i] == want[0]);
                const double between = k == 0 ? 0 : (merged.times[k] + merged.times[k - 1]) / 2;
                trilo_channel_sample(&merged, between, got);
                trilo_channel_sample(&channels[i], between, want);
                CHECK_NEAR(got[i], (double)want[0], 1e-5);
            }
        }
        tl_arena_free(&arena);
    }
}

TEST(memory_runs_out)
{
    const double times[2] = {0, 1};
    const float x[2] = {1, 2};
    const trilo_channel along_x = {.target = TRILO_TRANSLATION_X, .key_count = 2, .times = times, .values = x};
    const trilo_channel endless = {.target = TRILO_TRANSLATION_Y, .key_count = UINT32_MAX, .times = times, .values = x};
    const trilo_channel *const axes[3] = {&along_x, NULL, NULL}, *const too_many[3] = {&along_x, &endless, NULL};
    meter m = {.fail_at = 1, .fail_from_there = true};
    const trilo_memory memory = meter_memory(&m, 0);
    trilo_channel merged;
    tl_arena arena;
    tl_arena_init(&arena, &memory);
    CHECK(!tl_channel_merge(&arena, &node, axes, &merged));
    CHECK(!tl_channel_merge(&arena, &node, too_many, &merged));
    tl_arena_free(&arena);
}

/* A copy takes one number for each key of an axis: the sanitizer sees a fourth or a third. */
TEST(copies_have_the_right_width)
{
    double *times = malloc(2 * sizeof *times);
    float *values = malloc(2 * sizeof *values);
    CHECK(times && values);
    times[0] = 0, times[1] = 1;
    values[0] = 5, values[1] = 6;
    const trilo_channel channel = {.target = TRILO_SCALE_Y, .key_count = 2, .times = times, .values = values};
    const trilo_clip clip = {.duration = 1, .channel_count = 1, .channels = &channel};
    const trilo_model model = {.node_count = 1, .nodes = &node, .clip_count = 1, .clips = &clip};
    trilo_model copy;
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    const bool copied = tl_model_copy(&arena, &model, &copy);
    free(times);
    free(values);
    CHECK(copied);
    CHECK(copy.clips[0].channels[0].values[0] == 5 && copy.clips[0].channels[0].values[1] == 6);
    tl_arena_free(&arena);
}

TEST_MAIN(CASE(widths), CASE(wholes_and_axes), CASE(three_axes), CASE(one_axis_of_the_scale),
          CASE(goes_the_way_of_its_axes), CASE(memory_runs_out), CASE(copies_have_the_right_width))
