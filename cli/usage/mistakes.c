#include "usage/mistakes.h"

#include "system.h"
#include "usage/suggest.h"

#include "trilobite/format.h"

#include <stdlib.h>
#include <string.h>

/* `dashes` and `typed` are the word as it was typed; `best`, which may be NULL, is what may be meant. */
static exit_code mistake_unknown(const cli_args *args, const char *dashes, const char *typed, const char *best)
{
    char meant[128] = "";
    if (best)
        snprintf(meant, sizeof meant, "; did you mean --%s?", best);
    if (!command_forgives(args->command))
        return args_fail(args, "unknown option %s%s%s", dashes, typed, meant);
    args_warn(args, "unknown option %s%s is ignored%s", dashes, typed, meant);
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
        code = args_fail(args, "--%s must follow a command", typed);
    else
        code = mistake_unknown(args, "--", typed, likely.best);
    free(typed);
    return code;
}

exit_code mistake_letter(const cli_args *args, char letter)
{
    return mistake_unknown(args, "-", (const char[]){letter, '\0'}, NULL);
}

/* Of engines and libraries, for the options that take a format. */
static const char *mistake_format(const cli_option *option, const char *value)
{
    static const char *const tiny3d[] = {"n64", "tiny3d", "t3d", "libdragon", "fast64"};
    for (size_t i = 0; i < sizeof tiny3d / sizeof *tiny3d; i++)
        if (strcmp(option->argument, "FORMAT") == 0 && strcmp(value, tiny3d[i]) == 0)
            return "; did you mean t3dm, the format of Tiny3D for the Nintendo 64?";
    return "";
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
    return args_fail(args, "--%s: \"%s\" is not one of its values: %s%s", option->name, value, legal,
                     mistake_format(option, value));
}

/* Words that are common in other tools, each list between blanks. */
static const struct {
    const char *words, *meant;
} foreign[] = {
    {" inspect stat stats list ls describe analyze analyse show-info ", "info FILE"},
    {" validate validator lint verify test ", "check FILE"},
    {" batch build make ", "convert FOLDER -o FOLDER --to FORMAT"},
    {" watch ", "convert FOLDER -o FOLDER --to FORMAT --watch"},
    {" export import transcode copy cp to glb gltf t3dm nlm model fbx obj ", "convert IN OUT"},
    {" gltf2t3d gltf_to_3d gltf-to-t3d gltf-to-3d glb2t3dm t3d t3d_gltf_to_3d ", "gltf_to_t3d IN OUT"},
    {" compress pack ", "convert IN OUT --compress 1"},
    {" optimise simplify decimate reduce weld reorder quantize strip ", "optimize IN OUT"},
    {" png gif picture image draw screenshot thumbnail preview ", "render FILE -o OUT.png"},
    {" sheet contact-sheet ", "render FILE... --sheet OUT.png"},
    {" show open viewer serve browse gui ", "view FILE"},
    {" html ", "page FILE -o OUT.html"},
    {" print cat hexdump json records ", "dump FILE"},
    {" unpack extract-textures textures images ", "extract FILE --textures"},
    {" texture tex convtex ", "sprite IMAGE -o OUT.sprite"},
    {" compare cmp ", "diff A B"},
    {" budget perf profile measure bench ", "cost FILE"},
    {" new create setup ", "init"},
    {" man manual usage ", "help"},
};

static const char *foreign_command(const char *name)
{
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        const char *at = strstr(foreign[i].words, name);
        if (at && at > foreign[i].words && at[-1] == ' ' && at[strlen(name)] == ' ')
            return foreign[i].meant;
    }
    return NULL;
}

exit_code mistake_command(const cli_args *args, const char *name)
{
    cli_suggestion likely = suggest(name);
    const char *meant = *name ? foreign_command(name) : NULL;
    if (meant)
        return args_fail(args, "no command is called \"%s\"; did you mean \"trilobite %s\"?", name, meant);
    if (trilo_format_for_path(name) || system_exists(name))
        return args_fail(args, "the command comes first: \"trilobite info %s\" shows what is in a file", name);
    for (size_t i = 0; command_at(i); i++)
        suggest_offer(&likely, command_at(i)->name);
    if (likely.best)
        return args_fail(args, "no command is called \"%s\"; did you mean %s?", name, likely.best);
    return args_fail(args, "no command is called \"%s\"", name);
}
