#include "model/curve.h"
#include "model/target.h"
#include "trilobite/pose.h"

#include <math.h>
#include <string.h>

/* The part of a node that stays as it is made. */
static void sample_nothing(const trilo_channel *channel, float value[4])
{
    const bool rotates = channel->target == TRILO_TARGET_ROTATION;
    const float still = tl_target_whole(channel->target) == TRILO_TARGET_SCALE ? 1 : 0;
    for (size_t i = 0; i < trilo_target_width(channel->target); i++)
        value[i] = rotates && i == 3 ? 1 : still;
}

/* Held keys are handed out as they are stored, bit for bit. */
static void sample_key(const trilo_channel *channel, uint32_t key, float value[4])
{
    memcpy(value, tl_channel_value(channel, key), trilo_target_width(channel->target) * sizeof *value);
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
    /* The keys around differ in time: of two at one time only the later can be the one in front. */
    tl_channel_between(channel, next_key(channel, seconds) - 1, seconds, value);
}
