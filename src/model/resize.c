/* A rigid model is resized in its positions, those of frames too, and, where meshes hang on nodes, in its root nodes.
 *
 * A skinned model keeps its positions; a root node does the scaling, as NiteLite has it: root = R * S * T, where T
 * takes the centre of the positions to the origin, S divides by the longest edge of their box, and R is a rotation that
 * the root had before. A root that has more than a rotation, or that a clip moves, is left alone and hung below a new
 * one. */
#include "model/resize.h"

#include "base/vec.h"
#include "model/bounds.h"
#include "model/frames.h"

#include <math.h>
#include <string.h>

/* p -> p * scale + shift */
typedef struct resize {
    float scale;
    trilo_vec3 shift;
} resize;

static trilo_mat4 resize_matrix(const resize *r)
{
    trilo_mat4 m = tl_mat4_identity();
    m.m[0] = m.m[5] = m.m[10] = r->scale;
    m.m[12] = r->shift.x, m.m[13] = r->shift.y, m.m[14] = r->shift.z;
    return m;
}

static resize normalizing(const trilo_bounds *bounds)
{
    const float scale = 1.0f / tl_bounds_longest(bounds);
    const trilo_vec3 c = tl_bounds_center(bounds);
    return (resize){scale, {-c.x * scale, -c.y * scale, -c.z * scale}};
}

static resize restoring(const trilo_bounds *bounds)
{
    return (resize){tl_bounds_longest(bounds), tl_bounds_center(bounds)};
}

static void node_set(trilo_node *node, const trilo_mat4 *local)
{
    node->local = *local;
    node->sheared = !tl_mat4_decompose(local, &node->translation, &node->rotation, &node->scale);
}

/* --- rigid --- */

static void positions_resize(const float (*array)[3], uint32_t count, const resize *r)
{
    float(*positions)[3] = (float(*)[3])(uintptr_t)array;
    for (uint32_t i = 0; i < count; i++) {
        positions[i][0] = positions[i][0] * r->scale + r->shift.x;
        positions[i][1] = positions[i][1] * r->scale + r->shift.y;
        positions[i][2] = positions[i][2] * r->scale + r->shift.z;
    }
}

/* Neither a skin nor a node places it. */
static bool is_free(const trilo_mesh *mesh)
{
    return mesh->node == TRILO_NONE && mesh->skin == TRILO_NONE;
}

/* Arrays that several frames share are moved once. False, and nothing is moved, when memory ran out. */
static bool free_meshes_resize(tl_arena *arena, const trilo_model *model, const resize *r)
{
    tl_frame_slots list;
    if (!tl_frame_slots_list(arena, model, TL_FRAME_POSITIONS, &list))
        return false;
    for (uint32_t i = 0; i < list.count; i++) {
        const tl_frame_slot *slot = tl_frame_slot_at(&list, i);
        const trilo_mesh *mesh = &model->meshes[slot->mesh];
        if (is_free(mesh) && tl_frame_slot_differs(&list, i))
            positions_resize(slot->from, mesh->vertex_count, r);
    }
    for (uint32_t i = 0; i < model->mesh_count; i++)
        if (is_free(&model->meshes[i]))
            positions_resize(model->meshes[i].positions, model->meshes[i].vertex_count, r);
    return true;
}

static void roots_resize(trilo_model *model, const resize *r)
{
    trilo_node *nodes = (trilo_node *)(uintptr_t)model->nodes;
    const trilo_mat4 matrix = resize_matrix(r);
    for (uint32_t i = 0; i < model->node_count; i++)
        if (nodes[i].parent == TRILO_NONE) {
            const trilo_mat4 local = tl_mat4_mul(&matrix, &nodes[i].local);
            node_set(&nodes[i], &local);
        }
}

/* --- roots --- */

static bool is_moved(const trilo_model *model, uint32_t node)
{
    for (uint32_t c = 0; c < model->clip_count; c++)
        for (uint32_t i = 0; i < model->clips[c].channel_count; i++)
            if (model->clips[c].channels[i].node == node)
                return true;
    return false;
}

static bool any_root_moves(const trilo_model *model)
{
    for (uint32_t i = 0; i < model->node_count; i++)
        if (model->nodes[i].parent == TRILO_NONE && is_moved(model, i))
            return true;
    return false;
}

