/* optimize.c: the command that makes a model faster to draw. */
#include "optimize/optimize.h"

#include "paths.h"
#include "system.h"
#include "ui/report.h"

#include <stdlib.h>
#include <string.h>

static bool to_stdout(const cli_optimizer *optimizer)
{
    return strcmp(optimizer->conversion.out, "-") == 0;
}

static void see_change(void *user, const trilo_finding *finding)
{
    const cli_optimizer *optimizer = user;
    const cli_conversion *conversion = &optimizer->conversion;
    if (conversion->json)
        report_json(conversion->json, finding);
    else if (!optimizer->args->quiet || finding->severity >= TRILO_SEVERITY_ERROR)
        report_finding(&optimizer->args->err, conversion->in, finding);
}

/* ---- reading ---- */

/* The format stays: the extension of OUT must be of the same format. */
static exit_code optimize_choose_format(cli_optimizer *optimizer)
{
    cli_conversion *conversion = &optimizer->conversion;
    const trilo_format in = trilo_document_format(conversion->input.document);
    const trilo_format_info *out = to_stdout(optimizer) ? NULL : trilo_format_for_path(conversion->out);
    conversion->write.format = in;
    if (!out || out->format == in)
        return EXIT_FINE;
    return args_fail(optimizer->args, "the format stays: the model is %s, but OUT is named like %s; use convert",
                     trilo_format_get(in)->name, out->name);
}

static exit_code optimize_refuse_foreign(const cli_optimizer *optimizer)
{
    static const option_id only_t3dm[] = {OPT_RESIDENT, OPT_SHARE_VERTICES, OPT_UNUSED_ATTRIBUTES, OPT_SORT_MATERIALS,
                                          OPT_ANIM_ERROR};
    for (size_t i = 0; i < sizeof only_t3dm / sizeof *only_t3dm; i++)
        if (args_has(optimizer->args, only_t3dm[i]) && optimizer->conversion.write.format != TRILO_FORMAT_T3DM)
            return args_fail(optimizer->args, "--%s is for t3dm, but the model is %s", option_get(only_t3dm[i])->name,
                             trilo_format_get(optimizer->conversion.write.format)->name);
    return EXIT_FINE;
}

/* ---- the work ---- */

static exit_code optimize_make(cli_optimizer *optimizer)
{
    cli_conversion *conversion = &optimizer->conversion;
    trilo_error err;
    conversion->write.name = to_stdout(optimizer) ? NULL : path_last(conversion->out);
    conversion->opts.optimize = &optimizer->opts;
    conversion->opts.on_finding = see_change;
    conversion->opts.on_finding_user = optimizer;
    convert_link(conversion);
    conversion->result = trilo_convert(conversion->input.document, &conversion->opts, &err);
    if (conversion->result)
        return EXIT_FINE;
    report_error(&optimizer->args->err, conversion->in, &err);
    return exit_of(err.code);
}

/* Files beside the result, which are not written yet. They are requested in the order in which they were made, so the
 * search begins after the last one that was found. */
typedef struct made_files {
    const trilo_conversion *result;
    uint32_t next;
} made_files;

static bool find_companion(void *user, const char *name, trilo_bytes *bytes)
{
    made_files *files = user;
    const uint32_t count = files->result->companion_count;
    for (uint32_t n = 0; n < count; n++) {
        const uint32_t i = files->next < count - n ? files->next + n : files->next - (count - n);
        if (strcmp(files->result->companions[i].name, name) == 0) {
            *bytes = files->result->companions[i].bytes;
            files->next = i + 1 < count ? i + 1 : 0;
            return true;
        }
    }
    return false;
}

static void see_mistake(void *user, const trilo_finding *finding)
{
    cli_optimizer *optimizer = user;
    optimizer->out_of_memory |= trilo_finding_is_out_of_memory(finding);
    if (!input_refuses(finding))
        return;
    optimizer->mistakes++;
    report_finding(&optimizer->args->err, optimizer->conversion.out, finding);
}

/* An invalid result must be found here, not on the console. */
static exit_code measure_result(cli_optimizer *optimizer)
{
    cli_conversion *conversion = &optimizer->conversion;
    trilo_load_opts opts = conversion->input.opts;
    trilo_error err;
    opts.format = conversion->write.format;
    made_files files = {conversion->result, 0};
    opts.companion = find_companion;
    opts.companion_user = &files;
    const trilo_bytes bytes = conversion->result->bytes;
    trilo_document *document = trilo_document_open(bytes.data, bytes.size, &opts, &err);
    if (!document) {
        report_error(&optimizer->args->err, conversion->out, &err);
        return err.code == TRILO_CODE_NO_MEMORY ? EXIT_LIMIT : EXIT_BUG;
    }
    trilo_document_check(document, see_mistake, optimizer);
    const exit_code code = optimizer->out_of_memory  ? EXIT_LIMIT
                           : optimizer->mistakes > 0 ? EXIT_BUG
                                                     : optimize_measure(optimizer, document, &optimizer->after);
    trilo_document_free(document);
    return code;
}

