#include "model/curve.h"

#include "base/vec.h"

#include <math.h>
#include <string.h>

uint32_t tl_channel_stride(const trilo_channel *channel)
{
    return trilo_target_width(channel->target) * (channel->interpolation == TRILO_INTERPOLATION_CUBIC ? 3 : 1);
}

const float *tl_channel_value(const trilo_channel *channel, uint32_t key)
{
    const float *first = channel->values + (size_t)key * tl_channel_stride(channel);
    return channel->interpolation == TRILO_INTERPOLATION_CUBIC ? first + trilo_target_width(channel->target) : first;
}

/* ---- between two keys ---- */

static void linear_between(trilo_target target, const float *a, const float *b, double amount, float *value)
{
    if (target == TRILO_TARGET_ROTATION) {
        const trilo_quat from = {a[0], a[1], a[2], a[3]}, to = {b[0], b[1], b[2], b[3]};
        const trilo_quat q = tl_quat_slerp(from, to, amount);
        value[0] = q.x, value[1] = q.y, value[2] = q.z, value[3] = q.w;
    } else if (trilo_target_width(target) == 1) {
        value[0] = tl_vec3_lerp((trilo_vec3){a[0], 0, 0}, (trilo_vec3){b[0], 0, 0}, amount).x;
    } else {
        const trilo_vec3 v = tl_vec3_lerp((trilo_vec3){a[0], a[1], a[2]}, (trilo_vec3){b[0], b[1], b[2]}, amount);
        value[0] = v.x, value[1] = v.y, value[2] = v.z;
    }
}

/* Hermite: the tangents are per second, so they count by the length of the stretch. */
static void cubic_between(const trilo_channel *channel, uint32_t key, double length, double t, float *value)
{
    const uint32_t width = trilo_target_width(channel->target);
    const float *a = tl_channel_value(channel, key), *b = tl_channel_value(channel, key + 1);
    const float *leaving = a + width, *arriving = b - width;
    const double of_b = t * t * (3 - 2 * t), of_a = 1 - of_b;
    const double of_leaving = length * (t * (1 - t) * (1 - t)), of_arriving = length * (t * t * (t - 1));
    for (uint32_t i = 0; i < width; i++)
        value[i] = (float)(of_a * a[i] + of_b * b[i] + (of_leaving * leaving[i] + of_arriving * arriving[i]));
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
        memcpy(value, from, trilo_target_width(channel->target) * sizeof *value);
    else if (seconds == channel->times[key + 1])
        memcpy(value, to, trilo_target_width(channel->target) * sizeof *value);
    else if (channel->interpolation == TRILO_INTERPOLATION_CUBIC)
        cubic_between(channel, key, length, amount, value);
    else
        linear_between(channel->target, from, to, amount, value);
}

/* ---- straight lines instead ---- */

enum { PARTS_MOST = 256 };                /* of a stretch: a Hermite curve is off by less than 1e-4 of its bend then */
static const double STRAIGHT = 1e-6;      /* of the values: no further from its chord is a curve straight */
static const double SMALL_TURN = 4e-4;    /* up to there a chord between rotations runs as evenly as their arc */
static const double NEIGHBOURS = 1.25e-7; /* of their size 32-bit numbers are at most so far apart */
static const double NEAR_A_KEY = 0.001;   /* of 1 / rate: a sample that close to a key would add nothing */

/* Keys as they are made: counted only while there is no room. */
typedef struct key_row {
    uint32_t width;
    double *times;
    float *values;
    uint64_t count;
    double last; /* its time */
} key_row;

static void add_key(key_row *row, double time, const float *value)
{
    if (row->times) {
        row->times[row->count] = time;
        memcpy(row->values + row->count * row->width, value, row->width * sizeof *value);
    }
    row->count++;
    row->last = time;
}

static bool jumps(const trilo_channel *c, uint32_t key)
{
    const float *a = tl_channel_value(c, key), *b = tl_channel_value(c, key + 1);
    for (uint32_t i = 0; i < trilo_target_width(c->target); i++)
        if (a[i] != b[i])
            return true;
    return false;
}

static double before(double time)
{
    return nextafter(time, -INFINITY);
}

static void add_hold(const trilo_channel *c, uint32_t key, key_row *row)
{
    const double time = before(c->times[key + 1]);
    if (jumps(c, key) && time > c->times[key])
        add_key(row, time, tl_channel_value(c, key));
}

/* A Hermite curve leaves its chord by at most 4/27 of what its tangents differ from the chord's way. */
static bool is_straight(const trilo_channel *c, uint32_t key)
{
    const uint32_t width = trilo_target_width(c->target);
    const float *a = tl_channel_value(c, key), *b = tl_channel_value(c, key + 1);
    const double length = c->times[key + 1] - c->times[key];
    double turned = 0;
    for (uint32_t i = 0; i < width; i++) {
        const double way = (double)b[i] - a[i], size = fmax(fabs((double)a[i]), fabs((double)b[i]));
        const double off = fabs(length * a[width + i] - way) + fabs(length * (b - width)[i] - way);
        if (!(off * 4 / 27 <= STRAIGHT * (c->target == TRILO_TARGET_ROTATION ? 1 : size)))
            return false;
        turned += way * way;
    }
    return c->target != TRILO_TARGET_ROTATION || turned <= SMALL_TURN;
}

static void add_sample(const trilo_channel *c, uint32_t key, double time, key_row *row)
{
    float value[4] = {0};
    if (!(time > row->last && time < c->times[key + 1]))
        return; /* rounding */
    if (row->times)
        tl_channel_between(c, key, time, value);
    add_key(row, time, value);
}

static void add_samples(const trilo_channel *c, uint32_t key, double rate, key_row *row)
{
    const double start = c->times[key], end = c->times[key + 1], parts = (end - start) * rate;
    if (is_straight(c, key))
        return;
    if (!(parts <= PARTS_MOST - 1)) {
        for (int i = 1; i < PARTS_MOST; i++)
            add_sample(c, key, start + (end - start) * (i / (double)PARTS_MOST), row);
        return;
    }
    const double first = floor(start * rate + NEAR_A_KEY) + 1;
    for (int i = 0; i < PARTS_MOST && first + i < end * rate - NEAR_A_KEY; i++)
        add_sample(c, key, (first + i) / rate, row);
}

static void add_keys(const trilo_channel *c, double rate, key_row *row)
{
    for (uint32_t k = 0; k < c->key_count; k++) {
        add_key(row, c->times[k], tl_channel_value(c, k));
        if (k + 1 == c->key_count)
            return;
        if (c->interpolation == TRILO_INTERPOLATION_STEP)
            add_hold(c, k, row);
        else
            add_samples(c, k, rate, row);
    }
}

bool tl_channel_linear(tl_arena *arena, const trilo_channel *from, double rate, trilo_channel *to)
{
    *to = *from;
    if (from->interpolation != TRILO_INTERPOLATION_STEP && from->interpolation != TRILO_INTERPOLATION_CUBIC)
        return true;
    key_row counted = {.width = trilo_target_width(from->target)};
    add_keys(from, rate, &counted);
    if (counted.count > UINT32_MAX)
        return false;
    key_row row = {.width = counted.width};
    row.times = tl_array_raw(arena, (size_t)counted.count, sizeof *row.times);
    row.values = tl_array_raw(arena, (size_t)counted.count, row.width * sizeof *row.values);
    if (!row.times || !row.values)
        return false;
    add_keys(from, rate, &row);
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
    return time >= before(next) || next - time <= NEIGHBOURS * fabs(next);
}
