/* The bounding volume hierarchy over the objects of a file. */
#include "base/strict_float.h"
#include "formats/t3dm/encode/encode.h"

#include "model/mesh_bvh.h"
#include <inttypes.h>

/* Tiny3D keeps the distance from the BVH back to an object as a number of words in 16 bits. */
enum { BVH_OBJECTS_MOST = T3DM_BVH_OFFSET_MOST + 1, BVH_DISTANCE_MOST = UINT16_MAX * 4 };

static tl_box_ref *list_object_boxes(t3dm_encoder *e)
{
    tl_box_ref *refs = TL_ARRAY(e->arena, e->file->object_count, tl_box_ref);
    for (uint32_t i = 0; refs && i < e->file->object_count; i++) {
        const t3dm_object_head *h = &e->file->objects[i].head;
        refs[i] = (tl_box_ref){{{h->min[0], h->min[1], h->min[2], h->max[0], h->max[1], h->max[2]}}, i};
    }
    return refs;
}

/* Exact: every number was 16 bits wide before. */
static void store_bvh_box(const trilo_bounds *b, t3dm_bvh_node *node)
{
    const float min[3] = {b->min.x, b->min.y, b->min.z}, max[3] = {b->max.x, b->max.y, b->max.z};
    for (int k = 0; k < 3; k++) {
        node->min[k] = (int16_t)min[k];
        node->max[k] = (int16_t)max[k];
    }
}

static bool store_bvh_nodes(t3dm_encoder *e, const trilo_bvh *tree)
{
    for (uint32_t i = 0; i < tree->node_count; i++) {
        const trilo_bvh_node *from = &tree->nodes[i];
        const uint32_t offset = from->count > 0 ? from->first : from->first - i;
        if (offset > T3DM_BVH_OFFSET_MOST)
            return tl_t3dm_encode_fail(e, T3DM_R_RANGE_BVH, TRILO_CODE_LIMIT,
                                       "the BVH needs an offset of %" PRIu32 ", 2047 fit", offset);
        store_bvh_box(&from->bounds, &e->file->bvh.nodes[i]);
        e->file->bvh.nodes[i].value = t3dm_bvh_value(offset, from->count);
    }
    return true;
}

static bool store_bvh(t3dm_encoder *e, const trilo_bvh *tree)
{
    t3dm_bvh *bvh = &e->file->bvh;
    bvh->nodes = TL_ARRAY(e->arena, tree->node_count, t3dm_bvh_node);
    bvh->items = TL_ARRAY(e->arena, tree->item_count, uint16_t);
    if (!bvh->nodes || !bvh->items)
        return false;
    e->file->has_bvh = true;
    bvh->head = (t3dm_bvh_head){(uint16_t)tree->node_count, (uint16_t)tree->item_count};
    for (uint32_t i = 0; i < tree->item_count; i++)
        bvh->items[i] = (uint16_t)tree->items[i];
    return store_bvh_nodes(e, tree);
}

/* Objects come first in a file, then animations, then the BVH. With too much in between, the distance to the first
 * objects would overflow. */
static bool check_bvh_distance(t3dm_encoder *e)
{
    const t3dm_file *file = e->file;
    uint64_t between = 8; /* for the alignment */
    for (uint32_t i = 0; i < file->object_count; i++)
        between += tl_layout_size(&tl_t3dm_object_head, 0) +
                   (uint64_t)file->objects[i].head.part_count * tl_layout_size(&tl_t3dm_part, file->version);
    for (uint32_t i = 0; i < file->animation_count; i++)
        between += tl_layout_size(&tl_t3dm_animation_head, 0) +
                   ((uint64_t)file->animations[i].head.quat_count + file->animations[i].head.scalar_count) *
                       tl_layout_size(&tl_t3dm_mapping, 0);
    return between <= BVH_DISTANCE_MOST ||
           tl_t3dm_encode_fail(e, T3DM_R_BVH_DISTANCE, TRILO_CODE_LIMIT,
                               "%" PRIu64 " bytes of objects and animations in front of the BVH, "
                               "it reaches 262140 back; split the model, or leave out the BVH",
                               between);
}

bool tl_t3dm_encode_bvh(t3dm_encoder *e)
{
    const uint32_t count = e->file->object_count;
    if (count == 0 || (!e->opts->t3dm->bvh && !e->model->bvh))
        return true;
    if (count > BVH_OBJECTS_MOST)
        return tl_t3dm_encode_fail(e, T3DM_R_RANGE_BVH, TRILO_CODE_LIMIT, "%" PRIu32 " objects, a BVH reaches 2048",
                                   count);
    trilo_bvh tree;
    tl_box_ref *refs = list_object_boxes(e);
    return refs && check_bvh_distance(e) && tl_mesh_bvh(e->arena, refs, count, &tree) && store_bvh(e, &tree);
}
