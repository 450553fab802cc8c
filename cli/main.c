/* main.c: the program `trilobite`. */
#include "output.h"
#include "project.h"
#include "system.h"
#include "ui/report.h"
#include "usage/args.h"
#include "usage/completion.h"
#include "usage/help.h"
#include "usage/manual.h"

#include <string.h>

static exit_code run_program(const cli_args *args)
{
    const char *kind = args_given(args, OPT_GENERATE);
    if (kind) {
        const bool manual = strcmp(kind, "man") == 0;
        if (args->operand_count != (manual ? 1 : 0))
            return args_fail(args, manual ? "--generate man needs one directory" : "--generate %s needs nothing else",
                             kind);
        if (manual)
            return manual_write(args->operands[0]);
        if (strcmp(kind, "markdown") == 0)
            reference_print(stdout);
        else if (strcmp(kind, "bash") == 0)
            completion_bash(stdout);
        else if (strcmp(kind, "zsh") == 0)
            completion_zsh(stdout);
        else
            completion_fish(stdout);
        return EXIT_FINE;
    }
    if (args->operand_count > 0)
        return args_fail(args, "the command comes first: trilobite COMMAND [OPTION]...");
    help_short(stderr);
    return EXIT_USAGE;
}

static exit_code main_run_command(const cli_args *args)
{
    if (args_wants_help(args)) {
        help_print(&args->out, args->command, args_has(args, OPT_HELP_ALL));
        return EXIT_FINE;
    }
    if (args_has(args, OPT_VERSION)) {
        printf("trilobite %s\n", trilo_version());
        return EXIT_FINE;
    }
    if (!args->command)
        return run_program(args);
    const bool has_project = args_place(args) & option_get(OPT_PROJECT)->places;
    return has_project ? project_run(args) : args->command->run(args);
}

int main(int argc, char **argv)
{
    cli_args args;
    system_prepare();
    exit_code code = args_parse(&args, argc, argv);
    const bool has_verbose = args.command && (args_place(&args) & option_get(OPT_VERBOSE)->places);
    /* A check prints the first note of each kind; a conversion with more than three kinds prints only their codes. */
    cli_notes checked = {.all = args_has(&args, OPT_VERBOSE), .can_show_all = has_verbose}, converted = checked;
    converted.kinds_in_full = has_verbose ? 3 : 0;
    args.out.notes = &checked;
    args.err.notes = &converted;
    if (code == EXIT_FINE)
        code = main_run_command(&args);
    report_notes(&args.out);
    report_notes(&args.err);
    args_free(&args);
    return (int)output_finish(code);
}
