/* reader.h: a cursor over the bytes of a file with a sticky error.
 *
 * After the first failure all functions return false, 0 or NULL and do not move the cursor, so that loops end and
 * callers test once.
 */
#ifndef TL_BASE_READER_H
#define TL_BASE_READER_H

#include "base/bytes.h"
#include "base/compiler.h"
#include "base/report.h"

typedef struct tl_reader {
    const uint8_t *base;
    size_t size, at; /* at <= size */
    tl_order order;
    bool failed;
    uint32_t max_count;
    const trilo_rule *truncated; /* the rule of the format for a file that ends too early */
    tl_path path;
    trilo_error *err;
} tl_reader;

/* Fails at byte `offset` with the current path. Returns false. */
bool tl_reader_fail(tl_reader *reader, trilo_code code, const trilo_rule *rule, uint64_t offset, const char *format,
                    ...) TL_PRINTF_LIKE(5, 6);

/* Skips count * each bytes and returns a pointer to them; NULL if the file is too short. `what` names them in the
 * message. */
const uint8_t *tl_reader_take(tl_reader *reader, const char *what, size_t count, size_t each);

/* Reads a count. Fails if it is above the limit, or if the rest of the file is shorter than count * least bytes. */
uint32_t tl_reader_count(tl_reader *reader, const char *what, size_t least);
/* The same test for a count that was read as part of a record. */
bool tl_reader_count_fits(tl_reader *reader, uint64_t offset, const char *what, uint32_t count, size_t least);

#endif
