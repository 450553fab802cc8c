/* The combiner, the blender and the dither against values worked out by hand from their formulas. */
#include "harness.h"
#include "raster/blend.h"
#include "raster/combine.h"

#include <string.h>

/* ---- combiner ---- */

typedef struct texels {
    uint8_t tex0[4], tex1[4], shade[4], prim[4], env[4];
} texels;

static int32_t combine(uint64_t word, const texels *t, int32_t out[4])
{
    const tl_combiner combiner = tl_combiner_of(word);
    tl_inputs in;
    tl_inputs_fill(&in, t->prim, t->env);
    for (int k = 0; k < 4; k++) {
        in.at[TL_CC_TEX0][k] = t->tex0[k];
        in.at[TL_CC_TEX1][k] = t->tex1[k];
        in.at[TL_CC_SHADE][k] = t->shade[k];
        in.at[TL_CC_TEX0_ALPHA][k] = t->tex0[3];
        in.at[TL_CC_TEX1_ALPHA][k] = t->tex1[3];
        in.at[TL_CC_SHADE_ALPHA][k] = t->shade[3];
    }
    return tl_combine(&combiner, &in, out);
}

static void check(const int32_t got[4], int r, int g, int b, int a)
{
    CHECK_INT(got[0], r);
    CHECK_INT(got[1], g);
    CHECK_INT(got[2], b);
    CHECK_INT(got[3], a);
}

TEST(an_input_alone_stays_as_it_is)
{
    const texels t = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}, {13, 14, 15, 16}, {17, 18, 19, 20}};
    int32_t out[4];
    combine(0x00887f1088fdf6fb, &t, out); /* 0, 0, 0, PRIM */
    check(out, 13, 14, 15, 16);
    combine(0x00887f1088fe793c, &t, out); /* 0, 0, 0, SHADE */
    check(out, 9, 10, 11, 12);
    combine(0x00887f1088fcf279, &t, out); /* 0, 0, 0, TEX0 */
    check(out, 1, 2, 3, 4);
}

/* (a * b + 128) >> 8: white by white is 254, 200 by 128 is 100, 128 by 64 is 32. */
TEST(products_lose_a_little)
{
    const texels t = {.tex0 = {255, 200, 128, 255}, .shade = {255, 128, 64, 0}, .prim = {1, 255, 2, 255}};
    int32_t out[4];
    combine(0x001218248833ffff, &t, out); /* TEX0, 0, SHADE, 0 */
    check(out, 254, 100, 32, 0);
    combine(0x00119623882fffff, &t, out); /* TEX0, 0, PRIM, 0: 255 + 128 >> 8, 51000 + 128 >> 8, 256 + 128 >> 8 */
    check(out, 1, 199, 1, 254);
}

/* (TEX0 - ENV) * PRIM alpha + SHADE, alpha TEX0 * LOD + PRIM:
 * (100 * 128 + 128) >> 8 = 50, and 10; (100 * 255 + 128) >> 8 = 100, and 128. */
TEST(all_four_inputs_count)
{
    const texels t = {
        .tex0 = {200, 0, 60, 100}, .shade = {10, 10, 10, 0}, .prim = {0, 0, 0, 128}, .env = {100, 40, 60}};
    int32_t out[4];
    combine(0x0015102a5522773b, &t, out);
    check(out, 60, 0, 10, 228); /* green: -20 + 10 is clamped */
}

/* (0 - 255) * 255 is -254; with 10 it is -244, which nine bits take for 268. */
TEST(what_is_far_too_dark_wraps)
{
    const texels t = {.shade = {10, 200, 255, 0}, .prim = {0, 0, 0, 255}, .env = {255, 255, 255, 0}};
    int32_t out[4];
    combine(0x0015102a5522773b, &t, out);
    check(out, 255, 0, 1, 255);
}

/* Noise * 0 + 1: the constant 1 is 256 and shows as 255. Alpha is 1 * 0, since nothing sets the fraction of prim. */
TEST(one_is_white)
{
    const texels t = {.tex0 = {0}};
    int32_t out[4];
    combine(0x0077ecef77db7fbf, &t, out);
    check(out, 255, 255, 255, 0);
}

