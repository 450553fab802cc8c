/* Checks objects by running their parts as the console does. */
#include "formats/t3dm/t3dm.h"

#include "base/compiler.h"
#include "base/sort.h"
#include "formats/t3dm/decode/pair_box.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct t3dm_check_bounds {
    int16_t min[3], max[3];
    bool any;
} t3dm_check_bounds;

typedef struct t3dm_object_checker {
    const t3dm_file *file;
    tl_report *report;
    uint32_t object;
    uint64_t *loaded, *drawn; /* a bit for each vertex */
    size_t rows;
    t3dm_slot_set seen;    /* slots that the part draws */
    t3dm_slot_set spoiled; /* slots whose screen X a load overwrote */
    uint32_t part;         /* its number */
    bool fog_set;          /* some material so far switched fog on or off */
    t3dm_pair_offsets at;
    uint64_t triangles, degenerate;
    uint32_t reported[T3DM_RULE_COUNT]; /* object for which each rule was last reported, counted from 1 */
} t3dm_object_checker;

static void t3dm_check_triangles(void *user, const t3dm_batch *batch)
{
    t3dm_object_checker *w = user;
    const uint8_t(*slots)[3] = batch->slots;
    uint32_t degenerate = 0;
    for (uint32_t t = 0; t < batch->count; t++) {
        const uint8_t a = slots[t][0], b = slots[t][1], c = slots[t][2];
        t3dm_set_add(&w->seen, a);
        t3dm_set_add(&w->seen, b);
        t3dm_set_add(&w->seen, c);
        degenerate += (uint32_t)((a == b) | (b == c) | (c == a));
    }
    w->triangles += batch->count;
    w->degenerate += degenerate;
}

static void t3dm_check_sum(void *user, const t3dm_part_sum *sum)
{
    t3dm_object_checker *w = user;
    w->seen = sum->drawn;
    w->triangles += sum->triangles;
    w->degenerate += sum->degenerate;
}

/* Until fog is set for the first time, a load writes the screen X of the slots after its last one, too. */
static void t3dm_check_spoiled(t3dm_object_checker *w, uint32_t first, uint32_t end)
{
    const t3dm_slot_set own = t3dm_set_range(first, end), behind = t3dm_set_range(end, end + TL_RSP_SPOILED);
    uint64_t hit[2];
    for (int i = 0; i < 2; i++) {
        w->spoiled.words[i] &= ~own.words[i];
        w->spoiled.words[i] |= end > first ? behind.words[i] : 0;
        hit[i] = w->seen.words[i] & w->spoiled.words[i];
    }
    if ((hit[0] | hit[1]) == 0 || w->reported[T3DM_R_SLOT_SPOILED] == w->object + 1)
        return;
    const uint32_t slot = (uint32_t)(hit[0] != 0 ? tl_zeros_below64(hit[0]) : 64 + tl_zeros_below64(hit[1]));
    w->reported[T3DM_R_SLOT_SPOILED] = w->object + 1;
    tl_path_push(&w->report->path, "parts", w->part);
    tl_report_finding(w->report, t3dm_rule(T3DM_R_SLOT_SPOILED),
                      w->file->objects[w->object].at + tl_layout_size(&tl_t3dm_object_head, TL_UNVERSIONED) +
                          (uint64_t)w->part * tl_layout_size(&tl_t3dm_part, w->file->version),
                      "slot %" PRIu32 " is drawn, but a load that ended just before it overwrote its screen X", slot);
    tl_path_pop(&w->report->path);
}

/* Sets the bits from `first` on that are set in `bits`. */
static inline void t3dm_set_bits(uint64_t *words, size_t first, uint64_t bits)
{
    const size_t shift = first % 64;
    words[first / 64] |= bits << shift;
    if (shift > 0) /* there is a word more than bits need */
        words[first / 64 + 1] |= bits >> (64 - shift);
}

/* Fetches the vertices that the same part of the next object loads. The box of an object reads all of its vertices, and
 * would have to wait for each. */
