/* Other modes and blender against libdragon's headers (rdpq_macros.h), render modes against the presets of Fast64. */
#include "harness.h"
#include "n64/modes.h"

#include <stdio.h>
#include <string.h>

/* ---- other modes ---- */

TEST(every_field_of_the_other_modes)
{
    static const struct {
        enum tl_mode_field field;
        unsigned low;
    } rows[] = {{TL_MODE_ALPHA_COMPARE, 0}, {TL_MODE_Z, 10}, {TL_MODE_SAMPLING, 44}};
    for (int i = 0; i < 3; i++)
        for (uint64_t value = 0; value < 4; value++) {
            const uint64_t word = value << rows[i].low, others = ~(UINT64_C(3) << rows[i].low);
            for (int k = 0; k < 3; k++)
                CHECK_INT(tl_mode_get(word, rows[k].field), i == k ? value : 0);
            CHECK_INT(tl_mode_get(others | word, rows[i].field), value);
            CHECK(TL_MODE(rows[i].field, value) == word);
            CHECK(TL_MODE_MASK(rows[i].field) == ~others);
        }
    CHECK(TL_MODE_MASK_ALWAYS == UINT64_C(0x0000300000000001));
    CHECK(TL_MODE_MASK_RENDER_MODE == UINT64_C(0x0000300000000C01));
    CHECK_INT(TL_ALPHA_COMPARE_OFF, 0);
    CHECK_INT(TL_ALPHA_COMPARE_THRESHOLD, 1);
    CHECK_INT(TL_ALPHA_COMPARE_NOISE, 3);
    CHECK_INT(TL_Z_OPAQUE, 0);
    CHECK_INT(TL_Z_INTERPENETRATING, 1);
    CHECK_INT(TL_Z_TRANSPARENT, 2);
    CHECK_INT(TL_Z_DECAL, 3);
    CHECK_INT(TL_SAMPLING_POINT, 0);
    CHECK_INT(TL_SAMPLING_BILINEAR, 2);
    CHECK_INT(TL_SAMPLING_MEDIAN, 3);
    for (int bit = 0; bit < 64; bit++)
        CHECK_INT(tl_mode_compares_alpha(UINT64_C(1) << bit), bit == 0);
}

/* ---- blender ---- */

/* P, A, Q, B: the lowest bit of each in either pass. */
static const unsigned blend_shifts[2][4] = {{30, 26, 22, 18}, {28, 24, 20, 16}};

static uint8_t field_of(const tl_blend_pass *pass, int field)
{
    const uint8_t fields[4] = {pass->p, pass->a, pass->q, pass->b};
    return fields[field];
}

TEST(every_field_of_the_blender)
{
    for (int pass = 0; pass < 2; pass++)
        for (int field = 0; field < 4; field++)
            for (uint32_t selector = 0; selector < 4; selector++) {
                const uint32_t word = selector << blend_shifts[pass][field];
                const uint32_t full = ~(3u << blend_shifts[pass][field]) | word;
                for (int p = 0; p < 2; p++)
                    for (int f = 0; f < 4; f++) {
                        const bool same = p == pass && f == field;
                        const tl_blend_pass got = tl_blend_unpack(word, p), rest = tl_blend_unpack(full, p);
                        CHECK_INT(field_of(&got, f), same ? selector : 0);
                        CHECK_INT(field_of(&rest, f), same ? selector : 3);
                    }
                /* the alpha of the shade is selector 2 of A, in either pass */
                CHECK_INT(tl_blend_uses_shade(word), field == 1 && selector == 2);
            }
    for (int bit = 0; bit < 16; bit++)
        CHECK(!tl_blend_uses_shade(1u << bit));
}

TEST(selectors_of_the_blender)
{
    static const int colors[4] = {TL_BLEND_PIXEL, TL_BLEND_MEMORY, TL_BLEND_COLOR, TL_BLEND_FOG};
    static const int a[4] = {TL_BLEND_A_PIXEL, TL_BLEND_A_FOG, TL_BLEND_A_SHADE, TL_BLEND_A_ZERO};
    static const int b[4] = {TL_BLEND_B_ONE_MINUS_A, TL_BLEND_B_COVERAGE, TL_BLEND_B_ONE, TL_BLEND_B_ZERO};
    for (int i = 0; i < 4; i++) {
        CHECK_INT(colors[i], i);
        CHECK_INT(a[i], i);
        CHECK_INT(b[i], i);
    }
}

