/* The skeleton, and where nodes and joints end up.
 *
 * T3DM moves bones only. With the policy select_bones, those nodes become bones that are joints, that a clip moves
 * while they carry something, or that stand above a bone with a transform of their own. Without it all nodes of a model
 * with a skeleton do. Everything else is rigid: its vertices are transformed into the space of the bone above, or the
 * model's. */
#include "formats/t3dm/encode/encode.h"

#include "base/vec.h"
#include "model/curve.h"
#include "model/frames.h"
#include "model/target.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- what a node is --- */

enum { JOINT = 1, MOVED = 2, CARRIES = 4, BONE = 8, ABOVE_BONE = 16, HOME = 32 };

/* Blender binds vertices without a bone to one of this name; it stands still. */
static bool is_neutral(const trilo_node *node)
{
    return node->name.len == 12 && memcmp(node->name.data, "neutral_bone", 12) == 0;
}

static void mark_moved(const trilo_model *model, uint8_t *marks)
{
    for (uint32_t i = 0; i < model->clip_count; i++)
        for (uint32_t k = 0; k < model->clips[i].channel_count; k++) {
            const trilo_channel *c = &model->clips[i].channels[k];
            if (!(marks[c->node] & MOVED) && !tl_t3dm_channel_is_static(model, c))
                marks[c->node] |= MOVED;
        }
}

static void mark_joints(const trilo_model *model, uint8_t *marks)
{
    for (uint32_t i = 0; i < model->skin_count; i++)
        for (uint32_t k = 0; k < model->skins[i].joint_count; k++) {
            const uint32_t node = model->skins[i].joints[k].node;
            if (!is_neutral(&model->nodes[node]) || marks[node] & MOVED)
                marks[node] |= JOINT;
        }
}

/* Everything that a node takes along counts as carried: rigid meshes and joints, at it or below it. */
static void mark_carriers(const t3dm_encoder *e, uint8_t *marks)
{
    const trilo_model *model = e->model;
    for (uint32_t i = 0; i < e->mesh_count; i++) {
        const trilo_mesh *mesh = &model->meshes[e->meshes[i]];
        if (mesh->node != TRILO_NONE) /* a skinned mesh is at home there, but goes its own way */
            marks[mesh->node] |= mesh->skin == TRILO_NONE ? CARRIES : HOME;
    }
    for (uint32_t n = model->node_count; n-- > 0;) {
        const uint32_t parent = model->nodes[n].parent;
        marks[n] |= marks[n] & JOINT ? CARRIES : 0;
        if (parent != TRILO_NONE)
            marks[parent] |= marks[n] & CARRIES;
    }
}

static bool is_identity(const trilo_node *node)
{
    static const trilo_mat4 none = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};
    for (int i = 0; i < 16; i++)
        if (!(fabs((double)node->local.m[i] - none.m[i]) < 1e-4))
            return false;
    return true;
}

static void remark_bone(t3dm_encoder *e, enum t3dm_rule_id rule, uint32_t node, const char *why)
{
    tl_t3dm_enter(e, "nodes", node, e->model->nodes[node].name);
    tl_t3dm_report_loss(e, rule, "the node %s", why);
    tl_t3dm_leave(e);
}

/* Children come behind their parents: from the back, what is below a node is known when its turn comes. */
static uint32_t choose_bones(t3dm_encoder *e, uint8_t *marks)
{
    const trilo_model *model = e->model;
    uint32_t count = 0;
    for (uint32_t n = model->node_count; n-- > 0;) {
        const bool carrier = (marks[n] & MOVED) && (marks[n] & CARRIES);
        const bool stands = (marks[n] & ABOVE_BONE) && !is_identity(&model->nodes[n]);
        if (marks[n] & JOINT || carrier || stands) {
            marks[n] |= BONE;
            count++;
        }
        if (marks[n] & (BONE | ABOVE_BONE) && model->nodes[n].parent != TRILO_NONE)
            marks[model->nodes[n].parent] |= ABOVE_BONE;
    }
    for (uint32_t n = 0; n < model->node_count; n++) {
        if (!(marks[n] & BONE) || marks[n] & JOINT)
            continue;
        if (marks[n] & MOVED)
            remark_bone(e, T3DM_R_MADE_BONE, n, "is animated, so it became a bone");
        else
            remark_bone(e, T3DM_R_MADE_BONE, n,
                        "is an ancestor of bones and has a transform, so it became a bone; to avoid that, apply the "
                        "transform (Blender: Ctrl+A, All Transforms)");
    }
    return count;
}

