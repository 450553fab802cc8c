/* Images as people have them: one pixel, none, very wide, cut off, for printing, with 16 bits, interlaced, animated,
 * with a palette that has alpha. Each gives the right sprite, or an error that says what to do. */
#include "harness.h"
#include "image/image.h"
#include "support/buffer.h"
#include "support/numbers.h"
#include "trilobite/trilobite.h"

#include <stdlib.h>
#include <string.h>

/* ---- PNG files, written here without compression ---- */

static void put_be32(buffer *b, uint32_t value)
{
    const uint8_t bytes[4] = {(uint8_t)(value >> 24), (uint8_t)(value >> 16), (uint8_t)(value >> 8), (uint8_t)value};
    buffer_sink(b, bytes, 4);
}

static void put_chunk(buffer *b, const char *type, const void *bytes, size_t size)
{
    put_be32(b, (uint32_t)size);
    buffer_sink(b, type, 4);
    buffer_sink(b, bytes, size);
    put_be32(b, tl_crc32(0, b->data + b->size - size - 4, size + 4));
}

/* Rows of a PNG file, each with its filter byte, as one stored block of zlib. */
static void put_rows(buffer *b, const char *type, const uint8_t *rows, size_t size)
{
    const uint8_t head[7] = {0x78, 1, 1, (uint8_t)size, (uint8_t)(size >> 8), (uint8_t)~size, (uint8_t)(~size >> 8)};
    uint32_t low = 1, high = 0;
    buffer stored = {0};
    for (size_t i = 0; i < size; i++) {
        low = (low + rows[i]) % 65521;
        high = (high + low) % 65521;
    }
    buffer_sink(&stored, head, sizeof head);
    buffer_sink(&stored, rows, size);
    put_be32(&stored, high << 16 | low);
    put_chunk(b, type, stored.data, stored.size);
    buffer_free(&stored);
}

static buffer png_start(uint32_t width, uint32_t height, uint8_t depth, uint8_t color_type, uint8_t interlace)
{
    buffer b = {0}, head = {0};
    const uint8_t rest[5] = {depth, color_type, 0, 0, interlace};
    buffer_sink(&b, "\x89PNG\r\n\x1A\n", 8);
    put_be32(&head, width);
    put_be32(&head, height);
    buffer_sink(&head, rest, sizeof rest);
    put_chunk(&b, "IHDR", head.data, head.size);
    buffer_free(&head);
    return b;
}

static buffer png_of(uint32_t width, uint32_t height, uint8_t depth, uint8_t color_type, uint8_t interlace,
                     const uint8_t *rows, size_t size)
{
    buffer b = png_start(width, height, depth, color_type, interlace);
    put_rows(&b, "IDAT", rows, size);
    put_chunk(&b, "IEND", "", 0);
    return b;
}

static const trilo_bitmap *decode(const buffer *b, trilo_error *err)
{
    trilo_error own = {.code = TRILO_CODE_OK};
    err = err ? err : &own;
    const trilo_bitmap *bitmap = trilo_bitmap_decode((trilo_bytes){b->data, b->size}, NULL, err);
    if (!bitmap && strcmp(err->rule, "IMAGE-LIBRARY") == 0)
        SKIP("built without libspng or TurboJPEG");
    return bitmap;
}

/* ---- right ---- */

TEST(one_pixel)
{
    static const uint8_t rows[] = {0, 255, 128, 9, 255};
    buffer b = png_of(1, 1, 8, 6, 0, rows, sizeof rows);
    trilo_error err;
    const trilo_bitmap *bitmap = decode(&b, &err);
    CHECK(bitmap != NULL);
    for (int texels = TRILO_TEXELS_RGBA16; bitmap && texels <= TRILO_TEXELS_I8; texels++) {
        const trilo_sprite_opts opts = {.texels = (trilo_texels)texels, .mipmaps = true};
        const trilo_sprite *sprite = texels != TRILO_TEXELS_YUV16 ? trilo_sprite_encode(bitmap, &opts, &err) : NULL;
        CHECK((sprite != NULL) == (texels != TRILO_TEXELS_YUV16));
        CHECK(!sprite || (sprite->width == 1 && sprite->height == 1 && sprite->fits_tmem && sprite->mipmap_count == 0));
        trilo_sprite_free(sprite);
    }
    trilo_sprite_plan plan;
    CHECK(bitmap && trilo_sprite_plan_make(bitmap, NULL, &plan, &err));
    trilo_bitmap_free(bitmap);
    buffer_free(&b);
}

