/* Simulated annealing (Kirkpatrick, Gelatt and Vecchi 1983): triangles move between batches while that lowers the cost.
 *
 * A step moves one triangle to a batch that has a vertex of it already, or a small connected component to any batch
 * with room. Its cost is estimated in bytes that the console fetches: loads, pairs of vertices, matrices of bones. A
 * batch so full that its strip lacks room costs a little more, and a small batch costs less than a whole one, so that
 * it may dissolve. Steps that cost are accepted ever more rarely: the temperature falls by the same share at each
 * stage. Effort is counted in steps and random numbers come from a fixed seed: the same input gives the same batches
 * everywhere.
 *
 * A component of the mesh that no batch cuts is not cut by such steps, so what moving it costs follows from its size.
 *
 * Full batches of a skinned mesh have no room for what would spare them the matrix of a bone. So in a search of its own
 * components of one bone in a batch are exchanged for as many vertices of another bone in another batch.
 */
#include "optimize/t3d_batch_steps.h"

#include <string.h>

enum {
    BATCH_ANNEAL_COMPONENT_VERTICES = 32, /* the most in a component that moves as a whole */
    BATCH_ANNEAL_COMPONENT_TRIANGLES = 64,
    BATCH_ANNEAL_COMPONENTS_EVERY = 8, /* steps */
    BATCH_ANNEAL_PARTS_EVERY = 8,      /* of these in a component too large to move as a whole */
    BATCH_ANNEAL_BONES_EVERY = 64,
    BATCH_ANNEAL_EXCHANGES_EVERY = 8,           /* where there are any; the other steps move a component */
    BATCH_ANNEAL_EXCHANGE = TL_BATCH_SLOTS / 3, /* the most components of a batch */
    BATCH_ANNEAL_ASKS_EVERY = 1 << 18,          /* a tenth of a second or less */
    BATCH_ANNEAL_BONE_TIMES = 4,   /* as many steps for a triangle when there are bones: each load costs more then, */
    BATCH_ANNEAL_BONE_MOST = 2000, /* up to that many triangles */
    BATCH_ANNEAL_LARGE = 4000,     /* of the triangles beyond this, */
    BATCH_ANNEAL_LARGE_SHARE = 24, /* one in that many counts, */
    BATCH_ANNEAL_HUGE = 20000,     /* and none beyond this: making strips of that many takes long enough */
    BATCH_ANNEAL_BONE_TEMPERATURE = 2,    /* times the temperature when there are bones */
    BATCH_ANNEAL_TEMPERATURE_PARTS = 256, /* of the unit of costs: the temperature falls by less */
    BATCH_ANNEAL_COOLING = 25,            /* a stage takes 25 / 9 of its share: a sixteenth is left at the end */
    BATCH_ANNEAL_COOLING_DIVISOR = 9,
    BATCH_ANNEAL_BONES_TABLE = 1 << 24 /* batches * bones: the limit of the search */
};

static const uint32_t batch_anneal_none = UINT32_MAX;

/* How often a batch uses a vertex. */
typedef struct batch_vertex_use {
    uint32_t batch, count;
} batch_vertex_use;

typedef struct batch_annealer {
    const tl_batch_input *in;
    bool resident;
    uint32_t batch_count, bone_count, random;
    uint32_t *batch;                 /* of each triangle */
    uint32_t *vertices, *triangles;  /* of each batch: how many */
    uint32_t *first_use, *use_count; /* of each vertex in `uses` */
    batch_vertex_use *uses;
    uint32_t *first_around, *around; /* triangles around each vertex */
    uint32_t *loaded;                /* of each batch: vertices that are not resident from the batch before */
    uint8_t *bone_loaded;            /* the same of each batch and bone */
    uint32_t *bone;                  /* of each vertex, numbered */
    uint16_t *bones;                 /* of each number */
    uint64_t temperature;
    uint32_t full; /* the most vertices of a batch that gets more */
    bool exchanges;
    /* The connected component that is moved. */
    uint32_t component[BATCH_ANNEAL_COMPONENT_TRIANGLES], component_count;
    uint32_t reached[BATCH_ANNEAL_COMPONENT_VERTICES], reached_count; /* its vertices */
    uint32_t *seen, seen_round;                                       /* of each vertex */
    /* Connected components of the whole mesh. */
    uint32_t *island, island_count;           /* of each vertex */
    uint32_t *first_vertex, *island_vertices; /* of each component, and of all, one component after the other */
    uint32_t *island_triangles;               /* of each component: how many */
    bool *cut;                                /* of each component: it may be in several batches */
    uint32_t *island_bone; /* of each component that can be exchanged: its only bone; others have none */
    uint32_t large_steps;  /* that were to move a part of a large component */
} batch_annealer;

