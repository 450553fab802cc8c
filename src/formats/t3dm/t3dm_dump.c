/* Lists the records of a T3DM file, and the sizes of its sections. */
#include "formats/t3dm/t3dm.h"

#include "formats/t3dm/pyrite64/pyrite64.h"

static uint64_t t3dm_offset_of(const t3dm_file *file, const uint8_t *p)
{
    return (uint64_t)(p - file->bytes.data);
}

static void t3dm_visit_fields(const trilo_visitor *v, const t3dm_file *file, const tl_layout *layout, uint64_t at)
{
    tl_layout_visit(layout, file->version, file->bytes.data + at, at, v);
}

/* An array of records of fixed size. Returns its end. */
static uint64_t t3dm_visit_records(const trilo_visitor *v, const t3dm_file *file, const char *name,
                                   const tl_layout *layout, uint64_t at, uint32_t count)
{
    const size_t size = tl_layout_size(layout, file->version);
    v->list_begin(v->user, name, count, at);
    for (uint32_t i = 0; i < count; i++, at += size) {
        v->record_begin(v->user, NULL, at);
        t3dm_visit_fields(v, file, layout, at);
        v->record_end(v->user);
    }
    v->list_end(v->user);
    return at;
}

static void t3dm_visit_text(const trilo_visitor *v, const t3dm_file *file, const char *name, uint32_t string)
{
    const char *found = tl_t3dm_string(file, string);
    if (!found || !found[0])
        return;
    size_t length = 0;
    while (found[length])
        length++;
    trilo_value value = {
        .kind = TRILO_VALUE_KIND_TEXT, .count = 1, .offset = t3dm_offset_of(file, (const uint8_t *)found)};
    value.as.blob = (trilo_bytes){(const uint8_t *)found, length};
    v->field(v->user, name, &value);
}

static void t3dm_visit_blob(const trilo_visitor *v, const t3dm_file *file, const char *name, trilo_bytes bytes)
{
    trilo_value value = {.kind = TRILO_VALUE_KIND_BLOB, .count = 1, .offset = t3dm_offset_of(file, bytes.data)};
    value.as.blob = bytes;
    v->field(v->user, name, &value);
}

static void t3dm_visit_material(const trilo_visitor *v, const t3dm_file *file, const t3dm_material *material)
{
    uint64_t at = material->at + tl_layout_size(&tl_t3dm_material_head, TL_UNVERSIONED);
    t3dm_visit_fields(v, file, &tl_t3dm_material_head, material->at);
    t3dm_visit_text(v, file, "name_text", material->head.name);
    v->list_begin(v->user, "textures", 2, at);
    for (int i = 0; i < 2; i++, at += tl_layout_size(&tl_t3dm_texture, TL_UNVERSIONED)) {
        v->record_begin(v->user, NULL, at);
        t3dm_visit_fields(v, file, &tl_t3dm_texture, at);
        t3dm_visit_text(v, file, "path_text", material->textures[i].path);
        v->record_end(v->user);
    }
    v->list_end(v->user);
}

/* Offsets of keys are those in the companion file. */
static void t3dm_visit_animation(const trilo_visitor *v, const t3dm_file *file, const t3dm_animation *animation)
{
    const uint32_t channels = (uint32_t)animation->head.quat_count + animation->head.scalar_count;
    t3dm_visit_fields(v, file, &tl_t3dm_animation_head, animation->at);
    t3dm_visit_text(v, file, "name_text", animation->head.name);
    t3dm_visit_text(v, file, "stream_text", animation->head.stream);
    t3dm_visit_records(v, file, "channels", &tl_t3dm_mapping,
                       animation->at + tl_layout_size(&tl_t3dm_animation_head, TL_UNVERSIONED), channels);
    if (!animation->has_stream)
        return;
    tl_sdata_walk walk = tl_sdata_walk_start(animation->stream, animation->head.quat_count);
    tl_sdata_key key;
    while (tl_sdata_walk_next(&walk, &key))
        ;
    v->list_begin(v->user, "keys", walk.number, 0);
    walk = tl_sdata_walk_start(animation->stream, animation->head.quat_count);
    while (tl_sdata_walk_next(&walk, &key)) {
        const uint64_t at = key.at;
        v->record_begin(v->user, NULL, at);
        v->field(v->user, "ticks", &(trilo_value){TRILO_VALUE_KIND_UINT, 1, at, {.u = {key.ticks}}});
        v->field(v->user, "channel", &(trilo_value){TRILO_VALUE_KIND_UINT, 1, at, {.u = {key.channel}}});
        v->field(v->user, "value", &(trilo_value){TRILO_VALUE_KIND_UINT, 1, at, {.u = {key.value}}});
        v->record_end(v->user);
    }
    v->list_end(v->user);
}

static void t3dm_visit_skeleton(const trilo_visitor *v, const t3dm_file *file)
{
    uint64_t at = file->skeleton_at + tl_layout_size(&tl_t3dm_skeleton_head, TL_UNVERSIONED);
    t3dm_visit_fields(v, file, &tl_t3dm_skeleton_head, file->skeleton_at);
    v->list_begin(v->user, "bones", file->skeleton.bone_count, at);
    for (uint32_t i = 0; i < file->skeleton.bone_count; i++, at += tl_layout_size(&tl_t3dm_bone, TL_UNVERSIONED)) {
        v->record_begin(v->user, NULL, at);
        t3dm_visit_fields(v, file, &tl_t3dm_bone, at);
        t3dm_visit_text(v, file, "name_text", file->bones[i].name);
        v->record_end(v->user);
    }
    v->list_end(v->user);
}

