/* The promises of model.h, one by one. A model that passes can be walked by any code without looking again. */
#include "model/check.h"

#include "base/report.h"
#include "model/target.h"
#include "trilobite/n64.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

typedef struct checker {
    const trilo_model *model;
    tl_path path;
    trilo_error *err;
    tl_moved_transform *moved; /* of each node */
    uint32_t *clip_of_track;   /* the last one that had a track for each mesh, counted from 1 */
} checker;

static bool fail_at(checker *c, int rule, const char *member, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static bool fail_at(checker *c, int rule, const char *member, const char *format, ...)
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
static bool index_good(checker *c, const char *member, uint32_t index, uint32_t count, bool or_none)
{
    if (index < count || (or_none && index == TRILO_NONE))
        return true;
    return fail_at(c, TL_MODEL_INDEX, member, "%" PRIu32 ", must be below %" PRIu32, index, count);
}

static bool array_good(checker *c, const char *member, const void *array, uint32_t count)
{
    if (array || count == 0)
        return true;
    return fail_at(c, TL_MODEL_ARRAY, member, "the array is missing, but it should have %" PRIu32 " entries", count);
}

static bool indices_good(checker *c, const trilo_mesh *mesh)
{
    const uint32_t corners = mesh->topology == TRILO_TOPOLOGY_LINES ? 2 : 3;
    if (mesh->index_count % corners != 0)
        return fail_at(c, TL_MODEL_ARRAY, "index_count", "%" PRIu32 " is no multiple of %" PRIu32, mesh->index_count,
                       corners);
    for (uint32_t i = 0; i < mesh->index_count; i++)
        if (mesh->indices[i] >= mesh->vertex_count)
            return index_good(c, "indices", mesh->indices[i], mesh->vertex_count, false);
    return true;
}

static bool joints_good(checker *c, const trilo_mesh *mesh)
{
    if (!mesh->joints && !mesh->weights)
        return true;
    if (!mesh->joints || !mesh->weights || mesh->skin == TRILO_NONE)
        return fail_at(c, TL_MODEL_ARRAY, "joints", "joints, weights and a skin go together");
    const uint32_t joint_count = c->model->skins[mesh->skin].joint_count;
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        for (int i = 0; i < 4; i++)
            if (mesh->weights[v][i] != 0 && mesh->joints[v][i] >= joint_count)
                return index_good(c, "joints", mesh->joints[v][i], joint_count, false);
    return true;
}

static bool mesh_good(checker *c, const trilo_mesh *mesh)
{
    return index_good(c, "material", mesh->material, c->model->material_count, true) &&
           index_good(c, "node", mesh->node, c->model->node_count, true) &&
           index_good(c, "skin", mesh->skin, c->model->skin_count, true) &&
           array_good(c, "positions", mesh->positions, mesh->vertex_count) &&
           array_good(c, "indices", mesh->indices, mesh->index_count) && indices_good(c, mesh) && joints_good(c, mesh);
}

static bool node_good(checker *c, uint32_t i)
{
    uint32_t parent = c->model->nodes[i].parent;
    if (parent == TRILO_NONE || parent < i)
        return true;
    return fail_at(c, TL_MODEL_ORDER, "parent", "%" PRIu32 ", must come before the node itself, below %" PRIu32, parent,
                   i);
}

static bool skin_good(checker *c, const trilo_skin *skin)
{
    if (!array_good(c, "joints", skin->joints, skin->joint_count))
        return false;
    for (uint32_t i = 0; i < skin->joint_count; i++)
        if (!index_good(c, "joints", skin->joints[i].node, c->model->node_count, false))
            return false;
    return true;
}

static bool channel_good(checker *c, const trilo_channel *channel)
{
    if ((unsigned)channel->target >= TRILO_TARGET_COUNT)
        return fail_at(c, TL_MODEL_INDEX, "target", "%u, must be below %u", (unsigned)channel->target,
                       (unsigned)TRILO_TARGET_COUNT);
    if ((unsigned)channel->interpolation > TRILO_INTERPOLATION_CUBIC)
        return fail_at(c, TL_MODEL_INDEX, "interpolation", "%u, must be below %u", (unsigned)channel->interpolation,
                       (unsigned)TRILO_INTERPOLATION_CUBIC + 1);
    if (!index_good(c, "node", channel->node, c->model->node_count, false) ||
        !array_good(c, "times", channel->times, channel->key_count) ||
        !array_good(c, "values", channel->values, channel->key_count))
        return false;
    for (uint32_t k = 0; k < channel->key_count; k++)
        if (!isfinite(channel->times[k]) || (k > 0 && channel->times[k] <= channel->times[k - 1]))
            return fail_at(c, TL_MODEL_ORDER, "times", "key %" PRIu32 " does not come after the one before", k);
    return true;
}

static bool texture_good(checker *c, const trilo_texture *texture)
{
    return texture->bytes.data || texture->bytes.size == 0 ||
           fail_at(c, TL_MODEL_ARRAY, "bytes", "the bytes are missing, but there should be %zu", texture->bytes.size);
}

static bool material_good(checker *c, const trilo_material *material)
{
    bool good = index_good(c, "texture", material->texture, c->model->texture_count, true);
    for (uint32_t i = 0; good && material->n64 && i < 2; i++) {
        tl_path_push(&c->path, "n64.tiles", i);
        good = index_good(c, "texture", material->n64->tiles[i].texture, c->model->texture_count, true);
        tl_path_pop(&c->path);
    }
    for (uint32_t i = 0; good && material->pbr && i < TRILO_MAP_COUNT; i++) {
        tl_path_push(&c->path, "pbr.maps", i);
        good = !material->pbr->maps[i].used ||
               index_good(c, "texture", material->pbr->maps[i].texture, c->model->texture_count, false);
        tl_path_pop(&c->path);
    }
    return good;
}

static bool channels_good(checker *c, const trilo_clip *clip, uint32_t number)
{
    bool good = array_good(c, "channels", clip->channels, clip->channel_count);
    for (uint32_t i = 0; good && i < clip->channel_count; i++) {
        const trilo_channel *channel = &clip->channels[i];
        tl_path_push(&c->path, "channels", i);
        good = channel_good(c, channel);
        if (good && !tl_target_take(&c->moved[channel->node], number, channel->target))
            good = fail_at(c, TL_MODEL_ORDER, "target",
                           "another channel of the clip moves the same part of node %" PRIu32 ", must be one alone",
                           channel->node);
        tl_path_pop(&c->path);
    }
    return good;
}

static bool frames_good(checker *c, const trilo_track *track)
{
    const uint32_t vertices = c->model->meshes[track->mesh].vertex_count;
    bool good = true;
    for (uint32_t i = 0; good && i < track->frame_count; i++) {
        const trilo_frame *frame = &track->frames[i];
        tl_path_push(&c->path, "frames", i);
        if (!isfinite(frame->time) || (i > 0 && frame->time <= track->frames[i - 1].time))
            good = fail_at(c, TL_MODEL_ORDER, "time", "the frame does not come after the one before");
        good = good && array_good(c, "positions", frame->positions, vertices);
        tl_path_pop(&c->path);
    }
    return good;
}

static bool track_good(checker *c, const trilo_track *track, uint32_t clip)
{
    if (!index_good(c, "mesh", track->mesh, c->model->mesh_count, false))
        return false;
    if (c->clip_of_track[track->mesh] == clip + 1)
        return fail_at(c, TL_MODEL_ORDER, "mesh",
                       "another track of the clip moves mesh %" PRIu32 " too, must be one alone", track->mesh);
    c->clip_of_track[track->mesh] = clip + 1;
    if (track->frame_count == 0)
        return fail_at(c, TL_MODEL_ARRAY, "frame_count", "0, must be 1 at least");
    return array_good(c, "frames", track->frames, track->frame_count) && frames_good(c, track);
}

static bool clip_good(checker *c, uint32_t number)
{
    const trilo_clip *clip = &c->model->clips[number];
    bool good = channels_good(c, clip, number) && array_good(c, "tracks", clip->tracks, clip->track_count);
    for (uint32_t i = 0; good && i < clip->track_count; i++) {
        tl_path_push(&c->path, "tracks", i);
        good = track_good(c, &clip->tracks[i], number);
        tl_path_pop(&c->path);
    }
    return good;
}

/* Marks for each node and mesh, made once: a clip leaves its number there, so that nothing has to be wiped. */
static bool clips_good(checker *c, const trilo_memory *memory)
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
        good = clip_good(c, i);
        tl_path_pop(&c->path);
    }
    tl_arena_free(&arena);
    return good;
}

