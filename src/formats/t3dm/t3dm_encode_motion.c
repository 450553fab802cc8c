/* Skeleton, animations and the BVH of a model. */
#include "formats/t3dm/t3dm_encode.h"

#include "base/sort.h"
#include "model/frames.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- bones --- */

/* A clip of nothing but frames moves no bone. */
static bool any_clip_of_bones(const trilo_model *model)
{
    for (uint32_t i = 0; i < model->clip_count; i++)
        if (!tl_clip_only_frames(&model->clips[i]))
            return true;
    return false;
}

static bool needs_skeleton(const trilo_model *model)
{
    return model->node_count > 0 && (model->skin_count > 0 || any_clip_of_bones(model));
}

/* Depth first, siblings in the model's order. Nodes come parent first, so a node's place is behind its parent's subtree
 * so far: sizes of subtrees, summed from the back, give every place without recursion. */
static bool order_bones(t3dm_encoder *e)
{
    const trilo_model *model = e->model;
    const uint32_t count = model->node_count;
    uint32_t *size = TL_ARRAY(e->arena, count, uint32_t), *next = TL_ARRAY(e->arena, count, uint32_t);
    e->bone_of_node = TL_ARRAY(e->arena, count, uint32_t);
    e->node_of_bone = TL_ARRAY(e->arena, count, uint32_t);
    if (!size || !next || !e->bone_of_node || !e->node_of_bone)
        return false;
    for (uint32_t n = count; n-- > 0;) {
        size[n]++;
        if (model->nodes[n].parent != TRILO_NONE)
            size[model->nodes[n].parent] += size[n];
    }
    uint32_t root_place = 0;
    for (uint32_t n = 0; n < count; n++) {
        const uint32_t parent = model->nodes[n].parent;
        uint32_t *place = parent == TRILO_NONE ? &root_place : &next[parent];
        e->bone_of_node[n] = *place;
        e->node_of_bone[*place] = n;
        next[n] = *place + 1;
        *place += size[n];
    }
    return true;
}

static bool make_bone(t3dm_encoder *e, uint32_t i)
{
    const trilo_node *node = &e->model->nodes[e->node_of_bone[i]];
    t3dm_bone *bone = &e->file->bones[i];
    const uint32_t parent = node->parent == TRILO_NONE ? T3DM_NO_BONE : e->bone_of_node[node->parent];
    char made[24];
    bone->parent = (uint16_t)parent;
    bone->depth = parent == T3DM_NO_BONE ? 0 : (uint16_t)(e->file->bones[parent].depth + 1);
    const float scale[3] = {node->scale.x, node->scale.y, node->scale.z};
    const float rotation[4] = {node->rotation.x, node->rotation.y, node->rotation.z, node->rotation.w};
    const double place[3] = {node->translation.x, node->translation.y, node->translation.z};
    memcpy(bone->scale, scale, sizeof scale);
    memcpy(bone->rotation, rotation, sizeof rotation);
    for (int k = 0; k < 3; k++)
        bone->position[k] = (float)(place[k] * e->scale);
    snprintf(made, sizeof made, "bone%" PRIu32, i); /* the console looks names up without testing for none */
    return tl_t3dm_add_string(e, node->name.len > 0 ? node->name.data : made, &bone->name);
}

bool tl_t3dm_encode_bones(t3dm_encoder *e)
{
    if (!needs_skeleton(e->model)) {
        if (e->model->node_count > 0)
            tl_t3dm_lose(e, T3DM_R_LOST_NODES, "the nodes are lost, meshes stand where they put them");
        return true;
    }
    if (e->model->node_count >= T3DM_NO_BONE)
        return tl_t3dm_cannot(e, T3DM_R_RANGE_COUNT, TRILO_LIMIT, "%" PRIu32 " bones, T3DM counts to 65534",
                              e->model->node_count);
    e->file->bones = TL_ARRAY(e->arena, e->model->node_count, t3dm_bone);
    if (!e->file->bones || !order_bones(e))
        return false;
    e->file->has_skeleton = true;
    e->file->skeleton.bone_count = (uint16_t)e->model->node_count;
    for (uint32_t i = 0; i < e->model->node_count; i++)
        if (!make_bone(e, i))
            return false;
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
    return target == TRILO_TRANSLATION || (target >= TRILO_TRANSLATION_X && target <= TRILO_TRANSLATION_Z);
}

