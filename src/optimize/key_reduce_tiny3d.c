/* The keys that Tiny3D's converter keeps.
 *
 * One greedy pass from the first key to the last: a key is dropped when the mean squared error of the segment without
 * it, over its ticks, stays below a limit, and that of the whole clip below another. Between two samples both the curve
 * and the segment are linear, and so is the error: its squares over the ticks there have a sum in closed form. Long
 * segments are measured at some of their samples only, which keeps the work in proportion.
 *
 * To find the same keys, rotations are interpolated as that converter does it: by slerp in single precision, where the
 * cosine of a small angle is often rounded to 1, and then the first of two rotations is taken for all between. */
#include "base/float4.h"
#include "base/lanes.h"
#include "base/strict_float.h"
#include "base/trig.h"
#include "optimize/key_reduce.h"

#include <math.h>
#include <string.h>

static const double SEGMENT_ERROR_MOST = 1e-7, CLIP_ERROR_MOST = 1e-6; /* mean squares */
enum { MEASURED_SAMPLES_MOST = 64 };                                   /* of a segment */

typedef struct tiny3d_reduction {
    const tl_scalar_curve *scalars; /* NULL: rotations */
    const tl_rotation_curve *rotations;
    const uint32_t *ticks;
    uint32_t count;
} tiny3d_reduction;

static const double SLERP_ANGLE_LEAST = 1e-4;

tl_slerp tl_slerp_between(const double a[4], const double b[4])
{
    float dot = 0;
    for (int i = 0; i < 4; i++)
        dot += (float)a[i] * (float)b[i];
    const float cosine = fabsf(dot);
    tl_slerp s = {.from = a, .sign = dot < 0 ? -1 : 1, .angle = cosine < 1 ? (float)tl_acos(cosine) : 0};
    s.sine = (float)tl_sin(s.angle);
    for (int i = 0; i < 4; i++) {
        s.a[i] = (float)a[i];
        s.b[i] = s.sign * (float)b[i];
    }
    return s;
}

/* Of two angles. Up to a quarter, a series of the sine is exact to the last bit of a float. */
static inline tl_double2 sines_of(float x, float y)
{
    const tl_double2 v = {x, y}, vv = v * v;
    tl_double2 sines = v * (1 - vv / 6 * (1 - vv / 20 * (1 - vv / 42 * (1 - vv / 72))));
    for (int i = 0; i < 2; i++)
        sines[i] = v[i] < 0.25 ? sines[i] : tl_sin(v[i]);
    return sines;
}

/* The components as two pairs. */
static inline void slerp_pairs(const tl_slerp *s, double amount, tl_double2 out[2])
{
    const float t = (float)amount;
    if (s->angle < SLERP_ANGLE_LEAST) {
        memcpy(out, s->from, 2 * sizeof *out);
        return;
    }
    const tl_double2 sines = sines_of((1 - t) * s->angle, t * s->angle);
    const float of_a = (float)sines[0] / s->sine, of_b = (float)sines[1] / s->sine;
    const tl_float4 a = tl_float4_mul(tl_float4_load(s->a), tl_float4_all(of_a));
    const tl_float4 b = tl_float4_mul(tl_float4_load(s->b), tl_float4_all(of_b));
    float value[4];
    tl_float4_store(value, tl_float4_mul(tl_float4_all(s->sign), tl_float4_add(a, b)));
    out[0] = (tl_double2){value[0], value[1]};
    out[1] = (tl_double2){value[2], value[3]};
}

void tl_slerp_at(const tl_slerp *s, double amount, double out[4])
{
    tl_double2 pairs[2];
    slerp_pairs(s, amount, pairs);
    memcpy(out, pairs, sizeof pairs);
}

static inline double dot_error(const tl_double2 a[2], const tl_double2 b[2])
{
    const tl_double2 low = a[0] * b[0], high = a[1] * b[1];
    return low[0] + low[1] + high[0] + high[1];
}

