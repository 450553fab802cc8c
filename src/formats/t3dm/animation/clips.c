/* The clips of a model, as animations with their streams of keys. */
#include "formats/t3dm/animation/animation.h"

#include "model/curve.h"
#include "model/frames.h"
#include "model/target.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- ways --- */

/* Nothing moves before the first key of all, and a loop would stand still there. */
static double clip_start(const t3dm_encoder *e, const trilo_clip *clip)
{
    double start = INFINITY;
    for (uint32_t i = 0; i < clip->channel_count; i++)
        if (clip->channels[i].key_count > 0)
            start = fmin(start, clip->channels[i].times[0]);
    return !e->policy.keep_start && start > 0 && start < INFINITY ? start : 0;
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
        tl_t3dm_report_loss(e, T3DM_R_TRIMMED, "the clip starts %.6g seconds earlier, at its first key", start);
    if (changed > 0)
        tl_t3dm_report_loss(e, T3DM_R_RESAMPLED,
                            "channels with jumps or curves (%" PRIu32 ") were made of straight lines between ticks",
                            changed);
    return true;
}

/* --- curves --- */

static bool is_vector(trilo_target target)
{
    return target == TRILO_TARGET_TRANSLATION || target == TRILO_TARGET_SCALE;
}

static uint8_t type_of(trilo_target target)
{
    return target == TRILO_TARGET_ROTATION                       ? T3DM_ROTATION
           : tl_target_whole(target) == TRILO_TARGET_TRANSLATION ? T3DM_TRANSLATION
                                                                 : T3DM_SCALE;
}

/* Rotations first; vectors fall apart into their axes. Channels without keys drop out, and those that move nothing
 * unless all are wanted (`moves` NULL). */
static uint32_t list_curves(const t3dm_encoder *e, const trilo_channel *ways, uint32_t count, bool rotations,
                            const uint8_t *moves, t3dm_curve *out)
{
    uint32_t listed = 0;
    for (uint32_t i = 0; i < count; i++) {
        const trilo_channel *c = &ways[i];
        const uint32_t bone = e->bone_of_node[c->node], axes = is_vector(c->target) ? 3 : 1;
        if (c->key_count == 0 || (c->target == TRILO_TARGET_ROTATION) != rotations || bone == TRILO_NONE)
            continue;
        for (uint32_t k = 0; k < axes; k++) {
            const uint32_t axis = axes == 3 ? k : tl_target_axis(c->target);
            const t3dm_mapping m = {.bone = (uint16_t)bone, .type = type_of(c->target), .axis = (uint8_t)axis};
            if (!moves || moves[c->node] & tl_t3dm_part_bit(c, axis))
                out[listed++] = (t3dm_curve){.channel = c, .axis = axis, .offset = k, .mapping = m};
        }
    }
    return listed;
}

