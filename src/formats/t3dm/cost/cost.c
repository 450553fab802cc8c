/* A whole T3DM file: its objects in order, what its materials set between them, and the memory it takes. */
#include "formats/t3dm/cost/cost.h"

#include <string.h>

enum { T3DM_COST_MATRIX_SIZE = 64 }; /* of a bone, as the console stores it */

static trilo_str t3dm_cost_string_copy(const t3dm_file *file, uint32_t offset, tl_arena *arena)
{
    const char *text = tl_t3dm_string(file, offset);
    return tl_str_copy(arena, text ? text : "", text ? strlen(text) : 0);
}

static bool t3dm_cost_file(const t3dm_file *file, const trilo_cost_opts *opts, tl_arena *arena, tl_arena *scratch,
                           trilo_cost *cost)
{
    trilo_cost_object *objects = TL_ARRAY(arena, file->object_count, trilo_cost_object);
    trilo_cost_material *materials = TL_ARRAY(arena, file->material_count, trilo_cost_material);
    t3dm_classes classes;
    if (!objects || !materials || !tl_t3dm_classes_new(file, scratch, &classes))
        return false;
    for (uint32_t i = 0; i < file->object_count; i++) {
        const t3dm_object *from = &file->objects[i];
        objects[i].name = t3dm_cost_string_copy(file, from->head.name, arena);
        objects[i].material = t3dm_material_of(file, from) ? from->head.material : TRILO_NONE;
        for (uint32_t k = 0; k < from->head.part_count; k++)
            objects[i].skinned = objects[i].skinned || from->parts[k].bone != T3DM_NO_BONE;
        if (!objects[i].name.data || !tl_t3dm_cost_object(&classes, from, &objects[i].counts))
            return false;
    }
    for (uint32_t i = 0; i < file->material_count; i++) {
        const t3dm_material *from = &file->materials[i];
        materials[i].name = t3dm_cost_string_copy(file, from->opaque ? 0 : from->head.name, arena);
        materials[i].textures[0] = materials[i].textures[1] = TRILO_NONE;
        if (!materials[i].name.data)
            return false;
    }
    cost->object_count = file->object_count;
    cost->material_count = file->material_count;
    if (!tl_t3dm_cost_materials(file, opts, arena, scratch, cost, objects, materials))
        return false;
    tl_cost_sum(cost, objects, materials);
    cost->bone_bytes = T3DM_COST_MATRIX_SIZE * (uint64_t)(file->has_skeleton ? file->skeleton.bone_count : 0);
    return tl_t3dm_cost_hints(file, arena, scratch, cost);
}

bool tl_t3dm_cost(const void *t3dm, const trilo_cost_opts *opts, tl_arena *arena, trilo_cost *cost, trilo_error *err)
{
    tl_arena scratch;
    tl_arena_init(&scratch, &(trilo_memory){arena->fn, arena->user, arena->left ? arena->left : 1});
    const bool ok = t3dm_cost_file(t3dm, opts, arena, &scratch, cost);
    tl_arena_free(&scratch);
    return ok || tl_fail_memory(err);
}
