/* Frustum culling over a BVH of whole meshes, in the order of Tiny3D's traversal. */
#include "base/report.h"
#include "base/strict_float.h"
#include "base/vec.h"
#include "model/bounds.h"
#include "model/check.h"
#include "model/mesh_bvh.h"
#include "query/frustum.h"
#include "query/query.h"

#include <inttypes.h>

/* The nodes in depth-first order, with skip pointers: traversal needs no stack. */
typedef struct mesh_tree_step {
    tl_box box;
    uint32_t end;          /* skip pointer: the step after its subtree */
    uint32_t first, count; /* items of a leaf; count 0: an inner node */
} mesh_tree_step;

struct trilo_mesh_tree {
    tl_arena arena;
    trilo_bvh bvh;
    uint32_t step_count;
    mesh_tree_step *steps;
    tl_box *meshes; /* the box of each */
};

typedef struct mesh_tree_builder {
    const trilo_model *model;
    trilo_mesh_tree *tree;
    tl_arena *arena; /* the tree's: temporary arrays are small, and stay */
    trilo_error *err;
    bool err_set; /* otherwise memory ran out */
} mesh_tree_builder;

/* ---- boxes ---- */

static bool mesh_tree_make_boxes(mesh_tree_builder *m)
{
    const trilo_mat4 *worlds = tl_rest_worlds(m->arena, m->model);
    tl_box *boxes = TL_ARRAY(m->arena, m->model->mesh_count, tl_box);
    if (!worlds || !boxes)
        return false;
    for (uint32_t i = 0; i < m->model->mesh_count; i++) {
        const trilo_mesh *mesh = &m->model->meshes[i];
        const trilo_mat4 *world = tl_rest_world(mesh, worlds);
        trilo_bounds bounds = tl_bounds_empty();
        for (uint32_t v = 0; v < mesh->vertex_count; v++) {
            const trilo_vec3 p = {mesh->positions[v][0], mesh->positions[v][1], mesh->positions[v][2]};
            tl_bounds_add(&bounds, world ? tl_mat4_point(world, p) : p);
        }
        boxes[i] = tl_box_of(&bounds);
    }
    m->tree->meshes = boxes;
    return true;
}

/* ---- the tree ---- */

static bool mesh_tree_fail(mesh_tree_builder *m, uint32_t node, const char *what, uint32_t index, uint32_t count)
{
    tl_path path = {.depth = 0};
    tl_path_push(&path, "bvh", TL_NO_INDEX);
    tl_path_push(&path, "nodes", node);
    m->err_set = true;
    return tl_fail(m->err, TRILO_CODE_BAD_REF, &tl_general_rules[TL_MODEL_INDEX], TRILO_NOWHERE, &path,
                   "%s %" PRIu32 ", must be below %" PRIu32 " and belong to one node alone", what, index, count);
}

static bool mesh_tree_check_leaf(mesh_tree_builder *m, uint32_t number)
{
    const trilo_bvh *bvh = &m->tree->bvh;
    const trilo_bvh_node *node = &bvh->nodes[number];
    if (node->first > bvh->item_count || node->count > bvh->item_count - node->first)
        return mesh_tree_fail(m, number, "item", node->first, bvh->item_count);
    for (uint32_t i = node->first; i < node->first + node->count; i++)
        if (bvh->items[i] >= m->model->mesh_count)
            return mesh_tree_fail(m, number, "mesh", bvh->items[i], m->model->mesh_count);
    return true;
}

