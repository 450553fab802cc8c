/* What Tiny3D's commands cost. docs/cost.md has the numbers in a table. */
#include "n64/rsp_cost.h"
#include "base/strict_float.h"

/* Cycles of the RSP. The first and the last are fitted to a measurement, the others are counts of instructions. */
enum {
    CYCLES_COMMAND = 70,
    CYCLES_LOAD = 62,
    CYCLES_VERTEX = 42, /* with one directional light */
    CYCLES_STRIP = 20,
    CYCLES_STRIP_INDEX = 12,
    CYCLES_SEQUENCE = 5,
    CYCLES_SEQUENCE_TRIANGLE = 9,
    CYCLES_MATRIX_SET = 340,
    CYCLES_MATRIX_POP = 250,
    CYCLES_TRIANGLE = 130,
    BYTES_A_CYCLE = 4
};

void tl_rsp_cost(trilo_cost_counts *c)
{
    const uint64_t draws = c->list_commands + c->sequences + c->strips, matrices = c->matrix_sets + c->matrix_pops;
    c->commands = c->loads + draws + c->syncs + matrices;
    c->draw_bytes = TL_RSP_DRAW_BYTES * draws + c->strip_bytes;
    c->rsp_bytes = TL_RSP_LOAD_BYTES * c->loads + TL_RSP_DRAW_BYTES * matrices + TL_RSP_SYNC_BYTES * c->syncs +
                   TL_RSP_VERTEX_SIZE * c->vertices + c->draw_bytes + TL_RSP_MATRIX_SET_BYTES * c->matrix_sets +
                   TL_RSP_MATRIX_POP_BYTES * c->matrix_pops;
    c->score = CYCLES_COMMAND * c->commands + CYCLES_LOAD * c->loads + CYCLES_VERTEX * c->vertices +
               CYCLES_TRIANGLE * c->triangles + CYCLES_STRIP * c->strips + CYCLES_STRIP_INDEX * c->strip_indices +
               CYCLES_SEQUENCE * c->sequences + CYCLES_SEQUENCE_TRIANGLE * c->sequence_triangles +
               CYCLES_MATRIX_SET * c->matrix_sets + CYCLES_MATRIX_POP * c->matrix_pops + c->rsp_bytes / BYTES_A_CYCLE;
    c->microseconds = (double)c->score / TRILO_N64_MEGAHERTZ;
}
