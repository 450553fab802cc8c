/* PNG files, with libspng. */
#include "image/image.h"

#ifdef TRILO_WITH_SPNG
#include <spng.h>
#include <string.h>

enum { PNG_MAX_CHUNK = 1 << 24 };

static bool png_fail(int code, trilo_error *err)
{
    const bool cut = code == SPNG_EOF || code == SPNG_IO_EOF || code == SPNG_EIDAT_TOO_SHORT;
    if (code == SPNG_EMEM || code == SPNG_EZLIB_INIT) /* zlib only fails for lack of memory */
        return tl_fail_memory(err);
    if (code == SPNG_EWIDTH || code == SPNG_EHEIGHT)
        return TL_IMAGE_FAIL(err, TRILO_CODE_BAD_VALUE, EMPTY, TRILO_NOWHERE,
                             "the PNG file has no pixels: width and height must be from 1 to 2147483647");
    return cut ? TL_IMAGE_FAIL(err, TRILO_CODE_TRUNCATED, TRUNCATED, TRILO_NOWHERE,
                               "the PNG file ends before its pixels do")
               : TL_IMAGE_FAIL(err, TRILO_CODE_BAD_VALUE, BROKEN, TRILO_NOWHERE, "the PNG file is broken: %s",
                               spng_strerror(code));
}

/* The bytes of a row in the file, without its filter byte. */
static uint64_t png_row_bytes(const struct spng_ihdr *head)
{
    const uint64_t channels = head->color_type == SPNG_COLOR_TYPE_TRUECOLOR         ? 3
                              : head->color_type == SPNG_COLOR_TYPE_TRUECOLOR_ALPHA ? 4
                              : head->color_type == SPNG_COLOR_TYPE_GRAYSCALE_ALPHA ? 2
                                                                                    : 1;
    return (channels * head->bit_depth * head->width + 7) / 8;
}

/* Colours, or packed indices when the file has a palette. Each context decodes once. */
static int png_decode_once(trilo_bytes bytes, int format, void *out, size_t size, trilo_bitmap *bitmap,
                           tl_pixel *colors)
{
    spng_ctx *ctx = spng_ctx_new(0);
    struct spng_plte plte;
    struct spng_trns trns = {0};
    int code = ctx ? spng_set_png_buffer(ctx, bytes.data, bytes.size) : SPNG_EMEM;
    code = code ? code : spng_set_chunk_limits(ctx, PNG_MAX_CHUNK, PNG_MAX_CHUNK);
    code = code ? code : spng_decode_image(ctx, out, size, format, format == SPNG_FMT_RGBA8 ? SPNG_DECODE_TRNS : 0);
    if (!code && colors && spng_get_plte(ctx, &plte) == 0) {
        spng_get_trns(ctx, &trns);
        bitmap->color_count = plte.n_entries;
        for (uint32_t i = 0; i < plte.n_entries; i++) {
            const struct spng_plte_entry *c = &plte.entries[i];
            const uint8_t alpha = i < trns.n_type3_entries ? trns.type3_alpha[i] : 255;
            memcpy(colors[i], (tl_pixel){c->red, c->green, c->blue, alpha}, sizeof *colors);
        }
    }
    spng_ctx_free(ctx);
    return code;
}

/* zlib allocates when it needs a window, and libspng cannot distinguish that failure from broken data. So the memory it
 * needs is requested first. If decoding fails nevertheless, a second attempt decides: broken data fails again. */
static int png_decode(tl_arena *arena, trilo_bytes bytes, const struct spng_ihdr *head, int format, void *out,
                      size_t size, trilo_bitmap *bitmap, tl_pixel *colors)
{
    enum { PNG_ZLIB_MEMORY = 64 << 10, PNG_ROWS = 4, PNG_PIXEL_BYTES = 8 };
    const uint64_t need = PNG_ZLIB_MEMORY + (uint64_t)head->width * PNG_PIXEL_BYTES * PNG_ROWS;
    if (!tl_arena_has_room(arena, need))
        return SPNG_EMEM;
    const int code = png_decode_once(bytes, format, out, size, bitmap, colors);
    if (!code)
        return 0;
    if (!tl_arena_has_room(arena, need))
        return SPNG_EMEM;
    memset(out, 0, size); /* libspng adds bits of interlaced files */
    return png_decode_once(bytes, format, out, size, bitmap, colors);
}

