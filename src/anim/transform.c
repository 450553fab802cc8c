#include "anim/transform.h"
#include "base/strict_float.h"

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

static trilo_quat load_quat(const float q[4])
{
    return (trilo_quat){q[0], q[1], q[2], q[3]};
}

static void store_quat(float to[4], trilo_quat q)
{
    to[0] = q.x, to[1] = q.y, to[2] = q.z, to[3] = q.w;
}

trilo_mat4 tl_transform_matrix(const trilo_transform *p)
{
    return tl_mat4_from_trs((trilo_vec3){p->translation[0], p->translation[1], p->translation[2]},
                            load_quat(p->rotation), (trilo_vec3){p->scale[0], p->scale[1], p->scale[2]});
}

float *tl_transform_values(trilo_transform *transform, trilo_target target)
{
    const uint32_t axis = tl_target_axis(target);
    switch (tl_target_whole(target)) {
    case TRILO_TARGET_TRANSLATION:
        return transform->translation + axis;
    case TRILO_TARGET_ROTATION:
        return transform->rotation;
    default:
        return transform->scale + axis;
    }
}

uint8_t tl_transform_components(trilo_target target)
{
    const bool one = trilo_target_width(target) == 1;
    const uint32_t axis = tl_target_axis(target);
    switch (tl_target_whole(target)) {
    case TRILO_TARGET_TRANSLATION:
        return (uint8_t)(one ? 1u << axis : TL_COMPONENTS_TRANSLATION);
    case TRILO_TARGET_ROTATION:
        return TL_COMPONENTS_ROTATION;
    default:
        return (uint8_t)(one ? 0x10u << axis : TL_COMPONENTS_SCALE);
    }
}

/* ---- blending ---- */

/* The difference of huge numbers may overflow single precision. */
static float finite_or_else(float value, float instead)
{
    return isfinite(value) ? value : instead;
}

static float blend_scalar(float from, float to, double amount, tl_blending blending)
{
    if (blending == TL_BLEND_TINY3D)
        return finite_or_else(tl_tiny3d_lerp(from, to, (float)amount), to);
    return (float)(from + ((double)to - from) * amount);
}

static void blend_rotation(float from[4], const float to[4], double amount, tl_blending blending)
{
    float blended[4];
    if (blending == TL_BLEND_TINY3D)
        tl_tiny3d_nlerp(from, to, (float)amount, blended);
    else
        store_quat(blended, tl_quat_slerp(load_quat(from), load_quat(to), amount));
    memcpy(from, blended, sizeof blended);
}

void tl_transform_blend(trilo_transform *transform, const trilo_transform *over, unsigned components, double amount,
                        tl_blending blending)
{
    if (components == 0 || !(amount > 0))
        return;
    if (amount >= 1) {
        /* A full amount copies to the bit. */
        for (int i = 0; i < 3; i++) {
            transform->translation[i] = components >> i & 1 ? over->translation[i] : transform->translation[i];
            transform->scale[i] = components >> i & 0x10 ? over->scale[i] : transform->scale[i];
        }
        if (components & TL_COMPONENTS_ROTATION)
            memcpy(transform->rotation, over->rotation, sizeof transform->rotation);
        return;
    }
    for (int i = 0; i < 3; i++) {
        if (components >> i & 1)
            transform->translation[i] = blend_scalar(transform->translation[i], over->translation[i], amount, blending);
        if (components >> i & 0x10)
            transform->scale[i] = blend_scalar(transform->scale[i], over->scale[i], amount, blending);
    }
    if (components & TL_COMPONENTS_ROTATION)
        blend_rotation(transform->rotation, over->rotation, amount, blending);
}

/* ---- differences ---- */

void tl_transform_difference(trilo_target target, const float *first, float *value)
{
    const trilo_target whole = tl_target_whole(target);
    if (whole == TRILO_TARGET_ROTATION) {
        store_quat(value, tl_quat_normalize(tl_quat_mul(tl_quat_conjugate(load_quat(first)), load_quat(value))));
        return;
    }
    for (uint32_t i = 0; i < trilo_target_width(target); i++)
        if (whole == TRILO_TARGET_TRANSLATION)
            value[i] -= first[i];
        else
            value[i] = first[i] != 0 ? value[i] / first[i] : 1;
}

void tl_transform_add(trilo_transform *transform, const trilo_transform *difference, unsigned components, double amount,
                      tl_blending blending)
{
    trilo_transform some = tl_transform_identity();
    tl_transform_blend(&some, difference, components, amount, blending);
    for (int i = 0; i < 3; i++) {
        transform->translation[i] =
            finite_or_else(transform->translation[i] + some.translation[i], transform->translation[i]);
        transform->scale[i] = finite_or_else(transform->scale[i] * some.scale[i], transform->scale[i]);
    }
    if (components & TL_COMPONENTS_ROTATION)
        store_quat(transform->rotation,
                   tl_quat_normalize(tl_quat_mul(load_quat(transform->rotation), load_quat(some.rotation))));
}
