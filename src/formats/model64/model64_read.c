/* Follows the offsets of a file. An inconsistent file is refused here; content that only cannot be drawn is left to the
 * check. */
#include "formats/model64/model64.h"

#include "base/size.h"
#include "base/sort.h"
#include <inttypes.h>
#include <string.h>

static const char model64_letters[5] = {'M', 'o', 'd', 'e', 'l'};

/* Frames may share their records, but a file in which every record is used more often than this is hostile. */
enum { MODEL64_FRAME_SHARING = 8 };

static bool model64_probe(trilo_bytes bytes)
{
    return bytes.size >= sizeof model64_letters && memcmp(bytes.data, model64_letters, sizeof model64_letters) == 0;
}

static bool model64_fail_field(tl_reader *r, trilo_code code, enum model64_rule_id rule, uint64_t record,
                               const tl_layout *layout, const char *field, const char *text)
{
    tl_path_push(&r->path, field, TL_NO_INDEX);
    tl_reader_fail(r, code, model64_rule(rule), record + tl_layout_field(layout, TL_UNVERSIONED, field)->at, "%s",
                   text);
    tl_path_pop(&r->path);
    return false;
}

/* --- sections --- */

static bool model64_read_section(tl_reader *r, const model64_file *file, const char *field, uint32_t at, uint32_t size,
                                 trilo_bytes *section)
{
    if (!tl_fits(r->size, at, size, 1))
        return model64_fail_field(r, TRILO_CODE_TRUNCATED, MODEL64_R_SECTION, 0, &tl_model64_header, field,
                                  "the section extends past the end of the file, which is probably truncated");
    *section = (trilo_bytes){file->bytes.data + at, size};
    return true;
}

static bool model64_read_header(tl_reader *r, model64_file *file)
{
    model64_header *h = &file->header;
    if (r->size >= sizeof model64_letters && !model64_probe(file->bytes))
        return tl_reader_fail(r, TRILO_CODE_BAD_VALUE, model64_rule(MODEL64_R_MAGIC), 0,
                              "the file does not start with the letters Model");
    tl_path_push(&r->path, "header", TL_NO_INDEX);
    const bool ok = tl_layout_read(r, &tl_model64_header, TL_UNVERSIONED, h) &&
                    model64_read_section(r, file, "main_at", h->main_at, h->main_size, &file->main) &&
                    model64_read_section(r, file, "vertex_at", h->vertex_at, h->vertex_size, &file->vertices);
    tl_path_pop(&r->path);
    return ok;
}

static bool model64_read_main(tl_reader *r, model64_file *file)
{
    const size_t size = tl_layout_size(&tl_model64_main, TL_UNVERSIONED);
    bool ok = true;
    if (file->main.size < size)
        return tl_reader_fail(r, TRILO_CODE_BAD_VALUE, model64_rule(MODEL64_R_SECTION), file->header.main_at,
                              "the main section has %zu bytes, its header alone takes %zu", file->main.size, size);
    tl_layout_load(&tl_model64_main, TL_UNVERSIONED, file->main.data, &file->head);
    file->vertex_count = file->head.frame_size / MODEL64_VERTEX_SIZE;
    tl_path_push(&r->path, "main", TL_NO_INDEX);
    if (file->head.animation_count < 0)
        ok = model64_fail_field(r, TRILO_CODE_BAD_VALUE, MODEL64_R_ANIMATIONS, file->header.main_at, &tl_model64_main,
                                "animation_count", "the number is negative, must be 0 or more");
    tl_path_pop(&r->path);
    return ok;
}

/* --- animations --- */

/* A table of the main section whose count was read. */
static bool model64_table_fits(tl_reader *r, const model64_file *file, enum model64_rule_id rule, uint64_t at,
                               const char *what, size_t start, uint32_t count, size_t each)
{
    if (count > r->max_count)
        return tl_reader_fail(r, TRILO_CODE_LIMIT, &tl_general_rules[TL_FILE_LIMIT], at,
                              "%" PRIu32 " %s, the limit is %" PRIu32, count, what, r->max_count);
    if (!tl_fits(file->main.size, start, count, each))
        return tl_reader_fail(r, TRILO_CODE_BAD_REF, model64_rule(rule), at,
                              "%" PRIu32 " %s from byte %zu on extend past the main section of %zu bytes", count, what,
                              start, file->main.size);
    return true;
}

