/* Groups in an order in which each finds many of its vertices in the cache.
 *
 * What the second of two groups need not load is counted for each pair. A chain then goes from group to group, always
 * to the one that spares the most, and each group is moved to where it is worth the most until that helps no more. Of
 * chains from several starts the best is kept.
 */
#include "optimize/t3d_batch_steps.h"

#include <string.h>

enum { GROUPS_MOST = 1024, ROUNDS_MOST = 8, STARTS_MOST = 16 };

static const uint32_t nothing = UINT32_MAX;

typedef struct ordering {
    const tl_batch_input *in;
    tl_groups *groups;
    uint32_t *worth; /* count * count: what need not be loaded when the second follows the first */
    uint32_t *chain; /* the order */
} ordering;

static uint32_t worth(const ordering *o, uint32_t before, uint32_t after)
{
    return before == nothing || after == nothing ? 0 : o->worth[(size_t)before * o->groups->count + after];
}

/* --- what groups share --- */

typedef struct table {
    uint32_t *mark;           /* of each vertex: the group that was marked last (from 1) */
    uint32_t *seen;           /* of each vertex: the group in which it was counted last (from 1) */
    uint32_t *total, *shared; /* of each bone: vertices of a group, and those that are marked */
    uint16_t bones[TL_PACK_SLOTS];
    uint32_t bone_count;
} table;

static void count_vertex(const ordering *o, table *t, uint32_t vertex, bool marked)
{
    const uint16_t bone = tl_batch_bone(o->in, vertex);
    if (t->total[bone] == 0)
        t->bones[t->bone_count++] = bone;
    t->total[bone]++;
    t->shared[bone] += marked ? 1 : 0;
}

/* What a group needs not load when the marked one is in front of it. */
static uint32_t count_shared(const ordering *o, table *t, uint32_t marked, uint32_t group, uint32_t round)
{
    uint32_t cost = 0;
    t->bone_count = 0;
    for (uint32_t i = o->groups->first[group]; i < o->groups->first[group + 1]; i++)
        for (int c = 0; c < 3; c++) {
            const uint32_t vertex = o->in->triangles[o->groups->order[i]][c];
            if (t->seen[vertex] == round)
                continue;
            t->seen[vertex] = round;
            count_vertex(o, t, vertex, t->mark[vertex] == marked + 1);
        }
    for (uint32_t b = 0; b < t->bone_count; b++) {
        const uint16_t bone = t->bones[b];
        cost += tl_batch_load_cost(t->total[bone], bone) - tl_batch_load_cost(t->total[bone] - t->shared[bone], bone);
        t->total[bone] = t->shared[bone] = 0;
    }
    return cost;
}

static bool find_worth(tl_arena *arena, ordering *o)
{
    const uint32_t count = o->groups->count;
    uint32_t round = 0;
    table t = {.bone_count = 0};
    t.mark = TL_ARRAY(arena, o->in->vertex_count, uint32_t);
    t.seen = TL_ARRAY(arena, o->in->vertex_count, uint32_t);
    t.total = TL_ARRAY(arena, TL_PACK_NO_BONE + 1, uint32_t);
    t.shared = TL_ARRAY(arena, TL_PACK_NO_BONE + 1, uint32_t);
    o->worth = TL_ARRAY(arena, (size_t)count * count, uint32_t);
    if (!t.mark || !t.seen || !t.total || !t.shared || !o->worth)
        return false;
    for (uint32_t g = 0; g < count; g++) {
        for (uint32_t i = o->groups->first[g]; i < o->groups->first[g + 1]; i++)
            for (int c = 0; c < 3; c++)
                t.mark[o->in->triangles[o->groups->order[i]][c]] = g + 1;
        for (uint32_t other = 0; other < count; other++)
            if (other != g)
                o->worth[(size_t)g * count + other] = count_shared(o, &t, g, other, ++round);
    }
    return true;
}

/* --- chains --- */

