/* Files of sprites byte by byte, against a writer of its own; layers, mipmaps and sizes against plain computations. */
#include "harness.h"
#include "image/sprite/sprite_encode.h"
#include "support/buffer.h"
#include "support/numbers.h"
#include "trilobite/trilobite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- a writer ---- */

typedef struct plane {
    uint16_t width, height;
    uint8_t number; /* of the format */
    const uint8_t *bytes;
    size_t size;
} plane;

typedef struct sampling {
    float translate, repeats;
    int16_t scale;
    uint8_t mirror;
} sampling;

typedef struct file {
    plane main, images[7];
    uint8_t slices[2], version, flags, color_count;
    const uint16_t *colors;
    size_t stored_colors;
    sampling samplings[4];
    float factor;
    uint8_t reuses;
} file;

static void put(buffer *b, uint32_t value, int bytes)
{
    for (int i = bytes - 1; i >= 0; i--)
        buffer_sink(b, &(uint8_t){(uint8_t)(value >> 8 * i)}, 1);
}

static void put_float(buffer *b, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, 4);
    put(b, bits, 4);
}

static void put_padded(buffer *b, const uint8_t *bytes, size_t size)
{
    if (size > 0)
        buffer_sink(b, bytes, size);
    while (b->size % 8)
        put(b, 0, 1);
}

static buffer file_of(const file *f)
{
    buffer b = {0};
    put(&b, f->main.width, 2);
    put(&b, f->main.height, 2);
    put(&b, 0, 1);
    put(&b, 0x80u | f->main.number, 1);
    put(&b, f->slices[0], 1);
    put(&b, f->slices[1], 1);
    put_padded(&b, f->main.bytes, f->main.size);
    size_t behind = (b.size + (f->version == 4 ? 124 : 128) + 7) / 8 * 8, palette = behind;
    for (int i = 0; i < 7; i++)
        palette += (f->images[i].size + 7) / 8 * 8;
    put(&b, f->version == 4 ? 124 : 128, 2);
    put(&b, f->version, 2);
    put(&b, f->stored_colors ? (uint32_t)palette : 0, 4);
    for (int i = 0; i < 7; i++) {
        put(&b, f->images[i].width, 2);
        put(&b, f->images[i].height, 2);
        put(&b, f->images[i].size ? (uint32_t)f->images[i].number << 24 | (uint32_t)behind : 0, 4);
        behind += (f->images[i].size + 7) / 8 * 8;
    }
    put(&b, f->flags, 2);
    put(&b, f->color_count, 1);
    put(&b, 0, 1);
    for (int i = 0; i < 4; i++) {
        put_float(&b, f->samplings[i].translate);
        put_float(&b, f->samplings[i].repeats);
        put(&b, (uint16_t)f->samplings[i].scale, 2);
        put(&b, f->samplings[i].mirror, 1);
        put(&b, 0, 1);
    }
    put_float(&b, f->factor);
    put(&b, f->reuses, 1);
    put_padded(&b, (const uint8_t[7]){0}, f->version == 4 ? 3 : 7);
    for (int i = 0; i < 7; i++)
        put_padded(&b, f->images[i].bytes, f->images[i].size);
    for (size_t i = 0; i < f->stored_colors; i++)
        put(&b, f->colors[i], 2);
    while (b.size % 8)
        put(&b, 0, 1);
    return b;
}

static void check_file(const trilo_bitmap *bitmap, const trilo_sprite_opts *opts, const file *want)
{
    trilo_error err;
    const trilo_sprite *sprite = trilo_sprite_encode(bitmap, opts, &err);
    if (!sprite)
        FAIL("%s", err.text);
    buffer b = file_of(want);
    for (size_t i = 0; i < b.size && i < sprite->bytes.size; i++)
        if (b.data[i] != sprite->bytes.data[i])
            FAIL("byte %zu is %d instead of %d", i, sprite->bytes.data[i], b.data[i]);
    CHECK_INT(sprite->bytes.size, b.size);
    CHECK_INT(sprite->fits_tmem, (want->flags & 0x20) != 0);
    buffer_free(&b);
    trilo_sprite_free(sprite);
}

#define ONCE                                                                                                           \
    {                                                                                                                  \
        0, 1, 0, 0                                                                                                     \
    }
#define ENDLESS                                                                                                        \
    {                                                                                                                  \
        0, 2048, -1, 0                                                                                                 \
    }

static void random_pixels(uint8_t (*pixels)[4], size_t count, uint64_t seed)
{
    for (size_t i = 0; i < count; i++) {
        const uint64_t bits = random_bits(&seed);
        for (int c = 0; c < 4; c++)
            pixels[i][c] = (uint8_t)(bits >> 8 * c);
    }
}

