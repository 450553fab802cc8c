/* help.h: what --help prints. */
#ifndef TL_CLI_USAGE_HELP_H
#define TL_CLI_USAGE_HELP_H

#include "usage/args.h"

/* A one-sentence description of the program. */
extern const char program_summary[];

void help_print(const cli_screen *screen, const cli_command *command); /* command NULL: of the program itself */

/* The short help for a call without arguments. */
void help_short(FILE *out);

/* How an option is written: "-o, --output DIR", "--color auto|always|never". */
void help_option_syntax(const cli_option *option, char *out, size_t room);

/* The argument as shown in the help: its name, or its values if there are few. */
void help_option_argument(const cli_option *option, char *out, size_t room);

#endif
