/* clip_edit.h: steps of editing clips. All work on a copy of the model, with arrays of its arena. */
#ifndef TL_ANIM_CLIP_EDIT_H
#define TL_ANIM_CLIP_EDIT_H

#include "base/arena.h"
#include "trilobite/clip.h"

/* A range of a clip, as a clip that starts at 0. `last`: includes a step exactly at its end. False: no memory. */
typedef struct tl_cut {
    uint32_t clip;
    double from, to;
    bool last;
} tl_cut;
bool tl_clip_cut(tl_arena *arena, const trilo_model *model, const tl_cut *cut, trilo_clip *out);

bool tl_clip_reverse(tl_arena *arena, trilo_clip *clip);
bool tl_clip_resample(tl_arena *arena, double rate, trilo_clip *clip);
/* Allocates some bytes per node. */
bool tl_clips_drop_static(tl_arena *arena, const trilo_model *model, trilo_clip *clips, uint32_t count);

/* Allocates the keys of a channel that is rewritten. */
bool tl_channel_make_room(tl_arena *arena, size_t keys, trilo_channel *channel, double **times, float **values);

#endif
