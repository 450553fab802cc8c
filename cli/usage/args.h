/* args.h: the parsed command line. */
#ifndef TL_CLI_USAGE_ARGS_H
#define TL_CLI_USAGE_ARGS_H

#include "ui/screen.h"
#include "ui/text.h"
#include "usage/commands.h"
#include "usage/options.h"

typedef struct cli_chosen {
    const cli_option *option;
    const char *value; /* NULL for a switch */
    bool is_default;   /* from a project file: it may be about another format than that of the file */
} cli_chosen;

typedef struct cli_args {
    const char *program;        /* the name it was started by */
    const cli_command *command; /* NULL: the program itself */
    size_t chosen_count, operand_count;
    cli_chosen *chosen;
    const char **operands;
    cli_screen out, err;
    bool json, quiet;
    const struct trilo_project *project;         /* NULL: none */
    const struct trilo_asset_index *asset_index; /* of --asset-path; NULL: the folder is listed when needed */
} cli_args;

/* Parses the command line. If the result is not EXIT_FINE, the mistake was reported on standard error. */
exit_code args_parse(cli_args *args, int argc, char **argv);
void args_free(cli_args *args);

unsigned args_place(const cli_args *args); /* the ON_... bit of the command */

bool args_has(const cli_args *args, option_id id);
bool args_wants_help(const cli_args *args); /* --help or --help-all */
/* True if only the project file sets it. */
bool args_is_default(const cli_args *args, option_id id);
/* True if it is on the command line without an option that it needs. In a project file it may be meant for other
 * commands. */
bool args_lacks(const cli_args *args, option_id id, option_id needed);
/* The last value given, or the default of the option, or NULL. */
const char *args_value(const cli_args *args, option_id id);
/* The last value given, or NULL. */
const char *args_given(const cli_args *args, option_id id);
/* The index of the chosen value of an option with choices. */
size_t args_choice(const cli_args *args, option_id id);
bool args_is(const cli_args *args, option_id id, const char *value);

/* A warning about the command line, on standard error. */
void args_warn(const cli_args *args, const char *format, ...) PRINTF_LIKE(2, 3);

/* Reports a mistake on standard error and refers to the help. Returns EXIT_USAGE. */
exit_code args_fail(const cli_args *args, const char *format, ...) PRINTF_LIKE(2, 3);

#endif