/* A formula stands in both passes; bit 6 is set when the framebuffer's colour or coverage is read. */
TEST(packing_every_formula)
{
    for (uint32_t n = 0; n < 256; n++) {
        const uint32_t p = n >> 6, a = n >> 4 & 3, q = n >> 2 & 3, b = n & 3;
        const uint32_t word = p << 30 | p << 28 | a << 26 | a << 24 | q << 22 | q << 20 | b << 18 | b << 16;
        const bool reads = p == 1 || q == 1 || b == 1;
        const tl_blend_pass pass = {(uint8_t)p, (uint8_t)a, (uint8_t)q, (uint8_t)b};
        CHECK_INT(tl_blend_pack(pass), reads ? word | 0x40 : word);
        CHECK_INT(tl_blend_pack(tl_blend_unpack(word, 0)) & ~0x40u, word);
        CHECK_INT(tl_blend_pack(tl_blend_unpack(word, 1)) & ~0x40u, word);
    }
    CHECK_INT(TL_BLENDER_ALPHA, tl_blend_pack((tl_blend_pass){0, 0, 1, 0}));
    CHECK_INT(TL_BLENDER_CONST_ALPHA, tl_blend_pack((tl_blend_pass){0, 1, 1, 0}));
    CHECK_INT(TL_BLENDER_ADDITIVE, tl_blend_pack((tl_blend_pass){0, 0, 1, 2}));
    CHECK_INT(TL_BLENDER_FOG, tl_blend_pack((tl_blend_pass){0, 2, 3, 0}));
    CHECK_INT(TL_BLENDER_ALPHA, 0x00500040);
    CHECK_INT(TL_BLENDER_CONST_ALPHA, 0x05500040);
    CHECK_INT(TL_BLENDER_ADDITIVE, 0x005A0040);
    CHECK_INT(TL_BLENDER_FOG, 0x0AF00000);
}

static void check_pass(tl_blend_pass got, int p, int a, int q, int b)
{
    CHECK_INT(got.p, p);
    CHECK_INT(got.a, a);
    CHECK_INT(got.q, q);
    CHECK_INT(got.b, b);
}

/* P, A, Q, B differ between the passes of the words here, so that one cannot be taken for the other. */
TEST(which_passes_run)
{
    const uint32_t one = 1u << 30 | 2u << 26 | 3u << 22 | 1u << 18, two = 2u << 28 | 3u << 24 | 1u << 20 | 2u << 16;
    tl_blend_state s = tl_blend_resolve(0, 0);
    CHECK(!s.first && !s.last);
    s = tl_blend_resolve(one | two, 0); /* one cycle: the fields of the first pass */
    CHECK(!s.first && s.last);
    check_pass(s.passes[1], 1, 2, 3, 1);
    s = tl_blend_resolve(0, one | two); /* fog alone */
    CHECK(s.first && !s.last);
    check_pass(s.passes[0], 1, 2, 3, 1);
    s = tl_blend_resolve(TL_BLENDER_ALPHA | two, one); /* both: fog first, then the second pass of the blender */
    CHECK(s.first && s.last);
    check_pass(s.passes[0], 1, 2, 3, 1);
    check_pass(s.passes[1], 2, 3, 1, 2);
    s = tl_blend_resolve(one | two | 0x8000, TL_BLENDER_FOG); /* a word of two passes replaces fog */
    CHECK(s.first && s.last);
    check_pass(s.passes[0], 1, 2, 3, 1);
    check_pass(s.passes[1], 2, 3, 1, 2);
}

/* A word of two passes has bit 15; any other runs alone, or after fog. */
TEST(two_passes_take_two_cycles)
{
    CHECK(!tl_blend_takes_two_cycles(0, 0));
    CHECK(!tl_blend_takes_two_cycles(0, TL_BLENDER_FOG));
    for (int bit = 0; bit < 32; bit++) {
        const uint32_t word = UINT32_C(1) << bit;
        CHECK_INT(tl_blend_takes_two_cycles(word, 0), bit == 15);
        CHECK_INT(tl_blend_takes_two_cycles(~word, 0), bit != 15);
        CHECK(tl_blend_takes_two_cycles(word, TL_BLENDER_FOG));
        CHECK(tl_blend_takes_two_cycles(~word, TL_BLENDER_FOG));
    }
}

/* ---- materials ---- */

TEST(alpha_of_materials)
{
    CHECK_INT(tl_n64_alpha(&(trilo_n64_material){.other_mode = ~UINT64_C(1)}), TRILO_ALPHA_OPAQUE);
    CHECK_INT(tl_n64_alpha(&(trilo_n64_material){.other_mode = 1}), TRILO_ALPHA_CUTOUT);
    CHECK_INT(tl_n64_alpha(&(trilo_n64_material){.other_mode = 1, .blender = 0x00500040}), TRILO_ALPHA_BLEND);
    for (int alpha = TRILO_ALPHA_OPAQUE; alpha <= TRILO_ALPHA_BLEND; alpha++) {
        const tl_render_mode m = tl_render_mode_of_alpha((trilo_alpha)alpha);
        CHECK_INT(tl_n64_alpha(&(trilo_n64_material){.other_mode = m.mode, .blender = m.blender}), alpha);
    }
    for (uint8_t flags = 0; flags < 8; flags++) {
        CHECK_INT(trilo_n64_colors_set(flags, ~UINT64_C(1)), flags);
        CHECK_INT(trilo_n64_colors_set(flags, 1), flags | 4); /* alpha compare uses the blend colour, flag or not */
    }
    CHECK_STR(trilo_n64_fog_name(0), "leave as it is");
    CHECK_STR(trilo_n64_fog_name(1), "off");
    CHECK_STR(trilo_n64_fog_name(2), "on");
    CHECK_STR(trilo_n64_fog_name(3), "unknown");
}