/* From group to group, always to the one that shares the most; `start` is first. */
static void follow(const ordering *o, uint32_t start, bool *used, uint32_t *chain)
{
    const uint32_t count = o->groups->count;
    memset(used, 0, count * sizeof *used);
    for (uint32_t at = 0; at < count; at++) {
        uint32_t best = nothing;
        for (uint32_t g = 0; g < count; g++)
            if (!used[g] && (best == nothing || worth(o, at == 0 ? nothing : chain[at - 1], g) >
                                                    worth(o, at == 0 ? nothing : chain[at - 1], best)))
                best = g;
        chain[at] = at == 0 ? start : best;
        used[chain[at]] = true;
    }
}

static uint64_t chain_worth(const ordering *o, const uint32_t *chain)
{
    uint64_t sum = 0;
    for (uint32_t at = 1; at < o->groups->count; at++)
        sum += worth(o, chain[at - 1], chain[at]);
    return sum;
}

/* Takes the group at `at` out and puts it where it is worth the most. */
static bool move_group(const ordering *o, uint32_t *chain, uint32_t at)
{
    const uint32_t count = o->groups->count, group = chain[at];
    const uint32_t before = at > 0 ? chain[at - 1] : nothing, after = at + 1 < count ? chain[at + 1] : nothing;
    const int64_t here = (int64_t)worth(o, before, group) + worth(o, group, after) - worth(o, before, after);
    int64_t most = here;
    uint32_t best = nothing;
    memmove(chain + at, chain + at + 1, (count - 1 - at) * sizeof *chain);
    for (uint32_t to = 0; to < count; to++) {
        const uint32_t a = to > 0 ? chain[to - 1] : nothing, b = to < count - 1 ? chain[to] : nothing;
        const int64_t there = (int64_t)worth(o, a, group) + worth(o, group, b) - worth(o, a, b);
        if (there > most) {
            most = there;
            best = to;
        }
    }
    const uint32_t to = best == nothing ? at : best;
    memmove(chain + to + 1, chain + to, (count - 1 - to) * sizeof *chain);
    chain[to] = group;
    return best != nothing;
}

static void improve(const ordering *o, uint32_t *chain)
{
    bool moved = true;
    for (int round = 0; round < ROUNDS_MOST && moved; round++) {
        moved = false;
        for (uint32_t at = 0; at < o->groups->count; at++)
            moved = move_group(o, chain, at) || moved;
    }
}

static bool find_chain(tl_arena *arena, ordering *o)
{
    const uint32_t count = o->groups->count, starts = count < STARTS_MOST ? count : STARTS_MOST;
    bool *used = TL_ARRAY(arena, count, bool);
    uint32_t *other = tl_array_raw(arena, count, sizeof *other);
    uint64_t most = 0;
    o->chain = tl_array_raw(arena, count, sizeof *o->chain);
    if (!used || !other || !o->chain)
        return false;
    for (uint32_t start = 0; start < starts; start++) {
        follow(o, start * (count / starts), used, other);
        improve(o, other);
        if (start == 0 || chain_worth(o, other) > most) {
            most = chain_worth(o, other);
            memcpy(o->chain, other, count * sizeof *other);
        }
    }
    return true;
}

/* Too many to look at every pair: as they are. */
static bool keep_chain(tl_arena *arena, ordering *o)
{
    o->chain = tl_array_raw(arena, o->groups->count, sizeof *o->chain);
    for (uint32_t at = 0; o->chain && at < o->groups->count; at++)
        o->chain[at] = at;
    return o->chain != NULL;
}

bool tl_batch_order_groups(tl_arena *arena, const tl_batch_input *in, tl_groups *groups)
{
    ordering o = {.in = in, .groups = groups};
    uint32_t *first = tl_array_raw(arena, (size_t)groups->count + 2, sizeof *first);
    uint32_t *order = tl_array_raw(arena, groups->first[groups->count], sizeof *order);
    const bool few = groups->count <= GROUPS_MOST;
    if (!first || !order || !(few ? find_worth(arena, &o) && find_chain(arena, &o) : keep_chain(arena, &o)))
        return false;
    first[0] = 0;
    for (uint32_t at = 0; at < groups->count; at++) {
        const uint32_t from = groups->first[o.chain[at]], size = groups->first[o.chain[at] + 1] - from;
        memcpy(order + first[at], groups->order + from, size * sizeof *order);
        first[at + 1] = first[at] + size;
    }
    groups->first = first;
    groups->order = order;
    return true;
}
