/* From a checked T3DM file to the neutral model.
 *
 * An object becomes a mesh of the triangles that the console draws. Loads repeat vertices; equal ones become one again.
 * Vertices of a bone are taken from its space to the model's, by the bones' rest pose. Normals keep the length that
 * their few bits give them, so that encoding finds the same bits. */
#include "formats/t3dm/t3dm.h"

#include "base/vec.h"
#include "model/bounds.h"
#include "model/target.h"
#include <math.h>
#include <string.h>

typedef struct decoder {
    const t3dm_file *file;
    tl_arena *arena, scratch;
    trilo_model *model;
    t3dm_pair_places at;
    float parts_of_255[256];
    bool stumbled;
    trilo_mat4 *worlds, *normals; /* of the bones at rest */
    tl_moved_transform *moved;    /* of the bones */
    uint32_t *paths, path_mask;   /* texture + 1 by the hash of its path; 0: free */
} decoder;

static trilo_str text(const decoder *d, uint32_t offset)
{
    const char *string = tl_t3dm_string(d->file, offset);
    trilo_str copy = tl_str_copy(d->arena, string ? string : "", string ? strlen(string) : 0);
    return copy.data ? copy : (trilo_str){"", 0};
}

/* --- bones --- */

static bool decode_bones(decoder *d)
{
    const uint32_t count = d->file->skeleton.bone_count;
    trilo_node *nodes = TL_ARRAY(d->arena, count, trilo_node);
    d->worlds = TL_ARRAY(&d->scratch, count, trilo_mat4);
    d->normals = TL_ARRAY(&d->scratch, count, trilo_mat4);
    d->moved = TL_ARRAY(&d->scratch, count, tl_moved_transform);
    if (!nodes || !d->worlds || !d->normals || !d->moved)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const t3dm_bone *bone = &d->file->bones[i];
        const float *s = bone->scale, *q = bone->rotation, *p = bone->position;
        nodes[i] = (trilo_node){.name = text(d, bone->name),
                                .parent = bone->parent == T3DM_NO_BONE ? TRILO_NONE : bone->parent,
                                .translation = {p[0], p[1], p[2]},
                                .rotation = {q[0], q[1], q[2], q[3]},
                                .scale = {s[0], s[1], s[2]}};
        nodes[i].local = tl_mat4_from_trs(nodes[i].translation, nodes[i].rotation, nodes[i].scale);
        d->worlds[i] =
            nodes[i].parent == TRILO_NONE ? nodes[i].local : tl_mat4_mul(&d->worlds[nodes[i].parent], &nodes[i].local);
        d->normals[i] = tl_mat4_normal(&d->worlds[i]);
    }
    d->model->nodes = nodes;
    d->model->node_count = count;
    return true;
}

static bool decode_skin(decoder *d)
{
    const uint32_t count = d->file->skeleton.bone_count;
    if (count == 0)
        return true;
    trilo_skin *skin = TL_NEW(d->arena, trilo_skin);
    trilo_joint *joints = TL_ARRAY(d->arena, count, trilo_joint);
    if (!skin || !joints)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        joints[i] = (trilo_joint){i, tl_mat4_identity()};
        tl_mat4_inverse_affine(&d->worlds[i], &joints[i].inverse_bind); /* a flat bone keeps the identity */
    }
    *skin = (trilo_skin){count, joints};
    d->model->skins = skin;
    d->model->skin_count = 1;
    return true;
}

/* --- materials --- */

/* The texture of a path, one for all that name it. */
static uint32_t texture_of(decoder *d, const char *path)
{
    trilo_texture *textures = (trilo_texture *)(uintptr_t)d->model->textures;
    const size_t length = strlen(path);
    uint32_t i = trilo_fnv1a(path, length) & d->path_mask;
    for (; d->paths[i] != 0; i = (i + 1) & d->path_mask)
        if (strcmp(textures[d->paths[i] - 1].path.data, path) == 0)
            return d->paths[i] - 1;
    const uint32_t index = d->model->texture_count++;
    d->paths[i] = index + 1;
    textures[index].name = (trilo_str){"", 0};
    textures[index].path = tl_str_copy(d->arena, path, length);
    if (!textures[index].path.data)
        textures[index].path = (trilo_str){"", 0};
    return index;
}

