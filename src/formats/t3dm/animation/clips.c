/* The clips of a model as animations with their keyframe streams. */
#include "base/strict_float.h"
#include "formats/t3dm/animation/animation.h"

#include "base/companion_name.h"
#include "model/curve.h"
#include "model/frames.h"
#include "model/target.h"
#include "n64/console_path.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A clip that has been encoded. */
typedef struct encoded_clip {
    const t3dm_animation *animation;  /* NULL: not yet */
    double measured;                  /* what it took of e->measured_left */
    t3dm_kept_findings kept_findings; /* about it */
} encoded_clip;

/* What all clips share. */
typedef struct clip_context {
    uint8_t *animated;                /* bits of each node, see tl_t3dm_find_animated */
    const t3dm_skin_samples *samples; /* NULL: keys are kept, so nothing is measured */
    const uint32_t *first;            /* of each clip: the first that is the same */
    encoded_clip *encoded;            /* of each clip */
} clip_context;

/* The time of the first key of all. Nothing moves before it, so a loop would pause there. */
double tl_t3dm_clip_start(const t3dm_encoder *e, const trilo_clip *clip)
{
    double start = INFINITY;
    for (uint32_t i = 0; i < clip->channel_count; i++)
        if (clip->channels[i].key_count > 0)
            start = fmin(start, clip->channels[i].times[0]);
    return !e->policy.keep_start && start > 0 && start < INFINITY ? start : 0;
}

bool tl_t3dm_source_channels(t3dm_encoder *e, const trilo_clip *clip, double start, trilo_channel *channels)
{
    uint32_t resampled = 0;
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        trilo_channel from = clip->channels[i];
        if (start > 0) {
            double *times = tl_array_raw(e->arena, from.key_count, sizeof *times);
            for (uint32_t k = 0; times && k < from.key_count; k++)
                times[k] = from.times[k] - start;
            from.times = times;
            if (!times)
                return false;
        }
        if (!tl_channel_linear(e->arena, &from, TL_SDATA_RATE, &channels[i]))
            return false;
        resampled += channels[i].key_count != from.key_count ? 1 : 0;
    }
    if (start > 0)
        tl_t3dm_report_loss(e, T3DM_R_TRIMMED, "the clip starts %.6g seconds earlier, at its first key", start);
    if (resampled > 0)
        tl_t3dm_report_loss(e, T3DM_R_RESAMPLED,
                            "channels with steps or cubic curves (%" PRIu32
                            ") were resampled as straight lines between ticks",
                            resampled);
    return true;
}

/* --- curves --- */

static const double INVISIBLE_ROTATION = 1e-6; /* of a component of a quaternion */

/* Which curves of a clip. */
typedef enum curve_kind { CURVE_STATIC_ROTATION, CURVE_ROTATION, CURVE_SCALAR } curve_kind;

/* A rotation that holds the identity, in the clip and in the rest pose. T3DM cannot store the identity: the nearest
 * code is 0.137 degrees off. Tiny3D's converter leaves such a channel out if it is exact. */
static bool holds_identity(const t3dm_encoder *e, const trilo_channel *c, double most)
{
    const trilo_quat rest = e->model->nodes[c->node].rotation;
    bool identity = c->target == TRILO_TARGET_ROTATION && fabs(rest.x) <= INVISIBLE_ROTATION &&
                    fabs(rest.y) <= INVISIBLE_ROTATION && fabs(rest.z) <= INVISIBLE_ROTATION;
    for (size_t i = 0; identity && i < 4 * (size_t)c->key_count; i++)
        identity = i % 4 == 3 || fabs(c->values[i]) <= most;
    return identity;
}

/* One curve for a rotation, one for each axis of a vector. Channels without keys drop out. Scalars that are static in
 * all clips are left out unless all are requested (`animated` NULL). */
