/* The N64 state of plain materials, and tiles that follow the size of their texture. */
#include "harness.h"
#include "n64/combiner.h"
#include "n64/modes.h"
#include "n64/plain.h"

#include <string.h>

TEST(colors_that_are_white)
{
    for (int i = -1; i < 4; i++) {
        float color[2][4] = {{1, 1, 1, 1}, {2, 1, 1, 1.5f}};
        for (int k = 0; i >= 0 && k < 2; k++)
            color[k][i] = 0.99f;
        CHECK(tl_color_is_white(color[0]) == (i < 0) && tl_color_is_white(color[1]) == (i < 0));
        const trilo_mesh first = {.vertex_count = 2, .colors = (const float[2][4]){{1, 1, 1, 1}, {1, 1, 1, 1}}};
        float last[3][4] = {{1, 1, 1, 1}, {1, 1, 1, 1}, {0, 0, 0, 0}};
        memcpy(last[1], color[0], sizeof last[1]);
        const trilo_mesh mesh = {.vertex_count = 2, .colors = (const float(*)[4])last};
        CHECK(!tl_mesh_is_tinted(&first) && tl_mesh_is_tinted(&mesh) == (i >= 0));
        memcpy(last[0], color[0], sizeof last[0]);
        const trilo_mesh one = {.vertex_count = 1, .colors = (const float(*)[4])last};
        CHECK(tl_mesh_is_tinted(&one) == (i >= 0));
    }
    CHECK(!tl_mesh_is_tinted(&(trilo_mesh){.vertex_count = 3}));
}

/* All combinations of what the state depends on. */
TEST(states_of_plain_materials)
{
    for (unsigned bits = 0; bits < 64; bits++)
        for (int alpha = 0; alpha < 3; alpha++) {
            const bool textured = bits & 1, unlit = bits & 2, tinted = bits & 4, white = bits & 8, two = bits & 16,
                       nearest = bits & 32;
            const trilo_texture texture = {.nearest = nearest, .wrap = {TRILO_WRAP_MIRROR, TRILO_WRAP_CLAMP}};
            const trilo_model model = {.texture_count = 1, .textures = &texture};
            const trilo_material material = {.base_color = {1, 1, 1, white ? 1 : 0.5f},
                                             .texture = textured ? 0 : TRILO_NONE,
                                             .alpha = (trilo_alpha)alpha,
                                             .two_sided = two,
                                             .unlit = unlit};
            const trilo_n64_material n = tl_n64_plain(&model, &material, tinted);
            const bool shaded = !textured || !unlit || tinted || !white;
            CHECK(n.combiner == tl_cc_plain(textured, shaded, material.alpha));
            CHECK_INT(n.draw_flags,
                      1 + (textured ? 2 : 0) + (shaded ? 4 : 0) + (two ? 0 : 0x10) + (shaded && unlit ? 0x10000 : 0));
            CHECK_INT(tl_mode_get(n.other_mode, TL_MODE_SAMPLING), textured && nearest ? 0 : 2);
            CHECK_INT(n.other_mode & 0xFFFFFFFF, alpha == TRILO_ALPHA_CUTOUT);
            CHECK(n.other_mask == TL_MODE_MASK_RENDER_MODE);
            CHECK(n.blender == (alpha == TRILO_ALPHA_BLEND ? TL_BLENDER_ALPHA : 0));
            CHECK_INT(n.set_flags, alpha == TRILO_ALPHA_CUTOUT ? TRILO_N64_SET_BLEND : 0);
            CHECK(n.blend[0] == 0 && n.blend[1] == 0 && n.blend[2] == 0 && n.blend[3] == 128 && n.fog == 0);
            CHECK(n.tiles[0].texture == material.texture && n.tiles[1].texture == TRILO_NONE);
            CHECK_INT(n.tiles[0].fit, textured ? 7 : 0);
            CHECK_INT(n.tiles[1].fit, 0);
            CHECK(n.tiles[0].s.mirror == textured && !n.tiles[0].s.clamp && n.tiles[0].t.clamp == textured &&
                  !n.tiles[0].t.mirror);
        }
}

