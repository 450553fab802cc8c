/* The skeleton, and what nodes, joints and vertices are bound to.
 *
 * T3DM moves bones only. With the policy select_bones, those nodes become bones that are joints, that a clip moves
 * while they carry something, or that are ancestors of a bone and have a transform of their own. Without it all nodes
 * of a model with a skeleton do. Everything else is rigid: its vertices are transformed into the space of the bone
 * above, or the model's. */
#include "base/strict_float.h"
#include "formats/t3dm/encode/encode.h"

#include "base/json.h"
#include "base/vec.h"
#include "model/curve.h"
#include "model/frames.h"
#include "model/target.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- which nodes become bones --- */

enum { NODE_JOINT = 1, NODE_ANIMATED = 2, NODE_CARRIES = 4, NODE_BONE = 8, NODE_ABOVE_BONE = 16, NODE_HOME = 32 };

static void mark_nodes(const t3dm_encoder *e, uint8_t *marks)
{
    const trilo_model *model = e->model;
    for (uint32_t i = 0; i < model->clip_count; i++)
        for (uint32_t k = 0; k < model->clips[i].channel_count; k++) {
            const trilo_channel *c = &model->clips[i].channels[k];
            if (!(marks[c->node] & NODE_ANIMATED) && !tl_t3dm_channel_is_static(model, c))
                marks[c->node] |= NODE_ANIMATED;
        }
    for (uint32_t i = 0; i < model->skin_count; i++)
        for (uint32_t k = 0; k < model->skins[i].joint_count; k++) {
            const uint32_t node = model->skins[i].joints[k].node;
            const trilo_str name = model->nodes[node].name;
            /* Blender binds vertices without a bone to a joint of this name. */
            const bool neutral = name.len == 12 && memcmp(name.data, "neutral_bone", 12) == 0;
            if (!neutral || marks[node] & NODE_ANIMATED)
                marks[node] |= NODE_JOINT;
        }
    /* A node carries the rigid meshes and joints at it or below it. */
    for (uint32_t i = 0; i < e->mesh_count; i++) {
        const trilo_mesh *mesh = &model->meshes[e->meshes[i]];
        if (mesh->node != TRILO_NONE) /* a skinned mesh follows its joints, not its node */
            marks[mesh->node] |= mesh->skin == TRILO_NONE ? NODE_CARRIES : NODE_HOME;
    }
    for (uint32_t n = model->node_count; n-- > 0;) {
        const uint32_t parent = model->nodes[n].parent;
        marks[n] |= marks[n] & NODE_JOINT ? NODE_CARRIES : 0;
        if (parent != TRILO_NONE)
            marks[parent] |= marks[n] & NODE_CARRIES;
    }
}

static bool node_is_identity(const trilo_node *node)
{
    static const trilo_mat4 none = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};
    for (int i = 0; i < 16; i++)
        if (!(fabs((double)node->local.m[i] - none.m[i]) < 1e-4))
            return false;
    return true;
}

static void report_bone(t3dm_encoder *e, enum t3dm_rule_id rule, uint32_t node, const char *why)
{
    tl_t3dm_enter(e, "nodes", node, e->model->nodes[node].name);
    tl_t3dm_report_loss(e, rule, "the node %s", why);
    tl_t3dm_leave(e);
}

/* Children come after their parents, so a backward walk visits descendants first. */
static uint32_t select_bones(t3dm_encoder *e, uint8_t *marks)
{
    const trilo_model *model = e->model;
    uint32_t count = 0;
    for (uint32_t n = model->node_count; n-- > 0;) {
        const bool carrier = (marks[n] & NODE_ANIMATED) && (marks[n] & NODE_CARRIES);
        const bool stands = (marks[n] & NODE_ABOVE_BONE) && !node_is_identity(&model->nodes[n]);
        if (marks[n] & NODE_JOINT || carrier || stands) {
            marks[n] |= NODE_BONE;
            count++;
        }
        if (marks[n] & (NODE_BONE | NODE_ABOVE_BONE) && model->nodes[n].parent != TRILO_NONE)
            marks[model->nodes[n].parent] |= NODE_ABOVE_BONE;
    }
    for (uint32_t n = 0; n < model->node_count; n++) {
        if (!(marks[n] & NODE_BONE) || marks[n] & NODE_JOINT)
            continue;
        if (marks[n] & NODE_ANIMATED)
            report_bone(e, T3DM_R_MADE_BONE, n, "is animated, so it became a bone");
        else
            report_bone(e, T3DM_R_MADE_BONE, n,
                        "is an ancestor of bones and has a transform, so it became a bone; to avoid that, apply the "
                        "transform (Blender: Ctrl+A, All Transforms)");
    }
    return count;
}

