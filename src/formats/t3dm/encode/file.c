/* The offsets of the chunks of a file: objects, animations, BVH, vertices, indices, materials, skeleton, custom chunks,
 * the string table. Aligned as Tiny3D's converter aligns, which is more than the console needs. */
#include "formats/t3dm/t3dm.h"

enum { CHUNKS_END = 1 << T3DM_OFFSET_BITS };

typedef struct chunk_layout {
    t3dm_file *file;
    size_t at;
} chunk_layout;

static size_t align_chunk(size_t value, size_t to)
{
    return (value + to - 1) / to * to;
}

/* Returns its offset. */
static uint32_t add_chunk(chunk_layout *p, char type, uint32_t item, const uint8_t *bytes, size_t size, size_t to)
{
    p->at = align_chunk(p->at, to);
    const uint32_t at = (uint32_t)p->at;
    p->file->chunks[p->file->header.chunk_count++] = (t3dm_chunk){type, at, (uint32_t)size, item, bytes};
    p->at += size;
    return at;
}

size_t tl_t3dm_object_chunk_size(const t3dm_file *file, const t3dm_object *object)
{
    return tl_layout_size(&tl_t3dm_object_head, TL_UNVERSIONED) +
           object->head.part_count * tl_layout_size(&tl_t3dm_part, file->version);
}

size_t tl_t3dm_animation_chunk_size(const t3dm_animation *a)
{
    return tl_layout_size(&tl_t3dm_animation_head, TL_UNVERSIONED) +
           ((size_t)a->head.quat_count + a->head.scalar_count) * tl_layout_size(&tl_t3dm_mapping, TL_UNVERSIONED);
}

size_t tl_t3dm_material_chunk_size(void)
{
    return tl_layout_size(&tl_t3dm_material_head, TL_UNVERSIONED) +
           2 * tl_layout_size(&tl_t3dm_texture, TL_UNVERSIONED);
}

static size_t bvh_chunk_size(const t3dm_bvh *bvh)
{
    return tl_layout_size(&tl_t3dm_bvh_head, TL_UNVERSIONED) +
           bvh->head.node_count * tl_layout_size(&tl_t3dm_bvh_node, TL_UNVERSIONED) +
           bvh->head.item_count * sizeof(uint16_t);
}

static size_t skeleton_chunk_size(const t3dm_file *file)
{
    return tl_layout_size(&tl_t3dm_skeleton_head, TL_UNVERSIONED) +
           file->skeleton.bone_count * tl_layout_size(&tl_t3dm_bone, TL_UNVERSIONED);
}

static bool fail_file_size(size_t size, trilo_error *err)
{
    return tl_fail(err, TRILO_CODE_LIMIT, t3dm_rule(T3DM_R_RANGE_SIZE), TRILO_NOWHERE, NULL,
                   "%zu bytes, all chunks must start within 16 MiB; split the model", size);
}

