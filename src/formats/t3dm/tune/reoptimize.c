/* A finished file packed anew: the triangles of each object, as the console draws them, are cut into loads and strips
 * again. Nothing else changes: not their materials, names, boxes or user values, and their order only when that is
 * asked for.
 *
 * An object whose new parts would cost more than its old ones keeps those. */
#include "formats/t3dm/encode/encode.h"
#include "formats/t3dm/encode/store.h"

#include <inttypes.h>
#include <string.h>

/* The triangles of one object, as numbers of different vertices. */
typedef struct gathering {
    const t3dm_file *file;
    t3dm_pair_places places;
    uint32_t unused; /* T3DM_UNUSED_..., to be cleared */
    t3dm_vertex *vertices;
    uint16_t *bones;
    uint32_t vertex_count;
    tl_hash_table table; /* of vertices with their bones */
    uint32_t (*triangles)[3];
    uint32_t triangle_count, triangle_most;
    uint32_t seen;   /* triangles that are drawn, also those without an area */
    bool incomplete; /* something could not be drawn: better left alone */
    bool no_memory;
} gathering;

/* --- gathering --- */

static t3dm_vertex read_vertex(const gathering *g, uint32_t row)
{
    const uint8_t *p = t3dm_vertex_at(g->file, &g->places, row, g->places.position);
    const uint8_t *uv = t3dm_vertex_at(g->file, &g->places, row, g->places.uv);
    t3dm_vertex v = {.normal = tl_get_u16(t3dm_vertex_at(g->file, &g->places, row, g->places.normal), TL_BIG)};
    for (int k = 0; k < 3; k++)
        v.position[k] = (int16_t)tl_get_u16(p + 2 * k, TL_BIG);
    for (int k = 0; k < 2; k++)
        v.uv[k] = (int16_t)tl_get_u16(uv + 2 * k, TL_BIG);
    memcpy(v.color, t3dm_vertex_at(g->file, &g->places, row, g->places.color), sizeof v.color);
    tl_t3dm_clear_unused(&v, g->unused);
    return v;
}

static int compare_gathered(const void *rows, uint32_t a, uint32_t b)
{
    const gathering *g = rows;
    if (g->bones[a] != g->bones[b])
        return g->bones[a] < g->bones[b] ? -1 : 1;
    return memcmp(&g->vertices[a], &g->vertices[b], sizeof *g->vertices);
}

static uint32_t number_of(gathering *g, const t3dm_slot *slot)
{
    t3dm_vertex *v = &g->vertices[g->vertex_count];
    *v = read_vertex(g, slot->vertex);
    g->bones[g->vertex_count] = slot->bone;
    const uint32_t hash = trilo_fnv1a(v, sizeof *v) ^ slot->bone * 0x9E3779B1u;
    const uint32_t number = tl_hash_table_add(&g->table, hash, g->vertex_count);
    g->vertex_count += number == g->vertex_count ? 1 : 0;
    g->no_memory |= number == TRILO_NONE;
    return number == TRILO_NONE ? 0 : number;
}

/* Two corners at one spot that move alike: nothing will ever be seen of the triangle. */
static bool same_spot(const gathering *g, uint32_t a, uint32_t b)
{
    return g->bones[a] == g->bones[b] &&
           memcmp(g->vertices[a].position, g->vertices[b].position, sizeof g->vertices[a].position) == 0;
}

static void take_triangles(void *user, const t3dm_batch *batch)
{
    gathering *g = user;
    for (uint32_t i = 0; i < batch->count; i++, g->seen++) {
        if (g->triangle_count == g->triangle_most) {
            g->incomplete = true;
            return;
        }
        uint32_t *t = g->triangles[g->triangle_count];
        for (int k = 0; k < 3; k++)
            t[k] = number_of(g, &batch->cache[batch->slots[i][k]]);
        if (!same_spot(g, t[0], t[1]) && !same_spot(g, t[1], t[2]) && !same_spot(g, t[2], t[0]))
            g->triangle_count++;
    }
}