static void t3dm_check_fetch(const t3dm_object_checker *w)
{
    const t3dm_file *file = w->file;
    const t3dm_object *next = &file->objects[w->object] + 1;
    if (w->object + 1 == file->object_count || w->part >= next->head.part_count)
        return;
    const t3dm_part *part = &next->parts[w->part];
    const uint64_t count = part->vertex_count < T3DM_CACHE ? part->vertex_count : T3DM_CACHE; /* is not checked yet */
    const uint64_t wanted = part->vertex_at + count * T3DM_VERTEX_SIZE;
    const uint64_t end = wanted < file->vertices.size ? wanted : file->vertices.size;
    for (uint64_t at = part->vertex_at; at < end; at += TL_CACHE_LINE)
        tl_prefetch(file->vertices.data + at);
}

/* The slots that the part has loaded are consecutive vertices; others, loaded by earlier parts, are few. */
static void t3dm_check_part(void *user, const t3dm_part *part, const t3dm_slot *cache)
{
    t3dm_object_checker *w = user;
    const uint32_t first = part->vertex_dest, count = tl_rsp_loaded(part->vertex_count), end = first + count;
    const size_t row = part->vertex_at / T3DM_VERTEX_SIZE;
    const t3dm_slot_set own = t3dm_set_range(first, end);
    w->part = (uint32_t)(part - w->file->objects[w->object].parts);
    t3dm_check_fetch(w);
    if (!w->fog_set)
        t3dm_check_spoiled(w, first, end);
    for (uint32_t i = 0; i < 2; i++) {
        const uint64_t drawn = w->seen.words[i] & own.words[i];
        if (drawn != 0 && 64 * i >= first)
            t3dm_set_bits(w->drawn, row + 64 * i - first, drawn);
        else if (drawn != 0)
            t3dm_set_bits(w->drawn, row, drawn >> (first - 64 * i));
        for (uint64_t others = w->seen.words[i] & ~own.words[i]; others != 0; others &= others - 1) {
            const uint32_t vertex = cache[64 * i + (uint32_t)tl_zeros_below64(others)].vertex;
            w->drawn[vertex / 64] |= (uint64_t)1 << vertex % 64;
        }
    }
    w->seen = (t3dm_slot_set){{0, 0}};
}

static void t3dm_describe_fault(const t3dm_draw_fault *s, char *text, size_t room)
{
    const unsigned value = (unsigned)s->value, limit = (unsigned)s->limit;
    switch (s->rule) {
    case T3DM_R_PART_VERTS:
        snprintf(text, room, "%u, at most %u fit the vertex cache", value, limit);
        break;
    case T3DM_R_PART_DEST:
        snprintf(text, room, "slot %u, with that many vertices at most %u", value, limit);
        break;
    case T3DM_R_PART_SOURCE:
        snprintf(text, room, "byte %u, must be a multiple of 32 and the load end inside the %u bytes of V", value,
                 limit);
        break;
    case T3DM_R_PART_LIST:
        snprintf(text, room, "%u indices, must be a multiple of 3 and end inside the %u bytes of I", value, limit);
        break;
    case T3DM_R_STRIP_SIZE:
        snprintf(text, room, "%u indices, must be 3 or more and end inside the %u bytes of I", value, limit);
        break;
    case T3DM_R_STRIP_FLAG:
        snprintf(text, room, "a new strip is flagged where fewer than 3 indices are left");
        break;
    case T3DM_R_STRIP_ROOM:
        snprintf(text, room, "the buffer takes %u bytes, its strips leave %u free", value, limit);
        break;
    case T3DM_R_SEQUENCE:
        snprintf(text, room, "the sequence ends at slot %u, %u is the limit", value, limit);
        break;
    case T3DM_R_SLOT_RANGE:
        snprintf(text, room, "slot %u, the last one is %u", value, limit);
        break;
    case T3DM_R_SLOT_LOST:
        snprintf(text, room, "slot %u was overwritten by a buffer and must be loaded again", value);
        break;
    default:
        snprintf(text, room, "slot %u was never loaded", value);
    }
}

static void t3dm_report_fault(void *user, const t3dm_draw_fault *s)
{
    t3dm_object_checker *w = user;
    if (w->reported[s->rule] == w->object + 1)
        return;
    w->reported[s->rule] = w->object + 1;
    char text[160];
    t3dm_describe_fault(s, text, sizeof text);
    tl_path_push(&w->report->path, "parts", s->part);
    tl_path_push(&w->report->path, s->field, TL_NO_INDEX);
    tl_report_finding(w->report, t3dm_rule(s->rule), s->offset, "%s", text);
    tl_path_pop(&w->report->path);
    tl_path_pop(&w->report->path);
}

