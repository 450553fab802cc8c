/* An object becomes a mesh of the triangles that the console draws. Batches repeat vertices; equal ones are welded.
 * Vertices of a bone go from its space to model space, by the rest pose. Normals keep the length that their few bits
 * give them, so that encoding finds the same bits. */
#include "base/strict_float.h"
#include "formats/t3dm/decode/decoder.h"

#include "base/vec.h"
#include "formats/t3dm/decode/strip_scan.h"
#include "formats/t3dm/decode/vertices.h"
#include <string.h>

enum { T3DM_WELD_PROBES = 8, T3DM_WELD_BITS_MOST = 28 };

/* A mesh under construction. Equal vertices are found by a hash table of their rows with room for four times as many,
 * so that most are found at the first probe; one that finds no row there, as in files made for equal hashes, goes to
 * a table that is fast with any hashes. Within a part, vertices are known by their slot. One builder serves all meshes.
 *
 * With `keeps_pairs` nothing is welded: vertices 2i and 2i + 1 of the mesh are a pair of the file, as a textured
 * outline needs them, whose texture coordinates are the colour of the other one (docs/render.md). */
typedef struct t3dm_mesh_builder {
    t3dm_decoder *d;
    t3dm_pair_offsets at;
    bool keeps_pairs;
    uint32_t part;                        /* whose slots are known */
    uint32_t slot_vertex[T3DM_CACHE + 1]; /* TRILO_NONE: not known */
    uint32_t *indices, index_count;
    t3dm_mesh_vertex *vertices;
    uint32_t vertex_count;
    uint32_t *rows;     /* by the top bits of a hash, and a few more; TRILO_NONE: free */
    int shift;          /* leaves these bits */
    tl_hash_table rest; /* of vertices that found no row in `rows` */
    bool no_memory;
} t3dm_mesh_builder;

static int t3dm_compare_vertices(const void *rows, uint32_t a, uint32_t b)
{
    const t3dm_mesh_vertex *v = (const t3dm_mesh_vertex *)rows + a, *w = (const t3dm_mesh_vertex *)rows + b;
    for (int i = 0; i < 2; i++)
        if (v->words[i] != w->words[i])
            return v->words[i] < w->words[i] ? -1 : 1;
    if (v->bone != w->bone)
        return v->bone < w->bone ? -1 : 1;
    return (v->number > w->number) - (v->number < w->number);
}

/* The number of bits of a hash that choose one of `rows`. */
static int t3dm_weld_bits(uint64_t vertices)
{
    int bits = 4;
    while (vertices >> (bits - 2) != 0 && bits < T3DM_WELD_BITS_MOST)
        bits++;
    return bits;
}

static size_t t3dm_weld_room(int bits)
{
    return ((size_t)1 << bits) + T3DM_WELD_PROBES;
}

/* Words are compared and hashed as this machine loads them: no result depends on the order of their bytes. The top bits
 * of a product depend on all bits of its factors. */
static inline uint32_t t3dm_weld_vertex(t3dm_mesh_builder *b, const t3dm_pair_offsets *at, const uint8_t *pairs,
                                        t3dm_slot slot, uint32_t number)
{
    const uint8_t *pair = pairs + slot.vertex / T3DM_PAIR * at->size;
    const size_t k = slot.vertex % T3DM_PAIR;
    uint64_t position;
    uint32_t color, uv;
    memcpy(&position, pair + at->position[k], sizeof position);
    memcpy(&color, pair + at->color[k], sizeof color);
    memcpy(&uv, pair + at->uv[k], sizeof uv);
    const uint64_t look = tl_order_is_host(TL_BIG) ? (uint64_t)color << 32 | uv : (uint64_t)uv << 32 | color;
    const uint64_t hash = (position ^ slot.bone ^ number) * 0xD6E8FEB86659FD93u + look * 0x9E3779B97F4A7C15u;
    const uint32_t next = b->vertex_count;
    uint32_t *row = b->rows + (hash >> b->shift), *const last = row + T3DM_WELD_PROBES;
    for (; *row != TRILO_NONE && row < last; row++) {
        const t3dm_mesh_vertex *other = &b->vertices[*row];
        if (other->words[0] == position && other->words[1] == look && other->bone == slot.bone &&
            other->number == number)
            return *row;
    }
    b->vertices[next] = (t3dm_mesh_vertex){{position, look}, slot.bone, number};
    if (row == last) { /* all are taken */
        const uint32_t found = tl_hash_table_add(&b->rest, (uint32_t)(hash >> 32), next);
        b->no_memory = b->no_memory || found == TRILO_NONE;
        b->vertex_count += found == next;
        return found;
    }
    *row = next;
    b->vertex_count++;
    return next;
}