/* The error at a sample when the segment between two others is interpolated. */
static inline void segment_error(const tiny3d_reduction *r, const tl_slerp *slerp, uint32_t from, uint32_t to,
                                 uint32_t sample, tl_double2 error[2])
{
    const float *times = r->scalars ? NULL : r->rotations->times;
    const double amount = times ? ((double)times[sample] - times[from]) / ((double)times[to] - times[from])
                                : (double)(r->ticks[sample] - r->ticks[from]) / (r->ticks[to] - r->ticks[from]);
    if (r->scalars) {
        const double *values = r->scalars->values;
        error[0][0] = values[from] + (values[to] - values[from]) * amount - values[sample];
        return;
    }
    const double *value = r->rotations->values[sample];
    slerp_pairs(slerp, amount, error);
    error[0] -= (tl_double2){value[0], value[1]};
    error[1] -= (tl_double2){value[2], value[3]};
}

static void reduce_like_tiny3d(const tiny3d_reduction *r, uint32_t *samples, uint32_t *kept)
{
    const double ticks = fmax(1, (double)r->ticks[r->count - 1] - r->ticks[0]);
    double clip = 0, segment = 0; /* squares of the clip so far, and of the segment from the last kept key to here */
    samples[0] = 0;
    *kept = 1;
    for (uint32_t k = 1; k + 1 < r->count; k++) {
        const uint32_t from = samples[*kept - 1];
        /* The sum of squares of the error over the ticks of a segment. An error that goes linearly from a to b over n
         * ticks has the sum of |a + (b - a) * i / n|^2 for i = 0 to n - 1. */
        const uint32_t to = k + 1;
        const uint32_t stride = (to - from + MEASURED_SAMPLES_MOST - 1) / MEASURED_SAMPLES_MOST;
        const double most = SEGMENT_ERROR_MOST * ((double)r->ticks[to] - r->ticks[from]);
        double without = 0, aa = 0;
        tl_double2 a[2] = {{0, 0}, {0, 0}}, b[2] = {{0, 0}, {0, 0}};
        const tl_slerp slerp =
            r->scalars ? (tl_slerp){0} : tl_slerp_between(r->rotations->values[from], r->rotations->values[to]);
        for (uint32_t j = from, next; j < to && without <= most; j = next) {
            next = to - j > stride ? j + stride : to;
            if (next < to)
                segment_error(r, &slerp, from, to, next, b);
            else
                memset(b, 0, sizeof b);
            const double n = (double)r->ticks[next] - r->ticks[j], bb = dot_error(b, b);
            if (n > 1) {
                const double ab = dot_error(a, b);
                without += n * aa + (ab - aa) * (n - 1) + (bb - 2 * ab + aa) * (n - 1) * (2 * n - 1) / (6 * n);
            } else {
                without += aa;
            }
            memcpy(a, b, sizeof a);
            aa = bb;
        }
        const bool drop = without <= most && clip - segment + without <= CLIP_ERROR_MOST * ticks;
        clip += drop ? without - segment : 0;
        segment = drop ? without : 0;
        if (!drop)
            samples[(*kept)++] = k;
    }
    if (r->count > 1)
        samples[(*kept)++] = r->count - 1;
}

/* ---- scalars ---- */

void tl_tiny3d_scalar_keys(const tl_scalar_curve *c, tl_keys *out)
{
    const tiny3d_reduction r = {.scalars = c, .ticks = c->ticks, .count = c->count};
    reduce_like_tiny3d(&r, out->samples, &out->count);
    for (uint32_t i = 0; i < out->count; i++) {
        const double value = c->values[out->samples[i]];
        const double code = c->scale != 0 ? floor((value - c->offset) / c->scale + 0.5) : 0;
        out->codes[i] = code > 0 ? code < c->most ? (uint32_t)code : c->most : 0;
    }
}

/* ---- rotations ---- */

void tl_tiny3d_rotation_keys(const tl_rotation_curve *c, tl_keys *out)
{
    const tiny3d_reduction r = {.rotations = c, .ticks = c->ticks, .count = c->count};
    reduce_like_tiny3d(&r, out->samples, &out->count);
    for (uint32_t i = 0; i < out->count; i++) {
        tl_rotation_code codes[TL_ROTATION_CODES];
        c->codes(c->values[out->samples[i]], 0, codes);
        out->codes[i] = codes[0].code;
    }
}
