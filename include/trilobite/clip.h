/* clip.h: changes to the clips of a model: cut, rename, reverse, resample, and clips for another skeleton.
 *
 * Like trilo_model_edit, both functions answer a changed copy, to be freed with trilo_model_free; the originals stay as
 * they are. NULL on failure.
 */
#ifndef TRILOBITE_CLIP_H
#define TRILOBITE_CLIP_H

#include "trilobite/pose.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A clip of the result: a clip of the model, or a part of it, which then starts at 0. */
typedef struct trilo_clip_part {
    uint32_t clip;
    double from, to;  /* seconds; `to` not above `from`: up to the end */
    const char *name; /* NULL: the clip's own */
} trilo_clip_part;

/* Done in this order. Zero: nothing changes. */
typedef struct trilo_clip_edit {
    uint32_t struct_size; /* sizeof of this struct, or 0; see docs/api-policy.md */
    uint32_t guard;       /* stays 0 */
    uint32_t part_count;
    const trilo_clip_part *parts; /* the clips of the result, in their order; none: all clips, whole */
    uint32_t marker_count;
    const trilo_marker *markers; /* each part is split at the moments that fall into it, counted in the clip's own time;
                                    what begins at a marker has its name */
    bool reverse;
    double rate; /* above 0: a key at every multiple of 1 / rate seconds, and at the end; curves become straight */
    bool drop_resting; /* channels that leave their node where it rests, in every clip of the result */
} trilo_clip_edit;

/* Where a part begins or ends between keys, there is a key with what is due there. Frames of whole vertices are cut and
 * reversed as well, but not resampled. Steps reversed jump at the same moments; one at the very end is lost. */
TRILO_API const trilo_model *trilo_model_edit_clips(const trilo_model *model, const trilo_clip_edit *edit,
                                                    const trilo_memory *memory, trilo_error *err);

typedef struct trilo_retarget_opts {
    uint32_t struct_size; /* sizeof of this struct, or 0; see docs/api-policy.md */
    uint32_t guard;       /* stays 0 */
    bool keep;            /* the model's own clips stay, in front */
    bool relative; /* moves start from the rest pose of each model: rotations are what they turn away from it, places go
                      as far as the bones are long; otherwise values are taken as they are */
    bool loose;    /* names fit whatever their case, and whatever stands in front of a : or | in them */
    trilo_finding_fn *on_finding; /* told which channels found no node */
    void *on_finding_user;
} trilo_retarget_opts;

/* The clips of `from`, for the nodes of `model` that have the same names; of nodes with one name, the first serves. */
TRILO_API const trilo_model *trilo_model_retarget_clips(const trilo_model *model, const trilo_model *from,
                                                        const trilo_retarget_opts *opts, const trilo_memory *memory,
                                                        trilo_error *err);

#ifdef __cplusplus
}
#endif
#endif
