/* Blending: crossfades within a layer, then layers over each other by weight and mask. */
#include "anim/player.h"
#include "base/strict_float.h"

#include <string.h>

static bool extracts_root_motion(const trilo_player *player, const tl_layer *layer)
{
    return player->opts.root_motion != 0 && !layer->additive;
}

/* The pose of a playback, without root motion when that is extracted. */
static void sample_playback(const trilo_player *player, const tl_layer *layer, tl_playback *playback,
                            const tl_pose *pose)
{
    const bool rooted = extracts_root_motion(player, layer) &&
                        (playback->kind == TL_PLAYBACK_CLIP || playback->kind == TL_PLAYBACK_STREAM);
    trilo_transform *root = rooted ? &pose->transforms[player->opts.root_node] : NULL;
    playback->motion = tl_transform_identity();
    if (rooted) {
        *root = player->rest[player->opts.root_node];
        tl_root_motion_before(player, playback);
    }
    tl_playback_sample(player, playback, layer, pose);
    if (rooted)
        tl_root_motion_extract(player, playback, root);
}

/* ---- crossfade ---- */

/* From the old playback to the new one. A component that only one of them animates fades from or to `base`. */
static void crossfade_node(const tl_layer *layer, const tl_pose sampled[2], uint32_t node, const trilo_transform *base,
                           tl_blending blending)
{
    const double amount = tl_layer_fade(layer);
    const unsigned of_new = sampled[0].components[node], of_old = sampled[1].components[node];
    trilo_transform *blended = &layer->blended.transforms[node];
    *blended = *base;
    tl_transform_blend(blended, &sampled[1].transforms[node], of_old & of_new, 1, blending);
    tl_transform_blend(blended, &sampled[1].transforms[node], of_old & ~of_new, 1 - amount, blending);
    tl_transform_blend(blended, &sampled[0].transforms[node], of_new, amount, blending);
    layer->blended.components[node] = (uint8_t)(of_new | of_old);
}

static const tl_pose *sample_layer(const trilo_player *player, tl_layer *layer)
{
    sample_playback(player, layer, &layer->now, &player->sampled[0]);
    if (layer->fade <= 0)
        return &player->sampled[0];
    sample_playback(player, layer, &layer->old, &player->sampled[1]);
    const trilo_transform identity = tl_transform_identity();
    for (uint32_t i = 0; i < player->model->node_count; i++)
        crossfade_node(layer, player->sampled, i, layer->additive ? &identity : &player->pose.transforms[i],
                       player->blending);
    return &layer->blended;
}

/* ---- layers ---- */

static double layer_weight(const tl_layer *layer, uint32_t node)
{
    return layer->masked ? (double)layer->weight * layer->mask[node] : layer->weight;
}

static void blend_root_motion(trilo_player *player, const tl_layer *layer, const tl_pose *pose)
{
    const uint32_t root = player->opts.root_node;
    trilo_transform motion = layer->now.motion;
    if (!extracts_root_motion(player, layer) || pose->components[root] == 0)
        return;
    if (layer->fade > 0) {
        motion = layer->old.motion;
        tl_transform_blend(&motion, &layer->now.motion, TL_COMPONENTS_ALL, tl_layer_fade(layer), player->blending);
    }
    tl_transform_blend(&player->motion, &motion, TL_COMPONENTS_ALL, layer_weight(layer, root), player->blending);
}

static void blend_layer(trilo_player *player, tl_layer *layer)
{
    const tl_pose *pose = sample_layer(player, layer);
    for (uint32_t i = 0; i < player->model->node_count; i++) {
        const double weight = layer_weight(layer, i);
        if (pose->components[i] == 0 || weight <= 0)
            continue;
        player->pose.components[i] |= pose->components[i];
        (layer->additive ? tl_transform_add : tl_transform_blend)(&player->pose.transforms[i], &pose->transforms[i],
                                                                  pose->components[i], weight, player->blending);
    }
    blend_root_motion(player, layer, pose);
}

/* The common case: one playback, sampled straight into the result. */
static bool replaces_pose(const tl_layer *layer)
{
    return layer->weight == 1 && !layer->masked && !layer->additive && layer->fade <= 0;
}

void tl_player_blend(trilo_player *player)
{
    const uint32_t count = player->model->node_count;
    player->motion = tl_transform_identity();
    if (count == 0)
        return;
    memcpy(player->pose.transforms, player->rest, count * sizeof *player->rest);
    memset(player->pose.components, 0, count);
    for (uint32_t i = 0; i < player->layer_count; i++) {
        tl_layer *layer = &player->layers[i];
        if (layer->now.kind == TL_PLAYBACK_NONE && layer->fade <= 0)
            continue;
        if (i == 0 && replaces_pose(layer)) {
            sample_playback(player, layer, &layer->now, &player->pose);
            blend_root_motion(player, layer, &player->pose);
        } else {
            blend_layer(player, layer);
        }
    }
}