/* --- counts --- */

static batch_vertex_use *batch_anneal_find_use(const batch_annealer *s, uint32_t vertex, uint32_t batch)
{
    batch_vertex_use *uses = s->uses + s->first_use[vertex];
    for (uint32_t i = 0; i < s->use_count[vertex]; i++)
        if (uses[i].batch == batch)
            return &uses[i];
    return NULL;
}

static void batch_anneal_count_loaded(batch_annealer *s, uint32_t vertex, uint32_t batch, int change)
{
    s->loaded[batch] += (uint32_t)change;
    if (s->bone_count > 0) {
        uint8_t *count = &s->bone_loaded[(size_t)batch * s->bone_count + s->bone[vertex]];
        *count = (uint8_t)(*count + change);
    }
}

/* A vertex enters a batch (change 1) or leaves it (-1). With residency it is loaded only where the batch before does
 * not have it. */
static void batch_anneal_count_vertex(batch_annealer *s, uint32_t vertex, uint32_t batch, int change)
{
    s->vertices[batch] += (uint32_t)change;
    if (!s->resident || batch == 0 || !batch_anneal_find_use(s, vertex, batch - 1))
        batch_anneal_count_loaded(s, vertex, batch, change);
    if (s->resident && batch + 1 < s->batch_count && batch_anneal_find_use(s, vertex, batch + 1))
        batch_anneal_count_loaded(s, vertex, batch + 1, -change);
}

static void batch_anneal_enter(batch_annealer *s, uint32_t triangle, uint32_t batch)
{
    const uint32_t *t = s->in->triangles[triangle];
    for (uint32_t c = 0; c < 3; c++) {
        batch_vertex_use *found = batch_anneal_find_use(s, t[c], batch);
        if (!tl_batch_first_mention(t, c))
            continue;
        if (found) {
            found->count++;
            continue;
        }
        s->uses[s->first_use[t[c]] + s->use_count[t[c]]++] = (batch_vertex_use){batch, 1};
        batch_anneal_count_vertex(s, t[c], batch, 1);
    }
    s->batch[triangle] = batch;
    s->triangles[batch]++;
}

static void batch_anneal_leave(batch_annealer *s, uint32_t triangle)
{
    const uint32_t *t = s->in->triangles[triangle], batch = s->batch[triangle];
    for (uint32_t c = 0; c < 3; c++) {
        batch_vertex_use *found = batch_anneal_find_use(s, t[c], batch);
        if (!tl_batch_first_mention(t, c) || --found->count > 0)
            continue;
        *found = s->uses[s->first_use[t[c]] + --s->use_count[t[c]]];
        batch_anneal_count_vertex(s, t[c], batch, -1);
    }
    s->triangles[batch]--;
}

/* --- costs --- */

static int64_t batch_anneal_batch_cost(const batch_annealer *s, uint32_t batch)
{
    int64_t cost = tl_batch_draw_estimate(s->vertices[batch], s->triangles[batch]);
    if (s->bone_count == 0)
        return cost + tl_batch_load_cost(s->loaded[batch], TL_BATCH_NO_BONE);
    const uint8_t *loaded = s->bone_loaded + (size_t)batch * s->bone_count;
    for (uint32_t b = 0; b < s->bone_count; b++)
        cost += tl_batch_load_cost(loaded[b], s->bones[b]);
    return cost;
}

/* Of two batches, and with residency of those after them, which may lose residents. */
static int64_t batch_anneal_pair_cost(const batch_annealer *s, uint32_t a, uint32_t b)
{
    int64_t cost = batch_anneal_batch_cost(s, a) + batch_anneal_batch_cost(s, b);
    if (!s->resident)
        return cost;
    if (a + 1 < s->batch_count && a + 1 != b)
        cost += batch_anneal_batch_cost(s, a + 1);
    if (b + 1 < s->batch_count && b + 1 != a)
        cost += batch_anneal_batch_cost(s, b + 1);
    return cost;
}

/* --- one triangle --- */

static uint32_t batch_anneal_neighbour(batch_annealer *s, uint32_t triangle)
{
    const uint32_t vertex = s->in->triangles[triangle][tl_batch_random(&s->random) % 3];
    const uint32_t count = s->use_count[vertex];
    if (count < 2)
        return batch_anneal_none;
    const uint32_t batch = s->uses[s->first_use[vertex] + tl_batch_random(&s->random) % count].batch;
    return batch == s->batch[triangle] ? batch_anneal_none : batch;
}

static bool batch_anneal_has_room(const batch_annealer *s, uint32_t batch)
{
    return s->vertices[batch] <= s->full && s->triangles[batch] <= TL_BATCH_TRIANGLES;
}

