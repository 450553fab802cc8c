/* tiny3d_sample.h: interpolation between keys, bit-exact with Tiny3D: single precision, in its order. */
#ifndef TL_ANIM_TINY3D_SAMPLE_H
#define TL_ANIM_TINY3D_SAMPLE_H

#include "base/arena.h"
#include "trilobite/model.h"

#define TL_TINY3D_TICK (1.0f / 60.0f) /* seconds */

/* a + (b - a) * amount */
float tl_tiny3d_lerp(float a, float b, float amount);
/* Normalized lerp from a to the nearer of b and -b; b if the sum has length 0. */
void tl_tiny3d_nlerp(const float a[4], const float b[4], float amount, float value[4]);

/* The value at a time between two keys, or extrapolated beyond the second. The second if both have the same time. */
typedef struct tl_tiny3d_span {
    float start, end;
    const float *from, *to;
} tl_tiny3d_span;
void tl_tiny3d_between(const tl_tiny3d_span *span, trilo_target target, float seconds, float *value);

/* The times of a channel's keys, summed up from ticks as in Tiny3D, and the time from which each is the next key. That
 * is the time of the previous key, or one float step earlier: Tiny3D reads one stream for all channels, and a channel
 * whose sum is rounded down reads the keys of others with its own. */
typedef struct tl_tiny3d_times {
    float *at, *next_from; /* NULL: the channel is not linear */
} tl_tiny3d_times;

/* The times of all channels of a clip. NULL when memory runs out. */
const tl_tiny3d_times *tl_tiny3d_clip(tl_arena *arena, const trilo_clip *clip);

/* trilo_target_width numbers of a TRILO_INTERPOLATION_LINEAR channel that has keys. O(log keys). */
void tl_tiny3d_sample(const trilo_channel *channel, const tl_tiny3d_times *times, float seconds, float *value);

#endif
