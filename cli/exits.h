/* exits.h: what the program's exit codes mean. */
#ifndef CLI_EXITS_H
#define CLI_EXITS_H

#include "trilobite/error.h"

typedef enum exit_code {
    EXIT_FINE = 0,
    EXIT_FINDINGS = 1, /* findings or differences */
    EXIT_USAGE = 2,
    EXIT_INPUT = 3, /* cannot be read, or malformed */
    EXIT_OUTPUT = 4,
    EXIT_LIMIT = 5, /* a limit, or something unsupported */
    EXIT_BUG = 70
} exit_code;

typedef struct exit_row {
    exit_code code;
    const char *meaning;
} exit_row;

/* The index-th row of the documentation: NULL behind the last one. */
const exit_row *exit_row_at(size_t index);

exit_code exit_of(trilo_code code);

/* Of two outcomes, the one that the program has to end with. */
exit_code exit_worse(exit_code a, exit_code b);

#endif
