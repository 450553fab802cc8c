/* Objects: run as the console runs them, and watched. */
#include "formats/t3dm/t3dm.h"

#include "base/sort.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { LOADED = 1, DRAWN = 2 };

typedef struct box {
    int16_t min[3], max[3];
    bool any;
} box;

typedef struct watcher {
    const t3dm_file *file;
    tl_report *report;
    uint32_t object;
    uint8_t *used; /* of each row of V: LOADED, DRAWN */
    size_t rows;
    uint8_t seen[T3DM_CACHE + 2]; /* slots that the part draws */
    t3dm_pair_places at;
    uint64_t triangles, degenerate;
    uint32_t told[T3DM_RULE_COUNT]; /* each kind of stumble is told once an object */
} watcher;

static void watch_triangles(void *user, const t3dm_batch *batch)
{
    watcher *w = user;
    const uint8_t(*slots)[3] = batch->slots;
    uint32_t degenerate = 0;
    for (uint32_t t = 0; t < batch->count; t++) {
        const uint8_t a = slots[t][0], b = slots[t][1], c = slots[t][2];
        w->seen[a] = w->seen[b] = w->seen[c] = DRAWN;
        degenerate += (uint32_t)((a == b) | (b == c) | (c == a));
    }
    w->triangles += batch->count;
    w->degenerate += degenerate;
}

/* Slots that the part itself loaded are a run of rows; others, kept from parts before, are few. */
static void watch_part(void *user, const t3dm_part *part, const t3dm_slot *cache)
{
    watcher *w = user;
    const uint32_t first = part->vertex_dest, end = first + ((part->vertex_count + 1u) & ~1u);
    uint8_t *rows = w->used + part->vertex_at / T3DM_VERTEX_SIZE;
    for (uint32_t slot = first; slot < end; slot++)
        rows[slot - first] |= w->seen[slot];
    for (uint32_t slot = 0; slot < T3DM_CACHE; slot++)
        if ((slot < first || slot >= end) && w->seen[slot])
            w->used[cache[slot].vertex] |= DRAWN;
    memset(w->seen, 0, sizeof w->seen);
}

/* A triangle ends at index k when no strip starts there or right before. Whole bytes make this a vector loop. */
static uint32_t count_degenerate(const t3dm_run *run)
{
    uint8_t s[UINT8_MAX], repeats[UINT8_MAX] = {0};
    uint32_t count = 0;
    for (uint32_t k = 0; k < run->count; k++)
        s[k] = (uint8_t)run->slots[k];
    for (uint32_t k = 2; k < run->count; k++)
        repeats[k] = (uint8_t)((s[k] == s[k - 1]) | (s[k] == s[k - 2]) | (s[k - 1] == s[k - 2])) &
                     (uint8_t)(run->starts[k] == 0) & (uint8_t)(run->starts[k - 1] == 0);
    for (uint32_t k = 2; k < run->count; k++)
        count += repeats[k];
    return count;
}

static void watch_strip(void *user, const t3dm_run *run)
{
    watcher *w = user;
    for (uint32_t k = 0; k < run->count; k++)
        w->seen[run->slots[k]] = DRAWN;
    w->triangles += run->count - 2 - 2 * run->restarts;
    w->degenerate += count_degenerate(run);
}

static void describe(const t3dm_stumble *s, char *text, size_t room)
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

static void watch_stumble(void *user, const t3dm_stumble *s)
{
    watcher *w = user;
    if (w->told[s->rule] == w->object + 1)
        return;
    w->told[s->rule] = w->object + 1;
    char text[160];
    describe(s, text, sizeof text);
    tl_path_push(&w->report->path, "parts", s->part);
    tl_path_push(&w->report->path, s->field, TL_NO_INDEX);
    tl_report_finding(w->report, t3dm_rule(s->rule), s->offset, "%s", text);
    tl_path_pop(&w->report->path);
    tl_path_pop(&w->report->path);
}

/* --- boxes --- */

static void box_add(box *b, const int16_t p[3])
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

