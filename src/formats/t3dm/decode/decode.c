/* From a checked T3DM file to the neutral model.
 *
 * An object becomes a mesh of the triangles that the console draws. Batches repeat vertices; equal ones are welded.
 * Vertices of a bone go from its space to model space, by the rest pose. Normals keep the length that their few bits
 * give them, so that encoding finds the same bits. */
#include "base/strict_float.h"
#include "formats/t3dm/t3dm.h"

#include "base/float4.h"
#include "base/hash_table.h"
#include "base/vec.h"
#include "formats/t3dm/pyrite64/pyrite64.h"
#include "model/bounds.h"
#include "model/target.h"
#include "model/units.h"
#include <math.h>
#include <string.h>

typedef struct t3dm_decoder {
    const t3dm_file *file;
    tl_arena *arena, scratch;
    trilo_model *model;
    t3dm_pair_offsets at;
    float normal_parts[2][64];    /* a component of 5 bits, and one of 6 */
    bool has_error;               /* a part that the console cannot draw */
    trilo_mat4 *worlds, *normals; /* of the bones at rest */
    tl_moved_transform *moved;    /* of the bones */
    tl_hash_table paths;          /* of textures */
} t3dm_decoder;

static trilo_str t3dm_decode_string(const t3dm_decoder *d, uint32_t offset)
{
    const char *string = tl_t3dm_string(d->file, offset);
    trilo_str copy = tl_str_copy(d->arena, string ? string : "", string ? strlen(string) : 0);
    return copy.data ? copy : (trilo_str){"", 0};
}

/* --- bones --- */

/* Bones become nodes, and all of them the joints of one skin. */
static bool t3dm_decode_skeleton(t3dm_decoder *d)
{
    const uint32_t count = d->file->skeleton.bone_count;
    trilo_node *nodes = TL_ARRAY(d->arena, count, trilo_node);
    trilo_joint *joints = TL_ARRAY(d->arena, count, trilo_joint);
    trilo_skin *skin = TL_NEW(d->arena, trilo_skin);
    d->worlds = TL_ARRAY(&d->scratch, count, trilo_mat4);
    d->normals = TL_ARRAY(&d->scratch, count, trilo_mat4);
    d->moved = TL_ARRAY(&d->scratch, count, tl_moved_transform);
    if (!nodes || !joints || !skin || !d->worlds || !d->normals || !d->moved)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const t3dm_bone *bone = &d->file->bones[i];
        const float *s = bone->scale, *q = bone->rotation, *p = bone->position;
        nodes[i] = (trilo_node){.name = t3dm_decode_string(d, bone->name),
                                .parent = bone->parent == T3DM_NO_BONE ? TRILO_NONE : bone->parent,
                                .translation = {p[0], p[1], p[2]},
                                .rotation = {q[0], q[1], q[2], q[3]},
                                .scale = {s[0], s[1], s[2]}};
        nodes[i].local = tl_mat4_from_trs(nodes[i].translation, nodes[i].rotation, nodes[i].scale);
        d->worlds[i] =
            nodes[i].parent == TRILO_NONE ? nodes[i].local : tl_mat4_mul(&d->worlds[nodes[i].parent], &nodes[i].local);
        d->normals[i] = tl_mat4_normal(&d->worlds[i]);
        joints[i] = (trilo_joint){i, tl_mat4_identity()};
        tl_mat4_inverse_affine(&d->worlds[i], &joints[i].inverse_bind); /* a flat bone keeps the identity */
    }
    *skin = (trilo_skin){count, joints};
    d->model->nodes = nodes;
    d->model->node_count = count;
    d->model->skins = count > 0 ? skin : NULL;
    d->model->skin_count = count > 0 ? 1 : 0;
    return true;
}

/* --- materials --- */

static int t3dm_compare_paths(const void *rows, uint32_t a, uint32_t b)
{
    const trilo_texture *textures = rows;
    return strcmp(textures[a].path.data, textures[b].path.data);
}

/* The texture of a path, one for all that name it. TRILO_NONE: no memory. */
static uint32_t t3dm_decode_texture(t3dm_decoder *d, const char *path)
{
    const size_t length = strlen(path);
    const uint32_t next = d->model->texture_count;
    trilo_texture *texture = (trilo_texture *)(uintptr_t)&d->model->textures[next];
    *texture = (trilo_texture){.name = {"", 0}, .path = {path, length}};
    const uint32_t found = tl_hash_table_add(&d->paths, trilo_fnv1a(path, length), next);
    if (found == next) {
        texture->path = tl_str_copy(d->arena, path, length);
        d->model->texture_count++;
    }
    return texture->path.data ? found : TRILO_NONE;
}

