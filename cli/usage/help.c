#include "usage/help.h"

enum { HELP_COLUMN = 31 };

const char program_summary[] = "Reads, checks, converts, optimizes, plays and draws small binary 3D models.";

void help_option_argument(const cli_option *option, char *out, size_t room)
{
    size_t used = 0;
    snprintf(out, room, "%s", option->choices || !option->argument ? "" : option->argument);
    for (size_t i = 0; option->choices && option->choices[i] && used < room; i++)
        used += (size_t)snprintf(out + used, room - used, "%s%s", i ? "|" : "", option->choices[i]);
}

void help_option_syntax(const cli_option *option, char *out, size_t room)
{
    char argument[96], letter[8] = "    ";
    help_option_argument(option, argument, sizeof argument);
    if (option->letter)
        snprintf(letter, sizeof letter, "-%c, ", option->letter);
    snprintf(out, room, "%s--%s%s%s", letter, option->name, *argument ? " " : "", argument);
}

static void print_heading(const cli_screen *screen, const char *heading)
{
    fputc('\n', screen->file);
    screen_put(screen, STYLE_HEAD, heading);
    fputc('\n', screen->file);
}

static void print_options(const cli_screen *screen, unsigned place)
{
    const cli_option *option;
    print_heading(screen, "Options:");
    for (size_t i = 0; (option = option_at(i)); i++)
        if (option->places & place) {
            char syntax[128], help[512];
            help_option_syntax(option, syntax, sizeof syntax);
            snprintf(help, sizeof help, "%s%s%s%s", option->help, option->fallback ? " (default: " : "",
                     option->fallback ? option->fallback : "", option->fallback ? ")" : "");
            size_t column = (size_t)fprintf(screen->file, "  %s", syntax);
            if (column > HELP_COLUMN - 2) {
                fputc('\n', screen->file);
                column = 0;
            }
            fprintf(screen->file, "%*s", (int)(HELP_COLUMN - column), "");
            text_wrap(screen->file, help, HELP_COLUMN, HELP_COLUMN);
        }
}

static void help_program(const cli_screen *screen)
{
    fprintf(screen->file, "Usage: trilobite COMMAND [OPTION]... [FILE]...\n\n%s\n", program_summary);
    const cli_command *command;
    print_heading(screen, "Commands:");
    for (size_t i = 0; (command = command_at(i)); i++)
        fprintf(screen->file, "  %-13s%s\n", command->name, command->summary);
    print_options(screen, ON_PROGRAM);
    fputs("\nRun \"trilobite COMMAND --help\" for details.\n", screen->file);
}

void help_print(const cli_screen *screen, const cli_command *command)
{
    if (command) {
        FILE *out = screen->file;
        fprintf(out, "Usage: trilobite %s [OPTION]...%s%s\n\n", command->name, *command->operands ? " " : "",
                command->operands);
        text_wrap(out, command->description, 0, 0);
        if (command->arguments[0].name)
            print_heading(screen, "Arguments:");
        for (const cli_argument *argument = command->arguments; argument->name; argument++)
            fprintf(screen->file, "  %-10s%s\n", argument->name, argument->help);
        print_options(screen, command->place);
        print_heading(screen, "Examples:");
        for (const cli_example *example = command->examples; example->line; example++)
            fprintf(screen->file, "  trilobite %s\n      %s\n", example->line, example->meaning);
    } else
        help_program(screen);
    const exit_row *row;
    print_heading(screen, "Exit status:");
    for (size_t i = 0; (row = exit_row_at(i)); i++)
        fprintf(screen->file, "  %2d  %s\n", (int)row->code, row->meaning);
}

void help_short(FILE *out)
{
    const cli_command *command;
    fputs("Usage: trilobite COMMAND [OPTION]... [FILE]...\nCommands:", out);
    for (size_t i = 0; (command = command_at(i)); i++)
        fprintf(out, " %s", command->name);
    fputs("\nTry \"trilobite --help\".\n", out);
}