static bool is_one(float value)
{
    return fabsf(value - 1) < 1e-5f;
}

/* One root, which only rotates and which no clip moves. */
static bool root_can_scale(const trilo_model *model)
{
    const trilo_node *root = &model->nodes[0];
    for (uint32_t i = 1; i < model->node_count; i++)
        if (model->nodes[i].parent == TRILO_NONE)
            return false;
    return !root->sheared && is_one(root->scale.x) && is_one(root->scale.y) && is_one(root->scale.z) &&
           root->translation.x == 0 && root->translation.y == 0 && root->translation.z == 0 && !is_moved(model, 0);
}

/* Everything that names a node names the one behind it. */
static void shift_node_numbers(trilo_model *model)
{
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
}

/* A new node 0 above all roots. */
static bool insert_root(tl_arena *arena, trilo_model *model)
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
    shift_node_numbers(model);
    const trilo_mat4 identity = tl_mat4_identity();
    node_set(&nodes[0], &identity);
    model->nodes = nodes;
    model->node_count++;
    return true;
}

/* --- both --- */

static bool skinned_normalize(tl_arena *arena, trilo_model *model, const resize *r)
{
    if (!root_can_scale(model) && !insert_root(arena, model))
        return false;
    trilo_node *root = (trilo_node *)(uintptr_t)model->nodes;
    const trilo_mat4 matrix = resize_matrix(r);
    const trilo_mat4 local = tl_mat4_mul(&root->local, &matrix);
    node_set(root, &local);
    return true;
}

/* A clip that moves a root would undo what is done to the root. */
static bool rigid_resize(tl_arena *arena, trilo_model *model, const resize *r)
{
    if (any_root_moves(model) && !insert_root(arena, model))
        return false;
    roots_resize(model, r);
    return true;
}

/* Takes S and T out of the root again: what remains is R. */
static void skinned_restore(trilo_model *model)
{
    trilo_node *root = (trilo_node *)(uintptr_t)model->nodes;
    trilo_mat4 local = root->local;
    const double x = local.m[0], y = local.m[1], z = local.m[2];
    const double scale = sqrt(x * x + y * y + z * z);
    for (int k = 0; k < 12; k++)
        local.m[k] = scale > 0 ? (float)(local.m[k] / scale) : local.m[k];
    local.m[12] = local.m[13] = local.m[14] = 0;
    node_set(root, &local);
}

static bool is_skinned(const trilo_model *model)
{
    return model->skin_count > 0 && model->node_count > 0;
}

static const char *why_not(const trilo_model *model, const trilo_bounds *bounds)
{
    const float longest = tl_bounds_is_empty(bounds) ? 0 : tl_bounds_longest(bounds);
    if (model->resized)
        return "the model is scaled into a unit box already";
    if (!(longest > 0))
        return "the model has no extent";
    return isfinite(longest) && isfinite(1.0f / longest) ? NULL : "the extent of the model is beyond any scale";
}

bool tl_model_normalize(tl_arena *arena, trilo_model *model, tl_report *report)
{
    const trilo_bounds bounds = trilo_model_bounds(model);
    const char *reason = why_not(model, &bounds);
    if (reason) {
        tl_report_finding(report, &tl_general_rules[TL_MODEL_SIZE], TRILO_NOWHERE, "%s, so it is not normalised",
                          reason);
        return true;
    }
    const resize r = normalizing(&bounds);
    model->resized = true;
    model->source_bounds = bounds;
    if (!free_meshes_resize(arena, model, &r))
        return false;
    return is_skinned(model) ? skinned_normalize(arena, model, &r) : rigid_resize(arena, model, &r);
}

bool tl_model_restore_size(tl_arena *arena, trilo_model *model, tl_report *report)
{
    if (!model->resized) {
        tl_report_finding(report, &tl_general_rules[TL_MODEL_SIZE], TRILO_NOWHERE,
                          "the model was not scaled into a unit box, so there is no size to restore");
        return true;
    }
    const resize r = restoring(&model->source_bounds);
    model->resized = false;
    if (!free_meshes_resize(arena, model, &r))
        return false;
    if (!is_skinned(model))
        return rigid_resize(arena, model, &r);
    skinned_restore(model);
    return true;
}
