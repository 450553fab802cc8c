/* The vertices of frames. All of this is advice: the console draws any vertices. */
#include "formats/model64/model64.h"

#include "base/sort.h"
#include <inttypes.h>

typedef struct model64_block_list {
    const model64_file *file;
    tl_report *report;
    uint32_t count; /* those that are looked into */
    uint32_t *at;   /* in the vertex section, rising */
    uint32_t *hashes;
    bool normals; /* which may change from frame to frame, unlike colours */
} model64_block_list;

typedef struct model64_block_tally {
    uint32_t count, first; /* first: the lowest offset */
} model64_block_tally;

static void model64_block_note(model64_block_tally *s, uint32_t at)
{
    if (s->count++ == 0 || at < s->first)
        s->first = at;
}

static void model64_block_report(const model64_block_list *b, enum model64_rule_id rule, const model64_block_tally *s,
                                 const char *text)
{
    if (s->count > 0)
        tl_report_finding(b->report, model64_rule(rule), b->file->header.vertex_at + (uint64_t)s->first,
                          "%s in %" PRIu32 " of %" PRIu32 " blocks", text, s->count, b->count);
}

/* Blocks that overlap another one are left out: in a hostile file, testing all of them could take hours. */
static bool model64_block_list_new(model64_block_list *b, tl_arena *scratch, model64_block_tally *overlaps)
{
    uint64_t end = 0;
    b->at = TL_ARRAY(scratch, b->file->block_count, uint32_t);
    b->hashes = TL_ARRAY(scratch, b->file->block_count, uint32_t);
    if (!b->at || !b->hashes)
        return false;
    for (uint32_t i = 0; i < b->file->block_count; i++)
        if (model64_block_apart(b->file, i, &end))
            b->at[b->count++] = b->file->blocks[i];
        else
            model64_block_note(overlaps, b->file->blocks[i]);
    return true;
}

/* --- what is in them --- */

typedef struct model64_block_content {
    bool changes, flags, zero;
} model64_block_content;

static model64_block_content model64_block_inspect(const model64_block_list *b, const uint8_t *block)
{
    model64_block_content c = {.zero = true};
    for (uint32_t i = 0; i < b->file->vertex_count; i++) {
        const model64_vertex v = model64_vertex_at(block, i), d = model64_vertex_at(b->file->default_block, i);
        c.changes = c.changes || v.st[0] != d.st[0] || v.st[1] != d.st[1] ||
                    (!b->normals && memcmp(v.color, d.color, sizeof v.color) != 0);
        c.flags = c.flags || v.flag != 0;
        c.zero = c.zero && v.position[0] == 0 && v.position[1] == 0 && v.position[2] == 0;
    }
    return c;
}

/* --- equal ones --- */

static int64_t model64_block_hash_key(const void *hashes, uint32_t row)
{
    return ((const uint32_t *)hashes)[row];
}

/* Neighbours in the order of their hashes. Different blocks with the same hash could hide an equal pair, which only
 * costs a note. */
static bool model64_block_check_equal(const model64_block_list *b, tl_arena *scratch)
{
    const size_t size = b->file->head.frame_size;
    const uint8_t *base = b->file->vertices.data;
    model64_block_tally equal = {0};
    uint32_t *order = TL_ARRAY(scratch, b->count, uint32_t);
    if (!order)
        return false;
    for (uint32_t i = 0; i < b->count; i++)
        b->hashes[i] = trilo_fnv1a(base + b->at[i], size);
    tl_sort_rows(order, b->count, model64_block_hash_key, b->hashes);
    for (uint32_t i = 1; i < b->count; i++) {
        const uint32_t one = order[i - 1], other = order[i];
        if (b->hashes[one] == b->hashes[other] && memcmp(base + b->at[one], base + b->at[other], size) == 0)
            model64_block_note(&equal, b->at[other]);
    }
    if (equal.count > 0)
        tl_report_finding(b->report, model64_rule(MODEL64_R_EQUAL_FRAMES),
                          b->file->header.vertex_at + (uint64_t)equal.first,
                          "%" PRIu32 " of %" PRIu32 " blocks repeat another one: %" PRIu64 " bytes could be saved",
                          equal.count, b->count, (uint64_t)equal.count * size);
    return true;
}

void tl_model64_check_blocks(const model64_file *file, tl_arena *scratch, tl_report *report)
{
    model64_block_list b = {
        .file = file, .report = report, .normals = tl_model64_colors(file) == TRILO_MODEL64_COLORS_NORMALS};
    model64_block_tally overlaps = {0};
    if (file->vertex_count == 0 || file->block_count == 0)
        return;
    bool ok = model64_block_list_new(&b, scratch, &overlaps);
    if (ok && overlaps.count > 0)
        tl_report_finding(report, model64_rule(MODEL64_R_FRAME_OVERLAP),
                          file->header.vertex_at + (uint64_t)overlaps.first,
                          "%" PRIu32 " blocks overlap the previous one", overlaps.count);
    if (ok && file->default_block) {
        model64_block_tally changes = {0}, flags = {0}, zeros = {0};
        const bool zero_default = model64_block_inspect(&b, b.file->default_block).zero;
        for (uint32_t i = 0; i < b.count; i++) {
            const uint8_t *block = b.file->vertices.data + b.at[i];
            const model64_block_content c = model64_block_inspect(&b, block);
            if (c.changes)
                model64_block_note(&changes, b.at[i]);
            if (c.flags)
                model64_block_note(&flags, b.at[i]);
            if (c.zero && !zero_default)
                model64_block_note(&zeros, b.at[i]);
        }
        model64_block_report(&b, MODEL64_R_FRAME_CHANGES, &changes,
                             "texture coordinates or colours differ from the default vertices");
        model64_block_report(&b, MODEL64_R_FLAG, &flags, "flags that are not 0");
        model64_block_report(&b, MODEL64_R_ZERO_FRAME, &zeros, "all vertices on the origin");
    }
    ok = ok && model64_block_check_equal(&b, scratch);
    if (!ok)
        tl_report_finding(report, &tl_general_rules[TL_FILE_MEMORY], TRILO_NOWHERE,
                          "not enough memory to compare frames");
}