/* How loads of a batch change: vertices of a bone (0 without bones) that come or go. */
typedef struct batch_load_change {
    uint32_t batch, bone;
    int change;
} batch_load_change;

/* What moving triangles would change. A vertex that leaves or enters changes its batch and the next. */
typedef struct batch_step {
    uint32_t from, to, triangles, leaving, entering;
    batch_load_change loads[4 * BATCH_ANNEAL_COMPONENT_VERTICES];
    uint32_t load_count;
} batch_step;

static void batch_step_begin(batch_step *step, uint32_t from, uint32_t to, uint32_t triangles)
{
    step->from = from;
    step->to = to;
    step->triangles = triangles;
    step->leaving = step->entering = step->load_count = 0;
}

static void batch_step_add(batch_step *step, uint32_t batch, uint32_t bone, int change)
{
    uint32_t i = 0;
    while (i < step->load_count && (step->loads[i].batch != batch || step->loads[i].bone != bone))
        i++;
    if (i == step->load_count)
        step->loads[step->load_count++] = (batch_load_change){batch, bone, 0};
    step->loads[i].change += change;
}

/* Which of a batch and its two neighbours use a vertex. */
enum { BATCH_USED_BEFORE = 1, BATCH_USED_ITSELF = 2, BATCH_USED_BEHIND = 4 };

/* True if each batch loads all of its vertices with one command: then their number determines the cost. */
static bool batch_anneal_loads_all(const batch_annealer *s)
{
    return !s->resident && s->bone_count == 0;
}

/* A vertex of what moves, which leaves with its last triangle, or with `all`. */
static void batch_step_add_vertex(const batch_annealer *s, batch_step *step, uint32_t vertex, bool all)
{
    const batch_vertex_use *uses = s->uses + s->first_use[vertex];
    const uint32_t bone = s->bone_count > 0 ? s->bone[vertex] : 0, from = step->from, to = step->to;
    uint32_t around_from = 0, around_to = 0, count = 0;
    for (uint32_t i = 0; i < s->use_count[vertex]; i++) {
        const uint32_t batch = uses[i].batch;
        around_from |= batch + 1 - from < 3 ? 1u << (batch + 1 - from) : 0;
        around_to |= batch + 1 - to < 3 ? 1u << (batch + 1 - to) : 0;
        count = batch == from ? uses[i].count : count;
    }
    if (batch_anneal_loads_all(s)) {
        step->leaving += all || count == 1 ? 1 : 0;
        step->entering += around_to & BATCH_USED_ITSELF ? 0 : 1;
        return;
    }
    if (all || count == 1) {
        step->leaving++;
        if (!s->resident || !(around_from & BATCH_USED_BEFORE))
            batch_step_add(step, from, bone, -1);
        if (s->resident && around_from & BATCH_USED_BEHIND)
            batch_step_add(step, from + 1, bone, 1);
        around_to &= ~(uint32_t)(to == from + 1 ? BATCH_USED_BEFORE : to + 1 == from ? BATCH_USED_BEHIND : 0);
    }
    if (!(around_to & BATCH_USED_ITSELF)) {
        step->entering++;
        if (!s->resident || !(around_to & BATCH_USED_BEFORE))
            batch_step_add(step, to, bone, 1);
        if (s->resident && around_to & BATCH_USED_BEHIND)
            batch_step_add(step, to + 1, bone, -1);
    }
}

static bool batch_step_fits(const batch_annealer *s, const batch_step *step)
{
    return s->vertices[step->to] + step->entering <= s->full &&
           s->triangles[step->to] + step->triangles <= TL_BATCH_TRIANGLES;
}

static int64_t batch_step_cost(const batch_annealer *s, const batch_step *step)
{
    const uint32_t from = step->from, to = step->to;
    const uint32_t a = s->vertices[from], b = s->vertices[to];
    int64_t cost = (int64_t)tl_batch_draw_estimate(a - step->leaving, s->triangles[from] - step->triangles) -
                   tl_batch_draw_estimate(a, s->triangles[from]) +
                   tl_batch_draw_estimate(b + step->entering, s->triangles[to] + step->triangles) -
                   tl_batch_draw_estimate(b, s->triangles[to]);
    if (batch_anneal_loads_all(s))
        return cost + tl_batch_load_cost(a - step->leaving, TL_BATCH_NO_BONE) +
               tl_batch_load_cost(b + step->entering, TL_BATCH_NO_BONE) - tl_batch_load_cost(a, TL_BATCH_NO_BONE) -
               tl_batch_load_cost(b, TL_BATCH_NO_BONE);
    for (uint32_t i = 0; i < step->load_count; i++) {
        const batch_load_change *l = &step->loads[i];
        const uint32_t loaded =
            s->bone_count > 0 ? s->bone_loaded[(size_t)l->batch * s->bone_count + l->bone] : s->loaded[l->batch];
        const uint16_t bone = s->bone_count > 0 ? s->bones[l->bone] : TL_BATCH_NO_BONE;
        cost += (int64_t)tl_batch_load_cost(loaded + (uint32_t)l->change, bone) - tl_batch_load_cost(loaded, bone);
    }
    return cost;
}

