/* Animations: a channel for each part of a node, a track for each mesh that morph weights move. */
#include "formats/gltf/decode/decode.h"

#include "base/vec.h"
#include "model/target.h"
#include <math.h>
#include <string.h>

/* Times of an accessor: many samplers share them. */
typedef struct time_list {
    bool read, rising;
    uint32_t count;
    double *times;
} time_list;

typedef struct motion {
    gltf_decoder *d;
    time_list *times;           /* of each accessor */
    tl_moved_transform *moved;  /* of each node of the model */
    const tl_json **weights_of; /* the last channel of weights of each node of the file */
    const tl_json **samplers;   /* of the animation at hand */
    uint32_t sampler_count;
    trilo_clip *clip;
    trilo_channel *channels;
    trilo_track *tracks;
} motion;

/* --- keys --- */

static bool read_times(motion *m, const gltf_accessor *a, time_list *list)
{
    float *floats = tl_array_raw(&m->d->scratch, a->count, sizeof *floats);
    list->times = floats ? tl_array_raw(m->d->arena, a->count, sizeof *list->times) : NULL;
    if (!list->times)
        return false;
    tl_gltf_floats(a, false, floats, 1);
    list->read = list->rising = true;
    list->count = a->count;
    for (uint32_t i = 0; i < a->count; i++) {
        list->times[i] = (double)floats[i];
        list->rising = list->rising && tl_is_finite(floats[i]) && (i == 0 || floats[i] > floats[i - 1]);
    }
    return true;
}

/* Keys whose time does not rise are left out. */
static bool drop_late_keys(motion *m, const time_list *list, gltf_keys *keys)
{
    const size_t row = keys->width * (keys->interpolation == TRILO_INTERPOLATION_CUBIC ? 3u : 1u);
    double *times = tl_array_raw(m->d->arena, keys->count, sizeof *times);
    float *values = (float *)(uintptr_t)keys->values;
    uint32_t kept = 0;
    for (uint32_t i = 0; times && i < keys->count; i++) {
        if (!isfinite(list->times[i]) || (kept > 0 && !(list->times[i] > times[kept - 1])))
            continue;
        times[kept] = list->times[i];
        memmove(values + kept * row, values + i * row, row * sizeof *values);
        kept++;
    }
    keys->times = times;
    keys->count = kept;
    return times != NULL;
}

static trilo_interpolation interpolation_of(const tl_json *sampler)
{
    const tl_json *name = tl_json_member(sampler, "interpolation");
    return tl_gltf_is(name, "STEP")          ? TRILO_INTERPOLATION_STEP
           : tl_gltf_is(name, "CUBICSPLINE") ? TRILO_INTERPOLATION_CUBIC
                                             : TRILO_INTERPOLATION_LINEAR;
}

/* How many numbers a key has: `width`, or for weights (width 0) as many as the values give. 0: they do not fit. */
static uint32_t key_width(const gltf_accessor *values, uint32_t keys, bool cubic, uint32_t width)
{
    const uint64_t rows = (uint64_t)keys * (cubic ? 3 : 1);
    if (rows == 0 || values->matrix)
        return 0;
    if (width > 0)
        return values->width == width && values->count == rows ? width : 0;
    return values->width == 1 && values->count % rows == 0 ? (uint32_t)(values->count / rows) : 0;
}

/* The keys of a sampler, in memory of the model; count 0: it has none that fit. */
static bool read_keys(motion *m, const tl_json *sampler, uint32_t width, gltf_keys *keys)
{
    gltf_decoder *d = m->d;
    gltf_accessor in, out;
    const uint32_t input = tl_gltf_index(d->file, sampler, "input", GLTF_ACCESSORS, NULL);
    const uint32_t output = tl_gltf_index(d->file, sampler, "output", GLTF_ACCESSORS, NULL);
    *keys = (gltf_keys){.interpolation = interpolation_of(sampler)};
    if (input == TRILO_NONE || output == TRILO_NONE || tl_gltf_accessor(d->file, input, &in) ||
        tl_gltf_accessor(d->file, output, &out) || in.width != 1)
        return true;
    keys->width = key_width(&out, in.count, keys->interpolation == TRILO_INTERPOLATION_CUBIC, width);
    if (keys->width == 0)
        return true;
    time_list *list = &m->times[input];
    float *values = tl_array_raw(width > 0 ? d->arena : &d->scratch, out.count, out.width * sizeof *values);
    if (!values || (!list->read && !read_times(m, &in, list)))
        return false;
    tl_gltf_floats(&out, true, values, out.width);
    keys->count = list->count;
    keys->times = list->times;
    keys->values = values;
    return list->rising || drop_late_keys(m, list, keys);
}

