/* check.c: the command that finds what is wrong with a model. */
#include "convert/check_for.h"
#include "cost/cost.h"
#include "input.h"
#include "ui/json.h"
#include "ui/report.h"
#include "usage/rules.h"

#include <string.h>

/* One file being checked. */
typedef struct cli_checking {
    const cli_args *args;
    const char *path;
    cli_input *input;
    cli_json *json; /* NULL: text */
    trilo_tally tally;
    trilo_severity worst; /* of the findings, and the first code that has it; NULL: none above a note */
    const char *worst_code;
    bool refused;      /* by a finding */
    bool fits_profile; /* --profile had something to check */
    bool out_of_memory;
} cli_checking;

static void check_count_finding(trilo_tally *tally, trilo_severity severity)
{
    size_t *const counters[] = {&tally->notes, &tally->warnings, &tally->errors, &tally->crashes};
    ++*counters[severity];
}

/* Codes are constants of the library. Messages about whole files already say what to do. */
static void check_keep_worst(cli_checking *checking, const trilo_finding *finding)
{
    const trilo_rule *rule = finding->rule ? trilo_rule_find(finding->rule) : NULL;
    if (!rule || finding->severity <= checking->worst || trilo_finding_is_about_file(finding))
        return;
    checking->worst = finding->severity;
    checking->worst_code = rule->name;
}

static void check_show_finding(cli_checking *checking, const trilo_finding *finding)
{
    check_count_finding(&checking->tally, finding->severity);
    check_keep_worst(checking, finding);
    checking->refused |= input_refuses(finding);
    checking->out_of_memory |= trilo_finding_is_out_of_memory(finding);
    if (checking->json)
        report_json(checking->json, finding);
    else
        report_finding(&checking->args->out, input_subject(checking->input, finding), finding);
}

static void check_see_finding(void *user, const trilo_finding *finding)
{
    cli_checking *checking = user;
    trilo_finding judged = *finding;
    if (rules_judge(checking->args, &judged))
        check_show_finding(checking, &judged);
}

/* A file that cannot be opened has one finding, which no option suppresses. */
static void see_refusal(cli_checking *checking, const trilo_error *err)
{
    const trilo_finding finding = report_finding_of(err);
    check_show_finding(checking, &finding);
}

static bool has_errors(const cli_checking *checking)
{
    const size_t warnings = args_has(checking->args, OPT_STRICT) ? checking->tally.warnings : 0;
    return checking->tally.errors + checking->tally.crashes + warnings > 0;
}

/* A file that cannot be read is not converted: its errors have been reported. */
static exit_code try_conversion(cli_checking *checking)
{
    trilo_error err;
    if (!args_has(checking->args, OPT_FOR) || checking->refused)
        return EXIT_FINE;
    const exit_code code = check_for(checking->input, checking->args, check_see_finding, checking, &err);
    if (code == EXIT_FINE && err.code != TRILO_CODE_OK)
        see_refusal(checking, &err);
    return code;
}

/* Of a model that is drawn on the console, with the sprites beside it. */
static void check_textures(cli_checking *checking)
{
    cost_sprites sprites = {.model = checking->input->path, .memory = checking->input->opts.memory};
    const trilo_cost_opts opts = {.companion = cost_find_sprite, .companion_user = &sprites};
    trilo_error err = {.code = TRILO_CODE_OK};
    if (!checking->refused &&
        !trilo_document_check_textures(checking->input->document, &opts, check_see_finding, checking, &err) &&
        err.code == TRILO_CODE_NO_MEMORY)
        see_refusal(checking, &err);
    cost_sprites_free(&sprites);
}

/* Why nothing can be seen, and images that are not there. */
static void check_visibility(cli_checking *checking)
{
    cli_input *input = checking->input;
    trilo_error err = {.code = TRILO_CODE_OK};
    const trilo_model *model = checking->refused ? NULL : trilo_document_model(input->document, &err);
    if (model)
        trilo_assets_check_model(input->assets, model, &input->opts.memory, check_see_finding, checking, &err);
    if (err.code == TRILO_CODE_NO_MEMORY)
        see_refusal(checking, &err);
    trilo_model_free(model);
}

static void check_end_json(cli_json *json, const trilo_tally *tally)
{
    json_end(json);
    json_uint(json, "crashes", tally->crashes);
    json_uint(json, "errors", tally->errors);
    json_uint(json, "warnings", tally->warnings);
    json_uint(json, "notes", tally->notes);
    json_end(json);
}

