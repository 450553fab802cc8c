/* The player: allocation, bindings, and the pose as matrices. */
#include "anim/player.h"
#include "base/opts.h"
#include "base/strict_float.h"

#include "base/report.h"
#include "model/check.h"

#include <string.h>

enum { LAYERS_DEFAULT = 4, LAYERS_MOST = 64 };

/* ---- allocation ---- */

static bool pose_alloc(tl_arena *arena, uint32_t count, tl_pose *pose)
{
    pose->transforms = TL_ARRAY(arena, count, trilo_transform);
    pose->components = TL_ARRAY(arena, count, uint8_t);
    return pose->transforms && pose->components;
}

static bool alloc_layers(trilo_player *player)
{
    const uint32_t nodes = player->model->node_count;
    player->layer_count = player->opts.layer_count > 0 ? player->opts.layer_count : LAYERS_DEFAULT;
    player->layers = TL_ARRAY(&player->arena, player->layer_count, tl_layer);
    for (uint32_t i = 0; player->layers && i < player->layer_count; i++) {
        tl_layer *layer = &player->layers[i];
        layer->weight = 1;
        if (!pose_alloc(&player->arena, nodes, &layer->blended) || !pose_alloc(&player->arena, nodes, &layer->frozen))
            return false;
    }
    return player->layers != NULL;
}

static bool alloc_skins(trilo_player *player)
{
    const trilo_model *model = player->model;
    uint32_t most = 0;
    player->skins = TL_ARRAY(&player->arena, model->skin_count, trilo_mat4 *);
    for (uint32_t i = 0; player->skins && i < model->skin_count; i++) {
        const uint32_t count = model->skins[i].joint_count;
        most = count > most ? count : most;
        player->skins[i] = TL_ARRAY(&player->arena, count, trilo_mat4);
        if (!player->skins[i])
            return false;
    }
    if (player->opts.dual_quaternions)
        player->dual_quaternions = TL_ARRAY(&player->arena, most, trilo_dual_quaternion);
    return player->skins && (player->dual_quaternions || !player->opts.dual_quaternions);
}

static bool alloc_vertices(trilo_player *player)
{
    const trilo_model *model = player->model;
    uint32_t most = 0, tracks = 0;
    for (uint32_t i = 0; i < model->mesh_count; i++)
        most = model->meshes[i].vertex_count > most ? model->meshes[i].vertex_count : most;
    for (uint32_t i = 0; i < model->clip_count; i++)
        tracks |= model->clips[i].track_count;
    player->vertices = tl_array_raw(&player->arena, most, sizeof *player->vertices);
    if (tracks > 0) {
        player->frame_positions = tl_array_raw(&player->arena, most, sizeof *player->frame_positions);
        player->frame_normals = tl_array_raw(&player->arena, most, sizeof *player->frame_normals);
    }
    return player->vertices && (tracks == 0 || (player->frame_positions && player->frame_normals));
}

static bool alloc_tiny3d_times(trilo_player *player)
{
    const trilo_model *model = player->model;
    player->blending = TL_BLEND_TINY3D;
    player->tiny3d_times = TL_ARRAY(&player->arena, model->clip_count, const tl_tiny3d_times *);
    for (uint32_t i = 0; player->tiny3d_times && i < model->clip_count; i++) {
        player->tiny3d_times[i] = tl_tiny3d_clip(&player->arena, &model->clips[i]);
        if (!player->tiny3d_times[i])
            return false;
    }
    return player->tiny3d_times != NULL;
}

static bool alloc_nodes(trilo_player *player)
{
    const trilo_model *model = player->model;
    tl_arena *arena = &player->arena;
    player->rest = TL_ARRAY(arena, model->node_count, trilo_transform);
    player->locals = TL_ARRAY(arena, model->node_count, trilo_mat4);
    player->worlds = TL_ARRAY(arena, model->node_count, trilo_mat4);
    player->markers = TL_ARRAY(arena, model->clip_count, tl_markers);
    for (uint32_t i = 0; player->rest && i < model->node_count; i++)
        player->rest[i] = tl_transform_rest(&model->nodes[i]);
    return player->rest && player->locals && player->worlds && player->markers &&
           pose_alloc(arena, model->node_count, &player->pose) &&
           pose_alloc(arena, model->node_count, &player->sampled[0]) &&
           pose_alloc(arena, model->node_count, &player->sampled[1]);
}

static bool player_opts_are_valid(const trilo_model *model, const trilo_player_opts *opts, trilo_error *err)
{
    const char *wrong = NULL;
    if (opts->layer_count > LAYERS_MOST)
        wrong = "a player has at most 64 layers";
    else if (opts->root_motion != 0 && opts->root_node >= model->node_count)
        wrong = "the root whose motion is wanted must be a node of the model";
    return !wrong || tl_fail_misuse(err, wrong);
}

