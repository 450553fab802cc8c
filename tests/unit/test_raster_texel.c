/* Tiles and filters against values worked out by hand. */
#include "harness.h"
#include "raster/renderer.h"
#include "raster/sample_texture.h"

#include <string.h>

/* 2 by 2; alpha is 255 without red. */
static const uint8_t square[4][4] = {{0, 1, 2, 255}, {40, 5, 6, 215}, {100, 9, 10, 155}, {160, 13, 14, 95}};

/* 8 by 2: red is the column, green the row. */
static const uint8_t wide[16][4] = {{0, 0, 0, 0}, {1, 0, 0, 0}, {2, 0, 0, 0}, {3, 0, 0, 0}, {4, 0, 0, 0}, {5, 0, 0, 0},
                                    {6, 0, 0, 0}, {7, 0, 0, 0}, {0, 1, 0, 0}, {1, 1, 0, 0}, {2, 1, 0, 0}, {3, 1, 0, 0},
                                    {4, 1, 0, 0}, {5, 1, 0, 0}, {6, 1, 0, 0}, {7, 1, 0, 0}};

static const trilo_n64_axis repeat = {.low = 0, .high = 7}, clamp = {.low = 0, .high = 7, .clamp = true};

static int32_t column(const tl_axis *axis, int32_t s)
{
    const tl_tile tile = {.texels = wide, .s = *axis, .t = tl_axis_plain(TRILO_WRAP_CLAMP, 2)};
    int32_t out[4];
    tl_tile_sample(&tile, TL_FILTER_POINT, s, 0, out);
    return out[0];
}

TEST(shifts_keep_the_sign)
{
    CHECK_INT(-33 >> 5, -2);
    CHECK_INT((int16_t)(uint16_t)(uint32_t)-70000, -4464);
}

TEST(a_tile_repeats)
{
    const tl_axis axis = tl_axis_n64(&repeat, 8);
    CHECK_INT(column(&axis, 0), 0);
    CHECK_INT(column(&axis, 31), 0); /* coordinates are 1/32 texel, from its left edge */
    CHECK_INT(column(&axis, 32), 1);
    CHECK_INT(column(&axis, 8 * 32), 0);
    CHECK_INT(column(&axis, -1), 7);
    CHECK_INT(column(&axis, 1000 * 32 + 3 * 32), 3);
}

TEST(a_tile_clamps)
{
    const tl_axis axis = tl_axis_n64(&clamp, 8);
    CHECK_INT(column(&axis, -500), 0);
    CHECK_INT(column(&axis, 7 * 32 + 31), 7);
    CHECK_INT(column(&axis, 9 * 32), 7);
    CHECK_INT(column(&axis, 32000), 7);
}

/* 0 to 15 are two copies: the second one is seen, then it stops. */
TEST(a_tile_clamps_after_two_copies)
{
    const trilo_n64_axis two = {.low = 0, .high = 15, .clamp = true};
    const tl_axis axis = tl_axis_n64(&two, 8);
    CHECK_INT(column(&axis, 10 * 32), 2);
    CHECK_INT(column(&axis, 15 * 32), 7);
    CHECK_INT(column(&axis, 16 * 32), 7);
    CHECK_INT(column(&axis, 20 * 32), 7);
    CHECK_INT(column(&axis, -32), 0);
}

TEST(a_tile_mirrors)
{
    trilo_n64_axis mirrored = repeat;
    mirrored.mirror = true;
    const tl_axis axis = tl_axis_n64(&mirrored, 8);
    CHECK_INT(column(&axis, 7 * 32), 7);
    CHECK_INT(column(&axis, 8 * 32), 7);
    CHECK_INT(column(&axis, 10 * 32), 5);
    CHECK_INT(column(&axis, 15 * 32), 0);
    CHECK_INT(column(&axis, 16 * 32), 0);
    CHECK_INT(column(&axis, -1), 0);
    CHECK_INT(column(&axis, -33), 1);
}

TEST(a_tile_is_shifted_and_moved)
{
    trilo_n64_axis shifted = repeat;
    shifted.shift = 1;
    tl_axis axis = tl_axis_n64(&shifted, 8);
    CHECK_INT(column(&axis, 6 * 32), 3);
    shifted.shift = -1;
    axis = tl_axis_n64(&shifted, 8);
    CHECK_INT(column(&axis, 3 * 32), 6);
    CHECK_INT(column(&axis, 20000), (40000 - 65536 + 65536 * 16) / 32 % 8); /* 16 bits are kept */
    shifted.shift = 0;
    shifted.low = 2.5f;
    axis = tl_axis_n64(&shifted, 8);
    CHECK_INT(column(&axis, 3 * 32), 0);
    CHECK_INT(column(&axis, 5 * 32), 2);
    CHECK_INT(column(&axis, 0), 5); /* -2.5 */
}

