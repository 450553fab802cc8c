/* Texels from pixels: rounding, luma, dither, and the choice of a format, each against a plain computation of its own.
 */
#include "harness.h"
#include "image/sprite/sprite_encode.h"
#include "n64/texels.h"
#include "support/numbers.h"
#include "trilobite/trilobite.h"

#include <stdlib.h>
#include <string.h>

enum { WIDTH = 13, HEIGHT = 7, COUNT = WIDTH * HEIGHT };

static const trilo_texels plain_formats[] = {TRILO_TEXELS_RGBA16, TRILO_TEXELS_RGBA32, TRILO_TEXELS_IA4,
                                             TRILO_TEXELS_IA8,    TRILO_TEXELS_IA16,   TRILO_TEXELS_I4,
                                             TRILO_TEXELS_I8};

static void random_pixels(uint8_t (*pixels)[4], uint64_t seed)
{
    for (size_t i = 0; i < COUNT; i++)
        for (size_t c = 0; c < 4; c++)
            pixels[i][c] = (uint8_t)(random_bits(&seed) >> 17);
}

/* The level with the least error, among all; of two, the one that the value is truncated to. */
static int nearest_level(int value, int bits)
{
    int best = value >> (8 - bits);
    for (int level = 0; level < 1 << bits; level++)
        if (abs((int)tl_texel_spread((uint32_t)level, (uint32_t)bits) - value) <
            abs((int)tl_texel_spread((uint32_t)best, (uint32_t)bits) - value))
            best = level;
    return best;
}

static int clamped(int value)
{
    return value < 0 ? 0 : value > 255 ? 255 : value;
}

/* What a channel shows, by the definition of the dither: errors of the neighbours in sixteenths (Floyd and Steinberg),
 * or (index + 1/2) / 16 - 1/2 of a step (Bayer). The strength is in quarters. */
static void dither(const int *values, int *shown, int bits, trilo_dither kind, int strength)
{
    static const int two[2][2] = {{0, 2}, {3, 1}};
    int errors[HEIGHT + 1][WIDTH + 2] = {{0}};
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            const int index = 4 * two[y % 2][x % 2] + two[y / 2 % 2][x / 2 % 2];
            int value = values[y * WIDTH + x];
            if (kind == TRILO_DITHER_ORDERED)
                value += (2 * index + 1 - 16) * (256 >> bits) * strength / (32 * 4);
            else
                value += errors[y][x + 1] / 16;
            value = clamped(value);
            const int level = nearest_level(value, bits);
            shown[y * WIDTH + x] = (int)tl_texel_spread((uint32_t)level, (uint32_t)bits);
            const int error = (value - shown[y * WIDTH + x]) * strength / 4;
            errors[y][x + 2] += 7 * error;
            errors[y + 1][x] += 3 * error;
            errors[y + 1][x + 1] += 5 * error;
            errors[y + 1][x + 2] += 1 * error;
        }
}

TEST(dithered_texels)
{
    static uint8_t pixels[COUNT][4], shown[COUNT][4];
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    for (size_t f = 0; f < sizeof plain_formats / sizeof *plain_formats; f++)
        for (int strength = 0; strength <= 4; strength++)
            for (int kind = TRILO_DITHER_ORDERED; kind <= TRILO_DITHER_FLOYD_STEINBERG; kind++) {
                const tl_texel_format *format = tl_texel_format_of(plain_formats[f]);
                const tl_texel_rules rules = {.round = true,
                                              .luma = true,
                                              .opaque = 128,
                                              .dither = (trilo_dither)kind,
                                              .strength = (uint8_t)strength};
                const trilo_image image = {WIDTH, HEIGHT, (const uint8_t(*)[4])pixels};
                random_pixels(pixels, 1 + f * 100 + (uint64_t)strength * 10 + (uint64_t)kind);
                CHECK(tl_texels_store(&arena, plain_formats[f], &rules, &image, shown));
                for (int c = 0; c < 3; c++) {
                    int values[COUNT], want[COUNT];
                    for (int i = 0; i < COUNT; i++)
                        values[i] = !format->grey
                                        ? pixels[i][c]
                                        : (299 * pixels[i][0] + 587 * pixels[i][1] + 114 * pixels[i][2] + 500) / 1000;
                    dither(values, want, format->color_bits, (trilo_dither)kind, strength);
                    for (int i = 0; i < COUNT; i++)
                        if (shown[i][c] != want[i])
                            FAIL("%s, dither %d, strength %d, pixel %d, channel %d: %d instead of %d", format->name,
                                 kind, strength, i, c, shown[i][c], want[i]);
                }
                for (int i = 0; i < COUNT; i++) {
                    const int alpha =
                        format->alpha_bits == 0 ? 255
                        : format->alpha_bits == 1
                            ? (pixels[i][3] >= 128 ? 255 : 0)
                            : (int)tl_texel_spread((uint32_t)nearest_level(pixels[i][3], format->alpha_bits),
                                                   format->alpha_bits);
                    CHECK_INT(shown[i][3], alpha);
                }
            }
    tl_arena_free(&arena);
}

