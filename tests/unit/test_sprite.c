/* Sprites: formats by name and by file, and what they take of texture memory. */
#include "container/dca.h"
#include "container/sprite.h"
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TEST(tables_are_sound)
{
    CHECK(tl_layout_ok(&tl_sprite_head_layout, 0, NULL));
    CHECK(tl_layout_ok(&tl_sprite_extra_layout, 0, NULL));
    CHECK(tl_layout_ok(&tl_sprite_image_layout, 0, NULL));
    CHECK_INT(tl_layout_size(&tl_sprite_head_layout, 0), 8);
    CHECK_INT(tl_layout_size(&tl_sprite_image_layout, 0), 8);
}

TEST(paths_name_formats)
{
    static const struct {
        const char *path;
        trilo_texels texels;
    } cases[] = {
        {"rom:/foo.i8.sprite", TRILO_TEXELS_I8},
        {"rom:/a.ci4.b.sprite", TRILO_TEXELS_CI4},
        {"rom:/A.RGBA32.sprite", TRILO_TEXELS_RGBA32},
        {"rom:/ChestTex_ci4.sprite", TRILO_TEXELS_UNKNOWN},
        {"rom:/foo.sprite", TRILO_TEXELS_UNKNOWN},
        {"rom:/x.ia16.ci8.sprite", TRILO_TEXELS_IA16},
        {"rom:/x.yuv16.sprite", TRILO_TEXELS_UNKNOWN},
        {"", TRILO_TEXELS_UNKNOWN},
        {"i4", TRILO_TEXELS_I4},
        {"..", TRILO_TEXELS_UNKNOWN},
    };
    for (size_t i = 0; i < TL_COUNT_OF(cases); i++)
        if (tl_texels_of_path(cases[i].path) != cases[i].texels)
            FAIL("%s: %s", cases[i].path, trilo_texels_name(tl_texels_of_path(cases[i].path)));
    CHECK_STR(trilo_texels_name(TRILO_TEXELS_IA8), "IA8");
    CHECK_STR(trilo_texels_name((trilo_texels)99), "unknown");
}

/* The largest that fit, and what their rows round up to. */
TEST(texture_memory)
{
    static const struct {
        trilo_texels texels;
        uint32_t width, height, tmem, palette;
    } cases[] = {
        {TRILO_TEXELS_I4, 128, 64, 4096, 0},       {TRILO_TEXELS_IA4, 90, 85, 48 * 85, 0},
        {TRILO_TEXELS_I8, 64, 64, 4096, 0},        {TRILO_TEXELS_IA8, 128, 32, 4096, 0},
        {TRILO_TEXELS_RGBA16, 64, 32, 4096, 0},    {TRILO_TEXELS_RGBA16, 44, 44, 88 * 44, 0},
        {TRILO_TEXELS_IA16, 3, 2, 16, 0},          {TRILO_TEXELS_RGBA32, 32, 32, 4096, 0},
        {TRILO_TEXELS_CI4, 64, 64, 2048, 128},     {TRILO_TEXELS_CI8, 64, 32, 2048, 2048},
        {TRILO_TEXELS_CI8, 43, 42, 48 * 42, 2048}, {TRILO_TEXELS_UNKNOWN, 64, 64, 0, 0},
    };
    for (size_t i = 0; i < TL_COUNT_OF(cases); i++) {
        const tl_sprite s = tl_sprite_of(cases[i].texels, cases[i].width, cases[i].height);
        CHECK_INT(s.tmem, cases[i].tmem);
        CHECK_INT(s.palette, cases[i].palette);
        CHECK_INT(s.image_count, cases[i].texels != TRILO_TEXELS_UNKNOWN);
    }
}