/* The threshold of a cutout is rounded to 255ths; 0 stands for a half. */
TEST(thresholds_of_cutouts)
{
    static const struct {
        float cutoff;
        int value;
    } cases[] = {{0, 128}, {-1, 128},   {0.25f, 64}, {0.5f, 128}, {0.75f, 191},
                 {1, 255}, {1.5f, 255}, {2, 255},    {0.001f, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const trilo_model model = {.texture_count = 0};
        trilo_material material = {.texture = TRILO_NONE, .alpha = TRILO_ALPHA_CUTOUT, .alpha_cutoff = cases[i].cutoff};
        CHECK_INT(tl_n64_plain(&model, &material, false).blend[3], cases[i].value);
        material.alpha = TRILO_ALPHA_OPAQUE;
        CHECK_INT(tl_n64_plain(&model, &material, false).blend[3], 128);
    }
}

/* Texture memory has 4096 bytes, in rows of 8; a palette takes half, and 32-bit texels are split into halves. */
static bool fits(int format, uint32_t width, uint32_t height)
{
    static const uint32_t bits[] = {4, 16, 16, 8}, limits[] = {2048, 4096, 2048, 4096};
    return ((uint64_t)width * bits[format] + 63) / 64 * 8 * height <= limits[format];
}

static uint32_t power_at_most(uint32_t n)
{
    uint32_t power = 1024;
    while (power > n)
        power /= 2;
    return power;
}

TEST(sizes_that_fit)
{
    static const trilo_texels formats[] = {TRILO_TEXELS_CI4, TRILO_TEXELS_RGBA16, TRILO_TEXELS_RGBA32, TRILO_TEXELS_I8};
    static const uint32_t sizes[] = {0,  1,  2,  3,   4,   7,   8,   15,  16,  17,   31,   32,   33,   63,
                                     64, 65, 96, 127, 128, 129, 255, 256, 512, 1023, 1024, 1025, 2048, 70000};
    enum { SIZES = sizeof sizes / sizeof *sizes };
    for (int f = 0; f < 4; f++)
        for (int i = 0; i < SIZES * SIZES; i++) {
            const uint32_t width = sizes[i / SIZES], height = sizes[i % SIZES];
            uint32_t w = width, h = height, want_w = width, want_h = height;
            if (width > 0 && height > 0 && (width > 1024 || height > 1024 || !fits(f, width, height))) {
                want_w = power_at_most(width);
                want_h = power_at_most(height);
                int turn = want_w >= want_h ? 0 : 1; /* the longer side first, then in turn; a side of 1 has no turn */
                for (; !fits(f, want_w, want_h); turn = 1 - turn)
                    if (want_h == 1 || (turn == 0 && want_w > 1))
                        want_w /= 2;
                    else
                        want_h /= 2;
            }
            tl_n64_fit_size(formats[f], &w, &h);
            if (w != want_w || h != want_h)
                FAIL("%ux%u: %ux%u, not %ux%u", width, height, w, h, want_w, want_h);
        }
}

/* The mask is the logarithm of the size, rounded up; a mirrored tile that is clamped shows the texture twice. */
TEST(tiles_follow_sizes)
{
    static const struct {
        uint32_t size;
        int mask;
        uint32_t stored;
    } cases[] = {{0, 0, 0},   {1, 0, 1},   {2, 1, 2},     {3, 2, 3},        {4, 2, 4},          {5, 3, 5},
                 {32, 5, 32}, {33, 6, 33}, {256, 8, 256}, {1024, 10, 1024}, {65535, 16, 65535}, {65536, 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (unsigned bits = 0; bits < 32; bits++) {
            const trilo_n64_axis before = {
                .low = 3, .high = 4, .mask = 5, .shift = 6, .mirror = (bits & 8) != 0, .clamp = (bits & 16) != 0};
            trilo_n64_tile tile = {.width = 7, .height = 9, .s = before, .t = before, .fit = (uint8_t)(bits & 7)};
            tl_n64_fit_tile(&tile, cases[i].size, cases[11 - i].size);
            const bool twice = before.mirror && before.clamp;
            const uint32_t width = bits & 1 ? cases[i].stored : 7, height = bits & 1 ? cases[11 - i].stored : 9;
            CHECK(tile.width == width && tile.height == height);
            for (int a = 0; a < 2; a++) {
                const trilo_n64_axis *axis = a ? &tile.t : &tile.s;
                const uint32_t size = a ? height : width;
                const bool follows = bits & (a ? 4 : 2);
                const int mask = !(bits & 1) ? (a ? 4 : 3) : cases[a ? 11 - i : i].mask;
                CHECK_INT(axis->mask, follows ? mask : 5);
                CHECK(axis->low == (follows ? 0 : 3) && axis->shift == 6);
                const float high = size == 0 ? 0 : (float)(twice ? 2 * size - 1 : size - 1);
                CHECK(axis->high == (follows ? high : 4));
                CHECK(axis->mirror == before.mirror && axis->clamp == before.clamp);
            }
        }
}

TEST_MAIN(CASE(colors_that_are_white), CASE(states_of_plain_materials), CASE(thresholds_of_cutouts),
          CASE(sizes_that_fit), CASE(tiles_follow_sizes))
