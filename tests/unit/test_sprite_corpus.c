/* Sprites from the images of the corpus, against those that libdragon's own tool made (October 2024). */
#include "container/dca.h"
#include "container/sprite.h"
#include "harness.h"
#include "trilobite/trilobite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In the folders of Tiny3D's examples: the sprite in filesystem/, the PNG in assets/. All made with `mksprite -c 1`. */
static const struct {
    const char *folder, *name;
} sprite_pairs[] = {
    {"01_model", "stone01.i8"},
    {"01_model", "unit1m.i8"},
    {"03_objects", "crate00.ci8"},
    {"03_objects", "pattern.i8"},
    {"08_animation", "sand12.ci4"},
    {"08_animation", "shadow.i8"},
    {"08_animation", "stone.ci4"},
    {"09_anim_viewer", "BootTex.ci4"},
    {"09_anim_viewer", "ChestTex_ci4"},
    {"09_anim_viewer", "FaceTex.ci4"},
    {"09_anim_viewer", "bamboo00.ci8"},
    {"09_anim_viewer", "crate00.ci8"},
    {"09_anim_viewer", "grassCutout.ci8"},
    {"09_anim_viewer", "leafBush00.ia8"},
    {"09_anim_viewer", "rust00.ci8"},
    {"12_uv_gen", "barcode.i4"},
    {"12_uv_gen", "beer.rgba16"},
    {"12_uv_gen", "can_top.i4"},
    {"12_uv_gen", "env1.rgba16"},
    {"12_uv_gen", "env1_low.rgba16"},
    {"12_uv_gen", "env_gold.rgba16"},
    {"12_uv_gen", "env_gold.rgba32"},
    {"12_uv_gen", "foam_ref.ci8"},
    {"12_uv_gen", "food_label.i4"},
    {"12_uv_gen", "gem_env.i8"},
    {"12_uv_gen", "glass_back_1.rgba16"},
    {"12_uv_gen", "glass_reflection_a.i8"},
    {"12_uv_gen", "glass_reflection_foggy.i8"},
    {"12_uv_gen", "libdragon_icon.i4"},
    {"12_uv_gen", "libdragon_text.i4"},
    {"12_uv_gen", "logo_env.i8"},
    {"12_uv_gen", "rough_ovl"},
    {"14_outline", "env_gold.rgba16"},
    {"14_outline", "glass.i8"},
    {"14_outline", "textbox.i8"},
    {"16_light_clip", "brick14.i4"},
    {"16_light_clip", "gem_env.i8"},
    {"16_light_clip", "sand03.i8"},
    {"16_light_clip", "tiles05.i8"},
    {"16_light_clip", "wallpaper.ci4"},
    {"20_mipmaps", "brick25_32.ci8"},
    {"20_mipmaps", "brick25_64.ci4"},
    {"20_mipmaps", "rainbow00.rgba16"},
    {"20_mipmaps", "rainbow01.rgba16"},
    {"20_mipmaps", "rainbow02.rgba16"},
    {"20_mipmaps", "rainbow03.rgba16"},
    {"20_mipmaps", "rainbow04.rgba16"},
    {"20_mipmaps", "rainbow05.rgba16"},
    {"20_mipmaps", "tile32.i8"},
    {"20_mipmaps", "tile64.i8"},
    {"20_mipmaps", "unit1m.i8"},
    {"20_mipmaps", "unit1mMip.i8"},
    {"21_fresnel", "env1.rgba16"},
    {"21_fresnel", "env1_low.rgba16"},
    {"21_fresnel", "env_gold.rgba16"},
    {"21_fresnel", "glass_reflection_a.i8"},
    {"21_fresnel", "hex.i8"},
    {"21_fresnel", "stone.rgba16"},
    {"21_fresnel", "stone2.rgba16"},
    {"21_fresnel", "unit1m.i8"},
};

typedef struct corpus_file {
    uint8_t *data;
    trilo_bytes bytes; /* decompressed */
    tl_arena arena;
} corpus_file;

static corpus_file read_corpus(const char *path)
{
    corpus_file file;
    size_t size;
    tl_arena_init(&file.arena, NULL);
    file.data = test_read_file(test_corpus(path), &size);
    if (!file.data)
        FAIL("%s is not there", path);
    file.bytes = (trilo_bytes){file.data, size};
    CHECK(!tl_dca_probe(file.bytes) || tl_dca_decompress(&file.arena, file.bytes, 1 << 20, &file.bytes, NULL, NULL));
    return file;
}

