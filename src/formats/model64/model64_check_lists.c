/* Display lists: each is run, and what went wrong is counted. */
#include "formats/model64/model64.h"

#include <inttypes.h>

/* What a list can have many of. */
enum {
    MODEL64_LIST_LOADS,
    MODEL64_LIST_SLOTS,
    MODEL64_LIST_RESERVED,
    MODEL64_LIST_COMMANDS,
    MODEL64_LIST_NOT_FOLLOWED,
    MODEL64_LIST_DUPLICATES,
    MODEL64_LIST_ZERO_AREAS,
    MODEL64_LIST_REMARK_KINDS
};

static const enum model64_rule_id model64_list_remark_rules[MODEL64_LIST_REMARK_KINDS] = {
    [MODEL64_LIST_LOADS] = MODEL64_R_VERTEX_LOAD,    [MODEL64_LIST_SLOTS] = MODEL64_R_SLOT,
    [MODEL64_LIST_RESERVED] = MODEL64_R_RESERVED,    [MODEL64_LIST_COMMANDS] = MODEL64_R_COMMAND,
    [MODEL64_LIST_DUPLICATES] = MODEL64_R_DUPLICATE, [MODEL64_LIST_NOT_FOLLOWED] = MODEL64_R_NOT_EXECUTED,
    [MODEL64_LIST_ZERO_AREAS] = MODEL64_R_ZERO_AREA};

typedef struct model64_list_tally {
    uint32_t count;
    gfx_step first;
} model64_list_tally;

typedef struct model64_list_check {
    const model64_file *file;
    tl_report *report;
    uint8_t *loaded; /* by vertex; NULL: not needed, or there are none */
    uint32_t triangles;
    model64_list_tally seen[MODEL64_LIST_REMARK_KINDS]; /* in the current list */
} model64_list_check;

static void model64_list_note(model64_list_check *l, int kind, const gfx_step *step)
{
    model64_list_tally *s = &l->seen[kind];
    if (s->count++ == 0)
        s->first = *step;
}

/* --- what is wrong with a command --- */

static const struct {
    int kind; /* REMARK_KINDS: nothing is wrong */
    const char *text;
} model64_list_problems[] = {
    [GFX_FINE] = {MODEL64_LIST_REMARK_KINDS, ""},
    [GFX_BAD_COUNT] = {MODEL64_LIST_LOADS, "there must be 1 vertex or more, in slots 0 to 31"},
    [GFX_BAD_SEGMENT] = {MODEL64_LIST_LOADS, "vertices must be in segment 1"},
    [GFX_BAD_ADDRESS] = {MODEL64_LIST_LOADS, "an address must be a multiple of 16"},
    [GFX_BAD_VERTEX] = {MODEL64_LIST_LOADS, "there are not that many vertices"},
    [GFX_ODD_SLOT] = {MODEL64_LIST_SLOTS, "slots are stored doubled, so that their bytes are even"},
    [GFX_BAD_SLOT] = {MODEL64_LIST_SLOTS, "slot 31 is the last one"},
    [GFX_EMPTY_SLOT] = {MODEL64_LIST_SLOTS, "nothing was loaded into one of the slots"},
    [GFX_BAD_FIELD] = {MODEL64_LIST_NOT_FOLLOWED, "there is no such field of a vertex"},
    [GFX_SCREEN_FIELD] = {MODEL64_LIST_NOT_FOLLOWED, "a model has no screen positions"},
    [GFX_RESERVED_BITS] = {MODEL64_LIST_RESERVED, "bits are set that mean nothing, they must be 0"},
    [GFX_PASSED_OVER] = {MODEL64_LIST_COMMANDS, "models do not need it"},
    [GFX_NOT_FOLLOWED] = {MODEL64_LIST_NOT_FOLLOWED, "it is not carried out"},
    [GFX_UNDEFINED] = {MODEL64_LIST_NOT_FOLLOWED, "it is not carried out"},
};

static bool model64_list_zero_area(const uint8_t *block, const gfx_corner corners[3])
{
    int64_t p[3][3];
    for (int i = 0; i < 3; i++) {
        const model64_vertex v = model64_vertex_at(block, corners[i].vertex);
        for (int k = 0; k < 3; k++)
            p[i][k] = v.position[k];
    }
    const int64_t a[3] = {p[1][0] - p[0][0], p[1][1] - p[0][1], p[1][2] - p[0][2]};
    const int64_t b[3] = {p[2][0] - p[0][0], p[2][1] - p[0][1], p[2][2] - p[0][2]};
    return a[1] * b[2] == a[2] * b[1] && a[2] * b[0] == a[0] * b[2] && a[0] * b[1] == a[1] * b[0];
}

/* --- findings --- */

static const char *model64_list_reason(int kind, const gfx_step *step)
{
    return kind == MODEL64_LIST_DUPLICATES                              ? "the previous triangle once more"
           : kind == MODEL64_LIST_ZERO_AREAS                            ? "a triangle without area"
           : kind == MODEL64_LIST_COMMANDS && step->problem == GFX_FINE ? "executed, but not used by models"
                                                                        : model64_list_problems[step->problem].text;
}