/* --- channels --- */

/* Length 1, without touching what has it already. */
static void even_out(float q[4])
{
    const double length = sqrt((double)q[0] * q[0] + (double)q[1] * q[1] + (double)q[2] * q[2] + (double)q[3] * q[3]);
    if (fabs(length - 1) <= 1e-6)
        return;
    const trilo_quat unit = tl_quat_normalize((trilo_quat){q[0], q[1], q[2], q[3]});
    q[0] = unit.x, q[1] = unit.y, q[2] = unit.z, q[3] = unit.w;
}

static void even_out_all(const gltf_keys *keys)
{
    const size_t parts = keys->interpolation == TRILO_INTERPOLATION_CUBIC ? 3 : 1;
    float *values = (float *)(uintptr_t)keys->values;
    for (size_t i = 0; i < keys->count; i++)
        even_out(values + 4 * (i * parts + parts / 2)); /* tangents have any length */
}

static const tl_json *sampler_of(const motion *m, const tl_json *channel)
{
    uint32_t index;
    const bool there = tl_json_uint(tl_json_member(channel, "sampler"), &index) && index < m->sampler_count;
    return there ? m->samplers[index] : NULL;
}

static uint32_t node_of(const motion *m, const tl_json *channel)
{
    return tl_gltf_index(m->d->file, tl_json_member(channel, "target"), "node", GLTF_NODES, NULL);
}

/* TRILO_TARGET_COUNT: none of them. */
static trilo_target target_of(const tl_json *channel)
{
    static const char *const paths[] = {"translation", "rotation", "scale"};
    const tl_json *path = tl_json_member(tl_json_member(channel, "target"), "path");
    for (uint32_t i = 0; i < TL_COUNT_OF(paths); i++)
        if (tl_gltf_is(path, paths[i]))
            return (trilo_target)i;
    return TRILO_TARGET_COUNT;
}

static void lengthen(trilo_clip *clip, const gltf_keys *keys)
{
    const double last = keys->count > 0 ? keys->times[keys->count - 1] : 0;
    clip->duration = last > clip->duration ? last : clip->duration;
}

static bool decode_channel(motion *m, const tl_json *json, trilo_target target)
{
    gltf_keys keys;
    if (!read_keys(m, sampler_of(m, json), trilo_target_width(target), &keys))
        return false;
    if (keys.count == 0)
        return true;
    if (target == TRILO_TARGET_ROTATION)
        even_out_all(&keys);
    lengthen(m->clip, &keys);
    m->channels[m->clip->channel_count++] = (trilo_channel){.node = m->d->node_of[node_of(m, json)],
                                                            .target = target,
                                                            .interpolation = keys.interpolation,
                                                            .key_count = keys.count,
                                                            .times = keys.times,
                                                            .values = keys.values};
    return true;
}

/* Of channels that drive the same part of a node the last one counts. */
static uint32_t drop_doubles(motion *m, uint32_t number)
{
    const uint32_t count = m->clip->channel_count;
    uint32_t first = count;
    for (uint32_t i = count; i-- > 0;)
        if (tl_target_take(&m->moved[m->channels[i].node], number, m->channels[i].target))
            m->channels[--first] = m->channels[i];
    if (first > 0)
        memmove(m->channels, m->channels + first, (count - first) * sizeof *m->channels);
    return count - first;
}

/* --- tracks --- */

