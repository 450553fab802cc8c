/* An order of triangles in which few vertices are open: loaded, with triangles still to draw.
 *
 * The next triangle is always one of the open vertex that can be finished with the fewest new ones, which results in
 * strips and sweeps over the mesh. The number of open vertices is limited; for one more, the vertex that is farthest
 * from its end is evicted and counts as new again. This is k-cache reordering (Lin and Yu, "An improved vertex caching
 * scheme for 3D mesh rendering", 2006), for a cache under the control of the program instead of first in, first out.
 * Each step looks at no more than a cacheful of vertices and a few triangles of each: the work grows with the number of
 * triangles. */
#include "optimize/f3dex_list_steps.h"

enum { F3DEX_ORDER_LOOK = 16 }; /* triangles of a vertex that are looked at */

struct tl_f3dex_orderer {
    const tl_f3dex_vertices *welded;
    uint32_t *first, *live, *of; /* of each vertex: its first index in `of`, triangles to draw, those triangles */
    uint32_t (*index)[3];        /* of each triangle's corners in `of` */
    uint32_t *seen, stamp;       /* vertices counted already */
    uint32_t *look;              /* of each open vertex: the corner it was drawn as last */
    bool *drawn, *is_open;
    uint32_t open[TL_F3DEX_SLOTS], open_count, open_most;
    uint32_t next, seed; /* where to look for a new start */
};

tl_f3dex_orderer *tl_f3dex_orderer_new(tl_arena *arena, const tl_f3dex_vertices *welded)
{
    const uint32_t triangles = welded->mesh->triangle_count;
    tl_f3dex_orderer *g = TL_NEW(arena, tl_f3dex_orderer);
    if (!g)
        return NULL;
    g->welded = welded;
    g->first = TL_ARRAY(arena, welded->vertex_count + (size_t)1, uint32_t);
    g->live = TL_ARRAY(arena, welded->vertex_count, uint32_t);
    g->seen = TL_ARRAY(arena, welded->vertex_count, uint32_t);
    g->look = TL_ARRAY(arena, welded->vertex_count, uint32_t);
    g->is_open = TL_ARRAY(arena, welded->vertex_count, bool);
    g->drawn = TL_ARRAY(arena, triangles, bool);
    g->of = tl_array_raw(arena, triangles, 3 * sizeof *g->of);
    g->index = tl_array_raw(arena, triangles, sizeof *g->index);
    if (!g->first || !g->live || !g->seen || !g->look || !g->is_open || !g->drawn || !g->of || !g->index)
        return NULL;
    for (uint32_t t = 0; t < triangles; t++)
        for (int k = 0; k < 3; k++)
            g->first[welded->vertices[t][k] + 1]++;
    for (uint32_t v = 0; v < welded->vertex_count; v++)
        g->first[v + 1] += g->first[v];
    return g;
}

/* Takes a triangle from the list of its k-th vertex: the last one of the list fills the gap. */
static void f3dex_order_unlink(tl_f3dex_orderer *g, uint32_t t, int k)
{
    const uint32_t v = g->welded->vertices[t][k];
    const uint32_t gap = g->index[t][k], last = g->of[g->first[v] + --g->live[v]];
    for (int i = 0; i < 3; i++)
        if (g->welded->vertices[last][i] == v)
            g->index[last][i] = gap;
    g->of[gap] = last;
}

/* Vertices that are not open, among the triangles of `v`. */
static uint32_t f3dex_order_missing_around(tl_f3dex_orderer *g, uint32_t v)
{
    const uint32_t look = g->live[v] < F3DEX_ORDER_LOOK ? g->live[v] : F3DEX_ORDER_LOOK;
    uint32_t missing = 0;
    g->stamp++;
    for (uint32_t i = 0; i < look; i++)
        for (int k = 0; k < 3; k++) {
            const uint32_t w = g->welded->vertices[g->of[g->first[v] + i]][k];
            if (!g->is_open[w] && g->seen[w] != g->stamp) {
                g->seen[w] = g->stamp;
                missing++;
            }
        }
    return missing;
}

static uint32_t f3dex_order_random(tl_f3dex_orderer *g, uint32_t below)
{
    return g->seed == 0 ? 0 : tl_f3dex_random(&g->seed) % below;
}

