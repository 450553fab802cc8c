/* tiny3d_sample.h: what the console computes between keys, in single precision and in the same order. */
#ifndef TL_ANIM_TINY3D_SAMPLE_H
#define TL_ANIM_TINY3D_SAMPLE_H

#include "base/arena.h"
#include "trilobite/model.h"

#define TL_EXACT_TICK (1.0f / 60.0f) /* seconds */

/* a + (b - a) * amount */
float tl_tiny3d_lerp(float a, float b, float amount);
/* Straight from a to b, or to -b when that is nearer, and then of length 1 again; b when nothing is left to turn. */
void tl_tiny3d_nlerp(const float a[4], const float b[4], float amount, float value[4]);

/* The value at a moment between two keys, and beyond the second one. Keys at one time: the second. */
typedef struct tl_tiny3d_span {
    float start, end;
    const float *from, *to;
} tl_tiny3d_span;
void tl_tiny3d_between(const tl_tiny3d_span *span, trilo_target target, float seconds, float *value);

/* When the keys of a channel are, as the console sums up ticks, and from when on each is the next one. That is the time
 * of the key in front of it, or a last bit earlier: the console reads one stream for all channels, and one whose sum
 * came out smaller pulls the keys of the others along. */
typedef struct tl_tiny3d_times {
    float *at, *next_from; /* NULL: the channel is no linear one */
} tl_tiny3d_times;

/* Those of all channels of a clip. NULL when memory ran out. */
const tl_tiny3d_times *tl_tiny3d_clip(tl_arena *arena, const trilo_clip *clip);

/* trilo_target_width numbers of a TRILO_INTERPOLATION_LINEAR channel that has keys. O(log keys). */
void tl_tiny3d_sample(const trilo_channel *channel, const tl_tiny3d_times *times, float seconds, float *value);

#endif
