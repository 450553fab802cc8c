/* animation.h: encodes the clips of a model as T3DM animations with keyframe streams.
 *
 *   sample.c           resamples the source channels on ticks of 1/60 second
 *   static_channels.c  finds channels that never leave the rest pose
 *   reduce.c           reduces keys within a tolerance, with values that the stream can store
 *   rotation_codes.c   finds the quantized rotations around one
 *   clip_bones.c       finds the bones that a clip moves
 *   influence.c        finds the vertices that follow each bone
 *   error.c            measures the error at vertices when Tiny3D plays the keys
 *   tolerance.c        derives the tolerances of channels from one at the vertices
 *   repeated_clips.c   finds clips that are the same as others
 *   clips.c            combines these steps
 *   measure.c          the error of a finished file against its source
 */
#ifndef TL_T3DM_ANIMATION_ANIMATION_H
#define TL_T3DM_ANIMATION_ANIMATION_H

#include "formats/t3dm/encode/encode.h"
#include "model/curve.h"

/* Samples that follow from the times of a channel. */
typedef struct t3dm_tick_marks t3dm_tick_marks;
/* Where Tiny3D's converter samples the source of a rotation. */
typedef struct t3dm_source_steps t3dm_source_steps;

/* One channel of the file: a rotation, or one axis of a vector. It is linear between its samples. */
typedef struct t3dm_curve {
    const trilo_channel *channel; /* of the source, made linear and starting at 0 */
    const float *at_ticks;        /* values of that channel at every tick of the clip; NULL: not kept */
    uint32_t last_tick;           /* of the clip */
    uint32_t axis;                /* 0 to 2 */
    uint32_t component;           /* of the axis in a key's values */
    t3dm_mapping mapping;
    bool retimed;    /* a key was moved to another time */
    bool unmeasured; /* only at its samples, not at every tick */
    uint32_t count;
    uint32_t *ticks;
    double *times;                /* in the source, in seconds: each sample has the value of that time */
    double *scalars;              /* in units of the file */
    double (*rotations)[4];       /* unit quaternions, each in the hemisphere of the one before; NULL: a scalar curve */
    double *nearest;              /* of each rotation: distance from its nearest code; NULL: not known yet */
    double *bends;                /* of each rotation: see tl_find_rotation_bends */
    double tolerance;             /* units, or the sine of half an angle; 0: `fraction` counts */
    double fraction;              /* of the error with the keys of Tiny3D's converter; 1: as good as these */
    const t3dm_tick_marks *marks; /* of the channel; NULL: keys are kept */
    const t3dm_source_steps *steps; /* of a rotation; NULL: not known yet */
    tl_sdata_channel tiny3d;        /* the keys of Tiny3D's converter; none: not known yet */
    double tiny3d_error;            /* as `tolerance` */
    /* The last reduction. Smaller fractions often come to the same tolerance, the least that quantization allows. */
    tl_sdata_channel reduced;
    double reduced_tolerance;
} t3dm_curve;

/* --- static_channels.c --- */

/* Bits of what some clip animates, for each node. False: no memory. */
bool tl_t3dm_find_animated(t3dm_encoder *e, uint8_t **animated);
/* The bit of a channel's axis. */
uint8_t tl_t3dm_animated_bit(const trilo_channel *channel, uint32_t axis);

/* --- sample.c --- */

/* Samples of a curve whose channel is set. `before` (may be NULL) is a curve with samples: one of the same channel has
 * the same ticks. False: no memory. */
bool tl_t3dm_sample_curve(t3dm_encoder *e, double duration, const t3dm_curve *before, t3dm_curve *curve);
/* The value of a source channel with keys; slerp or nlerp between rotations, as the policy says. */
void tl_t3dm_source_value(const t3dm_encoder *e, const trilo_channel *channel, tl_channel_cursor *cursor,
                          double seconds, double out[4]);
/* True if the value is the same at all keys. */
bool tl_t3dm_source_is_constant(const trilo_channel *channel);
/* The length of the clip in ticks. */
uint32_t tl_t3dm_last_tick(const t3dm_encoder *e, double duration);

/* --- reduce.c --- */

/* The keys of the stream: every sample, or as few as the tolerance of the curve allows. False: no memory. */
bool tl_t3dm_make_keys(t3dm_encoder *e, t3dm_curve *curve, tl_sdata_channel *out);
/* Sets tiny3d and tiny3d_error of all curves. False: no memory. */
bool tl_t3dm_find_tiny3d_keys(t3dm_encoder *e, t3dm_curve *curves, uint32_t count);

/* --- influence.c --- */

/* The vertices of all objects in the spaces of their bones. */
typedef struct t3dm_skin_samples t3dm_skin_samples;

/* NULL: no memory. */
const t3dm_skin_samples *tl_t3dm_skin_samples_new(t3dm_encoder *e);
/* A sphere around points. */
typedef struct t3dm_point_sphere {
    double center[3], radius;
} t3dm_point_sphere;

enum { T3DM_POINT_GROUP = 8 };

/* The points that follow a bone, in its space, each once, with a sphere around all and one around each group of
 * T3DM_POINT_GROUP. */
