#include "support/pyrite64_files.h"

#include "support/t3dm_files.h"

#include <string.h>

void pyrite64_put(buffer *b, uint64_t value, int size)
{
    for (int i = size - 1; i >= 0; i--) {
        const uint8_t byte = (uint8_t)(value >> 8 * i);
        buffer_sink(b, &byte, 1);
    }
}

static void pad_to_8(buffer *b)
{
    while (b->size % 8 != 0)
        pyrite64_put(b, 0, 1);
}

static void set_entry(buffer *b, size_t row, size_t table, char type, size_t at)
{
    const uint32_t word = (uint32_t)(unsigned char)type << 24 | (uint32_t)at;
    for (size_t i = 0; i < 4; i++)
        b->data[table + 4 * row + i] = (uint8_t)(word >> (24 - 8 * i));
}

void pyrite64_kite(buffer *out, const pyrite64_chunk *materials, size_t count)
{
    enum { FIRST = 5, ROWS = 8, STRINGS_AT = 0x18 };
    buffer kite = {0};
    t3dm_places at;
    t3dm_kite(&kite, 4, &at);
    buffer_sink(out, kite.data, at.material);
    size_t row = FIRST;
    for (size_t i = 0; i < count; i++) {
        pad_to_8(out);
        set_entry(out, row++, at.table, materials[i].type, out->size);
        buffer_sink(out, materials[i].bytes, materials[i].size);
    }
    pad_to_8(out);
    set_entry(out, row++, at.table, 'S', out->size);
    buffer_sink(out, kite.data + at.skeleton, at.custom - at.skeleton);
    if (row < ROWS) {
        set_entry(out, row, at.table, 'X', out->size);
        buffer_sink(out, "mine", 4);
    }
    const size_t strings = out->size;
    buffer_sink(out, kite.data + at.strings, kite.size - at.strings);
    for (size_t i = 0; i < 4; i++)
        out->data[STRINGS_AT + i] = (uint8_t)(strings >> (24 - 8 * i));
    buffer_free(&kite);
}

void pyrite64_all(buffer *b)
{
    /* Bits 0 to 18; values: AA 2, filter 3, Z write, perspective, dither 6. */
    pyrite64_put(b, 0x7FFFF | 2u << 19 | 3u << 21 | 1u << 24 | 1u << 25 | 6u << 26, 4);
    pyrite64_put(b, 0x10007, 4);
    pyrite64_put(b, 0x00050203, 4), pyrite64_put(b, 0xFEE08000, 4), pyrite64_put(b, 0x0100, 2);
    pyrite64_put(b, 0x00400010, 4), pyrite64_put(b, 0xFF01, 2);
    pyrite64_put(b, 0x00060000, 4), pyrite64_put(b, 0x00000020, 4), pyrite64_put(b, 0x0000, 2);
    pyrite64_put(b, 0x00008000, 4), pyrite64_put(b, 0x0000, 2);
    pyrite64_put(b, 0x0077ECEF77DB7FBF, 8);
    pyrite64_put(b, 0x005A0040, 4);
    pyrite64_put(b, 0x0AF00000, 4);
    pyrite64_put(b, 0x01020304, 4), pyrite64_put(b, 0x7F3F1F0F, 4);
    pyrite64_put(b, 0x12340056, 4);
    pyrite64_put(b, 0xFFF0, 2);
    pyrite64_put(b, 0x00400020, 4), pyrite64_put(b, 1, 1);
    pyrite64_put(b, 0x80, 1);
    pyrite64_put(b, 0x1122, 2);
    pyrite64_put(b, 0x33, 1);
}

void pyrite64_textured(buffer *b, uint32_t asset)
{
    pyrite64_put(b, 1u << 3 | 1u << 8 | 1u << 10 | 2u << 21, 4);
    pyrite64_put(b, 1 | 2 | 4, 4);
    pyrite64_put(b, asset, 2), pyrite64_put(b, 0, 2);
    pyrite64_put(b, 0, 2), pyrite64_put(b, 0x0010, 2), pyrite64_put(b, 0, 2);
    pyrite64_put(b, 0, 2), pyrite64_put(b, 0x8000, 2), pyrite64_put(b, 0, 2);
    pyrite64_put(b, 0x00127E2488FFFDFE, 8);
}
