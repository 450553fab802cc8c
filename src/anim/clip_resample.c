/* Resampling clips at a fixed rate, and dropping static channels. */
#include "anim/clip_edit.h"
#include "base/strict_float.h"

#include "model/curve.h"
#include "model/target.h"

#include <math.h>
#include <string.h>

/* ---- resampling ---- */

/* Of a key's distance: one so close to the end is left out. */
static const double END_EPSILON = 1e-6;

static bool resample_channel(tl_arena *arena, double rate, double duration, trilo_channel *channel)
{
    const trilo_channel from = *channel;
    const uint32_t count = (uint32_t)ceil(fmax(0, duration * rate - END_EPSILON)) + 1;
    double *times;
    float *values;
    if (from.key_count == 0)
        return true;
    channel->interpolation =
        from.interpolation == TRILO_INTERPOLATION_STEP ? TRILO_INTERPOLATION_STEP : TRILO_INTERPOLATION_LINEAR;
    if (!tl_channel_make_room(arena, count, channel, &times, &values))
        return false;
    for (uint32_t k = 0; k < count; k++) {
        times[k] = k + 1 < count || count == 1 ? k / rate : duration;
        trilo_channel_sample(&from, times[k], values + (size_t)k * trilo_target_width(from.target));
    }
    channel->key_count = count;
    channel->step = channel->base = 0;
    return true;
}

bool tl_clip_resample(tl_arena *arena, double rate, trilo_clip *clip)
{
    trilo_channel *channels = tl_bytes_copy(arena, clip->channels, clip->channel_count * sizeof *channels);
    bool ok = channels != NULL;
    for (uint32_t i = 0; ok && i < clip->channel_count; i++)
        ok = resample_channel(arena, rate, clip->duration, &channels[i]);
    clip->channels = channels;
    clip->rate = rate;
    return ok;
}

/* ---- static channels ---- */

static bool near_rest_value(double a, double b)
{
    return fabs(a - b) <= 1e-5 * fmax(1, fabs(b));
}

/* The rest pose of a channel's target. */
static void rest_value(const trilo_node *node, trilo_target target, float out[4])
{
    const trilo_vec3 t = node->translation, s = node->scale;
    const trilo_quat q = node->rotation;
    const float translation[3] = {t.x, t.y, t.z}, scale[3] = {s.x, s.y, s.z}, rotation[4] = {q.x, q.y, q.z, q.w};
    const float *vector = tl_target_whole(target) == TRILO_TARGET_TRANSLATION ? translation : scale;
    if (target == TRILO_TARGET_ROTATION)
        memcpy(out, rotation, sizeof rotation);
    else
        memcpy(out, vector + tl_target_axis(target), trilo_target_width(target) * sizeof *out);
}

static bool channel_is_at_rest(const trilo_model *model, const trilo_channel *c)
{
    const uint32_t width = trilo_target_width(c->target);
    float rest[4];
    rest_value(&model->nodes[c->node], c->target, rest);
    for (uint32_t k = 0; k < c->key_count; k++) {
        const float *value = tl_channel_value(c, k);
        double dot = 0;
        for (uint32_t i = 0; i < width; i++)
            dot += (double)value[i] * rest[i];
        const double sign = c->target == TRILO_TARGET_ROTATION && dot < 0 ? -1 : 1; /* q and -q are one rotation */
        for (uint32_t i = 0; i < width; i++)
            if (!near_rest_value(sign * value[i], rest[i]))
                return false;
        for (uint32_t i = 0; c->interpolation == TRILO_INTERPOLATION_CUBIC && i < width; i++)
            if (!near_rest_value((value - width)[i], 0) || !near_rest_value((value + width)[i], 0))
                return false;
    }
    return true;
}

static uint32_t target_bit(const trilo_channel *c)
{
    return 1u << c->target;
}

/* A player may leave a node where the clip before has put it, so a channel is dropped only if it is static in every
 * clip. */
bool tl_clips_drop_static(tl_arena *arena, const trilo_model *model, trilo_clip *clips, uint32_t count)
{
    uint16_t *animated = TL_ARRAY(arena, model->node_count, uint16_t);
    if (!animated)
        return false;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < clips[i].channel_count; k++)
            if (!channel_is_at_rest(model, &clips[i].channels[k]))
                animated[clips[i].channels[k].node] |= (uint16_t)target_bit(&clips[i].channels[k]);
    for (uint32_t i = 0; i < count; i++) {
        trilo_channel *kept = tl_array_raw(arena, clips[i].channel_count, sizeof *kept);
        uint32_t left = 0;
        if (!kept)
            return false;
        for (uint32_t k = 0; k < clips[i].channel_count; k++)
            if (animated[clips[i].channels[k].node] & target_bit(&clips[i].channels[k]))
                kept[left++] = clips[i].channels[k];
        clips[i].channels = kept;
        clips[i].channel_count = left;
    }
    return true;
}
