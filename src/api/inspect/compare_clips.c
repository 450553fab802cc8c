/* How far clips of two models move the surface apart.
 *
 * Only what a clip moves is posed; the rest of the model stays in the rest pose. So a clip of one node takes no longer
 * in a model of many nodes and clips. */
#include "api/inspect/compare.h"
#include "base/array.h"
#include "base/report.h"
#include "base/sort.h"
#include "base/strict_float.h"
#include "base/vec.h"
#include "model/pose.h"

#include <inttypes.h>
#include <string.h>

/* COMPARE_MOVED: nodes, vertices and triangles that are moved for all clips together. 20 clips of 10,000 vertices keep
 * all times. COMPARE_MOST: the most for one time of each clip; with more, even the fewest times would take minutes. */
enum {
    COMPARE_TIMES = 128,
    COMPARE_TIMES_LEAST = 4,
    COMPARE_MOVED = 1 << 26,
    COMPARE_MOST = (1 << 30) / (COMPARE_TIMES_LEAST + 1)
};

/* ---- lists ---- */

/* The items of each key: those of k are items[first[k]] to items[first[k + 1] - 1], ascending. */
typedef struct key_lists {
    uint32_t *first, *items;
} key_lists;

/* Sorts the items 0 to count - 1 by key, those with TRILO_NONE left out: a counting sort. */
static bool lists_make(key_lists *lists, uint32_t key_count, const uint32_t *keys, uint32_t count, tl_arena *arena)
{
    lists->first = TL_ARRAY(arena, (size_t)key_count + 2, uint32_t);
    lists->items = TL_ARRAY(arena, count, uint32_t);
    if (!lists->first || !lists->items)
        return false;
    uint32_t *next = lists->first + 1; /* while filling: where the next item of a key goes */
    for (uint32_t i = 0; i < count; i++)
        if (keys[i] != TRILO_NONE)
            next[keys[i] + 1]++;
    for (uint32_t k = 0; k < key_count; k++)
        next[k + 1] += next[k];
    for (uint32_t i = 0; i < count; i++)
        if (keys[i] != TRILO_NONE)
            lists->items[next[keys[i]]++] = i;
    return true;
}

/* A set of numbers that is emptied without touching its room. */
typedef struct number_set {
    uint32_t *added_in; /* by number: the round in which it was added */
    uint32_t *items, count;
    uint32_t round;
} number_set;

static bool set_make(number_set *set, uint32_t room, tl_arena *arena)
{
    *set = (number_set){.added_in = TL_ARRAY(arena, room, uint32_t), .items = TL_ARRAY(arena, room, uint32_t)};
    return set->added_in && set->items;
}

static void set_clear(number_set *set)
{
    set->count = 0;
    set->round++;
}

static void set_add(number_set *set, uint32_t number)
{
    if (set->added_in[number] == set->round)
        return;
    set->added_in[number] = set->round;
    set->items[set->count++] = number;
}

/* ---- what a clip moves ---- */

typedef struct joint_row {
    uint32_t skin, joint;
} joint_row;

typedef struct moved_side {
    compare_side *side;
    key_lists children, joints, users; /* of a node: nodes, rows of joint_rows and of mesh_rows */
    joint_row *joint_rows;
    uint32_t *mesh_rows;      /* the meshes with a vertex that follows the node */
    key_lists pairs;          /* of a mesh */
    number_set nodes, moved;  /* by the clip; `moved` are meshes */
    uint32_t *sorted, *order; /* room for the nodes in ascending order */
} moved_side;

static bool list_children(moved_side *s, tl_arena *arena)
{
    const trilo_model *model = s->side->model;
    uint32_t *keys = TL_ARRAY(arena, model->node_count, uint32_t);
    for (uint32_t i = 0; keys && i < model->node_count; i++)
        keys[i] = model->nodes[i].parent;
    return keys && lists_make(&s->children, model->node_count, keys, model->node_count, arena);
}

