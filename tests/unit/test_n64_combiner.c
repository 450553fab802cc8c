/* The combiner's word against libdragon's macros (rdpq_macros.h): every selector of every slot in both halves. */
#include "harness.h"
#include "n64/combiner.h"
#include "trilobite/n64.h"

#include <string.h>

typedef struct slot_row {
    const char *name;
    unsigned shifts[2], width;
} slot_row;

/* RGB A, B, C, D, then alpha A, B, C, D. */
static const slot_row slot_rows[8] = {{"rgb A", {52, 37}, 4},   {"rgb B", {28, 24}, 4},   {"rgb C", {47, 32}, 5},
                                      {"rgb D", {15, 6}, 3},    {"alpha A", {44, 21}, 3}, {"alpha B", {12, 3}, 3},
                                      {"alpha C", {41, 18}, 3}, {"alpha D", {9, 0}, 3}};

enum {
    ZERO = TL_CC_ZERO,
    ONE = TL_CC_ONE,
    COMB = TL_CC_COMBINED,
    COMB_A = TL_CC_COMBINED_ALPHA,
    TEX0 = TL_CC_TEX0,
    TEX0_A = TL_CC_TEX0_ALPHA,
    TEX1 = TL_CC_TEX1,
    TEX1_A = TL_CC_TEX1_ALPHA,
    PRIM = TL_CC_PRIM,
    PRIM_A = TL_CC_PRIM_ALPHA,
    SHADE = TL_CC_SHADE,
    SHADE_A = TL_CC_SHADE_ALPHA,
    ENV = TL_CC_ENV,
    ENV_A = TL_CC_ENV_ALPHA,
    NOISE = TL_CC_NOISE,
    LOD = TL_CC_LOD,
    PRIM_LOD = TL_CC_PRIM_LOD,
    CENTER = TL_CC_KEY_CENTER,
    SCALE = TL_CC_KEY_SCALE,
    K4 = TL_CC_K4,
    K5 = TL_CC_K5
};

/* Rows are selectors, columns slots; what a slot is too narrow for is not looked at. */
static const uint8_t published[32][8] = {
    {COMB, COMB, COMB, COMB, COMB, COMB, LOD, COMB},
    {TEX0, TEX0, TEX0, TEX0, TEX0, TEX0, TEX0, TEX0},
    {TEX1, TEX1, TEX1, TEX1, TEX1, TEX1, TEX1, TEX1},
    {PRIM, PRIM, PRIM, PRIM, PRIM, PRIM, PRIM, PRIM},
    {SHADE, SHADE, SHADE, SHADE, SHADE, SHADE, SHADE, SHADE},
    {ENV, ENV, ENV, ENV, ENV, ENV, ENV, ENV},
    {ONE, CENTER, SCALE, ONE, ONE, ONE, PRIM_LOD, ONE},
    {NOISE, K4, COMB_A, ZERO, ZERO, ZERO, ZERO, ZERO},
    {ZERO, ZERO, TEX0_A},
    {ZERO, ZERO, TEX1_A},
    {ZERO, ZERO, PRIM_A},
    {ZERO, ZERO, SHADE_A},
    {ZERO, ZERO, ENV_A},
    {ZERO, ZERO, LOD},
    {ZERO, ZERO, PRIM_LOD},
    {ZERO, ZERO, K5}, /* 16 to 31: zero */
};

/* All selectors zero but this one. */
static uint64_t word_with(int slot, int half, unsigned selector)
{
    return (uint64_t)selector << slot_rows[slot].shifts[half];
}

/* In the second of two cycles the texels have moved on. */
static uint8_t moved_on(uint8_t input)
{
    return input == TEX0 ? TEX1 : input == TEX1 ? TEX0 : input == TEX0_A ? TEX1_A : input == TEX1_A ? TEX0_A : input;
}

/* Before the first cycle nothing is combined. */
static uint8_t at_first(uint8_t input)
{
    return input == COMB || input == COMB_A ? ZERO : input;
}

