/* Sampling a channel: binary search for the keys around a time, then interpolation (model/curve.h). */
#include "base/strict_float.h"
#include "model/curve.h"
#include "model/target.h"
#include "trilobite/pose.h"

#include <math.h>
#include <string.h>

/* Of a channel without keys. */
static void identity_value(const trilo_channel *channel, float value[4])
{
    const bool rotates = channel->target == TRILO_TARGET_ROTATION;
    const float still = tl_target_whole(channel->target) == TRILO_TARGET_SCALE ? 1 : 0;
    for (size_t i = 0; i < tl_target_width(channel->target); i++)
        value[i] = rotates && i == 3 ? 1 : still;
}

static void copy_key(const trilo_channel *channel, uint32_t key, float value[4])
{
    memcpy(value, tl_channel_value(channel, key), tl_target_width(channel->target) * sizeof *value);
}

void trilo_channel_sample(const trilo_channel *channel, double seconds, float value[4])
{
    if (channel->key_count == 0) {
        identity_value(channel, value);
        return;
    }
    const uint32_t last = channel->key_count - 1;
    if (isnan(seconds) || seconds <= channel->times[0]) {
        copy_key(channel, 0, value);
        return;
    }
    if (seconds >= channel->times[last]) {
        copy_key(channel, last, value);
        return;
    }
    /* The keys around `seconds` differ in time: of two at one time only the later can be the one before. */
    /* The first key after `seconds`, of keys[0] <= seconds < keys[last]. */
    uint32_t low = 0, high = channel->key_count - 1;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (channel->times[middle] <= seconds)
            low = middle;
        else
            high = middle;
    }
    tl_channel_between(channel, high - 1, seconds, value);
}

void tl_channel_sample_next(const trilo_channel *channel, tl_channel_cursor *cursor, double seconds, float value[4])
{
    const uint32_t before = cursor->key;
    const double *times = channel->times;
    if (channel->key_count < 2 || !(seconds > times[0] && seconds < times[channel->key_count - 1])) {
        trilo_channel_sample(channel, seconds, value);
        return;
    }
    cursor->key = times[cursor->key] > seconds ? 0 : cursor->key;
    while (times[cursor->key + 1] <= seconds)
        cursor->key++;
    const uint32_t key = cursor->key;
    cursor->in_segment = cursor->in_segment && key == before;
    if (channel->interpolation == TRILO_INTERPOLATION_STEP || channel->interpolation == TRILO_INTERPOLATION_CUBIC) {
        tl_channel_between(channel, key, seconds, value);
        return;
    }
    const uint32_t width = tl_target_width(channel->target);
    if (seconds == times[key]) {
        for (uint32_t i = 0; i < width; i++)
            value[i] = channel->values[(size_t)key * width + i];
        return;
    }
    if (channel->target != TRILO_TARGET_ROTATION) {
        const float *from = channel->values + (size_t)key * width, *to = from + width;
        const double amount = (seconds - times[key]) / (times[key + 1] - times[key]);
        for (uint32_t i = 0; i < width; i++)
            value[i] = (float)(from[i] + ((double)to[i] - from[i]) * amount);
        return;
    }
    const float *a = channel->values + 4 * (size_t)key, *b = a + 4;
    if (!cursor->in_segment)
        cursor->arc = tl_quat_arc_between((trilo_quat){a[0], a[1], a[2], a[3]}, (trilo_quat){b[0], b[1], b[2], b[3]});
    cursor->in_segment = true;
    const trilo_quat q = tl_quat_arc_at(&cursor->arc, (seconds - times[key]) / (times[key + 1] - times[key]));
    value[0] = q.x, value[1] = q.y, value[2] = q.z, value[3] = q.w;
}

/* Of a channel of vectors or numbers that is linear between its keys. */
static inline void sample_linear_steps(const trilo_channel *channel, uint32_t width, double rate, uint32_t count,
                                       float *values)
{
    const double *times = channel->times;
    const uint32_t last = channel->key_count - 1;
    for (uint32_t i = 0, key = 0; i < count; i++, values += width) {
        const double seconds = i / rate;
        const bool inside = seconds > times[0] && seconds < times[last];
        while (inside && times[key + 1] <= seconds)
            key++;
        const float *from = channel->values + (size_t)(inside ? key : seconds <= times[0] ? 0 : last) * width;
        if (!inside || seconds == times[key]) {
            for (uint32_t k = 0; k < width; k++)
                values[k] = from[k];
            continue;
        }
        const double amount = (seconds - times[key]) / (times[key + 1] - times[key]);
        for (uint32_t k = 0; k < width; k++)
            values[k] = (float)(from[k] + ((double)from[width + k] - from[k]) * amount);
    }
}

void tl_channel_sample_steps(const trilo_channel *channel, double rate, uint32_t count, float *values)
{
    const uint32_t width = tl_target_width(channel->target);
    tl_channel_cursor cursor = {0};
    if (channel->interpolation == TRILO_INTERPOLATION_LINEAR && channel->target != TRILO_TARGET_ROTATION &&
        channel->key_count > 0) {
        if (width == 3) /* nearly all: loops over a constant width */
            sample_linear_steps(channel, 3, rate, count, values);
        else
            sample_linear_steps(channel, width, rate, count, values);
        return;
    }
    for (uint32_t i = 0; i < count; i++, values += width) {
        float value[4];
        tl_channel_sample_next(channel, &cursor, i / rate, value);
        for (uint32_t k = 0; k < width; k++)
            values[k] = value[k];
    }
}