static bool png_read_indices(tl_arena *arena, trilo_bytes bytes, const struct spng_ihdr *head, trilo_bitmap *bitmap,
                             trilo_error *err)
{
    const size_t row = ((size_t)head->width * head->bit_depth + 7) / 8;
    uint8_t *packed = tl_array(arena, row * head->height, 1); /* zero: libspng adds bits of interlaced files to it */
    uint8_t *indices = tl_array_raw(arena, (size_t)head->width * head->height, 1);
    tl_pixel *colors = TL_ARRAY(arena, 256, tl_pixel);
    if (!packed || !indices || !colors)
        return tl_fail_memory(err);
    for (size_t i = 0; i < 256; i++)
        colors[i][3] = 255; /* indices above the palette are black */
    const int code = png_decode(arena, bytes, head, SPNG_FMT_RAW, packed, row * head->height, bitmap, colors);
    if (code)
        return png_fail(code, err);
    for (uint32_t y = 0; y < head->height; y++)
        for (uint32_t x = 0; x < head->width; x++) {
            const size_t bit = (size_t)x * head->bit_depth;
            const uint32_t index =
                (uint32_t)packed[y * row + bit / 8] >> (8 - head->bit_depth - bit % 8) & ((1u << head->bit_depth) - 1);
            indices[(size_t)y * head->width + x] = (uint8_t)index;
            bitmap->color_count = index >= bitmap->color_count ? index + 1 : bitmap->color_count;
        }
    bitmap->indices = indices;
    bitmap->colors = (const tl_pixel *)colors;
    return true;
}

bool tl_png_read(tl_arena *arena, trilo_bytes bytes, trilo_bitmap *bitmap, trilo_error *err)
{
    static const trilo_pixel_kind kinds[] = {
        [SPNG_COLOR_TYPE_GRAYSCALE] = TRILO_PIXEL_KIND_GREY,
        [SPNG_COLOR_TYPE_TRUECOLOR] = TRILO_PIXEL_KIND_RGB,
        [SPNG_COLOR_TYPE_INDEXED] = TRILO_PIXEL_KIND_INDEXED,
        [SPNG_COLOR_TYPE_GRAYSCALE_ALPHA] = TRILO_PIXEL_KIND_GREY_ALPHA,
        [SPNG_COLOR_TYPE_TRUECOLOR_ALPHA] = TRILO_PIXEL_KIND_RGBA,
    };
    struct spng_ihdr head;
    spng_ctx *ctx = spng_ctx_new(0);
    int code = ctx ? spng_set_png_buffer(ctx, bytes.data, bytes.size) : SPNG_EMEM;
    code = code ? code : spng_set_chunk_limits(ctx, PNG_MAX_CHUNK, PNG_MAX_CHUNK);
    code = code ? code : spng_get_ihdr(ctx, &head);
    spng_ctx_free(ctx);
    if (code)
        return png_fail(code, err);
    if ((uint64_t)head.width * head.height <= TRILO_IMAGE_PIXELS &&
        !tl_png_size_is_plausible(png_row_bytes(&head), head.height, bytes.size))
        return png_fail(SPNG_EOF, err);
    tl_pixel *pixels = tl_image_pixels(arena, head.width, head.height, err);
    if (!pixels)
        return false;
    code = png_decode(arena, bytes, &head, SPNG_FMT_RGBA8, pixels, (size_t)head.width * head.height * sizeof *pixels,
                      bitmap, NULL);
    bitmap->image = (trilo_image){head.width, head.height, (const tl_pixel *)pixels};
    bitmap->kind = kinds[head.color_type];
    bitmap->bits = head.bit_depth;
    if (code)
        return png_fail(code, err);
    return bitmap->kind != TRILO_PIXEL_KIND_INDEXED || png_read_indices(arena, bytes, &head, bitmap, err);
}

#elif !defined TRILO_WITH_LIBPNG && !defined TRILO_WITH_WIC /* which have it in files of their own */

bool tl_png_read(tl_arena *arena, trilo_bytes bytes, trilo_bitmap *bitmap, trilo_error *err)
{
    (void)arena, (void)bytes, (void)bitmap;
    return TL_IMAGE_FAIL(err, TRILO_CODE_UNSUPPORTED, LIBRARY, TRILO_NOWHERE,
                         "PNG files cannot be read: Trilobite was built without libspng or libpng");
}

#endif
