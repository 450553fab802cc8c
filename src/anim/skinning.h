/* skinning.h: vertices put where a pose has them. */
#ifndef TL_ANIM_SKINNING_H
#define TL_ANIM_SKINNING_H

#include "trilobite/pose.h"

/* The matrix that a vertex goes through; false for one that hangs on no joint. */
typedef bool tl_blend_fn(const void *joints_of, const uint16_t joints[4], const float weights[4], trilo_mat4 *blended);

typedef struct tl_blender {
    tl_blend_fn *fn; /* NULL: rigid */
    const void *joints;
} tl_blender;

/* As trilo_pose_vertices. */
void tl_place_vertices(const trilo_model *model, uint32_t mesh, const trilo_mat4 *worlds, tl_blender blender,
                       const float (*from)[3], const float (*from_normals)[3], float (*positions)[3],
                       float (*normals)[3]);

#endif
