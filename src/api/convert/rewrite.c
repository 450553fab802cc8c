/* A document written back: as it was, as another version of its format, compressed or decompressed. */
#include "api/document.h"

#include "base/opts.h"
#include "base/sink.h"
#include <string.h>

static bool rewrite_misuse(trilo_error *err, const char *text)
{
    return tl_fail(err, TRILO_CODE_UNSUPPORTED, &tl_general_rules[TL_CALL_MISUSE], TRILO_NOWHERE, NULL, "%s", text);
}

/* The records to write. */
static const void *rewrite_choose_file(const trilo_document *document, uint32_t version, tl_arena *arena,
                                       trilo_error *err)
{
    if (version == 0 || version == document->format->version(document->file))
        return document->file;
    if (!document->format->reversion) {
        rewrite_misuse(err, "the format has only one version");
        return NULL;
    }
    const trilo_tally tally = trilo_document_check(document, NULL, NULL);
    if (tally.errors + tally.crashes > 0) {
        tl_fail(err, TRILO_CODE_BAD_VALUE, &tl_general_rules[TL_FILE_READ], TRILO_NOWHERE, NULL,
                "the file has errors, so it cannot be converted to another version");
        return NULL;
    }
    return document->format->reversion(document->file, version, arena, err);
}

static bool rewrite_count_bytes(void *user, const void *bytes, size_t size)
{
    (void)bytes;
    *(size_t *)user += size;
    return true;
}

static bool rewrite_copy_bytes(void *user, const void *bytes, size_t size)
{
    uint8_t **end = user;
    memcpy(*end, bytes, size);
    *end += size;
    return true;
}

bool tl_rewrite_compress(tl_arena *arena, const trilo_rewrite_opts *rewrite, trilo_bytes plain, trilo_bytes *compressed,
                         trilo_error *err)
{
    if (rewrite->compress != 1)
        return rewrite_misuse(err, "only level 1 (LZ4) can be written");
    return tl_dca_compress_lz4(arena, plain, rewrite->version ? (int)rewrite->version : 3, compressed, err);
}

static bool rewrite_compressed(const trilo_document *document, const void *file, const trilo_rewrite_opts *rewrite,
                               tl_arena *arena, tl_sink *sink, trilo_error *err)
{
    trilo_bytes plain = {NULL, 0}, compressed;
    tl_sink count = {.fn = rewrite_count_bytes, .user = &plain.size};
    document->format->write(file, &count);
    uint8_t *bytes = tl_array_raw(arena, plain.size, 1), *end = bytes;
    if (!bytes)
        return tl_fail_memory(err);
    tl_sink copy = {.fn = rewrite_copy_bytes, .user = &end};
    document->format->write(file, &copy);
    plain.data = bytes;
    if (!tl_rewrite_compress(arena, rewrite, plain, &compressed, err))
        return false;
    tl_sink_put(sink, compressed.data, compressed.size);
    return true;
}

bool trilo_document_write(const trilo_document *document, const trilo_rewrite_opts *rewrite, trilo_write_fn *fn,
                          void *user, trilo_error *err)
{
    trilo_rewrite_opts own;
    const trilo_rewrite_opts *r = &own;
    tl_sink sink = {.fn = fn, .user = user};
    tl_arena arena;
    if (!TL_OPTS_TAKE(&own, rewrite, err))
        return false;
    tl_arena_init(&arena, &document->opts.memory);
    const void *file = rewrite_choose_file(document, r->format_version, &arena, err);
    bool ok = file != NULL;
    if (ok && r->compress)
        ok = rewrite_compressed(document, file, r, &arena, &sink, err);
    else if (ok && file == document->file && document->compression.version != 0 && !r->decompress)
        tl_sink_put(&sink, document->source.data, document->source.size);
    else if (ok)
        document->format->write(file, &sink);
    tl_arena_free(&arena);
    return ok && (!sink.refused || tl_fail(err, TRILO_CODE_CANT_WRITE, &tl_general_rules[TL_FILE_WRITE], TRILO_NOWHERE,
                                           NULL, "the output could not be written completely"));
}

bool trilo_document_companion(const trilo_document *document, uint32_t index, char *name, size_t room,
                              trilo_bytes *bytes)
{
    return document->format->companion && document->format->companion(document->file, index, name, room, bytes);
}