/* --- boxes --- */

static void t3dm_check_bounds_add(t3dm_check_bounds *b, const int16_t p[3])
{
    if (!b->any) {
        memcpy(b->min, p, sizeof b->min);
        memcpy(b->max, p, sizeof b->max);
        b->any = true;
    }
    for (int i = 0; i < 3; i++) {
        b->min[i] = p[i] < b->min[i] ? p[i] : b->min[i];
        b->max[i] = p[i] > b->max[i] ? p[i] : b->max[i];
    }
}

static void t3dm_compare_bounds(const t3dm_check_bounds *b, const int16_t min[3], const int16_t max[3], uint64_t at,
                                tl_report *report)
{
    if (!b->any || (memcmp(b->min, min, sizeof b->min) == 0 && memcmp(b->max, max, sizeof b->max) == 0))
        return;
    tl_report_finding(report, t3dm_rule(T3DM_R_BOUNDS), at,
                      "%d %d %d to %d %d %d, the vertices span %d %d %d to %d %d %d", min[0], min[1], min[2], max[0],
                      max[1], max[2], b->min[0], b->min[1], b->min[2], b->max[0], b->max[1], b->max[2]);
}

/* Pairs in V that are loaded, one after the other. */
typedef struct t3dm_pair_run {
    size_t first, count;
} t3dm_pair_run;

/* Those of a part. Loads outside V are ignored. */
static t3dm_pair_run t3dm_loaded_pairs(const t3dm_object_checker *w, const t3dm_part *part)
{
    const size_t first = part->vertex_at / T3DM_VERTEX_SIZE / T3DM_PAIR, all = w->rows / T3DM_PAIR;
    const size_t wanted = (part->vertex_count + 1u) / T3DM_PAIR;
    return (t3dm_pair_run){first, first >= all ? 0 : wanted < all - first ? wanted : all - first};
}

static void t3dm_check_run(t3dm_object_checker *w, t3dm_pair_run run, t3dm_pair_box *ends)
{
    if (run.count == 0) /* there may be no vertices at all */
        return;
    tl_t3dm_extend_box(ends, w->file->vertices.data + run.first * w->at.size, run.count, w->at.size);
    for (size_t row = run.first * T3DM_PAIR, last = row + run.count * T3DM_PAIR; row < last; row += 64)
        t3dm_set_bits(w->loaded, row, last - row < 64 ? ((uint64_t)1 << (last - row)) - 1 : UINT64_MAX);
}

/* Marks the vertices that an object loads, and computes their box. What a part loads mostly follows what the one before
 * it does. */
static void t3dm_check_loads(t3dm_object_checker *w, const t3dm_object *object, t3dm_check_bounds *own)
{
    t3dm_pair_box ends;
    t3dm_pair_run run = {0, 0};
    bool any = false;
    for (int k = 0; k < T3DM_BOX_LANES; k++)
        ends.min[k] = INT16_MAX, ends.max[k] = INT16_MIN;
    for (uint32_t i = 0; i < object->head.part_count; i++) {
        const t3dm_pair_run next = t3dm_loaded_pairs(w, &object->parts[i]);
        any = any || next.count > 0;
        if (next.first == run.first + run.count) {
            run.count += next.count;
            continue;
        }
        if (next.count == 0)
            continue;
        t3dm_check_run(w, run, &ends);
        run = next;
    }
    t3dm_check_run(w, run, &ends);
    for (int vertex = 0; any && vertex < T3DM_PAIR; vertex++) {
        const int first = w->at.position[vertex] / 2;
        t3dm_check_bounds_add(own, &ends.min[first]);
        t3dm_check_bounds_add(own, &ends.max[first]);
    }
}

/* --- one object --- */

static uint64_t t3dm_object_head_at(const t3dm_object *object, const char *field)
{
    return object->at + (uint64_t)tl_layout_field(&tl_t3dm_object_head, TL_UNVERSIONED, field)->at;
}

