/* What a file holds, for people: its records one by one, and where its bytes go. */
#include "formats/model64/model64.h"

#include "base/size.h"

static void model64_dump_visit_record(const trilo_visitor *v, const tl_layout *layout, const char *name,
                                      const uint8_t *bytes, uint64_t at)
{
    v->record_begin(v->user, name, at);
    tl_layout_visit(layout, TL_UNVERSIONED, bytes, at, v);
    v->record_end(v->user);
}

/* A list of consecutive records. */
static void model64_dump_visit_records(const trilo_visitor *v, const model64_file *file, const char *name,
                                       const tl_records *records)
{
    const size_t size = tl_layout_size(records->layout, TL_UNVERSIONED);
    const uint64_t at = records->count > 0 ? model64_offset(file, records->bytes) : 0;
    v->list_begin(v->user, name, (uint32_t)records->count, at);
    for (size_t i = 0; i < records->count; i++)
        model64_dump_visit_record(v, records->layout, NULL, records->bytes + i * size, at + i * size);
    v->list_end(v->user);
}

/* --- lists --- */

/* --- vertices --- */

/* Blocks that overlap come without their vertices: all of them together could be far more than the file. */
static void model64_dump_visit_blocks(const trilo_visitor *v, const model64_file *file)
{
    uint64_t end = 0;
    v->list_begin(v->user, "blocks", file->block_count, file->header.vertex_at);
    for (uint32_t i = 0; i < file->block_count; i++) {
        const uint32_t offset = file->blocks[i];
        const uint64_t at = file->header.vertex_at + (uint64_t)offset;
        tl_records vertices = {&tl_model64_vertex, TL_UNVERSIONED, file->vertices.data + offset, file->vertex_count};
        vertices.count = model64_block_apart(file, i, &end) ? file->vertex_count : 0;
        v->record_begin(v->user, NULL, at);
        v->field(v->user, "vertices_at", &(trilo_value){TRILO_VALUE_KIND_UINT, 1, at, {.u = {offset}}});
        model64_dump_visit_records(v, file, "vertices", &vertices);
        v->record_end(v->user);
    }
    v->list_end(v->user);
}

void tl_model64_visit(const void *model64, const trilo_visitor *v)
{
    const model64_file *file = model64;
    const bool own = file->head.vertices != 0 && file->default_block;
    const tl_records vertices = {&tl_model64_vertex, TL_UNVERSIONED, file->default_block, own ? file->vertex_count : 0};
    model64_dump_visit_record(v, &tl_model64_header, "header", file->bytes.data, 0);
    model64_dump_visit_record(v, &tl_model64_main, "main", file->main.data, file->header.main_at);
    const uint32_t count = (uint32_t)file->head.animation_count;
    v->list_begin(v->user, "animations", count, model64_animation_at(file, 0));
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t at = model64_animation_at(file, i);
        const tl_records frames = model64_frames(&file->animations[i]);
        v->record_begin(v->user, NULL, at);
        tl_layout_visit(&tl_model64_animation, TL_UNVERSIONED, file->bytes.data + at, at, v);
        model64_dump_visit_records(v, file, "frames", &frames);
        v->record_end(v->user);
    }
    v->list_end(v->user);
    /* One for each slot, also those that draw nothing. */
    const uint64_t lists_at =
        file->header.main_at + (uint64_t)tl_layout_field(&tl_model64_main, TL_UNVERSIONED, "lists")->at;
    v->list_begin(v->user, "lists", MODEL64_SLOTS, lists_at);
    for (int i = 0; i < MODEL64_SLOTS; i++) {
        const gfx_list *list = &file->lists[i];
        const uint64_t at = list->bytes ? model64_offset(file, list->bytes) : lists_at;
        v->record_begin(v->user, NULL, at);
        v->list_begin(v->user, "commands", (uint32_t)(list->used / TL_F3DEX_COMMAND_SIZE), at);
        for (size_t k = 0; k < list->used; k += TL_F3DEX_COMMAND_SIZE) {
            const uint64_t command_at = at + k;
            const gfx_command command = tl_gfx_at(list->bytes + k);
            char text[128];
            tl_gfx_text(command, text, sizeof text);
            trilo_value words = {
                .kind = TRILO_VALUE_KIND_UINT, .count = 2, .offset = command_at, .as.u = {command.w0, command.w1}};
            trilo_value meaning = {.kind = TRILO_VALUE_KIND_TEXT, .count = 1, .offset = command_at};
            meaning.as.blob = (trilo_bytes){(const uint8_t *)text, strlen(text)};
            v->record_begin(v->user, NULL, command_at);
            v->field(v->user, "words", &words);
            v->field(v->user, "text", &meaning);
            v->record_end(v->user);
        }
        v->list_end(v->user);
        v->record_end(v->user);
    }
    v->list_end(v->user);
    model64_dump_visit_records(v, file, "vertices", &vertices);
    model64_dump_visit_blocks(v, file);
}

