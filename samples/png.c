/* png.c: a PNG writer for palettes of 16, four bits a pixel.
 *
 * The zlib stream inside is one block of fixed Huffman codes with matches found by exhaustive search: a texture of
 * 64 x 64 is two kilobytes before, so the simplest search is fast enough. PNG: W3C REC-PNG; the stream: RFC 1950, 1951.
 */
#include "png.h"

#include <stdbool.h>

enum { RAW_MAX = PNG_MAX_SIDE * (PNG_MAX_SIDE / 2 + 1), MATCH_MIN = 3, MATCH_MAX = 258 };

typedef struct out {
    uint8_t *bytes;
    size_t size, room;
    uint32_t bits, bit_count; /* not yet a whole byte */
    bool full;
} out;

static void put_byte(out *o, uint32_t byte)
{
    if (o->size == o->room)
        o->full = true;
    else
        o->bytes[o->size++] = (uint8_t)byte;
}

static void put_u32(out *o, uint32_t value)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        put_byte(o, value >> shift & 255);
}

static void put_bits(out *o, uint32_t value, uint32_t count)
{
    o->bits |= value << o->bit_count;
    o->bit_count += count;
    for (; o->bit_count >= 8; o->bit_count -= 8, o->bits >>= 8)
        put_byte(o, o->bits & 255);
}

/* Huffman codes start with their highest bit, everything else in the stream with its lowest. */
static void put_code(out *o, uint32_t code, uint32_t count)
{
    for (uint32_t i = count; i > 0; i--)
        put_bits(o, code >> (i - 1) & 1, 1);
}

static void put_symbol(out *o, uint32_t symbol)
{
    if (symbol < 144)
        put_code(o, 0x30 + symbol, 8);
    else if (symbol < 256)
        put_code(o, 0x190 + symbol - 144, 9);
    else if (symbol < 280)
        put_code(o, symbol - 256, 7);
    else
        put_code(o, 0xC0 + symbol - 280, 8);
}

/* Lengths and distances share a scheme: symbols for ranges that double in width every 2^n symbols, and extra bits that
 * say where in the range. */
typedef struct step {
    uint32_t symbol, extra, extra_count;
} step;

static step step_of(uint32_t value, uint32_t steps_log2)
{
    uint32_t extra = 0;
    while (value >> extra >= 2u << steps_log2)
        extra++;
    return (step){(extra << steps_log2) + (value >> extra), value & ((1u << extra) - 1), extra};
}

static void put_match(out *o, uint32_t length, uint32_t distance)
{
    const step l = step_of(length - MATCH_MIN, 2);
    if (length == MATCH_MAX)
        put_symbol(o, 285);
    else {
        put_symbol(o, 257 + l.symbol);
        put_bits(o, l.extra, l.extra_count);
    }
    const step d = step_of(distance - 1, 1);
    put_code(o, d.symbol, 5);
    put_bits(o, d.extra, d.extra_count);
}

static uint32_t match_length(const uint8_t *raw, size_t size, size_t at, size_t from)
{
    uint32_t length = 0;
    while (length < MATCH_MAX && at + length < size && raw[from + length] == raw[at + length])
        length++;
    return length;
}

/* The longest match, and of equals the nearest. */
static uint32_t find_match(const uint8_t *raw, size_t size, size_t at, uint32_t *distance)
{
    uint32_t best = 0;
    for (size_t from = at; from-- > 0;) {
        const uint32_t length = match_length(raw, size, at, from);
        if (length > best) {
            best = length;
            *distance = (uint32_t)(at - from);
        }
    }
    return best;
}

static uint32_t adler32(const uint8_t *raw, size_t size)
{
    uint32_t a = 1, b = 0;
    for (size_t i = 0; i < size; i++) {
        a = (a + raw[i]) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

static void put_zlib(out *o, const uint8_t *raw, size_t size)
{
    put_byte(o, 0x78);
    put_byte(o, 0x01);
    put_bits(o, 1, 1); /* the last block */
    put_bits(o, 1, 2); /* of fixed codes */
    for (size_t at = 0; at < size;) {
        uint32_t distance = 0;
        const uint32_t length = find_match(raw, size, at, &distance);
        if (length >= MATCH_MIN)
            put_match(o, length, distance);
        else
            put_symbol(o, raw[at]);
        at += length >= MATCH_MIN ? length : 1;
    }
    put_symbol(o, 256);
    put_bits(o, 0, (8 - o->bit_count) & 7);
    put_u32(o, adler32(raw, size));
}

static uint32_t crc32(const uint8_t *bytes, size_t size)
{
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < size; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
    }
    return ~crc;
}

/* Begins a chunk and returns its offset; chunk_end fills in the length and adds the checksum. */
static size_t chunk_begin(out *o, const char *name)
{
    const size_t at = o->size;
    put_u32(o, 0);
    for (int i = 0; i < 4; i++)
        put_byte(o, (uint8_t)name[i]);
    return at;
}

static void chunk_end(out *o, size_t at)
{
    if (o->full)
        return;
    out length = {.bytes = o->bytes + at, .room = 4};
    put_u32(&length, (uint32_t)(o->size - at - 8));
    put_u32(o, crc32(o->bytes + at + 4, o->size - at - 4));
}

static void put_header(out *o, const png_image *image)
{
    static const uint8_t magic[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
    static const uint8_t kind[5] = {4, 3, 0, 0, 0}; /* four bits, palette, deflate, filters, not interlaced */
    for (size_t i = 0; i < sizeof magic; i++)
        put_byte(o, magic[i]);
    const size_t at = chunk_begin(o, "IHDR");
    put_u32(o, image->width);
    put_u32(o, image->height);
    for (size_t i = 0; i < sizeof kind; i++)
        put_byte(o, kind[i]);
    chunk_end(o, at);
}

static void put_palette(out *o, const png_image *image)
{
    const size_t at = chunk_begin(o, "PLTE");
    for (uint32_t i = 0; i < image->color_count; i++)
        for (int channel = 0; channel < 3; channel++)
            put_byte(o, image->colors[i][channel]);
    chunk_end(o, at);
}

/* Two pixels a byte, and before each row a byte that says: not filtered. */
static size_t pack_rows(const png_image *image, uint8_t raw[RAW_MAX])
{
    size_t size = 0;
    for (uint32_t y = 0; y < image->height; y++) {
        raw[size++] = 0;
        for (uint32_t x = 0; x < image->width; x += 2) {
            const uint8_t *pixel = image->pixels + y * image->width + x;
            const int right = x + 1 < image->width ? pixel[1] : 0;
            raw[size++] = (uint8_t)(pixel[0] << 4 | right);
        }
    }
    return size;
}

size_t png_write(const png_image *image, uint8_t *file, size_t room)
{
    if (image->width > PNG_MAX_SIDE || image->height > PNG_MAX_SIDE || image->color_count > PNG_COLORS)
        return 0;
    uint8_t raw[RAW_MAX];
    const size_t raw_size = pack_rows(image, raw);
    out o = {.bytes = file, .room = room};
    put_header(&o, image);
    put_palette(&o, image);
    const size_t at = chunk_begin(&o, "IDAT");
    put_zlib(&o, raw, raw_size);
    chunk_end(&o, at);
    chunk_end(&o, chunk_begin(&o, "IEND"));
    return o.full ? 0 : o.size;
}
