/* Cutting a range of time out of a clip. */
#include "anim/clip_edit.h"
#include "base/strict_float.h"

#include "model/curve.h"

#include <string.h>

/* ---- channels ---- */

/* Keys that stay as they are, and whether a sampled one is needed before or after them. */
typedef struct kept_keys {
    uint32_t low, high;
    bool start, end;
} kept_keys;

/* The first key at or after a time. */
static uint32_t first_key_from(const trilo_channel *c, double seconds)
{
    uint32_t low = 0, high = c->key_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        low = c->times[middle] < seconds ? middle + 1 : low;
        high = c->times[middle] < seconds ? high : middle;
    }
    return low;
}

/* The derivative of a cubic Hermite curve; 0 beyond its ends. */
static void hermite_slope(const trilo_channel *c, double seconds, float *out)
{
    const uint32_t width = trilo_target_width(c->target);
    const uint32_t next = first_key_from(c, seconds);
    memset(out, 0, width * sizeof *out);
    if (next == 0 || next >= c->key_count)
        return;
    const float *a = tl_channel_value(c, next - 1), *b = tl_channel_value(c, next);
    const double start = c->times[next - 1], length = c->times[next] - start, t = (seconds - start) / length;
    for (uint32_t i = 0; i < width; i++)
        out[i] = (float)(6 * t * (1 - t) * ((double)b[i] - a[i]) / length + (3 * t * t - 4 * t + 1) * a[width + i] +
                         (3 * t * t - 2 * t) * (b - width)[i]);
}

typedef struct key_writer {
    double from;
    uint32_t stride, count;
    double *times;
    float *values;
} key_writer;

static void write_key(key_writer *w, double seconds, const float *values)
{
    const double time = seconds > w->from ? seconds - w->from : 0;
    if (w->count > 0 && !(time > w->times[w->count - 1]))
        return; /* rounding */
    w->times[w->count] = time;
    memcpy(w->values + (size_t)w->count++ * w->stride, values, w->stride * sizeof *values);
}

/* With the tangents of the curve. */
static void write_sampled_key(key_writer *w, const trilo_channel *c, double seconds)
{
    const uint32_t width = trilo_target_width(c->target);
    float key[12];
    if (c->interpolation == TRILO_INTERPOLATION_CUBIC) {
        hermite_slope(c, seconds, key);
        trilo_channel_sample(c, seconds, key + width);
        memcpy(key + 2 * (size_t)width, key, width * sizeof *key);
    } else
        trilo_channel_sample(c, seconds, key);
    write_key(w, seconds, key);
}

/* A cubic curve of rotations is normalized between keys, which the tangents of a part cannot reproduce: it is made
 * linear. */
static bool cut_channel(tl_arena *arena, const tl_cut *cut, trilo_channel *channel)
{
    trilo_channel from = *channel;
    if (from.key_count == 0)
        return true;
    if (from.target == TRILO_TARGET_ROTATION && from.interpolation == TRILO_INTERPOLATION_CUBIC &&
        !tl_channel_linear(arena, channel, TL_CURVE_RATE, &from))
        return false;
    const uint32_t count = from.key_count;
    const bool step = from.interpolation == TRILO_INTERPOLATION_STEP;
    kept_keys k = {first_key_from(&from, cut->from), first_key_from(&from, cut->to), false, false};
    if (k.high < count && from.times[k.high] == cut->to && (!step || cut->last))
        k.high++;
    k.high = k.high > k.low ? k.high : k.low;
    k.start = k.low > 0 && !(k.low < count && from.times[k.low] == cut->from);
    k.end = k.high < count && !step && !(k.high > k.low && from.times[k.high - 1] == cut->to) && cut->to > cut->from;
    k.start = k.start || (!k.end && k.low == k.high); /* a range without a key would show the rest pose */
    key_writer w = {.from = cut->from, .stride = tl_channel_stride(&from)};
    *channel = from;
    if (!tl_channel_make_room(arena, (size_t)(k.high - k.low) + 2, channel, &w.times, &w.values))
        return false;
    if (k.start)
        write_sampled_key(&w, &from, cut->from);
    for (uint32_t i = k.low; i < k.high; i++)
        write_key(&w, from.times[i], from.values + (size_t)i * w.stride);
    if (k.end)
        write_sampled_key(&w, &from, cut->to);
    if (k.start || k.end)
        channel->step = channel->base = 0;
    channel->key_count = w.count;
    return true;
}

/* ---- frames ---- */

/* The frame at a time. One that is not blended is shared. */
static bool cut_frame(tl_arena *arena, const trilo_model *model, const tl_cut *cut, const trilo_track *track,
                      double seconds, trilo_frame *out)
{
    const uint32_t vertices = model->meshes[track->mesh].vertex_count;
    const trilo_frame_at at = trilo_track_at(track, model->clips[cut->clip].duration, seconds, TRILO_FRAME_MODE_BLEND);
    *out = track->frames[at.weight == 1 ? at.next : at.frame];
    if (at.weight == 0 || at.weight == 1)
        return true;
    const bool has_normals = out->normals || track->frames[at.next].normals; /* or else they are those of the mesh */
    float(*positions)[3] = tl_array_raw(arena, vertices, sizeof *positions), (*normals)[3] = NULL;
    if (has_normals)
        normals = tl_array_raw(arena, vertices, sizeof *normals);
    if (!positions || (has_normals && !normals))
        return false;
    trilo_pose_frame(model, track->mesh, cut->clip, seconds, TRILO_FRAME_MODE_BLEND, positions, normals);
    out->positions = (const float(*)[3])positions;
    out->normals = (const float(*)[3])normals;
    return true;
}

static bool cut_track(tl_arena *arena, const trilo_model *model, const tl_cut *cut, trilo_track *track)
{
    const trilo_track from = *track;
    trilo_frame *frames = tl_array_raw(arena, (size_t)from.frame_count + 2, sizeof *frames);
    uint32_t count = 1;
    if (!frames || !cut_frame(arena, model, cut, &from, cut->from, &frames[0]))
        return false;
    frames[0].time = 0;
    for (uint32_t i = 0; i < from.frame_count; i++) {
        const double time = from.frames[i].time - cut->from;
        if (!(time > frames[count - 1].time) || from.frames[i].time > cut->to)
            continue;
        frames[count] = from.frames[i];
        frames[count++].time = time;
    }
    const double length = cut->to - cut->from, last = from.frames[from.frame_count - 1].time;
    if (!from.held && cut->to < last && length > frames[count - 1].time) {
        if (!cut_frame(arena, model, cut, &from, cut->to, &frames[count]))
            return false;
        frames[count++].time = length;
    }
    track->frames = frames;
    track->frame_count = count;
    return true;
}

/* ---- both ---- */

bool tl_clip_cut(tl_arena *arena, const trilo_model *model, const tl_cut *cut, trilo_clip *out)
{
    const trilo_clip *from = &model->clips[cut->clip];
    trilo_channel *channels = tl_bytes_copy(arena, from->channels, from->channel_count * sizeof *channels);
    trilo_track *tracks = tl_bytes_copy(arena, from->tracks, from->track_count * sizeof *tracks);
    bool ok = channels && tracks;
    for (uint32_t i = 0; ok && i < from->channel_count; i++)
        ok = cut_channel(arena, cut, &channels[i]);
    for (uint32_t i = 0; ok && i < from->track_count; i++)
        ok = cut_track(arena, model, cut, &tracks[i]);
    *out = *from;
    out->duration = cut->to - cut->from;
    out->channels = channels;
    out->tracks = tracks;
    return ok;
}
