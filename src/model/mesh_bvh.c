/* The console tests the box of an inner node, but not that of a leaf: there it tests every mesh. So a leaf of n meshes
 * costs n tests whenever its parent is seen, and an inner node costs one, and what is below it only when it is seen
 * itself. The whole tree is made down to single meshes; then, from below, each node becomes a leaf where that is
 * cheaper. */
#include "model/mesh_bvh.h"

typedef struct plan {
    const tl_bvh_box_node *nodes;
    double *below;   /* expected tests below a node that is seen */
    uint32_t *size;  /* nodes in what is left of it, itself too */
    uint32_t *first; /* its first ref */
} plan;

/* Expected tests at a node whose parent is seen, when it stays an inner one. */
static double inner_cost(const plan *p, uint32_t parent, uint32_t node)
{
    const double outer = tl_box_area(&p->nodes[parent].box), inner = tl_box_area(&p->nodes[node].box);
    return 1 + (outer > 0 ? inner / outer : 1) * p->below[node];
}

/* Is it cheaper as a leaf? Then it becomes one. */
static double settle(plan *p, uint32_t parent, uint32_t node)
{
    const double inner = inner_cost(p, parent, node), leaf = p->nodes[node].count;
    if (p->nodes[node].count > TL_BVH_LEAF || leaf > inner)
        return inner;
    p->size[node] = 1;
    return leaf;
}

/* Children stand behind their parents: backwards, they are ready first. */
static void plan_leaves(plan *p, uint32_t count)
{
    for (uint32_t i = count; i-- > TL_BOX_ROOT;) {
        const uint32_t child = p->nodes[i].child;
        p->size[i] = 1;
        p->below[i] = 1;
        if (child == 0)
            continue;
        p->below[i] = settle(p, i, child) + settle(p, i, child + 1);
        p->size[i] = 1 + p->size[child] + p->size[child + 1];
    }
    settle(p, TL_BOX_ROOT, TL_BOX_ROOT); /* taken to be seen */
    for (uint32_t i = TL_BOX_ROOT; i < count; i++) {
        const uint32_t child = p->nodes[i].child;
        if (child == 0)
            continue;
        p->first[child] = p->first[i];
        p->first[child + 1] = p->first[i] + p->nodes[child].count;
    }
}

typedef struct pair {
    uint32_t from, to; /* a node of the whole tree, and where it goes */
} pair;

/* Siblings go side by side, behind everything placed so far. The smaller one comes first and is finished first, so that
 * the children of the other one are at most half of all nodes away from it. */
static uint32_t place_nodes(const plan *p, trilo_bvh_node *nodes)
{
    pair stack[TL_BOX_DEPTH + 1] = {{TL_BOX_ROOT, 0}};
    uint32_t depth = 1, made = 1;
    while (depth > 0) {
        const pair at = stack[--depth];
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
        stack[depth++] = (pair){turned ? a : b, made + 1};
        stack[depth++] = (pair){turned ? b : a, made};
        made += 2;
    }
    return made;
}

bool tl_mesh_bvh(tl_arena *arena, tl_box_ref *refs, uint32_t count, trilo_bvh *bvh)
{
    const size_t most = tl_box_room(count);
    tl_bvh_box_node *whole = TL_ARRAY(arena, most, tl_bvh_box_node);
    plan p = {whole, TL_ARRAY(arena, most, double), TL_ARRAY(arena, most, uint32_t), TL_ARRAY(arena, most, uint32_t)};
    trilo_bvh_node *nodes = TL_ARRAY(arena, most, trilo_bvh_node);
    uint32_t *items = TL_ARRAY(arena, count, uint32_t);
    if (!whole || !p.below || !p.size || !p.first || !nodes || !items)
        return false;
    *bvh = (trilo_bvh){.nodes = nodes, .items = items, .item_count = count};
    if (count == 0)
        return true;
    plan_leaves(&p, tl_bvh_build(refs, count, 1, TL_BVH_DEPTH, whole));
    bvh->node_count = place_nodes(&p, nodes);
    for (uint32_t i = 0; i < count; i++)
        items[i] = refs[i].item;
    return true;
}
