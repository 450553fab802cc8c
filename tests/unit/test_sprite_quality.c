/* Sprites with `quality`: mipmaps are the image before, resized, as the sampling says it repeats; with a palette, they
 * have the nearest colours of it; its entries are rounded. */
#include "harness.h"
#include "image/sprite/sprite_encode.h"
#include "support/numbers.h"
#include "trilobite/trilobite.h"

#include <string.h>

enum { WIDTH = 32, HEIGHT = 20, MIPMAPS = 2 }; /* 16 by 10, 8 by 5; the next would be 2 high */

static uint8_t pixels[WIDTH * HEIGHT][4];

/* Its left and right edges differ, and so do the upper and the lower one. */
static trilo_bitmap random_bitmap(uint64_t seed, bool opaque)
{
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) {
        const uint64_t bits = random_bits(&seed);
        for (int c = 0; c < 4; c++)
            pixels[i][c] = (uint8_t)(((bits >> 8 * c & 63) + 4 * (i % WIDTH)) | (c == 3 && opaque ? 255 : 0));
        pixels[i][1] = (uint8_t)(pixels[i][1] / 2 + 6 * (i / WIDTH));
    }
    return (trilo_bitmap){.image = {WIDTH, HEIGHT, (const uint8_t(*)[4])pixels}};
}

static const trilo_sprite *encode(const trilo_bitmap *bitmap, const trilo_sprite_opts *opts)
{
    trilo_error err;
    const trilo_sprite *sprite = trilo_sprite_encode(bitmap, opts, &err);
    if (!sprite)
        FAIL("%s", err.text);
    return sprite;
}

static const trilo_image *decode(const trilo_sprite *sprite, uint32_t number)
{
    trilo_error err;
    const trilo_image *image = trilo_sprite_decode(sprite->bytes, number, NULL, &err);
    if (!image)
        FAIL("%s", err.text);
    return image;
}

static bool same_images(const trilo_image *a, const trilo_image *b)
{
    return a->width == b->width && a->height == b->height &&
           memcmp(a->pixels, b->pixels, (size_t)a->width * a->height * 4) == 0;
}

/* Does the image, with its mipmaps, consist of the image resized again and again? */
static bool is_resized(const trilo_sprite *sprite, const trilo_image *image, bool repeat_s, bool repeat_t)
{
    const trilo_image *last = trilo_image_resize(
        image, &(trilo_resize_opts){.width = image->width, .height = image->height}, NULL); /* a copy */
    bool same = last && same_images(last, image);
    for (uint32_t number = 1; number <= MIPMAPS; number++) {
        const trilo_image *next = trilo_image_resize(
            last,
            &(trilo_resize_opts){
                .width = last->width / 2, .height = last->height / 2, .repeat_s = repeat_s, .repeat_t = repeat_t},
            NULL);
        const trilo_image *stored = decode(sprite, number);
        CHECK(next != NULL);
        same = same && same_images(next, stored);
        trilo_image_free(stored);
        trilo_image_free(last);
        last = next;
    }
    trilo_image_free(last);
    return same;
}

/* An axis repeats with more than one repetition, unless each second one is mirrored: then the edge meets itself. */
TEST(edges_are_filtered_as_they_repeat)
{
    static const trilo_sprite_sampling axes[] = {{0, 1, 0, false},    {0, 1.5f, 0, false}, {0, 2048, 0, false},
                                                 {0, 0.5f, 0, false}, {0, 1, 0, true},     {0, 2048, 0, true}};
    static const bool repeats[] = {false, true, true, false, false, false};
    const trilo_bitmap bitmap = random_bitmap(1, true);
    for (int s = 0; s < 6; s += TEST_EMULATED ? 5 : 1)
        for (int t = 0; t < 6; t += (s == 0 || s == 2) && !TEST_SLOW ? 1 : 3) {
            const trilo_sprite_sampling sampling[2] = {axes[s], axes[t]};
            const trilo_sprite *sprite = encode(
                &bitmap, &(trilo_sprite_opts){
                             .texels = TRILO_TEXELS_RGBA32, .mipmaps = true, .quality = true, .sampling = sampling});
            CHECK_INT(sprite->mipmap_count, MIPMAPS);
            for (int k = 0; k < 4; k++)
                if (is_resized(sprite, &bitmap.image, k & 1, k & 2) !=
                    (repeats[s] == (bool)(k & 1) && repeats[t] == (bool)(k & 2)))
                    FAIL("sampling %d, %d, as if repeated %d", s, t, k);
            trilo_sprite_free(sprite);
        }
    const trilo_sprite *sprite =
        encode(&bitmap, &(trilo_sprite_opts){.texels = TRILO_TEXELS_RGBA32, .mipmaps = true, .quality = true});
    CHECK(is_resized(sprite, &bitmap.image, false, false));
    trilo_sprite_free(sprite);
}

