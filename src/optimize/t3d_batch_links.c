/* Strips by simulated annealing: which neighbours of a triangle it is linked to.
 *
 * A strip leaves its triangles by the two other edges in turn, so where it goes follows from which edge of a triangle
 * it does not cross: the state of the triangle. Two neighbours are consecutive in a strip if, on both sides, the edge
 * that is not crossed is the next one after the edge between them (a link of kind 1), or on both sides the one before
 * (kind 2). So each neighbour favours at most one state, and a triangle costs three indices, less two for each link. A
 * triangle may also be drawn by the sequence if no other one there has a vertex of it.
 *
 * In each sweep every triangle gets a random state, the more probable the less it costs with the neighbours as they are
 * (Gibbs sampling; Geman and Geman 1984), at ever lower temperatures. The kinds of links alternate in a strip. One with
 * an even number of triangles must begin and end with kind 1, or it loses a triangle. A single triangle cannot know
 * that, so kind 1 counts a little more, and after each sweep strips that would lose one are counted. The best states
 * are kept.
 */
#include "optimize/t3d_batch_steps.h"

#include <string.h>

enum {
    LINK_INDEX = 4,       /* costs: of an index, */
    LINK_LINKED = 8,      /* the two that a link saves, */
    LINK_KINDS_APART = 1, /* what kind 1 counts more and kind 2 less, */
    LINK_SEQUENCE = 2,    /* and a triangle of the sequence, for its time */
    LINK_ONE = 1 << 16
};

typedef struct link_search {
    const tl_vertex_batch *batch;
    const tl_batch_links *links;
    uint32_t count;                        /* triangles */
    uint32_t random;                       /* state */
    int32_t cost;                          /* of all, without strips that lose a triangle or are closed */
    uint8_t votes[TL_BATCH_TRIANGLES + 1]; /* of each triangle, for each state: two bits, the kinds of links it has */
    uint8_t state[TL_BATCH_TRIANGLES + 1], best[TL_BATCH_TRIANGLES];
    bool movable[TL_BATCH_TRIANGLES]; /* may be in the sequence */
    bool taken[TL_BATCH_SLOTS];       /* of each vertex: by the sequence */
    bool seen[TL_BATCH_TRIANGLES + 1];
    uint16_t order[TL_BATCH_TRIANGLES], active_count, all_count; /* triangles that sweeps visit; the others only some */
} link_search;

const uint8_t tl_link_favours[9 * TL_LINK_STATES] = {
    0, 4,  32, 0, 0, 32, 0, 4,  0, 0, 4,  32, 0, 0, 0, /* kind 1 of state 1, 2 of 2 */
    0, 16, 2,  0, 0, 2,  0, 16, 0, 0, 16, 2,  0, 0, 0, /* kind 1 of state 2, 2 of 0 */
    0, 1,  8,  0, 0, 8,  0, 1,  0, 0, 1,  8,  0, 0, 0, /* kind 1 of state 0, 2 of 1 */
};

/* The votes for both links of a state; the sequence has none. */
static const uint8_t link_both[TL_LINK_STATES] = {3 << 0, 3 << 2, 3 << 4, 3 << 6, 3 << 6};

void tl_batch_find_links(const tl_vertex_batch *batch, const tl_batch_edges *edges, tl_batch_links *out)
{
    const uint32_t count = 3 * batch->triangle_count;
    for (uint32_t half = 0; half < count; half++) {
        out->triangle[half] = (uint16_t)batch->triangle_count;
        out->here[half] = out->there[half] = 0;
    }
    for (uint32_t t = 0, half = 0; t < batch->triangle_count; t++)
        for (uint32_t c = 0; c < 3; c++, half++) {
            uint16_t at = out->triangle[half] != batch->triangle_count ? TL_NO_EDGE : edges->opposite[half];
            while (at != TL_NO_EDGE && (at / 3 == t || out->triangle[at] != batch->triangle_count))
                at = edges->next[at];
            if (at == TL_NO_EDGE)
                continue;
            out->triangle[half] = at / 3;
            out->triangle[at] = (uint16_t)t;
            out->here[half] = out->there[at] = (uint8_t)(TL_LINK_STATES * (3 * c + at % 3));
            out->here[at] = out->there[half] = (uint8_t)(TL_LINK_STATES * (3 * (at % 3) + c));
        }
}

