/* From a checked T3DM file to the neutral model. Meshes are decoded in a file of their own. */
#include "base/strict_float.h"
#include "formats/t3dm/decode/decoder.h"

#include "base/vec.h"
#include "formats/t3dm/pyrite64/pyrite64.h"
#include "model/bounds.h"
#include "model/target.h"
#include "model/units.h"
#include <math.h>
#include <string.h>

trilo_str tl_t3dm_decode_string(const t3dm_decoder *d, uint32_t offset)
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
        nodes[i] = (trilo_node){.name = tl_t3dm_decode_string(d, bone->name),
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
    *out =
        (trilo_material){.name = tl_t3dm_decode_string(d, h->name), .base_color = {1, 1, 1, 1}, .texture = TRILO_NONE};
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
        clips[i] = (trilo_clip){.name = tl_t3dm_decode_string(d, from->head.name),
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
    t3dm_decoder d = {.file = t3dm, .arena = arena, .model = model};
    const trilo_memory memory = {arena->fn, arena->user, arena->left ? arena->left : 1}; /* 0 would be no limit */
    model->units_per_meter = TRILO_N64_UNITS_PER_METER;
    tl_arena_init(&d.scratch, &memory);
    model->ordered = true;
    model->tiny3d_sampling = true;
    const bool ok = t3dm_decode_skeleton(&d) && t3dm_decode_materials(&d) && tl_t3dm_decode_meshes(&d) &&
                    t3dm_decode_clips(&d) && t3dm_decode_bvh(&d) && t3dm_decode_chunks(&d);
    tl_arena_free(&d.scratch);
    if (d.has_error)
        return tl_fail(err, TRILO_CODE_BAD_VALUE, t3dm_rule(T3DM_R_SLOT_EMPTY), TRILO_NOWHERE, NULL,
                       "a part cannot be drawn; the check reports which and why");
    return ok || tl_fail_memory(err);
}