TEST(every_selector_of_every_slot)
{
    const uint64_t two = UINT64_C(1) << 63;
    for (int slot = 0; slot < 8; slot++)
        for (unsigned selector = 0; selector < 1u << slot_rows[slot].width; selector++) {
            const uint8_t want = published[selector][slot];
            if (tl_cc_select(slot, (uint8_t)selector) != want)
                FAIL("%s, selector %u is input %d, not %d", slot_rows[slot].name, selector,
                     tl_cc_select(slot, (uint8_t)selector), want);
            for (int half = 0; half < 2; half++) {
                const uint64_t word = word_with(slot, half, selector);
                const tl_combiner one = tl_combiner_decode(word), both = tl_combiner_decode(two | word);
                CHECK_INT(tl_cc_unpack(word).cycles[half][slot], selector);
                CHECK_INT(tl_cc_unpack(word).cycles[!half][slot], 0);
                CHECK_INT(one.cycle_count, 1);
                CHECK_INT(both.cycle_count, 2);
                /* a single cycle is the second half */
                CHECK_INT(one.cycles[0][slot], at_first(half == 1 ? want : published[0][slot]));
                CHECK_INT(both.cycles[0][slot], at_first(half == 0 ? want : published[0][slot]));
                CHECK_INT(both.cycles[1][slot], moved_on(half == 1 ? want : published[0][slot]));
            }
        }
}

/* One slot is changed at a time; the others select LOD (alpha C) and COMBINED. */
TEST(inputs_that_are_used)
{
    const uint64_t two = UINT64_C(1) << 63;
    for (int slot = 0; slot < 8; slot++)
        for (unsigned selector = 0; selector < 1u << slot_rows[slot].width; selector++)
            for (int half = 0; half < 2; half++) {
                const uint64_t word = word_with(slot, half, selector);
                const uint8_t input = published[selector][slot];
                const uint32_t rest = 1u << COMB | 1u << LOD;
                CHECK_INT(tl_cc_selected(word) & ~rest, 1u << input & ~rest);
                CHECK_INT(tl_cc_selected(two | word), tl_cc_selected(word));
                const uint32_t runs = half == 1 ? 1u << at_first(input) : 0;
                CHECK_INT(tl_combiner_decode(word).used & ~(rest | 1u), runs & ~(rest | 1u));
                const uint32_t second = half == 1 ? 1u << moved_on(input) : 1u << at_first(input);
                CHECK_INT(tl_combiner_decode(two | word).used & ~(rest | 1u), second & ~(rest | 1u));
            }
    CHECK_INT(TL_CC_USES_TEX0, 1u << TEX0 | 1u << TEX0_A);
    CHECK_INT(TL_CC_USES_TEX1, 1u << TEX1 | 1u << TEX1_A);
    CHECK_INT(TL_CC_USES_SHADE, 1u << SHADE | 1u << SHADE_A);
}

/* Bits 62 to 56 are no part of the value. */
TEST(packing_gives_the_word_back)
{
    uint64_t word = 1;
    for (int i = 0; i < 64; i++) {
        const tl_cc_selectors one = tl_cc_unpack(UINT64_C(1) << i);
        CHECK(tl_cc_pack(&one) == (i >= 56 && i < 63 ? 0 : UINT64_C(1) << i));
    }
    for (int i = 0; i < 10000; i++) {
        word = word * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        const tl_cc_selectors selectors = tl_cc_unpack(word);
        CHECK(tl_cc_pack(&selectors) == (word & UINT64_C(0x80FFFFFFFFFFFFFF)));
    }
}