static bool decode_tracks(motion *m, const tl_json *channel)
{
    gltf_decoder *d = m->d;
    gltf_keys keys;
    const gltf_node_meshes meshes = d->meshes_of[node_of(m, channel)];
    if (meshes.count == 0)
        return true;
    if (!read_keys(m, sampler_of(m, channel), 0, &keys))
        return false;
    if (keys.count == 0)
        return true;
    lengthen(m->clip, &keys);
    for (uint32_t i = meshes.first; i < meshes.first + meshes.count; i++)
        if (d->shapes[i]->target_count > 0 && !tl_gltf_decode_track(d, &keys, i, &m->tracks[m->clip->track_count++]))
            return false;
    return true;
}

/* --- clips --- */

static bool is_weights(const tl_json *channel)
{
    return tl_gltf_is(tl_json_member(tl_json_member(channel, "target"), "path"), "weights");
}

/* Room for all channels and tracks; of two channels for the weights of one node, the last is remembered. */
static bool make_room(motion *m, const tl_json *list)
{
    size_t tracks = 0;
    for (const tl_json *c = list ? list->first : NULL; c; c = c->next) {
        const uint32_t node = node_of(m, c);
        if (node == TRILO_NONE || !is_weights(c))
            continue;
        tracks += m->d->meshes_of[node].count;
        m->weights_of[node] = c;
    }
    m->channels = TL_ARRAY(m->d->arena, list ? list->count : 0, trilo_channel);
    m->tracks = TL_ARRAY(m->d->arena, tracks, trilo_track);
    m->clip->channels = m->channels;
    m->clip->tracks = m->tracks;
    return m->channels && m->tracks;
}

/* A clip may end before its last key; glTF itself has no word for that. */
static void shorten(trilo_clip *clip, const tl_json *json)
{
    const tl_json *ends = tl_json_member(tl_json_member(json, "extras"), "trilobite_duration");
    const double seconds = tl_json_number(ends, 0);
    clip->duration = seconds > 0 && seconds < clip->duration ? seconds : clip->duration;
}

static bool decode_clip(motion *m, const tl_json *json, uint32_t number)
{
    const tl_json *list = tl_json_member(json, "channels"), *samplers = tl_json_member(json, "samplers");
    m->samplers = tl_json_list(&m->d->scratch, samplers);
    m->sampler_count = samplers ? samplers->count : 0;
    if (!m->samplers || !tl_gltf_name(m->d, json, &m->clip->name) || !make_room(m, list))
        return false;
    for (const tl_json *c = list ? list->first : NULL; c; c = c->next) {
        const uint32_t node = node_of(m, c);
        const trilo_target target = target_of(c);
        if (node == TRILO_NONE)
            continue;
        if (target != TRILO_TARGET_COUNT && !decode_channel(m, c, target))
            return false;
        if (m->weights_of[node] == c && !decode_tracks(m, c))
            return false;
    }
    shorten(m->clip, json);
    m->clip->channel_count = drop_doubles(m, number);
    return true;
}

bool tl_gltf_decode_clips(gltf_decoder *d)
{
    const uint32_t count = gltf_count(d, GLTF_ANIMATIONS);
    motion m = {.d = d};
    trilo_clip *clips = TL_ARRAY(d->arena, count, trilo_clip);
    m.times = TL_ARRAY(&d->scratch, gltf_count(d, GLTF_ACCESSORS), time_list);
    m.moved = TL_ARRAY(&d->scratch, d->model->node_count, tl_moved_transform);
    m.weights_of = TL_ARRAY(&d->scratch, gltf_count(d, GLTF_NODES), const tl_json *);
    if (!clips || !m.times || !m.moved || !m.weights_of)
        return false;
    d->model->clips = clips;
    for (uint32_t i = 0; i < count; i++) {
        m.clip = &clips[d->model->clip_count];
        *m.clip = (trilo_clip){.name = {"", 0}};
        if (!decode_clip(&m, d->file->tables[GLTF_ANIMATIONS].items[i], i))
            return false;
        if (m.clip->channel_count > 0 || m.clip->track_count > 0)
            d->model->clip_count++; /* one that moves nothing is none */
    }
    return true;
}
