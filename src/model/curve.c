#include "model/curve.h"
#include "base/strict_float.h"

#include "base/vec.h"

#include <math.h>
#include <string.h>

/* ---- interpolation ---- */

static void curve_linear(trilo_target target, const float *a, const float *b, double amount, float *value)
{
    if (target == TRILO_TARGET_ROTATION) {
        const trilo_quat from = {a[0], a[1], a[2], a[3]}, to = {b[0], b[1], b[2], b[3]};
        const trilo_quat q = tl_quat_slerp(from, to, amount);
        value[0] = q.x, value[1] = q.y, value[2] = q.z, value[3] = q.w;
    } else if (tl_target_width(target) == 1) {
        value[0] = tl_vec3_lerp((trilo_vec3){a[0], 0, 0}, (trilo_vec3){b[0], 0, 0}, amount).x;
    } else {
        const trilo_vec3 v = tl_vec3_lerp((trilo_vec3){a[0], a[1], a[2]}, (trilo_vec3){b[0], b[1], b[2]}, amount);
        value[0] = v.x, value[1] = v.y, value[2] = v.z;
    }
}

/* A cubic Hermite spline, as in glTF: tangents are per second, so they are scaled by the length of the segment. */
static void curve_hermite(const trilo_channel *channel, uint32_t key, double length, double t, float *value)
{
    const uint32_t width = tl_target_width(channel->target);
    const float *a = tl_channel_value(channel, key), *b = tl_channel_value(channel, key + 1);
    const float *out_tangent = a + width, *in_tangent = b - width;
    const double h_b = t * t * (3 - 2 * t), h_a = 1 - h_b;
    const double h_out = length * (t * (1 - t) * (1 - t)), h_in = length * (t * t * (t - 1));
    for (uint32_t i = 0; i < width; i++)
        value[i] = (float)(h_a * a[i] + h_b * b[i] + (h_out * out_tangent[i] + h_in * in_tangent[i]));
    if (channel->target == TRILO_TARGET_ROTATION) {
        const trilo_quat q = tl_quat_normalize((trilo_quat){value[0], value[1], value[2], value[3]});
        value[0] = q.x, value[1] = q.y, value[2] = q.z, value[3] = q.w;
    }
}

void tl_channel_between(const trilo_channel *channel, uint32_t key, double seconds, float *value)
{
    const double start = channel->times[key], length = channel->times[key + 1] - start;
    const double amount = (seconds - start) / length;
    const float *from = tl_channel_value(channel, key), *to = tl_channel_value(channel, key + 1);
    if (seconds == start || (channel->interpolation == TRILO_INTERPOLATION_STEP && seconds < channel->times[key + 1]))
        memcpy(value, from, tl_target_width(channel->target) * sizeof *value);
    else if (seconds == channel->times[key + 1])
        memcpy(value, to, tl_target_width(channel->target) * sizeof *value);
    else if (channel->interpolation == TRILO_INTERPOLATION_CUBIC)
        curve_hermite(channel, key, length, amount, value);
    else
        curve_linear(channel->target, from, to, amount, value);
}

/* ---- conversion to linear keys ---- */

enum { CURVE_MAX_PARTS = 256 };                  /* of a segment: the error is then below 1e-4 of its curvature */
static const double curve_flat = 1e-6;           /* distance from the chord, relative to the values */
static const double curve_small_rotation = 4e-4; /* squared chord up to which it is as uniform as the arc */
static const double curve_float_gap = 1.25e-7;   /* between adjacent floats, relative to them, at most */
static const double curve_near_key = 0.001;      /* of 1 / rate: a sample that close to a key is left out */

/* Keys being made. Without arrays they are only counted. */
typedef struct curve_keys {
    uint32_t width;
    double *times;
    float *values;
    uint64_t count;
    double last; /* time of the last key */
} curve_keys;

static void curve_add_key(curve_keys *row, double time, const float *value)
{
    if (row->times) {
        row->times[row->count] = time;
        memcpy(row->values + row->count * row->width, value, row->width * sizeof *value);
    }
    row->count++;
    row->last = time;
}

