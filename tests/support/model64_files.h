/* model64_files.h: files of the N64 model format put together by hand, number by number, from its description alone. */
#ifndef TL_TEST_MODEL64_FILES_H
#define TL_TEST_MODEL64_FILES_H

#include "support/buffer.h"

/* Bytes that a test changes: numbers of this format are big-endian. */
void model64_set(buffer *b, size_t at, size_t width, uint32_t value);
uint32_t model64_get(const buffer *b, size_t at, size_t width);

/* A cube of 8 vertices and 12 triangles, 256 bytes: the example of the format's description. */
void model64_box(buffer *out);

/* Six vertices that move. Slot 0 draws 0 1 2 and 0 2 3, gives vertex 1 the texture coordinate 100 -100 and vertex 2 the
 * colour 1 2 3 4, and draws 0 1 2 once more; slot 1 loads vertices 3 to 5 into slots 29 to 31 and draws them.
 * Vertex i is at 10 i, i * i, -i, has the texture coordinate 64 i, -32 i and the colour 10 i, 20 + i, 200, 255. Two
 * animations of one second: frames at 0, 0.5 and 1 with blocks 0, 1 and 0; a frame at 0 with block 2. In block k
 * everything is 100 (k + 1) further along x. */
void model64_pennant(buffer *out);

/* Where things are, in bytes of the file. */
enum {
    PENNANT_MAIN = 32,
    PENNANT_ANIMATIONS = 60,                          /* 2 of 12 bytes */
    PENNANT_FRAMES = 84,                              /* 4 of 12 bytes */
    PENNANT_LIST_0 = 144,                             /* 6 commands */
    PENNANT_LIST_1 = 192,                             /* 3 commands */
    PENNANT_VERTICES = 224,                           /* 6 of 16 bytes */
    PENNANT_BLOCKS = 320,                             /* 3 blocks */
    PENNANT_BLOCK = 96,                               /* bytes of a block */
    PENNANT_SIZE = PENNANT_BLOCKS + 3 * PENNANT_BLOCK /* 608 */
};

#endif