static bool list_joints(moved_side *s, tl_arena *arena)
{
    const trilo_model *model = s->side->model;
    uint64_t count = 0;
    for (uint32_t i = 0; i < model->skin_count; i++)
        count += model->skins[i].joint_count;
    if (count >= TRILO_NONE)
        return false;
    uint32_t *keys = TL_ARRAY(arena, (uint32_t)count, uint32_t), at = 0;
    s->joint_rows = TL_ARRAY(arena, (uint32_t)count, joint_row);
    if (!keys || !s->joint_rows)
        return false;
    for (uint32_t i = 0; i < model->skin_count; i++)
        for (uint32_t k = 0; k < model->skins[i].joint_count; k++) {
            keys[at] = model->skins[i].joints[k].node;
            s->joint_rows[at++] = (joint_row){i, k};
        }
    return lists_make(&s->joints, model->node_count, keys, at, arena);
}

/* A mesh follows its node and the joints that its vertices have weights of. */
static bool list_users(moved_side *s, tl_arena *arena)
{
    const trilo_model *model = s->side->model;
    uint32_t *keys = NULL, count = 0;
    size_t key_room = 0, row_room = 0;
    for (uint32_t i = 0; i < model->mesh_count; i++) {
        const trilo_mesh *mesh = &model->meshes[i];
        set_clear(&s->nodes);
        if (mesh->node != TRILO_NONE)
            set_add(&s->nodes, mesh->node);
        for (uint32_t v = 0; mesh->weights && v < mesh->vertex_count; v++)
            for (int slot = 0; slot < 4; slot++)
                if (mesh->weights[v][slot] != 0)
                    set_add(&s->nodes, model->skins[mesh->skin].joints[mesh->joints[v][slot]].node);
        if (s->nodes.count >= TRILO_NONE - count)
            return false;
        keys = tl_array_grow(arena, keys, count, &key_room, s->nodes.count, sizeof *keys);
        s->mesh_rows = keys ? tl_array_grow(arena, s->mesh_rows, count, &row_room, s->nodes.count, sizeof *keys) : NULL;
        if (!s->mesh_rows)
            return false;
        for (uint32_t k = 0; k < s->nodes.count; k++) {
            keys[count] = s->nodes.items[k];
            s->mesh_rows[count++] = i;
        }
    }
    return lists_make(&s->users, model->node_count, keys, count, arena);
}

static bool moved_make(moved_side *s, compare_side *side, const uint32_t *mesh_of_pair, uint32_t pair_count,
                       tl_arena *arena)
{
    const trilo_model *model = side->model;
    *s = (moved_side){.side = side,
                      .sorted = TL_ARRAY(arena, model->node_count, uint32_t),
                      .order = TL_ARRAY(arena, model->node_count, uint32_t)};
    return s->sorted && s->order && set_make(&s->nodes, model->node_count, arena) &&
           set_make(&s->moved, model->mesh_count, arena) && list_children(s, arena) && list_joints(s, arena) &&
           list_users(s, arena) && lists_make(&s->pairs, model->mesh_count, mesh_of_pair, pair_count, arena);
}

static void add_list(number_set *set, const key_lists *lists, uint32_t key)
{
    for (uint32_t i = lists->first[key]; i < lists->first[key + 1]; i++)
        set_add(set, lists->items[i]);
}

static int64_t number_key(const void *numbers, uint32_t row)
{
    return ((const uint32_t *)numbers)[row];
}

/* Fills the sets with the nodes that the clip has channels for, all below them, and the meshes that follow. Returns how
 * many nodes and vertices these are. */
static uint64_t moved_by_clip(moved_side *s, uint32_t clip)
{
    const trilo_model *model = s->side->model;
    const trilo_clip *c = &model->clips[clip];
    uint64_t count = 0;
    set_clear(&s->nodes);
    set_clear(&s->moved);
    for (uint32_t i = 0; i < c->channel_count; i++)
        if (c->channels[i].node < model->node_count)
            set_add(&s->nodes, c->channels[i].node);
    for (uint32_t i = 0; i < s->nodes.count; i++) /* the set grows */
        add_list(&s->nodes, &s->children, s->nodes.items[i]);
    tl_sort_rows(s->order, s->nodes.count, number_key, s->nodes.items);
    for (uint32_t i = 0; i < s->nodes.count; i++) {
        const uint32_t node = s->nodes.items[s->order[i]];
        s->sorted[i] = node;
        count += 1 + s->joints.first[node + 1] - s->joints.first[node];
        for (uint32_t k = s->users.first[node]; k < s->users.first[node + 1]; k++)
            set_add(&s->moved, s->mesh_rows[s->users.items[k]]);
    }
    for (uint32_t i = 0; i < c->track_count; i++)
        if (c->tracks[i].mesh < model->mesh_count)
            set_add(&s->moved, c->tracks[i].mesh);
    for (uint32_t i = 0; i < s->moved.count; i++)
        count += model->meshes[s->moved.items[i]].vertex_count;
    return count;
}

