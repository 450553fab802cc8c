/* Nodes, joints and channels of helper bones. A helper is a node below the first one above both of its bones, so it
 * follows everything that moves both. Its channels have a key wherever a node between has one. If there are several
 * nodes, one moves another along an arc: then there are keys at every tick between. */
#include "base/strict_float.h"
#include "formats/t3dm/encode/helper_bones.h"

#include "base/vec.h"
#include "model/curve.h"
#include "model/target.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- channels --- */

enum { NODE_CHANNELS = 7, SOURCES_MOST = T3DM_HELPER_PATH * NODE_CHANNELS }; /* a rotation, six axes */

/* Channels of the nodes of a helper's paths in one clip, made linear. */
typedef struct helper_source {
    uint32_t count;
    size_t key_count; /* of all */
    trilo_channel channels[SOURCES_MOST];
    tl_channel_cursor cursors[SOURCES_MOST];
    uint32_t keys[SOURCES_MOST]; /* the next of each */
} helper_source;

/* Of each node the first channel in a clip, and of each channel the next of its node; TRILO_NONE: none. */
typedef struct channel_lists {
    uint32_t *first, *next;
} channel_lists;

static bool add_source(tl_arena *arena, const trilo_clip *clip, const channel_lists *lists, const uint32_t *path,
                       uint32_t count, helper_source *source)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t c = lists->first[path[i]]; c != TRILO_NONE && source->count < SOURCES_MOST; c = lists->next[c]) {
            trilo_channel *to = &source->channels[source->count];
            if (!tl_channel_linear(arena, &clip->channels[c], TL_CURVE_RATE, to))
                return false;
            source->key_count += to->key_count;
            source->count += to->key_count > 0 ? 1 : 0;
        }
    return true;
}

enum { PIECES_MOST = 255 }; /* between two keys */

/* The times of all keys, each once, and of ticks between. */
static uint32_t list_helper_times(helper_source *source, bool ticks, double *times)
{
    uint32_t count = 0;
    while (true) {
        double next = INFINITY;
        for (uint32_t i = 0; i < source->count; i++)
            if (source->keys[i] < source->channels[i].key_count)
                next = fmin(next, source->channels[i].times[source->keys[i]]);
        if (next == INFINITY)
            return count;
        const double from = count > 0 ? times[count - 1] : next;
        const double pieces = ticks ? fmin(ceil((next - from) * TL_CURVE_RATE), PIECES_MOST) : 0;
        for (int k = 1; k < pieces; k++) {
            const double between = from + (next - from) * k / pieces;
            if (between > times[count - 1] && between < next) /* or times are too large for ticks */
                times[count++] = between;
        }
        times[count++] = next;
        for (uint32_t i = 0; i < source->count; i++)
            while (source->keys[i] < source->channels[i].key_count &&
                   source->channels[i].times[source->keys[i]] <= next)
                source->keys[i]++;
    }
}

/* As many times as there can be. */
static double most_times(const helper_source *source, bool ticks)
{
    double first = INFINITY, last = -INFINITY;
    for (uint32_t i = 0; i < source->count; i++) {
        first = fmin(first, source->channels[i].times[0]);
        last = fmax(last, source->channels[i].times[source->channels[i].key_count - 1]);
    }
    const double keys = (double)source->key_count, between = ceil((last - first) * TL_CURVE_RATE);
    return keys + (ticks ? fmin(between, PIECES_MOST * keys) : 0);
}

/* From the space of the last node of a path to that of the parent. */
static trilo_mat4 path_matrix(const trilo_model *model, const uint32_t *path, uint32_t count, helper_source *source,
                              double seconds)
{
    trilo_mat4 matrix = tl_mat4_identity();
    for (uint32_t i = 0; i < count; i++) {
        const trilo_node *node = &model->nodes[path[i]];
        float trs[3][4] = {{node->translation.x, node->translation.y, node->translation.z},
                           {node->rotation.x, node->rotation.y, node->rotation.z, node->rotation.w},
                           {node->scale.x, node->scale.y, node->scale.z}};
        bool moves = false;
        for (uint32_t c = 0; c < source->count; c++) {
            const trilo_channel *channel = &source->channels[c];
            if (channel->node != path[i])
                continue;
            tl_channel_sample_next(channel, &source->cursors[c], seconds,
                                   trs[tl_target_whole(channel->target)] + tl_target_axis(channel->target));
            moves = true;
        }
        const trilo_mat4 local = moves ? tl_mat4_from_trs((trilo_vec3){trs[0][0], trs[0][1], trs[0][2]},
                                                          (trilo_quat){trs[1][0], trs[1][1], trs[1][2], trs[1][3]},
                                                          (trilo_vec3){trs[2][0], trs[2][1], trs[2][2]})
                                       : node->local;
        matrix = tl_mat4_mul(&local, &matrix);
    }
    return matrix;
}

