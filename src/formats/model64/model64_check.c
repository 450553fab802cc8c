/* Every value of a file: here the sections and what the game has room for; the lists and the animations in files of
 * their own. What a list or an animation has many of is one finding, with the number and the first offset. */
#include "formats/model64/model64.h"

#include <inttypes.h>

/* Enters a field of the header or of the main header; returns its offset. */
static uint64_t model64_enter_field(const model64_file *file, const tl_layout *layout, const char *field,
                                    tl_report *report)
{
    tl_path_push(&report->path, layout->name, TL_NO_INDEX);
    tl_path_push(&report->path, field, TL_NO_INDEX);
    return (layout == &tl_model64_main ? file->header.main_at : 0) +
           (uint64_t)tl_layout_field(layout, TL_UNVERSIONED, field)->at;
}

static void model64_leave_field(tl_report *report)
{
    tl_path_pop(&report->path);
    tl_path_pop(&report->path);
}

/* --- sections --- */

typedef struct model64_range {
    uint64_t start, end;
} model64_range;

typedef struct model64_ranges {
    model64_range header, main, vertices;
} model64_ranges;

static bool model64_ranges_overlap(model64_range a, model64_range b)
{
    return a.start < b.end && b.start < a.end && a.start < a.end && b.start < b.end;
}

static void model64_check_apart(const model64_file *file, const char *field, model64_range section, const char *other,
                                model64_range taken, tl_report *report)
{
    if (!model64_ranges_overlap(section, taken))
        return;
    const uint64_t at = model64_enter_field(file, &tl_model64_header, field, report);
    tl_report_finding(report, model64_rule(MODEL64_R_OVERLAP), at,
                      "the section has bytes %" PRIu64 " to %" PRIu64 ", the %s has %" PRIu64 " to %" PRIu64,
                      section.start, section.end - 1, other, taken.start, taken.end - 1);
    model64_leave_field(report);
}

static void model64_check_padding(const model64_file *file, tl_report *report)
{
    size_t i = 0;
    while (i < sizeof file->header.padding && file->header.padding[i] == 0)
        i++;
    if (i == sizeof file->header.padding)
        return;
    const uint64_t at = model64_enter_field(file, &tl_model64_header, "padding", report);
    tl_report_finding(report, model64_rule(MODEL64_R_PADDING), at + i, "the bytes after the letters Model must be 0");
    model64_leave_field(report);
}

static void model64_check_align(const model64_file *file, const tl_layout *layout, const char *field, uint32_t offset,
                                tl_report *report)
{
    if (offset % MODEL64_ALIGN == 0)
        return;
    const uint64_t at = model64_enter_field(file, layout, field, report);
    tl_report_finding(report, model64_rule(MODEL64_R_ALIGN), at, "%" PRIu32 ", must be a multiple of %d", offset,
                      MODEL64_ALIGN);
    model64_leave_field(report);
}

/* --- default vertices --- */

static void model64_check_default(const model64_file *file, tl_report *report)
{
    const uint64_t at = model64_enter_field(file, &tl_model64_main, "vertices", report);
    const bool none = file->head.vertices == 0;
    if (none && file->default_block)
        tl_report_finding(report, model64_rule(MODEL64_R_NO_DEFAULT), at,
                          "there are no default vertices; those of the first frame are used");
    else if (none && file->vertex_count > 0)
        tl_report_finding(report, model64_rule(MODEL64_R_DEFAULT_BLOCK), at,
                          "there are no default vertices and no frames to use instead");
    else if (!none && !file->default_block)
        tl_report_finding(report, model64_rule(MODEL64_R_DEFAULT_BLOCK), at,
                          "%" PRIu32 " bytes from byte %" PRIu32 " on extend past the main section of %zu bytes",
                          file->head.frame_size, file->head.vertices, file->main.size);
    model64_leave_field(report);
}

static void model64_check_flags(const model64_file *file, tl_report *report)
{
    uint32_t count = 0, first = 0;
    for (uint32_t i = file->default_block ? file->vertex_count : 0; i-- > 0;)
        if (model64_vertex_at(file->default_block, i).flag != 0) {
            first = i;
            count++;
        }
    if (count == 0)
        return;
    tl_path_push(&report->path, "vertices", first);
    tl_report_finding(report, model64_rule(MODEL64_R_FLAG),
                      model64_offset(file, file->default_block) + (uint64_t)MODEL64_VERTEX_SIZE * first +
                          tl_layout_field(&tl_model64_vertex, TL_UNVERSIONED, "flag")->at,
                      "the flag must be 0 (%" PRIu32 " of %" PRIu32 " vertices)", count, file->vertex_count);
    tl_path_pop(&report->path);
}