/* With a palette of the caller; without `quality`, halves and nearest colours are those of mksprite. */
TEST(mipmaps_have_the_palette)
{
    const trilo_bitmap bitmap = random_bitmap(2, true);
    trilo_palette palette = {.count = 16};
    uint64_t seed = 3;
    for (uint32_t i = 0; i < palette.count; i++) {
        const uint64_t bits = random_bits(&seed);
        for (int c = 0; c < 3; c++)
            palette.colors[i][c] = (uint8_t)((bits >> 5 * c & 31) << 3 | (bits >> 5 * c & 31) >> 2);
        palette.colors[i][3] = 255;
    }
    for (int quality = 0; quality < 2; quality++) {
        const trilo_sprite_opts opts = {
            .texels = TRILO_TEXELS_CI4, .mipmaps = true, .quality = quality != 0, .palette = &palette};
        const trilo_sprite *sprite = encode(&bitmap, &opts);
        CHECK_INT(sprite->mipmap_count, MIPMAPS);
        tl_arena arena;
        tl_arena_init(&arena, NULL);
        trilo_image last = bitmap.image;
        uint32_t differ = 0;
        for (uint32_t number = 1; number <= MIPMAPS; number++) {
            const trilo_resize_opts resize = {.width = last.width / 2, .height = last.height / 2};
            const trilo_image *resized = trilo_image_resize(&last, &resize, NULL), *stored = decode(sprite, number);
            trilo_image half = {0};
            CHECK(resized && tl_mipmap_halve(&arena, &last, &half, NULL));
            if (quality)
                memcpy((void *)(uintptr_t)half.pixels, resized->pixels, (size_t)half.width * half.height * 4);
            trilo_image_free(resized);
            uint8_t nearest[WIDTH * HEIGHT], mksprite[WIDTH * HEIGHT];
            CHECK(tl_palette_map(&arena, &half, &palette, TRILO_DITHER_NONE, nearest));
            tl_mipmap_map(&half, &palette, mksprite);
            for (uint32_t i = 0; i < half.width * half.height; i++) {
                CHECK(memcmp(stored->pixels[i], palette.colors[quality ? nearest[i] : mksprite[i]], 4) == 0);
                differ += nearest[i] != mksprite[i];
            }
            trilo_image_free(stored);
            last = half;
        }
        CHECK(differ > 0);
        tl_arena_free(&arena);
        trilo_sprite_free(sprite);
    }
}

/* mksprite's distance: weights 1, 1.2, 0.8 and 1 of the channels, the palette by 255.9, pixels by 255; the first of the
 * nearest. */
TEST(nearest_colors_of_mksprite)
{
    enum { SIDE = 16 };
    static uint8_t random[SIDE * SIDE][4];
    static const float weights[4] = {1, 1.2f, 0.8f, 1};
    for (uint64_t seed = 1; seed <= 8; seed++) {
        uint64_t state = seed;
        trilo_palette palette = {.count = (uint32_t)seed * 5};
        uint8_t indices[SIDE * SIDE];
        for (uint32_t i = 0; i < SIDE * SIDE + palette.count; i++) {
            const uint64_t bits = random_bits(&state);
            for (int c = 0; c < 4; c++)
                (i < SIDE * SIDE ? random[i] : palette.colors[i - SIDE * SIDE])[c] = (uint8_t)(bits >> 8 * c);
        }
        memcpy(palette.colors[palette.count - 1], palette.colors[0], 4); /* one that is never taken */
        memcpy(random[7], palette.colors[0], 4);
        tl_mipmap_map(&(trilo_image){SIDE, SIDE, (const uint8_t(*)[4])random}, &palette, indices);
        for (uint32_t i = 0; i < SIDE * SIDE; i++) {
            uint32_t best = 0;
            float least = 1e9f;
            for (uint32_t k = 0; k < palette.count; k++) {
                float sum = 0;
                for (int c = 0; c < 4; c++) {
                    const float a = (float)random[i][c] * weights[c] / 255;
                    const float b = (float)palette.colors[k][c] * weights[c] / 255.9f;
                    sum += (a - b) * (a - b);
                }
                if (sum < least) {
                    least = sum;
                    best = k;
                }
            }
            CHECK_INT(indices[i], best);
        }
        CHECK_INT(indices[7], 0);
    }
}