static void take_stumble(void *user, const t3dm_stumble *stumble)
{
    const trilo_severity severity = t3dm_rule(stumble->rule)->severity;
    ((gathering *)user)->incomplete |= severity == TRILO_SEVERITY_ERROR || severity == TRILO_SEVERITY_CRASH;
}

static bool gather(gathering *g, const t3dm_object *object, tl_arena *arena)
{
    const t3dm_object_limits limits = tl_t3dm_object_limits(object);
    if (limits.triangles > UINT32_MAX / 16 || limits.vertices > UINT32_MAX / 16)
        return false;
    const size_t triangles = (size_t)limits.triangles, vertices = (size_t)limits.vertices + 1; /* one to look up */
    g->triangle_most = (uint32_t)triangles;
    g->vertices = tl_array_raw(arena, vertices, sizeof *g->vertices);
    g->bones = tl_array_raw(arena, vertices, sizeof *g->bones);
    g->triangles = tl_array_raw(arena, triangles, sizeof *g->triangles);
    if (!g->vertices || !g->bones || !g->triangles ||
        !tl_hash_table_init(&g->table, arena, vertices, compare_gathered, g))
        return false;
    tl_t3dm_draw(g->file, object, &(t3dm_drawer){.user = g, .triangles = take_triangles, .stumble = take_stumble});
    return !g->no_memory;
}

/* --- one object --- */

typedef struct repacked {
    bool changed;
    uint32_t dropped; /* triangles without an area */
    tl_batch_output pack;
    const t3dm_vertex *vertices;
} repacked;

typedef struct repacker {
    const t3dm_file *from;
    t3dm_file *to;
    const tl_reoptimize_opts *opts;
    tl_arena *arena;
    tl_report *changes;
    repacked *objects;
    uint64_t bytes_before, bytes_after;
    uint32_t changed, dropped;
    size_t vertices, indices; /* bytes, at most */
} repacker;

static uint32_t unused_of(const repacker *r, const t3dm_object *object)
{
    const uint32_t material = object->head.material;
    return r->opts->drop_unused && material < r->from->material_count ? tl_t3dm_unused(&r->from->materials[material])
                                                                      : 0;
}

static t3dm_part *parts_of(tl_arena *arena, const tl_batch_output *pack)
{
    t3dm_part *parts = TL_ARRAY(arena, pack->part_count, t3dm_part);
    for (uint32_t i = 0; parts && i < pack->part_count; i++)
        parts[i] = tl_t3dm_part_of(&pack->parts[i]);
    return parts;
}

static void count(repacker *r, const t3dm_part *parts, uint32_t part_count)
{
    r->bytes_after += tl_t3dm_drawn_bytes(parts, part_count);
    for (uint32_t i = 0; i < part_count; i++) {
        r->vertices += (size_t)((parts[i].vertex_count + 1u) & ~1u) * T3DM_VERTEX_SIZE;
        r->indices = tl_t3dm_indices_end(&parts[i], r->indices);
    }
}

/* The better of both, into `to`; false: no memory. */
static bool choose(repacker *r, const t3dm_object *old, const gathering *g, repacked *out, t3dm_object *to)
{
    t3dm_part *parts = g->incomplete ? NULL : parts_of(r->arena, &out->pack);
    if (!g->incomplete && !parts)
        return false;
    const uint64_t before = tl_t3dm_drawn_bytes(old->parts, old->head.part_count);
    const uint32_t part_count = out->pack.part_count;
    out->changed =
        parts && part_count > 0 && part_count <= UINT16_MAX && tl_t3dm_drawn_bytes(parts, part_count) < before;
    *to = *old;
    to->parts = out->changed ? parts : TL_ARRAY(r->arena, old->head.part_count, t3dm_part);
    r->bytes_before += before;
    if (!out->changed) {
        count(r, old->parts, old->head.part_count);
        return to->parts != NULL;
    }
    out->vertices = g->vertices;
    out->dropped = g->seen - g->triangle_count;
    to->head.part_count = (uint16_t)part_count;
    to->head.triangle_count = (uint16_t)(g->triangle_count);
    r->changed++;
    r->dropped += out->dropped;
    count(r, parts, part_count);
    return true;
}