static void halve(const uint8_t (*from)[4], uint32_t width, uint32_t height, uint8_t (*to)[4])
{
    for (uint32_t i = 0; i < width / 2 * (height / 2); i++)
        for (int c = 0; c < 4; c++) {
            int sum = 0;
            for (uint32_t k = 0; k < 4; k++)
                sum += from[(i / (width / 2) * 2 + k / 2) * width + i % (width / 2) * 2 + k % 2][c];
            to[i][c] = (uint8_t)(sum / 4);
        }
}

/* RGBA32, whose texels are the pixels: 35 by 18, then 17 by 9 and 8 by 4; the next would be 2 high. */
TEST(a_file_with_mipmaps)
{
    static uint8_t pixels[35 * 18][4], half[17 * 9][4], quarter[8 * 4][4];
    random_pixels(pixels, 35 * 18, 1);
    halve((const uint8_t(*)[4])pixels, 35, 18, half);
    halve((const uint8_t(*)[4])half, 17, 9, quarter);
    const trilo_bitmap bitmap = {.image = {35, 18, (const uint8_t(*)[4])pixels}};
    for (int target = 0; target < 2; target++) {
        const file want = {.main = {35, 18, 3, pixels[0], sizeof pixels},
                           .images = {{17, 9, 3, half[0], sizeof half}, {8, 4, 3, quarter[0], sizeof quarter}},
                           .slices = {2, 1},
                           .version = target == TRILO_SPRITE_TARGET_LIBDRAGON_2024 ? 4 : 6,
                           .flags = 0x22,
                           .samplings = {ONCE, ONCE, ENDLESS, ENDLESS}};
        const trilo_sprite_opts opts = {
            .target = (trilo_sprite_target)target, .texels = TRILO_TEXELS_RGBA32, .mipmaps = true};
        check_file(&bitmap, &opts, &want);
    }
}

/* 64 by 64 texels of I4 have mipmaps down to 4 by 4; with 128 by 56 (3584 bytes), that of half the size has no room. */
TEST(mipmaps_end_where_they_should)
{
    static uint8_t pixels[128 * 56][4];
    static const struct {
        uint32_t width, height;
        trilo_texels texels;
        uint32_t old, modern;
    } cases[] = {{64, 64, TRILO_TEXELS_I4, 0, 4},    {128, 56, TRILO_TEXELS_I4, 0, 0}, {128, 48, TRILO_TEXELS_I4, 0, 3},
                 {32, 8, TRILO_TEXELS_I8, 1, 1},     {8, 32, TRILO_TEXELS_I8, 1, 1},   {7, 32, TRILO_TEXELS_I8, 0, 0},
                 {32, 7, TRILO_TEXELS_I8, 0, 0},     {16, 16, TRILO_TEXELS_IA4, 0, 2}, {16, 16, TRILO_TEXELS_IA8, 0, 2},
                 {16, 16, TRILO_TEXELS_IA16, 0, 2},  {16, 16, TRILO_TEXELS_CI4, 2, 2}, {16, 16, TRILO_TEXELS_CI8, 2, 2},
                 {16, 16, TRILO_TEXELS_RGBA16, 2, 2}};
    random_pixels(pixels, 128 * 56, 3);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int target = 0; target < 2; target++) {
            const trilo_bitmap bitmap = {.image = {cases[i].width, cases[i].height, (const uint8_t(*)[4])pixels}};
            trilo_sprite_opts opts = {
                .target = (trilo_sprite_target)target, .texels = cases[i].texels, .mipmaps = true};
            for (int quality = 0; quality < 2; quality++) {
                opts.quality = quality != 0;
                const trilo_sprite *sprite = trilo_sprite_encode(&bitmap, &opts, NULL);
                CHECK(sprite != NULL);
                CHECK_INT(sprite->mipmap_count,
                          target == TRILO_SPRITE_TARGET_LIBDRAGON_2024 ? cases[i].old : cases[i].modern);
                trilo_sprite_free(sprite);
            }
        }
}