/* As mksprite: the high byte of each channel. */
TEST(sixteen_bits)
{
    static const uint8_t rows[] = {0, 0x12, 0xFF, 0x80, 0x00, 0xFE, 0x7F, 0xFF, 0xFF};
    buffer b = png_of(1, 1, 16, 6, 0, rows, sizeof rows);
    const trilo_bitmap *bitmap = decode(&b, NULL);
    CHECK(bitmap && bitmap->bits == 16 && memcmp(bitmap->image.pixels[0], "\x12\x80\xFE\xFF", 4) == 0);
    trilo_bitmap_free(bitmap);
    buffer_free(&b);
}

/* Adam7: of 2 by 2 pixels the first pass has the upper left, the sixth the upper right, the seventh the lower row. */
TEST(interlaced)
{
    static const uint8_t rows[] = {0, 10, 0, 20, 0, 30, 40};
    buffer b = png_of(2, 2, 8, 0, 1, rows, sizeof rows);
    const trilo_bitmap *bitmap = decode(&b, NULL);
    CHECK(bitmap && bitmap->kind == TRILO_PIXEL_KIND_GREY);
    for (uint32_t i = 0; bitmap && i < 4; i++)
        CHECK_INT(bitmap->image.pixels[i][0], 10 * (i + 1));
    trilo_bitmap_free(bitmap);
    buffer_free(&b);
}

/* ---- every kind ---- */

typedef struct png_kind {
    uint8_t color_type, channels, depth;
    trilo_pixel_kind kind;
} png_kind;

static const png_kind png_kinds[] = {
    {0, 1, 1, TRILO_PIXEL_KIND_GREY},        {0, 1, 2, TRILO_PIXEL_KIND_GREY},
    {0, 1, 4, TRILO_PIXEL_KIND_GREY},        {0, 1, 8, TRILO_PIXEL_KIND_GREY},
    {0, 1, 16, TRILO_PIXEL_KIND_GREY},       {2, 3, 8, TRILO_PIXEL_KIND_RGB},
    {2, 3, 16, TRILO_PIXEL_KIND_RGB},        {3, 1, 1, TRILO_PIXEL_KIND_INDEXED},
    {3, 1, 2, TRILO_PIXEL_KIND_INDEXED},     {3, 1, 4, TRILO_PIXEL_KIND_INDEXED},
    {3, 1, 8, TRILO_PIXEL_KIND_INDEXED},     {4, 2, 8, TRILO_PIXEL_KIND_GREY_ALPHA},
    {4, 2, 16, TRILO_PIXEL_KIND_GREY_ALPHA}, {6, 4, 8, TRILO_PIXEL_KIND_RGBA},
    {6, 4, 16, TRILO_PIXEL_KIND_RGBA},
};

/* A sample of a row, without the bits that 16 have beyond 8. */
static uint32_t sample_of(const uint8_t *row, uint32_t number, uint32_t depth)
{
    if (depth >= 8)
        return row[number * (depth / 8)];
    return (uint32_t)row[number * depth / 8] >> (8 - depth - number * depth % 8) & ((1u << depth) - 1);
}

/* A palette of as many colours as the depth has, but the last two; of these the first three are not opaque. */
static void put_palette(buffer *b, uint32_t count, uint8_t (*colors)[4], uint64_t *seed)
{
    uint8_t plain[256][3], alphas[3];
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t bits = random_bits(seed);
        for (int c = 0; c < 4; c++)
            colors[i][c] = (uint8_t)(c < 3 || i < 3 ? bits >> 8 * c : 255);
        memcpy(plain[i], colors[i], 3);
        if (i < 3)
            alphas[i] = colors[i][3];
    }
    put_chunk(b, "PLTE", plain, (size_t)count * 3);
    put_chunk(b, "tRNS", alphas, count < 3 ? count : 3);
}

