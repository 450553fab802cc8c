/* The tree that everything spatial stands on: whatever the boxes, it is a tree, it is not deep, and it holds all. */
#include "harness.h"
#include "model/bvh.h"
#include "support/query_brute.h"

#include <stdlib.h>

static bool holds(const tl_box *outer, const tl_box *inner)
{
    for (int k = 0; k < 3; k++)
        if (inner->at[k] < outer->at[k] || inner->at[k + 3] > outer->at[k + 3])
            return false;
    return true;
}

typedef struct visit {
    uint32_t node, first, depth;
} visit;

/* Walks it down; answers the longest path. */
static uint32_t check_tree(const tl_bvh_box_node *nodes, uint32_t made, const tl_box_ref *refs, uint32_t count,
                           uint32_t leaf_most)
{
    visit stack[2 * TL_BVH_MAX_DEPTH] = {{TL_BVH_ROOT, 0, 0}};
    uint32_t depth = 1, deepest = 0, met = 0, seen = 1;
    CHECK_INT(nodes[TL_BVH_ROOT].count, count);
    while (depth > 0) {
        const visit at = stack[--depth];
        const tl_bvh_box_node *node = &nodes[at.node];
        deepest = at.depth > deepest ? at.depth : deepest;
        seen++;
        for (uint32_t i = 0; i < node->count && at.depth % 8 == 0; i++)
            CHECK(holds(&node->box, &refs[at.first + i].box));
        if (node->child == 0) {
            CHECK(node->count >= 1 && node->count <= leaf_most && at.first == met);
            met += node->count;
            continue;
        }
        CHECK(node->child % 2 == 0 && node->child > at.node && node->child + 1 < made);
        const tl_bvh_box_node *a = &nodes[node->child], *b = a + 1;
        CHECK(a->count > 0 && b->count > 0 && a->count + b->count == node->count);
        CHECK(holds(&node->box, &a->box) && holds(&node->box, &b->box));
        stack[depth++] = (visit){node->child + 1, at.first + a->count, at.depth + 1};
        stack[depth++] = (visit){node->child, at.first, at.depth + 1};
    }
    CHECK_INT(met, count);
    CHECK_INT(seen, made);
    return deepest;
}

static void check_items(const tl_box_ref *refs, uint32_t count)
{
    uint8_t *met = calloc(count, 1);
    CHECK(met);
    for (uint32_t i = 0; i < count; i++)
        CHECK(refs[i].item < count && met[refs[i].item]++ == 0);
    free(met);
}

/* By kind: scattered, one inside the other, all the same, in a row. */
static tl_box some_box(dice *d, uint32_t number, int kind)
{
    const trilo_vec3 at = dice_point(d, -100, 100), size = dice_point(d, 0, 3);
    const float n = (float)number, part = 1 / (1 + n);
    switch (kind) {
    case 0:
        return (tl_box){{at.x, at.y, at.z, at.x + size.x, at.y + size.y, at.z + size.z}};
    case 1:
        return (tl_box){{0, 0, 0, part * part, part * part, part * part}};
    case 2:
        return (tl_box){{1, 2, 3, 4, 5, 6}};
    default:
        return (tl_box){{n * n, 0, 0, n * n, 0, 0}};
    }
}

TEST(any_boxes_make_a_tree)
{
    static const uint32_t counts[] = {1, 2, 3, 7, 64, 1000, 4096}, leaves[] = {1, 4};
    tl_box_ref *refs = malloc(4096 * sizeof *refs);
    tl_bvh_box_node *nodes = malloc(tl_bvh_max_nodes(4096) * sizeof *nodes);
    CHECK(refs && nodes);
    for (int i = 0; i < 7 * 4 * 2 * 2; i++) {
        const uint32_t count = counts[i % 7], leaf_most = leaves[i / 28 % 2], most = i / 56 ? 12 : TL_BVH_MAX_DEPTH;
        dice d = {(uint64_t)i};
        for (uint32_t k = 0; k < count; k++)
            refs[k] = (tl_box_ref){some_box(&d, k, i / 7 % 4), k};
        const uint32_t made = tl_bvh_build(refs, count, leaf_most, most, nodes);
        CHECK(made <= tl_bvh_max_nodes(count));
        CHECK(check_tree(nodes, made, refs, count, leaf_most) <= most);
        check_items(refs, count);
    }
    CHECK_INT(tl_bvh_build(refs, 0, 1, TL_BVH_MAX_DEPTH, nodes), 0);
    free(refs);
    free(nodes);
}

/* Two heaps far apart: the first cut goes between them, however many are in each. */
TEST(the_first_cut_parts_two_heaps)
{
    tl_box_ref refs[40];
    tl_bvh_box_node nodes[82];
    dice d = {5};
    for (uint32_t i = 0; i < 40; i++) {
        const trilo_vec3 at = dice_point(&d, 0, 1);
        const float y = i % 8 == 0 ? at.y + 50 : at.y;
        refs[i] = (tl_box_ref){{{at.x, y, at.z, at.x + 1, y + 1, at.z + 1}}, i};
    }
    CHECK(tl_bvh_build(refs, 40, 1, TL_BVH_MAX_DEPTH, nodes) > 0);
    const tl_bvh_box_node *a = &nodes[nodes[TL_BVH_ROOT].child], *b = a + 1;
    CHECK_INT(a->count, 35);
    CHECK_INT(b->count, 5);
    CHECK(a->box.at[4] < 3 && b->box.at[1] >= 50);
}

/* 1 * 2 + 2 * 3 + 3 * 1 is half of a surface; an empty box has none. */
TEST(surfaces)
{
    const tl_box box = {{0, 0, 0, 1, 2, 3}}, empty = tl_box_empty();
    CHECK_NEAR(tl_box_area(&box), 11, 0);
    CHECK_NEAR(tl_box_area(&empty), 0, 0);
}

TEST_MAIN(CASE(any_boxes_make_a_tree), CASE(the_first_cut_parts_two_heaps), CASE(surfaces))