/* What the texels in the file show is what was promised, each bit at its place, for every format and both targets. */
TEST(stored_texels_show_what_was_promised)
{
    static uint8_t pixels[COUNT][4], shown[COUNT][4];
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    random_pixels(pixels, 3);
    for (size_t f = 0; f < sizeof plain_formats / sizeof *plain_formats; f++) {
        const tl_texel_format *format = tl_texel_format_of(plain_formats[f]);
        const tl_texel_rules rules = {.opaque = 1};
        const trilo_image image = {WIDTH, HEIGHT, (const uint8_t(*)[4])pixels};
        const uint8_t *texels = tl_texels_store(&arena, plain_formats[f], &rules, &image, shown);
        const size_t stride = ((size_t)WIDTH * format->bits + 7) / 8;
        const int colors = format->grey ? 1 : 3;
        CHECK(texels);
        for (size_t i = 0; i < COUNT; i++) {
            size_t bit = i / WIDTH * stride * 8 + i % WIDTH * format->bits;
            for (int c = 0; c < colors + (format->alpha_bits > 0); c++) {
                const int bits = c < colors ? format->color_bits : format->alpha_bits;
                const int from = c < colors ? pixels[i][c] : pixels[i][3];
                int level = 0;
                for (int b = 0; b < bits; b++, bit++)
                    level = level << 1 | (texels[bit / 8] >> (7 - bit % 8) & 1);
                CHECK_INT(level, c == colors && bits == 1 ? from >= 1 : from >> (8 - bits));
                CHECK_INT(shown[i][c < colors ? c : 3], tl_texel_spread((uint32_t)level, (uint32_t)bits));
            }
        }
    }
    tl_arena_free(&arena);
}

/* One bit of alpha: any in 2024, at least half in 2026 and with quality. */
TEST(one_bit_of_alpha)
{
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    for (int alpha = 0; alpha < 256; alpha++) {
        const uint8_t pixel[4] = {0, 0, 0, (uint8_t)alpha};
        const tl_texel_rules old = tl_texel_rules_of(TRILO_SPRITE_TARGET_LIBDRAGON_2024),
                             modern = tl_texel_rules_of(TRILO_SPRITE_TARGET_LIBDRAGON_2026);
        CHECK_INT(tl_texels_rgba16(&old, pixel), alpha != 0);
        CHECK_INT(tl_texels_rgba16(&modern, pixel), alpha >= 128);
        const trilo_image image = {1, 1, &pixel};
        const uint8_t *best = tl_texels_store_best(&arena, TRILO_TEXELS_RGBA16, TRILO_SPRITE_TARGET_LIBDRAGON_2024,
                                                   TRILO_DITHER_NONE, &image);
        CHECK(best && best[1] == (alpha >= 128));
    }
    tl_arena_free(&arena);
}

/* I formats of 2026: luma times alpha, from the least of the image (0) to the most (255); unless all of it is grey, or
 * the same. */
