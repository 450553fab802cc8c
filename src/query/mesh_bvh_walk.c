/* A tree over whole meshes, walked as the console walks it. */
#include "base/report.h"
#include "base/vec.h"
#include "model/bounds.h"
#include "model/check.h"
#include "model/mesh_bvh.h"
#include "query/frustum.h"
#include "query/query.h"

#include <inttypes.h>

/* The nodes in the order in which they are met: what is left out is jumped over, so that no tree is too deep. */
typedef struct step {
    tl_box box;
    uint32_t end;          /* the step behind all that is below it */
    uint32_t first, count; /* items of a leaf; count 0: an inner node */
} step;

struct trilo_mesh_tree {
    tl_arena arena;
    trilo_bvh bvh;
    uint32_t step_count;
    step *steps;
    tl_box *meshes; /* the box of each */
};

typedef struct maker {
    const trilo_model *model;
    trilo_mesh_tree *tree;
    tl_arena *arena; /* the tree's: what is made in passing is small, and stays */
    trilo_error *err;
    bool told; /* err is filled; otherwise it was memory */
} maker;

/* ---- boxes ---- */

static tl_box mesh_box(const trilo_mesh *mesh, const trilo_mat4 *world)
{
    trilo_bounds bounds = tl_bounds_empty();
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        const trilo_vec3 p = {mesh->positions[i][0], mesh->positions[i][1], mesh->positions[i][2]};
        tl_bounds_add(&bounds, world ? tl_mat4_point(world, p) : p);
    }
    return tl_box_of(&bounds);
}

static bool make_boxes(maker *m)
{
    const trilo_mat4 *worlds = tl_rest_worlds(m->arena, m->model);
    tl_box *boxes = TL_ARRAY(m->arena, m->model->mesh_count, tl_box);
    if (!worlds || !boxes)
        return false;
    for (uint32_t i = 0; i < m->model->mesh_count; i++)
        boxes[i] = mesh_box(&m->model->meshes[i], tl_rest_world(&m->model->meshes[i], worlds));
    m->tree->meshes = boxes;
    return true;
}

/* ---- the tree ---- */

static bool make_bvh(maker *m)
{
    const uint32_t count = m->model->mesh_count;
    tl_box_ref *refs = TL_ARRAY(m->arena, count, tl_box_ref);
    for (uint32_t i = 0; refs && i < count; i++)
        refs[i] = (tl_box_ref){m->tree->meshes[i], i};
    return refs && tl_mesh_bvh(m->arena, refs, count, &m->tree->bvh);
}

static bool no_tree(maker *m, uint32_t node, const char *what, uint32_t index, uint32_t count)
{
    tl_path path = {.depth = 0};
    tl_path_push(&path, "bvh", TL_NO_INDEX);
    tl_path_push(&path, "nodes", node);
    m->told = true;
    return tl_fail(m->err, TRILO_CODE_BAD_REF, &tl_general_rules[TL_MODEL_INDEX], TRILO_NOWHERE, &path,
                   "%s %" PRIu32 ", must be below %" PRIu32 " and belong to one node alone", what, index, count);
}

static bool leaf_good(maker *m, uint32_t number)
{
    const trilo_bvh *bvh = &m->tree->bvh;
    const trilo_bvh_node *node = &bvh->nodes[number];
    if (node->first > bvh->item_count || node->count > bvh->item_count - node->first)
        return no_tree(m, number, "item", node->first, bvh->item_count);
    for (uint32_t i = node->first; i < node->first + node->count; i++)
        if (bvh->items[i] >= m->model->mesh_count)
            return no_tree(m, number, "mesh", bvh->items[i], m->model->mesh_count);
    return true;
}

