/* Batches that are chosen by their strips: simulated annealing of batches and links at once.
 *
 * The first search (t3d_batch_search.c) knows of strips only how many indices their triangles are likely to take. Here
 * every triangle also has a state, as in t3d_batch_links.c: which of its edges its strip does not cross, or that the
 * sequence draws it. So the indices of each batch are known at every step, and with them whether its strip has room. A
 * step moves a triangle to a batch that has a vertex of it already, in a state that its neighbours there favour, by
 * Metropolis' rule; then some triangles get a new state by Gibbs sampling.
 *
 * Components that are whole in a batch are left where they are: moving one does not change its strips.
 */
#include "optimize/t3d_batch_steps.h"

#include <string.h>

enum {
    REFINE_STATES_A_STEP = 2, /* triangles that get a new state */
    REFINE_SWEEPS = 40,       /* of all states before the first step */
    REFINE_ASKS_EVERY = 1 << 17,
    REFINE_TEMPERATURE_PARTS = 256, /* of the unit of costs */
    REFINE_COOLING = 23,            /* a stage takes 23 / 10 of its share: a tenth is left at the end */
    REFINE_COOLING_DIVISOR = 10,
    REFINE_SEQUENCE_COST = TL_COST_BYTE /* of a triangle in the sequence, for its time */
};

/* How often a batch uses a vertex, and whether its sequence does. */
typedef struct refine_use {
    uint32_t batch;
    uint16_t count;
    bool in_sequence;
} refine_use;

typedef struct batch_refiner {
    const tl_batch_input *in;
    uint32_t random, batch_count;
    uint32_t full;                   /* the most vertices of a batch; 0: as many as the largest has */
    uint32_t *neighbour;             /* of each half-edge: a triangle; the number of triangles: none */
    uint8_t *here, *there;           /* of each half-edge: offsets into tl_link_favours */
    uint32_t *batch;                 /* of each triangle, and one more that is in none */
    uint8_t *state, *votes;          /* of each, as in t3d_batch_links.c */
    uint32_t *first_use, *use_count; /* of each vertex in `uses` */
    refine_use *uses;
    uint32_t *vertices, *triangles, *indices; /* of each batch: how many */
    uint32_t *movable, movable_count;         /* triangles of components that batches cut */
    uint64_t temperature;
    const uint32_t (*bounds)[64][4]; /* of the states of a triangle, at a temperature of their own */
} batch_refiner;

/* --- counts --- */

static refine_use *refine_find_use(const batch_refiner *s, uint32_t vertex, uint32_t batch)
{
    refine_use *uses = s->uses + s->first_use[vertex];
    for (uint32_t i = 0; i < s->use_count[vertex]; i++)
        if (uses[i].batch == batch)
            return &uses[i];
    return NULL;
}

static void refine_enter(batch_refiner *s, uint32_t triangle, uint32_t batch)
{
    const uint32_t *t = s->in->triangles[triangle];
    for (uint32_t c = 0; c < 3; c++) {
        refine_use *found = refine_find_use(s, t[c], batch);
        if (!tl_batch_first_mention(t, c))
            continue;
        if (found) {
            found->count++;
            continue;
        }
        s->uses[s->first_use[t[c]] + s->use_count[t[c]]++] = (refine_use){batch, 1, false};
        s->vertices[batch]++;
    }
    s->batch[triangle] = batch;
    s->triangles[batch]++;
}

/* One that is not degenerate. */
static void refine_leave(batch_refiner *s, uint32_t triangle)
{
    const uint32_t *t = s->in->triangles[triangle], batch = s->batch[triangle];
    for (uint32_t c = 0; c < 3; c++) {
        refine_use *found = refine_find_use(s, t[c], batch);
        if (--found->count > 0)
            continue;
        *found = s->uses[s->first_use[t[c]] + --s->use_count[t[c]]];
        s->vertices[batch]--;
    }
    s->triangles[batch]--;
}

/* --- states --- */

static uint32_t refine_links(uint32_t state, uint32_t votes)
{
    const uint32_t kinds = state < TL_LINK_IN_SEQUENCE ? votes >> 2 * state & 3 : 0;
    return (kinds & 1) + (kinds >> 1);
}

/* How many indices a triangle adds to its batch. */
static uint32_t refine_indices(uint32_t state, uint32_t votes)
{
    return state == TL_LINK_IN_SEQUENCE ? 0 : 3 - 2 * refine_links(state, votes);
}

