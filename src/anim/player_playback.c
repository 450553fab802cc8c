/* Sampling a clip or a stream. */
#include "anim/player.h"
#include "anim/stream.h"
#include "base/strict_float.h"
#include "model/curve.h"

#include <math.h>
#include <string.h>

static bool are_finite(const float *values, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!isfinite(values[i]))
            return false;
    return true;
}

/* A value that is not finite is ignored: the layer below shows. */
static void set_channel_value(const tl_pose *pose, uint32_t node, trilo_target target, const float *value)
{
    const uint32_t width = trilo_target_width(target);
    if (!are_finite(value, width))
        return;
    memcpy(tl_transform_values(&pose->transforms[node], target), value, width * sizeof *value);
    pose->components[node] |= tl_transform_components(target);
}

static void sample_channel(const trilo_player *player, uint32_t clip, uint32_t number, double seconds, float value[4])
{
    const trilo_channel *channel = &player->model->clips[clip].channels[number];
    const tl_tiny3d_times *times = player->tiny3d_times ? &player->tiny3d_times[clip][number] : NULL;
    if (times && times->at)
        tl_tiny3d_sample(channel, times, (float)seconds, value);
    else
        trilo_channel_sample(channel, seconds, value);
}

void tl_playback_sample(const trilo_player *player, tl_playback *playback, const tl_layer *layer, const tl_pose *pose)
{
    const uint32_t count = player->model->node_count;
    if (count == 0)
        return;
    memset(pose->components, 0, count);
    if (playback->kind == TL_PLAYBACK_CLIP) {
        const trilo_clip *clip = &player->model->clips[playback->clip];
        for (uint32_t i = 0; i < clip->channel_count; i++) {
            const trilo_channel *channel = &clip->channels[i];
            float value[4];
            if (channel->key_count == 0)
                continue;
            sample_channel(player, playback->clip, i, playback->clock.shown, value);
            if (layer->additive)
                tl_transform_difference(channel->target, tl_channel_value(channel, 0), value);
            set_channel_value(pose, channel->node, channel->target, value);
        }
    } else if (playback->kind == TL_PLAYBACK_STREAM) {
        trilo_stream *stream = playback->stream;
        tl_stream_seek(stream, (float)playback->clock.shown);
        for (uint32_t i = 0; i < stream->channel_count; i++) {
            const tl_stream_channel *channel = &stream->channels[i];
            float value[4];
            if (!tl_stream_channel_value(stream, i, value) || channel->node >= player->model->node_count)
                continue;
            if (layer->additive)
                tl_transform_difference(channel->target, channel->first, value);
            set_channel_value(pose, channel->node, channel->target, value);
        }
    } else if (playback->kind == TL_PLAYBACK_FROZEN) {
        memcpy(pose->components, layer->frozen.components, count);
        memcpy(pose->transforms, layer->frozen.transforms, count * sizeof *pose->transforms);
    }
}

/* ---- a single node ---- */

/* As if the node were the only one of a pose. */
static void set_node_value(trilo_transform *transform, trilo_target target, const float *value)
{
    uint8_t components = 0;
    set_channel_value(&(tl_pose){transform, &components}, 0, target, value);
}

void tl_playback_node(const trilo_player *player, tl_playback *playback, uint32_t node, double seconds,
                      trilo_transform *transform)
{
    float value[4];
    if (playback->kind == TL_PLAYBACK_CLIP) {
        const trilo_clip *clip = &player->model->clips[playback->clip];
        for (uint32_t i = 0; i < clip->channel_count; i++) {
            if (clip->channels[i].node != node || clip->channels[i].key_count == 0)
                continue;
            sample_channel(player, playback->clip, i, seconds, value);
            set_node_value(transform, clip->channels[i].target, value);
        }
    } else if (playback->kind == TL_PLAYBACK_STREAM) {
        tl_stream_seek(playback->stream, (float)seconds);
        for (uint32_t i = 0; i < playback->stream->channel_count; i++)
            if (tl_stream_channel_value(playback->stream, i, value) && playback->stream->channels[i].node == node)
                set_node_value(transform, playback->stream->channels[i].target, value);
    }
}

void tl_playback_first(const trilo_player *player, const tl_playback *playback, uint32_t node,
                       trilo_transform *transform)
{
    if (playback->kind == TL_PLAYBACK_CLIP) {
        const trilo_clip *clip = &player->model->clips[playback->clip];
        for (uint32_t i = 0; i < clip->channel_count; i++)
            if (clip->channels[i].node == node && clip->channels[i].key_count > 0)
                set_node_value(transform, clip->channels[i].target, tl_channel_value(&clip->channels[i], 0));
    } else if (playback->kind == TL_PLAYBACK_STREAM) {
        for (uint32_t i = 0; i < playback->stream->channel_count; i++) {
            const tl_stream_channel *channel = &playback->stream->channels[i];
            if (channel->node == node && channel->seen > 0)
                set_node_value(transform, channel->target, channel->first);
        }
    }
}