static trilo_n64_axis decode_axis(const t3dm_axis *axis)
{
    return (trilo_n64_axis){axis->low, axis->high, axis->mask, axis->shift, axis->mirror != 0, axis->clamp != 0};
}

static trilo_n64_tile decode_tile(decoder *d, const t3dm_texture *t)
{
    const char *path = tl_t3dm_string(d->file, t->path);
    trilo_n64_tile tile = {t->reference, TRILO_NONE, t->width, t->height, decode_axis(&t->s), decode_axis(&t->t)};
    if (path && path[0]) {
        tile.texture = texture_of(d, path);
        trilo_texture *texture = (trilo_texture *)(uintptr_t)&d->model->textures[tile.texture];
        texture->width = t->width;
        texture->height = t->height;
    }
    return tile;
}

/* What programs that know no combiner can make of it. */
static void plain_view(trilo_material *out, const trilo_n64_material *n64)
{
    const bool tinted = n64->set_flags & TRILO_N64_SET_PRIM;
    for (int i = 0; i < 4; i++)
        out->base_color[i] = tinted ? n64->prim[i] / 255.0f : 1;
    out->texture = n64->tiles[0].texture;
    out->alpha = tl_n64_alpha(n64);
    out->two_sided = (n64->draw_flags & (TRILO_N64_CULL_FRONT | TRILO_N64_CULL_BACK)) == 0;
    out->n64 = n64;
}

static bool decode_material(decoder *d, const t3dm_material *from, trilo_material *out)
{
    const t3dm_material_head *h = &from->head;
    *out = (trilo_material){.name = text(d, h->name), .base_color = {1, 1, 1, 1}, .texture = TRILO_NONE};
    if (from->opaque)
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
        n64->tiles[i] = decode_tile(d, &from->textures[i]);
    plain_view(out, n64);
    return true;
}

static bool decode_materials(decoder *d)
{
    const uint32_t count = d->file->material_count;
    trilo_material *materials = TL_ARRAY(d->arena, count, trilo_material);
    size_t room = 16;
    while (room < 4 * (size_t)count)
        room *= 2;
    d->path_mask = (uint32_t)(room - 1);
    d->paths = TL_ARRAY(&d->scratch, room, uint32_t);
    d->model->textures = TL_ARRAY(d->arena, 2 * (size_t)count, trilo_texture);
    if (!materials || !d->model->textures || !d->paths)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (!decode_material(d, &d->file->materials[i], &materials[i]))
            return false;
    d->model->materials = materials;
    d->model->material_count = count;
    return true;
}

/* --- meshes --- */

/* What a mesh is made of while its triangles come in. Vertices are found again through a table of places, and within a
 * part by their slot. One builder serves all meshes. */
typedef struct builder {
    decoder *d;
    uint32_t part;                        /* whose slots are known */
    uint32_t slot_vertex[T3DM_CACHE + 1]; /* TRILO_NONE: not known */
    bool stumbled;                        /* a part does what the console would stumble over */
    uint32_t *indices, index_count;
    t3dm_slot *vertices; /* row in V and bone */
    uint32_t vertex_count;
    uint64_t (*words)[2];                     /* their 16 bytes, to compare */
    uint32_t *table, table_mask, table_shift; /* vertex + 1; 0: free */
} builder;

static const uint8_t *pair_of(const decoder *d, uint32_t row)
{
    return d->file->vertices.data + row / T3DM_PAIR * d->at.size;
}

/* The 16 bytes of a vertex as two numbers. */
static void vertex_words(const decoder *d, uint32_t row, uint64_t words[2])
{
    const uint8_t *p = pair_of(d, row);
    const size_t k = row % T3DM_PAIR;
    words[0] = (uint64_t)tl_get_u32be(p + d->at.position[k]) << 32 | tl_get_u32be(p + d->at.position[k] + 4);
    words[1] = (uint64_t)tl_get_u32be(p + d->at.color[k]) << 32 | tl_get_u32be(p + d->at.uv[k]);
}

