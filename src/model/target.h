/* target.h: the targets of channels, and merging channels of single axes. */
#ifndef TL_MODEL_TARGET_H
#define TL_MODEL_TARGET_H

#include "base/arena.h"
#include "trilobite/model.h"

/* As trilo_target_width. */
static inline uint32_t tl_target_width(trilo_target target)
{
    if (target == TRILO_TARGET_ROTATION)
        return 4;
    return target == TRILO_TARGET_TRANSLATION || target == TRILO_TARGET_SCALE ? 3 : 1;
}

/* TRILO_TARGET_TRANSLATION for TRILO_TARGET_TRANSLATION_Y and so on; `target` itself if it is not a single axis. */
static inline trilo_target tl_target_whole(trilo_target target)
{
    switch (target) {
    case TRILO_TARGET_TRANSLATION_X:
    case TRILO_TARGET_TRANSLATION_Y:
    case TRILO_TARGET_TRANSLATION_Z:
        return TRILO_TARGET_TRANSLATION;
    case TRILO_TARGET_SCALE_X:
    case TRILO_TARGET_SCALE_Y:
    case TRILO_TARGET_SCALE_Z:
        return TRILO_TARGET_SCALE;
    default:
        return target;
    }
}

/* 0 to 2 for a single axis, 0 otherwise. */
static inline uint32_t tl_target_axis(trilo_target target)
{
    switch (target) {
    case TRILO_TARGET_TRANSLATION_Y:
    case TRILO_TARGET_SCALE_Y:
        return 1;
    case TRILO_TARGET_TRANSLATION_Z:
    case TRILO_TARGET_SCALE_Z:
        return 2;
    default:
        return 0;
    }
}

/* The targets of a node that the channels of a clip animate; zero-filled before the first clip. */
typedef struct tl_moved_transform {
    uint32_t clip;  /* counted from 1 */
    uint32_t parts; /* bits by trilo_target */
} tl_moved_transform;

/* Records that a channel of the clip animates that target of the node. Returns false if another channel of the clip
 * already does, as a single axis or as a whole. */
bool tl_target_take(tl_moved_transform *node, uint32_t clip, trilo_target target);

/* Merges up to three channels of single axes, in the order x, y, z, into a linear channel of vectors. An axis that is
 * NULL or has no keys keeps the value of the node. The result has a key at the time of every key of the axes, made
 * linear (curve.h). Returns false when memory runs out. */
bool tl_channel_merge(tl_arena *arena, const trilo_node *node, const trilo_channel *const axes[3], trilo_channel *out);

#endif
