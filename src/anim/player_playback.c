/* What a clip or a stream shows at a moment. */
#include "anim/player.h"
#include "anim/stream.h"
#include "model/curve.h"

#include <math.h>
#include <string.h>

static bool all_finite(const float *values, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!isfinite(values[i]))
            return false;
    return true;
}

/* A value that is no number is passed over: what lies below shows. */
static void put(const tl_pose *pose, uint32_t node, trilo_target target, const float *value)
{
    const uint32_t width = trilo_target_width(target);
    if (!all_finite(value, width))
        return;
    memcpy(tl_transform_place(&pose->parts[node], target), value, width * sizeof *value);
    pose->cover[node] |= tl_transform_cover(target);
}

static void channel_value(const trilo_player *player, uint32_t clip, uint32_t number, double seconds, float value[4])
{
    const trilo_channel *channel = &player->model->clips[clip].channels[number];
    const tl_tiny3d_times *times = player->exact ? &player->exact[clip][number] : NULL;
    if (times && times->at)
        tl_tiny3d_sample(channel, times, (float)seconds, value);
    else
        trilo_channel_sample(channel, seconds, value);
}

static void sample_clip(const trilo_player *player, const tl_playback *voice, bool additive, const tl_pose *pose)
{
    const trilo_clip *clip = &player->model->clips[voice->clip];
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        const trilo_channel *channel = &clip->channels[i];
        float value[4];
        if (channel->key_count == 0)
            continue; /* says nothing */
        channel_value(player, voice->clip, i, voice->clock.shown, value);
        if (additive)
            tl_transform_difference(channel->target, tl_channel_value(channel, 0), value);
        put(pose, channel->node, channel->target, value);
    }
}

static void sample_stream(const trilo_player *player, const tl_playback *voice, bool additive, const tl_pose *pose)
{
    trilo_stream *stream = voice->stream;
    tl_stream_go(stream, (float)voice->clock.shown);
    for (uint32_t i = 0; i < stream->channel_count; i++) {
        const tl_stream_channel *channel = &stream->channels[i];
        float value[4];
        if (!tl_stream_channel_value(stream, i, value) || channel->node >= player->model->node_count)
            continue;
        if (additive)
            tl_transform_difference(channel->target, channel->first, value);
        put(pose, channel->node, channel->target, value);
    }
}

void tl_playback_sample(const trilo_player *player, tl_playback *voice, const tl_layer *layer, const tl_pose *pose)
{
    const uint32_t count = player->model->node_count;
    if (count == 0)
        return;
    memset(pose->cover, 0, count);
    if (voice->kind == TL_VOICE_CLIP)
        sample_clip(player, voice, layer->additive, pose);
    else if (voice->kind == TL_VOICE_STREAM)
        sample_stream(player, voice, layer->additive, pose);
    else if (voice->kind == TL_VOICE_FROZEN) {
        memcpy(pose->cover, layer->frozen.cover, count);
        memcpy(pose->parts, layer->frozen.parts, count * sizeof *pose->parts);
    }
}

/* ---- a single node ---- */

/* The places of one node as if it were the only one. */
static void put_node(trilo_transform *parts, trilo_target target, const float *value)
{
    uint8_t cover = 0;
    put(&(tl_pose){parts, &cover}, 0, target, value);
}

void tl_playback_node(const trilo_player *player, tl_playback *voice, uint32_t node, double seconds,
                      trilo_transform *parts)
{
    float value[4];
    if (voice->kind == TL_VOICE_CLIP) {
        const trilo_clip *clip = &player->model->clips[voice->clip];
        for (uint32_t i = 0; i < clip->channel_count; i++) {
            if (clip->channels[i].node != node || clip->channels[i].key_count == 0)
                continue;
            channel_value(player, voice->clip, i, seconds, value);
            put_node(parts, clip->channels[i].target, value);
        }
    } else if (voice->kind == TL_VOICE_STREAM) {
        tl_stream_go(voice->stream, (float)seconds);
        for (uint32_t i = 0; i < voice->stream->channel_count; i++)
            if (tl_stream_channel_value(voice->stream, i, value) && voice->stream->channels[i].node == node)
                put_node(parts, voice->stream->channels[i].target, value);
    }
}

void tl_playback_first(const trilo_player *player, const tl_playback *voice, uint32_t node, trilo_transform *parts)
{
    if (voice->kind == TL_VOICE_CLIP) {
        const trilo_clip *clip = &player->model->clips[voice->clip];
        for (uint32_t i = 0; i < clip->channel_count; i++)
            if (clip->channels[i].node == node && clip->channels[i].key_count > 0)
                put_node(parts, clip->channels[i].target, tl_channel_value(&clip->channels[i], 0));
    } else if (voice->kind == TL_VOICE_STREAM) {
        for (uint32_t i = 0; i < voice->stream->channel_count; i++) {
            const tl_stream_channel *channel = &voice->stream->channels[i];
            if (channel->node == node && channel->seen > 0)
                put_node(parts, channel->target, channel->first);
        }
    }
}