/* --- probabilities --- */

/* Above that of two links. */
static uint32_t link_state_cost(uint32_t state, uint32_t votes)
{
    const uint32_t own = votes >> 2 * state;
    return state == TL_LINK_IN_SEQUENCE ? LINK_INDEX + LINK_SEQUENCE
                                        : 2 * LINK_LINKED - (own & 1) * (LINK_LINKED + LINK_KINDS_APART) -
                                              (own >> 1 & 1) * (LINK_LINKED - LINK_KINDS_APART);
}

/* The probabilities of states 0, 0 and 1, 0 to 2; `weights` of costs above the least. */
static void link_fill_bounds(uint32_t votes, bool sequence, const uint32_t *weights, uint32_t *bounds)
{
    const uint32_t states = sequence ? 4 : 3;
    uint32_t costs[4], least = UINT32_MAX, sums[4], sum = 0;
    for (uint32_t state = 0; state < states; state++) {
        costs[state] = link_state_cost(state, votes);
        least = costs[state] < least ? costs[state] : least;
    }
    for (uint32_t state = 0; state < states; state++) {
        sum += weights[costs[state] - least];
        sums[state] = sum;
    }
    for (uint32_t state = 0; state < 3; state++)
        bounds[state] = (uint32_t)((uint64_t)sums[state] * LINK_ONE / sum);
}

/* What costs a quarter of an index more is less probable by a factor, which falls with the temperature; at the last one
 * only what costs the least is possible. */
void tl_link_fill_table(tl_link_table *table)
{
    static const uint32_t factors[TL_LINK_TEMPERATURES] = {LINK_ONE / 2, LINK_ONE * 2 / 5, 0};
    uint32_t weights[TL_LINK_TEMPERATURES][2 * LINK_LINKED + 1];
    for (uint32_t i = 0; i < TL_LINK_TEMPERATURES; i++) {
        weights[i][0] = LINK_ONE;
        for (uint32_t cost = 1; cost <= 2 * LINK_LINKED; cost++)
            weights[i][cost] = (uint32_t)((uint64_t)weights[i][cost - 1] * factors[i] / LINK_ONE);
    }
    for (uint32_t votes = 0; votes < 64; votes++) {
        if ((votes & votes >> 3) != 0)
            continue; /* two of the same neighbour */
        for (uint32_t i = 0; i < TL_LINK_TEMPERATURES; i++) {
            link_fill_bounds(votes, false, weights[i], table->bounds[i][0][votes]);
            link_fill_bounds(votes, true, weights[i], table->bounds[i][1][votes]);
        }
    }
    table->filled = true;
}

/* --- states --- */

/* The kinds of links that a triangle has, as bits. */
static uint32_t link_kinds(const link_search *s, uint32_t triangle)
{
    return s->state[triangle] < 3 ? (uint32_t)s->votes[triangle] >> 2 * s->state[triangle] & 3 : 0;
}

/* With the links counted in full: the neighbours cost no less for them. */
static int32_t link_own_cost(uint32_t state, uint32_t votes)
{
    enum { NONE = 3 * LINK_INDEX, ONE = NONE - LINK_LINKED, BOTH = ONE - LINK_LINKED };
    static const int8_t costs[4][4] = {{NONE, ONE, ONE, BOTH}, /* by the kinds of links that the state has */
                                       {NONE, ONE, ONE, BOTH},
                                       {NONE, ONE, ONE, BOTH},
                                       {LINK_SEQUENCE}}; /* which has none */
    return costs[state][votes >> 2 * state & 3];
}

