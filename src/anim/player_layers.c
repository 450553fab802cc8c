/* Layers: what they play, and their settings. */
#include "anim/player.h"
#include "base/opts.h"
#include "base/strict_float.h"

#include <math.h>
#include <string.h>

tl_layer *tl_player_layer(const trilo_player *player, uint32_t layer)
{
    return layer < player->layer_count ? &player->layers[layer] : NULL;
}

double tl_layer_fade(const tl_layer *layer)
{
    return layer->faded < layer->fade ? layer->faded / layer->fade : 1;
}

/* ---- beginning ---- */

/* What was played begins to fade out. A crossfade that is interrupted is frozen as it is now. */
static void begin_crossfade(trilo_player *player, tl_layer *layer, double seconds)
{
    const uint32_t count = player->model->node_count;
    if (!(seconds > 0)) {
        layer->old = (tl_playback){.kind = TL_PLAYBACK_NONE};
        layer->fade = 0;
        return;
    }
    if (tl_layer_fade(layer) >= 1) {
        layer->old = layer->now;
    } else if (layer->faded > 0) {
        layer->old = (tl_playback){.kind = TL_PLAYBACK_FROZEN};
        if (count > 0) {
            memcpy(layer->frozen.transforms, layer->blended.transforms, count * sizeof *layer->blended.transforms);
            memcpy(layer->frozen.components, layer->blended.components, count);
        }
    } /* else the new one has not been seen yet */
    layer->fade = seconds;
    layer->faded = 0;
}

static tl_clock make_clock(double duration, const trilo_play_opts *how, bool tiny3d)
{
    tl_clock clock = {.duration = duration > 0 && isfinite(duration) ? duration : 0, .tiny3d = tiny3d};
    clock.speed = tl_clock_number(how->speed) != 0 ? how->speed : 1;
    clock.once = how->once;
    clock.paused = how->paused;
    tl_clock_seek(&clock, clock.speed < 0 && how->start == 0 ? clock.duration : how->start);
    return clock;
}

static void start_playback(trilo_player *player, tl_layer *layer, const tl_playback *playback,
                           const trilo_play_opts *how)
{
    begin_crossfade(player, layer, tl_clock_number(how->fade));
    layer->now = *playback;
}

bool trilo_player_play(trilo_player *player, uint32_t number, uint32_t clip, const trilo_play_opts *how)
{
    trilo_play_opts own;
    tl_layer *layer = tl_player_layer(player, number);
    if (!layer || !TL_OPTS_TAKE(&own, how, NULL) || (clip != TRILO_NONE && clip >= player->model->clip_count))
        return false;
    tl_playback playback = {.kind = TL_PLAYBACK_NONE, .clip = TRILO_NONE};
    if (clip != TRILO_NONE) {
        playback = (tl_playback){.kind = TL_PLAYBACK_CLIP, .clip = clip};
        playback.clock = make_clock(player->model->clips[clip].duration, &own, player->tiny3d_times != NULL);
    }
    start_playback(player, layer, &playback, &own);
    return true;
}

bool trilo_player_play_stream(trilo_player *player, uint32_t number, trilo_stream *stream, const trilo_play_opts *how)
{
    trilo_play_opts own;
    tl_layer *layer = tl_player_layer(player, number);
    if (!layer || !stream || !TL_OPTS_TAKE(&own, how, NULL))
        return false;
    tl_playback playback = {.kind = TL_PLAYBACK_STREAM, .clip = TRILO_NONE, .stream = stream};
    playback.clock = make_clock(stream->duration, &own, true);
    start_playback(player, layer, &playback, &own);
    return true;
}

/* ---- settings ---- */

void trilo_player_pause(trilo_player *player, uint32_t number, bool paused)
{
    tl_layer *layer = tl_player_layer(player, number);
    if (layer)
        layer->now.clock.paused = paused;
}

void trilo_player_set_once(trilo_player *player, uint32_t number, bool once)
{
    tl_layer *layer = tl_player_layer(player, number);
    if (!layer)
        return;
    layer->now.clock.once = once;
    layer->now.clock.finished = layer->now.clock.finished && once;
}

void trilo_player_set_speed(trilo_player *player, uint32_t number, double speed)
{
    tl_layer *layer = tl_player_layer(player, number);
    if (!layer)
        return;
    const double was = layer->now.clock.speed, is = tl_clock_number(speed);
    layer->now.clock.speed = is;
    if ((was < 0) != (is < 0)) /* at its end it can go back */
        layer->now.clock.finished = false;
}

void trilo_player_seek(trilo_player *player, uint32_t number, double seconds)
{
    tl_layer *layer = tl_player_layer(player, number);
    if (!layer)
        return;
    tl_clock_seek(&layer->now.clock, seconds);
    layer->now.begun = false;
    layer->now.root_known = false; /* a jump is not motion */
}

static float clamp_weight(float weight)
{
    return weight > 0 ? weight < 1 ? weight : 1 : 0;
}

void trilo_player_set_weight(trilo_player *player, uint32_t number, float weight)
{
    tl_layer *layer = tl_player_layer(player, number);
    if (layer)
        layer->weight = clamp_weight(weight);
}

static bool alloc_mask(trilo_player *player, tl_layer *layer)
{
    if (!layer->mask)
        layer->mask = TL_ARRAY(&player->arena, player->model->node_count, float);
    layer->masked = layer->mask != NULL;
    return layer->masked;
}

bool trilo_player_set_mask(trilo_player *player, uint32_t number, const float *weights)
{
    tl_layer *layer = tl_player_layer(player, number);
    if (layer && !weights) {
        layer->masked = false;
        return true;
    }
    if (!layer || !alloc_mask(player, layer))
        return false;
    for (uint32_t i = 0; i < player->model->node_count; i++)
        layer->mask[i] = clamp_weight(weights[i]);
    return true;
}

bool trilo_player_mask_branch(trilo_player *player, uint32_t number, uint32_t node, float inside, float outside)
{
    const trilo_model *model = player->model;
    tl_layer *layer = tl_player_layer(player, number);
    if (!layer || node >= model->node_count || !alloc_mask(player, layer))
        return false;
    for (uint32_t i = 0; i < model->node_count; i++) { /* parents come first, so weights are inherited */
        const uint32_t parent = model->nodes[i].parent;
        layer->mask[i] = i == node              ? clamp_weight(inside)
                         : parent == TRILO_NONE ? clamp_weight(outside)
                                                : layer->mask[parent];
    }
    return true;
}

void trilo_player_set_additive(trilo_player *player, uint32_t number, bool additive)
{
    tl_layer *layer = tl_player_layer(player, number);
    if (!layer || layer->additive == additive)
        return;
    layer->additive = additive;
    layer->fade = 0; /* what is blended so far is of the other kind */
    layer->old = (tl_playback){.kind = TL_PLAYBACK_NONE};
}

/* ---- queries ---- */

uint32_t trilo_player_clip(const trilo_player *player, uint32_t number)
{
    const tl_layer *layer = tl_player_layer(player, number);
    return layer && layer->now.kind == TL_PLAYBACK_CLIP ? layer->now.clip : TRILO_NONE;
}

double trilo_player_time(const trilo_player *player, uint32_t number)
{
    const tl_layer *layer = tl_player_layer(player, number);
    return layer ? layer->now.clock.time : 0;
}

bool trilo_player_finished(const trilo_player *player, uint32_t number)
{
    const tl_layer *layer = tl_player_layer(player, number);
    return layer && layer->now.clock.finished;
}