/* Tells the neighbours in its batch that a triangle enters a state, or that it leaves it. */
static void refine_tell(batch_refiner *s, uint32_t triangle, uint32_t state)
{
    for (uint32_t half = 3 * triangle; half < 3 * triangle + 3; half++) {
        const uint32_t to = s->neighbour[half];
        if (s->batch[to] == s->batch[triangle])
            s->votes[to] = (uint8_t)(s->votes[to] ^ tl_link_favours[s->there[half] + state]);
    }
    for (uint32_t c = 0; c < 3 && state == TL_LINK_IN_SEQUENCE; c++) {
        refine_use *use = refine_find_use(s, s->in->triangles[triangle][c], s->batch[triangle]);
        use->in_sequence = !use->in_sequence;
    }
}

/* What the neighbours in a batch favour. */
static uint32_t refine_votes(const batch_refiner *s, uint32_t triangle, uint32_t batch)
{
    uint32_t votes = 0;
    for (uint32_t half = 3 * triangle; half < 3 * triangle + 3; half++)
        if (s->batch[s->neighbour[half]] == batch)
            votes |= tl_link_favours[s->here[half] + s->state[s->neighbour[half]]];
    return votes;
}

static uint32_t refine_random_state(batch_refiner *s, uint32_t votes, bool may_sequence)
{
    return tl_link_choose(s->bounds[may_sequence ? 1 : 0][votes], tl_batch_random(&s->random) >> 8);
}

static void refine_sample(batch_refiner *s, uint32_t triangle)
{
    const uint32_t old = s->state[triangle], votes = s->votes[triangle];
    bool may_sequence = s->in->sequences;
    if (old == TL_LINK_LEFT_OUT || refine_links(old, votes) == 2)
        return; /* the latter hardly ever changes */
    for (uint32_t c = 0; c < 3 && may_sequence && old != TL_LINK_IN_SEQUENCE; c++)
        may_sequence = !refine_find_use(s, s->in->triangles[triangle][c], s->batch[triangle])->in_sequence;
    const uint32_t state = refine_random_state(s, votes, may_sequence);
    if (state == old)
        return;
    s->indices[s->batch[triangle]] += refine_indices(state, votes) - refine_indices(old, votes);
    refine_tell(s, triangle, old);
    refine_tell(s, triangle, state);
    s->state[triangle] = (uint8_t)state;
}

/* --- steps --- */

static int64_t refine_batch_cost(uint32_t vertices, uint32_t indices)
{
    const uint32_t bytes = tl_rsp_strip_bytes(indices);
    const uint32_t slots = (bytes + TL_RSP_SLOT_SIZE - 1) / TL_RSP_SLOT_SIZE;
    return (int64_t)TL_COST_BYTE * bytes + tl_batch_commands_estimate(vertices, slots) +
           tl_batch_load_cost(vertices, TL_BATCH_NO_BONE);
}

static int64_t refine_change(const batch_refiner *s, uint32_t batch, uint32_t vertices, uint32_t indices)
{
    return refine_batch_cost(s->vertices[batch] + vertices, s->indices[batch] + indices) -
           refine_batch_cost(s->vertices[batch], s->indices[batch]);
}

static void refine_step(batch_refiner *s)
{
    const uint32_t triangle = s->movable[tl_batch_random(&s->random) % s->movable_count];
    const uint32_t *t = s->in->triangles[triangle], vertex = t[tl_batch_random(&s->random) % 3];
    const uint32_t which = tl_batch_random(&s->random) % s->use_count[vertex];
    const uint32_t from = s->batch[triangle], to = s->uses[s->first_use[vertex] + which].batch;
    uint32_t leaving = 0, entering = 0;
    bool may_sequence = s->in->sequences;
    if (to == from || s->triangles[to] == TL_BATCH_TRIANGLES)
        return;
    for (uint32_t c = 0; c < 3; c++) {
        const refine_use *there = refine_find_use(s, t[c], to);
        leaving += refine_find_use(s, t[c], from)->count == 1 ? 1 : 0;
        entering += there ? 0 : 1;
        may_sequence = may_sequence && !(there && there->in_sequence);
    }
    if (s->vertices[to] + entering > s->full)
        return;
    const uint32_t votes = refine_votes(s, triangle, to), state = refine_random_state(s, votes, may_sequence);
    const uint32_t old = s->state[triangle];
    const uint32_t less = refine_indices(old, s->votes[triangle]), more = refine_indices(state, votes);
    int64_t change = refine_change(s, from, 0 - leaving, 0 - less) + refine_change(s, to, entering, more);
    change += state == TL_LINK_IN_SEQUENCE ? REFINE_SEQUENCE_COST : 0;
    change -= old == TL_LINK_IN_SEQUENCE ? REFINE_SEQUENCE_COST : 0;
    if (!tl_batch_accepts(&s->random, s->temperature, change))
        return;
    refine_tell(s, triangle, old);
    refine_leave(s, triangle);
    s->indices[from] -= less;
    refine_enter(s, triangle, to);
    s->indices[to] += more;
    s->state[triangle] = (uint8_t)state;
    s->votes[triangle] = (uint8_t)votes;
    refine_tell(s, triangle, state);
}