static trilo_n64_axis t3dm_decode_axis(const t3dm_axis *axis)
{
    return (trilo_n64_axis){axis->low, axis->high, axis->mask, axis->shift, axis->mirror != 0, axis->clamp != 0};
}

static bool t3dm_decode_tile(t3dm_decoder *d, const t3dm_material *from, int number, trilo_n64_tile *tile)
{
    const t3dm_texture *t = &from->textures[number];
    const char *path = !from->opaque                        ? tl_t3dm_string(d->file, t->path)
                       : from->assets[number] != TRILO_NONE ? d->file->assets[from->assets[number]].path
                                                            : NULL;
    *tile = (trilo_n64_tile){
        t->reference, TRILO_NONE, t->width, t->height, t3dm_decode_axis(&t->s), t3dm_decode_axis(&t->t), 0};
    if (!path || !path[0])
        return true;
    tile->texture = t3dm_decode_texture(d, path);
    if (tile->texture == TRILO_NONE)
        return false;
    trilo_texture *texture = (trilo_texture *)(uintptr_t)&d->model->textures[tile->texture];
    texture->width = t->width;
    texture->height = t->height;
    return true;
}

/* What programs without a combiner can show. */
static void t3dm_decode_plain_material(trilo_material *out, const trilo_n64_material *n64)
{
    const bool tinted = n64->set_flags & TRILO_N64_SET_PRIM;
    for (int i = 0; i < 4; i++)
        out->base_color[i] = tinted ? n64->prim[i] / 255.0f : 1;
    out->texture = n64->tiles[0].texture;
    out->alpha = tl_n64_alpha(n64);
    out->two_sided = (n64->draw_flags & (TRILO_N64_CULL_FRONT | TRILO_N64_CULL_BACK)) == 0;
    out->n64 = n64;
}

static bool t3dm_decode_material(t3dm_decoder *d, const t3dm_material *from, trilo_material *out)
{
    const t3dm_material_head *h = &from->head;
    *out = (trilo_material){.name = t3dm_decode_string(d, h->name), .base_color = {1, 1, 1, 1}, .texture = TRILO_NONE};
    if (from->raw.size > 0) {
        out->raw = (trilo_bytes){tl_bytes_copy(d->arena, from->raw.data, from->raw.size), from->raw.size};
        if (!out->raw.data)
            return false;
    }
    if (from->opaque && !from->translated)
        return true;
    trilo_n64_material *n64 = TL_NEW(d->arena, trilo_n64_material);
    if (!n64)
        return false;
    *n64 = (trilo_n64_material){.combiner = h->combiner,
                                .other_mode = h->other_mode,
                                .other_mask = h->other_mask,
                                .blender = h->blender,
                                .draw_flags = h->draw_flags,
                                .fog = h->fog,
                                .set_flags = h->set_flags,
                                .vertex_effect = h->vertex_effect};
    memcpy(n64->prim, h->prim, sizeof n64->prim);
    memcpy(n64->env, h->env, sizeof n64->env);
    memcpy(n64->blend, h->blend, sizeof n64->blend);
    for (int i = 0; i < 2; i++)
        if (!t3dm_decode_tile(d, from, i, &n64->tiles[i]))
            return false;
    trilo_pyrite64_material own;
    if (from->translated && tl_pyrite64_read(from->raw, &own) == PYRITE64_KNOWN)
        tl_pyrite64_set_engine(&own, n64);
    t3dm_decode_plain_material(out, n64);
    return true;
}

static bool t3dm_decode_materials(t3dm_decoder *d)
{
    const uint32_t count = d->file->material_count;
    trilo_material *materials = TL_ARRAY(d->arena, count, trilo_material);
    d->model->textures = TL_ARRAY(d->arena, 2 * (size_t)count, trilo_texture);
    if (!materials || !d->model->textures ||
        !tl_hash_table_init(&d->paths, &d->scratch, 2 * (size_t)count, t3dm_compare_paths, d->model->textures))
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (!t3dm_decode_material(d, &d->file->materials[i], &materials[i]))
            return false;
    d->model->materials = materials;
    d->model->material_count = count;
    return true;
}

