/* f3dex_list_steps.h: the steps of tl_f3dex_lists.
 *
 * Which corners share a loaded vertex is decided first (drawlist.c). Then everything follows from the order of the
 * triangles: an order that keeps few vertices waiting is grown (drawlist_order.c), a plan says what it costs and which
 * commands draw it (drawlist_plan.c), and for small meshes the order is improved step by step (drawlist_search.c).
 */
#ifndef TL_OPTIMIZE_F3DEX_LIST_STEPS_H
#define TL_OPTIMIZE_F3DEX_LIST_STEPS_H

#include "optimize/f3dex_list.h"

/* A mesh whose corners are gathered to vertices: what is loaded as one. */
typedef struct tl_f3dex_job {
    const tl_f3dex_mesh *mesh;
    uint32_t vertex_count;
    const uint32_t (*vertices)[3]; /* of each triangle */
} tl_f3dex_job;

/* --- order --- */

typedef struct tl_grower tl_grower;

tl_grower *tl_grower_new(tl_arena *arena, const tl_f3dex_job *job); /* NULL: no memory */
/* Fills order[triangle_count]. No more than `waiting_most` vertices, 3 to TL_DRAW_SLOTS, wait at a time. `seed` 0 is
 * the plain way, others make other choices where it hardly matters. */
void tl_f3dex_order(tl_grower *grower, uint32_t waiting_most, uint32_t seed, uint32_t *order);

/* --- plan --- */

typedef struct tl_f3dex_cost {
    uint32_t loads, loaded, changes, draws; /* commands, vertices, commands, commands */
} tl_f3dex_cost;

static inline uint64_t tl_batch_draw_bytes(const tl_f3dex_cost *cost)
{
    return (uint64_t)TL_DRAW_COMMAND_SIZE * ((uint64_t)cost->loads + cost->changes + cost->draws) +
           (uint64_t)TL_DRAW_VERTEX_SIZE * cost->loaded;
}

typedef struct tl_planner tl_planner;

tl_planner *tl_planner_new(tl_arena *arena, const tl_f3dex_job *job); /* NULL: no memory */
/* `patience`: a vertex that is not needed within so many triangles may make room for others. */
tl_f3dex_cost tl_plan_cost(tl_planner *planner, uint32_t patience, const uint32_t *order);
/* The commands themselves, from the arena. Numbers of stored vertices count from `first_stored`; `stored` has room for
 * as many as the cost says are loaded, and gets a corner for each. NULL: no memory. */
tl_f3dex_command *tl_plan_commands(tl_arena *arena, tl_planner *planner, uint32_t patience, const uint32_t *order,
                                   uint32_t first_stored, uint32_t *stored);

/* --- search --- */

typedef struct tl_f3dex_effort {
    uint32_t patience;
    uint32_t steps, stall; /* at most so many, and so many in a row without success */
    uint64_t floor;        /* bytes: what costs so much cannot be improved */
    uint64_t max_loaded;   /* vertices */
} tl_f3dex_effort;

/* Tries small changes of the order, and keeps what does not cost more. Answers what it costs then. */
tl_f3dex_cost tl_f3dex_search(tl_planner *planner, const tl_f3dex_job *job, const tl_f3dex_effort *effort,
                              uint32_t *order);

/* Numbers that look like chance and are the same everywhere. */
static inline uint32_t tl_f3dex_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

#endif
