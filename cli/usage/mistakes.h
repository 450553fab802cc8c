/* mistakes.h: messages about wrong arguments. All return EXIT_USAGE, unless the command ignores unknown options. */
#ifndef TL_CLI_USAGE_MISTAKES_H
#define TL_CLI_USAGE_MISTAKES_H

#include "usage/args.h"

exit_code mistake_command(const cli_args *args, const char *name);
exit_code mistake_option(const cli_args *args, const char *name, size_t len);
exit_code mistake_letter(const cli_args *args, char letter);
exit_code mistake_choice(const cli_args *args, const cli_option *option, const char *value);

#endif