/* Everything that can be said about sampling, a detail texture of I8, and slices. */
TEST(a_file_with_a_detail_texture)
{
    static uint8_t pixels[3 * 2][4], detail[9 * 3][4], levels[9 * 3];
    random_pixels(pixels, 3 * 2, 5);
    for (size_t i = 0; i < 9 * 3; i++) {
        levels[i] = (uint8_t)(9 * i);
        memset(detail[i], levels[i], 3);
        detail[i][3] = 255;
    }
    const trilo_bitmap bitmap = {.image = {3, 2, (const uint8_t(*)[4])pixels}};
    const trilo_bitmap second = {.image = {9, 3, (const uint8_t(*)[4])detail}};
    const trilo_sprite_sampling own[2] = {{1.5f, 3, -2, true}, {-4, 5000, 7, false}},
                                its[2] = {{0.25f, 2047, 1, false}, {2, 2048, 0, true}};
    file want = {.main = {3, 2, 3, pixels[0], sizeof pixels},
                 .images = {[6] = {9, 3, 17, levels, sizeof levels}},
                 .slices = {5, 9},
                 .version = 6,
                 .flags = 0x08 | 0x10 | 0x20 | 1,
                 .samplings = {{1.5f, 3, -2, 1}, {-4, 2048, 7, 0}, {0.25f, 2047, 1, 0}, {2, 2048, 0, 1}},
                 .factor = 0.75f};
    trilo_sprite_opts opts = {.texels = TRILO_TEXELS_RGBA32,
                              .sampling = own,
                              .detail = true,
                              .detail_bitmap = &second,
                              .detail_texels = TRILO_TEXELS_I8,
                              .detail_factor = 0.75f,
                              .detail_sampling = its,
                              .hslices = 5,
                              .vslices = 9};
    check_file(&bitmap, &opts, &want);
    /* The image is its own detail texture, with the usual factor; one slice, since it is small. */
    want = (file){.main = want.main,
                  .slices = {1, 1},
                  .version = 4,
                  .flags = 0x10 | 0x20,
                  .samplings = {ONCE, ONCE, ENDLESS, ENDLESS},
                  .factor = 0.5f,
                  .reuses = 1};
    opts = (trilo_sprite_opts){
        .target = TRILO_SPRITE_TARGET_LIBDRAGON_2024, .texels = TRILO_TEXELS_RGBA32, .detail = true};
    check_file(&bitmap, &opts, &want);
    /* Without `detail`, what is said about it does not count. */
    want.flags = 0x20, want.factor = 0, want.reuses = 0;
    opts.detail = false, opts.detail_bitmap = &second, opts.detail_factor = 2;
    check_file(&bitmap, &opts, &want);
}

/* Colours are squared, alpha is not: the console takes a square root. 1 * 1 / 256 is 0, 255 * 255 / 256 is 254. */
TEST(colors_for_a_gamma_correction)
{
    static uint8_t pixels[256][4], squared[256][4];
    for (int i = 0; i < 256; i++)
        for (int c = 0; c < 4; c++) {
            pixels[i][c] = (uint8_t)(i * (2 * c + 1));
            squared[i][c] = (uint8_t)(c == 3 ? pixels[i][c] : pixels[i][c] * pixels[i][c] / 256);
        }
    const trilo_bitmap bitmap = {.image = {16, 16, (const uint8_t(*)[4])pixels}};
    const file want = {.main = {16, 16, 3, squared[0], sizeof squared},
                       .slices = {1, 1},
                       .version = 6,
                       .flags = 0x20,
                       .samplings = {ONCE, ONCE, ENDLESS, ENDLESS}};
    check_file(&bitmap, &(trilo_sprite_opts){.texels = TRILO_TEXELS_RGBA32, .gamma = true}, &want);
}

/* 5 bits of 192, 96, 48 are 24, 12, 6; of their squares by 256, 144, 36, 9: 18, 4, 1. */
TEST(palettes_in_a_file)
{
    static const uint8_t colors[3][4] = {{192, 96, 48, 255}, {255, 255, 255, 127}, {8, 16, 24, 128}};
    static const uint8_t indices[6] = {2, 0, 1, 1, 2, 0}, packed[4] = {0x20, 0x10, 0x12, 0x00};
    uint8_t pixels[6][4];
    for (int i = 0; i < 6; i++)
        memcpy(pixels[i], colors[indices[i]], 4);
    const trilo_bitmap indexed = {.image = {3, 2, (const uint8_t(*)[4])pixels},
                                  .kind = TRILO_PIXEL_KIND_INDEXED,
                                  .indices = indices,
                                  .colors = colors,
                                  .color_count = 3};
    static const uint16_t modern[3] = {24 << 11 | 12 << 6 | 6 << 1 | 1, 0xFFFE, 1 << 11 | 2 << 6 | 3 << 1 | 1},
                          old[3] = {24 << 11 | 12 << 6 | 6 << 1 | 1, 0xFFFF, 1 << 11 | 2 << 6 | 3 << 1 | 1},
                          squared[3] = {18 << 11 | 4 << 6 | 1 << 1 | 1, 0xFFFE, 0 << 11 | 0 << 6 | 0 << 1 | 1};
    file want = {.main = {3, 2, 8, packed, sizeof packed},
                 .slices = {1, 1},
                 .version = 6,
                 .flags = 0x20,
                 .color_count = 3,
                 .colors = modern,
                 .stored_colors = 3,
                 .samplings = {ONCE, ONCE, ENDLESS, ENDLESS}};
    trilo_sprite_opts opts = {.texels = TRILO_TEXELS_CI4};
    check_file(&indexed, &opts, &want);
    opts.gamma = true, want.colors = squared;
    check_file(&indexed, &opts, &want);
    opts.gamma = false, opts.target = TRILO_SPRITE_TARGET_LIBDRAGON_2024;
    want.version = 4, want.color_count = 0, want.colors = old;
    check_file(&indexed, &opts, &want);
    /* A palette of the caller: 2024 loads 16 colours whatever there is. */
    const trilo_palette palette = {.count = 3, .colors = {{198, 99, 49, 255}, {255, 255, 255, 0}, {8, 16, 24, 255}}};
    static const uint16_t given[16] = {24 << 11 | 12 << 6 | 6 << 1 | 1, 0xFFFE, 1 << 11 | 2 << 6 | 3 << 1 | 1};
    opts.palette = &palette, want.colors = given, want.stored_colors = 16;
    check_file(&indexed, &opts, &want);
    opts.target = TRILO_SPRITE_TARGET_LIBDRAGON_2026;
    want.version = 6, want.color_count = 3, want.stored_colors = 3;
    check_file(&indexed, &opts, &want);
    trilo_error err = {0};
    trilo_palette many = {.count = 17};
    opts.palette = &many;
    CHECK(!trilo_sprite_encode(&indexed, &opts, &err));
    CHECK_STR(err.text, "the palette has 17 colours; CI4 has room for 1 to 16");
    many.count = 16;
    const trilo_sprite *sprite = trilo_sprite_encode(&indexed, &opts, &err);
    CHECK(sprite && sprite->color_count == 16 && sprite->quantized);
    trilo_sprite_free(sprite);
}