/* The open vertex that is nearest to its end. */
static uint32_t f3dex_order_choose_vertex(tl_f3dex_orderer *g)
{
    uint32_t best = g->open[0], best_score = UINT32_MAX;
    for (uint32_t i = 0; i < g->open_count; i++) {
        const uint32_t v = g->open[i], live = g->live[v] < F3DEX_ORDER_LOOK ? g->live[v] : F3DEX_ORDER_LOOK;
        const uint32_t score = 16 * f3dex_order_missing_around(g, v) + 2 * live + f3dex_order_random(g, 12);
        if (score < best_score)
            best = v, best_score = score;
    }
    return best;
}

/* The best of its triangles. New vertices weigh most, then G_MODIFYVTX, then vertices far from their end. */
static uint32_t f3dex_order_choose_triangle(tl_f3dex_orderer *g, uint32_t v)
{
    const uint32_t look = g->live[v] < F3DEX_ORDER_LOOK ? g->live[v] : F3DEX_ORDER_LOOK;
    uint32_t best = g->of[g->first[v]], best_score = UINT32_MAX;
    for (uint32_t i = 0; i < look; i++) {
        const uint32_t t = g->of[g->first[v] + i];
        uint32_t score = 0;
        for (int k = 0; k < 3; k++) {
            const uint32_t w = g->welded->vertices[t][k];
            const uint32_t live = g->live[w] < F3DEX_ORDER_LOOK ? g->live[w] : F3DEX_ORDER_LOOK;
            const bool changes = g->is_open[w] && g->look[w] != g->welded->mesh->triangles[t][k];
            score += (g->is_open[w] ? 0u : 64u) + (changes ? 16u : 0u) + live;
        }
        score += f3dex_order_random(g, 3);
        if (score < best_score)
            best = t, best_score = score;
    }
    return best;
}

/* Nothing is open: any triangle that is not drawn; from a random one on. */
static uint32_t f3dex_order_choose_start(tl_f3dex_orderer *g)
{
    const uint32_t count = g->welded->mesh->triangle_count;
    if (g->seed != 0 && g->next == 0)
        g->next = f3dex_order_random(g, count);
    while (g->drawn[g->next % count])
        g->next++;
    return g->next % count;
}

static void f3dex_order_close(tl_f3dex_orderer *g, uint32_t i)
{
    g->is_open[g->open[i]] = false;
    g->open[i] = g->open[--g->open_count];
}

/* Evicts the open vertex with the most triangles left that is not of triangle `t`. */
static void f3dex_order_evict(tl_f3dex_orderer *g, uint32_t t)
{
    const uint32_t *own = g->welded->vertices[t];
    uint32_t worst = 0, worst_score = 0;
    for (uint32_t i = 0; i < g->open_count; i++) {
        const uint32_t v = g->open[i];
        const uint32_t score = v == own[0] || v == own[1] || v == own[2] ? 0 : 1 + f3dex_order_missing_around(g, v);
        if (score > worst_score)
            worst = i, worst_score = score;
    }
    f3dex_order_close(g, worst);
}

/* Every call leaves `live` and `is_open` at zero for the next. */
void tl_f3dex_order(tl_f3dex_orderer *g, uint32_t open_most, uint32_t seed, uint32_t *order)
{
    g->open_most = open_most;
    g->seed = seed;
    g->next = 0;
    for (uint32_t t = 0; t < g->welded->mesh->triangle_count; t++) {
        g->drawn[t] = false;
        for (int k = 0; k < 3; k++) {
            const uint32_t v = g->welded->vertices[t][k];
            g->index[t][k] = g->first[v] + g->live[v]++;
            g->of[g->index[t][k]] = t;
        }
    }
    for (uint32_t i = 0; i < g->welded->mesh->triangle_count; i++) {
        order[i] = g->open_count > 0 ? f3dex_order_choose_triangle(g, f3dex_order_choose_vertex(g))
                                     : f3dex_order_choose_start(g);
        for (int k = 0; k < 3; k++) {
            const uint32_t v = g->welded->vertices[order[i]][k];
            if (g->is_open[v])
                continue;
            if (g->open_count == g->open_most)
                f3dex_order_evict(g, order[i]);
            g->open[g->open_count++] = v;
            g->is_open[v] = true;
        }
        for (int k = 0; k < 3; k++) {
            f3dex_order_unlink(g, order[i], k);
            g->look[g->welded->vertices[order[i]][k]] = g->welded->mesh->triangles[order[i]][k];
        }
        for (uint32_t j = g->open_count; j-- > 0;)
            if (g->live[g->open[j]] == 0)
                f3dex_order_close(g, j);
        g->drawn[order[i]] = true;
    }
}
