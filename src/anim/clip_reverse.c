/* Reversing clips in time. */
#include "anim/clip_edit.h"
#include "base/strict_float.h"

#include "model/curve.h"

#include <string.h>

/* The tangents of a cubic key swap and change their sign. */
static void write_reversed_key(const trilo_channel *c, uint32_t key, float *to)
{
    const uint32_t width = trilo_target_width(c->target), stride = tl_channel_stride(c);
    const float *from = c->values + (size_t)key * stride;
    if (c->interpolation != TRILO_INTERPOLATION_CUBIC) {
        memcpy(to, from, stride * sizeof *to);
        return;
    }
    for (uint32_t i = 0; i < width; i++) {
        to[i] = -from[2 * width + i];
        to[width + i] = from[width + i];
        to[2 * width + i] = -from[i];
    }
}

static void reverse_keys(const trilo_channel *c, double duration, double *times, float *values)
{
    const uint32_t stride = tl_channel_stride(c);
    for (uint32_t k = 0; k < c->key_count; k++) {
        times[k] = duration - c->times[c->key_count - 1 - k];
        write_reversed_key(c, c->key_count - 1 - k, values + (size_t)k * stride);
    }
}

/* A step holds its value up to the next key; backwards, the value begins at that key's time. */
static uint32_t reverse_steps(const trilo_channel *c, double duration, double *times, float *values)
{
    const uint32_t stride = tl_channel_stride(c), last = c->key_count - 1;
    uint32_t count = 0;
    for (uint32_t k = 0; k <= last; k++) {
        const double time = k == 0 ? 0 : duration - c->times[last - k + 1];
        if (k == 0 && last > 0 && !(duration - c->times[last] > 0))
            continue; /* it showed only at the very end */
        times[count] = time;
        memcpy(values + (size_t)count++ * stride, c->values + (size_t)(last - k) * stride, stride * sizeof *values);
    }
    return count;
}

static bool reverse_channel(tl_arena *arena, double duration, trilo_channel *channel)
{
    const trilo_channel from = *channel;
    double *times;
    float *values;
    if (from.key_count == 0)
        return true;
    if (!tl_channel_make_room(arena, from.key_count, channel, &times, &values))
        return false;
    if (from.interpolation == TRILO_INTERPOLATION_STEP)
        channel->key_count = reverse_steps(&from, duration, times, values);
    else
        reverse_keys(&from, duration, times, values);
    return true;
}

static bool reverse_track(tl_arena *arena, double duration, trilo_track *track)
{
    const trilo_track from = *track;
    const uint32_t last = from.frame_count - 1;
    trilo_frame *frames = tl_array_raw(arena, from.frame_count, sizeof *frames);
    uint32_t count = 0;
    for (uint32_t k = 0; frames && k <= last; k++) {
        const trilo_frame *frame = &from.frames[last - k];
        const double held = k == 0 ? 0 : duration - from.frames[last - k + 1].time;
        if (from.held && k == 0 && last > 0 && !(duration - frame->time > 0))
            continue;
        frames[count] = *frame;
        frames[count++].time = from.held ? held : duration - frame->time;
    }
    track->frames = frames;
    track->frame_count = count;
    return frames != NULL;
}

bool tl_clip_reverse(tl_arena *arena, trilo_clip *clip)
{
    trilo_channel *channels = tl_bytes_copy(arena, clip->channels, clip->channel_count * sizeof *channels);
    trilo_track *tracks = tl_bytes_copy(arena, clip->tracks, clip->track_count * sizeof *tracks);
    bool ok = channels && tracks;
    for (uint32_t i = 0; ok && i < clip->channel_count; i++)
        ok = reverse_channel(arena, clip->duration, &channels[i]);
    for (uint32_t i = 0; ok && i < clip->track_count; i++)
        ok = reverse_track(arena, clip->duration, &tracks[i]);
    clip->channels = channels;
    clip->tracks = tracks;
    return ok;
}
