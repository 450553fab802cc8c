/* convert.c: the command that writes a model again, changed or in another format. */
#include "convert/convert.h"

#include "clips.h"
#include "convert/nlm_hash.h"
#include "paths.h"
#include "system.h"
#include "trilobite/n64.h"
#include "ui/report.h"

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
    conversion->losses += finding->severity > TRILO_SEVERITY_NOTE;
    if (conversion->json)
        report_json(conversion->json, finding);
    else if (is_wanted(conversion, finding->severity))
        report_finding(&conversion->args->err, conversion->subject, finding);
}

void convert_fail(const cli_conversion *conversion, const trilo_finding *finding)
{
    report_finding(&conversion->args->err, conversion->subject, finding);
    if (conversion->json)
        report_json(conversion->json, finding);
}

/* Of the findings about the input, only losses matter here. glTF files come from many exporters, so what they break
 * is reported too. */
static void see_input(void *user, const trilo_finding *finding)
{
    const cli_conversion *conversion = user;
    const bool gltf = trilo_document_format(conversion->input.document) == TRILO_FORMAT_GLTF;
    if (finding->kind == TRILO_FINDING_KIND_LOSS || (gltf && finding->severity > TRILO_SEVERITY_NOTE))
        see_loss(user, finding);
}

/* An exact copy loses nothing but a companion file that is missing: a stream of T3DM. glTF losses are those of a
 * conversion. */
static void see_copied(void *user, const trilo_finding *finding)
{
    const cli_conversion *conversion = user;
    const bool t3dm = trilo_document_format(conversion->input.document) == TRILO_FORMAT_T3DM;
    if (t3dm && finding->kind == TRILO_FINDING_KIND_LOSS)
        see_loss(user, finding);
}

/* ---- reading, changing, writing ---- */

static void listen(cli_conversion *conversion)
{
    conversion->subject = conversion->in;
    conversion->load.on_finding = see_input;
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
    if (!conversion->exact)
        return input_model(&conversion->input, conversion->args);
    trilo_document_check(conversion->input.document, see_copied, conversion);
    return EXIT_FINE;
}

void convert_textures(cli_conversion *conversion, trilo_model *result, cli_finder *finder)
{
    const trilo_format to = conversion->write.format;
    if (result->format == TRILO_FORMAT_GLTF && to == TRILO_FORMAT_T3DM)
        rom_textures_find(&conversion->textures, result, finder);
    else if (to == TRILO_FORMAT_GLTF || to == TRILO_FORMAT_NLM)
        rom_textures_load(&conversion->textures, result, finder);
}

/* Makes the model that is written, from the one that was read. */
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
    const exit_code code = clips_edit(conversion);
    if (code != EXIT_FINE)
        return code;
    conversion->result = conversion->edited ? *conversion->edited : *conversion->input.model;
    if (conversion->result.source_hash == 0 && conversion->input.model->format == TRILO_FORMAT_NLM)
        conversion->result.source_hash = nlm_hash_read(conversion->in);
    convert_textures(conversion, &conversion->result, &conversion->input.finder);
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
    if (err.code != TRILO_CODE_OK)
        report_error(&conversion->args->err, path, &err);
    free(path);
    return exit_of(err.code);
}

/* ---- telling about it ---- */

static bool is_compressed(const cli_conversion *conversion)
{
    return conversion->rewrite.compress > 0 || (conversion->exact && !conversion->rewrite.decompress &&
                                                trilo_document_compression(conversion->input.document).version > 0);
}

/* The console looks for the streams under the paths that stand in the model. */
static void tell_guess(const cli_conversion *conversion)
{
    char text[512];
    if (!conversion->guesses_rom || conversion->companions.count == 0 || conversion->args->quiet)
        return;
    snprintf(text, sizeof text, "its streams will be looked for beside %s; --rom-root says which folder is rom:/",
             conversion->write.t3dm.rom_path);
    const trilo_finding finding = {TRILO_SEVERITY_NOTE, TRILO_FINDING_KIND_ADVICE, "", TRILO_NOWHERE, "", text};
    report_finding(&conversion->args->err, conversion->out, &finding);
}

