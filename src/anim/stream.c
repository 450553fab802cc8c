#include "anim/stream.h"
#include "base/strict_float.h"

#include "anim/tiny3d_sample.h"

#include <string.h>

void tl_stream_seek(trilo_stream *stream, float seconds)
{
    if (seconds < stream->time) {
        for (uint32_t i = 0; i < stream->channel_count; i++) {
            stream->channels[i].seen = 0;
            stream->channels[i].start = stream->channels[i].end = 0;
        }
        stream->ended = !stream->rewind(stream->source);
        stream->ok = stream->ok && !stream->ended;
    }
    stream->time = seconds;
}

/* The next key becomes the one before, the new key the next. */
static void shift_key(tl_stream_channel *channel, const tl_stream_key *key)
{
    channel->start = channel->end;
    channel->end += (float)key->ticks * TL_TINY3D_TICK;
    memcpy(channel->from, channel->to, sizeof channel->from);
    memcpy(channel->to, key->value, sizeof channel->to);
    if (channel->seen == 0)
        memcpy(channel->first, key->value, sizeof channel->first);
    if (channel->seen < 2)
        channel->seen++;
}

static bool read_next_key(trilo_stream *stream)
{
    tl_stream_key key;
    if (stream->ended || !stream->next(stream->source, &key, &stream->ok)) {
        stream->ended = true;
        return false;
    }
    if (key.channel < stream->channel_count)
        shift_key(&stream->channels[key.channel], &key);
    return true;
}

bool tl_stream_channel_value(trilo_stream *stream, uint32_t number, float value[4])
{
    tl_stream_channel *channel = &stream->channels[number];
    while (stream->time >= channel->end && read_next_key(stream)) {
    }
    const tl_tiny3d_span span = {channel->start, channel->end, channel->from, channel->to};
    if (channel->seen < 2) /* the first key is held before its time */
        memcpy(value, channel->to, sizeof channel->to);
    else
        tl_tiny3d_between(&span, channel->target, stream->time, value);
    return channel->seen > 0;
}

bool trilo_stream_ok(const trilo_stream *stream)
{
    return stream->ok;
}

void trilo_stream_free(trilo_stream *stream)
{
    if (stream)
        tl_arena_free(&stream->arena);
}
