/* pyrite64_files.h: a T3DM file with materials of Pyrite64, and its table of assets, put together by hand. */
#ifndef TL_TEST_PYRITE64_FILES_H
#define TL_TEST_PYRITE64_FILES_H

#include "support/buffer.h"

/* Big-endian, `size` bytes of it. */
void pyrite64_put(buffer *b, uint64_t value, int size);

/* A material chunk. */
typedef struct pyrite64_chunk {
    char type;
    const uint8_t *bytes;
    size_t size;
} pyrite64_chunk;

/* t3dm_kite, version 4, with these materials (one or two) instead of "paint". With two, its custom chunk is left out.
 */
void pyrite64_kite(buffer *out, const pyrite64_chunk *materials, size_t count);

/* A material that sets everything: 79 bytes. Placeholder 2 in slot 3 with asset 5, and asset 6 as tile 1. */
void pyrite64_all(buffer *out);
/* Textured: tile 0 is this asset, clamped across and endless down; TEX0 * SHADE, bilinear. */
void pyrite64_textured(buffer *out, uint32_t asset);

#endif