/* Indices from 16 on do not fit CI4: a new palette is made. Of one with 20 colours only 16 are stored; 2024 stores all.
 */
TEST(a_palette_that_is_too_long)
{
    static const uint8_t pixels[2][4] = {{255, 0, 0, 255}, {0, 0, 255, 255}};
    uint8_t colors[20][4] = {{255, 0, 0, 255}, {0, 0, 255, 255}};
    for (uint8_t last = 14; last < 18; last++) {
        const uint8_t indices[2] = {0, last};
        memcpy(colors[last], pixels[1], 4);
        const trilo_bitmap bitmap = {.image = {2, 1, pixels},
                                     .kind = TRILO_PIXEL_KIND_INDEXED,
                                     .indices = indices,
                                     .colors = (const uint8_t(*)[4])colors,
                                     .color_count = 20};
        for (int target = 0; target < 2; target++) {
            const trilo_sprite_opts opts = {.target = (trilo_sprite_target)target, .texels = TRILO_TEXELS_CI4};
            const bool old = target == TRILO_SPRITE_TARGET_LIBDRAGON_2024, kept = last < 16;
            const trilo_sprite *sprite = trilo_sprite_encode(&bitmap, &opts, NULL);
            CHECK(sprite && sprite->quantized == !kept);
            CHECK_INT(sprite->color_count, kept ? (old ? 20 : 16) : 2);
            CHECK_INT(sprite->bytes.size, 16 + 128 + (kept ? (old ? 40 : 32) : (old ? 32 : 8)));
            CHECK(memcmp(sprite->image.pixels, pixels, sizeof pixels) == 0);
            trilo_sprite_free(sprite);
        }
    }
}

/* ---- two layers ---- */

enum { SIDE = 16 };

/* How much texel `texel` counts at pixel `pixel` when it is drawn 1 << scale times as large. */
static int hat(int pixel, int texel, int scale)
{
    const int away = abs(pixel - (texel << scale));
    return away < 1 << scale ? (1 << scale) - away : 0;
}

static void shrink(const uint8_t (*from)[4], int width, int height, const int16_t *scale, uint8_t (*to)[4])
{
    const int w = width >> scale[0], h = height >> scale[1];
    for (int i = 0; i < w * h; i++)
        for (int c = 0; c < 4; c++) {
            int sum = 0, total = 0;
            for (int k = 0; k < width * height; k++) {
                const int weight = hat(k % width, i % w, scale[0]) * hat(k / width, i / w, scale[1]);
                sum += weight * from[k][c];
                total += weight;
            }
            to[i][c] = (uint8_t)((2 * sum + total) / (2 * total));
        }
}

static void enlarge(const uint8_t (*from)[4], int w, int h, const int16_t *scale, uint8_t (*to)[4])
{
    const int width = w << scale[0], height = h << scale[1], area = 1 << (scale[0] + scale[1]);
    for (int k = 0; k < width * height; k++)
        for (int c = 0; c < 4; c++) {
            int sum = 0;
            for (int y = 0; y <= h; y++) /* one row and column beyond the edge, equal to it */
                for (int x = 0; x <= w; x++)
                    sum += hat(k % width, x, scale[0]) * hat(k / width, y, scale[1]) *
                           from[(y < h ? y : h - 1) * w + (x < w ? x : w - 1)][c];
            to[k][c] = (uint8_t)((2 * sum + area) / (2 * area));
        }
}

static uint8_t rounded(double value)
{
    return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : floor(value + 0.5));
}

static uint8_t spread5(int byte)
{
    return (uint8_t)((byte & 0xF8) | byte >> 5);
}

static double luma(const uint8_t *p)
{
    return 0.299 * p[0] + 0.587 * p[1] + 0.114 * p[2];
}

