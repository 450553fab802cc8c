#include "api/registry.h"

static bool misuse(trilo_error *err, const char *text)
{
    return tl_fail(err, TRILO_MISUSE, &tl_general_rules[TL_CALL_MISUSE], TRILO_NOWHERE, NULL, "%s", text);
}

static bool encode_to(const tl_format *format, const trilo_model *model, const trilo_write_opts *opts, tl_sink *sink,
                      trilo_error *err)
{
    tl_arena arena;
    tl_arena_init(&arena, &opts->memory);
    tl_report losses = {.fn = opts->on_finding, .user = opts->on_finding_user};
    void *file = format->encode(model, opts, &arena, &losses, err);
    if (file)
        format->write(file, sink);
    tl_arena_free(&arena);
    return file != NULL;
}

bool trilo_write(const trilo_model *model, const trilo_write_opts *opts, trilo_write_fn *fn, void *user,
                 trilo_error *err)
{
    static const trilo_write_opts defaults = {0};
    if (!opts)
        opts = &defaults;
    if (opts->guard_begin != 0 || opts->guard_end != 0)
        return misuse(err, "the options were not zero-filled before use");
    const tl_format *format = tl_registry_get(opts->format);
    if (!format || !format->encode)
        return misuse(err, "no format to write was named");
    tl_sink sink = {.fn = fn, .user = user};
    if (!trilo_model_check(model, err) || !encode_to(format, model, opts, &sink, err))
        return false;
    return !sink.refused || tl_fail(err, TRILO_CANT_WRITE, &tl_general_rules[TL_FILE_WRITE], TRILO_NOWHERE, NULL,
                                    "the destination took no more bytes");
}

typedef struct file_write {
    const trilo_model *model;
    trilo_write_opts opts;
} file_write;

static bool fill_file(void *context, trilo_write_fn *sink, void *sink_user, trilo_error *err)
{
    const file_write *w = context;
    return trilo_write(w->model, &w->opts, sink, sink_user, err);
}

bool trilo_write_file(const trilo_model *model, const char *path, const trilo_write_opts *opts, trilo_error *err)
{
    file_write w = {.model = model};
    if (opts)
        w.opts = *opts;
    if (w.opts.format == TRILO_FORMAT_UNKNOWN) {
        const trilo_format_info *info = trilo_format_for_path(path);
        if (!info)
            return tl_fail(err, TRILO_UNSUPPORTED, &tl_general_rules[TL_FILE_UNKNOWN], TRILO_NOWHERE, NULL,
                           "the extension of the path names no format that can be written");
        w.opts.format = info->format;
    }
    return trilo_replace_file(path, fill_file, &w, err);
}
