/* Rotations as Tiny3D's converter samples and reduces them, four at once, against one at a time, sample by sample. */
#include "base/avx2.h"
#include "harness.h"
#include "optimize/key_reduce_tiny3d.h"

#include <math.h>
#include <string.h>

enum { LANES = TL_SLERP_LANES, MOST = 700 };

static uint32_t chance(uint32_t *seed, uint32_t below)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) % below;
}

/* From -1 to 1. */
static double noise(uint32_t *seed)
{
    return chance(seed, 20001) / 10000.0 - 1;
}

/* A unit quaternion near another, in either hemisphere; now and then of another length, or the same. */
static void turn_from(uint32_t *seed, const float from[4], double angle, float to[4])
{
    double q[4], square = 0;
    for (int i = 0; i < 4; i++) {
        q[i] = from[i] + angle * noise(seed);
        square += q[i] * q[i];
    }
    const double length = (chance(seed, 50) ? sqrt(square) : 1) * (chance(seed, 10) ? 1 : -1);
    for (int i = 0; i < 4; i++)
        to[i] = chance(seed, 30) ? (float)(q[i] / length) : from[i];
}

/* ---- samples ---- */

/* From nearly still to half a turn between keys; some keys are held, some have no samples. */
TEST(four_curves_have_the_samples_of_each)
{
    enum { KEYS = 40, STEPS = 120 };
    static float keys[LANES][4 * KEYS];
    static double samples[2][LANES][STEPS][4];
    uint32_t seed = 3, after[STEPS];
    double amounts[STEPS];
    const uint32_t rounds = test_rounds(2000, 200);
    for (uint32_t round = 0; round < rounds; round++) {
        const tl_slerp_steps steps = {1 + chance(&seed, STEPS), after, amounts};
        const float *values[LANES];
        double(*out[2][LANES])[4];
        for (int lane = 0; lane < LANES; lane++) {
            const double angle = pow(10, 2.5 * noise(&seed) - 2.2);
            turn_from(&seed, (const float[4]){0, 0, 0, 1}, 3, keys[lane]);
            for (int k = 1; k < KEYS; k++)
                turn_from(&seed, keys[lane] + 4 * (k - 1), angle, keys[lane] + 4 * k);
            values[lane] = keys[lane];
            out[0][lane] = samples[0][lane];
            out[1][lane] = samples[1][lane];
        }
        for (uint32_t i = 0, key = 0; i < steps.count; i++) {
            after[i] = key = key + 2 < KEYS ? key + chance(&seed, 3) % 2 : key;
            amounts[i] = chance(&seed, 5) ? chance(&seed, 1001) / 1000.0 : -1;
        }
        tl_slerp_sample_four(&steps, values, out[0]);
        const bool avx2 = tl_has_avx2() && tl_slerp_sample_four_avx2(&steps, values, out[1]);
        for (int lane = 0; lane < LANES; lane++)
            for (uint32_t i = 0; i < steps.count; i++) {
                double a[4], b[4], plain[4];
                for (int k = 0; k < 4; k++) {
                    a[k] = keys[lane][4 * after[i] + (uint32_t)k];
                    b[k] = amounts[i] < 0 ? a[k] : keys[lane][4 * after[i] + 4 + (uint32_t)k];
                }
                const tl_slerp slerp = tl_slerp_between(a, b);
                tl_slerp_at(&slerp, amounts[i] < 0 ? 0 : amounts[i], plain);
                CHECK(memcmp(samples[0][lane][i], plain, sizeof plain) == 0);
                CHECK(!avx2 || memcmp(samples[1][lane][i], plain, sizeof plain) == 0);
            }
    }
}