/* --- meshes --- */

/* A vertex to compare: its 16 bytes as two numbers (x, y, z and the normal; the colour, u and v), and its bone. */
typedef struct t3dm_vertex_key {
    uint64_t words[2];
    uint32_t bone;
    uint32_t number; /* in the file, where pairs are kept; otherwise 0 */
} t3dm_vertex_key;

/* A mesh under construction. Vertices are welded through a hash table; within a part they are known by their slot. One
 * builder serves all meshes.
 *
 * With `keeps_pairs` nothing is welded: vertices 2i and 2i + 1 of the mesh are a pair of the file, as a textured
 * outline needs them, whose texture coordinates are the colour of the other one (picture.md 5). */
typedef struct t3dm_mesh_builder {
    t3dm_decoder *d;
    bool keeps_pairs;
    uint32_t part;                        /* whose slots are known */
    uint32_t slot_vertex[T3DM_CACHE + 1]; /* TRILO_NONE: not known */
    uint32_t *indices, index_count;
    t3dm_vertex_key *vertices;
    uint32_t vertex_count;
    tl_hash_table table;
    bool no_memory;
} t3dm_mesh_builder;

static int t3dm_compare_vertices(const void *rows, uint32_t a, uint32_t b)
{
    const t3dm_vertex_key *v = (const t3dm_vertex_key *)rows + a, *w = (const t3dm_vertex_key *)rows + b;
    for (int i = 0; i < 2; i++)
        if (v->words[i] != w->words[i])
            return v->words[i] < w->words[i] ? -1 : 1;
    if (v->bone != w->bone)
        return v->bone < w->bone ? -1 : 1;
    return (v->number > w->number) - (v->number < w->number);
}

static inline uint32_t t3dm_weld_vertex(t3dm_mesh_builder *b, t3dm_slot slot, uint32_t number)
{
    const t3dm_pair_offsets *at = &b->d->at;
    const uint8_t *p = b->d->file->vertices.data + slot.vertex / T3DM_PAIR * at->size;
    const size_t k = slot.vertex % T3DM_PAIR;
    const uint64_t first = tl_get_u64be(p + at->position[k]);
    const uint64_t second = (uint64_t)tl_get_u32be(p + at->color[k]) << 32 | tl_get_u32be(p + at->uv[k]);
    const uint32_t next = b->vertex_count;
    b->vertices[next] = (t3dm_vertex_key){{first, second}, slot.bone, number};
    /* The top bits of a product depend on all bits of its factors: they go to the bottom, which makes the slot. */
    const uint64_t product = (first ^ (second * 0x9E3779B97F4A7C15u >> 7) ^ slot.bone ^ number) * 0xD6E8FEB86659FD93u;
    const uint32_t hash = (uint32_t)(product >> 32 ^ product >> 48);
    const uint32_t found = tl_hash_table_add_inline(&b->table, t3dm_compare_vertices, b->vertices, hash, next);
    if (found == next)
        b->vertex_count++;
    else if (found == TRILO_NONE)
        b->no_memory = true;
    return found;
}

/* The vertices of slots that are used and not known yet. */
static void t3dm_find_vertices(t3dm_mesh_builder *b, const t3dm_slot *cache, const uint8_t used[T3DM_CACHE])
{
    for (uint32_t slot = 0; slot < T3DM_CACHE; slot++)
        if (used[slot] && b->slot_vertex[slot] == TRILO_NONE)
            b->slot_vertex[slot] = t3dm_weld_vertex(b, cache[slot], 0);
}

static void t3dm_find_pairs(t3dm_mesh_builder *b, const t3dm_slot *cache, const uint8_t used[T3DM_CACHE])
{
    for (uint32_t slot = 0; slot < T3DM_CACHE; slot++) {
        if (!used[slot] || b->slot_vertex[slot] != TRILO_NONE)
            continue;
        const uint32_t own = cache[slot].vertex % T3DM_PAIR, even = cache[slot].vertex - own;
        uint32_t found[T3DM_PAIR];
        for (uint32_t k = 0; k < T3DM_PAIR; k++)
            found[k] = t3dm_weld_vertex(b, (t3dm_slot){even + k, cache[slot].bone}, even + k);
        b->slot_vertex[slot] = found[own];
    }
}

