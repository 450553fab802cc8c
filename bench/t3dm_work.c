#include "t3dm_work.h"

#include "harness.h"

#include <trilobite/cost.h>

bool t3dm_work_of(const bench_buffer *file, t3dm_work *work, trilo_error *err)
{
    trilo_document *document = trilo_document_open(file->bytes, file->size, NULL, err);
    const trilo_cost *cost = document ? trilo_document_cost(document, NULL, err) : NULL;
    if (cost)
        *work = (t3dm_work){.triangles = (double)cost->counts.triangles,
                            .vertices = (double)cost->counts.vertices,
                            .commands = (double)cost->counts.commands,
                            .bytes = (double)cost->counts.rsp_bytes,
                            .draw = (double)cost->counts.draw_bytes,
                            .floor = t3dm_floor_of(file),
                            .cycles = (double)cost->counts.score + (double)cost->overlay_bytes / 4,
                            .changes = cost->material_changes,
                            .skinned = cost->counts.matrix_sets > 0};
    trilo_cost_free(cost);
    trilo_document_free(document);
    return cost != NULL;
}

void t3dm_work_add(t3dm_work *sum, const t3dm_work *one)
{
    sum->triangles += one->triangles, sum->vertices += one->vertices, sum->commands += one->commands;
    sum->bytes += one->bytes, sum->draw += one->draw, sum->floor += one->floor;
    sum->cycles += one->cycles, sum->changes += one->changes;
}
