#include "convert/check_for.h"

#include "buffer.h"
#include "convert/convert.h"
#include "paths.h"

#include <stdlib.h>
#include <string.h>

static bool drop_companion(void *user, const char *name, trilo_bytes bytes)
{
    (void)user, (void)name, (void)bytes;
    return true;
}

exit_code check_for_options(const cli_args *args)
{
    static const option_id about[] = {OPT_SCALE,        OPT_METER,           OPT_AXES,
                                      OPT_FPS,          OPT_MERGE_MATERIALS, OPT_MAX_FRAME_VERTICES,
                                      OPT_T3DM_VERSION, OPT_RESTORE_SIZE,    OPT_NORMALIZE,
                                      OPT_DROP_TEXTURES};
    for (size_t i = 0; i < sizeof about / sizeof *about; i++)
        if (args_has(args, about[i]) && !args_has(args, OPT_FOR))
            return args_fail(args, "--%s says how to convert: it needs --for", option_get(about[i])->name);
    return EXIT_FINE;
}

/* As gltf_to_t3d refuses it. */
static void see_empty(const trilo_model *model, const trilo_write_opts *write)
{
    const char *why = write->format == TRILO_FORMAT_T3DM ? convert_emptiness(model) : NULL;
    const trilo_finding finding = {TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_STRUCTURE, "", TRILO_NOWHERE, "", why};
    if (why)
        write->on_finding(write->on_finding_user, &finding);
    else if (convert_collapses(model, write))
        write->on_finding(write->on_finding_user, &convert_collapsed);
}

static bool has_profile(const cli_args *args)
{
    return args_choice(args, OPT_PROFILE) > 0;
}

bool check_for_profile(const cli_input *input, const cli_args *args)
{
    const char *made = args_given(args, OPT_FOR);
    const char *model64 = trilo_format_get(TRILO_FORMAT_MODEL64)->name;
    return trilo_document_format(input->document) == TRILO_FORMAT_MODEL64 || (made && strcmp(made, model64) == 0);
}

/* Bytes of a file that nobody wrote cannot be looked up. */
static void see_result(void *user, const trilo_finding *finding)
{
    const cli_conversion *conversion = user;
    trilo_finding placeless = *finding;
    placeless.offset = TRILO_NOWHERE;
    conversion->write.on_finding(conversion->write.on_finding_user, &placeless);
}

/* The program that the profile is about would get what was made, not what was read. */
static bool check_result(cli_conversion *conversion, const cli_buffer *result, trilo_error *err)
{
    trilo_load_opts opts = conversion->load;
    opts.format = conversion->write.format;
    trilo_document *document = trilo_document_open(result->bytes, result->size, &opts, err);
    if (document)
        trilo_document_check(document, see_result, conversion);
    trilo_document_free(document);
    return document != NULL;
}

/* The model as it would be written goes nowhere. */
static bool write_nowhere(cli_conversion *conversion, const trilo_model *model, cli_finder *finder, trilo_error *err)
{
    trilo_model result = *model;
    convert_textures(conversion, &result, finder);
    cli_buffer made = {0};
    bool ok = trilo_model_write(&result, &conversion->write, buffer_keep, &made, err);
    if (ok)
        see_empty(&result, &conversion->write);
    if (ok && has_profile(conversion->args) && conversion->write.format == TRILO_FORMAT_MODEL64)
        ok = check_result(conversion, &made, err);
    free(made.bytes);
    rom_textures_free(&conversion->textures);
    return ok;
}

static bool convert(cli_conversion *conversion, cli_finder *finder, trilo_error *err)
{
    const trilo_model *model = trilo_document_model(conversion->input.document, err);
    const trilo_model *edited = model;
    if (model && convert_edits(&conversion->edit))
        edited = trilo_model_edit(model, &conversion->edit, &conversion->load.memory, err);
    const bool ok = edited && write_nowhere(conversion, edited, finder, err);
    if (edited != model)
        trilo_model_free(edited);
    trilo_model_free(model);
    return ok;
}

/* What the output would be called: companion files and textures are named after it. */
static char *name_after(const char *in, const trilo_format_info *format)
{
    char ending[32] = ".";
    const size_t length = format->format == TRILO_FORMAT_GLTF ? 0 : strcspn(format->extensions, " ");
    snprintf(ending + 1, sizeof ending - 1, "%.*s", (int)length, format->extensions);
    return path_with_ending(strcmp(in, "-") == 0 ? "stdin" : path_last(in), length > 0 ? ending : ".glb");
}

exit_code check_for(cli_input *input, const cli_args *args, trilo_finding_fn *see, void *user, trilo_error *err)
{
    const trilo_format_info *format = trilo_format_find(args_given(args, OPT_FOR));
    cli_conversion conversion = {.args = args, .in = input->path, .out = "-"};
    *err = (trilo_error){.code = TRILO_CODE_OK};
    exit_code code = convert_prepare(&conversion);
    conversion.write.format = format->format;
    conversion.input.document = input->document;
    if (code == EXIT_FINE)
        code = convert_choose(&conversion);
    conversion.edit.on_finding = conversion.write.on_finding = see;
    conversion.edit.on_finding_user = conversion.write.on_finding_user = user;
    char *name = name_after(input->path, format);
    conversion.write.name = name;
    conversion.write.companion = drop_companion;
    if (code == EXIT_FINE)
        convert(&conversion, &input->finder, err);
    free(name);
    free(conversion.image);
    return code;
}
