/* From the samples of a curve to the keys of the stream: few of them, and as the file can store them. */
#include "formats/t3dm/animation/animation.h"

#include "formats/t3dm/decode/sdata.h"

#include "optimize/key_reduce.h"
#include <math.h>

/* --- codes of rotations --- */

/* The three parts of a code around a rotation; the largest component is left out. */
typedef struct cell {
    uint32_t largest;
    double left_out;
    double value[3], at[3]; /* the others, and where they are among the steps */
    uint32_t near[3];
} cell;

#define QUAT_STEP     (SDATA_QUAT_SPAN / SDATA_QUAT_STEPS)
#define STEPS_PER_ONE (SDATA_QUAT_STEPS / SDATA_QUAT_SPAN)

static void find_cell(const double q[4], cell *c)
{
    c->largest = 0;
    for (uint32_t i = 1; i < 4; i++)
        c->largest = fabs(q[i]) > fabs(q[c->largest]) ? i : c->largest;
    c->left_out = fabs(q[c->largest]);
    for (uint32_t i = 0; i < 3; i++) {
        c->value[i] = q[c->largest] < 0 ? -q[(c->largest + 1 + i) & 3] : q[(c->largest + 1 + i) & 3];
        c->at[i] = (c->value[i] + SDATA_QUAT_HALF) * STEPS_PER_ONE;
        const double near = floor(c->at[i] + 0.5);
        c->near[i] = near > 0 ? near < SDATA_QUAT_STEPS ? (uint32_t)near : SDATA_QUAT_STEPS : 0;
    }
}

static void make_code(const cell *c, const uint32_t parts[3], tl_rotation_code *out)
{
    double rest = 1;
    out->code = c->largest << SDATA_QUAT_LARGEST;
    for (uint32_t i = 0; i < 3; i++) {
        const double value = parts[i] * QUAT_STEP - SDATA_QUAT_HALF;
        out->code |= parts[i] << (SDATA_QUAT_LARGEST - SDATA_QUAT_BITS * (i + 1));
        out->q[(c->largest + 1 + i) & 3] = value;
        rest -= value * value;
    }
    out->q[c->largest] = rest > 0 ? sqrt(rest) : 0;
}

/* To first order: what is left out moves against the others. */
static bool is_within(const cell *c, const uint32_t parts[3], double bound)
{
    double sum = 0, along = 0;
    for (int i = 0; i < 3; i++) {
        const double off = (parts[i] - c->at[i]) * QUAT_STEP;
        sum += off * off;
        along += off * c->value[i];
    }
    return sum + along * along / (c->left_out * c->left_out) <= 1.02 * bound * bound;
}

static void add_code(const cell *c, const int32_t steps[3], double bound, tl_rotation_code *out, uint32_t *count)
{
    uint32_t parts[3];
    for (int i = 0; i < 3; i++) {
        const int32_t part = (int32_t)c->near[i] + steps[i];
        if (part < 0 || part > SDATA_QUAT_STEPS)
            return;
        parts[i] = (uint32_t)part;
    }
    if (is_within(c, parts, bound))
        make_code(c, parts, &out[(*count)++]);
}

/* A bound about as narrow as the steps: the corners of the cell that the rotation lies in. A wider one: what lies half
 * way to it on both sides. */
static uint32_t codes_around(const double q[4], double bound, tl_rotation_code out[TL_TURN_CODES])
{
    const double reach = bound * STEPS_PER_ONE;
    uint32_t count = 1;
    cell c;
    find_cell(q, &c);
    make_code(&c, c.near, &out[0]);
    if (bound > 0 && reach < 1.2) {
        int32_t side[3];
        for (int i = 0; i < 3; i++)
            side[i] = c.at[i] > c.near[i] ? 1 : -1;
        for (uint32_t corner = 1; corner < 8; corner++)
            add_code(&c,
                     (const int32_t[3]){corner & 1 ? side[0] : 0, corner & 2 ? side[1] : 0, corner & 4 ? side[2] : 0},
                     bound, out, &count);
    } else if (bound > 0) {
        const int32_t step = reach * 0.55 > 1 ? reach < 1000 ? (int32_t)(reach * 0.55) : 550 : 1;
        for (int i = 0; i < 6; i++) {
            int32_t steps[3] = {0, 0, 0};
            steps[i / 2] = i % 2 ? step : -step;
            add_code(&c, steps, bound, out, &count);
        }
    }
    return count;
}

static void value_of(uint32_t code, double q[4])
{
    const trilo_quat from = tl_sdata_unpack_quat(code);
    q[0] = from.x, q[1] = from.y, q[2] = from.z, q[3] = from.w;
}

/* --- fewer keys --- */

static bool make_room(tl_arena *scratch, uint32_t count, tl_keys *keys)
{
    keys->samples = tl_array_raw(scratch, count, sizeof *keys->samples);
    keys->codes = tl_array_raw(scratch, count, sizeof *keys->codes);
    return keys->samples && keys->codes;
}

static bool reduce_numbers(tl_arena *scratch, const tl_scalar_curve *curve, double bound, tl_keys *keys)
{
    tl_keys plain;
    if (bound > 0) /* never below what every code can keep */
        return tl_reduce_scalar_keys(scratch, curve, fmax(bound, 0.51 * curve->scale), keys);
    if (!make_room(scratch, curve->count, &plain))
        return false;
    tl_tiny3d_scalar_keys(curve, &plain);
    if (!tl_reduce_scalar_keys(scratch, curve, tl_scalar_keys_error(curve, &plain), keys))
        return false;
    if (keys->count >= plain.count)
        *keys = plain;
    return true;
}

