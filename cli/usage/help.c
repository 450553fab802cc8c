#include "usage/help.h"

#include <string.h>

enum { HELP_COLUMN = 31, FEW_EXAMPLES = 4 };

const char program_summary[] =
    "Reads, checks, converts, optimizes, plays and draws small 3D models for the Nintendo 64.";

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

/* The length of the first sentence, or of its part before a semicolon, without the full stop. */
static size_t sentence_length(const char *text)
{
    const char *stop = strstr(text, ". "), *semicolon = strstr(text, "; ");
    if (semicolon && (!stop || semicolon < stop))
        stop = semicolon;
    return stop ? (size_t)(stop - text) : strlen(text) - 1;
}

static void print_option(const cli_screen *screen, const cli_option *option, bool all)
{
    char syntax[128], help[640];
    help_option_syntax(option, syntax, sizeof syntax);
    const size_t len = all ? strlen(option->help) : sentence_length(option->help);
    snprintf(help, sizeof help, "%.*s%s%s%s%s", (int)len, option->help, all ? "" : ".",
             option->fallback ? " (default: " : "", option->fallback ? option->fallback : "",
             option->fallback ? ")" : "");
    size_t column = (size_t)fprintf(screen->file, "  %s", syntax);
    if (column > HELP_COLUMN - 2) {
        fputc('\n', screen->file);
        column = 0;
    }
    fprintf(screen->file, "%*s", (int)(HELP_COLUMN - column), "");
    text_wrap(screen->file, help, HELP_COLUMN, HELP_COLUMN);
}

static void print_options(const cli_screen *screen, unsigned place, bool all)
{
    const cli_option *option;
    size_t left_out = 0;
    print_heading(screen, "Options:");
    for (size_t i = 0; (option = option_at(i)); i++) {
        if (!(option->places & place))
            continue;
        if (all || !(option->places & RARE))
            print_option(screen, option, all);
        else
            left_out++;
    }
    if (left_out > 0)
        fprintf(screen->file, "\n--help-all explains these in full, and %zu more%s.\n", left_out,
                place & ON_DECODERS ? ": options of single formats, and limits" : "");
}

void help_other_spellings(const cli_command *command, char *out, size_t room)
{
    const cli_other_spelling *other;
    size_t used = 0;
    *out = '\0';
    for (size_t i = 0; (other = option_other_spelling_at(i)) && used < room; i++) {
        if (!(other->places & command->place))
            continue;
        used += (size_t)snprintf(out + used, room - used, "%s", used > 0 ? ", " : "");
        if (other->name && used < room)
            used += (size_t)snprintf(out + used, room - used, "--%s%s", other->name, other->letter ? " and " : "");
        if (other->letter && used < room)
            used += (size_t)snprintf(out + used, room - used, "-%c", other->letter);
        if (used < room)
            used += (size_t)snprintf(out + used, room - used, " for --%s", option_get(other->id)->name);
    }
}

static void help_program(const cli_screen *screen)
{
    fprintf(screen->file, "Usage: trilobite COMMAND [OPTION]... [FILE]...\n\n%s\n", program_summary);
    const cli_command *command;
    print_heading(screen, "Commands:");
    for (size_t i = 0; (command = command_at(i)); i++)
        fprintf(screen->file, "  %-13s%s\n", command->name, command->summary);
    print_options(screen, ON_PROGRAM, true);
    fputs("\nRun \"trilobite help COMMAND\" for details.\n", screen->file);
}

void help_print(const cli_screen *screen, const cli_command *command, bool all)
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
        print_options(screen, command->place, all);
        char other[256];
        help_other_spellings(command, other, sizeof other);
        if (all && *other) {
            print_heading(screen, "Other spellings, which work too:");
            fputs("  ", out);
            text_wrap(out, other, 2, 2);
        }
        print_heading(screen, "Examples:");
        const cli_example *last =
            command->examples + (all ? sizeof command->examples / sizeof *command->examples : FEW_EXAMPLES);
        for (const cli_example *example = command->examples; example < last && example->line; example++)
            fprintf(screen->file, "  trilobite %s\n      %s\n", example->line, example->meaning);
    } else
        help_program(screen);
    const exit_row *row;
    if (command && !all)
        return;
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
    fputs("\nTry \"trilobite help\".\n", out);
}
