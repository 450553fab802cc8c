/* cost.c: the command that prints the cost of drawing a model. */
#include "cost/cost.h"

#include "ui/report.h"
#include "usage/values.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_INSTANCES = 10000, MOST_ROWS = 1000000 };

/* ---- the command line ---- */

static exit_code refuse_lonely(const cli_args *args)
{
    static const option_id about[] = {OPT_SCALE, OPT_METER, OPT_ORDER, OPT_LEVEL, OPT_RESIDENT, OPT_UNUSED_ATTRIBUTES};
    for (size_t i = 0; i < sizeof about / sizeof *about; i++)
        if (args_lacks(args, about[i], OPT_AS))
            return args_fail(args, "--%s says how to convert: it needs --as", option_get(about[i])->name);
    if (args_has(args, OPT_COMPARE) && args->operand_count > 1)
        return args_fail(args, "--compare takes one file to compare with");
    return EXIT_FINE;
}

static exit_code read_options(const cli_args *args, cost_options *options)
{
    const char *instances = args_given(args, OPT_PER_FRAME), *rows = args_value(args, OPT_LIMIT);
    *options = (cost_options){.args = args, .instances = 1};
    exit_code code = refuse_lonely(args);
    if (code == EXIT_FINE)
        code = input_options(args, &options->load);
    if (code == EXIT_FINE && instances && !value_count(instances, 1, MOST_INSTANCES, &options->instances))
        code = args_fail(args, "--per-frame: \"%s\" is not a number from 1 to %d", instances, MOST_INSTANCES);
    if (code == EXIT_FINE && strcmp(rows, "all") == 0)
        options->limit = MOST_ROWS;
    else if (code == EXIT_FINE && !value_count(rows, 0, MOST_ROWS, &options->limit))
        code = args_fail(args, "--limit: \"%s\" is not a number; all shows everything", rows);
    if (code == EXIT_FINE)
        code = cost_fill_options(args, &options->fill);
    if (code == EXIT_FINE)
        code = cost_budget_read(args, &options->budget);
    if (code == EXIT_FINE && !options->fill.wanted && cost_budget_limits(&options->budget, "rdp_microseconds"))
        code = args_fail(args, "--budget: rdp_microseconds is only known with --fill");
    return code;
}

/* ---- one model ---- */

/* Only what is not of that format already is converted. */
static bool cost_is_converted(const cost_model *model, const cli_args *args)
{
    const char *as = args_given(args, OPT_AS);
    return as && trilo_document_format(model->input.document) != trilo_format_find(as)->format;
}

/* Formats for other machines have no figures of the console, and a Model has no estimate of its time: a budget must not
 * pass because nothing was counted. */
static exit_code refuse_unknown(cost_model *model, const cost_options *options)
{
    static const char *const names[] = {"microseconds", "score", "loads", "commands", "rsp_bytes", "frame_bytes"};
    enum { TIMES = 2, NAMES = sizeof names / sizeof *names };
    const trilo_document *document = model->converted ? model->converted : model->input.document;
    const trilo_format format = trilo_document_format(document);
    const int count = format == TRILO_FORMAT_T3DM ? 0 : format == TRILO_FORMAT_MODEL64 ? TIMES : NAMES;
    for (int i = 0; i < count; i++)
        if (cost_budget_limits(&options->budget, names[i])) {
            snprintf(model->err.text, sizeof model->err.text,
                     "it has no %s for a budget; --as t3dm counts those of its T3DM", names[i]);
            return args_fail(options->args, "--budget: %s: %s", model->path, model->err.text);
        }
    return EXIT_FINE;
}

static exit_code cost_count_document(cost_model *model, const cost_options *options)
{
    const exit_code refused = refuse_unknown(model, options);
    if (refused != EXIT_FINE)
        return refused;
    const trilo_document *document = model->converted ? model->converted : model->input.document;
    const trilo_cost_opts opts = {.companion = cost_find_sprite, .companion_user = &model->sprites};
    model->cost = trilo_document_cost(document, &opts, &model->err);
    if (!model->cost) {
        report_error(&options->args->err, model->path, &model->err);
        return exit_of(model->err.code);
    }
    model->fill = options->fill;
    if (model->fill.wanted)
        model->fill.estimate = trilo_cost_estimate_fill(model->cost, (double)model->fill.width * model->fill.height *
                                                                         model->fill.percent / 100);
    model->values = cost_values_of(model->cost, options->instances, model->fill.estimate.microseconds);
    return EXIT_FINE;
}

