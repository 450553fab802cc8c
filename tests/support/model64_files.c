#include "support/model64_files.h"

#include <string.h>

void model64_set(buffer *b, size_t at, size_t width, uint32_t value)
{
    for (size_t i = 0; i < width; i++)
        b->data[at + i] = (uint8_t)(value >> 8 * (width - 1 - i));
}

uint32_t model64_get(const buffer *b, size_t at, size_t width)
{
    uint32_t value = 0;
    for (size_t i = 0; i < width; i++)
        value = value << 8 | b->data[at + i];
    return value;
}

static void put(buffer *b, size_t width, uint32_t value)
{
    const uint8_t zeros[4] = {0};
    buffer_sink(b, zeros, width);
    model64_set(b, b->size - width, width, value);
}

static void put_words(buffer *b, const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        put(b, 4, words[i]);
}

void model64_box(buffer *out)
{
    static const uint32_t words[] = {/* header */
                                     0x4D6F6465, 0x6C000000, 0, 0, 0x20, 0xE0, 0x100, 0,
                                     /* main header and a word of padding */
                                     0x60, 0x20, 0, 0, 0, 0, 0x80, 0,
                                     /* the list */
                                     0x01008010, 0x01000000, 0x06000204, 0x00040600, 0x06040806, 0x00080402, 0x060A0006,
                                     0x00000A02, 0x060C0608, 0x00060C0A, 0x060C080E, 0x00020E08, 0x060E0A0C, 0x000E020A,
                                     0xDF000000, 0x00000000,
                                     /* the vertices */
                                     0xFFE0FFE0, 0x00200000, 0, 0, 0x0020FFE0, 0x00200000, 0, 0, 0xFFE00020, 0x00200000,
                                     0, 0, 0xFFE00020, 0xFFE00000, 0, 0, 0x00200020, 0x00200000, 0, 0, 0xFFE0FFE0,
                                     0xFFE00000, 0, 0, 0x00200020, 0xFFE00000, 0, 0, 0x0020FFE0, 0xFFE00000, 0, 0};
    put_words(out, words, sizeof words / sizeof words[0]);
}

static void put_block(buffer *b, int shift)
{
    for (int i = 0; i < 6; i++) {
        put(b, 2, (uint32_t)(10 * i + shift)), put(b, 2, (uint32_t)(i * i)), put(b, 2, (uint32_t)-i);
        put(b, 2, 0);
        put(b, 2, (uint32_t)(64 * i)), put(b, 2, (uint32_t)(-32 * i));
        put(b, 1, (uint32_t)(10 * i)), put(b, 1, (uint32_t)(20 + i)), put(b, 1, 200), put(b, 1, 255);
    }
}

/* Floats: 1.0 is 3F800000, 2.0 is 40000000, 0.5 is 3F000000. */
void model64_pennant(buffer *out)
{
    static const uint32_t words[] = {
        /* header: main section of 288 bytes at 32, vertex section of 288 at 320 */
        0x4D6F6465, 0x6C000000, 0, 0, 32, 288, 320, 288,
        /* main header: vertices at 192, lists at 112 and 160, 2 animations, blocks of 96 bytes */
        192, 112, 160, 0, 0, 2, 96,
        /* animations: 3 frames at 52, 1 frame at 88 */
        0x3F800000, 3, 52, 0x3F800000, 1, 88,
        /* frames: time, inverse, block */
        0, 0x40000000, 0, 0x3F000000, 0x40000000, 96, 0x3F800000, 0, 0, 0, 0x3F800000, 192,
        /* padding from 100 to 112 */
        0, 0, 0,
        /* slot 0: load 4 into 0, two triangles, ST of slot 1, RGBA of slot 2, a triangle, end */
        0x01004008, 0x01000000, 0x06000204, 0x00000406, 0x02140002, 0x0032FFCE, 0x02100004, 0x01020304, 0x05000204, 0,
        0xDF000000, 0,
        /* slot 1: load 3 from vertex 3 into slot 29, a triangle, end */
        0x01003040, 0x01000030, 0x053A3C3E, 0, 0xDF000000, 0,
        /* padding from 184 to 192 */
        0, 0};
    put_words(out, words, sizeof words / sizeof words[0]);
    put_block(out, 0);
    for (int k = 0; k < 3; k++)
        put_block(out, 100 * (k + 1));
}