/* --- all of it --- */

/* Pairs of half-edges in opposite directions; `first` and `next` list those that begin at a vertex. */
static void refine_find_neighbours(batch_refiner *s, uint32_t *first, uint32_t *next)
{
    const uint32_t(*triangles)[3] = s->in->triangles, count = s->in->triangle_count;
    memset(first, 0xFF, s->in->vertex_count * sizeof *first);
    for (uint32_t half = 3 * count; half-- > 0;) { /* each is put in front, so the lists ascend */
        const uint32_t start = triangles[half / 3][half % 3];
        s->neighbour[half] = count;
        s->here[half] = s->there[half] = 0;
        next[half] = first[start];
        first[start] = half;
    }
    for (uint32_t half = 0; half < 3 * count; half++) {
        const uint32_t start = triangles[half / 3][half % 3], end = triangles[half / 3][(half % 3 + 1) % 3];
        if (s->neighbour[half] != count || s->state[half / 3] == TL_LINK_LEFT_OUT)
            continue;
        uint32_t at = first[end];
        while (at != UINT32_MAX && (triangles[at / 3][(at % 3 + 1) % 3] != start || s->neighbour[at] != count ||
                                    s->state[at / 3] == TL_LINK_LEFT_OUT))
            at = next[at];
        if (at == UINT32_MAX)
            continue;
        s->neighbour[half] = at / 3;
        s->neighbour[at] = half / 3;
        s->here[half] = s->there[at] = (uint8_t)(TL_LINK_STATES * (3 * (half % 3) + at % 3));
        s->here[at] = s->there[half] = (uint8_t)(TL_LINK_STATES * (3 * (at % 3) + half % 3));
    }
}

/* A triangle can move once a triangle beside it did: from those with a vertex in several batches, everything that is
 * connected to them. If no strip can join any of these to another, moving them does not change the strips, as with
 * components that are whole. `seen` and `stack`: of each vertex. */
static void refine_find_movable(batch_refiner *s, const uint32_t *around, bool *seen, uint32_t *stack)
{
    uint32_t count = 0;
    for (uint32_t v = 0; v < s->in->vertex_count; v++)
        if (s->use_count[v] > 1) {
            seen[v] = true;
            stack[count++] = v;
        }
    while (count > 0) {
        const uint32_t vertex = stack[--count];
        for (uint32_t i = s->first_use[vertex]; i < s->first_use[vertex + 1]; i++)
            for (uint32_t c = 0; c < 3; c++) {
                const uint32_t other = s->in->triangles[around[i]][c];
                if (seen[other])
                    continue;
                seen[other] = true;
                stack[count++] = other;
            }
    }
    const uint32_t none = s->in->triangle_count;
    bool joinable = false;
    for (uint32_t t = 0; t < none; t++)
        if (seen[s->in->triangles[t][0]] && s->state[t] != TL_LINK_LEFT_OUT) {
            const uint32_t *n = &s->neighbour[3 * t];
            s->movable[s->movable_count++] = t;
            joinable = joinable || n[0] != none || n[1] != none || n[2] != none;
        }
    s->movable_count = joinable ? s->movable_count : 0;
}

static bool refine_allocate(tl_arena *arena, batch_refiner *s)
{
    const size_t vertices = s->in->vertex_count, triangles = s->in->triangle_count;
    s->neighbour = tl_array_raw(arena, triangles, 3 * sizeof *s->neighbour);
    s->here = tl_array_raw(arena, triangles, 3 * sizeof *s->here);
    s->there = tl_array_raw(arena, triangles, 3 * sizeof *s->there);
    s->batch = tl_array_raw(arena, triangles + 1, sizeof *s->batch);
    s->state = TL_ARRAY(arena, triangles + 1, uint8_t);
    s->votes = TL_ARRAY(arena, triangles + 1, uint8_t);
    s->first_use = TL_ARRAY(arena, vertices + 1, uint32_t);
    s->use_count = TL_ARRAY(arena, vertices, uint32_t);
    s->uses = tl_array_raw(arena, triangles, 3 * sizeof *s->uses);
    s->vertices = TL_ARRAY(arena, s->batch_count, uint32_t);
    s->triangles = TL_ARRAY(arena, s->batch_count, uint32_t);
    s->indices = TL_ARRAY(arena, s->batch_count, uint32_t);
    s->movable = tl_array_raw(arena, triangles, sizeof *s->movable);
    return s->neighbour && s->here && s->there && s->batch && s->state && s->votes && s->first_use && s->use_count &&
           s->uses && s->vertices && s->triangles && s->indices && s->movable;
}

