/* animation.h: what the parts of the encoder share that make animations. */
#ifndef TL_T3DM_ANIMATION_ANIMATION_H
#define TL_T3DM_ANIMATION_ANIMATION_H

#include "formats/t3dm/encode/encode.h"

/* One channel of the file: a rotation, or one axis of a vector. Its samples stand on ticks so close that it is straight
 * between them. */
typedef struct t3dm_curve {
    const trilo_channel *channel; /* straight from key to key, from 0 on */
    uint32_t axis;                /* 0 to 2 */
    uint32_t offset;              /* of the axis in a key's values */
    t3dm_mapping mapping;
    bool moved; /* a key went to another moment */
    uint32_t count;
    uint32_t *ticks;
    double *moments;    /* whose values they get */
    double *numbers;    /* in units of the file */
    double (*turns)[4]; /* of length 1, each in the half of the one before; NULL: it is no rotation */
    double bound;       /* the most it may be off: units, or the sine of half an angle; 0: none is given */
} t3dm_curve;

/* --- rests (t3dm_encode_rests.c) --- */

/* Of each node: bits of the parts that some clip moves. False: no memory. */
bool tl_t3dm_find_moves(t3dm_encoder *e, uint8_t **moves);
/* The bit of what a channel moves. */
uint8_t tl_t3dm_part_bit(const trilo_channel *channel, uint32_t axis);

/* --- samples (t3dm_encode_keys.c) --- */

/* Ticks, moments and values of a curve whose channel is set. False: no memory. */
bool tl_t3dm_sample_curve(t3dm_encoder *e, double duration, t3dm_curve *curve);
/* The value of a channel at a moment; rotations of the console's own files go straight between keys. */
void tl_t3dm_channel_at(const t3dm_encoder *e, const trilo_channel *c, double moment, double out[4]);
/* The ticks, from 0 on, that the clip lasts. */
uint32_t tl_t3dm_last_tick(const t3dm_encoder *e, double duration);

/* --- keys (t3dm_encode_reduce.c) --- */

/* What the stream gets: every sample, or as few keys as the curve's bound allows. Without a bound they are as good as
 * those of Tiny3D's own converter. False: no memory. */
bool tl_t3dm_make_keys(t3dm_encoder *e, const t3dm_curve *curve, tl_sdata_channel *out);

/* --- vertices (t3dm_encode_reach.c, t3dm_encode_off.c) --- */

/* What hangs on the bones. */
typedef struct t3dm_body t3dm_body;

/* NULL: no memory. */
const t3dm_body *tl_t3dm_skin_samples_new(t3dm_encoder *e);
/* The points that follow a bone, in its space, and the corners of a box around them. */
const trilo_vec3 *tl_t3dm_skin_sample_points(const t3dm_body *body, uint32_t bone, trilo_vec3 corners[8],
                                             uint32_t *count);
/* How far a vertex goes at most when a channel changes by 1: by a unit, by a factor, or by 1 as the sine of half an
 * angle. */
double tl_t3dm_error_per_radian(const t3dm_body *body, const t3dm_curve *curve);

/* A clip as the source has it, and as the file will. */
typedef struct t3dm_take {
    const trilo_channel *ways; /* of the source */
    uint32_t way_count;
    t3dm_curve *curves; /* of the channels of `sdata` */
    tl_sdata sdata;
    uint32_t last_tick;
} t3dm_take;

/* The most that a vertex is off at a tick, in units of the file, for keys as the console plays them. False: no memory.
 */
bool tl_t3dm_clip_error(t3dm_encoder *e, const t3dm_body *body, const t3dm_take *take, double *off);

/* --- bounds (t3dm_encode_fit.c) --- */

/* Keys for all curves of a take, within the bounds that were given; what became of them is told. `body` may be NULL
 * when there are none. */
bool tl_t3dm_fit_tolerance(t3dm_encoder *e, t3dm_take *take, const t3dm_body *body);

#endif
