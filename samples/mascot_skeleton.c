/* mascot_skeleton.c: the bones at rest.
 *
 *   head - thorax.1 - thorax.2 - ROOT - thorax.3 - thorax.4 - tail
 *
 * The root sits in the middle, so that a bend near one end does not swing the other. Legs hang from the nearest thorax
 * bone. Along a leg, +x points from the hip to the knee and from the knee to the foot.
 */
#include "geometry.h"
#include "mascot.h"

#include <math.h>
#include <string.h>

/* Hip to knee and knee to foot, of a leg of size 1. */
#define LEG_THIGH 0.155f
#define LEG_SHIN  0.145f

const trilo_vec3 antenna_path[ANTENNA_POINTS] = {
    {0.055f, 0.115f, 0.415f}, {0.100f, 0.185f, 0.535f}, {0.165f, 0.235f, 0.620f},
    {0.225f, 0.250f, 0.700f}, {0.285f, 0.235f, 0.770f},
};

static const struct {
    const char *name;
    uint32_t parent;
} node_table[NODE_COUNT] = {
    {"root", TRILO_NONE},
    {"thorax.2", NODE_ROOT},
    {"thorax.1", NODE_THORAX_2},
    {"head", NODE_THORAX_1},
    {"thorax.3", NODE_ROOT},
    {"thorax.4", NODE_THORAX_3},
    {"tail", NODE_THORAX_4},
    {"antenna.left", NODE_HEAD},
    {"antenna.right", NODE_HEAD},
    {"antenna.left.tip", NODE_ANTENNA},
    {"antenna.right.tip", NODE_ANTENNA + 1},
    {"leg.1.left", NODE_THORAX_1},
    {"leg.1.right", NODE_THORAX_1},
    {"leg.1.left.shin", NODE_LEG},
    {"leg.1.right.shin", NODE_LEG + 1},
    {"leg.2.left", NODE_THORAX_2},
    {"leg.2.right", NODE_THORAX_2},
    {"leg.2.left.shin", NODE_LEG + 4},
    {"leg.2.right.shin", NODE_LEG + 5},
    {"leg.3.left", NODE_THORAX_2},
    {"leg.3.right", NODE_THORAX_2},
    {"leg.3.left.shin", NODE_LEG + 8},
    {"leg.3.right.shin", NODE_LEG + 9},
    {"leg.4.left", NODE_THORAX_3},
    {"leg.4.right", NODE_THORAX_3},
    {"leg.4.left.shin", NODE_LEG + 12},
    {"leg.4.right.shin", NODE_LEG + 13},
    {"leg.5.left", NODE_THORAX_4},
    {"leg.5.right", NODE_THORAX_4},
    {"leg.5.left.shin", NODE_LEG + 16},
    {"leg.5.right.shin", NODE_LEG + 17},
    {"leg.6.left", NODE_THORAX_4},
    {"leg.6.right", NODE_THORAX_4},
    {"leg.6.left.shin", NODE_LEG + 20},
    {"leg.6.right.shin", NODE_LEG + 21},
};

/* How many bone lengths behind the head a bone of the spine pivots. */
static const uint8_t spine_steps[] = {2, 2, 1, 0, 2, 3, 4};

static trilo_vec3 on_side(trilo_vec3 left, uint32_t side)
{
    return side ? vec3(0.0f - left.x, left.y, left.z) : left;
}

float leg_size(uint32_t pair)
{
    static const float sizes[LEG_PAIRS] = {1.00f, 1.00f, 0.97f, 0.93f, 0.90f, 0.84f};
    return sizes[pair];
}

trilo_vec3 leg_hip(uint32_t pair, uint32_t side)
{
    return on_side(vec3(0.115f - 0.006f * (float)pair, 0.075f, 0.125f - 0.072f * (float)pair), side);
}

/* The front feet reach forward, the rear ones back, and those in the middle furthest out. */
trilo_vec3 leg_foot(uint32_t pair, uint32_t side)
{
    static const float out[LEG_PAIRS] = {0.375f, 0.380f, 0.370f, 0.350f, 0.325f, 0.285f};
    static const float fore[LEG_PAIRS] = {0.045f, 0.020f, 0.000f, -0.018f, -0.040f, -0.070f};
    const trilo_vec3 hip = leg_hip(pair, 0);
    return on_side(vec3(out[pair], 0.0f, hip.z + fore[pair]), side);
}

