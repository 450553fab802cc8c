/* cache_sim.h: the console's vertex cache, byte by byte, for what tl_batch answers.
 *
 * Written from the description of the format, not from the optimizer: memory of the cache is an array in which every
 * byte knows the load that wrote it. A slot can be drawn while all of its bytes are of the same load.
 */
#ifndef TL_TEST_CACHE_SIM_H
#define TL_TEST_CACHE_SIM_H

#include "optimize/t3d_batch.h"

typedef struct cache_sim_work {
    uint32_t loads, vertices, idle; /* idle: vertices that no triangle used, fillers too */
    uint32_t draws;                 /* parts that draw */
    uint32_t list, sequences, in_sequence, strips, strip_indices, syncs, pushes, pops;
    uint32_t flat; /* triangles in strips that use a slot twice: not every version of the format draws them */
    uint64_t strip_bytes, commands;
    uint64_t draw_bytes; /* commands that draw, and strip indices */
    uint64_t rsp_bytes;  /* all that is fetched and moved */
} cache_sim_work;

typedef struct cache_sim_result {
    uint32_t triangle_count;
    uint32_t (*triangles)[3]; /* input vertices in the order of drawing; winding as drawn */
    cache_sim_work work;
    uint32_t part;    /* that broke a rule */
    char broken[128]; /* the first rule, in words; "": none */
} cache_sim_result;

/* Runs all parts, or up to the first broken rule. Triangles are allocated also then. */
void cache_sim_run(const tl_batch_input *in, const tl_batch_output *out, cache_sim_result *result);
void cache_sim_free(cache_sim_result *result);

/* The drawn triangles are the input's, each as often and with the same winding. Puts both in order. */
bool cache_sim_same(const tl_batch_input *in, const cache_sim_result *result);

/* Runs, fails the test when a rule is broken, a strip has flat triangles or the triangles are others; answers the work.
 */
cache_sim_work cache_sim_check(const char *what, const tl_batch_input *in, const tl_batch_output *out);

#endif