static void free_corpus(corpus_file *file)
{
    tl_arena_free(&file->arena);
    free(file->data);
}

static const trilo_bitmap *decode_bitmap(const corpus_file *file, const char *name)
{
    trilo_error err;
    const trilo_bitmap *bitmap = trilo_bitmap_decode(file->bytes, NULL, &err);
    if (!bitmap && err.code == TRILO_CODE_UNSUPPORTED)
        SKIP("built without libspng");
    if (!bitmap)
        FAIL("%s: %s", name, err.text);
    return bitmap;
}

static const trilo_sprite *encode(const trilo_bitmap *bitmap, const trilo_sprite_opts *opts, const char *name)
{
    trilo_error err;
    const trilo_sprite *sprite = trilo_sprite_encode(bitmap, opts, &err);
    if (!sprite)
        FAIL("%s: %s", name, err.text);
    return sprite;
}

static void check_same_bytes(trilo_bytes got, trilo_bytes want, const char *name)
{
    for (size_t i = 0; i < got.size && i < want.size; i++)
        if (got.data[i] != want.data[i])
            FAIL("%s: byte %zu of %zu is %02X, not %02X", name, i, want.size, got.data[i], want.data[i]);
    if (got.size != want.size)
        FAIL("%s: %zu bytes, not %zu", name, got.size, want.size);
}

/* As the console shows it. */
static trilo_image_difference difference_of(const trilo_bitmap *source, trilo_bytes sprite)
{
    trilo_error err;
    const trilo_image *image = trilo_image_decode(sprite, NULL, &err);
    CHECK(image != NULL);
    const trilo_image_difference difference = trilo_image_compare(&source->image, image);
    trilo_image_free(image);
    return difference;
}

TEST(sprites_of_the_examples_are_those_of_mksprite)
{
    int equal = 0, palettes = 0;
    double ours = 0, theirs = 0;
    for (size_t i = 0; i < sizeof sprite_pairs / sizeof *sprite_pairs; i++) {
        char made[256], source[256];
        snprintf(made, sizeof made, "t3dm/%s/filesystem/%s.sprite", sprite_pairs[i].folder, sprite_pairs[i].name);
        snprintf(source, sizeof source, "t3dm/%s/assets/%s.png", sprite_pairs[i].folder, sprite_pairs[i].name);
        corpus_file want = read_corpus(made), png = read_corpus(source);
        const trilo_bitmap *bitmap = decode_bitmap(&png, source);
        const trilo_sprite_target target = TRILO_SPRITE_TARGET_LIBDRAGON_2024;
        const trilo_sprite_opts opts = {.target = target, .texels = trilo_sprite_texels(bitmap, source, target)};
        const trilo_sprite *sprite = encode(bitmap, &opts, source);
        if (sprite->quantized) {
            const trilo_image_difference before = difference_of(bitmap, want.bytes);
            const trilo_image_difference after = difference_of(bitmap, sprite->bytes);
            if (getenv("TRILOBITE_PRINT"))
                printf("%-40s %6.2f %6.2f dB, delta E %5.2f %5.2f\n", source, before.psnr, after.psnr, before.delta_e,
                       after.delta_e);
            else if (after.psnr < before.psnr)
                FAIL("%s: %.2f dB, by mksprite %.2f", source, after.psnr, before.psnr);
            palettes++;
            ours += after.psnr;
            theirs += before.psnr;
        } else {
            check_same_bytes(sprite->bytes, want.bytes, made);
            equal++;
        }
        trilo_sprite_free(sprite);
        trilo_bitmap_free(bitmap);
        free_corpus(&want);
        free_corpus(&png);
    }
    CHECK_INT(equal, 48);
    CHECK_INT(palettes, 12);
    CHECK(ours > theirs);
}

