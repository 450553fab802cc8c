#include "project.h"

#include "alloc.h"
#include "batch/batch.h"
#include "convert/check_for.h"
#include "cost/cost.h"
#include "ui/report.h"
#include "usage/suggest.h"

#include <stdlib.h>
#include <string.h>

/* ---- mistakes ---- */

static exit_code project_wrong(const cli_args *args, const trilo_project *project, const trilo_project_setting *at,
                               const char *sentence)
{
    trilo_error err = {.code = TRILO_CODE_BAD_VALUE, .rule = "PROJECT-FILE", .offset = TRILO_NOWHERE};
    snprintf(err.path, sizeof err.path, "line %u, column %u", at->line, at->column);
    snprintf(err.text, sizeof err.text, "%s", sentence);
    report_error(&args->err, project->path, &err);
    return EXIT_INPUT;
}

/* Options about the run and not about the files. */
static bool project_forbids(const cli_option *option)
{
    static const option_id ids[] = {OPT_HELP,   OPT_HELP_ALL, OPT_VERSION, OPT_GENERATE, OPT_JSON,
                                    OPT_OUTPUT, OPT_PROJECT,  OPT_WATCH,   OPT_DRY_RUN,  OPT_NINJA,
                                    OPT_SHARD,  OPT_DEPFILE,  OPT_TO};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
        if (option->id == ids[i])
            return true;
    return false;
}

/* True if it is a value of the option. */
static bool project_suits(const cli_option *option, const char *value)
{
    if (!option->argument)
        return strcmp(value, "true") == 0 || strcmp(value, "false") == 0;
    return !option_choice(option, 0) || option_choice(option, option_choice_of(option, value));
}

/* Commands may have different options of one name, such as --dither of render and of sprite: one that suits is enough.
 */
static bool project_suits_any(const char *name, const char *value)
{
    bool suits = false;
    for (size_t i = 0; !suits && option_at(i); i++)
        suits = strcmp(option_at(i)->name, name) == 0 && project_suits(option_at(i), value);
    return suits;
}

static exit_code project_check_option(const cli_args *args, const trilo_project *project,
                                      const trilo_project_setting *setting)
{
    char text[200];
    const cli_option *option = option_named(~0u, setting->name, strlen(setting->name));
    if (!option || project_forbids(option)) {
        cli_suggestion meant = suggest(setting->name);
        for (size_t i = 0; !option && option_at(i); i++)
            suggest_offer(&meant, option_at(i)->name);
        snprintf(text, sizeof text, option ? "%.40s cannot be set here%s%s%s" : "there is no option \"%.40s\"%s%s%s",
                 setting->name, meant.best ? "; did you mean \"" : "", meant.best ? meant.best : "",
                 meant.best ? "\"?" : "");
        return project_wrong(args, project, setting, text);
    }
    if (project_suits_any(setting->name, setting->value))
        return EXIT_FINE;
    if (!option->argument) {
        snprintf(text, sizeof text, "%s must be true or false", option->name);
        return project_wrong(args, project, setting, text);
    }
    snprintf(text, sizeof text, "\"%.40s\" is not a value of %s", setting->value, option->name);
    for (size_t i = 0; option->choices && option->choices[i]; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", i > 0 ? ", " : "; it has ",
                 option->choices[i]);
    return project_wrong(args, project, setting, text);
}

static exit_code project_check(const cli_args *args, const trilo_project *project)
{
    exit_code code = EXIT_FINE;
    for (uint32_t i = 0; code == EXIT_FINE && i < project->rule_count; i++) {
        const trilo_project_rule *rule = &project->rules[i];
        for (uint32_t k = 0; code == EXIT_FINE && k < rule->option_count; k++)
            code = project_check_option(args, project, &rule->options[k]);
        for (uint32_t k = 0; code == EXIT_FINE && k < rule->budget_count; k++)
            if (!cost_budget_knows(rule->budgets[k].name)) {
                char text[200];
                snprintf(text, sizeof text,
                         "there is no figure \"%.40s\" for a budget; triangles, batches, tmem, bytes, clips and "
                         "microseconds are some, `trilobite cost --json` shows them all",
                         rule->budgets[k].name);
                code = project_wrong(args, project, &rule->budgets[k], text);
            }
    }
    return code;
}

const char *project_file(const cli_args *args, const char *start, char *found, size_t room)
{
    const char *given = args_given(args, OPT_PROJECT);
    if (given)
        return strcmp(given, "none") == 0 ? NULL : given;
    return trilo_project_find(start, found, room) ? found : NULL;
}