/* Two links in the upright plane through hip and foot, the knee on top. The law of cosines gives the cosines of the
 * angles, square roots their sines. */
void leg_reach(float size, trilo_vec3 hip, trilo_vec3 foot, trilo_quat *hip_rotation, trilo_quat *shin_rotation)
{
    const float thigh = LEG_THIGH * size, shin = LEG_SHIN * size;
    const trilo_vec3 d = vec3_sub(foot, hip);
    const float flat = sqrtf(d.x * d.x + d.z * d.z);
    const float reach = vec3_length(d);
    const heading yaw = {d.x / flat, 0.0f - d.z / flat};
    const heading slope = {flat / reach, d.y / reach};

    float c = (thigh * thigh + reach * reach - shin * shin) / (2.0f * thigh * reach);
    c = c > 1.0f ? 1.0f : c; /* out of reach: stretched */
    const heading lift = {c, sqrtf(1.0f - c * c)};

    float k = (reach * reach - thigh * thigh - shin * shin) / (2.0f * thigh * shin);
    k = k > 1.0f ? 1.0f : k;
    const heading knee = {k, 0.0f - sqrtf(1.0f - k * k)};

    *hip_rotation = quat_mul(quat_toward(AXIS_Y, yaw), quat_toward(AXIS_Z, heading_sum(slope, lift)));
    *shin_rotation = quat_toward(AXIS_Z, knee);
}

/* Everything but legs keeps the axes of the model. */
static void set_straight(skeleton *s, uint32_t node, trilo_vec3 at)
{
    trilo_node *n = &s->nodes[node];
    n->rotation = quat_identity();
    n->translation = at;
    if (n->parent != TRILO_NONE) {
        const float *up = s->worlds[n->parent].m;
        n->translation = vec3_sub(at, vec3(up[12], up[13], up[14]));
    }
}

static trilo_vec3 straight_at(uint32_t node)
{
    if (node >= NODE_ANTENNA) {
        const uint32_t point = node < NODE_ANTENNA_TIP ? 0 : ANTENNA_ELBOW;
        return on_side(antenna_path[point], (node - NODE_ANTENNA) & 1);
    }
    return vec3(0.0f, BODY_PIVOT_HEIGHT, BODY_HEAD_REAR - BODY_BONE_LENGTH * (float)spine_steps[node]);
}

static void set_leg(skeleton *s, uint32_t node)
{
    const uint32_t pair = (node - NODE_LEG) / 4, side = (node - NODE_LEG) & 1;
    trilo_node *n = &s->nodes[node];
    trilo_quat hip, shin;
    leg_reach(leg_size(pair), leg_hip(pair, side), leg_foot(pair, side), &hip, &shin);
    if (node == shin_node(pair, side)) {
        n->rotation = shin;
        n->translation = vec3(LEG_THIGH * leg_size(pair), 0.0f, 0.0f);
    } else {
        set_straight(s, node, leg_hip(pair, side));
        n->rotation = hip;
    }
}

void skeleton_build(skeleton *s)
{
    memset(s, 0, sizeof *s);
    for (uint32_t i = 0; i < NODE_COUNT; i++) {
        trilo_node *n = &s->nodes[i];
        n->name = (trilo_str){node_table[i].name, strlen(node_table[i].name)};
        n->parent = node_table[i].parent;
        n->scale = vec3(1.0f, 1.0f, 1.0f);
        if (i < NODE_LEG)
            set_straight(s, i, straight_at(i));
        else
            set_leg(s, i);
        n->local = mat4_rigid(n->translation, n->rotation);
        s->worlds[i] = n->parent == TRILO_NONE ? n->local : mat4_mul(&s->worlds[n->parent], &n->local);
    }
    for (uint32_t i = 1; i < NODE_COUNT; i++)
        s->joints[joint_of(i)] = (trilo_joint){i, mat4_rigid_inverse(&s->worlds[i])};
}

uint16_t skeleton_twin(uint16_t joint)
{
    const uint16_t first = joint_of(NODE_ANTENNA);
    return joint < first ? joint : (uint16_t)(first + ((joint - first) ^ 1));
}
