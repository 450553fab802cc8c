/* From the samples of a curve to the keys of the stream: as few as the tolerance allows (optimize/key_reduce.h), with
 * values that the stream can store. */
#include "base/strict_float.h"
#include "formats/t3dm/animation/animation.h"

#include "formats/t3dm/animation/rotation_codes.h"
#include "formats/t3dm/decode/sdata.h"
#include "model/curve.h"

#include "optimize/key_reduce.h"
#include <math.h>
#include <string.h>

/* --- key reduction --- */

static void unpack_rotation_code(uint32_t code, double q[4])
{
    const trilo_quat from = tl_sdata_unpack_quat(code);
    q[0] = from.x, q[1] = from.y, q[2] = from.z, q[3] = from.w;
}

static bool reserve_keys(tl_arena *scratch, uint32_t count, tl_keys *keys)
{
    keys->samples = tl_array_raw(scratch, count, sizeof *keys->samples);
    keys->codes = tl_array_raw(scratch, count, sizeof *keys->codes);
    return keys->samples && keys->codes;
}

/* Tiny3D's converter measures by slerp, but the console interpolates by nlerp: on a long arc its keys may be off by
 * degrees. Beyond this angle, its error says nothing. */
#define SLERP_ERROR_MOST 0.0015 /* the sine of half the angle: 0.17 degrees, about what quantization leaves */

/* The error of the first or last sample, which are always keys, with the code nearest to it. */
static double error_of_ends(const t3dm_curve *c)
{
    return fmax(c->nearest[0], c->nearest[c->count - 1]) * (1 + 1e-9);
}

/* The tolerance that a reduction begins with: never below what quantization leaves. Negative: the curve has none, the
 * keys of Tiny3D's converter are the measure. */
static double first_tolerance(const t3dm_curve *c)
{
    const double most = c->rotations ? fmin(c->tiny3d_error, SLERP_ERROR_MOST) : c->tiny3d_error;
    if (!(c->tolerance > 0) && c->fraction >= 1 && c->tiny3d_error <= most)
        return -1;
    const double tolerance = c->tolerance > 0 ? c->tolerance : c->fraction * most;
    return fmax(tolerance, c->rotations ? error_of_ends(c) : 0.51 * c->mapping.scale);
}

/* Without a tolerance, the fewest keys that are no worse than those of Tiny3D's converter: none if these are. */
static bool reduce_scalars(tl_arena *scratch, const tl_scalar_curve *scalars, const t3dm_curve *c, double tolerance,
                           tl_keys *keys)
{
    if (tolerance >= 0)
        return tl_reduce_scalar_keys(scratch, scalars, tolerance, keys);
    const uint32_t theirs = c->tiny3d.key_count;
    if (!tl_scalar_keys_may_be_fewer(scalars, c->tiny3d_error, theirs)) {
        keys->count = 0;
        return true;
    }
    if (!tl_reduce_scalar_keys(scratch, scalars, c->tiny3d_error, keys))
        return false;
    keys->count = keys->count < theirs ? keys->count : 0;
    return true;
}

/* For several reductions up to a tolerance. The corners of a cell do not depend on it, only how many of them count. */
static bool keep_codes(tl_arena *scratch, double tolerance, tl_rotation_curve *curve)
{
    if (!tl_t3dm_codes_are_a_cell(tolerance))
        return true;
    curve->kept = tl_kept_codes_new(scratch, tolerance);
    return curve->kept != NULL;
}

/* Quantization may be too coarse for the tolerance. Then it is widened step by step, up to the error that all samples
 * as keys have: that of the worst code. */
static bool reduce_rotations_within(tl_arena *scratch, const tl_rotation_curve *curve, double tolerance, tl_keys *keys)
{
    double worst = 0;
    for (uint32_t i = 0; i < curve->count; i++)
        worst = curve->nearest[i] > worst ? curve->nearest[i] : worst;
    const double most = worst * (1 + 1e-9), widest = fmax(tolerance, most);
    tl_rotation_curve with_codes = *curve;
    if (!keep_codes(scratch, widest, &with_codes))
        return false;
    for (double t = tolerance;; t = fmin(most, fmax(t * 1.1, most * 0.6))) {
        if (!tl_reduce_rotation_keys(scratch, &with_codes, t, keys))
            return false;
        if (keys->count > 0)
            return true;
        if (t >= most)
            break;
    }
    keys->count = curve->count;
    for (uint32_t i = 0; i < curve->count; i++) {
        tl_rotation_code codes[TL_ROTATION_CODES];
        tl_t3dm_rotation_codes(curve->values[i], 0, codes);
        keys->samples[i] = i;
        keys->codes[i] = codes[0].code;
    }
    return true;
}

