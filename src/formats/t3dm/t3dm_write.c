/* Everything at the place it has, in ascending order. What no record covers is taken from the file it was read from, or
 * is zero. Of a damaged file whose records overlap, the one that starts first is written; the rest follows from the
 * bytes in between, so that also such a file comes back as it was. */
#include "formats/t3dm/t3dm.h"

#include <stdio.h>

typedef struct writer {
    const t3dm_file *file;
    tl_sink *sink;
    size_t at;
} writer;

static void put(writer *w, const void *bytes, size_t size)
{
    tl_sink_put(w->sink, bytes, size);
    w->at += size;
}

static void put_record(writer *w, const tl_layout *layout, unsigned version, const void *host)
{
    tl_layout_write(w->sink, layout, version, host);
    w->at += tl_layout_size(layout, version);
}

/* Bytes between records, up to `end`. */
static void fill(writer *w, size_t end)
{
    static const uint8_t zeros[64] = {0};
    while (w->at < end) {
        size_t size = end - w->at;
        if (w->file->bytes.data)
            put(w, w->file->bytes.data + w->at, size);
        else
            put(w, zeros, size < sizeof zeros ? size : sizeof zeros);
    }
}

static void put_u16(writer *w, uint16_t value)
{
    uint8_t bytes[2];
    tl_put_u16(bytes, TL_BIG, value);
    put(w, bytes, sizeof bytes);
}

static void put_u32(writer *w, uint32_t value)
{
    uint8_t bytes[4];
    tl_put_u32(bytes, TL_BIG, value);
    put(w, bytes, sizeof bytes);
}

static void write_object(writer *w, const t3dm_object *object)
{
    put_record(w, &tl_t3dm_object_head, 0, &object->head);
    for (uint32_t i = 0; i < object->head.part_count; i++)
        put_record(w, &tl_t3dm_part, w->file->version, &object->parts[i]);
}

static void write_material(writer *w, const t3dm_material *material)
{
    put_record(w, &tl_t3dm_material_head, 0, &material->head);
    for (int i = 0; i < 2; i++)
        put_record(w, &tl_t3dm_texture, 0, &material->textures[i]);
}

static void write_animation(writer *w, const t3dm_animation *animation)
{
    const uint32_t channels = (uint32_t)animation->head.quat_count + animation->head.scalar_count;
    put_record(w, &tl_t3dm_animation_head, 0, &animation->head);
    for (uint32_t i = 0; i < channels; i++)
        put_record(w, &tl_t3dm_mapping, 0, &animation->mappings[i]);
}

static void write_skeleton(writer *w)
{
    put_record(w, &tl_t3dm_skeleton_head, 0, &w->file->skeleton);
    for (uint32_t i = 0; i < w->file->skeleton.bone_count; i++)
        put_record(w, &tl_t3dm_bone, 0, &w->file->bones[i]);
}

static void write_bvh(writer *w)
{
    const t3dm_bvh *bvh = &w->file->bvh;
    put_record(w, &tl_t3dm_bvh_head, 0, &bvh->head);
    for (uint32_t i = 0; i < bvh->head.node_count; i++)
        put_record(w, &tl_t3dm_bvh_node, 0, &bvh->nodes[i]);
    for (uint32_t i = 0; i < bvh->head.item_count; i++)
        put_u16(w, bvh->items[i]);
}

static void write_chunk(writer *w, const t3dm_chunk *chunk)
{
    const t3dm_file *file = w->file;
    const bool known = chunk->item != TRILO_NONE;
    if (known && chunk->type == 'O')
        write_object(w, &file->objects[chunk->item]);
    else if (known && chunk->type == 'A')
        write_animation(w, &file->animations[chunk->item]);
    else if (known && chunk->type == 'M')
        write_material(w, &file->materials[chunk->item]);
    else if (known && chunk->type == 'S')
        write_skeleton(w);
    else if (known && chunk->type == 'B')
        write_bvh(w);
    else
        put(w, chunk->bytes, chunk->size);
}

static void write_table(writer *w)
{
    for (uint32_t i = 0; i < w->file->header.chunk_count; i++)
        put_u32(w, t3dm_table_word(w->file->chunks[i].type, w->file->chunks[i].at));
}

void tl_t3dm_write(const void *t3dm, tl_sink *sink)
{
    const t3dm_file *file = t3dm;
    writer w = {file, sink, 0};
    put_record(&w, &tl_t3dm_header, file->version, &file->header);
    write_table(&w);
    for (uint32_t i = 0; i < file->header.chunk_count; i++) {
        const t3dm_chunk *chunk = &file->chunks[file->chunk_order[i]];
        if (chunk->at < w.at || chunk->at + (size_t)chunk->size > file->size)
            continue;
        fill(&w, chunk->at);
        write_chunk(&w, chunk);
    }
    if (file->header.strings_at >= w.at) {
        fill(&w, file->header.strings_at);
        put(&w, file->strings.data, file->strings.size);
    }
    fill(&w, file->size);
}

bool tl_t3dm_companion(const void *t3dm, uint32_t index, char *name, size_t room, trilo_bytes *bytes)
{
    const t3dm_file *file = t3dm;
    for (uint32_t i = 0; i < file->animation_count; i++) {
        const t3dm_animation *a = &file->animations[i];
        const char *path = tl_t3dm_string(file, a->head.stream);
        if (!a->has_stream || !path || index-- != 0)
            continue;
        snprintf(name, room, "%s", tl_t3dm_plain_name(path));
        *bytes = a->stream;
        return true;
    }
    return false;
}
