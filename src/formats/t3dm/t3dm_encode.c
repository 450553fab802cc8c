/* From the neutral model to a T3DM file.
 *
 * Vertices are quantised first and welded afterwards, so that what looks equal on the console is loaded once. A vertex
 * belongs to its strongest bone and is stored in that bone's space. Packing into loads of the vertex cache is
 * src/optimize's; this file lays the result out. */
#include "formats/t3dm/t3dm_encode.h"

#include "base/vec.h"
#include "model/bounds.h"
#include "optimize/pack.h"
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* --- what the parts share --- */

bool tl_t3dm_cannot(t3dm_encoder *e, enum t3dm_rule_id rule, trilo_code code, const char *format, ...)
{
    char text[sizeof e->err->text];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    e->told = true;
    return tl_fail(e->err, code, t3dm_rule(rule), TRILO_NOWHERE, &e->losses->path, "%s", text);
}

void tl_t3dm_lose(t3dm_encoder *e, enum t3dm_rule_id rule, const char *text)
{
    tl_remark(e->losses, t3dm_rule(rule), TRILO_NOWHERE, "%s", text);
}

double tl_t3dm_round(double value)
{
    return value < 0 ? -floor(0.5 - value) : floor(value + 0.5);
}

/* --- strings --- */

static bool strings_grow(t3dm_encoder *e, size_t need)
{
    size_t room = e->strings_room ? e->strings_room : 256;
    while (room < e->strings_size + need)
        room *= 2;
    if (room == e->strings_room)
        return true;
    char *larger = tl_array_raw(e->arena, room, 1);
    if (!larger)
        return false;
    if (e->strings_size > 0)
        memcpy(larger, e->strings, e->strings_size);
    e->strings = larger;
    e->strings_room = room;
    return true;
}

/* The table doubles while it is half full; offsets tell where to find the text again. */
static bool string_table_grow(t3dm_encoder *e)
{
    if (e->string_table && 2 * e->string_count < e->string_mask)
        return true;
    const uint32_t mask = e->string_table ? 2 * e->string_mask + 1 : 63;
    uint32_t *table = TL_ARRAY(e->arena, (size_t)mask + 1, uint32_t);
    if (!table)
        return false;
    for (uint32_t i = 0; e->string_table && i <= e->string_mask; i++) {
        const char *text = e->strings + e->string_table[i];
        if (e->string_table[i] == 0)
            continue;
        uint32_t k = trilo_fnv1a(text, strlen(text)) & mask;
        while (table[k] != 0)
            k = (k + 1) & mask;
        table[k] = e->string_table[i];
    }
    e->string_table = table;
    e->string_mask = mask;
    return true;
}

bool tl_t3dm_add_string(t3dm_encoder *e, const char *text, uint32_t *offset)
{
    const size_t length = text ? strlen(text) : 0;
    *offset = 0;
    if (length == 0)
        return true;
    if (!string_table_grow(e) || !strings_grow(e, length + 2))
        return false;
    if (e->strings_size == 0)
        e->strings[e->strings_size++] = 'S'; /* keeps offset 0 free */
    uint32_t k = trilo_fnv1a(text, length) & e->string_mask;
    for (; e->string_table[k] != 0; k = (k + 1) & e->string_mask)
        if (strcmp(e->strings + e->string_table[k], text) == 0) {
            *offset = e->string_table[k];
            return true;
        }
    *offset = e->string_table[k] = (uint32_t)e->strings_size;
    memcpy(e->strings + e->strings_size, text, length + 1);
    e->strings_size += length + 1;
    e->string_count++;
    return true;
}

/* --- one vertex --- */

typedef struct mesh_source {
    t3dm_encoder *e;
    const trilo_mesh *mesh;
    const t3dm_material *material;
    bool placed;   /* put through `place` */
    uint16_t bone; /* of a rigid mesh */
    trilo_mat4 place, place_normal;
    trilo_mat4 *joint_normals;
    const float (*uvs)[2];
    double uv_scale[2], uv_shift;
    double largest; /* coordinate that was met */
    bool position_range, uv_range, weights_lost;
} mesh_source;

