/* clip.h: cuts, renames, reverses, resamples and retargets the clips of a model.
 *
 * Like trilo_model_edit, both functions return an edited copy, which trilo_model_free releases, and leave the original
 * unchanged. They return NULL on failure.
 */
#ifndef TRILOBITE_CLIP_H
#define TRILOBITE_CLIP_H

#include "trilobite/pose.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A clip of the result: a clip of the model, or a range of it, which then starts at 0. */
typedef struct trilo_clip_part {
    uint32_t clip;
    double from, to;  /* seconds; if `to` is not above `from`, the range extends to the end */
    const char *name; /* NULL: the name of the clip */
} trilo_clip_part;

/* The edits, applied in this order; none if zero-filled. */
typedef struct trilo_clip_edit {
    uint32_t struct_size; /* sizeof of this struct, or 0; see docs/api-policy.md */
    uint32_t guard;       /* must be 0 */
    uint32_t part_count;
    const trilo_clip_part *parts; /* the clips of the result, in order; none: all clips, unchanged */
    uint32_t marker_count;
    const trilo_marker *markers; /* split each part at the markers inside it, whose times are those of the whole clip;
                                    the piece after a marker gets its name */
    bool reverse;
    double rate;       /* above 0: resample, with keys every 1 / rate seconds and at the end; cubic becomes linear */
    bool drop_resting; /* drop channels that hold the rest value of their node in every clip of the result */
} trilo_clip_edit;

/* If a part begins or ends between two keys, a key with the interpolated value is inserted there. Vertex animation is
 * cut and reversed too, but not resampled. A reversed step channel jumps at the same times; a step at the very end is
 * lost. */
TRILO_API const trilo_model *trilo_model_edit_clips(const trilo_model *model, const trilo_clip_edit *edit,
                                                    const trilo_memory *memory, trilo_error *err);

typedef struct trilo_retarget_opts {
    uint32_t struct_size; /* sizeof of this struct, or 0; see docs/api-policy.md */
    uint32_t guard;       /* must be 0 */
    bool keep;            /* keep the clips of the model, before the new ones */
    bool relative; /* transfer differences from the rest pose: rotations and scales relative to it, translations scaled
                      by the ratio of bone lengths; otherwise values are copied */
    bool loose;    /* match names without regard to case and to prefixes that end in : or | */
    trilo_finding_fn *on_finding; /* receives the channels that match no node */
    void *on_finding_user;
} trilo_retarget_opts;

/* Copies the clips of `from` to the nodes of `model` with the same names. If several nodes have a name, the first is
 * used. */
TRILO_API const trilo_model *trilo_model_retarget_clips(const trilo_model *model, const trilo_model *from,
                                                        const trilo_retarget_opts *opts, const trilo_memory *memory,
                                                        trilo_error *err);

#ifdef __cplusplus
}
#endif
#endif
