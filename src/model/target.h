/* target.h: which part of a node a channel moves, and channels of single axes put together. */
#ifndef TL_MODEL_TARGET_H
#define TL_MODEL_TARGET_H

#include "base/arena.h"
#include "trilobite/model.h"

/* TRILO_TARGET_TRANSLATION for TRILO_TARGET_TRANSLATION_Y, and so on; a whole part is its own. */
trilo_target tl_target_whole(trilo_target target);
/* 0 to 2 of a single axis; 0 of a whole part. */
uint32_t tl_target_axis(trilo_target target);

/* Which parts of a node the channels of a clip move; zero-filled before the first of them. */
typedef struct tl_moved_transform {
    uint32_t clip; /* that they are of, counted from 1 */
    uint32_t parts;
} tl_moved_transform;

/* Notes that a channel of the clip moves that part of the node. False when another one of the same clip moves it
 * already, be it as an axis or as a whole. */
bool tl_target_take(tl_moved_transform *node, uint32_t clip, trilo_target target);

/* One linear channel of vectors in place of up to three of single axes, in the order x, y, z; NULL or no keys: that
 * axis rests. Has a key wherever one of them, made linear (curve.h), has one, so that it goes the same way. False when
 * memory ran out. */
bool tl_channel_merge(tl_arena *arena, const trilo_node *node, const trilo_channel *const axes[3], trilo_channel *out);

#endif