/* main * (1 - factor) + intensity * factor, for one factor and direction. */
static void ihq_of(const uint8_t (*pixels)[4], int width, int height, const int16_t *scale, double factor,
                   uint8_t (*main)[4], uint8_t *levels, uint8_t (*shown)[4])
{
    static uint8_t large[SIDE * SIDE][4];
    const int w = width >> scale[0], h = height >> scale[1];
    shrink(pixels, width, height, scale, main);
    for (int i = 0; i < w * h; i++)
        for (int c = 0; c < 3; c++)
            main[i][c] = spread5(rounded((main[i][c] - factor * 127.5) / (1 - factor)));
    enlarge((const uint8_t(*)[4])main, w, h, scale, large);
    for (int i = 0; i < width * height; i++) {
        const double missing = luma(pixels[i]) - (1 - factor) * luma(large[i]);
        const double level = floor(missing / factor / 255 * 15 + 0.5);
        levels[i] = (uint8_t)(17 * (level < 0 ? 0 : level > 15 ? 15 : level));
        for (int c = 0; c < 3; c++)
            shown[i][c] = rounded(large[i][c] * (1 - factor) + levels[i] * factor);
        shown[i][3] = pixels[i][3];
    }
}

static void layered_pixels(uint8_t (*pixels)[4], int width, int height, uint64_t seed)
{
    random_pixels(pixels, SIDE * SIDE, seed);
    for (int i = 0; i < width * height; i++) { /* smooth with a fine pattern; some seeds with strong contrast */
        const int x = i % width, y = i / width, noise = pixels[i][0] >> (seed % 3 ? 3 : 1);
        const uint8_t pixel[4] = {(uint8_t)(70 + 5 * x + noise), (uint8_t)(30 + 6 * y + noise),
                                  (uint8_t)(110 - 3 * x + noise), seed % 2 ? 255 : pixels[i][3]};
        memcpy(pixels[i], pixel, 4);
    }
}

/* The factors that libdragon allows, along both axes: the nearest result counts. */
TEST(ihq_is_the_nearest_of_all)
{
    static uint8_t pixels[SIDE * SIDE][4], main[SIDE * SIDE][4], best_main[SIDE * SIDE][4];
    static uint8_t levels[SIDE * SIDE], best_levels[SIDE * SIDE], shown[SIDE * SIDE][4], best_shown[SIDE * SIDE][4];
    static const int sizes[][2] = {{8, 8}, {16, 12}, {4, 10}, {6, 16}};
    for (size_t n = 0; n < 4; n++)
        for (int target = 0; target < 2; target++) {
            const int width = sizes[n][0], height = sizes[n][1];
            const bool old = target == TRILO_SPRITE_TARGET_LIBDRAGON_2024;
            const trilo_image image = {(uint32_t)width, (uint32_t)height, (const uint8_t(*)[4])pixels};
            double least = 1e9, chosen = 0;
            int16_t chosen_scale[2] = {0, 0};
            layered_pixels(pixels, width, height, 7 + n);
            for (int16_t direction = 0; direction < 2; direction++)
                for (int step = 1; step <= (old ? 8 : 10) && (direction ? height : width) % 4 == 0; step++) {
                    const int16_t scale[2] = {(int16_t)(2 - direction), (int16_t)(1 + direction)};
                    const double factor = step * (old ? 0.1 : 0.05);
                    ihq_of(image.pixels, width, height, scale, factor, main, levels, shown);
                    const trilo_image seen = {image.width, image.height, (const uint8_t(*)[4])shown};
                    const double far = trilo_image_compare(&image, &seen).delta_e;
                    if (far >= least)
                        continue;
                    least = far, chosen = factor;
                    memcpy(chosen_scale, scale, sizeof scale);
                    memcpy(best_main, main, sizeof main);
                    memcpy(best_levels, levels, sizeof levels);
                    memcpy(best_shown, shown, sizeof shown);
                }
            tl_layers layers = {0};
            tl_arena arena;
            tl_arena_init(&arena, NULL);
            CHECK(tl_layers_ihq(&arena, &image, (trilo_sprite_target)target, &layers, NULL));
            CHECK_NEAR((double)layers.factor, chosen, 1e-6);
            CHECK(layers.scale[0] == chosen_scale[0] && layers.scale[1] == chosen_scale[1]);
            CHECK_NEAR(layers.difference.delta_e, least, 0);
            for (int i = 0; i < width * height / 8; i++)
                CHECK(memcmp(layers.main.pixels[i], best_main[i], 4) == 0);
            for (int i = 0; i < width * height; i++) {
                const uint8_t detail[4] = {best_levels[i], best_levels[i], best_levels[i], 255};
                CHECK(memcmp(layers.second.pixels[i], detail, 4) == 0);
                CHECK(memcmp(layers.shown.pixels[i], best_shown[i], 4) == 0);
            }
            tl_arena_free(&arena);
        }
}