TEST(fewer_curves_have_the_same_samples)
{
    static const float keys[2][8] = {{0, 0, 0, 1, 0.6F, 0, 0, 0.8F}, {0, 1, 0, 0, 0, 0.8F, 0.6F, 0}};
    const uint32_t after[] = {0, 0, 1};
    const double amounts[] = {0, 0.25, -1};
    const float *values[] = {keys[0], keys[1]};
    double samples[2][3][4], alone[3][4];
    tl_slerp_sample(&(tl_slerp_steps){3, after, amounts}, 2, values, (double(*[])[4]){samples[0], samples[1]});
    for (int i = 0; i < 2; i++) {
        tl_slerp_sample(&(tl_slerp_steps){3, after, amounts}, 1, &values[i], (double(*[])[4]){alone});
        CHECK(memcmp(alone, samples[i], sizeof alone) == 0);
    }
    /* A quarter of 73.74 degrees around x: half of 18.43 degrees has the sine 0.1602. */
    CHECK_NEAR(samples[0][1][0], 0.160182, 1e-6);
    CHECK_NEAR(samples[0][2][3], 0.8, 1e-7);
}

/* ---- keys ---- */

typedef struct turns {
    uint32_t count;
    uint32_t ticks[MOST];
    float times[MOST];
    double values[LANES][MOST][4];
} turns;

static void error_at(const turns *t, int lane, uint32_t from, uint32_t to, uint32_t k, double out[4])
{
    const double(*v)[4] = (const double(*)[4])t->values[lane];
    const double amount = ((double)t->times[k] - t->times[from]) / ((double)t->times[to] - t->times[from]);
    memset(out, 0, 4 * sizeof *out);
    if (k == from || k == to)
        return;
    const tl_slerp slerp = tl_slerp_between(v[from], v[to]);
    tl_slerp_at(&slerp, amount, out);
    for (int i = 0; i < 4; i++)
        out[i] -= v[k][i];
}

/* The mean square over the ticks of a segment, of which at most 64 samples are measured. */
static bool segment_is_off(const turns *t, int lane, uint32_t from, uint32_t to)
{
    const uint32_t stride = (to - from + 63) / 64;
    double sum = 0;
    for (uint32_t start = from; start < to; start += stride) {
        const uint32_t end = start + stride < to ? start + stride : to;
        double a[4], b[4];
        error_at(t, lane, from, to, start, a);
        error_at(t, lane, from, to, end, b);
        for (uint32_t k = start; k < end; k++)
            for (int i = 0; i < 4; i++) {
                const double error = a[i] + (b[i] - a[i]) * (k - start) / (end - start);
                sum += error * error;
            }
    }
    return sum > 1e-7 * (to - from);
}

/* Of four curves, from tremors that need no keys to turns of degrees at each tick. The last sample is not on its tick.
 */
static void make_turns(uint32_t *seed, uint32_t count, turns *t)
{
    t->count = count;
    for (uint32_t i = 0; i < count; i++) {
        t->ticks[i] = i;
        t->times[i] = (float)((i + (i + 1 == count ? 0.4 * noise(seed) : 0)) / 60);
    }
    for (int lane = 0; lane < LANES; lane++) {
        const double pace = chance(seed, 3) ? 0.02 * pow(10, 1.5 * noise(seed) - chance(seed, 3)) : 0,
                     tremor = 2e-4 * pow(10, noise(seed));
        const double jump = chance(seed, 4) ? 0 : 0.002, wave = 4e-4 * pow(10, noise(seed));
        const double comb = chance(seed, 2) ? 0 : 4e-4 * pow(10, 0.3 * noise(seed)); /* seen at odd strides only */
        double angle = 3 * noise(seed), speed = 0;
        for (uint32_t i = 0; i < count; i++) {
            double *q = t->values[lane][i];
            speed += pace * noise(seed) * 0.1;
            angle += speed + (chance(seed, 80) ? 0 : jump * noise(seed));
            const double at = angle + wave * sin(i * 0.15) + comb * (i % 2) + tremor * noise(seed) * (lane % 2);
            const double by = lane == 3 && count % 5 == 0 ? 0.985 : 1;
            q[0] = (float)(by * 0.6 * sin(at));
            q[1] = (float)(by * 0.8 * sin(at));
            q[2] = 0;
            q[3] = (float)(by * cos(at));
        }
    }
}

