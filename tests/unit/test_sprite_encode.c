/* Sprites from pixels that were made by hand. */
#include "harness.h"
#include "support/exercise.h"
#include "trilobite/trilobite.h"

#include <stdlib.h>
#include <string.h>

static trilo_bitmap bitmap_of(const uint8_t (*pixels)[4], uint32_t width, uint32_t height)
{
    return (trilo_bitmap){.image = {width, height, pixels}};
}

static const trilo_sprite *encode(const trilo_bitmap *bitmap, const trilo_sprite_opts *opts)
{
    trilo_error err;
    const trilo_sprite *sprite = trilo_sprite_encode(bitmap, opts, &err);
    if (!sprite)
        FAIL("%s", err.text);
    return sprite;
}

/* ---- texels ---- */

/* Two pixels. 0x9C is 10011100: 19 of 5 bits, 9 of 4, 4 of 3; 0x6B is 01101011: 13; 0x38 is 00111000: 7; 0x57 is
 * 01010111: 5 of 4 bits. The second is clear but for 1 of 255. */
static const uint8_t two[2][4] = {{0x9C, 0x6B, 0x38, 0x57}, {0xFF, 0xFF, 0xFF, 1}};

TEST(texels_of_2024_are_truncated)
{
    static const struct {
        trilo_texels texels;
        uint8_t number, size, bytes[8];
    } cases[] = {
        /* 10011 01101 00111 1 and all ones: any alpha is opaque */
        {TRILO_TEXELS_RGBA16, 0x82, 4, {0x9B, 0x4F, 0xFF, 0xFF}},
        {TRILO_TEXELS_RGBA32, 0x83, 8, {0x9C, 0x6B, 0x38, 0x57, 0xFF, 0xFF, 0xFF, 1}},
        {TRILO_TEXELS_IA16, 0x8E, 4, {0x9C, 0x57, 0xFF, 1}},
        {TRILO_TEXELS_IA8, 0x8D, 2, {0x95, 0xF0}},
        {TRILO_TEXELS_IA4, 0x8C, 1, {0x9F}},
        {TRILO_TEXELS_I8, 0x91, 2, {0x9C, 0xFF}},
        {TRILO_TEXELS_I4, 0x90, 1, {0x9F}},
    };
    const trilo_bitmap bitmap = bitmap_of(two, 2, 1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const trilo_sprite_opts opts = {.target = TRILO_SPRITE_TARGET_LIBDRAGON_2024, .texels = cases[i].texels};
        const trilo_sprite *sprite = encode(&bitmap, &opts);
        const uint8_t *file = sprite->bytes.data;
        const uint8_t head[8] = {0, 2, 0, 1, 0, cases[i].number, 1, 1};
        CHECK(memcmp(file, head, 8) == 0);
        CHECK(memcmp(file + 8, cases[i].bytes, cases[i].size) == 0);
        CHECK_INT(file[16] << 8 | file[17], 124); /* the record behind one row, padded to 8 bytes: size, version */
        CHECK_INT(file[18] << 8 | file[19], 4);
        CHECK_INT(sprite->bytes.size, 16 + 128);
        CHECK(sprite->fits_tmem && sprite->tmem_used == (cases[i].texels == TRILO_TEXELS_RGBA32 ? 16 : 8));
        trilo_sprite_free(sprite);
    }
}

/* Alpha is opaque from 128 on; an intensity is luma times alpha, from the least to the most of the image. */
TEST(texels_of_2026)
{
    static const uint8_t pixels[3][4] = {{255, 255, 255, 128}, {0, 0, 0, 127}, {255, 0, 0, 255}};
    const trilo_bitmap bitmap = bitmap_of(pixels, 3, 1);
    trilo_sprite_opts opts = {.texels = TRILO_TEXELS_RGBA16};
    const trilo_sprite *sprite = encode(&bitmap, &opts);
    static const uint8_t colors[6] = {0xFF, 0xFF, 0, 0, 0xF8, 1};
    CHECK(memcmp(sprite->bytes.data + 8, colors, 6) == 0);
    CHECK_INT(sprite->bytes.data[17], 128);
    CHECK_INT(sprite->bytes.data[19], 6);
    CHECK_INT(sprite->bytes.size, 16 + 128);
    trilo_sprite_free(sprite);
    opts.texels = TRILO_TEXELS_I8; /* 128, 0 and 76: of 128, in 255ths */
    sprite = encode(&bitmap, &opts);
    CHECK_INT(sprite->bytes.data[8], 255);
    CHECK_INT(sprite->bytes.data[9], 0);
    CHECK_INT(sprite->bytes.data[10], 76 * 255 / 128);
    trilo_sprite_free(sprite);
}