static uint32_t vertex_find(builder *b, t3dm_slot slot)
{
    uint64_t words[2];
    vertex_words(b->d, slot.vertex, words);
    /* The top bits of a product depend on all bits of its factors: those make the place. */
    const uint64_t hash = (words[0] ^ (words[1] * 0x9E3779B97F4A7C15u >> 7) ^ slot.bone) * 0xD6E8FEB86659FD93u;
    uint32_t i = (uint32_t)(hash >> b->table_shift);
    for (; b->table[i] != 0; i = (i + 1) & b->table_mask) {
        const uint32_t other = b->table[i] - 1;
        if (b->words[other][0] == words[0] && b->words[other][1] == words[1] && b->vertices[other].bone == slot.bone)
            return other;
    }
    b->words[b->vertex_count][0] = words[0];
    b->words[b->vertex_count][1] = words[1];
    b->vertices[b->vertex_count] = slot;
    b->table[i] = ++b->vertex_count;
    return b->vertex_count - 1;
}

/* Which slots are used is found out first and their vertices next: asking at every corner whether its slot is known
 * already would be a guess for the processor, wrong half of the time. */
static void know_slots(builder *b, const t3dm_batch *batch)
{
    uint8_t seen[256] = {0};
    for (uint32_t t = 0; t < batch->count; t++)
        seen[batch->slots[t][0]] = seen[batch->slots[t][1]] = seen[batch->slots[t][2]] = 1;
    for (uint32_t slot = 0; slot < T3DM_CACHE; slot++)
        if (seen[slot] && b->slot_vertex[slot] == TRILO_NONE)
            b->slot_vertex[slot] = vertex_find(b, batch->cache[slot]);
}

static void add_triangles(void *user, const t3dm_batch *batch)
{
    builder *b = user;
    uint32_t *out = b->indices + b->index_count;
    if (b->part != batch->part)
        memset(b->slot_vertex, 0xFF, sizeof b->slot_vertex);
    b->part = batch->part;
    know_slots(b, batch);
    for (uint32_t t = 0; t < batch->count; t++)
        for (int i = 0; i < 3; i++)
            *out++ = b->slot_vertex[batch->slots[t][i]];
    b->index_count += 3 * batch->count;
}

/* No more triangles and vertices than this can come from an object. */
static void most_of(const t3dm_object *object, size_t *triangles, size_t *vertices)
{
    *triangles = *vertices = 0;
    for (uint32_t i = 0; i < object->head.part_count; i++) {
        const t3dm_part *part = &object->parts[i];
        *triangles += part->index_count / 3u + part->sequence_count;
        for (int k = 0; k < T3DM_STRIPS; k++)
            *triangles += part->strip_counts[k];
        *vertices += part->vertex_count + 1u;
    }
}

static void note_stumble(void *user, const t3dm_stumble *stumble)
{
    (void)stumble;
    ((builder *)user)->stumbled = true;
}

static size_t table_room(size_t vertices)
{
    size_t room = 16;
    while (room < 2 * vertices)
        room *= 2;
    return room;
}

/* Room for the largest object. */
static bool builder_new(builder *b, decoder *d)
{
    size_t triangles, vertices, most = 0;
    for (uint32_t i = 0; i < d->file->object_count; i++) {
        most_of(&d->file->objects[i], &triangles, &vertices);
        most = vertices > most ? vertices : most;
    }
    *b = (builder){.d = d};
    b->vertices = tl_array_raw(&d->scratch, most, sizeof *b->vertices);
    b->words = tl_array_raw(&d->scratch, most, sizeof *b->words);
    b->table = tl_array_raw(&d->scratch, table_room(most), sizeof *b->table);
    return b->vertices && b->words && b->table;
}

static bool builder_start(builder *b, const t3dm_object *object)
{
    size_t triangles, vertices;
    most_of(object, &triangles, &vertices);
    const size_t room = table_room(vertices);
    memset(b->table, 0, room * sizeof *b->table);
    b->table_mask = (uint32_t)(room - 1);
    b->table_shift = 64;
    for (size_t n = room; n > 1; n /= 2)
        b->table_shift--;
    b->part = TRILO_NONE;
    b->vertex_count = b->index_count = 0;
    b->indices = tl_array_raw(b->d->arena, 3 * triangles, sizeof *b->indices);
    return b->indices != NULL;
}

/* --- vertex arrays --- */

