/* bench_sprite.c: pixels to sprites in every texel format, a picture of 256 by 256 pixels with many colours. */
#include "harness.h"

#include <trilobite/sprite.h>

#include <stdlib.h>

enum { SPRITE_ROUNDS = 10, SPRITE_SIDE = 256 };

typedef struct sprite_work {
    trilo_bitmap bitmap;
    trilo_sprite_opts opts;
} sprite_work;

static bool encode_sprite(void *context)
{
    const sprite_work *work = context;
    trilo_error err = {0};
    const trilo_sprite *sprite = trilo_sprite_encode(&work->bitmap, &work->opts, &err);
    trilo_sprite_free(sprite);
    return sprite || bench_fail("sprite", err.text);
}

static bool resize_image(void *context)
{
    const sprite_work *work = context;
    trilo_error err = {0};
    const trilo_resize_opts opts = {.width = SPRITE_SIDE / 4, .height = SPRITE_SIDE / 4};
    const trilo_image *resized = trilo_image_resize(&work->bitmap.image, &opts, &err);
    trilo_image_free(resized);
    return resized || bench_fail("resize", err.text);
}

bool bench_sprites(bench *b)
{
    static const struct {
        const char *name;
        trilo_texels texels;
    } formats[] = {{"sprite/rgba32", TRILO_TEXELS_RGBA32}, {"sprite/rgba16", TRILO_TEXELS_RGBA16},
                   {"sprite/ia16", TRILO_TEXELS_IA16},     {"sprite/ia8", TRILO_TEXELS_IA8},
                   {"sprite/ia4", TRILO_TEXELS_IA4},       {"sprite/i8", TRILO_TEXELS_I8},
                   {"sprite/i4", TRILO_TEXELS_I4},         {"sprite/ci8", TRILO_TEXELS_CI8},
                   {"sprite/ci4", TRILO_TEXELS_CI4}};
    enum { FORMATS = sizeof formats / sizeof *formats };
    uint8_t(*pixels)[4] = malloc(sizeof *pixels * SPRITE_SIDE * SPRITE_SIDE);
    if (!pixels)
        return bench_fail("sprite", "out of memory");
    uint32_t seed = 1;
    for (uint32_t i = 0; i < SPRITE_SIDE * SPRITE_SIDE; i++) {
        const uint32_t x = i % SPRITE_SIDE, y = i / SPRITE_SIDE;
        seed = seed * 1664525 + 1013904223;
        pixels[i][0] = (uint8_t)(x ^ (seed >> 29));
        pixels[i][1] = (uint8_t)((x + y) / 2);
        pixels[i][2] = (uint8_t)(y ^ (seed >> 28 & 7));
        pixels[i][3] = 255;
    }
    sprite_work work = {.bitmap = {.image = {SPRITE_SIDE, SPRITE_SIDE, (const uint8_t(*)[4])pixels}}};
    bool ok = true;
    for (size_t i = 0; ok && i < FORMATS; i++) {
        bench_task task = {.name = formats[i].name, .run = encode_sprite, .context = &work};
        work.opts.texels = formats[i].texels;
        ok = bench_time(&task, 1, SPRITE_ROUNDS);
        bench_add(b, &task, SPRITE_SIDE * SPRITE_SIDE, "pixels");
    }
    bench_task task = {.name = "sprite/resize", .run = resize_image, .context = &work};
    ok = ok && bench_time(&task, 1, SPRITE_ROUNDS);
    bench_add(b, &task, SPRITE_SIDE * SPRITE_SIDE, "pixels");
    free(pixels);
    return ok;
}