static uint32_t mark_bones(t3dm_encoder *e, uint8_t *marks)
{
    const trilo_model *model = e->model;
    if (e->policy.select_bones) {
        mark_nodes(e, marks);
        return select_bones(e, marks);
    }
    bool moves = model->skin_count > 0;
    for (uint32_t i = 0; !moves && i < model->clip_count; i++)
        moves = !tl_clip_only_frames(&model->clips[i]); /* vertex animation alone needs no bones */
    if (!moves)
        return 0;
    memset(marks, NODE_BONE, model->node_count);
    return model->node_count;
}

/* --- the skeleton --- */

/* Depth first, siblings in the model's order. Nodes come parent first, so a bone's number follows the part of its
 * parent's subtree that is numbered so far: sizes of subtrees, summed from the back, give all numbers without
 * recursion. */
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
        size[n] += marks[n] & NODE_BONE ? 1 : 0;
        if (model->nodes[n].parent != TRILO_NONE)
            size[model->nodes[n].parent] += size[n];
    }
    uint32_t next_root = 0;
    for (uint32_t n = 0; n < count; n++) {
        const uint32_t parent = model->nodes[n].parent;
        uint32_t *number = parent == TRILO_NONE ? &next_root : &next[parent];
        e->bone_of_node[n] = marks[n] & NODE_BONE ? *number : TRILO_NONE;
        next[n] = *number;
        if (marks[n] & NODE_BONE)
            e->node_of_bone[next[n]++] = n;
        *number += size[n];
    }
    return true;
}

static bool encode_bone(t3dm_encoder *e, uint32_t i)
{
    const trilo_node *node = &e->model->nodes[e->node_of_bone[i]];
    t3dm_bone *bone = &e->file->bones[i];
    const uint32_t parent = node->parent == TRILO_NONE ? T3DM_NO_BONE : e->node_bindings[node->parent].bone;
    char made[24];
    bone->parent = (uint16_t)parent;
    bone->depth = parent == T3DM_NO_BONE ? 0 : (uint16_t)(e->file->bones[parent].depth + 1);
    const float scale[3] = {node->scale.x, node->scale.y, node->scale.z};
    const trilo_quat q = e->policy.normalize_rotations ? tl_quat_normalize(node->rotation) : node->rotation;
    const float rotation[4] = {q.x, q.y, q.z, q.w};
    const double translation[3] = {node->translation.x, node->translation.y, node->translation.z};
    memcpy(bone->scale, scale, sizeof scale);
    memcpy(bone->rotation, rotation, sizeof rotation);
    for (int k = 0; k < 3; k++)
        bone->position[k] = (float)(translation[k] * e->policy.scale);
    if (node->sheared)
        report_bone(e, T3DM_R_LOST_SHEAR, e->node_of_bone[i],
                    "has shear, which a bone cannot have; the closest translation, rotation and scale were used");
    snprintf(made, sizeof made, "bone%" PRIu32, i); /* Tiny3D looks names up without testing for NULL */
    return tl_t3dm_add_string(e, node->name.len > 0 ? node->name.data : made, &bone->name);
}

/* Adds a name to a list for a message, as long as there is room. */
static void list_node_name(char *list, size_t room, const trilo_node *node)
{
    enum { NAMES_ROOM = 60 };
    const size_t used = strlen(list);
    const char *name = node->name.len > 0 ? node->name.data : "?";
    if (used + NAMES_ROOM < room)
        snprintf(list + used, room - used, "%s\"%.40s\"", used > 0 ? ", " : "", name);
    else if (list[used - 1] != '.')
        snprintf(list + used, room - used, ", ...");
}

/* True if the node has extras besides those that Fast64 gives to every object. */
static bool has_own_extras(t3dm_encoder *e, const trilo_node *node)
{
    static const char *const fast64[] = {"fast64", "f3d", "oot", "sm64", "ignore_render"}; /* names start so */
    const trilo_bytes text = {(const uint8_t *)node->extras.json.data, node->extras.json.len};
    const tl_json *json =
        text.size > 0 ? tl_json_read(e->arena, text, NULL, t3dm_rule(T3DM_R_LOST_EXTRAS), 0, NULL) : NULL;
    bool own = text.size > 0 && (!json || json->kind != TL_JSON_OBJECT);
    for (const tl_json *member = own || !json ? NULL : json->first; member && !own; member = member->next) {
        size_t i = 0;
        while (i < TL_COUNT_OF(fast64) && strncmp(member->key.data, fast64[i], strlen(fast64[i])) != 0)
            i++;
        own = i == TL_COUNT_OF(fast64);
    }
    return own;
}

/* Lights, cameras and empties are nodes that nothing is drawn at. Extras, the custom properties of Blender, are lost
 * with every node, also with those that become bones or are applied to meshes. */