static uint32_t axis_of(trilo_target target)
{
    return (uint32_t)target - (is_translation(target) ? TRILO_TRANSLATION_X : TRILO_SCALE_X);
}

/* Rotations first; vectors fall apart into their axes. Channels without keys drop out. */
static uint32_t list_sources(const trilo_clip *clip, bool rotations, channel_source *out)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        const trilo_channel *c = &clip->channels[i];
        if (c->key_count == 0 || (c->target == TRILO_ROTATION) != rotations)
            continue;
        const uint32_t axes = is_vector(c->target) ? 3 : 1;
        for (uint32_t k = 0; k < axes; k++)
            out[count++] = (channel_source){c, rotations ? 0 : axes == 3 ? k : axis_of(c->target), axes == 3 ? k : 0};
    }
    return count;
}

static float source_value(const t3dm_encoder *e, const channel_source *s, uint32_t key)
{
    const uint32_t width = trilo_target_width(s->channel->target);
    const float value = s->channel->values[key * (size_t)width + s->offset];
    return is_translation(s->channel->target) ? (float)(value * e->scale) : value;
}

static uint32_t tick_of(double seconds)
{
    const double ticks = tl_t3dm_round(seconds * TL_SDATA_RATE);
    return ticks > 0 ? ticks < 1e9 ? (uint32_t)ticks : 1000000000u : 0;
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

/* Room for a key at 0 and one at the end that may have to be added. */
typedef struct key_list {
    uint32_t *ticks, *source, count;
} key_list;

/* The console wants a first key at 0, one at the end, and two at least. Keys on one tick become the later one. */
static void list_keys(const trilo_channel *c, uint32_t end, key_list *out, bool *moved)
{
    for (uint32_t k = 0; k < c->key_count; k++) {
        const uint32_t tick = tick_of(c->times[k]);
        *moved = *moved || fabs(c->times[k] * TL_SDATA_RATE - tick) > 1e-3;
        if (out->count == 0 && tick > 0) {
            out->ticks[out->count] = 0;
            out->source[out->count++] = k;
        }
        if (out->count > 0 && out->ticks[out->count - 1] == tick)
            out->count--;
        out->ticks[out->count] = tick;
        out->source[out->count++] = k;
    }
    if (out->ticks[out->count - 1] < end || out->count < 2) {
        const uint32_t last = out->ticks[out->count - 1];
        out->ticks[out->count] = end > last ? end : last + 1;
        out->source[out->count] = out->source[out->count - 1];
        out->count++;
    }
}

static bool make_channel(t3dm_encoder *e, const channel_source *s, uint32_t end, t3dm_mapping *m, tl_sdata_channel *out,
                         bool *moved)
{
    const trilo_channel *c = s->channel;
    const size_t room = (size_t)c->key_count + 2;
    key_list keys = {TL_ARRAY(e->arena, room, uint32_t), TL_ARRAY(e->arena, room, uint32_t), 0};
    float *values = TL_ARRAY(e->arena, room, float);
    out->values = TL_ARRAY(e->arena, room, uint32_t);
    if (!keys.ticks || !keys.source || !values || !out->values)
        return false;
    list_keys(c, end, &keys, moved);
    out->ticks = keys.ticks;
    out->key_count = keys.count;
    *m = (t3dm_mapping){.bone = (uint16_t)e->bone_of_node[c->node], .axis = (uint8_t)s->axis};
    m->type = c->target == TRILO_ROTATION ? T3DM_ROTATION : is_translation(c->target) ? T3DM_TRANSLATION : T3DM_SCALE;
    if (m->type == T3DM_ROTATION) {
        for (uint32_t k = 0; k < keys.count; k++) {
            const float *q = c->values + 4 * (size_t)keys.source[k];
            out->values[k] = tl_sdata_pack_quat((trilo_quat){q[0], q[1], q[2], q[3]});
        }
        return true;
    }
    for (uint32_t k = 0; k < keys.count; k++)
        values[k] = source_value(e, s, keys.source[k]);
    choose_range(e, s, values, keys.count, m);
    for (uint32_t k = 0; k < keys.count; k++)
        out->values[k] = tl_sdata_pack_scalar(values[k], m->scale, m->offset);
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

static bool make_clip(t3dm_encoder *e, const trilo_clip *clip, t3dm_animation *a)
{
    const size_t most = 3 * (size_t)clip->channel_count;
    channel_source *sources = TL_ARRAY(e->arena, most, channel_source);
    tl_sdata sdata = {.channels = TL_ARRAY(e->arena, most, tl_sdata_channel)};
    a->mappings = TL_ARRAY(e->arena, most, t3dm_mapping);
    if (!sources || !sdata.channels || !a->mappings)
        return false;
    sdata.quat_count = list_sources(clip, true, sources);
    sdata.channel_count = sdata.quat_count + list_sources(clip, false, sources + sdata.quat_count);
    if (sdata.channel_count > UINT16_MAX)
        return tl_t3dm_cannot(e, T3DM_R_RANGE_COUNT, TRILO_LIMIT, "%" PRIu32 " channels, T3DM counts to 65535",
                              sdata.channel_count);
    if (sdata.channel_count == 0)
        tl_t3dm_lose(e, T3DM_R_ANIM_EMPTY, "the clip has no keys, so what is written moves nothing");
    bool moved = false;
    const uint32_t end = tick_of(clip->duration);
    for (uint32_t k = 0; k < sdata.channel_count; k++) {
        if (!make_channel(e, &sources[k], end, &a->mappings[k], &sdata.channels[k], &moved))
            return false;
        sdata.key_count += sdata.channels[k].key_count;
    }
    if (moved)
        tl_t3dm_lose(e, T3DM_R_LOST_KEYS, "keys between two ticks of 1/60 second were moved to one");
    a->head = (t3dm_animation_head){.duration = (float)clip->duration,
                                    .key_count = sdata.key_count,
                                    .quat_count = (uint16_t)sdata.quat_count,
                                    .scalar_count = (uint16_t)(sdata.channel_count - sdata.quat_count)};
    a->has_stream = true;
    trilo_error err = {0};
    if (!tl_sdata_write(e->arena, &sdata, &a->stream, &err))
        return err.code == TRILO_NO_MEMORY ? false : tl_t3dm_cannot(e, T3DM_R_RANGE_TIME, err.code, "%s", err.text);
    return true;
}

static bool add_animation(t3dm_encoder *e, uint32_t clip)
{
    const uint32_t number = e->file->animation_count++;
    t3dm_animation *a = &e->file->animations[number];
    const trilo_clip *from = &e->model->clips[clip];
    char made[24];
    snprintf(made, sizeof made, "clip%" PRIu32, clip);
    tl_path_push(&e->losses->path, "clips", clip);
    const bool ok = make_clip(e, from, a) &&
                    tl_t3dm_add_string(e, from->name.len > 0 ? from->name.data : made, &a->head.name) &&
                    name_stream(e, number, &a->head.stream);
    tl_path_pop(&e->losses->path);
    return ok;
}

bool tl_t3dm_encode_clips(t3dm_encoder *e)
{
    e->file->animations = TL_ARRAY(e->arena, e->model->clip_count, t3dm_animation);
    if (!e->file->animations)
        return false;
    tl_frames_lost(e->model, t3dm_rule(T3DM_R_LOST_FRAMES), e->losses);
    for (uint32_t i = 0; e->bone_of_node && i < e->model->clip_count; i++)
        if (!tl_clip_only_frames(&e->model->clips[i]) && !add_animation(e, i))
            return false;
    return true;
}

/* --- BVH --- */

enum { LEAF_MOST = 8, BVH_STACK = 64 };

typedef struct axis_rows {
    const t3dm_file *file;
    const uint16_t *items;
    int axis;
} axis_rows;

static int64_t center_key(const void *rows, uint32_t row)
{
    const axis_rows *r = rows;
    const t3dm_object_head *h = &r->file->objects[r->items[row]].head;
    return (int64_t)h->min[r->axis] + h->max[r->axis];
}

static void fit_box(const t3dm_file *file, const uint16_t *items, uint32_t count, t3dm_bvh_node *node)
{
    for (uint32_t i = 0; i < count; i++) {
        const t3dm_object_head *h = &file->objects[items[i]].head;
        for (int k = 0; k < 3; k++) {
            node->min[k] = i == 0 || h->min[k] < node->min[k] ? h->min[k] : node->min[k];
            node->max[k] = i == 0 || h->max[k] > node->max[k] ? h->max[k] : node->max[k];
        }
    }
}

static int longest_axis(const t3dm_bvh_node *node)
{
    int best = 0;
    for (int k = 1; k < 3; k++)
        if (node->max[k] - node->min[k] > node->max[best] - node->min[best])
            best = k;
    return best;
}

/* Sorts a run of items by the middle of their boxes. */
static void sort_items(const t3dm_file *file, uint16_t *items, uint32_t count, int axis, uint32_t *order,
                       uint16_t *copy)
{
    const axis_rows rows = {file, items, axis};
    tl_sort_rows(order, count, center_key, &rows);
    for (uint32_t i = 0; i < count; i++)
        copy[i] = items[order[i]];
    memcpy(items, copy, count * sizeof *items);
}

typedef struct span {
    uint32_t node, first, count;
} span;

/* Halves along the longest axis until leaves are small. Children are put behind all nodes made so far. */
static bool build_tree(t3dm_encoder *e, uint32_t *order, uint16_t *copy)
{
    t3dm_bvh *bvh = &e->file->bvh;
    span stack[BVH_STACK];
    uint32_t depth = 1, made = 1;
    stack[0] = (span){0, 0, bvh->head.item_count};
    while (depth > 0) {
        const span s = stack[--depth];
        t3dm_bvh_node *node = &bvh->nodes[s.node];
        fit_box(e->file, bvh->items + s.first, s.count, node);
        if (s.count <= LEAF_MOST) {
            if (s.first > T3DM_BVH_OFFSET_MOST)
                return tl_t3dm_cannot(e, T3DM_R_RANGE_BVH, TRILO_LIMIT, "%u objects, a BVH reaches 2048",
                                      (unsigned)bvh->head.item_count);
            node->value = t3dm_bvh_value(s.first, s.count);
            continue;
        }
        if (made - s.node > T3DM_BVH_OFFSET_MOST)
            return tl_t3dm_cannot(e, T3DM_R_RANGE_BVH, TRILO_LIMIT, "the BVH needs offsets above 2047");
        sort_items(e->file, bvh->items + s.first, s.count, longest_axis(node), order, copy);
        node->value = t3dm_bvh_value(made - s.node, 0);
        stack[depth++] = (span){made, s.first, s.count / 2};
        stack[depth++] = (span){made + 1, s.first + s.count / 2, s.count - s.count / 2};
        made += 2;
    }
    bvh->head.node_count = (uint16_t)made;
    return true;
}

bool tl_t3dm_encode_bvh(t3dm_encoder *e)
{
    t3dm_file *file = e->file;
    const uint32_t count = file->object_count;
    if (count == 0 || (!e->opts->t3dm.bvh && !e->model->bvh))
        return true;
    if (count > T3DM_BVH_OFFSET_MOST + LEAF_MOST)
        return tl_t3dm_cannot(e, T3DM_R_RANGE_BVH, TRILO_LIMIT, "%" PRIu32 " objects, a BVH reaches 2048", count);
    uint32_t *order = TL_ARRAY(e->arena, count, uint32_t);
    uint16_t *copy = TL_ARRAY(e->arena, count, uint16_t);
    file->bvh.nodes = TL_ARRAY(e->arena, 2 * (size_t)count, t3dm_bvh_node);
    file->bvh.items = TL_ARRAY(e->arena, count, uint16_t);
    if (!order || !copy || !file->bvh.nodes || !file->bvh.items)
        return false;
    for (uint32_t i = 0; i < count; i++)
        file->bvh.items[i] = (uint16_t)i;
    file->has_bvh = true;
    file->bvh.head.item_count = (uint16_t)count;
    return build_tree(e, order, copy);
}