/* TEX0 * SHADE with the alpha of TEX0, then COMBINED * PRIM: 200 * 128 is 100, and that by 64 is 25. */
TEST(two_cycles)
{
    const texels t = {.tex0 = {200, 200, 255, 77}, .shade = {128, 128, 255, 9}, .prim = {64, 255, 255, 3}};
    int32_t out[4];
    CHECK_INT(combine(0x80127e0388fff3f8, &t, out), 77);
    check(out, 25, 100, 253, 77);
}

/* (TEX1 - TEX0) * LOD + TEX0 is TEX1, as the fraction is 255 and the difference 100; of alpha, too.
 * Then (COMBINED - ENV) * COMBINED alpha + TEX1: (150 * 20 + 128) >> 8 is 12, and 200. The second cycle's TEX1 is the
 * second texture, although its code is that of the first. Alpha: (TEX1 - COMBINED) * SHADE + ENV. */
TEST(texels_move_on_in_the_second_cycle)
{
    const texels t = {
        .tex0 = {100, 100, 100, 10}, .tex1 = {200, 200, 200, 20}, .shade = {0, 0, 0, 255}, .env = {50, 50, 50, 77}};
    int32_t out[4];
    CHECK_INT(combine(0x8026a00715309245, &t, out), 20);
    check(out, 212, 212, 212, 77);
}

TEST(inputs_that_are_used_are_known)
{
    CHECK_INT(tl_combiner_decode(0x001218248833ffff).used & TL_CC_USES_SHADE, TL_CC_BIT(TL_CC_SHADE));
    CHECK_INT(tl_combiner_decode(0x001218248833ffff).used & TL_CC_USES_TEX1, 0);
    CHECK_INT(tl_combiner_decode(0x80127e0388fff3f8).cycle_count, 2);
    CHECK((tl_combiner_decode(0x0015102a5522773b).used & TL_CC_BIT(TL_CC_PRIM_ALPHA)) != 0);
}

/* ---- blender ---- */

static void blend(uint32_t word, uint32_t fog, int32_t alpha, int32_t shade_alpha, int32_t pixel[3])
{
    static const int32_t memory[3] = {100, 0, 248};
    static const uint8_t color[4] = {1, 2, 3, 4}, fog_color[4] = {64, 128, 255, 128};
    const tl_blend_state blender = tl_blend_resolve(word, fog);
    tl_blend(&blender, &(tl_blend_inputs){memory, color, fog_color, alpha, shade_alpha, 7}, pixel);
}

static void check3(const int32_t got[3], int r, int g, int b)
{
    CHECK_INT(got[0], r);
    CHECK_INT(got[1], g);
    CHECK_INT(got[2], b);
}

TEST(without_a_blender_pixels_stay)
{
    int32_t p[3] = {7, 8, 9};
    blend(0, 0, 3, 4, p);
    check3(p, 7, 8, 9);
}

/* alpha 128: (P * 16 + M * 16) >> 5; alpha 0 leaves the picture, 255 the pixel. */
TEST(alpha_mixes_by_five_bits)
{
    int32_t half[3] = {200, 200, 200}, none[3] = {200, 200, 200}, all[3] = {200, 201, 202};
    blend(0x00500040, 0, 128, 0, half);
    check3(half, 150, 100, 224);
    blend(0x00500040, 0, 0, 0, none);
    check3(none, 100, 0, 248);
    blend(0x00500040, 0, 255, 0, all);
    check3(all, 200, 201, 202);
    blend(1u << 30, 0, 255, 0, all); /* whole alpha gives P itself, here the picture, not (P * 31 + Q) >> 5 */
    check3(all, 100, 0, 248);
}

/* (200 * 31 + 100 * 32) >> 5 is 293, of which eight bits are 37. */
TEST(adding_wraps)
{
    int32_t p[3] = {200, 200, 0};
    blend(0x005a0040, 0, 255, 0, p);
    check3(p, 37, 193, 248);
}

/* The alpha of the fog colour, 128: as above. */
TEST(a_constant_alpha)
{
    int32_t p[3] = {200, 200, 200};
    blend(0x05500040, 0, 255, 0, p);
    check3(p, 150, 100, 224);
}

