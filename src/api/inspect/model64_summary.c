#include "trilobite/model64.h"

#include "api/document.h"
#include "base/hash_table.h"
#include "formats/model64/model64.h"

#include <string.h>

static const model64_file *model64_of(const trilo_document *document)
{
    return trilo_document_format(document) == TRILO_FORMAT_MODEL64 ? document->file : NULL;
}

static void model64_list_count(const gfx_list *list, trilo_model64_list *sum)
{
    for (size_t at = 0; list->bytes && at + TL_F3DEX_COMMAND_SIZE <= list->used; at += TL_F3DEX_COMMAND_SIZE) {
        const gfx_command command = tl_gfx_at(list->bytes + at);
        const unsigned opcode = gfx_opcode(command);
        const bool load = opcode == GFX_VTX, draw = opcode == GFX_TRI1 || opcode == GFX_TRI2 || opcode == GFX_QUAD;
        const uint32_t loaded = load ? tl_gfx_load_of(command).count : 0;
        sum->commands++;
        sum->loads += load;
        sum->modifies += opcode == GFX_MODIFYVTX;
        sum->triangles += draw ? tl_gfx_triangles_of(command).count : 0;
        sum->loaded_vertices += loaded;
        sum->size += TL_F3DEX_COMMAND_SIZE;
        sum->draw_size += TL_F3DEX_COMMAND_SIZE + (uint64_t)TL_F3DEX_VERTEX_SIZE * loaded;
    }
}

trilo_model64_summary trilo_document_model64(const trilo_document *document)
{
    const model64_file *file = model64_of(document);
    if (!file)
        return (trilo_model64_summary){0};
    trilo_model64_summary summary = {.main_size = file->header.main_size,
                                     .frame_size = file->head.frame_size,
                                     .vertex_count = file->vertex_count,
                                     .animation_count = (uint32_t)file->head.animation_count};
    for (uint32_t i = 0; i < summary.animation_count; i++)
        summary.frame_count += (uint32_t)file->animations[i].head.frame_count;
    for (int i = 0; i < MODEL64_SLOTS; i++) {
        model64_list_count(&file->lists[i], &summary.lists[i]);
        model64_list_count(&file->lists[i], &summary.all_lists);
    }
    return summary;
}

static int model64_compare_blocks(const void *model64, uint32_t a, uint32_t b)
{
    const model64_file *file = model64;
    return memcmp(file->vertices.data + file->blocks[a], file->vertices.data + file->blocks[b], file->head.frame_size);
}

/* For each block the first one with equal vertices. Blocks that overlap could hold far more bytes than the file: then
 * only their offsets are compared. NULL: no memory. */
static uint32_t *model64_equal_blocks(const model64_file *file, tl_arena *scratch)
{
    tl_hash_table table;
    const size_t size = file->head.frame_size;
    const bool compare = size > 0 && file->block_count <= file->bytes.size / size;
    uint32_t *equal = TL_ARRAY(scratch, file->block_count, uint32_t);
    if (!equal || !tl_hash_table_init(&table, scratch, file->block_count, model64_compare_blocks, file))
        return NULL;
    for (uint32_t i = 0; i < file->block_count; i++) {
        const uint32_t hash = compare ? trilo_fnv1a(file->vertices.data + file->blocks[i], size) : 0;
        equal[i] = compare ? tl_hash_table_add(&table, hash, i) : i;
        if (equal[i] == TRILO_NONE)
            return NULL;
    }
    return equal;
}

/* `seen` has for each block the last animation that shows it, counted from 1. */
static uint64_t model64_count_distinct(const model64_animation *animation, const uint32_t *equal, uint32_t *seen,
                                       uint32_t number)
{
    uint64_t distinct = 0;
    for (uint32_t i = 0; i < (uint32_t)animation->head.frame_count; i++) {
        if (animation->blocks[i] == TRILO_NONE)
            continue;
        uint32_t *last = &seen[equal[animation->blocks[i]]];
        distinct += *last != number;
        *last = number;
    }
    return distinct;
}

bool trilo_document_model64_frames(const trilo_document *document, trilo_model64_frames *animations, size_t room,
                                   trilo_model64_frames *all)
{
    const model64_file *file = model64_of(document);
    if (!file)
        return false;
    tl_arena scratch;
    tl_arena_init(&scratch, &document->opts.memory);
    const uint32_t *equal = model64_equal_blocks(file, &scratch);
    uint32_t *seen = TL_ARRAY(&scratch, file->block_count, uint32_t);
    const bool ok = equal && seen;
    trilo_model64_frames sum = {0};
    for (uint32_t i = 0; ok && i < (uint32_t)file->head.animation_count; i++) {
        const model64_animation *animation = &file->animations[i];
        const uint64_t distinct = model64_count_distinct(animation, equal, seen, i + 1);
        sum.frame_count += (uint32_t)animation->head.frame_count;
        if (i < room)
            animations[i] = (trilo_model64_frames){(uint32_t)animation->head.frame_count, distinct};
    }
    for (uint32_t i = 0; ok && i < file->block_count; i++) /* every block belongs to a frame */
        sum.distinct += equal[i] == i;
    if (ok && all)
        *all = sum;
    tl_arena_free(&scratch);
    return ok;
}
