/* The error of the clips of a finished file against the model that it was made of.
 *
 * The source goes through the steps of the encoder that decide bones and bindings, so both are in the same space. Bones
 * and clips of the file are found by their names. */
#include "base/strict_float.h"
#include "formats/t3dm/animation/animation.h"

#include <math.h>
#include <string.h>

static bool prepare_source(t3dm_encoder *e)
{
    e->file = TL_NEW(e->arena, t3dm_file);
    e->mesh_count = 0;
    e->bone_of_node = NULL;
    if (!e->file || !tl_t3dm_order_meshes(e) || !tl_t3dm_encode_bones(e))
        return false;
    for (uint32_t i = 0; i < e->mesh_count; i++) {
        const uint32_t skin = e->model->meshes[e->meshes[i]].skin;
        if (skin != TRILO_NONE && !tl_t3dm_bind_skin(e, skin))
            return false;
    }
    return true;
}

static const char *bone_name(const t3dm_encoder *e, uint32_t bone)
{
    const trilo_str name = e->model->nodes[e->node_of_bone[bone]].name;
    return name.len > 0 ? name.data : "";
}

/* For each bone of the file: that of the source, or T3DM_NO_BONE. Names that are used twice are matched in order. */
static bool match_bones(const t3dm_encoder *e, const t3dm_file *played, uint16_t *matched)
{
    const uint32_t count = e->file->skeleton.bone_count;
    bool *taken = TL_ARRAY(e->arena, count, bool);
    for (uint32_t b = 0; taken && b < played->skeleton.bone_count; b++) {
        const char *name = tl_t3dm_string(played, played->bones[b].name);
        uint32_t same = b; /* nearly always in the same order */
        if (same >= count || taken[same] || strcmp(bone_name(e, same), name ? name : "") != 0)
            for (same = 0; same < count && (taken[same] || strcmp(bone_name(e, same), name ? name : "") != 0);)
                same++;
        matched[b] = same < count ? (uint16_t)same : T3DM_NO_BONE;
        if (same < count)
            taken[same] = true;
    }
    return taken != NULL;
}

/* The factor between lengths of the file and of the source as it is scaled now; 1 if no bone determines it. */
static double scale_of_bones(const t3dm_encoder *e, const t3dm_file *played, const uint16_t *matched)
{
    double in_file = 0, in_source = 0;
    for (uint32_t b = 0; b < played->skeleton.bone_count; b++)
        for (int k = 0; matched[b] != T3DM_NO_BONE && k < 3; k++) {
            in_file += fabs(played->bones[b].position[k]);
            in_source += fabs(e->file->bones[matched[b]].position[k]);
        }
    const double factor = in_source > 0 ? in_file / in_source : 1;
    return factor > 0 && fabs(factor - 1) > 1e-4 ? factor : 1;
}

static uint32_t find_source_clip(const trilo_model *source, const t3dm_file *played, uint32_t animation)
{
    const char *name = tl_t3dm_string(played, played->animations[animation].head.name);
    for (uint32_t i = 0; name && i < source->clip_count; i++)
        if (source->clips[i].name.len > 0 && strcmp(source->clips[i].name.data, name) == 0)
            return i;
    return TRILO_NONE;
}

/* Then a clip is only off at the bones that it moves. */
static bool has_same_rest_pose(const t3dm_bone *a, const t3dm_bone *b, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < 4; k++)
            if (a[i].rotation[k] != b[i].rotation[k] ||
                (k < 3 && (a[i].scale[k] != b[i].scale[k] || a[i].position[k] != b[i].position[k])))
                return false;
    return true;
}

static bool measure_clip(t3dm_encoder *e, const t3dm_skin_samples *samples, const t3dm_bone *rest,
                         const uint16_t *matched, const t3dm_animation *animation, const trilo_clip *from,
                         t3dm_clip_error *error)
{
    const double start = tl_t3dm_clip_start(e, from);
    trilo_channel *channels = TL_ARRAY(e->arena, from->channel_count, trilo_channel);
    t3dm_clip_builder clip = {.channels = channels,
                              .channel_count = from->channel_count,
                              .curves = TL_ARRAY(e->arena, animation->keys.channel_count, t3dm_curve),
                              .sdata = animation->keys,
                              .last_tick = tl_t3dm_last_tick(e, from->duration > start ? from->duration - start : 0),
                              .rest = rest};
    if (!channels || !clip.curves || !tl_t3dm_source_channels(e, from, start, channels))
        return false;
    for (uint32_t i = 0; i < animation->keys.channel_count; i++) {
        clip.curves[i].mapping = animation->mappings[i];
        clip.curves[i].mapping.bone = matched[animation->mappings[i].bone];
    }
    return tl_t3dm_list_clip_bones(e, &clip) && tl_t3dm_clip_error(e, samples, &clip, NULL, error);
}

static bool measure_all(t3dm_encoder *e, const t3dm_file *played, t3dm_measured_clip *errors)
{
    uint16_t *matched = TL_ARRAY(e->arena, (size_t)played->skeleton.bone_count + 1, uint16_t);
    e->policy = tl_t3dm_policy_of(e->model, e->opts);
    e->policy.keep_keys = false; /* times as they are, not moved to ticks */
    if (!matched || !prepare_source(e) || !match_bones(e, played, matched))
        return false;
    if (!(e->opts->t3dm->scale > 0)) {
        e->policy.scale *= scale_of_bones(e, played, matched);
        if (!prepare_source(e))
            return false;
    }
    t3dm_bone *rest = TL_ARRAY(e->arena, (size_t)e->file->skeleton.bone_count + 1, t3dm_bone);
    const t3dm_skin_samples *samples = rest ? tl_t3dm_skin_samples_new(e) : NULL;
    if (!samples)
        return false;
    memcpy(rest, e->file->bones, e->file->skeleton.bone_count * sizeof *rest);
    for (uint32_t b = 0; b < played->skeleton.bone_count; b++)
        if (matched[b] != T3DM_NO_BONE)
            rest[matched[b]] = played->bones[b];
    const bool same = has_same_rest_pose(rest, e->file->bones, e->file->skeleton.bone_count);
    for (uint32_t i = 0; i < played->animation_count; i++) {
        const t3dm_animation *animation = &played->animations[i];
        const uint32_t clip = find_source_clip(e->model, played, i);
        errors[i] = (t3dm_measured_clip){.error.bone = TRILO_NONE};
        if (clip == TRILO_NONE || !animation->has_stream || animation->stream_error || !e->bone_of_node ||
            !(e->model->clips[clip].duration <= UINT16_MAX / (double)TL_SDATA_RATE))
            continue;
        if (!measure_clip(e, samples, same ? NULL : rest, matched, animation, &e->model->clips[clip], &errors[i].error))
            return false;
        errors[i].measured = true;
        uint32_t bone = 0;
        while (bone < played->skeleton.bone_count && matched[bone] != errors[i].error.bone)
            bone++;
        errors[i].error.bone = bone < played->skeleton.bone_count ? bone : TRILO_NONE;
    }
    return true;
}

bool tl_t3dm_measure_clips(const trilo_model *source, const trilo_write_opts *opts, const t3dm_file *played,
                           tl_arena *arena, t3dm_measured_clip *errors, trilo_error *err)
{
    tl_report silent = {0};
    t3dm_encoder e = {.model = source, .opts = opts, .arena = arena, .losses = &silent, .err = err};
    if (measure_all(&e, played, errors))
        return true;
    if (!e.err_set)
        tl_fail_memory(err);
    return false;
}