static bool lists_good(checker *c)
{
    const trilo_model *m = c->model;
    return array_good(c, "meshes", m->meshes, m->mesh_count) &&
           array_good(c, "materials", m->materials, m->material_count) &&
           array_good(c, "textures", m->textures, m->texture_count) &&
           array_good(c, "nodes", m->nodes, m->node_count) && array_good(c, "skins", m->skins, m->skin_count) &&
           array_good(c, "clips", m->clips, m->clip_count);
}

#define EACH(list, count, test)                                                                                        \
    for (uint32_t i = 0; good && i < model->count; i++) {                                                              \
        tl_path_push(&c.path, #list, i);                                                                               \
        good = test;                                                                                                   \
        tl_path_pop(&c.path);                                                                                          \
    }

static bool model_check_all(const trilo_model *model, const trilo_memory *memory, trilo_error *err)
{
    checker c = {.model = model, .err = err};
    bool good = lists_good(&c);
    EACH(nodes, node_count, node_good(&c, i))
    EACH(skins, skin_count, skin_good(&c, &model->skins[i]))
    EACH(materials, material_count, material_good(&c, &model->materials[i]))
    EACH(textures, texture_count, texture_good(&c, &model->textures[i]))
    EACH(meshes, mesh_count, mesh_good(&c, &model->meshes[i]))
    return good && clips_good(&c, memory);
}

bool tl_model_check(const trilo_model *model, const trilo_memory *memory, trilo_error *err)
{
    return model->self == model || model_check_all(model, memory, err);
}

bool trilo_model_check(const trilo_model *model, trilo_error *err)
{
    return model_check_all(model, NULL, err);
}