static void batch_anneal_move(batch_annealer *s, uint32_t triangle, uint32_t to)
{
    batch_anneal_leave(s, triangle);
    batch_anneal_enter(s, triangle, to);
}

static void batch_anneal_try_triangle(batch_annealer *s)
{
    const uint32_t triangle = tl_batch_random(&s->random) % s->in->triangle_count;
    const uint32_t *t = s->in->triangles[triangle], to = batch_anneal_neighbour(s, triangle);
    batch_step step;
    if (to == batch_anneal_none)
        return;
    batch_step_begin(&step, s->batch[triangle], to, 1);
    for (uint32_t c = 0; c < 3; c++)
        if (tl_batch_first_mention(t, c))
            batch_step_add_vertex(s, &step, t[c], false);
    if (batch_step_fits(s, &step) && tl_batch_accepts(&s->random, s->temperature, batch_step_cost(s, &step)))
        batch_anneal_move(s, triangle, to);
}

/* --- a component --- */

/* Everything in the batch that is connected to a triangle; false when that is too much. */
static bool batch_anneal_gather_component(batch_annealer *s, uint32_t start)
{
    const uint32_t batch = s->batch[start];
    uint32_t *reached = s->reached, count = 0;
    s->seen_round++;
    s->component_count = 0;
    for (uint32_t c = 0; c < 3; c++)
        if (tl_batch_first_mention(s->in->triangles[start], c)) {
            s->seen[s->in->triangles[start][c]] = s->seen_round;
            reached[count++] = s->in->triangles[start][c];
        }
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = s->first_around[reached[i]]; k < s->first_around[reached[i] + 1]; k++) {
            const uint32_t *t = s->in->triangles[s->around[k]];
            if (s->batch[s->around[k]] != batch)
                continue;
            for (uint32_t c = 0; c < 3; c++)
                if (s->seen[t[c]] != s->seen_round) {
                    if (count == BATCH_ANNEAL_COMPONENT_VERTICES)
                        return false;
                    s->seen[t[c]] = s->seen_round;
                    reached[count++] = t[c];
                }
            const uint32_t first = t[0] < t[1] ? (t[0] < t[2] ? t[0] : t[2]) : t[1] < t[2] ? t[1] : t[2];
            if (first != reached[i])
                continue; /* each is taken at its first vertex */
            if (s->component_count == BATCH_ANNEAL_COMPONENT_TRIANGLES)
                return false;
            s->component[s->component_count++] = s->around[k];
        }
    s->reached_count = count;
    return true;
}

static uint32_t batch_anneal_island_size(const batch_annealer *s, uint32_t island)
{
    return s->first_vertex[island + 1] - s->first_vertex[island];
}

/* What moving all of a component changes that no other batch has a vertex of. */
static void batch_step_add_island(const batch_annealer *s, batch_step *step, uint32_t island)
{
    const uint32_t *vertices = s->island_vertices + s->first_vertex[island],
                   count = batch_anneal_island_size(s, island);
    step->leaving = step->entering = count;
    if (s->bone_count == 0) {
        batch_step_add(step, step->from, 0, -(int)count);
        batch_step_add(step, step->to, 0, (int)count);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        batch_step_add(step, step->from, s->bone[vertices[i]], -1);
        batch_step_add(step, step->to, s->bone[vertices[i]], 1);
    }
}

static void batch_anneal_move_island(batch_annealer *s, uint32_t island, uint32_t from, uint32_t to)
{
    const uint32_t *vertices = s->island_vertices + s->first_vertex[island],
                   count = batch_anneal_island_size(s, island);
    for (uint32_t i = 0; i < count; i++) {
        s->uses[s->first_use[vertices[i]]].batch = to;
        for (uint32_t k = s->first_around[vertices[i]]; k < s->first_around[vertices[i] + 1]; k++)
            s->batch[s->around[k]] = to;
        batch_anneal_count_loaded(s, vertices[i], from, -1);
        batch_anneal_count_loaded(s, vertices[i], to, 1);
    }
    s->vertices[from] -= count;
    s->vertices[to] += count;
    s->triangles[from] -= s->island_triangles[island];
    s->triangles[to] += s->island_triangles[island];
}

