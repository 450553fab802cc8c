/* key_reduce_tiny3d.h: what the pass of key_reduce_tiny3d.inc works with, on every machine and with AVX2. */
#ifndef TL_OPTIMIZE_KEY_REDUCE_TINY3D_H
#define TL_OPTIMIZE_KEY_REDUCE_TINY3D_H

#include "base/strict_float.h"
#include "optimize/key_reduce.h"

#include "base/float4.h"
#include "base/lanes.h"
#include "base/trig.h"
#include <math.h>
#include <string.h>

static const double SEGMENT_ERROR_MOST = 1e-7; /* mean square */
enum { MEASURED_SAMPLES_MOST = 64 };           /* of a segment */
enum { SUMMED_SAMPLES_MOST = 1024 };           /* of a segment of rotations; sums over more are rounded too often */

typedef struct tiny3d_reduction {
    const tl_scalar_curve *scalars; /* NULL: rotations */
    const tl_rotation_curve *rotations;
    const uint32_t *ticks;
    const float *times; /* of rotations; NULL: the ticks */
    uint32_t count;
    bool every_tick; /* has a sample */
} tiny3d_reduction;

static const double SLERP_ANGLE_LEAST = 1e-4;

static inline float tl_float_dot(const double a[4], const double b[4])
{
    float of_a[4], of_b[4], products[4];
    for (int i = 0; i < 4; i += 2) {
        tl_double2_round((tl_double2){a[i], a[i + 1]}, of_a + i);
        tl_double2_round((tl_double2){b[i], b[i + 1]}, of_b + i);
    }
    tl_float4_store(products, tl_float4_mul(tl_float4_load(of_a), tl_float4_load(of_b)));
    return products[0] + products[1] + products[2] + products[3];
}

/* The sine of angles up to a quarter, exact to the last bit of a float. `vv` is the square of `v`. A macro, since it is
 * for vectors of two and of four. */
#define TL_SINES_SERIES(v, vv) ((v) * (1 - (vv) / 6 * (1 - (vv) / 20 * (1 - (vv) / 42 * (1 - (vv) / 72)))))

static const double SINE_SERIES_MOST = 0.25;

/* Of two angles. */
static inline tl_double2 tl_sines_of(float x, float y)
{
    const tl_double2 v = {x, y}, vv = v * v;
    tl_double2 sines = TL_SINES_SERIES(v, vv);
    for (int i = 0; i < 2; i++)
        sines[i] = v[i] < SINE_SERIES_MOST ? sines[i] : tl_sin(v[i]);
    return sines;
}

/* The components as two pairs. */
static inline void tl_slerp_pairs(const tl_slerp *s, double amount, tl_double2 out[2])
{
    const float t = (float)amount;
    if (s->angle < SLERP_ANGLE_LEAST) {
        memcpy(out, s->from, 2 * sizeof *out);
        return;
    }
    const tl_double2 sines = tl_sines_of((1 - t) * s->angle, t * s->angle);
    const float of_a = (float)sines[0] / s->sine, of_b = (float)sines[1] / s->sine;
    const tl_float4 a = tl_float4_mul(tl_float4_load(s->a), tl_float4_all(of_a));
    const tl_float4 b = tl_float4_mul(tl_float4_load(s->b), tl_float4_all(of_b));
    float value[4];
    tl_float4_store(value, tl_float4_mul(tl_float4_all(s->sign), tl_float4_add(a, b)));
    out[0] = (tl_double2){value[0], value[1]};
    out[1] = (tl_double2){value[2], value[3]};
}

/* The sum of squares of a segment without going through its samples, for most segments near enough to decide.
 *
 * Let t be the part of the segment in front of a sample, p the sample and d the last one, both as differences from the
 * first. The error is t * d - p, and the sum of its squares follows from sums over the samples, which grow by one
 * sample when the segment does. key_reduce_four_rotations.inc does the same for rotations. */
typedef struct segment_sums {
    double squares; /* of p^2 */
    double first;   /* of time * p */
    double time_2;  /* of time^2 */
} segment_sums;

/* How far the sums, and the limit, may be off by rounding. */
static const double SEGMENT_SUM_ROUNDING = 1e-12, SEGMENT_LIMIT_ROUNDING = 1e-9;

typedef enum segment_verdict { SEGMENT_UNDECIDED, SEGMENT_WITHIN, SEGMENT_BEYOND } segment_verdict;

/* ---- long segments of scalars ---- */

/* A segment whose samples are all near its line is within the limit, whichever of them are measured. Each sample leaves
 * an interval of slopes for the line (as in key_reduce_scalar.c), and their intersection only shrinks. */
typedef struct slope_cone {
    uint32_t from, next; /* samples after `from` and before `next` are in it */
    double low, high;
} slope_cone;

/* True if the mean square of the error over the ticks of a segment is within the limit. */
bool tl_tiny3d_segment_is_within(const tiny3d_reduction *r, uint32_t from, uint32_t to);

/* Of the samples, those that are kept. */
void tl_reduce_like_tiny3d(const tiny3d_reduction *r, uint32_t *samples, uint32_t *kept);
/* The same for a processor with AVX2. False: not compiled for it. */
bool tl_reduce_like_tiny3d_avx2(const tiny3d_reduction *r, uint32_t *samples, uint32_t *kept);

/* ---- four rotations at once ---- */

static inline double tl_tiny3d_time(const tiny3d_reduction *r, uint32_t sample)
{
    return r->times ? (double)r->times[sample] : (double)sample;
}

/* How much a rotation bends along a segment: sums of squared second differences. */
typedef struct segment_bends {
    uint32_t from, next; /* of the samples after `from` and before `next` */
    double values, times;
    double longest; /* time between two samples */
} segment_bends;

/* True if a long segment of rotations is within the limit. False: unknown. `squares` is the sum of squares of the error
 * at all of its samples, at most, but for a rounding of each. */
bool tl_tiny3d_long_segment_is_near(const tiny3d_reduction *r, uint32_t from, uint32_t to, double squares,
                                    double rounding, segment_bends *bends);

/* Samples of four rotations that are kept. All have the same times, and a sample at every tick. */
void tl_reduce_four_rotations_like_tiny3d(const tiny3d_reduction r[TL_SLERP_LANES],
                                          uint32_t *const samples[TL_SLERP_LANES], uint32_t kept[TL_SLERP_LANES]);
bool tl_reduce_four_rotations_like_tiny3d_avx2(const tiny3d_reduction r[TL_SLERP_LANES],
                                               uint32_t *const samples[TL_SLERP_LANES], uint32_t kept[TL_SLERP_LANES]);
/* As tl_slerp_sample. */
void tl_slerp_sample_four(const tl_slerp_steps *steps, const float *const values[TL_SLERP_LANES],
                          double (*const out[TL_SLERP_LANES])[4]);
bool tl_slerp_sample_four_avx2(const tl_slerp_steps *steps, const float *const values[TL_SLERP_LANES],
                               double (*const out[TL_SLERP_LANES])[4]);

#endif
