/* Real sprites against the PNG files that they were made from. */
#include "container/dca.h"
#include "container/sprite.h"
#include "harness.h"
#include "trilobite/trilobite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In the folders of Tiny3D's examples: the sprite in filesystem/, the PNG in assets/. */
static const struct {
    const char *folder, *name;
    double within; /* root mean square; 0: exact, above: mksprite chose the colours of a palette */
} pairs[] = {
    {"21_fresnel", "env_gold.rgba16", 0},
    {"21_fresnel", "env1.rgba16", 0},
    {"12_uv_gen", "env_gold.rgba32", 0},
    {"21_fresnel", "hex.i8", 0},
    {"01_model", "unit1m.i8", 0},
    {"12_uv_gen", "can_top.i4", 0},
    {"09_anim_viewer", "leafBush00.ia8", 0},
    {"16_light_clip", "brick14.i4", 0},
    {"09_anim_viewer", "FaceTex.ci4", 24},
    {"09_anim_viewer", "crate00.ci8", 24},
    {"08_animation", "stone.ci4", 24},
    {"20_mipmaps", "rainbow00.rgba16", 0},
    {"20_mipmaps", "brick25_64.ci4", 24},
};

static uint8_t *read_one(const char *folder, const char *place, const char *name, const char *ending, size_t *size)
{
    char path[256];
    snprintf(path, sizeof path, "t3dm/%s/%s/%s.%s", folder, place, name, ending);
    uint8_t *bytes = test_read_file(test_corpus(path), size);
    if (!bytes)
        FAIL("%s is not there", path);
    return bytes;
}

static const trilo_image *decode(uint8_t *bytes, size_t size, const char *name)
{
    trilo_error err;
    const trilo_image *image = trilo_image_decode((trilo_bytes){bytes, size}, NULL, &err);
    if (!image && err.code == TRILO_CODE_UNSUPPORTED)
        SKIP("built without libspng");
    if (!image)
        FAIL("%s: %s", name, err.text);
    return image;
}

/* mksprite may have chosen fewer bits than the name says. */
static trilo_texels texels_in(uint8_t *bytes, size_t size)
{
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    trilo_bytes plain = {bytes, size};
    tl_sprite sprite;
    CHECK(!tl_dca_probe(plain) || tl_dca_decompress(&arena, plain, 1 << 20, &plain, NULL, NULL));
    CHECK(tl_sprite_read(plain, &sprite));
    tl_arena_free(&arena);
    return sprite.texels;
}

/* Of the colours as they show: what is clear has none. */
static double difference(const trilo_image *a, const trilo_image *b)
{
    double sum = 0;
    const size_t count = (size_t)a->width * a->height;
    for (size_t i = 0; i < count; i++)
        for (int c = 0; c < 4; c++) {
            const int x = c == 3 ? a->pixels[i][3] : a->pixels[i][c] * a->pixels[i][3] / 255;
            const int y = c == 3 ? b->pixels[i][3] : b->pixels[i][c] * b->pixels[i][3] / 255;
            sum += (double)(x - y) * (x - y);
        }
    return sum / (double)(count * 4);
}

TEST(sprites_are_their_pictures)
{
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        size_t sprite_size, png_size;
        uint8_t *sprite_bytes = read_one(pairs[i].folder, "filesystem", pairs[i].name, "sprite", &sprite_size);
        uint8_t *png_bytes = read_one(pairs[i].folder, "assets", pairs[i].name, "png", &png_size);
        const trilo_image *png = decode(png_bytes, png_size, pairs[i].name);
        const trilo_image *sprite = decode(sprite_bytes, sprite_size, pairs[i].name);
        const trilo_image *texels = trilo_image_as_texels(png, texels_in(sprite_bytes, sprite_size), NULL, NULL);
        CHECK(texels);
        CHECK_INT(sprite->width, png->width);
        CHECK_INT(sprite->height, png->height);
        const double off = difference(sprite, texels);
        if (off > pairs[i].within * pairs[i].within)
            FAIL("%s: mean square of %g", pairs[i].name, off);
        trilo_image_free(texels);
        trilo_image_free(sprite);
        trilo_image_free(png);
        free(png_bytes);
        free(sprite_bytes);
    }
}

TEST_MAIN(CASE(sprites_are_their_pictures))