/* With every sample a key, it is as good as its worst code. */
static double dense_off(const tl_rotation_curve *curve)
{
    double most = 0;
    for (uint32_t i = 0; i < curve->count; i++)
        most = fmax(most, curve->nearest[i]);
    return most;
}

static void take_all(const tl_rotation_curve *curve, tl_keys *keys)
{
    keys->count = curve->count;
    for (uint32_t i = 0; i < curve->count; i++) {
        tl_rotation_code near[TL_TURN_CODES];
        codes_around(curve->values[i], 0, near);
        keys->samples[i] = i;
        keys->codes[i] = near[0].code;
    }
}

/* Codes may be too coarse for the bound. Then it gets wider step by step, up to what every sample can keep. */
static bool bounded_turns(tl_arena *scratch, const tl_rotation_curve *curve, double bound, tl_keys *keys)
{
    const double most = dense_off(curve) * (1 + 1e-9);
    const double ends = fmax(curve->nearest[0], curve->nearest[curve->count - 1]) * (1 + 1e-9);
    for (double b = fmax(bound, ends);; b = fmin(most, fmax(b * 1.1, most * 0.6))) {
        if (!tl_reduce_rotation_keys(scratch, curve, b, keys))
            return false;
        if (keys->count == 0 && b >= most)
            take_all(curve, keys);
        if (keys->count > 0)
            return true;
    }
}

/* Which rotations the plain way keeps decides by chance how good it is. So a tenth or a fifth less is tried first; its
 * ends, which must be keys here as well, say how far down that can go. */
static bool reduce_turns(tl_arena *scratch, const tl_rotation_curve *curve, double bound, tl_keys *keys)
{
    static const double parts[] = {0.8, 0.9, 0.95, 1};
    tl_keys plain;
    if (bound > 0)
        return bounded_turns(scratch, curve, bound, keys);
    if (!make_room(scratch, curve->count, &plain))
        return false;
    tl_tiny3d_rotation_keys(curve, &plain);
    const double most = tl_rotation_keys_error(curve, &plain);
    const double least = fmax(curve->nearest[0], curve->nearest[curve->count - 1]) * (1 + 1e-9);
    keys->count = 0;
    for (size_t i = 0; i < TL_COUNT_OF(parts) && (keys->count == 0 || keys->count > plain.count); i++)
        if (!tl_reduce_rotation_keys(scratch, curve, fmin(most, fmax(least, most * parts[i])), keys))
            return false;
    if (keys->count == 0 || keys->count >= plain.count)
        *keys = plain;
    return true;
}

static bool reduce(tl_arena *scratch, const t3dm_curve *c, tl_keys *keys)
{
    if (!make_room(scratch, c->count, keys))
        return false;
    if (!c->turns) {
        const t3dm_mapping *m = &c->mapping;
        const tl_scalar_curve numbers = {c->count, c->ticks, c->numbers, m->scale, m->offset, UINT16_MAX};
        return reduce_numbers(scratch, &numbers, c->bound, keys);
    }
    double *nearest = tl_array_raw(scratch, c->count, sizeof *nearest);
    const tl_rotation_curve turns = {c->count, c->ticks, (const double(*)[4])c->turns, nearest, codes_around, value_of};
    if (!nearest)
        return false;
    tl_nearest_rotation_keys(&turns, nearest);
    return reduce_turns(scratch, &turns, c->bound, keys);
}

/* --- the stream --- */

static bool put_keys(t3dm_encoder *e, const t3dm_curve *curve, const tl_keys *keys, tl_sdata_channel *out)
{
    out->key_count = keys->count;
    out->ticks = tl_array_raw(e->arena, keys->count, sizeof *out->ticks);
    out->values = tl_array_raw(e->arena, keys->count, sizeof *out->values);
    for (uint32_t i = 0; out->ticks && out->values && i < keys->count; i++) {
        out->ticks[i] = curve->ticks[keys->samples[i]];
        out->values[i] = keys->codes[i];
    }
    return out->ticks && out->values;
}

static bool put_all(t3dm_encoder *e, const t3dm_curve *c, tl_sdata_channel *out)
{
    *out = (tl_sdata_channel){c->count, c->ticks, tl_array_raw(e->arena, c->count, sizeof *out->values)};
    for (uint32_t k = 0; out->values && k < c->count; k++) {
        const double *q = c->turns ? c->turns[k] : NULL;
        out->values[k] = q ? tl_sdata_pack_quat((trilo_quat){(float)q[0], (float)q[1], (float)q[2], (float)q[3]})
                           : tl_sdata_pack_scalar((float)c->numbers[k], c->mapping.scale, c->mapping.offset);
    }
    return out->values != NULL;
}

bool tl_t3dm_make_keys(t3dm_encoder *e, const t3dm_curve *curve, tl_sdata_channel *out)
{
    tl_arena scratch;
    tl_keys keys;
    if (e->policy.keep_keys)
        return put_all(e, curve, out);
    tl_arena_init(&scratch, &(trilo_memory){e->arena->fn, e->arena->user, e->arena->left ? e->arena->left : 1});
    const bool ok = reduce(&scratch, curve, &keys) && put_keys(e, curve, &keys, out);
    tl_arena_free(&scratch);
    return ok;
}