static void helper_transform(const trilo_model *model, const t3dm_helper *h, helper_source *source, double seconds,
                             trilo_vec3 *translation, trilo_quat *rotation, trilo_vec3 *scale)
{
    const trilo_mat4 a = path_matrix(model, h->path_a, h->count_a, source, seconds);
    const trilo_mat4 b = path_matrix(model, h->path_b, h->count_b, source, seconds);
    const trilo_mat4 fixed = tl_mat4_mul(&a, &h->b_in_a);
    tl_t3dm_halfway(&fixed, &b, translation, rotation, scale);
}

/* Adds rotation, translation and scale of a helper in a clip to *count channels; none if nothing between its bones
 * moves. */
static bool add_helper_channels(t3dm_encoder *e, const t3dm_helper *h, uint32_t node, const trilo_clip *clip,
                                const channel_lists *lists, helper_source *source, trilo_channel *channels,
                                uint32_t *count)
{
    *source = (helper_source){0};
    if (!add_source(e->arena, clip, lists, h->path_a, h->count_a, source) ||
        !add_source(e->arena, clip, lists, h->path_b, h->count_b, source))
        return false;
    if (source->count == 0)
        return true;
    const bool ticks = h->count_a + h->count_b > 1;
    const double room = most_times(source, ticks);
    double *times = room < (double)UINT32_MAX ? tl_array_raw(e->arena, (size_t)room, sizeof *times) : NULL;
    const uint32_t keys = times ? list_helper_times(source, ticks, times) : 0;
    trilo_quat *rotations = tl_array_raw(e->arena, keys, sizeof *rotations);
    trilo_vec3 *translations = tl_array_raw(e->arena, keys, sizeof *translations);
    trilo_vec3 *scales = tl_array_raw(e->arena, keys, sizeof *scales);
    if (!times || !rotations || !translations || !scales)
        return false;
    for (uint32_t k = 0; k < keys; k++)
        helper_transform(e->model, h, source, times[k], &translations[k], &rotations[k], &scales[k]);
    const float *const values[3] = {&translations->x, &rotations->x, &scales->x};
    for (int i = 0; i < 3; i++)
        channels[(*count)++] = (trilo_channel){.node = node,
                                               .target = (trilo_target)(TRILO_TARGET_TRANSLATION + i),
                                               .interpolation = TRILO_INTERPOLATION_LINEAR,
                                               .key_count = keys,
                                               .times = times,
                                               .values = values[i]};
    return true;
}

static bool add_clip(t3dm_encoder *e, const t3dm_helpers *helpers, uint32_t *first, helper_source *source,
                     const trilo_clip *from, trilo_clip *to)
{
    const channel_lists lists = {first, tl_array_raw(e->arena, from->channel_count, sizeof *lists.next)};
    trilo_channel *channels =
        tl_array_raw(e->arena, (size_t)from->channel_count + 3 * (size_t)helpers->count, sizeof *channels);
    if (!lists.next || !channels)
        return false;
    *to = *from;
    to->channels = channels;
    for (uint32_t i = 0; i < from->channel_count; i++) {
        channels[i] = from->channels[i];
        lists.next[i] = first[from->channels[i].node];
        first[from->channels[i].node] = i;
    }
    for (uint32_t i = 0; i < helpers->count; i++)
        if (!add_helper_channels(e, &helpers->helpers[i], e->model->node_count + i, from, &lists, source, channels,
                                 &to->channel_count))
            return false;
    for (uint32_t i = 0; i < from->channel_count; i++)
        first[from->channels[i].node] = TRILO_NONE;
    return true;
}

/* --- nodes and joints --- */

