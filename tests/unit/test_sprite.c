/* Sprites: what they say of themselves. */
#include "container/dca.h"
#include "container/sprite.h"
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TEST(tables_are_valid)
{
    CHECK(tl_layout_ok(&tl_sprite_head_layout, 0, NULL));
    CHECK(tl_layout_ok(&tl_sprite_extra_layout, 0, NULL));
    CHECK(tl_layout_ok(&tl_sprite_image_layout, 0, NULL));
    CHECK(tl_layout_ok(&tl_sprite_flags_layout, 0, NULL));
    CHECK(tl_layout_ok(&tl_sprite_sampling_layout, 0, NULL));
    CHECK(tl_layout_ok(&tl_sprite_detail_layout, TL_SPRITE_2024, NULL));
    CHECK(tl_layout_ok(&tl_sprite_detail_layout, TL_SPRITE_2026, NULL));
    CHECK_INT(tl_sprite_flags_at(), 64);
    CHECK_INT(tl_sprite_samplings_at(), 68);
    CHECK_INT(tl_sprite_detail_at() + tl_layout_size(&tl_sprite_detail_layout, TL_SPRITE_2024), 124);
    CHECK_INT(tl_sprite_detail_at() + tl_layout_size(&tl_sprite_detail_layout, TL_SPRITE_2026), 128);
    CHECK_INT(tl_layout_size(&tl_sprite_head_layout, 0), 8);
    CHECK_INT(tl_layout_size(&tl_sprite_image_layout, 0), 8);
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
    CHECK_INT(tl_tmem_used(&s.tmem), 16 * 4 + 8 * 2 + 8);
    file[5] = 2; /* nothing behind the texels */
    CHECK(tl_sprite_read((trilo_bytes){file, sizeof file}, &s));
    CHECK_INT(tl_tmem_used(&s.tmem), 64);
    file[5] = 0, file[4] = 2; /* as in old files */
    CHECK(tl_sprite_read((trilo_bytes){file, sizeof file}, &s));
    CHECK_INT(s.texels, TRILO_TEXELS_RGBA16);
}

/* Seven images of 4 x 2 texels; each counts as soon as its record is complete. */
TEST(cut_mipmaps)
{
    uint8_t file[8 + 64 + 8 + 7 * 8] = {0, 8, 0, 4, 0, 0x82, 1, 1};
    static const uint8_t image[8] = {0, 4, 0, 2, 2, 0, 0, 0};
    for (size_t i = 0; i < 7; i++)
        memcpy(file + 80 + 8 * i, image, sizeof image);
    for (size_t size = 80; size <= sizeof file; size++) {
        tl_sprite s;
        CHECK(tl_sprite_read((trilo_bytes){file, size}, &s));
        CHECK_INT(s.image_count, 1 + (size - 80) / 8);
    }
}

/* 4 x 4 texels; the smallest format that shows the same. */
TEST(smaller_formats)
{
    static const struct {
        uint8_t number, bytes, texels[4];
        trilo_texels smaller;
        uint32_t distinct;
    } cases[] = {
        {9, 1, {7, 200}, TRILO_TEXELS_CI4, 2},     /* CI8 */
        {2, 2, {0x12, 0x34}, TRILO_TEXELS_CI4, 1}, /* RGBA16 */
        {17, 1, {0x11, 0xEE}, TRILO_TEXELS_I4, 2}, /* I8: 17 times a nibble */
        {17, 1, {0x11, 0xEF}, TRILO_TEXELS_UNKNOWN, 2},
        {13, 1, {0xFF, 0x00}, TRILO_TEXELS_IA4, 2},               /* IA8: 3 bits have 0 and 255, too */
        {13, 1, {0xFF, 0x90}, TRILO_TEXELS_UNKNOWN, 2},           /* but not 153 */
        {13, 1, {0xF7, 0x90}, TRILO_TEXELS_UNKNOWN, 2},           /* alpha of 7 */
        {14, 2, {0x33, 0x44}, TRILO_TEXELS_IA8, 1},               /* IA16 */
        {3, 4, {0x29, 0x4A, 0x84, 0xFF}, TRILO_TEXELS_RGBA16, 1}, /* RGBA32: 5, 9 and 16 of 5 bits */
        {3, 4, {0x29, 0x4A, 0x85, 0xFF}, TRILO_TEXELS_UNKNOWN, 1},
        {16, 1, {0x12, 0x34}, TRILO_TEXELS_UNKNOWN, 0}, /* I4: nothing is smaller */
    };
    for (size_t i = 0; i < TL_COUNT_OF(cases); i++) {
        uint8_t file[8 + 64] = {0, 4, 0, 4, 0, cases[i].number, 1, 1};
        uint32_t distinct;
        const bool pairs = cases[i].bytes == 1;
        for (size_t k = 0; k < 64; k++)
            file[8 + k] = cases[i].texels[pairs ? k & 1 : k % cases[i].bytes];
        CHECK_INT(tl_sprite_smaller_texels((trilo_bytes){file, sizeof file}, &distinct), cases[i].smaller);
        if (cases[i].distinct > 0)
            CHECK_INT(distinct, cases[i].distinct);
    }
    uint32_t distinct;
    CHECK_INT(tl_sprite_smaller_texels((trilo_bytes){NULL, 0}, &distinct), TRILO_TEXELS_UNKNOWN);
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
        if (fits != tl_tmem_fits(&s.tmem))
            FAIL("%s: %u bytes of TMEM", names[i], tl_tmem_used(&s.tmem));
        tl_arena_free(&arena);
        free(packed);
    }
}