/* 8 x 4 texels of RGBA16 are 64 bytes; behind them a record of 8 bytes and seven images: mipmaps of 4 x 2 and 2 x 1. */
TEST(mipmaps_take_memory_too)
{
    uint8_t file[8 + 64 + 8 + 7 * 8] = {0, 8, 0, 4, 0, 0x82, 1, 1};
    static const uint8_t images[16] = {0, 4, 0, 2, 2, 0, 0, 0, 0, 2, 0, 1, 2, 0, 0, 0};
    tl_sprite s;
    memcpy(file + 80, images, sizeof images);
    CHECK(tl_sprite_read((trilo_bytes){file, sizeof file}, &s));
    CHECK_INT(s.texels, TRILO_TEXELS_RGBA16);
    CHECK_INT(s.image_count, 3);
    CHECK_INT(s.tmem, 16 * 4 + 8 * 2 + 8);
    file[5] = 2; /* nothing behind the texels */
    CHECK(tl_sprite_read((trilo_bytes){file, sizeof file}, &s));
    CHECK_INT(s.tmem, 64);
    file[5] = 0, file[4] = 2; /* as in old files */
    CHECK(tl_sprite_read((trilo_bytes){file, sizeof file}, &s));
    CHECK_INT(s.texels, TRILO_TEXELS_RGBA16);
}

TEST(what_is_no_sprite)
{
    uint8_t file[8 + 64] = {0, 8, 0, 4, 0, 0x82, 1, 1};
    tl_sprite s;
    for (size_t size = 0; size < sizeof file; size++)
        CHECK(!tl_sprite_read((trilo_bytes){file, size}, &s));
    CHECK(tl_sprite_read((trilo_bytes){file, sizeof file}, &s));
    file[5] = 0x81; /* no such format */
    CHECK(!tl_sprite_read((trilo_bytes){file, sizeof file}, &s));
    file[5] = 0xC2; /* texels elsewhere */
    CHECK(!tl_sprite_read((trilo_bytes){file, sizeof file}, &s));
    file[5] = 0x82, file[1] = 0;
    CHECK(!tl_sprite_read((trilo_bytes){file, sizeof file}, &s));
}

/* Sprites by libdragon's own tool say themselves whether they fit; the record with that flag follows the images. */
TEST(the_tool_that_made_them_agrees)
{
    static const char *const names[] = {"sprite/hedge.sprite",
                                        "sprite/stone01.i8.sprite",
                                        "sprite/unit1m.i8.sprite",
                                        "t3dm/03_objects/filesystem/crate00.ci8.sprite",
                                        "t3dm/08_animation/filesystem/sand12.ci4.sprite",
                                        "t3dm/09_anim_viewer/filesystem/leafBush00.ia8.sprite",
                                        "t3dm/12_uv_gen/filesystem/barcode.i4.sprite",
                                        "t3dm/12_uv_gen/filesystem/env_gold.rgba32.sprite",
                                        "t3dm/12_uv_gen/filesystem/env1.rgba16.sprite",
                                        "t3dm/12_uv_gen/filesystem/rough_ovl.sprite",
                                        "t3dm/20_mipmaps/filesystem/brick25_32.ci8.sprite",
                                        "t3dm/20_mipmaps/filesystem/tile64.i8.sprite",
                                        "t3dm/20_mipmaps/filesystem/unit1mMip.i8.sprite"};
    enum { FLAGS_AT = 64, FITS = 0x20, EXTRA = 124 };
    for (size_t i = 0; i < TL_COUNT_OF(names); i++) {
        size_t size;
        uint8_t *packed = test_read_file(test_corpus(names[i]), &size);
        trilo_bytes bytes;
        tl_arena arena;
        tl_sprite s;
        CHECK(packed != NULL);
        tl_arena_init(&arena, NULL);
        CHECK(tl_dca_decompress(&arena, (trilo_bytes){packed, size}, 1 << 20, &bytes, NULL, NULL));
        CHECK(tl_sprite_read(bytes, &s));
        const uint32_t bits[] = {0, 16, 32, 16, 4, 8, 4, 8, 16, 4, 8};
        const size_t behind = 8 + ((s.width * bits[s.texels] + 7) / 8 * s.height + 7) / 8 * 8;
        CHECK(bytes.data[5] & 0x80);
        CHECK(behind + EXTRA <= bytes.size);
        const bool fits = (bytes.data[behind + FLAGS_AT + 1] & FITS) != 0;
        if (fits != (s.tmem <= (s.palette > 0 ? 2048u : 4096u)))
            FAIL("%s: %u bytes of TMEM", names[i], s.tmem);
        tl_arena_free(&arena);
        free(packed);
    }
}

TEST_MAIN(CASE(tables_are_sound), CASE(paths_name_formats), CASE(texture_memory), CASE(mipmaps_take_memory_too),
          CASE(what_is_no_sprite), CASE(the_tool_that_made_them_agrees))