static t3dm_uv_units uv_units(const t3dm_file *file, const t3dm_object *object)
{
    return t3dm_uv_units_of(object->head.material < file->material_count ? &file->materials[object->head.material]
                                                                         : NULL);
}

static int sign_extend(uint32_t bits, int width)
{
    const uint32_t top = 1u << (width - 1);
    return (int)((bits & (2 * top - 1)) ^ top) - (int)top;
}

static trilo_vec3 unpack_normal(uint16_t word)
{
    return (trilo_vec3){(float)sign_extend(word >> 11, 5) / 16, (float)sign_extend(word >> 5, 6) / 32,
                        (float)sign_extend(word, 5) / 16};
}

typedef struct vertex_arrays {
    float (*positions)[3], (*normals)[3], (*colors)[4], (*uvs)[2];
    uint16_t (*joints)[4];
    float (*weights)[4];
} vertex_arrays;

static bool arrays_new(decoder *d, uint32_t count, bool skinned, vertex_arrays *a)
{
    a->positions = tl_array_raw(d->arena, count, sizeof *a->positions);
    a->normals = tl_array_raw(d->arena, count, sizeof *a->normals);
    a->colors = tl_array_raw(d->arena, count, sizeof *a->colors);
    a->uvs = tl_array_raw(d->arena, count, sizeof *a->uvs);
    a->joints = skinned ? tl_array(d->arena, count, sizeof *a->joints) : NULL;
    a->weights = skinned ? tl_array(d->arena, count, sizeof *a->weights) : NULL;
    return a->positions && a->normals && a->colors && a->uvs && (!skinned || (a->joints && a->weights));
}

/* From the words that vertex_words made: x, y, z and the normal; the colour, u and v. */
static void fill_vertex(const decoder *d, uint16_t bone, const uint64_t words[2], const t3dm_uv_units *units,
                        const vertex_arrays *a, uint32_t i)
{
    trilo_vec3 p = {(int16_t)(words[0] >> 48), (int16_t)(words[0] >> 32), (int16_t)(words[0] >> 16)};
    trilo_vec3 n = unpack_normal((uint16_t)words[0]);
    if (bone < d->file->skeleton.bone_count) {
        p = tl_mat4_point(&d->worlds[bone], p);
        n = tl_mat4_rotation(&d->normals[bone], n);
        a->joints[i][0] = bone;
        a->weights[i][0] = 1;
    }
    a->positions[i][0] = p.x, a->positions[i][1] = p.y, a->positions[i][2] = p.z;
    a->normals[i][0] = n.x, a->normals[i][1] = n.y, a->normals[i][2] = n.z;
    for (int c = 0; c < 4; c++)
        a->colors[i][c] = d->parts_of_255[words[1] >> (56 - 8 * c) & 0xFF];
    a->uvs[i][0] = (float)(((int16_t)(words[1] >> 16) + units->shift) / units->u);
    a->uvs[i][1] = (float)(((int16_t)words[1] + units->shift) / units->v);
}

static bool any_bone(const builder *b)
{
    for (uint32_t i = 0; i < b->vertex_count; i++)
        if (b->vertices[i].bone < b->d->file->skeleton.bone_count)
            return true;
    return false;
}

