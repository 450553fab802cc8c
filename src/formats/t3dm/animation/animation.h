/* animation.h: encodes the clips of a model as T3DM animations with keyframe streams.
 *
 *   sample.c           resamples the source channels on ticks of 1/60 second
 *   static_channels.c  finds channels that never leave the rest pose
 *   reduce.c           reduces keys within a tolerance, with values that the stream can store
 *   influence.c        finds the vertices that follow each bone
 *   error.c            measures the error at vertices when Tiny3D plays the keys
 *   tolerance.c        derives the tolerances of channels from one at the vertices
 *   clips.c            combines these steps
 */
#ifndef TL_T3DM_ANIMATION_ANIMATION_H
#define TL_T3DM_ANIMATION_ANIMATION_H

#include "formats/t3dm/encode/encode.h"

/* One channel of the file: a rotation, or one axis of a vector. It is linear between its samples. */
typedef struct t3dm_curve {
    const trilo_channel *channel; /* of the source, made linear and starting at 0 */
    uint32_t axis;                /* 0 to 2 */
    uint32_t component;           /* of the axis in a key's values */
    t3dm_mapping mapping;
    bool retimed; /* a key was moved to another time */
    uint32_t count;
    uint32_t *ticks;
    double *times;          /* in the source, in seconds: each sample has the value of that time */
    double *scalars;        /* in units of the file */
    double (*rotations)[4]; /* unit quaternions, each in the hemisphere of the one before; NULL: a scalar curve */
    double tolerance;       /* units, or the sine of half an angle; 0: as good as Tiny3D's converter */
} t3dm_curve;

/* --- static_channels.c --- */

/* Bits of what some clip animates, for each node. False: no memory. */
bool tl_t3dm_find_animated(t3dm_encoder *e, uint8_t **animated);
/* The bit of a channel's axis. */
uint8_t tl_t3dm_animated_bit(const trilo_channel *channel, uint32_t axis);

/* --- sample.c --- */

/* Samples of a curve whose channel is set. False: no memory. */
bool tl_t3dm_sample_curve(t3dm_encoder *e, double duration, t3dm_curve *curve);
/* The value of a source channel; slerp or nlerp between rotations, as the policy says. */
void tl_t3dm_source_value(const t3dm_encoder *e, const trilo_channel *channel, double seconds, double out[4]);
/* The length of the clip in ticks. */
uint32_t tl_t3dm_last_tick(const t3dm_encoder *e, double duration);

/* --- reduce.c --- */

/* The keys of the stream: every sample, or as few as the tolerance of the curve allows. False: no memory. */
bool tl_t3dm_make_keys(t3dm_encoder *e, const t3dm_curve *curve, tl_sdata_channel *out);

/* --- influence.c --- */

/* The vertices of all objects in the spaces of their bones. */
typedef struct t3dm_skin_samples t3dm_skin_samples;

/* NULL: no memory. */
const t3dm_skin_samples *tl_t3dm_skin_samples_new(t3dm_encoder *e);
/* The points that follow a bone, in its space, and the corners of their bounding box. */
const trilo_vec3 *tl_t3dm_skin_sample_points(const t3dm_skin_samples *samples, uint32_t bone, trilo_vec3 corners[8],
                                             uint32_t *count);
/* The largest distance that a vertex moves when the channel changes by 1: a unit, a factor, or 1 as the sine of half an
 * angle. */
double tl_t3dm_error_per_unit(const t3dm_skin_samples *samples, const t3dm_curve *curve);

/* --- error.c --- */

/* A clip being encoded. */
typedef struct t3dm_clip_builder {
    const trilo_channel *channels; /* of the source, made linear and starting at 0 */
    uint32_t channel_count;
    t3dm_curve *curves; /* of each channel of `sdata` */
    tl_sdata sdata;
    uint32_t last_tick;
} t3dm_clip_builder;

/* The largest distance of a vertex at a tick between the source and what Tiny3D plays, in units of the file. False: no
 * memory. */
bool tl_t3dm_clip_error(t3dm_encoder *e, const t3dm_skin_samples *samples, const t3dm_clip_builder *clip,
                        double *error);

/* --- tolerance.c --- */

/* Reduces the keys of all curves of a clip within the given tolerance and reports the result. `samples` may be NULL
 * without a tolerance. */
bool tl_t3dm_fit_tolerance(t3dm_encoder *e, t3dm_clip_builder *clip, const t3dm_skin_samples *samples);

#endif