TEST(a_palette_is_counted)
{
    static const uint8_t pixels[4][4] = {{255, 0, 0, 255}, {0, 255, 0, 255}, {0, 0, 255, 255}, {9, 9, 9, 0}};
    const trilo_bitmap bitmap = bitmap_of(pixels, 2, 2);
    trilo_sprite_opts opts = {.texels = TRILO_TEXELS_CI4};
    const trilo_sprite *sprite = encode(&bitmap, &opts);
    /* head 8, two rows of one byte padded to 8, records 128, four colours of two bytes */
    CHECK_INT(sprite->bytes.size, 8 + 8 + 128 + 8);
    CHECK_INT(sprite->bytes.data[16 + 66], 4);
    CHECK_INT(sprite->color_count, 4);
    CHECK(sprite->quantized);
    CHECK(sprite->difference.psnr > 60);
    trilo_sprite_free(sprite);
    opts.target = TRILO_SPRITE_TARGET_LIBDRAGON_2024; /* loads 16 colours whatever there is */
    sprite = encode(&bitmap, &opts);
    CHECK_INT(sprite->bytes.size, 8 + 8 + 128 + 32);
    CHECK_INT(sprite->bytes.data[16 + 66], 0);
    trilo_sprite_free(sprite);
}

/* By the rules of 2024, an indexed image is CI4 when its highest index is below 16, however many colours it has. */
TEST(sixteen_indices_are_four_bits)
{
    static const uint8_t colors[20][4] = {{0}};
    static const uint8_t pixels[2][4] = {{0}};
    for (uint8_t highest = 14; highest < 19; highest++) {
        const uint8_t indices[2] = {highest, 3};
        trilo_bitmap bitmap = bitmap_of(pixels, 2, 1);
        bitmap.kind = TRILO_PIXEL_KIND_INDEXED;
        bitmap.indices = indices;
        bitmap.colors = colors;
        bitmap.color_count = 20;
        CHECK_INT(trilo_sprite_texels(&bitmap, NULL, TRILO_SPRITE_TARGET_LIBDRAGON_2024),
                  highest < 16 ? TRILO_TEXELS_CI4 : TRILO_TEXELS_CI8);
    }
}

/* By those of 2026, an image of up to 16 colours is CI4, of more CI8. Each channel makes a colour of its own. */
TEST(colors_differ_in_any_channel)
{
    for (uint32_t channel = 0; channel < 4; channel++)
        for (uint32_t count = 16; count < 18; count++) {
            uint8_t pixels[17][4];
            memset(pixels, 200, sizeof pixels);
            for (uint32_t i = 0; i < count; i++)
                pixels[i][channel] = (uint8_t)(9 * i);
            trilo_bitmap bitmap = bitmap_of((const uint8_t(*)[4])pixels, count, 1);
            bitmap.kind = TRILO_PIXEL_KIND_RGBA;
            CHECK_INT(trilo_sprite_texels(&bitmap, NULL, TRILO_SPRITE_TARGET_LIBDRAGON_2026),
                      count == 16 ? TRILO_TEXELS_CI4 : TRILO_TEXELS_CI8);
        }
}

/* ---- quality ---- */

enum { SIDE = 24 };
static void fill_pseudo_random(uint8_t (*pixels)[4], uint32_t seed)
{
    for (uint32_t i = 0; i < SIDE * SIDE; i++)
        for (uint32_t c = 0; c < 4; c++) {
            seed = seed * 1664525 + 1013904223;
            pixels[i][c] = (uint8_t)((i % SIDE) * 9 + (seed >> 27) * (c + 1) + (i / SIDE) * c * 2);
        }
}

TEST(quality_is_never_farther_from_the_image)
{
    static uint8_t pixels[SIDE * SIDE][4];
    const trilo_bitmap bitmap = bitmap_of((const uint8_t(*)[4])pixels, SIDE, SIDE);
    const int step = (int)test_rounds(1, TEST_EMULATED ? 2 : 1);
    for (uint32_t seed = 1; seed <= test_rounds(4, TEST_EMULATED ? 2 : 4); seed++)
        for (int texels = TRILO_TEXELS_RGBA16; texels <= TRILO_TEXELS_I8; texels++)
            for (int dither = (int)seed % step; dither <= TRILO_DITHER_FLOYD_STEINBERG; dither += step) {
                fill_pseudo_random(pixels, seed);
                if (texels >= TRILO_TEXELS_YUV16 && texels <= TRILO_TEXELS_CI8)
                    continue;
                trilo_sprite_opts opts = {.texels = (trilo_texels)texels, .target = (trilo_sprite_target)(seed & 1)};
                const trilo_sprite *plain = encode(&bitmap, &opts);
                opts.quality = true;
                opts.dither = (trilo_dither)dither;
                const trilo_sprite *better = encode(&bitmap, &opts);
                if (better->difference.psnr < plain->difference.psnr)
                    FAIL("%s, dither %d: %g dB, truncated %g", trilo_texels_name((trilo_texels)texels), dither,
                         better->difference.psnr, plain->difference.psnr);
                trilo_sprite_free(plain);
                trilo_sprite_free(better);
            }
}

/* ---- bad input ---- */

