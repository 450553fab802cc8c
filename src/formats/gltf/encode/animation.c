/* Clips: each becomes an animation.
 *
 * Keyframe times are 32-bit floats in seconds that increase from 0 on. An animation ends with its last keyframe: a
 * longer clip gets one more keyframe at its end. A clip that ends before its last keyframe, as T3DM has them, says so
 * in extras.trilobite_duration. */
#include "base/strict_float.h"
#include "formats/gltf/encode/encode.h"

#include "base/bytes.h"
#include "base/sort.h"
#include "base/vec.h"
#include "model/curve.h"
#include "model/target.h"

#include <float.h>
#include <inttypes.h>

/* --- keyframes --- */

static float gltf_key_time(double seconds)
{
    return seconds > 0 ? seconds < (double)FLT_MAX ? (float)seconds : FLT_MAX : 0;
}

/* Of keys that round to the same time the last is kept. */
bool tl_gltf_add_times(gltf_encoder *e, gltf_animation *animation, const double *times, uint32_t count,
                       gltf_key_times *out)
{
    uint32_t *from = tl_gltf_allocated(e, tl_array_raw(e->arena, (size_t)count + 1, sizeof *from));
    float *data = tl_gltf_data_begin(e, (size_t)count + 1, sizeof *data);
    uint32_t n = 0;
    if (e->failed)
        return false;
    for (uint32_t k = 0; k < count; k++) {
        const float time = gltf_key_time(times[k]);
        const bool coincides = n > 0 && time <= data[n - 1];
        animation->lost_keys += coincides || times[k] < 0;
        n -= coincides;
        from[n] = k;
        data[n++] = time;
    }
    const float extend_to = gltf_key_time(animation->extend_to);
    if (n > 0 && extend_to > data[n - 1]) {
        from[n] = from[n - 1];
        data[n++] = extend_to;
    }
    animation->extend_to = 0;
    *out = (gltf_key_times){n, from, tl_gltf_add_accessor(e, (gltf_data_type){GLTF_USAGE_TIMES, GLTF_F32, n, 1})};
    return !e->failed;
}

void tl_gltf_put_channel(gltf_animation *animation, uint32_t input, uint32_t output, trilo_interpolation interpolation,
                         uint32_t node, const char *path)
{
    tl_json_writer *w = &animation->samplers;
    tl_json_open(w, '{');
    tl_gltf_put_index(w, "input", input);
    if (interpolation != TRILO_INTERPOLATION_LINEAR) {
        tl_json_key(w, "interpolation");
        tl_json_put_text(w, interpolation == TRILO_INTERPOLATION_STEP ? "STEP" : "CUBICSPLINE");
    }
    tl_gltf_put_index(w, "output", output);
    tl_json_close(w, '}');
    w = &animation->channels;
    tl_json_open(w, '{');
    tl_gltf_put_index(w, "sampler", animation->sampler_count++);
    tl_json_key(w, "target");
    tl_json_open(w, '{');
    tl_gltf_put_index(w, "node", node);
    tl_json_key(w, "path");
    tl_json_put_text(w, path);
    tl_json_close(w, '}');
    tl_json_close(w, '}');
}

/* --- channels --- */

/* Quaternions are normalized. Of one that is not finite, x stays so: adding the accessor then reports it, and writes
 * the identity. */
static void gltf_copy_key_value(const float *from, uint32_t width, float *to)
{
    memcpy(to, from, width * sizeof *to);
    if (width != 4)
        return;
    const float sum = from[0] + from[1] + from[2] + from[3];
    const trilo_quat q = tl_quat_normalize((trilo_quat){from[0], from[1], from[2], from[3]});
    to[0] = tl_is_finite(sum) ? q.x : sum;
    to[1] = q.y, to[2] = q.z, to[3] = q.w;
}

/* A cubic keyframe is in-tangent, value, out-tangent. Between a keyframe and its repetition the tangents are 0. */
static uint32_t gltf_encode_key_values(gltf_encoder *e, const trilo_channel *channel, const gltf_key_times *keys,
                                       bool cubic)
{
    const uint32_t width = trilo_target_width(channel->target), values = cubic ? 3 : 1;
    float *out = tl_gltf_data_begin(e, keys->count, (size_t)width * values * sizeof *out);
    for (uint32_t k = 0; out && k < keys->count; k++) {
        float *to = out + (size_t)k * values * width;
        if (!cubic) {
            gltf_copy_key_value(tl_channel_value(channel, keys->from[k]), width, to);
            continue;
        }
        const float *from = channel->values + (size_t)keys->from[k] * 3 * width;
        const bool repeats = k > 0 && keys->from[k] == keys->from[k - 1];
        const bool is_repeated = k + 1 < keys->count && keys->from[k] == keys->from[k + 1];
        memcpy(to, from, 3 * width * sizeof *to);
        gltf_copy_key_value(from + width, width, to + width);
        for (uint32_t i = 0; i < width; i++) {
            to[i] = repeats ? 0 : to[i];
            to[2 * width + i] = is_repeated || repeats ? 0 : to[2 * width + i];
        }
    }
    const size_t count = (size_t)keys->count * width * values;
    for (size_t i = 0; out && channel->target == TRILO_TARGET_TRANSLATION && i < count; i++)
        out[i] *= e->policy.meters_per_unit;
    if ((uint64_t)keys->count * values > UINT32_MAX)
        e->failed = true;
    return tl_gltf_add_accessor(e, (gltf_data_type){GLTF_USAGE_OTHER, GLTF_F32, keys->count * values, width});
}

