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

/* Of two angles. Up to a quarter, a series of the sine is exact to the last bit of a float. */
static inline tl_double2 tl_sines_of(float x, float y)
{
    const tl_double2 v = {x, y}, vv = v * v;
    tl_double2 sines = v * (1 - vv / 6 * (1 - vv / 20 * (1 - vv / 42 * (1 - vv / 72))));
    for (int i = 0; i < 2; i++)
        sines[i] = v[i] < 0.25 ? sines[i] : tl_sin(v[i]);
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
 * first, a. On a straight line the error is t * d - p. Slerp by a small angle is that line and an arch above it, up to
 * the third power of the angle: angle^2 / 2 * t * (1 - t) * a. The sum of squares of both follows from sums over the
 * samples, which grow by one sample when the segment does. */
typedef struct segment_sums {
    double squares;      /* of |p|^2 */
    double scalar_first; /* of time * p */
    double time_2;       /* of time^2 */
    tl_double2 first[2]; /* of rotations: of time * p */
    tl_double2 a[2];     /* of rotations: the first sample */
    double aa;           /* |a|^2 */
    /* For the arch of rotations, which few segments need: of the samples before one. */
    uint32_t arch_next;
    tl_double2 second[2];  /* of time^2 * p */
    double time_3, time_4; /* of powers of the time */
} segment_sums;

typedef enum segment_verdict { SEGMENT_UNDECIDED, SEGMENT_WITHIN, SEGMENT_BEYOND } segment_verdict;

/* What is known of a segment: the sum of squares, that of the ends, and how far a value may be off at most. */
typedef struct segment_estimate {
    double sum, dd, rounding;
} segment_estimate;

/* ---- long segments of scalars ---- */

/* A segment whose samples are all near its line is within the limit, whichever of them are measured. Each sample leaves
 * an interval of slopes for the line (as in key_reduce_scalar.c), and their intersection only shrinks. */
typedef struct slope_cone {
    uint32_t from, next; /* samples after `from` and before `next` are in it */
    double low, high;
} slope_cone;

/* Of the samples, those that are kept. */
void tl_reduce_like_tiny3d(const tiny3d_reduction *r, uint32_t *samples, uint32_t *kept);
/* The same for a processor with AVX2. False: not compiled for it. */
bool tl_reduce_like_tiny3d_avx2(const tiny3d_reduction *r, uint32_t *samples, uint32_t *kept);

#endif
