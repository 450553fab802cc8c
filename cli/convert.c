/* convert.c: the command that writes a model again, changed or in another format. */
#include "input.h"
#include "json.h"
#include "nlm_hash.h"
#include "output.h"
#include "report.h"
#include "slurp.h"
#include "system.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct cli_conversion {
    const cli_args *args;
    const char *in, *out;
    trilo_load_opts load;
    trilo_write_opts write;
    trilo_edit edit;
    uint8_t *image; /* of --replace-texture */
    cli_input input;
    const trilo_model *edited; /* NULL: as it was read */
    trilo_model result;        /* what is written; it borrows from one of the two */
    cli_json *json;
    const char *subject; /* the file that findings are about */
    bool exact;
    size_t losses;
    uint64_t size; /* bytes written */
} cli_conversion;

static void see_loss(void *user, const trilo_finding *finding)
{
    cli_conversion *conversion = user;
    conversion->losses += finding->severity > TRILO_NOTE;
    if (conversion->json)
        report_json(conversion->json, finding);
    else if (!conversion->args->quiet || finding->severity >= TRILO_ERROR || args_has(conversion->args, OPT_STRICT))
        report_finding(&conversion->args->err, conversion->subject, finding);
}

/* ---- what the command line asks for ---- */

static exit_code refuse_contradictions(const cli_args *args)
{
    if (args_has(args, OPT_RESTORE_SIZE) && args_has(args, OPT_NORMALIZE))
        return args_fail(args, "--restore-size and --normalize are opposites");
    if (args_has(args, OPT_DROP_TEXTURES) && args_has(args, OPT_REPLACE_TEXTURE))
        return args_fail(args, "--drop-textures and --replace-texture exclude each other");
    if (strcmp(args->operands[1], "-") != 0)
        return EXIT_FINE;
    if (args->json)
        return args_fail(args, "standard output can take the model or --json, not both");
    if (system_is_terminal(stdout))
        return args_fail(args, "a model is not for a terminal: name a file, or send standard output somewhere");
    return EXIT_FINE;
}

static exit_code choose_format(cli_conversion *conversion)
{
    const char *name = args_given(conversion->args, OPT_TO);
    const trilo_format_info *format = name ? trilo_format_named(name) : trilo_format_for_path(conversion->out);
    if (!format && strcmp(conversion->out, "-") == 0)
        return EXIT_FINE; /* the format of the input */
    if (!format)
        return args_fail(conversion->args, "no format is known by the extension of \"%s\": use --to", conversion->out);
    conversion->write.format = format->format;
    return EXIT_FINE;
}

static exit_code read_image(cli_conversion *conversion)
{
    const char *path = args_given(conversion->args, OPT_REPLACE_TEXTURE);
    uint32_t width, height;
    if (!path)
        return EXIT_FINE;
    conversion->image = slurp(path, &conversion->edit.replace_texture.size);
    conversion->edit.replace_texture.data = conversion->image;
    if (!conversion->image) {
        report_plain(&conversion->args->err, path, strerror(errno));
        return EXIT_INPUT;
    }
    if (trilo_image_probe(conversion->edit.replace_texture, &width, &height) != TRILO_IMAGE_UNKNOWN)
        return EXIT_FINE;
    report_plain(&conversion->args->err, path, "neither a PNG nor a JPEG file");
    return EXIT_INPUT;
}

static exit_code prepare(cli_conversion *conversion)
{
    const cli_args *args = conversion->args;
    exit_code code = refuse_contradictions(args);
    if (code == EXIT_FINE)
        code = choose_format(conversion);
    if (code == EXIT_FINE)
        code = input_options(args, &conversion->load);
    if (code == EXIT_FINE)
        code = read_image(conversion);
    conversion->edit.restore_size = args_has(args, OPT_RESTORE_SIZE);
    conversion->edit.normalize = args_has(args, OPT_NORMALIZE);
    conversion->edit.drop_textures = args_has(args, OPT_DROP_TEXTURES);
    conversion->edit.on_finding = see_loss;
    conversion->edit.on_finding_user = conversion;
    conversion->write.memory = conversion->load.memory;
    conversion->write.on_finding = see_loss;
    conversion->write.on_finding_user = conversion;
    conversion->write.nlm.header12 = args_is(args, OPT_NLM_HEADER, "12");
    return code;
}

