/* The triangles of one group into a list, a sequence and strips.
 *
 * A strip's indices are copied over the upper end of the vertex cache, so no strip may use a slot that it, or one
 * before it, has overwritten: strip s must leave room above the highest slot that it and all later strips use. The list
 * and the sequence are drawn before. Within a block the slots may be numbered at will, so the vertices that are done
 * with first get the highest slots, and each strip takes the runs that free the most room for the next.
 *
 * With a cache that is too full for a first strip, the triangles around a few vertices go to the list. How many is
 * found by trying, and the cheapest plan is kept.
 */
#include "optimize/t3d_batch_steps.h"

#include <string.h>

enum {
    FREED_MOST = 2,
    FEW_TRIANGLES = 3 /* may be cheaper without any strip */
};

typedef struct vertex_set {
    uint64_t bits[2];
} vertex_set;

/* How a plan is made. */
typedef struct way {
    bool strips, sequence, sequence_below;
    uint32_t freed; /* vertices that are drawn by the list alone */
    uint32_t seed;
} way;

typedef struct planner {
    const tl_group *group;
    const tl_edges *edges;
    tl_runs runs; /* what is pending of each: runs.first and runs.length */
    tl_sequence sequence;
    bool sequence_below;
    bool left_out[TL_GROUP_TRIANGLES]; /* of each triangle: goes to the list */
    vertex_set used[TL_GROUP_TRIANGLES];
    uint32_t weights[TL_PACK_SLOTS];   /* of each vertex: the indices of all pending runs that use it */
    uint8_t last_strip[TL_PACK_SLOTS]; /* that uses the vertex, from 1; 0: none does */
    uint32_t pending;                  /* indices */
    uint32_t worth;                    /* of a command */
    tl_f3dex_draw *draw;
} planner;

static bool set_has(const vertex_set *set, uint32_t vertex)
{
    return (set->bits[vertex / 64] >> vertex % 64 & 1) != 0;
}

/* --- the list --- */

static void list_triangle(planner *p, uint8_t a, uint8_t b, uint8_t c)
{
    uint8_t *t = p->draw->list[p->draw->list_count++];
    t[0] = a, t[1] = b, t[2] = c;
}

static void list_pending(planner *p)
{
    for (uint32_t r = 0; r < p->runs.count; r++) {
        const uint8_t *v = p->runs.indices + p->runs.first[r];
        for (uint32_t k = 0; k + 2 < p->runs.length[r]; k++)
            list_triangle(p, v[k + k % 2], v[k + 1 - k % 2], v[k + 2]);
        p->runs.length[r] = 0;
    }
    p->pending = 0;
}

static void list_left_out(planner *p)
{
    for (uint32_t t = 0; t < p->group->triangle_count; t++)
        if (p->left_out[t])
            list_triangle(p, p->group->triangles[t][0], p->group->triangles[t][1], p->group->triangles[t][2]);
}

static bool triangle_has(const uint8_t *t, uint32_t vertex)
{
    return t[0] == vertex || t[1] == vertex || t[2] == vertex;
}

/* Leaves out the triangles around the vertex of the last block that has the fewest. */
static void free_a_vertex(planner *p)
{
    const tl_group *group = p->group;
    const tl_block *last = &group->blocks[group->block_count - 1];
    uint32_t around[TL_PACK_SLOTS] = {0}, best = TL_PACK_SLOTS;
    for (uint32_t t = 0; t < group->triangle_count; t++)
        for (int c = 0; c < 3 && !p->left_out[t]; c++)
            around[group->triangles[t][c]]++;
    for (uint32_t v = last->first; v < (uint32_t)last->first + last->count; v++)
        if (around[v] > 0 && !group->kept[v] && (best == TL_PACK_SLOTS || around[v] < around[best]))
            best = v;
    for (uint32_t t = 0; t < group->triangle_count; t++)
        if (triangle_has(group->triangles[t], best))
            p->left_out[t] = true;
}

static void leave_out_degenerate(planner *p)
{
    for (uint32_t t = 0; t < p->group->triangle_count; t++) {
        const uint8_t *v = p->group->triangles[t];
        p->left_out[t] = v[0] == v[1] || v[1] == v[2] || v[2] == v[0];
    }
}

/* --- the sequence --- */

/* The block with the most vertices that may be moved about. */
static uint32_t widest_block(const tl_group *group)
{
    uint32_t best = 0;
    for (uint32_t b = 0; b < group->block_count; b++)
        if (!group->blocks[b].resident &&
            (group->blocks[best].resident || group->blocks[b].count >= group->blocks[best].count))
            best = b;
    return best;
}

