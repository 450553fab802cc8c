#include "usage/args.h"

#include "alloc.h"
#include "system.h"
#include "usage/mistakes.h"

#include "trilobite/format.h"

#include <string.h>

static exit_code add_value(cli_args *args, const cli_option *option, char *value)
{
    const bool any = !option_choice(option, 0);
    if (option_takes_path(option))
        system_take_path(value);
    const char *meant = any ? value : option_choice(option, option_choice_of(option, value));
    if (!meant)
        return mistake_choice(args, option, value);
    args->chosen[args->chosen_count++] = (cli_chosen){option, meant, false};
    return EXIT_FINE;
}

/* What is left of a command line. */
typedef struct words {
    char **at;
    char **end;
} words;

/* "keep|drop", or what the value is called. */
static const char *values_of(const cli_option *option, char *room, size_t size)
{
    size_t at = 0;
    if (!option->choices)
        return option->argument;
    for (const char *const *choice = option->choices; *choice && at < size; choice++)
        at += (size_t)snprintf(room + at, size - at, "%s%s", at > 0 ? "|" : "", *choice);
    return room;
}

static exit_code take_value(cli_args *args, const cli_option *option, words *rest)
{
    char room[128];
    if (rest->at == rest->end)
        return args_fail(args, "--%s needs a value: %s", option->name, values_of(option, room, sizeof room));
    return add_value(args, option, *rest->at++);
}

static exit_code take_long(cli_args *args, char *word, words *rest)
{
    const size_t len = strcspn(word, "=");
    const cli_option *option = option_named(args_place(args), word, len);
    if (!option)
        return mistake_option(args, word, len);
    if (!option->argument) {
        if (word[len])
            return args_fail(args, "--%s takes no value", option->name);
        args->chosen[args->chosen_count++] = (cli_chosen){option, NULL, false};
        return EXIT_FINE;
    }
    return word[len] ? add_value(args, option, word + len + 1) : take_value(args, option, rest);
}

static exit_code take_depend(cli_args *args, const char *word, words *rest)
{
    const cli_option *option = option_get(OPT_DEPFILE);
    if (word[2] == 'F')
        return take_value(args, option, rest);
    if (!args_has(args, OPT_DEPFILE)) /* "": named after the output */
        args->chosen[args->chosen_count++] = (cli_chosen){option, "", false};
    return EXIT_FINE;
}

/* "-qv" and "-oDIR" are understood as well as "-q -v" and "-o DIR". */
static exit_code take_short(cli_args *args, char *letters, words *rest)
{
    for (; *letters; letters++) {
        const cli_option *option = option_lettered(args_place(args), *letters);
        if (!option) {
            const exit_code code = mistake_letter(args, *letters);
            if (code != EXIT_FINE)
                return code;
            continue;
        }
        if (option->argument)
            return letters[1] ? add_value(args, option, letters + 1) : take_value(args, option, rest);
        args->chosen[args->chosen_count++] = (cli_chosen){option, NULL, false};
    }
    return EXIT_FINE;
}

static exit_code take_words(cli_args *args, words rest)
{
    exit_code code = EXIT_FINE;
    bool options = true;
    while (code == EXIT_FINE && rest.at < rest.end) {
        char *word = *rest.at++;
        if (!options || word[0] != '-' || word[1] == '\0') {
            system_take_path(word);
            args->operands[args->operand_count++] = word;
        } else if (strcmp(word, "--") == 0)
            options = false;
        /* Compilers spell the options of dependency files with one dash: -MD, -MF FILE. */
        else if ((strcmp(word, "-MD") == 0 || strcmp(word, "-MF") == 0) &&
                 (option_get(OPT_DEPFILE)->places & args_place(args)))
            code = take_depend(args, word, &rest);
        else
            code = word[1] == '-' ? take_long(args, word + 2, &rest) : take_short(args, word + 1, &rest);
    }
    return code;
}

/* True if -o of convert names the file for one model. Otherwise it is the folder of a batch. */
static bool output_is_file(const cli_args *args, const char *out)
{
    return args->operand_count == 1 && !system_is_folder(args->operands[0]) && !system_is_folder(out) &&
           (strcmp(out, "-") == 0 || trilo_format_for_path(out) || args_has(args, OPT_TO));
}