/* Depth first. A node may be reached once only, so there are no cycles, and the stack holds no node twice. */
static bool mesh_tree_make_steps(mesh_tree_builder *m)
{
    trilo_mesh_tree *tree = m->tree;
    const trilo_bvh *bvh = &tree->bvh;
    uint32_t *stack = TL_ARRAY(m->arena, bvh->node_count, uint32_t), depth = 0;
    uint8_t *met = TL_ARRAY(m->arena, bvh->node_count, uint8_t);
    mesh_tree_step *steps = tree->steps = TL_ARRAY(m->arena, bvh->node_count, mesh_tree_step);
    if (!stack || !met || !steps)
        return false;
    if (bvh->node_count > 0)
        stack[depth++] = 0;
    while (depth > 0) {
        const uint32_t number = stack[--depth];
        const trilo_bvh_node *node = &bvh->nodes[number];
        steps[tree->step_count++] = (mesh_tree_step){tl_box_of(&node->bounds), 0, node->first, node->count};
        if (node->count > 0) {
            if (!mesh_tree_check_leaf(m, number))
                return false;
            continue;
        }
        if (node->first == 0 || node->first >= bvh->node_count - 1 || met[node->first]++ || met[node->first + 1]++)
            return mesh_tree_fail(m, number, "child", node->first, bvh->node_count - 1);
        stack[depth++] = node->first + 1;
        stack[depth++] = node->first;
    }
    for (uint32_t i = tree->step_count; i-- > 0;) /* backwards: the skip pointers below are known */
        steps[i].end = steps[i].count > 0 ? i + 1 : steps[steps[i + 1].end].end;
    return true;
}

/* The model's own BVH is copied, so that the model may be freed. */
static bool mesh_tree_build(mesh_tree_builder *m)
{
    const trilo_bvh *own = m->model->bvh;
    const uint32_t count = m->model->mesh_count;
    trilo_bvh *bvh = &m->tree->bvh;
    if (!mesh_tree_make_boxes(m))
        return false;
    if (!own || own->node_count == 0) {
        tl_box_ref *refs = TL_ARRAY(m->arena, count, tl_box_ref);
        for (uint32_t i = 0; refs && i < count; i++)
            refs[i] = (tl_box_ref){m->tree->meshes[i], i};
        return refs && tl_mesh_bvh(m->arena, refs, count, bvh) && mesh_tree_make_steps(m);
    }
    if (!own->nodes || (!own->items && own->item_count > 0))
        return mesh_tree_fail(m, 0, "node", 0, 0);
    *bvh = *own;
    bvh->nodes = tl_bytes_copy(m->arena, own->nodes, own->node_count * sizeof *own->nodes);
    bvh->items = tl_bytes_copy(m->arena, own->items, own->item_count * sizeof *own->items);
    return bvh->nodes && bvh->items && mesh_tree_make_steps(m);
}

trilo_mesh_tree *trilo_mesh_tree_new(const trilo_model *model, const trilo_memory *memory, trilo_error *err)
{
    if (!tl_model_check(model, memory, err))
        return NULL;
    tl_arena arena;
    tl_arena_init(&arena, memory);
    mesh_tree_builder m = {.model = model, .tree = TL_NEW(&arena, trilo_mesh_tree), .err = err};
    if (m.tree) {
        m.tree->arena = arena;
        m.arena = &m.tree->arena;
        if (mesh_tree_build(&m))
            return m.tree;
    }
    trilo_mesh_tree_free(m.tree);
    if (!m.err_set)
        tl_fail_memory(err);
    return NULL;
}

void trilo_mesh_tree_free(trilo_mesh_tree *tree)
{
    if (tree)
        tl_arena_free(&tree->arena);
}

const trilo_bvh *trilo_mesh_tree_bvh(const trilo_mesh_tree *tree)
{
    return tree->bvh.node_count > 0 ? &tree->bvh : NULL;
}

/* ---- queries ---- */

uint32_t trilo_mesh_tree_frustum(const trilo_mesh_tree *tree, const trilo_frustum *frustum, trilo_mesh_fn *fn,
                                 void *user)
{
    const tl_frustum f = tl_frustum_prepare(frustum);
    uint32_t tests = 0;
    for (uint32_t i = 0; i < tree->step_count;) {
        const mesh_tree_step *at = &tree->steps[i];
        if (at->count == 0) {
            tests++;
            i = tl_frustum_sees(&f, &at->box, ~0u) ? i + 1 : at->end;
            continue;
        }
        for (uint32_t k = at->first; k < at->first + at->count; k++, tests++) {
            const uint32_t mesh = tree->bvh.items[k];
            const tl_box *box = &tree->meshes[mesh];
            const bool empty = !(box->at[0] <= box->at[3] && box->at[1] <= box->at[4] && box->at[2] <= box->at[5]);
            if (!empty && tl_frustum_sees(&f, box, ~0u) && !fn(user, mesh))
                return tests + 1;
        }
        i = at->end;
    }
    return tests;
}