/* The vertices of slots that are used and not known yet. */
static void t3dm_find_vertices(t3dm_mesh_builder *b, const t3dm_slot *cache, const uint8_t used[T3DM_CACHE])
{
    const t3dm_pair_offsets at = b->at; /* compilers know that nothing changes it */
    const uint8_t *pairs = b->d->file->vertices.data;
    for (uint32_t slot = 0; slot < T3DM_CACHE; slot++)
        if (used[slot] && b->slot_vertex[slot] == TRILO_NONE)
            b->slot_vertex[slot] = t3dm_weld_vertex(b, &at, pairs, cache[slot], 0);
}

static void t3dm_find_pairs(t3dm_mesh_builder *b, const t3dm_slot *cache, const uint8_t used[T3DM_CACHE])
{
    for (uint32_t slot = 0; slot < T3DM_CACHE; slot++) {
        if (!used[slot] || b->slot_vertex[slot] != TRILO_NONE)
            continue;
        const uint32_t own = cache[slot].vertex % T3DM_PAIR, even = cache[slot].vertex - own;
        uint32_t found[T3DM_PAIR];
        for (uint32_t k = 0; k < T3DM_PAIR; k++)
            found[k] = t3dm_weld_vertex(b, &b->at, b->d->file->vertices.data, (t3dm_slot){even + k, cache[slot].bone},
                                        even + k);
        b->slot_vertex[slot] = found[own];
    }
}

/* Writes the triangles of a strip and returns where they end. Each second one is turned around. Real files start a new
 * strip every few indices, which no processor predicts: three indices are written each time, and stay where a triangle
 * ends. */
static uint32_t *t3dm_write_strip(uint32_t *out, const t3dm_strip *strip, const uint32_t *slot_vertex)
{
    const uint8_t *index = strip->bytes, *const end = index + 2 * (size_t)strip->count;
    uint32_t before[2] = {slot_vertex[index[1]], slot_vertex[index[3]]};
    size_t turned = 0, started = 0; /* at the index before */
    for (index += 4; index < end; index += 2) {
        const uint32_t vertex = slot_vertex[index[1]];
        const size_t starts = index[0] >> 7, straight = turned ^ 1;
        out[turned] = before[0], out[straight] = before[1], out[2] = vertex;
        out += (starts | started) ? 0 : 3;
        before[0] = before[1], before[1] = vertex;
        turned = straight | starts; /* so that the third index of a strip finds 0 */
        started = starts;
    }
    return out;
}

static void t3dm_add_triangles(void *user, const t3dm_batch *batch)
{
    t3dm_mesh_builder *b = user;
    uint32_t *end = b->indices + b->index_count;
    uint8_t used[T3DM_CACHE] = {0};
    if (b->part != batch->part)
        memset(b->slot_vertex, 0xFF, sizeof b->slot_vertex);
    b->part = batch->part;
    /* The used slots are found first and their vertices next: a test at every corner whether its slot is known already
     * would be mispredicted half of the time. */
    for (uint32_t t = 0; t < batch->count; t++)
        used[batch->slots[t][0]] = used[batch->slots[t][1]] = used[batch->slots[t][2]] = 1;
    for (uint32_t i = 0; i < batch->strip_count; i++)
        t3dm_mark_slots(&batch->strips[i], used);
    if (b->keeps_pairs)
        t3dm_find_pairs(b, batch->cache, used);
    else
        t3dm_find_vertices(b, batch->cache, used);
    for (uint32_t t = 0; t < batch->count; t++, end += 3)
        for (int i = 0; i < 3; i++)
            end[i] = b->slot_vertex[batch->slots[t][i]];
    for (uint32_t i = 0; i < batch->strip_count; i++)
        end = t3dm_write_strip(end, &batch->strips[i], b->slot_vertex);
    b->index_count = (uint32_t)(end - b->indices);
}