static void t3dm_check_references(const t3dm_file *file, const t3dm_object *object, tl_report *report)
{
    const size_t part_size = tl_layout_size(&tl_t3dm_part, file->version);
    const uint32_t bones = file->skeleton.bone_count;
    uint32_t i = 0;
    while (i < object->head.part_count && (object->parts[i].bone == T3DM_NO_BONE || object->parts[i].bone < bones))
        i++;
    if (i < object->head.part_count) {
        tl_path_push(&report->path, "parts", i);
        tl_report_finding(report, t3dm_rule(T3DM_R_PART_BONE),
                          object->at + tl_layout_size(&tl_t3dm_object_head, TL_UNVERSIONED) + i * (uint64_t)part_size +
                              tl_layout_field(&tl_t3dm_part, file->version, "bone")->at,
                          "bone %u, the skeleton has %" PRIu32, (unsigned)object->parts[i].bone, bones);
        tl_path_pop(&report->path);
    }
    if (object->head.material >= file->material_count)
        tl_report_finding(report, t3dm_rule(T3DM_R_MATERIAL_REF), t3dm_object_head_at(object, "material"),
                          "material %" PRIu32 ", the file has %" PRIu32, object->head.material, file->material_count);
}

static void t3dm_check_object(t3dm_object_checker *w, const t3dm_object *object, t3dm_check_bounds *all)
{
    t3dm_check_bounds own = {.any = false};
    const t3dm_material *material =
        object->head.material < w->file->material_count ? &w->file->materials[object->head.material] : NULL;
    w->triangles = w->degenerate = 0;
    w->fog_set = w->fog_set || !material || material->opaque || material->head.fog != TRILO_N64_FOG_LEAVE;
    w->spoiled = (t3dm_slot_set){{0, 0}};
    t3dm_check_loads(w, object, &own);
    tl_t3dm_draw(w->file, object,
                 &(t3dm_drawer){.user = w,
                                .triangles = t3dm_check_triangles,
                                .sum = t3dm_check_sum,
                                .fault = t3dm_report_fault,
                                .part = t3dm_check_part});
    t3dm_check_references(w->file, object, w->report);
    t3dm_compare_bounds(&own, object->head.min, object->head.max, t3dm_object_head_at(object, "min"), w->report);
    if (own.any) {
        t3dm_check_bounds_add(all, own.min);
        t3dm_check_bounds_add(all, own.max);
    }
    /* Versions 1 and 2 count degenerate triangles that they then skip. */
    const uint32_t drawn = w->triangles & 0xFFFF, said = object->head.triangle_count;
    if (w->file->version < T3DM_V3 ? drawn > said : drawn != said)
        tl_report_finding(w->report, t3dm_rule(T3DM_R_TRIANGLE_COUNT), t3dm_object_head_at(object, "triangle_count"),
                          "%u, but %" PRIu64 " are drawn", (unsigned)said, w->triangles);
    if (w->triangles == 0)
        tl_report_finding(w->report, t3dm_rule(T3DM_R_EMPTY), object->at, "the object draws no triangle");
    if (w->degenerate > 0)
        tl_report_finding(w->report, t3dm_rule(T3DM_R_DEGENERATE), object->at,
                          "%" PRIu64 " of %" PRIu64 " triangles use a vertex twice", w->degenerate, w->triangles);
}

/* --- all objects --- */

static void t3dm_check_totals(const t3dm_file *file, tl_report *report)
{
    uint32_t vertices = 0, indices = 0;
    for (uint32_t i = 0; i < file->object_count; i++)
        for (uint32_t k = 0; k < file->objects[i].head.part_count; k++) {
            vertices += file->objects[i].parts[k].vertex_count;
            indices += file->objects[i].parts[k].index_count;
        }
    /* The reference stores each vertex that a part loads; files whose parts share vertices store fewer. */
    const size_t stored = file->vertices.size / T3DM_VERTEX_SIZE;
    const t3dm_header *h = &file->header;
    const uint64_t at = tl_layout_field(&tl_t3dm_header, file->version, "vertex_total")->at;
    if (h->vertex_total > stored)
        tl_report_finding(report, t3dm_rule(T3DM_R_TOTAL_VERTICES), at, "%u vertices, but %zu are stored",
                          (unsigned)h->vertex_total, stored);
    else if (((vertices & 0xFFFF) != h->vertex_total && (stored & 0xFFFF) != h->vertex_total) ||
             (indices & 0xFFFF) != h->index_total)
        tl_report_finding(report, t3dm_rule(T3DM_R_TOTALS), at,
                          "%u vertices and %u list indices, the parts have %" PRIu32 " and %" PRIu32,
                          (unsigned)h->vertex_total, (unsigned)h->index_total, vertices & 0xFFFF, indices & 0xFFFF);
}