static bool model64_read_frames(tl_reader *r, const model64_file *file, uint64_t at, model64_animation *animation,
                                uint64_t *frames_left)
{
    const model64_animation_head *head = &animation->head;
    if (head->frame_count < 0)
        return model64_fail_field(r, TRILO_CODE_BAD_VALUE, MODEL64_R_FRAMES, at, &tl_model64_animation, "frame_count",
                                  "the number is negative, must be 0 or more");
    if (head->frame_count == 0)
        return true;
    if (head->frames == 0)
        return model64_fail_field(r, TRILO_CODE_BAD_REF, MODEL64_R_FRAMES, at, &tl_model64_animation, "frames_at",
                                  "there are frames, but their offset is 0, which means none");
    const uint32_t count = (uint32_t)head->frame_count;
    if (!model64_table_fits(r, file, MODEL64_R_FRAMES, at, "frames", head->frames, count,
                            tl_layout_size(&tl_model64_frame, TL_UNVERSIONED)))
        return false;
    if (count > *frames_left)
        return tl_reader_fail(r, TRILO_CODE_BAD_VALUE, model64_rule(MODEL64_R_FRAMES), at,
                              "animations have more than %d times as many frames as the main section can hold",
                              MODEL64_FRAME_SHARING);
    *frames_left -= count;
    animation->frames = file->main.data + head->frames;
    return true;
}

static bool model64_read_animations(tl_reader *r, tl_arena *arena, model64_file *file)
{
    const size_t start = tl_layout_size(&tl_model64_main, TL_UNVERSIONED),
                 each = tl_layout_size(&tl_model64_animation, TL_UNVERSIONED);
    const uint32_t count = (uint32_t)file->head.animation_count;
    uint64_t frames_left =
        (uint64_t)(file->main.size / tl_layout_size(&tl_model64_frame, TL_UNVERSIONED)) * MODEL64_FRAME_SHARING;
    if (!model64_table_fits(r, file, MODEL64_R_ANIMATIONS,
                            file->header.main_at +
                                (uint64_t)tl_layout_field(&tl_model64_main, TL_UNVERSIONED, "animation_count")->at,
                            "animations", start, count, each))
        return false;
    file->animations = TL_ARRAY(arena, count, model64_animation);
    if (!file->animations)
        return tl_fail_memory(r->err);
    for (uint32_t i = 0; i < count; i++) {
        tl_layout_load(&tl_model64_animation, TL_UNVERSIONED, file->main.data + start + i * each,
                       &file->animations[i].head);
        tl_path_push(&r->path, "animations", i);
        const bool ok =
            model64_read_frames(r, file, file->header.main_at + start + i * each, &file->animations[i], &frames_left);
        tl_path_pop(&r->path);
        if (!ok)
            return false;
    }
    return true;
}

/* --- what the check looks at --- */

const uint8_t *tl_model64_block(const model64_file *file, const model64_frame *frame)
{
    const bool fits = tl_fits(file->vertices.size, frame->vertices, file->head.frame_size, 1);
    return fits ? file->vertices.data + frame->vertices : NULL;
}

static const uint8_t *model64_first_frame_block(const model64_file *file)
{
    for (int32_t i = 0; i < file->head.animation_count; i++)
        if (file->animations[i].head.frame_count > 0) {
            const model64_frame frame = model64_frame_at(&file->animations[i], 0);
            return tl_model64_block(file, &frame);
        }
    return NULL;
}

/* --- blocks --- */

static int64_t model64_offset_key(const void *offsets, uint32_t row)
{
    return ((const int64_t *)offsets)[row];
}

/* Frames sorted by offset: those that follow each other with the same one get the same row. */
static bool model64_find_blocks(model64_file *file, tl_arena *arena)
{
    uint32_t total = 0;
    for (int32_t i = 0; i < file->head.animation_count; i++)
        total += (uint32_t)file->animations[i].head.frame_count; /* read_frames has limited the sum */
    int64_t *offsets = TL_ARRAY(arena, total, int64_t);
    uint32_t *order = TL_ARRAY(arena, total, uint32_t), *rows = TL_ARRAY(arena, total, uint32_t);
    uint32_t *blocks = TL_ARRAY(arena, total, uint32_t), count = 0;
    if (!offsets || !order || !rows || !blocks)
        return false;
    /* Every frame's offset; those outside come after all others. */
    int64_t *next_offset = offsets;
    for (int32_t i = 0; i < file->head.animation_count; i++)
        for (uint32_t k = 0; k < (uint32_t)file->animations[i].head.frame_count; k++) {
            const model64_frame frame = model64_frame_at(&file->animations[i], k);
            *next_offset++ = tl_model64_block(file, &frame) ? frame.vertices : INT64_MAX;
        }
    tl_sort_rows(order, total, model64_offset_key, offsets);
    for (uint32_t i = 0; i < total; i++) {
        const int64_t offset = offsets[order[i]];
        if (offset != INT64_MAX && (count == 0 || blocks[count - 1] != offset))
            blocks[count++] = (uint32_t)offset;
        rows[order[i]] = offset == INT64_MAX ? TRILO_NONE : count - 1;
    }
    for (int32_t i = 0; i < file->head.animation_count; rows += file->animations[i++].head.frame_count)
        file->animations[i].blocks = rows;
    file->blocks = blocks;
    file->block_count = count;
    return true;
}