/* The range the file came with serves again when it gives every value back. */
static bool choose_range(t3dm_encoder *e, t3dm_curve *c)
{
    float *values = tl_array_raw(e->arena, c->count, sizeof *values);
    bool exact = e->policy.scale == 1 && c->channel->step != 0;
    t3dm_mapping *m = &c->mapping;
    m->scale = c->channel->step;
    m->offset = c->channel->base;
    for (uint32_t k = 0; values && k < c->count; k++) {
        values[k] = (float)c->numbers[k];
        exact = exact && tl_sdata_unpack_scalar(tl_sdata_pack_scalar(values[k], m->scale, m->offset), m->scale,
                                                m->offset) == values[k];
    }
    if (values && !exact)
        tl_sdata_scalar_range(values, c->count, &m->scale, &m->offset);
    return values != NULL;
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

/* --- clips --- */

/* Static channels are left out, unless nothing would be left. */
static void choose_curves(const t3dm_encoder *e, const uint8_t *moves, t3dm_take *t)
{
    tl_sdata *sdata = &t->sdata;
    for (int all = e->policy.keep_static_channels; all <= 1 && sdata->channel_count == 0; all++) {
        const uint8_t *wanted = all ? NULL : moves;
        sdata->quat_count = list_curves(e, t->ways, t->way_count, true, wanted, t->curves);
        sdata->channel_count =
            sdata->quat_count + list_curves(e, t->ways, t->way_count, false, wanted, t->curves + sdata->quat_count);
    }
}

static bool sample_curves(t3dm_encoder *e, double duration, t3dm_take *t)
{
    bool moved = false;
    t->last_tick = tl_t3dm_last_tick(e, duration);
    for (uint32_t k = 0; k < t->sdata.channel_count; k++) {
        t3dm_curve *c = &t->curves[k];
        if (!tl_t3dm_sample_curve(e, duration, c) || (!c->turns && !choose_range(e, c)))
            return false;
        moved = moved || c->moved;
    }
    if (moved)
        tl_t3dm_report_loss(e, T3DM_R_LOST_KEYS, "keys between two ticks of 1/60 second were moved to one");
    return true;
}

static bool start_clip(t3dm_encoder *e, const trilo_clip *clip, double start, t3dm_take *t)
{
    const size_t most = 3 * (size_t)clip->channel_count;
    trilo_channel *ways = TL_ARRAY(e->arena, clip->channel_count, trilo_channel);
    t->ways = ways;
    t->way_count = clip->channel_count;
    t->curves = TL_ARRAY(e->arena, most, t3dm_curve);
    t->sdata.channels = TL_ARRAY(e->arena, most, tl_sdata_channel);
    return ways && t->curves && t->sdata.channels && make_ways(e, clip, start, ways);
}

static bool finish_clip(t3dm_encoder *e, const t3dm_take *t, double duration, t3dm_animation *a)
{
    const tl_sdata *sdata = &t->sdata;
    trilo_error err = {0};
    a->mappings = TL_ARRAY(e->arena, sdata->channel_count, t3dm_mapping);
    for (uint32_t k = 0; a->mappings && k < sdata->channel_count; k++)
        a->mappings[k] = t->curves[k].mapping;
    a->head = (t3dm_animation_head){.duration = (float)duration,
                                    .key_count = sdata->key_count,
                                    .quat_count = (uint16_t)sdata->quat_count,
                                    .scalar_count = (uint16_t)(sdata->channel_count - sdata->quat_count)};
    a->has_stream = true;
    if (!a->mappings)
        return false;
    if (!tl_sdata_write(e->arena, sdata, &a->stream, &err))
        return err.code == TRILO_CODE_NO_MEMORY
                   ? false
                   : tl_t3dm_encode_fail(e, T3DM_R_RANGE_TIME, TRILO_CODE_LIMIT, "%s", err.text);
    return true;
}

/* What all clips share. */
typedef struct shared {
    uint8_t *moves;
    const t3dm_body *body;
} shared;

/* Samples and ways, of which the file needs nothing but the keys. */
static bool make_take(t3dm_encoder *e, const trilo_clip *clip, double start, double duration, const shared *all,
                      t3dm_take *take)
{
    if (!start_clip(e, clip, start, take))
        return false;
    choose_curves(e, all->moves, take);
    if (take->sdata.channel_count > UINT16_MAX)
        return tl_t3dm_encode_fail(e, T3DM_R_RANGE_COUNT, TRILO_CODE_LIMIT,
                                   "%" PRIu32 " channels, T3DM counts to 65535", take->sdata.channel_count);
    if (take->sdata.channel_count == 0)
        tl_t3dm_report_loss(e, T3DM_R_ANIM_EMPTY, "the clip has no keys, so what is written moves nothing");
    return sample_curves(e, duration, take) && tl_t3dm_fit_tolerance(e, take, all->body);
}

static bool make_clip(t3dm_encoder *e, const trilo_clip *clip, const shared *all, t3dm_animation *a)
{
    const double start = clip_start(e, clip), duration = clip->duration > start ? clip->duration - start : 0;
    tl_arena *whole = e->arena, scratch;
    t3dm_take take = {0};
    tl_arena_init(&scratch, &(trilo_memory){whole->fn, whole->user, whole->left ? whole->left : 1});
    e->arena = &scratch;
    bool ok = make_take(e, clip, start, duration, all, &take);
    e->arena = whole;
    ok = ok && finish_clip(e, &take, duration, a);
    tl_arena_free(&scratch);
    return ok;
}

/* --- what cannot be played --- */

/* Channels that move something, but no bone: what they move carries nothing. */
static void remark_channels(t3dm_encoder *e, const trilo_clip *clip)
{
    uint32_t lost = 0, first = TRILO_NONE;
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        const trilo_channel *c = &clip->channels[i];
        const bool bone = e->bone_of_node && e->bone_of_node[c->node] != TRILO_NONE;
        if (bone || tl_t3dm_channel_is_static(e->model, c))
            continue;
        first = lost++ == 0 ? c->node : first;
    }
    if (lost > 0)
        tl_t3dm_report_loss(e, T3DM_R_LOST_CHANNELS,
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

static bool is_playable(t3dm_encoder *e, const trilo_clip *clip)
{
    if (!e->policy.drop_static_clips)
        return e->bone_of_node != NULL;
    const bool moves = moves_bones(e, clip), lasts = clip->duration - clip_start(e, clip) >= 1e-4;
    remark_channels(e, clip);
    if (!moves || !lasts)
        tl_t3dm_report_loss(e, T3DM_R_LOST_CLIP, "the clip %s, so it is not written",
                            moves ? "is a single pose without a duration" : "moves no bone and no mesh");
    return moves && lasts;
}

static bool add_animation(t3dm_encoder *e, uint32_t clip, const shared *all)
{
    const uint32_t number = e->file->animation_count++;
    t3dm_animation *a = &e->file->animations[number];
    const trilo_clip *from = &e->model->clips[clip];
    char made[24];
    snprintf(made, sizeof made, "clip%" PRIu32, clip);
    return make_clip(e, from, all, a) &&
           tl_t3dm_add_string(e, from->name.len > 0 ? from->name.data : made, &a->head.name) &&
           name_stream(e, number, &a->head.stream);
}

bool tl_t3dm_encode_clips(t3dm_encoder *e)
{
    e->file->animations = TL_ARRAY(e->arena, e->model->clip_count, t3dm_animation);
    shared all = {0};
    if (!e->file->animations || !tl_t3dm_find_moves(e, &all.moves))
        return false;
    if (e->policy.has_tolerance && e->bone_of_node && !(all.body = tl_t3dm_skin_samples_new(e)))
        return false;
    tl_frames_lost(e->model, t3dm_rule(T3DM_R_LOST_FRAMES), e->losses);
    for (uint32_t i = 0; i < e->model->clip_count; i++) {
        const trilo_clip *clip = &e->model->clips[i];
        tl_t3dm_enter(e, "clips", i, clip->name);
        const bool ok = tl_clip_only_frames(clip) || !is_playable(e, clip) || add_animation(e, i, &all);
        tl_t3dm_leave(e);
        if (!ok)
            return false;
    }
    return true;
}