/* A clip of nothing but frames moves no bone. */
static bool any_clip_of_bones(const trilo_model *model)
{
    for (uint32_t i = 0; i < model->clip_count; i++)
        if (!tl_clip_only_frames(&model->clips[i]))
            return true;
    return false;
}

static uint32_t mark_bones(t3dm_encoder *e, uint8_t *marks)
{
    const trilo_model *model = e->model;
    if (e->policy.select_bones) {
        mark_moved(model, marks);
        mark_joints(model, marks);
        mark_carriers(e, marks);
        return choose_bones(e, marks);
    }
    if (model->skin_count == 0 && !any_clip_of_bones(model))
        return 0;
    memset(marks, BONE, model->node_count);
    return model->node_count;
}

/* --- the skeleton --- */

/* Depth first, siblings in the model's order. Nodes come parent first, so a bone's place is behind its parent's subtree
 * so far: sizes of subtrees, summed from the back, give every place without recursion. */
static bool order_bones(t3dm_encoder *e, const uint8_t *marks, uint32_t bones)
{
    const trilo_model *model = e->model;
    const uint32_t count = model->node_count;
    uint32_t *size = TL_ARRAY(e->arena, count, uint32_t), *next = TL_ARRAY(e->arena, count, uint32_t);
    e->bone_of_node = TL_ARRAY(e->arena, count, uint32_t);
    e->node_of_bone = TL_ARRAY(e->arena, bones, uint32_t);
    if (!size || !next || !e->bone_of_node || !e->node_of_bone)
        return false;
    for (uint32_t n = count; n-- > 0;) {
        size[n] += marks[n] & BONE ? 1 : 0;
        if (model->nodes[n].parent != TRILO_NONE)
            size[model->nodes[n].parent] += size[n];
    }
    uint32_t root_place = 0;
    for (uint32_t n = 0; n < count; n++) {
        const uint32_t parent = model->nodes[n].parent;
        uint32_t *place = parent == TRILO_NONE ? &root_place : &next[parent];
        e->bone_of_node[n] = marks[n] & BONE ? *place : TRILO_NONE;
        next[n] = *place;
        if (marks[n] & BONE)
            e->node_of_bone[next[n]++] = n;
        *place += size[n];
    }
    return true;
}

/* The bone above a bone; T3DM_NO_BONE: none. The bones above have their places already. */
static uint32_t parent_of(const t3dm_encoder *e, uint32_t node)
{
    const uint32_t parent = e->model->nodes[node].parent;
    return parent == TRILO_NONE ? T3DM_NO_BONE : e->places[parent].bone;
}

static bool make_bone(t3dm_encoder *e, uint32_t i)
{
    const trilo_node *node = &e->model->nodes[e->node_of_bone[i]];
    t3dm_bone *bone = &e->file->bones[i];
    const uint32_t parent = parent_of(e, e->node_of_bone[i]);
    char made[24];
    bone->parent = (uint16_t)parent;
    bone->depth = parent == T3DM_NO_BONE ? 0 : (uint16_t)(e->file->bones[parent].depth + 1);
    const float scale[3] = {node->scale.x, node->scale.y, node->scale.z};
    const trilo_quat q = e->policy.normalize_rotations ? tl_quat_normalize(node->rotation) : node->rotation;
    const float rotation[4] = {q.x, q.y, q.z, q.w};
    const double place[3] = {node->translation.x, node->translation.y, node->translation.z};
    memcpy(bone->scale, scale, sizeof scale);
    memcpy(bone->rotation, rotation, sizeof rotation);
    for (int k = 0; k < 3; k++)
        bone->position[k] = (float)(place[k] * e->policy.scale);
    if (node->sheared)
        remark_bone(e, T3DM_R_LOST_SHEAR, e->node_of_bone[i],
                    "has shear, which a bone cannot have; the closest translation, rotation and scale were used");
    snprintf(made, sizeof made, "bone%" PRIu32, i); /* the console looks names up without testing for none */
    return tl_t3dm_add_string(e, node->name.len > 0 ? node->name.data : made, &bone->name);
}

