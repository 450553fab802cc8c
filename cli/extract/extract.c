/* extract.c: the command that writes embedded images and streams to files, and the files of a ROM. */
#include "extract/extract.h"

#include "alloc.h"
#include "companions.h"
#include "info/info.h"
#include "input.h"
#include "names.h"
#include "output.h"
#include "system.h"
#include "ui/json.h"
#include "ui/report.h"
#include "ui/table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* One file to write. */
typedef struct cli_piece {
    char *path;
    trilo_bytes bytes;
    const trilo_texture *texture; /* NULL: a stream */
    uint32_t index;
} cli_piece;

typedef struct cli_extraction {
    const cli_args *args;
    const cli_input *input;
    bool wants_textures, wants_streams;
    bool list;              /* write nothing */
    size_t count, textures; /* pieces; those in front that are textures */
    cli_piece *pieces;
    cli_names taken; /* the paths of textures */
    cli_companions companions;
} cli_extraction;

/* ---- what to write ---- */

/* Where a file goes, in fresh memory. */
static char *path_of(const cli_args *args, const char *name)
{
    const char *directory = args_value(args, OPT_OUTPUT);
    const bool here = strcmp(directory, ".") == 0;
    const size_t room = strlen(directory) + strlen(name) + 2;
    char *path = need(NULL, room, 1);
    snprintf(path, room, "%s%s%s", here ? "" : directory, here ? "" : "/", name);
    return path;
}

static char *texture_path(const cli_args *args, const trilo_texture *texture, trilo_str own_name, uint32_t index)
{
    const char *model = strcmp(args->operands[0], "-") == 0 ? "stdin" : args->operands[0];
    char stem[TRILO_IMAGE_STEM_ROOM], name[TRILO_IMAGE_STEM_ROOM + 8];
    trilo_image_stem(own_name, model, index, stem);
    snprintf(name, sizeof name, "%s.%s", stem, trilo_image_extension(texture->kind));
    return path_of(args, name);
}

static void extract_add_file(cli_extraction *extraction, cli_piece piece)
{
    if ((extraction->count & (extraction->count - 1)) == 0) /* full: the room is the next power of two */
        extraction->pieces = need(extraction->pieces, 2 * extraction->count + 1, sizeof *extraction->pieces);
    extraction->pieces[extraction->count++] = piece;
}

/* Its own name if that is unique, else the name of the model and a number: its own number if that is free. */
static char *choose_path(cli_extraction *extraction, const trilo_texture *texture, uint32_t index)
{
    const trilo_str none = {"", 0};
    char *path = texture_path(extraction->args, texture, texture->name, index);
    while (!names_add(&extraction->taken, path)) {
        free(path);
        path = texture_path(extraction->args, texture, none, index);
        index += extraction->input->model->texture_count;
    }
    return path;
}

static void extract_gather_files(cli_extraction *extraction)
{
    const cli_args *args = extraction->args;
    const trilo_model *model = extraction->input->model;
    for (uint32_t i = 0; extraction->wants_textures && i < model->texture_count; i++) {
        const trilo_texture *texture = &model->textures[i];
        if (texture->bytes.size > 0)
            extract_add_file(extraction, (cli_piece){choose_path(extraction, texture, i), texture->bytes, texture, i});
    }
    extraction->textures = extraction->count;
    if (extraction->wants_streams && model->format == TRILO_FORMAT_T3DM)
        extraction->companions = companions_of(extraction->input->document);
    for (size_t i = 0; i < extraction->companions.count; i++) {
        const cli_companion *companion = &extraction->companions.rows[i];
        extract_add_file(extraction, (cli_piece){path_of(args, companion->name), companion->bytes, NULL, (uint32_t)i});
    }
}

/* ---- writing it ---- */

static exit_code make_directory(const cli_args *args)
{
    const char *directory = args_value(args, OPT_OUTPUT);
    if (system_make_directory(directory))
        return EXIT_FINE;
    report_plain(&args->err, directory, strerror(errno));
    return EXIT_OUTPUT;
}

/* All of them, or none. */
static exit_code write_pieces(const cli_extraction *extraction)
{
    const cli_args *args = extraction->args;
    const char *directory = args_value(args, OPT_OUTPUT);
    const trilo_file_opts opts = {.below = directory, .no_sync = args_has(args, OPT_NO_SYNC)};
    const size_t front = strcmp(directory, ".") == 0 ? 0 : strlen(directory) + 1;
    trilo_extra_file *files = need(NULL, extraction->count, sizeof *files);
    size_t failed;
    trilo_error err;
    for (size_t i = 0; i < extraction->count; i++)
        files[i] = (trilo_extra_file){extraction->pieces[i].path + front, extraction->pieces[i].bytes};
    const bool ok = trilo_files_replace(files, extraction->count, &opts, &failed, &err);
    free(files);
    if (ok)
        return EXIT_FINE;
    report_error(&args->err, failed < extraction->count ? extraction->pieces[failed].path : directory, &err);
    return exit_of(err.code);
}

static void json_pieces(const cli_extraction *extraction, size_t first, size_t end, cli_json *json)
{
    for (size_t i = first; i < end; i++) {
        const cli_piece *piece = &extraction->pieces[i];
        json_object(json, NULL);
        json_uint(json, "index", piece->index);
        json_text(json, "path", piece->path);
        if (piece->texture) {
            json_text(json, "kind", info_image_kind(piece->texture->kind));
            json_uint(json, "width", piece->texture->width);
            json_uint(json, "height", piece->texture->height);
        }
        json_uint(json, "size", piece->bytes.size);
        json_end(json);
    }
}