/* The least of 16 levels that no channel is above, and what each channel is below it, at half the size. */
TEST(shq_by_its_definition)
{
    static uint8_t pixels[SIDE * SIDE][4], lack[SIDE * SIDE][4], small[SIDE * SIDE][4], large[SIDE * SIDE][4];
    static const int16_t half[2] = {1, 1};
    static const int sizes[][2] = {{16, 16}, {2, 8}, {10, 6}};
    for (size_t n = 0; n < 3; n++) {
        const int width = sizes[n][0], height = sizes[n][1];
        const trilo_image image = {(uint32_t)width, (uint32_t)height, (const uint8_t(*)[4])pixels};
        random_pixels(pixels, SIDE * SIDE, 20 + n);
        int levels[SIDE * SIDE];
        for (int i = 0; i < width * height; i++) {
            for (levels[i] = 0; levels[i] < pixels[i][0] || levels[i] < pixels[i][1] || levels[i] < pixels[i][2];)
                levels[i] += 17;
            for (int c = 0; c < 3; c++)
                lack[i][c] = (uint8_t)(levels[i] - pixels[i][c]);
            lack[i][3] = 255;
        }
        shrink((const uint8_t(*)[4])lack, width, height, half, small);
        for (int i = 0; i < width * height / 4; i++) /* RGBA16 has five bits for a channel */
            for (int c = 0; c < 3; c++)
                small[i][c] = (uint8_t)spread5(small[i][c]);
        enlarge((const uint8_t(*)[4])small, width / 2, height / 2, half, large);
        tl_layers layers = {0};
        tl_arena arena;
        tl_arena_init(&arena, NULL);
        CHECK(tl_layers_shq(&arena, &image, &layers, NULL));
        for (int i = 0; i < width * height / 4; i++)
            CHECK(memcmp(layers.second.pixels[i], small[i], 4) == 0);
        for (int i = 0; i < width * height; i++)
            for (int c = 0; c < 4; c++) {
                CHECK_INT(layers.main.pixels[i][c], c == 3 ? 255 : levels[i]);
                const int shown = levels[i] - large[i][c];
                CHECK_INT(layers.shown.pixels[i][c], c == 3 ? 255 : shown < 0 ? 0 : shown);
            }
        CHECK_NEAR(layers.difference.delta_e, trilo_image_compare(&image, &layers.shown).delta_e, 0);
        tl_arena_free(&arena);
    }
}

