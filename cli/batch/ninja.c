/* A batch as a build file of Ninja: each conversion is a command of its own, with a depfile. */
#include "batch/batch.h"

#include "convert/convert.h"
#include "output.h"

#include <string.h>

/* In paths of Ninja, spaces, colons and dollars are escaped. */
static void put_path(FILE *out, const char *path)
{
    for (; *path; path++) {
        if (strchr(" :$", *path))
            fputc('$', out);
        fputc(*path, out);
    }
}

/* A word of a shell command, in a variable of Ninja. */
static void put_word(FILE *out, const char *word)
{
    const bool plain =
        *word &&
        strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,+@%") == strlen(word);
    if (!plain)
        fputc('\'', out);
    for (; *word; word++)
        if (*word == '\'')
            fputs("'\\''", out);
        else if (*word == '$')
            fputs("$$", out);
        else
            fputc(*word, out);
    if (!plain)
        fputc('\'', out);
}

static void put_plan(FILE *out, const void *context)
{
    const batch_plan *plan = context;
    fputs("# Made by trilobite convert --ninja. Set the variable trilobite to put a wrapper in front.\n"
          "ninja_required_version = 1.5\n"
          "trilobite = trilobite\n\n"
          "rule convert\n"
          "  command = $trilobite convert $in_word $out_word $options --depfile $out_word.d\n"
          "  depfile = $deps_path\n"
          "  deps = gcc\n"
          "  description = $in\n\n",
          out);
    for (size_t i = 0; i < plan->count; i++) {
        const batch_item *item = &plan->items[i];
        fputs("build ", out);
        put_path(out, item->out);
        fputs(": convert ", out);
        put_path(out, item->in);
        fputs("\n  in_word = ", out);
        put_word(out, item->in);
        fputs("\n  out_word = ", out);
        put_word(out, item->out);
        fputs("\n  deps_path = ", out);
        for (const char *c = item->out; *c; c++)
            fputs(*c == '$' ? "$$" : (const char[]){*c, '\0'}, out);
        fputs(".d\n  options =", out);
        for (size_t k = 0; k < item->args.chosen_count; k++) {
            const cli_chosen *chosen = &item->args.chosen[k];
            fprintf(out, " --%s", chosen->option->name);
            if (chosen->value) {
                fputc('=', out);
                put_word(out, chosen->value);
            }
        }
        fputc('\n', out);
    }
}

exit_code batch_write_ninja(const batch_plan *plan, const char *path)
{
    for (size_t i = 0; i < plan->count; i++)
        if (!depfile_can_name(plan->items[i].in) || !depfile_can_name(plan->items[i].out)) /* each rule has --depfile */
            return args_fail(plan->args,
                             "--ninja: Ninja cannot name %s: rename it, without control characters and any of %% ; = |",
                             plan->items[i].in);
    return output_print(path, put_plan, plan);
}