static void report_lost_nodes(t3dm_encoder *e, const uint8_t *marks)
{
    const trilo_model *model = e->model;
    uint32_t lost = 0, with_extras = 0, first = 0;
    char names[200] = "", extras[200] = "";
    for (uint32_t n = 0; n < model->node_count; n++) {
        const bool drawn = marks[n] & (NODE_BONE | NODE_ABOVE_BONE | NODE_CARRIES | NODE_HOME);
        if (has_own_extras(e, &model->nodes[n])) {
            first = with_extras++ == 0 ? n : first;
            list_node_name(extras, sizeof extras, &model->nodes[n]);
        } else if (e->policy.select_bones && !drawn) {
            lost++;
            list_node_name(names, sizeof names, &model->nodes[n]);
        }
    }
    if (lost > 0)
        tl_t3dm_report_loss(e, T3DM_R_LOST_NODES, "nodes without a mesh or bone are lost: %" PRIu32 " (%s)", lost,
                            names);
    else if (!e->policy.select_bones && model->node_count > 0 && !e->bone_of_node)
        tl_t3dm_report_loss(e, T3DM_R_LOST_NODES, "the nodes are lost, their transforms are applied to the meshes");
    if (with_extras > 0)
        tl_t3dm_report_loss(e, T3DM_R_LOST_EXTRAS,
                            "nodes whose extras are lost: %" PRIu32 " (%s); those of the first are %.80s", with_extras,
                            extras, model->nodes[first].extras.json.data);
}

/* --- bindings --- */

/* Nodes come parent first, so each binding is one step from that of the node above. */
static bool bind_nodes(t3dm_encoder *e)
{
    const trilo_model *model = e->model;
    t3dm_binding *bindings = TL_ARRAY(e->arena, model->node_count, t3dm_binding);
    e->node_bindings = bindings;
    e->joint_bindings = TL_ARRAY(e->arena, model->skin_count, t3dm_binding *);
    if (!bindings || !e->joint_bindings)
        return false;
    for (uint32_t n = 0; n < model->node_count; n++) {
        const trilo_node *node = &model->nodes[n];
        const t3dm_binding *above = node->parent == TRILO_NONE ? NULL : &bindings[node->parent];
        const bool bone = e->bone_of_node && e->bone_of_node[n] != TRILO_NONE;
        bindings[n] = (t3dm_binding){.bone = bone    ? (uint16_t)e->bone_of_node[n]
                                             : above ? above->bone
                                                     : T3DM_NO_BONE,
                                     .identity = bone,
                                     .mirrored = tl_mat4_mirrors(&node->local) != (above && above->mirrored),
                                     .points = tl_mat4_identity()};
        if (!bone)
            bindings[n].points = above && !above->identity ? tl_mat4_mul(&above->points, &node->local) : node->local;
        bindings[n].normals = tl_mat4_normal(&bindings[n].points);
    }
    return true;
}

/* A joint that is not a bone is fixed to the bone above, or to the model. */
bool tl_t3dm_bind_skin(t3dm_encoder *e, uint32_t skin)
{
    const trilo_skin *from = &e->model->skins[skin];
    if (e->joint_bindings[skin])
        return true;
    t3dm_binding *joints = TL_ARRAY(e->arena, from->joint_count, t3dm_binding);
    for (uint32_t i = 0; joints && i < from->joint_count; i++) {
        const trilo_joint *joint = &from->joints[i];
        const t3dm_binding *node = &e->node_bindings[joint->node];
        joints[i].bone = node->bone;
        joints[i].points = node->identity ? joint->inverse_bind : tl_mat4_mul(&node->points, &joint->inverse_bind);
        joints[i].normals = tl_mat4_normal(&joints[i].points);
    }
    e->joint_bindings[skin] = joints;
    return joints != NULL;
}

const t3dm_binding *tl_t3dm_vertex_binding(const t3dm_encoder *e, const trilo_mesh *mesh, uint32_t vertex, int *slot)
{
    if (slot)
        *slot = -1;
    if (mesh->skin == TRILO_NONE)
        return mesh->node == TRILO_NONE ? NULL : &e->node_bindings[mesh->node];
    if (!mesh->weights)
        return NULL;
    const float *weights = mesh->weights[vertex];
    int strongest = 0;
    for (int i = 1; i < 4; i++)
        strongest = weights[i] > weights[strongest] ? i : strongest;
    if (weights[strongest] == 0)
        return NULL;
    if (slot)
        *slot = strongest;
    return &e->joint_bindings[mesh->skin][mesh->joints[vertex][strongest]];
}

/* --- all of it --- */

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
    report_lost_nodes(e, marks);
    e->file->bones = TL_ARRAY(e->arena, count, t3dm_bone);
    if (!e->file->bones || !bind_nodes(e))
        return false;
    e->file->has_skeleton = count > 0;
    e->file->skeleton.bone_count = (uint16_t)count;
    for (uint32_t i = 0; i < count; i++)
        if (!encode_bone(e, i))
            return false;
    return true;
}