/* --- pieces --- */

static int64_t model64_piece_key(const void *pieces, uint32_t row)
{
    return (int64_t)((const model64_piece *)pieces)[row].at;
}

static void model64_add_piece(const model64_file *file, model64_piece *pieces, uint32_t *count, const uint8_t *bytes,
                              size_t size)
{
    if (bytes && size > 0)
        pieces[(*count)++] = (model64_piece){(size_t)(bytes - file->bytes.data), size, bytes};
}

static bool model64_find_pieces(model64_file *file, tl_arena *arena)
{
    const uint32_t animations = (uint32_t)file->head.animation_count;
    const size_t most = (size_t)animations + MODEL64_SLOTS + 2;
    model64_piece *found = TL_ARRAY(arena, most, model64_piece), *sorted = TL_ARRAY(arena, most, model64_piece);
    uint32_t *order = TL_ARRAY(arena, most, uint32_t), count = 0;
    if (!found || !sorted || !order)
        return false;
    for (uint32_t i = 0; i < animations; i++)
        model64_add_piece(file, found, &count, file->animations[i].frames,
                          (size_t)file->animations[i].head.frame_count *
                              tl_layout_size(&tl_model64_frame, TL_UNVERSIONED));
    for (int i = 0; i < MODEL64_SLOTS; i++)
        model64_add_piece(file, found, &count, file->lists[i].bytes, file->lists[i].used);
    model64_add_piece(file, found, &count, file->default_block, file->head.frame_size);
    model64_add_piece(file, found, &count, file->vertices.data, file->vertices.size);
    tl_sort_rows(order, count, model64_piece_key, found);
    for (uint32_t i = 0; i < count; i++)
        sorted[i] = found[order[i]];
    file->pieces = sorted;
    file->piece_count = count;
    return true;
}

void *tl_model64_read(tl_arena *arena, trilo_bytes bytes, const trilo_load_opts *opts, trilo_error *err)
{
    model64_file *file = TL_NEW(arena, model64_file);
    if (file) {
        file->bytes = bytes;
        file->size = bytes.size;
        file->opts = *opts->model64;
        file->check_profile = opts->check_profile;
    }
    if (!file) {
        tl_fail_memory(err);
        return NULL;
    }
    tl_reader r = {.base = bytes.data,
                   .size = bytes.size,
                   .order = TL_BIG,
                   .max_count = opts->limits.count ? opts->limits.count : 1u << 28,
                   .truncated = model64_rule(MODEL64_R_TRUNCATED),
                   .err = err};
    if (!model64_read_header(&r, file) || !model64_read_main(&r, file) || !model64_read_animations(&r, arena, file))
        return NULL;
    for (int i = 0; i < MODEL64_SLOTS; i++) {
        const uint32_t at = file->head.lists[i];
        if (at != 0 && at < file->main.size)
            file->lists[i] = tl_gfx_list(file->main.data + at, file->main.size - at);
    }
    if (file->head.vertices == 0)
        file->default_block = model64_first_frame_block(file);
    else if (tl_fits(file->main.size, file->head.vertices, file->head.frame_size, 1))
        file->default_block = file->main.data + file->head.vertices;
    if (!model64_find_blocks(file, arena) || !model64_find_pieces(file, arena)) {
        tl_fail_memory(err);
        return NULL;
    }
    tl_expansion expansion = {.bytes = bytes.size};
    tl_model64_count(file, &expansion);
    return tl_expansion_fits(&expansion, &opts->limits, err) ? file : NULL;
}

static uint32_t model64_version(const void *file)
{
    (void)file;
    return 1; /* the format has never had another */
}

const tl_format tl_format_model64 = {
    .info = {TRILO_FORMAT_MODEL64, "model64", "N64 model", "1", "model", true, true},
    .rules = tl_model64_rules,
    .rule_count = MODEL64_RULE_COUNT,
    .probe = model64_probe,
    .read = tl_model64_read,
    .version = model64_version,
    .check = tl_model64_check,
    .decode = tl_model64_decode,
    .encode = tl_model64_encode,
    .write = tl_model64_write,
    .reoptimize = tl_model64_reoptimize,
    .sections = tl_model64_sections,
    .cost = tl_model64_cost,
    .visit = tl_model64_visit,
    .reference = tl_model64_reference,
    .description = &tl_model64_description,
};
