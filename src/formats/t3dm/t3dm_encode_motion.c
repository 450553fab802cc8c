/* The clips of a model, as animations with their streams of keys. */
#include "formats/t3dm/t3dm_encode.h"

#include "model/curve.h"
#include "model/frames.h"
#include "model/target.h"
#include "trilobite/pose.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- ways --- */

/* Nothing moves before the first key of all, and a loop would stand still there. A file of the console's own keeps its
 * times. */
static double clip_start(const t3dm_encoder *e, const trilo_clip *clip)
{
    double start = INFINITY;
    for (uint32_t i = 0; i < clip->channel_count; i++)
        if (clip->channels[i].key_count > 0)
            start = fmin(start, clip->channels[i].times[0]);
    return e->model->format != TRILO_FORMAT_T3DM && start > 0 && start < INFINITY ? start : 0;
}

static bool shift_times(t3dm_encoder *e, double start, trilo_channel *channel)
{
    double *times = tl_array_raw(e->arena, channel->key_count, sizeof *times);
    for (uint32_t k = 0; times && k < channel->key_count; k++)
        times[k] = channel->times[k] - start;
    channel->times = times;
    return times != NULL;
}

/* The channels of a clip as T3DM moves: straight from key to key, from 0 on. */
static bool make_ways(t3dm_encoder *e, const trilo_clip *clip, double start, trilo_channel *ways)
{
    uint32_t changed = 0;
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        trilo_channel from = clip->channels[i];
        if (start > 0 && !shift_times(e, start, &from))
            return false;
        if (!tl_channel_linear(e->arena, &from, TL_SDATA_RATE, &ways[i]))
            return false;
        changed += ways[i].key_count != from.key_count ? 1 : 0;
    }
    if (start > 0)
        tl_t3dm_lose(e, T3DM_R_TRIMMED, "the clip starts %.6g seconds earlier, at its first key", start);
    if (changed > 0)
        tl_t3dm_lose(e, T3DM_R_RESAMPLED,
                     "channels with jumps or curves (%" PRIu32 ") were made of straight lines between ticks", changed);
    return true;
}

/* --- clips --- */

/* One channel of the file: a rotation, or one axis of a vector. */
typedef struct channel_source {
    const trilo_channel *channel;
    uint32_t axis;   /* 0 to 2 */
    uint32_t offset; /* of the axis in a key's values */
} channel_source;

static bool is_vector(trilo_target target)
{
    return target == TRILO_TRANSLATION || target == TRILO_SCALE;
}

static bool is_translation(trilo_target target)
{
    return tl_target_whole(target) == TRILO_TRANSLATION;
}

/* So close to 0 or to each other that no eye tells. */
static bool is_near(double a, double b)
{
    return fabs(a - b) <= 1e-5 * fmax(1, fabs(b));
}

static bool rotation_rests(const trilo_node *node, const float q[4])
{
    const trilo_quat rest = node->rotation;
    const double dot = (double)q[0] * rest.x + (double)q[1] * rest.y + (double)q[2] * rest.z + (double)q[3] * rest.w;
    const double sign = dot < 0 ? -1 : 1; /* q and -q are one rotation */
    return is_near(sign * q[0], rest.x) && is_near(sign * q[1], rest.y) && is_near(sign * q[2], rest.z) &&
           is_near(sign * q[3], rest.w);
}

/* Would the bone stand there without the axis, too? */
static bool source_rests(const trilo_model *model, const channel_source *s)
{
    const trilo_channel *c = s->channel;
    const trilo_node *node = &model->nodes[c->node];
    const trilo_vec3 v = is_translation(c->target) ? node->translation : node->scale;
    const double rest = s->axis == 0 ? v.x : s->axis == 1 ? v.y : v.z;
    for (uint32_t k = 0; k < c->key_count; k++) {
        const float *value = tl_channel_value(c, k);
        if (!(c->target == TRILO_ROTATION ? rotation_rests(node, value) : is_near(value[s->offset], rest)))
            return false;
    }
    return true;
}

