/* The keys that Tiny3D's converter keeps.
 *
 * One greedy pass from the first key to the last: a key is dropped when the mean squared error of the segment without
 * it, over its ticks, stays below a limit. Between two samples both the curve
 * and the segment are linear, and so is the error: its squares over the ticks there have a sum in closed form. Long
 * segments are measured at some of their samples only, which keeps the work in proportion.
 *
 * To find the same keys, rotations are interpolated as that converter does it: by slerp in single precision, where the
 * cosine of a small angle is often rounded to 1, and then the first of two rotations is used for all between. */
#include "optimize/key_reduce_tiny3d.h"

#include "base/avx2.h"

tl_slerp tl_slerp_between(const double a[4], const double b[4])
{
    const float dot = tl_float_dot(a, b);
    const float cosine = fabsf(dot);
    tl_slerp s = {.from = a, .sign = dot < 0 ? -1 : 1, .angle = cosine < 1 ? (float)tl_acos(cosine) : 0};
    s.sine = (float)tl_sin(s.angle);
    for (int i = 0; i < 4; i++) {
        s.a[i] = (float)a[i];
        s.b[i] = s.sign * (float)b[i];
    }
    return s;
}

void tl_slerp_at(const tl_slerp *s, double amount, double out[4])
{
    tl_double2 pairs[2];
    tl_slerp_pairs(s, amount, pairs);
    memcpy(out, pairs, sizeof pairs);
}

#define LANES(name) name##_any
#include "optimize/key_reduce_tiny3d.inc"

void tl_reduce_like_tiny3d(const tiny3d_reduction *r, uint32_t *samples, uint32_t *kept)
{
    reduce_like_tiny3d_any(r, samples, kept);
}

static void reduce_like_tiny3d(const tiny3d_reduction *r, uint32_t *samples, uint32_t *kept)
{
    if (!tl_has_avx2() || !tl_reduce_like_tiny3d_avx2(r, samples, kept))
        tl_reduce_like_tiny3d(r, samples, kept);
}

static bool has_every_tick(const uint32_t *ticks, uint32_t count)
{
    return ticks[count - 1] - ticks[0] == count - 1;
}

/* ---- scalars ---- */

void tl_tiny3d_scalar_keys(const tl_scalar_curve *c, tl_keys *out)
{
    const tiny3d_reduction r = {
        .scalars = c, .ticks = c->ticks, .count = c->count, .every_tick = has_every_tick(c->ticks, c->count)};
    reduce_like_tiny3d(&r, out->samples, &out->count);
    for (uint32_t i = 0; i < out->count; i++) {
        const double value = c->values[out->samples[i]];
        const double code = c->scale != 0 ? floor((value - c->offset) / c->scale + 0.5) : 0;
        out->codes[i] = code > 0 ? code < c->most ? (uint32_t)code : c->most : 0;
    }
}

/* ---- rotations ---- */

bool tl_tiny3d_segment_is_within(const tiny3d_reduction *r, uint32_t from, uint32_t to)
{
    return is_segment_within_any(r, from, to);
}

static void add_bends(const tiny3d_reduction *r, uint32_t from, uint32_t to, segment_bends *bends)
{
    const double(*values)[4] = r->rotations->values;
    if (bends->from != from || bends->next <= from)
        *bends = (segment_bends){.from = from, .next = from + 1};
    for (uint32_t k = bends->next; k < to; k++) {
        const double before = tl_tiny3d_time(r, k) - tl_tiny3d_time(r, k - 1);
        const double after = tl_tiny3d_time(r, k + 1) - tl_tiny3d_time(r, k);
        for (int i = 0; i < 4; i++) {
            const double bend = values[k - 1][i] - 2 * values[k][i] + values[k + 1][i];
            bends->values += bend * bend;
        }
        bends->times += (after - before) * (after - before);
        bends->longest = fmax(bends->longest, fmax(before, after));
    }
    bends->next = to;
}

