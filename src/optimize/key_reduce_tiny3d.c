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

void tl_tiny3d_rotation_keys(const tl_rotation_curve *c, tl_keys *out)
{
    const tiny3d_reduction r = {.rotations = c,
                                .ticks = c->ticks,
                                .times = c->times,
                                .count = c->count,
                                .every_tick = has_every_tick(c->ticks, c->count)};
    reduce_like_tiny3d(&r, out->samples, &out->count);
    for (uint32_t i = 0; i < out->count; i++) {
        tl_rotation_code codes[TL_ROTATION_CODES];
        c->codes(c->values[out->samples[i]], 0, codes);
        out->codes[i] = codes[0].code;
    }
}
