/* sample_rotations.h: rotations of several channels at once, each in its lane.
 *
 * The bones of a clip mostly have keys at the same times. sample_rotations.inc computes their rotations, once for every
 * machine (sample_rotations.c) and once for AVX2 (sample_rotations_avx2.c), with the bits that tl_channel_sample_steps
 * has for each of them.
 */
#ifndef TL_MODEL_SAMPLE_ROTATIONS_H
#define TL_MODEL_SAMPLE_ROTATIONS_H

#include "model/curve.h"

enum { TL_ROTATION_LANES = 4 };

typedef struct tl_rotation_group {
    const trilo_channel *channels[TL_ROTATION_LANES]; /* linear rotations with the same times, at least one key */
    float *values[TL_ROTATION_LANES];                 /* of the steps, one after the other */
    uint32_t count;                                   /* of channels */
} tl_rotation_group;

/* True if the channel is a linear rotation with keys, at the times of those in the group if there are any. */
bool tl_rotation_group_fits(const tl_rotation_group *group, const trilo_channel *channel);
/* Stores the values of all channels at 0, 1 / rate, 2 / rate and so on, `steps` of them. */
void tl_rotation_group_sample(const tl_rotation_group *group, double rate, uint32_t steps);

/* The same of four channels, on every machine and with AVX2. False: not compiled for it. */
void tl_sample_four_rotations(const tl_rotation_group *group, double rate, uint32_t steps);
bool tl_sample_four_rotations_avx2(const tl_rotation_group *group, double rate, uint32_t steps);

#endif
