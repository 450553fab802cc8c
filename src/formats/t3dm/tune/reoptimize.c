/* Reoptimizing a finished file: the triangles of each object, as the console draws them, are cut into batches and
 * strips again. Materials, names, bounds and user values stay, and the order of objects unless sorting is asked for.
 *
 * An object whose new parts would cost more than its old ones keeps those. */
#include "formats/t3dm/cost/cost.h"
#include "formats/t3dm/encode/encode.h"
#include "formats/t3dm/encode/store.h"

#include <inttypes.h>
#include <string.h>

/* --- one object --- */

typedef struct reoptimized_object {
    bool changed;
    uint32_t dropped; /* triangles without an area */
    tl_batch_output batches;
    const t3dm_vertex *vertices;
} reoptimized_object;

typedef struct t3dm_reoptimizer {
    const t3dm_file *from;
    t3dm_file *to;
    const tl_reoptimize_opts *opts;
    tl_arena *arena;
    tl_report *changes;
    reoptimized_object *objects;
    uint64_t bytes_before, bytes_after;
    uint32_t changed, dropped;
    size_t vertices, indices; /* bytes, at most */
} t3dm_reoptimizer;

static void reoptimize_count(t3dm_reoptimizer *r, const t3dm_part *parts, uint32_t part_count)
{
    r->bytes_after += tl_t3dm_drawn_bytes(parts, part_count);
    for (uint32_t i = 0; i < part_count; i++) {
        r->vertices += (size_t)tl_rsp_loaded(parts[i].vertex_count) * T3DM_VERTEX_SIZE;
        r->indices = tl_t3dm_indices_end(&parts[i], r->indices);
    }
}

/* The cheaper of old and new parts, into `to`; false: no memory. */
static bool reoptimize_choose(t3dm_reoptimizer *r, const t3dm_object *old, const t3dm_object_mesh *g,
                              reoptimized_object *out, t3dm_object *to)
{
    t3dm_part *parts = g->incomplete ? NULL : TL_ARRAY(r->arena, out->batches.part_count, t3dm_part);
    if (!g->incomplete && !parts)
        return false;
    for (uint32_t i = 0; parts && i < out->batches.part_count; i++)
        parts[i] = tl_t3dm_part_of(&out->batches.parts[i]);
    const uint64_t before = tl_t3dm_drawn_bytes(old->parts, old->head.part_count);
    const uint32_t part_count = out->batches.part_count;
    out->changed =
        parts && part_count > 0 && part_count <= UINT16_MAX && tl_t3dm_drawn_bytes(parts, part_count) < before;
    *to = *old;
    to->parts = out->changed ? parts : TL_ARRAY(r->arena, old->head.part_count, t3dm_part);
    r->bytes_before += before;
    if (!out->changed) {
        reoptimize_count(r, old->parts, old->head.part_count);
        return to->parts != NULL;
    }
    out->vertices = g->mesh.vertices;
    out->dropped = g->drawn - g->mesh.triangle_count;
    to->head.part_count = (uint16_t)part_count;
    to->head.triangle_count = (uint16_t)(g->mesh.triangle_count);
    r->changed++;
    r->dropped += out->dropped;
    reoptimize_count(r, parts, part_count);
    return true;
}

static bool reoptimize_object(t3dm_reoptimizer *r, uint32_t number)
{
    const t3dm_object *old = &r->from->objects[number];
    reoptimized_object *out = &r->objects[number];
    const t3dm_material *material = t3dm_material_of(r->from, old);
    const bool merges = material && (r->opts->share_repeats || r->opts->drop_unused);
    t3dm_object_mesh g;
    if (!tl_t3dm_object_mesh(r->arena, r->from, old, material && r->opts->drop_unused ? tl_t3dm_unused(material) : 0,
                             &g))
        return false;
    if (merges && !g.incomplete && !tl_t3dm_merge_repeats(r->arena, material, &g.mesh, NULL))
        return false;
    const tl_batch_input in = {.vertex_count = g.mesh.vertex_count,
                               .triangle_count = g.mesh.triangle_count,
                               .triangles = (const uint32_t(*)[3])g.mesh.triangles,
                               .bones = g.mesh.bones,
                               .strips = true,
                               .sequences = r->from->version >= T3DM_V4,
                               .level = r->opts->level,
                               .resident = r->opts->resident,
                               .progress = r->changes};
    if (!g.incomplete && !tl_batch(r->arena, &in, &out->batches))
        return false;
    return reoptimize_choose(r, old, &g, out, &r->to->objects[number]);
}