static void check_png(const png_kind *k, uint32_t width, uint32_t height, uint64_t seed)
{
    uint8_t rows[2048] = {0}, colors[256][4] = {{0}};
    const uint32_t row = (width * k->channels * k->depth + 7) / 8;
    const uint32_t count = k->depth <= 8 ? (1u << k->depth) - (k->depth > 1 && k->depth < 8 ? 2 : 0) : 0;
    buffer b = png_start(width, height, k->depth, k->color_type, 0);
    CHECK((row + 1) * height <= sizeof rows);
    for (uint32_t i = 0; i < (row + 1) * height; i++)
        rows[i] = i % (row + 1) ? (uint8_t)(random_bits(&seed) >> 56) : 0;
    for (uint32_t i = 0; i < 256; i++)
        colors[i][3] = 255; /* behind the palette: black */
    if (k->kind == TRILO_PIXEL_KIND_INDEXED)
        put_palette(&b, count, colors, &seed);
    put_rows(&b, "IDAT", rows, (size_t)(row + 1) * height);
    put_chunk(&b, "IEND", "", 0);
    const trilo_bitmap *bitmap = decode(&b, NULL);
    CHECK(bitmap && bitmap->kind == k->kind && bitmap->bits == k->depth);
    CHECK(bitmap->image.width == width && bitmap->image.height == height);
    uint32_t highest = 0;
    for (uint32_t i = 0; i < width * height; i++) {
        const uint8_t *from = rows + (size_t)(i / width) * (row + 1) + 1, *got = bitmap->image.pixels[i];
        const uint32_t first = i % width * k->channels, value = sample_of(from, first, k->depth);
        if (k->kind == TRILO_PIXEL_KIND_INDEXED) {
            CHECK_INT(bitmap->indices[i], value);
            highest = value > highest ? value : highest;
            if (value < count) /* others depend on the library */
                CHECK(memcmp(got, colors[value], 4) == 0);
            CHECK(memcmp(bitmap->colors[value], colors[value], 4) == 0);
            continue;
        }
        for (uint32_t c = 0; c < 3; c++) {
            const uint32_t level = sample_of(from, first + (k->channels > 2 ? c : 0), k->depth);
            CHECK_INT(got[c], k->depth < 8 ? level * 255 / ((1u << k->depth) - 1) : level);
        }
        CHECK_INT(got[3], k->channels % 2 ? 255 : sample_of(from, first + k->channels - 1, k->depth));
    }
    if (k->kind == TRILO_PIXEL_KIND_INDEXED)
        CHECK_INT(bitmap->color_count, highest >= count ? highest + 1 : count);
    trilo_bitmap_free(bitmap);
    buffer_free(&b);
}

/* Rows that end at each bit of a byte, and several of them. */
TEST(every_kind_of_png)
{
    for (size_t i = 0; i < sizeof png_kinds / sizeof *png_kinds; i++)
        for (uint32_t width = 1; width <= 17; width += TEST_SLOW || png_kinds[i].depth >= 8 ? 8 : 3)
            check_png(&png_kinds[i], width, 3, 100 * i + width);
}

/* Indices and alpha stay: libdragon of 2026 takes 128 for opaque, that of 2024 everything but 0. */
TEST(a_palette_with_alpha)
{
    static const uint8_t rows[] = {0, 0x12, 0x30}; /* 4 bits: 1, 2, 3 */
    static const uint8_t colors[] = {0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255}, alpha[] = {255, 127, 128, 0};
    static const uint16_t want[2][4] = {{0x0001, 0xF800, 0x07C1, 0x003E}, {0x0001, 0xF801, 0x07C1, 0x003E}};
    buffer b = png_start(3, 1, 4, 3, 0);
    put_chunk(&b, "PLTE", colors, sizeof colors);
    put_chunk(&b, "tRNS", alpha, sizeof alpha);
    put_rows(&b, "IDAT", rows, sizeof rows);
    put_chunk(&b, "IEND", "", 0);
    const trilo_bitmap *bitmap = decode(&b, NULL);
    CHECK(bitmap && bitmap->color_count == 4 && memcmp(bitmap->indices, "\1\2\3", 3) == 0);
    CHECK(bitmap && bitmap->image.pixels[0][3] == 127 && bitmap->image.pixels[2][3] == 0);
    for (int target = 0; bitmap && target < 2; target++) {
        const trilo_sprite_opts opts = {.target = (trilo_sprite_target)target, .texels = TRILO_TEXELS_CI4};
        const trilo_sprite *sprite = trilo_sprite_encode(bitmap, &opts, NULL);
        CHECK(sprite && sprite->color_count == 4);
        const uint8_t *palette = sprite ? sprite->bytes.data + sprite->bytes.size - 8 : NULL;
        for (int i = 0; palette && i < 4; i++)
            CHECK_INT(palette[2 * i] << 8 | palette[2 * i + 1], want[target][i]);
        trilo_sprite_free(sprite);
    }
    trilo_bitmap_free(bitmap);
    buffer_free(&b);
}

/* The first frame counts; it is what a viewer without animations shows. */
TEST(an_animation)
{
    static const uint8_t first[] = {0, 11}, second[] = {0, 22};
    static const uint8_t frames[8] = {0, 0, 0, 2};
    uint8_t control[26] = {0};
    control[7] = control[11] = 1; /* 1 by 1 pixels */
    control[21] = control[23] = 1;
    buffer b = png_start(1, 1, 8, 0, 0);
    put_chunk(&b, "acTL", frames, sizeof frames);
    put_chunk(&b, "fcTL", control, sizeof control);
    put_rows(&b, "IDAT", first, sizeof first);
    control[3] = 1;
    put_chunk(&b, "fcTL", control, sizeof control);
    put_rows(&b, "fdAT", second, sizeof second);
    put_chunk(&b, "IEND", "", 0);
    trilo_error err;
    const trilo_bitmap *bitmap = decode(&b, &err);
    CHECK(bitmap && bitmap->image.pixels[0][0] == 11);
    trilo_bitmap_free(bitmap);
    buffer_free(&b);
}

