/* geometry.h: the little mathematics the samples need.
 *
 * Everything here is + - * / and sqrt, which IEEE 754 defines to the last bit, so that each compiler and byte order
 * makes the same file. The sine of the C library is not among them.
 */
#ifndef SAMPLES_GEOMETRY_H
#define SAMPLES_GEOMETRY_H

#include <trilobite/core.h>

/* Sine and cosine of an angle in turns: 1 is the whole circle. */
float sin_turns(float turns);
float cos_turns(float turns);

float mix(float a, float b, float t); /* a at t = 0, b at t = 1 */
float clamp01(float value);

trilo_vec3 vec3(float x, float y, float z);
trilo_vec3 vec3_add(trilo_vec3 a, trilo_vec3 b);
trilo_vec3 vec3_sub(trilo_vec3 a, trilo_vec3 b);
trilo_vec3 vec3_scale(trilo_vec3 a, float factor);
trilo_vec3 vec3_mix(trilo_vec3 a, trilo_vec3 b, float t);
trilo_vec3 vec3_cross(trilo_vec3 a, trilo_vec3 b);
trilo_vec3 vec3_unit(trilo_vec3 a); /* up (0, 1, 0) when there is no direction */
float vec3_dot(trilo_vec3 a, trilo_vec3 b);
float vec3_length(trilo_vec3 a);

/* A direction in a plane: the cosine and the sine of its angle. */
typedef struct heading {
    float c, s;
} heading;
heading heading_sum(heading a, heading b);

typedef enum axis { AXIS_X, AXIS_Y, AXIS_Z } axis;

trilo_quat quat_identity(void);
trilo_quat quat_about(axis around, float turns);
trilo_quat quat_toward(axis around, heading angle); /* the same from the angle's cosine and sine */
trilo_quat quat_mul(trilo_quat a, trilo_quat b);    /* b first, then a */

/* A rotation and a shift: all a bone of these models ever does at rest. */
trilo_mat4 mat4_rigid(trilo_vec3 translation, trilo_quat rotation);
trilo_mat4 mat4_rigid_inverse(const trilo_mat4 *rigid);
trilo_mat4 mat4_mul(const trilo_mat4 *a, const trilo_mat4 *b);
trilo_vec3 mat4_point(const trilo_mat4 *a, trilo_vec3 point);

#endif
