/* frames.h: the tracks of a model, and the arrays that their frames share. */
#ifndef TL_MODEL_FRAMES_H
#define TL_MODEL_FRAMES_H

#include "base/arena.h"
#include "base/report.h"
#include "trilobite/model.h"

/* How many frames the longest of its tracks has; 0: it has no track. */
uint32_t tl_clip_frames(const trilo_clip *clip);
/* Tracks and no channel: nothing is left of the clip where there are no frames. */
bool tl_clip_only_frames(const trilo_clip *clip);

/* One finding of that rule for each clip with tracks, for a format that has no frames. */
void tl_frames_lost(const trilo_model *model, const trilo_rule *rule, tl_report *losses);

/* A place where a frame names an array. */
typedef struct tl_frame_slot {
    uint32_t mesh;
    const float (*from)[3];   /* the array it named when it was listed */
    const float (**place)[3]; /* where it names it */
} tl_frame_slot;

typedef struct tl_frame_slots {
    uint32_t count;
    const tl_frame_slot *slots;
    const uint32_t *order; /* such that those of one mesh and one array stand side by side */
} tl_frame_slots;

typedef enum tl_frame_part { TL_FRAME_POSITIONS, TL_FRAME_NORMALS } tl_frame_part;

/* Every place where a frame of a checked model names an array of that kind. The frames must be the caller's to change
 * if the places are to be written to. False when memory ran out. */
bool tl_frame_slots_list(tl_arena *arena, const trilo_model *model, tl_frame_part part, tl_frame_slots *out);

static inline const tl_frame_slot *tl_frame_slot_at(const tl_frame_slots *list, uint32_t i)
{
    return &list->slots[list->order[i]];
}

/* Does the i-th in order name another array than the one in front of it? */
bool tl_frame_slot_differs(const tl_frame_slots *list, uint32_t i);

#endif
