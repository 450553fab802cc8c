/* Image files cut at every byte, changed at every byte and starved of memory: pixels or a reason, never more. Run under
 * the sanitizers, which see what goes unnoticed here. */
#include "harness.h"
#include "support/buffer.h"
#include "support/exercise.h"

#include <stdlib.h>
#include <string.h>

enum { LIMIT = 1 << 20, SIDE = 12 };

/* 8 by 8 pixels, one component, all factors 1, one code for each table: the first coefficient is 400, so every pixel is
 * 128 + 400 / 8 = 178. */
static const uint8_t jpeg_head[] = {0xFF, 0xD8, 0xFF, 0xDB, 0, 67, 0};
static const uint8_t jpeg_rest[] = {
    0xFF, 0xC0, 0, 11, 8, 0, 8,    0,    8,  1,  1,    0x11, 0,               /* size and components */
    0xFF, 0xC4, 0, 20, 0, 1, 0,    0,    0,  0,  0,    0,    0,    0,   0, 0, /* first coefficients: 0 is 9 bits */
    0,    0,    0, 0,  0, 9, 0xFF, 0xC4, 0,  20, 0x10, 1,    0,    0,   0, 0,
    0,    0,    0, 0,  0, 0, 0,    0,    0,  0,  0,    0, /* others: 0 is the end */
    0xFF, 0xDA, 0, 8,  1, 1, 0,    0,    63, 0,  0x64, 0x1F, 0xFF, 0xD9};

static buffer make_jpeg(void)
{
    buffer file = {0};
    uint8_t ones[64];
    memset(ones, 1, sizeof ones);
    buffer_sink(&file, jpeg_head, sizeof jpeg_head);
    buffer_sink(&file, ones, sizeof ones);
    buffer_sink(&file, jpeg_rest, sizeof jpeg_rest);
    return file;
}

static buffer make_png(void)
{
    uint8_t pixels[SIDE * SIDE][4];
    for (size_t i = 0; i < sizeof pixels; i++)
        pixels[i / 4][i % 4] = (uint8_t)(i * i >> 3);
    buffer file = {0};
    const trilo_image image = {SIDE, SIDE, (const uint8_t(*)[4])pixels};
    CHECK(trilo_image_write(&image, TRILO_PICTURE_KIND_PNG, buffer_sink, &file, NULL));
    return file;
}

/* 5 by 3 texels with a palette and records behind them. */
static buffer make_sprite(uint8_t format)
{
    buffer file = {0};
    const uint8_t head[8] = {0, 5, 0, 3, 0, (uint8_t)(format | 0x80), 1, 1};
    const size_t row = format >= 16 ? (format == 16 ? 3 : 5) : (size_t[]){3, 5, 10, 20}[format & 3];
    const size_t texels = (row * 3 + 7) / 8 * 8;
    buffer_sink(&file, head, sizeof head);
    for (size_t i = 0; i < texels; i++)
        buffer_sink(&file, &(uint8_t){(uint8_t)(i * 37)}, 1);
    const uint8_t extra[8] = {0, 128, 0, 6, 0, 0, 0, (uint8_t)(8 + texels + 128)};
    buffer_sink(&file, extra, sizeof extra);
    for (size_t i = 0; i < 120 + 32; i++)
        buffer_sink(&file, &(uint8_t){(uint8_t)(i < 120 ? 0 : i * 11)}, 1);
    return file;
}

/* True: it is an image. What must hold whatever the bytes are. */
static bool try_one(const uint8_t *bytes, size_t size, meter *m, size_t limit)
{
    const trilo_memory memory = meter_memory(m, limit);
    uint8_t *exact = malloc(size ? size : 1); /* so that the sanitizers see the end */
    CHECK(exact);
    memcpy(exact, bytes, size);
    trilo_error err = {0};
    const trilo_image *image = trilo_image_decode((trilo_bytes){exact, size}, &memory, &err);
    CHECK(image || (err.code != TRILO_CODE_OK && err.rule[0] != 0 && err.text[0] != 0));
    if (image) {
        uint32_t sum = 0;
        CHECK(image->width > 0 && image->height > 0);
        for (size_t i = 0; i < (size_t)image->width * image->height; i++)
            sum += image->pixels[i][i & 3];
        CHECK(sum < UINT32_MAX);
    }
    CHECK(m->peak <= limit);
    trilo_image_free(image);
    CHECK_INT(m->now, 0);
    free(exact);
    return image != NULL;
}

