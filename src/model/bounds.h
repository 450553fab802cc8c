/* bounds.h: axis-aligned bounding boxes. */
#ifndef TL_MODEL_BOUNDS_H
#define TL_MODEL_BOUNDS_H

#include "trilobite/model.h"

trilo_bounds tl_bounds_empty(void);
bool tl_bounds_is_empty(const trilo_bounds *bounds);
void tl_bounds_add(trilo_bounds *bounds, trilo_vec3 point); /* a point that is not finite is ignored */
trilo_vec3 tl_bounds_center(const trilo_bounds *bounds);
float tl_bounds_longest(const trilo_bounds *bounds); /* its longest edge */

/* The world matrix of a node in the rest pose; the identity for TRILO_NONE. */
trilo_mat4 tl_node_world(const trilo_model *model, uint32_t node);

#endif
