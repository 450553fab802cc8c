/* transform.h: blending the transforms (translation, rotation, scale) of nodes. */
#ifndef TL_ANIM_TRANSFORM_H
#define TL_ANIM_TRANSFORM_H

#include "trilobite/pose.h"

/* Components of a transform: a bit for each axis, and one for the rotation. */
enum {
    TL_COMPONENTS_TRANSLATION = 0x07,
    TL_COMPONENTS_ROTATION = 0x08,
    TL_COMPONENTS_SCALE = 0x70,
    TL_COMPONENTS_ALL = 0x7F
};

/* lerp and slerp in double precision, or lerp and nlerp as Tiny3D computes them. */
typedef enum tl_blending { TL_BLEND_SMOOTH, TL_BLEND_TINY3D } tl_blending;

trilo_transform tl_transform_identity(void);
trilo_transform tl_transform_rest(const trilo_node *node);
trilo_mat4 tl_transform_matrix(const trilo_transform *transform);

/* The values of a target, and the bits of its components. */
float *tl_transform_values(trilo_transform *transform, trilo_target target);
uint8_t tl_transform_components(trilo_target target);

/* Blends `transform` towards `over` by an amount, in those components. */
void tl_transform_blend(trilo_transform *transform, const trilo_transform *over, unsigned components, double amount,
                        tl_blending blending);
/* Adds an amount of a difference (tl_transform_difference), in those components. */
void tl_transform_add(trilo_transform *transform, const trilo_transform *difference, unsigned components, double amount,
                      tl_blending blending);
/* Replaces `value` by its difference from `first`: a translation, a rotation, or a scale factor. */
void tl_transform_difference(trilo_target target, const float *first, float *value);

#endif
