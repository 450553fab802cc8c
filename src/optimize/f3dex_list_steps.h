/* f3dex_list_steps.h: the steps of tl_f3dex_lists.
 *
 * Which corners share a loaded vertex is decided first (f3dex_list.c). Everything else follows from the order of the
 * triangles: an order that keeps few vertices open is grown (f3dex_list_order.c), a plan says what it costs and which
 * commands draw it (f3dex_list_plan.c), and local search improves the order of small meshes (f3dex_list_search.c).
 */
#ifndef TL_OPTIMIZE_F3DEX_LIST_STEPS_H
#define TL_OPTIMIZE_F3DEX_LIST_STEPS_H

#include "optimize/f3dex_list.h"

/* A mesh whose corners are welded to vertices. */
typedef struct tl_f3dex_vertices {
    const tl_f3dex_mesh *mesh;
    uint32_t vertex_count;
    const uint32_t (*vertices)[3]; /* of each triangle */
} tl_f3dex_vertices;

/* --- order --- */

typedef struct tl_f3dex_orderer tl_f3dex_orderer;

tl_f3dex_orderer *tl_f3dex_orderer_new(tl_arena *arena, const tl_f3dex_vertices *welded); /* NULL: no memory */
/* Fills order[triangle_count]. No more than `open_most` vertices, 3 to TL_F3DEX_SLOTS, are open at a time. `seed` 0
 * takes the first of equal choices; others break ties at random. */
void tl_f3dex_order(tl_f3dex_orderer *grower, uint32_t open_most, uint32_t seed, uint32_t *order);

/* --- plan --- */

typedef struct tl_f3dex_cost {
    uint32_t loads, loaded, changes, draws; /* commands, vertices, commands, commands */
} tl_f3dex_cost;

static inline uint64_t tl_f3dex_bytes(const tl_f3dex_cost *cost)
{
    return (uint64_t)TL_F3DEX_COMMAND_SIZE * ((uint64_t)cost->loads + cost->changes + cost->draws) +
           (uint64_t)TL_F3DEX_VERTEX_SIZE * cost->loaded;
}

typedef struct tl_f3dex_planner tl_f3dex_planner;

tl_f3dex_planner *tl_f3dex_planner_new(tl_arena *arena, const tl_f3dex_vertices *welded); /* NULL: no memory */
/* `patience`: a vertex that is not needed within that many triangles may be evicted for others. */
tl_f3dex_cost tl_f3dex_plan_cost(tl_f3dex_planner *planner, uint32_t patience, const uint32_t *order);
/* The commands themselves, from the arena. Numbers of stored vertices count from `first_stored`; `stored` has room for
 * as many as the cost says are loaded, and gets a corner for each. NULL: no memory. */
tl_f3dex_command *tl_f3dex_plan_commands(tl_arena *arena, tl_f3dex_planner *planner, uint32_t patience,
                                         const uint32_t *order, uint32_t first_stored, uint32_t *stored);

/* --- search --- */

typedef struct tl_f3dex_effort {
    uint32_t patience;
    uint32_t steps, stall; /* limits: in total, and in a row without success */
    uint64_t floor;        /* bytes: a lower bound of the cost */
    uint64_t max_loaded;   /* vertices */
} tl_f3dex_effort;

/* Improves the order by local search. Returns its cost. */
tl_f3dex_cost tl_f3dex_search(tl_f3dex_planner *planner, const tl_f3dex_vertices *welded, const tl_f3dex_effort *effort,
                              uint32_t *order);

/* Pseudorandom numbers of 24 bits: a linear congruential generator, the same on every machine. */
static inline uint32_t tl_f3dex_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

#endif