static uint32_t list_curves(const t3dm_encoder *e, const t3dm_clip_builder *clip, curve_kind kind,
                            const uint8_t *animated, t3dm_curve *out)
{
    uint32_t listed = 0;
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        const trilo_channel *c = &clip->channels[i];
        const trilo_target whole = tl_target_whole(c->target);
        const uint32_t bone = e->bone_of_node[c->node], axes = tl_target_width(c->target) == 3 ? 3 : 1;
        const uint8_t type = whole == TRILO_TARGET_ROTATION      ? T3DM_ROTATION
                             : whole == TRILO_TARGET_TRANSLATION ? T3DM_TRANSLATION
                                                                 : T3DM_SCALE;
        if (c->key_count == 0 || (type == T3DM_ROTATION) != (kind != CURVE_SCALAR) || bone == TRILO_NONE ||
            (animated && holds_identity(e, c, 0)))
            continue;
        for (uint32_t k = 0; k < axes; k++) {
            const uint32_t axis = axes == 3 ? k : tl_target_axis(c->target);
            const t3dm_mapping m = {.bone = (uint16_t)bone, .type = type, .axis = (uint8_t)axis};
            const bool moves = !animated || (animated[c->node] & tl_t3dm_animated_bit(c, axis) &&
                                             !holds_identity(e, c, INVISIBLE_ROTATION));
            if (moves == (kind != CURVE_STATIC_ROTATION))
                out[listed++] = (t3dm_curve){.channel = c, .axis = axis, .component = k, .mapping = m, .fraction = 1};
        }
    }
    return listed;
}

/* Tiny3D leaves a bone as it is where a clip has no channel for it. */
static void report_left_out(t3dm_encoder *e, const t3dm_clip_builder *clip, const uint8_t *animated)
{
    uint32_t count = 0, first = 0;
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        const trilo_channel *c = &clip->channels[i];
        if (c->key_count > 0 && e->bone_of_node[c->node] != TRILO_NONE &&
            animated[c->node] & tl_t3dm_animated_bit(c, 0) && holds_identity(e, c, INVISIBLE_ROTATION))
            first = count++ == 0 ? c->node : first;
    }
    if (count > 0)
        tl_t3dm_report_loss(
            e, T3DM_R_CLIP_RESET,
            "bones that other clips rotate are in their rest rotation (%" PRIu32 ", such as \"%.60s\"), "
            "which T3DM cannot store exactly; they have no channel, so reset the skeleton before the clip",
            count, e->model->nodes[first].name.data ? e->model->nodes[first].name.data : "");
}

/* The scale and offset of 16-bit scalars. Those of the T3DM file that was read are reused when they reproduce every
 * value. */
static bool choose_scalar_range(t3dm_encoder *e, t3dm_curve *c)
{
    float *values = tl_array_raw(e->arena, c->count, sizeof *values);
    bool exact = e->policy.scale == 1 && c->channel->step != 0;
    t3dm_mapping *m = &c->mapping;
    m->scale = c->channel->step;
    m->offset = c->channel->base;
    for (uint32_t k = 0; values && k < c->count; k++) {
        values[k] = (float)c->scalars[k];
        exact = exact && tl_sdata_unpack_scalar(tl_sdata_pack_scalar(values[k], m->scale, m->offset), m->scale,
                                                m->offset) == values[k];
    }
    if (values && !exact)
        tl_sdata_scalar_range(values, c->count, &m->scale, &m->offset);
    return values != NULL;
}

/* Curves with samples and keys. Nothing of this is needed in the file but the keys. */
static bool build_clip(t3dm_encoder *e, const trilo_clip *from, double start, double duration,
                       const clip_context *context, t3dm_clip_builder *clip)
{
    const size_t most = 3 * (size_t)from->channel_count;
    trilo_channel *channels = TL_ARRAY(e->arena, from->channel_count, trilo_channel);
    tl_sdata *sdata = &clip->sdata;
    clip->channels = channels;
    clip->channel_count = from->channel_count;
    clip->curves = tl_array_raw(e->arena, most, sizeof *clip->curves);
    sdata->channels = TL_ARRAY(e->arena, most, tl_sdata_channel);
    if (!channels || !clip->curves || !sdata->channels || !tl_t3dm_source_channels(e, from, start, channels))
        return false;
    /* Static channels are left out, unless nothing would be left. */
    for (int all = e->policy.keep_static_channels; all <= 1 && sdata->channel_count == 0; all++) {
        const uint8_t *animated = all ? NULL : context->animated;
        clip->static_count = all ? 0 : list_curves(e, clip, CURVE_STATIC_ROTATION, animated, clip->curves);
        const uint32_t rotations = list_curves(e, clip, CURVE_ROTATION, animated, clip->curves + clip->static_count);
        const uint32_t scalars =
            list_curves(e, clip, CURVE_SCALAR, animated, clip->curves + clip->static_count + rotations);
        sdata->quat_count = rotations + scalars > 0 ? clip->static_count + rotations : 0;
        sdata->channel_count = rotations + scalars > 0 ? sdata->quat_count + scalars : 0;
        if (!all && sdata->channel_count > 0)
            report_left_out(e, clip, animated);
    }
    if (sdata->channel_count > UINT16_MAX)
        return tl_t3dm_encode_fail(e, T3DM_R_RANGE_COUNT, TRILO_CODE_LIMIT,
                                   "%" PRIu32 " channels, T3DM counts to 65535", sdata->channel_count);
    if (sdata->channel_count == 0)
        tl_t3dm_report_loss(e, T3DM_R_ANIM_EMPTY, "the clip has no keys, so the written clip moves nothing");
    clip->last_tick = tl_t3dm_last_tick(e, duration);
    clip->suspect = clip->last_tick / 2;
    clip->failing_bone = TRILO_NONE;
    bool retimed = false;
    if (!tl_t3dm_keep_source_values(e, clip))
        return false;
    for (uint32_t k = 0; k < sdata->channel_count; k++) {
        t3dm_curve *c = &clip->curves[k];
        c->at_ticks = clip->at_ticks[c->channel - clip->channels];
        c->last_tick = clip->last_tick;
        if (!tl_t3dm_sample_curve(e, duration, k > 0 ? c - 1 : NULL, c) ||
            (!c->rotations && !choose_scalar_range(e, c)))
            return false;
        retimed = retimed || c->retimed;
    }
    if (retimed)
        tl_t3dm_report_loss(e, T3DM_R_LOST_KEYS, "keys between two ticks of 1/60 second were moved to one");
    return tl_t3dm_fit_tolerance(e, clip, context->samples);
}

