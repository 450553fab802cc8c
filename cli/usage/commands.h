/* commands.h: the commands of the program. */
#ifndef TL_CLI_USAGE_COMMANDS_H
#define TL_CLI_USAGE_COMMANDS_H

#include "exits.h"

#include <stdbool.h>

struct cli_args;

typedef struct cli_argument {
    const char *name; /* NULL after the last one */
    const char *help;
} cli_argument;

typedef struct cli_example {
    const char *line; /* after "trilobite "; NULL after the last one */
    const char *meaning;
} cli_example;

typedef struct cli_command {
    unsigned place; /* its ON_... bit */
    const char *name;
    const char *operands; /* "IN OUT" */
    size_t least, most;   /* number of operands */
    const char *summary;  /* no full stop */
    const char *description;
    exit_code (*run)(const struct cli_args *args);
    cli_argument arguments[3];
    cli_example examples[10];
} cli_command;

/* The program can also be started under this name, as a replacement for Tiny3D's converter. */
#define DROP_IN "gltf_to_t3d"

/* The index-th command: NULL after the last one. */
const cli_command *command_at(size_t index);
const cli_command *command_named(const char *name); /* NULL: unknown */

/* True if the command ignores unknown options, with a warning. NULL is the program itself, which does not. */
bool command_forgives(const cli_command *command);

exit_code info_run(const struct cli_args *args);
exit_code check_run(const struct cli_args *args);
exit_code dump_run(const struct cli_args *args);
exit_code convert_run(const struct cli_args *args);
exit_code gltf_to_t3d_run(const struct cli_args *args);
exit_code optimize_run(const struct cli_args *args);
exit_code cost_run(const struct cli_args *args);
exit_code render_run(const struct cli_args *args);
exit_code extract_run(const struct cli_args *args);
exit_code diff_run(const struct cli_args *args);
exit_code init_run(const struct cli_args *args);
exit_code materials_run(const struct cli_args *args);
exit_code formats_run(const struct cli_args *args);
exit_code sprite_run(const struct cli_args *args);
exit_code view_run(const struct cli_args *args);
exit_code page_run(const struct cli_args *args);
exit_code mksprite_run(const struct cli_args *args);

#endif
