/* What Tiny3D's commands cost. docs/cost.md has the numbers in a table. */
#include "n64/rsp_cost.h"
#include "base/strict_float.h"

void tl_rsp_cost(trilo_cost_counts *c)
{
    const uint64_t draws = c->list_commands + c->sequences + c->strips, matrices = c->matrix_sets + c->matrix_pops;
    c->commands = c->loads + draws + c->syncs + matrices;
    c->draw_bytes = TL_RSP_DRAW_BYTES * draws + c->strip_bytes;
    c->rsp_bytes = TL_RSP_LOAD_BYTES * c->loads + TL_RSP_DRAW_BYTES * matrices + TL_RSP_SYNC_BYTES * c->syncs +
                   TL_RSP_VERTEX_SIZE * c->vertices + c->draw_bytes + TL_RSP_MATRIX_SET_BYTES * c->matrix_sets +
                   TL_RSP_MATRIX_POP_BYTES * c->matrix_pops;
    c->score = TL_RSP_COMMAND_CYCLES * c->commands + TL_RSP_LOAD_CYCLES * c->loads +
               TL_RSP_VERTEX_CYCLES * c->vertices + TL_RSP_TRIANGLE_CYCLES * c->triangles +
               TL_RSP_STRIP_CYCLES * c->strips + TL_RSP_STRIP_INDEX_CYCLES * c->strip_indices +
               TL_RSP_SEQUENCE_CYCLES * c->sequences + TL_RSP_SEQUENCE_TRIANGLE_CYCLES * c->sequence_triangles +
               TL_RSP_MATRIX_SET_CYCLES * c->matrix_sets + TL_RSP_MATRIX_POP_CYCLES * c->matrix_pops +
               c->rsp_bytes / TL_RSP_BYTES_A_CYCLE;
    c->microseconds = (double)c->score / TRILO_N64_MEGAHERTZ;
}

double tl_rsp_microseconds(uint64_t bytes)
{
    return (double)bytes / (TL_RSP_BYTES_A_CYCLE * TRILO_N64_MEGAHERTZ);
}