/* Only the samples of keys are looked at. */
static uint32_t no_codes(const double q[4], double tolerance, tl_rotation_code out[TL_ROTATION_CODES])
{
    (void)tolerance;
    memcpy(out[0].q, q, sizeof out[0].q);
    out[0].code = 0;
    return 1;
}

static void check_keys(const turns *t, int lane, uint32_t count, const uint32_t *samples, uint32_t *longest)
{
    uint32_t from = 0, kept = 1;
    CHECK_INT(samples[0], 0);
    for (uint32_t k = 1; k + 1 < t->count; k++)
        if (segment_is_off(t, lane, from, k + 1)) {
            CHECK(kept < count && samples[kept] == k);
            kept++;
            from = k;
        } else if (k - from > *longest) {
            *longest = k - from;
        }
    CHECK_INT(samples[kept++], t->count - 1);
    CHECK_INT(count, kept);
}

TEST(four_curves_have_the_keys_of_each)
{
    static turns t;
    static uint32_t samples[2][LANES][MOST];
    uint32_t seed = 7, longest = 0, kept[2][LANES];
    const uint32_t rounds = test_rounds(1000, 60);
    for (uint32_t round = 0; round < rounds; round++) {
        make_turns(&seed, 2 + chance(&seed, round % 3 ? 90 : MOST - 2), &t);
        tl_rotation_curve curves[LANES];
        tiny3d_reduction r[LANES];
        uint32_t *rows[2][LANES];
        for (int lane = 0; lane < LANES; lane++) {
            curves[lane] = (tl_rotation_curve){.count = t.count,
                                               .ticks = t.ticks,
                                               .values = (const double(*)[4])t.values[lane],
                                               .codes = no_codes,
                                               .times = t.times};
            r[lane] = (tiny3d_reduction){
                .rotations = &curves[lane], .ticks = t.ticks, .times = t.times, .count = t.count, .every_tick = true};
            rows[0][lane] = samples[0][lane];
            rows[1][lane] = samples[1][lane];
        }
        tl_reduce_four_rotations_like_tiny3d(r, rows[0], kept[0]);
        const bool avx2 = tl_has_avx2() && tl_reduce_four_rotations_like_tiny3d_avx2(r, rows[1], kept[1]);
        for (int lane = 0; lane < LANES; lane++) {
            check_keys(&t, lane, kept[0][lane], samples[0][lane], &longest);
            CHECK(!avx2 || (kept[1][lane] == kept[0][lane] &&
                            memcmp(samples[1][lane], samples[0][lane], kept[0][lane] * sizeof **samples[0]) == 0));
        }
    }
    CHECK(longest > 192);
}

TEST(fewer_curves_have_the_same_keys)
{
    static turns t;
    static uint32_t samples[2][MOST], codes[2][MOST];
    uint32_t seed = 11, longest = 0;
    for (uint32_t round = 0; round < 20; round++) {
        tl_keys keys[2] = {{0, samples[0], codes[0]}, {0, samples[1], codes[1]}};
        tl_rotation_curve curves[2];
        make_turns(&seed, 1 + round * 3, &t);
        for (int i = 0; i < 2; i++)
            curves[i] = (tl_rotation_curve){.count = t.count,
                                            .ticks = t.ticks,
                                            .values = (const double(*)[4])t.values[2 * i],
                                            .codes = no_codes,
                                            .times = t.times};
        tl_tiny3d_rotation_keys(curves, 2, keys);
        CHECK_INT(keys[0].samples[0], 0);
        for (int i = 0; i < 2 && t.count > 1; i++)
            check_keys(&t, 2 * i, keys[i].count, samples[i], &longest);
    }
}

TEST_MAIN(CASE(four_curves_have_the_samples_of_each), CASE(fewer_curves_have_the_same_samples),
          CASE(four_curves_have_the_keys_of_each), CASE(fewer_curves_have_the_same_keys))