static int strongest(const float weights[4])
{
    int best = 0;
    for (int i = 1; i < 4; i++)
        if (weights[i] > weights[best])
            best = i;
    return best;
}

static bool near_whole(double value, double within)
{
    return fabs(value - tl_t3dm_round(value)) < within;
}

static uint16_t field(double value, int limit)
{
    const double rounded = tl_t3dm_round(value);
    const double clamped = rounded < -limit ? -limit : rounded > limit - 1 ? limit - 1 : rounded;
    return (uint16_t)((int)clamped & (2 * limit - 1));
}

/* A normal that lies on the grid came from such a word and gives it again; any other is brought to length 1 first. */
static uint16_t pack_normal(trilo_vec3 n)
{
    const bool grid = near_whole(n.x * 16.0, 1e-3) && near_whole(n.y * 32.0, 1e-3) && near_whole(n.z * 16.0, 1e-3);
    const trilo_vec3 u = grid ? n : tl_vec3_normalize(n);
    const double x = grid ? 16 : 15.5, y = grid ? 32 : 31.5;
    return (uint16_t)(field(u.x * x, 16) << 11 | field(u.y * y, 32) << 5 | field(u.z * x, 16));
}

static uint8_t pack_color(double value)
{
    const double scaled = tl_t3dm_round(value * 255);
    return (uint8_t)(scaled > 0 ? scaled < 255 ? scaled : 255 : 0);
}

/* What is a whole number but for rounding stays one; the rest is cut towards zero, as the reference does. */
static int16_t pack_uv(mesh_source *s, double value)
{
    const double whole = near_whole(value, 1.0 / 64) ? tl_t3dm_round(value) : trunc(value);
    const double shifted = whole - s->uv_shift;
    if (!(shifted >= INT16_MIN && shifted <= INT16_MAX)) {
        s->uv_range = true;
        return 0;
    }
    return (int16_t)shifted;
}

static int16_t pack_position(mesh_source *s, double value)
{
    const double scaled = tl_t3dm_round(value * s->e->scale);
    if (!(fabs(value) <= s->largest))
        s->largest = fabs(value);
    if (!(scaled >= INT16_MIN && scaled <= INT16_MAX)) {
        s->position_range = true;
        return 0;
    }
    return (int16_t)scaled;
}

/* Into the space of the bone that the vertex follows. */
static uint16_t bind(mesh_source *s, uint32_t i, trilo_vec3 *p, trilo_vec3 *n)
{
    const trilo_mesh *mesh = s->mesh;
    const int k = mesh->weights ? strongest(mesh->weights[i]) : 0;
    if (!mesh->weights || mesh->weights[i][k] == 0) {
        if (s->placed) {
            *p = tl_mat4_point(&s->place, *p);
            *n = tl_mat4_turn(&s->place_normal, *n);
        }
        return s->bone;
    }
    const uint16_t joint = mesh->joints[i][k];
    const trilo_joint *j = &s->e->model->skins[mesh->skin].joints[joint];
    s->weights_lost = s->weights_lost || mesh->weights[i][k] < 0.999f;
    *p = tl_mat4_point(&j->inverse_bind, *p);
    *n = tl_mat4_turn(&s->joint_normals[joint], *n);
    return (uint16_t)s->e->bone_of_node[j->node];
}

static t3dm_vertex make_vertex(mesh_source *s, uint32_t i, uint16_t *bone)
{
    const trilo_mesh *mesh = s->mesh;
    trilo_vec3 p = {mesh->positions[i][0], mesh->positions[i][1], mesh->positions[i][2]};
    trilo_vec3 n = {0, 0, 0};
    if (mesh->normals)
        n = (trilo_vec3){mesh->normals[i][0], mesh->normals[i][1], mesh->normals[i][2]};
    *bone = bind(s, i, &p, &n);
    t3dm_vertex v = {{pack_position(s, p.x), pack_position(s, p.y), pack_position(s, p.z)}, pack_normal(n), {0}, {0}};
    const trilo_material *m = mesh->material == TRILO_NONE ? NULL : &s->e->model->materials[mesh->material];
    for (int c = 0; c < 4; c++) {
        const double tint = m && !m->n64 ? m->base_color[c] : 1;
        v.color[c] = pack_color(tint * (mesh->colors ? mesh->colors[i][c] : 1));
    }
    for (int c = 0; c < 2; c++)
        v.uv[c] = pack_uv(s, (s->uvs ? s->uvs[i][c] : 0) * s->uv_scale[c]);
    return v;
}