typedef struct t3dm_bone_points {
    const double (*points)[3];
    uint32_t count;
    t3dm_point_sphere sphere, *groups;
    double reach_squared; /* of the farthest point from the bone's origin */
} t3dm_bone_points;
const t3dm_bone_points *tl_t3dm_skin_sample_points(const t3dm_skin_samples *samples, uint32_t bone);
/* The diagonal of the model's bounding box in the rest pose, in units of the file. */
double tl_t3dm_model_size(const t3dm_skin_samples *samples);
/* The largest distance that a vertex moves when the channel changes by 1: a unit, a factor, or 1 as the sine of half an
 * angle. */
double tl_t3dm_error_per_unit(const t3dm_skin_samples *samples, const t3dm_curve *curve);

/* --- sample.c, clip_bones.c, error.c --- */

/* Where a bone is at two ticks. */
typedef struct t3dm_bone_pose t3dm_bone_pose;

/* A clip being encoded, or one of a finished file. */
typedef struct t3dm_clip_builder {
    const trilo_channel *channels; /* of the source, made linear and starting at 0 */
    const float **at_ticks; /* of each channel: its values at every tick; NULL: not kept, as those of constant ones */
    uint32_t channel_count;
    t3dm_curve *curves; /* of each channel of `sdata` */
    tl_sdata sdata;
    /* The first channels: rotations that are the same as in the rest pose, which Tiny3D's converter would write. They
     * are only written if the clip is worse without them. */
    uint32_t static_count;
    uint32_t last_tick;
    uint32_t bone_count;    /* that can be off; see tl_t3dm_list_clip_bones */
    uint32_t *bones;        /* in the file, ascending */
    uint32_t *parents;      /* entries of `bones`; TRILO_NONE: none */
    t3dm_bone_pose *source; /* of these bones, two ticks after another; NULL: not kept */
    const t3dm_bone *rest;  /* where the bones are without keys; NULL: as in the file being encoded */
    const bool *measured;   /* of these bones; NULL: all are measured */
    double ignored;         /* distances up to this one need not be found */
    uint32_t suspect;       /* the tick that a measurement begins with: where much is likely to be off */
    uint32_t failing_bone;  /* the entry of `bones` that was beyond the limit at that tick; TRILO_NONE: none was */
} t3dm_clip_builder;

/* How far what Tiny3D plays is from the source, at worst. Errors of parents count: vertices, rotations and positions
 * are those in the space of the model. */
typedef struct t3dm_clip_error {
    double distance; /* of a vertex, in units of the file */
    double rotation; /* of a bone: the sine of half an angle */
    double position; /* of a bone's origin */
    uint32_t tick;   /* of the distance */
    uint32_t bone;   /* that the vertex follows; TRILO_NONE: no vertex is off */
} t3dm_clip_error;

/* Samples the channels of the source at every tick, once for the curves and the poses, unless the clip is too long or
 * keeps its keys. Needs the last tick. False: no memory. */
bool tl_t3dm_keep_source_values(t3dm_encoder *e, t3dm_clip_builder *clip);
/* Lists the bones that the channels of a clip move: their own, those below, and those above, which decide where these
 * are. Others stay where they are, and so are never off, unless the clip has a rest pose of its own: then all bones are
 * listed. False: no memory. */
bool tl_t3dm_list_clip_bones(t3dm_encoder *e, t3dm_clip_builder *clip);
/* The entry of a bone in the list; TRILO_NONE: it is not there. */
uint32_t tl_t3dm_find_clip_bone(const t3dm_clip_builder *clip, uint32_t bone);
/* Computes the poses of the source once for many measurements, unless the clip is too long. False: no memory. */
bool tl_t3dm_keep_source_poses(t3dm_encoder *e, t3dm_clip_builder *clip);
/* At every tick of 1/60 second, or until a limit (may be NULL) is exceeded at one. False: no memory. */
bool tl_t3dm_clip_error(t3dm_encoder *e, const t3dm_skin_samples *samples, t3dm_clip_builder *clip,
                        const t3dm_clip_error *limit, t3dm_clip_error *error);
/* Nothing is further off. */
bool tl_t3dm_error_within(const t3dm_clip_error *error, const t3dm_clip_error *limit);

/* --- tolerance.c --- */

/* Reduces the keys of all curves of a clip and reports the result: within the given tolerance, or so that nothing is
 * further off than with the keys of Tiny3D's converter. */
bool tl_t3dm_fit_tolerance(t3dm_encoder *e, t3dm_clip_builder *clip, const t3dm_skin_samples *samples);

/* --- repeated_clips.c --- */

/* Of each clip of the model: the first one with the same channels and duration, usually itself. NULL: no memory. */
const uint32_t *tl_t3dm_find_repeated_clips(t3dm_encoder *e);

/* --- clips.c --- */

/* The time in the source that a clip of the file starts at. */
double tl_t3dm_clip_start(const t3dm_encoder *e, const trilo_clip *clip);
/* The channels of a clip, linear from key to key and starting at 0. */
bool tl_t3dm_source_channels(t3dm_encoder *e, const trilo_clip *clip, double start, trilo_channel *channels);

/* --- measure.c --- */

/* The error of each animation of `played` against the model, which is the source of it: an entry of `errors` for each,
 * `measured` false where the model has no such clip. The scale is that of opts->t3dm; 0: found from the bones. */
typedef struct t3dm_measured_clip {
    bool measured;
    t3dm_clip_error error; /* its bone is one of `played` */
} t3dm_measured_clip;
bool tl_t3dm_measure_clips(const trilo_model *source, const trilo_write_opts *opts, const t3dm_file *played,
                           tl_arena *arena, t3dm_measured_clip *errors, trilo_error *err);

#endif
