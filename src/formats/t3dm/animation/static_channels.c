/* Channels that never leave the rest pose. */
#include "base/strict_float.h"
#include "formats/t3dm/animation/animation.h"

#include "model/curve.h"
#include "model/target.h"
#include <math.h>

/* Differences from the rest pose that do not count as motion. */
typedef struct rest_tolerance {
    double translation, rotation, scale; /* units of the model, components of a quaternion, a factor */
} rest_tolerance;

static const double INVISIBLE = 1e-5; /* absolute, or relative to the value */

/* How far a value may be from the rest pose. */
static double rest_distance(double rest, double tolerance)
{
    return fmax(tolerance, INVISIBLE * fabs(rest));
}

static bool rotation_is_static(const trilo_channel *c, trilo_quat rest, double tolerance)
{
    const double q[4] = {rest.x, rest.y, rest.z, rest.w};
    double most[4];
    for (int i = 0; i < 4; i++)
        most[i] = rest_distance(q[i], tolerance);
    for (uint32_t k = 0; k < c->key_count; k++) {
        const float *value = tl_channel_value(c, k);
        const double dot = value[0] * q[0] + value[1] * q[1] + value[2] * q[2] + value[3] * q[3];
        const double sign = dot < 0 ? -1 : 1; /* q and -q are one rotation */
        for (int i = 0; i < 4; i++)
            if (!(fabs(sign * value[i] - q[i]) <= most[i]))
                return false;
    }
    return true;
}

/* One axis of a channel; a rotation is one axis. */
static bool axis_is_static(const trilo_model *model, const trilo_channel *c, uint32_t component,
                           const rest_tolerance *tolerance)
{
    const trilo_node *node = &model->nodes[c->node];
    const bool translation = tl_target_whole(c->target) == TRILO_TARGET_TRANSLATION;
    const trilo_vec3 v = translation ? node->translation : node->scale;
    const uint32_t axis = tl_target_width(c->target) == 3 ? component : tl_target_axis(c->target);
    const double rest = axis == 0 ? v.x : axis == 1 ? v.y : v.z;
    const double most = rest_distance(rest, translation ? tolerance->translation : tolerance->scale);
    if (c->target == TRILO_TARGET_ROTATION)
        return rotation_is_static(c, node->rotation, tolerance->rotation);
    for (uint32_t k = 0; k < c->key_count; k++)
        if (!(fabs(tl_channel_value(c, k)[component] - rest) <= most))
            return false;
    return true;
}

/* A cubic curve with tangents moves even between equal keys. */
static bool tangents_are_flat(const trilo_channel *c)
{
    const uint32_t stride = tl_channel_stride(c), width = tl_target_width(c->target);
    for (size_t i = 0; c->interpolation == TRILO_INTERPOLATION_CUBIC && i < (size_t)stride * c->key_count; i++)
        if (i % stride / width != 1 && !(fabs(c->values[i]) <= INVISIBLE))
            return false;
    return true;
}

static uint32_t axis_count(const trilo_channel *c)
{
    return tl_target_width(c->target) == 3 ? 3 : 1;
}

bool tl_t3dm_channel_is_static(const trilo_model *model, const trilo_channel *c)
{
    const rest_tolerance tolerance = {INVISIBLE, INVISIBLE, INVISIBLE};
    bool is_static = tangents_are_flat(c);
    for (uint32_t k = 0; is_static && k < axis_count(c); k++)
        is_static = axis_is_static(model, c, k, &tolerance);
    return is_static;
}

/* --- all clips --- */

uint8_t tl_t3dm_animated_bit(const trilo_channel *c, uint32_t axis)
{
    enum { TRANSLATION_BIT = 0, SCALE_BIT = 3, ROTATION_BIT = 6 };
    const trilo_target whole = tl_target_whole(c->target);
    return (uint8_t)(1u << (whole == TRILO_TARGET_ROTATION      ? ROTATION_BIT
                            : whole == TRILO_TARGET_TRANSLATION ? TRANSLATION_BIT + axis
                                                                : SCALE_BIT + axis));
}

/* Tiny3D leaves a bone as it is where a clip has no channel for it. So a channel may be left out only if it is static
 * in all clips, for any of them may have been played before. Exporters leave noise: vertices have whole units, so a
 * 256th of one is none, and neither is a rotation or a scale by a 10,000th. */
bool tl_t3dm_find_animated(t3dm_encoder *e, uint8_t **animated)
{
    const trilo_model *model = e->model;
    double *world_scale = tl_array_raw(e->arena, model->node_count, sizeof *world_scale); /* of the parents */
    *animated = TL_ARRAY(e->arena, model->node_count, uint8_t);
    if (!*animated || !world_scale)
        return false;
    for (uint32_t n = 0; n < model->node_count; n++) {
        const uint32_t parent = model->nodes[n].parent;
        const trilo_vec3 s = parent == TRILO_NONE ? (trilo_vec3){1, 1, 1} : model->nodes[parent].scale;
        const double largest = fmax(fabs((double)s.x), fmax(fabs((double)s.y), fabs((double)s.z)));
        world_scale[n] = parent == TRILO_NONE ? 1 : world_scale[parent] * largest;
    }
    for (uint32_t i = 0; i < model->clip_count; i++)
        for (uint32_t k = 0; k < model->clips[i].channel_count; k++) {
            const trilo_channel *c = &model->clips[i].channels[k];
            const double units = fabs(e->policy.scale) * fmax(1, world_scale[c->node]);
            const rest_tolerance tolerance = {units > 0 ? 1 / (256 * units) : 0, 1e-4, 1e-4};
            const bool flat = tangents_are_flat(c);
            for (uint32_t a = 0; c->key_count > 0 && a < axis_count(c); a++)
                if (!flat || !axis_is_static(model, c, a, &tolerance))
                    (*animated)[c->node] |= tl_t3dm_animated_bit(c, axis_count(c) == 3 ? a : tl_target_axis(c->target));
        }
    return true;
}