static bool repack_object(repacker *r, uint32_t number)
{
    const t3dm_object *old = &r->from->objects[number];
    repacked *out = &r->objects[number];
    gathering g = {.file = r->from, .places = tl_t3dm_pair_places(), .unused = unused_of(r, old)};
    if (!gather(&g, old, r->arena))
        return false;
    const tl_batch_input in = {.vertex_count = g.vertex_count,
                               .triangle_count = g.triangle_count,
                               .triangles = (const uint32_t(*)[3])g.triangles,
                               .bones = g.bones,
                               .strips = true,
                               .sequences = r->from->version >= T3DM_V4,
                               .level = r->opts->level,
                               .resident = r->opts->resident};
    if (!g.incomplete && !tl_batch(r->arena, &in, &out->pack))
        return false;
    return choose(r, old, &g, out, &r->to->objects[number]);
}

/* --- boxes --- */

typedef struct box {
    int16_t min[3], max[3];
    bool any;
} box;

static void widen(box *b, const int16_t p[3])
{
    for (int k = 0; k < 3; k++) {
        b->min[k] = !b->any || p[k] < b->min[k] ? p[k] : b->min[k];
        b->max[k] = !b->any || p[k] > b->max[k] ? p[k] : b->max[k];
    }
    b->any = true;
}

static bool is_box(const box *b, const int16_t min[3], const int16_t max[3])
{
    return b->any && memcmp(b->min, min, sizeof b->min) == 0 && memcmp(b->max, max, sizeof b->max) == 0;
}

/* Around everything that the object loads. */
static box loaded_box(const t3dm_file *file, const t3dm_object *object, const t3dm_pair_places *places)
{
    box b = {.any = false};
    for (uint32_t i = 0; i < object->head.part_count; i++) {
        const t3dm_part *part = &object->parts[i];
        const uint32_t first = part->vertex_at / T3DM_VERTEX_SIZE;
        for (uint32_t k = 0; k < ((part->vertex_count + 1u) & ~1u); k++) {
            const uint8_t *p = t3dm_vertex_at(file, places, first + k, places->position);
            const int16_t position[3] = {(int16_t)tl_get_u16(p, TL_BIG), (int16_t)tl_get_u16(p + 2, TL_BIG),
                                         (int16_t)tl_get_u16(p + 4, TL_BIG)};
            widen(&b, position);
        }
    }
    return b;
}

/* A box that fitted still does: what filled up a load may have lain at its edge. Any other is somebody's own. */
static void fit_boxes(const t3dm_file *from, t3dm_file *to)
{
    const t3dm_pair_places places = tl_t3dm_pair_places();
    box before = {.any = false}, after = {.any = false};
    for (uint32_t i = 0; i < to->object_count; i++) {
        const box old = loaded_box(from, &from->objects[i], &places);
        const box now = loaded_box(to, &to->objects[i], &places);
        t3dm_object_head *head = &to->objects[i].head;
        if (!old.any || !now.any)
            continue;
        widen(&before, old.min);
        widen(&before, old.max);
        widen(&after, now.min);
        widen(&after, now.max);
        if (is_box(&old, head->min, head->max)) {
            memcpy(head->min, now.min, sizeof head->min);
            memcpy(head->max, now.max, sizeof head->max);
        }
    }
    if (is_box(&before, to->header.min, to->header.max)) {
        memcpy(to->header.min, after.min, sizeof to->header.min);
        memcpy(to->header.max, after.max, sizeof to->header.max);
    }
}

/* --- the file --- */

