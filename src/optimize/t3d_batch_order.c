/* An order of batches in which each finds many of its vertices in the cache.
 *
 * For each pair, what the second need not load after the first is counted: the weights of a travelling salesman path. A
 * path is built by the nearest-neighbour rule and improved by moving single batches (the insertion move of Or-opt, Or
 * 1976) until nothing helps. The best of several starts is kept.
 */
#include "optimize/t3d_batch_steps.h"

#include <string.h>

enum { BATCH_ORDER_BATCHES_MOST = 1024, BATCH_ORDER_ROUNDS_MOST = 8, BATCH_ORDER_STARTS_MOST = 16 };

static const uint32_t batch_order_none = UINT32_MAX;

typedef struct batch_ordering {
    const tl_batch_input *in;
    tl_batch_list *batches;
    uint32_t *worth; /* count * count: what need not be loaded when the second follows the first */
    uint32_t *chain; /* the order */
} batch_ordering;

static uint32_t batch_order_worth(const batch_ordering *o, uint32_t before, uint32_t after)
{
    return before == batch_order_none || after == batch_order_none
               ? 0
               : o->worth[(size_t)before * o->batches->count + after];
}

/* --- what batches share --- */

typedef struct batch_order_counts {
    uint32_t *mark;           /* of each vertex: the batch that was marked last (from 1) */
    uint32_t *seen;           /* of each vertex: the batch in which it was counted last (from 1) */
    uint32_t *total, *shared; /* of each bone: vertices of a batch, and those that are marked */
    uint16_t bones[TL_BATCH_SLOTS];
    uint32_t bone_count;
} batch_order_counts;

/* What a batch need not load when the marked one is in front of it. */
static uint32_t batch_order_count_shared(const batch_ordering *o, batch_order_counts *t, uint32_t marked,
                                         uint32_t batch, uint32_t round)
{
    uint32_t cost = 0;
    t->bone_count = 0;
    for (uint32_t i = o->batches->first[batch]; i < o->batches->first[batch + 1]; i++)
        for (int c = 0; c < 3; c++) {
            const uint32_t vertex = o->in->triangles[o->batches->order[i]][c];
            if (t->seen[vertex] == round)
                continue;
            t->seen[vertex] = round;
            const uint16_t bone = tl_batch_vertex_bone(o->in, vertex);
            const uint32_t row = tl_batch_bone_row(bone);
            if (t->total[row] == 0)
                t->bones[t->bone_count++] = bone;
            t->total[row]++;
            t->shared[row] += t->mark[vertex] == marked + 1 ? 1 : 0;
        }
    for (uint32_t b = 0; b < t->bone_count; b++) {
        const uint16_t bone = t->bones[b];
        const uint32_t row = tl_batch_bone_row(bone);
        cost += tl_batch_load_cost(t->total[row], bone) - tl_batch_load_cost(t->total[row] - t->shared[row], bone);
        t->total[row] = t->shared[row] = 0;
    }
    return cost;
}

static bool batch_order_find_worth(tl_arena *arena, batch_ordering *o)
{
    const uint32_t count = o->batches->count;
    uint32_t round = 0;
    const size_t bones = tl_batch_bone_rows(o->in);
    batch_order_counts t = {.bone_count = 0};
    t.mark = TL_ARRAY(arena, o->in->vertex_count, uint32_t);
    t.seen = TL_ARRAY(arena, o->in->vertex_count, uint32_t);
    t.total = TL_ARRAY(arena, bones, uint32_t);
    t.shared = TL_ARRAY(arena, bones, uint32_t);
    o->worth = TL_ARRAY(arena, (size_t)count * count, uint32_t);
    if (!t.mark || !t.seen || !t.total || !t.shared || !o->worth)
        return false;
    for (uint32_t g = 0; g < count; g++) {
        for (uint32_t i = o->batches->first[g]; i < o->batches->first[g + 1]; i++)
            for (int c = 0; c < 3; c++)
                t.mark[o->in->triangles[o->batches->order[i]][c]] = g + 1;
        for (uint32_t other = 0; other < count; other++)
            if (other != g)
                o->worth[(size_t)g * count + other] = batch_order_count_shared(o, &t, g, other, ++round);
    }
    return true;
}

/* --- paths --- */