/* --- animations --- */

static bool encode_animation(t3dm_encoder *e, const t3dm_clip_builder *clip, double duration, t3dm_animation *a)
{
    const tl_sdata *sdata = &clip->sdata;
    trilo_error err = {0};
    a->mappings = TL_ARRAY(e->arena, sdata->channel_count, t3dm_mapping);
    for (uint32_t k = 0; a->mappings && k < sdata->channel_count; k++)
        a->mappings[k] = clip->curves[k].mapping;
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

/* Samples of a clip, the keys of its curves, and the animation made of them. */
static bool encode_clip_keys(t3dm_encoder *e, const trilo_clip *from, const clip_context *context, t3dm_animation *a)
{
    const double start = tl_t3dm_clip_start(e, from), duration = from->duration > start ? from->duration - start : 0;
    tl_arena *arena = e->arena, scratch;
    t3dm_clip_builder clip = {0};
    tl_arena_init_scratch(&scratch, arena);
    tl_arena_init_scratch(&e->curve_scratch, arena);
    e->arena = &scratch;
    bool ok = build_clip(e, from, start, duration, context, &clip);
    e->arena = arena;
    tl_arena_free(&e->curve_scratch);
    ok = ok && encode_animation(e, &clip, duration, a);
    tl_arena_free(&scratch);
    return ok;
}

/* The same keys again, unless there are too many ticks left to measure: then a clip gets others. */
static bool repeat_clip_keys(t3dm_encoder *e, const encoded_clip *same, t3dm_animation *a)
{
    if (!same->animation || same->kept_findings.incomplete || !(same->measured <= e->measured_left))
        return false;
    *a = *same->animation;
    e->measured_left -= same->measured;
    tl_t3dm_report_again(e, &same->kept_findings);
    return true;
}

static bool encode_t3dm_clip(t3dm_encoder *e, uint32_t number, const clip_context *context)
{
    const uint32_t animation = e->file->animation_count++;
    t3dm_animation *a = &e->file->animations[animation];
    const trilo_clip *from = &e->model->clips[number];
    bool ok = repeat_clip_keys(e, &context->encoded[context->first[number]], a);
    if (!ok) {
        encoded_clip *encoded = &context->encoded[number];
        const double left = e->measured_left;
        encoded->kept_findings.arena = e->arena;
        e->kept_findings = &encoded->kept_findings;
        ok = encode_clip_keys(e, from, context, a);
        e->kept_findings = NULL;
        encoded->animation = a;
        encoded->measured = left - e->measured_left;
    }
    char made[24], ending[24], stream[TL_FILE_NAME_ROOM], path[T3DM_STRING_MOST];
    snprintf(made, sizeof made, "clip%" PRIu32, number);
    /* The path of the stream on the console: "rom:/hero.t3dm" and animation 2 make "rom:/hero.2.sdata". */
    const char *rom = e->opts->t3dm->rom_path, *slash = rom ? strrchr(rom, '/') : NULL;
    const int folder = slash ? (int)(slash + 1 - rom) : 5;
    snprintf(ending, sizeof ending, ".%" PRIu32 ".sdata", animation);
    tl_companion_name(e->opts->name ? e->opts->name : "model.t3dm", ending, stream);
    if (snprintf(path, sizeof path, "%.*s%s", folder, slash ? rom : TL_CONSOLE_ROOT, stream) >= (int)sizeof path) {
        e->err_set = true;
        return tl_fail(e->err, TRILO_CODE_CANT_WRITE, &tl_general_rules[TL_FILE_WRITE], TRILO_NOWHERE, &e->losses->path,
                       "the path of the stream \"%.60s\" on the console is too long: at most %d bytes", stream,
                       T3DM_STRING_MOST - 1);
    }
    e->file->streamed[e->file->streamed_count++] = animation;
    return ok && tl_t3dm_add_string(e, from->name.len > 0 ? from->name.data : made, &a->head.name) &&
           tl_t3dm_add_string(e, path, &a->head.stream);
}

/* --- clips that are left out --- */

/* Channels that animate a node which is not a bone are lost: nothing is attached to it. */
static bool is_playable(t3dm_encoder *e, const trilo_clip *clip)
{
    if (tl_clip_only_frames(clip))
        return false;
    if (!e->policy.drop_static_clips)
        return e->bone_of_node != NULL;
    const bool lasts = clip->duration - tl_t3dm_clip_start(e, clip) >= 1e-4;
    bool moves = false;
    uint32_t lost = 0, first = TRILO_NONE;
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        const trilo_channel *c = &clip->channels[i];
        const bool bone = e->bone_of_node && e->bone_of_node[c->node] != TRILO_NONE;
        moves = moves || (bone && c->key_count > 0);
        if (!bone && !tl_t3dm_channel_is_static(e->model, c))
            first = lost++ == 0 ? c->node : first;
    }
    if (lost > 0)
        tl_t3dm_report_loss(e, T3DM_R_LOST_CHANNELS,
                            "channels that move nothing visible (%" PRIu32 ", such as of \"%.60s\") are lost", lost,
                            e->model->nodes[first].name.data ? e->model->nodes[first].name.data : "");
    if (!moves || !lasts)
        tl_t3dm_report_loss(e, T3DM_R_LOST_CLIP, "the clip %s, so it is not written",
                            moves ? "is a single pose without a duration" : "moves no bone and no mesh");
    return moves && lasts;
}