static void t3dm_add_triangles(void *user, const t3dm_batch *batch)
{
    t3dm_mesh_builder *b = user;
    uint32_t *out = b->indices + b->index_count;
    uint8_t used[T3DM_CACHE] = {0};
    if (b->part != batch->part)
        memset(b->slot_vertex, 0xFF, sizeof b->slot_vertex);
    b->part = batch->part;
    /* The used slots are found first and their vertices next: a test at every corner whether its slot is known already
     * would be mispredicted half of the time. */
    for (uint32_t t = 0; t < batch->count; t++)
        used[batch->slots[t][0]] = used[batch->slots[t][1]] = used[batch->slots[t][2]] = 1;
    if (b->keeps_pairs)
        t3dm_find_pairs(b, batch->cache, used);
    else
        t3dm_find_vertices(b, batch->cache, used);
    for (uint32_t t = 0; t < batch->count; t++, out += 3)
        for (int i = 0; i < 3; i++)
            out[i] = b->slot_vertex[batch->slots[t][i]];
    b->index_count += 3 * batch->count;
}

static void t3dm_note_error(void *user, const t3dm_draw_fault *fault)
{
    (void)fault;
    ((t3dm_mesh_builder *)user)->d->has_error = true;
}

/* --- vertex arrays --- */

static int t3dm_sign_extend(uint32_t bits, int width)
{
    const uint32_t top = 1u << (width - 1);
    return (int)((bits & (2 * top - 1)) ^ top) - (int)top;
}

typedef struct t3dm_vertex_arrays {
    float (*positions)[3], (*normals)[3], (*colors)[4], (*uvs)[2];
    uint16_t (*joints)[4];
    float (*weights)[4];
} t3dm_vertex_arrays;

static bool t3dm_vertex_arrays_new(t3dm_decoder *d, uint32_t count, bool skinned, t3dm_vertex_arrays *a)
{
    a->positions = tl_array_raw(d->arena, count, sizeof *a->positions);
    a->normals = tl_array_raw(d->arena, count, sizeof *a->normals);
    a->colors = tl_array_raw(d->arena, count, sizeof *a->colors);
    a->uvs = tl_array_raw(d->arena, count, sizeof *a->uvs);
    a->joints = skinned ? tl_array(d->arena, count, sizeof *a->joints) : NULL;
    a->weights = skinned ? tl_array(d->arena, count, sizeof *a->weights) : NULL;
    return a->positions && a->normals && a->colors && a->uvs && (!skinned || (a->joints && a->weights));
}

/* A coordinate is its number and the shift, over the units. Where these are powers of two and the shift has few bits,
 * as for most textures, that is exact in single precision too. */
typedef struct t3dm_uv_scales {
    double u, v, shift;
    bool exact;
} t3dm_uv_scales;

static bool t3dm_is_power_of_2(double units)
{
    int exponent;
    return frexp(units, &exponent) == 0.5 && exponent > 0 && exponent < 32;
}

static t3dm_uv_scales t3dm_uv_scales_of(const t3dm_uv_units *units)
{
    const bool few_bits = fabs(units->shift) < 64 && units->shift * 4 == floor(units->shift * 4);
    return (t3dm_uv_scales){units->u, units->v, units->shift,
                            few_bits && t3dm_is_power_of_2(units->u) && t3dm_is_power_of_2(units->v)};
}

static void t3dm_decode_bone(const t3dm_decoder *d, uint32_t bone, const t3dm_vertex_arrays *a, uint32_t i)
{
    float *to = a->positions[i], *normal = a->normals[i];
    const trilo_vec3 p = tl_mat4_point(&d->worlds[bone], (trilo_vec3){to[0], to[1], to[2]});
    const trilo_vec3 n = tl_mat4_rotation(&d->normals[bone], (trilo_vec3){normal[0], normal[1], normal[2]});
    to[0] = p.x, to[1] = p.y, to[2] = p.z;
    normal[0] = n.x, normal[1] = n.y, normal[2] = n.z;
    a->joints[i][0] = (uint16_t)bone;
    a->weights[i][0] = 1;
}

