#include "model/target.h"

#include "model/curve.h"

uint32_t trilo_target_width(trilo_target target)
{
    switch (target) {
    case TRILO_TARGET_TRANSLATION:
    case TRILO_TARGET_SCALE:
        return 3;
    case TRILO_TARGET_ROTATION:
        return 4;
    default:
        return 1;
    }
}

trilo_target tl_target_whole(trilo_target target)
{
    switch (target) {
    case TRILO_TARGET_TRANSLATION_X:
    case TRILO_TARGET_TRANSLATION_Y:
    case TRILO_TARGET_TRANSLATION_Z:
        return TRILO_TARGET_TRANSLATION;
    case TRILO_TARGET_SCALE_X:
    case TRILO_TARGET_SCALE_Y:
    case TRILO_TARGET_SCALE_Z:
        return TRILO_TARGET_SCALE;
    default:
        return target;
    }
}

uint32_t tl_target_axis(trilo_target target)
{
    switch (target) {
    case TRILO_TARGET_TRANSLATION_Y:
    case TRILO_TARGET_SCALE_Y:
        return 1;
    case TRILO_TARGET_TRANSLATION_Z:
    case TRILO_TARGET_SCALE_Z:
        return 2;
    default:
        return 0;
    }
}

/* A bit for each target that moves some of what this one moves. */
static uint32_t overlapping(trilo_target target)
{
    const trilo_target whole = tl_target_whole(target);
    uint32_t bits = 1u << target | 1u << whole;
    if (target == TRILO_TARGET_TRANSLATION)
        bits |= 1u << TRILO_TARGET_TRANSLATION_X | 1u << TRILO_TARGET_TRANSLATION_Y | 1u << TRILO_TARGET_TRANSLATION_Z;
    if (target == TRILO_TARGET_SCALE)
        bits |= 1u << TRILO_TARGET_SCALE_X | 1u << TRILO_TARGET_SCALE_Y | 1u << TRILO_TARGET_SCALE_Z;
    return bits;
}

bool tl_target_take(tl_moved_transform *node, uint32_t clip, trilo_target target)
{
    if (node->clip != clip + 1)
        *node = (tl_moved_transform){.clip = clip + 1};
    const bool is_free = (node->parts & overlapping(target)) == 0;
    node->parts |= 1u << target;
    return is_free;
}

/* An axis while its keys are walked; `passed` of them are not after the moment. */
typedef struct axis_walk {
    trilo_channel channel; /* linear; without keys: it rests */
    float rest;
    uint32_t passed;
} axis_walk;

static bool axis_ends(const axis_walk *axis)
{
    return axis->passed == axis->channel.key_count;
}

/* The next moment at which an axis has a key; false behind the last one. */
static bool next_moment(const axis_walk axes[3], double *moment)
{
    bool any = false;
    for (int i = 0; i < 3; i++) {
        if (axis_ends(&axes[i]))
            continue;
        const double time = axes[i].channel.times[axes[i].passed];
        *moment = any && *moment < time ? *moment : time;
        any = true;
    }
    return any;
}

static float axis_at(const axis_walk *axis, double moment)
{
    const trilo_channel *c = &axis->channel;
    const uint32_t next = axis->passed;
    if (c->key_count == 0)
        return axis->rest;
    if (next == 0 || next == c->key_count)
        return c->values[next == 0 ? 0 : next - 1];
    float value = 0;
    tl_channel_between(c, next - 1, moment, &value);
    return value;
}

static uint32_t merge_keys(axis_walk axes[3], double *times, float (*values)[3])
{
    uint32_t count = 0;
    double moment = 0;
    while (next_moment(axes, &moment)) {
        for (int i = 0; i < 3; i++) {
            if (!axis_ends(&axes[i]) && axes[i].channel.times[axes[i].passed] == moment)
                axes[i].passed++;
            values[count][i] = axis_at(&axes[i], moment);
        }
        times[count++] = moment;
    }
    return count;
}

bool tl_channel_merge(tl_arena *arena, const trilo_node *node, const trilo_channel *const channels[3],
                      trilo_channel *out)
{
    axis_walk axes[3] = {{.passed = 0}};
    size_t most = 0; /* when no two keys fall together */
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
    merged.key_count = merge_keys(axes, times, values);
    merged.times = times;
    merged.values = values[0];
    *out = merged;
    return true;
}