/* One behind the other; a node that is met once only cannot close a circle, and the stack holds no node twice. */
static bool list_steps(maker *m, uint32_t *stack, uint8_t *met)
{
    trilo_mesh_tree *tree = m->tree;
    const trilo_bvh *bvh = &tree->bvh;
    uint32_t depth = 0;
    if (bvh->node_count > 0)
        stack[depth++] = 0;
    while (depth > 0) {
        const uint32_t number = stack[--depth];
        const trilo_bvh_node *node = &bvh->nodes[number];
        tree->steps[tree->step_count++] = (step){tl_box_of(&node->bounds), 0, node->first, node->count};
        if (node->count > 0) {
            if (!leaf_good(m, number))
                return false;
            continue;
        }
        if (node->first == 0 || node->first >= bvh->node_count - 1 || met[node->first]++ || met[node->first + 1]++)
            return no_tree(m, number, "child", node->first, bvh->node_count - 1);
        stack[depth++] = node->first + 1;
        stack[depth++] = node->first;
    }
    return true;
}

/* Backwards, the ends of what is below are known. */
static void find_ends(trilo_mesh_tree *tree)
{
    for (uint32_t i = tree->step_count; i-- > 0;)
        tree->steps[i].end = tree->steps[i].count > 0 ? i + 1 : tree->steps[tree->steps[i + 1].end].end;
}

static bool make_steps(maker *m)
{
    const size_t count = m->tree->bvh.node_count;
    uint32_t *stack = TL_ARRAY(m->arena, count, uint32_t);
    uint8_t *met = TL_ARRAY(m->arena, count, uint8_t);
    m->tree->steps = TL_ARRAY(m->arena, count, step);
    if (!stack || !met || !m->tree->steps || !list_steps(m, stack, met))
        return false;
    find_ends(m->tree);
    return true;
}

/* A copy, so that the model may go. */
static bool take_bvh(maker *m, const trilo_bvh *from)
{
    if (!from->nodes || (!from->items && from->item_count > 0))
        return no_tree(m, 0, "node", 0, 0);
    m->tree->bvh = *from;
    m->tree->bvh.nodes = tl_bytes_copy(m->arena, from->nodes, from->node_count * sizeof *from->nodes);
    m->tree->bvh.items = tl_bytes_copy(m->arena, from->items, from->item_count * sizeof *from->items);
    return m->tree->bvh.nodes && m->tree->bvh.items;
}

static bool make(maker *m)
{
    const trilo_bvh *own = m->model->bvh;
    return make_boxes(m) && (own && own->node_count > 0 ? take_bvh(m, own) : make_bvh(m)) && make_steps(m);
}

trilo_mesh_tree *trilo_mesh_tree_new(const trilo_model *model, const trilo_memory *memory, trilo_error *err)
{
    if (!tl_model_check(model, memory, err))
        return NULL;
    tl_arena arena;
    tl_arena_init(&arena, memory);
    maker m = {.model = model, .tree = TL_NEW(&arena, trilo_mesh_tree), .err = err};
    if (m.tree) {
        m.tree->arena = arena;
        m.arena = &m.tree->arena;
        if (make(&m))
            return m.tree;
    }
    trilo_mesh_tree_free(m.tree);
    if (!m.told)
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

static bool box_empty(const tl_box *box)
{
    return !(box->at[0] <= box->at[3] && box->at[1] <= box->at[4] && box->at[2] <= box->at[5]);
}

uint32_t trilo_mesh_tree_frustum(const trilo_mesh_tree *tree, const trilo_frustum *frustum, trilo_mesh_fn *fn,
                                 void *user)
{
    const tl_frustum f = tl_frustum_ready(frustum);
    uint32_t tests = 0;
    for (uint32_t i = 0; i < tree->step_count;) {
        const step *at = &tree->steps[i];
        if (at->count == 0) {
            tests++;
            i = tl_frustum_sees(&f, &at->box, ~0u) ? i + 1 : at->end;
            continue;
        }
        for (uint32_t k = at->first; k < at->first + at->count; k++, tests++) {
            const uint32_t mesh = tree->bvh.items[k];
            const tl_box *box = &tree->meshes[mesh];
            if (!box_empty(box) && tl_frustum_sees(&f, box, ~0u) && !fn(user, mesh))
                return tests + 1;
        }
        i = at->end;
    }
    return tests;
}
