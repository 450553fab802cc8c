#include "check_for.h"

#include "convert.h"
#include "paths.h"

#include <stdlib.h>
#include <string.h>

static bool drop(void *user, const void *bytes, size_t size)
{
    (void)user, (void)bytes, (void)size;
    return true;
}

static bool drop_side(void *user, const char *name, trilo_bytes bytes)
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
    const trilo_finding finding = {TRILO_ERROR, "", TRILO_NOWHERE, "", why};
    if (why)
        write->on_finding(write->on_finding_user, &finding);
}

/* The model as it would be written goes nowhere. */
static bool write_nowhere(cli_conversion *conversion, const trilo_model *model, cli_finder *finder, trilo_error *err)
{
    trilo_model result = *model;
    if (model->format == TRILO_FORMAT_GLTF && conversion->write.format == TRILO_FORMAT_T3DM)
        rom_textures_find(&conversion->textures, &result, finder);
    const bool ok = trilo_write(&result, &conversion->write, drop, NULL, err);
    if (ok)
        see_empty(&result, &conversion->write);
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

/* What the output would be called: side files and textures are named after it. */
static char *name_after(const char *in, const trilo_format_info *format)
{
    char ending[32] = ".";
    const size_t length = format->format == TRILO_FORMAT_GLTF ? 0 : strcspn(format->extensions, " ");
    snprintf(ending + 1, sizeof ending - 1, "%.*s", (int)length, format->extensions);
    return path_with_ending(strcmp(in, "-") == 0 ? "stdin" : path_last(in), length > 0 ? ending : ".glb");
}

exit_code check_for(cli_input *input, const cli_args *args, trilo_finding_fn *see, void *user, trilo_error *err)
{
    const trilo_format_info *format = trilo_format_named(args_given(args, OPT_FOR));
    cli_conversion conversion = {.args = args, .in = input->path, .out = "-"};
    *err = (trilo_error){.code = TRILO_OK};
    exit_code code = convert_prepare(&conversion);
    conversion.write.format = format->format;
    conversion.input.document = input->document;
    if (code == EXIT_FINE)
        code = convert_choose(&conversion);
    conversion.edit.on_finding = conversion.write.on_finding = see;
    conversion.edit.on_finding_user = conversion.write.on_finding_user = user;
    char *name = name_after(input->path, format);
    conversion.write.name = name;
    conversion.write.side = drop_side;
    if (code == EXIT_FINE)
        convert(&conversion, &input->finder, err);
    free(name);
    free(conversion.image);
    return code;
}
