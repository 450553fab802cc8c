/* The vertices of a player's pose: frames of vertex animation, then nodes and skins. */
#include "anim/player.h"
#include "base/strict_float.h"
#include "base/vec.h"
#include "model/bounds.h"

typedef const float (*vectors)[3];

static bool has_track(const trilo_player *player, const tl_playback *playback, uint32_t mesh)
{
    if (playback->kind != TL_PLAYBACK_CLIP)
        return false;
    const trilo_clip *clip = &player->model->clips[playback->clip];
    for (uint32_t i = 0; i < clip->track_count; i++)
        if (clip->tracks[i].mesh == mesh)
            return true;
    return false;
}

static void blend_vectors(float (*to)[3], vectors from, uint32_t count, double amount, bool unit)
{
    for (uint32_t i = 0; i < count; i++) {
        trilo_vec3 v = tl_vec3_lerp((trilo_vec3){to[i][0], to[i][1], to[i][2]},
                                    (trilo_vec3){from[i][0], from[i][1], from[i][2]}, amount);
        if (unit)
            v = tl_vec3_normalize(v);
        to[i][0] = v.x, to[i][1] = v.y, to[i][2] = v.z;
    }
}

/* Blends the frame of a playback over what is there. */
static void blend_frame(const trilo_player *player, const tl_playback *playback, uint32_t mesh, double amount,
                        float (*positions)[3], float (*normals)[3])
{
    const uint32_t count = player->model->meshes[mesh].vertex_count;
    const double seconds = playback->clock.shown;
    if (!has_track(player, playback, mesh) || !(amount > 0))
        return;
    if (amount >= 1) {
        trilo_pose_frame(player->model, mesh, playback->clip, seconds, player->opts.frames, positions, normals);
        return;
    }
    trilo_pose_frame(player->model, mesh, playback->clip, seconds, player->opts.frames, player->frame_positions,
                     normals ? player->frame_normals : NULL);
    if (positions)
        blend_vectors(positions, (vectors)player->frame_positions, count, amount, false);
    if (normals)
        blend_vectors(normals, (vectors)player->frame_normals, count, amount, true);
}

void trilo_player_mesh(const trilo_player *player, uint32_t mesh, float (*positions)[3], float (*normals)[3])
{
    const trilo_model *model = player->model;
    if (mesh >= model->mesh_count)
        return;
    const trilo_mesh *m = &model->meshes[mesh];
    const trilo_mat4 *skin = trilo_player_skin(player, m->skin);
    vectors from = m->positions, from_normals = m->normals;
    if (player->frame_positions) {
        trilo_pose_frame(model, mesh, TRILO_NONE, 0, TRILO_FRAME_MODE_HOLD, positions, normals);
        for (uint32_t i = 0; i < player->layer_count; i++) {
            const tl_layer *layer = &player->layers[i];
            const double weight = layer->weight, of_now = layer->fade > 0 ? tl_layer_fade(layer) * weight : weight;
            if (layer->additive)
                continue;
            /* Frames that only one of both has fade from or to what is below. The new ones cover a part of the old. */
            if (layer->fade > 0)
                blend_frame(player, &layer->old, mesh,
                            (weight - of_now) / (has_track(player, &layer->now, mesh) ? 1 - of_now : 1), positions,
                            normals);
            blend_frame(player, &layer->now, mesh, of_now, positions, normals);
        }
        from = (vectors)positions;
        from_normals = (vectors)normals;
    }
    if (player->dual_quaternions && skin) {
        trilo_pose_dual_quaternions(skin, model->skins[m->skin].joint_count, player->dual_quaternions);
        trilo_pose_vertices_dual_quaternion(model, mesh, player->worlds, player->dual_quaternions, from, from_normals,
                                            positions, normals);
    } else {
        trilo_pose_vertices(model, mesh, player->worlds, skin, from, from_normals, positions, normals);
    }
}

trilo_bounds trilo_player_bounds(const trilo_player *player)
{
    trilo_bounds bounds = tl_bounds_empty();
    for (uint32_t i = 0; i < player->model->mesh_count; i++) {
        trilo_player_mesh(player, i, player->vertices, NULL);
        for (uint32_t v = 0; v < player->model->meshes[i].vertex_count; v++) {
            const float *p = player->vertices[v];
            tl_bounds_add(&bounds, (trilo_vec3){p[0], p[1], p[2]});
        }
    }
    return bounds;
}
