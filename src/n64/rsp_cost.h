/* rsp_cost.h: the cost of Tiny3D's commands on the RSP in bytes and cycles, and their memory (docs/cost.md). */
#ifndef TL_N64_RSP_COST_H
#define TL_N64_RSP_COST_H

#include "trilobite/cost.h"

/* --- the vertex cache, in DMEM; bytes count from its slot 0 ---
 *
 *   0 ............................... 2520 ......... 2872 .......
 *   | slot 0 | slot 1 | ... | slot 69 | clip buffer ...          |
 *                [ input of a load: 16 bytes a vertex, ends at 2872 ]
 *          [ indices of a strip, ends at 2520 ]
 *
 * A load of many vertices and every strip overwrite the upper slots while they work. */
enum {
    TL_RSP_SLOTS = 70,     /* that can be drawn; one more can be written */
    TL_RSP_SLOT_SIZE = 36, /* of a transformed vertex */
    TL_RSP_VERTEX_SIZE = 16,
    TL_RSP_STRIP_END = TL_RSP_SLOTS * TL_RSP_SLOT_SIZE,
    TL_RSP_LOAD_END = 2872,
    TL_RSP_SPOILED = 2 /* slots after a load whose screen X it overwrites, until fog is set for the first time */
};

/* The RSP loads pairs of vertices. */
static inline uint32_t tl_rsp_loaded(uint32_t vertices)
{
    return (vertices + 1u) & ~1u;
}

/* Indices of a strip are fetched 8 bytes at a time, 4 indices. */
static inline uint32_t tl_rsp_strip_bytes(uint32_t indices)
{
    return (indices + 3) / 4 * 8;
}

/* --- bytes of commands, and of what they move --- */

enum {
    TL_RSP_LOAD_BYTES = 12,
    TL_RSP_DRAW_BYTES = 8,         /* a triangle, a sequence, a strip; to set or pop a matrix */
    TL_RSP_SYNC_BYTES = 4,         /* of a part that draws by a list alone */
    TL_RSP_MATRIX_SET_BYTES = 192, /* two in, one out */
    TL_RSP_MATRIX_POP_BYTES = 128,
    TL_RSP_FOG_BYTES = 4,
    TL_RSP_EFFECT_BYTES = 16, /* two commands */
    TL_RSP_FLAGS_BYTES = 8,
    TL_RSP_OVERLAY_BYTES = 13532 /* from Tiny3D's program to that of the pixel pipeline and back */
};

/* --- cycles of the RSP --- */

/* The first and the last are fitted to a measurement, the others are counts of instructions. docs/cost.md. */
enum {
    TL_RSP_COMMAND_CYCLES = 70,
    TL_RSP_LOAD_CYCLES = 62,
    TL_RSP_VERTEX_CYCLES = 42, /* with one directional light */
    TL_RSP_STRIP_CYCLES = 20,
    TL_RSP_STRIP_INDEX_CYCLES = 12,
    TL_RSP_SEQUENCE_CYCLES = 5,
    TL_RSP_SEQUENCE_TRIANGLE_CYCLES = 9,
    TL_RSP_MATRIX_SET_CYCLES = 340,
    TL_RSP_MATRIX_POP_CYCLES = 250,
    TL_RSP_TRIANGLE_CYCLES = 130,
    TL_RSP_BYTES_A_CYCLE = 4
};

/* Computes what follows from the counts: commands, bytes, cycles and time, by the formula in docs/cost.md. */
void tl_rsp_cost(trilo_cost_counts *counts);

/* The time to move that many bytes. */
double tl_rsp_microseconds(uint64_t bytes);

#endif
