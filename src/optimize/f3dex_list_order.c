/* An order of triangles in which few vertices wait for their last triangle.
 *
 * A vertex that has been loaded stays useful until all its triangles are drawn. So the next triangle is always one of
 * the waiting vertex that can be finished with the fewest new ones, which is how a strip or a sweep over the mesh comes
 * about by itself. Only so many may wait; when one more comes, the vertex that is farthest from its end is given
 * up and counts as new again. The idea is that of k-cache reordering (Lin and Yu, 2006), with the cache under our own
 * control instead of first in, first out. Each step looks at no more than a cacheful of vertices and a few triangles of
 * each: the work grows with the number of triangles. */
#include "optimize/f3dex_list_steps.h"

enum { LOOK = 16 }; /* triangles of a vertex that are looked at */

struct tl_grower {
    const tl_f3dex_job *job;
    uint32_t *first, *live, *of; /* of each vertex: its first place in `of`, triangles to draw, those triangles */
    uint32_t (*place)[3];        /* of each triangle's corners in `of` */
    uint32_t *seen, stamp;       /* vertices that were counted already */
    uint32_t *look;              /* of each vertex that waits: the corner it was drawn as last */
    bool *drawn, *waits;
    uint32_t waiting[TL_DRAW_SLOTS], waiting_count, waiting_most;
    uint32_t next, seed; /* where to look for a new start */
};

tl_grower *tl_grower_new(tl_arena *arena, const tl_f3dex_job *job)
{
    const uint32_t triangles = job->mesh->triangle_count;
    tl_grower *g = TL_NEW(arena, tl_grower);
    if (!g)
        return NULL;
    g->job = job;
    g->first = TL_ARRAY(arena, job->vertex_count + (size_t)1, uint32_t);
    g->live = TL_ARRAY(arena, job->vertex_count, uint32_t);
    g->seen = TL_ARRAY(arena, job->vertex_count, uint32_t);
    g->look = TL_ARRAY(arena, job->vertex_count, uint32_t);
    g->waits = TL_ARRAY(arena, job->vertex_count, bool);
    g->drawn = TL_ARRAY(arena, triangles, bool);
    g->of = tl_array_raw(arena, triangles, 3 * sizeof *g->of);
    g->place = tl_array_raw(arena, triangles, sizeof *g->place);
    if (!g->first || !g->live || !g->seen || !g->look || !g->waits || !g->drawn || !g->of || !g->place)
        return NULL;
    for (uint32_t t = 0; t < triangles; t++)
        for (int k = 0; k < 3; k++)
            g->first[job->vertices[t][k] + 1]++;
    for (uint32_t v = 0; v < job->vertex_count; v++)
        g->first[v + 1] += g->first[v];
    return g;
}

/* Nothing is drawn, nothing waits. A run leaves `live` and `waits` at zero behind it. */
static void start(tl_grower *g, uint32_t waiting_most, uint32_t seed)
{
    g->waiting_most = waiting_most;
    g->seed = seed;
    g->next = 0;
    for (uint32_t t = 0; t < g->job->mesh->triangle_count; t++) {
        g->drawn[t] = false;
        for (int k = 0; k < 3; k++) {
            const uint32_t v = g->job->vertices[t][k];
            g->place[t][k] = g->first[v] + g->live[v]++;
            g->of[g->place[t][k]] = t;
        }
    }
}

/* Takes a triangle from the list of its k-th vertex: the last one of the list fills the gap. */
static void unlink(tl_grower *g, uint32_t t, int k)
{
    const uint32_t v = g->job->vertices[t][k];
    const uint32_t gap = g->place[t][k], last = g->of[g->first[v] + --g->live[v]];
    for (int i = 0; i < 3; i++)
        if (g->job->vertices[last][i] == v)
            g->place[last][i] = gap;
    g->of[gap] = last;
}

/* Vertices that are not at hand, among the triangles of `v`. */
static uint32_t missing_around(tl_grower *g, uint32_t v)
{
    const uint32_t look = g->live[v] < LOOK ? g->live[v] : LOOK;
    uint32_t missing = 0;
    g->stamp++;
    for (uint32_t i = 0; i < look; i++)
        for (int k = 0; k < 3; k++) {
            const uint32_t w = g->job->vertices[g->of[g->first[v] + i]][k];
            if (!g->waits[w] && g->seen[w] != g->stamp) {
                g->seen[w] = g->stamp;
                missing++;
            }
        }
    return missing;
}

