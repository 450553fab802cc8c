/* Image files with their palettes, and decoders of the caller. */
#include "harness.h"
#include "image/image.h"
#include "support/buffer.h"
#include "trilobite/sprite.h"

#include <stdlib.h>
#include <string.h>

static const uint8_t png_start[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n', 0, 0, 0, 13, 'I', 'H', 'D', 'R'};

static const trilo_bitmap *decode_corpus(const char *name, uint8_t **bytes)
{
    size_t size;
    trilo_error err;
    *bytes = test_read_file(test_corpus(name), &size);
    CHECK(*bytes != NULL);
    const trilo_bitmap *bitmap = trilo_bitmap_decode((trilo_bytes){*bytes, size}, NULL, &err);
    if (!bitmap && err.code == TRILO_CODE_UNSUPPORTED)
        SKIP("built without libspng");
    if (!bitmap)
        FAIL("%s: %s", name, err.text);
    return bitmap;
}

TEST(an_indexed_png_keeps_its_palette)
{
    static const struct {
        const char *name;
        uint32_t bits, color_count;
    } files[] = {{"sprite/made/pal12.png", 8, 12},
                 {"sprite/made/pal200.png", 8, 200},
                 {"t3dm/09_anim_viewer/assets/FaceTex.ci4.png", 4, 15}};
    for (size_t f = 0; f < 3; f++) {
        uint8_t *bytes;
        const trilo_bitmap *bitmap = decode_corpus(files[f].name, &bytes);
        CHECK_INT(bitmap->kind, TRILO_PIXEL_KIND_INDEXED);
        CHECK_INT(bitmap->bits, files[f].bits);
        CHECK_INT(bitmap->color_count, files[f].color_count);
        for (size_t i = 0; i < (size_t)bitmap->image.width * bitmap->image.height; i++)
            CHECK(memcmp(bitmap->image.pixels[i], bitmap->colors[bitmap->indices[i]], 4) == 0);
        trilo_bitmap_free(bitmap);
        free(bytes);
    }
}

TEST(kinds_of_pixels)
{
    static const struct {
        const char *name;
        trilo_pixel_kind kind;
    } files[] = {{"sprite/made/ramp.png", TRILO_PIXEL_KIND_RGBA},
                 {"sprite/made/grayalpha.png", TRILO_PIXEL_KIND_GREY_ALPHA},
                 {"t3dm/01_model/assets/unit1m.i8.png", TRILO_PIXEL_KIND_GREY},
                 {"t3dm/08_animation/assets/shadow.i8.png", TRILO_PIXEL_KIND_RGB}};
    for (size_t f = 0; f < 4; f++) {
        uint8_t *bytes;
        const trilo_bitmap *bitmap = decode_corpus(files[f].name, &bytes);
        CHECK_INT(bitmap->kind, files[f].kind);
        CHECK(!bitmap->indices && !bitmap->colors);
        trilo_bitmap_free(bitmap);
        free(bytes);
    }
}

/* ---- PNG files made by hand ---- */

typedef struct png_kind {
    uint32_t width, height;
    uint8_t bits, color_type;
    bool interlaced, animated, transparent;
    uint32_t cut; /* bytes that are missing at the end */
} png_kind;

static void put_be32(buffer *b, uint32_t value)
{
    const uint8_t bytes[4] = {(uint8_t)(value >> 24), (uint8_t)(value >> 16), (uint8_t)(value >> 8), (uint8_t)value};
    buffer_sink(b, bytes, 4);
}

static void put_chunk(buffer *b, const char *name, const void *bytes, uint32_t size)
{
    put_be32(b, size);
    buffer_sink(b, name, 4);
    buffer_sink(b, bytes, size);
    put_be32(b, tl_crc32(tl_crc32(0, name, 4), bytes, size));
}

/* What the pixel at x, y stores: 2 bits of an index, or 16 bits whose lower byte is another. */
static uint32_t sample_at(const png_kind *kind, uint32_t x, uint32_t y)
{
    return kind->bits == 2 ? (x + 3 * y) & 3 : (uint32_t)((x * 37 + y * 11) & 255) << 8 | 0x5A;
}

/* Rows of every (step)th pixel, each behind a filter byte. */
static void put_rows(buffer *raw, const png_kind *kind, uint32_t x0, uint32_t y0, uint32_t dx, uint32_t dy)
{
    const uint8_t none = 0;
    for (uint32_t y = y0; y < kind->height && x0 < kind->width; y += dy) {
        uint32_t waiting = 0, bits = 0;
        buffer_sink(raw, &none, 1);
        for (uint32_t x = x0; x < kind->width; x += dx) {
            waiting = waiting << kind->bits | sample_at(kind, x, y);
            for (bits += kind->bits; bits >= 8; bits -= 8) {
                const uint8_t byte = (uint8_t)(waiting >> (bits - 8));
                buffer_sink(raw, &byte, 1);
            }
        }
        const uint8_t last = (uint8_t)(waiting << (8 - bits));
        if (bits > 0)
            buffer_sink(raw, &last, 1);
    }
}

/* Not compressed: one stored block of deflate. */
static buffer make_png(const png_kind *kind)
{
    static const uint8_t adam7[7][4] = {{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4},
                                        {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}};
    static const uint8_t palette[12] = {255, 0, 0, 0, 255, 0, 0, 0, 255, 9, 9, 9}, alphas[2] = {0, 128};
    buffer file = {0}, raw = {0}, head = {0}, zlib = {0};
    for (int i = 0; i < (kind->interlaced ? 7 : 1); i++)
        if (kind->interlaced)
            put_rows(&raw, kind, adam7[i][0], adam7[i][1], adam7[i][2], adam7[i][3]);
        else
            put_rows(&raw, kind, 0, 0, 1, 1);
    uint32_t a = 1, b = 0;
    for (size_t i = 0; i < raw.size; i++) {
        a = (a + raw.data[i]) % 65521;
        b = (b + a) % 65521;
    }
    const uint16_t size = (uint16_t)raw.size;
    const uint8_t start[7] = {0x78, 1, 1, (uint8_t)size, (uint8_t)(size >> 8), (uint8_t)~size, (uint8_t)(~size >> 8)};
    buffer_sink(&zlib, start, sizeof start);
    if (raw.size > 0)
        buffer_sink(&zlib, raw.data, raw.size);
    put_be32(&zlib, b << 16 | a);
    put_be32(&head, kind->width);
    put_be32(&head, kind->height);
    const uint8_t rest[5] = {kind->bits, kind->color_type, 0, 0, kind->interlaced};
    buffer_sink(&head, rest, sizeof rest);
    buffer_sink(&file, png_start, 8);
    put_chunk(&file, "IHDR", head.data, 13);
    if (kind->animated) /* one frame, which is not the picture */
        put_chunk(&file, "acTL", "\0\0\0\1\0\0\0\0", 8);
    if (kind->color_type == 3)
        put_chunk(&file, "PLTE", palette, sizeof palette);
    if (kind->transparent)
        put_chunk(&file, "tRNS", alphas, sizeof alphas);
    put_chunk(&file, "IDAT", zlib.data, (uint32_t)zlib.size);
    put_chunk(&file, "IEND", "", 0);
    file.size -= kind->cut;
    buffer_free(&raw);
    buffer_free(&head);
    buffer_free(&zlib);
    return file;
}

static const trilo_bitmap *decode_png(const png_kind *kind, trilo_error *err)
{
    buffer file = make_png(kind);
    const trilo_bitmap *bitmap = trilo_bitmap_decode((trilo_bytes){file.data, file.size}, NULL, err);
    buffer_free(&file);
    if (!bitmap && err->code == TRILO_CODE_UNSUPPORTED)
        SKIP("built without libspng");
    return bitmap;
}

TEST(indices_of_every_png)
{
    static const png_kind kinds[] = {{8, 8, 2, 3, false, false, false, 0},
                                     {8, 8, 2, 3, true, false, false, 0},
                                     {13, 5, 2, 3, true, false, true, 0},
                                     {1, 1, 2, 3, true, false, true, 0},
                                     {5, 9, 2, 3, false, true, true, 0}};
    static const uint8_t colors[4][4] = {{255, 0, 0, 255}, {0, 255, 0, 255}, {0, 0, 255, 255}, {9, 9, 9, 255}};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        trilo_error err;
        const trilo_bitmap *bitmap = decode_png(&kinds[k], &err);
        if (!bitmap)
            FAIL("%zu: %s", k, err.text);
        CHECK_INT(bitmap->color_count, 4);
        for (uint32_t i = 0; i < kinds[k].width * kinds[k].height; i++) {
            const uint32_t index = sample_at(&kinds[k], i % kinds[k].width, i / kinds[k].width);
            const uint8_t alpha = kinds[k].transparent && index < 2 ? (index ? 128 : 0) : 255;
            if (memcmp(bitmap->image.pixels[i], colors[index], 3) != 0 && alpha)
                FAIL("kind %zu pixel %u: rgba wrong", k, i);
            if (bitmap->indices[i] != index)
                FAIL("kind %zu pixel %u: %u", k, i, bitmap->indices[i]);
            CHECK(memcmp(bitmap->colors[index], colors[index], 3) == 0);
            CHECK_INT(bitmap->colors[index][3], alpha);
            CHECK_INT(bitmap->image.pixels[i][3], alpha);
        }
        trilo_bitmap_free(bitmap);
    }
}