static bool edits(const trilo_edit *edit)
{
    return edit->restore_size || edit->normalize || edit->drop_textures || edit->replace_texture.size > 0;
}

/* The same bytes again, unless something asks for other ones. */
static bool is_exact(const cli_conversion *conversion)
{
    return conversion->write.format == trilo_document_format(conversion->input.document) && !edits(&conversion->edit) &&
           !conversion->load.nlm.quat_wxyz && conversion->load.nlm.topology == TRILO_NLM_GUESS &&
           !args_has(conversion->args, OPT_NLM_HEADER) && !args_has(conversion->args, OPT_REENCODE);
}

/* ---- reading, changing, writing ---- */

static exit_code read_input(cli_conversion *conversion)
{
    exit_code code = input_check(&conversion->input, conversion->args, conversion->in, &conversion->load);
    if (code != EXIT_FINE)
        return code;
    if (conversion->write.format == TRILO_FORMAT_UNKNOWN)
        conversion->write.format = trilo_document_format(conversion->input.document);
    conversion->exact = is_exact(conversion);
    return conversion->exact ? EXIT_FINE : input_model(&conversion->input, conversion->args);
}

static exit_code edit(cli_conversion *conversion)
{
    trilo_error err;
    conversion->subject = conversion->in;
    if (edits(&conversion->edit)) {
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

/* Counts what goes through to the sink behind it. */
typedef struct cli_meter {
    trilo_write_fn *sink;
    void *user;
    uint64_t size;
} cli_meter;

static bool measure(void *user, const void *bytes, size_t size)
{
    cli_meter *meter = user;
    meter->size += size;
    return meter->sink(meter->user, bytes, size);
}

static bool fill(void *context, trilo_write_fn *sink, void *sink_user, trilo_error *err)
{
    cli_conversion *conversion = context;
    cli_meter meter = {sink, sink_user, 0};
    const bool ok = conversion->exact ? trilo_document_write(conversion->input.document, measure, &meter, err)
                                      : trilo_write(&conversion->result, &conversion->write, measure, &meter, err);
    conversion->size = meter.size;
    return ok && (conversion->losses == 0 || !args_has(conversion->args, OPT_STRICT));
}

static exit_code write_output(cli_conversion *conversion)
{
    trilo_error err = {0};
    conversion->subject = conversion->out;
    if (output_fill(conversion->out, fill, conversion, &err))
        return EXIT_FINE;
    if (conversion->losses > 0 && args_has(conversion->args, OPT_STRICT))
        return EXIT_FINDINGS;
    report_error(&conversion->args->err, conversion->out, &err);
    return exit_of(err.code);
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

static void tell(const cli_conversion *conversion)
{
    FILE *out = conversion->args->err.file;
    if (!args_has(conversion->args, OPT_VERBOSE) || conversion->args->quiet)
        return;
    text_puts(out, strcmp(conversion->out, "-") == 0 ? "<stdout>" : conversion->out);
    fprintf(out, ": %s bytes of %s, %s\n", COUNT(conversion->size), trilo_format_get(conversion->write.format)->title,
            conversion->exact ? "the same as the input's" : "encoded anew");
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
    json_uint(conversion->json, "size", code == EXIT_FINE ? conversion->size : 0);
    json_finish(conversion->json);
}

static exit_code convert(cli_conversion *conversion)
{
    exit_code code = read_input(conversion);
    if (code == EXIT_FINE && !conversion->exact)
        code = edit(conversion);
    if (code == EXIT_FINE)
        code = write_output(conversion);
    if (code == EXIT_FINE)
        code = write_hash(conversion);
    return code;
}

exit_code convert_run(const cli_args *args)
{
    cli_conversion conversion = {.args = args, .in = args->operands[0], .out = args->operands[1]};
    cli_json json;
    exit_code code = prepare(&conversion);
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
    free(conversion.image);
    return code;
}
