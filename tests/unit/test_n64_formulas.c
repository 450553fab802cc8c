/* Formulas of the combiner as text: every preset, every input in every slot, and what is refused with which words;
 * other modes of every setting as text. */
#include "harness.h"
#include "n64/combiner.h"
#include "n64/modes.h"
#include "support/numbers.h"

#include <stdio.h>
#include <string.h>

/* ---- presets ---- */

static const struct {
    const char *name, *first, *second; /* as they are printed; NULL: one cycle */
} presets[] = {
    {"FLAT", "(0,0,0,PRIM), (0,0,0,PRIM)", NULL},
    {"SHADE", "(0,0,0,SHADE), (0,0,0,SHADE)", NULL},
    {"TEX", "(0,0,0,TEX0), (0,0,0,TEX0)", NULL},
    {"TEX_FLAT", "(TEX0,0,PRIM,0), (TEX0,0,PRIM,0)", NULL},
    {"TEX_SHADE", "(TEX0,0,SHADE,0), (TEX0,0,SHADE,0)", NULL},
    {"Shaded Solid", "(0,0,0,SHADE), (0,0,0,1)", NULL},
    {"Shaded Texture", "(TEX0,0,SHADE,0), (0,0,0,1)", NULL},
    {"Shaded Texture Cutout", "(TEX0,0,SHADE,0), (0,0,0,TEX0)", NULL},
    {"Shaded Texture Transparent", "(TEX0,0,SHADE,0), (TEX0,0,PRIM,0)", NULL},
    {"Unlit Texture", "(0,0,0,TEX0), (0,0,0,1)", NULL},
    {"Unlit Texture Cutout", "(0,0,0,TEX0), (0,0,0,TEX0)", NULL},
    {"Decal On Shaded Solid", "(TEX0,SHADE,TEX0_ALPHA,SHADE), (0,0,0,1)", NULL},
    {"Shaded Environment Mapped", "(TEX0,0,SHADE,0), (0,0,0,1)", "(COMBINED,0,PRIM,0), (0,0,0,COMBINED)"},
    {"Shaded Multitexture Lerp", "(TEX1,TEX0,ENV_ALPHA,TEX0), (0,0,0,1)", "(COMBINED,0,SHADE,0), (0,0,0,COMBINED)"}};
enum { PRESETS = sizeof presets / sizeof *presets };

TEST(every_preset)
{
    for (size_t i = 0; i < PRESETS; i++) {
        uint64_t word = 0, same = 1, named = 2;
        char text[TL_CC_PRINT_ROOM], problem[120], macro[60];
        CHECK_STR(tl_cc_preset_at(i, &word), presets[i].name);
        CHECK(tl_cc_read(presets[i].first, presets[i].second, &same, problem, sizeof problem) && same == word);
        snprintf(macro, sizeof macro, "RDPQ_COMBINER_%s", presets[i].name);
        CHECK(tl_cc_read(macro, NULL, &named, problem, sizeof problem) && named == word);
        CHECK_INT(word >> 63, presets[i].second != NULL);
        tl_cc_print(word, 0, text, sizeof text);
        CHECK_STR(text, presets[i].first);
        tl_cc_print(word, 1, text, sizeof text);
        CHECK_STR(text, presets[i].second ? presets[i].second : presets[i].first);
    }
    uint64_t word = 5;
    CHECK(tl_cc_preset_at(PRESETS, &word) == NULL && word == 5);
}

/* ---- formulas ---- */

/* What each slot may have, by libdragon's names; the others are refused. */
static const char *const of_slots[8][18] = {
    {"0", "1", "TEX0", "TEX1", "PRIM", "SHADE", "ENV", "NOISE", "COMBINED"},
    {"0", "TEX0", "TEX1", "PRIM", "SHADE", "ENV", "KEYCENTER", "K4", "COMBINED"},
    {"0", "TEX0", "TEX1", "PRIM", "SHADE", "ENV", "KEYSCALE", "TEX0_ALPHA", "TEX1_ALPHA", "PRIM_ALPHA", "SHADE_ALPHA",
     "ENV_ALPHA", "LOD_FRAC", "PRIM_LOD_FRAC", "K5", "COMBINED", "COMBINED_ALPHA"},
    {"0", "1", "TEX0", "TEX1", "PRIM", "SHADE", "ENV", "COMBINED"},
    {"0", "1", "TEX0", "TEX1", "PRIM", "SHADE", "ENV", "COMBINED"},
    {"0", "1", "TEX0", "TEX1", "PRIM", "SHADE", "ENV", "COMBINED"},
    {"0", "TEX0", "TEX1", "PRIM", "SHADE", "ENV", "LOD_FRAC", "PRIM_LOD_FRAC"},
    {"0", "1", "TEX0", "TEX1", "PRIM", "SHADE", "ENV", "COMBINED"}};
static const char *const names[] = {
    "0",          "1",        "COMBINED",      "COMBINED_ALPHA", "TEX0",        "TEX0_ALPHA", "TEX1",
    "TEX1_ALPHA", "PRIM",     "PRIM_ALPHA",    "SHADE",          "SHADE_ALPHA", "ENV",        "ENV_ALPHA",
    "NOISE",      "LOD_FRAC", "PRIM_LOD_FRAC", "KEYCENTER",      "KEYSCALE",    "K4",         "K5"};