/* A small component of the mesh that is whole in its batch, as it then stays. */
static void batch_anneal_try_island(batch_annealer *s, uint32_t island, uint32_t from, uint32_t to)
{
    batch_step step;
    if (s->vertices[to] + batch_anneal_island_size(s, island) > s->full)
        return;
    batch_step_begin(&step, from, to, s->island_triangles[island]);
    batch_step_add_island(s, &step, island);
    if (batch_step_fits(s, &step) && tl_batch_accepts(&s->random, s->temperature, batch_step_cost(s, &step)))
        batch_anneal_move_island(s, island, from, to);
}

/* What is connected to a triangle in its batch: its vertices have no other triangles there. */
static void batch_anneal_try_part(batch_annealer *s, uint32_t triangle, uint32_t from, uint32_t to)
{
    batch_step step;
    if (!batch_anneal_gather_component(s, triangle))
        return;
    batch_step_begin(&step, from, to, s->component_count);
    for (uint32_t i = 0; i < s->reached_count; i++)
        batch_step_add_vertex(s, &step, s->reached[i], true);
    if (batch_step_fits(s, &step) && tl_batch_accepts(&s->random, s->temperature, batch_step_cost(s, &step)))
        for (uint32_t i = 0; i < s->component_count; i++)
            batch_anneal_move(s, s->component[i], to);
}

static bool batch_anneal_loads_bone(const batch_annealer *s, uint32_t batch, uint32_t bone)
{
    return s->bone_loaded[(size_t)batch * s->bone_count + bone] > 0;
}

/* All of a batch that is connected. In a large component that is usually too much, so it is rarely tried there. */
static void batch_anneal_try_component(batch_annealer *s)
{
    const uint32_t triangle = tl_batch_random(&s->random) % s->in->triangle_count;
    const uint32_t from = s->batch[triangle], to = tl_batch_random(&s->random) % s->batch_count;
    const uint32_t vertex = s->in->triangles[triangle][0], island = s->island[vertex];
    if (from == to || s->vertices[to] >= s->full ||
        (s->exchanges && s->vertices[to] > 0 && !batch_anneal_loads_bone(s, to, s->bone[vertex])))
        return;
    const bool large = batch_anneal_island_size(s, island) > BATCH_ANNEAL_COMPONENT_VERTICES;
    if (!large && !s->cut[island])
        batch_anneal_try_island(s, island, from, to);
    else if (!large || s->large_steps++ % BATCH_ANNEAL_PARTS_EVERY == 0)
        batch_anneal_try_part(s, triangle, from, to);
}

static bool batch_anneal_has_bone(const batch_annealer *s, uint32_t triangle, uint32_t bone)
{
    const uint32_t *t = s->in->triangles[triangle];
    return s->bone[t[0]] == bone || s->bone[t[1]] == bone || s->bone[t[2]] == bone;
}

/* Some of a batch: what that costs is found by doing it. */
static void batch_anneal_try_moving_component(batch_annealer *s, uint32_t from, uint32_t to)
{
    const int64_t before = batch_anneal_pair_cost(s, from, to);
    for (uint32_t i = 0; i < s->component_count; i++)
        batch_anneal_move(s, s->component[i], to);
    if (batch_anneal_has_room(s, to) &&
        tl_batch_accepts(&s->random, s->temperature, batch_anneal_pair_cost(s, from, to) - before)) {
        for (uint32_t i = 0; i < s->component_count; i++)
            s->cut[s->island[s->in->triangles[s->component[i]][0]]] = true;
        return;
    }
    for (uint32_t i = 0; i < s->component_count; i++)
        batch_anneal_move(s, s->component[i], from);
}

/* All triangles of a batch that need a certain bone, to a batch beside it. */
static void batch_anneal_try_bone(batch_annealer *s)
{
    const uint32_t triangle = tl_batch_random(&s->random) % s->in->triangle_count;
    const uint32_t bone = s->bone[s->in->triangles[triangle][tl_batch_random(&s->random) % 3]];
    const uint32_t from = s->batch[triangle], other = tl_batch_random(&s->random) % s->in->triangle_count;
    const uint32_t to = s->batch[other];
    if (from == to || !batch_anneal_has_bone(s, other, bone))
        return;
    s->component_count = 0;
    for (uint32_t t = 0; t < s->in->triangle_count; t++) {
        if (s->batch[t] != from || !batch_anneal_has_bone(s, t, bone))
            continue;
        if (s->component_count == BATCH_ANNEAL_COMPONENT_TRIANGLES)
            return;
        s->component[s->component_count++] = t;
    }
    batch_anneal_try_moving_component(s, from, to);
}

/* --- exchanges --- */

