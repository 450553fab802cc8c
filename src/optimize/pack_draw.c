/* The triangles of one group into a list, a sequence and strips.
 *
 * A strip's indices are copied over the upper end of the vertex cache, so no strip may use a slot that it, or one
 * before it, has overwritten: strip s must leave room above the highest slot that it and all later strips use. The list
 * and the sequence are drawn before. Within a bone's block the slots may be numbered at will, so the vertices that are
 * done with first get the highest slots, and each strip takes the runs that free the most room for the next.
 *
 * With a cache that is too full for a first strip, the triangles around a few vertices go to the list. How many is
 * found by trying, and the cheapest plan is kept.
 */
#include "optimize/pack_steps.h"

#include <string.h>

enum {
    SLOT_SIZE = 36,
    COST_TRIANGLE = 72, /* RSP cycles, with a quarter for each byte of command */
    COST_STRIP = 92,
    COST_INDEX = 12,
    COST_DMA = 2, /* for each 8 bytes of indices */
    COST_SEQUENCE = 77,
    COST_IN_SEQUENCE = 9,
    COST_SYNC = 71, /* of a part that draws only a list */
    FREED_MOST = 2,
    SEQUENCE_LEAST = 3
};

typedef struct vertex_set {
    uint64_t bits[2];
} vertex_set;

typedef struct planner {
    const tl_group *group;
    tl_runs runs;
    bool left_out[TL_GROUP_TRIANGLES]; /* of each triangle: goes to the list */
    /* What is pending of each run, and its vertices. */
    uint16_t first[TL_GROUP_TRIANGLES], count[TL_GROUP_TRIANGLES];
    vertex_set used[TL_GROUP_TRIANGLES];
    uint32_t weights[TL_PACK_SLOTS];   /* of each vertex: the indices of all pending runs that use it */
    uint8_t last_strip[TL_PACK_SLOTS]; /* that uses the vertex, from 1; 0: none does */
    bool in_sequence[TL_PACK_SLOTS];
    tl_draw *draw;
} planner;

static bool set_has(const vertex_set *set, uint32_t vertex)
{
    return (set->bits[vertex / 64] >> vertex % 64 & 1) != 0;
}

static vertex_set set_of(const uint8_t *indices, uint32_t count)
{
    vertex_set set = {{0, 0}};
    for (uint32_t i = 0; i < count; i++)
        set.bits[indices[i] / 64] |= UINT64_C(1) << indices[i] % 64;
    return set;
}

static uint32_t pending_indices(const planner *p)
{
    uint32_t sum = 0;
    for (uint32_t r = 0; r < p->runs.count; r++)
        sum += p->count[r];
    return sum;
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
        const uint8_t *v = p->runs.indices + p->first[r];
        for (uint32_t k = 0; k + 2 < p->count[r]; k++)
            list_triangle(p, v[k + k % 2], v[k + 1 - k % 2], v[k + 2]);
        p->count[r] = 0;
    }
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
    uint32_t around[TL_PACK_SLOTS] = {0}, best = TL_PACK_SLOTS;
    for (uint32_t t = 0; t < group->triangle_count; t++)
        for (int c = 0; c < 3 && !p->left_out[t]; c++)
            around[group->triangles[t][c]]++;
    for (uint32_t v = group->blocks[group->block_count - 1]; v < group->vertex_count; v++)
        if (around[v] > 0 && (best == TL_PACK_SLOTS || around[v] < around[best]))
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

/* --- the sequence: triangles alone in their run, no two with a common vertex, in slots 0, 1, 2, 3, ... --- */

static bool may_join_sequence(const planner *p, uint32_t run)
{
    for (uint32_t i = 0; i < 3; i++) {
        const uint8_t vertex = p->runs.indices[p->first[run] + i];
        if (vertex >= p->group->blocks[1] || p->in_sequence[vertex])
            return false;
    }
    return p->count[run] == 3;
}

static void make_sequence(planner *p)
{
    uint32_t members[TL_PACK_SLOTS / 3], count = 0;
    for (uint32_t r = 0; r < p->runs.count; r++)
        if (may_join_sequence(p, r)) {
            members[count++] = r;
            for (uint32_t i = 0; i < 3; i++)
                p->in_sequence[p->runs.indices[p->first[r] + i]] = true;
        }
    if (count < SEQUENCE_LEAST && count < p->runs.count) {
        memset(p->in_sequence, 0, sizeof p->in_sequence);
        return;
    }
    for (uint32_t m = 0; m < count; m++) {
        for (uint32_t i = 0; i < 3; i++)
            p->draw->slots[p->runs.indices[p->first[members[m]] + i]] = (uint8_t)(3 * m + i);
        p->count[members[m]] = 0;
    }
    p->draw->sequence_count = count;
}

/* --- strips --- */

static void weigh_run(planner *p, uint32_t run)
{
    p->used[run] = set_of(p->runs.indices + p->first[run], p->count[run]);
    for (uint32_t v = 0; v < p->group->vertex_count; v++)
        p->weights[v] += set_has(&p->used[run], v) ? p->count[run] : 0;
}

static void unweigh_run(planner *p, uint32_t run)
{
    for (uint32_t v = 0; v < p->group->vertex_count; v++)
        p->weights[v] -= set_has(&p->used[run], v) ? p->count[run] : 0;
}

/* Free slots at the end of the cache when the vertices of all pending runs must stay and have the lowest of their
 * block. */
static uint32_t free_slots(const planner *p)
{
    const tl_group *group = p->group;
    for (uint32_t block = group->block_count; block-- > 0;) {
        uint32_t count = block == 0 ? 3 * p->draw->sequence_count : 0;
        bool any = false;
        for (uint32_t v = group->blocks[block]; v < group->blocks[block + 1]; v++)
            if (p->weights[v] > 0) {
                any = true;
                count += p->in_sequence[v] ? 0 : 1;
            }
        if (any)
            return TL_PACK_SLOTS - group->blocks[block] - count;
    }
    return TL_PACK_SLOTS;
}

