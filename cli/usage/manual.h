/* manual.h: the manual pages, in mdoc. */
#ifndef TL_CLI_USAGE_MANUAL_H
#define TL_CLI_USAGE_MANUAL_H

#include "exits.h"

#include <stdio.h>

/* Writes trilobite.1 and a trilobite-COMMAND.1 for every command into a directory. */
exit_code manual_write(const char *directory);

/* The same as one Markdown document. */
void reference_print(FILE *out);

#endif