TEST(sixteen_bits_become_eight)
{
    const png_kind grey = {7, 3, 16, 0, false, false, false, 0}, woven = {7, 3, 16, 0, true, false, false, 0};
    trilo_error err;
    for (int i = 0; i < 2; i++) {
        const trilo_bitmap *bitmap = decode_png(i ? &woven : &grey, &err);
        CHECK(bitmap && bitmap->bits == 16 && bitmap->kind == TRILO_PIXEL_KIND_GREY);
        for (uint32_t p = 0; p < 21; p++)
            CHECK_INT(bitmap->image.pixels[p][0], sample_at(&grey, p % 7, p / 7) >> 8);
        const trilo_sprite *sprite = trilo_sprite_encode(bitmap, NULL, &err);
        CHECK(sprite && sprite->texels == TRILO_TEXELS_I8);
        trilo_sprite_free(sprite);
        trilo_bitmap_free(bitmap);
    }
}

TEST(sizes_at_the_edge)
{
    const png_kind none = {0, 4, 2, 3, false, false, false, 0}, cut = {8, 8, 2, 3, false, false, false, 20};
    const png_kind wide = {16384, 1, 2, 3, false, false, false, 0};
    trilo_error err;
    CHECK(!decode_png(&none, &err));
    CHECK_STR(err.rule, "IMAGE-EMPTY");
    CHECK(!decode_png(&cut, &err));
    CHECK_STR(err.rule, "IMAGE-TRUNCATED");
    const trilo_bitmap *bitmap = decode_png(&wide, &err);
    CHECK(bitmap != NULL);
    const trilo_sprite *sprite = trilo_sprite_encode(bitmap, NULL, &err);
    CHECK(sprite && sprite->width == 16384 && !sprite->fits_tmem && sprite->texels == TRILO_TEXELS_CI4);
    trilo_sprite_free(sprite);
    const trilo_plan_opts opts = {.max_delta_e = 2};
    trilo_sprite_plan plan;
    CHECK(trilo_sprite_plan_make(bitmap, &opts, &plan, &err));
    const trilo_plan_candidate *chosen = &plan.candidates[plan.chosen];
    CHECK(chosen->width < 16384 && chosen->tmem_used <= chosen->tmem_limit);
    trilo_bitmap_free(bitmap);
}

