/* curve.h: interpolation between the keys of a channel, and conversion to linear keys. */
#ifndef TL_MODEL_CURVE_H
#define TL_MODEL_CURVE_H

#include "base/arena.h"
#include "base/vec.h"
#include "model/target.h"
#include "trilobite/model.h"

/* Samples per second for a curve: the frame rate of a screen. */
enum { TL_CURVE_RATE = 60 };

/* Floats per key among the values of a channel: the width of its target, times three for TRILO_INTERPOLATION_CUBIC. */
static inline uint32_t tl_channel_stride(const trilo_channel *channel)
{
    return tl_target_width(channel->target) * (channel->interpolation == TRILO_INTERPOLATION_CUBIC ? 3 : 1);
}

/* The value of a key, without the tangents around it. */
static inline const float *tl_channel_value(const trilo_channel *channel, uint32_t key)
{
    const float *first = channel->values + (size_t)key * tl_channel_stride(channel);
    return channel->interpolation == TRILO_INTERPOLATION_CUBIC ? first + tl_target_width(channel->target) : first;
}

/* Interpolates at a time from that of `key` to that of the next key, which must exist. Stores trilo_target_width
 * floats. */
void tl_channel_between(const trilo_channel *channel, uint32_t key, double seconds, float *value);

/* Where a channel was sampled last. All zero: nowhere yet. */
typedef struct tl_channel_cursor {
    uint32_t key;    /* the last one that is not later */
    bool in_segment; /* `arc` is that from `key` to the next */
    tl_quat_arc arc; /* of a linear rotation */
} tl_channel_cursor;

/* As trilo_channel_sample, for times that mostly rise: the next key is found without a search, and the arc between two
 * keys is computed once for all samples on it. */
void tl_channel_sample_next(const trilo_channel *channel, tl_channel_cursor *cursor, double seconds, float value[4]);
/* The values at 0, 1 / rate, 2 / rate and so on, `count` of them, one after the other. */
void tl_channel_sample_steps(const trilo_channel *channel, double rate, uint32_t count, float *values);

/* Converts a channel to TRILO_INTERPOLATION_LINEAR. A linear channel is returned as it is, with its arrays. For steps,
 * a key is repeated just before the next one (see tl_channel_holds). A cubic curve gets keys at the multiples of 1 /
 * rate seconds, at most 255 between two keys, and none where it is straight. The result is exact for steps, and if it
 * has as many keys as before. Returns false when memory runs out. */
bool tl_channel_linear(tl_arena *arena, const trilo_channel *from, double rate, trilo_channel *to);

/* True if the key is so close to the next one that no 32-bit float lies between their times. Such a key holds a value
 * up to a step, and must stay distinct from the next key where times are rounded. */
bool tl_channel_holds(const trilo_channel *channel, uint32_t key);

#endif
