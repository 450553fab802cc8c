/* convert.c: the command that writes a model again, changed or in another format. */
#include "convert/convert.h"

#include "batch/batch.h"
#include "cost/cost.h"
#include "paths.h"
#include "system.h"
#include "ui/report.h"
#include "usage/rules.h"

#include <stdlib.h>
#include <string.h>

static bool is_wanted(const cli_conversion *conversion, trilo_severity severity)
{
    if (severity == TRILO_SEVERITY_NOTE)
        return !conversion->args->quiet && !conversion->hushed;
    return !conversion->args->quiet || severity >= TRILO_SEVERITY_ERROR || args_has(conversion->args, OPT_STRICT);
}

static void see_loss(void *user, const trilo_finding *finding)
{
    cli_conversion *conversion = user;
    trilo_finding judged = *finding;
    if (!rules_judge(conversion->args, &judged))
        return;
    conversion->losses += judged.severity > TRILO_SEVERITY_NOTE;
    conversion->errors += judged.severity > TRILO_SEVERITY_WARNING;
    if (conversion->json)
        report_json(conversion->json, &judged);
    else if (is_wanted(conversion, judged.severity))
        report_finding(&conversion->args->err, conversion->subject, &judged);
}

static void see_step(void *user, trilo_convert_step step)
{
    cli_conversion *conversion = user;
    if (step == TRILO_CONVERT_STEP_ENCODE)
        conversion->subject = strcmp(conversion->out, "-") == 0 ? "<stdout>" : conversion->out;
}

/* ---- messages ---- */

static size_t convert_stream_count(const cli_conversion *conversion)
{
    size_t count = 0;
    for (uint32_t i = 0; i < conversion->result->companion_count; i++)
        count += conversion->result->companions[i].is_stream;
    return count;
}

/* "hero.2.sdata", when it is there: a stream of a clip that an earlier model of that name had, and this one does not,
 * would go onto the console for nothing. */
static void look_for_stale(cli_conversion *conversion)
{
    char ending[40];
    if (conversion->result->exact || conversion->write.format != TRILO_FORMAT_T3DM ||
        !is_wanted(conversion, TRILO_SEVERITY_NOTE) || strcmp(conversion->out, "-") == 0)
        return;
    snprintf(ending, sizeof ending, ".%zu.sdata", convert_stream_count(conversion));
    conversion->stale = path_with_ending(conversion->out, ending);
    if (system_exists(conversion->stale))
        return;
    free(conversion->stale);
    conversion->stale = NULL;
}

static void tell_stale(const cli_conversion *conversion)
{
    char text[256];
    const size_t own = convert_stream_count(conversion);
    snprintf(text, sizeof text, "it belongs to an earlier model: this one has %s clip%s, and does not need it",
             COUNT(own), text_plural(own));
    const trilo_finding finding = {TRILO_SEVERITY_NOTE, TRILO_FINDING_KIND_ADVICE, "", TRILO_NOWHERE, "", text};
    if (conversion->stale)
        report_finding(&conversion->args->err, conversion->stale, &finding);
}

/* The output is there by now: nothing here may need memory. */
static void convert_report(const cli_conversion *conversion)
{
    FILE *out = conversion->args->err.file;
    /* The console looks for the streams under the paths in the model. */
    char text[512];
    if (conversion->guesses_rom && conversion->result->companion_count != 0 && !conversion->args->quiet) {
        snprintf(text, sizeof text, "its streams will be looked for beside %s; --rom-root says which folder is rom:/",
                 conversion->t3dm.rom_path);
        const trilo_finding finding = {TRILO_SEVERITY_NOTE, TRILO_FINDING_KIND_ADVICE, "", TRILO_NOWHERE, "", text};
        report_finding(&conversion->args->err, conversion->out, &finding);
    }
    tell_stale(conversion);
    const bool verbose = args_has(conversion->args, OPT_VERBOSE);
    if ((verbose || args_has(conversion->args, OPT_SHARE_PALETTES)) && !conversion->args->quiet)
        convert_print_sprites(conversion);
    if (!verbose || conversion->args->quiet)
        return;
    const trilo_conversion *result = conversion->result;
    const trilo_rewrite_opts *rewrite = &conversion->rewrite;
    text_puts(out, conversion->subject);
    fprintf(out, ": %s bytes of %s, %s%s\n", COUNT(result->bytes.size), trilo_format_get(result->format)->title,
            !result->exact                             ? "re-encoded"
            : rewrite->compress || rewrite->decompress ? "the same records as the input's"
                                                       : "the same as the input's",
            rewrite->compress     ? ", compressed"
            : rewrite->decompress ? ", not compressed"
                                  : "");
    for (uint32_t i = 0; i < result->companion_count; i++) {
        const trilo_converted_file *file = &result->companions[i];
        if (!convert_wrote(conversion, i))
            continue;
        text_puts(out, conversion->paths[i]);
        fprintf(out, ": %s bytes%s, %s\n", COUNT(file->bytes.size), file->is_stream ? " of keys" : " beside it",
                result->exact ? "copied" : "re-encoded");
    }
}