static bool tangents_flat(const trilo_channel *c)
{
    const uint32_t stride = tl_channel_stride(c), width = trilo_target_width(c->target);
    for (size_t i = 0; c->interpolation == TRILO_CUBIC && i < (size_t)stride * c->key_count; i++)
        if (i % stride / width != 1 && !(fabs(c->values[i]) <= 1e-5))
            return false;
    return true;
}

bool tl_t3dm_channel_rests(const trilo_model *model, const trilo_channel *c)
{
    const uint32_t axes = is_vector(c->target) ? 3 : 1;
    bool rests = tangents_flat(c);
    for (uint32_t k = 0; rests && k < axes; k++)
        rests = source_rests(model, &(channel_source){c, axes == 3 ? k : tl_target_axis(c->target), k});
    return rests;
}

/* Rotations first; vectors fall apart into their axes. Channels without keys drop out, and those that move nothing
 * unless all are wanted. */
static uint32_t list_sources(const t3dm_encoder *e, const trilo_channel *ways, uint32_t count, bool rotations, bool all,
                             channel_source *out)
{
    uint32_t listed = 0;
    for (uint32_t i = 0; i < count; i++) {
        const trilo_channel *c = &ways[i];
        const bool bone = e->bone_of_node[c->node] != TRILO_NONE;
        if (c->key_count == 0 || (c->target == TRILO_ROTATION) != rotations || !bone)
            continue;
        const uint32_t axes = is_vector(c->target) ? 3 : 1;
        for (uint32_t k = 0; k < axes; k++) {
            out[listed] = (channel_source){c, axes == 3 ? k : tl_target_axis(c->target), k};
            listed += all || !source_rests(e->model, &out[listed]) ? 1 : 0;
        }
    }
    return listed;
}

static float source_value(const t3dm_encoder *e, const channel_source *s, double moment)
{
    float value[4];
    trilo_channel_sample(s->channel, moment, value);
    return is_translation(s->channel->target) ? (float)(value[s->offset] * e->scale) : value[s->offset];
}

/* The range the file came with serves again when it gives every value back. */
static void choose_range(const t3dm_encoder *e, const channel_source *s, const float *values, uint32_t count,
                         t3dm_mapping *m)
{
    m->scale = s->channel->step;
    m->offset = s->channel->base;
    bool exact = e->scale == 1 && s->channel->step != 0;
    for (uint32_t k = 0; exact && k < count; k++)
        exact =
            (float)((double)tl_sdata_pack_scalar(values[k], m->scale, m->offset) * m->scale + m->offset) == values[k];
    if (!exact)
        tl_sdata_scalar_range(values, count, &m->scale, &m->offset);
}

/* So little that the console's 10 bits for a part of a rotation do not show it. */
static const double ROTATION_TOLERANCE = 3e-4;
/* Of a place or a scale in units of the file. */
static const double NUMBER_TOLERANCE = 3e-4;

static bool pack_rotations(t3dm_encoder *e, const trilo_channel *c, t3dm_keys *keys, uint32_t *out)
{
    float(*q)[4] = tl_array_raw(e->arena, keys->count, sizeof *q);
    for (uint32_t k = 0; q && k < keys->count; k++)
        trilo_channel_sample(c, keys->moments[k], q[k]);
    if (q && e->gltf)
        keys->count = tl_t3dm_thin_rotations(keys->ticks, q, keys->count, ROTATION_TOLERANCE);
    for (uint32_t k = 0; q && k < keys->count; k++)
        out[k] = tl_sdata_pack_quat((trilo_quat){q[k][0], q[k][1], q[k][2], q[k][3]});
    return q != NULL;
}

static bool pack_numbers(t3dm_encoder *e, const channel_source *s, t3dm_keys *keys, t3dm_mapping *m, uint32_t *out)
{
    float *values = tl_array_raw(e->arena, keys->count, sizeof *values);
    for (uint32_t k = 0; values && k < keys->count; k++)
        values[k] = source_value(e, s, keys->moments[k]);
    if (values && e->gltf)
        keys->count = tl_t3dm_thin_numbers(keys->ticks, values, keys->count, NUMBER_TOLERANCE);
    if (values)
        choose_range(e, s, values, keys->count, m);
    for (uint32_t k = 0; values && k < keys->count; k++)
        out[k] = tl_sdata_pack_scalar(values[k], m->scale, m->offset);
    return values != NULL;
}