TEST(what_cannot_be_a_sprite)
{
    static const uint8_t pixel[1][4] = {{1, 2, 3, 4}};
    trilo_error err;
    trilo_bitmap bitmap = bitmap_of(pixel, 1, 1);
    const trilo_sprite *sprite = encode(&bitmap, NULL);
    CHECK_INT(sprite->width, 1);
    trilo_sprite_free(sprite);
    bitmap.image.width = 0;
    CHECK(!trilo_sprite_encode(&bitmap, NULL, &err));
    CHECK_STR(err.rule, "IMAGE-EMPTY");
    bitmap.image.width = 65536;
    CHECK(!trilo_sprite_encode(&bitmap, NULL, &err));
    CHECK_STR(err.rule, "IMAGE-SPRITE");
    bitmap.image.width = 1;
    const trilo_sprite_opts yuv = {.texels = TRILO_TEXELS_YUV16}, guard = {.guard = 1}, level = {.compress = 2};
    CHECK(!trilo_sprite_encode(&bitmap, &yuv, &err));
    CHECK_INT(err.code, TRILO_CODE_UNSUPPORTED);
    CHECK(!trilo_sprite_encode(&bitmap, &guard, &err));
    CHECK_INT(err.code, TRILO_CODE_MISUSE);
    CHECK(!trilo_sprite_encode(&bitmap, &level, &err));
    CHECK_INT(err.code, TRILO_CODE_MISUSE);
    const trilo_sprite_opts detail = {.texels = TRILO_TEXELS_CI4, .detail = true, .detail_bitmap = &bitmap};
    CHECK(!trilo_sprite_encode(&bitmap, &detail, &err));
    CHECK_STR(err.rule, "IMAGE-SPRITE");
}

TEST(every_allocation_may_fail)
{
    static uint8_t pixels[SIDE * SIDE][4];
    fill_pseudo_random(pixels, 7);
    const trilo_bitmap bitmap = bitmap_of((const uint8_t(*)[4])pixels, SIDE, SIDE);
    for (int kind = 0; kind < 3; kind++) {
        size_t fail_at = 0;
        for (bool done = false; !done;) {
            meter m = {.fail_at = ++fail_at, .fail_from_there = true};
            trilo_error err = {.code = TRILO_CODE_OK};
            const trilo_sprite_opts opts = {.memory = meter_memory(&m, 0),
                                            .texels = kind == 0 ? TRILO_TEXELS_CI8 : TRILO_TEXELS_IA8,
                                            .mipmaps = true,
                                            .quality = kind == 1,
                                            .dither = TRILO_DITHER_FLOYD_STEINBERG};
            const trilo_sprite *sprite = trilo_sprite_encode(&bitmap, &opts, &err);
            done = sprite != NULL;
            if (!done)
                CHECK_INT(err.code, TRILO_CODE_NO_MEMORY);
            trilo_sprite_free(sprite);
            CHECK_INT(m.now, 0);
        }
        CHECK(fail_at > 1);
    }
}

/* ---- pixels ---- */

/* Off by one everywhere: 20 log10(255) = 48.1308 dB. */
TEST(differences)
{
    static const uint8_t black[2][4] = {{0, 0, 0, 255}, {0, 0, 0, 255}},
                         white[2][4] = {{255, 255, 255, 255}, {255, 255, 255, 255}},
                         grey[2][4] = {{1, 1, 1, 255}, {1, 1, 1, 255}}, clear[2][4] = {{9, 9, 9, 0}, {0, 0, 0, 0}};
    const trilo_image a = {2, 1, black}, b = {2, 1, white}, c = {2, 1, grey}, d = {2, 1, clear};
    CHECK_NEAR(trilo_image_compare(&a, &b).psnr, 0, 1e-6);
    CHECK_NEAR(trilo_image_compare(&a, &b).delta_e, 100, 1e-3);
    CHECK_NEAR(trilo_image_compare(&a, &c).psnr, 48.1308, 1e-4);
    CHECK_NEAR(trilo_image_compare(&a, &a).psnr, 99, 0);
    CHECK_NEAR(trilo_image_compare(&a, &a).delta_e, 0, 0);
    const uint8_t hidden[2][4] = {{200, 0, 0, 0}, {0, 200, 0, 0}};
    const trilo_image e = {2, 1, hidden};
    CHECK_NEAR(trilo_image_compare(&d, &e).psnr, 99, 0);        /* what is clear has no colour */
    CHECK_NEAR(trilo_image_compare(&a, &d).psnr, 6.0206, 1e-4); /* alpha alone: a quarter of the channels */
}

static const trilo_image *resize(const trilo_image *image, uint32_t width, uint32_t height)
{
    trilo_error err;
    const trilo_resize_opts opts = {.width = width, .height = height};
    const trilo_image *resized = trilo_image_resize(image, &opts, &err);
    if (!resized)
        FAIL("%s", err.text);
    return resized;
}

