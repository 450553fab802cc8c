/* Retargeting: clips for another skeleton, whose nodes are found by name. */
#include "anim/clip_edit.h"
#include "base/opts.h"
#include "base/strict_float.h"

#include "base/report.h"
#include "base/sort.h"
#include "base/vec.h"
#include "model/check.h"
#include "model/curve.h"
#include "model/owned.h"
#include "model/target.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

typedef struct node_names {
    const trilo_model *model;
    bool loose;
    uint32_t *order; /* nodes by the hash of their names */
} node_names;

/* Without the namespace: the part before the last : or |. */
static trilo_str bare_name(trilo_str name, bool loose)
{
    size_t start = 0;
    for (size_t i = 0; loose && i < name.len; i++)
        start = name.data[i] == ':' || name.data[i] == '|' ? i + 1 : start;
    return (trilo_str){name.data ? name.data + start : "", name.len - start};
}

static char fold_case(char letter, bool loose)
{
    return loose && letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
}

static int64_t hash_name(trilo_str name, bool loose)
{
    const trilo_str bare = bare_name(name, loose);
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (size_t i = 0; i < bare.len; i++)
        hash = (hash ^ (uint8_t)fold_case(bare.data[i], loose)) * 16777619u;
    return hash;
}

static bool names_match(trilo_str a, trilo_str b, bool loose)
{
    const trilo_str x = bare_name(a, loose), y = bare_name(b, loose);
    bool same = x.len == y.len;
    for (size_t i = 0; same && i < x.len; i++)
        same = fold_case(x.data[i], loose) == fold_case(y.data[i], loose);
    return same;
}

static int64_t hash_node_name(const void *rows, uint32_t row)
{
    const node_names *n = rows;
    return hash_name(n->model->nodes[row].name, n->loose);
}

/* The first node of that name; TRILO_NONE: there is none, or the name is empty. */
static uint32_t find_node_by_name(const node_names *n, trilo_str name)
{
    const int64_t hash = hash_name(name, n->loose);
    uint32_t at = bare_name(name, n->loose).len > 0
                      ? tl_find_row(n->order, n->model->node_count, hash_node_name, n, hash)
                      : n->model->node_count;
    for (; at < n->model->node_count && hash_node_name(n, n->order[at]) == hash; at++)
        if (names_match(n->model->nodes[n->order[at]].name, name, n->loose))
            return n->order[at];
    return TRILO_NONE;
}

/* ---- from one rest pose to another ---- */

static double vec3_length(trilo_vec3 v)
{
    return sqrt((double)v.x * v.x + (double)v.y * v.y + (double)v.z * v.z);
}

static double vec3_axis(trilo_vec3 v, uint32_t axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static float retarget_scalar(const trilo_node *from, const trilo_node *to, bool translation, uint32_t axis,
                             bool tangent, float v)
{
    const double length = vec3_length(from->translation);
    const double ratio = length > 1e-6 ? vec3_length(to->translation) / length : 1;
    const double scale = vec3_axis(from->scale, axis);
    if (!translation)
        return scale != 0 ? (float)(v * vec3_axis(to->scale, axis) / scale) : v;
    if (tangent)
        return (float)(v * ratio);
    return (float)(vec3_axis(to->translation, axis) + (v - vec3_axis(from->translation, axis)) * ratio);
}

static bool retarget_channel(tl_arena *arena, const trilo_node *from, const trilo_node *to, trilo_channel *c)
{
    const uint32_t width = trilo_target_width(c->target), stride = tl_channel_stride(c);
    const size_t count = (size_t)c->key_count * stride;
    const bool translation = tl_target_whole(c->target) == TRILO_TARGET_TRANSLATION;
    float *values = tl_bytes_copy(arena, c->values, count * sizeof *values);
    for (size_t i = 0; values && i < count; i += width) {
        const bool tangent = c->interpolation == TRILO_INTERPOLATION_CUBIC && i % stride / width != 1;
        if (c->target == TRILO_TARGET_ROTATION) {
            /* The rotation from the rest pose of the source, applied to the rest pose of the target. It is linear in
             * the value, so it works for tangents, too. */
            float *v = values + i;
            const trilo_quat rotation =
                tl_quat_mul(tl_quat_normalize(to->rotation), tl_quat_conjugate(tl_quat_normalize(from->rotation)));
            const trilo_quat q = tl_quat_mul(rotation, (trilo_quat){v[0], v[1], v[2], v[3]});
            v[0] = q.x, v[1] = q.y, v[2] = q.z, v[3] = q.w;
        }
        for (uint32_t k = 0; c->target != TRILO_TARGET_ROTATION && k < width; k++)
            values[i + k] =
                retarget_scalar(from, to, translation, tl_target_axis(c->target) + k, tangent, values[i + k]);
    }
    c->values = values;
    c->step = c->base = 0;
    return values != NULL;
}

/* ---- clips ---- */

typedef struct retargeting {
    tl_arena *arena;
    const trilo_retarget_opts *opts;
    const trilo_model *from;
    node_names to;
    uint32_t *map;  /* node of the model for each node of the source */
    uint8_t *taken; /* each node of the source: it is the first with its name */
} retargeting;

static bool map_nodes(retargeting *r)
{
    const uint32_t count = r->from->node_count;
    r->map = tl_array_raw(r->arena, count, sizeof *r->map);
    r->taken = TL_ARRAY(r->arena, count, uint8_t);
    uint32_t *owner = tl_array_raw(r->arena, r->to.model->node_count, sizeof *owner);
    r->to.order = tl_array_raw(r->arena, r->to.model->node_count, sizeof *r->to.order);
    if (!r->map || !r->taken || !owner || !r->to.order)
        return false;
    tl_sort_rows(r->to.order, r->to.model->node_count, hash_node_name, &r->to);
    for (uint32_t i = 0; i < r->to.model->node_count; i++)
        owner[i] = TRILO_NONE;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t node = find_node_by_name(&r->to, r->from->nodes[i].name);
        r->map[i] = node;
        if (node != TRILO_NONE && owner[node] == TRILO_NONE)
            owner[node] = i;
        r->taken[i] = node != TRILO_NONE && owner[node] == i;
    }
    return true;
}