/* The batch of a component that is whole. */
static uint32_t batch_anneal_island_batch(const batch_annealer *s, uint32_t island)
{
    return s->uses[s->first_use[s->island_vertices[s->first_vertex[island]]]].batch;
}

/* The components of a bone in a batch that can be exchanged; returns how many. */
static uint32_t batch_anneal_list_islands(const batch_annealer *s, uint32_t batch, uint32_t bone, uint32_t *islands)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->island_count && count < BATCH_ANNEAL_EXCHANGE; i++)
        if (s->island_bone[i] == bone && batch_anneal_island_batch(s, i) == batch)
            islands[count++] = i;
    return count;
}

/* Components of one bone for as many vertices of another, where one of the batches has both bones then. */
static void batch_anneal_try_exchange(batch_annealer *s)
{
    const uint32_t *triangle = s->in->triangles[tl_batch_random(&s->random) % s->in->triangle_count];
    const uint32_t *other = s->in->triangles[tl_batch_random(&s->random) % s->in->triangle_count];
    const uint32_t islands[2] = {s->island[triangle[0]], s->island[other[0]]};
    const uint32_t bones[2] = {s->island_bone[islands[0]], s->island_bone[islands[1]]};
    if (bones[0] == bones[1] || bones[0] == batch_anneal_none || bones[1] == batch_anneal_none)
        return;
    const uint32_t batches[2] = {batch_anneal_island_batch(s, islands[0]), batch_anneal_island_batch(s, islands[1])};
    if (batches[0] == batches[1] ||
        !(batch_anneal_loads_bone(s, batches[1], bones[0]) || batch_anneal_loads_bone(s, batches[0], bones[1])))
        return;
    uint32_t lists[2][BATCH_ANNEAL_EXCHANGE], counts[2], moved[2] = {0, 0}, vertices[2] = {0, 0};
    for (int i = 0; i < 2; i++)
        counts[i] = batch_anneal_list_islands(s, batches[i], bones[i], lists[i]);
    const int64_t before = batch_anneal_pair_cost(s, batches[0], batches[1]);
    for (;;) {
        const int i = vertices[0] <= vertices[1] ? 0 : 1; /* that has given fewer */
        if (moved[i] == counts[i])
            break;
        const uint32_t island = lists[i][moved[i]++];
        batch_anneal_move_island(s, island, batches[i], batches[1 - i]);
        vertices[i] += batch_anneal_island_size(s, island);
    }
    if (batch_anneal_has_room(s, batches[0]) && batch_anneal_has_room(s, batches[1]) &&
        tl_batch_accepts(&s->random, s->temperature, batch_anneal_pair_cost(s, batches[0], batches[1]) - before))
        return;
    for (int i = 0; i < 2; i++)
        while (moved[i] > 0)
            batch_anneal_move_island(s, lists[i][--moved[i]], batches[1 - i], batches[i]);
}

/* Small components whose vertices all have the same bone; false if there is none. */
static bool batch_anneal_find_exchangeable(batch_annealer *s)
{
    bool any = false;
    for (uint32_t i = 0; i < s->island_count; i++) {
        const uint32_t *vertices = s->island_vertices + s->first_vertex[i], count = batch_anneal_island_size(s, i);
        bool one = count <= BATCH_ANNEAL_COMPONENT_VERTICES && s->island_triangles[i] > 0 && !s->cut[i];
        for (uint32_t k = 1; k < count && one; k++)
            one = s->bone[vertices[k]] == s->bone[vertices[0]];
        s->island_bone[i] = one ? s->bone[vertices[0]] : batch_anneal_none;
        any = any || one;
    }
    return any;
}

/* --- all of it --- */

/* Without bones bone_count stays 0. */
static bool batch_anneal_number_bones(tl_arena *arena, batch_annealer *s)
{
    const tl_batch_input *in = s->in;
    if (!in->bones)
        return true;
    uint32_t *numbers = TL_ARRAY(arena, tl_batch_bone_rows(in), uint32_t);
    s->bone = tl_array_raw(arena, in->vertex_count, sizeof *s->bone);
    s->bones = tl_array_raw(arena, in->vertex_count, sizeof *s->bones);
    if (!numbers || !s->bone || !s->bones)
        return false;
    for (uint32_t v = 0; v < in->vertex_count; v++) {
        uint32_t *number = &numbers[tl_batch_bone_row(in->bones[v])];
        if (*number == 0) {
            s->bones[s->bone_count] = in->bones[v];
            *number = ++s->bone_count;
        }
        s->bone[v] = *number - 1;
    }
    return true;
}

