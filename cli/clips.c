#include "clips.h"

#include "alloc.h"
#include "ui/report.h"
#include "ui/text.h"
#include "usage/expression.h"
#include "usage/suggest.h"

#include <trilobite/clip.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

exit_code clips_read_bound(const cli_args *args, trilo_t3dm_write_opts *t3dm)
{
    const char *given = args_given(args, OPT_ANIM_ERROR);
    const size_t len = given ? strlen(given) : 0;
    const bool percent = len > 0 && given[len - 1] == '%';
    char why[256], *number;
    if (!given)
        return EXIT_FINE;
    double value;
    number = strcpy(need(NULL, len + 1, 1), given);
    if (percent)
        number[len - 1] = '\0';
    const bool readable = expression_value(number, 0, &value, why, sizeof why);
    free(number);
    if (!readable)
        return args_fail(args, "--anim-error: %s: \"%s\"", why, given);
    if (!(value > 0 && value < 1e6))
        return args_fail(args,
                         "--anim-error: \"%s\" is not a distance between 0 and a million units, or percent of the "
                         "model's size",
                         given);
    *(percent ? &t3dm->anim_error_percent : &t3dm->anim_error) = value;
    return EXIT_FINE;
}

/* 0 "Walk", 1, 2 "Run" and 3 more: those without a name have only their number. */
static void clips_list(const trilo_model *model, char *out, size_t room)
{
    enum { LISTED_MOST = 8 };
    size_t used = 0;
    uint32_t listed = 0;
    for (; listed < model->clip_count && listed < LISTED_MOST && used < room / 2; listed++) {
        const trilo_str name = model->clips[listed].name;
        used += (size_t)snprintf(out + used, room - used, "%s%u%s%.64s%s", listed == 0 ? "" : ", ", (unsigned)listed,
                                 name.len > 0 ? " \"" : "", name.len > 0 ? name.data : "", name.len > 0 ? "\"" : "");
    }
    if (listed < model->clip_count)
        snprintf(out + used, room - used, " and %s more", COUNT(model->clip_count - listed));
}

exit_code clips_unknown(const cli_args *args, const char *option, const trilo_model *model, const char *name)
{
    cli_suggestion likely = suggest(name);
    if (model->clip_count == 0)
        return args_fail(args, "%s: \"%s\": the model has no clips", option, name);
    for (uint32_t i = 0; i < model->clip_count; i++)
        if (model->clips[i].name.len > 0)
            suggest_offer(&likely, model->clips[i].name.data);
    char names[1024] = "";
    clips_list(model, names, sizeof names);
    if (likely.best)
        return args_fail(args, "%s: no clip is called \"%s\"; did you mean \"%s\"?", option, name, likely.best);
    return args_fail(args, "%s: no clip is called \"%s\"; its clips are %s", option, name, names);
}

/* ---- NAME@FROM-TO ---- */

/* "1.5" up to `end`; nothing at all is `fallback`. */
static bool read_seconds(const char *text, const char *end, double fallback, double *seconds)
{
    char room[32], *rest;
    const size_t len = (size_t)(end - text);
    *seconds = fallback;
    if (len == 0)
        return true;
    if (len >= sizeof room || strspn(text, "0123456789.") < len)
        return false;
    memcpy(room, text, len);
    room[len] = '\0';
    *seconds = strtod(room, &rest);
    return *rest == '\0';
}

static bool read_range(const char *text, trilo_clip_part *part)
{
    const char *dash = strchr(text, '-');
    return dash && read_seconds(text, dash, 0, &part->from) &&
           read_seconds(dash + 1, dash + 1 + strlen(dash + 1), 0, &part->to) &&
           (dash[1] == '\0' || part->to > part->from);
}

/* A name may contain an @: if no clip has the whole name, the text after the last @ is a range. */
static exit_code read_part(const cli_args *args, const trilo_model *model, const char *given, trilo_clip_part *part)
{
    const char *at = strrchr(given, '@');
    char *name = need(NULL, strlen(given) + 1, 1);
    *part = (trilo_clip_part){.clip = trilo_clip_find(model, strcpy(name, given))};
    if (part->clip == TRILO_NONE && at) {
        name[at - given] = '\0';
        part->clip = trilo_clip_find(model, name);
        if (part->clip != TRILO_NONE && !read_range(at + 1, part)) {
            free(name);
            return args_fail(args, "--clip: \"%s\" is not a range of seconds such as 0.5-2", at + 1);
        }
    }
    free(name);
    if (part->clip == TRILO_NONE)
        return clips_unknown(args, "--clip", model, given);
    if (part->from >= model->clips[part->clip].duration && part->from > 0)
        return args_fail(args, "--clip: \"%s\" begins after the end of the clip", given);
    return EXIT_FINE;
}

bool clips_choose(void *user, const trilo_model *model, trilo_clip_edit *edit, trilo_error *err)
{
    cli_conversion *conversion = user;
    const cli_args *args = conversion->args;
    conversion->parts = need(NULL, args->chosen_count, sizeof *conversion->parts);
    edit->parts = conversion->parts;
    for (size_t i = 0; conversion->failure == EXIT_FINE && i < args->chosen_count; i++)
        if (args->chosen[i].option->id == OPT_CLIP)
            conversion->failure = read_part(args, model, args->chosen[i].value, &conversion->parts[edit->part_count++]);
    *err = (trilo_error){.code = conversion->failure == EXIT_FINE ? TRILO_CODE_OK : TRILO_CODE_MISUSE, .rule = ""};
    return conversion->failure == EXIT_FINE;
}
