/* A tree of boxes over the objects of a file. */
#include "formats/t3dm/t3dm_encode.h"

#include "base/sort.h"
#include <inttypes.h>
#include <string.h>

enum { LEAF_MOST = 8, BVH_STACK = 64 };

typedef struct axis_rows {
    const t3dm_file *file;
    const uint16_t *items;
    int axis;
} axis_rows;

static int64_t center_key(const void *rows, uint32_t row)
{
    const axis_rows *r = rows;
    const t3dm_object_head *h = &r->file->objects[r->items[row]].head;
    return (int64_t)h->min[r->axis] + h->max[r->axis];
}

static void fit_box(const t3dm_file *file, const uint16_t *items, uint32_t count, t3dm_bvh_node *node)
{
    for (uint32_t i = 0; i < count; i++) {
        const t3dm_object_head *h = &file->objects[items[i]].head;
        for (int k = 0; k < 3; k++) {
            node->min[k] = i == 0 || h->min[k] < node->min[k] ? h->min[k] : node->min[k];
            node->max[k] = i == 0 || h->max[k] > node->max[k] ? h->max[k] : node->max[k];
        }
    }
}

static int longest_axis(const t3dm_bvh_node *node)
{
    int best = 0;
    for (int k = 1; k < 3; k++)
        if (node->max[k] - node->min[k] > node->max[best] - node->min[best])
            best = k;
    return best;
}

/* Sorts a run of items by the middle of their boxes. */
static void sort_items(const t3dm_file *file, uint16_t *items, uint32_t count, int axis, uint32_t *order,
                       uint16_t *copy)
{
    const axis_rows rows = {file, items, axis};
    tl_sort_rows(order, count, center_key, &rows);
    for (uint32_t i = 0; i < count; i++)
        copy[i] = items[order[i]];
    memcpy(items, copy, count * sizeof *items);
}

typedef struct span {
    uint32_t node, first, count;
} span;

/* Halves along the longest axis until leaves are small. Children are put behind all nodes made so far. */
static bool build_tree(t3dm_encoder *e, uint32_t *order, uint16_t *copy)
{
    t3dm_bvh *bvh = &e->file->bvh;
    span stack[BVH_STACK];
    uint32_t depth = 1, made = 1;
    stack[0] = (span){0, 0, bvh->head.item_count};
    while (depth > 0) {
        const span s = stack[--depth];
        t3dm_bvh_node *node = &bvh->nodes[s.node];
        fit_box(e->file, bvh->items + s.first, s.count, node);
        if (s.count <= LEAF_MOST) {
            if (s.first > T3DM_BVH_OFFSET_MOST)
                return tl_t3dm_cannot(e, T3DM_R_RANGE_BVH, TRILO_LIMIT, "%u objects, a BVH reaches 2048",
                                      (unsigned)bvh->head.item_count);
            node->value = t3dm_bvh_value(s.first, s.count);
            continue;
        }
        if (made - s.node > T3DM_BVH_OFFSET_MOST)
            return tl_t3dm_cannot(e, T3DM_R_RANGE_BVH, TRILO_LIMIT, "the BVH needs offsets above 2047");
        sort_items(e->file, bvh->items + s.first, s.count, longest_axis(node), order, copy);
        node->value = t3dm_bvh_value(made - s.node, 0);
        stack[depth++] = (span){made, s.first, s.count / 2};
        stack[depth++] = (span){made + 1, s.first + s.count / 2, s.count - s.count / 2};
        made += 2;
    }
    bvh->head.node_count = (uint16_t)made;
    return true;
}

bool tl_t3dm_encode_bvh(t3dm_encoder *e)
{
    t3dm_file *file = e->file;
    const uint32_t count = file->object_count;
    if (count == 0 || (!e->opts->t3dm.bvh && !e->model->bvh))
        return true;
    if (count > T3DM_BVH_OFFSET_MOST + LEAF_MOST)
        return tl_t3dm_cannot(e, T3DM_R_RANGE_BVH, TRILO_LIMIT, "%" PRIu32 " objects, a BVH reaches 2048", count);
    uint32_t *order = TL_ARRAY(e->arena, count, uint32_t);
    uint16_t *copy = TL_ARRAY(e->arena, count, uint16_t);
    file->bvh.nodes = TL_ARRAY(e->arena, 2 * (size_t)count, t3dm_bvh_node);
    file->bvh.items = TL_ARRAY(e->arena, count, uint16_t);
    if (!order || !copy || !file->bvh.nodes || !file->bvh.items)
        return false;
    for (uint32_t i = 0; i < count; i++)
        file->bvh.items[i] = (uint16_t)i;
    file->has_bvh = true;
    file->bvh.head.item_count = (uint16_t)count;
    return build_tree(e, order, copy);
}
