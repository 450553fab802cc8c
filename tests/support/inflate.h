/* inflate.h: unpacks zlib streams, bit by bit as RFC 1951 describes it, to check what was packed. */
#ifndef TL_SUPPORT_INFLATE_H
#define TL_SUPPORT_INFLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* False: not a complete zlib stream with the right sum, or more than `room` bytes in it. */
bool inflate_zlib(const uint8_t *bytes, size_t size, uint8_t *out, size_t room, size_t *out_size);

#endif