/* Poses what the clip of moved_by_clip() moves; TRILO_NONE: back into the rest pose. */
static void pose_moved(moved_side *s, uint32_t clip, double seconds)
{
    compare_side *side = s->side;
    tl_pose_nodes(side->model, clip, seconds, s->sorted, s->nodes.count, side->locals, side->worlds);
    for (uint32_t i = 0; i < s->nodes.count; i++)
        for (uint32_t k = s->joints.first[s->sorted[i]]; k < s->joints.first[s->sorted[i] + 1]; k++) {
            const joint_row row = s->joint_rows[s->joints.items[k]];
            const trilo_joint *joint = &side->model->skins[row.skin].joints[row.joint];
            side->skins[row.skin][row.joint] = tl_mat4_mul(&side->worlds[joint->node], &joint->inverse_bind);
        }
    for (uint32_t i = 0; i < s->moved.count; i++)
        tl_compare_pose_mesh(side, s->moved.items[i], clip, seconds);
}

/* ---- the distance of pairs ---- */

typedef struct clips_work {
    compare_work *work;
    moved_side a, b;
    number_set pairs;  /* that the clip moves */
    double *rest;      /* the distance of each pair in the rest pose, */
    double rest_sum;   /* of all, */
    uint32_t *by_rest; /* and the pairs by it, the largest first */
} clips_work;

static double pair_distance(const clips_work *w, uint32_t pair)
{
    const compare_pair *p = &w->work->pairs[pair];
    double from[4], to[4];
    tl_compare_point(&w->work->a, p->from, tl_compare_middle, from);
    tl_compare_point(&w->work->b, p->to, p->weights, to);
    return tl_compare_distance(from, to);
}

/* Distances are not negative: their bits are in the same order. Overflowing positions have no distance (NaN). */
static int64_t farthest_key(const void *distances, uint32_t row)
{
    const double distance = ((const double *)distances)[row];
    int64_t bits;
    memcpy(&bits, &distance, sizeof bits);
    return distance >= 0 ? -bits : INT64_MAX;
}

static bool clips_prepare(clips_work *w, compare_work *work, trilo_error *err)
{
    tl_arena *arena = &work->arena;
    const uint32_t count = (uint32_t)work->pair_count;
    *w =
        (clips_work){.work = work, .rest = TL_ARRAY(arena, count, double), .by_rest = TL_ARRAY(arena, count, uint32_t)};
    uint32_t *from = TL_ARRAY(arena, count, uint32_t), *to = TL_ARRAY(arena, count, uint32_t);
    if (work->pair_count >= TRILO_NONE || !w->rest || !w->by_rest || !from || !to)
        return tl_fail_memory(err);
    for (uint32_t i = 0; i < count; i++) {
        from[i] = work->pairs[i].from.mesh;
        to[i] = work->pairs[i].to.mesh;
        w->rest[i] = pair_distance(w, i);
        w->rest_sum += w->rest[i];
    }
    tl_sort_rows(w->by_rest, count, farthest_key, w->rest);
    return (moved_make(&w->a, &work->a, from, count, arena) && moved_make(&w->b, &work->b, to, count, arena) &&
            set_make(&w->pairs, count, arena)) ||
           tl_fail_memory(err);
}

/* Returns how much there is to move at each time. */
static uint64_t moved_by_pair(clips_work *w, const trilo_clip_pair *clips)
{
    const uint64_t moved = moved_by_clip(&w->a, clips->a) + moved_by_clip(&w->b, clips->b);
    set_clear(&w->pairs);
    for (uint32_t i = 0; i < w->a.moved.count; i++)
        add_list(&w->pairs, &w->a.pairs, w->a.moved.items[i]);
    for (uint32_t i = 0; i < w->b.moved.count; i++)
        add_list(&w->pairs, &w->b.pairs, w->b.moved.items[i]);
    return moved + w->pairs.count;
}