static bool sequence_pays(const planner *p, uint32_t saved)
{
    return 2 * saved >= TL_RSP_DRAW_BYTES + p->worth || (saved > 0 && saved == p->pending);
}

static void make_sequence(planner *p, const way *w)
{
    const uint32_t block = widest_block(p->group);
    p->sequence.count = 0;
    memset(p->sequence.has, 0, sizeof p->sequence.has);
    if (!w->sequence || p->group->blocks[block].resident)
        return;
    const tl_runs before = p->runs;
    const uint32_t saved = tl_batch_choose_sequence(p->group, block, w->seed, &p->runs, &p->sequence);
    if (sequence_pays(p, saved)) {
        p->pending -= saved;
        return;
    }
    p->runs = before;
    p->sequence.count = 0;
    memset(p->sequence.has, 0, sizeof p->sequence.has);
}

/* --- strips --- */

static void weigh_run(planner *p, uint32_t run, bool remove)
{
    const uint8_t *indices = p->runs.indices + p->runs.first[run];
    const uint32_t length = p->runs.length[run];
    vertex_set set = {{0, 0}};
    for (uint32_t i = 0; i < length; i++) {
        if (set_has(&set, indices[i]))
            continue;
        set.bits[indices[i] / 64] |= UINT64_C(1) << indices[i] % 64;
        p->weights[indices[i]] += remove ? 0u - length : length;
    }
    p->used[run] = set;
}

/* One more than the highest slot of a block that a pending run needs, when those have the lowest that can be had; 0:
 * needs none. */
static uint32_t needed_end(const planner *p, uint32_t number)
{
    const tl_block *block = &p->group->blocks[number];
    const bool sequence = p->sequence.count > 0 && p->sequence.block == number;
    uint32_t kept = 0, plain = 0, all_plain = 0, end = 0;
    bool any = false;
    for (uint32_t v = block->first; v < (uint32_t)block->first + block->count; v++) {
        const bool needed = p->weights[v] > 0 || p->group->kept[v];
        any = any || needed;
        if (block->resident && needed && p->group->slots[v] + 1u > end)
            end = p->group->slots[v] + 1u;
        kept += p->group->kept[v] ? 1 : 0;
        if (p->group->kept[v] || (sequence && p->sequence.has[v]))
            continue;
        plain += needed ? 1 : 0;
        all_plain += p->last_strip[v] > 0 || p->weights[v] > 0 ? 1 : 0;
    }
    if (block->resident || !any)
        return end;
    const uint32_t start = block->slot + kept;
    if (!sequence)
        return start + plain;
    uint32_t triples = 0;
    for (uint32_t i = 0; i < p->sequence.count; i++) {
        const uint8_t *t = p->sequence.triangles[i];
        triples += p->weights[t[0]] > 0 || p->weights[t[1]] > 0 || p->weights[t[2]] > 0 ? 1 : 0;
    }
    if (p->sequence_below)
        return plain > 0 ? start + 3 * p->sequence.count + plain : start + 3 * triples;
    return triples > 0 ? start + all_plain + 3 * triples : start + plain;
}

static uint32_t strip_room(const planner *p)
{
    uint32_t end = 0;
    for (uint32_t b = 0; b < p->group->block_count; b++) {
        const uint32_t needed = needed_end(p, b);
        end = needed > end ? needed : end;
    }
    const uint32_t indices = TL_RSP_SLOT_SIZE * (TL_PACK_SLOTS - end) / 8 * 4; /* copied 8 bytes at a time, 4 indices */
    return indices < TL_STRIP_INDICES ? indices : TL_STRIP_INDICES;
}

/* The first `count` pending indices of a run go to the strip; what is left starts two before, to share an edge. */
static void take_indices(planner *p, uint32_t strip, uint32_t run, uint32_t count)
{
    const uint8_t *indices = p->runs.indices + p->runs.first[run];
    uint32_t *filled = &p->draw->strip_counts[strip];
    for (uint32_t i = 0; i < count; i++) {
        p->draw->strips[strip][*filled + i] = (uint16_t)(indices[i] | (i == 0 && *filled > 0 ? TL_RUN_START : 0));
        p->last_strip[indices[i]] = (uint8_t)(strip + 1);
    }
    *filled += count;
    weigh_run(p, run, true);
    p->pending -= p->runs.length[run];
    if (count < p->runs.length[run]) {
        p->runs.first[run] = (uint16_t)(p->runs.first[run] + count - 2);
        p->runs.length[run] = (uint16_t)(p->runs.length[run] - count + 2);
        p->pending += p->runs.length[run];
        weigh_run(p, run, false);
    } else {
        p->runs.length[run] = 0;
    }
}