/* Of a long segment, only some samples are measured, at a stride, and the error goes straight from one to the next. Let
 * e be the errors at all samples, each a vector. Linear interpolation over a stride of m changes them by a matrix times
 * their second differences, whose rows and columns add up to at most m * m / 8, which is a bound of its norm. The
 * second differences of e are those of the values, and of the line and the arch, where times are uneven. */
bool tl_tiny3d_long_segment_is_near(const tiny3d_reduction *r, uint32_t from, uint32_t to, double squares,
                                    double rounding, segment_bends *bends)
{
    const double *a = r->rotations->values[from], *b = r->rotations->values[to];
    const double length = tl_tiny3d_time(r, to) - tl_tiny3d_time(r, from), root = sqrt(to - from);
    const uint32_t stride = (to - from + MEASURED_SAMPLES_MOST - 1) / MEASURED_SAMPLES_MOST;
    double dd = 0;
    add_bends(r, from, to, bends);
    for (int i = 0; i < 4; i++)
        dd += (b[i] - a[i]) * (b[i] - a[i]);
    const double step = bends->longest / length, uneven = sqrt(bends->times) / length;
    const double arch = fmax(dd, 2 * (1 - tl_float_dot(a, b))); /* about the square of the angle */
    const double bend = sqrt(bends->values) + (sqrt(dd) + 2 * arch) * uneven + 1.2 * arch * root * step * step;
    const double limit = (1 - SEGMENT_LIMIT_ROUNDING) * sqrt(SEGMENT_ERROR_MOST);
    return sqrt(squares > 0 ? squares : 0) + (double)stride * stride / 8 * bend + root * rounding < root * limit;
}

/* Lanes without a curve do what the first one does. */
static uint32_t curve_of_lane(uint32_t lane, uint32_t curve_count)
{
    return lane < curve_count ? lane : 0;
}

void tl_slerp_sample(const tl_slerp_steps *steps, uint32_t curve_count, const float *const *values,
                     double (*const *out)[4])
{
    const float *values_of[TL_SLERP_LANES];
    double(*out_of[TL_SLERP_LANES])[4];
    for (uint32_t lane = 0; lane < TL_SLERP_LANES; lane++) {
        values_of[lane] = values[curve_of_lane(lane, curve_count)];
        out_of[lane] = out[curve_of_lane(lane, curve_count)];
    }
    if (!tl_has_avx2() || !tl_slerp_sample_four_avx2(steps, values_of, out_of))
        tl_slerp_sample_four(steps, values_of, out_of);
}

void tl_tiny3d_rotation_keys(const tl_rotation_curve *curves, uint32_t curve_count, tl_keys *out)
{
    const bool every_tick = has_every_tick(curves->ticks, curves->count);
    tiny3d_reduction r[TL_SLERP_LANES];
    uint32_t *samples[TL_SLERP_LANES], kept[TL_SLERP_LANES];
    for (uint32_t lane = 0; lane < TL_SLERP_LANES; lane++) {
        const uint32_t i = curve_of_lane(lane, curve_count);
        r[lane] = (tiny3d_reduction){.rotations = &curves[i],
                                     .ticks = curves[i].ticks,
                                     .times = curves[i].times,
                                     .count = curves[i].count,
                                     .every_tick = every_tick};
        samples[lane] = out[i].samples;
    }
    for (uint32_t i = 0; i < curve_count && !every_tick; i++)
        reduce_like_tiny3d(&r[i], samples[i], &kept[i]);
    if (every_tick && (!tl_has_avx2() || !tl_reduce_four_rotations_like_tiny3d_avx2(r, samples, kept)))
        tl_reduce_four_rotations_like_tiny3d(r, samples, kept);
    for (uint32_t i = 0; i < curve_count; i++) {
        out[i].count = kept[i];
        if (curves[i].nearest_codes)
            curves[i].nearest_codes(curves[i].values, samples[i], kept[i], out[i].codes);
        for (uint32_t k = 0; !curves[i].nearest_codes && k < kept[i]; k++) {
            tl_rotation_code codes[TL_ROTATION_CODES];
            curves[i].codes(curves[i].values[samples[i][k]], 0, codes);
            out[i].codes[k] = codes[0].code;
        }
    }
}