/* True if objects of the file share vertices: then a game that changes them expects it. */
static bool reoptimize_shares(const t3dm_file *file)
{
    size_t end = 0; /* of the vertices of the objects before */
    for (uint32_t i = 0; i < file->object_count; i++) {
        size_t object_end = end;
        for (uint32_t k = 0; k < file->objects[i].head.part_count; k++) {
            const t3dm_part *part = &file->objects[i].parts[k];
            const size_t part_end = part->vertex_at + (size_t)tl_rsp_loaded(part->vertex_count) * T3DM_VERTEX_SIZE;
            if (part->vertex_count > 0 && part->vertex_at < end)
                return true;
            object_end = part_end > object_end ? part_end : object_end;
        }
        end = object_end;
    }
    return false;
}

/* --- boxes --- */

typedef struct reoptimize_box {
    int16_t min[3], max[3];
    bool any;
} reoptimize_box;

static void reoptimize_widen(reoptimize_box *b, const int16_t p[3])
{
    for (int k = 0; k < 3; k++) {
        b->min[k] = !b->any || p[k] < b->min[k] ? p[k] : b->min[k];
        b->max[k] = !b->any || p[k] > b->max[k] ? p[k] : b->max[k];
    }
    b->any = true;
}

static bool reoptimize_is_box(const reoptimize_box *b, const int16_t min[3], const int16_t max[3])
{
    return b->any && memcmp(b->min, min, sizeof b->min) == 0 && memcmp(b->max, max, sizeof b->max) == 0;
}

/* Around everything that the object loads. */
static reoptimize_box reoptimize_loaded_box(const t3dm_file *file, const t3dm_object *object,
                                            const t3dm_pair_offsets *offsets)
{
    reoptimize_box b = {.any = false};
    for (uint32_t i = 0; i < object->head.part_count; i++) {
        const t3dm_part *part = &object->parts[i];
        const uint32_t first = part->vertex_at / T3DM_VERTEX_SIZE;
        for (uint32_t k = 0; k < tl_rsp_loaded(part->vertex_count); k++) {
            const uint8_t *p = t3dm_vertex_at(file, offsets, first + k, offsets->position);
            const int16_t position[3] = {(int16_t)tl_get_u16(p, TL_BIG), (int16_t)tl_get_u16(p + 2, TL_BIG),
                                         (int16_t)tl_get_u16(p + 4, TL_BIG)};
            reoptimize_widen(&b, position);
        }
    }
    return b;
}

/* Bounds that fitted are computed again, since padding vertices may have been at their edge; any others were set by the
 * author and stay. */
static void reoptimize_fit_boxes(const t3dm_file *from, t3dm_file *to)
{
    const t3dm_pair_offsets offsets = tl_t3dm_pair_offsets();
    reoptimize_box before = {.any = false}, after = {.any = false};
    for (uint32_t i = 0; i < to->object_count; i++) {
        const reoptimize_box old = reoptimize_loaded_box(from, &from->objects[i], &offsets);
        const reoptimize_box now = reoptimize_loaded_box(to, &to->objects[i], &offsets);
        t3dm_object_head *head = &to->objects[i].head;
        if (!old.any || !now.any)
            continue;
        reoptimize_widen(&before, old.min);
        reoptimize_widen(&before, old.max);
        reoptimize_widen(&after, now.min);
        reoptimize_widen(&after, now.max);
        if (reoptimize_is_box(&old, head->min, head->max)) {
            memcpy(head->min, now.min, sizeof head->min);
            memcpy(head->max, now.max, sizeof head->max);
        }
    }
    if (reoptimize_is_box(&before, to->header.min, to->header.max)) {
        memcpy(to->header.min, after.min, sizeof to->header.min);
        memcpy(to->header.max, after.max, sizeof to->header.max);
    }
}

