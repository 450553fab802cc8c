/* optimize.h: one model on its way to being faster. */
#ifndef TL_CLI_OPTIMIZE_OPTIMIZE_H
#define TL_CLI_OPTIMIZE_OPTIMIZE_H

#include "convert/convert.h"

#include "ui/table.h"

#include "trilobite/cost.h"
#include "trilobite/optimize.h"

/* What one state of the model costs. */
typedef struct cli_measure {
    trilo_cost_counts counts;
    uint64_t size;    /* of the file, not compressed */
    double misses;    /* of a cache of 16 vertices, for each triangle; NLM and glTF */
    bool for_console; /* the counts are of the console's commands */
} cli_measure;

typedef struct cli_optimizer {
    const cli_args *args;
    trilo_optimize_opts opts;
    cli_conversion conversion; /* what reading, writing and companion files need */
    cli_measure before, after;
    cli_table table; /* of what was gained; it is filled before anything is written */
    bool dry;        /* nothing is written */
    bool out_of_memory;
} cli_optimizer;

/* How a T3DM model is packed, by the command line: for convert and gltf_to_t3d, too (optimize_options.c). */
void optimize_read_t3dm(const cli_args *args, trilo_t3dm_write_opts *t3dm);
exit_code optimize_read(cli_optimizer *optimizer);

/* What the document costs; a failure has been explained (optimize_measure.c). */
exit_code optimize_measure(const cli_optimizer *optimizer, const trilo_document *document, cli_measure *measure);

/* Before and after, as a table or in JSON (optimize_report.c). */
void optimize_fill_table(cli_optimizer *optimizer);
void optimize_json(const cli_optimizer *optimizer, cli_json *json, exit_code code);

#endif
