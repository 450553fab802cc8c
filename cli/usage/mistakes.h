/* mistakes.h: what to say to somebody who mistyped. All answer EXIT_USAGE, but for a command that forgives. */
#ifndef TL_CLI_USAGE_MISTAKES_H
#define TL_CLI_USAGE_MISTAKES_H

#include "usage/args.h"

exit_code mistake_command(const cli_args *args, const char *name);
exit_code mistake_option(const cli_args *args, const char *name, size_t len);
exit_code mistake_letter(const cli_args *args, char letter);
exit_code mistake_choice(const cli_args *args, const cli_option *option, const char *value);

#endif