static void check_box(const box *b, const int16_t min[3], const int16_t max[3], uint64_t at, tl_report *report)
{
    if (!b->any || (memcmp(b->min, min, sizeof b->min) == 0 && memcmp(b->max, max, sizeof b->max) == 0))
        return;
    tl_report_finding(report, t3dm_rule(T3DM_R_BOUNDS), at,
                      "%d %d %d to %d %d %d, the vertices span %d %d %d to %d %d %d", min[0], min[1], min[2], max[0],
                      max[1], max[2], b->min[0], b->min[1], b->min[2], b->max[0], b->max[1], b->max[2]);
}

/* The first 16 bytes of a pair hold both positions (and both normals): eight 16-bit lanes, each with its own ends. */
enum { LANES = 8 };

typedef struct lanes {
    int16_t min[LANES], max[LANES];
} lanes;

/* Written so that compilers keep the lanes in one vector: plain words, swapped by shifts, in arrays of their own. */
static void widen_lanes(lanes *l, const uint8_t *pairs, size_t count, size_t size)
{
    const bool swap = !tl_order_is_host(TL_BIG);
    int16_t min[LANES], max[LANES];
    memcpy(min, l->min, sizeof min);
    memcpy(max, l->max, sizeof max);
    for (size_t i = 0; i < count; i++) {
        uint16_t words[LANES];
        int16_t values[LANES];
        memcpy(words, pairs + i * size, sizeof words);
        for (int k = 0; k < LANES; k++)
            values[k] = (int16_t)(swap ? words[k] << 8 | words[k] >> 8 : words[k]);
        for (int k = 0; k < LANES; k++)
            min[k] = values[k] < min[k] ? values[k] : min[k];
        for (int k = 0; k < LANES; k++)
            max[k] = values[k] > max[k] ? values[k] : max[k];
    }
    memcpy(l->min, min, sizeof min);
    memcpy(l->max, max, sizeof max);
}

static void lanes_to_box(const lanes *l, const t3dm_pair_places *at, box *own)
{
    for (int vertex = 0; vertex < T3DM_PAIR; vertex++) {
        const int first = at->position[vertex] / 2;
        box_add(own, &l->min[first]);
        box_add(own, &l->max[first]);
    }
}

/* Loads of an object that lie inside V count in its box and are marked. */
static void object_loads(watcher *w, const t3dm_object *object, box *own)
{
    lanes ends;
    bool any = false;
    for (int k = 0; k < LANES; k++)
        ends.min[k] = INT16_MAX, ends.max[k] = INT16_MIN;
    for (uint32_t i = 0; i < object->head.part_count; i++) {
        const t3dm_part *part = &object->parts[i];
        const size_t first = part->vertex_at / T3DM_VERTEX_SIZE / T3DM_PAIR, all = w->rows / T3DM_PAIR;
        const size_t wanted = (part->vertex_count + 1u) / T3DM_PAIR;
        const size_t count = first >= all ? 0 : wanted < all - first ? wanted : all - first;
        if (count == 0)
            continue;
        widen_lanes(&ends, w->file->vertices.data + first * w->at.size, count, w->at.size);
        for (size_t row = first * T3DM_PAIR; row < (first + count) * T3DM_PAIR; row++)
            w->used[row] |= LOADED;
        any = true;
    }
    if (any)
        lanes_to_box(&ends, &w->at, own);
}

/* --- one object --- */

static uint64_t head_at(const t3dm_object *object, const char *field)
{
    return object->at + (uint64_t)tl_layout_field(&tl_t3dm_object_head, 0, field)->at;
}

static void check_bones(const t3dm_file *file, const t3dm_object *object, tl_report *report)
{
    const uint32_t bones = file->skeleton.bone_count;
    for (uint32_t i = 0; i < object->head.part_count; i++) {
        if (object->parts[i].bone == T3DM_NO_BONE || object->parts[i].bone < bones)
            continue;
        const uint64_t at = object->at + tl_layout_size(&tl_t3dm_object_head, 0) +
                            i * (uint64_t)tl_layout_size(&tl_t3dm_part, file->version);
        tl_path_push(&report->path, "parts", i);
        tl_report_finding(report, t3dm_rule(T3DM_R_PART_BONE),
                          at + tl_layout_field(&tl_t3dm_part, file->version, "bone")->at,
                          "bone %u, the skeleton has %" PRIu32, (unsigned)object->parts[i].bone, bones);
        tl_path_pop(&report->path);
        return;
    }
}

