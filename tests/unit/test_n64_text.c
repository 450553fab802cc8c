#include "harness.h"
#include "trilobite/n64.h"

#include <stdio.h>
#include <string.h>

enum { ROOM = 400 };

static const char *combiner(uint64_t value)
{
    static char text[ROOM];
    const size_t length = trilo_n64_combiner_text(value, text, sizeof text);
    CHECK_INT(length, strlen(text));
    return text;
}

static const char *other_mode(uint64_t value, uint64_t mask)
{
    static char text[ROOM];
    const size_t length = trilo_n64_other_mode_text(value, mask, text, sizeof text);
    CHECK_INT(length, strlen(text));
    return text;
}

static const char *blender(uint32_t value)
{
    static char text[ROOM];
    const size_t length = trilo_n64_blender_text(value, text, sizeof text);
    CHECK_INT(length, strlen(text));
    return text;
}

static const char *flags(uint32_t value)
{
    static char text[ROOM];
    const size_t length = trilo_n64_flags_text(value, text, sizeof text);
    CHECK_INT(length, strlen(text));
    return text;
}

/* Values of real files, taken apart by hand. */
TEST(combiners_by_hand)
{
    CHECK_STR(combiner(UINT64_C(0x8012160388FFFFF8)), "1: rgb (TEX0 - 0) * SHADE + 0, a (TEX0 - 0) * PRIM + 0; "
                                                      "2: rgb (COMBINED - 0) * PRIM + 0, a (0 - 0) * 0 + COMBINED");
    CHECK_STR(combiner(UINT64_C(0x00127E2488FFFDFE)), "rgb (TEX0 - 0) * SHADE + 0, a (0 - 0) * 0 + 1");
    CHECK_STR(combiner(UINT64_C(0x80227E6018FCFDF8)), "1: rgb (TEX1 - TEX0) * SHADE + TEX0, a (0 - 0) * 0 + 1; "
                                                      "2: rgb (PRIM - 0) * COMBINED + 0, a (0 - 0) * 0 + COMBINED");
    CHECK_STR(combiner(0), "leave as it is");
}

static const int color_shifts[2][4] = {{52, 28, 47, 15}, {37, 24, 32, 6}};
static const int alpha_shifts[2][4] = {{44, 12, 41, 9}, {21, 3, 18, 0}};

static uint64_t in_slots(const int shifts[4], const unsigned values[4])
{
    uint64_t bits = 0;
    for (int i = 0; i < 4; i++)
        bits |= (uint64_t)values[i] << shifts[i];
    return bits;
}

/* The same value in all slots of both cycles. */
static uint64_t everywhere(unsigned value)
{
    const unsigned all[4] = {value, value, value, value};
    return in_slots(color_shifts[0], all) | in_slots(color_shifts[1], all) | in_slots(alpha_shifts[0], all) |
           in_slots(alpha_shifts[1], all);
}

TEST(each_input_of_each_slot)
{
    static const char *const formulas[8] = {
        "rgb (COMBINED - COMBINED) * COMBINED + COMBINED, a (COMBINED - COMBINED) * LOD + COMBINED",
        "rgb (TEX0 - TEX0) * TEX0 + TEX0, a (TEX0 - TEX0) * TEX0 + TEX0",
        "rgb (TEX1 - TEX1) * TEX1 + TEX1, a (TEX1 - TEX1) * TEX1 + TEX1",
        "rgb (PRIM - PRIM) * PRIM + PRIM, a (PRIM - PRIM) * PRIM + PRIM",
        "rgb (SHADE - SHADE) * SHADE + SHADE, a (SHADE - SHADE) * SHADE + SHADE",
        "rgb (ENV - ENV) * ENV + ENV, a (ENV - ENV) * ENV + ENV",
        "rgb (1 - KEYCENTER) * KEYSCALE + 1, a (1 - 1) * PRIM_LOD + 1",
        "rgb (NOISE - K4) * COMBINED_A + 0, a (0 - 0) * 0 + 0",
    };
    for (unsigned value = 1; value < 8; value++) /* 0 everywhere: leaves the pipeline alone */
        CHECK_STR(combiner(everywhere(value)), formulas[value]);
    char both[ROOM];
    snprintf(both, sizeof both, "1: %s; 2: %s", formulas[0], formulas[0]);
    CHECK_STR(combiner(UINT64_C(1) << 63), both);
}