/* "hero.2.sdata", when it is there. */
static char *stream_there(const cli_conversion *conversion, size_t number)
{
    char ending[40];
    snprintf(ending, sizeof ending, ".%s.sdata", COUNT(number));
    char *path = path_with_ending(conversion->out, ending);
    if (system_exists(path))
        return path;
    free(path);
    return NULL;
}

/* Streams of clips that an earlier model of that name had, and this one does not, would go onto the console for
 * nothing.
 */
static void tell_stale(const cli_conversion *conversion)
{
    char text[256];
    size_t own = 0;
    for (size_t i = 0; i < conversion->companions.count; i++)
        own += companion_is_stream(&conversion->companions.rows[i]);
    if (conversion->exact || conversion->write.format != TRILO_FORMAT_T3DM ||
        !is_wanted(conversion, TRILO_SEVERITY_NOTE))
        return;
    char *path = stream_there(conversion, own);
    if (!path)
        return;
    snprintf(text, sizeof text, "it is of an earlier model: this one has %s clip%s, and does not need it", COUNT(own),
             text_plural(own));
    const trilo_finding finding = {TRILO_SEVERITY_NOTE, TRILO_FINDING_KIND_ADVICE, "", TRILO_NOWHERE, "", text};
    report_finding(&conversion->args->err, path, &finding);
    free(path);
}

