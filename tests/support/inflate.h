/* inflate.h: unpacks zlib streams, bit by bit as RFC 1951 describes it, to check what was packed. */
#ifndef TL_SUPPORT_INFLATE_H
#define TL_SUPPORT_INFLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The codes of a block: the symbols of the code lengths, with runs, and the lengths of their own codes. */
typedef struct inflate_head {
    uint8_t symbols[320], lengths[19];
    size_t count, bits;
} inflate_head;

/* What a stream consists of, as it is read. A block with the fixed codes has an empty head. */
typedef struct inflate_trace {
    void *user;
    void (*block)(void *user, uint32_t type, const uint8_t *literals, const uint8_t *distances,
                  const inflate_head *head);
    void (*token)(void *user, size_t value, size_t distance); /* distance 0: a byte */
} inflate_trace;

/* False: not a complete zlib stream with the right sum, or more than `room` bytes in it. */
bool inflate_zlib(const uint8_t *bytes, size_t size, uint8_t *out, size_t room, size_t *out_size);
/* The same, and tells what it reads. A head that could be shorter by what ends it is an error. */
bool inflate_traced(const uint8_t *bytes, size_t size, uint8_t *out, size_t room, size_t *out_size,
                    const inflate_trace *trace);

#endif
