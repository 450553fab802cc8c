/* Layers put over each other. */
#include "anim/player.h"

#include <string.h>

static bool takes_root(const trilo_player *player, const tl_layer *layer)
{
    return player->opts.root_motion != 0 && !layer->additive;
}

/* What a voice shows, without the motion of the root when that is wanted. */
static void sample(const trilo_player *player, const tl_layer *layer, tl_playback *voice, const tl_pose *pose)
{
    const bool rooted = takes_root(player, layer) && (voice->kind == TL_VOICE_CLIP || voice->kind == TL_VOICE_STREAM);
    trilo_transform *root = rooted ? &pose->parts[player->opts.root_node] : NULL;
    voice->motion = tl_transform_identity();
    if (rooted) {
        *root = player->rest[player->opts.root_node];
        tl_root_before(player, voice);
    }
    tl_playback_sample(player, voice, layer, pose);
    if (rooted)
        tl_root_take(player, voice, root);
}

/* ---- a fade ---- */

/* From the old voice to the new one. Where only one of them says something, it comes from or goes to `base`. */
static void fade_node(const tl_layer *layer, const tl_pose voices[2], uint32_t node, const trilo_transform *base,
                      tl_mixing mixing)
{
    const double amount = tl_layer_fade(layer);
    const unsigned of_new = voices[0].cover[node], of_old = voices[1].cover[node];
    trilo_transform *mixed = &layer->mixed.parts[node];
    *mixed = *base;
    tl_transform_mix(mixed, &voices[1].parts[node], of_old & of_new, 1, mixing);
    tl_transform_mix(mixed, &voices[1].parts[node], of_old & ~of_new, 1 - amount, mixing);
    tl_transform_mix(mixed, &voices[0].parts[node], of_new, amount, mixing);
    layer->mixed.cover[node] = (uint8_t)(of_new | of_old);
}

/* What the layer shows as a whole. */
static const tl_pose *layer_pose(const trilo_player *player, tl_layer *layer)
{
    sample(player, layer, &layer->now, &player->voice[0]);
    if (layer->fade <= 0)
        return &player->voice[0];
    sample(player, layer, &layer->old, &player->voice[1]);
    const trilo_transform nothing = tl_transform_identity();
    for (uint32_t i = 0; i < player->model->node_count; i++)
        fade_node(layer, player->voice, i, layer->additive ? &nothing : &player->pose.parts[i], player->mixing);
    return &layer->mixed;
}

/* ---- layers ---- */

static double weight_at(const tl_layer *layer, uint32_t node)
{
    return layer->masked ? (double)layer->weight * layer->mask[node] : layer->weight;
}

static void mix_motion(trilo_player *player, const tl_layer *layer, const tl_pose *pose)
{
    const uint32_t root = player->opts.root_node;
    trilo_transform motion = layer->now.motion;
    if (!takes_root(player, layer) || pose->cover[root] == 0)
        return;
    if (layer->fade > 0) {
        motion = layer->old.motion;
        tl_transform_mix(&motion, &layer->now.motion, TL_COVER_ALL, tl_layer_fade(layer), player->mixing);
    }
    tl_transform_mix(&player->motion, &motion, TL_COVER_ALL, weight_at(layer, root), player->mixing);
}

static void mix_layer(trilo_player *player, tl_layer *layer)
{
    const tl_pose *pose = layer_pose(player, layer);
    for (uint32_t i = 0; i < player->model->node_count; i++) {
        const double weight = weight_at(layer, i);
        if (pose->cover[i] == 0 || weight <= 0)
            continue;
        player->pose.cover[i] |= pose->cover[i];
        (layer->additive ? tl_transform_add : tl_transform_mix)(&player->pose.parts[i], &pose->parts[i], pose->cover[i],
                                                                weight, player->mixing);
    }
    mix_motion(player, layer, pose);
}

/* The plain case: one clip as it is, straight into the result. */
static bool covers_all(const tl_layer *layer)
{
    return layer->weight == 1 && !layer->masked && !layer->additive && layer->fade <= 0;
}

void tl_player_mix(trilo_player *player)
{
    const uint32_t count = player->model->node_count;
    player->motion = tl_transform_identity();
    if (count == 0)
        return;
    memcpy(player->pose.parts, player->rest, count * sizeof *player->rest);
    memset(player->pose.cover, 0, count);
    for (uint32_t i = 0; i < player->layer_count; i++) {
        tl_layer *layer = &player->layers[i];
        if (layer->now.kind == TL_VOICE_NONE && layer->fade <= 0)
            continue;
        if (i == 0 && covers_all(layer)) {
            sample(player, layer, &layer->now, &player->pose);
            mix_motion(player, layer, &player->pose);
        } else {
            mix_layer(player, layer);
        }
    }
}
