/* pose.h: where everything is at a moment of a clip.
 *
 * Three steps over arrays of the caller's: local matrices from a clip, world matrices down the hierarchy, skinning
 * matrices for the vertices. Nothing is allocated.
 */
#ifndef TRILOBITE_POSE_H
#define TRILOBITE_POSE_H

#include "trilobite/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* node_count local matrices at `seconds` (held at the ends). A node that no channel moves keeps its own matrix; a part
 * (translation, rotation, scale) without a channel keeps its rest value. `clip` TRILO_NONE is the rest pose. */
TRILO_API void trilo_pose_locals(const trilo_model *model, uint32_t clip, double seconds, trilo_mat4 *locals);

/* world = parent's world * local, node_count of each. */
TRILO_API void trilo_pose_worlds(const trilo_model *model, const trilo_mat4 *locals, trilo_mat4 *worlds);

/* joint_count matrices that take a rest position of a skinned mesh to the pose: world(joint's node) * inverse bind. */
TRILO_API void trilo_pose_skin(const trilo_model *model, uint32_t skin, const trilo_mat4 *worlds, trilo_mat4 *matrices);

/* vertex_count positions and normals (NULL: not wanted) of a mesh in the pose; `skin_matrices` from trilo_pose_skin for
 * the mesh's skin, NULL for a rigid mesh. */
TRILO_API void trilo_pose_mesh(const trilo_model *model, uint32_t mesh, const trilo_mat4 *worlds,
                               const trilo_mat4 *skin_matrices, float (*positions)[3], float (*normals)[3]);

/* The value of one channel at `seconds`: trilo_target_width numbers. */
TRILO_API void trilo_channel_sample(const trilo_channel *channel, double seconds, float value[4]);

#ifdef __cplusplus
}
#endif
#endif