/* Always to the batch that shares the most; `start` is first. */
static void batch_order_nearest_neighbour(const batch_ordering *o, uint32_t start, bool *used, uint32_t *chain)
{
    const uint32_t count = o->batches->count;
    memset(used, 0, count * sizeof *used);
    for (uint32_t at = 0; at < count; at++) {
        uint32_t best = batch_order_none;
        for (uint32_t g = 0; g < count; g++)
            if (!used[g] && (best == batch_order_none ||
                             batch_order_worth(o, at == 0 ? batch_order_none : chain[at - 1], g) >
                                 batch_order_worth(o, at == 0 ? batch_order_none : chain[at - 1], best)))
                best = g;
        chain[at] = at == 0 ? start : best;
        used[chain[at]] = true;
    }
}

static uint64_t batch_order_chain_worth(const batch_ordering *o, const uint32_t *chain)
{
    uint64_t sum = 0;
    for (uint32_t at = 1; at < o->batches->count; at++)
        sum += batch_order_worth(o, chain[at - 1], chain[at]);
    return sum;
}

/* Moves the batch at `at` to where it is worth the most. */
static bool batch_order_move(const batch_ordering *o, uint32_t *chain, uint32_t at)
{
    const uint32_t count = o->batches->count, batch = chain[at];
    const uint32_t before = at > 0 ? chain[at - 1] : batch_order_none,
                   after = at + 1 < count ? chain[at + 1] : batch_order_none;
    const int64_t here = (int64_t)batch_order_worth(o, before, batch) + batch_order_worth(o, batch, after) -
                         batch_order_worth(o, before, after);
    int64_t most = here;
    uint32_t best = batch_order_none;
    memmove(chain + at, chain + at + 1, (count - 1 - at) * sizeof *chain);
    for (uint32_t to = 0; to < count; to++) {
        const uint32_t a = to > 0 ? chain[to - 1] : batch_order_none, b = to < count - 1 ? chain[to] : batch_order_none;
        const int64_t there =
            (int64_t)batch_order_worth(o, a, batch) + batch_order_worth(o, batch, b) - batch_order_worth(o, a, b);
        if (there > most) {
            most = there;
            best = to;
        }
    }
    const uint32_t to = best == batch_order_none ? at : best;
    memmove(chain + to + 1, chain + to, (count - 1 - to) * sizeof *chain);
    chain[to] = batch;
    return best != batch_order_none;
}

static bool batch_order_find_chain(tl_arena *arena, batch_ordering *o)
{
    const uint32_t count = o->batches->count,
                   starts = count < BATCH_ORDER_STARTS_MOST ? count : BATCH_ORDER_STARTS_MOST;
    bool *used = TL_ARRAY(arena, count, bool);
    uint32_t *other = tl_array_raw(arena, count, sizeof *other);
    uint64_t most = 0;
    o->chain = tl_array_raw(arena, count, sizeof *o->chain);
    if (!used || !other || !o->chain)
        return false;
    for (uint32_t start = 0; start < starts; start++) {
        batch_order_nearest_neighbour(o, start * (count / starts), used, other);
        bool moved = true;
        for (int round = 0; round < BATCH_ORDER_ROUNDS_MOST && moved; round++) {
            moved = false;
            for (uint32_t at = 0; at < count; at++)
                moved = batch_order_move(o, other, at) || moved;
        }
        if (start == 0 || batch_order_chain_worth(o, other) > most) {
            most = batch_order_chain_worth(o, other);
            memcpy(o->chain, other, count * sizeof *other);
        }
    }
    return true;
}

bool tl_batch_order(tl_arena *arena, const tl_batch_input *in, tl_batch_list *batches)
{
    batch_ordering o = {.in = in, .batches = batches};
    uint32_t *first = tl_array_raw(arena, (size_t)batches->count + 2, sizeof *first);
    uint32_t *order = tl_array_raw(arena, batches->first[batches->count], sizeof *order);
    const bool few = batches->count <= BATCH_ORDER_BATCHES_MOST; /* few enough to look at every pair */
    if (!first || !order || (few && (!batch_order_find_worth(arena, &o) || !batch_order_find_chain(arena, &o))))
        return false;
    first[0] = 0;
    for (uint32_t at = 0; at < batches->count; at++) {
        const uint32_t batch = few ? o.chain[at] : at;
        const uint32_t from = batches->first[batch], size = batches->first[batch + 1] - from;
        memcpy(order + first[at], batches->order + from, size * sizeof *order);
        first[at + 1] = first[at] + size;
    }
    batches->first = first;
    batches->order = order;
    return true;
}
