/* Clips: each becomes an animation whose channels move whole parts of a node.
 *
 * Times are 32-bit floats in seconds that rise from 0. An animation is as long as its last key, so the end of a longer
 * clip is held by a key. One that ends before its last key, as on the console, whose keys stand on ticks, says so in
 * extras, under "trilobite_duration". */
#include "formats/gltf/encode/encode.h"

#include "base/bytes.h"
#include "base/sort.h"
#include "base/vec.h"
#include "model/curve.h"
#include "model/target.h"

#include <float.h>
#include <inttypes.h>
#include <string.h>

/* --- keys --- */

static float time_of(double seconds)
{
    return seconds > 0 ? seconds < (double)FLT_MAX ? (float)seconds : FLT_MAX : 0;
}

bool tl_gltf_keys(gltf_encoder *e, gltf_clip *clip, const double *times, uint32_t count, gltf_key_list *out)
{
    uint32_t *from = tl_gltf_allocated(e, tl_array_raw(e->arena, (size_t)count + 1, sizeof *from));
    float *room = tl_gltf_room(e, (size_t)count + 1, sizeof *room);
    uint32_t n = 0;
    if (e->failed)
        return false;
    for (uint32_t k = 0; k < count; k++) {
        const float time = time_of(times[k]);
        const bool falls_together = n > 0 && time <= room[n - 1];
        clip->lost += falls_together || times[k] < 0;
        n -= falls_together; /* the later one stays */
        from[n] = k;
        room[n++] = time;
    }
    if (n > 0 && time_of(clip->until) > room[n - 1]) {
        from[n] = from[n - 1];
        room[n++] = time_of(clip->until);
    }
    clip->until = 0;
    *out = (gltf_key_list){n, from, tl_gltf_accessor_of(e, (gltf_numbers){GLTF_FOR_TIMES, GLTF_F32, n, 1})};
    return !e->failed;
}

void tl_gltf_put_channel(gltf_clip *clip, uint32_t input, uint32_t output, trilo_interpolation interpolation,
                         uint32_t node, const char *path)
{
    tl_json_writer *w = &clip->samplers;
    tl_json_open(w, '{');
    tl_gltf_put_index(w, "input", input);
    if (interpolation != TRILO_INTERPOLATION_LINEAR) {
        tl_json_key(w, "interpolation");
        tl_json_put_text(w, interpolation == TRILO_INTERPOLATION_STEP ? "STEP" : "CUBICSPLINE");
    }
    tl_gltf_put_index(w, "output", output);
    tl_json_close(w, '}');
    w = &clip->channels;
    tl_json_open(w, '{');
    tl_gltf_put_index(w, "sampler", clip->sampler_count++);
    tl_json_key(w, "target");
    tl_json_open(w, '{');
    tl_gltf_put_index(w, "node", node);
    tl_json_key(w, "path");
    tl_json_put_text(w, path);
    tl_json_close(w, '}');
    tl_json_close(w, '}');
}

/* --- channels --- */

/* A rotation has length 1. One that is not finite rests; what is left of it in x is told by who takes the numbers. */
static void store_value(const float *from, uint32_t width, float *to)
{
    memcpy(to, from, width * sizeof *to);
    if (width != 4)
        return;
    const float sum = from[0] + from[1] + from[2] + from[3];
    const trilo_quat q = tl_quat_normalize((trilo_quat){from[0], from[1], from[2], from[3]});
    to[0] = tl_is_finite(sum) ? q.x : sum;
    to[1] = q.y, to[2] = q.z, to[3] = q.w;
}

/* A key of a curve: the tangent before it, its value, the tangent behind it. What is held has level tangents. */
static void store_curve_key(const trilo_channel *channel, const gltf_key_list *keys, uint32_t k, uint32_t width,
                            float *to)
{
    const float *from = channel->values + (size_t)keys->from[k] * 3 * width;
    const bool holds = k > 0 && keys->from[k] == keys->from[k - 1];
    const bool held = k + 1 < keys->count && keys->from[k] == keys->from[k + 1];
    memcpy(to, from, 3 * width * sizeof *to);
    store_value(from + width, width, to + width);
    for (uint32_t i = 0; i < width; i++) {
        to[i] = holds ? 0 : to[i];
        to[2 * width + i] = held || holds ? 0 : to[2 * width + i];
    }
}

static uint32_t store_values(gltf_encoder *e, const trilo_channel *channel, const gltf_key_list *keys, bool curve)
{
    const uint32_t width = trilo_target_width(channel->target), values = curve ? 3 : 1;
    float *out = tl_gltf_room(e, keys->count, (size_t)width * values * sizeof *out);
    for (uint32_t k = 0; out && k < keys->count; k++)
        if (curve)
            store_curve_key(channel, keys, k, width, out + (size_t)k * 3 * width);
        else
            store_value(tl_channel_value(channel, keys->from[k]), width, out + (size_t)k * width);
    for (size_t i = 0; out && channel->target == TRILO_TARGET_TRANSLATION && i < (size_t)keys->count * width * values;
         i++)
        out[i] *= e->meter;
    if ((uint64_t)keys->count * values > UINT32_MAX)
        e->failed = true;
    return tl_gltf_accessor_of(e, (gltf_numbers){GLTF_FOR_NUMBERS, GLTF_F32, keys->count * values, width});
}