/* What changes its place or its content is copied. */
static bool copy_records(const t3dm_file *from, t3dm_file *to, tl_arena *arena)
{
    *to = *from;
    to->bytes = (trilo_bytes){NULL, 0};
    to->objects = TL_ARRAY(arena, from->object_count, t3dm_object);
    to->materials = tl_bytes_copy(arena, from->materials, from->material_count * sizeof *from->materials);
    to->animations = tl_bytes_copy(arena, from->animations, from->animation_count * sizeof *from->animations);
    to->chunks = tl_bytes_copy(arena, from->chunks, from->header.chunk_count * sizeof *from->chunks);
    return to->objects && to->materials && to->animations && to->chunks;
}

static bool store_all(repacker *r)
{
    t3dm_store store;
    if (!tl_t3dm_store_init(&store, r->arena, r->from->version, r->vertices, r->indices))
        return false;
    for (uint32_t i = 0; i < r->to->object_count; i++) {
        const repacked *object = &r->objects[i];
        if (object->changed)
            tl_t3dm_store_packed(&store, &object->pack, object->vertices, &r->to->objects[i]);
        else
            tl_t3dm_store_copy(&store, r->from, &r->from->objects[i], &r->to->objects[i]);
    }
    tl_t3dm_store_finish(&store, r->to);
    return true;
}

static void tell(const repacker *r, tl_report *changes)
{
    tl_report_finding(changes, t3dm_rule(T3DM_R_REOPTIMIZED), TRILO_NOWHERE,
                      "%" PRIu32 " of %" PRIu32 " objects were reoptimized: %" PRIu64 " instead of %" PRIu64
                      " bytes to draw them",
                      r->changed, r->from->object_count, r->bytes_after, r->bytes_before);
    if (r->dropped > 0)
        tl_report_finding(changes, t3dm_rule(T3DM_R_DROPPED), TRILO_NOWHERE,
                          "%" PRIu32 " triangles without area were removed", r->dropped);
}

static bool repack_all(repacker *r)
{
    r->objects = TL_ARRAY(r->arena, r->from->object_count, repacked);
    if (!r->objects || !copy_records(r->from, r->to, r->arena))
        return false;
    for (uint32_t i = 0; i < r->from->object_count; i++)
        if (!repack_object(r, i))
            return false;
    if (!store_all(r))
        return false;
    fit_boxes(r->from, r->to);
    return !r->opts->sort_materials || tl_t3dm_sort_materials(r->to, r->arena, r->changes);
}

/* Chunks behind the string table, or V and I where the header does not say, cannot be moved. */
static bool is_usual(const t3dm_file *file)
{
    const t3dm_header *h = &file->header;
    for (uint32_t i = 0; i < h->chunk_count; i++)
        if (file->chunks[i].at >= h->strings_at)
            return false;
    return h->vertex_chunk < h->chunk_count && h->index_chunk < h->chunk_count &&
           file->chunks[h->vertex_chunk].type == 'V' && file->chunks[h->index_chunk].type == 'I';
}

void *tl_t3dm_reoptimize(const void *t3dm, const tl_reoptimize_opts *opts, tl_arena *arena, tl_report *changes,
                         trilo_error *err)
{
    const t3dm_file *from = t3dm;
    if (!is_usual(from)) {
        tl_fail(err, TRILO_CODE_UNSUPPORTED, t3dm_rule(T3DM_R_CHUNK_ORDER), TRILO_NOWHERE, NULL,
                "chunks are in an order that cannot be kept; convert the file with --reencode first");
        return NULL;
    }
    repacker r = {.from = from, .to = TL_NEW(arena, t3dm_file), .opts = opts, .arena = arena, .changes = changes};
    if (!r.to || !repack_all(&r)) {
        tl_fail_memory(err);
        return NULL;
    }
    if (!tl_t3dm_place_again(r.to, err))
        return NULL;
    tell(&r, changes);
    return r.to;
}