static void link_set_state(link_search *s, uint32_t triangle, uint32_t state)
{
    const uint32_t old = s->state[triangle], votes = s->votes[triangle];
    if (state == TL_LINK_IN_SEQUENCE || old == TL_LINK_IN_SEQUENCE) {
        const uint8_t *v = s->batch->triangles[triangle];
        s->taken[v[0]] = s->taken[v[1]] = s->taken[v[2]] = state == TL_LINK_IN_SEQUENCE;
    }
    s->cost += link_own_cost(state, votes) - link_own_cost(old, votes);
    s->state[triangle] = (uint8_t)state;
    for (uint32_t half = 3 * triangle; half < 3 * triangle + 3; half++) {
        const uint8_t *favours = tl_link_favours + s->links->there[half];
        uint8_t *to = &s->votes[s->links->triangle[half]];
        *to = (uint8_t)(*to ^ favours[state] ^ favours[old]);
    }
}

static void link_sweep(link_search *s, const uint32_t bounds[2][64][4], uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t t = s->order[i], old = s->state[t], votes = s->votes[t], both = link_both[old];
        if ((votes & both) == both)
            continue; /* hardly ever changes, and takes less time if it never does */
        const uint8_t *v = s->batch->triangles[t];
        const bool sequence =
            s->movable[t] && (old == TL_LINK_IN_SEQUENCE || !(s->taken[v[0]] || s->taken[v[1]] || s->taken[v[2]]));
        const uint32_t state = tl_link_choose(bounds[sequence ? 1 : 0][votes], tl_batch_random(&s->random) >> 8);
        if (state != old)
            link_set_state(s, t, state);
    }
}

/* --- strips --- */

/* The corner where the link of a kind begins. */
static uint32_t link_corner(const link_search *s, uint32_t triangle, uint32_t kind)
{
    return (s->state[triangle] + 3u - kind) % 3;
}

/* The cost of strips that lose a triangle: three links or more, the first and the last of kind 2. */
static int32_t link_lost_cost(const link_search *s)
{
    int32_t cost = 0;
    for (uint32_t i = 0; i < s->active_count; i++) {
        uint32_t at = s->order[i], kind = 2, count = 0;
        if (link_kinds(s, at) != kind)
            continue;
        do {
            at = s->links->triangle[3 * at + link_corner(s, at, kind)];
            kind = 3 - kind;
            count++;
        } while ((link_kinds(s, at) & kind) != 0);
        cost += count % 2 != 0 && count >= 3 ? LINK_INDEX : 0; /* two indices, one from either end */
    }
    return cost;
}

typedef struct link_walk {
    uint32_t count;
    uint16_t triangles[TL_BATCH_TRIANGLES];
    uint8_t entered[TL_BATCH_TRIANGLES]; /* corners of these */
} link_walk;

/* Follows links from a triangle, first one of a kind. */
static void link_follow(link_search *s, uint32_t at, uint32_t kind, link_walk *out)
{
    out->count = 0;
    s->seen[at] = true;
    while ((link_kinds(s, at) & kind) != 0 && out->count < TL_STRIP_INDICES - 3) {
        const uint32_t half = 3 * at + link_corner(s, at, kind);
        at = s->links->triangle[half];
        if (s->seen[at])
            break; /* closed */
        s->seen[at] = true;
        out->triangles[out->count] = (uint16_t)at;
        out->entered[out->count++] = (uint8_t)(s->links->here[half] / TL_LINK_STATES % 3);
        kind = 3 - kind;
    }
}

