#include "usage/args.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

unsigned args_place(const cli_args *args)
{
    return args->command ? args->command->place : ON_PROGRAM;
}

static void put_program(const cli_args *args, FILE *out)
{
    fputs(args->program, out);
    if (args->command && strcmp(args->program, args->command->name) != 0)
        fprintf(out, " %s", args->command->name);
}

/* Where messages go; standard error, while the command line is being read. */
static FILE *args_messages(const cli_args *args)
{
    return args->err.file ? args->err.file : stderr;
}

/* The program's name, the label and the text, which may have names from files in it. */
static void args_message(const cli_args *args, const char *label, const char *format, va_list values)
{
    char text[512];
    vsnprintf(text, sizeof text, format, values);
    put_program(args, args_messages(args));
    fprintf(args_messages(args), ": %s", label);
    text_puts(args_messages(args), text);
    fputc('\n', args_messages(args));
}

void args_warn(const cli_args *args, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    args_message(args, "warning: ", format, values);
    va_end(values);
}

exit_code args_fail(const cli_args *args, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    args_message(args, "", format, values);
    va_end(values);
    fputs("Try \"", args_messages(args));
    put_program(args, args_messages(args));
    fputs(" --help\".\n", args_messages(args));
    return EXIT_USAGE;
}

void args_free(cli_args *args)
{
    free(args->chosen);
    free(args->operands);
}

static const cli_chosen *find_chosen(const cli_args *args, option_id id)
{
    for (size_t i = args->chosen_count; i-- > 0;)
        if (args->chosen[i].option->id == id)
            return &args->chosen[i];
    return NULL;
}

bool args_has(const cli_args *args, option_id id)
{
    return find_chosen(args, id) != NULL;
}

bool args_wants_help(const cli_args *args)
{
    return args_has(args, OPT_HELP) || args_has(args, OPT_HELP_ALL);
}

bool args_is_default(const cli_args *args, option_id id)
{
    const cli_chosen *chosen = find_chosen(args, id);
    return chosen && chosen->is_default;
}

bool args_lacks(const cli_args *args, option_id id, option_id needed)
{
    return args_has(args, id) && !args_is_default(args, id) && !args_has(args, needed);
}

const char *args_given(const cli_args *args, option_id id)
{
    const cli_chosen *chosen = find_chosen(args, id);
    return chosen ? chosen->value : NULL;
}

const char *args_value(const cli_args *args, option_id id)
{
    const cli_option *option;
    if (args_has(args, id))
        return args_given(args, id);
    for (size_t i = 0; (option = option_at(i)); i++)
        if (option->id == id && (option->places & args_place(args)))
            return option->fallback;
    return NULL;
}

size_t args_choice(const cli_args *args, option_id id)
{
    const cli_option *option = option_get(id);
    const char *value = args_value(args, id);
    return option_choice_of(option, value ? value : option->fallback);
}

bool args_is(const cli_args *args, option_id id, const char *value)
{
    const char *given = args_given(args, id);
    return given && strcmp(given, value) == 0;
}
