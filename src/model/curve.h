/* curve.h: how a channel goes from key to key, and the same way made of straight lines. */
#ifndef TL_MODEL_CURVE_H
#define TL_MODEL_CURVE_H

#include "base/arena.h"
#include "trilobite/model.h"

/* Samples a second that are close enough for any curve: the pictures a screen shows. */
enum { TL_CURVE_RATE = 60 };

/* Numbers that a key takes among a channel's values: those of its target, thrice for TRILO_INTERPOLATION_CUBIC. */
uint32_t tl_channel_stride(const trilo_channel *channel);
/* The value of a key, without the tangents around it. */
const float *tl_channel_value(const trilo_channel *channel, uint32_t key);

/* trilo_target_width numbers at a moment from the time of `key` to that of the next one, which must be there. */
void tl_channel_between(const trilo_channel *channel, uint32_t key, double seconds, float *value);

/* The same way as a TRILO_INTERPOLATION_LINEAR channel. One that is linear is answered as it is, with its arrays. Where
 * a step jumps, the key in front is repeated at the last moment before (see tl_channel_holds). A curve gets keys
 * between its own at the multiples of 1 / rate seconds, at most 255 of them between two, and none where it is straight.
 * So the result is exact when it has as many keys as before, or when it comes from steps. False when memory ran out. */
bool tl_channel_linear(tl_arena *arena, const trilo_channel *from, double rate, trilo_channel *to);

/* Does the key stand so close before the next one that no moment lies between them, be times 32-bit numbers? It is
 * there to hold a value up to a jump, and must stay apart from the next key where times are rounded. */
bool tl_channel_holds(const trilo_channel *channel, uint32_t key);

#endif
