/* Sorting the objects of a finished file so that the material changes less often. Nothing moves past a blended object,
 * so the picture stays the same. The BVH refers to objects by number and gets the new ones. */
#include "formats/t3dm/cost/cost.h"
#include "formats/t3dm/encode/encode.h"

#include <inttypes.h>

bool tl_t3dm_sort_materials(t3dm_file *file, tl_arena *arena, tl_report *changes)
{
    t3dm_orders orders;
    uint32_t *groups = TL_ARRAY(arena, file->material_count, uint32_t), moved = 0;
    if (!groups || !tl_t3dm_orders_new(file, arena, &orders))
        return false;
    for (uint32_t i = 0; i < file->material_count; i++)
        groups[i] = i; /* each material is a group of its own */
    /* No group has the number of all materials, so nothing moves. */
    const uint32_t before = tl_t3dm_regrouped(&orders, NULL, groups, file->material_count).changes;
    const uint32_t after = tl_t3dm_regrouped(&orders, NULL, groups, TRILO_NONE).changes;
    if (after >= before)
        return true;
    for (uint32_t i = 0; i < file->object_count; i++)
        moved += orders.order[i] != i ? 1 : 0;
    tl_report_finding(changes, t3dm_rule(T3DM_R_REORDERED), TRILO_NOWHERE,
                      "%" PRIu32 " of %" PRIu32 " objects were reordered: materials are set %" PRIu32
                      " times instead of %" PRIu32,
                      moved, file->object_count, after, before);
    t3dm_object *objects = tl_array_raw(arena, file->object_count, sizeof *objects);
    uint32_t *now = tl_array_raw(arena, file->object_count, sizeof *now);
    uint16_t *items = file->has_bvh ? tl_array_raw(arena, file->bvh.head.item_count, sizeof *items) : NULL;
    if (!objects || !now || (file->has_bvh && !items))
        return false;
    for (uint32_t i = 0; i < file->object_count; i++) {
        objects[i] = file->objects[orders.order[i]];
        now[orders.order[i]] = i;
    }
    for (uint32_t i = 0; file->has_bvh && i < file->bvh.head.item_count; i++) {
        const uint16_t item = file->bvh.items[i];
        items[i] = item < file->object_count ? (uint16_t)now[item] : item;
    }
    file->objects = objects;
    file->bvh.items = items;
    return true;
}