static void check_references(const t3dm_file *file, const t3dm_object *object, tl_report *report)
{
    check_bones(file, object, report);
    if (object->head.material >= file->material_count)
        tl_report_finding(report, t3dm_rule(T3DM_R_MATERIAL_REF), head_at(object, "material"),
                          "material %" PRIu32 ", the file has %" PRIu32, object->head.material, file->material_count);
}

static void check_counts(const watcher *w, const t3dm_object *object)
{
    /* Versions 1 and 2 count collapsed triangles that they then skip. */
    const uint32_t drawn = w->triangles & 0xFFFF, said = object->head.triangle_count;
    if (w->file->version < T3DM_V3 ? drawn > said : drawn != said)
        tl_report_finding(w->report, t3dm_rule(T3DM_R_TRIANGLE_COUNT), head_at(object, "triangle_count"),
                          "%u, but %" PRIu64 " are drawn", (unsigned)said, w->triangles);
    if (w->triangles == 0)
        tl_report_finding(w->report, t3dm_rule(T3DM_R_EMPTY), object->at, "the object draws no triangle");
    if (w->degenerate > 0)
        tl_report_finding(w->report, t3dm_rule(T3DM_R_DEGENERATE), object->at,
                          "%" PRIu64 " of %" PRIu64 " triangles use a vertex twice", w->degenerate, w->triangles);
}

static void check_object(watcher *w, const t3dm_object *object, box *all)
{
    box own = {.any = false};
    w->triangles = w->degenerate = 0;
    object_loads(w, object, &own);
    tl_t3dm_draw(w->file, object, &(t3dm_drawer){w, watch_triangles, watch_strip, watch_stumble, watch_part});
    check_references(w->file, object, w->report);
    check_box(&own, object->head.min, object->head.max, head_at(object, "min"), w->report);
    if (own.any) {
        box_add(all, own.min);
        box_add(all, own.max);
    }
    check_counts(w, object);
}

/* --- all of them --- */

static void check_totals(const t3dm_file *file, tl_report *report)
{
    uint32_t vertices = 0, indices = 0;
    for (uint32_t i = 0; i < file->object_count; i++)
        for (uint32_t k = 0; k < file->objects[i].head.part_count; k++) {
            vertices += file->objects[i].parts[k].vertex_count;
            indices += file->objects[i].parts[k].index_count;
        }
    const t3dm_header *h = &file->header;
    if ((vertices & 0xFFFF) != h->vertex_total || (indices & 0xFFFF) != h->index_total)
        tl_report_finding(report, t3dm_rule(T3DM_R_TOTALS),
                          tl_layout_field(&tl_t3dm_header, file->version, "vertex_total")->at,
                          "%u vertices and %u list indices, the parts have %" PRIu32 " and %" PRIu32,
                          (unsigned)h->vertex_total, (unsigned)h->index_total, vertices & 0xFFFF, indices & 0xFFFF);
}

/* A vertex of a pair that only fills it up is no waste. */
static void check_waste(const watcher *w)
{
    size_t unused = 0, unloaded = 0;
    for (size_t i = 0; i + 1 < w->rows; i += T3DM_PAIR) {
        const unsigned a = w->used[i], b = w->used[i + 1];
        unused += (size_t)((a == LOADED) & (b == LOADED)) * T3DM_PAIR;
        unloaded += (size_t)(a == 0) + (size_t)(b == 0);
    }
    if (unused > 0)
        tl_report_finding(w->report, t3dm_rule(T3DM_R_WASTED_SLOTS), w->file->vertices_at,
                          "%zu of %zu vertices are loaded but not drawn", unused, w->rows);
    if (unloaded > 0)
        tl_report_finding(w->report, t3dm_rule(T3DM_R_UNUSED_VERTS), w->file->vertices_at,
                          "%zu of %zu vertices are never loaded", unloaded, w->rows);
}

/* --- strips that share bytes --- */