/* How good the keys of Tiny3D's converter are depends on which rotations they happen to hit, so a tenth or a fifth less
 * is tried first; the first and last key, which are keys here as well, say how far down that can go. */
static bool reduce_rotations(tl_arena *scratch, const tl_rotation_curve *curve, const t3dm_curve *c, double tolerance,
                             tl_keys *keys)
{
    static const double fractions[] = {0.8, 0.9, 0.95, 1};
    if (tolerance >= 0)
        return reduce_rotations_within(scratch, curve, tolerance, keys);
    const double most = c->tiny3d_error, least = error_of_ends(c);
    tl_rotation_curve with_codes = *curve;
    double tried = -1;
    keys->count = 0;
    if (!keep_codes(scratch, most, &with_codes))
        return false;
    for (size_t i = 0; i < TL_COUNT_OF(fractions) && (keys->count == 0 || keys->count > c->tiny3d.key_count); i++) {
        const double t = fmin(most, fmax(least, most * fractions[i]));
        if (t != tried && !tl_reduce_rotation_keys(scratch, &with_codes, t, keys))
            return false;
        tried = t;
    }
    keys->count = keys->count < c->tiny3d.key_count ? keys->count : 0;
    return true;
}

static bool is_constant(const t3dm_curve *c)
{
    for (uint32_t k = 1; k < c->count; k++)
        if (c->rotations ? memcmp(c->rotations[k], c->rotations[0], sizeof *c->rotations) != 0
                         : c->scalars[k] != c->scalars[0])
            return false;
    return true;
}

/* What Tiny3D's converter reads of a rotation's source at every tick. That converter adds up the time in single
 * precision, which decides where a slow rotation gets its keys. */
struct t3dm_source_steps {
    uint32_t count;
    uint32_t *ticks;
    float *times;
    uint32_t *keys;
    double *amounts; /* of the way from the key to the next; negative: the value is that of the key */
};

static bool has_same_steps(const t3dm_curve *a, const t3dm_curve *b)
{
    const trilo_channel *c = a->channel, *d = b->channel;
    return a->ticks[a->count - 1] == b->ticks[b->count - 1] && a->times[a->count - 1] == b->times[b->count - 1] &&
           c->key_count == d->key_count &&
           (c->times == d->times || memcmp(c->times, d->times, c->key_count * sizeof *c->times) == 0);
}

static void fill_source_steps(const t3dm_curve *c, t3dm_source_steps *steps)
{
    static const double TIME_ROUNDING = 1e-5;
    const trilo_channel *source = c->channel;
    float time = 0;
    bool holds = false; /* the key does */
    for (uint32_t tick = 0, key = 0; tick < steps->count; tick++, time += 1.0F / TL_SDATA_RATE) {
        const double seconds = tick + 1 < steps->count ? time : c->times[c->count - 1];
        const uint32_t before = key;
        for (; key + 1 < source->key_count; key++) { /* the tick of a jump has the value after it */
            const double at = source->times[key + 1];
            if (at > seconds + TIME_ROUNDING)
                break;
            if (at > seconds && !tl_channel_holds(source, key) && !tl_channel_holds(source, key + 1))
                break;
        }
        holds = key == before && tick > 0 ? holds : tl_channel_holds(source, key);
        const bool ends = key + 1 == source->key_count || seconds <= source->times[key] || holds;
        const double length = ends ? 1 : source->times[key + 1] - source->times[key];
        steps->ticks[tick] = tick;
        steps->times[tick] = (float)seconds;
        steps->keys[tick] = key;
        steps->amounts[tick] = ends ? -1 : (seconds - source->times[key]) / length;
    }
}

/* Most rotations of a clip have the steps of the one before. False: no memory. */
static bool find_source_steps(t3dm_encoder *e, const t3dm_curve *before, t3dm_curve *c)
{
    if (before && before->steps && has_same_steps(before, c)) {
        c->steps = before->steps;
        return true;
    }
    t3dm_source_steps *steps = TL_NEW(e->arena, t3dm_source_steps);
    if (!steps)
        return false;
    steps->count = c->ticks[c->count - 1] + 1;
    steps->ticks = tl_array_raw(e->arena, steps->count, sizeof *steps->ticks);
    steps->times = tl_array_raw(e->arena, steps->count, sizeof *steps->times);
    steps->keys = tl_array_raw(e->arena, steps->count, sizeof *steps->keys);
    steps->amounts = tl_array_raw(e->arena, steps->count, sizeof *steps->amounts);
    if (!steps->ticks || !steps->times || !steps->keys || !steps->amounts)
        return false;
    fill_source_steps(c, steps);
    c->steps = steps;
    return true;
}