TEST(intensity_is_stretched)
{
    static const struct {
        uint8_t pixels[3][4], want[3];
    } cases[] = {
        /* 0.299 * 200 = 59.8; half of it (128 of 255) is 30; 0.587 * 100 = 58.7 */
        {{{200, 0, 0, 255}, {200, 0, 0, 128}, {0, 100, 0, 255}}, {255, 0, (59 - 30) * 255 / (60 - 30)}},
        {{{10, 10, 10, 255}, {20, 20, 20, 255}, {30, 30, 30, 255}}, {10, 20, 30}},
        {{{10, 10, 11, 255}, {20, 20, 20, 255}, {30, 30, 30, 255}}, {0, 127, 255}},
        {{{9, 0, 0, 255}, {9, 0, 0, 255}, {9, 0, 0, 255}}, {9, 9, 9}},
        {{{0, 7, 0, 0}, {255, 255, 255, 255}, {0, 0, 0, 255}}, {0, 255, 0}},
    };
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    const tl_texel_rules rules = tl_texel_rules_of(TRILO_SPRITE_TARGET_LIBDRAGON_2026);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t shown[3][4];
        const trilo_image image = {3, 1, cases[i].pixels};
        const uint8_t *texels = tl_texels_store(&arena, TRILO_TEXELS_I8, &rules, &image, shown);
        CHECK(texels);
        for (int k = 0; k < 3; k++)
            CHECK_INT(texels[k], cases[i].want[k]);
        /* Formats with alpha keep their range. */
        texels = tl_texels_store(&arena, TRILO_TEXELS_IA16, &rules, &image, shown);
        CHECK(texels);
        for (int k = 0; k < 3; k++)
            CHECK(texels[2 * k] == cases[i].pixels[k][0] && texels[2 * k + 1] == cases[i].pixels[k][3]);
    }
    tl_arena_free(&arena);
}

/* ---- palettes ---- */

/* Greys, so that all channels have the same error. What is nearest is asked of the mapping without dither. */
TEST(dithered_indices)
{
    static const uint8_t greys[] = {0, 33, 66, 132, 255};
    static uint8_t ramp[2 * 256][4], nearest[2 * 256], pixels[COUNT][4], got[COUNT];
    trilo_palette palette = {.count = 6}; /* the last is clear */
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    for (size_t i = 0; i < sizeof greys; i++)
        memcpy(palette.colors[i], (const uint8_t[4]){greys[i], greys[i], greys[i], 255}, 4);
    for (int i = 0; i < 2 * 256; i++)
        memset(ramp[i], i % 256, 3), ramp[i][3] = i < 256 ? 255 : 0;
    const trilo_image all = {2 * 256, 1, (const uint8_t(*)[4])ramp};
    CHECK(tl_palette_map(&arena, &all, &palette, TRILO_DITHER_NONE, nearest));
    CHECK(nearest[0] == 0 && nearest[33] == 1 && nearest[66] == 2 && nearest[132] == 3 && nearest[255] == 4);
    CHECK(nearest[256] == 5 && nearest[511] == 5);
    uint64_t seed = 7;
    for (int i = 0; i < COUNT; i++) {
        const uint64_t bits = random_bits(&seed);
        memset(pixels[i], (int)(bits >> 20 & 255), 3);
        pixels[i][3] = bits >> 40 & 7 ? 255 : 0;
    }
    const trilo_image image = {WIDTH, HEIGHT, (const uint8_t(*)[4])pixels};
    CHECK(tl_palette_map(&arena, &image, &palette, TRILO_DITHER_FLOYD_STEINBERG, got));
    int errors[HEIGHT + 1][WIDTH + 2] = {{0}};
    for (int y = 0; y < HEIGHT; y++)
        for (int i = 0; i < WIDTH; i++) { /* every second row backwards */
            const int x = y % 2 ? WIDTH - 1 - i : i, ahead = y % 2 ? -1 : 1, at = y * WIDTH + x;
            const int value = clamped(pixels[at][0] + errors[y][x + 1] / 16);
            CHECK_INT(got[at], nearest[value + (pixels[at][3] ? 0 : 256)]);
            if (!pixels[at][3])
                continue;
            const int error = value - greys[got[at]];
            errors[y][x + 1 + ahead] += 7 * error;
            errors[y + 1][x + 1 - ahead] += 3 * error;
            errors[y + 1][x + 1] += 5 * error;
            errors[y + 1][x + 1 + ahead] += error;
        }
    /* Thresholds of Bayer's matrix, scaled by the mean distance of an entry to its nearest: 0 (two of them are black),
     * 33, 33, 66, 123 and 0. */
    CHECK(tl_palette_map(&arena, &image, &palette, TRILO_DITHER_ORDERED, got));
    const int spacing = (0 + 33 + 33 + 66 + 123 + 0) / 6;
    for (int at = 0; at < COUNT; at++) {
        const int offset = (2 * (int)tl_bayer((uint32_t)at % WIDTH, (uint32_t)at / WIDTH) - 15) * spacing / 32;
        CHECK_INT(got[at], nearest[clamped(pixels[at][0] + offset) + (pixels[at][3] ? 0 : 256)]);
    }
    tl_arena_free(&arena);
}