static bool decode_mesh(builder *b, const t3dm_object *object, trilo_mesh *out)
{
    decoder *d = b->d;
    if (!builder_start(b, object))
        return false;
    tl_t3dm_draw(d->file, object, &(t3dm_drawer){.user = b, .triangles = add_triangles, .stumble = note_stumble});
    if (b->stumbled) {
        d->stumbled = true;
        return false;
    }
    const bool skinned = any_bone(b);
    const t3dm_uv_units units = uv_units(d->file, object);
    vertex_arrays a;
    if (!arrays_new(d, b->vertex_count, skinned, &a))
        return false;
    for (uint32_t i = 0; i < b->vertex_count; i++)
        fill_vertex(d, b->vertices[i].bone, b->words[i], &units, &a, i);
    *out =
        (trilo_mesh){.name = text(d, object->head.name),
                     .material = object->head.material < d->file->material_count ? object->head.material : TRILO_NONE,
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

static bool decode_meshes(decoder *d)
{
    builder b;
    trilo_mesh *meshes = TL_ARRAY(d->arena, d->file->object_count, trilo_mesh);
    if (!meshes || !builder_new(&b, d))
        return false;
    d->model->meshes = meshes;
    for (uint32_t i = 0; i < d->file->object_count; i++, d->model->mesh_count++)
        if (!decode_mesh(&b, &d->file->objects[i], &meshes[i]))
            return false;
    return true;
}

/* --- clips --- */

/* Two keys on one tick are a jump: the first one stands until the last moment before, as steps do that are made linear
 * (model/curve.h). At 0 it never shows, and between two others neither. */
static bool keep_jump(double *times, uint32_t kept)
{
    const double before = nextafter(times[kept - 1], -INFINITY);
    if (kept < 2 || times[kept - 2] >= before)
        return false;
    times[kept - 1] = before;
    return true;
}

static bool decode_channel(decoder *d, const t3dm_mapping *mapping, const tl_sdata_channel *from, trilo_channel *out)
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
        if (kept > 0 && times[kept - 1] == time && !keep_jump(times, kept)) /* of keys on one tick the last counts */
            kept--;
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

/* Of channels that drive the same part of a bone the last one counts, as it does on the console. */
static uint32_t drop_doubles(decoder *d, uint32_t clip, trilo_channel *channels, uint32_t count)
{
    uint32_t first = count;
    for (uint32_t i = count; i-- > 0;)
        if (tl_target_take(&d->moved[channels[i].node], clip, channels[i].target))
            channels[--first] = channels[i];
    if (first > 0)
        memmove(channels, channels + first, (count - first) * sizeof *channels);
    return count - first;
}

static bool decode_clip(decoder *d, uint32_t number, trilo_clip *out)
{
    const t3dm_animation *from = &d->file->animations[number];
    tl_sdata sdata = {0};
    const uint32_t count = (uint32_t)from->head.quat_count + from->head.scalar_count;
    trilo_channel *channels = TL_ARRAY(d->arena, count, trilo_channel);
    if (!channels)
        return false;
    const float seconds = from->head.duration;
    *out = (trilo_clip){.name = text(d, from->head.name),
                        .duration = tl_is_finite(seconds) && seconds > 0 ? seconds : 0,
                        .rate = TL_SDATA_RATE,
                        .channels = channels};
    if (!from->has_stream)
        return true;
    if (!tl_sdata_read(&d->scratch, from->stream, from->head.quat_count, from->head.scalar_count, &sdata, NULL))
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (sdata.channels[i].key_count > 0 &&
            !decode_channel(d, &from->mappings[i], &sdata.channels[i], &channels[out->channel_count++]))
            return false;
    out->channel_count = drop_doubles(d, number, channels, out->channel_count);
    return true;
}

static bool decode_clips(decoder *d)
{
    trilo_clip *clips = TL_ARRAY(d->arena, d->file->animation_count, trilo_clip);
    if (!clips)
        return false;
    d->model->clips = clips;
    for (uint32_t i = 0; i < d->file->animation_count; i++, d->model->clip_count++)
        if (!decode_clip(d, i, &clips[i]))
            return false;
    return true;
}

/* --- the rest --- */

static bool decode_bvh(decoder *d)
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

static bool decode_chunks(decoder *d)
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
    decoder d = {.file = t3dm, .arena = arena, .model = model, .at = tl_t3dm_pair_places()};
    const trilo_memory memory = {arena->fn, arena->user, arena->left ? arena->left : 1}; /* 0 would be no limit */
    tl_arena_init(&d.scratch, &memory);
    for (int i = 0; i < 256; i++)
        d.parts_of_255[i] = (float)i / 255.0f;
    model->ordered = true;
    const bool ok = decode_bones(&d) && decode_skin(&d) && decode_materials(&d) && decode_meshes(&d) &&
                    decode_clips(&d) && decode_bvh(&d) && decode_chunks(&d);
    tl_arena_free(&d.scratch);
    if (d.stumbled)
        return tl_fail(err, TRILO_CODE_BAD_VALUE, t3dm_rule(T3DM_R_SLOT_EMPTY), TRILO_NOWHERE, NULL,
                       "a part cannot be drawn; the check tells which and why");
    return ok || tl_fail_memory(err);
}
