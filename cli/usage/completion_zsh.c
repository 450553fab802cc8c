#include "usage/completion.h"

#include "usage/commands.h"
#include "usage/options.h"

#include <string.h>

/* Text inside '[...]' of a specification in single quotes. */
static void zsh_put_text(FILE *out, const char *text)
{
    for (; *text; text++)
        if (*text == '\'')
            fputs("'\\''", out);
        else if (strchr("[]:\\", *text))
            fprintf(out, "\\%c", *text);
        else
            fputc(*text, out);
}

static void put_option(FILE *out, const cli_option *option)
{
    const char *equals = option->argument ? "=" : "";
    fputs(" \\\n        ", out);
    if (option->letter)
        fprintf(out, "'(-%c --%s)'{-%c%s,--%s%s}'", option->letter, option->name, option->letter,
                option->argument ? "+" : "", option->name, equals);
    else
        fprintf(out, "'%s--%s%s", option_repeats(option) ? "*" : "", option->name, equals);
    fputc('[', out);
    zsh_put_text(out, option->help);
    fputc(']', out);
    if (option->argument) {
        fprintf(out, ":%s:", option->argument);
        if (strcmp(option->argument, "DIR") == 0)
            fputs("_files -/", out);
        else if (strcmp(option->argument, "IMAGE") == 0 || strcmp(option->argument, "FILE") == 0)
            fputs("_files", out);
        else if (option_choice(option, 0))
            for (size_t i = 0; option_choice(option, i); i++)
                fprintf(out, "%s%s%s", i ? " " : "(", option_choice(option, i),
                        option_choice(option, i + 1) ? "" : ")");
        else
            fputc(' ', out);
    }
    fputc('\'', out);
}

static void zsh_put_options(FILE *out, unsigned place)
{
    const cli_option *option;
    for (size_t i = 0; (option = option_at(i)); i++)
        if (option->places & place)
            put_option(out, option);
}

void completion_zsh(FILE *out)
{
    const cli_command *command;
    fputs("#compdef trilobite\n# zsh completion of trilobite; made by: trilobite --generate zsh\n"
          "_trilobite()\n{\n    local -a commands\n    commands=(\n",
          out);
    for (size_t i = 0; (command = command_at(i)); i++) {
        fprintf(out, "        '%s:", command->name);
        zsh_put_text(out, command->summary);
        fputs("'\n", out);
    }
    fputs("    )\n    if (( CURRENT == 2 )); then\n        _describe command commands\n    fi\n"
          "    local command=$words[2]\n"
          "    case $command in\n    -*|'')\n        _arguments -s",
          out);
    zsh_put_options(out, ON_PROGRAM);
    fputs(" ;;\n", out);
    for (size_t i = 0; (command = command_at(i)); i++) {
        fprintf(out, "    %s)\n        shift words\n        (( CURRENT-- ))\n        _arguments -s -S", command->name);
        zsh_put_options(out, command->place);
        fputs(*command->operands ? " \\\n        '*:file:_files' ;;\n" : " ;;\n", out);
    }
    fputs("    esac\n}\n_trilobite \"$@\"\n", out);
}