/* A spline needs two keyframes: a single one becomes a step. */
static void gltf_encode_channel(gltf_encoder *e, gltf_animation *animation, const trilo_channel *channel)
{
    static const char *const paths[] = {"translation", "rotation", "scale"};
    trilo_interpolation interpolation = channel->interpolation;
    gltf_key_times keys;
    if (channel->key_count == 0 || !tl_gltf_add_times(e, animation, channel->times, channel->key_count, &keys))
        return;
    const bool cubic = interpolation == TRILO_INTERPOLATION_CUBIC && keys.count > 1;
    if (interpolation == TRILO_INTERPOLATION_CUBIC && !cubic)
        interpolation = TRILO_INTERPOLATION_STEP;
    tl_gltf_put_channel(animation, keys.accessor, gltf_encode_key_values(e, channel, &keys, cubic), interpolation,
                        channel->node, paths[channel->target]);
}

/* Equal for channels of the same part of the same node. */
static int64_t gltf_channel_part_key(const void *rows, uint32_t row)
{
    const trilo_channel *channel = (const trilo_channel *)rows + row;
    return (int64_t)channel->node * TRILO_TARGET_COUNT + tl_target_whole(channel->target);
}

/* Channels of single axes are merged: glTF animates whole vectors. */
static void gltf_encode_channels(gltf_encoder *e, gltf_animation *animation, const trilo_clip *clip)
{
    const trilo_channel *channels = clip->channels;
    uint32_t *order = tl_gltf_allocated(e, TL_ARRAY(e->arena, clip->channel_count, uint32_t));
    if (!order)
        return;
    tl_sort_rows(order, clip->channel_count, gltf_channel_part_key, channels);
    for (uint32_t i = 0, end; i < clip->channel_count && !e->failed; i = end) {
        const trilo_channel *axes[3] = {NULL, NULL, NULL}, *first = &channels[order[i]];
        trilo_channel merged = *first;
        for (end = i; end < clip->channel_count; end++) {
            if (gltf_channel_part_key(channels, order[end]) != gltf_channel_part_key(channels, order[i]))
                break;
            axes[tl_target_axis(channels[order[end]].target)] = &channels[order[end]];
        }
        if (first->target == tl_target_whole(first->target))
            gltf_encode_channel(e, animation, first);
        else if (tl_channel_merge(e->arena, &e->model->nodes[first->node], axes, &merged))
            gltf_encode_channel(e, animation, &merged);
        else
            e->failed = true;
    }
}

/* --- clips --- */

static double gltf_last_key_time(const trilo_clip *clip)
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

static void gltf_put_animation(gltf_encoder *e, const gltf_animation *animation, trilo_str name)
{
    uint32_t index = 0;
    tl_json_writer *w = tl_gltf_begin(e, GLTF_ANIMATIONS, &index);
    tl_gltf_put_name(w, name);
    tl_json_key(w, "samplers");
    tl_json_open(w, '[');
    tl_json_append(w, animation->samplers.text, animation->samplers.size);
    tl_json_close(w, ']');
    tl_json_key(w, "channels");
    tl_json_open(w, '[');
    tl_json_append(w, animation->channels.text, animation->channels.size);
    tl_json_close(w, ']');
    if (animation->ends > 0 && !e->opts->gltf->plain) {
        tl_json_key(w, "extras");
        tl_json_open(w, '{');
        tl_json_key(w, "trilobite_duration");
        tl_json_put_double(w, animation->ends);
        tl_json_close(w, '}');
    }
    tl_json_close(w, '}');
    e->failed = e->failed || animation->samplers.failed || animation->channels.failed;
}

static void gltf_encode_clip(gltf_encoder *e, const trilo_clip *clip)
{
    gltf_animation animation = {.samplers = tl_json_writer_in(e->arena), .channels = tl_json_writer_in(e->arena)};
    const float last = gltf_key_time(gltf_last_key_time(clip)), duration = gltf_key_time(clip->duration);
    if (duration > last)
        animation.extend_to = clip->duration;
    else if (duration < last)
        animation.ends = clip->duration;
    gltf_encode_channels(e, &animation, clip);
    for (uint32_t i = 0; i < clip->track_count && !e->failed; i++)
        tl_gltf_encode_track(e, &animation, &clip->tracks[i]);
    if (animation.lost_keys > 0)
        tl_report_finding(e->losses, gltf_rule(GLTF_R_ENC_KEYS), TRILO_NOWHERE,
                          "%" PRIu32
                          " keys are before 0 or coincide with another one, only the last of each is written",
                          animation.lost_keys);
    if (animation.sampler_count == 0)
        tl_report_finding(e->losses, gltf_rule(GLTF_R_ENC_KEYS), TRILO_NOWHERE,
                          "the clip has no keys, so it is not written");
    else
        gltf_put_animation(e, &animation, clip->name);
}

void tl_gltf_encode_clips(gltf_encoder *e)
{
    for (uint32_t i = 0; i < e->model->clip_count && !e->failed; i++) {
        tl_path_push(&e->losses->path, "clips", i);
        gltf_encode_clip(e, &e->model->clips[i]);
        tl_path_pop(&e->losses->path);
    }
}