static size_t t3dm_count_bits(uint64_t bits)
{
    size_t count = 0;
    for (; bits != 0; bits &= bits - 1)
        count++;
    return count;
}

/* Vertices that are loaded but not drawn, and vertices that are not loaded. An unused half of a pair does not count. */
static void t3dm_check_waste(const t3dm_object_checker *w)
{
    const uint64_t evens = UINT64_MAX / 3;
    size_t unused = 0, unloaded = 0;
    for (size_t i = 0; 64 * i < w->rows; i++) {
        const uint64_t rows = w->rows - 64 * i < 64 ? ((uint64_t)1 << (w->rows - 64 * i)) - 1 : UINT64_MAX;
        const uint64_t idle = w->loaded[i] & ~w->drawn[i];
        unused += T3DM_PAIR * t3dm_count_bits(idle & idle >> 1 & evens);
        unloaded += t3dm_count_bits(rows & ~(w->loaded[i] | w->drawn[i]));
    }
    if (unused > 0)
        tl_report_finding(w->report, t3dm_rule(T3DM_R_WASTED_SLOTS), w->file->vertices_at,
                          "%zu of %zu vertices are loaded but not drawn", unused, w->rows);
    if (unloaded > 0)
        tl_report_finding(w->report, t3dm_rule(T3DM_R_UNUSED_VERTS), w->file->vertices_at,
                          "%zu of %zu vertices are never loaded", unloaded, w->rows);
}

/* --- overlapping strips --- */

/* Index bytes of a part: its triangle list, or all its strips. */
typedef struct t3dm_index_span {
    uint32_t at, size, object;
    bool strips;
} t3dm_index_span;

static int64_t t3dm_span_key(const void *spans, uint32_t row)
{
    return ((const t3dm_index_span *)spans)[row].at;
}

/* The spans of a part; returns how many. */
static uint32_t t3dm_part_spans(const t3dm_file *file, uint32_t object, const t3dm_part *part, t3dm_index_span spans[2])
{
    uint64_t start = (uint64_t)part->index_at + part->index_count;
    uint32_t size = 0, count = 0;
    for (int s = 0; s < T3DM_STRIPS && part->strip_counts[s]; s++)
        size = (size + 7) / 8 * 8 + 2u * part->strip_counts[s];
    start = (start + file->indices_at + 7) / 8 * 8 - file->indices_at;
    if (part->index_count > 0)
        spans[count++] = (t3dm_index_span){part->index_at, part->index_count, object, false};
    if (size > 0 && start <= UINT32_MAX)
        spans[count++] = (t3dm_index_span){(uint32_t)start, size, object, true};
    return count;
}

/* The first of spans, which come in order, that overlaps one before it. */
typedef struct t3dm_overlap {
    uint64_t lists_end, strips_end; /* of the spans so far */
    bool found, hits_strips;
    t3dm_index_span span;
} t3dm_overlap;

static inline void t3dm_overlap_add(t3dm_overlap *o, const t3dm_index_span *span)
{
    const uint64_t end = (uint64_t)span->at + span->size;
    const bool hits_strips = span->at < o->strips_end, hits_list = span->strips && span->at < o->lists_end;
    if ((hits_strips || hits_list) && !o->found) {
        o->found = true;
        o->hits_strips = hits_strips;
        o->span = *span;
    }
    uint64_t *last = span->strips ? &o->strips_end : &o->lists_end;
    *last = end > *last ? end : *last;
}

/* Goes through the parts; false when their spans are not in order. Adds up how many there are. */
static bool t3dm_overlap_in_order(const t3dm_file *file, t3dm_overlap *o, size_t *all)
{
    uint32_t last = 0;
    bool sorted = true;
    for (uint32_t i = 0; i < file->object_count; i++)
        for (uint32_t k = 0; k < file->objects[i].head.part_count; k++) {
            t3dm_index_span spans[2];
            const uint32_t count = t3dm_part_spans(file, i, &file->objects[i].parts[k], spans);
            for (uint32_t n = 0; n < count; n++) {
                sorted = sorted && last <= spans[n].at;
                last = spans[n].at;
                t3dm_overlap_add(o, &spans[n]);
            }
            *all += count;
        }
    return sorted;
}

