#include "model/owned.h"
#include "base/strict_float.h"

#include "model/curve.h"
#include "model/frames.h"
#include "trilobite/n64.h"

static void fill_extras(const trilo_extras *extras)
{
    trilo_extras *own = (trilo_extras *)(uintptr_t)extras;
    own->json.data = own->json.data ? own->json.data : "";
    own->extensions.data = own->extensions.data ? own->extensions.data : "";
}

void tl_model_fill_extras(trilo_model *model)
{
    fill_extras(&model->extras);
    for (uint32_t i = 0; i < model->mesh_count; i++)
        fill_extras(&model->meshes[i].extras);
    for (uint32_t i = 0; i < model->material_count; i++)
        fill_extras(&model->materials[i].extras);
    for (uint32_t i = 0; i < model->node_count; i++)
        fill_extras(&model->nodes[i].extras);
}

tl_owned_model *tl_owned_model_new(const trilo_memory *memory)
{
    tl_arena arena;
    tl_arena_init(&arena, memory);
    tl_owned_model *owned = TL_NEW(&arena, tl_owned_model);
    if (!owned)
        return NULL;
    owned->arena = arena;
    tl_model_fill_extras(&owned->model);
    return owned;
}

const trilo_model *tl_owned_model_finish(tl_owned_model *owned)
{
    owned->model.self = &owned->model;
    return &owned->model;
}

void trilo_model_free(const trilo_model *model)
{
    if (model)
        tl_arena_free(&((tl_owned_model *)(uintptr_t)model)->arena);
}

/* Copies an optional array. *ok becomes false when memory runs out. */
static void *model_copy_array(tl_arena *arena, const void *from, size_t count, size_t each, bool *ok)
{
    if (!from || !*ok)
        return NULL;
    size_t size = count * each; /* cannot overflow: the source array has that size */
    void *copy = tl_bytes_copy(arena, from, size);
    *ok = copy != NULL;
    return copy;
}

static trilo_str model_copy_str(tl_arena *arena, trilo_str from, bool *ok)
{
    trilo_str copy = tl_str_copy(arena, from.data, from.data ? from.len : 0);
    *ok = *ok && copy.data;
    return copy;
}

static void model_copy_extras(tl_arena *arena, trilo_extras *extras, bool *ok)
{
    const trilo_str none = {"", 0}; /* most have none, so they cost nothing */
    extras->json = extras->json.len > 0 ? model_copy_str(arena, extras->json, ok) : none;
    extras->extensions = extras->extensions.len > 0 ? model_copy_str(arena, extras->extensions, ok) : none;
}

static void model_copy_mesh(tl_arena *arena, trilo_mesh *mesh, bool *ok)
{
    const size_t n = mesh->vertex_count;
    mesh->name = model_copy_str(arena, mesh->name, ok);
    mesh->positions = model_copy_array(arena, mesh->positions, n, sizeof *mesh->positions, ok);
    mesh->normals = model_copy_array(arena, mesh->normals, n, sizeof *mesh->normals, ok);
    mesh->colors = model_copy_array(arena, mesh->colors, n, sizeof *mesh->colors, ok);
    mesh->uvs = model_copy_array(arena, mesh->uvs, n, sizeof *mesh->uvs, ok);
    mesh->joints = model_copy_array(arena, mesh->joints, n, sizeof *mesh->joints, ok);
    mesh->weights = model_copy_array(arena, mesh->weights, n, sizeof *mesh->weights, ok);
    mesh->indices = model_copy_array(arena, mesh->indices, mesh->index_count, sizeof *mesh->indices, ok);
    model_copy_extras(arena, &mesh->extras, ok);
}

static void model_copy_clip(tl_arena *arena, trilo_clip *clip, bool *ok)
{
    clip->name = model_copy_str(arena, clip->name, ok);
    trilo_channel *channels = model_copy_array(arena, clip->channels, clip->channel_count, sizeof *channels, ok);
    clip->channels = channels;
    for (uint32_t i = 0; *ok && i < clip->channel_count; i++) {
        const size_t keys = channels[i].key_count, each = tl_channel_stride(&channels[i]) * sizeof(float);
        channels[i].times = model_copy_array(arena, channels[i].times, keys, sizeof(double), ok);
        channels[i].values = model_copy_array(arena, channels[i].values, keys, each, ok);
    }
    trilo_track *tracks = model_copy_array(arena, clip->tracks, clip->track_count, sizeof *tracks, ok);
    clip->tracks = tracks;
    for (uint32_t i = 0; *ok && i < clip->track_count; i++)
        tracks[i].frames = model_copy_array(arena, tracks[i].frames, tracks[i].frame_count, sizeof(trilo_frame), ok);
}