/* Takes all runs of the vertex that is cheapest to be done with; false when that does not fit. */
static bool take_vertex(planner *p, uint32_t strip, uint32_t room)
{
    uint32_t best = TL_PACK_SLOTS, least = room - p->draw->strip_counts[strip];
    for (uint32_t v = 0; v < p->group->vertex_count; v++)
        if (p->weights[v] > 0 && (best == TL_PACK_SLOTS ? p->weights[v] <= least : p->weights[v] < least)) {
            best = v;
            least = p->weights[v];
        }
    for (uint32_t r = 0; r < p->runs.count && best < TL_PACK_SLOTS; r++)
        if (p->runs.length[r] > 0 && set_has(&p->used[r], best))
            take_indices(p, strip, r, p->runs.length[r]);
    return best < TL_PACK_SLOTS;
}

static void take_what_fits(planner *p, uint32_t strip, uint32_t room)
{
    for (uint32_t r = 0; r < p->runs.count; r++)
        if (p->runs.length[r] > 0 && p->runs.length[r] <= room - p->draw->strip_counts[strip])
            take_indices(p, strip, r, p->runs.length[r]);
    for (uint32_t r = 0; r < p->runs.count && p->draw->strip_counts[strip] == 0; r++)
        if (p->runs.length[r] > room && room > 0) /* room is a multiple of 4: an even number keeps the rest's winding */
            take_indices(p, strip, r, room);
}

static void make_strips(planner *p)
{
    memset(p->weights, 0, sizeof p->weights);
    for (uint32_t r = 0; r < p->runs.count; r++)
        weigh_run(p, r, false);
    for (uint32_t s = 0; s < TL_PACK_STRIPS && p->pending > 0; s++) {
        const uint32_t room = strip_room(p);
        if (p->pending > room)
            while (take_vertex(p, s, room))
                ;
        take_what_fits(p, s, room);
        if (p->draw->strip_counts[s] == 0)
            break;
    }
}

/* --- slots --- */

static uint8_t last_of_triple(const planner *p, const uint8_t *t)
{
    uint8_t last = p->last_strip[t[0]];
    last = p->last_strip[t[1]] > last ? p->last_strip[t[1]] : last;
    return p->last_strip[t[2]] > last ? p->last_strip[t[2]] : last;
}

/* What the later strips use has the lower slots. Answers the slot behind. */
static uint32_t number_sequence(planner *p, uint32_t slot)
{
    p->draw->sequence_base = slot;
    for (uint32_t strip = TL_PACK_STRIPS + 1; strip-- > 0;)
        for (uint32_t i = 0; i < p->sequence.count; i++)
            for (int c = 0; c < 3 && last_of_triple(p, p->sequence.triangles[i]) == strip; c++)
                p->draw->slots[p->sequence.triangles[i][c]] = (uint8_t)slot++;
    return slot;
}

static uint32_t number_plain(planner *p, const tl_block *block, uint32_t strip, uint32_t slot)
{
    for (uint32_t v = block->first; v < (uint32_t)block->first + block->count; v++)
        if (p->last_strip[v] == strip && !p->sequence.has[v] && !p->group->kept[v])
            p->draw->slots[v] = (uint8_t)slot++;
    return slot;
}

/* What is kept, then what the later strips use, at last what none does; the sequence in front of that or behind. */
static void number_block(planner *p, uint32_t number)
{
    const tl_block *block = &p->group->blocks[number];
    const bool sequence = p->sequence.count > 0 && p->sequence.block == number;
    uint32_t slot = block->slot;
    for (uint32_t v = block->first; v < (uint32_t)block->first + block->count; v++)
        if (p->group->kept[v])
            p->draw->slots[v] = (uint8_t)slot++;
    if (sequence && p->sequence_below)
        slot = number_sequence(p, slot);
    for (uint32_t strip = TL_PACK_STRIPS; strip > 0; strip--)
        slot = number_plain(p, block, strip, slot);
    if (sequence && !p->sequence_below)
        slot = number_sequence(p, slot);
    number_plain(p, block, 0, slot);
}

static void number_slots(planner *p)
{
    for (uint32_t number = 0; number < p->group->block_count; number++) {
        const tl_block *block = &p->group->blocks[number];
        if (!block->resident)
            number_block(p, number);
        else
            memcpy(p->draw->slots + block->first, p->group->slots + block->first, block->count);
    }
}

/* --- plans --- */

