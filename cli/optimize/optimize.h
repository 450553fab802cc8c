/* optimize.h: optimization of one model. */
#ifndef TL_CLI_OPTIMIZE_OPTIMIZE_H
#define TL_CLI_OPTIMIZE_OPTIMIZE_H

#include "convert/convert.h"

#include "ui/table.h"

#include "trilobite/cost.h"
#include "trilobite/optimize.h"

/* The cost of the model, before or after. */
typedef struct cli_measure {
    trilo_cost_counts counts;
    uint64_t size;    /* of the file, not compressed */
    double misses;    /* NLM and glTF: misses per triangle of a vertex cache of 16 */
    bool for_console; /* the counts are those of console commands */
} cli_measure;

typedef struct cli_optimizer {
    const cli_args *args;
    trilo_optimize_opts opts;
    cli_conversion conversion; /* for reading, writing and companion files */
    cli_measure before, after;
    cli_table table; /* of the savings; it is filled before anything is written */
    size_t mistakes; /* findings that would refuse the result */
    bool dry;        /* write nothing */
    bool out_of_memory;
} cli_optimizer;

/* Reads the options for vertices of T3DM, also for convert and gltf_to_t3d (options.c). */
exit_code optimize_read_t3dm(const cli_args *args, trilo_t3dm_write_opts *t3dm);
exit_code optimize_read(cli_optimizer *optimizer);

/* Computes the cost of the document. Failures are reported on standard error (measure.c). */
exit_code optimize_measure(const cli_optimizer *optimizer, const trilo_document *document, cli_measure *measure);

/* Prints the costs before and after, as a table or as JSON (report.c). */
void optimize_fill_table(cli_optimizer *optimizer);
void optimize_json(const cli_optimizer *optimizer, cli_json *json, exit_code code);

#endif
