/* From the neutral model to a T3DM file. Packing into loads of the vertex cache is src/optimize's; this file lays the
 * result out. */
#include "formats/t3dm/t3dm_encode.h"

#include "optimize/pack.h"
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

bool tl_t3dm_cannot(t3dm_encoder *e, enum t3dm_rule_id rule, trilo_code code, const char *format, ...)
{
    char text[sizeof e->err->text];
    va_list args;
    va_start(args, format);
    make_text(e, text, sizeof text, format, args);
    va_end(args);
    e->told = true;
    return tl_fail(e->err, code, t3dm_rule(rule), TRILO_NOWHERE, &e->losses->path, "%s", text);
}

void tl_t3dm_lose(t3dm_encoder *e, enum t3dm_rule_id rule, const char *format, ...)
{
    char text[sizeof e->err->text];
    va_list args;
    va_start(args, format);
    make_text(e, text, sizeof text, format, args);
    va_end(args);
    tl_remark(e->losses, t3dm_rule(rule), TRILO_NOWHERE, "%s", text);
}

double tl_t3dm_round(double value)
{
    return value < 0 ? -floor(0.5 - value) : floor(value + 0.5);
}

/* --- one object --- */

typedef struct packed {
    tl_pack_output pack;
    t3dm_welded vertices;
    t3dm_reach reach;
} packed;

static bool pack_mesh(t3dm_encoder *e, const trilo_mesh *mesh, const t3dm_material *material, packed *out)
{
    const trilo_mesh *used;
    *out = (packed){.reach.largest = 0};
    if (!tl_t3dm_weld(e, mesh, material, &out->vertices, &used, &out->reach))
        return false;
    if (out->reach.beyond)
        return true; /* refused when all have been measured */
    const uint32_t count = used->index_count / 3;
    const bool turned =
        e->gltf && mesh->skin == TRILO_NONE && mesh->node != TRILO_NONE && e->places[mesh->node].mirrored;
    uint32_t(*triangles)[3] = tl_array_raw(e->arena, count, sizeof *triangles);
    for (uint32_t i = 0; triangles && i < count; i++)
        for (uint32_t k = 0; k < 3; k++)
            triangles[i][k] = out->vertices.of[used->indices[3 * (size_t)i + (turned ? 2 - k : k)]];
    const tl_pack_input in = {.vertex_count = out->vertices.count,
                              .triangle_count = count,
                              .triangles = (const uint32_t(*)[3])triangles,
                              .bones = out->vertices.bones,
                              .strips = true,
                              .sequences = e->file->version >= T3DM_V4,
                              .level = e->opts->t3dm.level,
                              .resident = e->opts->t3dm.resident};
    return triangles && tl_pack(e->arena, &in, &out->pack);
}

/* --- V and I --- */

static void store_pair(const t3dm_vertex *a, const t3dm_vertex *b, uint8_t *out)
{
    t3dm_pair pair = {.normal_a = a->normal, .normal_b = b->normal};
    memcpy(pair.position_a, a->position, sizeof pair.position_a);
    memcpy(pair.position_b, b->position, sizeof pair.position_b);
    memcpy(pair.color_a, a->color, sizeof pair.color_a);
    memcpy(pair.color_b, b->color, sizeof pair.color_b);
    memcpy(pair.uv_a, a->uv, sizeof pair.uv_a);
    memcpy(pair.uv_b, b->uv, sizeof pair.uv_b);
    tl_layout_store(&tl_t3dm_pair, 0, &pair, out);
}

static size_t align(size_t value, size_t to)
{
    return (value + to - 1) / to * to;
}

/* Bytes of I that a part takes when it starts at `at`: the list, then each strip at a multiple of 8. */
static size_t part_indices_end(const tl_pack_part *part, size_t at)
{
    at += part->index_count;
    for (int k = 0; k < TL_PACK_STRIPS && part->strip_counts[k]; k++)
        at = align(at, 8) + 2 * (size_t)part->strip_counts[k];
    return at;
}

/* Packing flags a new strip as versions 3 and 4 do. */
static void put_strip_index(const t3dm_file *file, uint16_t word, uint8_t *out)
{
    bool restart;
    const uint32_t slot = t3dm_strip_word_slot(T3DM_V4, word, &restart);
    tl_put_u16(out, TL_BIG, t3dm_strip_word(file->version, slot, restart));
}

static void store_indices(const t3dm_file *file, const tl_pack_output *pack, const tl_pack_part *part, uint8_t *base,
                          size_t at)
{
    if (part->index_count > 0)
        memcpy(base + at, pack->indices + part->first_index, part->index_count);
    at += part->index_count;
    for (int k = 0; k < TL_PACK_STRIPS && part->strip_counts[k]; k++) {
        at = align(at, 8);
        for (uint32_t i = 0; i < part->strip_counts[k]; i++, at += 2)
            put_strip_index(file, pack->strips[part->first_strip[k] + i], base + at);
    }
}

static void widen_box(t3dm_object_head *head, const t3dm_vertex *v, bool first)
{
    for (int k = 0; k < 3; k++) {
        head->min[k] = first || v->position[k] < head->min[k] ? v->position[k] : head->min[k];
        head->max[k] = first || v->position[k] > head->max[k] ? v->position[k] : head->max[k];
    }
}