/* --- welding --- */

typedef struct welded {
    t3dm_vertex *vertices;
    uint16_t *bones;
    uint32_t count;
    uint32_t *of; /* welded vertex of each vertex of the mesh */
} welded;

static bool same_vertex(const t3dm_vertex *a, const t3dm_vertex *b)
{
    return memcmp(a, b, sizeof *a) == 0; /* 16 bytes without padding */
}

static bool weld(mesh_source *s, welded *w)
{
    const uint32_t count = s->mesh->vertex_count;
    size_t room = 16;
    while (room < 2 * (size_t)count)
        room *= 2;
    uint32_t *table = TL_ARRAY(s->e->arena, room, uint32_t);
    w->vertices = tl_array_raw(s->e->arena, count, sizeof *w->vertices);
    w->bones = tl_array_raw(s->e->arena, count, sizeof *w->bones);
    w->of = tl_array_raw(s->e->arena, count, sizeof *w->of);
    if (!table || !w->vertices || !w->bones || !w->of)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        uint16_t bone;
        const t3dm_vertex v = make_vertex(s, i, &bone);
        size_t k = (trilo_fnv1a(&v, sizeof v) ^ bone) & (room - 1);
        while (table[k] != 0 && !(w->bones[table[k] - 1] == bone && same_vertex(&w->vertices[table[k] - 1], &v)))
            k = (k + 1) & (room - 1);
        if (table[k] == 0) {
            w->vertices[w->count] = v;
            w->bones[w->count] = bone;
            table[k] = ++w->count;
        }
        w->of[i] = table[k] - 1;
    }
    return true;
}

/* --- one object --- */

typedef struct packed {
    tl_pack_output pack;
    welded vertices;
} packed;

static bool prepare(t3dm_encoder *e, const trilo_mesh *mesh, mesh_source *s)
{
    const t3dm_file *file = e->file;
    const uint32_t material = mesh->material == TRILO_NONE ? file->material_count - 1 : mesh->material;
    const bool rigid = mesh->skin == TRILO_NONE && mesh->node != TRILO_NONE;
    *s = (mesh_source){.e = e, .mesh = mesh, .material = &file->materials[material], .bone = T3DM_NO_BONE};
    const t3dm_uv_units units = t3dm_uv_units_of(s->material);
    s->uv_scale[0] = units.u;
    s->uv_scale[1] = units.v;
    s->uv_shift = units.shift;
    if (!tl_t3dm_move_uvs(e, mesh, &s->material->textures[0], s->uv_scale, &s->uvs))
        return false;
    if (rigid && e->bone_of_node)
        s->bone = (uint16_t)e->bone_of_node[mesh->node];
    s->placed = rigid && !e->bone_of_node;
    s->place = tl_node_world(e->model, s->placed ? mesh->node : TRILO_NONE);
    s->place_normal = tl_mat4_normal(&s->place);
    if (mesh->skin == TRILO_NONE)
        return true;
    const trilo_skin *skin = &e->model->skins[mesh->skin];
    s->joint_normals = TL_ARRAY(e->arena, skin->joint_count, trilo_mat4);
    for (uint32_t i = 0; s->joint_normals && i < skin->joint_count; i++)
        s->joint_normals[i] = tl_mat4_normal(&skin->joints[i].inverse_bind);
    return s->joint_normals != NULL;
}