/* Half of the light of white is 188 in sRGB, not 128. Filtered with a clear neighbour, a colour stays what it is. */
TEST(resizing_is_linear_and_premultiplied)
{
    static const uint8_t stripes[2][4] = {{0, 0, 0, 255}, {255, 255, 255, 255}},
                         edge[2][4] = {{200, 100, 50, 255}, {0, 255, 0, 0}};
    const trilo_image bars = {2, 1, stripes}, cut = {2, 1, edge};
    const trilo_image *half = resize(&bars, 1, 1);
    CHECK_INT(half->pixels[0][0], 188);
    CHECK_INT(half->pixels[0][3], 255);
    trilo_image_free(half);
    half = resize(&cut, 1, 1);
    CHECK_INT(half->pixels[0][0], 200);
    CHECK_INT(half->pixels[0][1], 100);
    CHECK_INT(half->pixels[0][2], 50);
    CHECK_INT(half->pixels[0][3], 128);
    trilo_image_free(half);
}

TEST(resizing_keeps_what_is_even)
{
    static uint8_t pixels[5 * 3][4];
    for (size_t i = 0; i < 15; i++)
        memcpy(pixels[i], (uint8_t[4]){17, 130, 241, 200}, 4);
    const trilo_image image = {5, 3, (const uint8_t(*)[4])pixels};
    static const uint32_t sizes[][2] = {{1, 1}, {4, 4}, {16, 2}, {5, 8}, {5, 3}};
    for (size_t s = 0; s < 5; s++) {
        const trilo_image *other = resize(&image, sizes[s][0], sizes[s][1]);
        for (size_t i = 0; i < (size_t)sizes[s][0] * sizes[s][1]; i++)
            CHECK(memcmp(other->pixels[i], pixels[0], 4) == 0);
        trilo_image_free(other);
    }
    const trilo_resize_opts none = {.width = 0, .height = 4}, many = {.width = 1 << 13, .height = 1 << 13};
    trilo_error err;
    CHECK(!trilo_image_resize(&image, &none, &err));
    CHECK_STR(err.rule, "IMAGE-EMPTY");
    CHECK(!trilo_image_resize(&image, &many, &err));
    CHECK_STR(err.rule, "IMAGE-LIMIT");
    CHECK(!trilo_image_resize(&image, NULL, &err));
    CHECK_STR(err.rule, "IMAGE-EMPTY");
}

/* Colours that fit the palette are all in it, at the nearest level of 5 bits: 100 is 12 (99), not 13 (107). */
TEST(few_colors_are_kept)
{
    static const uint8_t pixels[4][4] = {
        {100, 0, 255, 255}, {0, 100, 0, 128}, {255, 255, 255, 127}, {100, 0, 255, 255}};
    const trilo_image image = {4, 1, pixels};
    trilo_palette palette;
    uint8_t indices[4], *rows[1] = {indices};
    trilo_error err;
    const trilo_quantize_opts opts = {.colors = 16};
    CHECK(trilo_image_quantize(&image, 1, &opts, &palette, rows, &err));
    CHECK_INT(palette.count, 3);
    static const uint8_t want[4][4] = {{99, 0, 255, 255}, {0, 99, 0, 255}, {255, 255, 255, 0}, {99, 0, 255, 255}};
    for (int i = 0; i < 4; i++)
        CHECK(memcmp(palette.colors[indices[i]], want[i], 4) == 0);
    const trilo_quantize_opts many = {.colors = 257};
    CHECK(!trilo_image_quantize(&image, 1, &many, &palette, NULL, &err));
    CHECK(!trilo_image_quantize(&image, 0, &opts, &palette, NULL, &err));
}

/* Entries of a palette are colours of RGBA16: five bits each, opaque or clear. */
TEST(entries_are_colors_of_rgba16)
{
    static uint8_t pixels[500][4], indices[500];
    uint32_t state = 9;
    for (int i = 0; i < 500; i++)
        for (int c = 0; c < 4; c++) {
            state = state * 1664525 + 1013904223;
            pixels[i][c] = (uint8_t)(c < 3 ? state >> 24 : i % 5 ? 255 : 0);
        }
    const trilo_image image = {500, 1, (const uint8_t(*)[4])pixels};
    for (uint32_t colors = 2; colors <= 256; colors = 2 * colors + 3) {
        trilo_palette palette;
        uint8_t *rows[1] = {indices};
        trilo_error err;
        const trilo_quantize_opts opts = {.colors = colors};
        CHECK(trilo_image_quantize(&image, 1, &opts, &palette, rows, &err));
        CHECK(palette.count <= colors && palette.count >= 2);
        for (uint32_t i = 0; i < palette.count; i++) {
            const uint8_t *color = palette.colors[i];
            CHECK(color[3] == 0 || color[3] == 255);
            for (int c = 0; c < 3; c++)
                CHECK_INT(color[c], color[c] >> 3 << 3 | color[c] >> 5);
        }
        for (int i = 0; i < 500; i++)
            CHECK(indices[i] < palette.count && palette.colors[indices[i]][3] == pixels[i][3]);
    }
}