/* Adds a strip: a triangle that is left by a corner's edge, and what was followed from `first` on. */
static void link_store(const link_search *s, uint32_t start, uint32_t corner, const link_walk *walk, uint32_t first,
                       tl_triangle_strips *out)
{
    const uint32_t at = out->count == 0 ? 0 : (uint32_t)out->first[out->count - 1] + out->length[out->count - 1];
    const uint8_t *v = s->batch->triangles[start];
    uint8_t *indices = out->indices + at;
    out->first[out->count] = (uint16_t)at;
    out->length[out->count++] = (uint16_t)(3 + walk->count - first);
    *indices++ = v[(corner + 2) % 3];
    *indices++ = v[corner];
    *indices++ = v[(corner + 1) % 3];
    for (uint32_t i = first; i < walk->count; i++)
        *indices++ = s->batch->triangles[walk->triangles[i]][(walk->entered[i] + 2) % 3];
}

/* The strip that begins at a triangle with a link of a kind, if it has one. One that cannot begin with kind 2 at either
 * end loses its first triangle. */
static void link_add_strip(link_search *s, uint32_t start, uint32_t kind, tl_triangle_strips *out)
{
    link_walk walk;
    link_follow(s, start, kind, &walk);
    const uint32_t corner = link_corner(s, start, kind);
    if (kind == 1 || walk.count < 2) {
        link_store(s, start, corner, &walk, 0, out);
    } else if (walk.count % 2 == 0) { /* from the other end, which has kind 1 */
        const uint32_t end = walk.triangles[walk.count - 1];
        s->seen[start] = false;
        for (uint32_t i = 0; i < walk.count; i++)
            s->seen[walk.triangles[i]] = false;
        link_follow(s, end, 1, &walk);
        link_store(s, end, link_corner(s, end, 1), &walk, 0, out);
    } else {
        const uint32_t second = walk.triangles[0];
        link_store(s, start, corner, &(link_walk){.count = 0}, 0, out);
        link_store(s, second, link_corner(s, second, 1), &walk, 1, out);
    }
}

/* Returns the number of indices. */
static uint32_t link_make_strips(link_search *s, tl_triangle_strips *out)
{
    uint32_t indices = 0;
    memset(s->seen, 0, s->count);
    out->count = 0;
    for (int pass = 0; pass < 2; pass++) /* closed ones are left for the second */
        for (uint32_t t = 0; t < s->count; t++) {
            const uint32_t kinds = link_kinds(s, t);
            if (!s->seen[t] && s->state[t] < 3 && (kinds != 3 || pass == 1))
                link_add_strip(s, t, kinds == 2 ? 2 : 1, out);
        }
    for (uint32_t i = 0; i < out->count; i++)
        indices += out->length[i];
    return indices;
}

static void link_make_sequence(const link_search *s, tl_batch_sequence *out)
{
    out->count = 0;
    memset(out->has, 0, sizeof out->has);
    for (uint32_t t = 0; t < s->count; t++)
        if (s->state[t] == TL_LINK_IN_SEQUENCE) {
            memcpy(out->triangles[out->count++], s->batch->triangles[t], 3);
            for (uint32_t c = 0; c < 3; c++)
                out->has[s->batch->triangles[t][c]] = true;
        }
}

/* --- the search --- */

/* Lists everything that is connected to a triangle from `at` on, and returns the end. */
static uint32_t link_flood(link_search *s, uint32_t triangle, uint32_t at)
{
    uint32_t end = at + 1;
    s->seen[triangle] = true;
    s->order[at] = (uint16_t)triangle;
    for (; at < end; at++)
        for (uint32_t half = 3u * s->order[at], last = half + 3; half < last; half++) {
            const uint16_t to = s->links->triangle[half];
            if (s->seen[to])
                continue;
            s->seen[to] = true;
            s->order[end++] = to;
        }
    return end;
}