static void t3dm_decode_vertices(const t3dm_decoder *d, const t3dm_vertex_key *keys, uint32_t count,
                                 const t3dm_uv_scales *uv, const t3dm_vertex_arrays *a)
{
    const uint32_t bone_count = d->file->skeleton.bone_count;
    const bool exact = uv->exact;
    const tl_float4 shift = tl_float4_all((float)uv->shift),
                    inverse = tl_float4_load((const float[4]){0, 0, (float)(1 / uv->u), (float)(1 / uv->v)});
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t first = keys[i].words[0], second = keys[i].words[1];
        float position[4], st[4]; /* and what else is in these words */
        tl_float4_store(position, tl_float4_from_shorts(first));
        memcpy(a->positions[i], position, sizeof a->positions[i]);
        a->normals[i][0] = d->normal_parts[0][first >> 11 & 0x1F];
        a->normals[i][1] = d->normal_parts[1][first >> 5 & 0x3F];
        a->normals[i][2] = d->normal_parts[0][first & 0x1F];
        tl_float4_store(a->colors[i], tl_float4_div(tl_float4_from_word((uint32_t)(second >> 32)), tl_float4_all(255)));
        if (exact) {
            tl_float4_store(st, tl_float4_mul(tl_float4_add(tl_float4_from_shorts(second), shift), inverse));
            memcpy(a->uvs[i], st + 2, sizeof a->uvs[i]);
        } else {
            a->uvs[i][0] = (float)(((int16_t)(second >> 16) + uv->shift) / uv->u);
            a->uvs[i][1] = (float)(((int16_t)second + uv->shift) / uv->v);
        }
        if (keys[i].bone < bone_count)
            t3dm_decode_bone(d, keys[i].bone, a, i);
    }
}

static bool t3dm_decode_mesh(t3dm_mesh_builder *b, const t3dm_object *object, trilo_mesh *out)
{
    t3dm_decoder *d = b->d;
    const t3dm_object_limits limits = tl_t3dm_object_limits(object);
    const bool has_material = object->head.material < d->file->material_count;
    const t3dm_material *material = has_material ? &d->file->materials[object->head.material] : NULL;
    const tl_combiner combiner = tl_combiner_decode(material ? material->head.combiner : 0);
    b->keeps_pairs = material && tl_effect_leaves_uvs(material->head.vertex_effect, &combiner);
    b->part = TRILO_NONE;
    b->vertex_count = b->index_count = 0;
    b->indices = tl_array_raw(d->arena, 3 * (size_t)limits.triangles, sizeof *b->indices);
    if (!b->indices || !tl_hash_table_clear(&b->table, (size_t)limits.vertices))
        return false;
    tl_t3dm_draw(d->file, object, &(t3dm_drawer){.user = b, .triangles = t3dm_add_triangles, .fault = t3dm_note_error});
    if (d->has_error || b->no_memory)
        return false;
    bool skinned = false;
    for (uint32_t i = 0; i < b->vertex_count && !skinned; i++)
        skinned = b->vertices[i].bone < d->file->skeleton.bone_count;
    const t3dm_uv_units units = t3dm_uv_units_of(material);
    const t3dm_uv_scales uv = t3dm_uv_scales_of(&units);
    t3dm_vertex_arrays a;
    if (!t3dm_vertex_arrays_new(d, b->vertex_count, skinned, &a))
        return false;
    t3dm_decode_vertices(d, b->vertices, b->vertex_count, &uv, &a);
    *out = (trilo_mesh){.name = t3dm_decode_string(d, object->head.name),
                        .material = has_material ? object->head.material : TRILO_NONE,
                        .node = TRILO_NONE,
                        .skin = skinned ? 0 : TRILO_NONE,
                        .vertex_count = b->vertex_count,
                        .index_count = b->index_count,
                        .positions = (const float(*)[3])a.positions,
                        .normals = (const float(*)[3])a.normals,
                        .colors = (const float(*)[4])a.colors,
                        .uvs = (const float(*)[2])a.uvs,
                        .joints = (const uint16_t(*)[4])a.joints,
                        .weights = (const float(*)[4])a.weights,
                        .indices = b->indices};
    return true;
}

