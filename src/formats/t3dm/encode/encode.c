/* From the neutral model to a T3DM file. Packing into loads of the vertex cache is src/optimize's, laying the result
 * out t3dm_store.c's. */
#include "formats/t3dm/encode/encode.h"

#include "formats/t3dm/encode/store.h"
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* --- what the parts share --- */

void tl_t3dm_enter(t3dm_encoder *e, const char *list, uint32_t index, trilo_str name)
{
    tl_path_push(&e->losses->path, list, index);
    e->subject = name;
}

void tl_t3dm_leave(t3dm_encoder *e)
{
    tl_path_pop(&e->losses->path);
    e->subject = (trilo_str){"", 0};
}

/* "Brick": and the sentence. */
static void make_text(const t3dm_encoder *e, char *out, size_t room, const char *format, va_list args)
{
    const int front = e->subject.len > 0 ? snprintf(out, room, "\"%.40s\": ", e->subject.data) : 0;
    vsnprintf(out + front, room - (size_t)front, format, args);
}

bool tl_t3dm_encode_fail(t3dm_encoder *e, enum t3dm_rule_id rule, trilo_code code, const char *format, ...)
{
    char text[sizeof e->err->text];
    va_list args;
    va_start(args, format);
    make_text(e, text, sizeof text, format, args);
    va_end(args);
    e->told = true;
    return tl_fail(e->err, code, t3dm_rule(rule), TRILO_NOWHERE, &e->losses->path, "%s", text);
}

void tl_t3dm_report_loss(t3dm_encoder *e, enum t3dm_rule_id rule, const char *format, ...)
{
    char text[sizeof e->err->text];
    va_list args;
    va_start(args, format);
    make_text(e, text, sizeof text, format, args);
    va_end(args);
    tl_report_finding(e->losses, t3dm_rule(rule), TRILO_NOWHERE, "%s", text);
}

double tl_t3dm_round(double value)
{
    return value < 0 ? -floor(0.5 - value) : floor(value + 0.5);
}

/* --- one object --- */

typedef struct packed {
    tl_batch_output pack;
    t3dm_welded vertices;
    t3dm_reach reach;
    uint32_t (*triangles)[3], triangle_count;
} packed;

/* Two corners at one spot that move alike: nothing will ever be seen of the triangle. */
static bool same_spot(const t3dm_welded *w, uint32_t a, uint32_t b)
{
    return w->bones[a] == w->bones[b] &&
           memcmp(w->vertices[a].position, w->vertices[b].position, sizeof w->vertices[a].position) == 0;
}

static bool is_flat(const t3dm_welded *w, const uint32_t t[3])
{
    return same_spot(w, t[0], t[1]) || same_spot(w, t[1], t[2]) || same_spot(w, t[2], t[0]);
}

/* Rounding makes triangles degenerate. A mesh of which nothing would be left keeps them. */
static void drop_flat(t3dm_encoder *e, packed *p)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < p->triangle_count; i++)
        kept += is_flat(&p->vertices, p->triangles[i]) ? 0 : 1;
    if (!e->policy.drop_degenerate || kept == 0 || kept == p->triangle_count)
        return;
    tl_t3dm_report_loss(e, T3DM_R_DROPPED,
                        "%" PRIu32 " of %" PRIu32 " triangles have no area on the console and were removed",
                        p->triangle_count - kept, p->triangle_count);
    kept = 0;
    for (uint32_t i = 0; i < p->triangle_count; i++)
        if (!is_flat(&p->vertices, p->triangles[i]))
            memmove(p->triangles[kept++], p->triangles[i], sizeof *p->triangles);
    p->triangle_count = kept;
}

static bool take_triangles(t3dm_encoder *e, const trilo_mesh *mesh, const trilo_mesh *used, packed *p)
{
    const bool turned = e->policy.fix_mirrored && mesh->skin == TRILO_NONE && mesh->node != TRILO_NONE &&
                        e->places[mesh->node].mirrored;
    p->triangle_count = used->index_count / 3;
    p->triangles = tl_array_raw(e->arena, p->triangle_count, sizeof *p->triangles);
    if (!p->triangles)
        return false;
    for (uint32_t i = 0; i < p->triangle_count; i++)
        for (uint32_t k = 0; k < 3; k++)
            p->triangles[i][k] = p->vertices.of[used->indices[3 * (size_t)i + (turned ? 2 - k : k)]];
    drop_flat(e, p);
    return true;
}