/* 16,384 pixels wide, 2 high: an image, but no size of it fits TMEM unless it is resized. */
TEST(a_wide_image)
{
    enum { WIDE = 16384 };
    static uint8_t rows[2 * (WIDE + 1)];
    for (size_t i = 0; i < WIDE; i++)
        rows[1 + i] = rows[WIDE + 2 + i] = (uint8_t)(i / 64);
    buffer b = png_of(WIDE, 2, 8, 0, 0, rows, sizeof rows);
    trilo_error err;
    trilo_sprite_plan plan;
    const trilo_bitmap *bitmap = decode(&b, &err);
    const trilo_sprite_opts opts = {.texels = TRILO_TEXELS_I8};
    const trilo_sprite *sprite = bitmap ? trilo_sprite_encode(bitmap, &opts, &err) : NULL;
    CHECK(sprite && sprite->width == WIDE && !sprite->fits_tmem);
    CHECK(bitmap && trilo_sprite_plan_make(bitmap, NULL, &plan, &err));
    CHECK(plan.candidates[plan.chosen].tmem_used <= plan.candidates[plan.chosen].tmem_limit);
    trilo_sprite_free(sprite);
    trilo_bitmap_free(bitmap);
    buffer_free(&b);
}

/* ---- wrong ---- */

static void refuses(const buffer *b, const char *rule, const char *text)
{
    trilo_error err = {.code = TRILO_CODE_OK};
    CHECK(decode(b, &err) == NULL);
    CHECK_STR(err.rule, rule);
    CHECK_STR(strstr(err.text, text) ? text : err.text, text);
}

TEST(no_pixels_or_too_many)
{
    static const uint8_t rows[] = {0};
    buffer none = png_of(0, 1, 8, 0, 0, rows, sizeof rows), many = png_of(16384, 16384, 8, 0, 0, rows, sizeof rows);
    refuses(&none, "IMAGE-EMPTY", "has no pixels");
    refuses(&many, "IMAGE-LIMIT", "16384 by 16384 pixels");
    buffer_free(&none);
    buffer_free(&many);
}

TEST(cut_at_every_byte)
{
    static const uint8_t rows[] = {0, 1, 2, 3, 4, 0, 5, 6, 7, 8};
    buffer whole = png_of(4, 2, 8, 0, 0, rows, sizeof rows);
    const size_t end = whole.size - 12; /* IEND may be missing */
    for (size_t size = 0; size < end - 8; size++) {
        buffer cut = {.data = malloc(size + 1),
                      .size = size}; /* of its own, so that the sanitizer sees a look behind */
        trilo_error err = {.code = TRILO_CODE_OK};
        memcpy(cut.data, whole.data, size);
        CHECK(decode(&cut, &err) == NULL);
        CHECK(err.rule && strncmp(err.rule, "IMAGE-", 6) == 0 && err.text[0]);
        free(cut.data);
    }
    buffer_free(&whole);
}

/* SOI, a frame of 1 by 1 pixels with four components, the start of a scan: enough to see that it is CMYK. */
TEST(a_jpeg_for_printing)
{
    static const uint8_t bytes[] = {0xFF, 0xD8, 0xFF, 0xC0, 0,    20, 8, 0,    1,  0,    1,    4,    1,   0x11, 0,
                                    2,    0x11, 0,    3,    0x11, 0,  4, 0x11, 0,  0xFF, 0xDA, 0,    14,  4,    1,
                                    0,    2,    0,    3,    0,    4,  0, 0,    63, 0,    0,    0xFF, 0xD9};
    const buffer b = {.data = (uint8_t *)(uintptr_t)bytes, .size = sizeof bytes};
    trilo_error err = {.code = TRILO_CODE_OK};
    CHECK(decode(&b, &err) == NULL);
    CHECK_INT(err.code, TRILO_CODE_UNSUPPORTED);
    CHECK(strstr(err.text, "save it with RGB colours") || strstr(err.text, "built without TurboJPEG"));
}

TEST_MAIN(CASE(one_pixel), CASE(every_kind_of_png), CASE(sixteen_bits), CASE(interlaced), CASE(a_palette_with_alpha),
          CASE(an_animation), CASE(a_wide_image), CASE(no_pixels_or_too_many), CASE(cut_at_every_byte),
          CASE(a_jpeg_for_printing))