TEST(images_share_a_palette)
{
    static uint8_t first[SIDE * SIDE][4], second[SIDE * SIDE][4], indices[2][SIDE * SIDE];
    fill_pseudo_random(first, 3);
    fill_pseudo_random(second, 5);
    const trilo_image images[2] = {{SIDE, SIDE, (const uint8_t(*)[4])first}, {SIDE, SIDE, (const uint8_t(*)[4])second}};
    uint8_t *rows[2] = {indices[0], indices[1]};
    trilo_palette palette;
    for (int dither = 0; dither <= TRILO_DITHER_FLOYD_STEINBERG; dither++) {
        const trilo_quantize_opts opts = {.colors = 16, .dither = (trilo_dither)dither};
        CHECK(trilo_image_quantize(images, 2, &opts, &palette, rows, NULL));
        CHECK(palette.count <= 16);
        for (size_t i = 0; i < SIDE * SIDE; i++) {
            CHECK(indices[0][i] < palette.count && indices[1][i] < palette.count);
            CHECK((palette.colors[indices[1][i]][3] == 255) == (second[i][3] >= 128));
        }
    }
    const trilo_bitmap bitmap = bitmap_of((const uint8_t(*)[4])second, SIDE, SIDE);
    const trilo_sprite_opts opts = {.texels = TRILO_TEXELS_CI4, .palette = &palette};
    const trilo_sprite *sprite = encode(&bitmap, &opts);
    const uint8_t *stored = sprite->bytes.data + sprite->bytes.size - 32;
    for (uint32_t i = 0; i < palette.count; i++)
        CHECK_INT(stored[2 * i] >> 3, palette.colors[i][0] >> 3);
    trilo_sprite_free(sprite);
    const trilo_palette none = {.count = 0};
    const trilo_sprite_opts empty = {.texels = TRILO_TEXELS_CI4, .palette = &none};
    CHECK(!trilo_sprite_encode(&bitmap, &empty, NULL));
}

/* Two images of the same colours share; one of other colours keeps its own, unless anything goes. */
TEST(palettes_are_shared_within_a_bound)
{
    static uint8_t pixels[3][SIDE * SIDE][4];
    for (uint32_t i = 0; i < SIDE * SIDE; i++)
        for (uint32_t n = 0; n < 3; n++) {
            const uint8_t ramp = (uint8_t)((n == 1 ? SIDE * SIDE - 1 - i : i) * 255 / (SIDE * SIDE));
            const uint8_t pixel[4] = {n == 2 ? 0 : ramp, n == 2 ? (uint8_t)(255 - ramp) : 0, n == 2 ? ramp : 0, 255};
            memcpy(pixels[n][i], pixel, 4);
        }
    const trilo_image images[3] = {{SIDE, SIDE, (const uint8_t(*)[4])pixels[0]},
                                   {SIDE, SIDE, (const uint8_t(*)[4])pixels[1]},
                                   {SIDE, SIDE, (const uint8_t(*)[4])pixels[2]}};
    trilo_shared_image shared[3];
    trilo_palette palettes[3];
    trilo_error err;
    uint32_t count = 0;
    trilo_texels texels[3] = {TRILO_TEXELS_CI4, TRILO_TEXELS_CI4, TRILO_TEXELS_CI4};
    const trilo_share_opts tight = {.texels = texels, .max_delta_e = 1.2},
                           loose = {.texels = texels, .max_delta_e = 50};
    CHECK(trilo_palettes_share(images, 3, &tight, shared, palettes, &count, &err));
    CHECK_INT(count, 2);
    CHECK(shared[0].palette == shared[1].palette && shared[0].palette != shared[2].palette);
    CHECK_INT(shared[0].image_count, 2);
    CHECK_INT(shared[2].image_count, 1);
    CHECK_NEAR(shared[0].shared.psnr, shared[0].alone.psnr, 0.5);
    CHECK(shared[2].shared.psnr == shared[2].alone.psnr);
    CHECK(trilo_palettes_share(images, 3, &loose, shared, palettes, &count, &err));
    CHECK_INT(count, 1);
    CHECK(shared[2].shared.psnr < shared[2].alone.psnr);
    /* Images of other formats share with none. */
    texels[1] = TRILO_TEXELS_CI8;
    texels[2] = TRILO_TEXELS_I8;
    CHECK(trilo_palettes_share(images, 3, &loose, shared, palettes, &count, &err));
    CHECK_INT(count, 2);
    CHECK(shared[0].palette == 0 && shared[1].palette == 1 && shared[2].palette == TRILO_NONE);
    CHECK(palettes[0].count <= 16 && palettes[1].count > 16);
    CHECK(trilo_palettes_share(images, 0, NULL, shared, palettes, &count, &err));
    CHECK_INT(count, 0);
}

/* Formats with an intensity alone are refused for their error, or because the image has colours; those without alpha
 * only where the image is not opaque. A pixel that is clear has no colour. */