static void put_whole(gltf_encoder *e, gltf_clip *clip, const trilo_channel *channel)
{
    static const char *const paths[] = {"translation", "rotation", "scale"};
    gltf_key_list keys;
    if (channel->key_count == 0 || !tl_gltf_keys(e, clip, channel->times, channel->key_count, &keys))
        return;
    const bool curve =
        channel->interpolation == TRILO_INTERPOLATION_CUBIC && keys.count > 1; /* one key makes no curve */
    const trilo_interpolation interpolation = channel->interpolation == TRILO_INTERPOLATION_CUBIC && !curve
                                                  ? TRILO_INTERPOLATION_STEP
                                                  : channel->interpolation;
    tl_gltf_put_channel(clip, keys.times, store_values(e, channel, &keys, curve), interpolation, channel->node,
                        paths[channel->target]);
}

static int64_t part_key(const void *rows, uint32_t row)
{
    const trilo_channel *channel = (const trilo_channel *)rows + row;
    return (int64_t)channel->node * TRILO_TARGET_COUNT + tl_target_whole(channel->target);
}

/* Channels of one part of one node: a whole one alone, or up to three axes. */
static void put_part(gltf_encoder *e, gltf_clip *clip, const trilo_channel *channels, const uint32_t *rows,
                     uint32_t count)
{
    const trilo_channel *axes[3] = {NULL, NULL, NULL}, *first = &channels[rows[0]];
    trilo_channel merged = *first;
    if (first->target == tl_target_whole(first->target)) {
        put_whole(e, clip, first);
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        axes[tl_target_axis(channels[rows[i]].target)] = &channels[rows[i]];
    if (!tl_channel_merge(e->arena, &e->model->nodes[first->node], axes, &merged))
        e->failed = true;
    else
        put_whole(e, clip, &merged);
}

static void put_channels(gltf_encoder *e, gltf_clip *clip, const trilo_clip *from)
{
    uint32_t *order = tl_gltf_allocated(e, TL_ARRAY(e->arena, from->channel_count, uint32_t));
    if (!order)
        return;
    tl_sort_rows(order, from->channel_count, part_key, from->channels);
    for (uint32_t i = 0, end; i < from->channel_count && !e->failed; i = end) {
        for (end = i + 1; end < from->channel_count; end++)
            if (part_key(from->channels, order[end]) != part_key(from->channels, order[i]))
                break;
        put_part(e, clip, from->channels, order + i, end - i);
    }
}

/* --- clips --- */

static double last_key(const trilo_clip *clip)
{
    double last = 0;
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        const trilo_channel *c = &clip->channels[i];
        if (c->key_count > 0 && c->times[c->key_count - 1] > last)
            last = c->times[c->key_count - 1];
    }
    for (uint32_t i = 0; i < clip->track_count; i++) {
        const trilo_track *t = &clip->tracks[i];
        if (t->frame_count > 0 && t->frames[t->frame_count - 1].time > last)
            last = t->frames[t->frame_count - 1].time;
    }
    return last;
}

static void report(gltf_encoder *e, const gltf_clip *clip)
{
    if (clip->lost > 0)
        tl_report_finding(
            e->losses, gltf_rule(GLTF_R_ENC_KEYS), TRILO_NOWHERE,
            "%" PRIu32 " keys are before 0 or coincide with another one, only the last of each is written", clip->lost);
    if (clip->sampler_count == 0)
        tl_report_finding(e->losses, gltf_rule(GLTF_R_ENC_KEYS), TRILO_NOWHERE,
                          "the clip has no keys, so it is not written");
}

static void put_animation(gltf_encoder *e, const gltf_clip *clip, trilo_str name)
{
    uint32_t index = 0;
    tl_json_writer *w = tl_gltf_begin(e, GLTF_ANIMATIONS, &index);
    tl_gltf_put_name(w, name);
    tl_json_key(w, "samplers");
    tl_json_open(w, '[');
    tl_json_append(w, clip->samplers.text, clip->samplers.size);
    tl_json_close(w, ']');
    tl_json_key(w, "channels");
    tl_json_open(w, '[');
    tl_json_append(w, clip->channels.text, clip->channels.size);
    tl_json_close(w, ']');
    if (clip->ends > 0 && !e->opts->gltf.plain) {
        tl_json_key(w, "extras");
        tl_json_open(w, '{');
        tl_json_key(w, "trilobite_duration");
        tl_json_put_double(w, clip->ends);
        tl_json_close(w, '}');
    }
    tl_json_close(w, '}');
    e->failed = e->failed || clip->samplers.failed || clip->channels.failed;
}

static void encode_clip(gltf_encoder *e, const trilo_clip *from)
{
    gltf_clip clip = {.samplers = tl_json_writer_in(e->arena), .channels = tl_json_writer_in(e->arena)};
    const float last = time_of(last_key(from));
    if (time_of(from->duration) > last)
        clip.until = from->duration;
    else if (time_of(from->duration) < last)
        clip.ends = from->duration;
    put_channels(e, &clip, from);
    for (uint32_t i = 0; i < from->track_count && !e->failed; i++)
        tl_gltf_put_track(e, &clip, &from->tracks[i]);
    report(e, &clip);
    if (clip.sampler_count > 0)
        put_animation(e, &clip, from->name);
}

void tl_gltf_encode_clips(gltf_encoder *e)
{
    for (uint32_t i = 0; i < e->model->clip_count && !e->failed; i++) {
        tl_path_push(&e->losses->path, "clips", i);
        encode_clip(e, &e->model->clips[i]);
        tl_path_pop(&e->losses->path);
    }
}
