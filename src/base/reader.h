/* reader.h: a cursor over a file's bytes whose first failure sticks.
 *
 * After a failure every further step answers false or 0 and moves nothing, so that loops end and callers test once.
 */
#ifndef TL_BASE_READER_H
#define TL_BASE_READER_H

#include "base/bytes.h"
#include "base/report.h"

typedef struct tl_reader {
    const uint8_t *base;
    size_t size, at; /* at <= size, always */
    tl_order order;
    bool failed;
    uint32_t max_count;
    const trilo_rule *truncated; /* the format's own rule for "the file ends too early" */
    tl_path path;
    trilo_error *err;
} tl_reader;

/* Fails at byte `offset`, with the path the reader stands at. Answers false. */
bool tl_reader_fail(tl_reader *reader, trilo_code code, const trilo_rule *rule, uint64_t offset, const char *format,
                    ...) __attribute__((format(printf, 5, 6)));

/* Passes over count * each bytes and answers where they start; NULL when the file does not hold them. `what` names the
 * things for the message. */
const uint8_t *tl_reader_take(tl_reader *reader, const char *what, size_t count, size_t each);

/* A count: fails when it is above the limit, or when the file could not hold that many of `least` bytes each. */
uint32_t tl_reader_count(tl_reader *reader, const char *what, size_t least);
/* The same for a count that was read as part of a record. */
bool tl_reader_count_fits(tl_reader *reader, uint64_t offset, const char *what, uint32_t count, size_t least);

#endif
