/* diff.h: what differs between two models. */
#ifndef TL_CLI_DIFF_DIFF_H
#define TL_CLI_DIFF_DIFF_H

#include "input.h"
#include "ui/json.h"

typedef struct diff_side {
    cli_input input;
    cli_args args; /* with the options of its project */
    cli_load_opts load;
} diff_side;

typedef struct diff_report {
    const cli_args *args;
    cli_json *json; /* NULL: text */
    diff_side a, b;
    bool same_format;
    double tolerance; /* of distances, in units of the first model */
    const char *section;
    bool differs;
} diff_report;

/* A line of the report, under a heading: what it is, in the first model and in the second. `counts`: the models differ.
 */
void diff_row(diff_report *report, const char *section, const char *name, const char *a, const char *b, bool counts);

/* Draws both and their difference side by side (image.c). */
exit_code diff_draw(const diff_report *report, const char *path);

#endif