bool tl_t3dm_layout_file(t3dm_file *file, const t3dm_chunk *custom, uint32_t custom_count, tl_arena *arena,
                         trilo_error *err)
{
    const size_t count = (size_t)file->object_count + file->animation_count + (file->has_bvh ? 1 : 0) + 2 +
                         file->material_count + (file->has_skeleton ? 1 : 0) + custom_count;
    file->chunks = TL_ARRAY(arena, count, t3dm_chunk);
    file->chunk_order = TL_ARRAY(arena, count, uint32_t);
    if (!file->chunks || !file->chunk_order)
        return tl_fail_memory(err);
    file->header.chunk_count = 0;
    chunk_layout p = {file, tl_layout_size(&tl_t3dm_header, file->version) + T3DM_TABLE_ENTRY * count};
    for (uint32_t i = 0; i < file->object_count; i++) {
        const size_t size = tl_t3dm_object_chunk_size(file, &file->objects[i]);
        file->objects[i].at = add_chunk(&p, 'O', i, NULL, size, i == 0 ? 8 : 4);
    }
    for (uint32_t i = 0; i < file->animation_count; i++) {
        const size_t size = tl_t3dm_animation_chunk_size(&file->animations[i]);
        file->animations[i].at = add_chunk(&p, 'A', i, NULL, size, 4);
    }
    if (file->has_bvh)
        file->bvh.at = add_chunk(&p, 'B', 0, NULL, bvh_chunk_size(&file->bvh), 8);
    file->header.vertex_chunk = file->header.chunk_count;
    file->vertices_at = add_chunk(&p, 'V', TRILO_NONE, file->vertices.data, file->vertices.size, 16);
    file->header.index_chunk = file->header.chunk_count;
    file->indices_at = add_chunk(&p, 'I', TRILO_NONE, file->indices.data, file->indices.size, 8);
    file->header.material_chunk = file->header.chunk_count;
    for (uint32_t i = 0; i < file->material_count; i++) {
        t3dm_material *m = &file->materials[i];
        m->at = m->opaque ? add_chunk(&p, 'm', i, m->raw.data, m->raw.size, 8)
                          : add_chunk(&p, 'M', i, NULL, tl_t3dm_material_chunk_size(), 8);
    }
    if (file->has_skeleton)
        file->skeleton_at = add_chunk(&p, 'S', 0, NULL, skeleton_chunk_size(file), 8);
    for (uint32_t i = 0; i < custom_count; i++)
        add_chunk(&p, custom[i].type, TRILO_NONE, custom[i].bytes, custom[i].size, 8);
    for (uint32_t i = 0; i < count; i++)
        file->chunk_order[i] = i;
    if (p.at >= CHUNKS_END)
        return fail_file_size(p.at, err);
    file->header.strings_at = (uint32_t)align_chunk(p.at, 4);
    file->size = file->header.strings_at + file->strings.size;
    return true;
}

/* --- after changes to a file that was read --- */

/* The content of a chunk stores its own offset. Sizes do not include the padding after a chunk. */
static void place_chunk(t3dm_file *file, uint32_t row, size_t at)
{
    t3dm_chunk *chunk = &file->chunks[row];
    size_t size = chunk->size;
    chunk->at = (uint32_t)at;
    if (row == file->header.vertex_chunk) {
        file->vertices_at = chunk->at;
        chunk->bytes = file->vertices.data;
        size = file->vertices.size;
    } else if (row == file->header.index_chunk) {
        file->indices_at = chunk->at;
        chunk->bytes = file->indices.data;
        size = file->indices.size;
    } else if (chunk->item == TRILO_NONE) {
        return;
    } else if (chunk->type == 'O') {
        file->objects[chunk->item].at = chunk->at;
        size = tl_t3dm_object_chunk_size(file, &file->objects[chunk->item]);
    } else if (chunk->type == 'A') {
        file->animations[chunk->item].at = chunk->at;
        size = tl_t3dm_animation_chunk_size(&file->animations[chunk->item]);
    } else if (chunk->type == 'M' || chunk->type == 'm') {
        file->materials[chunk->item].at = chunk->at;
    } else if (chunk->type == 'B') {
        file->bvh.at = chunk->at;
        size = bvh_chunk_size(&file->bvh);
    } else if (chunk->type == 'S') {
        file->skeleton_at = chunk->at;
        size = skeleton_chunk_size(file);
    }
    chunk->size = (uint32_t)size;
}

bool tl_t3dm_layout_again(t3dm_file *file, trilo_error *err)
{
    const uint32_t count = file->header.chunk_count;
    size_t at = tl_layout_size(&tl_t3dm_header, file->version) + (size_t)T3DM_TABLE_ENTRY * count;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t row = file->chunk_order[i];
        const t3dm_chunk *chunk = &file->chunks[row];
        const bool packed = i > 0 && (chunk->type == 'O' || chunk->type == 'A');
        at = align_chunk(at, row == file->header.vertex_chunk ? 16 : packed ? 4 : 8);
        place_chunk(file, row, at);
        at += chunk->size;
        if (at >= CHUNKS_END)
            return fail_file_size(at, err);
    }
    file->header.strings_at = (uint32_t)align_chunk(at, 4);
    file->size = file->header.strings_at + file->strings.size;
    return true;
}