static void report_lost_channels_of(const retargeting *r, uint32_t clip, uint32_t lost, uint32_t node)
{
    tl_report report = {.fn = r->opts->on_finding, .user = r->opts->on_finding_user};
    if (lost == 0)
        return;
    tl_path_push(&report.path, "clips", clip);
    tl_report_finding(&report, &tl_general_rules[TL_MODEL_NO_NODE], TRILO_NOWHERE,
                      "channels without a matching node (%" PRIu32 ", such as \"%.60s\") were not copied", lost,
                      r->from->nodes[node].name.data ? r->from->nodes[node].name.data : "");
}

static bool retarget_clip(const retargeting *r, uint32_t number, trilo_clip *out)
{
    const trilo_clip *from = &r->from->clips[number];
    trilo_channel *channels = tl_array_raw(r->arena, from->channel_count, sizeof *channels);
    uint32_t lost = 0, first = 0;
    *out = *from;
    out->name = tl_str_copy(r->arena, from->name.data, from->name.data ? from->name.len : 0);
    out->channels = channels;
    out->channel_count = 0;
    out->track_count = 0; /* vertices of other meshes */
    out->tracks = NULL;
    for (uint32_t i = 0; channels && i < from->channel_count; i++) {
        trilo_channel c = from->channels[i];
        const trilo_node *source = &r->from->nodes[c.node];
        const size_t values = (size_t)c.key_count * tl_channel_stride(&c) * sizeof(float);
        if (!r->taken[c.node]) {
            first = lost++ == 0 ? c.node : first;
            continue;
        }
        c.node = r->map[c.node];
        c.times = tl_bytes_copy(r->arena, c.times, c.key_count * sizeof *c.times);
        c.values = r->opts->relative ? c.values : tl_bytes_copy(r->arena, c.values, values);
        if (!c.times || !c.values ||
            (r->opts->relative && !retarget_channel(r->arena, source, &r->to.model->nodes[c.node], &c)))
            return false;
        channels[out->channel_count++] = c;
    }
    report_lost_channels_of(r, number, lost, first);
    return channels && out->name.data;
}

static bool retarget_clips(retargeting *r, trilo_model *model)
{
    const uint32_t kept = r->opts->keep ? model->clip_count : 0;
    trilo_clip *clips = tl_array_raw(r->arena, (size_t)kept + r->from->clip_count, sizeof *clips);
    if (!clips || !map_nodes(r))
        return false;
    if (kept > 0)
        memcpy(clips, model->clips, kept * sizeof *clips);
    for (uint32_t i = 0; i < r->from->clip_count; i++)
        if (!retarget_clip(r, i, &clips[kept + i]))
            return false;
    model->clips = clips;
    model->clip_count = kept + r->from->clip_count;
    return true;
}

const trilo_model *trilo_model_retarget_clips(const trilo_model *model, const trilo_model *from,
                                              const trilo_retarget_opts *opts, const trilo_memory *memory,
                                              trilo_error *err)
{
    trilo_retarget_opts own;
    if (!TL_OPTS_TAKE(&own, opts, err) || !tl_model_check(model, memory, err) || !tl_model_check(from, memory, err))
        return NULL;
    tl_owned_model *owned = tl_owned_model_new(memory);
    retargeting r = {.opts = &own, .from = from};
    if (owned && tl_model_copy(&owned->arena, model, &owned->model)) {
        r.arena = &owned->arena;
        r.to = (node_names){&owned->model, r.opts->loose, NULL};
        if (retarget_clips(&r, &owned->model))
            return tl_owned_model_finish(owned);
    }
    trilo_model_free(owned ? &owned->model : NULL);
    tl_fail_memory(err);
    return NULL;
}