static bool pack_mesh(t3dm_encoder *e, const trilo_mesh *mesh, const t3dm_material *material, packed *out)
{
    const trilo_mesh *used;
    *out = (packed){.reach.largest = 0};
    if (!tl_t3dm_weld(e, mesh, material, &out->vertices, &used, &out->reach))
        return false;
    if (out->reach.beyond)
        return true; /* refused when all have been measured */
    if (!take_triangles(e, mesh, used, out))
        return false;
    const tl_batch_input in = {.vertex_count = out->vertices.count,
                               .triangle_count = out->triangle_count,
                               .triangles = (const uint32_t(*)[3])out->triangles,
                               .bones = out->vertices.bones,
                               .strips = true,
                               .sequences = e->file->version >= T3DM_V4,
                               .level = e->opts->t3dm.level,
                               .resident = e->opts->t3dm.resident};
    return tl_batch(e->arena, &in, &out->pack);
}

/* --- boxes --- */

static void widen_box(t3dm_object_head *head, const t3dm_vertex *v, bool first)
{
    for (int k = 0; k < 3; k++) {
        head->min[k] = first || v->position[k] < head->min[k] ? v->position[k] : head->min[k];
        head->max[k] = first || v->position[k] > head->max[k] ? v->position[k] : head->max[k];
    }
}

static void fit_box(t3dm_object_head *head, const packed *p)
{
    for (uint32_t k = 0; k < p->pack.vertex_count; k++)
        widen_box(head, &p->vertices.vertices[p->pack.vertices[k]], k == 0);
}

static bool make_object(t3dm_encoder *e, uint32_t number, const packed *p, t3dm_object *object)
{
    const trilo_mesh *mesh = &e->model->meshes[number];
    if (p->pack.part_count > UINT16_MAX)
        return tl_t3dm_encode_fail(e, T3DM_R_RANGE_COUNT, TRILO_CODE_LIMIT,
                                   "%" PRIu32 " parts, an object can have 65535; split it", p->pack.part_count);
    object->head = (t3dm_object_head){
        .part_count = (uint16_t)p->pack.part_count,
        .triangle_count = (uint16_t)p->triangle_count,
        .material = e->material_of_mesh[number],
    };
    object->parts = TL_ARRAY(e->arena, p->pack.part_count, t3dm_part);
    return object->parts && tl_t3dm_add_string(e, mesh->name.data, &object->head.name);
}

static void fit_model_box(t3dm_file *file)
{
    for (uint32_t i = 0; i < file->object_count; i++)
        for (int k = 0; k < 3; k++) {
            const t3dm_object_head *h = &file->objects[i].head;
            file->header.min[k] = i == 0 || h->min[k] < file->header.min[k] ? h->min[k] : file->header.min[k];
            file->header.max[k] = i == 0 || h->max[k] > file->header.max[k] ? h->max[k] : file->header.max[k];
        }
}

/* Rounded down, to a thousandth or to four digits. */
static double safe_scale(double largest)
{
    const double most = INT16_MAX / largest;
    double unit = 1000;
    while (most * unit < 1000 && unit < 1e30)
        unit *= 10;
    return floor(most * unit) / unit;
}

/* The mesh that reaches furthest tells the largest scale for all. */
static bool report_reach(t3dm_encoder *e, const packed *packs)
{
    uint32_t furthest = 0;
    bool beyond = false;
    for (uint32_t i = 0; i < e->mesh_count; i++) {
        beyond = beyond || packs[i].reach.beyond;
        furthest = packs[i].reach.largest <= packs[furthest].reach.largest ? furthest : i;
    }
    const double largest = e->mesh_count > 0 ? packs[furthest].reach.largest : 0;
    if (beyond) {
        tl_t3dm_enter(e, "meshes", e->meshes[furthest], e->model->meshes[e->meshes[furthest]].name);
        tl_t3dm_encode_fail(e, T3DM_R_RANGE_POSITION, TRILO_CODE_LIMIT,
                            "a coordinate of %.6g at scale %.6g is above 32767; the largest scale that fits is %.9g",
                            largest, e->policy.scale, safe_scale(largest));
        tl_t3dm_leave(e);
        return false;
    }
    if (largest > 0 && largest * e->policy.scale < 16)
        tl_t3dm_report_loss(e, T3DM_R_LOST_POSITIONS,
                            "the model is smaller than 16 units at this scale, positions coincide");
    return true;
}

static bool encode_object(t3dm_encoder *e, uint32_t number, packed *p, t3dm_object *object)
{
    const t3dm_material *material = &e->file->materials[e->material_of_mesh[number]];
    tl_t3dm_enter(e, "meshes", number, e->model->meshes[number].name);
    const bool ok = pack_mesh(e, &e->model->meshes[number], material, p) && make_object(e, number, p, object);
    tl_t3dm_leave(e);
    return ok;
}

/* What stands behind the vertices must start within 16 MiB. */
enum { VERTICES_MOST = 1 << T3DM_PLACE_BITS };

