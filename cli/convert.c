/* convert.c: the command that writes a model again, changed or in another format. */
#include "convert.h"

#include "nlm_hash.h"
#include "report.h"

#include <stdlib.h>
#include <string.h>

static void see_loss(void *user, const trilo_finding *finding)
{
    cli_conversion *conversion = user;
    conversion->losses += finding->severity > TRILO_NOTE;
    if (conversion->json)
        report_json(conversion->json, finding);
    else if (!conversion->args->quiet || finding->severity >= TRILO_ERROR || args_has(conversion->args, OPT_STRICT))
        report_finding(&conversion->args->err, conversion->subject, finding);
}

/* A check of the input speaks of much, but keys that are not there are lost on the way. */
static void see_missing(void *user, const trilo_finding *finding)
{
    if (strcmp(finding->rule, "T3DM-STREAM-MISSING") == 0)
        see_loss(user, finding);
}

/* ---- reading, changing, writing ---- */

static void listen(cli_conversion *conversion)
{
    conversion->subject = conversion->in;
    conversion->load.on_finding = see_missing;
    conversion->load.on_finding_user = conversion;
    conversion->edit.on_finding = see_loss;
    conversion->edit.on_finding_user = conversion;
    conversion->write.on_finding = see_loss;
    conversion->write.on_finding_user = conversion;
}

static exit_code read_input(cli_conversion *conversion)
{
    exit_code code = input_check(&conversion->input, conversion->args, conversion->in, &conversion->load);
    if (code == EXIT_FINE)
        code = convert_choose(conversion);
    if (code != EXIT_FINE)
        return code;
    return conversion->exact ? EXIT_FINE : input_model(&conversion->input, conversion->args);
}

static exit_code edit(cli_conversion *conversion)
{
    trilo_error err;
    if (convert_edits(&conversion->edit)) {
        conversion->edited =
            trilo_model_edit(conversion->input.model, &conversion->edit, &conversion->load.memory, &err);
        if (!conversion->edited) {
            report_error(&conversion->args->err, conversion->in, &err);
            return exit_of(err.code);
        }
    }
    conversion->result = conversion->edited ? *conversion->edited : *conversion->input.model;
    if (conversion->result.source_hash == 0 && conversion->input.model->format == TRILO_FORMAT_NLM)
        conversion->result.source_hash = nlm_hash_read(conversion->in);
    return EXIT_FINE;
}

/* Engines that know only the old NLM header look for the hash beside the file. */
static exit_code write_hash(const cli_conversion *conversion)
{
    trilo_error err;
    if (conversion->exact || !conversion->write.nlm.header12 || strcmp(conversion->out, "-") == 0)
        return EXIT_FINE;
    const uint32_t known = conversion->result.source_hash;
    char *path = nlm_hash_write(conversion->out, known ? known : trilo_fnv1a("", 0), &err);
    if (err.code != TRILO_OK)
        report_error(&conversion->args->err, path, &err);
    free(path);
    return exit_of(err.code);
}

/* ---- telling about it ---- */

static bool is_compressed(const cli_conversion *conversion)
{
    return conversion->repack.compress > 0 || (conversion->exact && !conversion->repack.decompress &&
                                               trilo_document_packing(conversion->input.document).version > 0);
}

static void tell(const cli_conversion *conversion)
{
    FILE *out = conversion->args->err.file;
    if (!args_has(conversion->args, OPT_VERBOSE) || conversion->args->quiet)
        return;
    text_puts(out, conversion->subject);
    fprintf(out, ": %s bytes of %s, %s%s\n", COUNT(conversion->size), trilo_format_get(conversion->write.format)->title,
            !conversion->exact                                             ? "encoded anew"
            : conversion->repack.compress || conversion->repack.decompress ? "the same records as the input's"
                                                                           : "the same as the input's",
            conversion->repack.compress     ? ", compressed"
            : conversion->repack.decompress ? ", not compressed"
                                            : "");
    for (size_t i = 0; i < conversion->sides.count; i++) {
        const cli_side *side = &conversion->sides.rows[i];
        if (!side->path)
            continue;
        text_puts(out, side->path);
        fprintf(out, ": %s bytes of keys, %s\n", COUNT(side->bytes.size),
                conversion->exact ? "copied" : "encoded anew");
    }
}

static void begin_json(cli_conversion *conversion, cli_json *json)
{
    *json = json_start(conversion->args->out.file, "convert");
    json_text(json, "in", conversion->in);
    json_text(json, "out", conversion->out);
    json_array(json, "findings");
    conversion->json = json;
}

static void end_json(cli_conversion *conversion, exit_code code)
{
    const trilo_format_info *format = trilo_format_get(conversion->write.format);
    json_end(conversion->json);
    json_bool(conversion->json, "written", code == EXIT_FINE);
    json_text(conversion->json, "format", format ? format->name : "");
    json_bool(conversion->json, "exact", conversion->exact);
    json_bool(conversion->json, "compressed", code == EXIT_FINE && is_compressed(conversion));
    json_uint(conversion->json, "size", code == EXIT_FINE ? conversion->size : 0);
    json_array(conversion->json, "streams");
    for (size_t i = 0; i < conversion->sides.count; i++)
        if (conversion->sides.rows[i].path)
            json_text(conversion->json, NULL, conversion->sides.rows[i].path);
    json_end(conversion->json);
    json_finish(conversion->json);
}

static exit_code convert(cli_conversion *conversion)
{
    listen(conversion);
    exit_code code = read_input(conversion);
    if (code == EXIT_FINE && !conversion->exact)
        code = edit(conversion);
    if (code == EXIT_FINE)
        code = convert_write(conversion);
    if (code == EXIT_FINE)
        code = write_hash(conversion);
    return code;
}

exit_code convert_run(const cli_args *args)
{
    cli_conversion conversion = {.args = args, .in = args->operands[0], .out = args->operands[1]};
    cli_json json;
    exit_code code = convert_prepare(&conversion);
    if (code == EXIT_FINE) {
        if (args->json)
            begin_json(&conversion, &json);
        code = convert(&conversion);
        if (args->json)
            end_json(&conversion, code);
    }
    if (code == EXIT_FINE)
        tell(&conversion);
    trilo_model_free(conversion.edited);
    input_close(&conversion.input);
    sides_free(&conversion.sides);
    free(conversion.image);
    return code;
}