/* An image for a printer says so, and what to do. */
TEST(a_jpeg_with_inks)
{
    size_t size;
    trilo_error err;
    uint8_t *bytes = test_read_file(test_source("tests/fuzz/corpus/image/jpeg_cmyk"), &size);
    CHECK(bytes != NULL);
    CHECK(!trilo_bitmap_decode((trilo_bytes){bytes, size}, NULL, &err));
    if (strcmp(err.rule, "IMAGE-LIBRARY") != 0)
        CHECK(strstr(err.text, "save it with RGB colours") != NULL);
    free(bytes);
}

/* ---- a decoder of the caller ---- */

typedef struct decoder {
    trilo_bitmap bitmap; /* what it gives, without the pixels */
    bool no_pixels, fails;
    uint8_t index;
    trilo_image_kind kind;
} decoder;

static bool decode_by_hand(void *user, trilo_image_kind kind, trilo_bytes bytes, trilo_decode_memory *memory,
                           trilo_bitmap *bitmap, trilo_error *err)
{
    decoder *d = user;
    d->kind = kind;
    CHECK_INT(bytes.data[bytes.size - 1], 'R');
    if (d->fails) {
        memset(err, 0, sizeof *err);
        err->code = TRILO_CODE_BAD_VALUE;
        strcpy(err->text, "by hand");
        return false;
    }
    *bitmap = d->bitmap;
    uint8_t(*pixels)[4] = trilo_decode_alloc(memory, sizeof *pixels * 2);
    if (!pixels)
        return false;
    pixels[1][2] = 77;
    bitmap->image.pixels = d->no_pixels ? NULL : (const uint8_t(*)[4])pixels;
    if (d->bitmap.kind == TRILO_PIXEL_KIND_INDEXED) {
        uint8_t *indices = trilo_decode_alloc(memory, 2);
        indices[1] = d->index;
        bitmap->indices = indices;
        bitmap->colors = (const uint8_t(*)[4])pixels;
    }
    return true;
}

