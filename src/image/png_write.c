/* PNG files: through libspng, or, without it, the plainest there can be, uncompressed. */
#include "base/bytes.h"
#include "image/image.h"

#ifdef TRILO_WITH_SPNG
#include <spng.h>

static int hand_over(spng_ctx *ctx, void *user, void *bytes, size_t size)
{
    tl_sink *sink = user;
    (void)ctx;
    tl_sink_put(sink, bytes, size);
    return sink->refused ? SPNG_IO_ERROR : 0;
}

static int encode(spng_ctx *ctx, const trilo_image *image, tl_sink *sink)
{
    struct spng_ihdr head = {
        .width = image->width, .height = image->height, .bit_depth = 8, .color_type = SPNG_COLOR_TYPE_TRUECOLOR_ALPHA};
    const size_t size = (size_t)image->width * image->height * sizeof *image->pixels;
    int code = spng_set_png_stream(ctx, hand_over, sink);
    code = code ? code : spng_set_ihdr(ctx, &head);
    return code ? code : spng_encode_image(ctx, image->pixels, size, SPNG_FMT_PNG, SPNG_ENCODE_FINALIZE);
}

bool tl_png_write(const trilo_image *image, const trilo_memory *memory, tl_sink *sink, trilo_error *err)
{
    (void)memory;
    spng_ctx *ctx = spng_ctx_new(SPNG_CTX_ENCODER);
    const int code = ctx ? encode(ctx, image, sink) : SPNG_EMEM;
    spng_ctx_free(ctx);
    if (code == 0 || sink->refused)
        return true; /* who looks at the sink sees that */
    return code == SPNG_EMEM ? tl_fail_memory(err)
                             : TL_IMAGE_FAIL(err, TRILO_CODE_BAD_VALUE, BROKEN, TRILO_NOWHERE,
                                             "the picture cannot be a PNG file: %s", spng_strerror(code));
}

#else

enum { BLOCK_MOST = 0xFFFF, ADLER = 65521 };

typedef struct stored {
    tl_sink *sink;
    uint32_t crc, a, b; /* of the chunk; of the bytes that were packed */
} stored;

static void put(stored *s, const void *bytes, size_t size)
{
    s->crc = tl_crc32(s->crc, bytes, size);
    tl_sink_put(s->sink, bytes, size);
}

static void put_u32(stored *s, uint32_t value)
{
    uint8_t bytes[4];
    tl_put_u32(bytes, TL_BIG, value);
    put(s, bytes, sizeof bytes);
}

static void begin_chunk(stored *s, uint32_t size, const char *name)
{
    put_u32(s, size);
    s->crc = 0;
    put(s, name, 4);
}

static void put_packed(stored *s, const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        s->a = (s->a + bytes[i]) % ADLER;
        s->b = (s->b + s->a) % ADLER;
    }
    put(s, bytes, size);
}

/* A row is one byte for its filter, none, and its pixels; in as many blocks as it takes. */
static void put_row(stored *s, const uint8_t *row, uint64_t size, bool last)
{
    static const uint8_t no_filter = 0;
    for (uint64_t at = 0, piece; at <= size; at += piece) { /* counts the filter too */
        piece = size + 1 - at < BLOCK_MOST ? size + 1 - at : BLOCK_MOST;
        uint8_t head[5] = {last && at + piece == size + 1};
        tl_put_u16(head + 1, TL_LITTLE, (uint16_t)piece);
        tl_put_u16(head + 3, TL_LITTLE, (uint16_t)~piece);
        put(s, head, sizeof head);
        if (at == 0)
            put_packed(s, &no_filter, 1);
        put_packed(s, row + (at == 0 ? 0 : at - 1), (size_t)(piece - (at == 0)));
    }
}

static void put_pixels(stored *s, const trilo_image *image)
{
    static const uint8_t deflate[2] = {0x78, 0x01};
    const uint64_t row = (uint64_t)image->width * 4;
    const uint64_t blocks = (row + 1 + BLOCK_MOST - 1) / BLOCK_MOST;
    begin_chunk(s, (uint32_t)(2 + image->height * (row + 1 + blocks * 5) + 4), "IDAT");
    put(s, deflate, sizeof deflate);
    for (uint32_t y = 0; y < image->height; y++)
        put_row(s, image->pixels[(size_t)y * image->width], row, y + 1 == image->height);
    put_u32(s, s->b << 16 | s->a);
    put_u32(s, s->crc);
}

bool tl_png_write(const trilo_image *image, const trilo_memory *memory, tl_sink *sink, trilo_error *err)
{
    static const uint8_t magic[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
    static const uint8_t kind[5] = {8, 6, 0, 0, 0}; /* bits, RGBA, the only packing and filtering, not interlaced */
    stored s = {.sink = sink, .a = 1};
    (void)memory, (void)err;
    tl_sink_put(sink, magic, sizeof magic);
    begin_chunk(&s, 13, "IHDR");
    put_u32(&s, image->width);
    put_u32(&s, image->height);
    put(&s, kind, sizeof kind);
    put_u32(&s, s.crc);
    put_pixels(&s, image);
    begin_chunk(&s, 0, "IEND");
    put_u32(&s, s.crc);
    return true;
}

#endif