/* Everything that is connected to a vertex is a component; its vertices are listed from `at` on. Returns their end. */
static uint32_t batch_anneal_flood(batch_annealer *s, uint32_t vertex, uint32_t island, uint32_t at)
{
    uint32_t end = at + 1;
    s->island[vertex] = island;
    s->island_vertices[at] = vertex;
    for (; at < end; at++) {
        const uint32_t v = s->island_vertices[at];
        for (uint32_t k = s->first_around[v]; k < s->first_around[v + 1]; k++)
            for (int c = 0; c < 3; c++) {
                const uint32_t other = s->in->triangles[s->around[k]][c];
                if (s->island[other] != batch_anneal_none)
                    continue;
                s->island[other] = island;
                s->island_vertices[end++] = other;
            }
    }
    return end;
}

static bool batch_anneal_find_islands(tl_arena *arena, batch_annealer *s)
{
    const uint32_t vertices = s->in->vertex_count;
    uint32_t count = 0;
    s->island = tl_array_raw(arena, vertices, sizeof *s->island);
    s->island_vertices = tl_array_raw(arena, vertices, sizeof *s->island_vertices);
    s->first_vertex = tl_array_raw(arena, (size_t)vertices + 1, sizeof *s->first_vertex);
    s->island_triangles = TL_ARRAY(arena, vertices, uint32_t);
    s->cut = TL_ARRAY(arena, vertices, bool);
    s->island_bone = tl_array_raw(arena, s->exchanges ? vertices : 0, sizeof *s->island_bone);
    if (!s->island_bone || !s->island || !s->island_vertices || !s->first_vertex || !s->island_triangles || !s->cut)
        return false;
    s->first_vertex[0] = 0;
    for (uint32_t v = 0; v < vertices; v++)
        s->island[v] = batch_anneal_none;
    for (uint32_t v = 0; v < vertices; v++) {
        if (s->island[v] != batch_anneal_none)
            continue;
        s->first_vertex[count + 1] = batch_anneal_flood(s, v, count, s->first_vertex[count]);
        count++;
    }
    s->island_count = count;
    return true;
}

/* The triangles of each component, and whether they are in several batches. */
static void batch_anneal_count_islands(batch_annealer *s)
{
    for (uint32_t t = 0; t < s->in->triangle_count; t++) {
        const uint32_t island = s->island[s->in->triangles[t][0]];
        const uint32_t first = s->island_vertices[s->first_vertex[island]];
        s->island_triangles[island]++;
        s->cut[island] = s->cut[island] || s->use_count[first] > 1 || s->uses[s->first_use[first]].batch != s->batch[t];
    }
}

static bool batch_annealer_new(tl_arena *arena, batch_annealer *s, const tl_batch_list *batches)
{
    const size_t vertices = s->in->vertex_count, triangles = s->in->triangle_count;
    if (!batch_anneal_number_bones(arena, s))
        return false;
    s->batch_count = batches->count + 1; /* one that is empty: components may start a new batch */
    if ((uint64_t)s->batch_count * s->bone_count > BATCH_ANNEAL_BONES_TABLE)
        s->batch_count = 0;
    s->batch = tl_array_raw(arena, triangles, sizeof *s->batch);
    s->vertices = TL_ARRAY(arena, s->batch_count, uint32_t);
    s->triangles = TL_ARRAY(arena, s->batch_count, uint32_t);
    s->first_use = tl_array_raw(arena, vertices, sizeof *s->first_use);
    s->use_count = TL_ARRAY(arena, vertices, uint32_t);
    s->uses = tl_array_raw(arena, triangles, 3 * sizeof *s->uses);
    s->first_around = tl_array_raw(arena, vertices + 1, sizeof *s->first_around);
    s->around = tl_array_raw(arena, triangles, 3 * sizeof *s->around);
    s->seen = TL_ARRAY(arena, vertices, uint32_t);
    s->loaded = TL_ARRAY(arena, s->batch_count, uint32_t);
    s->bone_loaded = TL_ARRAY(arena, (size_t)s->batch_count * s->bone_count + 1, uint8_t);
    if (!s->batch || !s->vertices || !s->triangles || !s->first_use || !s->use_count || !s->uses || !s->first_around ||
        !s->around || !s->seen || !s->loaded || !s->bone_loaded)
        return false;
    const tl_batch_input *in = s->in;
    memset(s->first_around, 0, (in->vertex_count + 1) * sizeof *s->first_around);
    for (uint32_t t = 0; t < in->triangle_count; t++)
        for (uint32_t c = 0; c < 3; c++)
            if (tl_batch_first_mention(in->triangles[t], c))
                s->first_around[in->triangles[t][c] + 1]++;
    for (uint32_t v = 0; v < in->vertex_count; v++)
        s->first_around[v + 1] += s->first_around[v];
    memcpy(s->first_use, s->first_around, in->vertex_count * sizeof *s->first_use);
    for (uint32_t t = 0; t < in->triangle_count; t++)
        for (uint32_t c = 0; c < 3; c++)
            if (tl_batch_first_mention(in->triangles[t], c))
                s->around[s->first_use[in->triangles[t][c]]++] = t;
    memcpy(s->first_use, s->first_around, in->vertex_count * sizeof *s->first_use);
    if (!batch_anneal_find_islands(arena, s))
        return false;
    for (uint32_t g = 0; g < batches->count && s->batch_count > 0; g++)
        for (uint32_t i = batches->first[g]; i < batches->first[g + 1]; i++)
            batch_anneal_enter(s, batches->order[i], g);
    if (s->batch_count > 0)
        batch_anneal_count_islands(s);
    return true;
}

