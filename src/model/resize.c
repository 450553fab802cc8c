/* In a rigid model, positions (also those of frames) are scaled, and, where meshes are attached to nodes, root nodes.
 *
 * A skinned model keeps its positions; a root node does the scaling, as in NiteLite: root = R * S * T, where T moves
 * the centre of the positions to the origin, S divides by the longest edge of their box, and R is the previous rotation
 * of the root. If the root has more than a rotation, or is animated, a new root is inserted above it. */
#include "model/resize.h"
#include "base/strict_float.h"

#include "base/vec.h"
#include "model/bounds.h"
#include "model/frames.h"

#include <math.h>
#include <string.h>

/* p -> p * scale + shift */
typedef struct resize_transform {
    float scale;
    trilo_vec3 shift;
} resize_transform;

static trilo_mat4 resize_matrix(const resize_transform *r)
{
    trilo_mat4 m = tl_mat4_identity();
    m.m[0] = m.m[5] = m.m[10] = r->scale;
    m.m[12] = r->shift.x, m.m[13] = r->shift.y, m.m[14] = r->shift.z;
    return m;
}

static void resize_set_node(trilo_node *node, const trilo_mat4 *local)
{
    node->local = *local;
    node->sheared = !tl_mat4_decompose(local, &node->translation, &node->rotation, &node->scale);
}

/* --- rigid --- */

static void resize_positions(const float (*array)[3], uint32_t count, const resize_transform *r)
{
    float(*positions)[3] = (float(*)[3])(uintptr_t)array;
    for (uint32_t i = 0; i < count; i++) {
        positions[i][0] = positions[i][0] * r->scale + r->shift.x;
        positions[i][1] = positions[i][1] * r->scale + r->shift.y;
        positions[i][2] = positions[i][2] * r->scale + r->shift.z;
    }
}

/* True if it is neither skinned nor attached to a node. */
static bool resize_is_free(const trilo_mesh *mesh)
{
    return mesh->node == TRILO_NONE && mesh->skin == TRILO_NONE;
}

/* Arrays that several frames share are scaled once. Returns false and changes nothing when memory runs out. */
static bool resize_free_meshes(tl_arena *arena, const trilo_model *model, const resize_transform *r)
{
    tl_frame_slots list;
    if (!tl_frame_slots_list(arena, model, TL_FRAME_POSITIONS, &list))
        return false;
    for (uint32_t i = 0; i < list.count; i++) {
        const tl_frame_slot *slot = tl_frame_slot_at(&list, i);
        const trilo_mesh *mesh = &model->meshes[slot->mesh];
        if (resize_is_free(mesh) && tl_frame_slot_differs(&list, i))
            resize_positions(slot->from, mesh->vertex_count, r);
    }
    for (uint32_t i = 0; i < model->mesh_count; i++)
        if (resize_is_free(&model->meshes[i]))
            resize_positions(model->meshes[i].positions, model->meshes[i].vertex_count, r);
    return true;
}

/* --- roots --- */

static bool resize_is_animated(const trilo_model *model, uint32_t node)
{
    for (uint32_t c = 0; c < model->clip_count; c++)
        for (uint32_t i = 0; i < model->clips[c].channel_count; i++)
            if (model->clips[c].channels[i].node == node)
                return true;
    return false;
}

static bool resize_is_one(float value)
{
    return fabsf(value - 1) < 1e-5f;
}

/* True if there is one root, which has only a rotation and is not animated. */
static bool resize_root_can_scale(const trilo_model *model)
{
    const trilo_node *root = &model->nodes[0];
    for (uint32_t i = 1; i < model->node_count; i++)
        if (model->nodes[i].parent == TRILO_NONE)
            return false;
    return !root->sheared && resize_is_one(root->scale.x) && resize_is_one(root->scale.y) &&
           resize_is_one(root->scale.z) && root->translation.x == 0 && root->translation.y == 0 &&
           root->translation.z == 0 && !resize_is_animated(model, 0);
}

