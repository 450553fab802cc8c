#include "anim/transform.h"

#include "anim/tiny3d_sample.h"
#include "base/vec.h"
#include "model/target.h"

#include <math.h>
#include <string.h>

trilo_transform tl_transform_identity(void)
{
    return (trilo_transform){{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
}

trilo_transform tl_transform_rest(const trilo_node *node)
{
    const trilo_vec3 t = node->translation, s = node->scale;
    const trilo_quat r = node->rotation;
    return (trilo_transform){{t.x, t.y, t.z}, {r.x, r.y, r.z, r.w}, {s.x, s.y, s.z}};
}

static trilo_quat quat_of(const float q[4])
{
    return (trilo_quat){q[0], q[1], q[2], q[3]};
}

static void put_quat(float to[4], trilo_quat q)
{
    to[0] = q.x, to[1] = q.y, to[2] = q.z, to[3] = q.w;
}

trilo_mat4 tl_transform_matrix(const trilo_transform *p)
{
    return tl_mat4_from_trs((trilo_vec3){p->translation[0], p->translation[1], p->translation[2]}, quat_of(p->rotation),
                            (trilo_vec3){p->scale[0], p->scale[1], p->scale[2]});
}

float *tl_transform_place(trilo_transform *parts, trilo_target target)
{
    const uint32_t axis = tl_target_axis(target);
    switch (tl_target_whole(target)) {
    case TRILO_TARGET_TRANSLATION:
        return parts->translation + axis;
    case TRILO_TARGET_ROTATION:
        return parts->rotation;
    default:
        return parts->scale + axis;
    }
}

uint8_t tl_transform_cover(trilo_target target)
{
    const bool one = trilo_target_width(target) == 1;
    const uint32_t axis = tl_target_axis(target);
    switch (tl_target_whole(target)) {
    case TRILO_TARGET_TRANSLATION:
        return (uint8_t)(one ? 1u << axis : TL_COVER_TRANSLATION);
    case TRILO_TARGET_ROTATION:
        return TL_COVER_ROTATION;
    default:
        return (uint8_t)(one ? 0x10u << axis : TL_COVER_SCALE);
    }
}

/* ---- one above the other ---- */

/* Huge numbers may be too far apart for single precision. */
static float finite_or(float value, float instead)
{
    return isfinite(value) ? value : instead;
}

static float mix_number(float from, float to, double amount, tl_mixing mixing)
{
    if (mixing == TL_MIX_EXACT)
        return finite_or(tl_tiny3d_lerp(from, to, (float)amount), to);
    return (float)(from + ((double)to - from) * amount);
}

static void mix_rotation(float from[4], const float to[4], double amount, tl_mixing mixing)
{
    float mixed[4];
    if (mixing == TL_MIX_EXACT)
        tl_tiny3d_nlerp(from, to, (float)amount, mixed);
    else
        put_quat(mixed, tl_quat_slerp(quat_of(from), quat_of(to), amount));
    memcpy(from, mixed, sizeof mixed);
}

/* What is there whole is copied: to the bit. */
static void copy_parts(trilo_transform *parts, const trilo_transform *over, unsigned cover)
{
    for (int i = 0; i < 3; i++) {
        parts->translation[i] = cover >> i & 1 ? over->translation[i] : parts->translation[i];
        parts->scale[i] = cover >> i & 0x10 ? over->scale[i] : parts->scale[i];
    }
    if (cover & TL_COVER_ROTATION)
        memcpy(parts->rotation, over->rotation, sizeof parts->rotation);
}

void tl_transform_mix(trilo_transform *parts, const trilo_transform *over, unsigned cover, double amount,
                      tl_mixing mixing)
{
    if (cover == 0 || !(amount > 0))
        return;
    if (amount >= 1) {
        copy_parts(parts, over, cover);
        return;
    }
    for (int i = 0; i < 3; i++) {
        if (cover >> i & 1)
            parts->translation[i] = mix_number(parts->translation[i], over->translation[i], amount, mixing);
        if (cover >> i & 0x10)
            parts->scale[i] = mix_number(parts->scale[i], over->scale[i], amount, mixing);
    }
    if (cover & TL_COVER_ROTATION)
        mix_rotation(parts->rotation, over->rotation, amount, mixing);
}

/* ---- differences ---- */

void tl_transform_difference(trilo_target target, const float *first, float *value)
{
    const trilo_target whole = tl_target_whole(target);
    if (whole == TRILO_TARGET_ROTATION) {
        const trilo_quat back = {-first[0], -first[1], -first[2], first[3]};
        put_quat(value, tl_quat_normalize(tl_quat_mul(back, quat_of(value))));
        return;
    }
    for (uint32_t i = 0; i < trilo_target_width(target); i++)
        if (whole == TRILO_TARGET_TRANSLATION)
            value[i] -= first[i];
        else
            value[i] = first[i] != 0 ? value[i] / first[i] : 1;
}

void tl_transform_add(trilo_transform *parts, const trilo_transform *difference, unsigned cover, double amount,
                      tl_mixing mixing)
{
    trilo_transform some = tl_transform_identity();
    tl_transform_mix(&some, difference, cover, amount, mixing);
    for (int i = 0; i < 3; i++) {
        parts->translation[i] = finite_or(parts->translation[i] + some.translation[i], parts->translation[i]);
        parts->scale[i] = finite_or(parts->scale[i] * some.scale[i], parts->scale[i]);
    }
    if (cover & TL_COVER_ROTATION)
        put_quat(parts->rotation, tl_quat_normalize(tl_quat_mul(quat_of(parts->rotation), quat_of(some.rotation))));
}