static void t3dm_note_error(void *user, const t3dm_draw_fault *fault)
{
    (void)fault;
    ((t3dm_mesh_builder *)user)->d->has_error = true;
}

/* --- vertex arrays --- */

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

static bool t3dm_decode_mesh(t3dm_mesh_builder *b, const t3dm_object *object, trilo_mesh *out)
{
    t3dm_decoder *d = b->d;
    const t3dm_object_limits limits = tl_t3dm_object_limits(object);
    const bool has_material = object->head.material < d->file->material_count;
    const t3dm_material *material = has_material ? &d->file->materials[object->head.material] : NULL;
    b->keeps_pairs = material && tl_effect_leaves_uvs(material->head.vertex_effect, material->head.combiner);
    b->part = TRILO_NONE;
    b->vertex_count = b->index_count = 0;
    b->indices = tl_array_raw(d->arena, 3 * (size_t)limits.triangles, sizeof *b->indices);
    const int bits = t3dm_weld_bits(limits.vertices);
    b->shift = 64 - bits;
    if (!b->indices || !tl_hash_table_clear(&b->rest, 0))
        return false;
    memset(b->rows, 0xFF, t3dm_weld_room(bits) * sizeof *b->rows); /* TRILO_NONE everywhere */
    tl_t3dm_draw(
        d->file, object,
        &(t3dm_drawer){.user = b, .triangles = t3dm_add_triangles, .takes_strips = true, .fault = t3dm_note_error});
    if (d->has_error || b->no_memory)
        return false;
    const uint32_t bone_count = d->file->skeleton.bone_count;
    bool skinned = false;
    for (uint32_t i = 0; bone_count > 0 && i < b->vertex_count && !skinned; i++)
        skinned = b->vertices[i].bone < bone_count;
    const t3dm_uv_units units = t3dm_uv_units_of(material);
    const t3dm_uv_scales uv = tl_t3dm_uv_scales(&units);
    t3dm_vertex_arrays a;
    if (!t3dm_vertex_arrays_new(d, b->vertex_count, skinned, &a))
        return false;
    tl_t3dm_unpack_vertices(b->vertices, b->vertex_count, &uv, &a);
    for (uint32_t i = 0; skinned && i < b->vertex_count; i++)
        if (b->vertices[i].bone < bone_count)
            t3dm_decode_bone(d, b->vertices[i].bone, &a, i);
    *out = (trilo_mesh){.name = tl_t3dm_decode_string(d, object->head.name),
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

bool tl_t3dm_decode_meshes(t3dm_decoder *d)
{
    const uint32_t count = d->file->object_count;
    t3dm_mesh_builder b = {.d = d, .at = tl_t3dm_pair_offsets()};
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
    b.rows = tl_array_raw(&d->scratch, t3dm_weld_room(t3dm_weld_bits(most)), sizeof *b.rows);
    if (!meshes || !b.vertices || !b.rows ||
        !tl_hash_table_init(&b.rest, &d->scratch, 0, t3dm_compare_vertices, b.vertices))
        return false;
    d->model->meshes = meshes;
    for (uint32_t i = 0; i < count; i++, d->model->mesh_count++)
        if (!t3dm_decode_mesh(&b, &d->file->objects[i], &meshes[i]))
            return false;
    return true;
}