/* A connected component that is a single strip already cannot have fewer: only the sequence may shorten it. */
static void link_list_active(link_search *s)
{
    uint16_t idle[TL_BATCH_TRIANGLES];
    uint32_t idle_count = 0, active = 0;
    for (uint32_t t = 0; t <= s->count; t++)
        s->seen[t] = s->state[t] == TL_LINK_LEFT_OUT;
    for (uint32_t t = 0; t < s->count; t++) {
        if (s->seen[t])
            continue;
        const uint32_t end = link_flood(s, t, active);
        uint32_t ends = 0;
        for (uint32_t i = active; i < end; i++) {
            const uint32_t kinds = link_kinds(s, s->order[i]);
            ends += 2 - (kinds & 1) - (kinds >> 1);
        }
        if (ends > 2) {
            active = end;
            continue;
        }
        memcpy(idle + idle_count, s->order + active, (end - active) * sizeof *idle);
        idle_count += end - active;
    }
    memcpy(s->order + active, idle, idle_count * sizeof *idle);
    s->active_count = (uint16_t)active;
    s->all_count = (uint16_t)(active + idle_count);
}

static void link_count_votes(link_search *s)
{
    for (uint32_t t = 0; t < s->count; t++) {
        const uint16_t *to = &s->links->triangle[3 * t];
        const uint8_t *here = &s->links->here[3 * t];
        s->votes[t] = tl_link_favours[here[0] + s->state[to[0]]] | tl_link_favours[here[1] + s->state[to[1]]] |
                      tl_link_favours[here[2] + s->state[to[2]]];
    }
}

static void link_begin(link_search *s, const bool *left_out, const uint8_t *uncrossed,
                       const tl_batch_sequence *sequence)
{
    s->count = s->batch->triangle_count;
    s->cost = 0;
    memset(s->taken, 0, sizeof s->taken);
    for (uint32_t t = 0; t < s->count; t++) {
        s->state[t] = left_out[t] ? TL_LINK_LEFT_OUT : uncrossed[t];
        s->movable[t] = tl_batch_sequence_may_have(sequence, s->batch->triangles[t]);
    }
    s->state[s->count] = TL_LINK_LEFT_OUT;
    s->votes[s->count] = 0;
    link_count_votes(s);
    for (uint32_t t = 0; t < s->count; t++) {
        const uint32_t kinds = link_kinds(s, t); /* each link is counted at both ends */
        s->cost += left_out[t] ? 0 : 3 * LINK_INDEX - LINK_LINKED / 2 * (int32_t)((kinds & 1) + (kinds >> 1));
    }
    link_list_active(s);
}

/* The best of all sweeps; the last ones are made at the lowest temperature. */
static void link_anneal(link_search *s, const tl_link_effort *effort)
{
    enum { LAST = TL_LINK_TEMPERATURES - 1, LAST_SWEEPS = 2 };
    const tl_link_table *table = effort->table;
    int32_t least = INT32_MAX;
    link_sweep(s, table->bounds[LAST], s->all_count);
    for (uint32_t sweep = 0; sweep < effort->sweeps + LAST_SWEEPS; sweep++) {
        const bool last = sweep >= effort->sweeps;
        link_sweep(s, table->bounds[last ? LAST : LAST * sweep / effort->sweeps],
                   last ? s->all_count : s->active_count);
        const int32_t cost = s->cost < least ? s->cost + link_lost_cost(s) : least;
        if (cost < least) {
            least = cost;
            memcpy(s->best, s->state, s->count);
        }
    }
    memcpy(s->state, s->best, s->count);
    link_count_votes(s);
}

uint32_t tl_batch_search_strips(const tl_vertex_batch *batch, const tl_batch_links *links, const bool *left_out,
                                const tl_link_effort *effort, tl_triangle_strips *out, tl_batch_sequence *sequence)
{
    link_search s;
    s.batch = batch;
    s.links = links;
    s.random = effort->seed;
    link_begin(&s, left_out, out->uncrossed, sequence);
    if (!effort->table->filled)
        tl_link_fill_table(effort->table);
    link_anneal(&s, effort);
    link_make_sequence(&s, sequence);
    return link_make_strips(&s, out);
}