/* "Knee.half", or "Knee.half31" if there is one. A bone without a name gets a helper without one. */
static bool name_helper(t3dm_encoder *e, const trilo_node *nodes, uint32_t count, trilo_str bone, trilo_str *out)
{
    enum { ENDING_ROOM = 24 };
    char *text = tl_array(e->arena, (size_t)bone.len + ENDING_ROOM, 1);
    *out = (trilo_str){"", 0};
    if (!text || bone.len == 0)
        return text != NULL;
    memcpy(text, bone.data, bone.len);
    snprintf(text + bone.len, ENDING_ROOM, ".half");
    bool taken = false;
    for (uint32_t i = 0; i < count; i++)
        taken = taken || (nodes[i].name.len > 0 && strcmp(nodes[i].name.data, text) == 0);
    if (taken)
        snprintf(text + bone.len, ENDING_ROOM, ".half%" PRIu32, count);
    *out = (trilo_str){text, strlen(text)};
    return true;
}

static bool add_nodes(t3dm_encoder *e, const t3dm_helpers *helpers, helper_source *source, trilo_node *nodes)
{
    const uint32_t count = e->model->node_count;
    memcpy(nodes, e->model->nodes, count * sizeof *nodes);
    *source = (helper_source){0}; /* no channels: the rest pose */
    for (uint32_t i = 0; i < helpers->count; i++) {
        const t3dm_helper *h = &helpers->helpers[i];
        trilo_node *node = &nodes[count + i];
        *node = (trilo_node){.parent = h->parent};
        helper_transform(e->model, h, source, 0, &node->translation, &node->rotation, &node->scale);
        node->local = tl_mat4_from_trs(node->translation, node->rotation, node->scale);
        if (!name_helper(e, nodes, count + i, e->model->nodes[h->b].name, &node->name))
            return false;
    }
    return true;
}

/* The helpers between joints of a skin become joints of it, at the position of the second bone. */
static bool add_joints(t3dm_encoder *e, const t3dm_helpers *helpers, uint32_t *joint_of_node, const trilo_skin *from,
                       trilo_skin *to, uint32_t **numbers)
{
    trilo_joint *joints = tl_array_raw(e->arena, (size_t)from->joint_count + helpers->count, sizeof *joints);
    *numbers = tl_array_raw(e->arena, helpers->count, sizeof **numbers);
    if (!joints || !*numbers)
        return false;
    *to = (trilo_skin){.joint_count = from->joint_count, .joints = joints};
    for (uint32_t j = 0; j < from->joint_count; j++) {
        joints[j] = from->joints[j];
        joint_of_node[joints[j].node] = j;
    }
    for (uint32_t i = 0; i < helpers->count; i++) {
        const uint32_t a = joint_of_node[helpers->helpers[i].a], b = joint_of_node[helpers->helpers[i].b];
        const bool fits = a != TRILO_NONE && b != TRILO_NONE && to->joint_count <= UINT16_MAX;
        (*numbers)[i] = fits ? to->joint_count : TRILO_NONE;
        if (fits)
            joints[to->joint_count++] = (trilo_joint){e->model->node_count + i, joints[b].inverse_bind};
    }
    for (uint32_t j = 0; j < from->joint_count; j++)
        joint_of_node[joints[j].node] = TRILO_NONE;
    return true;
}

bool tl_t3dm_add_helpers(t3dm_encoder *e, t3dm_helpers *helpers)
{
    const trilo_model *from = e->model;
    trilo_model *model = TL_NEW(e->arena, trilo_model);
    trilo_node *nodes = tl_array_raw(e->arena, (size_t)from->node_count + helpers->count, sizeof *nodes);
    trilo_skin *skins = tl_array_raw(e->arena, from->skin_count, sizeof *skins);
    trilo_clip *clips = tl_array_raw(e->arena, from->clip_count, sizeof *clips);
    helper_source *source = TL_NEW(e->arena, helper_source);
    uint32_t *of_node = tl_array_raw(e->arena, from->node_count, sizeof *of_node);
    helpers->joints = TL_ARRAY(e->arena, from->skin_count, uint32_t *);
    if (!model || !nodes || !skins || !clips || !source || !of_node || !helpers->joints ||
        !add_nodes(e, helpers, source, nodes))
        return false;
    for (uint32_t i = 0; i < from->node_count; i++)
        of_node[i] = TRILO_NONE;
    for (uint32_t i = 0; i < from->skin_count; i++)
        if (!add_joints(e, helpers, of_node, &from->skins[i], &skins[i], &helpers->joints[i]))
            return false;
    for (uint32_t i = 0; i < from->clip_count; i++)
        if (!add_clip(e, helpers, of_node, source, &from->clips[i], &clips[i]))
            return false;
    *model = *from;
    model->node_count += helpers->count;
    model->nodes = nodes;
    model->skins = skins;
    model->clips = clips;
    e->model = model;
    return true;
}