/* 5 bits of a colour are the nearest level: 4 * 31 / 255 is 0.49, 5 * 31 / 255 is 0.61. Alpha is opaque from 128 on. */
TEST(entries_of_a_palette_are_rounded)
{
    static const uint8_t colors[2][4] = {{4, 251, 250, 127}, {5, 12, 13, 128}};
    static const uint8_t indices[2] = {1, 0};
    const trilo_bitmap bitmap = {.image = {2, 1, colors},
                                 .kind = TRILO_PIXEL_KIND_INDEXED,
                                 .indices = indices,
                                 .colors = colors,
                                 .color_count = 2};
    const trilo_sprite *sprite = encode(&bitmap, &(trilo_sprite_opts){.texels = TRILO_TEXELS_CI4, .quality = true});
    static const uint8_t entries[4] = {0x07, 0xFC, 0x08, 0x45}; /* 0 31 30 0; 1 1 2 1: 12 is 1.46, 13 is 1.58 */
    CHECK_INT(sprite->color_count, 2);
    CHECK(!sprite->quantized);
    for (int i = 0; i < 4; i++)
        CHECK_INT(sprite->bytes.data[sprite->bytes.size - 8 + (size_t)i], entries[i]);
    trilo_sprite_free(sprite);
}

/* A palette of one colour is made, too, for an image of one colour. */
TEST(one_color_is_a_palette)
{
    static const uint8_t grey[2][4] = {{99, 99, 99, 255}, {99, 99, 99, 255}};
    const trilo_bitmap bitmap = {.image = {2, 1, grey}};
    const trilo_sprite *sprite = encode(&bitmap, &(trilo_sprite_opts){.texels = TRILO_TEXELS_CI4});
    CHECK_INT(sprite->color_count, 1);
    CHECK(sprite->quantized);
    trilo_sprite_free(sprite);
    sprite = encode(&bitmap, &(trilo_sprite_opts){.texels = TRILO_TEXELS_I4});
    CHECK_INT(sprite->color_count, 0);
    CHECK(!sprite->quantized);
    trilo_sprite_free(sprite);
}

/* Of two layers, a palette, texels and a factor are not used; the mipmap of the small one is that of mksprite. */
TEST(layers_choose_their_formats)
{
    const trilo_bitmap bitmap = random_bitmap(4, true);
    const trilo_palette palette = {.count = 1, .colors = {{1, 2, 3, 255}}};
    for (int layers = TRILO_SPRITE_LAYERS_IHQ; layers <= TRILO_SPRITE_LAYERS_SHQ; layers++) {
        trilo_sprite_opts opts = {.layers = (trilo_sprite_layers)layers};
        const trilo_sprite *plain = encode(&bitmap, &opts);
        opts.palette = &palette;
        opts.texels = TRILO_TEXELS_CI8;
        opts.detail_factor = 0.125f;
        const trilo_sprite *other = encode(&bitmap, &opts);
        CHECK_INT(other->bytes.size, plain->bytes.size);
        CHECK(memcmp(other->bytes.data, plain->bytes.data, plain->bytes.size) == 0);
        CHECK_INT(other->texels, layers == TRILO_SPRITE_LAYERS_IHQ ? TRILO_TEXELS_RGBA16 : TRILO_TEXELS_I4);
        CHECK_INT(plain->mipmap_count, layers == TRILO_SPRITE_LAYERS_IHQ);
        if (layers == TRILO_SPRITE_LAYERS_IHQ) {
            const trilo_image *main = decode(plain, 0), *half = decode(plain, 1);
            for (uint32_t i = 0; i < half->width * half->height; i++)
                for (int c = 0; c < 3; c++) {
                    const uint32_t at = i / half->width * 2 * main->width + i % half->width * 2;
                    const int level = (main->pixels[at][c] + main->pixels[at + 1][c] +
                                       main->pixels[at + main->width][c] + main->pixels[at + main->width + 1][c]) /
                                      4 / 8;
                    CHECK_INT(half->pixels[i][c], level << 3 | level >> 2);
                }
            trilo_image_free(main);
            trilo_image_free(half);
        }
        trilo_sprite_free(plain);
        trilo_sprite_free(other);
    }
}

TEST_MAIN(CASE(entries_of_a_palette_are_rounded), CASE(one_color_is_a_palette), CASE(layers_choose_their_formats),
          CASE(edges_are_filtered_as_they_repeat), CASE(mipmaps_have_the_palette), CASE(nearest_colors_of_mksprite))
