/* exits.h: the exit codes. */
#ifndef CLI_EXITS_H
#define CLI_EXITS_H

#include "trilobite/error.h"

typedef enum exit_code {
    EXIT_FINE = 0,
    EXIT_FINDINGS = 1, /* findings or differences */
    EXIT_USAGE = 2,
    EXIT_INPUT = 3, /* the input cannot be read, or is malformed */
    EXIT_OUTPUT = 4,
    EXIT_LIMIT = 5, /* a limit was reached, or something is unsupported */
    EXIT_BUG = 70
} exit_code;

typedef struct exit_row {
    exit_code code;
    const char *meaning;
} exit_row;

/* The index-th row of the documentation: NULL after the last one. */
const exit_row *exit_row_at(size_t index);

exit_code exit_of(trilo_code code);

/* The more severe of two exit codes. */
exit_code exit_worse(exit_code a, exit_code b);

#endif
