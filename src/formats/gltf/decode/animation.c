/* Animations: a channel for each animated part of a node, a track for each mesh with animated morph weights. */
#include "base/strict_float.h"
#include "formats/gltf/decode/decode.h"

#include "base/vec.h"
#include "model/target.h"
#include <math.h>

/* The times of an input accessor, which many samplers share. */
typedef struct gltf_times {
    bool read, increasing;
    uint32_t count;
    double *times;
} gltf_times;

typedef struct gltf_clip_decoder {
    gltf_decoder *d;
    gltf_times *times;          /* of each accessor */
    tl_moved_transform *moved;  /* of each node of the model */
    const tl_json **weights_of; /* of each node of the file: the last channel for its weights */
    const tl_json **samplers;   /* of the animation */
    uint32_t sampler_count;
    trilo_clip *clip;
    trilo_channel *channels;
    trilo_track *tracks;
} gltf_clip_decoder;

/* --- keyframes --- */

static bool gltf_read_times(gltf_decoder *d, const gltf_accessor *a, gltf_times *out)
{
    float *floats = tl_array_raw(&d->scratch, a->count, sizeof *floats);
    out->times = floats ? tl_array_raw(d->arena, a->count, sizeof *out->times) : NULL;
    if (!out->times)
        return false;
    tl_gltf_floats(a, false, floats, 1);
    out->read = out->increasing = true;
    out->count = a->count;
    for (uint32_t i = 0; i < a->count; i++) {
        out->times[i] = (double)floats[i];
        out->increasing = out->increasing && tl_is_finite(floats[i]) && (i == 0 || floats[i] > floats[i - 1]);
    }
    return true;
}

/* Drops keyframes that are not later than the one before. */
static bool gltf_drop_unordered(gltf_decoder *d, const gltf_times *from, gltf_keyframes *keys)
{
    const size_t row = keys->width * (keys->interpolation == TRILO_INTERPOLATION_CUBIC ? 3u : 1u);
    double *times = tl_array_raw(d->arena, keys->count, sizeof *times);
    float *values = (float *)(uintptr_t)keys->values;
    uint32_t kept = 0;
    for (uint32_t i = 0; times && i < keys->count; i++) {
        if (!isfinite(from->times[i]) || (kept > 0 && !(from->times[i] > times[kept - 1])))
            continue;
        times[kept] = from->times[i];
        memmove(values + kept * row, values + i * row, row * sizeof *values);
        kept++;
    }
    keys->times = times;
    keys->count = kept;
    return times != NULL;
}

/* The keyframes of a channel's sampler. `width` is the number of values of a keyframe; 0: morph weights, as many as the
 * output accessor has. Count 0: there are none that fit. False: no memory. */
static bool gltf_read_keyframes(gltf_clip_decoder *c, const tl_json *channel, uint32_t width, gltf_keyframes *keys)
{
    gltf_decoder *d = c->d;
    gltf_accessor in, out;
    uint32_t index;
    const bool exists = tl_json_uint(tl_json_member(channel, "sampler"), &index) && index < c->sampler_count;
    const tl_json *sampler = exists ? c->samplers[index] : NULL, *mode = tl_json_member(sampler, "interpolation");
    const uint32_t input = tl_gltf_index(d->file, sampler, "input", GLTF_ACCESSORS, NULL);
    const uint32_t output = tl_gltf_index(d->file, sampler, "output", GLTF_ACCESSORS, NULL);
    *keys = (gltf_keyframes){.interpolation = tl_gltf_is(mode, "STEP")          ? TRILO_INTERPOLATION_STEP
                                              : tl_gltf_is(mode, "CUBICSPLINE") ? TRILO_INTERPOLATION_CUBIC
                                                                                : TRILO_INTERPOLATION_LINEAR};
    if (input == TRILO_NONE || output == TRILO_NONE || tl_gltf_accessor(d->file, input, &in) ||
        tl_gltf_accessor(d->file, output, &out) || in.width != 1)
        return true;
    const uint64_t rows = (uint64_t)in.count * (keys->interpolation == TRILO_INTERPOLATION_CUBIC ? 3 : 1);
    if (rows == 0 || out.matrix)
        return true;
    if (width > 0)
        keys->width = out.width == width && out.count == rows ? width : 0;
    else
        keys->width = out.width == 1 && out.count % rows == 0 ? (uint32_t)(out.count / rows) : 0;
    if (keys->width == 0)
        return true;
    gltf_times *times = &c->times[input];
    float *values = tl_array_raw(width > 0 ? d->arena : &d->scratch, out.count, out.width * sizeof *values);
    if (!values || (!times->read && !gltf_read_times(d, &in, times)))
        return false;
    tl_gltf_floats(&out, true, values, out.width);
    keys->count = times->count;
    keys->times = times->times;
    keys->values = values;
    return times->increasing || gltf_drop_unordered(d, times, keys);
}

