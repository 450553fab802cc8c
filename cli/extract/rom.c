/* Files of ROMs and DragonFS images. */
#include "extract/extract.h"

#include "alloc.h"
#include "paths.h"
#include "system.h"
#include "ui/json.h"
#include "ui/report.h"
#include "ui/table.h"

#include "trilobite/document.h"
#include "trilobite/file.h"
#include "trilobite/image.h"
#include "trilobite/rom.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- which files ---- */

/* True if it is the file that was named, or in the folder that was. */
static bool is_wanted(const trilo_rom_file *file, const char *inside)
{
    size_t length = strlen(inside);
    while (length > 0 && inside[length - 1] == '/')
        length--;
    return length == 0 || (file->path.len >= length && strncmp(file->path.data, inside, length) == 0 &&
                           (file->path.len == length || file->path.data[length] == '/'));
}

/* "t3dm", "sprite", or nothing. */
static const char *kind_of(const trilo_rom_file *file)
{
    const char *name = file->path.data;
    return path_ends(name, ".sprite")    ? "sprite"
           : path_ends(name, ".sdata")   ? "stream"
           : trilo_format_for_path(name) ? trilo_format_for_path(name)->name
                                         : "";
}

static bool is_compressed(const trilo_rom_file *file)
{
    return file->bytes.size > 4 && memcmp(file->bytes.data, "DCA", 3) == 0;
}

/* ---- writing them ---- */

static exit_code write_files(const cli_args *args, const trilo_extra_file *files, size_t count)
{
    const char *directory = args_value(args, OPT_OUTPUT);
    const trilo_file_opts opts = {.below = directory, .no_sync = args_has(args, OPT_NO_SYNC)};
    exit_code code = EXIT_FINE;
    size_t failed;
    trilo_error err;
    for (size_t i = 0; i < count && !args_has(args, OPT_FORCE); i++) {
        char *path = path_join(directory, files[i].path);
        if (system_exists(path)) {
            report_plain(&args->err, path, "it already exists; --force overwrites it");
            code = EXIT_OUTPUT;
        }
        free(path);
    }
    if (code != EXIT_FINE)
        return code;
    if (!system_make_directory(directory)) {
        report_plain(&args->err, directory, strerror(errno));
        return EXIT_OUTPUT;
    }
    if (trilo_files_replace(files, count, &opts, &failed, &err))
        return EXIT_FINE;
    report_error(&args->err, failed < count ? files[failed].path : directory, &err);
    return exit_of(err.code);
}

/* ---- the report ---- */

static void print_files(const cli_args *args, const trilo_rom *rom, const trilo_extra_file *files, size_t count,
                        const trilo_rom_file *const *wanted)
{
    const bool written = args_given(args, OPT_OUTPUT) != NULL;
    cli_table table = table_new("rlll");
    if (written) {
        for (size_t i = 0; i < count; i++) {
            char *path = path_join(args_value(args, OPT_OUTPUT), files[i].path);
            text_puts(args->out.file, path);
            fputc('\n', args->out.file);
            free(path);
        }
        return;
    }
    fprintf(args->out.file, "%s, DragonFS %u.%u, %" PRIu32 " file%s\n", trilo_rom_order_name(rom->order), rom->major,
            rom->minor, rom->file_count, text_plural(rom->file_count));
    table_cells(&table, (const char *[]){"SIZE", "KIND", "STORED", "FILE", NULL});
    for (size_t i = 0; i < count; i++) {
        table_cell(&table, "%s", COUNT(wanted[i]->bytes.size));
        table_cell(&table, "%s", kind_of(wanted[i]));
        table_cell(&table, "%s", is_compressed(wanted[i]) ? "compressed" : "");
        table_cell(&table, "/%s", wanted[i]->path.data);
    }
    table_print(&table, &args->out, true);
}

static void json_files(const cli_args *args, const char *path, const trilo_rom *rom, const trilo_extra_file *files,
                       size_t count, const trilo_rom_file *const *wanted)
{
    cli_json json = json_start(args->out.file, "extract");
    char version[24];
    snprintf(version, sizeof version, "%u.%u", rom->major, rom->minor);
    json_text(&json, "file", path);
    json_text(&json, "order", trilo_rom_order_name(rom->order));
    json_text(&json, "dragonfs", version);
    json_uint(&json, "offset", rom->offset);
    json_array(&json, "files");
    for (size_t i = 0; i < count; i++) {
        json_object(&json, NULL);
        json_str(&json, "path", wanted[i]->path);
        json_uint(&json, "size", wanted[i]->bytes.size);
        json_bool(&json, "compressed", is_compressed(wanted[i]));
        if (args_given(args, OPT_OUTPUT)) {
            char *written = path_join(args_value(args, OPT_OUTPUT), files[i].path);
            json_text(&json, "written", written);
            free(written);
        }
        json_end(&json);
    }
    json_end(&json);
    json_finish(&json);
}

/* ---- all of it ---- */

static exit_code extract_files(const cli_args *args, const char *path, const trilo_rom *rom, const char *inside)
{
    trilo_extra_file *files = need(NULL, rom->file_count, sizeof *files);
    const trilo_rom_file **wanted = need(NULL, rom->file_count, sizeof *wanted);
    size_t count = 0;
    for (uint32_t i = 0; i < rom->file_count; i++)
        if (is_wanted(&rom->files[i], inside)) {
            wanted[count] = &rom->files[i];
            files[count++] = (trilo_extra_file){rom->files[i].path.data, rom->files[i].bytes};
        }
    exit_code code = EXIT_FINE;
    if (count == 0 && *inside) {
        report_plain(&args->err, path, "the ROM has no such file or folder");
        code = EXIT_INPUT;
    } else if (args_given(args, OPT_OUTPUT)) {
        code = write_files(args, files, count);
    }
    if (code == EXIT_FINE && args->json)
        json_files(args, path, rom, files, count, wanted);
    else if (code == EXIT_FINE)
        print_files(args, rom, files, count, wanted);
    free(files);
    free((void *)wanted);
    return code;
}

bool extract_rom(const cli_args *args, const char *path, exit_code *code)
{
    char *rom_path = path_join(".", path);
    const char *inside = "";
    trilo_error err;
    char *colon = strstr(rom_path, ":/");
    if (colon && !system_exists(rom_path)) { /* "game.z64:/models" */
        *colon = '\0';
        inside = colon + 2;
    }
    const trilo_file *file = strcmp(path, "-") == 0 ? NULL : trilo_file_read(rom_path, NULL, &err);
    const bool is_rom = file && trilo_rom_probe(file->bytes);
    const trilo_rom *rom = is_rom ? trilo_rom_read(file->bytes, NULL, &err) : NULL;
    if (rom) {
        *code = extract_files(args, path, rom, inside);
    } else if (is_rom) {
        report_error(&args->err, path, &err);
        *code = exit_of(err.code);
    }
    trilo_rom_free(rom);
    trilo_file_free(file);
    free(rom_path);
    return is_rom;
}