/* Shade alpha 255: (P * 31 + F * 1) >> 5; 0: all fog. */
TEST(fog_goes_by_the_alpha_of_shade)
{
    int32_t near[3] = {200, 200, 200}, far[3] = {200, 200, 200};
    blend(0, TL_BLENDER_FOG, 0, 255, near);
    check3(near, 195, 197, 201);
    blend(0, TL_BLENDER_FOG, 255, 0, far);
    check3(far, 64, 128, 255);
}

/* First all fog: 64, 128, 255. Then half of it, by alpha 128, into the picture: (64 + 100) / 2, 128 / 2, 251.5. */
TEST(fog_comes_before_mixing)
{
    int32_t p[3] = {200, 200, 200};
    blend(0x00500040, TL_BLENDER_FOG, 128, 0, p);
    check3(p, 82, 64, 251);
}

/* A word of two passes: fog by shade alpha, then added with the fog's alpha: (64 * 16 + 100 * 32) >> 5. */
TEST(a_word_of_two_passes)
{
    int32_t p[3] = {200, 200, 0};
    blend(0x09d28040, 0, 255, 0, p);
    check3(p, 132, 64, (255 * 16 + 248 * 32) / 32 - 256);
}

/* Every formula in either pass, by its inputs in libdragon's rdpq_macros.h: colours by P and Q, factors of five bits by
 * A and B. Coverage is that of a pixel that is covered whole, 7 of 8: 7 << 5 is 224, >> 3 is 28, | 3 is 31; A loses its
 * lowest two bits beside it. 1 - A is 255 - A before the shift; 1 is 255. */
TEST(every_selector_of_the_blender)
{
    static const int pixels[3] = {200, 10, 77}, memory[3] = {100, 0, 248}, color[3] = {1, 2, 3},
                     fog[3] = {64, 128, 255};
    static const int *const colors[4] = {pixels, memory, color, fog};
    enum { ALPHA = 90, SHADE_ALPHA = 201 }; /* and 128 of the fog colour; >> 3: 11, 25, 16 */
    static const int a_table[4] = {11, 16, 25, 0}, a_table_coverage[4] = {8, 16, 24, 0};
    static const int a_bytes[4] = {90, 128, 201, 0};
    for (uint32_t n = 0; n < 256; n++) {
        const uint32_t p = n >> 6, a = n >> 4 & 3, q = n >> 2 & 3, b = n & 3;
        const uint32_t first = p << 30 | a << 26 | q << 22 | b << 18, second = p << 28 | a << 24 | q << 20 | b << 16;
        const int b_table[4] = {(255 - a_bytes[a]) >> 3, 31, 31, 0};
        const int factor = b == 1 ? a_table_coverage[a] : a_table[a];
        int want[3];
        for (int k = 0; k < 3; k++)
            want[k] = (colors[p][k] * factor + colors[q][k] * (b_table[b] + 1)) >> 5 & 255;
        int32_t once[3] = {200, 10, 77}, before[3] = {200, 10, 77}, after[3] = {200, 10, 77};
        if (first == 0) /* as a whole word it is "none" */
            continue;
        blend(first, 0, ALPHA, SHADE_ALPHA, once);
        check3(once, want[0], want[1], want[2]);
        blend(0, first, ALPHA, SHADE_ALPHA, before); /* the pass that fog takes */
        check3(before, want[0], want[1], want[2]);
        /* After a first pass that leaves the pixel as it is: pixel * 0 + pixel * 1. */
        const uint32_t pass_through = 0u << 30 | 3u << 26 | 0u << 22 | 2u << 18;
        blend(0x8000 | pass_through | second, 0, ALPHA, SHADE_ALPHA, after);
        check3(after, want[0], want[1], want[2]);
    }
}

TEST_MAIN(CASE(an_input_alone_stays_as_it_is), CASE(products_lose_a_little), CASE(all_four_inputs_count),
          CASE(what_is_far_too_dark_wraps), CASE(one_is_white), CASE(two_cycles),
          CASE(texels_move_on_in_the_second_cycle), CASE(inputs_that_are_used_are_known),
          CASE(without_a_blender_pixels_stay), CASE(alpha_mixes_by_five_bits), CASE(adding_wraps),
          CASE(a_constant_alpha), CASE(fog_goes_by_the_alpha_of_shade), CASE(fog_comes_before_mixing),
          CASE(a_word_of_two_passes), CASE(every_selector_of_the_blender))
