/* frames.h: the tracks of vertex animation in a model, and the arrays that their frames share. */
#ifndef TL_MODEL_FRAMES_H
#define TL_MODEL_FRAMES_H

#include "base/arena.h"
#include "base/report.h"
#include "trilobite/model.h"

/* The number of frames of the longest track; 0: there is no track. */
uint32_t tl_clip_frames(const trilo_clip *clip);
/* True if the clip has tracks, but no channel. It is lost entirely in a format without vertex animation. */
bool tl_clip_only_frames(const trilo_clip *clip);

/* For a format without vertex animation: reports each clip with tracks under that rule. */
void tl_frames_lost(const trilo_model *model, const trilo_rule *rule, tl_report *losses);

/* A reference of a frame to an array. */
typedef struct tl_frame_slot {
    uint32_t mesh;
    const float (*from)[3];     /* the array when it was listed */
    const float (**pointer)[3]; /* in the frame */
} tl_frame_slot;

typedef struct tl_frame_slots {
    uint32_t count;
    const tl_frame_slot *slots;
    const uint32_t *order; /* references of one mesh to one array are adjacent */
} tl_frame_slots;

typedef enum tl_frame_part { TL_FRAME_POSITIONS, TL_FRAME_NORMALS } tl_frame_part;

/* Lists the references of all frames of a checked model to arrays of that kind. They may only be written to if the
 * caller owns the frames. Returns false when memory runs out. */
bool tl_frame_slots_list(tl_arena *arena, const trilo_model *model, tl_frame_part part, tl_frame_slots *out);

static inline const tl_frame_slot *tl_frame_slot_at(const tl_frame_slots *list, uint32_t i)
{
    return &list->slots[list->order[i]];
}

/* True if the i-th reference in order has another array or mesh than the previous one. */
bool tl_frame_slot_differs(const tl_frame_slots *list, uint32_t i);

#endif