static bool make_channel(t3dm_encoder *e, const channel_source *s, double duration, t3dm_mapping *m,
                         tl_sdata_channel *out, bool *moved)
{
    const trilo_channel *c = s->channel;
    t3dm_keys keys;
    if (!tl_t3dm_list_keys(e, c, duration, &keys))
        return false;
    out->values = TL_ARRAY(e->arena, keys.count, uint32_t);
    *m = (t3dm_mapping){.bone = (uint16_t)e->bone_of_node[c->node], .axis = (uint8_t)s->axis};
    m->type = c->target == TRILO_ROTATION ? T3DM_ROTATION : is_translation(c->target) ? T3DM_TRANSLATION : T3DM_SCALE;
    if (!out->values || !(m->type == T3DM_ROTATION ? pack_rotations(e, c, &keys, out->values)
                                                   : pack_numbers(e, s, &keys, m, out->values)))
        return false;
    out->ticks = keys.ticks;
    out->key_count = keys.count;
    *moved = *moved || keys.moved;
    return true;
}

/* "hero.t3dm" and animation 2 make "hero.2.sdata". */
static void stream_name(const t3dm_encoder *e, uint32_t animation, char *out, size_t room)
{
    const char *name = e->opts->name ? e->opts->name : "model.t3dm";
    const char *dot = strrchr(name, '.');
    snprintf(out, room, "%.*s.%" PRIu32 ".sdata", (int)(dot ? dot - name : (ptrdiff_t)strlen(name)), name, animation);
}

static bool name_stream(t3dm_encoder *e, uint32_t animation, uint32_t *offset)
{
    char name[256], path[512];
    const char *rom = e->opts->t3dm.rom_path, *slash = rom ? strrchr(rom, '/') : NULL;
    stream_name(e, animation, name, sizeof name);
    snprintf(path, sizeof path, "%.*s%s", slash ? (int)(slash + 1 - rom) : 5, slash ? rom : "rom:/", name);
    return tl_t3dm_add_string(e, path, offset);
}

/* What moves nothing is left out, unless the file was the console's own or nothing would be left. */
static void choose_sources(t3dm_encoder *e, const trilo_channel *ways, uint32_t count, channel_source *sources,
                           tl_sdata *sdata)
{
    for (int all = e->model->format == TRILO_FORMAT_T3DM; all <= 1 && sdata->channel_count == 0; all++) {
        sdata->quat_count = list_sources(e, ways, count, true, all, sources);
        sdata->channel_count =
            sdata->quat_count + list_sources(e, ways, count, false, all, sources + sdata->quat_count);
    }
}

static bool make_channels(t3dm_encoder *e, const channel_source *sources, double duration, tl_sdata *sdata,
                          t3dm_mapping *mappings)
{
    bool moved = false;
    for (uint32_t k = 0; k < sdata->channel_count; k++) {
        if (!make_channel(e, &sources[k], duration, &mappings[k], &sdata->channels[k], &moved))
            return false;
        sdata->key_count += sdata->channels[k].key_count;
    }
    if (moved)
        tl_t3dm_lose(e, T3DM_R_LOST_KEYS, "keys between two ticks of 1/60 second were moved to one");
    return true;
}