/* A tile has four bits for a shift: 1 to 10 to the right, 1 to 5 to the left. */
TEST(shifts_are_limited)
{
    static const int8_t given[] = {-6, -5, 10, 11}, kept[] = {-5, -5, 10, 10};
    for (int i = 0; i < 4; i++) {
        trilo_n64_axis shifted = repeat;
        shifted.shift = given[i];
        CHECK_INT(tl_axis_n64(&shifted, 8).shift, kept[i]);
    }
}

/* Not a tile of the console: any size repeats. */
TEST(six_texels_repeat_and_mirror)
{
    tl_axis axis = tl_axis_plain(TRILO_WRAP_REPEAT, 6);
    CHECK_INT(column(&axis, 7 * 32), 1);
    CHECK_INT(column(&axis, -32), 5);
    axis = tl_axis_plain(TRILO_WRAP_MIRROR, 6);
    CHECK_INT(column(&axis, 6 * 32), 5);
    CHECK_INT(column(&axis, 11 * 32), 0);
    CHECK_INT(column(&axis, 12 * 32), 0);
    axis = tl_axis_plain(TRILO_WRAP_CLAMP, 6);
    CHECK_INT(column(&axis, 6 * 32), 5);
    CHECK_INT(column(&axis, -5), 0);
}

TEST(odd_axes_are_harmless)
{
    const trilo_n64_axis odd = {.low = __builtin_nanf(""), .high = __builtin_inff(), .shift = 127, .clamp = true};
    const trilo_n64_axis far = {.low = -1e30f, .high = 1e30f, .shift = -128};
    const tl_axis a = tl_axis_n64(&odd, 8), b = tl_axis_n64(&far, 8);
    for (int32_t s = -32768; s < 32768; s += 97) {
        CHECK(column(&a, s) >= 0 && column(&a, s) < 8);
        CHECK(column(&b, s) >= 0 && column(&b, s) < 8);
    }
}

/* ---- filters ---- */

static int32_t sample(tl_filter filter, int32_t s, int32_t t, int32_t *alpha)
{
    const trilo_image image = {2, 2, square};
    const tl_axis axis = tl_axis_plain(TRILO_WRAP_REPEAT, 2);
    tl_tile tile = tl_tile_of(&image, axis, axis);
    CHECK(tile.simple);
    int32_t out[4], other[4];
    tl_tile_sample(&tile, filter, s, t, out);
    tile.simple = false; /* the long way to the same texels */
    tl_tile_sample(&tile, filter, s, t, other);
    CHECK(memcmp(out, other, sizeof out) == 0);
    *alpha = out[3];
    return out[0];
}

TEST(point_takes_the_texel)
{
    int32_t alpha;
    CHECK_INT(sample(TL_FILTER_POINT, 31, 31, &alpha), 0);
    CHECK_INT(alpha, 255);
    CHECK_INT(sample(TL_FILTER_POINT, 32, 63, &alpha), 160);
}

/* Upper triangle: 0 + (8 * 40 + 16 * 100 + 16) >> 5 = 60; lower: 160 + (4 * (100 - 160) + 8 * (40 - 160) + 16) >> 5,
 * which is 160 - 37: -1184 / 32. On the diagonal both say the same; the lower one is taken. */
TEST(three_points)
{
    int32_t alpha;
    CHECK_INT(sample(TL_FILTER_BILINEAR, 0, 0, &alpha), 0);
    CHECK_INT(sample(TL_FILTER_BILINEAR, 8, 16, &alpha), 60);
    CHECK_INT(alpha, 255 + ((8 * -40 + 16 * -100 + 16) >> 5));
    CHECK_INT(sample(TL_FILTER_BILINEAR, 28, 24, &alpha), 123);
    CHECK_INT(sample(TL_FILTER_BILINEAR, 16, 16, &alpha), 70);     /* 160 + (16 * -60 + 16 * -120 + 16) >> 5 */
    CHECK_INT(sample(TL_FILTER_BILINEAR, 32 + 16, 0, &alpha), 20); /* the neighbour of 40 is the first one again */
}

/* (0 + 40 + 100 + 160 + 2) >> 2 at the very middle, elsewhere as above. */
TEST(average_in_the_middle)
{
    int32_t alpha;
    CHECK_INT(sample(TL_FILTER_MEDIAN, 16, 16, &alpha), 75);
    CHECK_INT(alpha, (255 + 215 + 155 + 95 + 2) / 4);
    CHECK_INT(sample(TL_FILTER_MEDIAN, 8, 16, &alpha), 60);
}

/* Glyphs of a checkerboard's label, from the pixel at 1, 1 on: the first and last digit and letter, what is neither,
 * and what comes right before and after them and has none. */