static void t3dm_visit_bvh(const trilo_visitor *v, const t3dm_file *file)
{
    const t3dm_bvh *bvh = &file->bvh;
    uint64_t at = bvh->at + tl_layout_size(&tl_t3dm_bvh_head, TL_UNVERSIONED);
    t3dm_visit_fields(v, file, &tl_t3dm_bvh_head, bvh->at);
    at = t3dm_visit_records(v, file, "nodes", &tl_t3dm_bvh_node, at, bvh->head.node_count);
    v->list_begin(v->user, "items", bvh->head.item_count, at);
    for (uint32_t i = 0; i < bvh->head.item_count; i++, at += sizeof(uint16_t))
        v->field(v->user, NULL, &(trilo_value){TRILO_VALUE_KIND_UINT, 1, at, {.u = {bvh->items[i]}}});
    v->list_end(v->user);
}

static void t3dm_visit_chunk(const trilo_visitor *v, const t3dm_file *file, const t3dm_chunk *chunk)
{
    const char type[2] = {chunk->type, '\0'};
    trilo_value value = {.kind = TRILO_VALUE_KIND_TEXT, .count = 1, .offset = chunk->at};
    value.as.blob = (trilo_bytes){(const uint8_t *)type, 1};
    v->field(v->user, "type", &value);
    const bool known = chunk->item != TRILO_NONE;
    if (known && chunk->type == 'O') {
        const t3dm_object *object = &file->objects[chunk->item];
        t3dm_visit_fields(v, file, &tl_t3dm_object_head, object->at);
        t3dm_visit_text(v, file, "name_text", object->head.name);
        t3dm_visit_records(v, file, "parts", &tl_t3dm_part,
                           object->at + tl_layout_size(&tl_t3dm_object_head, TL_UNVERSIONED), object->head.part_count);
    } else if (known && chunk->type == 'M') {
        t3dm_visit_material(v, file, &file->materials[chunk->item]);
    } else if (known && chunk->type == 'm' && file->materials[chunk->item].translated) {
        tl_pyrite64_visit(v, file, &file->materials[chunk->item]);
    } else if (known && chunk->type == 'A') {
        t3dm_visit_animation(v, file, &file->animations[chunk->item]);
    } else if (known && chunk->type == 'S') {
        t3dm_visit_skeleton(v, file);
    } else if (known && chunk->type == 'B') {
        t3dm_visit_bvh(v, file);
    } else if (chunk->type == 'V' && chunk->at == file->vertices_at) {
        t3dm_visit_records(v, file, "pairs", &tl_t3dm_pair, file->vertices_at,
                           (uint32_t)(file->vertices.size / tl_layout_size(&tl_t3dm_pair, TL_UNVERSIONED)));
    } else if (chunk->type != '0' ||
               !trilo_pyrite64_collision_visit((trilo_bytes){chunk->bytes, chunk->size}, chunk->at, v)) {
        t3dm_visit_blob(v, file, "bytes", (trilo_bytes){chunk->bytes, chunk->size});
    }
}

void tl_t3dm_visit(const void *t3dm, const trilo_visitor *v)
{
    const t3dm_file *file = t3dm;
    v->record_begin(v->user, "header", 0);
    t3dm_visit_fields(v, file, &tl_t3dm_header, 0);
    v->record_end(v->user);
    v->list_begin(v->user, "chunks", file->header.chunk_count, tl_layout_size(&tl_t3dm_header, file->version));
    for (uint32_t i = 0; i < file->header.chunk_count; i++) {
        v->record_begin(v->user, NULL, file->chunks[i].at);
        t3dm_visit_chunk(v, file, &file->chunks[i]);
        v->record_end(v->user);
    }
    v->list_end(v->user);
    t3dm_visit_blob(v, file, "strings", file->strings);
}

/* --- sections --- */

typedef struct t3dm_section_kind {
    const char *types, *name;
} t3dm_section_kind;

static const t3dm_section_kind t3dm_section_kinds[] = {
    {"O", "objects and parts"}, {"V", "vertices"}, {"I", "indices"}, {"Mm", "materials"},
    {"A", "animations"},        {"S", "skeleton"}, {"B", "BVH"},
};

/* Of chunks with the same offset only the last is counted with its size. */
size_t tl_t3dm_sections(const void *t3dm, trilo_section *sections, size_t room)
{
    enum { KINDS = TL_COUNT_OF(t3dm_section_kinds), CUSTOM = KINDS + 1, STRINGS };
    const t3dm_file *file = t3dm;
    const uint32_t count = file->header.chunk_count;
    trilo_section all[STRINGS + 1] = {[CUSTOM] = {.name = "custom chunks"}, [STRINGS] = {.name = "strings"}};
    uint64_t rest = file->size;
    for (size_t i = 0; i < KINDS; i++)
        all[i + 1].name = t3dm_section_kinds[i].name;
    for (uint32_t i = 0; i < count; i++) {
        const t3dm_chunk *chunk = &file->chunks[file->chunk_order[i]];
        const bool shadowed = i + 1 < count && file->chunks[file->chunk_order[i + 1]].at == chunk->at;
        size_t section = CUSTOM;
        for (size_t k = 0; k < KINDS; k++)
            if (chunk->type != '\0' &&
                (chunk->type == t3dm_section_kinds[k].types[0] || chunk->type == t3dm_section_kinds[k].types[1]))
                section = k + 1;
        all[section].count++;
        all[section].size += shadowed ? 0 : chunk->size;
        rest -= shadowed ? 0 : chunk->size;
    }
    all[STRINGS].count = 1;
    all[STRINGS].size = file->strings.size <= rest ? file->strings.size : 0;
    all[0] = (trilo_section){"header and chunk table", 1, rest - all[STRINGS].size};
    return tl_sections_keep(all, TL_COUNT_OF(all), sections, room);
}