static bool refine_begin(tl_arena *arena, batch_refiner *s, const tl_batch_list *batches)
{
    const tl_batch_input *in = s->in;
    const uint32_t count = in->triangle_count;
    const bool given = s->full > 0;
    uint32_t *around = tl_array_raw(arena, count, 3 * sizeof *around);
    uint32_t *firsts = tl_array_raw(arena, in->vertex_count, sizeof *firsts);
    bool *seen = TL_ARRAY(arena, in->vertex_count, bool);
    if (!around || !firsts || !seen || !refine_allocate(arena, s))
        return false;
    for (uint32_t t = 0; t < count; t++) {
        const uint32_t *v = in->triangles[t];
        s->state[t] = v[0] == v[1] || v[1] == v[2] || v[2] == v[0] ? TL_LINK_LEFT_OUT : 0;
        for (uint32_t c = 0; c < 3; c++)
            s->first_use[v[c] + 1]++;
    }
    s->state[count] = TL_LINK_LEFT_OUT;
    s->batch[count] = UINT32_MAX;
    for (uint32_t v = 0; v < in->vertex_count; v++)
        s->first_use[v + 1] += s->first_use[v];
    refine_find_neighbours(s, firsts, around);
    for (uint32_t g = 0; g < batches->count; g++)
        for (uint32_t i = batches->first[g]; i < batches->first[g + 1]; i++)
            refine_enter(s, batches->order[i], g);
    memcpy(firsts, s->first_use, in->vertex_count * sizeof *firsts);
    for (uint32_t t = 0; t < count; t++)
        for (uint32_t c = 0; c < 3; c++)
            around[firsts[in->triangles[t][c]]++] = t;
    refine_find_movable(s, around, seen, firsts);
    for (uint32_t g = 0; g < s->batch_count && !given; g++)
        s->full = s->vertices[g] > s->full ? s->vertices[g] : s->full;
    for (uint32_t t = 0; t < count; t++) { /* each link is counted at both ends */
        s->votes[t] = (uint8_t)refine_votes(s, t, s->batch[t]);
        s->indices[s->batch[t]] += s->state[t] == TL_LINK_LEFT_OUT ? 0 : 3 - refine_links(s->state[t], s->votes[t]);
    }
    return true;
}

/* False when the work is cancelled. The states of components that stay where they are do not change any more. */
static bool refine_anneal(batch_refiner *s, const tl_batch_effort *effort, const tl_link_table *table)
{
    const uint64_t steps = (uint64_t)effort->steps * s->movable_count / effort->stages;
    uint64_t fine_temperature = (uint64_t)TL_COST_BYTE * REFINE_TEMPERATURE_PARTS * effort->temperature;
    for (uint32_t sweep = 0; sweep < REFINE_SWEEPS; sweep++) {
        s->bounds = table->bounds[2 * sweep / REFINE_SWEEPS];
        for (uint32_t t = 0; t < s->in->triangle_count; t++)
            refine_sample(s, t);
    }
    for (uint32_t stage = 0; stage < effort->stages; stage++) {
        s->temperature = fine_temperature / REFINE_TEMPERATURE_PARTS;
        s->bounds = table->bounds[2 * stage / effort->stages];
        fine_temperature -= fine_temperature * REFINE_COOLING / (REFINE_COOLING_DIVISOR * effort->stages);
        for (uint64_t number = 0; number < steps; number++) {
            if (number % REFINE_ASKS_EVERY == 0 && !tl_report_goes_on(s->in->progress))
                return false;
            refine_step(s);
            for (uint32_t i = 0; i < REFINE_STATES_A_STEP; i++)
                refine_sample(s, s->movable[tl_batch_random(&s->random) % s->movable_count]);
        }
    }
    return true;
}

bool tl_batch_refine(tl_arena *arena, const tl_batch_input *in, const tl_batch_effort *effort, tl_link_table *table,
                     tl_batch_list *batches)
{
    batch_refiner s = {.in = in, .random = effort->seed, .batch_count = batches->count, .full = effort->full};
    if (!refine_begin(arena, &s, batches))
        return false;
    if (s.movable_count == 0) {
        batches->count = 0;
        return true;
    }
    if (!table->filled)
        tl_link_fill_table(table);
    if (!refine_anneal(&s, effort, table))
        return false;
    /* The triangles of each batch together, empty batches left out. */
    uint32_t at = 0;
    batches->count = 0;
    for (uint32_t g = 0; g < s.batch_count; g++) {
        const uint32_t first = at;
        if (s.triangles[g] == 0)
            continue;
        batches->first[batches->count++] = first;
        at += s.triangles[g];
        s.triangles[g] = first;
    }
    batches->first[batches->count] = at;
    for (uint32_t t = 0; t < in->triangle_count; t++)
        batches->order[s.triangles[s.batch[t]]++] = t;
    return true;
}