typedef struct strip_span {
    uint32_t at, size, object;
} strip_span;

static int64_t span_key(const void *spans, uint32_t row)
{
    return ((const strip_span *)spans)[row].at;
}

static uint32_t collect_spans(const t3dm_file *file, strip_span *spans)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < file->object_count; i++)
        for (uint32_t k = 0; k < file->objects[i].head.part_count; k++) {
            const t3dm_part *part = &file->objects[i].parts[k];
            uint64_t start = (uint64_t)part->index_at + part->index_count, size = 0;
            for (int s = 0; s < T3DM_STRIPS && part->strip_counts[s]; s++)
                size = (size + 7) / 8 * 8 + 2u * part->strip_counts[s];
            start = (start + file->indices_at + 7) / 8 * 8 - file->indices_at;
            if (size > 0 && spans && start <= UINT32_MAX)
                spans[count] = (strip_span){(uint32_t)start, (uint32_t)size, i};
            count += size > 0 && start <= UINT32_MAX ? 1 : 0;
        }
    return count;
}

static void check_sharing(const t3dm_file *file, tl_arena *scratch, tl_report *report)
{
    const uint32_t count = collect_spans(file, NULL);
    strip_span *spans = TL_ARRAY(scratch, count, strip_span);
    uint32_t *order = TL_ARRAY(scratch, count, uint32_t);
    if (!spans || !order) {
        tl_report_finding(report, &tl_general_rules[TL_FILE_MEMORY], TRILO_NOWHERE,
                          "not enough memory to compare strips");
        return;
    }
    collect_spans(file, spans);
    bool sorted = true;
    for (uint32_t i = 0; i < count; i++) {
        order[i] = i;
        sorted = sorted && (i == 0 || spans[i - 1].at <= spans[i].at);
    }
    if (!sorted)
        tl_sort_rows(order, count, span_key, spans);
    for (uint32_t i = 1; i < count; i++) {
        const strip_span *a = &spans[order[i - 1]], *b = &spans[order[i]];
        if ((uint64_t)a->at + a->size <= b->at)
            continue;
        tl_path_push(&report->path, "objects", b->object);
        tl_report_finding(report, t3dm_rule(T3DM_R_STRIP_SHARED), (uint64_t)file->indices_at + b->at,
                          "these strips overlap those of another part, but the loader rewrites them in place");
        tl_path_pop(&report->path);
        return;
    }
}

/* What decoding does not see: it draws the objects itself. */
static void check_objects_briefly(const t3dm_file *file, tl_report *report)
{
    for (uint32_t i = 0; i < file->object_count; i++) {
        tl_path_push(&report->path, "objects", i);
        check_references(file, &file->objects[i], report);
        tl_path_pop(&report->path);
    }
}

void tl_t3dm_check_objects(const t3dm_file *file, tl_arena *scratch, tl_report *report)
{
    if (report->errors_only) {
        check_objects_briefly(file, report);
        check_sharing(file, scratch, report);
        return;
    }
    const size_t rows = file->vertices.size / tl_layout_size(&tl_t3dm_pair, 0) * T3DM_PAIR;
    watcher w = {.file = file,
                 .report = report,
                 .rows = rows,
                 .at = tl_t3dm_pair_places(),
                 .used = TL_ARRAY(scratch, rows, uint8_t)};
    box all = {.any = false};
    if (!w.used) {
        tl_report_finding(report, &tl_general_rules[TL_FILE_MEMORY], TRILO_NOWHERE,
                          "not enough memory to check what is drawn");
        return;
    }
    for (w.object = 0; w.object < file->object_count; w.object++) {
        tl_path_push(&report->path, "objects", w.object);
        check_object(&w, &file->objects[w.object], &all);
        tl_path_pop(&report->path);
    }
    check_box(&all, file->header.min, file->header.max, tl_layout_field(&tl_t3dm_header, file->version, "min")->at,
              report);
    if (file->object_count == 0)
        tl_report_finding(report, t3dm_rule(T3DM_R_EMPTY), 0, "the model has no object");
    check_totals(file, report);
    check_waste(&w);
    check_sharing(file, scratch, report);
}