static void remark_nodes(t3dm_encoder *e, const uint8_t *marks)
{
    uint32_t lost = 0, first = 0;
    for (uint32_t n = e->model->node_count; e->policy.select_bones && n-- > 0;)
        if (!(marks[n] & (BONE | ABOVE_BONE | CARRIES | HOME))) {
            lost++;
            first = n;
        }
    if (lost > 0)
        tl_t3dm_report_loss(e, T3DM_R_LOST_NODES, "nodes that carry nothing (%" PRIu32 ", such as \"%.60s\") are lost",
                            lost, e->model->nodes[first].name.data ? e->model->nodes[first].name.data : "");
    else if (!e->policy.select_bones && e->model->node_count > 0 && !e->bone_of_node)
        tl_t3dm_report_loss(e, T3DM_R_LOST_NODES, "the nodes are lost, their transforms are applied to the meshes");
}

bool tl_t3dm_encode_bones(t3dm_encoder *e)
{
    uint8_t *marks = TL_ARRAY(e->arena, e->model->node_count, uint8_t);
    if (!marks)
        return false;
    const uint32_t count = mark_bones(e, marks);
    if (count >= T3DM_NO_BONE)
        return tl_t3dm_encode_fail(e, T3DM_R_RANGE_COUNT, TRILO_CODE_LIMIT, "%" PRIu32 " bones, T3DM counts to 65534",
                                   count);
    if (count > 0 && !order_bones(e, marks, count))
        return false;
    remark_nodes(e, marks);
    e->file->bones = TL_ARRAY(e->arena, count, t3dm_bone);
    if (!e->file->bones || !tl_t3dm_place_nodes(e))
        return false;
    e->file->has_skeleton = count > 0;
    e->file->skeleton.bone_count = (uint16_t)count;
    for (uint32_t i = 0; i < count; i++)
        if (!make_bone(e, i))
            return false;
    return true;
}

/* --- places --- */

/* Parents come first, so each place is one step from the one above. */
bool tl_t3dm_place_nodes(t3dm_encoder *e)
{
    const trilo_model *model = e->model;
    t3dm_place *places = TL_ARRAY(e->arena, model->node_count, t3dm_place);
    e->places = places;
    e->skins = TL_ARRAY(e->arena, model->skin_count, t3dm_bound_joint *);
    if (!places || !e->skins)
        return false;
    for (uint32_t n = 0; n < model->node_count; n++) {
        const trilo_node *node = &model->nodes[n];
        const t3dm_place *above = node->parent == TRILO_NONE ? NULL : &places[node->parent];
        const bool bone = e->bone_of_node && e->bone_of_node[n] != TRILO_NONE;
        places[n] = (t3dm_place){.bone = bone    ? (uint16_t)e->bone_of_node[n]
                                         : above ? above->bone
                                                 : T3DM_NO_BONE,
                                 .moved = !bone,
                                 .mirrored = tl_mat4_mirrors(&node->local) != (above && above->mirrored),
                                 .from = tl_mat4_identity()};
        if (!bone)
            places[n].from = above && above->moved ? tl_mat4_mul(&above->from, &node->local) : node->local;
    }
    return true;
}

/* A joint that is no bone stands still below one, or in the model. */
const t3dm_bound_joint *tl_t3dm_bind_skin(t3dm_encoder *e, uint32_t skin)
{
    const trilo_skin *from = &e->model->skins[skin];
    if (e->skins[skin])
        return e->skins[skin];
    t3dm_bound_joint *joints = TL_ARRAY(e->arena, from->joint_count, t3dm_bound_joint);
    for (uint32_t i = 0; joints && i < from->joint_count; i++) {
        const trilo_joint *joint = &from->joints[i];
        const t3dm_place *place = &e->places[joint->node];
        joints[i].bone = place->bone;
        joints[i].points = place->moved ? tl_mat4_mul(&place->from, &joint->inverse_bind) : joint->inverse_bind;
        joints[i].normals = tl_mat4_normal(&joints[i].points);
    }
    e->skins[skin] = joints;
    return joints;
}