static exit_code check_one(cli_checking *checking, const trilo_load_opts *opts)
{
    cli_input input;
    exit_code code = input_open(&input, checking->args, checking->path, opts);
    checking->input = &input;
    if (checking->json) {
        json_object(checking->json, NULL);
        json_text(checking->json, "file", input.path);
        json_bool(checking->json, "readable", input.document != NULL);
        if (input.document) {
            json_text(checking->json, "format", trilo_format_get(trilo_document_format(input.document))->name);
            json_uint(checking->json, "version", trilo_document_version(input.document));
        }
        if (args_has(checking->args, OPT_FOR))
            json_text(checking->json, "for", args_given(checking->args, OPT_FOR));
        json_array(checking->json, "findings");
    }
    if (code != EXIT_FINE) {
        see_refusal(checking, &input.err);
        checking->fits_profile = true; /* for all we know */
    } else {
        checking->fits_profile = check_for_profile(&input, checking->args);
        trilo_document_check(input.document, check_see_finding, checking);
        check_textures(checking);
        check_visibility(checking);
        code = try_conversion(checking);
        if (code == EXIT_FINE && !checking->refused &&
            cost_check_budgets(checking->args, input.document, checking->path, checking->path, check_see_finding,
                               checking, &input.err) != EXIT_FINE)
            see_refusal(checking, &input.err);
        if (!trilo_assets_ok(input.assets, &input.err)) {
            see_refusal(checking, &input.err);
            code = exit_of(input.err.code);
        }
    }
    if (checking->json)
        check_end_json(checking->json, &checking->tally);
    report_notes(&checking->args->out);
    if (code == EXIT_FINE && has_errors(checking))
        code = checking->out_of_memory ? EXIT_LIMIT : EXIT_FINDINGS;
    input_close(&input);
    return code;
}

/* "1 error, 0 warnings" */
static void print_counts(const trilo_tally *tally, size_t files, FILE *out)
{
    if (tally->crashes)
        fprintf(out, "%s console crash%s, ", COUNT(tally->crashes), tally->crashes == 1 ? "" : "es");
    fprintf(out, "%s error%s, %s warning%s", COUNT(tally->errors), text_plural(tally->errors), COUNT(tally->warnings),
            text_plural(tally->warnings));
    if (tally->notes)
        fprintf(out, ", %s note%s", COUNT(tally->notes), text_plural(tally->notes));
    if (files > 1)
        fprintf(out, " in %s files", COUNT(files));
    fputc('\n', out);
}

static exit_code check_all(const cli_args *args, const trilo_load_opts *opts)
{
    exit_code code = EXIT_FINE;
    trilo_tally sum = {0};
    trilo_severity worst = TRILO_SEVERITY_NOTE;
    const char *worst_code = NULL;
    bool fits_profile = args_choice(args, OPT_PROFILE) == 0;
    cli_json json;
    if (args->json) {
        json = json_start(args->out.file, "check");
        json_array(&json, "files");
    }
    for (size_t i = 0; i < args->operand_count && code != EXIT_USAGE; i++) {
        cli_checking checking = {.args = args, .path = args->operands[i], .json = args->json ? &json : NULL};
        code = exit_worse(code, check_one(&checking, opts));
        sum.notes += checking.tally.notes;
        sum.warnings += checking.tally.warnings;
        sum.errors += checking.tally.errors;
        sum.crashes += checking.tally.crashes;
        fits_profile |= checking.fits_profile;
        if (checking.worst > worst) {
            worst = checking.worst;
            worst_code = checking.worst_code;
        }
    }
    if (args->json) {
        json_end(&json);
        json_finish(&json);
    }
    if (code != EXIT_USAGE && !fits_profile)
        code =
            args_fail(args, "--profile is for Model files, of which there are none: --for model64 tries to make one");
    if (code == EXIT_USAGE) /* it has been explained, and nothing was counted */
        return code;
    fflush(args->out.file); /* on a terminal the counts come last */
    if (!args->quiet)
        print_counts(&sum, args->operand_count, args->err.file);
    if (!args->quiet && !args->json && worst_code)
        fprintf(args->err.file, "Try \"trilobite check --explain %s\" for the cause and the fix.\n", worst_code);
    return code;
}

exit_code check_run(const cli_args *args)
{
    cli_load_opts opts;
    const char *code = args_given(args, OPT_EXPLAIN);
    exit_code wrong = check_for_options(args);
    if (wrong == EXIT_FINE)
        wrong = input_options(args, &opts);
    if (wrong != EXIT_FINE)
        return wrong;
    if (code)
        rules_explain(args, code);
    if (args_has(args, OPT_CODES))
        rules_print(args);
    if (code || args_has(args, OPT_CODES))
        return EXIT_FINE;
    if (args->operand_count == 0)
        return args_fail(args, "missing operand: %s", args->command->operands);
    return check_all(args, &opts.all);
}