static const trilo_bitmap *decode_with(decoder *d, trilo_error *err)
{
    const trilo_decode_opts opts = {.decode = decode_by_hand, .decode_user = d};
    return trilo_bitmap_decode((trilo_bytes){png_start, sizeof png_start}, &opts, err);
}

TEST(a_decoder_of_the_caller)
{
    trilo_error err;
    decoder d = {.bitmap = {.image = {.width = 2, .height = 1}}};
    const trilo_bitmap *bitmap = decode_with(&d, &err);
    CHECK(bitmap != NULL);
    CHECK_INT(d.kind, TRILO_IMAGE_KIND_PNG);
    CHECK_INT(bitmap->image.pixels[1][2], 77);
    trilo_bitmap_free(bitmap);
    d.fails = true;
    CHECK(!decode_with(&d, &err));
    CHECK_STR(err.text, "by hand");
}

TEST(what_it_gives_is_checked)
{
    const decoder good = {
        .bitmap = {.image = {.width = 2, .height = 1}, .kind = TRILO_PIXEL_KIND_INDEXED, .color_count = 2}, .index = 1};
    trilo_error err;
    decoder d = good;
    const trilo_bitmap *bitmap = decode_with(&d, &err);
    CHECK(bitmap != NULL);
    trilo_bitmap_free(bitmap);
    for (int i = 0; i < 6; i++) {
        d = good;
        d.index = i == 0 ? 2 : 1;
        d.no_pixels = i == 1;
        d.bitmap.image.width = i == 2 ? 0 : i == 3 ? UINT32_MAX : 2;
        d.bitmap.color_count = i == 4 ? 257 : 2;
        d.bitmap.image.height = i == 5 ? 0 : 1;
        CHECK(!decode_with(&d, &err));
        CHECK_STR(err.rule, "IMAGE-BROKEN");
    }
}

TEST(options_must_be_zero_filled)
{
    trilo_error err;
    const trilo_decode_opts opts = {.guard = 1};
    CHECK(!trilo_bitmap_decode((trilo_bytes){png_start, sizeof png_start}, &opts, &err));
    CHECK_INT(err.code, TRILO_CODE_MISUSE);
}

TEST_MAIN(CASE(an_indexed_png_keeps_its_palette), CASE(kinds_of_pixels), CASE(indices_of_every_png),
          CASE(sixteen_bits_become_eight), CASE(sizes_at_the_edge), CASE(a_jpeg_with_inks),
          CASE(a_decoder_of_the_caller), CASE(what_it_gives_is_checked), CASE(options_must_be_zero_filled))
