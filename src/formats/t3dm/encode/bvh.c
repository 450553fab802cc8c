/* The bounding volume hierarchy over the objects of a file. */
#include "base/strict_float.h"
#include "formats/t3dm/encode/encode.h"

#include "model/mesh_bvh.h"
#include <inttypes.h>

enum { BVH_OBJECTS_MOST = T3DM_BVH_OFFSET_MOST + 1 };

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
    for (uint32_t i = 0; i < tree->node_count; i++) {
        const trilo_bvh_node *from = &tree->nodes[i];
        const trilo_vec3 min = from->bounds.min, max = from->bounds.max; /* 16 bits wide before, so exact */
        const uint32_t offset = from->count > 0 ? from->first : from->first - i;
        if (offset > T3DM_BVH_OFFSET_MOST)
            return tl_t3dm_encode_fail(e, T3DM_R_RANGE_BVH, TRILO_CODE_LIMIT,
                                       "the BVH needs an offset of %" PRIu32 ", 2047 fit", offset);
        bvh->nodes[i] = (t3dm_bvh_node){.min = {(int16_t)min.x, (int16_t)min.y, (int16_t)min.z},
                                        .max = {(int16_t)max.x, (int16_t)max.y, (int16_t)max.z},
                                        .value = t3dm_bvh_value(offset, from->count)};
    }
    return true;
}

bool tl_t3dm_encode_bvh(t3dm_encoder *e)
{
    const uint32_t count = e->file->object_count;
    if (count == 0 || (!e->opts->t3dm->bvh && !e->model->bvh))
        return true;
    if (count > BVH_OBJECTS_MOST)
        return tl_t3dm_encode_fail(e, T3DM_R_RANGE_BVH, TRILO_CODE_LIMIT, "%" PRIu32 " objects, a BVH reaches 2048",
                                   count);
    tl_box_ref *refs = TL_ARRAY(e->arena, count, tl_box_ref);
    if (!refs)
        return false;
    /* Objects come first in a file, then animations, then the BVH. With too much in between, the distance to the first
     * objects would overflow. */
    uint64_t between = 8; /* for the alignment */
    for (uint32_t i = 0; i < count; i++)
        between += tl_t3dm_object_chunk_size(e->file, &e->file->objects[i]);
    for (uint32_t i = 0; i < e->file->animation_count; i++)
        between += tl_t3dm_animation_chunk_size(&e->file->animations[i]);
    if (between > T3DM_BVH_DISTANCE_MOST)
        return tl_t3dm_encode_fail(e, T3DM_R_BVH_DISTANCE, TRILO_CODE_LIMIT,
                                   "%" PRIu64 " bytes of objects and animations in front of the BVH, "
                                   "it reaches %d back; split the model, or leave out the BVH",
                                   between, T3DM_BVH_DISTANCE_MOST);
    for (uint32_t i = 0; i < count; i++) {
        const t3dm_object_head *h = &e->file->objects[i].head;
        refs[i] = (tl_box_ref){{{h->min[0], h->min[1], h->min[2], h->max[0], h->max[1], h->max[2]}}, i};
    }
    trilo_bvh tree;
    return tl_mesh_bvh(e->arena, refs, count, &tree) && store_bvh(e, &tree);
}
