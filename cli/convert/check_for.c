#include "convert/check_for.h"

#include "convert/convert.h"
#include "paths.h"

#include <stdlib.h>
#include <string.h>

static const option_id check_for_ids[] = {
    OPT_SCALE,        OPT_METER,        OPT_AXES,      OPT_FPS,          OPT_MERGE_MATERIALS, OPT_MAX_FRAME_VERTICES,
    OPT_T3DM_VERSION, OPT_RESTORE_SIZE, OPT_NORMALIZE, OPT_DROP_TEXTURES};
enum { CHECK_FOR_IDS = sizeof check_for_ids / sizeof *check_for_ids };

bool check_for_takes(option_id id)
{
    for (size_t i = 0; i < CHECK_FOR_IDS; i++)
        if (check_for_ids[i] == id)
            return true;
    return false;
}

exit_code check_for_options(const cli_args *args)
{
    for (size_t i = 0; i < CHECK_FOR_IDS; i++)
        if (args_lacks(args, check_for_ids[i], OPT_FOR))
            return args_fail(args, "--%s says how to convert: it needs --for", option_get(check_for_ids[i])->name);
    return EXIT_FINE;
}

bool check_for_profile(const cli_input *input, const cli_args *args)
{
    const char *made = args_given(args, OPT_FOR);
    const char *model64 = trilo_format_get(TRILO_FORMAT_MODEL64)->name;
    return trilo_document_format(input->document) == TRILO_FORMAT_MODEL64 || (made && strcmp(made, model64) == 0);
}

/* The output was not written, so its bytes cannot be looked up. */
static void see_result(void *user, const trilo_finding *finding)
{
    const cli_conversion *conversion = user;
    trilo_finding placeless = *finding;
    placeless.offset = TRILO_NOWHERE;
    conversion->write.on_finding(conversion->write.on_finding_user, &placeless);
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
    conversion.opts.reencode = true;
    conversion.opts.when_empty = TRILO_WHEN_EMPTY_REPORT;
    /* What the output would be called: companion files and textures are named after it. */
    char ending[32];
    snprintf(ending, sizeof ending, ".%s", trilo_format_extension(format->format));
    char *name = path_with_ending(strcmp(input->path, "-") == 0 ? "stdin" : path_last(input->path), ending);
    conversion.write.name = name;
    convert_link(&conversion);
    if (code == EXIT_FINE)
        conversion.result = trilo_convert(input->document, &conversion.opts, err);
    if (conversion.result && (args_choice(args, OPT_PROFILE) > 0) && format->format == TRILO_FORMAT_MODEL64) {
        /* The profile applies to the output, not to the input. */
        const trilo_bytes bytes = conversion.result->bytes;
        trilo_load_opts opts = conversion.load.all;
        opts.format = conversion.write.format;
        trilo_document *document = trilo_document_open(bytes.data, bytes.size, &opts, err);
        if (document)
            trilo_document_check(document, see_result, &conversion);
        trilo_document_free(document);
    }
    free(name);
    convert_free(&conversion);
    return code;
}