/* 4096 texels are the most of IHQ, 8192 of SHQ. */
TEST(layers_have_limits)
{
    static uint8_t pixels[66 * 128][4];
    static const struct {
        uint32_t width, height;
        bool ihq, shq;
    } cases[] = {{64, 64, true, true},    {66, 64, false, true}, {64, 66, false, true}, {128, 64, false, true},
                 {66, 128, false, false}, {4, 3, false, false},  {3, 4, false, false},  {2, 2, false, true},
                 {1, 4, false, false},    {4, 1, false, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const trilo_bitmap bitmap = {.image = {cases[i].width, cases[i].height, (const uint8_t(*)[4])pixels}};
        trilo_error err = {0};
        const trilo_sprite_opts ihq = {.layers = TRILO_SPRITE_LAYERS_IHQ}, shq = {.layers = TRILO_SPRITE_LAYERS_SHQ};
        if (i > 0 || !TEST_SLOW) {
            const trilo_sprite *sprite = trilo_sprite_encode(&bitmap, &ihq, &err);
            CHECK_INT(sprite != NULL, cases[i].ihq);
            CHECK(sprite || strstr(err.text, "at most 4096 texels"));
            trilo_sprite_free(sprite);
        }
        const trilo_sprite *sprite = trilo_sprite_encode(&bitmap, &shq, &err);
        CHECK_INT(sprite != NULL, cases[i].shq);
        CHECK(sprite || strstr(err.text, "at most 8192 texels"));
        trilo_sprite_free(sprite);
    }
}

/* The records of two layers: IHQ has the detail texture and the scales of the small one beside those of the caller. */
TEST(files_of_two_layers)
{
    static uint8_t pixels[SIDE * SIDE][4];
    layered_pixels(pixels, 8, 12, 31);
    const trilo_bitmap bitmap = {.image = {8, 12, (const uint8_t(*)[4])pixels}};
    static const trilo_sprite_sampling given[2] = {{3, 2, 1, true}, {4, 5, -1, false}};
    for (int with = 0; with < 2; with++) {
        tl_layers layers = {0};
        tl_arena arena;
        tl_arena_init(&arena, NULL);
        CHECK(tl_layers_ihq(&arena, &bitmap.image, TRILO_SPRITE_TARGET_LIBDRAGON_2026, &layers, NULL));
        uint8_t words[8 * 12 / 8][2], levels[8 * 12 / 2] = {0};
        for (int i = 0; i < 8 * 12 / 8; i++) {
            const uint8_t *p = layers.main.pixels[i];
            const int word = p[0] >> 3 << 11 | p[1] >> 3 << 6 | p[2] >> 3 << 1 | (p[3] >= 128);
            words[i][0] = (uint8_t)(word >> 8), words[i][1] = (uint8_t)word;
        }
        for (int i = 0; i < 8 * 12; i++)
            levels[i / 2] |= (uint8_t)(layers.second.pixels[i][0] / 17 << (i % 2 ? 0 : 4));
        const int16_t across = layers.scale[0], down = layers.scale[1];
        const file want = {.main = {(uint16_t)(8 >> across), (uint16_t)(12 >> down), 2, words[0], sizeof words},
                           .images = {[6] = {8, 12, 16, levels, sizeof levels}},
                           .slices = {1, 1},
                           .version = 6,
                           .flags = 0x38 | 1,
                           .samplings = {{with ? 3 : 0, with ? 2 : 1, (int16_t)(across + with), (uint8_t)with},
                                         {with ? 4 : 0, with ? 5 : 1, (int16_t)(down - with), 0},
                                         {with ? 3 : 0, with ? 2 : 1, (int16_t)with, (uint8_t)with},
                                         {with ? 4 : 0, with ? 5 : 1, (int16_t)-with, 0}},
                           .factor = layers.factor};
        const trilo_sprite_opts opts = {.layers = TRILO_SPRITE_LAYERS_IHQ, .sampling = with ? given : NULL};
        check_file(&bitmap, &opts, &want);
        tl_arena_free(&arena);
    }
}

/* ---- the largest size that fits ---- */

static uint32_t tmem_of(uint32_t bits, bool split, uint32_t width, uint32_t height)
{
    const uint32_t row = (width * bits / (split ? 2 : 1) + 63) / 64 * 8;
    return row * height * (split ? 2 : 1);
}

/* Sides shrink together, one pixel of width at a time; the height is rounded. */
TEST(the_largest_size_that_fits)
{
    static uint8_t pixels[160 * 100][4];
    static const struct {
        trilo_texels texels;
        uint32_t bits, limit, width, height;
    } cases[] = {{TRILO_TEXELS_I4, 4, 4096, 160, 100},    {TRILO_TEXELS_IA8, 8, 4096, 100, 60},
                 {TRILO_TEXELS_CI4, 4, 2048, 90, 99},     {TRILO_TEXELS_RGBA16, 16, 4096, 47, 90},
                 {TRILO_TEXELS_RGBA32, 32, 4096, 60, 33}, {TRILO_TEXELS_CI8, 8, 2048, 33, 100},
                 {TRILO_TEXELS_I8, 8, 4096, 64, 64},      {TRILO_TEXELS_I8, 8, 4096, 64, 65}};
    for (size_t i = 0; i < 160 * 100; i++)
        pixels[i][3] = 255;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const bool split = cases[i].texels == TRILO_TEXELS_RGBA32;
        const trilo_bitmap bitmap = {.image = {cases[i].width, cases[i].height, (const uint8_t(*)[4])pixels}};
        const trilo_sprite_opts sprite = {.texels = cases[i].texels};
        trilo_sprite_plan plan;
        uint32_t width = cases[i].width, height = cases[i].height;
        while (tmem_of(cases[i].bits, split, width, height) > cases[i].limit) {
            width--;
            height = (uint32_t)floor((double)cases[i].height * width / cases[i].width + 0.5);
        }
        CHECK(trilo_sprite_plan_make(&bitmap, &(trilo_plan_opts){.sprite = &sprite}, &plan, NULL));
        CHECK(plan.candidate_count == 1 && plan.chosen == 0 && plan.within_error);
        CHECK_INT(plan.candidates[0].width, width);
        CHECK_INT(plan.candidates[0].height, height);
        CHECK_INT(plan.candidates[0].tmem_used, tmem_of(cases[i].bits, split, width, height));
        CHECK_INT(plan.candidates[0].tmem_limit, cases[i].limit);
        CHECK(trilo_sprite_plan_make(&bitmap, &(trilo_plan_opts){.sprite = &sprite, .any_size = true}, &plan, NULL));
        CHECK(plan.candidates[0].width == cases[i].width && plan.candidates[0].height == cases[i].height);
    }
}

/* The nearer power of two, of equally near ones the larger; then the longer side is halved until it fits. */
TEST(powers_of_two_that_fit)
{
    static uint8_t pixels[400 * 100][4];
    static const struct {
        uint32_t width, height, wide, high;
    } cases[] = {{1, 1, 1, 1},     {2, 3, 2, 4},     {5, 6, 4, 8},     {11, 12, 8, 16},    {13, 23, 16, 16},
                 {24, 25, 32, 32}, {47, 48, 32, 64}, {64, 65, 64, 64}, {100, 30, 128, 32}, {90, 100, 64, 64},
                 {400, 3, 512, 4}, {3, 100, 4, 128}, {95, 60, 64, 64}, {97, 60, 64, 64}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const trilo_bitmap bitmap = {.image = {cases[i].width, cases[i].height, (const uint8_t(*)[4])pixels}};
        const trilo_sprite_opts sprite = {.texels = TRILO_TEXELS_I8};
        const trilo_plan_opts opts = {.sprite = &sprite, .power_of_two = true};
        trilo_sprite_plan plan;
        CHECK(trilo_sprite_plan_make(&bitmap, &opts, &plan, NULL));
        CHECK_INT(plan.candidates[0].width, cases[i].wide);
        CHECK_INT(plan.candidates[0].height, cases[i].high);
    }
}

