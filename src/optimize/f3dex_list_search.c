/* Better orders by small changes.
 *
 * A few triangles are taken out and put in again nearby; when the whole plan then costs no more, the change stays.
 * Changes that cost the same stay too: they lead out of dead ends. */
#include "optimize/f3dex_list_steps.h"

#include <string.h>

enum { REACH = 48, MOST = 6 };

/* Moves `count` triangles from `from` to `to`, both places of the first one. */
static void move(uint32_t *order, uint32_t from, uint32_t to, uint32_t count)
{
    uint32_t taken[MOST];
    memcpy(taken, order + from, count * sizeof *order);
    if (to < from)
        memmove(order + to + count, order + to, (from - to) * sizeof *order);
    else
        memmove(order + from, order + from + count, (to - from) * sizeof *order);
    memcpy(order + to, taken, count * sizeof *order);
}

typedef struct change {
    uint32_t from, to, count;
} change;

/* One triangle half of the time, otherwise a few. */
static change choose(uint32_t *chance, uint32_t triangles)
{
    const uint32_t most = triangles > MOST ? MOST : triangles - 1;
    change c = {.count = 1};
    if (tl_f3dex_random(chance) & 1)
        c.count += tl_f3dex_random(chance) % most;
    c.from = tl_f3dex_random(chance) % (triangles - c.count + 1);
    const uint32_t low = c.from > REACH ? c.from - REACH : 0;
    const uint32_t high = c.from + REACH < triangles - c.count ? c.from + REACH : triangles - c.count;
    c.to = low + tl_f3dex_random(chance) % (high - low + 1);
    return c;
}

tl_f3dex_cost tl_f3dex_search(tl_planner *planner, const tl_f3dex_job *job, const tl_f3dex_effort *effort,
                              uint32_t *order)
{
    const uint32_t triangles = job->mesh->triangle_count;
    tl_f3dex_cost best = tl_plan_cost(planner, effort->patience, order);
    if (triangles < 2 || tl_batch_draw_bytes(&best) <= effort->floor)
        return best;
    uint32_t chance = 1, last = 0;
    for (uint32_t i = 0; i < effort->steps && i - last < effort->stall; i++) {
        const change c = choose(&chance, triangles);
        if (c.to == c.from)
            continue;
        move(order, c.from, c.to, c.count);
        const tl_f3dex_cost cost = tl_plan_cost(planner, effort->patience, order);
        const bool fits = cost.loaded <= effort->max_loaded || cost.loaded <= best.loaded;
        if (!fits || tl_batch_draw_bytes(&cost) > tl_batch_draw_bytes(&best)) {
            move(order, c.to, c.from, c.count);
            continue;
        }
        last = tl_batch_draw_bytes(&cost) < tl_batch_draw_bytes(&best) ? i : last;
        best = cost;
        if (tl_batch_draw_bytes(&best) <= effort->floor)
            break;
    }
    return best;
}
