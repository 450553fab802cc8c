#include "base/vec.h"
#include "model/target.h"
#include "trilobite/pose.h"

#include <math.h>
#include <string.h>

/* The part of a node that stays as it is made. */
static void sample_nothing(const trilo_channel *channel, float value[4])
{
    const bool rotates = channel->target == TRILO_ROTATION;
    const float still = tl_target_whole(channel->target) == TRILO_SCALE ? 1 : 0;
    for (size_t i = 0; i < trilo_target_width(channel->target); i++)
        value[i] = rotates && i == 3 ? 1 : still;
}

/* Held keys are handed out as they are stored, bit for bit. */
static void sample_key(const trilo_channel *channel, uint32_t key, float value[4])
{
    const size_t width = trilo_target_width(channel->target);
    memcpy(value, channel->values + key * width, width * sizeof *value);
}

static void sample_between(const trilo_channel *channel, uint32_t key, double amount, float value[4])
{
    const size_t width = trilo_target_width(channel->target);
    const float *a = channel->values + key * width, *b = a + width;
    if (channel->target == TRILO_ROTATION) {
        const trilo_quat from = {a[0], a[1], a[2], a[3]}, to = {b[0], b[1], b[2], b[3]};
        const trilo_quat q = tl_quat_slerp(from, to, amount);
        value[0] = q.x, value[1] = q.y, value[2] = q.z, value[3] = q.w;
    } else if (width == 1) {
        value[0] = tl_vec3_lerp((trilo_vec3){a[0], 0, 0}, (trilo_vec3){b[0], 0, 0}, amount).x;
    } else {
        const trilo_vec3 v = tl_vec3_lerp((trilo_vec3){a[0], a[1], a[2]}, (trilo_vec3){b[0], b[1], b[2]}, amount);
        value[0] = v.x, value[1] = v.y, value[2] = v.z;
    }
}

/* The first key after `seconds`, of keys[0] <= seconds < keys[last]. */
static uint32_t next_key(const trilo_channel *channel, double seconds)
{
    uint32_t low = 0, high = channel->key_count - 1;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (channel->times[middle] <= seconds)
            low = middle;
        else
            high = middle;
    }
    return high;
}

void trilo_channel_sample(const trilo_channel *channel, double seconds, float value[4])
{
    if (channel->key_count == 0) {
        sample_nothing(channel, value);
        return;
    }
    const uint32_t last = channel->key_count - 1;
    if (isnan(seconds) || seconds <= channel->times[0]) {
        sample_key(channel, 0, value);
        return;
    }
    if (seconds >= channel->times[last]) {
        sample_key(channel, last, value);
        return;
    }
    const uint32_t next = next_key(channel, seconds);
    const double start = channel->times[next - 1], end = channel->times[next];
    /* start <= seconds < end: two keys at one time cannot both be neighbours, so nothing is divided by 0. */
    if (seconds == start)
        sample_key(channel, next - 1, value);
    else
        sample_between(channel, next - 1, (seconds - start) / (end - start), value);
}