static void convert_begin_json(cli_conversion *conversion, cli_json *json)
{
    *json = json_start(conversion->args->out.file, "convert");
    json_text(json, "in", conversion->in);
    json_text(json, "out", conversion->out);
    json_array(json, "findings");
    conversion->json = json;
}

static void json_companions(const cli_conversion *conversion, const char *key, bool streams)
{
    const trilo_conversion *result = conversion->result;
    json_array(conversion->json, key);
    for (uint32_t i = 0; result && i < result->companion_count; i++)
        if (convert_wrote(conversion, i) && result->companions[i].is_stream == streams)
            json_text(conversion->json, NULL, conversion->paths[i]);
    json_end(conversion->json);
}

/* ---- the command ---- */

/* With --allow or --warn, a model without anything to draw is written. */
static void convert_judge_empty(cli_conversion *conversion)
{
    for (trilo_emptiness why = TRILO_EMPTINESS_NO_TRIANGLES; why <= TRILO_EMPTINESS_SCALE; why++) {
        trilo_finding empty = {.severity = TRILO_SEVERITY_ERROR, .rule = trilo_emptiness_rule(why)->name};
        if (!rules_judge(conversion->args, &empty))
            conversion->opts.when_empty = TRILO_WHEN_EMPTY_ALLOW;
        else if (empty.severity < TRILO_SEVERITY_ERROR)
            conversion->opts.when_empty = TRILO_WHEN_EMPTY_REPORT;
    }
}

static exit_code convert_input(cli_conversion *conversion)
{
    trilo_error err;
    trilo_convert_opts *opts = &conversion->opts;
    conversion->subject = conversion->in;
    exit_code code = input_check(&conversion->input, conversion->args, conversion->in, &conversion->load.all);
    if (code != EXIT_FINE && conversion->json)
        input_refusals(&conversion->input, conversion->json);
    if (code == EXIT_FINE)
        code = convert_choose(conversion);
    if (code != EXIT_FINE)
        return code;
    convert_link(conversion);
    opts->on_finding = see_loss;
    opts->on_finding_user = conversion;
    opts->on_step = see_step;
    opts->on_step_user = conversion;
    opts->on_progress = conversion->hooks ? conversion->hooks->on_progress : NULL;
    opts->on_progress_user = conversion->hooks ? conversion->hooks->user : NULL;
    opts->single_file = strcmp(conversion->out, "-") == 0;
    convert_judge_empty(conversion);
    conversion->write.name = opts->single_file ? NULL : path_last(conversion->out);
    conversion->result = trilo_convert(conversion->input.document, opts, &err);
    if (!conversion->result || !trilo_assets_ok(conversion->input.assets, &err)) {
        /* On standard error and, with --json, there too. */
        const trilo_finding finding = report_finding_of(&err);
        if (conversion->failure != EXIT_FINE)
            return conversion->failure;
        report_finding(&conversion->args->err, conversion->subject, &finding);
        if (conversion->json)
            report_json(conversion->json, &finding);
        return exit_of(err.code);
    }
    if (conversion->errors > 0 || (conversion->losses > 0 && args_has(conversion->args, OPT_STRICT)))
        return EXIT_FINDINGS;
    look_for_stale(conversion);
    return convert_commit(conversion);
}

void convert_free(cli_conversion *conversion)
{
    for (uint32_t i = 0; conversion->paths && i < conversion->result->companion_count; i++)
        free(conversion->paths[i]);
    free((void *)conversion->paths);
    free(conversion->stale);
    trilo_conversion_free(conversion->result);
    free(conversion->states);
    free(conversion->failed);
    free(conversion->parts);
    trilo_file_free(conversion->image);
    free(conversion->depfile);
}

