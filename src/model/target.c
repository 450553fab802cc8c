#include "model/target.h"
#include "base/strict_float.h"

#include "model/curve.h"

uint32_t trilo_target_width(trilo_target target)
{
    return tl_target_width(target);
}

bool tl_target_take(tl_moved_transform *node, uint32_t clip, trilo_target target)
{
    if (node->clip != clip + 1)
        *node = (tl_moved_transform){.clip = clip + 1};
    uint32_t overlapping = 1u << target | 1u << tl_target_whole(target);
    if (target == TRILO_TARGET_TRANSLATION)
        overlapping |=
            1u << TRILO_TARGET_TRANSLATION_X | 1u << TRILO_TARGET_TRANSLATION_Y | 1u << TRILO_TARGET_TRANSLATION_Z;
    if (target == TRILO_TARGET_SCALE)
        overlapping |= 1u << TRILO_TARGET_SCALE_X | 1u << TRILO_TARGET_SCALE_Y | 1u << TRILO_TARGET_SCALE_Z;
    const bool is_free = (node->parts & overlapping) == 0;
    node->parts |= 1u << target;
    return is_free;
}

/* An axis during the merge. */
typedef struct merge_axis {
    trilo_channel channel; /* linear; without keys: the axis is constant */
    float rest;
    uint32_t passed; /* keys up to the current time */
} merge_axis;

static float merge_axis_at(const merge_axis *axis, double time)
{
    const trilo_channel *c = &axis->channel;
    const uint32_t next = axis->passed;
    if (c->key_count == 0)
        return axis->rest;
    if (next == 0 || next == c->key_count)
        return c->values[next == 0 ? 0 : next - 1];
    float value = 0;
    tl_channel_between(c, next - 1, time, &value);
    return value;
}

/* A three-way merge of the times of the keys. Returns the number of keys. */
static uint32_t merge_axes(merge_axis axes[3], double *times, float (*values)[3])
{
    for (uint32_t count = 0;; count++) {
        bool any = false;
        double time = 0;
        for (int i = 0; i < 3; i++)
            if (axes[i].passed < axes[i].channel.key_count) {
                const double next = axes[i].channel.times[axes[i].passed];
                time = any && time < next ? time : next;
                any = true;
            }
        if (!any)
            return count;
        for (int i = 0; i < 3; i++) {
            if (axes[i].passed < axes[i].channel.key_count && axes[i].channel.times[axes[i].passed] == time)
                axes[i].passed++;
            values[count][i] = merge_axis_at(&axes[i], time);
        }
        times[count] = time;
    }
}

bool tl_channel_merge(tl_arena *arena, const trilo_node *node, const trilo_channel *const channels[3],
                      trilo_channel *out)
{
    merge_axis axes[3] = {{.passed = 0}};
    size_t most = 0; /* keys, if no two have the same time */
    trilo_channel merged = {0};
    for (int i = 0; i < 3; i++) {
        if (!channels[i] || channels[i]->key_count == 0)
            continue;
        if (!tl_channel_linear(arena, channels[i], TL_CURVE_RATE, &axes[i].channel) ||
            axes[i].channel.key_count > UINT32_MAX - most)
            return false;
        most += axes[i].channel.key_count;
        merged.node = channels[i]->node;
        merged.target = tl_target_whole(channels[i]->target);
    }
    const trilo_vec3 rest = merged.target == TRILO_TARGET_SCALE ? node->scale : node->translation;
    axes[0].rest = rest.x, axes[1].rest = rest.y, axes[2].rest = rest.z;
    double *times = tl_array_raw(arena, most, sizeof *times);
    float(*values)[3] = tl_array_raw(arena, most, sizeof *values);
    if (!times || !values)
        return false;
    merged.key_count = merge_axes(axes, times, values);
    merged.times = times;
    merged.values = values[0];
    *out = merged;
    return true;
}