/* ---- the format that mksprite would choose ---- */

typedef struct choice {
    int kind;
    uint32_t bits, values; /* so many distinct levels, indices or colours */
    trilo_texels old, modern;
} choice;

static void check_choice(const choice *c, const char *path)
{
    static uint8_t pixels[600][4], indices[600];
    memset(pixels, 0, sizeof pixels);
    for (uint32_t i = 0; i < 600; i++) {
        const uint32_t value = i % c->values;
        indices[i] = (uint8_t)value;
        pixels[i][0] = pixels[i][1] = pixels[i][2] = (uint8_t)value;
        pixels[i][3] = 255;
        if (c->kind == (int)TRILO_PIXEL_KIND_RGBA) /* apart in the last channels too */
            pixels[i][1] = pixels[i][2] = (uint8_t)(value >> 8), pixels[i][3] = (uint8_t)(255 - value % 3);
    }
    const trilo_bitmap bitmap = {.image = {30, 20, (const uint8_t(*)[4])pixels},
                                 .kind = (trilo_pixel_kind)c->kind,
                                 .bits = (uint8_t)c->bits,
                                 .indices = indices,
                                 .color_count = c->values};
    const trilo_texels old = trilo_sprite_texels(&bitmap, path, TRILO_SPRITE_TARGET_LIBDRAGON_2024),
                       modern = trilo_sprite_texels(&bitmap, path, TRILO_SPRITE_TARGET_LIBDRAGON_2026);
    if (old != c->old || modern != c->modern)
        FAIL("kind %d, %u bits, %u values, %s: %s and %s", c->kind, c->bits, c->values, path ? path : "no name",
             trilo_texels_name(old), trilo_texels_name(modern));
}

TEST(the_format_is_chosen_as_by_mksprite)
{
    enum { GREY = TRILO_PIXEL_KIND_GREY, RGBA = TRILO_PIXEL_KIND_RGBA, INDEXED = TRILO_PIXEL_KIND_INDEXED };
    static const choice unnamed[] = {
        {GREY, 8, 17, TRILO_TEXELS_I8, TRILO_TEXELS_I8},
        {GREY, 8, 16, TRILO_TEXELS_I4, TRILO_TEXELS_I4},
        {GREY, 0, 17, TRILO_TEXELS_I8, TRILO_TEXELS_I8},
        {GREY, 5, 17, TRILO_TEXELS_I8, TRILO_TEXELS_I8},
        {GREY, 4, 17, TRILO_TEXELS_I4, TRILO_TEXELS_I4},
        {TRILO_PIXEL_KIND_GREY_ALPHA, 8, 4, TRILO_TEXELS_IA16, TRILO_TEXELS_IA16},
        {INDEXED, 8, 16, TRILO_TEXELS_CI4, TRILO_TEXELS_CI4},
        {INDEXED, 8, 17, TRILO_TEXELS_CI8, TRILO_TEXELS_CI8},
        {INDEXED, 8, 256, TRILO_TEXELS_CI8, TRILO_TEXELS_CI8},
        {RGBA, 8, 1, TRILO_TEXELS_RGBA16, TRILO_TEXELS_CI4},
        {RGBA, 8, 16, TRILO_TEXELS_RGBA16, TRILO_TEXELS_CI4},
        {RGBA, 8, 17, TRILO_TEXELS_RGBA16, TRILO_TEXELS_CI8},
        {RGBA, 8, 255, TRILO_TEXELS_RGBA16, TRILO_TEXELS_CI8},
        {RGBA, 8, 256, TRILO_TEXELS_RGBA16, TRILO_TEXELS_RGBA16},
        {RGBA, 8, 257, TRILO_TEXELS_RGBA16, TRILO_TEXELS_RGBA16},
        {RGBA, 8, 600, TRILO_TEXELS_RGBA16, TRILO_TEXELS_RGBA16},
        {TRILO_PIXEL_KIND_RGB, 8, 2, TRILO_TEXELS_RGBA16, TRILO_TEXELS_RGBA16},
    };
    for (size_t i = 0; i < sizeof unnamed / sizeof *unnamed; i++)
        check_choice(&unnamed[i], NULL);
    check_choice(&(choice){INDEXED, 8, 16, TRILO_TEXELS_CI4, TRILO_TEXELS_CI8}, "few.ci8.png");
    check_choice(&(choice){INDEXED, 8, 17, TRILO_TEXELS_CI8, TRILO_TEXELS_CI8}, "few.ci8.png");
    check_choice(&(choice){GREY, 8, 16, TRILO_TEXELS_I4, TRILO_TEXELS_I8}, "lev.i8.png");
    check_choice(&(choice){GREY, 8, 17, TRILO_TEXELS_I8, TRILO_TEXELS_I8}, "lev.i8.png");
    check_choice(&(choice){INDEXED, 8, 2, TRILO_TEXELS_I8, TRILO_TEXELS_I8}, "lev.i8.png");
    check_choice(&(choice){RGBA, 8, 2, TRILO_TEXELS_RGBA16, TRILO_TEXELS_RGBA16}, "wall.rgba16.png");
}

