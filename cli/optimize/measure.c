#include "optimize/optimize.h"

#include "ui/report.h"

#include "alloc.h"

#include <stdlib.h>
#include <string.h>

enum { CACHE = 16 }; /* vertices in the cache of graphics hardware, approximately */

/* How often a vertex is needed that is not among the last ones fetched. */
static uint64_t mesh_misses(const trilo_mesh *mesh)
{
    uint64_t *fetched = need(NULL, (size_t)mesh->vertex_count + 1, sizeof *fetched);
    uint64_t misses = 0;
    memset(fetched, 0, ((size_t)mesh->vertex_count + 1) * sizeof *fetched);
    for (uint32_t i = 0; i < mesh->index_count; i++) {
        uint64_t *when = &fetched[mesh->indices[i]];
        if (*when == 0 || misses - *when >= CACHE)
            *when = ++misses;
    }
    free(fetched);
    return misses;
}

static exit_code measure_explain(const cli_optimizer *optimizer, const trilo_error *err)
{
    report_error(&optimizer->args->err, optimizer->conversion.in, err);
    return exit_of(err->code);
}

exit_code optimize_measure(const cli_optimizer *optimizer, const trilo_document *document, cli_measure *measure)
{
    trilo_error err;
    const trilo_format format = trilo_document_format(document);
    const trilo_cost *cost = trilo_document_cost(document, NULL, &err);
    if (!cost)
        return measure_explain(optimizer, &err);
    *measure = (cli_measure){.counts = cost->counts, .size = trilo_document_bytes(document).size};
    trilo_cost_free(cost);
    measure->for_console = format == TRILO_FORMAT_T3DM || format == TRILO_FORMAT_MODEL64;
    if (measure->for_console)
        return EXIT_FINE;
    const trilo_model *model = trilo_document_model(document, &err);
    if (!model)
        return measure_explain(optimizer, &err);
    uint64_t misses = 0, triangles = 0;
    for (uint32_t i = 0; i < model->mesh_count; i++)
        if (model->meshes[i].topology == TRILO_TOPOLOGY_TRIANGLES) {
            misses += mesh_misses(&model->meshes[i]);
            triangles += model->meshes[i].index_count / 3;
        }
    measure->misses = triangles > 0 ? (double)misses / (double)triangles : 0;
    trilo_model_free(model);
    return EXIT_FINE;
}
