#include "usage/manual.h"

#include "alloc.h"
#include "output.h"
#include "ui/report.h"
#include "usage/help.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The date of the version, not of the build: every build makes the same pages. */
#define MANUAL_DATE "November 15, 2026"

/* Running text: nothing in it may look like a request. */
static void manual_put_text(FILE *out, const char *text)
{
    if (*text == '.' || *text == '\'')
        fputs("\\&", out);
    for (; *text; text++)
        if (*text == '\\')
            fputs("\\e", out);
        else if (*text == '-')
            fputs("\\-", out);
        else
            fputc(*text, out);
}

static void put_line(FILE *out, const char *text)
{
    manual_put_text(out, text);
    fputc('\n', out);
}

/* Each sentence of a paragraph starts a line, as roff requires. */
static void put_sentences(FILE *out, const char *text)
{
    while (*text) {
        const char *stop = strstr(text, ". ");
        const size_t len = stop ? (size_t)(stop - text) + 1 : strlen(text);
        char *sentence = need(NULL, len + 1, 1);
        memcpy(sentence, text, len);
        sentence[len] = '\0';
        /* One sentence, in lines of no more than about 80 bytes. */
        size_t column = 0;
        for (char *word = strtok(sentence, " "); word; word = strtok(NULL, " ")) {
            const bool fits = column + 1 + strlen(word) <= 72;
            if (column > 0)
                fputc(fits ? ' ' : '\n', out);
            column = (column > 0 && fits ? column + 1 : 0) + strlen(word);
            manual_put_text(out, word);
        }
        fputc('\n', out);
        free(sentence);
        text += len + (stop ? 1 : 0);
    }
}

static void put_title(FILE *out, const cli_command *command, const char *summary)
{
    char title[64];
    snprintf(title, sizeof title, "trilobite%s%s", command ? "-" : "", command ? command->name : "");
    fputs(".Dd " MANUAL_DATE "\n.Dt ", out);
    for (const char *c = title; *c; c++)
        fputc(toupper((unsigned char)*c), out);
    fprintf(out, " 1\n.Os trilobite " TRILO_VERSION "\n.Sh NAME\n.Nm %s\n.Nd %s\n", title, summary);
}

static void manual_put_options(FILE *out, unsigned place)
{
    const cli_option *option;
    fputs(".Bl -tag -width Ds\n", out);
    for (size_t i = 0; (option = option_at(i)); i++) {
        if (!(option->places & place))
            continue;
        fputs(".It ", out);
        char argument[96];
        help_option_argument(option, argument, sizeof argument);
        if (option->letter)
            fprintf(out, "Fl %c , ", option->letter);
        fprintf(out, "Fl \\-%s%s%s", option->name, *argument ? " Ar " : "", argument);
        fputc('\n', out);
        put_sentences(out, option->help);
        if (option->fallback) {
            fputs("Default: ", out);
            manual_put_text(out, option->fallback);
            fputs(".\n", out);
        }
    }
    fputs(".El\n", out);
}

static void put_exits(FILE *out)
{
    const exit_row *row;
    fputs(".Sh EXIT STATUS\n.Bl -tag -width Ds\n", out);
    for (size_t i = 0; (row = exit_row_at(i)); i++) {
        fprintf(out, ".It %d\n", (int)row->code);
        put_line(out, row->meaning);
    }
    fputs(".El\n", out);
}

static void put_command_page(FILE *out, const cli_command *command)
{
    char operands[32];
    snprintf(operands, sizeof operands, "%.*s", (int)strcspn(command->operands, "."), command->operands);
    put_title(out, command, command->summary);
    fprintf(out, ".Sh SYNOPSIS\n.Nm trilobite %s\n.Op Ar options\n", command->name);
    if (*operands)
        fprintf(out, ".Ar %s%s\n", operands, strstr(command->operands, "...") ? " ..." : "");
    fputs(".Sh DESCRIPTION\n", out);
    put_sentences(out, command->description);
    if (command->arguments[0].name) {
        fputs(".Pp\nThe arguments are as follows:\n.Bl -tag -width Ds\n", out);
        for (const cli_argument *argument = command->arguments; argument->name; argument++) {
            fprintf(out, ".It Ar %s\n", argument->name);
            put_sentences(out, argument->help);
        }
        fputs(".El\n", out);
    }
    fputs(".Pp\nThe options are as follows:\n", out);
    manual_put_options(out, command->place);
    char other[256];
    help_other_spellings(command, other, sizeof other);
    if (*other) {
        fputs(".Pp\nOther spellings work too:\n", out);
        put_sentences(out, other);
    }
    put_exits(out);
    fputs(".Sh EXAMPLES\n", out);
    for (const cli_example *example = command->examples; example->line; example++) {
        if (example > command->examples)
            fputs(".Pp\n", out);
        put_line(out, example->meaning);
        fputs(".Dl trilobite ", out);
        put_line(out, example->line);
    }
    fputs(".Sh SEE ALSO\n.Xr trilobite 1\n", out);
}

static void put_see_also(FILE *out)
{
    const cli_command *command;
    const char *names[32];
    size_t count = 0;
    for (; count < 32 && (command = command_at(count)); count++) { /* in the order of the alphabet */
        size_t at = count;
        for (; at > 0 && strcmp(names[at - 1], command->name) > 0; at--)
            names[at] = names[at - 1];
        names[at] = command->name;
    }
    fputs(".Sh SEE ALSO\n", out);
    for (size_t i = 0; i < count; i++)
        fprintf(out, ".Xr trilobite-%s 1%s\n", names[i], i + 1 < count ? " ," : "");
}

static void put_program_page(FILE *out)
{
    put_title(out, NULL, "read, check, show, convert and write small binary 3D models");
    fputs(".Sh SYNOPSIS\n.Nm\n.Ar command\n.Op Ar options\n.Op Ar\n.Sh DESCRIPTION\n", out);
    put_line(out, program_summary);
    fputs("The commands are as follows; each has a manual page of its own:\n", out);
    const cli_command *command;
    fputs(".Bl -tag -width \"convert\"\n", out);
    for (size_t i = 0; (command = command_at(i)); i++) {
        fprintf(out, ".It Cm %s\n", command->name);
        put_line(out, command->summary);
    }
    fputs(".El\n", out);
    fputs(".Pp\nThe program itself has these options:\n", out);
    manual_put_options(out, ON_PROGRAM);
    fputs(".Pp\nData goes to standard output, everything else to standard error.\n"
          "A path of\n.Sq \\-\nis standard input or output.\n"
          ".Sh ENVIRONMENT\n.Bl -tag -width \"NO_COLOR\"\n.It Ev NO_COLOR\n"
          "When set to anything, no colours are shown, unless\n.Fl \\-color Ar always\nasks for them.\n.El\n",
          out);
    put_exits(out);
    put_see_also(out);
}

static void put_page(FILE *out, const void *command)
{
    if (command)
        put_command_page(out, command);
    else
        put_program_page(out);
}

exit_code manual_write(const char *directory)
{
    exit_code code = EXIT_FINE;
    size_t next = 0;
    const cli_command *command = NULL; /* the program's own page comes first */
    do {
        char *path = need(NULL, strlen(directory) + 64, 1);
        sprintf(path, "%s/trilobite%s%s.1", directory, command ? "-" : "", command ? command->name : "");
        code = output_print(path, put_page, command);
        free(path);
        command = command_at(next++);
    } while (command && code == EXIT_FINE);
    return code;
}
