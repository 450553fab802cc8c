/* What a model would cost in another format: it is converted in memory, and nothing is written. */
#include "cost/cost.h"

#include "convert/convert.h"
#include "paths.h"
#include "ui/report.h"

#include <stdlib.h>
#include <string.h>

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
    conversion.opts.when_empty = TRILO_WHEN_EMPTY_ALLOW;
    convert_link(&conversion);
    if (code == EXIT_FINE) {
        const trilo_load_opts opts = {.memory = conversion.load.all.memory, .format = conversion.write.format};
        model->made = trilo_convert(model->input.document, &conversion.opts, &model->err);
        if (model->made)
            model->converted =
                trilo_document_open(model->made->bytes.data, model->made->bytes.size, &opts, &model->err);
        if (!model->converted) {
            report_error(&args->err, model->path, &model->err);
            code = exit_of(model->err.code);
        }
    }
    free(name);
    convert_free(&conversion);
    return code;
}
