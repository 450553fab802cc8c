/* Channels that leave their node where it rests. */
#include "formats/t3dm/animation/animation.h"

#include "model/curve.h"
#include "model/target.h"
#include <math.h>

/* How far from its rest a part still rests. */
typedef struct slack {
    double place, turn, size; /* units of the model, parts of a rotation, a factor */
} slack;

/* Of a whole channel: so close to 0 or to each other that no eye tells. */
static const double NO_EYE_TELLS = 1e-5;

static bool is_vector(trilo_target target)
{
    return target == TRILO_TARGET_TRANSLATION || target == TRILO_TARGET_SCALE;
}

static bool is_translation(trilo_target target)
{
    return tl_target_whole(target) == TRILO_TARGET_TRANSLATION;
}

static bool is_near(double a, double b, double within)
{
    return fabs(a - b) <= fmax(within, NO_EYE_TELLS * fabs(b));
}

static bool rotation_rests(const trilo_node *node, const float q[4], double within)
{
    const trilo_quat rest = node->rotation;
    const double dot = (double)q[0] * rest.x + (double)q[1] * rest.y + (double)q[2] * rest.z + (double)q[3] * rest.w;
    const double sign = dot < 0 ? -1 : 1; /* q and -q are one rotation */
    return is_near(sign * q[0], rest.x, within) && is_near(sign * q[1], rest.y, within) &&
           is_near(sign * q[2], rest.z, within) && is_near(sign * q[3], rest.w, within);
}

static bool axis_rests(const trilo_model *model, const trilo_channel *c, uint32_t axis, uint32_t offset,
                       const slack *within)
{
    const trilo_node *node = &model->nodes[c->node];
    const trilo_vec3 v = is_translation(c->target) ? node->translation : node->scale;
    const double rest = axis == 0 ? v.x : axis == 1 ? v.y : v.z;
    const double most = is_translation(c->target) ? within->place : within->size;
    for (uint32_t k = 0; k < c->key_count; k++) {
        const float *value = tl_channel_value(c, k);
        if (!(c->target == TRILO_TARGET_ROTATION ? rotation_rests(node, value, within->turn)
                                                 : is_near(value[offset], rest, most)))
            return false;
    }
    return true;
}

static bool tangents_flat(const trilo_channel *c)
{
    const uint32_t stride = tl_channel_stride(c), width = trilo_target_width(c->target);
    for (size_t i = 0; c->interpolation == TRILO_INTERPOLATION_CUBIC && i < (size_t)stride * c->key_count; i++)
        if (i % stride / width != 1 && !(fabs(c->values[i]) <= 1e-5))
            return false;
    return true;
}

static uint32_t axis_of(const trilo_channel *c, uint32_t offset)
{
    return is_vector(c->target) ? offset : tl_target_axis(c->target);
}

bool tl_t3dm_channel_is_static(const trilo_model *model, const trilo_channel *c)
{
    const slack within = {NO_EYE_TELLS, NO_EYE_TELLS, NO_EYE_TELLS};
    const uint32_t axes = is_vector(c->target) ? 3 : 1;
    bool rests = tangents_flat(c);
    for (uint32_t k = 0; rests && k < axes; k++)
        rests = axis_rests(model, c, axis_of(c, k), k, &within);
    return rests;
}

/* --- all clips --- */

enum { PART_PLACE = 0, PART_SIZE = 3, PART_TURN = 6 };

uint8_t tl_t3dm_part_bit(const trilo_channel *c, uint32_t axis)
{
    const uint32_t turn = PART_TURN, vector = (is_translation(c->target) ? PART_PLACE : PART_SIZE) + axis;
    return (uint8_t)(1u << (c->target == TRILO_TARGET_ROTATION ? turn : vector));
}

static void note_moves(const trilo_model *model, const trilo_channel *c, const slack *within, uint8_t *moves)
{
    const uint32_t axes = is_vector(c->target) ? 3 : 1;
    const bool flat = tangents_flat(c);
    for (uint32_t k = 0; c->key_count > 0 && k < axes; k++)
        if (!flat || !axis_rests(model, c, axis_of(c, k), k, within))
            moves[c->node] |= tl_t3dm_part_bit(c, axis_of(c, k));
}

/* How much larger what stands below a node's parents is than in its own units. */
static bool find_zooms(t3dm_encoder *e, double **out)
{
    const trilo_node *nodes = e->model->nodes;
    double *zooms = tl_array_raw(e->arena, e->model->node_count, sizeof *zooms);
    for (uint32_t n = 0; zooms && n < e->model->node_count; n++) {
        const uint32_t parent = nodes[n].parent;
        const trilo_vec3 s = parent == TRILO_NONE ? (trilo_vec3){1, 1, 1} : nodes[parent].scale;
        const double most = fmax(fabs((double)s.x), fmax(fabs((double)s.y), fabs((double)s.z)));
        zooms[n] = parent == TRILO_NONE ? 1 : zooms[parent] * most;
    }
    *out = zooms;
    return zooms != NULL;
}

/* The console leaves a bone as it is where a clip has no channel for it: a part may do without only if it rests in all
 * clips, for any of them may have been played before. Exporters leave noise: vertices stand on whole units, so a 256th
 * of one is none, and so is a turn or a growth by a 10,000th. */
bool tl_t3dm_find_moves(t3dm_encoder *e, uint8_t **moves)
{
    double *zooms;
    *moves = TL_ARRAY(e->arena, e->model->node_count, uint8_t);
    if (!*moves || !find_zooms(e, &zooms))
        return false;
    for (uint32_t i = 0; i < e->model->clip_count; i++)
        for (uint32_t k = 0; k < e->model->clips[i].channel_count; k++) {
            const trilo_channel *c = &e->model->clips[i].channels[k];
            const double unit = fabs(e->policy.scale) * fmax(1, zooms[c->node]);
            const slack within = {unit > 0 ? 1 / (256 * unit) : 0, 1e-4, 1e-4};
            note_moves(e->model, c, &within, *moves);
        }
    return true;
}