exit_code convert_carry_out(cli_conversion *conversion)
{
    cli_json json;
    if (conversion->args->json)
        convert_begin_json(conversion, &json);
    exit_code code = convert_input(conversion);
    if (conversion->args->json) {
        const trilo_format_info *format = trilo_format_get(conversion->write.format);
        const trilo_conversion *result = conversion->result;
        json_end(conversion->json);
        json_bool(conversion->json, "written", code == EXIT_FINE);
        json_text(conversion->json, "format", format ? format->name : "");
        json_bool(conversion->json, "exact", result && result->exact);
        json_bool(conversion->json, "compressed", code == EXIT_FINE && result->compressed);
        json_uint(conversion->json, "size", code == EXIT_FINE ? result->bytes.size : 0);
        json_companions(conversion, "streams", true);
        json_companions(conversion, "files", false);
        convert_json_sprites(conversion);
        json_finish(conversion->json);
    }
    report_notes(&conversion->args->err);
    if (code == EXIT_FINE) {
        convert_report(conversion);
        if (conversion->hooks)
            conversion->hooks->on_written(conversion->hooks->user, conversion);
        code = cost_check_result(conversion->args, conversion->result, conversion->in, conversion->out);
    }
    input_close(&conversion->input);
    convert_free(conversion);
    return code;
}

static exit_code convert_refuse_stdout(const cli_args *args)
{
    if (strcmp(args->operands[1], "-") != 0)
        return EXIT_FINE;
    if (args->json)
        return args_fail(args, "standard output can take the model or --json, not both");
    if (system_is_terminal(stdout))
        return args_fail(args, "a model is not for a terminal: name a file, or send standard output somewhere");
    return EXIT_FINE;
}

/* Reports an extension that is not a format. Those of pictures are a common mistake. */
static exit_code convert_name_formats(const cli_conversion *conversion)
{
    static const char *const pictures[] = {".png", ".gif", ".apng", ".jpg", ".jpeg"};
    const char *dot = strrchr(conversion->out, '.');
    for (size_t i = 0; dot && i < sizeof pictures / sizeof *pictures; i++)
        if (strcmp(dot, pictures[i]) == 0)
            return args_fail(conversion->args, "\"%s\" is a picture; \"trilobite render %s -o OUT.png\" draws one",
                             conversion->out, conversion->in);
    return args_fail(conversion->args,
                     "no format that can be written has the extension of \"%s\": use .t3dm, .glb, .gltf, .nlm or "
                     ".model, or --to",
                     conversion->out);
}

static exit_code convert_choose_format(cli_conversion *conversion)
{
    const char *name = args_given(conversion->args, OPT_TO);
    const trilo_format_info *format = name ? trilo_format_find(name) : trilo_format_for_path(conversion->out);
    if (!format && strcmp(conversion->out, "-") == 0)
        return EXIT_FINE; /* the format of the input */
    if (!format)
        return convert_name_formats(conversion);
    conversion->write.format = format->format;
    return EXIT_FINE;
}

exit_code convert_file(const cli_args *args, const cli_conversion_hooks *hooks)
{
    cli_conversion conversion = {.args = args, .hooks = hooks, .in = args->operands[0], .out = args->operands[1]};
    exit_code code = convert_refuse_stdout(args);
    conversion.hushed = hooks && !args_has(args, OPT_VERBOSE); /* of hundreds of models, only warnings */
    if (code == EXIT_FINE)
        code = convert_choose_format(&conversion);
    if (code == EXIT_FINE)
        code = convert_prepare(&conversion);
    if (code == EXIT_FINE)
        code = convert_read_depfile(&conversion);
    if (code == EXIT_FINE)
        return convert_carry_out(&conversion);
    trilo_file_free(conversion.image);
    return code;
}

/* Options of a batch mean nothing for a single model. */
static exit_code convert_refuse_batch_options(const cli_args *args)
{
    static const option_id ids[] = {OPT_JOBS,  OPT_KEEP_GOING, OPT_DRY_RUN, OPT_REBUILD, OPT_PRUNE,
                                    OPT_WATCH, OPT_MANIFEST,   OPT_NINJA,   OPT_SHARD};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
        if (args_has(args, ids[i]))
            return args_fail(args, "--%s is for folders: convert IN... -o DIR", option_get(ids[i])->name);
    return EXIT_FINE;
}

exit_code convert_run(const cli_args *args)
{
    if (batch_wanted(args))
        return batch_run(args);
    if (args->operand_count < 2)
        return args_fail(args, "missing operand: OUT");
    if (args->operand_count > 2)
        return args_fail(args, "one argument too many: \"%s\"; several models need -o DIR", args->operands[2]);
    const exit_code code = convert_refuse_batch_options(args);
    return code == EXIT_FINE ? convert_file(args, NULL) : code;
}