static void tell(const cli_conversion *conversion)
{
    FILE *out = conversion->args->err.file;
    tell_guess(conversion);
    if (strcmp(conversion->out, "-") != 0)
        tell_stale(conversion);
    if (!args_has(conversion->args, OPT_VERBOSE) || conversion->args->quiet)
        return;
    text_puts(out, conversion->subject);
    fprintf(out, ": %s bytes of %s, %s%s\n", COUNT(conversion->size), trilo_format_get(conversion->write.format)->title,
            !conversion->exact                                               ? "encoded anew"
            : conversion->rewrite.compress || conversion->rewrite.decompress ? "the same records as the input's"
                                                                             : "the same as the input's",
            conversion->rewrite.compress     ? ", compressed"
            : conversion->rewrite.decompress ? ", not compressed"
                                             : "");
    for (size_t i = 0; i < conversion->companions.count; i++) {
        const cli_companion *companion = &conversion->companions.rows[i];
        if (!companion->path)
            continue;
        text_puts(out, companion->path);
        fprintf(out, ": %s bytes%s, %s\n", COUNT(companion->bytes.size),
                companion_is_stream(companion) ? " of keys" : " beside it",
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

static void json_companions(const cli_conversion *conversion, const char *key, bool streams)
{
    json_array(conversion->json, key);
    for (size_t i = 0; i < conversion->companions.count; i++) {
        const cli_companion *companion = &conversion->companions.rows[i];
        if (companion->path && companion_is_stream(companion) == streams)
            json_text(conversion->json, NULL, companion->path);
    }
    json_end(conversion->json);
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
    json_companions(conversion, "streams", true);
    json_companions(conversion, "files", false);
    json_finish(conversion->json);
}

static uint64_t count_triangles(const trilo_model *model)
{
    uint64_t triangles = 0;
    for (uint32_t i = 0; i < model->mesh_count; i++)
        if (model->meshes[i].topology == TRILO_TOPOLOGY_TRIANGLES)
            triangles += model->meshes[i].index_count / 3;
    return triangles;
}

const trilo_finding convert_collapsed = {
    TRILO_SEVERITY_ERROR,
    TRILO_FINDING_KIND_LOSS,
    "T3DM-LOST-POSITIONS",
    TRILO_NOWHERE,
    "",
    "at this scale the whole model is smaller than half a unit, nothing but a point would be left: use a larger one"};

static bool is_point(const trilo_bounds *bounds)
{
    return !(bounds->min.x < bounds->max.x || bounds->min.y < bounds->max.y || bounds->min.z < bounds->max.z);
}

/* NULL: there is something to see. */
const char *convert_emptiness(const trilo_model *model)
{
    const trilo_bounds bounds = trilo_model_bounds(model);
    if (count_triangles(model) == 0)
        return "it has no triangle to draw: see that the export includes the meshes, not only what is selected or "
               "visible";
    if (is_point(&bounds))
        return "all its triangles are a single point: see that no object is scaled to 0";
    return NULL;
}

bool convert_collapses(const trilo_model *model, const trilo_write_opts *write)
{
    const double scale = write->t3dm.scale > 0 ? write->t3dm.scale : trilo_n64_default_scale(model);
    const trilo_bounds b = trilo_model_bounds(model);
    return write->format == TRILO_FORMAT_T3DM && !is_point(&b) && ((double)b.max.x - b.min.x) * scale < 0.5 &&
           ((double)b.max.y - b.min.y) * scale < 0.5 && ((double)b.max.z - b.min.z) * scale < 0.5;
}

/* Does the library say that it is empty, too? It takes clips without a mesh. */
static bool must_draw(const cli_conversion *conversion)
{
    const trilo_model *model = &conversion->result;
    return conversion->draws || (conversion->write.format == TRILO_FORMAT_T3DM && model->format == TRILO_FORMAT_GLTF &&
                                 model->clip_count == 0);
}

/* A model that shows nothing could be converted, but nobody wants it. */
static exit_code refuse_empty(const cli_conversion *conversion)
{
    const char *why = must_draw(conversion) ? convert_emptiness(&conversion->result) : NULL;
    if (why) {
        const trilo_finding finding = {TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_STRUCTURE, "", TRILO_NOWHERE, "", why};
        convert_fail(conversion, &finding);
        return EXIT_INPUT;
    }
    if (!convert_collapses(&conversion->result, &conversion->write))
        return EXIT_FINE;
    convert_fail(conversion, &convert_collapsed);
    return EXIT_LIMIT;
}

static exit_code convert(cli_conversion *conversion)
{
    listen(conversion);
    exit_code code = read_input(conversion);
    if (code == EXIT_FINE && !conversion->exact)
        code = edit(conversion);
    if (code == EXIT_FINE && !conversion->exact)
        code = refuse_empty(conversion);
    if (code == EXIT_FINE)
        code = convert_write(conversion);
    if (code == EXIT_FINE)
        code = write_hash(conversion);
    return code;
}

exit_code convert_carry_out(cli_conversion *conversion)
{
    cli_json json;
    if (conversion->args->json)
        begin_json(conversion, &json);
    const exit_code code = convert(conversion);
    if (conversion->args->json && code != EXIT_FINE && !conversion->exact && !conversion->input.model)
        input_refusals(&conversion->input, &json);
    if (conversion->args->json)
        end_json(conversion, code);
    if (code == EXIT_FINE)
        tell(conversion);
    trilo_model_free(conversion->edited);
    input_close(&conversion->input);
    companions_free(&conversion->companions);
    rom_textures_free(&conversion->textures);
    free(conversion->image);
    free(conversion->depfile);
    return code;
}

static exit_code refuse_stdout(const cli_args *args)
{
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
    const trilo_format_info *format = name ? trilo_format_find(name) : trilo_format_for_path(conversion->out);
    if (!format && strcmp(conversion->out, "-") == 0)
        return EXIT_FINE; /* the format of the input */
    if (!format)
        return args_fail(conversion->args, "no format is known by the extension of \"%s\": use --to", conversion->out);
    conversion->write.format = format->format;
    return EXIT_FINE;
}

exit_code convert_run(const cli_args *args)
{
    cli_conversion conversion = {.args = args, .in = args->operands[0], .out = args->operands[1]};
    exit_code code = refuse_stdout(args);
    if (code == EXIT_FINE)
        code = choose_format(&conversion);
    if (code == EXIT_FINE)
        code = convert_prepare(&conversion);
    if (code == EXIT_FINE)
        return convert_carry_out(&conversion);
    free(conversion.image);
    return code;
}