static void store_object(t3dm_file *file, t3dm_object *object, const packed *p, size_t *vertices_at, size_t *indices_at)
{
    const tl_pack_output *pack = &p->pack;
    uint8_t *v = (uint8_t *)(uintptr_t)file->vertices.data, *i = (uint8_t *)(uintptr_t)file->indices.data;
    for (uint32_t k = 0; k < pack->vertex_count; k += T3DM_PAIR) {
        const t3dm_vertex *a = &p->vertices.vertices[pack->vertices[k]],
                          *b = &p->vertices.vertices[pack->vertices[k + 1]];
        store_pair(a, b, v + *vertices_at + (size_t)k * T3DM_VERTEX_SIZE);
        widen_box(&object->head, a, k == 0);
        widen_box(&object->head, b, false);
    }
    for (uint32_t k = 0; k < pack->part_count; k++) {
        const tl_pack_part *part = &pack->parts[k];
        object->parts[k] =
            (t3dm_part){.vertex_at = (uint32_t)(*vertices_at + (size_t)part->first_vertex * T3DM_VERTEX_SIZE),
                        .vertex_count = part->vertex_count,
                        .vertex_dest = part->dest,
                        .index_at = (uint32_t)*indices_at,
                        .index_count = part->index_count,
                        .bone = part->bone,
                        .sequence_base = part->sequence_base,
                        .sequence_count = part->sequence_count};
        memcpy(object->parts[k].strip_counts, part->strip_counts, sizeof object->parts[k].strip_counts);
        store_indices(file, pack, part, i, *indices_at);
        *indices_at = part_indices_end(part, *indices_at);
        file->header.vertex_total = (uint16_t)(file->header.vertex_total + part->vertex_count);
        file->header.index_total = (uint16_t)(file->header.index_total + part->index_count);
    }
    *vertices_at += (size_t)pack->vertex_count * T3DM_VERTEX_SIZE;
}

static bool make_object(t3dm_encoder *e, uint32_t number, const packed *p, t3dm_object *object)
{
    const trilo_mesh *mesh = &e->model->meshes[number];
    if (p->pack.part_count > UINT16_MAX)
        return tl_t3dm_cannot(e, T3DM_R_RANGE_COUNT, TRILO_LIMIT,
                              "%" PRIu32 " parts, an object can have 65535; split it", p->pack.part_count);
    object->head = (t3dm_object_head){
        .part_count = (uint16_t)p->pack.part_count,
        .triangle_count = (uint16_t)(mesh->index_count / 3),
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
        tl_t3dm_cannot(e, T3DM_R_RANGE_POSITION, TRILO_LIMIT,
                       "a coordinate of %.6g at scale %.6g is above 32767; the largest scale that fits is %.9g",
                       largest, e->scale, safe_scale(largest));
        tl_t3dm_leave(e);
        return false;
    }
    if (largest > 0 && largest * e->scale < 16)
        tl_t3dm_lose(e, T3DM_R_LOST_POSITIONS,
                     "the model is smaller than 16 units at this scale, positions fall together");
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
            return tl_t3dm_cannot(e, T3DM_R_RANGE_SIZE, TRILO_LIMIT, "the vertices alone need more than 16 MiB");
        for (uint32_t k = 0; k < p->pack.part_count; k++)
            indices = part_indices_end(&p->pack.parts[k], indices);
    }
    if (!report_reach(e, packs))
        return false;
    file->object_count = e->mesh_count;
    /* Never empty: chunks of the same place could not be told apart. */
    vertices = vertices > 0 ? vertices : tl_layout_size(&tl_t3dm_pair, 0);
    indices = indices > 0 ? indices : 8;
    file->vertices = (trilo_bytes){tl_array(e->arena, vertices, 1), vertices};
    file->indices = (trilo_bytes){tl_array(e->arena, indices, 1), indices};
    if (!file->vertices.data || !file->indices.data)
        return false;
    size_t vertices_at = 0, indices_at = 0;
    for (uint32_t i = 0; i < file->object_count; i++)
        store_object(file, &file->objects[i], &packs[i], &vertices_at, &indices_at);
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
            tl_t3dm_lose(e, T3DM_R_LOST_CHUNK, "a custom chunk has a letter of T3DM's own and is left out");
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
    if (!e->gltf || e->file->object_count > 0 || e->file->animation_count > 0)
        return true;
    return tl_t3dm_cannot(e, T3DM_R_EMPTY, TRILO_UNSUPPORTED, "the model has no triangle, nothing would be written");
}

static bool encode_all(t3dm_encoder *e)
{
    e->file = TL_NEW(e->arena, t3dm_file);
    if (!e->file)
        return false;
    e->file->version = e->opts->t3dm.version ? e->opts->t3dm.version : T3DM_V4;
    if (e->file->version > T3DM_V4)
        return tl_t3dm_cannot(e, T3DM_R_VERSION, TRILO_UNSUPPORTED, "version %" PRIu32 ", 1 to 4 can be written",
                              e->file->version);
    memcpy(e->file->header.magic, "T3M", 3);
    e->file->header.version = (uint8_t)e->file->version;
    e->again = e->model->format == TRILO_FORMAT_T3DM;
    e->gltf = e->model->format == TRILO_FORMAT_GLTF;
    const bool console_units = e->again || e->model->format == TRILO_FORMAT_MODEL64;
    e->scale = e->opts->t3dm.scale > 0 ? e->opts->t3dm.scale : console_units ? 1 : 64;
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