/* The highest index counts, not how many there are. */
TEST(the_highest_index_counts)
{
    static const uint8_t pixels[4][4];
    uint8_t indices[4] = {0, 15, 3, 3};
    const trilo_bitmap bitmap = {
        .image = {2, 2, pixels}, .kind = TRILO_PIXEL_KIND_INDEXED, .bits = 8, .indices = indices, .color_count = 16};
    CHECK_INT(trilo_sprite_texels(&bitmap, NULL, TRILO_SPRITE_TARGET_LIBDRAGON_2024), TRILO_TEXELS_CI4);
    indices[3] = 16; /* the last */
    CHECK_INT(trilo_sprite_texels(&bitmap, NULL, TRILO_SPRITE_TARGET_LIBDRAGON_2024), TRILO_TEXELS_CI8);
    indices[3] = 0, indices[0] = 16; /* the first */
    CHECK_INT(trilo_sprite_texels(&bitmap, NULL, TRILO_SPRITE_TARGET_LIBDRAGON_2024), TRILO_TEXELS_CI8);
}

/* A colour or a level of one pixel counts, also of the first and of the last one. The levels are the highest there are.
 */
TEST(single_pixels_count)
{
    for (int at = 0; at < 40; at += 39)
        for (int kind = 0; kind < 2; kind++) {
            uint8_t pixels[40][4];
            for (int i = 0; i < 40; i++) {
                const uint8_t level = (uint8_t)(i == at ? 255 : 254 - i % 16);
                memset(pixels[i], level, 4);
            }
            const trilo_bitmap bitmap = {.image = {40, 1, (const uint8_t(*)[4])pixels},
                                         .kind = kind ? TRILO_PIXEL_KIND_GREY : TRILO_PIXEL_KIND_RGBA,
                                         .bits = 8};
            CHECK_INT(trilo_sprite_texels(&bitmap, NULL, TRILO_SPRITE_TARGET_LIBDRAGON_2026),
                      kind ? TRILO_TEXELS_I8 : TRILO_TEXELS_CI8);
            memcpy(pixels[at], pixels[20], 4);
            CHECK_INT(trilo_sprite_texels(&bitmap, NULL, TRILO_SPRITE_TARGET_LIBDRAGON_2026),
                      kind ? TRILO_TEXELS_I4 : TRILO_TEXELS_CI4);
        }
}

/* ---- two layers ---- */

/* IHQ halves one side and quarters the other, which must be divisible by 4 (docs/sprites.md). In the sprite, the
 * exponents of their scales are 1 and 2. */