/* --- the file --- */

static bool reoptimize_all(t3dm_reoptimizer *r)
{
    const t3dm_file *from = r->from;
    t3dm_file *to = r->to;
    /* What changes its offset or its content is copied. */
    *to = *from;
    to->bytes = (trilo_bytes){NULL, 0};
    to->objects = TL_ARRAY(r->arena, from->object_count, t3dm_object);
    to->materials = tl_bytes_copy(r->arena, from->materials, from->material_count * sizeof *from->materials);
    to->animations = tl_bytes_copy(r->arena, from->animations, from->animation_count * sizeof *from->animations);
    to->chunks = tl_bytes_copy(r->arena, from->chunks, from->header.chunk_count * sizeof *from->chunks);
    r->objects = TL_ARRAY(r->arena, from->object_count, reoptimized_object);
    if (!to->objects || !to->materials || !to->animations || !to->chunks || !r->objects)
        return false;
    r->changes->total = from->object_count;
    for (uint32_t i = 0; i < from->object_count; i++)
        if (!reoptimize_object(r, i) || !tl_report_step(r->changes))
            return false;
    t3dm_store store;
    if (!tl_t3dm_store_init(&store, r->arena, from->version, r->opts->share_vertices || reoptimize_shares(from),
                            r->vertices, r->indices))
        return false;
    for (uint32_t i = 0; i < to->object_count; i++) {
        const reoptimized_object *object = &r->objects[i];
        if (object->changed)
            tl_t3dm_store_batches(&store, &object->batches, object->vertices, &to->objects[i]);
        else
            tl_t3dm_store_copy(&store, from, &from->objects[i], &to->objects[i]);
    }
    tl_t3dm_store_finish(&store, to);
    reoptimize_fit_boxes(from, to);
    return !r->opts->sort_materials || tl_t3dm_sort_materials(to, r->arena, r->changes);
}

void *tl_t3dm_reoptimize(const void *t3dm, const tl_reoptimize_opts *opts, tl_arena *arena, tl_report *changes,
                         trilo_error *err)
{
    const t3dm_file *from = t3dm;
    const t3dm_header *h = &from->header;
    /* Chunks after the string table, or V and I at other places than in the header, cannot be moved. */
    bool movable = h->vertex_chunk < h->chunk_count && h->index_chunk < h->chunk_count &&
                   from->chunks[h->vertex_chunk].type == 'V' && from->chunks[h->index_chunk].type == 'I';
    for (uint32_t i = 0; i < h->chunk_count; i++)
        movable = movable && from->chunks[i].at < h->strings_at;
    if (!movable) {
        tl_fail(err, TRILO_CODE_UNSUPPORTED, t3dm_rule(T3DM_R_CHUNK_ORDER), TRILO_NOWHERE, NULL,
                "chunks are in an order that cannot be kept; convert the file with --reencode first");
        return NULL;
    }
    t3dm_reoptimizer r = {
        .from = from, .to = TL_NEW(arena, t3dm_file), .opts = opts, .arena = arena, .changes = changes};
    if (!r.to || !reoptimize_all(&r)) {
        tl_fail_memory(err);
        return NULL;
    }
    if (!tl_t3dm_layout_again(r.to, err))
        return NULL;
    tl_report_finding(changes, t3dm_rule(T3DM_R_REOPTIMIZED), TRILO_NOWHERE,
                      "%" PRIu32 " of %" PRIu32 " objects were reoptimized: %" PRIu64 " instead of %" PRIu64
                      " bytes to draw them",
                      r.changed, r.from->object_count, r.bytes_after, r.bytes_before);
    if (r.dropped > 0)
        tl_report_finding(changes, t3dm_rule(T3DM_R_DROPPED), TRILO_NOWHERE,
                          "%" PRIu32 " triangles without area were removed", r.dropped);
    return r.to;
}
