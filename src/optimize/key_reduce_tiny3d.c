/* The keys that Tiny3D's converter keeps.
 *
 * One greedy pass from the first key to the last: a key is dropped when the mean squared error of the segment without
 * it, over its ticks, stays below a limit. Between two samples both the curve
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

static const double SEGMENT_ERROR_MOST = 1e-7; /* mean square */
enum { MEASURED_SAMPLES_MOST = 64 };           /* of a segment */

typedef struct tiny3d_reduction {
    const tl_scalar_curve *scalars; /* NULL: rotations */
    const tl_rotation_curve *rotations;
    const uint32_t *ticks;
    uint32_t count;
} tiny3d_reduction;

static const double SLERP_ANGLE_LEAST = 1e-4;

static float float_dot(const double a[4], const double b[4])
{
    float dot = 0;
    for (int i = 0; i < 4; i++)
        dot += (float)a[i] * (float)b[i];
    return dot;
}

tl_slerp tl_slerp_between(const double a[4], const double b[4])
{
    const float dot = float_dot(a, b);
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

/* The sum of squares of the error over the ticks of a segment, or of some of them if they exceed `most`. An error that
 * goes linearly from a to b over n ticks has the sum of |a + (b - a) * i / n|^2 for i = 0 to n - 1. */
static double segment_squares(const tiny3d_reduction *r, uint32_t from, uint32_t to, double most)
{
    const uint32_t stride = (to - from + MEASURED_SAMPLES_MOST - 1) / MEASURED_SAMPLES_MOST;
    double sum = 0, aa = 0;
    tl_double2 a[2] = {{0, 0}, {0, 0}}, b[2] = {{0, 0}, {0, 0}};
    const tl_slerp slerp =
        r->scalars ? (tl_slerp){0} : tl_slerp_between(r->rotations->values[from], r->rotations->values[to]);
    for (uint32_t j = from, next; j < to && sum <= most; j = next) {
        next = to - j > stride ? j + stride : to;
        if (next < to)
            segment_error(r, &slerp, from, to, next, b);
        else
            memset(b, 0, sizeof b);
        const double n = (double)r->ticks[next] - r->ticks[j], bb = dot_error(b, b);
        if (n > 1) {
            const double ab = dot_error(a, b);
            sum += n * aa + (ab - aa) * (n - 1) + (bb - 2 * ab + aa) * (n - 1) * (2 * n - 1) / (6 * n);
        } else {
            sum += aa;
        }
        memcpy(a, b, sizeof a);
        aa = bb;
    }
    return sum;
}

/* ---- bounds ---- */

/* The sum of squares of a segment without going through its samples, for most segments near enough to decide.
 *
 * Let t be the part of the segment in front of a sample, p the sample and d the last one, both as differences from the
 * first, a. On a straight line the error is t * d - p. Slerp by a small angle is that line and an arch above it, up to
 * the third power of the angle: angle^2 / 2 * t * (1 - t) * a. The sum of squares of both follows from sums over the
 * samples, which grow by one sample when the segment does. */
typedef struct segment_sums {
    double squares;                 /* of |p|^2 */
    double scalar_first;            /* of time * p */
    tl_double2 first[2], second[2]; /* of rotations: of time * p, and of time^2 * p */
    double time_2, time_3, time_4;  /* of powers of the time; those of scalars need only the first */
    tl_double2 a[2];                /* of rotations: the first sample */
    double aa;                      /* |a|^2 */
} segment_sums;

typedef enum segment_verdict { SEGMENT_UNDECIDED, SEGMENT_WITHIN, SEGMENT_BEYOND } segment_verdict;

static double time_between(const tiny3d_reduction *r, uint32_t from, uint32_t to)
{
    const float *times = r->scalars ? NULL : r->rotations->times;
    return times ? (double)times[to] - times[from] : (double)(r->ticks[to] - r->ticks[from]);
}

static inline void pairs_from(const tiny3d_reduction *r, uint32_t sample, const segment_sums *s, tl_double2 out[2])
{
    memcpy(out, r->rotations->values[sample], 2 * sizeof *out);
    out[0] -= s->a[0];
    out[1] -= s->a[1];
}

static segment_sums begin_sums(const tiny3d_reduction *r, uint32_t from)
{
    segment_sums s = {0};
    if (!r->scalars) {
        memcpy(s.a, r->rotations->values[from], sizeof s.a);
        s.aa = tl_double4_dot(s.a, s.a);
    }
    return s;
}

static void add_sample_to_sums(const tiny3d_reduction *r, uint32_t from, uint32_t sample, segment_sums *s)
{
    const double time = time_between(r, from, sample), square = time * time;
    s->time_2 += square;
    if (r->scalars) {
        const double p = r->scalars->values[sample] - r->scalars->values[from];
        s->squares += p * p;
        s->scalar_first += time * p;
        return;
    }
    tl_double2 p[2];
    pairs_from(r, sample, s, p);
    for (int i = 0; i < 2; i++) {
        s->first[i] += time * p[i];
        s->second[i] += square * p[i];
    }
    s->squares += tl_double4_dot(p, p);
    s->time_3 += square * time;
    s->time_4 += square * square;
}

/* What is known of a segment: the sum of squares, that of the ends, and how far a value may be off at most. */
typedef struct segment_estimate {
    double sum, dd, rounding;
} segment_estimate;

static segment_estimate estimate_scalars(const tiny3d_reduction *r, uint32_t from, uint32_t to, const segment_sums *s)
{
    static const double DOUBLE_ROUNDING = 1e-15;
    const double a = r->scalars->values[from], b = r->scalars->values[to], d = b - a;
    const double per_time = 1 / time_between(r, from, to);
    return (segment_estimate){s->squares - 2 * per_time * s->scalar_first * d + d * d * s->time_2 * per_time * per_time,
                              d * d, DOUBLE_ROUNDING * (fabs(a) + fabs(b))};
}

/* False: the angle is too large. */
static bool estimate_rotations(const tiny3d_reduction *r, uint32_t from, uint32_t to, const segment_sums *s,
                               segment_estimate *out)
{
    static const double COSINE_LEAST = 0.95, LENGTH_MOST = 1.2, FLOAT_ROUNDING = 1e-6;
    const float dot = float_dot(r->rotations->values[from], r->rotations->values[to]);
    tl_double2 d[2];
    if (!(dot >= COSINE_LEAST && s->aa < LENGTH_MOST))
        return false;
    if (dot >= 1) { /* the first rotation is taken for all */
        *out = (segment_estimate){s->squares, 0, 0};
        return true;
    }
    pairs_from(r, to, s, d);
    const double per_time = 1 / time_between(r, from, to), per_square = per_time * per_time;
    const double t_2 = s->time_2 * per_square, t_3 = s->time_3 * per_square * per_time;
    const double t_4 = s->time_4 * per_square * per_square, dd = tl_double4_dot(d, d), length = sqrt(dd);
    const double c = 1 - (double)dot, square = 2 * c * (1 + c / 6), arch = square / 2;
    *out = (segment_estimate){s->squares - 2 * per_time * tl_double4_dot(s->first, d) + dd * t_2, dd,
                              FLOAT_ROUNDING * (1 + length) + 0.07 * square * length + 0.02 * square * square};
    out->sum += arch * (2 * (per_square * tl_double4_dot(s->second, s->a) - per_time * tl_double4_dot(s->first, s->a)) +
                        2 * tl_double4_dot(s->a, d) * (t_2 - t_3) + arch * s->aa * (t_2 - 2 * t_3 + t_4));
    return true;
}

static segment_verdict judge_segment(const tiny3d_reduction *r, uint32_t from, uint32_t to, const segment_sums *s,
                                     double most)
{
    static const double ROUNDING = 1e-9, SUM_ROUNDING = 1e-12;
    segment_estimate e;
    if (r->ticks[to] - r->ticks[from] != to - from)
        return SEGMENT_UNDECIDED;
    if (r->scalars)
        e = estimate_scalars(r, from, to, s);
    else if (!estimate_rotations(r, from, to, s, &e))
        return SEGMENT_UNDECIDED;
    const double count = to - from - 1, slack = SUM_ROUNDING * (s->squares + e.dd * count);
    const double gap = sqrt(count) * e.rounding, limit = sqrt(most), least = e.sum - slack;
    if (sqrt((e.sum > 0 ? e.sum : 0) + slack) + gap < limit * (1 - ROUNDING))
        return SEGMENT_WITHIN;
    return sqrt(least > 0 ? least : 0) - gap > limit * (1 + ROUNDING) ? SEGMENT_BEYOND : SEGMENT_UNDECIDED;
}

/* ---- long segments of scalars ---- */

/* A segment whose samples are all near its line is within the limit, whichever of them are measured. Each sample leaves
 * an interval of slopes for the line (as in key_reduce_scalar.c), and their intersection only shrinks. */
typedef struct slope_cone {
    uint32_t from, next; /* samples behind `from` and in front of `next` are in it */
    double low, high;
} slope_cone;

/* Does the line pass all samples near enough? False: that is not known. */
static bool line_is_near(const tl_scalar_curve *c, uint32_t from, uint32_t to, slope_cone *cone)
{
    static const double VALUE_MOST = 1e8, ROUNDING = 0.01; /* of larger values too few digits are left */
    const double gap = (1 - ROUNDING) * sqrt(SEGMENT_ERROR_MOST), start = c->values[from];
    if (cone->from != from || cone->next <= from)
        *cone = (slope_cone){from, from + 1, -INFINITY, INFINITY};
    for (; cone->next < to; cone->next++) {
        const double time = c->ticks[cone->next] - c->ticks[from], rise = c->values[cone->next] - start;
        const double low = (rise - gap) / time, high = (rise + gap) / time;
        if (!(fabs(c->values[cone->next]) < VALUE_MOST))
            return false;
        cone->low = low > cone->low ? low : cone->low;
        cone->high = high < cone->high ? high : cone->high;
    }
    const double slope = (c->values[to] - start) / (c->ticks[to] - c->ticks[from]);
    return cone->low <= slope && slope <= cone->high && fabs(start) < VALUE_MOST && fabs(c->values[to]) < VALUE_MOST;
}

/* ---- the pass ---- */

/* That converter has another limit for the mean of the whole clip, ten times that of a segment: it is never exceeded
 * where no segment exceeds its own. */
static void reduce_like_tiny3d(const tiny3d_reduction *r, uint32_t *samples, uint32_t *kept)
{
    segment_sums sums = begin_sums(r, 0);
    slope_cone cone = {0};
    samples[0] = 0;
    *kept = 1;
    for (uint32_t k = 1; k + 1 < r->count; k++) {
        const uint32_t from = samples[*kept - 1], to = k + 1;
        const double most = SEGMENT_ERROR_MOST * ((double)r->ticks[to] - r->ticks[from]);
        segment_verdict verdict = SEGMENT_UNDECIDED;
        if (to - from <= MEASURED_SAMPLES_MOST) {
            add_sample_to_sums(r, from, k, &sums);
            verdict = judge_segment(r, from, to, &sums, most);
        } else if (r->scalars && line_is_near(r->scalars, from, to, &cone)) {
            verdict = SEGMENT_WITHIN;
        }
        if (verdict == SEGMENT_UNDECIDED)
            verdict = segment_squares(r, from, to, most) <= most ? SEGMENT_WITHIN : SEGMENT_BEYOND;
        if (verdict == SEGMENT_BEYOND) {
            samples[(*kept)++] = k;
            sums = begin_sums(r, k);
        }
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