exit_code cost_open(cost_model *model, const cost_options *options, const char *path)
{
    *model = (cost_model){.path = path, .sprites = {.model = path, .memory = options->load.all.memory}};
    exit_code code = input_check(&model->input, options->args, path, &options->load.all);
    if (code == EXIT_FINE && cost_is_converted(model, options->args))
        code = cost_convert(model, options);
    return code == EXIT_FINE ? cost_count_document(model, options) : code;
}

void cost_close(cost_model *model)
{
    trilo_cost_free(model->cost);
    trilo_document_free(model->converted);
    trilo_conversion_free(model->made);
    cost_sprites_free(&model->sprites);
    input_close(&model->input);
}

/* ---- the report ---- */

static exit_code print_compared(const cost_model *model, const cost_options *options, cli_json *json)
{
    cost_model other;
    const exit_code code = cost_open(&other, options, args_given(options->args, OPT_COMPARE));
    if (code == EXIT_FINE && json)
        cost_compare_json(model, &other, json);
    else if (code == EXIT_FINE)
        cost_compare_text(model, &other, options);
    cost_close(&other);
    return code;
}

static exit_code print_one(const cost_model *model, cost_options *options, cli_json *json)
{
    const bool compares = args_has(options->args, OPT_COMPARE);
    cost_values_add(&options->sum, &model->values);
    options->models++;
    if (json)
        cost_print_json(model, options, json);
    else if (!compares)
        cost_print_text(model, options);
    return compares ? print_compared(model, options, json) : EXIT_FINE;
}

static exit_code cost_run_one(cost_options *options, const char *path, cli_json *json)
{
    cost_model model;
    exit_code code = cost_open(&model, options, path);
    if (json) {
        json_object(json, NULL);
        json_text(json, "file", path);
        json_bool(json, "readable", model.cost != NULL);
    }
    if (model.cost) {
        const trilo_document *document = model.converted ? model.converted : model.input.document;
        code = print_one(&model, options, json);
        code = exit_worse(code, cost_check_project(options->args, document, path, path));
    } else if (json) {
        const trilo_finding finding = report_finding_of(&model.err);
        json_array(json, "findings");
        if (model.err.code != TRILO_CODE_OK)
            report_json(json, &finding);
        else
            input_refusals(&model.input, json);
        json_end(json);
    }
    if (json)
        json_end(json);
    cost_close(&model);
    return code;
}

static void print_sum(const cost_options *options, cli_json *json)
{
    const cli_screen *screen = &options->args->out;
    if (json) {
        cost_json_values(json, "total", &options->sum);
        cost_budget_json(&options->budget, &options->sum, json);
        return;
    }
    if (options->models > 1)
        fprintf(screen->file, "\n%s models together: %s microseconds of the RSP, %s bytes of DMA a frame\n",
                COUNT(options->models), COST_TEXT(options->sum.of[cost_figure_named("microseconds", 12)]),
                COST_TEXT(options->sum.of[cost_figure_named("frame_bytes", 11)]));
    cost_budget_print(&options->budget, &options->sum, screen);
}

exit_code cost_run(const cli_args *args)
{
    cost_options options;
    cli_json json;
    exit_code code = read_options(args, &options);
    if (code != EXIT_FINE)
        return code;
    if (args->json) {
        json = json_start(args->out.file, "cost");
        json_array(&json, "files");
    }
    for (size_t i = 0; i < args->operand_count; i++) {
        if (options.models > 0 && !args->json)
            fputc('\n', args->out.file);
        code = exit_worse(code, cost_run_one(&options, args->operands[i], args->json ? &json : NULL));
    }
    if (args->json)
        json_end(&json);
    if (options.models > 0)
        print_sum(&options, args->json ? &json : NULL);
    if (args->json)
        json_finish(&json);
    return cost_budget_kept(&options.budget, &options.sum) ? code : exit_worse(code, EXIT_FINDINGS);
}
