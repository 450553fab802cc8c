/* materials.c: writes a first materials file for a model. */
#include "buffer.h"
#include "input.h"
#include "output.h"
#include "paths.h"
#include "system.h"
#include "ui/report.h"

#include "trilobite/materials.h"

#include <stdlib.h>
#include <string.h>

/* With the escapes of TOML for what does not show in an editor or a terminal. */
static void materials_print(FILE *out, const void *context)
{
    cli_buffer text = {0};
    trilo_materials_print(context, buffer_keep, &text);
    uint32_t code;
    size_t size;
    for (size_t i = 0; i < text.size; i += size ? size : 1) {
        const char *at = (const char *)text.bytes + i;
        size = text_decode(at, text.size - i, &code);
        if (size > 0 && code != '\n' && text_is_hidden(code))
            fprintf(out, code < 0x10000 ? "\\u%04X" : "\\U%08X", (unsigned)code);
        else
            fwrite(at, 1, size ? size : 1, out);
    }
    free(text.bytes);
}

exit_code materials_run(const cli_args *args)
{
    const char *in = args->operands[0], *given = args_given(args, OPT_OUTPUT);
    cli_load_opts load;
    cli_input input;
    exit_code code = input_options(args, &load);
    if (code != EXIT_FINE)
        return code;
    if (!given && strcmp(in, "-") == 0)
        return args_fail(args, "standard input has no name to call the file after: use -o FILE");
    char *path = given ? path_join(".", given) : path_with_ending(in, TRILO_MATERIALS_ENDING);
    load.all.ignore_materials_file = true;
    code = input_load(&input, args, in, &load.all);
    if (code == EXIT_FINE && trilo_document_format(input.document) == TRILO_FORMAT_T3DM) {
        report_plain(&args->err, in, "a T3DM file has its N64 materials inside: a materials file is for other formats");
        code = EXIT_INPUT;
    } else if (code == EXIT_FINE && strcmp(path, "-") != 0 && system_exists(path) && !args_has(args, OPT_FORCE)) {
        report_plain(&args->err, path, "it already exists; --force overwrites it");
        code = EXIT_OUTPUT;
    }
    if (code == EXIT_FINE)
        code = output_print(path, materials_print, input.model);
    if (code == EXIT_FINE && strcmp(path, "-") != 0 && !args->quiet) {
        text_puts(args->err.file, path);
        fprintf(args->err.file, ": %u material%s\n", input.model->material_count,
                text_plural(input.model->material_count));
    }
    input_close(&input);
    free(path);
    return code;
}