static bool make_clip(t3dm_encoder *e, const trilo_clip *clip, t3dm_animation *a)
{
    const size_t most = 3 * (size_t)clip->channel_count;
    const double start = clip_start(e, clip), duration = clip->duration > start ? clip->duration - start : 0;
    trilo_channel *ways = TL_ARRAY(e->arena, clip->channel_count, trilo_channel);
    channel_source *sources = TL_ARRAY(e->arena, most, channel_source);
    tl_sdata sdata = {.channels = TL_ARRAY(e->arena, most, tl_sdata_channel)};
    a->mappings = TL_ARRAY(e->arena, most, t3dm_mapping);
    if (!ways || !sources || !sdata.channels || !a->mappings || !make_ways(e, clip, start, ways))
        return false;
    choose_sources(e, ways, clip->channel_count, sources, &sdata);
    if (sdata.channel_count > UINT16_MAX)
        return tl_t3dm_cannot(e, T3DM_R_RANGE_COUNT, TRILO_LIMIT, "%" PRIu32 " channels, T3DM counts to 65535",
                              sdata.channel_count);
    if (sdata.channel_count == 0)
        tl_t3dm_lose(e, T3DM_R_ANIM_EMPTY, "the clip has no keys, so what is written moves nothing");
    if (!make_channels(e, sources, duration, &sdata, a->mappings))
        return false;
    a->head = (t3dm_animation_head){.duration = (float)duration,
                                    .key_count = sdata.key_count,
                                    .quat_count = (uint16_t)sdata.quat_count,
                                    .scalar_count = (uint16_t)(sdata.channel_count - sdata.quat_count)};
    a->has_stream = true;
    trilo_error err = {0};
    if (!tl_sdata_write(e->arena, &sdata, &a->stream, &err))
        return err.code == TRILO_NO_MEMORY ? false : tl_t3dm_cannot(e, T3DM_R_RANGE_TIME, TRILO_LIMIT, "%s", err.text);
    return true;
}

/* --- what cannot be played --- */

/* Channels that move something, but no bone: what they move carries nothing. */
static void remark_channels(t3dm_encoder *e, const trilo_clip *clip)
{
    uint32_t lost = 0, first = TRILO_NONE;
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        const trilo_channel *c = &clip->channels[i];
        const bool bone = e->bone_of_node && e->bone_of_node[c->node] != TRILO_NONE;
        if (bone || tl_t3dm_channel_rests(e->model, c))
            continue;
        first = lost++ == 0 ? c->node : first;
    }
    if (lost > 0)
        tl_t3dm_lose(e, T3DM_R_LOST_CHANNELS,
                     "channels that move nothing visible (%" PRIu32 ", such as of \"%.60s\") are lost", lost,
                     e->model->nodes[first].name.data ? e->model->nodes[first].name.data : "");
}

static bool moves_bones(const t3dm_encoder *e, const trilo_clip *clip)
{
    for (uint32_t i = 0; e->bone_of_node && i < clip->channel_count; i++)
        if (clip->channels[i].key_count > 0 && e->bone_of_node[clip->channels[i].node] != TRILO_NONE)
            return true;
    return false;
}

/* Of a model that was glTF. Others have all their nodes as bones, and their clips are written whatever they do. */
static bool is_playable(t3dm_encoder *e, const trilo_clip *clip)
{
    if (!e->gltf)
        return e->bone_of_node != NULL;
    const bool moves = moves_bones(e, clip), lasts = clip->duration - clip_start(e, clip) >= 1e-4;
    remark_channels(e, clip);
    if (!moves || !lasts)
        tl_t3dm_lose(e, T3DM_R_LOST_CLIP, "the clip %s, so it is left out",
                     moves ? "is a single pose without a duration" : "moves no bone and no mesh");
    return moves && lasts;
}

static bool add_animation(t3dm_encoder *e, uint32_t clip)
{
    const uint32_t number = e->file->animation_count++;
    t3dm_animation *a = &e->file->animations[number];
    const trilo_clip *from = &e->model->clips[clip];
    char made[24];
    snprintf(made, sizeof made, "clip%" PRIu32, clip);
    return make_clip(e, from, a) && tl_t3dm_add_string(e, from->name.len > 0 ? from->name.data : made, &a->head.name) &&
           name_stream(e, number, &a->head.stream);
}

bool tl_t3dm_encode_clips(t3dm_encoder *e)
{
    e->file->animations = TL_ARRAY(e->arena, e->model->clip_count, t3dm_animation);
    if (!e->file->animations)
        return false;
    tl_frames_lost(e->model, t3dm_rule(T3DM_R_LOST_FRAMES), e->losses);
    for (uint32_t i = 0; i < e->model->clip_count; i++) {
        const trilo_clip *clip = &e->model->clips[i];
        tl_t3dm_enter(e, "clips", i, clip->name);
        const bool ok = tl_clip_only_frames(clip) || !is_playable(e, clip) || add_animation(e, i);
        tl_t3dm_leave(e);
        if (!ok)
            return false;
    }
    return true;
}