/* --- sections --- */

enum {
    MODEL64_DUMP_HEADERS,
    MODEL64_DUMP_ANIMATIONS,
    MODEL64_DUMP_FRAMES,
    MODEL64_DUMP_LISTS,
    MODEL64_DUMP_VERTICES,
    MODEL64_DUMP_FRAME_VERTICES,
    MODEL64_DUMP_OTHER,
    MODEL64_DUMP_SECTIONS
};

static int model64_dump_kind_of(const model64_file *file, const model64_piece *piece)
{
    if (piece->bytes == file->vertices.data && piece->size == file->vertices.size)
        return MODEL64_DUMP_FRAME_VERTICES;
    for (int i = 0; i < MODEL64_SLOTS; i++)
        if (piece->bytes == file->lists[i].bytes && piece->size == file->lists[i].used)
            return MODEL64_DUMP_LISTS;
    return piece->bytes == file->default_block ? MODEL64_DUMP_VERTICES : MODEL64_DUMP_FRAMES;
}

/* Bytes of the vertex section that belong to a frame. */
static uint64_t model64_dump_blocks_size(const model64_file *file)
{
    uint64_t size = 0, end = 0;
    for (uint32_t i = 0; i < file->block_count; i++) {
        const uint64_t at = file->blocks[i], until = at + file->head.frame_size;
        size += until - (at > end ? at : end);
        end = until;
    }
    return size;
}

/* Every byte counts once, as in writing: for the piece that starts first. */
static void model64_dump_measure(const model64_file *file, trilo_section sections[MODEL64_DUMP_SECTIONS])
{
    const uint64_t animations =
        (uint32_t)file->head.animation_count * (uint64_t)tl_layout_size(&tl_model64_animation, TL_UNVERSIONED);
    const uint64_t head = tl_layout_size(&tl_model64_main, TL_UNVERSIONED), main_at = file->header.main_at;
    uint64_t at = tl_layout_size(&tl_model64_header, TL_UNVERSIONED);
    bool main_done = false;
    sections[MODEL64_DUMP_HEADERS].size = at;
    for (uint32_t i = 0; i <= file->piece_count; i++) {
        const model64_piece *piece = i < file->piece_count ? &file->pieces[i] : NULL;
        if (!main_done && (!piece || piece->at >= main_at)) {
            main_done = true;
            if (main_at >= at) {
                sections[MODEL64_DUMP_HEADERS].size += head;
                sections[MODEL64_DUMP_ANIMATIONS].size = animations;
                at = main_at + head + animations;
            }
        }
        if (!piece || piece->at < at)
            continue;
        const int kind = model64_dump_kind_of(file, piece);
        sections[kind].size += kind == MODEL64_DUMP_FRAME_VERTICES ? model64_dump_blocks_size(file) : piece->size;
        at = piece->at + (uint64_t)piece->size;
    }
}

size_t tl_model64_sections(const void *model64, trilo_section *sections, size_t room)
{
    const model64_file *file = model64;
    trilo_section all[MODEL64_DUMP_SECTIONS] = {
        {"headers", 0, 0},
        {"animations", 0, 0},
        {"frames", 0, 0},
        {"display lists", 0, 0},
        {"default vertices", 0, 0},
        {"frame vertices", 0, 0},
        {"padding and others", 0, 0},
    };
    uint64_t covered = 0;
    model64_dump_measure(file, all);
    all[MODEL64_DUMP_HEADERS].count = 2;
    all[MODEL64_DUMP_ANIMATIONS].count = (uint32_t)file->head.animation_count;
    for (int32_t i = 0; i < file->head.animation_count; i++)
        all[MODEL64_DUMP_FRAMES].count += (uint32_t)file->animations[i].head.frame_count;
    for (int i = 0; i < MODEL64_SLOTS; i++)
        all[MODEL64_DUMP_LISTS].count += file->lists[i].bytes ? 1 : 0;
    all[MODEL64_DUMP_VERTICES].count = file->default_block ? file->vertex_count : 0;
    all[MODEL64_DUMP_FRAME_VERTICES].count = file->block_count;
    all[MODEL64_DUMP_OTHER].count = 1;
    for (int i = 0; i < MODEL64_DUMP_OTHER; i++)
        covered += all[i].size;
    all[MODEL64_DUMP_OTHER].size = file->size - covered;
    return tl_sections_keep(all, MODEL64_DUMP_SECTIONS, sections, room);
}