static uint32_t noise(tl_grower *g, uint32_t below)
{
    return g->seed == 0 ? 0 : tl_f3dex_random(&g->seed) % below;
}

/* The waiting vertex that is nearest to its end. */
static uint32_t choose_vertex(tl_grower *g)
{
    uint32_t best = g->waiting[0], best_score = UINT32_MAX;
    for (uint32_t i = 0; i < g->waiting_count; i++) {
        const uint32_t v = g->waiting[i], live = g->live[v] < LOOK ? g->live[v] : LOOK;
        const uint32_t score = 16 * missing_around(g, v) + 2 * live + noise(g, 12);
        if (score < best_score)
            best = v, best_score = score;
    }
    return best;
}

/* New vertices weigh most, then those that must change their looks, then those that are far from their end. */
static uint32_t triangle_score(const tl_grower *g, uint32_t t)
{
    uint32_t score = 0;
    for (int k = 0; k < 3; k++) {
        const uint32_t v = g->job->vertices[t][k];
        const bool changes = g->waits[v] && g->look[v] != g->job->mesh->triangles[t][k];
        score += (g->waits[v] ? 0u : 64u) + (changes ? 16u : 0u) + (g->live[v] < LOOK ? g->live[v] : LOOK);
    }
    return score;
}

/* The best of its triangles. */
static uint32_t choose_triangle(tl_grower *g, uint32_t v)
{
    const uint32_t look = g->live[v] < LOOK ? g->live[v] : LOOK;
    uint32_t best = g->of[g->first[v]], best_score = UINT32_MAX;
    for (uint32_t i = 0; i < look; i++) {
        const uint32_t t = g->of[g->first[v] + i];
        const uint32_t score = triangle_score(g, t) + noise(g, 3);
        if (score < best_score)
            best = t, best_score = score;
    }
    return best;
}

/* Nothing waits: any triangle that is not drawn. Chance begins somewhere in the middle. */
static uint32_t choose_start(tl_grower *g)
{
    const uint32_t count = g->job->mesh->triangle_count;
    if (g->seed != 0 && g->next == 0)
        g->next = noise(g, count);
    while (g->drawn[g->next % count])
        g->next++;
    return g->next % count;
}

static void stop_waiting(tl_grower *g, uint32_t i)
{
    g->waits[g->waiting[i]] = false;
    g->waiting[i] = g->waiting[--g->waiting_count];
}

/* Gives up the waiting vertex with the most to come that is not of triangle `t`. */
static void give_up_one(tl_grower *g, uint32_t t)
{
    const uint32_t *own = g->job->vertices[t];
    uint32_t worst = 0, worst_score = 0;
    for (uint32_t i = 0; i < g->waiting_count; i++) {
        const uint32_t v = g->waiting[i];
        const uint32_t score = v == own[0] || v == own[1] || v == own[2] ? 0 : 1 + missing_around(g, v);
        if (score > worst_score)
            worst = i, worst_score = score;
    }
    stop_waiting(g, worst);
}

static void draw(tl_grower *g, uint32_t t)
{
    for (int k = 0; k < 3; k++) {
        const uint32_t v = g->job->vertices[t][k];
        if (g->waits[v])
            continue;
        if (g->waiting_count == g->waiting_most)
            give_up_one(g, t);
        g->waiting[g->waiting_count++] = v;
        g->waits[v] = true;
    }
    for (int k = 0; k < 3; k++) {
        unlink(g, t, k);
        g->look[g->job->vertices[t][k]] = g->job->mesh->triangles[t][k];
    }
    for (uint32_t i = g->waiting_count; i-- > 0;)
        if (g->live[g->waiting[i]] == 0)
            stop_waiting(g, i);
    g->drawn[t] = true;
}

void tl_f3dex_order(tl_grower *g, uint32_t waiting_most, uint32_t seed, uint32_t *order)
{
    start(g, waiting_most, seed);
    for (uint32_t i = 0; i < g->job->mesh->triangle_count; i++) {
        order[i] = g->waiting_count > 0 ? choose_triangle(g, choose_vertex(g)) : choose_start(g);
        draw(g, order[i]);
    }
}