/* --- the game --- */

static void model64_check_game_size(const model64_file *file, const tl_layout *layout, const char *field,
                                    enum model64_rule_id rule, uint32_t size, uint32_t most, tl_report *report)
{
    if (size <= most)
        return;
    const uint64_t at = model64_enter_field(file, layout, field, report);
    tl_report_finding(report, model64_rule(rule), at, "%" PRIu32 " bytes, the game has room for %" PRIu32, size, most);
    model64_leave_field(report);
}

static void model64_check_game(const model64_file *file, tl_report *report)
{
    bool frames = false;
    for (int32_t i = 0; i < file->head.animation_count; i++)
        frames = frames || file->animations[i].head.frame_count > 0;
    model64_check_game_size(file, &tl_model64_header, "main_size", MODEL64_R_GAME_MAIN, file->header.main_size,
                            MODEL64_GAME_MAIN, report);
    if (frames)
        model64_check_game_size(file, &tl_model64_main, "frame_size", MODEL64_R_GAME_FRAME, file->head.frame_size,
                                MODEL64_GAME_FRAME, report);
    if (file->head.lists[0] != 0)
        return;
    const uint64_t at = model64_enter_field(file, &tl_model64_main, "lists", report);
    tl_report_finding(report, model64_rule(MODEL64_R_GAME_SLOT_0), at,
                      "slot 0 has no list, so the game draws none of the others");
    model64_leave_field(report);
}

void tl_model64_check(const void *model64, tl_arena *scratch, tl_report *report)
{
    const model64_file *file = model64;
    const model64_header *h = &file->header;
    const model64_ranges r = (model64_ranges){{0, tl_layout_size(&tl_model64_header, TL_UNVERSIONED)},
                                              {h->main_at, h->main_at + (uint64_t)h->main_size},
                                              {h->vertex_at, h->vertex_at + (uint64_t)h->vertex_size}};
    model64_check_apart(file, "main_at", r.main, "header", r.header, report);
    model64_check_apart(file, "vertex_at", r.vertices, "header", r.header, report);
    model64_check_apart(file, "vertex_at", r.vertices, "main section", r.main, report);
    if (file->head.frame_size % MODEL64_VERTEX_SIZE != 0) {
        const uint64_t at = model64_enter_field(file, &tl_model64_main, "frame_size", report);
        tl_report_finding(report, model64_rule(MODEL64_R_FRAME_SIZE), at, "%" PRIu32 " bytes, must be a multiple of %d",
                          file->head.frame_size, MODEL64_VERTEX_SIZE);
        model64_leave_field(report);
    }
    model64_check_default(file, report);
    if (!report->errors_only) {
        /* What can only be a warning. */
        model64_check_padding(file, report);
        model64_check_align(file, &tl_model64_header, "main_at", file->header.main_at, report);
        if (file->header.vertex_size > 0)
            model64_check_align(file, &tl_model64_header, "vertex_at", file->header.vertex_at, report);
        model64_check_align(file, &tl_model64_main, "vertices", file->head.vertices, report);
        /* Only of a file whose sections do not overlap: then their sizes can be added. */
        const uint64_t covered = r.header.end + file->main.size + file->vertices.size;
        const uint64_t end = r.main.end > r.vertices.end ? r.main.end : r.vertices.end;
        if (!(model64_ranges_overlap(r.header, r.main) || model64_ranges_overlap(r.header, r.vertices) ||
              model64_ranges_overlap(r.main, r.vertices)) &&
            covered < file->size)
            tl_report_finding(report, model64_rule(MODEL64_R_TRAILING), end < file->size ? end : r.header.end,
                              "%" PRIu64 " bytes belong to no section", file->size - covered);
        model64_check_flags(file, report);
    }
    tl_model64_check_lists(file, scratch, report);
    tl_model64_check_animation(file, report);
    if (!report->errors_only)
        tl_model64_check_blocks(file, scratch, report);
    if (file->check_profile == TRILO_CHECK_PROFILE_THORNMARKED)
        model64_check_game(file, report);
}
