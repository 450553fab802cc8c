/* convert.h: one model on its way from a file to another. */
#ifndef CLI_CONVERT_H
#define CLI_CONVERT_H

#include "input.h"
#include "json.h"
#include "sides.h"

typedef struct cli_conversion {
    const cli_args *args;
    const char *in, *out;
    trilo_load_opts load;
    trilo_write_opts write;
    trilo_repack repack;
    trilo_edit edit;
    uint8_t *image; /* of --replace-texture */
    cli_input input;
    const trilo_model *edited; /* NULL: as it was read */
    trilo_model result;        /* what is written; it borrows from one of the two */
    cli_sides sides;           /* what is written beside it */
    cli_json *json;
    const char *subject; /* the file that findings are about */
    bool exact;          /* the records as they are */
    size_t losses;
    exit_code failure; /* of a side file, which has been explained */
    uint64_t size;     /* bytes written */
} cli_conversion;

/* What the command line asks for (convert_options.c). */
exit_code convert_prepare(cli_conversion *conversion);
/* The rest of it, once the input is known: refuses options that are not for the format of the output. */
exit_code convert_choose(cli_conversion *conversion);
bool convert_edits(const trilo_edit *edit);

/* What it asks of a Model, and the scale of both formats of the N64 (convert_model64.c). */
exit_code convert_read_model64(cli_conversion *conversion);

/* Writes the output and what belongs to it (convert_write.c, convert_sides.c). */
exit_code convert_write(cli_conversion *conversion);
void convert_collect_sides(cli_conversion *conversion);
bool convert_write_sides(cli_conversion *conversion);

#endif