/* Measuring takes time for every tick of a clip, whereas a file needs only two keys for thousands of them. So there is
 * a limit: far above what models of games have, it is reached in seconds. */
static double measured_most(const trilo_model *model)
{
    static const double TICKS_LEAST = 4e6, TICKS_PER_KEY = 8; /* 24 keys in a second with 3 axes have 7.5 */
    double keys = 0;
    for (uint32_t i = 0; i < model->clip_count; i++)
        for (uint32_t k = 0; k < model->clips[i].channel_count; k++)
            keys += model->clips[i].channels[k].key_count;
    return TICKS_LEAST + TICKS_PER_KEY * keys;
}

bool tl_t3dm_encode_clips(t3dm_encoder *e)
{
    clip_context context = {0};
    e->measured_left = measured_most(e->model);
    e->file->animations = TL_ARRAY(e->arena, e->model->clip_count, t3dm_animation);
    e->file->streamed = TL_ARRAY(e->arena, e->model->clip_count, uint32_t);
    context.encoded = TL_ARRAY(e->arena, e->model->clip_count, encoded_clip);
    context.first = tl_t3dm_find_repeated_clips(e);
    if (!e->file->animations || !e->file->streamed || !context.encoded || !context.first ||
        !tl_t3dm_find_animated(e, &context.animated))
        return false;
    if (!e->policy.keep_keys && e->bone_of_node && !(context.samples = tl_t3dm_skin_samples_new(e)))
        return false;
    tl_frames_lost(e->model, t3dm_rule(T3DM_R_LOST_FRAMES), e->losses);
    for (uint32_t i = 0; i < e->model->clip_count; i++) {
        tl_t3dm_enter(e, "clips", i, e->model->clips[i].name);
        const bool ok = !is_playable(e, &e->model->clips[i]) || encode_t3dm_clip(e, i, &context);
        tl_t3dm_leave(e);
        if (!ok || !tl_report_step(e->losses))
            return false;
    }
    if (e->policy.has_tolerance && e->file->animation_count == 0)
        tl_t3dm_report_loss(e, T3DM_R_KEYS_SAME, "the bound makes no difference: no clip is written");
    return true;
}
