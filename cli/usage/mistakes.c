#include "usage/mistakes.h"

#include "usage/suggest.h"

#include <stdlib.h>

/* `dashes` and `typed` are what stands there; `best`, which may be NULL, is what may be meant. */
static exit_code mistake_unknown(const cli_args *args, const char *dashes, const char *typed, const char *best)
{
    char meant[128] = "";
    if (best)
        snprintf(meant, sizeof meant, "; did you mean --%s?", best);
    if (!command_forgives(args->command))
        return args_fail(args, "unknown option %s%s%s", dashes, typed, meant);
    args_warn(args, "unknown option %s%s is left out%s", dashes, typed, meant);
    return EXIT_FINE;
}

exit_code mistake_option(const cli_args *args, const char *name, size_t len)
{
    char *typed = text_escaped(name, len);
    cli_suggestion likely = suggest(typed);
    const cli_option *option;
    exit_code code;
    for (size_t i = 0; (option = option_at(i)); i++)
        if (option->places & args_place(args))
            suggest_offer(&likely, option->name);
    if (!args->command && option_named(ON_COMMANDS, name, len))
        code = args_fail(args, "--%s belongs behind a command", typed);
    else
        code = mistake_unknown(args, "--", typed, likely.best);
    free(typed);
    return code;
}

exit_code mistake_letter(const cli_args *args, char letter)
{
    return mistake_unknown(args, "-", (const char[]){letter, '\0'}, NULL);
}

exit_code mistake_choice(const cli_args *args, const cli_option *option, const char *value)
{
    enum { FEW = 8 };
    char legal[256] = "";
    cli_suggestion likely = suggest(value);
    size_t count = 0;
    for (; option_choice(option, count); count++)
        suggest_offer(&likely, option_choice(option, count));
    if (count <= FEW) {
        /* "auto, always or never" */
        const size_t room = sizeof legal;
        size_t used = 0;
        for (size_t i = 0; option_choice(option, i) && used < room; i++) {
            const char *glue = i == 0 ? "" : option_choice(option, i + 1) ? ", " : " or ";
            used += (size_t)snprintf(legal + used, room - used, "%s%s", glue, option_choice(option, i));
        }
    }
    if (likely.best && count > FEW)
        return args_fail(args, "--%s: no %s is called \"%s\"; did you mean %s?", option->name, option->argument, value,
                         likely.best);
    if (count > FEW)
        return args_fail(args, "--%s: no %s is called \"%s\"", option->name, option->argument, value);
    return args_fail(args, "--%s: \"%s\" is none of its values: %s", option->name, value, legal);
}

exit_code mistake_command(const cli_args *args, const char *name)
{
    cli_suggestion likely = suggest(name);
    for (size_t i = 0; command_at(i); i++)
        suggest_offer(&likely, command_at(i)->name);
    if (likely.best)
        return args_fail(args, "no command is called \"%s\"; did you mean %s?", name, likely.best);
    return args_fail(args, "no command is called \"%s\"", name);
}