/* The commands are in the README of that folder. */
static const trilo_sprite_sampling odd_sampling[2] = {{1.5f, 3, -1, true}, {2, 2048, 1, false}};
static const struct {
    const char *source, *made;
    trilo_sprite_opts opts;
    const char *detail;
} sprites_made[] = {
#define MADE(source, ending, ...)                                                                                      \
    {                                                                                                                  \
        source, source ending, {.target = TRILO_SPRITE_TARGET_LIBDRAGON_2024, __VA_ARGS__}, NULL                       \
    }
    MADE("ramp", "_RGBA32", .texels = TRILO_TEXELS_RGBA32),
    MADE("ramp", "_RGBA16", .texels = TRILO_TEXELS_RGBA16),
    MADE("ramp", "_IA16", .texels = TRILO_TEXELS_IA16),
    MADE("ramp", "_IA8", .texels = TRILO_TEXELS_IA8),
    MADE("ramp", "_IA4", .texels = TRILO_TEXELS_IA4),
    MADE("ramp", "_I8", .texels = TRILO_TEXELS_I8),
    MADE("ramp", "_I4", .texels = TRILO_TEXELS_I4),
    MADE("grayalpha", "_IA16", .texels = TRILO_TEXELS_IA16),
    MADE("grayalpha", "_IA8", .texels = TRILO_TEXELS_IA8),
    MADE("grayalpha", "_IA4", .texels = TRILO_TEXELS_IA4),
    MADE("grayalpha", "_I8", .texels = TRILO_TEXELS_I8),
    MADE("grayalpha", "_I4", .texels = TRILO_TEXELS_I4),
    MADE("pal200", "_CI8", .texels = TRILO_TEXELS_CI8),
    MADE("pal12", "_CI4", .texels = TRILO_TEXELS_CI4),
    MADE("pal12", "_CI8", .texels = TRILO_TEXELS_CI8),
    MADE("pal12", "_auto", .texels = TRILO_TEXELS_UNKNOWN),
    MADE("pal200", "_auto", .texels = TRILO_TEXELS_UNKNOWN),
    MADE("grayalpha", "_auto", .texels = TRILO_TEXELS_UNKNOWN),
    MADE("ramp", "_auto", .texels = TRILO_TEXELS_UNKNOWN),
    MADE("ramp", "_RGBA16_mip", .texels = TRILO_TEXELS_RGBA16, .mipmaps = true),
    MADE("pal200", "_CI8_mip", .texels = TRILO_TEXELS_CI8, .mipmaps = true),
    MADE("grayalpha", "_I8_mip", .texels = TRILO_TEXELS_I8, .mipmaps = true),
    MADE("ramp", "_texparms", .texels = TRILO_TEXELS_RGBA16, .sampling = odd_sampling),
    {"ramp",
     "ramp_detail",
     {.target = TRILO_SPRITE_TARGET_LIBDRAGON_2024,
      .texels = TRILO_TEXELS_RGBA16,
      .mipmaps = true,
      .detail = true,
      .detail_texels = TRILO_TEXELS_I8,
      .detail_factor = 0.4f},
     "grayalpha"},
    MADE("ramp", "_detail_self", .texels = TRILO_TEXELS_RGBA16, .mipmaps = true, .detail = true, .detail_factor = 0.3f),
};

TEST(every_format_is_that_of_mksprite)
{
    for (size_t i = 0; i < sizeof sprites_made / sizeof *sprites_made; i++) {
        char made[128], source[128], detail[128];
        snprintf(made, sizeof made, "sprite/made/%s.sprite", sprites_made[i].made);
        snprintf(source, sizeof source, "sprite/made/%s.png", sprites_made[i].source);
        snprintf(detail, sizeof detail, "sprite/made/%s.png", sprites_made[i].detail ? sprites_made[i].detail : "ramp");
        corpus_file want = read_corpus(made), png = read_corpus(source), other = read_corpus(detail);
        const trilo_bitmap *bitmap = decode_bitmap(&png, source), *second = decode_bitmap(&other, detail);
        trilo_sprite_opts opts = sprites_made[i].opts;
        opts.detail_bitmap = sprites_made[i].detail ? second : NULL;
        const trilo_sprite *sprite = encode(bitmap, &opts, made);
        CHECK(!sprite->quantized);
        check_same_bytes(sprite->bytes, want.bytes, made);
        trilo_sprite_free(sprite);
        trilo_bitmap_free(bitmap);
        trilo_bitmap_free(second);
        free_corpus(&want);
        free_corpus(&png);
        free_corpus(&other);
    }
}

TEST_MAIN(CASE(sprites_of_the_examples_are_those_of_mksprite), CASE(every_format_is_that_of_mksprite))
