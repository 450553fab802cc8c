/* The commands as one Markdown document, docs/commands.md. */
#include "usage/manual.h"

#include "usage/help.h"

#include <string.h>

/* In a table cell a bar would end the cell. */
static void put_cell(FILE *out, const char *text)
{
    for (; *text; text++)
        fprintf(out, *text == '|' ? "\\%c" : "%c", *text);
}

static void put_option_table(FILE *out, unsigned place)
{
    const cli_option *option;
    fputs("\n| option | what it does |\n| --- | --- |\n", out);
    for (size_t i = 0; (option = option_at(i)); i++) {
        char argument[96];
        if (!(option->places & place))
            continue;
        help_option_argument(option, argument, sizeof argument);
        fputs("| `", out);
        if (option->letter)
            fprintf(out, "-%c`, `", option->letter);
        fprintf(out, "--%s%s", option->name, *argument ? " " : "");
        put_cell(out, argument);
        fputs("` | ", out);
        put_cell(out, option->help);
        if (option->fallback) {
            fputs(" Default: ", out);
            put_cell(out, option->fallback);
            fputc('.', out);
        }
        fputs(" |\n", out);
    }
}

static void put_command(FILE *out, const cli_command *command)
{
    char other[256];
    fprintf(out, "\n## %s\n\n`trilobite %s [OPTION]...%s%s`: %s.\n\n%s\n\n", command->name, command->name,
            *command->operands ? " " : "", command->operands, command->summary, command->description);
    for (const cli_argument *argument = command->arguments; argument->name; argument++)
        fprintf(out, "- `%s`: %s\n", argument->name, argument->help);
    fputs(command->arguments[0].name ? "\nExamples:\n\n```sh\n" : "Examples:\n\n```sh\n", out);
    for (const cli_example *example = command->examples; example->line; example++)
        fprintf(out, "# %s\ntrilobite %s\n", example->meaning, example->line);
    fputs("```\n", out);
    put_option_table(out, command->place);
    help_other_spellings(command, other, sizeof other);
    if (*other)
        fprintf(out, "\nOther spellings work too: %s.\n", other);
}

void reference_print(FILE *out)
{
    const cli_command *command;
    const exit_row *row;
    fprintf(out, "# Commands\n\n%s Generated from the table that the program reads its options with.\n\n",
            program_summary);
    fputs("| command | what it does |\n| --- | --- |\n", out);
    for (size_t i = 0; (command = command_at(i)); i++)
        fprintf(out, "| [%s](#%s) | %s |\n", command->name, command->name, command->summary);
    fputs("\n`trilobite help COMMAND` prints the options that most people need, `--help-all` all of them. Data goes to "
          "standard output, everything else to standard error. A path of `-` is standard input or output.\n\n"
          "| exit code | meaning |\n| --- | --- |\n",
          out);
    for (size_t i = 0; (row = exit_row_at(i)); i++)
        fprintf(out, "| %d | %s |\n", (int)row->code, row->meaning);
    for (size_t i = 0; (command = command_at(i)); i++)
        put_command(out, command);
    fputs("\n## The program itself\n", out);
    put_option_table(out, ON_PROGRAM);
}