static const char *const slot_names[8] = {"colour A", "colour B", "colour C", "colour D",
                                          "alpha A",  "alpha B",  "alpha C",  "alpha D"};

static bool slot_has(int slot, const char *name)
{
    for (int i = 0; of_slots[slot][i]; i++)
        if (strcmp(of_slots[slot][i], name) == 0)
            return true;
    return false;
}

static void formula(char *out, size_t room, int slot, const char *name, const char *space)
{
    const char *in[8] = {"0", "0", "0", "0", "0", "0", "0", "0"};
    in[slot] = name;
    const char *b = space;
    snprintf(out, room, "%s(%s%s%s,%s%s,%s%s%s,%s)%s,%s(%s%s,%s%s%s,%s,%s%s%s)%s", b, b, in[0], b, b, in[1], b, in[2],
             b, in[3], b, b, b, in[4], b, in[5], b, in[6], b, in[7], b, b);
}

TEST(every_input_of_every_slot)
{
    static const char zero[] = "(0,0,0,0), (0,0,0,0)";
    for (int slot = 0; slot < 8; slot++)
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            for (int second = 0; second < 2; second++) {
                char text[200], spaced[200], plain[200], printed[TL_CC_PRINT_ROOM], problem[120] = "", want[120];
                uint64_t word = 0, same = 0;
                formula(plain, sizeof plain, slot, names[i], "");
                formula(spaced, sizeof spaced, slot, names[i], "  ");
                const bool early = !second && strncmp(names[i], "COMBINED", 8) == 0;
                const bool ok =
                    tl_cc_read(second ? zero : plain, second ? plain : NULL, &word, problem, sizeof problem);
                CHECK_INT(ok, slot_has(slot, names[i]) && !early);
                if (!ok) {
                    if (early)
                        snprintf(want, sizeof want, "%s is for the second of two cycles", names[i]);
                    else
                        snprintf(want, sizeof want, "\"%s\" cannot be %s of the combiner", names[i], slot_names[slot]);
                    CHECK_STR(problem, want);
                    continue;
                }
                CHECK(tl_cc_read(second ? zero : spaced, second ? spaced : NULL, &same, problem, sizeof problem));
                CHECK(same == word && word >> 63 == (uint64_t)second);
                /* What runs is that input; in the second cycle the texels have moved on. */
                const tl_combiner c = tl_combiner_decode(word);
                CHECK_INT(c.cycle_count, 1 + second);
                CHECK_INT(c.cycles[second][slot], i);
                tl_cc_print(word, second, printed, sizeof printed);
                snprintf(text, sizeof text, "(%s,%s,%s,%s), (%s,%s,%s,%s)", slot == 0 ? names[i] : "0",
                         slot == 1 ? names[i] : "0", slot == 2 ? names[i] : "0", slot == 3 ? names[i] : "0",
                         slot == 4 ? names[i] : "0", slot == 5 ? names[i] : "0", slot == 6 ? names[i] : "0",
                         slot == 7 ? names[i] : "0");
                CHECK_STR(printed, text);
                if (!second) { /* both halves have it */
                    tl_cc_print(word, 1, printed, sizeof printed);
                    CHECK_STR(printed, text);
                }
            }
}

