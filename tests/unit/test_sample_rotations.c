/* Four rotations at once have the bits of one at a time. */
#include "harness.h"
#include "model/sample_rotations.h"
#include "support/numbers.h"
#include "trilobite/pose.h"

#include <math.h>
#include <string.h>

enum { KEYS = 12, STEPS = 61, RATE = 60 };

typedef struct rotations {
    trilo_channel channels[TL_ROTATION_LANES];
    double times[KEYS];
    float values[TL_ROTATION_LANES][KEYS][4];
    float got[TL_ROTATION_LANES][STEPS][4];
    tl_rotation_group group;
} rotations;

static float random_within(uint64_t *state, double size)
{
    return (float)(((double)(random_bits(state) >> 11) * 0x1p-52 - 1) * size);
}

/* A key after another: the same, its opposite, a little or far from it, a right angle from it, without a length. */
static void turn(uint64_t *state, const float from[4], float to[4])
{
    const uint64_t kind = random_bits(state) % 8;
    const double size = kind < 3 ? 0.02 : kind == 3 ? 1e-5 : 1;
    for (int k = 0; k < 4; k++)
        to[k] = kind == 4   ? from[k]
                : kind == 5 ? -from[k]
                : kind == 6 ? (k % 2 ? -from[k - 1] : from[k + 1])
                            : from[k] + random_within(state, size);
    if (random_bits(state) % 40 == 0)
        memset(to, 0, 4 * sizeof *to);
    if (random_bits(state) % 40 == 0)
        to[random_bits(state) % 4] = INFINITY;
}

/* Some keys are on a step, and some steps are before the first key and after the last. */
static void make_rotations(uint64_t *state, uint32_t key_count, rotations *r)
{
    static const float start[4] = {0, 0, 0, 1};
    for (uint32_t k = 0; k < key_count; k++)
        r->times[k] = (4 * k + 2 + (double)(random_bits(state) % 4) * 0.5) / RATE;
    r->group = (tl_rotation_group){.count = TL_ROTATION_LANES};
    for (int i = 0; i < TL_ROTATION_LANES; i++) {
        for (uint32_t k = 0; k < key_count; k++)
            turn(state, k > 0 ? r->values[i][k - 1] : start, r->values[i][k]);
        r->channels[i] = (trilo_channel){.target = TRILO_TARGET_ROTATION,
                                         .interpolation = TRILO_INTERPOLATION_LINEAR,
                                         .key_count = key_count,
                                         .times = r->times,
                                         .values = &r->values[i][0][0]};
        r->group.channels[i] = &r->channels[i];
        r->group.values[i] = &r->got[i][0][0];
    }
    memset(r->got, 0xEE, sizeof r->got);
}

/* What the first `count` channels have is that of the public function, which samples one at a time. */
static bool are_sampled(const rotations *r, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t step = 0; step < STEPS; step++) {
            float want[4];
            trilo_channel_sample(&r->channels[i], step / (double)RATE, want);
            if (memcmp(want, r->got[i][step], sizeof want) != 0)
                return false;
        }
    return true;
}

TEST(four_rotations_at_once_have_the_bits_of_one)
{
    uint64_t state = 7;
    for (uint32_t round = 0; round < 400; round++) {
        rotations r;
        make_rotations(&state, round % KEYS + 1, &r);
        tl_sample_four_rotations(&r.group, RATE, STEPS);
        CHECK(are_sampled(&r, TL_ROTATION_LANES));
        memset(r.got, 0xEE, sizeof r.got);
        CHECK(!tl_sample_four_rotations_avx2(&r.group, RATE, STEPS) || are_sampled(&r, TL_ROTATION_LANES));
    }
}

TEST(fewer_than_four_leave_the_others_alone)
{
    uint64_t state = 11;
    for (uint32_t count = 1; count < TL_ROTATION_LANES; count++) {
        rotations r;
        make_rotations(&state, KEYS, &r);
        r.group.count = count;
        tl_rotation_group_sample(&r.group, RATE, STEPS);
        CHECK(are_sampled(&r, count));
        float untouched[4];
        memset(untouched, 0xEE, sizeof untouched);
        CHECK(memcmp(r.got[count][0], untouched, sizeof untouched) == 0);
    }
}

TEST(a_group_has_linear_rotations_with_the_same_times)
{
    uint64_t state = 3;
    rotations r;
    make_rotations(&state, KEYS, &r);
    const tl_rotation_group none = {.count = 0};
    trilo_channel c = r.channels[1];
    double times[KEYS];
    CHECK(tl_rotation_group_fits(&none, &c) && tl_rotation_group_fits(&r.group, &c));
    memcpy(times, r.times, sizeof times);
    c.times = times;
    CHECK(tl_rotation_group_fits(&r.group, &c));
    times[KEYS - 1] += 1;
    CHECK(tl_rotation_group_fits(&none, &c) && !tl_rotation_group_fits(&r.group, &c));
    c.times = r.times;
    c.key_count--;
    CHECK(!tl_rotation_group_fits(&r.group, &c));
    c.key_count = 0;
    CHECK(!tl_rotation_group_fits(&none, &c));
    c = r.channels[1];
    c.interpolation = TRILO_INTERPOLATION_STEP;
    CHECK(!tl_rotation_group_fits(&none, &c));
    c = r.channels[1];
    c.target = TRILO_TARGET_TRANSLATION;
    CHECK(!tl_rotation_group_fits(&none, &c));
}

TEST_MAIN(CASE(four_rotations_at_once_have_the_bits_of_one), CASE(fewer_than_four_leave_the_others_alone),
          CASE(a_group_has_linear_rotations_with_the_same_times))
