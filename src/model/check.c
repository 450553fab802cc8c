/* Checks the invariants of model.h. Code that gets a checked model need not validate it again. */
#include "model/check.h"

#include "base/compiler.h"
#include "base/report.h"
#include "model/target.h"
#include "trilobite/n64.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

typedef struct model_checker {
    const trilo_model *model;
    tl_path path;
    trilo_error *err;
    tl_moved_transform *moved; /* of each node */
    uint32_t *clip_of_track;   /* of each mesh: the last clip that had a track for it, counted from 1 */
} model_checker;

static bool model_fail(model_checker *c, int rule, const char *member, const char *format, ...) TL_PRINTF_LIKE(4, 5);
static bool model_fail(model_checker *c, int rule, const char *member, const char *format, ...)
{
    char text[sizeof c->err->text];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    tl_path_push(&c->path, member, TL_NO_INDEX);
    trilo_code code = rule == TL_MODEL_INDEX ? TRILO_CODE_BAD_REF : TRILO_CODE_BAD_VALUE;
    tl_fail(c->err, code, &tl_general_rules[rule], TRILO_NOWHERE, &c->path, "%s", text);
    tl_path_pop(&c->path);
    return false;
}

/* `index` must be below `count`, or TRILO_NONE where that is allowed. */
static bool model_index_good(model_checker *c, const char *member, uint32_t index, uint32_t count, bool or_none)
{
    if (index < count || (or_none && index == TRILO_NONE))
        return true;
    return model_fail(c, TL_MODEL_INDEX, member, "%" PRIu32 ", must be below %" PRIu32, index, count);
}

static bool model_array_good(model_checker *c, const char *member, const void *array, uint32_t count)
{
    if (array || count == 0)
        return true;
    return model_fail(c, TL_MODEL_ARRAY, member, "the array is missing, but it should have %" PRIu32 " entries", count);
}

static bool model_mesh_good(model_checker *c, const trilo_mesh *mesh)
{
    if (!model_index_good(c, "material", mesh->material, c->model->material_count, true) ||
        !model_index_good(c, "node", mesh->node, c->model->node_count, true) ||
        !model_index_good(c, "skin", mesh->skin, c->model->skin_count, true) ||
        !model_array_good(c, "positions", mesh->positions, mesh->vertex_count) ||
        !model_array_good(c, "indices", mesh->indices, mesh->index_count))
        return false;
    const uint32_t corners = mesh->topology == TRILO_TOPOLOGY_LINES ? 2 : 3;
    if (mesh->index_count % corners != 0)
        return model_fail(c, TL_MODEL_ARRAY, "index_count", "%" PRIu32 " is not a multiple of %" PRIu32,
                          mesh->index_count, corners);
    for (uint32_t i = 0; i < mesh->index_count; i++)
        if (mesh->indices[i] >= mesh->vertex_count)
            return model_index_good(c, "indices", mesh->indices[i], mesh->vertex_count, false);
    if (!mesh->joints && !mesh->weights)
        return true;
    if (!mesh->joints || !mesh->weights || mesh->skin == TRILO_NONE)
        return model_fail(c, TL_MODEL_ARRAY, "joints", "joints, weights and a skin go together");
    const uint32_t joint_count = c->model->skins[mesh->skin].joint_count;
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        for (int i = 0; i < 4; i++)
            if (mesh->weights[v][i] != 0 && mesh->joints[v][i] >= joint_count)
                return model_index_good(c, "joints", mesh->joints[v][i], joint_count, false);
    return true;
}

static bool model_node_good(model_checker *c, uint32_t i)
{
    uint32_t parent = c->model->nodes[i].parent;
    if (parent == TRILO_NONE || parent < i)
        return true;
    return model_fail(c, TL_MODEL_ORDER, "parent", "%" PRIu32 ", must come before the node itself, below %" PRIu32,
                      parent, i);
}

static bool model_skin_good(model_checker *c, const trilo_skin *skin)
{
    if (!model_array_good(c, "joints", skin->joints, skin->joint_count))
        return false;
    for (uint32_t i = 0; i < skin->joint_count; i++)
        if (!model_index_good(c, "joints", skin->joints[i].node, c->model->node_count, false))
            return false;
    return true;
}

static bool model_channel_good(model_checker *c, const trilo_channel *channel)
{
    if ((unsigned)channel->target >= TRILO_TARGET_COUNT)
        return model_fail(c, TL_MODEL_INDEX, "target", "%u, must be below %u", (unsigned)channel->target,
                          (unsigned)TRILO_TARGET_COUNT);
    if ((unsigned)channel->interpolation > TRILO_INTERPOLATION_CUBIC)
        return model_fail(c, TL_MODEL_INDEX, "interpolation", "%u, must be below %u", (unsigned)channel->interpolation,
                          (unsigned)TRILO_INTERPOLATION_CUBIC + 1);
    if (!model_index_good(c, "node", channel->node, c->model->node_count, false) ||
        !model_array_good(c, "times", channel->times, channel->key_count) ||
        !model_array_good(c, "values", channel->values, channel->key_count))
        return false;
    for (uint32_t k = 0; k < channel->key_count; k++)
        if (!isfinite(channel->times[k]) || (k > 0 && channel->times[k] <= channel->times[k - 1]))
            return model_fail(c, TL_MODEL_ORDER, "times", "key %" PRIu32 " does not come after the one before", k);
    return true;
}

static bool model_texture_good(model_checker *c, const trilo_texture *texture)
{
    return texture->bytes.data || texture->bytes.size == 0 ||
           model_fail(c, TL_MODEL_ARRAY, "bytes", "the bytes are missing, but there should be %zu",
                      texture->bytes.size);
}

