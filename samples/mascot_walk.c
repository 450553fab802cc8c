/* mascot_walk.c: the walking clip, one second long.
 *
 * First the spine is posed: a small wave runs along it. Then each foot gets a position in the model's space, and the
 * leg reaches for it from the current place of its bone, so that a standing foot glides straight back over the ground
 * while the body sways above it. The legs of a side follow each other like a wave from the rear to the front, and the
 * two sides take turns.
 */
#include "geometry.h"
#include "mascot.h"

#include <string.h>

#define STRIDE     0.085f  /* how far a foot travels */
#define FOOT_LIFT  0.040f  /* how high it is carried forward */
#define STANDING   0.60f   /* which part of the time it is on the ground */
#define WAVE_STEP  0.1667f /* how much later the next leg to the front steps */
#define SPINE_SWAY 0.010f  /* in turns */
#define SPINE_NOD  0.006f
#define BOB        0.006f

typedef struct pose {
    trilo_quat rotations[NODE_COUNT];
    trilo_vec3 root;
    float tail_scale;
    trilo_mat4 worlds[NODE_COUNT];
} pose;

/* Where on the wave a bone of the spine is: behind the head, the wave comes later. */
static float spine_lag(uint32_t node)
{
    static const float lags[] = {0.36f, 0.27f, 0.18f, 0.0f, 0.45f, 0.54f, 0.66f};
    return lags[node];
}

/* The wave says how each bone is turned against the model; a bone's own part is the difference to its parent. */
static trilo_quat spine_rotation(uint32_t node, uint32_t parent, float phase)
{
    const float before = parent == NODE_ROOT ? 0.0f : 1.0f;
    const float sway = sin_turns(phase - spine_lag(node)) - before * sin_turns(phase - spine_lag(parent));
    const float nod = sin_turns(2.0f * phase - spine_lag(node)) - before * sin_turns(2.0f * phase - spine_lag(parent));
    return quat_mul(quat_about(AXIS_Y, SPINE_SWAY * sway), quat_about(AXIS_X, SPINE_NOD * nod));
}

static trilo_quat antenna_rotation(uint32_t node, float phase)
{
    const float side = (node - NODE_ANTENNA) & 1 ? -1.0f : 1.0f;
    const float lag = node < NODE_ANTENNA_TIP ? 0.0f : 0.15f;
    const float apart = 0.03f * side * sin_turns(phase - lag) + 0.012f * sin_turns(phase - lag);
    const float up = 0.025f * sin_turns(2.0f * phase - lag + 0.1f * side);
    return quat_mul(quat_about(AXIS_Y, apart), quat_about(AXIS_X, up));
}

/* Standing: straight back at an even pace. Swinging: forward in a soft arc. */
static trilo_vec3 foot_at(uint32_t pair, uint32_t side, float phase)
{
    float t = phase + WAVE_STEP * (float)pair + (side ? 0.5f : 0.0f);
    t -= (float)(int)t;
    trilo_vec3 foot = leg_foot(pair, side);
    if (t < STANDING) {
        foot.z += STRIDE * (0.5f - t / STANDING);
        return foot;
    }
    const float swing = (t - STANDING) / (1.0f - STANDING);
    const float eased = swing * swing * (3.0f - 2.0f * swing);
    foot.z += STRIDE * (eased - 0.5f);
    foot.y += FOOT_LIFT * sin_turns(0.5f * swing);
    return foot;
}

static void place(pose *p, const skeleton *s, uint32_t node)
{
    const trilo_node *n = &s->nodes[node];
    const trilo_vec3 at = node == NODE_ROOT ? p->root : n->translation;
    const trilo_mat4 local = mat4_rigid(at, p->rotations[node]);
    p->worlds[node] = n->parent == TRILO_NONE ? local : mat4_mul(&p->worlds[n->parent], &local);
}

static void pose_leg(pose *p, const skeleton *s, uint32_t pair, uint32_t side, float phase)
{
    const uint32_t hip = hip_node(pair, side), shin = shin_node(pair, side);
    const trilo_mat4 to_parent = mat4_rigid_inverse(&p->worlds[s->nodes[hip].parent]);
    const trilo_vec3 foot = mat4_point(&to_parent, foot_at(pair, side, phase));
    leg_reach(leg_size(pair), s->nodes[hip].translation, foot, &p->rotations[hip], &p->rotations[shin]);
}

static void pose_at(pose *p, const skeleton *s, float phase)
{
    p->root = s->nodes[NODE_ROOT].translation;
    p->root.y += BOB * sin_turns(2.0f * phase);
    p->rotations[NODE_ROOT] = quat_about(AXIS_Z, 0.004f * sin_turns(phase));
    p->tail_scale = 1.0f + 0.03f * sin_turns(phase);
    place(p, s, NODE_ROOT);
    for (uint32_t node = NODE_ROOT + 1; node < NODE_LEG; node++) {
        p->rotations[node] =
            node < NODE_ANTENNA ? spine_rotation(node, s->nodes[node].parent, phase) : antenna_rotation(node, phase);
        place(p, s, node);
    }
    for (uint32_t pair = 0; pair < LEG_PAIRS; pair++)
        for (uint32_t side = 0; side < 2; side++)
            pose_leg(p, s, pair, side, phase);
}

/* One rotation channel for each node, and two more: the root's translation and the tail's scale. */
static void set_key(walk *w, const pose *p, uint32_t key)
{
    for (uint32_t node = 0; node < NODE_COUNT; node++) {
        const trilo_quat q = p->rotations[node];
        memcpy(w->values[node] + 4 * key, (float[4]){q.x, q.y, q.z, q.w}, 4 * sizeof(float));
    }
    memcpy(w->values[NODE_COUNT] + 3 * key, (float[3]){p->root.x, p->root.y, p->root.z}, 3 * sizeof(float));
    memcpy(w->values[NODE_COUNT + 1] + 3 * key, (float[3]){p->tail_scale, p->tail_scale, p->tail_scale},
           3 * sizeof(float));
}

static void set_channels(walk *w)
{
    for (uint32_t i = 0; i < WALK_CHANNELS; i++)
        w->channels[i] = (trilo_channel){.node = i,
                                         .target = TRILO_TARGET_ROTATION,
                                         .key_count = WALK_KEYS,
                                         .times = w->times,
                                         .values = w->values[i]};
    w->channels[NODE_COUNT].node = NODE_ROOT;
    w->channels[NODE_COUNT].target = TRILO_TARGET_TRANSLATION;
    w->channels[NODE_COUNT + 1].node = NODE_TAIL;
    w->channels[NODE_COUNT + 1].target = TRILO_TARGET_SCALE;
}

void walk_build(walk *w, const skeleton *s)
{
    for (uint32_t key = 0; key < WALK_KEYS; key++) {
        pose p;
        pose_at(&p, s, (float)(key % (WALK_KEYS - 1)) / (WALK_KEYS - 1)); /* the last is the first again */
        set_key(w, &p, key);
        w->times[key] = 50.0 * key / 1000.0; /* whole ticks of a millisecond */
    }
    set_channels(w);
    w->clip = (trilo_clip){
        .name = {"walk", 4}, .duration = 1.0, .rate = 1000.0, .channel_count = WALK_CHANNELS, .channels = w->channels};
}