/* Copies the arrays of frames. Those that frames of a mesh share are copied once: separate copies could be thousands of
 * times larger than the file. */
static void model_copy_frame_arrays(tl_arena *arena, const trilo_model *to, tl_frame_part part, bool *ok)
{
    tl_frame_slots list = {0};
    *ok = *ok && tl_frame_slots_list(arena, to, part, &list);
    const float(*copy)[3] = NULL;
    for (uint32_t i = 0; *ok && i < list.count; i++) {
        const tl_frame_slot *slot = tl_frame_slot_at(&list, i);
        if (tl_frame_slot_differs(&list, i))
            copy = model_copy_array(arena, slot->from, to->meshes[slot->mesh].vertex_count, sizeof *copy, ok);
        *slot->pointer = copy;
    }
}

static void model_copy_material(tl_arena *arena, trilo_material *material, bool *ok)
{
    material->name = model_copy_str(arena, material->name, ok);
    material->n64 = model_copy_array(arena, material->n64, 1, sizeof *material->n64, ok);
    material->pbr = model_copy_array(arena, material->pbr, 1, sizeof *material->pbr, ok);
    material->raw.data = model_copy_array(arena, material->raw.data, material->raw.size, 1, ok);
    model_copy_extras(arena, &material->extras, ok);
}

static const trilo_bvh *model_copy_bvh(tl_arena *arena, const trilo_bvh *from, bool *ok)
{
    trilo_bvh *bvh = model_copy_array(arena, from, 1, sizeof *bvh, ok);
    if (!bvh)
        return NULL;
    bvh->nodes = model_copy_array(arena, bvh->nodes, bvh->node_count, sizeof *bvh->nodes, ok);
    bvh->items = model_copy_array(arena, bvh->items, bvh->item_count, sizeof *bvh->items, ok);
    return bvh;
}

#define MODEL_COPY_LIST(list, count) model_copy_array(arena, from->list, from->count, sizeof *from->list, &ok)

bool tl_model_copy(tl_arena *arena, const trilo_model *from, trilo_model *to)
{
    bool ok = true;
    *to = *from;
    to->self = NULL;
    trilo_mesh *meshes = MODEL_COPY_LIST(meshes, mesh_count);
    trilo_material *materials = MODEL_COPY_LIST(materials, material_count);
    trilo_texture *textures = MODEL_COPY_LIST(textures, texture_count);
    trilo_node *nodes = MODEL_COPY_LIST(nodes, node_count);
    trilo_skin *skins = MODEL_COPY_LIST(skins, skin_count);
    trilo_clip *clips = MODEL_COPY_LIST(clips, clip_count);
    trilo_chunk *chunks = MODEL_COPY_LIST(chunks, chunk_count);
    for (uint32_t i = 0; ok && i < from->mesh_count; i++)
        model_copy_mesh(arena, &meshes[i], &ok);
    for (uint32_t i = 0; ok && i < from->material_count; i++)
        model_copy_material(arena, &materials[i], &ok);
    for (uint32_t i = 0; ok && i < from->chunk_count; i++)
        chunks[i].bytes.data = model_copy_array(arena, chunks[i].bytes.data, chunks[i].bytes.size, 1, &ok);
    for (uint32_t i = 0; ok && i < from->texture_count; i++) {
        textures[i].name = model_copy_str(arena, textures[i].name, &ok);
        textures[i].path = model_copy_str(arena, textures[i].path, &ok);
        textures[i].bytes.data = model_copy_array(arena, textures[i].bytes.data, textures[i].bytes.size, 1, &ok);
    }
    for (uint32_t i = 0; ok && i < from->node_count; i++) {
        nodes[i].name = model_copy_str(arena, nodes[i].name, &ok);
        model_copy_extras(arena, &nodes[i].extras, &ok);
    }
    for (uint32_t i = 0; ok && i < from->skin_count; i++)
        skins[i].joints = model_copy_array(arena, skins[i].joints, skins[i].joint_count, sizeof(trilo_joint), &ok);
    for (uint32_t i = 0; ok && i < from->clip_count; i++)
        model_copy_clip(arena, &clips[i], &ok);
    model_copy_extras(arena, &to->extras, &ok);
    to->meshes = meshes, to->materials = materials, to->textures = textures;
    to->nodes = nodes, to->skins = skins, to->clips = clips;
    to->chunks = chunks, to->bvh = model_copy_bvh(arena, from->bvh, &ok);
    model_copy_frame_arrays(arena, to, TL_FRAME_POSITIONS, &ok);
    model_copy_frame_arrays(arena, to, TL_FRAME_NORMALS, &ok);
    return ok;
}