static void gltf_extend_clip(trilo_clip *clip, const gltf_keyframes *keys)
{
    const double last = keys->count > 0 ? keys->times[keys->count - 1] : 0;
    clip->duration = last > clip->duration ? last : clip->duration;
}

/* --- channels and tracks --- */

/* Quaternions get length 1, unless they have it already. Tangents of splines keep theirs. */
static bool gltf_decode_channel(gltf_clip_decoder *c, const tl_json *json, uint32_t node, trilo_target target)
{
    gltf_keyframes keys;
    if (!gltf_read_keyframes(c, json, tl_target_width(target), &keys))
        return false;
    if (keys.count == 0)
        return true;
    const size_t values = keys.interpolation == TRILO_INTERPOLATION_CUBIC ? 3 : 1;
    for (size_t i = 0; target == TRILO_TARGET_ROTATION && i < keys.count; i++) {
        float *q = (float *)(uintptr_t)keys.values + 4 * (i * values + values / 2);
        const double length =
            sqrt((double)q[0] * q[0] + (double)q[1] * q[1] + (double)q[2] * q[2] + (double)q[3] * q[3]);
        if (fabs(length - 1) <= 1e-6)
            continue;
        const trilo_quat unit = tl_quat_normalize((trilo_quat){q[0], q[1], q[2], q[3]});
        q[0] = unit.x, q[1] = unit.y, q[2] = unit.z, q[3] = unit.w;
    }
    gltf_extend_clip(c->clip, &keys);
    c->channels[c->clip->channel_count++] = (trilo_channel){.node = c->d->node_of[node],
                                                            .target = target,
                                                            .interpolation = keys.interpolation,
                                                            .key_count = keys.count,
                                                            .times = keys.times,
                                                            .values = keys.values};
    return true;
}

static bool gltf_decode_tracks(gltf_clip_decoder *c, const tl_json *channel, uint32_t node)
{
    gltf_decoder *d = c->d;
    gltf_keyframes keys;
    const gltf_range meshes = d->meshes_of[node];
    if (meshes.count == 0)
        return true;
    if (!gltf_read_keyframes(c, channel, 0, &keys))
        return false;
    if (keys.count == 0)
        return true;
    gltf_extend_clip(c->clip, &keys);
    for (uint32_t i = meshes.first; i < meshes.first + meshes.count; i++)
        if (d->primitive_of[i]->target_count > 0 &&
            !tl_gltf_decode_track(d, &keys, i, &c->tracks[c->clip->track_count++]))
            return false;
    return true;
}

/* Of several channels for one part of a node the last counts. */
static void gltf_drop_duplicate_channels(gltf_clip_decoder *c, uint32_t number)
{
    const uint32_t count = c->clip->channel_count;
    uint32_t first = count;
    for (uint32_t i = count; i-- > 0;)
        if (tl_target_take(&c->moved[c->channels[i].node], number, c->channels[i].target))
            c->channels[--first] = c->channels[i];
    if (first > 0)
        memmove(c->channels, c->channels + first, (count - first) * sizeof *c->channels);
    c->clip->channel_count = count - first;
}