static bool model_material_good(model_checker *c, const trilo_material *material)
{
    bool good = model_index_good(c, "texture", material->texture, c->model->texture_count, true);
    for (uint32_t i = 0; good && material->n64 && i < 2; i++) {
        tl_path_push(&c->path, "n64.tiles", i);
        good = model_index_good(c, "texture", material->n64->tiles[i].texture, c->model->texture_count, true);
        tl_path_pop(&c->path);
    }
    for (uint32_t i = 0; good && material->pbr && i < TRILO_MAP_KIND_COUNT; i++) {
        tl_path_push(&c->path, "pbr.maps", i);
        good = !material->pbr->maps[i].used ||
               model_index_good(c, "texture", material->pbr->maps[i].texture, c->model->texture_count, false);
        tl_path_pop(&c->path);
    }
    return good;
}

static bool model_track_good(model_checker *c, const trilo_track *track, uint32_t clip)
{
    if (!model_index_good(c, "mesh", track->mesh, c->model->mesh_count, false))
        return false;
    if (c->clip_of_track[track->mesh] == clip + 1)
        return model_fail(c, TL_MODEL_ORDER, "mesh",
                          "another track of the clip moves mesh %" PRIu32 " too, must be one only", track->mesh);
    c->clip_of_track[track->mesh] = clip + 1;
    if (track->frame_count == 0)
        return model_fail(c, TL_MODEL_ARRAY, "frame_count", "0, must be 1 at least");
    bool good = model_array_good(c, "frames", track->frames, track->frame_count);
    for (uint32_t i = 0; good && i < track->frame_count; i++) {
        const trilo_frame *frame = &track->frames[i];
        tl_path_push(&c->path, "frames", i);
        if (!isfinite(frame->time) || (i > 0 && frame->time <= track->frames[i - 1].time))
            good = model_fail(c, TL_MODEL_ORDER, "time", "the frame does not come after the one before");
        good = good && model_array_good(c, "positions", frame->positions, c->model->meshes[track->mesh].vertex_count);
        tl_path_pop(&c->path);
    }
    return good;
}

static bool model_clip_good(model_checker *c, uint32_t number)
{
    const trilo_clip *clip = &c->model->clips[number];
    bool good = model_array_good(c, "channels", clip->channels, clip->channel_count);
    for (uint32_t i = 0; good && i < clip->channel_count; i++) {
        const trilo_channel *channel = &clip->channels[i];
        tl_path_push(&c->path, "channels", i);
        good = model_channel_good(c, channel);
        if (good && !tl_target_take(&c->moved[channel->node], number, channel->target))
            good = model_fail(c, TL_MODEL_ORDER, "target",
                              "another channel of the clip moves the same part of node %" PRIu32 ", must be one only",
                              channel->node);
        tl_path_pop(&c->path);
    }
    good = good && model_array_good(c, "tracks", clip->tracks, clip->track_count);
    for (uint32_t i = 0; good && i < clip->track_count; i++) {
        tl_path_push(&c->path, "tracks", i);
        good = model_track_good(c, &clip->tracks[i], number);
        tl_path_pop(&c->path);
    }
    return good;
}

/* The marks of nodes and meshes contain the number of the clip, so that they need not be cleared for each clip. */
static bool model_clips_good(model_checker *c, const trilo_memory *memory)
{
    const trilo_model *model = c->model;
    if (model->clip_count == 0)
        return true;
    tl_arena arena;
    tl_arena_init(&arena, memory);
    c->moved = TL_ARRAY(&arena, model->node_count, tl_moved_transform);
    c->clip_of_track = TL_ARRAY(&arena, model->mesh_count, uint32_t);
    bool good = (c->moved && c->clip_of_track) || tl_fail_memory(c->err);
    for (uint32_t i = 0; good && i < model->clip_count; i++) {
        tl_path_push(&c->path, "clips", i);
        good = model_clip_good(c, i);
        tl_path_pop(&c->path);
    }
    tl_arena_free(&arena);
    return good;
}

static bool model_lists_good(model_checker *c)
{
    const trilo_model *m = c->model;
    return model_array_good(c, "meshes", m->meshes, m->mesh_count) &&
           model_array_good(c, "materials", m->materials, m->material_count) &&
           model_array_good(c, "textures", m->textures, m->texture_count) &&
           model_array_good(c, "nodes", m->nodes, m->node_count) &&
           model_array_good(c, "skins", m->skins, m->skin_count) &&
           model_array_good(c, "clips", m->clips, m->clip_count);
}

#define MODEL_CHECK_EACH(list, count, test)                                                                            \
    for (uint32_t i = 0; good && i < model->count; i++) {                                                              \
        tl_path_push(&c.path, #list, i);                                                                               \
        good = test;                                                                                                   \
        tl_path_pop(&c.path);                                                                                          \
    }

static bool model_check_all(const trilo_model *model, const trilo_memory *memory, trilo_error *err)
{
    model_checker c = {.model = model, .err = err};
    bool good = model_lists_good(&c);
    MODEL_CHECK_EACH(nodes, node_count, model_node_good(&c, i))
    MODEL_CHECK_EACH(skins, skin_count, model_skin_good(&c, &model->skins[i]))
    MODEL_CHECK_EACH(materials, material_count, model_material_good(&c, &model->materials[i]))
    MODEL_CHECK_EACH(textures, texture_count, model_texture_good(&c, &model->textures[i]))
    MODEL_CHECK_EACH(meshes, mesh_count, model_mesh_good(&c, &model->meshes[i]))
    return good && model_clips_good(&c, memory);
}

bool tl_model_check(const trilo_model *model, const trilo_memory *memory, trilo_error *err)
{
    return model->self == model || model_check_all(model, memory, err);
}

bool trilo_model_check(const trilo_model *model, trilo_error *err)
{
    return model_check_all(model, NULL, err);
}