/* ---- render modes ---- */

typedef struct mode_row {
    const char *name; /* of the first cycle; the second has a 2 behind it */
    int first, second;
    uint32_t blender, mode;
} mode_row;

/* Fast64's lists of presets for the first and the second cycle, and what Tiny3D's converter makes of them. In the
 * second list 2, 6, 11 and 13 are decals, and 5, 6, 7, 12 and 13 are blended. */
static const mode_row mode_rows[] = {
    {"ZB_OPA_SURF", 0, 0, 0, 0},
    {"AA_ZB_OPA_SURF", 1, 1, 0, 0},
    {"AA_ZB_OPA_DECAL", 2, 2, 0, 0xC00},
    {"AA_ZB_OPA_INTER", 3, 3, 0, 0x400},
    {"AA_ZB_TEX_EDGE", 4, 4, 0, 1},
    {"AA_ZB_XLU_SURF", 5, 5, 0x00500040, 0},
    {"AA_ZB_XLU_DECAL", 6, 6, 0x00500040, 0xC00},
    {"AA_ZB_XLU_INTER", 7, 7, 0x00500040, 0x400},
    {"FOG_SHADE_A", 8, -1, 0, 0},
    {"FOG_PRIM_A", 9, -1, 0, 0},
    {"PASS", 10, -1, 0, 0},
    {"ADD", 11, 8, 0, 0},
    {"NOOP", 12, 9, 0, 0},
    {"ZB_OPA_SURF", 13, 10, 0, 0},
    {"ZB_OPA_DECAL", 14, 11, 0, 0xC00},
    {"ZB_XLU_SURF", 15, 12, 0x00500040, 0},
    {"ZB_XLU_DECAL", 16, 13, 0x00500040, 0xC00},
    {"OPA_SURF", 17, 17, 0, 0},
    {"ZB_CLD_SURF", 18, 14, 0, 0},
    {"ZB_OVL_SURF", -1, 15, 0, 0},
    {"AA_ZB_TEX_TERR", 19, 16, 0, 0},
};

static bool find_named(int cycle, const char *name, tl_render_mode *out)
{
    return tl_render_mode_named(cycle, (trilo_str){name, strlen(name)}, out);
}

TEST(every_render_mode)
{
    for (size_t i = 0; i < sizeof mode_rows / sizeof *mode_rows; i++)
        for (int cycle = 0; cycle < 2; cycle++) {
            const mode_row *row = &mode_rows[i];
            const int index = cycle == 0 ? row->first : row->second;
            char name[40];
            tl_render_mode got = {1, 1};
            snprintf(name, sizeof name, "%s%s", row->name, cycle == 0 ? "" : "2");
            CHECK_INT(find_named(cycle, name, &got), index >= 0);
            CHECK(!find_named(!cycle, name, &(tl_render_mode){0, 0}));
            if (index < 0)
                continue;
            CHECK_INT(got.blender, row->blender);
            CHECK_INT(got.mode, row->mode);
            got = tl_render_mode_numbered(cycle, index);
            CHECK_INT(got.blender, row->blender);
            CHECK_INT(got.mode, row->mode);
            CHECK(index < (cycle == 0 ? TL_RENDER_MODES_1 : TL_RENDER_MODES_2));
        }
    CHECK_INT(TL_RENDER_MODES_1, 20);
    CHECK_INT(TL_RENDER_MODES_2, 18);
    CHECK(!find_named(0, "", &(tl_render_mode){0, 0}));
    CHECK(!find_named(0, "AA_ZB_OPA_SUR", &(tl_render_mode){0, 0}));
    CHECK(!find_named(1, "AA_ZB_OPA_SURF3", &(tl_render_mode){0, 0}));
    CHECK(!find_named(1, "AA_ZB_OPA_SURF22", &(tl_render_mode){0, 0}));
}

TEST_MAIN(CASE(every_field_of_the_other_modes), CASE(every_field_of_the_blender), CASE(selectors_of_the_blender),
          CASE(packing_every_formula), CASE(which_passes_run), CASE(two_passes_take_two_cycles),
          CASE(alpha_of_materials), CASE(every_render_mode))
