/* Tiny3D tests the box of an inner node against the frustum, but not that of a leaf: there it tests every mesh. So a
 * leaf of n meshes costs n tests whenever its parent is visible, and an inner node costs one, plus its children when it
 * is visible itself; the probability of that is estimated by the ratio of the areas (see bvh.c). The tree is built down
 * to single meshes; then, bottom-up, each node is collapsed to a leaf where that is cheaper. */
#include "model/mesh_bvh.h"
#include "base/strict_float.h"

typedef struct mesh_bvh_plan {
    const tl_bvh_box_node *nodes;
    double *below;   /* expected tests below a visible node */
    uint32_t *size;  /* nodes of its subtree after collapsing, itself included */
    uint32_t *first; /* its first ref */
} mesh_bvh_plan;

/* Collapses a node where that is cheaper. Returns the expected tests when its parent is visible. */
static double mesh_bvh_collapse(mesh_bvh_plan *p, uint32_t parent, uint32_t node)
{
    const double parent_area = tl_box_area(&p->nodes[parent].box), area = tl_box_area(&p->nodes[node].box);
    const double inner = 1 + (parent_area > 0 ? area / parent_area : 1) * p->below[node], leaf = p->nodes[node].count;
    if (p->nodes[node].count > TL_MESH_BVH_LEAF || leaf > inner)
        return inner;
    p->size[node] = 1;
    return leaf;
}

/* Children come after their parents: backwards, they are done first. */
static void mesh_bvh_plan_leaves(mesh_bvh_plan *p, uint32_t count)
{
    for (uint32_t i = count; i-- > TL_BVH_ROOT;) {
        const uint32_t child = p->nodes[i].child;
        p->size[i] = 1;
        p->below[i] = 1;
        if (child == 0)
            continue;
        p->below[i] = mesh_bvh_collapse(p, i, child) + mesh_bvh_collapse(p, i, child + 1);
        p->size[i] = 1 + p->size[child] + p->size[child + 1];
    }
    mesh_bvh_collapse(p, TL_BVH_ROOT, TL_BVH_ROOT); /* assumed to be visible */
    for (uint32_t i = TL_BVH_ROOT; i < count; i++) {
        const uint32_t child = p->nodes[i].child;
        if (child == 0)
            continue;
        p->first[child] = p->first[i];
        p->first[child + 1] = p->first[i] + p->nodes[child].count;
    }
}

typedef struct mesh_bvh_move {
    uint32_t from, to; /* a node of the whole tree, and where it goes */
} mesh_bvh_move;

/* Siblings are neighbours, after everything placed so far. The smaller subtree comes first and is finished first, so
 * that the children of the other one are at most half of all nodes away from it. */
static uint32_t mesh_bvh_place_nodes(const mesh_bvh_plan *p, trilo_bvh_node *nodes)
{
    mesh_bvh_move stack[TL_BVH_MAX_DEPTH + 1] = {{TL_BVH_ROOT, 0}};
    uint32_t depth = 1, made = 1;
    while (depth > 0) {
        const mesh_bvh_move at = stack[--depth];
        const tl_bvh_box_node *from = &p->nodes[at.from];
        trilo_bvh_node *node = &nodes[at.to];
        node->bounds = tl_box_bounds(&from->box);
        if (p->size[at.from] == 1) {
            node->first = p->first[at.from];
            node->count = from->count;
            continue;
        }
        const uint32_t a = from->child, b = a + 1;
        const bool turned = p->size[b] < p->size[a];
        node->first = made;
        stack[depth++] = (mesh_bvh_move){turned ? a : b, made + 1};
        stack[depth++] = (mesh_bvh_move){turned ? b : a, made};
        made += 2;
    }
    return made;
}

bool tl_mesh_bvh(tl_arena *arena, tl_box_ref *refs, uint32_t count, trilo_bvh *bvh)
{
    const size_t most = tl_bvh_max_nodes(count);
    tl_bvh_box_node *whole = TL_ARRAY(arena, most, tl_bvh_box_node);
    mesh_bvh_plan p = {whole, TL_ARRAY(arena, most, double), TL_ARRAY(arena, most, uint32_t),
                       TL_ARRAY(arena, most, uint32_t)};
    trilo_bvh_node *nodes = TL_ARRAY(arena, most, trilo_bvh_node);
    uint32_t *items = TL_ARRAY(arena, count, uint32_t);
    if (!whole || !p.below || !p.size || !p.first || !nodes || !items)
        return false;
    *bvh = (trilo_bvh){.nodes = nodes, .items = items, .item_count = count};
    if (count == 0)
        return true;
    mesh_bvh_plan_leaves(&p, tl_bvh_build(refs, count, 1, TL_MESH_BVH_DEPTH, whole));
    bvh->node_count = mesh_bvh_place_nodes(&p, nodes);
    for (uint32_t i = 0; i < count; i++)
        items[i] = refs[i].item;
    return true;
}