TEST(a_plan_says_what_speaks_against_a_format)
{
    static const struct {
        uint8_t pixels[4][4];
        bool colors, clear;
    } cases[] = {
        {{{0, 0, 0, 255}, {9, 9, 9, 255}, {80, 80, 80, 255}, {255, 255, 255, 255}}, false, false},
        {{{0, 0, 0, 255}, {9, 9, 9, 255}, {80, 80, 0, 255}, {255, 255, 255, 255}}, true, false},
        {{{0, 0, 0, 255}, {9, 9, 9, 255}, {0, 80, 80, 255}, {255, 255, 255, 255}}, true, false},
        {{{0, 0, 0, 255}, {9, 9, 9, 255}, {80, 80, 80, 255}, {255, 0, 9, 0}}, false, true},
        {{{0, 0, 0, 255}, {9, 9, 9, 255}, {80, 80, 80, 254}, {255, 255, 255, 255}}, false, true},
        {{{0, 0, 0, 255}, {9, 9, 9, 255}, {80, 0, 80, 128}, {255, 255, 255, 255}}, true, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const trilo_bitmap bitmap = bitmap_of(cases[i].pixels, 4, 1);
        trilo_sprite_plan plan;
        CHECK(trilo_sprite_plan_make(&bitmap, &(trilo_plan_opts){.max_delta_e = 1e-9}, &plan, NULL));
        CHECK_INT(plan.candidate_count, TRILO_PLAN_CANDIDATES);
        for (uint32_t k = 0; k < plan.candidate_count; k++) {
            const trilo_plan_candidate *c = &plan.candidates[k];
            const bool plain = c->texels == TRILO_TEXELS_I4 || c->texels == TRILO_TEXELS_I8;
            const bool grey = plain || c->texels == TRILO_TEXELS_IA4 || c->texels == TRILO_TEXELS_IA8 ||
                              c->texels == TRILO_TEXELS_IA16;
            if (plain && cases[i].clear)
                CHECK_INT(c->verdict, TRILO_PLAN_VERDICT_ALPHA);
            else
                CHECK(c->verdict != TRILO_PLAN_VERDICT_ALPHA);
            if (c->verdict == TRILO_PLAN_VERDICT_ERROR || c->verdict == TRILO_PLAN_VERDICT_COLORS)
                CHECK_INT(c->verdict == TRILO_PLAN_VERDICT_COLORS, grey && cases[i].colors);
        }
        CHECK_INT(plan.candidates[plan.chosen].verdict, TRILO_PLAN_VERDICT_CHOSEN);
    }
}

/* Two textures of a material share TMEM, and neither has a palette, unless one has it already. */
TEST(a_second_texture_is_considered)
{
    static uint8_t pixels[64 * 64][4];
    for (uint32_t i = 0; i < 64 * 64; i++) {
        const uint8_t pixel[4] = {(uint8_t)(4 * (i % 64)), (uint8_t)(i / 16), 60, 255};
        memcpy(pixels[i], pixel, 4);
    }
    const trilo_bitmap bitmap = bitmap_of((const uint8_t(*)[4])pixels, 64, 64);
    trilo_sprite_plan plan;
    trilo_plan_opts opts = {.max_delta_e = 8};
    CHECK(trilo_sprite_plan_make(&bitmap, &opts, &plan, NULL));
    CHECK_INT(plan.candidates[plan.chosen].texels, TRILO_TEXELS_CI4);
    opts.other_later = true; /* 2048 bytes: RGBA16 has 32 by 32 texels there */
    CHECK(trilo_sprite_plan_make(&bitmap, &opts, &plan, NULL));
    const trilo_plan_candidate *first = &plan.candidates[plan.chosen];
    CHECK_INT(first->texels, TRILO_TEXELS_RGBA16);
    CHECK(first->tmem_used <= 2048);
    CHECK_INT(plan.candidates[2].verdict, TRILO_PLAN_VERDICT_PALETTE);
    opts =
        (trilo_plan_opts){.max_delta_e = 8, .other_texels = TRILO_TEXELS_RGBA16, .other_width = 32, .other_height = 16};
    CHECK(trilo_sprite_plan_make(&bitmap, &opts, &plan, NULL));
    CHECK_INT(plan.candidates[plan.chosen].texels, TRILO_TEXELS_RGBA16);
    CHECK(plan.candidates[plan.chosen].tmem_used <= 4096 - 1024);
    for (uint32_t i = 0; i < plan.candidate_count; i++) /* one half of TMEM has 1024 bytes left, so has the other */
        if (plan.candidates[i].texels == TRILO_TEXELS_RGBA32)
            CHECK(plan.candidates[i].width * plan.candidates[i].height * 2 <= 1024);
    opts.other_texels = TRILO_TEXELS_CI4;
    CHECK(trilo_sprite_plan_make(&bitmap, &opts, &plan, NULL));
    CHECK_INT(plan.candidates[plan.chosen].texels, TRILO_TEXELS_CI4);
    CHECK(plan.candidates[plan.chosen].tmem_used <= 2048 - 256);
}

/* 64 by 52 texels of I8 are 3,328 bytes. A mipmap of half the size has 832, which is 64 too many. */
TEST(the_first_mipmap_has_to_fit)
{
    static const uint8_t pixels[64 * 52][4];
    const trilo_bitmap bitmap = bitmap_of(pixels, 64, 52);
    for (int with = 0; with < 2; with++) {
        const trilo_sprite_opts sprite = {.texels = TRILO_TEXELS_I8, .mipmaps = with == 1};
        trilo_sprite_plan plan;
        CHECK(trilo_sprite_plan_make(&bitmap, &(trilo_plan_opts){.sprite = &sprite}, &plan, NULL));
        CHECK_INT(plan.candidates[plan.chosen].height == 52, !with);
    }
}

/* 200 by 70 texels of CI4: 64 by 64 fit (8 pieces), 128 by 32 (6 pieces), and 256 by 16: 5 pieces, of which the last
 * has 6 rows. */
TEST(an_image_is_split)
{
    static uint8_t pixels[200 * 70][4];
    for (uint32_t i = 0; i < 200 * 70; i++) {
        const uint8_t pixel[4] = {(uint8_t)(i % 200), (uint8_t)(3 * (i / 200)), 90, 255};
        memcpy(pixels[i], pixel, 4);
    }
    const trilo_bitmap bitmap = bitmap_of((const uint8_t(*)[4])pixels, 200, 70);
    trilo_sprite_opts opts = {.texels = TRILO_TEXELS_CI4};
    const trilo_sprite_pieces *pieces = trilo_sprite_split(&bitmap, &opts, NULL);
    CHECK(pieces && pieces->columns == 1 && pieces->rows == 5 && pieces->count == 5);
    CHECK(pieces->width == 256 && pieces->height == 16);
    const trilo_bytes first = pieces->sprites[0]->bytes;
    for (uint32_t i = 0; i < pieces->count; i++) {
        const trilo_sprite *piece = pieces->sprites[i];
        CHECK(piece->fits_tmem);
        CHECK_INT(piece->width, 200);
        CHECK_INT(piece->height, i == 4 ? 70 - 64 : 16);
        CHECK(memcmp(piece->bytes.data + piece->bytes.size - 32, first.data + first.size - 32, 32) == 0);
        /* the pixels of its own corner */
        const uint8_t *pixel = pixels[i * 16 * 200];
        CHECK(abs(piece->image.pixels[0][0] - pixel[0]) < 40 && abs(piece->image.pixels[0][1] - pixel[1]) < 40);
    }
    trilo_sprite_pieces_free(pieces);
    opts.texels = TRILO_TEXELS_RGBA16; /* every pixel, truncated to 5 bits */
    pieces = trilo_sprite_split(&bitmap, &opts, NULL);
    CHECK(pieces && pieces->columns == 1 && pieces->rows == 9); /* 256 by 8 */
    for (uint32_t i = 0; i < 200 * 70; i++) {
        const uint32_t x = i % 200, y = i / 200;
        const trilo_image *piece = &pieces->sprites[y / pieces->height * pieces->columns + x / pieces->width]->image;
        CHECK_INT(piece->pixels[y % pieces->height * piece->width + x % pieces->width][0] >> 3, pixels[i][0] >> 3);
    }
    trilo_sprite_pieces_free(pieces);
    opts.mipmaps = true; /* 128 by 8, and 64 by 4 below it: 2 by 9 pieces */
    pieces = trilo_sprite_split(&bitmap, &opts, NULL);
    CHECK(pieces && pieces->count == 18 && pieces->sprites[0]->mipmap_count > 0 && pieces->sprites[0]->fits_tmem);
    trilo_sprite_pieces_free(pieces);
    static uint8_t many[1040 * 1040][4];
    trilo_error err;
    const trilo_bitmap large = bitmap_of((const uint8_t(*)[4])many, 1040, 1040);
    opts = (trilo_sprite_opts){.texels = TRILO_TEXELS_RGBA32}; /* 1024 texels each: 33 by 33 pieces */
    CHECK(!trilo_sprite_split(&large, &opts, &err));
    CHECK_INT(err.code, TRILO_CODE_LIMIT);
}

static void fill_scene(uint8_t (*pixels)[4], uint32_t side)
{
    for (uint32_t i = 0; i < side * side; i++) {
        const uint32_t x = i % side, y = i / side, fine = ((x / 2 + y / 2) & 1) * 24;
        const uint8_t pixel[4] = {(uint8_t)(60 + 2 * x + fine), (uint8_t)(90 + y + fine), (uint8_t)(140 - x + fine),
                                  255};
        memcpy(pixels[i], pixel, 4);
    }
}

/* Slow changes of colour with a fine pattern of light: what two layers are made for. 64 by 64 texels of RGBA16 need 8
 * KiB; at half the size each way they fit, but lose the pattern. */
TEST(two_layers_show_more)
{
    static uint8_t pixels[64 * 64][4];
    fill_scene(pixels, 64);
    const trilo_bitmap bitmap = bitmap_of((const uint8_t(*)[4])pixels, 64, 64);
    const trilo_resize_opts half = {.width = 32, .height = 32}, whole = {.width = 64, .height = 64};
    const trilo_image *small = trilo_image_resize(&bitmap.image, &half, NULL),
                      *back = trilo_image_resize(small, &whole, NULL);
    const trilo_image_difference resized = trilo_image_compare(&bitmap.image, back);
    trilo_sprite_opts opts = {.layers = TRILO_SPRITE_LAYERS_IHQ};
    const trilo_sprite *sprite = encode(&bitmap, &opts);
    CHECK(sprite->fits_tmem && sprite->texels == TRILO_TEXELS_RGBA16 && sprite->width * sprite->height == 64 * 64 / 8);
    CHECK(sprite->difference.delta_e < resized.delta_e);
    const size_t extra = 8 + 64 * 64 / 8 * 2; /* behind the texels: flags at 64, detail factor at 116 */
    CHECK_INT(sprite->bytes.data[extra + 65] & 0x30, 0x30);
    CHECK_INT(sprite->bytes.data[extra + 120], 0);
    const trilo_image *detail = trilo_sprite_decode(sprite->bytes, 7, NULL, NULL);
    CHECK(detail && detail->width == 64 && detail->height == 64);
    for (uint32_t i = 0; i < 64 * 64; i++)
        CHECK(detail->pixels[i][0] % 17 == 0);
    trilo_image_free(detail);
    trilo_sprite_free(sprite);
    opts.layers = TRILO_SPRITE_LAYERS_SHQ;
    sprite = encode(&bitmap, &opts);
    CHECK(sprite->fits_tmem && sprite->texels == TRILO_TEXELS_I4 && sprite->width == 64);
    CHECK(sprite->difference.delta_e < resized.delta_e);
    CHECK_INT(sprite->bytes.data[8 + 64 * 64 / 2 + 65] & 0x61, 0x61); /* SHQ, fits, one more image */
    const trilo_image *lack = trilo_sprite_decode(sprite->bytes, 1, NULL, NULL);
    CHECK(lack && lack->width == 32 && lack->height == 32);
    trilo_image_free(lack);
    trilo_sprite_free(sprite);
    trilo_error err;
    const trilo_bitmap odd = bitmap_of((const uint8_t(*)[4])pixels, 63, 64);
    CHECK(!trilo_sprite_encode(&odd, &opts, &err) && strstr(err.text, "even sides"));
    opts.layers = TRILO_SPRITE_LAYERS_IHQ;
    CHECK(!trilo_sprite_encode(&odd, &opts, &err) && strstr(err.text, "divisible by 4"));
    trilo_image_free(small);
    trilo_image_free(back);
}

/* Two clouds of 32 x 32 x 32 colours each: too many to be counted one by one. Both middles are found. */
TEST(many_colors_are_binned)
{
    enum { WIDE = 256 };
    static uint8_t pixels[WIDE * WIDE][4];
    for (uint32_t i = 0; i < WIDE * WIDE; i++) {
        const uint8_t low = (uint8_t)(32 + i % 32), middle = (uint8_t)(32 + i / 32 % 32),
                      high = (uint8_t)(i / 1024 % 32);
        const bool red = i >= WIDE * WIDE / 2;
        pixels[i][0] = (uint8_t)(red ? 208 + high : low);
        pixels[i][1] = middle;
        pixels[i][2] = (uint8_t)(red ? low : 208 + high);
        pixels[i][3] = 255;
    }
    const trilo_image image = {WIDE, WIDE, (const uint8_t(*)[4])pixels};
    const trilo_quantize_opts opts = {.colors = 2};
    trilo_palette palette;
    trilo_error err = {0};
    CHECK(trilo_image_quantize(&image, 1, &opts, &palette, NULL, &err));
    CHECK_INT(palette.count, 2);
    const int first_red = palette.colors[0][0] > 128 ? 0 : 1;
    for (int k = 0; k < 2; k++) {
        const uint8_t *color = palette.colors[k == 0 ? first_red : 1 - first_red];
        const int high = color[k == 0 ? 0 : 2], low = color[k == 0 ? 2 : 0];
        if (abs(high - 223) > 2 || abs(low - 47) > 2 || abs(color[1] - 47) > 2)
            FAIL("%d %d %d is not the middle", color[0], color[1], color[2]);
    }
}

TEST_MAIN(CASE(many_colors_are_binned), CASE(entries_are_colors_of_rgba16),
          CASE(a_plan_says_what_speaks_against_a_format), CASE(texels_of_2024_are_truncated), CASE(texels_of_2026),
          CASE(a_palette_is_counted), CASE(sixteen_indices_are_four_bits), CASE(colors_differ_in_any_channel),
          CASE(quality_is_never_farther_from_the_image), CASE(what_cannot_be_a_sprite), CASE(every_allocation_may_fail),
          CASE(differences), CASE(resizing_is_linear_and_premultiplied), CASE(resizing_keeps_what_is_even),
          CASE(few_colors_are_kept), CASE(images_share_a_palette), CASE(palettes_are_shared_within_a_bound),
          CASE(a_second_texture_is_considered), CASE(the_first_mipmap_has_to_fit), CASE(an_image_is_split),
          CASE(two_layers_show_more))