trilo_sampling trilo_sampling_resolve(const trilo_model *model, trilo_sampling sampling)
{
    if (sampling != TRILO_SAMPLING_AUTO)
        return sampling;
    return model->tiny3d_sampling ? TRILO_SAMPLING_TINY3D : TRILO_SAMPLING_SMOOTH;
}

static trilo_player *player_init(tl_arena *arena, const trilo_model *model, const trilo_player_opts *opts)
{
    trilo_player *player = TL_NEW(arena, trilo_player);
    if (!player)
        return NULL;
    player->arena = *arena;
    player->model = model;
    player->opts = *opts;
    player->opts.sampling = trilo_sampling_resolve(model, player->opts.sampling);
    const bool ok = alloc_nodes(player) && alloc_layers(player) && alloc_skins(player) && alloc_vertices(player) &&
                    (player->opts.sampling != TRILO_SAMPLING_TINY3D || alloc_tiny3d_times(player));
    if (ok)
        return player;
    trilo_player_free(player);
    return NULL;
}

trilo_player *trilo_player_new(const trilo_model *model, const trilo_player_opts *opts, trilo_error *err)
{
    trilo_player_opts own;
    tl_arena arena;
    if (!TL_OPTS_TAKE(&own, opts, err) || !player_opts_are_valid(model, &own, err) ||
        !tl_model_check(model, &own.memory, err))
        return NULL;
    tl_arena_init(&arena, &own.memory);
    trilo_player *player = player_init(&arena, model, &own);
    if (!player) {
        tl_fail_memory(err);
        return NULL;
    }
    trilo_player_advance(player, 0);
    return player;
}

void trilo_player_free(trilo_player *player)
{
    if (player)
        tl_arena_free(&player->arena);
}

/* ---- bindings: values that the caller drives ---- */

bool trilo_player_bind(trilo_player *player, uint32_t node, trilo_target target, float *values, trilo_driven_fn *fn,
                       void *user)
{
    if (node >= player->model->node_count ||
        (target != TRILO_TARGET_TRANSLATION && target != TRILO_TARGET_ROTATION && target != TRILO_TARGET_SCALE))
        return false;
    tl_binding *b = player->bindings;
    while (b && (b->node != node || b->target != target))
        b = b->next;
    if (!b && !values && !fn)
        return true;
    if (!b) {
        b = TL_NEW(&player->arena, tl_binding);
        if (!b)
            return false;
        *b = (tl_binding){.next = player->bindings, .node = node, .target = target};
        player->bindings = b;
    }
    b->values = values;
    b->fn = fn;
    b->user = user;
    return true;
}

/* ---- time and pose ---- */

void trilo_player_advance(trilo_player *player, double seconds)
{
    if (player->busy)
        return;
    player->busy = true;
    tl_player_advance_layers(player, tl_clock_number(seconds));
    tl_player_blend(player);
    for (const tl_binding *b = player->bindings; b; b = b->next) {
        const size_t size = trilo_target_width(b->target) * sizeof(float);
        float *animated = tl_transform_values(&player->pose.transforms[b->node], b->target), values[4];
        if (!b->values && !b->fn)
            continue;
        memcpy(values, animated, size);
        memcpy(animated, tl_transform_values(&player->rest[b->node], b->target), size);
        player->pose.components[b->node] &= (uint8_t)~tl_transform_components(b->target);
        if (b->values)
            memcpy(b->values, values, size);
        if (b->fn)
            b->fn(b->user, b->node, b->target, values);
    }
    /* A node without animated components keeps its own matrix. */
    const trilo_model *model = player->model;
    for (uint32_t i = 0; i < model->node_count; i++)
        player->locals[i] =
            player->pose.components[i] ? tl_transform_matrix(&player->pose.transforms[i]) : model->nodes[i].local;
    trilo_pose_worlds(model, player->locals, player->worlds);
    for (uint32_t i = 0; i < model->skin_count; i++)
        trilo_pose_skin(model, i, player->worlds, player->skins[i]);
    player->busy = false;
}

const trilo_transform *trilo_player_transforms(const trilo_player *player)
{
    return player->pose.transforms;
}

const trilo_mat4 *trilo_player_locals(const trilo_player *player)
{
    return player->locals;
}

const trilo_mat4 *trilo_player_worlds(const trilo_player *player)
{
    return player->worlds;
}

const trilo_mat4 *trilo_player_skin(const trilo_player *player, uint32_t skin)
{
    return skin < player->model->skin_count ? player->skins[skin] : NULL;
}

trilo_transform trilo_player_root_motion(const trilo_player *player)
{
    return player->motion;
}
