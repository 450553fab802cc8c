/* Budgets of the project file. */
#include "cost/cost.h"

#include "ui/report.h"
#include "usage/rules.h"

#include "trilobite/project.h"
#include "trilobite/t3dm.h"

#include <string.h>

/* Names that a project file may use for figures. */
typedef struct cost_alias {
    const char *name, *figure;
} cost_alias;

static const cost_alias cost_aliases[] = {{"batches", "loads"}, {"bytes", "file_size"}};
static const char cost_clips[] = "clips"; /* not a cost, but limited in the same way */

static size_t cost_figure_of(const char *name)
{
    for (size_t i = 0; i < sizeof cost_aliases / sizeof *cost_aliases; i++)
        if (strcmp(cost_aliases[i].name, name) == 0)
            name = cost_aliases[i].figure;
    return cost_figure_named(name, strlen(name));
}

bool cost_budget_knows(const char *name)
{
    return strcmp(name, cost_clips) == 0 || cost_figure_of(name) < COST_FIGURES;
}

/* The last budget that the project has for this figure and file; NULL: none. */
static const trilo_project_setting *cost_project_limit(const trilo_project *project, const char *file, uint32_t rule,
                                                       const trilo_project_setting *setting)
{
    for (uint32_t i = project->rule_count; i-- > rule + 1;)
        for (uint32_t k = 0; k < project->rules[i].budget_count; k++)
            if (strcmp(project->rules[i].budgets[k].name, setting->name) == 0 &&
                trilo_project_applies(project, &project->rules[i], file))
                return NULL; /* a later rule decides */
    return setting;
}

static void cost_report_over(const cli_args *args, const trilo_project_setting *limit, double value,
                             trilo_finding_fn *fn, void *user)
{
    const trilo_rule *rule = trilo_rule_find("PROJECT-BUDGET");
    char text[320];
    snprintf(text, sizeof text, "%s is %s, but line %u of %s allows %s", limit->name, COST_TEXT(value), limit->line,
             args->project->path, COST_TEXT(limit->number));
    const trilo_finding finding = {rule->severity, rule->kind, rule->name, TRILO_NOWHERE, "", text};
    fn(user, &finding);
}

/* Only T3DM and Model have display lists to count. */
static bool cost_has_figure(trilo_format format, const char *name)
{
    static const char *const drawn[] = {"microseconds", "score", "loads", "commands", "rsp_bytes", "frame_bytes"};
    const size_t count = format == TRILO_FORMAT_T3DM ? 0 : format == TRILO_FORMAT_MODEL64 ? 2 : 6;
    for (size_t i = 0; i < count; i++)
        if (strcmp(drawn[i], name) == 0)
            return false;
    return true;
}

/* The value of a figure; *cost is counted when it is first needed. False: it cannot be. */
static bool cost_value_of(const trilo_document *document, const char *name, const trilo_cost_opts *opts,
                          const trilo_cost **cost, double *value, trilo_error *err)
{
    if (strcmp(name, cost_clips) == 0) {
        const trilo_model *model = trilo_document_model(document, err);
        *value = model ? model->clip_count : 0;
        trilo_model_free(model);
        return model != NULL;
    }
    *cost = *cost ? *cost : trilo_document_cost(document, opts, err);
    if (*cost)
        *value = cost_values_of(*cost, 1, 0).of[cost_figure_of(name)];
    return *cost != NULL;
}

exit_code cost_check_budgets(const cli_args *args, const trilo_document *document, const char *file,
                             const char *subject, trilo_finding_fn *fn, void *user, trilo_error *err)
{
    const trilo_project *project = args->project;
    const trilo_format format = trilo_document_format(document);
    const trilo_cost *cost = NULL;
    cost_sprites sprites = {.model = subject};
    const trilo_cost_opts opts = {.companion = cost_find_sprite, .companion_user = &sprites};
    exit_code code = EXIT_FINE;
    for (uint32_t i = 0; code == EXIT_FINE && project && i < project->rule_count; i++) {
        const trilo_project_rule *rule = &project->rules[i];
        const bool applies = trilo_project_applies(project, rule, file);
        for (uint32_t k = 0; code == EXIT_FINE && applies && k < rule->budget_count; k++) {
            const trilo_project_setting *limit = cost_project_limit(project, file, i, &rule->budgets[k]);
            const size_t figure = limit ? cost_figure_of(limit->name) : COST_FIGURES;
            double value = 0;
            if (!limit || (figure < COST_FIGURES && !cost_has_figure(format, cost_figure_at(figure)->name)))
                continue;
            if (!cost_value_of(document, limit->name, &opts, &cost, &value, err))
                code = exit_of(err->code);
            else if (value > limit->number)
                cost_report_over(args, limit, value, fn, user);
        }
    }
    trilo_cost_free(cost);
    cost_sprites_free(&sprites);
    return code;
}

/* Findings about a file on standard error. */
typedef struct cost_judge {
    const cli_args *args;
    const char *subject;
    bool fails;
} cost_judge;

static void cost_judge_finding(void *user, const trilo_finding *finding)
{
    cost_judge *judge = user;
    trilo_finding judged = *finding;
    if (!rules_judge(judge->args, &judged))
        return;
    judge->fails |= judged.severity >= TRILO_SEVERITY_ERROR;
    report_finding(&judge->args->err, judge->subject, &judged);
}

exit_code cost_check_project(const cli_args *args, const trilo_document *document, const char *file,
                             const char *subject)
{
    cost_judge judge = {args, subject, false};
    trilo_error err;
    const exit_code code = cost_check_budgets(args, document, file, subject, cost_judge_finding, &judge, &err);
    if (code != EXIT_FINE)
        report_error(&args->err, subject, &err);
    return code == EXIT_FINE && judge.fails ? EXIT_FINDINGS : code;
}

exit_code cost_check_result(const cli_args *args, const trilo_conversion *result, const char *file, const char *subject)
{
    const trilo_project *project = args->project;
    bool limited = false;
    for (uint32_t i = 0; project && i < project->rule_count; i++)
        limited |= project->rules[i].budget_count > 0 && trilo_project_applies(project, &project->rules[i], file);
    if (!limited)
        return EXIT_FINE;
    trilo_error err;
    const trilo_load_opts opts = {.format = result->format};
    trilo_document *document = trilo_document_open(result->bytes.data, result->bytes.size, &opts, &err);
    exit_code code = EXIT_FINE;
    if (document)
        code = cost_check_project(args, document, file, subject);
    else
        report_error(&args->err, subject, &err);
    trilo_document_free(document);
    return document ? code : exit_of(err.code);
}