/* Inserts a new node 0 above all roots; the index of every other node increases by one. */
static bool resize_insert_root(tl_arena *arena, trilo_model *model)
{
    trilo_node *nodes =
        model->node_count < TRILO_NONE - 1 ? tl_array_raw(arena, (size_t)model->node_count + 1, sizeof *nodes) : NULL;
    if (!nodes)
        return false;
    memset(&nodes[0], 0, sizeof nodes[0]);
    nodes[0].name = nodes[0].extras.json = nodes[0].extras.extensions = (trilo_str){"", 0};
    nodes[0].parent = TRILO_NONE;
    memcpy(nodes + 1, model->nodes, model->node_count * sizeof *nodes);
    for (uint32_t i = 1; i <= model->node_count; i++)
        nodes[i].parent = nodes[i].parent == TRILO_NONE ? 0 : nodes[i].parent + 1;
    trilo_mesh *meshes = (trilo_mesh *)(uintptr_t)model->meshes;
    for (uint32_t i = 0; i < model->mesh_count; i++)
        meshes[i].node += meshes[i].node == TRILO_NONE ? 0 : 1;
    for (uint32_t s = 0; s < model->skin_count; s++) {
        trilo_joint *joints = (trilo_joint *)(uintptr_t)model->skins[s].joints;
        for (uint32_t i = 0; i < model->skins[s].joint_count; i++)
            joints[i].node++;
    }
    for (uint32_t c = 0; c < model->clip_count; c++) {
        trilo_channel *channels = (trilo_channel *)(uintptr_t)model->clips[c].channels;
        for (uint32_t i = 0; i < model->clips[c].channel_count; i++)
            channels[i].node++;
    }
    const trilo_mat4 identity = tl_mat4_identity();
    resize_set_node(&nodes[0], &identity);
    model->nodes = nodes;
    model->node_count++;
    return true;
}

/* Scales the root nodes. A clip that animates a root would undo that: then a new root is inserted. */
static bool resize_rigid(tl_arena *arena, trilo_model *model, const resize_transform *r)
{
    bool animated = false;
    for (uint32_t i = 0; i < model->node_count; i++)
        animated = animated || (model->nodes[i].parent == TRILO_NONE && resize_is_animated(model, i));
    if (animated && !resize_insert_root(arena, model))
        return false;
    trilo_node *nodes = (trilo_node *)(uintptr_t)model->nodes;
    const trilo_mat4 matrix = resize_matrix(r);
    for (uint32_t i = 0; i < model->node_count; i++)
        if (nodes[i].parent == TRILO_NONE) {
            const trilo_mat4 local = tl_mat4_mul(&matrix, &nodes[i].local);
            resize_set_node(&nodes[i], &local);
        }
    return true;
}

/* --- normalize and restore --- */

static bool resize_is_skinned(const trilo_model *model)
{
    return model->skin_count > 0 && model->node_count > 0;
}

bool tl_model_normalize(tl_arena *arena, trilo_model *model, tl_report *report)
{
    const trilo_bounds bounds = trilo_model_bounds(model);
    const float longest = tl_bounds_is_empty(&bounds) ? 0 : tl_bounds_longest(&bounds);
    const float scale = longest > 0 ? 1.0f / longest : 0;
    const char *reason = model->resized                           ? "the model is scaled into a unit box already"
                         : !(longest > 0)                         ? "the model has no extent"
                         : !isfinite(longest) || !isfinite(scale) ? "the extent of the model is beyond any scale"
                                                                  : NULL;
    if (reason) {
        tl_report_finding(report, &tl_general_rules[TL_MODEL_SIZE], TRILO_NOWHERE, "%s, so it is not normalized",
                          reason);
        return true;
    }
    const trilo_vec3 center = tl_bounds_center(&bounds);
    const resize_transform r = {scale, {-center.x * scale, -center.y * scale, -center.z * scale}};
    model->resized = true;
    model->source_bounds = bounds;
    if (!resize_free_meshes(arena, model, &r))
        return false;
    if (!resize_is_skinned(model))
        return resize_rigid(arena, model, &r);
    if (!resize_root_can_scale(model) && !resize_insert_root(arena, model))
        return false;
    trilo_node *root = (trilo_node *)(uintptr_t)model->nodes;
    const trilo_mat4 matrix = resize_matrix(&r);
    const trilo_mat4 local = tl_mat4_mul(&root->local, &matrix);
    resize_set_node(root, &local);
    return true;
}

bool tl_model_restore_size(tl_arena *arena, trilo_model *model, tl_report *report)
{
    if (!model->resized) {
        tl_report_finding(report, &tl_general_rules[TL_MODEL_SIZE], TRILO_NOWHERE,
                          "the model was not scaled into a unit box, so there is no size to restore");
        return true;
    }
    const resize_transform r = {tl_bounds_longest(&model->source_bounds), tl_bounds_center(&model->source_bounds)};
    model->resized = false;
    if (!resize_free_meshes(arena, model, &r))
        return false;
    if (!resize_is_skinned(model))
        return resize_rigid(arena, model, &r);
    /* Remove S and T from the root: what remains is R. */
    trilo_node *root = (trilo_node *)(uintptr_t)model->nodes;
    trilo_mat4 local = root->local;
    const double x = local.m[0], y = local.m[1], z = local.m[2];
    const double scale = sqrt(x * x + y * y + z * z);
    for (int k = 0; k < 12; k++)
        local.m[k] = scale > 0 ? (float)(local.m[k] / scale) : local.m[k];
    local.m[12] = local.m[13] = local.m[14] = 0;
    resize_set_node(root, &local);
    return true;
}