/* The paths that were written; or, in a table, what could be. */
static void print_pieces(const cli_extraction *extraction)
{
    const cli_args *args = extraction->args;
    cli_table table = table_new("rll");
    if (extraction->list)
        table_cells(&table, (const char *[]){"SIZE", "KIND", "FILE", NULL});
    for (size_t i = 0; i < extraction->count; i++) {
        const cli_piece *piece = &extraction->pieces[i];
        if (extraction->list) {
            table_cell(&table, "%s", COUNT(piece->bytes.size));
            table_cell(&table, "%s", piece->texture ? info_image_kind(piece->texture->kind) : "stream");
            table_cell(&table, "%s", piece->path);
        } else {
            text_puts(args->out.file, piece->path);
            fputc('\n', args->out.file);
        }
    }
    if (!extraction->list || extraction->count == 0) {
        table_free(&table);
        return;
    }
    table_print(&table, &args->out, true);
    fflush(args->out.file);
    if (!args->quiet)
        fprintf(args->err.file, "%s: -o DIR writes %s\n", report_name(args->operands[0]),
                extraction->count == 1 ? "this file" : "these files");
}

/* Asked for, and the model has clips, but none was there to extract. */
static bool streams_missing(const cli_extraction *extraction)
{
    const trilo_model *model = extraction->input->model;
    return extraction->wants_streams && extraction->companions.count == 0 && model->clip_count > 0 &&
           model->format == TRILO_FORMAT_T3DM;
}

/* A model without such files is not an error, but a note says so. */
static void tell_nothing(const cli_extraction *extraction)
{
    const cli_args *args = extraction->args;
    const trilo_model *model = extraction->input->model;
    FILE *out = args->err.file;
    if (args->quiet)
        return;
    if (extraction->wants_textures && extraction->textures == 0) {
        text_puts(out, report_name(args->operands[0]));
        fputs(": it has no embedded textures", out);
        for (uint32_t i = 0; i < model->texture_count; i++) {
            fputs(i ? ", " : "; it names ", out);
            text_put(out, model->textures[i].path.data, model->textures[i].path.len);
        }
        fputc('\n', out);
    }
    if (extraction->wants_streams && extraction->companions.count == 0 &&
        (args_has(args, OPT_STREAMS) || streams_missing(extraction))) {
        text_puts(out, report_name(args->operands[0]));
        fputs(streams_missing(extraction) ? ": its streams were not found\n" : ": it has no streams\n", out);
    }
}

static exit_code write_all(const cli_extraction *extraction)
{
    const cli_args *args = extraction->args;
    exit_code code = EXIT_FINE;
    /* Nothing is written if one of the files exists already. */
    for (size_t i = 0; i < extraction->count && !args_has(args, OPT_FORCE); i++)
        if (system_exists(extraction->pieces[i].path)) {
            report_plain(&args->err, extraction->pieces[i].path, "it already exists; --force overwrites it");
            code = EXIT_OUTPUT;
        }
    if (code == EXIT_FINE)
        code = make_directory(args);
    return code == EXIT_FINE ? write_pieces(extraction) : code;
}

static exit_code extract_model(const cli_extraction *extraction)
{
    const cli_args *args = extraction->args;
    exit_code code = extraction->list ? EXIT_FINE : write_all(extraction);
    if (code != EXIT_FINE)
        return code;
    tell_nothing(extraction);
    if (streams_missing(extraction) && args_has(args, OPT_STREAMS))
        code = EXIT_INPUT;
    if (!args->json) {
        print_pieces(extraction);
        return code;
    }
    cli_json json = json_start(args->out.file, "extract");
    json_text(&json, "file", args->operands[0]);
    json_bool(&json, "written", !extraction->list);
    if (extraction->wants_textures) {
        json_array(&json, "textures");
        json_pieces(extraction, 0, extraction->textures, &json);
        json_end(&json);
    }
    if (extraction->wants_streams) {
        json_array(&json, "streams");
        json_pieces(extraction, extraction->textures, extraction->count, &json);
        json_end(&json);
    }
    json_finish(&json);
    return code;
}

/* Without options, what there is to extract is listed; with -o alone, everything is extracted. */
exit_code extract_run(const cli_args *args)
{
    cli_load_opts opts;
    cli_input input;
    const bool textures = args_has(args, OPT_TEXTURES), streams = args_has(args, OPT_STREAMS);
    exit_code code = EXIT_FINE;
    if (!textures && !streams && extract_rom(args, args->operands[0], &code))
        return code;
    code = input_options(args, &opts);
    if (code != EXIT_FINE)
        return code;
    code = input_load(&input, args, args->operands[0], &opts.all);
    if (code == EXIT_FINE) {
        cli_extraction extraction = {.args = args,
                                     .input = &input,
                                     .wants_textures = textures || !streams,
                                     .wants_streams = streams || !textures,
                                     .list = !textures && !streams && !args_given(args, OPT_OUTPUT)};
        extract_gather_files(&extraction);
        code = extract_model(&extraction);
        names_free(&extraction.taken);
        for (size_t i = 0; i < extraction.count; i++)
            free(extraction.pieces[i].path);
        free(extraction.pieces);
        companions_free(&extraction.companions);
    }
    input_close(&input);
    return code;
}
