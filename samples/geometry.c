/* geometry.c: see geometry.h for why there is no call of sinf. */
#include "geometry.h"

#include <math.h>

/* Taylor's series on a quarter turn either way: wrong by less than one unit in the last place of a float. */
static double quarter_sine(double turns)
{
    const double x = turns * 6.283185307179586476925;
    const double q = x * x;
    double sum = 1.0 / 6227020800.0;
    sum = sum * q - 1.0 / 39916800.0;
    sum = sum * q + 1.0 / 362880.0;
    sum = sum * q - 1.0 / 5040.0;
    sum = sum * q + 1.0 / 120.0;
    sum = sum * q - 1.0 / 6.0;
    sum = sum * q + 1.0;
    return sum * x;
}

float sin_turns(float turns)
{
    double t = (double)turns;
    t -= (double)(long)t; /* (-1, 1) */
    if (t > 0.5)
        t -= 1.0;
    if (t < -0.5)
        t += 1.0;
    if (t > 0.25)
        t = 0.5 - t;
    if (t < -0.25)
        t = -0.5 - t;
    return (float)quarter_sine(t);
}

float cos_turns(float turns)
{
    return sin_turns(turns + 0.25f);
}

float mix(float a, float b, float t)
{
    return a + (b - a) * t;
}

float clamp01(float value)
{
    return value < 0.0f ? 0.0f : value > 1.0f ? 1.0f : value;
}

trilo_vec3 vec3(float x, float y, float z)
{
    return (trilo_vec3){x, y, z};
}

trilo_vec3 vec3_add(trilo_vec3 a, trilo_vec3 b)
{
    return vec3(a.x + b.x, a.y + b.y, a.z + b.z);
}

trilo_vec3 vec3_sub(trilo_vec3 a, trilo_vec3 b)
{
    return vec3(a.x - b.x, a.y - b.y, a.z - b.z);
}

trilo_vec3 vec3_scale(trilo_vec3 a, float factor)
{
    return vec3(a.x * factor, a.y * factor, a.z * factor);
}

trilo_vec3 vec3_mix(trilo_vec3 a, trilo_vec3 b, float t)
{
    return vec3(mix(a.x, b.x, t), mix(a.y, b.y, t), mix(a.z, b.z, t));
}

trilo_vec3 vec3_cross(trilo_vec3 a, trilo_vec3 b)
{
    return vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

float vec3_dot(trilo_vec3 a, trilo_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

float vec3_length(trilo_vec3 a)
{
    return sqrtf(vec3_dot(a, a));
}

trilo_vec3 vec3_unit(trilo_vec3 a)
{
    const float length = vec3_length(a);
    return length > 0.0f ? vec3_scale(a, 1.0f / length) : vec3(0.0f, 1.0f, 0.0f);
}

heading heading_sum(heading a, heading b)
{
    return (heading){a.c * b.c - a.s * b.s, a.s * b.c + a.c * b.s};
}

static trilo_quat quat_axis(axis around, float s, float c)
{
    return (trilo_quat){around == AXIS_X ? s : 0.0f, around == AXIS_Y ? s : 0.0f, around == AXIS_Z ? s : 0.0f, c};
}

trilo_quat quat_about(axis around, float turns)
{
    return quat_axis(around, sin_turns(0.5f * turns), cos_turns(0.5f * turns));
}

/* Half the angle by square roots; of the two formulas, the one that does not divide by almost nothing. */
trilo_quat quat_toward(axis around, heading angle)
{
    if (angle.c >= 0.0f) {
        const float c = sqrtf(0.5f * (1.0f + angle.c));
        return quat_axis(around, angle.s / (2.0f * c), c);
    }
    const float s = sqrtf(0.5f * (1.0f - angle.c));
    return quat_axis(around, s, angle.s / (2.0f * s));
}

trilo_quat quat_identity(void)
{
    return (trilo_quat){0.0f, 0.0f, 0.0f, 1.0f};
}

trilo_quat quat_mul(trilo_quat a, trilo_quat b)
{
    return (trilo_quat){
        a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
        a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
        a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
    };
}

/* Where the axes and the origin go. */
static trilo_mat4 mat4_columns(trilo_vec3 x, trilo_vec3 y, trilo_vec3 z, trilo_vec3 origin)
{
    const trilo_vec3 columns[4] = {x, y, z, origin};
    trilo_mat4 m;
    for (int i = 0; i < 4; i++) {
        m.m[4 * i] = columns[i].x;
        m.m[4 * i + 1] = columns[i].y;
        m.m[4 * i + 2] = columns[i].z;
        m.m[4 * i + 3] = i < 3 ? 0.0f : 1.0f;
    }
    return m;
}

trilo_mat4 mat4_rigid(trilo_vec3 translation, trilo_quat q)
{
    const float xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
    const float xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    const float wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    const trilo_vec3 x = vec3(1.0f - 2.0f * (yy + zz), 2.0f * (xy + wz), 2.0f * (xz - wy));
    const trilo_vec3 y = vec3(2.0f * (xy - wz), 1.0f - 2.0f * (xx + zz), 2.0f * (yz + wx));
    const trilo_vec3 z = vec3(2.0f * (xz + wy), 2.0f * (yz - wx), 1.0f - 2.0f * (xx + yy));
    return mat4_columns(x, y, z, translation);
}

/* Transposes the rotation and carries the shift back through it. */
trilo_mat4 mat4_rigid_inverse(const trilo_mat4 *rigid)
{
    const float *m = rigid->m;
    const trilo_vec3 x = vec3(m[0], m[4], m[8]), y = vec3(m[1], m[5], m[9]), z = vec3(m[2], m[6], m[10]);
    const trilo_mat4 turn = mat4_columns(x, y, z, vec3(0.0f, 0.0f, 0.0f));
    const trilo_vec3 shift = mat4_point(&turn, vec3(m[12], m[13], m[14]));
    return mat4_columns(x, y, z, vec3(0.0f - shift.x, 0.0f - shift.y, 0.0f - shift.z));
}

trilo_mat4 mat4_mul(const trilo_mat4 *a, const trilo_mat4 *b)
{
    trilo_mat4 product;
    for (int column = 0; column < 4; column++)
        for (int row = 0; row < 4; row++) {
            float sum = 0.0f;
            for (int k = 0; k < 4; k++)
                sum += a->m[4 * k + row] * b->m[4 * column + k];
            product.m[4 * column + row] = sum;
        }
    return product;
}

trilo_vec3 mat4_point(const trilo_mat4 *a, trilo_vec3 p)
{
    const float *m = a->m;
    return vec3(m[0] * p.x + m[4] * p.y + m[8] * p.z + m[12], m[1] * p.x + m[5] * p.y + m[9] * p.z + m[13],
                m[2] * p.x + m[6] * p.y + m[10] * p.z + m[14]);
}
