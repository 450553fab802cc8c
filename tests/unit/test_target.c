#include "model/target.h"

#include "harness.h"
#include "model/curve.h"
#include "model/owned.h"
#include "support/exercise.h"
#include "trilobite/pose.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

TEST(widths)
{
    CHECK_INT(trilo_target_width(TRILO_TARGET_TRANSLATION), 3);
    CHECK_INT(trilo_target_width(TRILO_TARGET_ROTATION), 4);
    CHECK_INT(trilo_target_width(TRILO_TARGET_SCALE), 3);
    for (int target = TRILO_TARGET_TRANSLATION_X; target <= TRILO_TARGET_SCALE_Z; target++)
        CHECK_INT(trilo_target_width((trilo_target)target), 1);
}

TEST(wholes_and_axes)
{
    static const struct {
        trilo_target target, whole;
        uint32_t axis;
    } all[TRILO_TARGET_COUNT] = {
        {TRILO_TARGET_TRANSLATION, TRILO_TARGET_TRANSLATION, 0},
        {TRILO_TARGET_ROTATION, TRILO_TARGET_ROTATION, 0},
        {TRILO_TARGET_SCALE, TRILO_TARGET_SCALE, 0},
        {TRILO_TARGET_TRANSLATION_X, TRILO_TARGET_TRANSLATION, 0},
        {TRILO_TARGET_TRANSLATION_Y, TRILO_TARGET_TRANSLATION, 1},
        {TRILO_TARGET_TRANSLATION_Z, TRILO_TARGET_TRANSLATION, 2},
        {TRILO_TARGET_SCALE_X, TRILO_TARGET_SCALE, 0},
        {TRILO_TARGET_SCALE_Y, TRILO_TARGET_SCALE, 1},
        {TRILO_TARGET_SCALE_Z, TRILO_TARGET_SCALE, 2},
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
        along_x = {.node = 7, .target = TRILO_TARGET_TRANSLATION_X, .key_count = 2, .times = x_times, .values = x},
        along_y = {.node = 7, .target = TRILO_TARGET_TRANSLATION_Y, .key_count = 3, .times = y_times, .values = y};
    const trilo_channel *const axes[3] = {&along_x, &along_y, NULL};
    trilo_channel merged;
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    CHECK(tl_channel_merge(&arena, &node, axes, &merged));
    CHECK_INT(merged.target, TRILO_TARGET_TRANSLATION);
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
    const trilo_channel empty = {.target = TRILO_TARGET_SCALE_X},
                        along_z = {.target = TRILO_TARGET_SCALE_Z, .key_count = 2, .times = times, .values = z};
    const trilo_channel *const axes[3] = {&empty, NULL, &along_z}, *const none[3] = {&empty, NULL, NULL};
    trilo_channel merged;
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    CHECK(tl_channel_merge(&arena, &node, axes, &merged));
    CHECK_INT(merged.target, TRILO_TARGET_SCALE);
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
TEST(follows_the_curves_of_its_axes)
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
            channels[i] = (trilo_channel){.target = (trilo_target)(TRILO_TARGET_TRANSLATION_X + i),
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
    const trilo_channel along_x = {.target = TRILO_TARGET_TRANSLATION_X, .key_count = 2, .times = times, .values = x};
    const trilo_channel endless = {
        .target = TRILO_TARGET_TRANSLATION_Y, .key_count = UINT32_MAX, .times = times, .values = x};
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
    const trilo_channel channel = {.target = TRILO_TARGET_SCALE_Y, .key_count = 2, .times = times, .values = values};
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

/* ---- straight lines instead of steps and curves ---- */

static trilo_channel linear(tl_arena *arena, const trilo_channel *from, double rate)
{
    trilo_channel to;
    CHECK(tl_channel_linear(arena, from, rate, &to));
    CHECK_INT(to.interpolation, TRILO_INTERPOLATION_LINEAR);
    CHECK_INT(to.node, from->node);
    CHECK_INT(to.target, from->target);
    for (uint32_t k = 1; k < to.key_count; k++)
        CHECK(to.times[k] > to.times[k - 1]);
    return to;
}

TEST(what_is_straight_is_shared)
{
    const double times[2] = {0, 1};
    const float x[2] = {1, 2};
    const trilo_channel straight = {.node = 3,
                                    .target = TRILO_TARGET_SCALE_X,
                                    .key_count = 2,
                                    .times = times,
                                    .values = x,
                                    .step = 0.5f,
                                    .base = 1};
    const trilo_channel to = linear(NULL, &straight, 60);
    CHECK_INT(to.key_count, 2);
    CHECK(to.times == times && to.values == x && to.step == 0.5f && to.base == 1);
}

/* 4, 4, 7, 1 at 0, 1, 2, 4: two jumps, each with a key of its own in front. */
TEST(steps_become_straight)
{
    const double times[4] = {0, 1, 2, 4};
    const float x[4] = {4, 4, 7, 1};
    const trilo_channel steps = {.target = TRILO_TARGET_SCALE_X,
                                 .interpolation = TRILO_INTERPOLATION_STEP,
                                 .key_count = 4,
                                 .times = times,
                                 .values = x};
    const double want_times[6] = {0, 1, nextafter(2, 0), 2, nextafter(4, 0), 4};
    const float want[6] = {4, 4, 4, 7, 7, 1};
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    const trilo_channel to = linear(&arena, &steps, 60);
    CHECK_INT(to.key_count, 6);
    for (uint32_t k = 0; k < 6; k++) {
        CHECK(to.times[k] == want_times[k]);
        CHECK(to.values[k] == want[k]);
        CHECK_INT(tl_channel_holds(&to, k), k == 2 || k == 4);
    }
    for (int i = -10; i < 500; i++) { /* it stands still wherever one looks */
        float got[4], is[4];
        trilo_channel_sample(&to, i / 100.0, got);
        trilo_channel_sample(&steps, i / 100.0, is);
        CHECK(got[0] == is[0]);
    }
    tl_arena_free(&arena);
}

/* Times that are neighbours leave no room for a key; around 0 there is room for the smallest number alone. */
TEST(steps_without_a_moment_between)
{
    const double times[3] = {-1, 0, nextafter(0, 1)};
    const float turns[3][4] = {{0, 0, 0, 1}, {0, 0, 1, 0}, {1, 0, 0, 0}};
    const trilo_channel steps = {.target = TRILO_TARGET_ROTATION,
                                 .interpolation = TRILO_INTERPOLATION_STEP,
                                 .key_count = 3,
                                 .times = times,
                                 .values = turns[0]};
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    const trilo_channel to = linear(&arena, &steps, 60);
    CHECK_INT(to.key_count, 4);
    CHECK(to.times[1] == nextafter(0, -1) && to.values[4 + 3] == 1);
    CHECK(to.times[3] == times[2] && to.values[12] == 1);
    tl_arena_free(&arena);
}

/* Neighbours as 32-bit numbers, too, as they come back from a file. */
TEST(holding_keys)
{
    const double times[4] = {1, (double)nextafterf(1.5f, 0), 1.5, 1.5001};
    const trilo_channel c = {.target = TRILO_TARGET_SCALE_X, .key_count = 4, .times = times};
    for (uint32_t k = 0; k < 4; k++)
        CHECK_INT(tl_channel_holds(&c, k), k == 1);
}

/* From 0 to 1 s and on to 3 s, at 4 samples a second: 0.25, 0.5 and 0.75 lie within the first stretch; the second is
 * straight, 1 a second, and needs none. With tangents of 0 at 0 and 1 at 1 to a value of 2, a quarter of the way is
 * 0.15625 * 2 - 0.046875 = 0.265625, half way 1 - 0.125, three quarters 0.84375 * 2 - 0.140625. */
TEST(curves_become_straight)
{
    const double times[3] = {0, 1, 3};
    const float x[9] = {7, 0, 0, 1, 2, 1, 1, 4, 7};
    const trilo_channel curve = {.target = TRILO_TARGET_SCALE_Z,
                                 .interpolation = TRILO_INTERPOLATION_CUBIC,
                                 .key_count = 3,
                                 .times = times,
                                 .values = x};
    const double want_times[6] = {0, 0.25, 0.5, 0.75, 1, 3};
    const float want[6] = {0, 0.265625f, 0.875f, 1.546875f, 2, 4};
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    const trilo_channel to = linear(&arena, &curve, 4);
    CHECK_INT(to.key_count, 6);
    CHECK(memcmp(to.times, want_times, sizeof want_times) == 0);
    for (uint32_t k = 0; k < 6; k++)
        CHECK_NEAR(to.values[k], (double)want[k], 0);
    tl_arena_free(&arena);
}

/* Samples stand on multiples of 1 / rate, whatever the keys; one next to a key is left out. */
TEST(samples_keep_to_the_clock)
{
    const double times[2] = {0.3, 1.00001};
    const float x[6] = {0, 0, 0, 0, 1, 0};
    const trilo_channel curve = {.target = TRILO_TARGET_SCALE_Z,
                                 .interpolation = TRILO_INTERPOLATION_CUBIC,
                                 .key_count = 2,
                                 .times = times,
                                 .values = x};
    const double want_times[4] = {0.3, 0.5, 0.75, 1.00001};
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    const trilo_channel to = linear(&arena, &curve, 4);
    CHECK_INT(to.key_count, 4);
    CHECK(memcmp(to.times, want_times, sizeof want_times) == 0);
    tl_arena_free(&arena);
}

/* A stretch of years gets no more than 255 keys, at even distances, and those are close to the curve. */
TEST(long_curves_stay_small)
{
    const double times[2] = {0, 256e6};
    const float x[6] = {0, 0, 0, 0, 1, 0};
    const trilo_channel curve = {.target = TRILO_TARGET_SCALE_Z,
                                 .interpolation = TRILO_INTERPOLATION_CUBIC,
                                 .key_count = 2,
                                 .times = times,
                                 .values = x};
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    const trilo_channel to = linear(&arena, &curve, 60);
    CHECK_INT(to.key_count, 257);
    CHECK(to.times[1] == 1e6 && to.times[255] == 255e6);
    for (double t = 0; t <= 256e6; t += 123456) {
        float got[4], want[4];
        trilo_channel_sample(&to, t, got);
        trilo_channel_sample(&curve, t, want);
        CHECK_NEAR(got[0], (double)want[0], 2e-5);
    }
    tl_arena_free(&arena);
}

/* Times at the end of what a double holds: it ends, and the keys rise. */
TEST(curves_at_the_end_of_the_scale)
{
    static const double all[][2] = {{-1.7e308, 1.7e308}, {1e300, 1.0000001e300}, {9e15, 9e15 + 8}, {-5e-324, 5e-324}};
    static const double rates[] = {60, 1e-300, 1e300};
    const float x[6] = {0, 1, 5, 5, -1, 0};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        for (size_t r = 0; r < sizeof rates / sizeof rates[0]; r++) {
            const trilo_channel curve = {.target = TRILO_TARGET_SCALE_Z,
                                         .interpolation = TRILO_INTERPOLATION_CUBIC,
                                         .key_count = 2,
                                         .times = all[i],
                                         .values = x};
            tl_arena arena;
            tl_arena_init(&arena, NULL);
            const trilo_channel to = linear(&arena, &curve, rates[r]);
            CHECK(to.key_count >= 2 && to.key_count <= 257);
            CHECK(to.times[0] == all[i][0] && to.times[to.key_count - 1] == all[i][1]);
            CHECK(to.values[0] == 1 && to.values[to.key_count - 1] == -1);
            tl_arena_free(&arena);
        }
}

/* A rotation that stands needs no samples; one that turns does, even on a straight line, which no arc is. Its speed
 * changes by up to 2.6 a second there, which is 2.6 / 60^2 / 8 = 9e-5 off the arc between two samples. */
TEST(curves_of_rotations)
{
    const double times[3] = {0, 1, 2};
    float turns[3][3][4] = {{{0}, {0, 0, 0, 1}, {0}}, {{0}, {0, 0, 0, 1}, {0}}, {{0}, {0, 0, 1, 0}, {0}}};
    const trilo_channel curve = {.target = TRILO_TARGET_ROTATION,
                                 .interpolation = TRILO_INTERPOLATION_CUBIC,
                                 .key_count = 3,
                                 .times = times,
                                 .values = turns[0][0]};
    turns[1][2][2] = 1, turns[1][2][3] = -1, turns[2][0][2] = 1, turns[2][0][3] = -1; /* along the chord */
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    const trilo_channel to = linear(&arena, &curve, 60);
    CHECK_INT(to.key_count, 3 + 59);
    for (int i = 0; i <= 400; i++) {
        float got[4], want[4];
        trilo_channel_sample(&to, i / 200.0, got);
        trilo_channel_sample(&curve, i / 200.0, want);
        for (int k = 0; k < 4; k++)
            CHECK_NEAR(got[k], (double)want[k], 1e-4);
    }
    tl_arena_free(&arena);
}

/* x steps from 1 to 3 at 1 s, y curves from 0 to 1 in a second: at each of the 60ths of a second and just before 1 s
 * there is a key, and everywhere the vector is what its axes are. */
TEST(merging_steps_and_curves)
{
    const double times[2] = {0, 1};
    const float x[2] = {1, 3}, y[6] = {0, 0, 0, 0, 1, 0};
    const trilo_channel axes[2] = {{.target = TRILO_TARGET_SCALE_X,
                                    .interpolation = TRILO_INTERPOLATION_STEP,
                                    .key_count = 2,
                                    .times = times,
                                    .values = x},
                                   {.target = TRILO_TARGET_SCALE_Y,
                                    .interpolation = TRILO_INTERPOLATION_CUBIC,
                                    .key_count = 2,
                                    .times = times,
                                    .values = y}};
    const trilo_channel *const list[3] = {&axes[0], &axes[1], NULL};
    trilo_channel merged;
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    CHECK(tl_channel_merge(&arena, &node, list, &merged));
    CHECK_INT(merged.interpolation, TRILO_INTERPOLATION_LINEAR);
    CHECK_INT(merged.key_count, 2 + 59 + 1);
    CHECK(tl_channel_holds(&merged, 60));
    for (int i = 0; i <= 120; i++) {
        float got[4], want[4];
        trilo_channel_sample(&merged, i / 100.0, got);
        trilo_channel_sample(&axes[0], i / 100.0, want);
        CHECK(got[0] == want[0]);
        trilo_channel_sample(&axes[1], i / 100.0, want);
        CHECK_NEAR(got[1], (double)want[0], 3e-4);
        CHECK(got[2] == 6);
    }
    tl_arena_free(&arena);
}

TEST(no_memory_for_straight_lines)
{
    const double times[2] = {0, 1};
    const float x[6] = {1, 2, 3, 4, 5, 6};
    for (int kind = TRILO_INTERPOLATION_STEP; kind <= TRILO_INTERPOLATION_CUBIC; kind++) {
        const trilo_channel c = {.target = TRILO_TARGET_SCALE_X,
                                 .interpolation = (trilo_interpolation)kind,
                                 .key_count = 2,
                                 .times = times,
                                 .values = x};
        const trilo_channel *const axes[3] = {NULL, &c, NULL};
        meter m = {.fail_at = 1, .fail_from_there = true};
        const trilo_memory memory = meter_memory(&m, 0);
        trilo_channel to;
        tl_arena arena;
        tl_arena_init(&arena, &memory);
        CHECK(!tl_channel_linear(&arena, &c, 60, &to));
        CHECK(!tl_channel_merge(&arena, &node, axes, &to));
        tl_arena_free(&arena);
    }
}

TEST_MAIN(CASE(widths), CASE(wholes_and_axes), CASE(three_axes), CASE(one_axis_of_the_scale),
          CASE(follows_the_curves_of_its_axes), CASE(memory_runs_out), CASE(copies_have_the_right_width),
          CASE(what_is_straight_is_shared), CASE(steps_become_straight), CASE(steps_without_a_moment_between),
          CASE(holding_keys), CASE(curves_become_straight), CASE(samples_keep_to_the_clock),
          CASE(long_curves_stay_small), CASE(curves_at_the_end_of_the_scale), CASE(curves_of_rotations),
          CASE(merging_steps_and_curves), CASE(no_memory_for_straight_lines))