TEST(verdicts_have_texts)
{
    CHECK_STR(trilo_plan_verdict_text(TRILO_PLAN_VERDICT_CHOSEN), "chosen");
    CHECK_STR(trilo_plan_verdict_text(TRILO_PLAN_VERDICT_LARGER), "a smaller format will do");
    CHECK_STR(trilo_plan_verdict_text(TRILO_PLAN_VERDICT_ERROR), "too far from the image");
    CHECK_STR(trilo_plan_verdict_text(TRILO_PLAN_VERDICT_COLORS), "the image has colours");
    CHECK_STR(trilo_plan_verdict_text(TRILO_PLAN_VERDICT_ALPHA), "the image has transparent parts");
    CHECK_STR(trilo_plan_verdict_text(TRILO_PLAN_VERDICT_PALETTE),
              "it does not go with the other texture of the material");
    CHECK_STR(trilo_plan_verdict_text(TRILO_PLAN_VERDICT_TMEM), "no size of it fits TMEM");
    CHECK_STR(trilo_plan_verdict_text((trilo_plan_verdict)(TRILO_PLAN_VERDICT_TMEM + 1)), "unknown");
}

/* An image of one level of grey is exact in every format: the smallest is chosen, in the order of the bits. One of two
 * colours is exact in CI4 first. */
TEST(the_smallest_format_that_is_near_enough)
{
    static const trilo_texels order[] = {TRILO_TEXELS_I4,     TRILO_TEXELS_IA4,  TRILO_TEXELS_CI4,
                                         TRILO_TEXELS_I8,     TRILO_TEXELS_IA8,  TRILO_TEXELS_CI8,
                                         TRILO_TEXELS_RGBA16, TRILO_TEXELS_IA16, TRILO_TEXELS_RGBA32};
    static const struct {
        uint8_t pixels[2][4];
        uint32_t chosen;
        bool within;
        double most;
    } cases[] = {{{{255, 255, 255, 255}, {0, 0, 0, 255}}, 0, true, 1e-9},
                 {{{255, 255, 255, 255}, {0, 0, 0, 0}}, 1, true, 1e-9},
                 {{{255, 0, 0, 255}, {0, 0, 255, 255}}, 2, true, 1e-9},
                 {{{200, 200, 200, 255}, {3, 3, 3, 255}}, 3, true, 1e-9},
                 {{{255, 255, 255, 17}, {0, 0, 0, 34}}, 4, true, 1e-9},
                 {{{201, 201, 201, 5}, {3, 3, 3, 7}}, 7, true, 1e-9},
                 {{{200, 3, 77, 20}, {3, 40, 99, 255}}, 8, true, 1e-9},
                 {{{255, 0, 0, 255}, {0, 0, 255, 255}}, 0, true, 1000}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const trilo_bitmap bitmap = {.image = {2, 1, cases[i].pixels}};
        trilo_sprite_plan plan;
        CHECK(trilo_sprite_plan_make(&bitmap, &(trilo_plan_opts){.max_delta_e = cases[i].most}, &plan, NULL));
        CHECK_INT(plan.candidate_count, 9);
        CHECK_INT(plan.chosen, cases[i].chosen);
        CHECK_INT(plan.within_error, cases[i].within);
        for (uint32_t k = 0; k < 9; k++) {
            const trilo_plan_candidate *c = &plan.candidates[k];
            CHECK_INT(c->texels, order[k]);
            CHECK_INT(c->verdict == TRILO_PLAN_VERDICT_CHOSEN, k == plan.chosen);
            if (c->verdict == TRILO_PLAN_VERDICT_LARGER)
                CHECK(k > plan.chosen && c->difference.delta_e <= cases[i].most);
            if (c->verdict == TRILO_PLAN_VERDICT_ALPHA)
                CHECK_INT(c->size, 0);
            else
                CHECK(c->size >= 16 + 128 && c->width == 2 && c->height == 1);
        }
    }
}

TEST_MAIN(CASE(a_file_with_mipmaps), CASE(mipmaps_end_where_they_should), CASE(a_file_with_a_detail_texture),
          CASE(colors_for_a_gamma_correction), CASE(palettes_in_a_file), CASE(a_palette_that_is_too_long),
          CASE(ihq_is_the_nearest_of_all), CASE(shq_by_its_definition), CASE(layers_have_limits),
          CASE(files_of_two_layers), CASE(the_largest_size_that_fits), CASE(powers_of_two_that_fit),
          CASE(verdicts_have_texts), CASE(the_smallest_format_that_is_near_enough))
