#include "base/reader.h"

#include "base/size.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

bool tl_reader_fail(tl_reader *reader, trilo_code code, const trilo_rule *rule, uint64_t offset, const char *format,
                    ...)
{
    if (reader->failed)
        return false;
    reader->failed = true;
    char text[sizeof reader->err->text];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return tl_fail(reader->err, code, rule, offset, &reader->path, "%s", text);
}

const uint8_t *tl_reader_take(tl_reader *reader, const char *what, size_t count, size_t each)
{
    if (reader->failed)
        return NULL;
    if (!tl_fits(reader->size, reader->at, count, each)) {
        const size_t left = reader->size - reader->at;
        if (count == 1)
            tl_reader_fail(reader, TRILO_CODE_TRUNCATED, reader->truncated, reader->at,
                           "%s takes %zu bytes, but the file ends after %zu", what, each, left);
        else
            tl_reader_fail(reader, TRILO_CODE_TRUNCATED, reader->truncated, reader->at,
                           "%zu %s of %zu bytes each, but the file ends after %zu bytes", count, what, each, left);
        return NULL;
    }
    const uint8_t *start = reader->base + reader->at;
    reader->at += count * each; /* cannot overflow: tl_fits */
    return start;
}

bool tl_reader_count_fits(tl_reader *reader, uint64_t offset, const char *what, uint32_t count, size_t least)
{
    if (reader->failed)
        return false;
    if (count > reader->max_count)
        return tl_reader_fail(reader, TRILO_CODE_LIMIT, &tl_general_rules[TL_FILE_LIMIT], offset,
                              "%" PRIu32 " %s, the limit is %" PRIu32, count, what, reader->max_count);
    if (!tl_fits(reader->size, reader->at, count, least))
        return tl_reader_fail(reader, TRILO_CODE_TRUNCATED, reader->truncated, offset,
                              "%" PRIu32 " %s take at least %" PRIu64 " bytes, but only %zu follow", count, what,
                              (uint64_t)count * least, reader->size - reader->at);
    return true;
}

uint32_t tl_reader_count(tl_reader *reader, const char *what, size_t least)
{
    const uint8_t *bytes = tl_reader_take(reader, what, 1, 4);
    if (!bytes)
        return 0;
    uint32_t count = tl_get_u32(bytes, reader->order);
    return tl_reader_count_fits(reader, (uint64_t)(bytes - reader->base), what, count, least) ? count : 0;
}
