/* pose.h: the pose of a part of a model. */
#ifndef TL_MODEL_POSE_H
#define TL_MODEL_POSE_H

#include "trilobite/pose.h"

/* As trilo_pose_locals and trilo_pose_worlds, for some of the nodes: in ascending order, with all nodes that the clip
 * has channels for, and with all their descendants. The matrices of the other nodes must be those of the rest pose. */
void tl_pose_nodes(const trilo_model *model, uint32_t clip, double seconds, const uint32_t *nodes, uint32_t count,
                   trilo_mat4 *locals, trilo_mat4 *worlds);

#endif