/* The inputs that only rgb C has, and the ranges that are zero. */
TEST(wide_inputs)
{
    static const char *const names[24] = {[8] = "TEX0_A", [9] = "TEX1_A", [10] = "PRIM_A",   [11] = "SHADE_A",
                                          [12] = "ENV_A", [13] = "LOD",   [14] = "PRIM_LOD", [15] = "K5"};
    for (unsigned value = 8; value < 32; value++) {
        const unsigned small = value < 16 ? value : 8;
        const unsigned colors[4] = {small, small, value, 7}, alphas[4] = {7, 7, 7, 7};
        const uint64_t first = in_slots(color_shifts[0], colors) | in_slots(alpha_shifts[0], alphas);
        const uint64_t second = in_slots(color_shifts[1], colors) | in_slots(alpha_shifts[1], alphas);
        char want[ROOM];
        snprintf(want, sizeof want, "rgb (0 - 0) * %s + 0, a (0 - 0) * 0 + 0",
                 value < 16 && names[value] ? names[value] : "0");
        CHECK_STR(combiner(first | second), want);
    }
}

TEST(second_cycle_swaps_textures)
{
    const unsigned colors[2][4] = {{1, 2, 8, 1}, {1, 2, 8, 2}}, alphas[2][4] = {{1, 2, 1, 2}, {2, 1, 2, 1}};
    const uint64_t halves = in_slots(color_shifts[0], colors[0]) | in_slots(alpha_shifts[0], alphas[0]) |
                            in_slots(color_shifts[1], colors[1]) | in_slots(alpha_shifts[1], alphas[1]);
    CHECK_STR(combiner(halves | UINT64_C(1) << 63),
              "1: rgb (TEX0 - TEX1) * TEX0_A + TEX0, a (TEX0 - TEX1) * TEX0 + TEX1; "
              "2: rgb (TEX1 - TEX0) * TEX1_A + TEX0, a (TEX0 - TEX1) * TEX0 + TEX1");
    const unsigned other_alpha[4] = {1, 2, 2, 1};
    const uint64_t swapped = UINT64_C(1) << 63 | in_slots(color_shifts[1], (const unsigned[4]){3, 4, 9, 5}) |
                             in_slots(alpha_shifts[1], other_alpha);
    CHECK(strstr(combiner(swapped), "; 2: rgb (PRIM - SHADE) * TEX0_A + ENV, a (TEX1 - TEX0) * TEX0 + TEX1") != NULL);
    /* One cycle: the halves ought to be equal; when they are not, both are told, as they are stored. */
    CHECK_STR(combiner(halves), "rgb (TEX0 - TEX1) * TEX0_A + TEX0, a (TEX0 - TEX1) * TEX0 + TEX1; "
                                "second half rgb (TEX0 - TEX1) * TEX0_A + TEX1, a (TEX1 - TEX0) * TEX1 + TEX0");
}

TEST(other_modes)
{
    const uint64_t all = UINT64_C(0x300000000C01), some = UINT64_C(0x300000000001);
    CHECK_STR(other_mode(UINT64_C(0x200000000000), all), "bilinear, z opaque");
    CHECK_STR(other_mode(UINT64_C(0x200000000C00), all), "bilinear, z decal");
    CHECK_STR(other_mode(UINT64_C(0x200000000001), all), "bilinear, z opaque, alpha compare");
    CHECK_STR(other_mode(UINT64_C(0x300000000400), all), "average, z interpenetrating");
    CHECK_STR(other_mode(UINT64_C(0x000000000800), all), "point, z transparent");
    CHECK_STR(other_mode(UINT64_C(0x100000000000), some), "sampling 1");
    CHECK_STR(other_mode(UINT64_C(0x200000000C01), some), "bilinear, alpha compare");
    CHECK_STR(other_mode(UINT64_MAX, 0), "leave as it is");
    CHECK_STR(other_mode(0, 1), "no alpha compare");
    CHECK_STR(other_mode(1, 1), "alpha compare");
    CHECK_STR(other_mode(UINT64_C(0x10), UINT64_C(0xC30)), "z opaque, z compare, no z write");
    CHECK_STR(other_mode(UINT64_MAX, UINT64_C(0x8000100000000000)),
              "bits 0x8000100000000000 to 0x8000100000000000"); /* half of a field has no name */
}