/* Bytes of the arrays of a mesh that has no more than that. */
static uint64_t t3dm_mesh_bytes(const t3dm_object_limits *limits, bool skinned)
{
    const t3dm_vertex_arrays *a = NULL; /* for sizes alone */
    enum { ARRAYS = 7, ALIGNMENT = 16 };
    const size_t vertex = sizeof *a->positions + sizeof *a->normals + sizeof *a->colors + sizeof *a->uvs +
                          (skinned ? sizeof *a->joints + sizeof *a->weights : 0);
    return limits->triangles * 3 * sizeof(uint32_t) + limits->vertices * vertex + ARRAYS * ALIGNMENT;
}

static bool t3dm_decode_meshes(t3dm_decoder *d)
{
    const uint32_t count = d->file->object_count;
    t3dm_mesh_builder b = {.d = d};
    size_t most = 0; /* vertices of the largest object */
    uint64_t bytes = count * (uint64_t)sizeof(trilo_mesh);
    for (uint32_t i = 0; i < count; i++) {
        const t3dm_object_limits limits = tl_t3dm_object_limits(&d->file->objects[i]);
        most = limits.vertices > most ? (size_t)limits.vertices : most;
        bytes += t3dm_mesh_bytes(&limits, d->file->skeleton.bone_count > 0);
    }
    if (!tl_arena_reserve(d->arena, bytes))
        return false;
    trilo_mesh *meshes = TL_ARRAY(d->arena, count, trilo_mesh);
    b.vertices = tl_array_raw(&d->scratch, most + 1, sizeof *b.vertices); /* one more to look up */
    if (!meshes || !b.vertices || !tl_hash_table_init(&b.table, &d->scratch, most, t3dm_compare_vertices, b.vertices))
        return false;
    d->model->meshes = meshes;
    for (uint32_t i = 0; i < count; i++, d->model->mesh_count++)
        if (!t3dm_decode_mesh(&b, &d->file->objects[i], &meshes[i]))
            return false;
    return true;
}

/* --- clips --- */

static bool t3dm_decode_channel(t3dm_decoder *d, const t3dm_mapping *mapping, const tl_sdata_channel *from,
                                trilo_channel *out)
{
    const bool rotation = mapping->type == T3DM_ROTATION;
    const uint32_t width = rotation ? 4 : 1;
    double *times = TL_ARRAY(d->arena, from->key_count, double);
    float *values = tl_array_raw(d->arena, from->key_count, width * sizeof *values);
    if (!times || !values)
        return false;
    uint32_t kept = 0;
    for (uint32_t k = 0; k < from->key_count; k++) {
        const double time = (double)from->ticks[k] / TL_SDATA_RATE;
        if (kept > 0 && times[kept - 1] == time) {
            /* Two keys on one tick are a jump: the first one holds until just before, as steps made linear do
             * (model/curve.h). At 0, and between two others, it is never seen and the last one counts. */
            const double before = nextafter(time, -INFINITY);
            if (kept > 1 && times[kept - 2] < before)
                times[kept - 1] = before;
            else
                kept--;
        }
        times[kept] = time;
        const trilo_quat q = rotation ? tl_sdata_unpack_quat(from->values[k]) : (trilo_quat){0};
        if (rotation)
            memcpy(values + 4 * (size_t)kept, (const float[4]){q.x, q.y, q.z, q.w}, 4 * sizeof(float));
        else
            values[kept] = tl_sdata_unpack_scalar((uint16_t)from->values[k], mapping->scale, mapping->offset);
        kept++;
    }
    *out = (trilo_channel){
        .node = mapping->bone, .target = t3dm_target(mapping), .key_count = kept, .times = times, .values = values};
    if (!rotation) {
        out->step = mapping->scale;
        out->base = mapping->offset;
    }
    return true;
}

