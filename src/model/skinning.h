/* skinning.h: transforming vertices by a pose, with either kind of skinning. */
#ifndef TL_MODEL_SKINNING_H
#define TL_MODEL_SKINNING_H

#include "base/arena.h"
#include "trilobite/pose.h"

/* The matrix of a vertex from its joints and weights; false: it has no weight. */
typedef bool tl_skinning_fn(const void *joints_of, const uint16_t joints[4], const float weights[4],
                            trilo_mat4 *blended);

typedef struct tl_skinning {
    tl_skinning_fn *fn; /* NULL: rigid */
    const void *joints;
} tl_skinning;

/* As trilo_pose_vertices. */
void tl_skin_vertices(const trilo_model *model, uint32_t mesh, const trilo_mat4 *worlds, tl_skinning skinning,
                      const float (*from)[3], const float (*from_normals)[3], float (*positions)[3],
                      float (*normals)[3]);

/* The joint matrices of every skin, so that meshes that share skins in any order do not compute them again.
 * NULL: memory ran out. */
trilo_mat4 **tl_skins_new(tl_arena *arena, const trilo_model *model);
void tl_skins_pose(const trilo_model *model, const trilo_mat4 *worlds, trilo_mat4 *const *skins);

#endif
