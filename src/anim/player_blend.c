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
    if (!rooted)
        return;
    tl_root_motion_extract(player, playback, root);
    /* A rotation that was taken out of the pose has moved the root, also along axes that the clip does not animate. */
    uint8_t *components = &pose->components[player->opts.root_node];
    if ((player->opts.root_motion & TRILO_ROOT_YAW) && (*components & TL_COMPONENTS_ROTATION))
        *components |= TL_COMPONENTS_TRANSLATION;
}

/* ---- crossfade ---- */

static const tl_pose *sample_layer(const trilo_player *player, tl_layer *layer)
{
    sample_playback(player, layer, &layer->now, &player->sampled[0]);
    if (layer->fade <= 0)
        return &player->sampled[0];
    sample_playback(player, layer, &layer->old, &player->sampled[1]);
    const trilo_transform identity = tl_transform_identity();
    const double amount = tl_layer_fade(layer);
    /* A component that only one of the playbacks animates fades from or to what is below the layer. */
    for (uint32_t i = 0; i < player->model->node_count; i++) {
        const unsigned of_new = player->sampled[0].components[i], of_old = player->sampled[1].components[i];
        trilo_transform *blended = &layer->blended.transforms[i];
        *blended = *(layer->additive ? &identity : &player->pose.transforms[i]);
        tl_transform_blend(blended, &player->sampled[1].transforms[i], of_old & of_new, 1, player->blending);
        tl_transform_blend(blended, &player->sampled[1].transforms[i], of_old & ~of_new, 1 - amount, player->blending);
        tl_transform_blend(blended, &player->sampled[0].transforms[i], of_new, amount, player->blending);
        layer->blended.components[i] = (uint8_t)(of_new | of_old);
    }
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
        /* The common case: one playback, sampled straight into the result. */
        if (i == 0 && (layer->weight == 1 && !layer->masked && !layer->additive && layer->fade <= 0)) {
            sample_playback(player, layer, &layer->now, &player->pose);
            blend_root_motion(player, layer, &player->pose);
        } else {
            blend_layer(player, layer);
        }
    }
}
