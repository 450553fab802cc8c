#include "usage/completion.h"

#include "usage/commands.h"
#include "usage/options.h"

#include <string.h>

static void put_quoted(FILE *out, const char *text)
{
    fputc('\'', out);
    for (; *text; text++)
        fprintf(out, *text == '\'' || *text == '\\' ? "\\%c" : "%c", *text);
    fputc('\'', out);
}

static void fish_put_value(FILE *out, const cli_option *option)
{
    if (strcmp(option->argument, "DIR") == 0) {
        fputs(" -x -a '(__fish_complete_directories)'", out);
        return;
    }
    if (!option_choice(option, 0)) {
        fputs(" -r", out);
        return;
    }
    fputs(" -x -a '", out);
    for (size_t i = 0; option_choice(option, i); i++)
        fprintf(out, "%s%s", i ? " " : "", option_choice(option, i));
    fputc('\'', out);
}

static void fish_put_options(FILE *out, const char *condition, const char *command, unsigned place)
{
    const cli_option *option;
    for (size_t i = 0; (option = option_at(i)); i++) {
        if (!(option->places & place))
            continue;
        fprintf(out, "complete -c trilobite -n '%s%s' -l %s", condition, command, option->name);
        if (option->letter)
            fprintf(out, " -s %c", option->letter);
        if (option->argument)
            fish_put_value(out, option);
        fputs(" -d ", out);
        put_quoted(out, option->help);
        fputc('\n', out);
    }
}

void completion_fish(FILE *out)
{
    const cli_command *command;
    fputs("# fish completion of trilobite; made by: trilobite --generate fish\n", out);
    for (size_t i = 0; (command = command_at(i)); i++) {
        fprintf(out, "complete -c trilobite -n __fish_use_subcommand -f -a %s -d ", command->name);
        put_quoted(out, command->summary);
        fputc('\n', out);
    }
    fish_put_options(out, "__fish_use_subcommand", "", ON_PROGRAM);
    for (size_t i = 0; (command = command_at(i)); i++)
        fish_put_options(out, "__fish_seen_subcommand_from ", command->name, command->place);
}
