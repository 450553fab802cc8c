/* PNG files: with libspng, or, without it, with stored (uncompressed) deflate blocks. */
#include "base/bytes.h"
#include "image/image.h"

#ifdef TRILO_WITH_SPNG
#include <spng.h>

static int png_put_bytes(spng_ctx *ctx, void *user, void *bytes, size_t size)
{
    tl_sink *sink = user;
    (void)ctx;
    tl_sink_put(sink, bytes, size);
    return sink->refused ? SPNG_IO_ERROR : 0;
}

bool tl_png_write(const trilo_image *image, const trilo_memory *memory, tl_sink *sink, trilo_error *err)
{
    struct spng_ihdr head = {
        .width = image->width, .height = image->height, .bit_depth = 8, .color_type = SPNG_COLOR_TYPE_TRUECOLOR_ALPHA};
    const size_t size = (size_t)image->width * image->height * sizeof *image->pixels;
    (void)memory;
    spng_ctx *ctx = spng_ctx_new(SPNG_CTX_ENCODER);
    int code = ctx ? spng_set_png_stream(ctx, png_put_bytes, sink) : SPNG_EMEM;
    code = code ? code : spng_set_ihdr(ctx, &head);
    code = code ? code : spng_encode_image(ctx, image->pixels, size, SPNG_FMT_PNG, SPNG_ENCODE_FINALIZE);
    spng_ctx_free(ctx);
    if (code == 0 || sink->refused)
        return true; /* trilo_picture_write reports that */
    return code == SPNG_EMEM || code == SPNG_EZLIB_INIT
               ? tl_fail_memory(err) /* zlib lacks memory only */
               : TL_IMAGE_FAIL(err, TRILO_CODE_BAD_VALUE, BROKEN, TRILO_NOWHERE, "the picture cannot be a PNG file: %s",
                               spng_strerror(code));
}

#else

enum { PNG_MAX_BLOCK = 0xFFFF, PNG_ADLER_PRIME = 65521 };

typedef struct png_stored {
    tl_sink *sink;
    uint32_t crc;  /* of the chunk */
    uint32_t a, b; /* Adler-32 of the uncompressed data */
} png_stored;

static void png_put(png_stored *s, const void *bytes, size_t size)
{
    s->crc = tl_crc32(s->crc, bytes, size);
    tl_sink_put(s->sink, bytes, size);
}

static void png_put_u32(png_stored *s, uint32_t value)
{
    uint8_t bytes[4];
    tl_put_u32(bytes, TL_BIG, value);
    png_put(s, bytes, sizeof bytes);
}

static void png_begin_chunk(png_stored *s, uint32_t size, const char *name)
{
    png_put_u32(s, size);
    s->crc = 0;
    png_put(s, name, 4);
}

static void png_put_data(png_stored *s, const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        s->a = (s->a + bytes[i]) % PNG_ADLER_PRIME;
        s->b = (s->b + s->a) % PNG_ADLER_PRIME;
    }
    png_put(s, bytes, size);
}

/* A row: the filter type, 0, and the pixels, in as many stored blocks as needed. */
static void png_put_row(png_stored *s, const uint8_t *row, uint64_t size, bool last)
{
    static const uint8_t no_filter = 0;
    for (uint64_t at = 0, piece; at <= size; at += piece) { /* size + 1 bytes, with the filter */
        piece = size + 1 - at < PNG_MAX_BLOCK ? size + 1 - at : PNG_MAX_BLOCK;
        uint8_t head[5] = {last && at + piece == size + 1};
        tl_put_u16(head + 1, TL_LITTLE, (uint16_t)piece);
        tl_put_u16(head + 3, TL_LITTLE, (uint16_t)~piece);
        png_put(s, head, sizeof head);
        if (at == 0)
            png_put_data(s, &no_filter, 1);
        png_put_data(s, row + (at == 0 ? 0 : at - 1), (size_t)(piece - (at == 0)));
    }
}

static void png_put_pixels(png_stored *s, const trilo_image *image)
{
    static const uint8_t deflate[2] = {0x78, 0x01};
    const uint64_t row = (uint64_t)image->width * 4;
    const uint64_t blocks = (row + 1 + PNG_MAX_BLOCK - 1) / PNG_MAX_BLOCK;
    png_begin_chunk(s, (uint32_t)(2 + image->height * (row + 1 + blocks * 5) + 4), "IDAT");
    png_put(s, deflate, sizeof deflate);
    for (uint32_t y = 0; y < image->height; y++)
        png_put_row(s, image->pixels[(size_t)y * image->width], row, y + 1 == image->height);
    png_put_u32(s, s->b << 16 | s->a);
    png_put_u32(s, s->crc);
}

bool tl_png_write(const trilo_image *image, const trilo_memory *memory, tl_sink *sink, trilo_error *err)
{
    static const uint8_t magic[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
    static const uint8_t kind[5] = {8, 6, 0, 0, 0}; /* bit depth, RGBA, deflate, filter method 0, not interlaced */
    png_stored s = {.sink = sink, .a = 1};
    (void)memory, (void)err;
    tl_sink_put(sink, magic, sizeof magic);
    png_begin_chunk(&s, 13, "IHDR");
    png_put_u32(&s, image->width);
    png_put_u32(&s, image->height);
    png_put(&s, kind, sizeof kind);
    png_put_u32(&s, s.crc);
    png_put_pixels(&s, image);
    png_begin_chunk(&s, 0, "IEND");
    png_put_u32(&s, s.crc);
    return true;
}

#endif
