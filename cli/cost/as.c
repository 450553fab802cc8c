/* What a model would cost in another format: it is converted in memory, and nothing is written. */
#include "cost/cost.h"

#include "convert/convert.h"
#include "paths.h"
#include "ui/report.h"

#include <stdlib.h>
#include <string.h>

static bool drop_companion(void *user, const char *name, trilo_bytes bytes)
{
    (void)user, (void)name, (void)bytes;
    return true;
}

static bool write_model(cli_conversion *conversion, const trilo_model *model, cost_model *to, trilo_error *err)
{
    trilo_model result = *model;
    if (model->format == TRILO_FORMAT_GLTF && conversion->write.format == TRILO_FORMAT_T3DM)
        rom_textures_find(&conversion->textures, &result, &to->input.finder);
    const bool ok = trilo_model_write(&result, &conversion->write, buffer_keep, &to->made, err);
    rom_textures_free(&conversion->textures);
    return ok;
}

static bool convert(cli_conversion *conversion, cost_model *to, trilo_error *err)
{
    const trilo_model *model = trilo_document_model(to->input.document, err);
    const bool ok = model && write_model(conversion, model, to, err);
    trilo_model_free(model);
    trilo_load_opts opts = {.memory = conversion->load.memory, .format = conversion->write.format};
    to->converted = ok ? trilo_document_open(to->made.bytes, to->made.size, &opts, err) : NULL;
    return to->converted != NULL;
}

exit_code cost_convert(cost_model *model, const cost_options *options)
{
    const cli_args *args = options->args;
    cli_conversion conversion = {.args = args, .in = model->path, .out = "-"};
    exit_code code = convert_prepare(&conversion);
    conversion.write.format = trilo_format_find(args_given(args, OPT_AS))->format;
    conversion.input.document = model->input.document;
    if (code == EXIT_FINE)
        code = convert_choose(&conversion);
    char *name = path_with_ending(strcmp(model->path, "-") == 0 ? "stdin" : path_last(model->path), ".t3dm");
    conversion.write.name = name;
    conversion.write.companion = drop_companion;
    if (code == EXIT_FINE && !convert(&conversion, model, &model->err)) {
        report_error(&args->err, model->path, &model->err);
        code = exit_of(model->err.code);
    }
    free(name);
    free(conversion.image);
    return code;
}
