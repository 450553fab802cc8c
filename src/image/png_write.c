/* PNG files: red, green and blue, and alpha where it is needed. Never with a palette: tools that make sprites would
 * take it as a request to use it. */
#include "base/bytes.h"
#include "base/size.h"
#include "image/deflate.h"
#include "image/image.h"

#include <stdlib.h>
#include <string.h>

enum { PNG_RGB = 2, PNG_RGBA = 6 };
enum { PNG_SUB = 1, PNG_UP = 2, PNG_PAETH = 4 };

/* ---- chunks ---- */

static void png_put_u32(tl_sink *sink, uint32_t value)
{
    uint8_t bytes[4];
    tl_put_u32(bytes, TL_BIG, value);
    tl_sink_put(sink, bytes, sizeof bytes);
}

static void png_put_chunk(tl_sink *sink, const char *name, const void *bytes, size_t size)
{
    png_put_u32(sink, (uint32_t)size);
    tl_sink_put(sink, name, 4);
    tl_sink_put(sink, bytes, size);
    png_put_u32(sink, tl_crc32(tl_crc32(0, name, 4), bytes, size));
}

/* A trilo_write_fn: each piece of the compressed pixels is a chunk. */
static bool png_put_data(void *user, const void *bytes, size_t size)
{
    tl_sink *sink = user;
    png_put_chunk(sink, "IDAT", bytes, size);
    return !sink->refused;
}

/* ---- filters ---- */

/* In 16 bits, of which compilers put more into a vector. */
static inline uint8_t png_paeth(uint8_t a, uint8_t b, uint8_t c)
{
    const int16_t to_a = (int16_t)(b - c), to_b = (int16_t)(a - c), to_c = (int16_t)(to_a + to_b);
    const int16_t pa = (int16_t)(to_a < 0 ? -to_a : to_a), pb = (int16_t)(to_b < 0 ? -to_b : to_b),
                  pc = (int16_t)(to_c < 0 ? -to_c : to_c);
    const uint8_t of_b = pb <= pc ? b : c;
    return pa <= pb && pa <= pc ? a : of_b;
}

/* A row less what the filter expects: the pixel before, the one above, or Paeth's choice of neighbours. Rows have a
 * pixel of zeros before them. Returns the sum of what is left, taken as signed: small numbers compress well. */
static uint32_t png_filter_row(uint8_t filter, const uint8_t *row, const uint8_t *above, size_t size, size_t step,
                               uint8_t *restrict out)
{
    const uint8_t *before = row - step, *corner = above - step;
    if (filter == PNG_SUB)
        for (size_t i = 0; i < size; i++)
            out[i] = (uint8_t)(row[i] - before[i]);
    else if (filter == PNG_UP)
        for (size_t i = 0; i < size; i++)
            out[i] = (uint8_t)(row[i] - above[i]);
    else
        for (size_t i = 0; i < size; i++)
            out[i] = (uint8_t)(row[i] - png_paeth(before[i], above[i], corner[i]));
    uint32_t sum = 0;
    for (size_t i = 0; i < size; i++) {
        const int8_t left = (int8_t)out[i];
        sum += (uint8_t)(left < 0 ? -left : left);
    }
    return sum;
}

/* Rows of colours, each after the filter that leaves the least. `scratch` has room for four rows and pixels. */
static void png_filter_rows(const trilo_image *image, size_t step, uint8_t *scratch, uint8_t *rows)
{
    static const uint8_t filters[3] = {PNG_UP, PNG_SUB, PNG_PAETH};
    const size_t size = image->width * step, room = size + step;
    uint8_t *row = scratch + step, *above = row + room, *best = above + room, *other = best + room;
    memset(scratch, 0, 2 * room);
    for (uint32_t y = 0; y < image->height; y++) {
        const uint8_t(*from)[4] = image->pixels + (size_t)y * image->width;
        for (uint32_t x = 0; x < image->width; x++)
            memcpy(row + x * step, from[x], step);
        uint32_t least = UINT32_MAX;
        for (int k = 0; k < 3 && least > 0; k++) {
            const uint32_t left = png_filter_row(filters[k], row, above, size, step, other);
            if (left < least) {
                least = left;
                *rows = filters[k];
                uint8_t *swap = best;
                best = other, other = swap;
            }
        }
        memcpy(rows + 1, best, size);
        rows += size + 1;
        uint8_t *swap = row;
        row = above, above = swap;
    }
}

/* ---- a file ---- */

static bool png_is_opaque(const trilo_image *image)
{
    const size_t count = (size_t)image->width * image->height;
    for (size_t i = 0; i < count; i++)
        if (image->pixels[i][3] != 255)
            return false;
    return true;
}

static bool png_put_file(const trilo_image *image, bool may_drop_alpha, tl_arena *arena, tl_sink *sink)
{
    static const uint8_t magic[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
    const uint8_t color = may_drop_alpha && png_is_opaque(image) ? PNG_RGB : PNG_RGBA;
    const size_t step = color == PNG_RGB ? 3 : 4, row = image->width * step + 1;
    size_t size; /* all rows, and four of them to choose from */
    if (!tl_multiply(row + step, (size_t)image->height + 4, &size))
        return false;
    uint8_t *rows = tl_array_raw(arena, size, 1);
    if (!rows)
        return false;
    png_filter_rows(image, step, rows + row * image->height, rows);
    uint8_t head[13] = {0};
    tl_put_u32(head, TL_BIG, image->width);
    tl_put_u32(head + 4, TL_BIG, image->height);
    head[8] = 8; /* bits */
    head[9] = color;
    tl_sink_put(sink, magic, sizeof magic);
    png_put_chunk(sink, "IHDR", head, sizeof head);
    tl_sink data = {.fn = png_put_data, .user = sink};
    if (!tl_zlib_write(rows, row * image->height, arena, &data))
        return false;
    png_put_chunk(sink, "IEND", NULL, 0);
    return true;
}

bool tl_png_write(const trilo_image *image, bool may_drop_alpha, const trilo_memory *memory, tl_sink *sink,
                  trilo_error *err)
{
    tl_arena arena;
    tl_arena_init(&arena, memory);
    const bool ok = png_put_file(image, may_drop_alpha, &arena, sink);
    tl_arena_free(&arena);
    return ok || tl_fail_memory(err);
}