static void model64_list_report(model64_list_check *l, int kind, uint64_t list_at)
{
    const model64_list_tally *s = &l->seen[kind];
    char command[96];
    if (s->count == 0)
        return;
    tl_gfx_text(s->first.command, command, sizeof command);
    tl_path_push(&l->report->path, "commands", s->first.at / TL_F3DEX_COMMAND_SIZE);
    if (s->count > 1)
        tl_report_finding(l->report, model64_rule(model64_list_remark_rules[kind]), list_at + s->first.at,
                          "%s: %s (the first of %" PRIu32 ")", command, model64_list_reason(kind, &s->first), s->count);
    else
        tl_report_finding(l->report, model64_rule(model64_list_remark_rules[kind]), list_at + s->first.at, "%s: %s",
                          command, model64_list_reason(kind, &s->first));
    tl_path_pop(&l->report->path);
}

static uint64_t model64_list_lists_field(const model64_file *file)
{
    return file->header.main_at + (uint64_t)tl_layout_field(&tl_model64_main, TL_UNVERSIONED, "lists")->at;
}

/* False when there is nothing to run. */
static bool model64_check_list_offset(const model64_list_check *l, int slot)
{
    const model64_file *file = l->file;
    const uint32_t at = file->head.lists[slot];
    if (at == 0)
        return false;
    if (!file->lists[slot].bytes || at % TL_F3DEX_COMMAND_SIZE != 0)
        tl_report_finding(
            l->report, model64_rule(MODEL64_R_LIST), model64_list_lists_field(file) + (uint64_t)slot * sizeof at,
            "the list is at byte %" PRIu32 ", must be a multiple of %d inside the main section of %zu bytes", at,
            TL_F3DEX_COMMAND_SIZE, file->main.size);
    return file->lists[slot].bytes != NULL;
}

static void model64_check_one_list(model64_list_check *l, int slot)
{
    const gfx_list *list = &l->file->lists[slot];
    if (!model64_check_list_offset(l, slot))
        return;
    const uint64_t at = model64_offset(l->file, list->bytes);
    if (!list->ended)
        tl_report_finding(l->report, model64_rule(MODEL64_R_LIST_END), at + list->used,
                          "%zu commands and then the end of the main section, there must be a G_ENDDL",
                          list->used / TL_F3DEX_COMMAND_SIZE);
    memset(l->seen, 0, sizeof l->seen);
    gfx_run run = tl_gfx_run(list, l->file->vertex_count);
    for (gfx_step step; tl_gfx_next(&run, &step);) {
        const int kind = model64_list_problems[step.problem].kind;
        if (kind != MODEL64_LIST_REMARK_KINDS)
            model64_list_note(l, kind, &step);
        else if (gfx_opcode(step.command) == GFX_QUAD)
            model64_list_note(l, MODEL64_LIST_COMMANDS, &step);
        l->triangles += step.triangle_count;
        for (uint32_t i = 0; l->loaded && i < step.load_count; i++)
            l->loaded[step.load_vertex + i] = 1;
        if (step.repeats)
            model64_list_note(l, MODEL64_LIST_DUPLICATES, &step);
        for (uint32_t i = 0; i < step.triangle_count; i++)
            if (l->file->default_block && model64_list_zero_area(l->file->default_block, step.triangles[i]))
                model64_list_note(l, MODEL64_LIST_ZERO_AREAS, &step);
    }
    for (int kind = 0; kind < MODEL64_LIST_REMARK_KINDS; kind++)
        if (!l->report->errors_only || model64_rule(model64_list_remark_rules[kind])->severity >= TRILO_SEVERITY_ERROR)
            model64_list_report(l, kind, at);
}

/* --- all lists together --- */

static uint8_t *model64_list_loaded_new(const model64_file *file, tl_arena *scratch, tl_report *report)
{
    if (report->errors_only || !file->default_block)
        return NULL;
    uint8_t *loaded = TL_ARRAY(scratch, file->vertex_count, uint8_t);
    if (!loaded)
        tl_report_finding(report, &tl_general_rules[TL_FILE_MEMORY], TRILO_NOWHERE,
                          "not enough memory to find unused vertices");
    return loaded;
}

void tl_model64_check_lists(const model64_file *file, tl_arena *scratch, tl_report *report)
{
    model64_list_check l = {.file = file, .report = report, .loaded = model64_list_loaded_new(file, scratch, report)};
    for (int i = 0; i < MODEL64_SLOTS; i++) {
        tl_path_push(&report->path, "lists", (uint64_t)i);
        model64_check_one_list(&l, i);
        tl_path_pop(&report->path);
    }
    if (!report->errors_only) {
        const uint64_t at = model64_list_lists_field(file);
        bool any = false;
        for (int i = 1; i < MODEL64_SLOTS; i++)
            any = any || file->head.lists[i] != 0;
        if (file->head.lists[0] == 0 && any)
            tl_report_finding(report, model64_rule(MODEL64_R_SLOT_0), at, "slot 0 has no list, others have one");
        if (l.triangles == 0)
            tl_report_finding(report, model64_rule(MODEL64_R_EMPTY), at, "no list draws a triangle");
    }
    if (l.loaded) {
        uint32_t count = 0, first = 0;
        for (uint32_t i = file->vertex_count; i-- > 0;)
            if (!l.loaded[i]) {
                first = i;
                count++;
            }
        if (count != 0) {
            tl_path_push(&report->path, "vertices", first);
            tl_report_finding(report, model64_rule(MODEL64_R_UNUSED),
                              model64_offset(file, file->default_block) + (uint64_t)MODEL64_VERTEX_SIZE * first,
                              "no list loads the vertex (%" PRIu32 " of %" PRIu32 " vertices)", count,
                              file->vertex_count);
            tl_path_pop(&report->path);
        }
    }
}