/* Rotations that Tiny3D's converter samples at every tick. */
static bool is_sampled_rotation(const t3dm_curve *c)
{
    return c->rotations && c->ticks[c->count - 1] <= UINT16_MAX && !c->unmeasured && !is_constant(c);
}

/* Scalars with a sample at every tick, as Tiny3D's converter samples them, or the curve itself if that shows no more.
 */
static bool sample_scalars_every_tick(tl_arena *scratch, const t3dm_curve *c, t3dm_curve *dense)
{
    const uint32_t last = c->ticks[c->count - 1];
    *dense = *c;
    if (c->rotations || last > UINT16_MAX || c->unmeasured || is_constant(c))
        return true;
    dense->count = last + 1;
    dense->ticks = tl_array_raw(scratch, dense->count, sizeof *dense->ticks);
    dense->scalars = tl_array_raw(scratch, dense->count, sizeof *dense->scalars);
    for (uint32_t tick = 0, next = 0; dense->ticks && dense->scalars && tick <= last; tick++) {
        dense->ticks[tick] = tick;
        next += c->ticks[next] < tick ? 1 : 0;
        const uint32_t from = c->ticks[next] > tick ? next - 1 : next, length = c->ticks[next] - c->ticks[from];
        const double amount = length > 0 ? (double)(tick - c->ticks[from]) / length : 0;
        dense->scalars[tick] = c->scalars[from] + (c->scalars[next] - c->scalars[from]) * amount;
    }
    return dense->ticks && dense->scalars;
}

static tl_rotation_curve rotation_curve_of(const t3dm_curve *c, const float *times)
{
    return (tl_rotation_curve){.count = c->count,
                               .ticks = c->ticks,
                               .values = (const double(*)[4])c->rotations,
                               .nearest = c->nearest,
                               .bends = c->bends,
                               .codes = tl_t3dm_rotation_codes,
                               .nearest_codes = tl_t3dm_nearest_codes,
                               .value = unpack_rotation_code,
                               .times = times};
}

static tl_scalar_curve scalar_curve_of(const t3dm_curve *c)
{
    return (tl_scalar_curve){c->count, c->ticks, c->scalars, c->mapping.scale, c->mapping.offset, UINT16_MAX};
}

/* --- the stream --- */

static bool store_keys(t3dm_encoder *e, const tl_keys *keys, const uint32_t *ticks, tl_sdata_channel *out)
{
    out->key_count = keys->count;
    out->ticks = tl_array_raw(e->arena, keys->count, sizeof *out->ticks);
    out->values = tl_array_raw(e->arena, keys->count, sizeof *out->values);
    if (!out->ticks || !out->values)
        return false;
    for (uint32_t i = 0; i < keys->count; i++) {
        out->ticks[i] = ticks[keys->samples[i]];
        out->values[i] = keys->codes[i];
    }
    return true;
}

/* Of rotations with the same steps, up to TL_SLERP_LANES. */
static bool find_rotation_keys(t3dm_encoder *e, t3dm_curve *const *curves, uint32_t count)
{
    const t3dm_source_steps *steps = curves[0]->steps;
    const float *values[TL_SLERP_LANES];
    double(*dense[TL_SLERP_LANES])[4];
    tl_rotation_curve rotations[TL_SLERP_LANES];
    tl_keys keys[TL_SLERP_LANES];
    tl_arena *scratch = &e->curve_scratch;
    tl_arena_restart_scratch(scratch, e->arena);
    bool ok = true;
    for (uint32_t i = 0; i < count && ok; i++) {
        values[i] = curves[i]->channel->values;
        dense[i] = tl_array_raw(scratch, steps->count, sizeof *dense[i]);
        const t3dm_curve at_ticks = {.count = steps->count, .ticks = steps->ticks, .rotations = dense[i]};
        rotations[i] = rotation_curve_of(&at_ticks, steps->times);
        ok = dense[i] && reserve_keys(scratch, steps->count, &keys[i]);
    }
    if (ok) {
        tl_slerp_sample(&(tl_slerp_steps){steps->count, steps->keys, steps->amounts}, count, values, dense);
        tl_tiny3d_rotation_keys(rotations, count, keys);
    }
    for (uint32_t i = 0; i < count && ok; i++) {
        curves[i]->tiny3d_error = tl_rotation_keys_error(&rotations[i], &keys[i]);
        ok = store_keys(e, &keys[i], steps->ticks, &curves[i]->tiny3d);
    }
    return ok;
}