static uint32_t strip_room(const planner *p)
{
    const uint32_t indices = SLOT_SIZE * free_slots(p) / 8 * 4; /* copied 8 bytes at a time, 4 indices */
    return indices < TL_STRIP_INDICES ? indices : TL_STRIP_INDICES;
}

/* The first `count` pending indices of a run go to the strip; what is left starts two before, to share an edge. */
static void take_indices(planner *p, uint32_t strip, uint32_t run, uint32_t count)
{
    const uint8_t *indices = p->runs.indices + p->first[run];
    uint32_t *filled = &p->draw->strip_counts[strip];
    for (uint32_t i = 0; i < count; i++) {
        p->draw->strips[strip][*filled + i] = (uint16_t)(indices[i] | (i == 0 && *filled > 0 ? TL_RUN_START : 0));
        p->last_strip[indices[i]] = (uint8_t)(strip + 1);
    }
    *filled += count;
    unweigh_run(p, run);
    if (count < p->count[run]) {
        p->first[run] = (uint16_t)(p->first[run] + count - 2);
        p->count[run] = (uint16_t)(p->count[run] - count + 2);
        weigh_run(p, run);
    } else {
        p->count[run] = 0;
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
        if (p->count[r] > 0 && set_has(&p->used[r], best))
            take_indices(p, strip, r, p->count[r]);
    return best < TL_PACK_SLOTS;
}

static void take_what_fits(planner *p, uint32_t strip, uint32_t room)
{
    for (uint32_t r = 0; r < p->runs.count; r++)
        if (p->count[r] > 0 && p->count[r] <= room - p->draw->strip_counts[strip])
            take_indices(p, strip, r, p->count[r]);
    for (uint32_t r = 0; r < p->runs.count && p->draw->strip_counts[strip] == 0; r++)
        if (p->count[r] > room && room > 0) /* room is a multiple of 4: an even number keeps the rest's winding */
            take_indices(p, strip, r, room);
}

static void make_strips(planner *p)
{
    memset(p->weights, 0, sizeof p->weights);
    for (uint32_t r = 0; r < p->runs.count; r++)
        weigh_run(p, r);
    for (uint32_t s = 0; s < TL_PACK_STRIPS && pending_indices(p) > 0; s++) {
        const uint32_t room = strip_room(p);
        if (pending_indices(p) > room)
            while (take_vertex(p, s, room))
                ;
        take_what_fits(p, s, room);
        if (p->draw->strip_counts[s] == 0)
            break;
    }
}

/* --- slots --- */

/* Within each block: the sequence, then what the later strips use, at last what none does. */
static void number_slots(planner *p)
{
    const tl_group *group = p->group;
    for (uint32_t block = 0; block < group->block_count; block++) {
        uint32_t slot = group->blocks[block] + (block == 0 ? 3 * p->draw->sequence_count : 0);
        for (uint32_t strip = TL_PACK_STRIPS + 1; strip-- > 0;)
            for (uint32_t v = group->blocks[block]; v < group->blocks[block + 1]; v++)
                if (p->last_strip[v] == strip && !p->in_sequence[v])
                    p->draw->slots[v] = (uint8_t)slot++;
    }
}

/* --- plans --- */

static uint32_t cost_of(const tl_draw *draw)
{
    uint32_t cost = COST_TRIANGLE * draw->list_count;
    if (draw->sequence_count > 0)
        cost += COST_SEQUENCE + COST_IN_SEQUENCE * draw->sequence_count;
    for (uint32_t s = 0; s < TL_PACK_STRIPS && draw->strip_counts[s] > 0; s++)
        cost += COST_STRIP + COST_INDEX * draw->strip_counts[s] + COST_DMA * ((draw->strip_counts[s] + 3) / 4);
    return cost + (draw->sequence_count == 0 && draw->strip_counts[0] == 0 ? COST_SYNC : 0);
}

/* `freed`: how many vertices are drawn by the list alone. */
static void make_plan(planner *p, bool strips, bool sequences, uint32_t freed)
{
    tl_draw *draw = p->draw;
    draw->list_count = draw->sequence_count = 0;
    memset(draw->strip_counts, 0, sizeof draw->strip_counts);
    memset(p->last_strip, 0, sizeof p->last_strip);
    memset(p->in_sequence, 0, sizeof p->in_sequence);
    leave_out_degenerate(p);
    for (uint32_t i = 0; i < freed; i++)
        free_a_vertex(p);
    tl_make_runs(p->group, p->left_out, strips ? TL_STRIP_INDICES : 3, &p->runs);
    for (uint32_t r = 0; r < p->runs.count; r++) {
        p->first[r] = p->runs.first[r];
        p->count[r] = (uint16_t)(p->runs.first[r + 1] - p->runs.first[r]);
    }
    if (sequences)
        make_sequence(p);
    if (strips)
        make_strips(p);
    list_pending(p);
    list_left_out(p);
    number_slots(p);
    draw->cost = cost_of(draw);
}

void tl_plan_draw(const tl_group *group, bool strips, bool sequences, tl_draw *out)
{
    planner p;
    tl_draw other;
    p.group = group;
    p.draw = out;
    make_plan(&p, false, sequences, 0);
    p.draw = &other;
    for (uint32_t freed = 0; strips && freed <= FREED_MOST; freed++) {
        make_plan(&p, true, sequences, freed);
        if (other.cost < out->cost)
            *out = other;
        if (other.strip_counts[1] == 0 && other.list_count == 0)
            break;
    }
}
