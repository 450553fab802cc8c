#include "api/convert/write_opts.h"
#include "api/file/output_set.h"
#include "api/file/path.h"
#include "api/registry.h"
#include "base/opts.h"
#include "model/check.h"
#include <string.h>

bool tl_write_opts_take(tl_write_opts *own, const trilo_write_opts *opts, trilo_error *err)
{
    if (!TL_OPTS_TAKE(&own->all, opts, err) || !TL_OPTS_TAKE(&own->nlm, own->all.nlm, err) ||
        !TL_OPTS_TAKE(&own->t3dm, own->all.t3dm, err) || !TL_OPTS_TAKE(&own->model64, own->all.model64, err) ||
        !TL_OPTS_TAKE(&own->gltf, own->all.gltf, err))
        return false;
    own->all.nlm = &own->nlm;
    own->all.t3dm = &own->t3dm;
    own->all.model64 = &own->model64;
    own->all.gltf = &own->gltf;
    return true;
}

/* Files beside the model: to the caller's callback, or into the folder of the model. */
static bool write_companions(const tl_format *format, const void *file, const trilo_write_opts *opts, trilo_error *err)
{
    char name[256];
    trilo_bytes bytes;
    for (uint32_t i = 0; format->companion && format->companion(file, i, name, sizeof name, &bytes); i++)
        if (!opts->companion || !opts->companion(opts->companion_user, name, bytes))
            return tl_fail(err, TRILO_CODE_CANT_WRITE, &tl_general_rules[TL_FILE_WRITE], TRILO_NOWHERE, NULL,
                           opts->companion ? "%s, which belongs to the model, cannot be written"
                                           : "%s belongs to the model, but no callback that writes it is set",
                           name);
    return true;
}

bool trilo_model_write(const trilo_model *model, const trilo_write_opts *opts, trilo_write_fn *fn, void *user,
                       trilo_error *err)
{
    tl_write_opts own;
    if (!tl_write_opts_take(&own, opts, err))
        return false;
    if ((unsigned)own.all.profile > TRILO_WRITE_PROFILE_BEST)
        return tl_fail_misuse(err, "the profile is not one of its enumerators");
    const tl_format *format = tl_registry_get(own.all.format);
    if (!format || !format->encode)
        return tl_fail_misuse(err, "the format to write is not set");
    if (!tl_model_check(model, &own.all.memory, err))
        return false;
    tl_sink sink = {.fn = fn, .user = user};
    tl_report losses = {.fn = own.all.on_finding,
                        .user = own.all.on_finding_user,
                        .on_progress = own.all.on_progress,
                        .on_progress_user = own.all.on_progress_user};
    tl_arena arena;
    tl_arena_init(&arena, &own.all.memory);
    void *file = format->encode(model, &own.all, &arena, &losses, err);
    const bool ok = file && write_companions(format, file, &own.all, err);
    if (ok)
        format->write(file, &sink);
    tl_arena_free(&arena);
    if (!ok)
        return tl_report_fail_cancelled(&losses, err);
    return !sink.refused || tl_fail(err, TRILO_CODE_CANT_WRITE, &tl_general_rules[TL_FILE_WRITE], TRILO_NOWHERE, NULL,
                                    "the output could not be written completely");
}

/* A model that goes to a file, and its companions beside it. */
typedef struct file_write {
    const char *path;
    trilo_write_opts opts;
    tl_output_set set;
    tl_output_buffer bytes; /* of the model */
    trilo_error err;        /* why a companion was refused */
} file_write;

static bool write_stage_companion(void *user, const char *name, trilo_bytes bytes)
{
    file_write *w = user;
    const char *folder = tl_file_path_folder(&w->set.arena, w->path);
    const uint8_t *copy = tl_bytes_copy(&w->set.arena, bytes.data, bytes.size);
    return folder && copy ? tl_output_set_stage_below(&w->set, folder, name, (trilo_bytes){copy, bytes.size}, &w->err)
                          : tl_fail_memory(&w->err);
}

bool trilo_model_write_file(const trilo_model *model, const char *path, const trilo_write_opts *opts, trilo_error *err)
{
    file_write w = {.path = path};
    if (!TL_OPTS_TAKE(&w.opts, opts, err))
        return false;
    if (!w.opts.name)
        w.opts.name = tl_file_path_last(path);
    if (!w.opts.companion) {
        w.opts.companion = write_stage_companion;
        w.opts.companion_user = &w;
    }
    if (w.opts.format == TRILO_FORMAT_UNKNOWN) {
        const trilo_format_info *info = trilo_format_for_path(path);
        if (!info)
            return tl_fail(err, TRILO_CODE_UNSUPPORTED, &tl_general_rules[TL_FILE_UNKNOWN], TRILO_NOWHERE, NULL,
                           "the extension of the path is not that of a format that can be written");
        w.opts.format = info->format;
    }
    tl_output_set_begin(&w.set, &w.opts.memory);
    w.set.no_sync = w.opts.no_sync;
    w.bytes.arena = &w.set.arena;
    bool ok = tl_output_set_stage(&w.set, path, (trilo_bytes){NULL, 0}, err) &&
              trilo_model_write(model, &w.opts, tl_output_buffer_put, &w.bytes, err);
    if (w.bytes.out_of_memory)
        tl_fail_memory(&w.err);
    if (w.err.code != TRILO_CODE_OK && err)
        *err = w.err;
    if (ok) {
        w.set.files[0].bytes = (trilo_bytes){w.bytes.bytes, w.bytes.size};
        ok = tl_output_set_commit(&w.set, err);
    }
    tl_output_set_end(&w.set);
    return ok;
}