TEST(sides_of_two_layers)
{
    static const struct {
        uint32_t width, height;
        bool across, down; /* the side that may be quartered */
    } cases[] = {{8, 6, true, false},  {6, 8, false, true},  {8, 8, true, true},  {6, 6, false, false},
                 {7, 8, false, false}, {8, 7, false, false}, {2, 4, false, true}, {4, 2, true, false}};
    static uint8_t pixels[COUNT][4];
    random_pixels(pixels, 5);
    for (int i = 0; i < 64; i++)
        pixels[i][3] = 255;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int target = 0; target < 2; target++) {
            const trilo_image image = {cases[i].width, cases[i].height, (const uint8_t(*)[4])pixels};
            tl_layers layers = {0};
            trilo_error err = {0};
            tl_arena arena;
            tl_arena_init(&arena, NULL);
            const bool made = tl_layers_ihq(&arena, &image, (trilo_sprite_target)target, &layers, &err);
            CHECK_INT(made, cases[i].across || cases[i].down);
            if (made) {
                CHECK(layers.scale[0] + layers.scale[1] == 3 && (layers.scale[0] == 1 || layers.scale[1] == 1));
                CHECK(layers.scale[0] == 2 ? cases[i].across : cases[i].down);
                CHECK_INT(layers.main.width << layers.scale[0], cases[i].width);
                CHECK_INT(layers.main.height << layers.scale[1], cases[i].height);
                CHECK(layers.second.width == cases[i].width && layers.second.height == cases[i].height);
                /* 0.1 to 0.8, later 0.05 to 0.5 */
                const double step = target == TRILO_SPRITE_TARGET_LIBDRAGON_2024 ? 0.1 : 0.05;
                const double number = (double)layers.factor / step;
                CHECK_NEAR(number, (double)(int)(number + 0.5), 1e-5);
                CHECK(number > 0.5 && number < (target == TRILO_SPRITE_TARGET_LIBDRAGON_2024 ? 8.5 : 10.5));
            } else
                CHECK_INT(err.code, TRILO_CODE_LIMIT);
            tl_arena_free(&arena);
        }
}

/* ---- the detail texture ---- */

TEST(every_format_of_a_detail_texture)
{
    static const uint8_t pixels[4][4] = {{1, 2, 3, 4}, {50, 60, 70, 80}, {9, 9, 9, 9}, {200, 100, 0, 255}};
    for (int texels = 0; texels < 14; texels++) {
        trilo_bitmap detail = {.image = {2, 2, pixels}, .kind = TRILO_PIXEL_KIND_RGB};
        const trilo_bitmap bitmap = detail;
        const trilo_sprite_opts opts = {.texels = TRILO_TEXELS_RGBA16,
                                        .detail = true,
                                        .detail_bitmap = &detail,
                                        .detail_texels = (trilo_texels)texels};
        trilo_error err = {0};
        const trilo_sprite *sprite = trilo_sprite_encode(&bitmap, &opts, &err);
        const bool stored =
            texels == TRILO_TEXELS_UNKNOWN || (texels != TRILO_TEXELS_YUV16 && texels != TRILO_TEXELS_CI4 &&
                                               texels != TRILO_TEXELS_CI8 && texels <= TRILO_TEXELS_I8);
        if ((sprite != NULL) != stored)
            FAIL("format %d: %s", texels, sprite ? "was stored" : err.text);
        CHECK(sprite || err.code == TRILO_CODE_UNSUPPORTED);
        trilo_sprite_free(sprite);
        detail.image.height = 0;
        CHECK(!trilo_sprite_encode(&bitmap, &opts, &err));
        CHECK_STR(err.rule, "IMAGE-EMPTY");
        detail.image.height = 65536;
        CHECK(!trilo_sprite_encode(&bitmap, &opts, &err));
        CHECK_STR(err.rule, "IMAGE-SPRITE");
    }
}

TEST_MAIN(CASE(dithered_texels), CASE(stored_texels_show_what_was_promised), CASE(one_bit_of_alpha),
          CASE(intensity_is_stretched), CASE(dithered_indices), CASE(the_format_is_chosen_as_by_mksprite),
          CASE(the_highest_index_counts), CASE(single_pixels_count), CASE(sides_of_two_layers),
          CASE(every_format_of_a_detail_texture))
