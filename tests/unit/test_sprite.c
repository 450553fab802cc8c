/* Sprites: what they say of themselves. */
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

TEST_MAIN(CASE(tables_are_sound), CASE(mipmaps_take_memory_too), CASE(what_is_no_sprite),
          CASE(the_tool_that_made_them_agrees))