/* The same for spans in any order; false when memory runs out. */
static bool t3dm_overlap_sorted(const t3dm_file *file, size_t all, tl_arena *scratch, t3dm_overlap *o)
{
    t3dm_index_span *spans = tl_array_raw(scratch, all + 1, sizeof *spans); /* two may be written for the last part */
    uint32_t *order = tl_array_raw(scratch, all, sizeof *order), count = 0;
    if (!spans || !order)
        return false;
    for (uint32_t i = 0; i < file->object_count; i++)
        for (uint32_t k = 0; k < file->objects[i].head.part_count; k++)
            count += t3dm_part_spans(file, i, &file->objects[i].parts[k], spans + count);
    tl_sort_rows(order, count, t3dm_span_key, spans);
    for (uint32_t i = 0; i < count; i++)
        t3dm_overlap_add(o, &spans[order[i]]);
    return true;
}

/* The loader rewrites strips in place, once for each part, before anything is drawn: their bytes must belong to one
 * part alone. Lists are only read and may overlap each other. */
static void t3dm_check_overlap(const t3dm_file *file, tl_arena *scratch, tl_report *report)
{
    t3dm_overlap in_order = {0}, sorted = {0};
    size_t all = 0;
    const bool ordered = t3dm_overlap_in_order(file, &in_order, &all);
    if (!ordered && !t3dm_overlap_sorted(file, all, scratch, &sorted)) {
        tl_report_finding(report, &tl_general_rules[TL_FILE_MEMORY], TRILO_NOWHERE,
                          "not enough memory to compare strips");
        return;
    }
    const t3dm_overlap *o = ordered ? &in_order : &sorted;
    if (!o->found)
        return;
    tl_path_push(&report->path, "objects", o->span.object);
    tl_report_finding(report, t3dm_rule(T3DM_R_STRIP_SHARED), (uint64_t)file->indices_at + o->span.at,
                      "%s, but the loader rewrites strips in place",
                      !o->span.strips  ? "this triangle list overlaps the strips of another part"
                      : o->hits_strips ? "these strips overlap those of another part"
                                       : "these strips overlap the triangle list of another part");
    tl_path_pop(&report->path);
}

void tl_t3dm_check_objects(const t3dm_file *file, tl_arena *scratch, tl_report *report)
{
    if (report->errors_only) { /* the rest is found by decoding, which runs the parts too */
        for (uint32_t i = 0; i < file->object_count; i++) {
            tl_path_push(&report->path, "objects", i);
            t3dm_check_references(file, &file->objects[i], report);
            tl_path_pop(&report->path);
        }
        t3dm_check_overlap(file, scratch, report);
        return;
    }
    const size_t rows = file->vertices.size / tl_layout_size(&tl_t3dm_pair, TL_UNVERSIONED) * T3DM_PAIR;
    t3dm_object_checker w = {.file = file,
                             .report = report,
                             .rows = rows,
                             .at = tl_t3dm_pair_offsets(),
                             .loaded = TL_ARRAY(scratch, rows / 64 + 2, uint64_t),
                             .drawn = TL_ARRAY(scratch, rows / 64 + 2, uint64_t)};
    t3dm_check_bounds all = {.any = false};
    if (!w.loaded || !w.drawn) {
        tl_report_finding(report, &tl_general_rules[TL_FILE_MEMORY], TRILO_NOWHERE,
                          "not enough memory to check what is drawn");
        return;
    }
    for (w.object = 0; w.object < file->object_count; w.object++) {
        tl_path_push(&report->path, "objects", w.object);
        t3dm_check_object(&w, &file->objects[w.object], &all);
        tl_path_pop(&report->path);
    }
    t3dm_compare_bounds(&all, file->header.min, file->header.max,
                        tl_layout_field(&tl_t3dm_header, file->version, "min")->at, report);
    if (file->object_count == 0)
        tl_report_finding(report, t3dm_rule(T3DM_R_EMPTY), 0, "the model has no object");
    t3dm_check_totals(file, report);
    t3dm_check_waste(&w);
    t3dm_check_overlap(file, scratch, report);
}