TEST(glyphs_of_a_label)
{
    static const struct {
        const char *sign, *rows[5];
    } signs[] = {{".", {"   ", "   ", "   ", "   ", " # "}}, {"_", {"   ", "   ", "   ", "   ", "###"}},
                 {"-", {"   ", "   ", "###", "   ", "   "}}, {"0", {"###", "# #", "# #", "# #", "###"}},
                 {"9", {"###", "# #", "###", "  #", "###"}}, {"a", {" # ", "# #", "###", "# #", "# #"}},
                 {"A", {" # ", "# #", "###", "# #", "# #"}}, {"z", {"###", "  #", " # ", "#  ", "###"}},
                 {"Z", {"###", "  #", " # ", "#  ", "###"}}, {"/", {"   ", "   ", "   ", "   ", "   "}},
                 {":", {"   ", "   ", "   ", "   ", "   "}}, {"@", {"   ", "   ", "   ", "   ", "   "}},
                 {"[", {"   ", "   ", "   ", "   ", "   "}}, {"`", {"   ", "   ", "   ", "   ", "   "}},
                 {"{", {"   ", "   ", "   ", "   ", "   "}}};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        tl_arena arena;
        trilo_image image;
        tl_arena_init(&arena, NULL);
        CHECK(tl_checkerboard(&arena, 8, 8, (trilo_str){signs[i].sign, 1}, &image));
        for (int row = 0; row < 5; row++)
            for (int column = 0; column < 3; column++) {
                const uint8_t *pixel = image.pixels[(row + 1) * 8 + column + 1];
                const bool white = pixel[0] == 255 && pixel[1] == 255 && pixel[2] == 255;
                if (white != (signs[i].rows[row][column] == '#'))
                    FAIL("%s: row %d, column %d", signs[i].sign, row, column);
            }
        tl_arena_free(&arena);
    }
}

/* All digits and letters, as they are meant to look; a label goes on in the next line, each sign 4 by 6 pixels. */
TEST(every_digit_and_letter)
{
    static const char *const looks[3][5] = {
        {"###  #  ### ### # # ### ### ### ### ###  #  ## ", "# # ##    #   # # # #   #     # # # # # # # # #",
         "# #  #  ### ### ### ### ###   # ### ### ### ## ", "# #  #  #     #   #   # # #   # # #   # # # # #",
         "### ### ### ###   # ### ###   # ### ### # # ## "},
        {" ## ##  ### ###  ## # # ###   # # # #   # # ## ", "#   # # #   #   #   # #  #    # # # #   ### # #",
         "#   # # ##  ##  # # ###  #    # ##  #   ### # #", "#   # # #   #   # # # #  #  # # # # #   # # # #",
         " ## ##  ### #    ## # # ###  #  # # ### # # # #"},
        {" #  ##   #  ##   ## ### # # # # # # # # # # ###", "# # # # # # # # #    #  # # # # # # # # # #   #",
         "# # ##  # # ##   #   #  # # # # ###  #   #   # ", "# # #   ##  # #   #  #  # # # # ### # #  #  #  ",
         " #  #    ## # # ##   #  ###  #  # # # #  #  ###"}};
    static const char label[] = "0123456789abcdefghijklmnopqrstuvwxyz";
    tl_arena arena;
    trilo_image image;
    tl_arena_init(&arena, NULL);
    CHECK(tl_checkerboard(&arena, 49, 19, (trilo_str){label, 36}, &image)); /* twelve signs a line */
    for (uint32_t y = 0; y < 19; y++)
        for (uint32_t x = 0; x < 49; x++) {
            const bool sign =
                x > 0 && y > 0 && x < 48 && (y - 1) % 6 < 5 && y < 18 && looks[(y - 1) / 6][(y - 1) % 6][x - 1] == '#';
            const bool dark = (x / 8 + y / 8) % 2 != 0;
            const uint8_t want[4] = {sign   ? 255
                                     : dark ? 40
                                            : 200,
                                     sign   ? 255
                                     : dark ? 40
                                            : 0,
                                     sign   ? 255
                                     : dark ? 40
                                            : 160,
                                     255};
            if (memcmp(image.pixels[y * 49 + x], want, 4) != 0)
                FAIL("pixel %u, %u", x, y);
        }
    /* Of a large one 1024 pixels each way; a line that does not fit is left out, a sign at the edge is cut. */
    CHECK(tl_checkerboard(&arena, 1025, 1, (trilo_str){label, 36}, &image));
    CHECK(image.width == 1024 && image.height == 1);
    for (uint32_t x = 0; x < 1024; x++)
        CHECK(image.pixels[x][0] != 255);
    CHECK(tl_checkerboard(&arena, 1, 2000, (trilo_str){label, 36}, &image));
    CHECK(image.width == 1 && image.height == 1024);
    for (uint32_t height = 5; height < 8; height++) {
        CHECK(tl_checkerboard(&arena, 3, height, (trilo_str){label, 1}, &image));
        CHECK_INT(image.pixels[4][0] == 255, height >= 6); /* the corner of the 0 */
    }
    tl_arena_free(&arena);
}

TEST_MAIN(CASE(every_digit_and_letter), CASE(glyphs_of_a_label), CASE(shifts_keep_the_sign), CASE(a_tile_repeats),
          CASE(a_tile_clamps), CASE(a_tile_clamps_after_two_copies), CASE(a_tile_mirrors),
          CASE(a_tile_is_shifted_and_moved), CASE(shifts_are_limited), CASE(six_texels_repeat_and_mirror),
          CASE(odd_axes_are_harmless), CASE(point_takes_the_texel), CASE(three_points), CASE(average_in_the_middle))
