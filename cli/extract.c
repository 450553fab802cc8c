/* extract.c: the command that writes embedded images to files. */
#include "alloc.h"
#include "info.h"
#include "input.h"
#include "json.h"
#include "output.h"
#include "report.h"
#include "system.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* "models/hero.nlm": "hero". */
static char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *start = strcmp(path, "-") == 0 ? "stdin" : slash ? slash + 1 : path;
    const char *dot = strrchr(start, '.');
    const size_t len = dot && dot > start ? (size_t)(dot - start) : strlen(start);
    char *name = need(NULL, len + 1, 1);
    memcpy(name, start, len);
    name[len] = '\0';
    return name;
}

/* Where the texture goes, in fresh memory. */
static char *path_of(const cli_args *args, const trilo_texture *texture, uint32_t index)
{
    const char *directory = args_value(args, OPT_OUTPUT);
    char *base = base_name(args->operands[0]);
    const size_t room = strlen(directory) + strlen(base) + 32;
    char *path = need(NULL, room, 1);
    const bool here = strcmp(directory, ".") == 0;
    snprintf(path, room, "%s%s%s-%" PRIu32 ".%s", here ? "" : directory, here ? "" : "/", base, index,
             trilo_image_extension(texture->kind));
    free(base);
    return path;
}

/* Nothing is written when one of the files is in the way. */
static exit_code refuse_existing(const cli_args *args, const trilo_model *model)
{
    exit_code code = EXIT_FINE;
    for (uint32_t i = 0; i < model->texture_count && !args_has(args, OPT_FORCE); i++) {
        if (model->textures[i].bytes.size == 0)
            continue;
        char *path = path_of(args, &model->textures[i], i);
        if (system_exists(path)) {
            report_plain(&args->err, path, "it exists, --force overwrites it");
            code = EXIT_OUTPUT;
        }
        free(path);
    }
    return code;
}

static void tell(const cli_args *args, const char *path, uint32_t index, const trilo_texture *texture, cli_json *json)
{
    if (!json) {
        text_puts(args->out.file, path);
        fputc('\n', args->out.file);
        return;
    }
    json_object(json, NULL);
    json_uint(json, "index", index);
    json_text(json, "path", path);
    json_text(json, "kind", info_image_kind(texture->kind));
    json_uint(json, "width", texture->width);
    json_uint(json, "height", texture->height);
    json_uint(json, "size", texture->bytes.size);
    json_end(json);
}

static exit_code extract_one(const cli_args *args, const trilo_model *model, uint32_t index, cli_json *json)
{
    const trilo_texture *texture = &model->textures[index];
    trilo_error err;
    exit_code code = EXIT_FINE;
    char *path = path_of(args, texture, index);
    if (output_bytes(path, texture->bytes, &err)) {
        tell(args, path, index, texture, json);
    } else {
        report_error(&args->err, path, &err);
        code = exit_of(err.code);
    }
    free(path);
    return code;
}

static exit_code extract_all(const cli_args *args, const trilo_model *model, cli_json *json)
{
    exit_code code = EXIT_FINE;
    uint32_t embedded = 0;
    for (uint32_t i = 0; i < model->texture_count && code == EXIT_FINE; i++) {
        if (model->textures[i].bytes.size == 0)
            continue;
        code = extract_one(args, model, i, json);
        embedded++;
    }
    if (embedded == 0 && !args->quiet) {
        text_puts(args->err.file, report_name(args->operands[0]));
        fputs(": it embeds no textures\n", args->err.file);
    }
    return code;
}

static exit_code make_directory(const cli_args *args)
{
    const char *directory = args_value(args, OPT_OUTPUT);
    if (system_make_directory(directory))
        return EXIT_FINE;
    report_plain(&args->err, directory, strerror(errno));
    return EXIT_OUTPUT;
}

static exit_code extract(const cli_args *args, const trilo_model *model)
{
    cli_json json;
    exit_code code = refuse_existing(args, model);
    if (code == EXIT_FINE)
        code = make_directory(args);
    if (code != EXIT_FINE)
        return code;
    if (!args->json)
        return extract_all(args, model, NULL);
    json = json_start(args->out.file, "extract");
    json_text(&json, "file", args->operands[0]);
    json_array(&json, "textures");
    code = extract_all(args, model, &json);
    json_end(&json);
    json_finish(&json);
    return code;
}

exit_code extract_run(const cli_args *args)
{
    trilo_load_opts opts;
    cli_input input;
    if (!args_has(args, OPT_TEXTURES))
        return args_fail(args, "say what to extract: --textures");
    exit_code code = input_options(args, &opts);
    if (code != EXIT_FINE)
        return code;
    code = input_load(&input, args, args->operands[0], &opts);
    if (code == EXIT_FINE)
        code = extract(args, input.model);
    input_close(&input);
    return code;
}
