#include "usage/completion.h"

#include "usage/commands.h"
#include "usage/options.h"

#include <string.h>

/* The words that can follow: options that are allowed at that place. */
static void put_names(FILE *out, unsigned place)
{
    const cli_option *option;
    const char *glue = "";
    for (size_t i = 0; (option = option_at(i)); i++) {
        if (!(option->places & place))
            continue;
        fprintf(out, "%s--%s", glue, option->name);
        if (option->letter)
            fprintf(out, " -%c", option->letter);
        glue = " ";
    }
}

/* What the value of an option can be; options with any file need no case of their own. */
static void put_values(FILE *out, const char *command, unsigned place)
{
    const cli_option *option;
    for (size_t i = 0; (option = option_at(i)); i++) {
        if (!(option->places & place) || !option->argument)
            continue;
        const bool directory = strcmp(option->argument, "DIR") == 0;
        if (!directory && !option_choice(option, 0))
            continue;
        fprintf(out, "    %s:--%s", command, option->name);
        if (option->letter)
            fprintf(out, " | %s:-%c", command, option->letter);
        fputs(directory ? ") kind=-d words=" : ") words=\"", out);
        for (size_t j = 0; option_choice(option, j); j++)
            fprintf(out, "%s%s", j ? " " : "", option_choice(option, j));
        fputs(directory ? " ;;\n" : "\" ;;\n", out);
    }
}

void completion_bash(FILE *out)
{
    fputs("# bash completion of trilobite; made by: trilobite --generate bash\n"
          "_trilobite()\n{\n"
          "    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
          "    local command=${COMP_WORDS[1]} words= kind=-W\n"
          "    [[ $current == = ]] && current=\n"
          "    [[ $before == = ]] && before=${COMP_WORDS[COMP_CWORD - 2]}\n"
          "    [[ $COMP_CWORD -eq 1 || $command == -* ]] && command=\n"
          "    case $command:$before in\n",
          out);
    put_values(out, "", ON_PROGRAM);
    for (size_t i = 0; command_at(i); i++)
        put_values(out, command_at(i)->name, command_at(i)->place);
    fputs("    *)\n        case $command:$current in\n        :*) words=\"", out);
    for (size_t i = 0; command_at(i); i++)
        fprintf(out, "%s ", command_at(i)->name);
    put_names(out, ON_PROGRAM);
    fputs("\" ;;\n", out);
    for (size_t i = 0; command_at(i); i++) {
        fprintf(out, "        %s:-*) words=\"", command_at(i)->name);
        put_names(out, command_at(i)->place);
        fputs("\" ;;\n", out);
    }
    fputs("        esac ;;\n    esac\n"
          "    COMPREPLY=()\n"
          "    if [[ $kind == -d ]]; then\n"
          "        mapfile -t COMPREPLY < <(compgen -d -- \"$current\")\n"
          "    elif [[ $words ]]; then\n"
          "        mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
          "    fi\n}\n"
          "complete -o default -F _trilobite trilobite\n",
          out);
}