static bool is_supported(const buffer *file)
{
    trilo_error err = {0};
    const trilo_image *image = trilo_image_decode((trilo_bytes){file->data, file->size}, NULL, &err);
    CHECK(image || err.code == TRILO_CODE_UNSUPPORTED);
    trilo_image_free(image);
    return image != NULL;
}

/* The last `loose` bytes may be missing. */
static void cut(const buffer *file, size_t loose)
{
    for (size_t size = 0; size <= file->size; size++) {
        meter m = {0};
        const bool got = try_one(file->data, size, &m, LIMIT);
        if (size == file->size || size < file->size - loose)
            if (got != (size == file->size))
                FAIL("%zu of %zu bytes: %d", size, file->size, got);
    }
}

static void flip(const buffer *file)
{
    static const uint8_t masks[] = {0xFF, 0x01, 0x80, 0x10};
    for (size_t at = 0; at < file->size; at++)
        for (size_t i = 0; i < sizeof masks; i++) {
            meter m = {0};
            file->data[at] ^= masks[i];
            try_one(file->data, file->size, &m, LIMIT);
            file->data[at] ^= masks[i];
        }
}

static void starve(const buffer *file)
{
    bool got = false;
    for (size_t n = 1; !got && n < 100; n++) {
        meter m = {.fail_at = n, .fail_from_there = true};
        got = try_one(file->data, file->size, &m, LIMIT);
    }
    CHECK(got);
    got = false;
    for (size_t limit = 1; !got && limit < LIMIT; limit *= 2) {
        meter m = {0};
        got = try_one(file->data, file->size, &m, limit);
    }
    CHECK(got);
}

static void put_through(buffer file, size_t loose)
{
    if (is_supported(&file)) {
        cut(&file, loose);
        flip(&file);
        starve(&file);
    }
    buffer_free(&file);
}

TEST(sprites)
{
    static const uint8_t formats[] = {2, 3, 6, 8, 9, 12, 13, 14, 16, 17};
    for (size_t i = 0; i < sizeof formats; i++) {
        buffer file = make_sprite(formats[i]);
        /* the palette may be short, and without one nothing behind the texels counts */
        const bool indexed = formats[i] == 8 || formats[i] == 9;
        put_through(file, indexed ? 30 : 32 + 128 + 7);
    }
}

TEST(png)
{
    put_through(make_png(), 20); /* sums, and a last chunk that is empty */
}

TEST(jpeg)
{
    buffer file = make_jpeg();
    trilo_error err;
    const trilo_image *image = trilo_image_decode((trilo_bytes){file.data, file.size}, NULL, &err);
    if (!image && err.code == TRILO_CODE_UNSUPPORTED)
        SKIP("built without TurboJPEG");
    if (!image)
        FAIL("%s", err.text);
    CHECK(image->width == 8 && image->height == 8);
    for (int i = 0; i < 64; i++)
        CHECK(memcmp(image->pixels[i], (uint8_t[]){178, 178, 178, 255}, 4) == 0);
    trilo_image_free(image);
    put_through(file, 2); /* the mark of the end */
}

/* Tables and no image: legal for a library that reads many images with the same tables. Always the same error, whatever
 * was on the stack before. */
TEST(jpeg_of_tables_alone)
{
    buffer file = make_jpeg();
    if (is_supported(&file)) {
        trilo_error err;
        const uint8_t end[2] = {0xFF, 0xD9};
        buffer tables = {0};
        buffer_sink(&tables, file.data, 2 + 2 + 67); /* the start, and the quantization table */
        buffer_sink(&tables, end, sizeof end);
        CHECK(!trilo_image_decode((trilo_bytes){tables.data, tables.size}, NULL, &err));
        CHECK_INT(err.code, TRILO_CODE_TRUNCATED);
        buffer_free(&tables);
    }
    buffer_free(&file);
}

TEST_MAIN(CASE(sprites), CASE(png), CASE(jpeg), CASE(jpeg_of_tables_alone))