static void optimize_report_finding(const cli_optimizer *optimizer, const char *text)
{
    const trilo_finding finding = {TRILO_SEVERITY_NOTE, TRILO_FINDING_KIND_ADVICE, "", TRILO_NOWHERE, "", text};
    see_change((void *)(uintptr_t)optimizer, &finding);
}

/* ---- the command ---- */

static exit_code carry_out(cli_optimizer *optimizer)
{
    cli_conversion *conversion = &optimizer->conversion;
    exit_code code = input_check(&conversion->input, optimizer->args, conversion->in, &conversion->load.all);
    if (code == EXIT_FINE)
        code = optimize_choose_format(optimizer);
    if (code == EXIT_FINE)
        code = optimize_refuse_foreign(optimizer);
    if (code == EXIT_FINE)
        code = optimize_measure(optimizer, conversion->input.document, &optimizer->before);
    if (code == EXIT_FINE)
        code = optimize_make(optimizer);
    if (code == EXIT_FINE)
        code = measure_result(optimizer);
    if (code == EXIT_FINE) {
        /* What may be unexpected in the file. */
        if (trilo_document_compression(conversion->input.document).version > 0 && conversion->rewrite.compress == 0)
            optimize_report_finding(optimizer, "the input is compressed, the output is not: use --compress 1");
        if (conversion->write.format == TRILO_FORMAT_GLTF && optimizer->after.size > optimizer->before.size)
            optimize_report_finding(
                optimizer, "the file grows: what it shares, such as instances and morph targets, is written out");
        optimize_fill_table(optimizer);
    }
    if (code == EXIT_FINE && !optimizer->dry)
        code = convert_commit(&optimizer->conversion);
    return code;
}

static exit_code optimize_refuse_stdout(const cli_optimizer *optimizer)
{
    if (optimizer->dry || !to_stdout(optimizer))
        return EXIT_FINE;
    if (optimizer->args->json)
        return args_fail(optimizer->args, "standard output can take the model or --json, not both");
    if (system_is_terminal(stdout))
        return args_fail(optimizer->args,
                         "a model is not for a terminal: name a file, or send standard output somewhere");
    return EXIT_FINE;
}

static exit_code optimize_run_model(cli_optimizer *optimizer)
{
    cli_conversion *conversion = &optimizer->conversion;
    cli_json json;
    if (optimizer->args->json) {
        json = json_start(optimizer->args->out.file, "optimize");
        json_text(&json, "in", conversion->in);
        json_text(&json, "out", conversion->out);
        json_array(&json, "findings");
        conversion->json = &json;
    }
    const exit_code code = carry_out(optimizer);
    report_notes(&optimizer->args->err);
    if (optimizer->args->json)
        optimize_json(optimizer, &json, code);
    else if (code == EXIT_FINE && (optimizer->dry || !to_stdout(optimizer)) && !optimizer->args->quiet)
        table_print(&optimizer->table, &optimizer->args->out, true);
    table_free(&optimizer->table);
    input_close(&optimizer->conversion.input);
    convert_free(&optimizer->conversion);
    return code;
}

exit_code optimize_run(const cli_args *args)
{
    const char *in = args->operands[0], *out = args->operand_count > 1 ? args->operands[1] : in;
    cli_optimizer optimizer = {.args = args, .conversion = {.args = args, .in = in, .out = out, .subject = in}};
    exit_code code = optimize_read(&optimizer);
    if (code == EXIT_FINE)
        code = optimize_refuse_stdout(&optimizer);
    if (code == EXIT_FINE)
        code = input_options(args, &optimizer.conversion.load);
    if (code != EXIT_FINE)
        return code;
    optimizer.opts.on_finding = see_change;
    optimizer.opts.on_finding_user = &optimizer;
    optimizer.conversion.write.memory = optimizer.conversion.load.all.memory;
    optimizer.conversion.rewrite.compress = args_is(args, OPT_COMPRESS, "1") ? 1 : 0;
    optimizer.conversion.rewrite.version = args_is(args, OPT_DCA, "5") ? 5 : 3;
    return optimize_run_model(&optimizer);
}