exit_code project_load(const cli_args *args, const char *start, const trilo_project **project)
{
    char found[4096];
    trilo_error err;
    const char *path = project_file(args, start, found, sizeof found);
    *project = NULL;
    if (!path)
        return EXIT_FINE;
    *project = trilo_project_read(path, NULL, &err);
    if (!*project) {
        report_error(&args->err, path, &err);
        return exit_of(err.code);
    }
    return project_check(args, *project);
}

/* ---- options of a file ---- */

static void project_drop(cli_args *args, const cli_option *option)
{
    size_t kept = 0;
    for (size_t i = 0; i < args->chosen_count; i++)
        if (args->chosen[i].option->id != option->id)
            args->chosen[kept++] = args->chosen[i];
    args->chosen_count = kept;
}

static bool project_chose_here(const cli_args *args, size_t from, const cli_option *option)
{
    for (size_t i = from; i < args->chosen_count; i++)
        if (args->chosen[i].option->id == option->id)
            return true;
    return false;
}

cli_args project_args(const trilo_project *project, const cli_args *args, const char *file)
{
    cli_args own = *args;
    size_t room = args->chosen_count + 1;
    for (uint32_t i = 0; project && i < project->rule_count; i++)
        room += project->rules[i].option_count;
    room += project ? project->severity_count : 0;
    own.chosen = need(NULL, room, sizeof *own.chosen);
    own.chosen_count = 0;
    own.project = project;
    for (uint32_t i = 0; project && i < project->rule_count; i++) {
        const trilo_project_rule *rule = &project->rules[i];
        const size_t from = own.chosen_count;
        for (uint32_t k = 0; trilo_project_applies(project, rule, file) && k < rule->option_count; k++) {
            const trilo_project_setting *setting = &rule->options[k];
            const cli_option *option = option_named(args_place(args), setting->name, strlen(setting->name));
            if (!option || (args_place(args) == ON_CHECK && !args_has(args, OPT_FOR) && check_for_takes(option->id)))
                continue; /* of another command */
            if (!project_suits(option, setting->value))
                continue; /* the option of that name of another command */
            if (!project_chose_here(&own, from, option))
                project_drop(&own, option); /* the later rule counts */
            if (option->argument) {
                const bool any = !option_choice(option, 0);
                const char *value =
                    any ? setting->value : option_choice(option, option_choice_of(option, setting->value));
                own.chosen[own.chosen_count++] = (cli_chosen){option, value, true};
            } else if (strcmp(setting->value, "true") == 0) {
                own.chosen[own.chosen_count++] = (cli_chosen){option, NULL, true};
            }
        }
    }
    for (uint32_t i = 0; project && i < project->severity_count; i++) {
        const trilo_project_setting *severity = &project->severities[i];
        const cli_option *option = option_named(args_place(args), severity->value, strlen(severity->value));
        if (option)
            own.chosen[own.chosen_count++] = (cli_chosen){option, trilo_rule_find(severity->name)->name, true};
    }
    if (args->chosen_count > 0)
        memcpy(own.chosen + own.chosen_count, args->chosen, args->chosen_count * sizeof *own.chosen);
    own.chosen_count += args->chosen_count;
    own.quiet = args_has(&own, OPT_QUIET);
    return own;
}

void project_args_free(cli_args *args)
{
    free(args->chosen);
    args->chosen = NULL;
}

static bool project_same_options(const cli_args *a, const cli_args *b)
{
    if (a->chosen_count != b->chosen_count)
        return false;
    for (size_t i = 0; i < a->chosen_count; i++) {
        const char *x = a->chosen[i].value, *y = b->chosen[i].value;
        if (a->chosen[i].option != b->chosen[i].option || (x && y ? strcmp(x, y) != 0 : x != y))
            return false;
    }
    return true;
}

exit_code project_run(const cli_args *args)
{
    const trilo_project *project;
    const bool has_input = args->operand_count > 0 && strcmp(args->operands[0], "-") != 0;
    exit_code code = project_load(args, has_input ? args->operands[0] : ".", &project);
    if (code != EXIT_FINE) {
        trilo_project_free(project);
        return code;
    }
    cli_args own = project_args(project, args, has_input ? args->operands[0] : "-");
    /* Operands of these are files of the same kind. */
    const bool several =
        args_place(args) & (ON_INFO | ON_CHECK | ON_COST | ON_RENDER | ON_VIEW | ON_SPRITE | ON_MKSPRITE);
    for (size_t i = 1; code == EXIT_FINE && project && several && i < args->operand_count; i++) {
        cli_args other = project_args(project, args, args->operands[i]);
        if (!project_same_options(&own, &other))
            code = args_fail(args, "%s has other options for %s than for %s: give one at a time", project->path,
                             args->operands[i], args->operands[0]);
        project_args_free(&other);
    }
    if (code == EXIT_FINE)
        code = args->command->run(batch_wanted(args) ? args : &own);
    project_args_free(&own);
    trilo_project_free(project);
    return code;
}