/* Two rounds: pack everything to know the sizes of V and I, then fill them. */
static bool encode_objects(t3dm_encoder *e)
{
    t3dm_file *file = e->file;
    packed *packs = TL_ARRAY(e->arena, e->mesh_count, packed);
    file->objects = TL_ARRAY(e->arena, e->mesh_count, t3dm_object);
    if (!packs || !file->objects)
        return false;
    size_t vertices = 0, indices = 0;
    for (uint32_t i = 0; i < e->mesh_count; i++) {
        packed *p = &packs[i];
        if (!encode_object(e, e->meshes[i], p, &file->objects[i]))
            return false;
        vertices += (size_t)p->pack.vertex_count * T3DM_VERTEX_SIZE;
        if (vertices >= VERTICES_MOST) /* found when all is placed, too, but after much work */
            return tl_t3dm_encode_fail(e, T3DM_R_RANGE_SIZE, TRILO_CODE_LIMIT,
                                       "the vertices alone need more than 16 MiB");
        for (uint32_t k = 0; k < p->pack.part_count; k++) {
            const t3dm_part part = tl_t3dm_part_of(&p->pack.parts[k]);
            indices = tl_t3dm_indices_end(&part, indices);
        }
    }
    if (!report_reach(e, packs))
        return false;
    file->object_count = e->mesh_count;
    t3dm_store store;
    if (!tl_t3dm_store_init(&store, e->arena, file->version, vertices, indices))
        return false;
    for (uint32_t i = 0; i < file->object_count; i++) {
        tl_t3dm_store_packed(&store, &packs[i].pack, packs[i].vertices.vertices, &file->objects[i]);
        fit_box(&file->objects[i].head, &packs[i]);
    }
    tl_t3dm_store_finish(&store, file);
    fit_model_box(file);
    return true;
}

/* --- places --- */

static bool place_all(t3dm_encoder *e)
{
    const trilo_model *model = e->model;
    t3dm_chunk *custom = TL_ARRAY(e->arena, model->chunk_count, t3dm_chunk);
    if (!custom || !tl_t3dm_start_strings(e, 0))
        return false;
    uint32_t count = 0;
    for (uint32_t i = 0; i < model->chunk_count; i++) {
        const trilo_chunk *chunk = &model->chunks[i];
        if (chunk->type == '\0' || chunk->type == 'm' || !t3dm_is_custom(chunk->type) || chunk->bytes.size > UINT32_MAX)
            tl_t3dm_report_loss(e, T3DM_R_LOST_CHUNK, "a custom chunk has a letter of T3DM and is not written");
        else
            custom[count++] = (t3dm_chunk){chunk->type, 0, (uint32_t)chunk->bytes.size, TRILO_NONE, chunk->bytes.data};
    }
    e->file->strings = (trilo_bytes){(const uint8_t *)e->strings, e->strings_size};
    const bool ok = tl_t3dm_place(e->file, custom, count, e->arena, e->err);
    e->told = !ok;
    return ok;
}

/* --- all of it --- */

/* Nothing to draw and nothing to play is surely not what was wanted. */
static bool refuse_nothing(t3dm_encoder *e)
{
    if (!e->policy.drop_empty || e->file->object_count > 0 || e->file->animation_count > 0)
        return true;
    return tl_t3dm_encode_fail(e, T3DM_R_EMPTY, TRILO_CODE_UNSUPPORTED,
                               "the model has no triangle, nothing would be written");
}

static bool encode_all(t3dm_encoder *e)
{
    e->file = TL_NEW(e->arena, t3dm_file);
    if (!e->file)
        return false;
    e->file->version = e->opts->t3dm.version ? e->opts->t3dm.version : T3DM_V4;
    if (e->file->version > T3DM_V4)
        return tl_t3dm_encode_fail(e, T3DM_R_VERSION, TRILO_CODE_UNSUPPORTED,
                                   "version %" PRIu32 ", 1 to 4 can be written", e->file->version);
    memcpy(e->file->header.magic, "T3M", 3);
    e->file->header.version = (uint8_t)e->file->version;
    e->policy = tl_t3dm_policy_of(e->model, e->opts);
    return tl_t3dm_order_meshes(e) && tl_t3dm_encode_bones(e) && tl_t3dm_encode_materials(e) && encode_objects(e) &&
           tl_t3dm_encode_clips(e) && refuse_nothing(e) && tl_t3dm_encode_bvh(e) && place_all(e);
}

void *tl_t3dm_encode(const trilo_model *model, const trilo_write_opts *opts, tl_arena *arena, tl_report *losses,
                     trilo_error *err)
{
    t3dm_encoder e = {.model = model, .opts = opts, .arena = arena, .losses = losses, .err = err};
    if (encode_all(&e))
        return e.file;
    if (!e.told)
        tl_fail_memory(err);
    return NULL;
}