/* "IN -o OUT" is "IN OUT". */
static exit_code take_output(cli_args *args)
{
    const unsigned place = args_place(args);
    const char *out = args_given(args, OPT_OUTPUT);
    if (!out || !(place & (ON_CONVERT | ON_OPTIMIZE | ON_GLTF_TO_T3D)) ||
        (place == ON_CONVERT && !output_is_file(args, out)))
        return EXIT_FINE;
    if (args->operand_count != 1)
        return args_fail(args, args->operand_count ? "-o and \"%s\" both name the output" : "missing operand: IN",
                         args->operands[args->operand_count - (args->operand_count > 0)]);
    args->operands[args->operand_count++] = out;
    size_t kept = 0;
    for (size_t i = 0; i < args->chosen_count; i++)
        if (args->chosen[i].option->id != OPT_OUTPUT)
            args->chosen[kept++] = args->chosen[i];
    args->chosen_count = kept;
    return EXIT_FINE;
}

/* "OUT" of "IN OUT", when one was given. */
static const char *missing_operands(const cli_args *args)
{
    const char *rest = args->command->operands;
    for (size_t i = 0; i < args->operand_count && strchr(rest, ' '); i++)
        rest = strchr(rest, ' ') + 1;
    return rest;
}

static exit_code check_operands(const cli_args *args)
{
    const cli_command *command = args->command;
    if (!command || args_wants_help(args) || args_has(args, OPT_VERSION))
        return EXIT_FINE;
    if (args->operand_count < command->least)
        return args_fail(args, "missing operand: %s", missing_operands(args));
    if (args->operand_count > command->most)
        return args_fail(args, "one argument too many: \"%s\"", args->operands[command->most]);
    return EXIT_FINE;
}

/* "help", "help convert" and "version" do what the options of that name do. */
static void take_verb(cli_args *args, words *rest)
{
    static const option_id verbs[] = {OPT_HELP, OPT_VERSION};
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs && rest->at < rest->end; i++)
        if (strcmp(*rest->at, option_get(verbs[i])->name) == 0) {
            args->chosen[args->chosen_count++] = (cli_chosen){option_get(verbs[i]), NULL, false};
            rest->at++;
            return;
        }
}

/* "/usr/bin/gltf_to_t3d", "gltf_to_t3d.exe" */
static bool is_drop_in(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const size_t len = strlen(DROP_IN);
    return strncmp(name, DROP_IN, len) == 0 && (name[len] == '\0' || strcmp(name + len, ".exe") == 0);
}

exit_code args_parse(cli_args *args, int argc, char **argv)
{
    words rest = {argv + (argc > 0), argv + argc};
    memset(args, 0, sizeof *args);
    args->program = "trilobite";
    size_t letters = 1; /* one word may hold several switches: "-qv" */
    for (char **word = rest.at; word < rest.end; word++)
        letters += strlen(*word) + 1;
    args->chosen = need(NULL, letters, sizeof *args->chosen);
    args->operands = need(NULL, (size_t)(rest.end - rest.at) + 1, sizeof *args->operands);
    if (argc > 0)
        system_take_path(argv[0]);
    if (argc > 0 && is_drop_in(argv[0])) {
        args->program = DROP_IN;
        args->command = command_named(DROP_IN);
    } else {
        take_verb(args, &rest);
        if (rest.at < rest.end && **rest.at != '-') {
            args->command = command_named(*rest.at);
            if (!args->command)
                return mistake_command(args, *rest.at);
            rest.at++;
        }
    }
    exit_code code = take_words(args, rest);
    if (code == EXIT_FINE && !args_wants_help(args))
        code = take_output(args);
    if (code == EXIT_FINE)
        code = check_operands(args);
    const char *color = args_value(args, OPT_COLOR);
    args->out = screen_on(stdout, color ? color : "auto");
    args->err = screen_on(stderr, color ? color : "auto");
    args->json = args_has(args, OPT_JSON);
    args->quiet = args_has(args, OPT_QUIET);
    return code;
}