/* --- clips --- */

static uint32_t gltf_channel_node(const gltf_clip_decoder *c, const tl_json *channel)
{
    return tl_gltf_index(c->d->file, tl_json_member(channel, "target"), "node", GLTF_NODES, NULL);
}

/* A clip may end before its last keyframe, which glTF cannot express: extras.trilobite_duration stores the end. */
static bool gltf_decode_clip(gltf_clip_decoder *c, const tl_json *json, uint32_t number)
{
    static const char *const paths[] = {"translation", "rotation", "scale"};
    const tl_json *list = tl_json_member(json, "channels"), *samplers = tl_json_member(json, "samplers");
    size_t tracks = 0;
    c->samplers = tl_json_list(&c->d->scratch, samplers);
    c->sampler_count = samplers ? samplers->count : 0;
    if (!c->samplers || !tl_gltf_name(c->d, json, &c->clip->name))
        return false;
    for (const tl_json *ch = list ? list->first : NULL; ch; ch = ch->next) {
        const uint32_t node = gltf_channel_node(c, ch);
        if (node == TRILO_NONE || !tl_gltf_is(tl_json_member(tl_json_member(ch, "target"), "path"), "weights"))
            continue;
        tracks += c->d->meshes_of[node].count;
        c->weights_of[node] = ch;
    }
    c->channels = TL_ARRAY(c->d->arena, list ? list->count : 0, trilo_channel);
    c->tracks = TL_ARRAY(c->d->arena, tracks, trilo_track);
    c->clip->channels = c->channels;
    c->clip->tracks = c->tracks;
    if (!c->channels || !c->tracks)
        return false;
    for (const tl_json *ch = list ? list->first : NULL; ch; ch = ch->next) {
        const uint32_t node = gltf_channel_node(c, ch);
        const tl_json *path = tl_json_member(tl_json_member(ch, "target"), "path");
        if (node == TRILO_NONE)
            continue;
        for (uint32_t i = 0; i < TL_COUNT_OF(paths); i++)
            if (tl_gltf_is(path, paths[i]) && !gltf_decode_channel(c, ch, node, (trilo_target)i))
                return false;
        if (c->weights_of[node] == ch && !gltf_decode_tracks(c, ch, node))
            return false;
    }
    const double ends = tl_json_number(tl_json_member(tl_json_member(json, "extras"), "trilobite_duration"), 0);
    c->clip->duration = ends > 0 && ends < c->clip->duration ? ends : c->clip->duration;
    gltf_drop_duplicate_channels(c, number);
    return true;
}

/* Animations without a channel or track are left out. */
bool tl_gltf_decode_clips(gltf_decoder *d)
{
    const uint32_t count = gltf_count(d, GLTF_ANIMATIONS);
    gltf_clip_decoder c = {.d = d};
    trilo_clip *clips = TL_ARRAY(d->arena, count, trilo_clip);
    c.times = TL_ARRAY(&d->scratch, gltf_count(d, GLTF_ACCESSORS), gltf_times);
    c.moved = TL_ARRAY(&d->scratch, d->model->node_count, tl_moved_transform);
    c.weights_of = TL_ARRAY(&d->scratch, gltf_count(d, GLTF_NODES), const tl_json *);
    if (!clips || !c.times || !c.moved || !c.weights_of)
        return false;
    d->model->clips = clips;
    for (uint32_t i = 0; i < count; i++) {
        c.clip = &clips[d->model->clip_count];
        *c.clip = (trilo_clip){.name = {"", 0}};
        if (!gltf_decode_clip(&c, d->file->tables[GLTF_ANIMATIONS].items[i], i))
            return false;
        if (c.clip->channel_count > 0 || c.clip->track_count > 0)
            d->model->clip_count++;
    }
    return true;
}