static bool t3dm_decode_clips(t3dm_decoder *d)
{
    trilo_clip *clips = TL_ARRAY(d->arena, d->file->animation_count, trilo_clip);
    if (!clips)
        return false;
    d->model->clips = clips;
    for (uint32_t i = 0; i < d->file->animation_count; i++, d->model->clip_count++) {
        const t3dm_animation *from = &d->file->animations[i];
        const uint32_t most = (uint32_t)from->head.quat_count + from->head.scalar_count;
        const float seconds = from->head.duration;
        trilo_channel *channels = TL_ARRAY(d->arena, most, trilo_channel);
        uint32_t count = 0;
        if (!channels)
            return false;
        for (uint32_t k = 0; from->has_stream && k < most; k++)
            if (from->keys.channels[k].key_count > 0 &&
                !t3dm_decode_channel(d, &from->mappings[k], &from->keys.channels[k], &channels[count++]))
                return false;
        /* Of channels with the same target the last one counts, as it does on the console. */
        uint32_t first = count;
        for (uint32_t k = count; k-- > 0;)
            if (tl_target_take(&d->moved[channels[k].node], i, channels[k].target))
                channels[--first] = channels[k];
        if (first > 0)
            memmove(channels, channels + first, (count - first) * sizeof *channels);
        clips[i] = (trilo_clip){.name = t3dm_decode_string(d, from->head.name),
                                .duration = tl_is_finite(seconds) && seconds > 0 ? seconds : 0,
                                .rate = TL_SDATA_RATE,
                                .channel_count = count - first,
                                .channels = channels};
    }
    return true;
}

/* --- the rest --- */

static bool t3dm_decode_bvh(t3dm_decoder *d)
{
    const t3dm_bvh *from = &d->file->bvh;
    if (!d->file->has_bvh)
        return true;
    trilo_bvh *bvh = TL_NEW(d->arena, trilo_bvh);
    trilo_bvh_node *nodes = TL_ARRAY(d->arena, from->head.node_count, trilo_bvh_node);
    uint32_t *items = TL_ARRAY(d->arena, from->head.item_count, uint32_t);
    if (!bvh || !nodes || !items)
        return false;
    for (uint32_t i = 0; i < from->head.node_count; i++) {
        const t3dm_bvh_node *n = &from->nodes[i];
        const uint32_t count = t3dm_bvh_count(n);
        const int offset = t3dm_bvh_offset(n);
        nodes[i] = (trilo_bvh_node){{{n->min[0], n->min[1], n->min[2]}, {n->max[0], n->max[1], n->max[2]}},
                                    (uint32_t)(count > 0 ? offset : (int)i + offset),
                                    count};
    }
    for (uint32_t i = 0; i < from->head.item_count; i++)
        items[i] = from->items[i];
    *bvh = (trilo_bvh){from->head.node_count, from->head.item_count, nodes, items};
    d->model->bvh = bvh;
    return true;
}

static bool t3dm_decode_chunks(t3dm_decoder *d)
{
    const t3dm_file *file = d->file;
    trilo_chunk *chunks = TL_ARRAY(d->arena, file->header.chunk_count, trilo_chunk);
    if (!chunks)
        return false;
    d->model->chunks = chunks;
    for (uint32_t i = 0; i < file->header.chunk_count; i++) {
        const t3dm_chunk *chunk = &file->chunks[i];
        if (!t3dm_is_custom(chunk->type))
            continue;
        const uint8_t *bytes = tl_bytes_copy(d->arena, chunk->bytes, chunk->size);
        if (!bytes)
            return false;
        chunks[d->model->chunk_count++] = (trilo_chunk){chunk->type, {bytes, chunk->size}};
    }
    return true;
}

bool tl_t3dm_decode(const void *t3dm, tl_arena *arena, trilo_model *model, trilo_error *err)
{
    t3dm_decoder d = {.file = t3dm, .arena = arena, .model = model, .at = tl_t3dm_pair_offsets()};
    const trilo_memory memory = {arena->fn, arena->user, arena->left ? arena->left : 1}; /* 0 would be no limit */
    model->units_per_meter = TRILO_N64_UNITS_PER_METER;
    tl_arena_init(&d.scratch, &memory);
    for (uint32_t i = 0; i < 64; i++) {
        d.normal_parts[0][i] = (float)t3dm_sign_extend(i, 5) / 16;
        d.normal_parts[1][i] = (float)t3dm_sign_extend(i, 6) / 32;
    }
    model->ordered = true;
    const bool ok = t3dm_decode_skeleton(&d) && t3dm_decode_materials(&d) && t3dm_decode_meshes(&d) &&
                    t3dm_decode_clips(&d) && t3dm_decode_bvh(&d) && t3dm_decode_chunks(&d);
    tl_arena_free(&d.scratch);
    if (d.has_error)
        return tl_fail(err, TRILO_CODE_BAD_VALUE, t3dm_rule(T3DM_R_SLOT_EMPTY), TRILO_NOWHERE, NULL,
                       "a part cannot be drawn; the check reports which and why");
    return ok || tl_fail_memory(err);
}