/* Repeats a key just before the next one, if the value changes there. */
static void curve_add_hold(const trilo_channel *c, uint32_t key, curve_keys *row)
{
    const float *a = tl_channel_value(c, key), *b = tl_channel_value(c, key + 1);
    const double time = nextafter(c->times[key + 1], -INFINITY);
    bool changes = false;
    for (uint32_t i = 0; i < tl_target_width(c->target); i++)
        changes = changes || a[i] != b[i];
    if (changes && time > c->times[key])
        curve_add_key(row, time, a);
}

/* A Hermite curve deviates from its chord by at most 4/27 of the sum of |tangent - chord| at both ends. */
static bool curve_is_straight(const trilo_channel *c, uint32_t key)
{
    const uint32_t width = tl_target_width(c->target);
    const float *a = tl_channel_value(c, key), *b = tl_channel_value(c, key + 1);
    const double length = c->times[key + 1] - c->times[key];
    double square = 0;
    for (uint32_t i = 0; i < width; i++) {
        const double chord = (double)b[i] - a[i], size = fmax(fabs((double)a[i]), fabs((double)b[i]));
        const double difference = fabs(length * a[width + i] - chord) + fabs(length * (b - width)[i] - chord);
        if (!(difference * 4 / 27 <= curve_flat * (c->target == TRILO_TARGET_ROTATION ? 1 : size)))
            return false;
        square += chord * chord;
    }
    return c->target != TRILO_TARGET_ROTATION || square <= curve_small_rotation;
}

static void curve_add_sample(const trilo_channel *c, uint32_t key, double time, curve_keys *row)
{
    float value[4] = {0};
    if (!(time > row->last && time < c->times[key + 1]))
        return; /* by rounding */
    if (row->times)
        tl_channel_between(c, key, time, value);
    curve_add_key(row, time, value);
}

/* Samples a segment at the multiples of 1 / rate, or in 256 equal parts if those would be more. */
static void curve_add_samples(const trilo_channel *c, uint32_t key, double rate, curve_keys *row)
{
    const double start = c->times[key], end = c->times[key + 1], parts = (end - start) * rate;
    if (curve_is_straight(c, key))
        return;
    if (!(parts <= CURVE_MAX_PARTS - 1)) {
        for (int i = 1; i < CURVE_MAX_PARTS; i++)
            curve_add_sample(c, key, start + (end - start) * (i / (double)CURVE_MAX_PARTS), row);
        return;
    }
    const double first = floor(start * rate + curve_near_key) + 1;
    for (int i = 0; i < CURVE_MAX_PARTS && first + i < end * rate - curve_near_key; i++)
        curve_add_sample(c, key, (first + i) / rate, row);
}

static void curve_add_keys(const trilo_channel *c, double rate, curve_keys *row)
{
    for (uint32_t k = 0; k < c->key_count; k++) {
        curve_add_key(row, c->times[k], tl_channel_value(c, k));
        if (k + 1 == c->key_count)
            return;
        if (c->interpolation == TRILO_INTERPOLATION_STEP)
            curve_add_hold(c, k, row);
        else
            curve_add_samples(c, k, rate, row);
    }
}

bool tl_channel_linear(tl_arena *arena, const trilo_channel *from, double rate, trilo_channel *to)
{
    *to = *from;
    if (from->interpolation != TRILO_INTERPOLATION_STEP && from->interpolation != TRILO_INTERPOLATION_CUBIC)
        return true;
    curve_keys counted = {.width = tl_target_width(from->target)};
    curve_add_keys(from, rate, &counted);
    if (counted.count > UINT32_MAX)
        return false;
    curve_keys row = {.width = counted.width};
    row.times = tl_array_raw(arena, (size_t)counted.count, sizeof *row.times);
    row.values = tl_array_raw(arena, (size_t)counted.count, row.width * sizeof *row.values);
    if (!row.times || !row.values)
        return false;
    curve_add_keys(from, rate, &row);
    to->interpolation = TRILO_INTERPOLATION_LINEAR;
    to->key_count = (uint32_t)row.count;
    to->times = row.times;
    to->values = row.values;
    return true;
}

bool tl_channel_holds(const trilo_channel *channel, uint32_t key)
{
    if (key + 1 >= channel->key_count)
        return false;
    const double time = channel->times[key], next = channel->times[key + 1];
    if (next - time <= curve_float_gap * fabs(next))
        return true;
    return next - time < 1e-300 && time >= nextafter(next, -INFINITY); /* near 0, where floats have no gap */
}
