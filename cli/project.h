/* project.h: the options that trilobite.toml has for a file. */
#ifndef TL_CLI_PROJECT_H
#define TL_CLI_PROJECT_H

#include "usage/args.h"

#include "trilobite/project.h"

/* The project file of a path: that of --project, or the nearest one above, in `found`. NULL: there is none. */
const char *project_file(const cli_args *args, const char *start, char *found, size_t room);

/* Reads the project file of a path. *project NULL: there is none. Reports a mistake in it, also in the names of
 * options, at its line and column. The caller frees it. */
exit_code project_load(const cli_args *args, const char *start, const trilo_project **project);

/* The arguments for a file: the options of the project that the command has, then those of the command line. */
cli_args project_args(const trilo_project *project, const cli_args *args, const char *file);
/* Frees what project_args allocated. */
void project_args_free(cli_args *args);

/* Runs the command with the options that its project has for the operands. */
exit_code project_run(const cli_args *args);

#endif