/* ---- the smallest format, by another search ---- */

/* Whether that many bits hold a value of eight, when they are repeated to fill eight. */
static bool holds(uint32_t value, int bits)
{
    for (uint32_t level = 0; level < 1u << bits; level++) {
        uint32_t filled = 0;
        for (int bit = 7, from = bits - 1; bit >= 0; bit--, from = from > 0 ? from - 1 : bits - 1)
            filled |= (level >> from & 1) << bit;
        if (filled == value)
            return true;
    }
    return false;
}

/* Every value of one texel. */
TEST(texels_that_fewer_bits_hold)
{
    uint8_t file[8 + 8] = {0, 1, 0, 1, 0, 0, 1, 1};
    const trilo_bytes bytes = {file, sizeof file};
    uint32_t distinct;
    for (uint32_t value = 0; value < 256; value++) {
        file[5] = 17; /* I8 */
        file[8] = (uint8_t)value;
        CHECK_INT(tl_sprite_smaller_texels(bytes, &distinct), holds(value, 4) ? TRILO_TEXELS_I4 : TRILO_TEXELS_UNKNOWN);
        CHECK_INT(distinct, 1);
        file[5] = 13; /* IA8: intensity and alpha of four bits; IA4 has three bits and one */
        const bool ia4 = holds(value / 16 * 17, 3) && (value % 16 == 0 || value % 16 == 15);
        CHECK_INT(tl_sprite_smaller_texels(bytes, &distinct), ia4 ? TRILO_TEXELS_IA4 : TRILO_TEXELS_UNKNOWN);
        for (int place = 0; place < 2; place++) {
            file[5] = 14; /* IA16 */
            file[8] = file[9] = 0x33;
            file[8 + place] = (uint8_t)value;
            CHECK_INT(tl_sprite_smaller_texels(bytes, &distinct),
                      holds(value, 4) ? TRILO_TEXELS_IA8 : TRILO_TEXELS_UNKNOWN);
        }
        for (int place = 0; place < 4; place++) {
            file[5] = 3; /* RGBA32 */
            memset(file + 8, 0, 4);
            file[8 + place] = (uint8_t)value;
            const bool same = place < 3 ? holds(value, 5) : value == 0 || value == 255;
            CHECK_INT(tl_sprite_smaller_texels(bytes, &distinct), same ? TRILO_TEXELS_RGBA16 : TRILO_TEXELS_UNKNOWN);
        }
    }
}

/* Up to 16 colours fit CI4; up to 256 fit CI8, which is worth it for more than 512 texels. */
TEST(colors_that_a_palette_holds)
{
    enum { MOST = 600 };
    static uint8_t file[8 + 2 * MOST];
    static const struct {
        uint8_t format;
        uint32_t texels, colors, counted;
        trilo_texels smaller;
    } cases[] = {{2, 16, 16, 16, TRILO_TEXELS_CI4},        {2, 17, 17, 17, TRILO_TEXELS_UNKNOWN},
                 {2, 512, 17, 17, TRILO_TEXELS_UNKNOWN},   {2, 513, 17, 17, TRILO_TEXELS_CI8},
                 {2, 600, 255, 255, TRILO_TEXELS_CI8},     {2, 600, 256, 256, TRILO_TEXELS_CI8},
                 {2, 600, 257, 257, TRILO_TEXELS_UNKNOWN}, {2, 600, 300, 257, TRILO_TEXELS_UNKNOWN},
                 {2, 600, 16, 16, TRILO_TEXELS_CI4},       {9, 600, 16, 16, TRILO_TEXELS_CI4},
                 {9, 600, 17, 17, TRILO_TEXELS_UNKNOWN},   {9, 600, 256, 256, TRILO_TEXELS_UNKNOWN},
                 {14, 600, 17, 17, TRILO_TEXELS_UNKNOWN}};
    for (size_t i = 0; i < TL_COUNT_OF(cases); i++) {
        uint32_t distinct;
        const bool wide = cases[i].format != 9;
        memset(file, 0, sizeof file);
        file[0] = (uint8_t)(cases[i].texels >> 8), file[1] = (uint8_t)cases[i].texels, file[3] = 1,
        file[5] = cases[i].format;
        for (uint32_t k = 0; k < cases[i].texels; k++) {
            const uint32_t texel = k % cases[i].colors;
            if (wide)
                file[8 + 2 * k] = (uint8_t)(texel >> 8), file[9 + 2 * k] = (uint8_t)texel;
            else
                file[8 + k] = (uint8_t)texel;
        }
        const trilo_texels smaller = tl_sprite_smaller_texels((trilo_bytes){file, sizeof file}, &distinct);
        if (smaller != cases[i].smaller || distinct != cases[i].counted)
            FAIL("case %zu: %d, %u", i, smaller, distinct);
    }
}

