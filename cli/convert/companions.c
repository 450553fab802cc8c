/* companions.c: the streams of a T3DM model and the buffers of a .gltf go where the model goes. */
#include "convert/convert.h"

#include "output.h"
#include "paths.h"
#include "read_file.h"
#include "system.h"
#include "ui/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The folder of a path, in fresh memory. */
static char *folder_of(const char *path)
{
    return companions_path(path, ".");
}

static bool same_folder(const cli_conversion *conversion)
{
    char *in = folder_of(conversion->in), *out = folder_of(conversion->out);
    const bool same = system_same(in, out);
    free(in);
    free(out);
    return same;
}

/* The library has decompressed them; an exact copy takes the file itself, where it has that name. */
static void restore_compressed(const cli_conversion *conversion, cli_companion *companion)
{
    size_t size;
    char *path = companions_path(conversion->in, companion->name);
    uint8_t *bytes = slurp(path, &size);
    free(path);
    if (!bytes)
        return;
    free((void *)(uintptr_t)companion->bytes.data);
    companion->bytes = (trilo_bytes){bytes, size};
}

void convert_collect_companions(cli_conversion *conversion)
{
    if (strcmp(conversion->in, "-") == 0 || same_folder(conversion))
        return;
    conversion->companions = companions_of(conversion->input.document);
    for (size_t i = 0; i < conversion->companions.count && !conversion->rewrite.decompress; i++)
        restore_compressed(conversion, &conversion->companions.rows[i]);
}

static bool is_there(const char *path, trilo_bytes bytes)
{
    size_t size;
    uint8_t *found = system_exists(path) ? slurp(path, &size) : NULL;
    const bool same = found && size == bytes.size && (size == 0 || memcmp(found, bytes.data, size) == 0);
    free(found);
    return same;
}

/* Would the input lose a stream, without being replaced itself? */
static bool belongs_to_input(const cli_conversion *conversion, const char *path)
{
    bool belongs = false;
    if (strcmp(conversion->in, "-") == 0 || system_same(conversion->in, conversion->out))
        return false;
    cli_companions own = companions_of(conversion->input.document);
    for (size_t i = 0; i < own.count && !belongs; i++) {
        char *theirs = companions_path(conversion->in, own.rows[i].name);
        belongs = system_same(theirs, path);
        free(theirs);
    }
    companions_free(&own);
    return belongs;
}

/* "hero.0.sdata" is expected beside "hero.t3dm"; "other.0.sdata" may belong to another model. */
static bool named_after(const char *name, const char *out)
{
    const char *stem = path_last(out), *dot = strrchr(stem, '.');
    const size_t length = dot ? (size_t)(dot - stem) : strlen(stem);
    return strncmp(name, stem, length) == 0 && (name[length] == '.' || name[length] == '-');
}

/* Names in a file are not to be trusted: only streams are overwritten, and what we named after the output ourselves.
 * NULL: nothing speaks against it. */
static const char *objection(const cli_conversion *conversion, const cli_companion *companion, const char *path)
{
    const bool stream = companion_is_stream(companion),
               own = !conversion->exact && named_after(companion->name, conversion->out);
    if (strcmp(path, conversion->out) == 0)
        return "the model names itself as a file beside it";
    if (!stream && !own && system_exists(path))
        return conversion->write.format == TRILO_FORMAT_T3DM ? "it exists, and its name is not that of a stream of keys"
                                                             : "it exists with other content: write to another folder";
    if (system_exists(path) && belongs_to_input(conversion, path))
        return stream ? "it is a stream of the input, which stays: give the output another name"
                      : "it is a file of the input, which stays: give the output another name";
    return NULL;
}

static void tell_replaced(const cli_conversion *conversion, const char *path)
{
    const trilo_finding finding = {TRILO_SEVERITY_WARNING,
                                   TRILO_FINDING_KIND_ADVICE,
                                   "FILE-REPLACED",
                                   TRILO_NOWHERE,
                                   "",
                                   "it had other content and was replaced, another model may have needed it"};
    report_finding(&conversion->args->err, path, &finding);
}

static bool fail(cli_conversion *conversion, exit_code code)
{
    conversion->failure = code;
    return false;
}

static bool write_bytes(const cli_companion *companion, const char *path, trilo_error *err)
{
    char *folder = path_folder(path);
    const bool made = !strchr(companion->name, '/') || system_make_directory(folder);
    free(folder);
    if (made)
        return output_bytes(path, companion->bytes, err);
    *err = (trilo_error){.code = TRILO_CODE_CANT_WRITE, .rule = "FILE-WRITE", .offset = TRILO_NOWHERE};
    snprintf(err->text, sizeof err->text, "its folder cannot be made: %s", strerror(errno));
    return false;
}

static bool write_companion(cli_conversion *conversion, cli_companion *companion)
{
    trilo_error err;
    char *path = companions_path(conversion->out, companion->name);
    const bool there = is_there(path, companion->bytes);
    const bool replaces = !there && system_exists(path) && !named_after(companion->name, conversion->out);
    const char *why = there ? NULL : objection(conversion, companion, path);
    bool ok = true;
    companion->fresh = !system_exists(path);
    if (why) {
        report_plain(&conversion->args->err, path, why);
        ok = fail(conversion, EXIT_OUTPUT);
    } else if (!there && !write_bytes(companion, path, &err)) {
        report_error(&conversion->args->err, path, &err);
        ok = fail(conversion, exit_of(err.code));
    } else if (!there) {
        if (replaces)
            tell_replaced(conversion, path);
        companion->path = path;
        path = NULL;
    }
    free(path);
    return ok;
}

bool convert_write_companions(cli_conversion *conversion)
{
    for (size_t i = 0; i < conversion->companions.count; i++)
        if (!write_companion(conversion, &conversion->companions.rows[i]))
            return false;
    return true;
}

void convert_remove_companions(cli_conversion *conversion)
{
    for (size_t i = 0; i < conversion->companions.count; i++) {
        const cli_companion *companion = &conversion->companions.rows[i];
        if (companion->path && companion->fresh)
            remove(companion->path);
    }
}