TEST(blenders)
{
    CHECK_STR(blender(0), "none");
    CHECK_STR(blender(0x00500040), "alpha multiply");
    CHECK_STR(blender(0x05500040), "multiply const");
    CHECK_STR(blender(0x005A0040), "additive");
    CHECK_STR(blender(0x0F5A0040), "0x0F5A0040 (P 0, A 3, Q 1, B 2)");
    CHECK_STR(blender(0xF0A50040), "0xF0A50040 (P 3, A 0, Q 2, B 1)");
    CHECK_STR(blender(0x05500000), "0x05500000 (P 0, A 1, Q 1, B 0)");
    CHECK_STR(blender(0x1B1B0000), "0x1B1B0000 (1: P 0, A 2, Q 0, B 2; 2: P 1, A 3, Q 1, B 3)");
}

TEST(draw_flags)
{
    CHECK_STR(flags(0), "none");
    CHECK_STR(flags(0x17), "depth, textured, shaded, cull back");
    CHECK_STR(flags(0x13), "depth, textured, cull back");
    CHECK_STR(flags(TRILO_N64_CULL_FRONT | TRILO_N64_UNLIT), "cull front, unlit");
    CHECK_STR(flags(0x80000021), "depth, bits 0x80000020");
    CHECK_STR(flags(0x20), "bits 0x00000020");
}

TEST(effects)
{
    static const char *const names[7] = {
        "none", "spherical UV", "cel shade by colour", "cel shade by alpha", "outline", "UV offset", "unknown"};
    for (uint8_t i = 0; i < 7; i++)
        CHECK_STR(trilo_n64_effect_name(i), names[i]);
    CHECK_STR(trilo_n64_effect_name(255), "unknown");
}

/* Every room from none to plenty: the beginning of the text, its end, and not a byte behind it. */
typedef size_t text_fn(char *out, size_t room);

static size_t some_combiner(char *out, size_t room)
{
    return trilo_n64_combiner_text(UINT64_C(0x8012160388FFFFF8), out, room);
}

static size_t some_other_mode(char *out, size_t room)
{
    return trilo_n64_other_mode_text(UINT64_C(0x200000000031), UINT64_C(0x300000000C31), out, room);
}

static size_t some_blender(char *out, size_t room)
{
    return trilo_n64_blender_text(0x1B1B0000, out, room);
}

static size_t some_flags(char *out, size_t room)
{
    return trilo_n64_flags_text(0xFFFFFFFF, out, room);
}

static void check_rooms(text_fn *text)
{
    char whole[ROOM];
    const size_t length = text(whole, sizeof whole);
    CHECK(length > 20 && length < ROOM);
    CHECK_INT(text(NULL, 0), length);
    for (size_t room = 1; room <= length + 2; room++) {
        char cut[ROOM];
        memset(cut, 0x7E, sizeof cut);
        CHECK_INT(text(cut, room), length);
        const size_t fits = room - 1 < length ? room - 1 : length;
        CHECK_INT(strlen(cut), fits);
        CHECK(memcmp(cut, whole, fits) == 0);
        for (size_t i = fits + 1; i < sizeof cut; i++)
            CHECK_INT(cut[i], 0x7E);
    }
}

TEST(cut_where_the_room_ends)
{
    check_rooms(some_combiner);
    check_rooms(some_other_mode);
    check_rooms(some_blender);
    check_rooms(some_flags);
}

TEST_MAIN(CASE(combiners_by_hand), CASE(each_input_of_each_slot), CASE(wide_inputs), CASE(second_cycle_swaps_textures),
          CASE(other_modes), CASE(blenders), CASE(draw_flags), CASE(effects), CASE(cut_where_the_room_ends))