/* As how many triangles a mesh counts for the number of steps: large ones get fewer for each. */
static uint32_t batch_anneal_counted(uint32_t triangles, bool bones)
{
    if (bones && triangles < BATCH_ANNEAL_BONE_MOST)
        return triangles < BATCH_ANNEAL_BONE_MOST / BATCH_ANNEAL_BONE_TIMES ? BATCH_ANNEAL_BONE_TIMES * triangles
                                                                            : BATCH_ANNEAL_BONE_MOST;
    const uint32_t some = triangles < BATCH_ANNEAL_HUGE ? triangles : BATCH_ANNEAL_HUGE;
    return some < BATCH_ANNEAL_LARGE ? some
                                     : BATCH_ANNEAL_LARGE + (some - BATCH_ANNEAL_LARGE) / BATCH_ANNEAL_LARGE_SHARE;
}

bool tl_batch_anneal(tl_arena *arena, const tl_batch_input *in, bool resident, const tl_batch_effort *effort,
                     tl_batch_list *batches)
{
    batch_annealer s = {.in = in,
                        .resident = resident,
                        .random = effort->seed,
                        .exchanges = effort->exchanges,
                        .full = effort->full > 0 ? effort->full : TL_BATCH_SLOTS};
    if (batches->count < 2) {
        batches->count = effort->exchanges ? 0 : batches->count;
        return true;
    }
    if (!batch_annealer_new(arena, &s, batches))
        return false;
    if (s.exchanges && (s.bone_count == 0 || s.batch_count == 0 || !batch_anneal_find_exchangeable(&s))) {
        batches->count = 0;
        return true;
    }
    if (s.batch_count == 0)
        return true;
    const uint32_t counted = batch_anneal_counted(in->triangle_count, s.bone_count > 0);
    const uint64_t steps = (uint64_t)effort->steps * counted / effort->stages;
    const uint64_t bones_every = BATCH_ANNEAL_BONES_EVERY + in->triangle_count / 32;      /* looks at all triangles */
    const uint64_t exchanges_every = BATCH_ANNEAL_EXCHANGES_EVERY + s.island_count / 256; /* at all components */
    uint64_t fine_temperature = (uint64_t)TL_COST_BYTE * BATCH_ANNEAL_TEMPERATURE_PARTS * effort->temperature *
                                (s.bone_count > 0 ? BATCH_ANNEAL_BONE_TEMPERATURE : 1);
    for (uint32_t stage = 0; stage < effort->stages; stage++) {
        s.temperature = fine_temperature / BATCH_ANNEAL_TEMPERATURE_PARTS;
        fine_temperature -= fine_temperature * BATCH_ANNEAL_COOLING / (BATCH_ANNEAL_COOLING_DIVISOR * effort->stages);
        for (uint64_t number = 0; number < steps; number++) {
            if (number % BATCH_ANNEAL_ASKS_EVERY == 0 && !tl_report_goes_on(in->progress))
                return false;
            if (s.exchanges && number % exchanges_every == 0)
                batch_anneal_try_exchange(&s);
            else if (s.exchanges || number % BATCH_ANNEAL_COMPONENTS_EVERY == 0)
                batch_anneal_try_component(&s);
            else if (s.bone_count > 0 && number % bones_every == 1)
                batch_anneal_try_bone(&s);
            else
                batch_anneal_try_triangle(&s);
        }
    }
    /* The triangles of each batch together, empty batches left out. */
    uint32_t at = 0;
    batches->count = 0;
    for (uint32_t g = 0; g < s.batch_count; g++) {
        if (s.triangles[g] == 0)
            continue;
        batches->first[batches->count++] = at;
        at += s.triangles[g];
        s.vertices[g] = batches->first[batches->count - 1];
    }
    batches->first[batches->count] = at;
    for (uint32_t t = 0; t < s.in->triangle_count; t++)
        batches->order[s.vertices[s.batch[t]]++] = t;
    return true;
}