/* The node that moves most of a triangle. */
static uint32_t compare_bone(const trilo_model *model, trilo_face face)
{
    const trilo_mesh *mesh = &model->meshes[face.mesh];
    const uint32_t vertex = mesh->indices[3 * face.triangle];
    uint32_t best = 0;
    if (!mesh->weights)
        return mesh->node;
    for (uint32_t i = 1; i < 4; i++)
        best = mesh->weights[vertex][i] > mesh->weights[vertex][best] ? i : best;
    return mesh->weights[vertex][best] > 0 ? model->skins[mesh->skin].joints[mesh->joints[vertex][best]].node
                                           : mesh->node;
}

/* The sum of the distances of pairs that do not move, and the largest one. */
static double compare_resting(const clips_work *w, trilo_clip_deviation *deviation)
{
    const compare_work *work = w->work;
    const uint32_t count = (uint32_t)work->pair_count;
    double sum = w->rest_sum;
    if (w->pairs.count == count)
        return 0;
    for (uint32_t i = 0; i < w->pairs.count; i++)
        sum -= w->rest[w->pairs.items[i]];
    uint32_t i = 0;
    while (w->pairs.added_in[w->by_rest[i]] == w->pairs.round)
        i++;
    const uint32_t pair = w->by_rest[i];
    if (w->rest[pair] > 0)
        *deviation = (trilo_clip_deviation){w->rest[pair], 0, 0, compare_bone(work->a.model, work->pairs[pair].from)};
    return sum > 0 ? sum : 0;
}

static void compare_clip(clips_work *w, trilo_clip_pair *clips, uint32_t times)
{
    const compare_work *work = w->work;
    const double first = work->a.model->clips[clips->a].duration, second = work->b.model->clips[clips->b].duration;
    const double duration = first > second ? first : second;
    trilo_clip_deviation *deviation = &clips->deviation;
    *deviation = (trilo_clip_deviation){.node = TRILO_NONE};
    if (work->pair_count == 0)
        return;
    moved_by_pair(w, clips);
    double sum = compare_resting(w, deviation) * (times + 1);
    for (uint32_t step = 0; step <= times; step++) {
        const double seconds = duration * step / times;
        pose_moved(&w->a, clips->a, seconds);
        pose_moved(&w->b, clips->b, seconds);
        for (uint32_t i = 0; i < w->pairs.count; i++) {
            const uint32_t pair = w->pairs.items[i];
            const double distance = pair_distance(w, pair);
            sum += distance;
            if (distance > deviation->largest)
                *deviation =
                    (trilo_clip_deviation){distance, 0, seconds, compare_bone(work->a.model, work->pairs[pair].from)};
        }
    }
    deviation->mean = sum / (double)work->pair_count / (times + 1);
    pose_moved(&w->a, TRILO_NONE, 0);
    pose_moved(&w->b, TRILO_NONE, 0);
}

bool trilo_clips_compare(const trilo_model *a, const trilo_model *b, trilo_clip_pair *clips, uint32_t count,
                         const trilo_memory *memory, trilo_error *err)
{
    compare_work work;
    clips_work w;
    bool ok = tl_compare_prepare(&work, a, b, false, memory, err) && tl_compare_pairs(&work, memory, err) &&
              clips_prepare(&w, &work, err);
    uint64_t moved = 0;
    for (uint32_t i = 0; ok && i < count; i++)
        moved += moved_by_pair(&w, &clips[i]);
    const uint64_t most = COMPARE_MOVED / (moved + 1);
    const uint32_t times = most < COMPARE_TIMES_LEAST ? COMPARE_TIMES_LEAST
                           : most > COMPARE_TIMES     ? COMPARE_TIMES
                                                      : (uint32_t)most;
    if (ok && moved > COMPARE_MOST)
        ok = tl_fail(err, TRILO_CODE_LIMIT, &tl_general_rules[TL_FILE_LIMIT], TRILO_NOWHERE, NULL,
                     "%" PRIu32 " clips move %" PRIu64
                     " nodes, vertices and triangles in all, the limit for a comparison is %d",
                     count, moved, COMPARE_MOST);
    for (uint32_t i = 0; ok && i < count; i++)
        compare_clip(&w, &clips[i], times);
    tl_compare_end(&work);
    return ok;
}
