/* vec.h: vectors, quaternions and matrices.
 *
 * Computed in double and rounded once, with + - * / and sqrt only, so that every compiler and machine gives the same
 * bits.
 */
#ifndef TL_BASE_VEC_H
#define TL_BASE_VEC_H

#include "trilobite/core.h"

trilo_vec3 tl_vec3_lerp(trilo_vec3 from, trilo_vec3 to, double amount);
/* A zero or non-finite vector gives 0, 0, 0. */
trilo_vec3 tl_vec3_normalize(trilo_vec3 v);

/* A zero or non-finite quaternion gives the identity. */
trilo_quat tl_quat_normalize(trilo_quat q);
trilo_quat tl_quat_conjugate(trilo_quat q); /* of a unit quaternion: the inverse rotation */
/* Applies b first, then a, as with matrices. */
trilo_quat tl_quat_mul(trilo_quat a, trilo_quat b);
/* Spherical linear interpolation along the shorter arc. The arguments need not be normalized; the result is. */
trilo_quat tl_quat_slerp(trilo_quat from, trilo_quat to, double amount);
/* The same in two steps, for many amounts between two rotations. */
typedef struct tl_quat_arc {
    double a[4], b[4];  /* unit quaternions in one hemisphere */
    double angle, sine; /* of it; 0: so small that a chord is as good */
} tl_quat_arc;
#define TL_QUAT_ARC_LEAST 1e-4 /* of an angle: below, linear interpolation is off by less than 1e-13 */
tl_quat_arc tl_quat_arc_between(trilo_quat from, trilo_quat to);
trilo_quat tl_quat_arc_at(const tl_quat_arc *arc, double amount);

trilo_mat4 tl_mat4_identity(void);
trilo_mat4 tl_mat4_mul(const trilo_mat4 *a, const trilo_mat4 *b);
/* Translation * rotation * scale. The rotation need not be normalized. */
trilo_mat4 tl_mat4_from_trs(trilo_vec3 translation, trilo_quat rotation, trilo_vec3 scale);

/* These three ignore the bottom row: it counts as 0, 0, 0, 1. */
trilo_vec3 tl_mat4_point(const trilo_mat4 *m, trilo_vec3 point);
trilo_vec3 tl_mat4_direction(const trilo_mat4 *m, trilo_vec3 direction);
/* Returns false and leaves *inverse unchanged if m is singular to within rounding, or not finite. */
bool tl_mat4_inverse_affine(const trilo_mat4 *m, trilo_mat4 *inverse);

/* The normal matrix of m: the inverse transpose up to a positive factor. Apply it with tl_mat4_direction, then
 * tl_vec3_normalize. For an m of rank 2 all normals become that of its plane; for a lower rank it is m itself. */
trilo_mat4 tl_mat4_normal(const trilo_mat4 *m);
/* True if the determinant is negative: then triangles need the opposite winding. */
bool tl_mat4_mirrors(const trilo_mat4 *m);

/* Transforms a normal by such a matrix and keeps its length. */
trilo_vec3 tl_mat4_rotation(const trilo_mat4 *normal_matrix, trilo_vec3 normal);

/* Decomposes m. Returns true if tl_mat4_from_trs gives m again, to about 1e-5 of each axis. Returns false for a matrix
 * with shear or another bottom row, with the nearest parts, and for one that is not finite, with those of the identity.
 * A mirroring matrix gets a negative x scale. */
bool tl_mat4_decompose(const trilo_mat4 *m, trilo_vec3 *translation, trilo_quat *rotation, trilo_vec3 *scale);

#endif
