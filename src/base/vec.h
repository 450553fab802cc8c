/* vec.h: vectors, rotations and matrices.
 *
 * Everything is worked out in double and rounded once, with + - * / and sqrt only: the bits are the same whatever the
 * compiler and the machine.
 */
#ifndef TL_BASE_VEC_H
#define TL_BASE_VEC_H

#include "trilobite/core.h"

trilo_vec3 tl_vec3_lerp(trilo_vec3 from, trilo_vec3 to, double amount);
/* Length 1; what has no direction (zero, not finite) answers 0, 0, 0. */
trilo_vec3 tl_vec3_normalize(trilo_vec3 v);

/* Length 1; what is no rotation (zero, not finite) answers the identity. */
trilo_quat tl_quat_normalize(trilo_quat q);
trilo_quat tl_quat_conjugate(trilo_quat q); /* of a unit quaternion: the inverse rotation */
/* First b, then a, as with matrices. */
trilo_quat tl_quat_mul(trilo_quat a, trilo_quat b);
/* The shorter arc at even speed; the result has length 1, the arguments may have any. */
trilo_quat tl_quat_slerp(trilo_quat from, trilo_quat to, double amount);

trilo_mat4 tl_mat4_identity(void);
trilo_mat4 tl_mat4_mul(const trilo_mat4 *a, const trilo_mat4 *b);
/* Translation * rotation * scale; a rotation of another length than 1 counts as if it had 1. */
trilo_mat4 tl_mat4_from_trs(trilo_vec3 translation, trilo_quat rotation, trilo_vec3 scale);

/* These three take the bottom row for 0, 0, 0, 1. */
trilo_vec3 tl_mat4_point(const trilo_mat4 *m, trilo_vec3 point);
trilo_vec3 tl_mat4_direction(const trilo_mat4 *m, trilo_vec3 direction);
/* False, and *inverse as it was, when m is singular, so nearly so that rounding decides, or not finite. */
bool tl_mat4_inverse_affine(const trilo_mat4 *m, trilo_mat4 *inverse);

/* What to put normals through (tl_mat4_direction, then tl_vec3_normalize) when points go through m: the inverse
 * transpose, of which only the direction is kept. A flat m sends normals to the normal of its plane; one flatter still
 * turns them like points. */
trilo_mat4 tl_mat4_normal(const trilo_mat4 *m);
/* Does it turn what is in front to the back? Triangles then need the other winding. */
bool tl_mat4_mirrors(const trilo_mat4 *m);

/* A normal put through such a matrix, as long afterwards as before. */
trilo_vec3 tl_mat4_rotation(const trilo_mat4 *normal_matrix, trilo_vec3 normal);

/* The parts of m: from_trs of them is m again, to about 1e-5 of each axis, when the answer is true. It is false for a
 * matrix that shears or has a bottom row of its own, where the parts are the nearest ones, and for one that is not
 * finite, where they are the identity's. A mirroring matrix has a negative x scale. */
bool tl_mat4_decompose(const trilo_mat4 *m, trilo_vec3 *translation, trilo_quat *rotation, trilo_vec3 *scale);

#endif