/* Of a scalar, or of a rotation without other samples than those of the curve. */
static bool find_curve_keys(t3dm_encoder *e, t3dm_curve *c)
{
    tl_arena *scratch = &e->curve_scratch;
    t3dm_curve dense;
    tl_keys keys;
    tl_arena_restart_scratch(scratch, e->arena);
    bool ok = sample_scalars_every_tick(scratch, c, &dense) && reserve_keys(scratch, dense.count, &keys);
    if (ok && c->rotations) {
        const tl_rotation_curve rotations = rotation_curve_of(&dense, NULL);
        tl_tiny3d_rotation_keys(&rotations, 1, &keys);
        c->tiny3d_error = tl_rotation_keys_error(&rotations, &keys);
    } else if (ok) {
        const tl_scalar_curve scalars = scalar_curve_of(&dense);
        tl_tiny3d_scalar_keys(&scalars, &keys);
        c->tiny3d_error = tl_scalar_keys_error(&scalars, &keys);
    }
    ok = ok && store_keys(e, &keys, dense.ticks, &c->tiny3d);
    return ok;
}

bool tl_t3dm_find_tiny3d_keys(t3dm_encoder *e, t3dm_curve *curves, uint32_t count)
{
    t3dm_curve *group[TL_SLERP_LANES];
    uint32_t size = 0;
    for (uint32_t k = 0; k < count; k++) {
        t3dm_curve *c = &curves[k];
        if (!is_sampled_rotation(c)) {
            if (!find_curve_keys(e, c))
                return false;
            continue;
        }
        if (!find_source_steps(e, size > 0 ? group[size - 1] : NULL, c))
            return false;
        if (size == TL_SLERP_LANES || (size > 0 && group[0]->steps != c->steps)) {
            if (!find_rotation_keys(e, group, size))
                return false;
            size = 0;
        }
        group[size++] = c;
    }
    return size == 0 || find_rotation_keys(e, group, size);
}

/* What all reductions of a rotation need. False: no memory. */
static bool find_nearest_codes(t3dm_encoder *e, t3dm_curve *c)
{
    c->nearest = tl_array_raw(e->arena, c->count, sizeof *c->nearest);
    c->bends = tl_array_raw(e->arena, c->count, sizeof *c->bends);
    if (!c->nearest || !c->bends)
        return false;
    const tl_rotation_curve rotations = rotation_curve_of(c, NULL);
    tl_t3dm_nearest_code_errors(rotations.values, c->count, c->nearest);
    tl_find_rotation_bends(&rotations, c->bends);
    return true;
}

static bool make_reduced_keys(t3dm_encoder *e, t3dm_curve *c, tl_sdata_channel *out)
{
    tl_keys keys = {0};
    if (!(c->tolerance > 0) && c->tiny3d.key_count == 0 && !tl_t3dm_find_tiny3d_keys(e, c, 1))
        return false;
    if (c->rotations && !c->nearest && !find_nearest_codes(e, c))
        return false;
    const double tolerance = first_tolerance(c);
    if (c->reduced.key_count > 0 && tolerance == c->reduced_tolerance) {
        *out = c->reduced;
        return true;
    }
    tl_arena *scratch = &e->curve_scratch;
    tl_arena_restart_scratch(scratch, e->arena);
    bool ok = reserve_keys(scratch, c->count, &keys);
    if (ok && c->rotations) {
        const tl_rotation_curve rotations = rotation_curve_of(c, NULL);
        ok = reduce_rotations(scratch, &rotations, c, tolerance, &keys);
    } else if (ok) {
        const tl_scalar_curve scalars = scalar_curve_of(c);
        ok = reduce_scalars(scratch, &scalars, c, tolerance, &keys);
    }
    if (ok && keys.count > 0)
        ok = store_keys(e, &keys, c->ticks, out);
    else if (ok)
        *out = c->tiny3d;
    c->reduced = *out;
    c->reduced_tolerance = tolerance;
    return ok;
}

bool tl_t3dm_make_keys(t3dm_encoder *e, t3dm_curve *c, tl_sdata_channel *out)
{
    if (!e->policy.keep_keys)
        return make_reduced_keys(e, c, out);
    *out = (tl_sdata_channel){c->count, c->ticks, tl_array_raw(e->arena, c->count, sizeof *out->values)};
    for (uint32_t k = 0; out->values && k < c->count; k++) {
        const double *q = c->rotations ? c->rotations[k] : NULL;
        out->values[k] = q ? tl_sdata_pack_quat((trilo_quat){(float)q[0], (float)q[1], (float)q[2], (float)q[3]})
                           : tl_sdata_pack_scalar((float)c->scalars[k], c->mapping.scale, c->mapping.offset);
    }
    return out->values != NULL;
}
