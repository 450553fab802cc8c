/* PNG files, with libspng. */
#include "image/image.h"

#ifdef TRILO_WITH_SPNG
#include <spng.h>

enum { PNG_MAX_CHUNK = 1 << 24, PNG_DEFLATE_MAX_RATIO = 1032, PNG_RATIO_SLACK = 4096 };

static bool png_fail(int code, trilo_error *err)
{
    const bool cut = code == SPNG_EOF || code == SPNG_IO_EOF || code == SPNG_EIDAT_TOO_SHORT;
    if (code == SPNG_EMEM || code == SPNG_EZLIB_INIT) /* zlib lacks memory only */
        return tl_fail_memory(err);
    if (code == SPNG_EWIDTH || code == SPNG_EHEIGHT)
        return TL_IMAGE_FAIL(err, TRILO_CODE_BAD_VALUE, EMPTY, TRILO_NOWHERE,
                             "the PNG file has no pixels: width and height must be from 1 to 2147483647");
    return cut ? TL_IMAGE_FAIL(err, TRILO_CODE_TRUNCATED, TRUNCATED, TRILO_NOWHERE,
                               "the PNG file ends before its pixels do")
               : TL_IMAGE_FAIL(err, TRILO_CODE_BAD_VALUE, BROKEN, TRILO_NOWHERE, "the PNG file is broken: %s",
                               spng_strerror(code));
}

/* Deflate compresses at most 1032:1. A file too small for its pixels is refused before memory is allocated. */
static bool png_size_is_plausible(const struct spng_ihdr *head, size_t size)
{
    const uint64_t channels = head->color_type == SPNG_COLOR_TYPE_TRUECOLOR         ? 3
                              : head->color_type == SPNG_COLOR_TYPE_TRUECOLOR_ALPHA ? 4
                              : head->color_type == SPNG_COLOR_TYPE_GRAYSCALE_ALPHA ? 2
                                                                                    : 1;
    const uint64_t row = (channels * head->bit_depth * head->width + 7) / 8;
    return row * head->height / PNG_DEFLATE_MAX_RATIO <= (uint64_t)size + PNG_RATIO_SLACK;
}

static bool png_decode(spng_ctx *ctx, tl_arena *arena, trilo_bytes bytes, trilo_image *image, trilo_error *err)
{
    struct spng_ihdr head;
    int code = spng_set_png_buffer(ctx, bytes.data, bytes.size);
    code = code ? code : spng_set_chunk_limits(ctx, PNG_MAX_CHUNK, PNG_MAX_CHUNK);
    code = code ? code : spng_get_ihdr(ctx, &head);
    if (code)
        return png_fail(code, err);
    if ((uint64_t)head.width * head.height <= TRILO_IMAGE_PIXELS && !png_size_is_plausible(&head, bytes.size))
        return png_fail(SPNG_EOF, err);
    tl_pixel *pixels = tl_image_pixels(arena, head.width, head.height, err);
    if (!pixels)
        return false;
    code = spng_decode_image(ctx, pixels, (size_t)head.width * head.height * sizeof *pixels, SPNG_FMT_RGBA8,
                             SPNG_DECODE_TRNS);
    *image = (trilo_image){head.width, head.height, (const tl_pixel *)pixels};
    return code == 0 || png_fail(code, err);
}

bool tl_png_read(tl_arena *arena, trilo_bytes bytes, trilo_image *image, trilo_error *err)
{
    spng_ctx *ctx = spng_ctx_new(0);
    if (!ctx)
        return tl_fail_memory(err);
    const bool ok = png_decode(ctx, arena, bytes, image, err);
    spng_ctx_free(ctx);
    return ok;
}

#else

bool tl_png_read(tl_arena *arena, trilo_bytes bytes, trilo_image *image, trilo_error *err)
{
    (void)arena, (void)bytes, (void)image;
    return TL_IMAGE_FAIL(err, TRILO_CODE_UNSUPPORTED, LIBRARY, TRILO_NOWHERE,
                         "PNG files cannot be read: Trilobite was built without libspng");
}

#endif
