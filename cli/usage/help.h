/* help.h: what --help prints. */
#ifndef TL_CLI_USAGE_HELP_H
#define TL_CLI_USAGE_HELP_H

#include "usage/args.h"

/* A one-sentence description of the program. */
extern const char program_summary[];

/* `command` NULL: of the program itself. Without `all`, options that few people need are left out, and every option is
 * described in one sentence. */
void help_print(const cli_screen *screen, const cli_command *command, bool all);

/* "--textures for --texture-path, -f for --rebuild"; empty if there are none. */
void help_other_spellings(const cli_command *command, char *out, size_t room);

/* The short help for a call without arguments. */
void help_short(FILE *out);

/* How an option is written: "-o, --output DIR", "--color auto|always|never". */
void help_option_syntax(const cli_option *option, char *out, size_t room);

/* The argument as shown in the help: its name, or its values if there are few. */
void help_option_argument(const cli_option *option, char *out, size_t room);

#endif