/* The palette of a CI4 sprite: 16 colours of two bytes, or what is there of them. */
TEST(palettes_are_found)
{
    uint8_t file[8 + 8 + 8 + 40] = {0, 4, 0, 3, 0, 0x88, 1, 1}; /* 4 x 3 texels are 6 bytes, padded to 8 */
    const size_t sizes[] = {8 + 8, 8 + 8 + 7, 8 + 8 + 8, 25, 26, 55, 56, 57, sizeof file};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (uint32_t at = 0; at < 64; at += 8) {
            file[16 + 7] = (uint8_t)at;
            const trilo_bytes palette = tl_sprite_palette((trilo_bytes){file, sizes[i]});
            const size_t left = sizes[i] >= 24 && at > 0 && at < sizes[i] ? sizes[i] - at : 0;
            CHECK_INT(palette.size, left < 32 ? left : 32);
            CHECK(palette.size == 0 || palette.data == file + at);
        }
    file[5] = 0x08; /* nothing behind the texels */
    file[16 + 7] = 24;
    CHECK_INT(tl_sprite_palette((trilo_bytes){file, sizeof file}).size, 0);
    file[5] = 0x90; /* I4 has no palette */
    CHECK_INT(tl_sprite_palette((trilo_bytes){file, sizeof file}).size, 0);
}

/* What follows the texels starts at a multiple of 8, whatever their size is: the palette's place, and one image each.
 */
TEST(records_after_texels_of_each_size)
{
    for (uint8_t width = 1; width <= 24; width++)
        for (size_t image = 0; image < 8; image++) {
            uint8_t file[8 + 24 + 8 + 8 * 8 + 600] = {0, width, 0, 1, 0, 0x89, 1, 1}; /* CI8 */
            const size_t at = 8 + ((size_t)width + 7) / 8 * 8, palette = at + 80;
            const uint8_t row[8] = {0, 2, 0, 1, 0x09, 0, 0, 0};
            tl_sprite s;
            file[at + 7] = (uint8_t)palette;
            memcpy(file + at + 8 + 8 * image, row, sizeof row);
            CHECK(tl_sprite_read((trilo_bytes){file, sizeof file}, &s));
            CHECK_INT(s.image_count, image < 7 ? 2 : 1);
            CHECK_INT(s.width, width);
            CHECK_INT(s.height, 1);
            const trilo_bytes colors = tl_sprite_palette((trilo_bytes){file, sizeof file});
            CHECK(colors.data == file + palette);
            CHECK_INT(colors.size, 512);
            if (image == 7)
                continue;
            file[at + 8 + 8 * image + 1] = 0; /* no width, no image */
            CHECK(tl_sprite_read((trilo_bytes){file, sizeof file}, &s));
            CHECK_INT(s.image_count, 1);
            file[at + 8 + 8 * image + 1] = 1, file[at + 8 + 8 * image + 4] = 0x1F; /* of no format */
            CHECK(tl_sprite_read((trilo_bytes){file, sizeof file}, &s));
            CHECK_INT(s.image_count, 1);
            file[at + 8 + 8 * image + 4] = 0xE9; /* flags do not count */
            CHECK(tl_sprite_read((trilo_bytes){file, sizeof file}, &s));
            CHECK_INT(s.image_count, 2);
        }
}

TEST_MAIN(CASE(records_after_texels_of_each_size), CASE(tables_are_valid), CASE(mipmaps_take_memory_too),
          CASE(cut_mipmaps), CASE(smaller_formats), CASE(what_is_no_sprite), CASE(the_tool_that_made_them_agrees),
          CASE(texels_that_fewer_bits_hold), CASE(colors_that_a_palette_holds), CASE(palettes_are_found))