TEST(formulas_that_are_none)
{
    static const char shape[] = "a formula is (A,B,C,D) for colour, a comma, and (A,B,C,D) for alpha";
    static const char *const rows[][2] = {
        {"(0,0,0,0)", shape},
        {"(0,0,0,0) (0,0,0,0)", shape},
        {"(0,0,0,0), 0,0,0,0)", shape},
        {"(0,0,0), (0,0,0,0)", shape},
        {"(0,0,0,0,0), (0,0,0,0)", shape},
        {"(0,0,0,0), (0,0,0,0", shape},
        {"(0,0,0,0), (0,0,0,0))", shape},
        {"(0,0,0,0), (0,0,0,0), 1", shape},
        {"(", "\"\" cannot be colour A of the combiner"},
        {"(0,0,0,0), (0,0,,0)", "\"\" cannot be alpha C of the combiner"},
        {"(0,tex0,0,0), (0,0,0,0)", "\"tex0\" cannot be colour B of the combiner"},
        {"(0,0,0,TEX), (0,0,0,0)", "\"TEX\" cannot be colour D of the combiner"},
        {"(0,0,0,abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz), (0,0,0,0)",
         "\"abcdefghijklmnopqrstuvwxyzabcdefghijklmn\" cannot be colour D of the combiner"},
        {"Tex_Shade",
         "there is no combiner \"Tex_Shade\"; TEX_SHADE, SHADE, TEX, FLAT and TEX_FLAT are some, or a formula "
         "such as (TEX0,0,SHADE,0), (0,0,0,1)"},
        {"", "there is no combiner \"\"; TEX_SHADE, SHADE, TEX, FLAT and TEX_FLAT are some, or a formula such as "
             "(TEX0,0,SHADE,0), (0,0,0,1)"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char problem[200];
        uint64_t word = 77;
        CHECK(!tl_cc_read(rows[i][0], NULL, &word, problem, sizeof problem) && word == 77);
        CHECK_STR(problem, rows[i][1]);
        if (rows[i][0][0] == '(')
            CHECK(!tl_cc_read("(0,0,0,0), (0,0,0,0)", rows[i][0], &word, problem, sizeof problem) && word == 77);
    }
    /* A name is no formula of one of two cycles. */
    char problem[200];
    uint64_t word;
    CHECK(!tl_cc_read("TEX", "(0,0,0,0), (0,0,0,0)", &word, problem, sizeof problem));
    CHECK_STR(problem, shape);
}

/* Any word is printed as a formula that means the same; in any room its beginning. */
TEST(formulas_are_cut_where_the_room_ends)
{
    uint64_t seed = 71;
    for (int round = 0; round < 40; round++) {
        const uint64_t word = random_bits(&seed);
        for (int half = 0; half < 2; half++) {
            char whole[TL_CC_PRINT_ROOM], cut[TL_CC_PRINT_ROOM];
            tl_cc_print(word, half, whole, sizeof whole);
            const size_t length = strlen(whole);
            CHECK(length > 10 && length < TL_CC_PRINT_ROOM - 1);
            for (size_t room = 1; room <= length + 1; room += 5) {
                memset(cut, 0x7E, sizeof cut);
                tl_cc_print(word, half, cut, room);
                CHECK(strlen(cut) == (room - 1 < length ? room - 1 : length) && memcmp(cut, whole, strlen(cut)) == 0);
                CHECK_INT(cut[room], 0x7E);
            }
        }
    }
}

/* ---- other modes ---- */

/* Depth, perspective, anti-aliasing and dither, each by itself and with any of its values. */
TEST(switches_of_other_modes)
{
    static const char *const colors[4] = {"square", "bayer", "noise", "none"},
                             *const alphas[4][4] = {{"square", "inverse square", "noise", "none"},
                                                    {"bayer", "inverse bayer", "noise", "none"},
                                                    {"square", "inverse square", "noise", "none"},
                                                    {"bayer", "inverse bayer", "noise", "none"}};
    char text[200], want[200];
    for (int color = 0; color < 4; color++)
        for (int alpha = 0; alpha < 4; alpha++) {
            const uint64_t mode = (uint64_t)color << 38 | (uint64_t)alpha << 36;
            trilo_n64_other_mode_text(mode, UINT64_C(0xF) << 36, text, sizeof text);
            snprintf(want, sizeof want, "dither %s/%s", colors[color], alphas[color][alpha]);
            CHECK_STR(text, want);
        }
    static const struct {
        uint64_t mode, mask;
        const char *text;
    } rows[] = {{0, 1 << 4, "no z compare"},
                {1 << 4, 1 << 4, "z compare"},
                {0, 1 << 5, "no z write"},
                {1 << 5, 1 << 5, "z write"},
                {0, UINT64_C(1) << 51, "no perspective"},
                {UINT64_C(1) << 51, UINT64_C(1) << 51, "perspective"},
                {0, 1 << 3, "no anti-aliasing"},
                {1 << 3, 1 << 3, "anti-aliasing"},
                {UINT64_C(1) << 34 | 1 << 3, UINT64_C(1) << 34 | 1 << 3, "reduced anti-aliasing"},
                {UINT64_C(1) << 34, UINT64_C(1) << 34 | 1 << 3, "no anti-aliasing"},
                {UINT64_C(1) << 34, UINT64_C(1) << 34, "bits 0x0000000400000000 to 0x0000000400000000"},
                {UINT64_C(1) << 38, UINT64_C(3) << 38, "bits 0x000000C000000000 to 0x0000004000000000"},
                {1 << 10, 1 << 10 | 1, "bits 0x0000000000000400 to 0x0000000000000400"},
                {1, 1 << 4 | 1, "alpha compare, no z compare"},
                {0, 1 << 4 | 1, "no z compare"},
                {UINT64_MAX, UINT64_C(0x000830F400000C39),
                 "average, z decal, alpha compare, z compare, z write, perspective, reduced anti-aliasing, dither "
                 "none/none"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        CHECK_INT(trilo_n64_other_mode_text(rows[i].mode, rows[i].mask, text, sizeof text), strlen(rows[i].text));
        CHECK_STR(text, rows[i].text);
    }
}

/* Numbers that are in no list are the plain mode. */
TEST(render_modes_that_are_none)
{
    static const int32_t behind[2] = {20, 18};
    for (int cycle = 0; cycle < 2; cycle++)
        for (int32_t i = 0; i < 3; i++) {
            const tl_render_mode mode = tl_render_mode_numbered(cycle, behind[cycle] + i);
            CHECK(mode.blender == 0 && mode.mode == 0);
        }
}

TEST_MAIN(CASE(every_preset), CASE(every_input_of_every_slot), CASE(formulas_that_are_none),
          CASE(formulas_are_cut_where_the_room_ends), CASE(switches_of_other_modes), CASE(render_modes_that_are_none))
