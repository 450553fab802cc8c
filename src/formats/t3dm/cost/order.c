/* What sorting the objects by material would save.
 *
 * Blended objects stay where they are, and nothing moves past them: the picture must not change. Between them, objects
 * of one group may follow each other. */
#include "formats/t3dm/cost/cost.h"

#include "base/sort.h"

/* The sort key of each object: the position of the first one of its group since the last object that stays. */
static void order_set_keys(const t3dm_orders *o, const uint32_t *groups, uint32_t only)
{
    uint32_t start = 0; /* after the last object that stays; `first` of a group not seen since is before it */
    for (uint32_t g = 0; g < o->file->material_count; g++)
        o->first[g] = TRILO_NONE;
    for (uint32_t i = 0; i < o->file->object_count; i++) {
        const t3dm_material *material = t3dm_material_of(o->file, &o->file->objects[i]);
        o->keys[i] = i;
        if (!material || material->opaque || material->head.blender != 0) {
            start = i + 1;
            continue;
        }
        const uint32_t group = groups[o->file->objects[i].head.material];
        if (only != TRILO_NONE && group != only)
            continue;
        if (o->first[group] == TRILO_NONE || o->first[group] < start)
            o->first[group] = i;
        o->keys[i] = o->first[group];
    }
}

static int64_t order_key(const void *keys, uint32_t row)
{
    return ((const uint32_t *)keys)[row];
}

t3dm_changes tl_t3dm_regrouped(const t3dm_orders *o, const trilo_cost *cost, const uint32_t *groups, uint32_t only)
{
    t3dm_changes sum = {0};
    order_set_keys(o, groups, only);
    tl_sort_rows(o->order, o->file->object_count, order_key, o->keys);
    t3dm_pipeline pipeline = {0};
    for (uint32_t i = 0; i < o->file->object_count; i++) {
        const t3dm_object *object = &o->file->objects[o->order[i]];
        const t3dm_material *material = t3dm_material_of(o->file, object);
        const t3dm_setting s = tl_t3dm_set_material(&pipeline, material);
        sum.changes += t3dm_sets(&s);
        sum.overlay_bytes += s.pipeline ? TL_RSP_OVERLAY_BYTES : 0;
        for (int k = 0; k < 2; k++)
            if (s.uploads[k] && cost && cost->materials[object->head.material].textures[k] != TRILO_NONE)
                sum.uploads++;
    }
    return sum;
}

bool tl_t3dm_orders_new(const t3dm_file *file, tl_arena *scratch, t3dm_orders *o)
{
    *o = (t3dm_orders){.file = file};
    o->first = TL_ARRAY(scratch, file->material_count, uint32_t);
    o->keys = TL_ARRAY(scratch, file->object_count, uint32_t);
    o->order = TL_ARRAY(scratch, file->object_count, uint32_t);
    return o->first && o->keys && o->order;
}
