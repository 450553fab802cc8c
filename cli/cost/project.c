/* Budgets of the project file. */
#include "cost/cost.h"

#include "ui/report.h"

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
                             const char *subject)
{
    char text[320];
    snprintf(text, sizeof text, "%s is %s, but line %u of %s allows %s", limit->name, COST_TEXT(value), limit->line,
             args->project->path, COST_TEXT(limit->number));
    const trilo_finding finding = {
        TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_STRUCTURE, "BUDGET", TRILO_NOWHERE, "", text};
    report_finding(&args->err, subject, &finding);
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

exit_code cost_check_project(const cli_args *args, const trilo_document *document, const char *file,
                             const char *subject)
{
    const trilo_project *project = args->project;
    const trilo_cost *cost = NULL;
    cost_sprites sprites = {.model = subject};
    exit_code code = EXIT_FINE;
    trilo_error err;
    for (uint32_t i = 0; project && i < project->rule_count; i++) {
        const trilo_project_rule *rule = &project->rules[i];
        for (uint32_t k = 0; k < rule->budget_count && trilo_project_applies(project, rule, file); k++) {
            const trilo_project_setting *limit = cost_project_limit(project, file, i, &rule->budgets[k]);
            const bool clips = limit && strcmp(limit->name, cost_clips) == 0;
            const size_t figure = limit && !clips ? cost_figure_of(limit->name) : COST_FIGURES;
            if (!limit || (!clips && !cost_has_figure(trilo_document_format(document), cost_figure_at(figure)->name)))
                continue;
            double value;
            if (clips) {
                const trilo_model *model = trilo_document_model(document, &err);
                value = model ? model->clip_count : 0;
                trilo_model_free(model);
            } else {
                const trilo_cost_opts opts = {.companion = cost_find_sprite, .companion_user = &sprites};
                cost = cost ? cost : trilo_document_cost(document, &opts, &err);
                if (!cost) {
                    report_error(&args->err, subject, &err);
                    code = exit_worse(code, exit_of(err.code));
                    break;
                }
                value = cost_values_of(cost, 1, 0).of[figure];
            }
            if (value > limit->number) {
                cost_report_over(args, limit, value, subject);
                code = exit_worse(code, EXIT_FINDINGS);
            }
        }
    }
    trilo_cost_free(cost);
    cost_sprites_free(&sprites);
    return code;
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
