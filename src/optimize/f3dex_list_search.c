/* Local search: a few triangles move to another position nearby in the order, and the move is kept when the whole plan
 * costs no more. Moves that cost the same are kept too: they lead out of local optima. */
#include "optimize/f3dex_list_steps.h"

#include <string.h>

enum { F3DEX_SEARCH_DISTANCE = 48, F3DEX_SEARCH_TRIANGLES = 6 };

/* Moves `count` triangles; `from` and `to` are positions of the first one. */
static void f3dex_search_apply(uint32_t *order, uint32_t from, uint32_t to, uint32_t count)
{
    uint32_t taken[F3DEX_SEARCH_TRIANGLES];
    memcpy(taken, order + from, count * sizeof *order);
    if (to < from)
        memmove(order + to + count, order + to, (from - to) * sizeof *order);
    else
        memmove(order + from, order + from + count, (to - from) * sizeof *order);
    memcpy(order + to, taken, count * sizeof *order);
}

typedef struct f3dex_search_move {
    uint32_t from, to, count;
} f3dex_search_move;

tl_f3dex_cost tl_f3dex_search(tl_f3dex_planner *planner, const tl_f3dex_vertices *welded, const tl_f3dex_effort *effort,
                              uint32_t *order)
{
    const uint32_t triangles = welded->mesh->triangle_count;
    tl_f3dex_cost best = tl_f3dex_plan_cost(planner, effort->patience, order);
    if (triangles < 2 || tl_f3dex_bytes(&best) <= effort->floor)
        return best;
    uint32_t random = 1, last = 0;
    for (uint32_t i = 0; i < effort->steps && i - last < effort->stall; i++) {
        /* One triangle half of the time, otherwise a few. */
        const uint32_t most = triangles > F3DEX_SEARCH_TRIANGLES ? F3DEX_SEARCH_TRIANGLES : triangles - 1;
        f3dex_search_move c = {.count = 1};
        if (tl_f3dex_random(&random) & 1)
            c.count += tl_f3dex_random(&random) % most;
        c.from = tl_f3dex_random(&random) % (triangles - c.count + 1);
        const uint32_t low = c.from > F3DEX_SEARCH_DISTANCE ? c.from - F3DEX_SEARCH_DISTANCE : 0;
        const uint32_t high =
            c.from + F3DEX_SEARCH_DISTANCE < triangles - c.count ? c.from + F3DEX_SEARCH_DISTANCE : triangles - c.count;
        c.to = low + tl_f3dex_random(&random) % (high - low + 1);
        if (c.to == c.from)
            continue;
        f3dex_search_apply(order, c.from, c.to, c.count);
        const tl_f3dex_cost cost = tl_f3dex_plan_cost(planner, effort->patience, order);
        const bool fits = cost.loaded <= effort->max_loaded || cost.loaded <= best.loaded;
        if (!fits || tl_f3dex_bytes(&cost) > tl_f3dex_bytes(&best)) {
            f3dex_search_apply(order, c.to, c.from, c.count);
            continue;
        }
        last = tl_f3dex_bytes(&cost) < tl_f3dex_bytes(&best) ? i : last;
        best = cost;
        if (tl_f3dex_bytes(&best) <= effort->floor)
            break;
    }
    return best;
}