/* Formulas and the words that libdragon's own macros give for them. */
TEST(words_of_libdragon)
{
    static const struct {
        uint64_t word;
        tl_cc_selectors selectors;
    } cases[] = {
        {0x00887f1088fdf6fb, {false, {{8, 8, 16, 3, 7, 7, 7, 3}, {8, 8, 16, 3, 7, 7, 7, 3}}}}, /* PRIM */
        {0x00887f1088fe793c, {false, {{8, 8, 16, 4, 7, 7, 7, 4}, {8, 8, 16, 4, 7, 7, 7, 4}}}}, /* SHADE */
        {0x001218248833ffff, {false, {{1, 8, 4, 7, 1, 7, 4, 7}, {1, 8, 4, 7, 1, 7, 4, 7}}}},   /* TEX0 * SHADE */
        {0x0015102a5522773b, {false, {{1, 5, 10, 4, 1, 7, 0, 3}, {1, 5, 10, 4, 1, 7, 0, 3}}}},
        {0x0077ecef77db7fbf, {false, {{7, 7, 15, 6, 6, 7, 6, 7}, {7, 7, 15, 6, 6, 7, 6, 7}}}},
        {0x80127e0388fff3f8, {true, {{1, 8, 4, 7, 7, 7, 7, 1}, {0, 8, 3, 7, 7, 7, 7, 0}}}},
        {0x8026a00715309245, {true, {{2, 1, 13, 1, 2, 1, 0, 1}, {0, 5, 7, 1, 1, 0, 4, 5}}}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const tl_cc_selectors got = tl_cc_unpack(cases[i].word);
        CHECK_INT(got.two_cycles, cases[i].selectors.two_cycles);
        CHECK(memcmp(got.cycles, cases[i].selectors.cycles, sizeof got.cycles) == 0);
        CHECK(tl_cc_pack(&cases[i].selectors) == cases[i].word);
    }
}

/* What the word computes, colour (A - B) * C + D and alpha, for each kind of material. */
TEST(plain_words)
{
    enum { NO = TL_CC_ZERO, TEX = TL_CC_TEX0, SHD = TL_CC_SHADE, WHITE = TL_CC_ONE };
    static const struct {
        bool textured, shaded;
        trilo_alpha alpha;
        uint8_t rgb_a, rgb_c, rgb_d, alpha_a, alpha_c, alpha_d;
    } cases[] = {
        {false, true, TRILO_ALPHA_OPAQUE, NO, NO, SHD, NO, NO, WHITE},
        {false, true, TRILO_ALPHA_CUTOUT, NO, NO, SHD, NO, NO, SHD},
        {false, true, TRILO_ALPHA_BLEND, NO, NO, SHD, NO, NO, SHD},
        {false, false, TRILO_ALPHA_OPAQUE, NO, NO, SHD, NO, NO, WHITE},
        {true, false, TRILO_ALPHA_OPAQUE, NO, NO, TEX, NO, NO, WHITE},
        {true, false, TRILO_ALPHA_CUTOUT, NO, NO, TEX, NO, NO, TEX},
        {true, false, TRILO_ALPHA_BLEND, NO, NO, TEX, NO, NO, TEX},
        {true, true, TRILO_ALPHA_OPAQUE, TEX, SHD, NO, NO, NO, WHITE},
        {true, true, TRILO_ALPHA_CUTOUT, TEX, SHD, NO, NO, NO, TEX},
        {true, true, TRILO_ALPHA_BLEND, TEX, SHD, NO, TEX, SHD, NO},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const uint64_t word = tl_cc_plain(cases[i].textured, cases[i].shaded, cases[i].alpha);
        const tl_combiner c = tl_combiner_decode(word);
        const uint8_t want[] = {cases[i].rgb_a,   NO, cases[i].rgb_c,   cases[i].rgb_d,
                                cases[i].alpha_a, NO, cases[i].alpha_c, cases[i].alpha_d};
        const tl_cc_selectors halves = tl_cc_unpack(word);
        CHECK_INT(c.cycle_count, 1);
        CHECK(memcmp(halves.cycles[0], halves.cycles[1], sizeof halves.cycles[0]) == 0);
        for (int k = 0; k < TL_CC_SLOTS; k++)
            CHECK_INT(c.cycles[0][k], want[k]);
    }
}

TEST_MAIN(CASE(every_selector_of_every_slot), CASE(inputs_that_are_used), CASE(packing_gives_the_word_back),
          CASE(words_of_libdragon), CASE(plain_words))