/* A short strip can cost more than its triangles one by one. Only the last, so that the others keep their places. */
static void list_short_strip(planner *p)
{
    tl_f3dex_draw *draw = p->draw;
    uint32_t last = TL_PACK_STRIPS, triangles = 0;
    while (last > 0 && draw->strip_counts[last - 1] == 0)
        last--;
    if (last == 0)
        return;
    const uint32_t count = draw->strip_counts[last - 1];
    const uint16_t *strip = draw->strips[last - 1];
    for (uint32_t k = 0; k + 2 < count; k++)
        triangles += (strip[k + 1] | strip[k + 2]) & TL_RUN_START ? 0 : 1;
    const bool sync = last == 1 && p->sequence.count == 0;
    if (TL_RSP_DRAW_BYTES * triangles + (sync ? TL_RSP_SYNC_BYTES : 0) >= TL_RSP_DRAW_BYTES + tl_rsp_strip_bytes(count))
        return;
    for (uint32_t k = 0, odd = 0; k + 2 < count; k++) {
        const bool starts = (strip[k + 1] | strip[k + 2]) & TL_RUN_START;
        odd = k == 0 || strip[k] & TL_RUN_START ? 0 : odd;
        if (!starts) {
            const uint8_t a = (uint8_t)strip[k], b = (uint8_t)strip[k + 1], c = (uint8_t)strip[k + 2];
            list_triangle(p, odd ? b : a, odd ? a : b, c);
        }
        odd ^= 1;
    }
    draw->strip_counts[last - 1] = 0;
}

static void count_cost(tl_f3dex_draw *draw, uint32_t worth)
{
    uint32_t commands = draw->list_count + (draw->sequence_count > 0 ? 1 : 0), indices = 0, bytes = 0;
    for (uint32_t s = 0; s < TL_PACK_STRIPS && draw->strip_counts[s] > 0; s++) {
        commands++;
        bytes += tl_rsp_strip_bytes(draw->strip_counts[s]);
        indices += draw->strip_counts[s];
    }
    bytes += TL_RSP_DRAW_BYTES * commands;
    if (draw->sequence_count == 0 && draw->strip_counts[0] == 0) {
        bytes += TL_RSP_SYNC_BYTES;
        commands++;
    }
    draw->cost = TL_COST_BYTE * ((uint64_t)bytes + (uint64_t)worth * commands) + indices / 4;
}

static void make_plan(planner *p, const way *w)
{
    tl_f3dex_draw *draw = p->draw;
    draw->list_count = draw->sequence_count = draw->sequence_base = 0;
    memset(draw->strip_counts, 0, sizeof draw->strip_counts);
    memset(p->last_strip, 0, sizeof p->last_strip);
    leave_out_degenerate(p);
    for (uint32_t i = 0; i < w->freed; i++)
        free_a_vertex(p);
    tl_batch_make_strips(p->group, p->edges, p->left_out, w->strips ? TL_STRIP_INDICES : 3, w->seed, &p->runs);
    p->pending = 0;
    for (uint32_t r = 0; r < p->runs.count; r++)
        p->pending += p->runs.length[r];
    p->sequence_below = w->sequence_below;
    make_sequence(p, w);
    draw->sequence_count = p->sequence.count;
    if (w->strips)
        make_strips(p);
    list_pending(p);
    list_left_out(p);
    list_short_strip(p);
    number_slots(p);
    count_cost(draw, p->worth);
}

static void try_way(planner *p, const way *w, tl_f3dex_draw *other, tl_f3dex_draw *best)
{
    p->draw = other;
    make_plan(p, w);
    if (other->cost < best->cost)
        *best = *other;
}

/* With one strip and nothing in the list, only a better way to join the triangles could help. */
static bool is_simple(const tl_f3dex_draw *draw)
{
    return draw->strip_counts[1] == 0 && draw->list_count == 0;
}

void tl_plan_draw(const tl_group *group, tl_edges *edges, const tl_f3dex_opts *opts, tl_f3dex_draw *out)
{
    planner p;
    tl_f3dex_draw other;
    p.group = group;
    p.edges = edges;
    p.worth = opts->worth;
    tl_batch_find_edges(group, edges);
    out->cost = UINT64_MAX;
    for (uint32_t seed = 0; seed < opts->tries; seed++) {
        way w = {.strips = opts->strips, .sequence = opts->sequences, .seed = seed};
        try_way(&p, &w, &other, out);
        if (is_simple(&other) || !opts->strips)
            continue;
        w.sequence_below = true;
        try_way(&p, &w, &other, out);
        w.sequence_below = false;
        for (w.freed = 1; w.freed <= FREED_MOST && !is_simple(out); w.freed++)
            try_way(&p, &w, &other, out);
    }
    const way plain = {.sequence = opts->sequences};
    if (opts->strips && group->triangle_count <= FEW_TRIANGLES)
        try_way(&p, &plain, &other, out);
}