static bool report_mesh(t3dm_encoder *e, const mesh_source *s)
{
    const double most = (double)INT16_MAX;
    if (s->position_range)
        return tl_t3dm_cannot(e, T3DM_R_RANGE_POSITION, TRILO_LIMIT,
                              "a coordinate of %.6g at scale %.6g is above 32767; the largest scale that fits is %.6g",
                              s->largest, e->scale, floor(most / s->largest * 1000) / 1000);
    if (s->uv_range)
        return tl_t3dm_cannot(
            e, T3DM_R_RANGE_UV, TRILO_LIMIT,
            "texture coordinates of one island are more than 1024 texels apart; repeat the texture less");
    e->largest = s->largest > e->largest ? s->largest : e->largest;
    if (s->weights_lost)
        tl_t3dm_lose(e, T3DM_R_LOST_WEIGHTS, "vertices follow their strongest bone alone");
    return true;
}

static bool pack_mesh(t3dm_encoder *e, const trilo_mesh *mesh, packed *out)
{
    mesh_source s;
    *out = (packed){.vertices.count = 0};
    if (!prepare(e, mesh, &s) || !weld(&s, &out->vertices))
        return false;
    if (!report_mesh(e, &s))
        return false;
    const uint32_t count = mesh->index_count / 3;
    uint32_t(*triangles)[3] = tl_array_raw(e->arena, count, sizeof *triangles);
    for (uint32_t i = 0; triangles && i < count; i++)
        for (int k = 0; k < 3; k++)
            triangles[i][k] = out->vertices.of[mesh->indices[3 * (size_t)i + (size_t)k]];
    const tl_pack_input in = {.vertex_count = out->vertices.count,
                              .triangle_count = count,
                              .triangles = (const uint32_t(*)[3])triangles,
                              .bones = out->vertices.bones,
                              .strips = true,
                              .sequences = e->file->version >= T3DM_V4};
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
        .material = mesh->material == TRILO_NONE ? e->file->material_count - 1 : mesh->material,
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

/* Two rounds: pack everything to know the sizes of V and I, then fill them. */
static bool encode_objects(t3dm_encoder *e)
{
    t3dm_file *file = e->file;
    const uint32_t count = e->model->mesh_count;
    packed *packs = TL_ARRAY(e->arena, count, packed);
    file->objects = TL_ARRAY(e->arena, count, t3dm_object);
    if (!packs || !file->objects)
        return false;
    size_t vertices = 0, indices = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (e->model->meshes[i].topology == TRILO_LINES) {
            tl_t3dm_lose(e, T3DM_R_LOST_LINES, "a mesh of lines is left out, T3DM has only triangles");
            continue;
        }
        tl_path_push(&e->losses->path, "meshes", i);
        packed *p = &packs[file->object_count];
        const bool ok =
            pack_mesh(e, &e->model->meshes[i], p) && make_object(e, i, p, &file->objects[file->object_count]);
        tl_path_pop(&e->losses->path);
        if (!ok)
            return false;
        file->object_count++;
        vertices += (size_t)p->pack.vertex_count * T3DM_VERTEX_SIZE;
        for (uint32_t k = 0; k < p->pack.part_count; k++)
            indices = part_indices_end(&p->pack.parts[k], indices);
    }
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
    if (e->largest > 0 && e->largest * e->scale < 16)
        tl_t3dm_lose(e, T3DM_R_LOST_POSITIONS,
                     "the model is smaller than 16 units at this scale, positions fall together");
    fit_model_box(file);
    return true;
}

/* --- places --- */

static bool place_all(t3dm_encoder *e)
{
    const trilo_model *model = e->model;
    t3dm_chunk *custom = TL_ARRAY(e->arena, model->chunk_count, t3dm_chunk);
    if (!custom || !strings_grow(e, 2))
        return false;
    if (e->strings_size == 0)
        e->strings[e->strings_size++] = 'S';
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
    const bool console_units = e->model->format == TRILO_FORMAT_T3DM || e->model->format == TRILO_FORMAT_MODEL64;
    e->scale = e->opts->t3dm.scale > 0 ? e->opts->t3dm.scale : console_units ? 1 : 64;
    return tl_t3dm_encode_bones(e) && tl_t3dm_encode_materials(e) && encode_objects(e) && tl_t3dm_encode_clips(e) &&
           tl_t3dm_encode_bvh(e) && place_all(e);
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
