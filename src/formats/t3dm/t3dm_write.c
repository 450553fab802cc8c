/* Writes the records in the order of their offsets. Bytes between records come from the file that was read, or are
 * zero. If records of a damaged file overlap, the first one is written, and the rest comes from those bytes, so that
 * such a file is preserved too. */
#include "formats/t3dm/t3dm.h"

#include <stdio.h>

typedef struct t3dm_writer {
    const t3dm_file *file;
    tl_sink *sink;
    size_t at;
} t3dm_writer;

static void t3dm_put(t3dm_writer *w, const void *bytes, size_t size)
{
    tl_sink_put(w->sink, bytes, size);
    w->at += size;
}

static void t3dm_put_record(t3dm_writer *w, const tl_layout *layout, unsigned version, const void *host)
{
    w->at += tl_layout_write(w->sink, layout, version, host);
}

/* The bytes between records, up to `end`. */
static void t3dm_put_gap(t3dm_writer *w, size_t end)
{
    static const uint8_t zeros[64] = {0};
    while (w->at < end) {
        size_t size = end - w->at;
        if (w->file->bytes.data)
            t3dm_put(w, w->file->bytes.data + w->at, size);
        else
            t3dm_put(w, zeros, size < sizeof zeros ? size : sizeof zeros);
    }
}

static void t3dm_put_records(t3dm_writer *w, const tl_layout *layout, const void *hosts, size_t count, size_t host_size)
{
    for (size_t i = 0; i < count; i++)
        t3dm_put_record(w, layout, w->file->version, (const uint8_t *)hosts + i * host_size);
}

static void t3dm_write_chunk(t3dm_writer *w, const t3dm_chunk *chunk)
{
    const t3dm_file *file = w->file;
    const bool known = chunk->item != TRILO_NONE;
    if (known && chunk->type == 'O') {
        const t3dm_object *object = &file->objects[chunk->item];
        t3dm_put_record(w, &tl_t3dm_object_head, TL_UNVERSIONED, &object->head);
        t3dm_put_records(w, &tl_t3dm_part, object->parts, object->head.part_count, sizeof *object->parts);
    } else if (known && chunk->type == 'A') {
        const t3dm_animation *animation = &file->animations[chunk->item];
        const size_t channels = (size_t)animation->head.quat_count + animation->head.scalar_count;
        t3dm_put_record(w, &tl_t3dm_animation_head, TL_UNVERSIONED, &animation->head);
        t3dm_put_records(w, &tl_t3dm_mapping, animation->mappings, channels, sizeof *animation->mappings);
    } else if (known && chunk->type == 'M') {
        const t3dm_material *material = &file->materials[chunk->item];
        t3dm_put_record(w, &tl_t3dm_material_head, TL_UNVERSIONED, &material->head);
        t3dm_put_records(w, &tl_t3dm_texture, material->textures, 2, sizeof *material->textures);
    } else if (known && chunk->type == 'S') {
        t3dm_put_record(w, &tl_t3dm_skeleton_head, TL_UNVERSIONED, &file->skeleton);
        t3dm_put_records(w, &tl_t3dm_bone, file->bones, file->skeleton.bone_count, sizeof *file->bones);
    } else if (known && chunk->type == 'B') {
        const t3dm_bvh *bvh = &file->bvh;
        t3dm_put_record(w, &tl_t3dm_bvh_head, TL_UNVERSIONED, &bvh->head);
        t3dm_put_records(w, &tl_t3dm_bvh_node, bvh->nodes, bvh->head.node_count, sizeof *bvh->nodes);
        for (uint32_t i = 0; i < bvh->head.item_count; i++) {
            uint8_t item[sizeof(uint16_t)];
            tl_put_u16(item, TL_BIG, bvh->items[i]);
            t3dm_put(w, item, sizeof item);
        }
    } else {
        t3dm_put(w, chunk->bytes, chunk->size);
    }
}

void tl_t3dm_write(const void *t3dm, tl_sink *sink)
{
    const t3dm_file *file = t3dm;
    t3dm_writer w = {file, sink, 0};
    t3dm_put_record(&w, &tl_t3dm_header, file->version, &file->header);
    for (uint32_t i = 0; i < file->header.chunk_count; i++) {
        uint8_t entry[T3DM_TABLE_ENTRY];
        tl_put_u32(entry, TL_BIG, t3dm_table_word(file->chunks[i].type, file->chunks[i].at));
        t3dm_put(&w, entry, sizeof entry);
    }
    for (uint32_t i = 0; i < file->header.chunk_count; i++) {
        const t3dm_chunk *chunk = &file->chunks[file->chunk_order[i]];
        if (chunk->at < w.at || chunk->at + (size_t)chunk->size > file->size)
            continue;
        t3dm_put_gap(&w, chunk->at);
        t3dm_write_chunk(&w, chunk);
    }
    if (file->header.strings_at >= w.at) {
        t3dm_put_gap(&w, file->header.strings_at);
        t3dm_put(&w, file->strings.data, file->strings.size);
    }
    t3dm_put_gap(&w, file->size);
}

bool tl_t3dm_companion(const void *t3dm, uint32_t index, char *name, size_t room, trilo_bytes *bytes)
{
    const t3dm_file *file = t3dm;
    if (index >= file->streamed_count)
        return false;
    const t3dm_animation *a = &file->animations[file->streamed[index]];
    snprintf(name, room, "%s", tl_t3dm_plain_name(tl_t3dm_string(file, a->head.stream)));
    *bytes = a->stream;
    return true;
}
