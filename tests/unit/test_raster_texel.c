/* Tiles and filters against values worked out by hand. */
#include "harness.h"
#include "raster/console/texture.h"
#include "raster/renderer.h"
#include "raster/sample_texture.h"
#include "support/numbers.h"

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

/* ---- against plain versions ---- */

static int below(uint64_t *seed, int count)
{
    return (int)((uint32_t)(random_bits(seed) >> 20) % (uint32_t)count);
}

static trilo_n64_axis random_axis(uint64_t *seed)
{
    return (trilo_n64_axis){.low = (float)below(seed, 41) / 4 - 5,
                            .high = (float)below(seed, 160) / 4 - 4 + (below(seed, 20) == 0 ? 900 : 0),
                            .shift = (int8_t)(below(seed, 3) ? 0 : below(seed, 20) - 8),
                            .mirror = below(seed, 3) == 0,
                            .clamp = below(seed, 2)};
}

/* A tile that is clamped repeats as often as fits, if its size is a power of two; one that repeats so often that 1024
 * texels do not hold it is not clamped. */
static void check_axis(const tl_axis *got, const trilo_n64_axis *from, int size)
{
    const bool power = (size & (size - 1)) == 0;
    double repeats = !from->clamp ? 2048 : power ? ((double)from->high - (double)from->low + 1) / size : 1;
    repeats = repeats > 0 ? repeats : 1;
    const bool clamped = !(repeats > 1) || repeats * size < 1024;
    const int shift = from->shift < -5 ? -5 : from->shift > 10 ? 10 : from->shift;
    CHECK_INT(got->size, size);
    CHECK_INT(got->mask, power ? size - 1 : -1);
    CHECK_INT(got->repeat, repeats > 1);
    CHECK_INT(got->mirror, repeats > 1 && from->mirror);
    CHECK_INT(got->clamp, clamped);
    CHECK_INT(got->shift, shift);
    CHECK_INT(got->low, (int)(4 * (double)from->low));
    CHECK_INT(got->high, (int)(4 * (size - 1 + (double)from->low + (clamped ? (repeats - 1) * size : 0))));
    CHECK_INT(got->simple, repeats > 1 && !from->mirror && !clamped && power && shift >= 0);
    CHECK(!got->wide);
}

static int wrapped(const tl_axis *a, int i)
{
    if (!a->repeat)
        return i < 0 ? 0 : i > a->size - 1 ? a->size - 1 : i;
    const int round = a->mirror ? 2 * a->size : a->size, at = (i % round + round) % round;
    return at < a->size ? at : round - 1 - at;
}

static tl_texel_position position_of(const tl_axis *a, int coordinate)
{
    int64_t c = coordinate;
    for (int i = 0; i < a->shift; i++)
        c = c >= 0 ? c / 2 : -((1 - c) / 2); /* rounded down */
    for (int i = 0; i > a->shift; i--)
        c *= 2;
    if (a->shift < 0 && !a->wide)
        c = ((c + 32768) % 65536 + 65536) % 65536 - 32768;
    const int64_t eighths = c >= 0 ? c / 8 : -((7 - c) / 8);
    const int low = a->low >= 0 ? a->low / 4 : -((3 - a->low) / 4),
              high = a->high >= 0 ? a->high / 4 : -((3 - a->high) / 4);
    c = a->clamp && eighths >= a->high ? (high - low) * 32 : c - 8 * a->low;
    c = a->clamp && c < 0 ? 0 : c;
    const int i = (int)(c >= 0 ? c / 32 : -((31 - c) / 32));
    return (tl_texel_position){wrapped(a, i), wrapped(a, i + 1), (int)(c - 32 * (int64_t)i)};
}

/* The three-point filter as its author describes it, of four texels; the average at the very middle of them. */
static int filtered(tl_filter filter, const int t[4], int f, int g)
{
    if (filter == TL_FILTER_POINT)
        return t[0];
    if (filter == TL_FILTER_MEDIAN && f == 16 && g == 16)
        return (t[0] + t[1] + t[2] + t[3] + 2) / 4;
    if (f + g < 32)
        return t[0] + ((f * (t[1] - t[0]) + g * (t[2] - t[0]) + 16) >> 5);
    return t[3] + (((32 - f) * (t[2] - t[3]) + (32 - g) * (t[1] - t[3]) + 16) >> 5);
}

TEST(axes_and_filters_by_their_rules)
{
    static const int sizes[] = {1, 2, 3, 5, 8, 12, 16};
    static uint8_t texels[16 * 16][4];
    uint64_t seed = 81;
    for (int i = 0; i < 16 * 16 * 4; i++)
        texels[i / 4][i % 4] = (uint8_t)random_bits(&seed);
    for (int round = 0; round < 1500; round++) {
        const int width = sizes[below(&seed, 7)], height = sizes[below(&seed, 7)];
        const trilo_image image = {(uint32_t)width, (uint32_t)height, (const uint8_t(*)[4])texels};
        const trilo_n64_axis s = random_axis(&seed), t = random_axis(&seed);
        const bool plain = round % 5 == 0;
        const tl_axis across = plain ? tl_axis_plain((trilo_wrap)below(&seed, 3), image.width)
                                     : tl_axis_n64(&s, image.width),
                      down = plain ? tl_axis_plain((trilo_wrap)below(&seed, 3), image.height)
                                   : tl_axis_n64(&t, image.height);
        if (!plain)
            check_axis(&across, &s, width), check_axis(&down, &t, height);
        const tl_tile tile = tl_tile_of(&image, across, down);
        CHECK_INT(tile.simple, across.simple && down.simple);
        for (int i = 0; i < 12; i++) {
            const int at[2] = {below(&seed, 4000) - 2000 + (i % 4 == 0 ? below(&seed, 60000) - 30000 : 0),
                               below(&seed, 4000) - 2000};
            const tl_texel_position x = position_of(&across, at[0]), y = position_of(&down, at[1]),
                                    got = tl_axis_position(&across, at[0]);
            CHECK(got.at == x.at && got.next == x.next && got.fraction == x.fraction);
            for (tl_filter filter = TL_FILTER_POINT; filter <= TL_FILTER_MEDIAN; filter++) {
                int32_t out[4];
                tl_tile_sample(&tile, filter, at[0], at[1], out);
                for (int k = 0; k < 4; k++) {
                    const int four[4] = {texels[y.at * width + x.at][k], texels[y.at * width + x.next][k],
                                         texels[y.next * width + x.at][k], texels[y.next * width + x.next][k]};
                    CHECK_INT(out[k], filtered(filter, four, x.fraction, y.fraction));
                }
            }
        }
    }
}

/* What is far away is limited, and no number is the lower limit; half of a coordinate is rounded down. */
TEST(coordinates_of_a_second_texture)
{
    static const struct {
        float by, origin;
        int32_t at, want;
    } rows[] = {{1, 0, 5, 5},
                {0.5f, 0, -5, -3},
                {2, -3, 7, 11},
                {1000, 0, 2000, 1048576},
                {1000, 0, -2000, -1048576},
                {__builtin_nanf(""), 0, 1, -1048576},
                {1, 0, 1048576, 1048576},
                {1, 0, 1048575, 1048575},
                {1, 0, -1048575, -1048575},
                {0, 0.25f, 9, 0},
                {0, -0.25f, 9, -1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int k = 0; k < 4; k++) { /* from either coordinate to either */
            tl_second_coordinates second = {.used = true, .at_origin = {0, 0}};
            int32_t at[2] = {0, 0}, out[2];
            second.by[k / 2][k % 2] = rows[i].by, second.at_origin[k / 2] = rows[i].origin;
            at[k % 2] = rows[i].at;
            tl_second_coordinates_of(&second, at, out);
            CHECK_INT(out[k / 2], rows[i].want);
            CHECK_INT(out[1 - k / 2], 0);
        }
}

/* Levels of one colour each: below one texel the first, then half of the way to the next at 1.5 times the power of two,
 * from 256 texels on, or behind the last but one, the last. */
TEST(levels_by_their_rule)
{
    static uint8_t texels[9][1][4];
    trilo_image images[8];
    const trilo_image *mipmaps[8];
    for (int i = 0; i < 9; i++)
        for (int k = 0; k < 4; k++)
            texels[i][0][k] = (uint8_t)(i * (21 + k));
    for (int i = 0; i < 8; i++)
        images[i] = (trilo_image){1, 1, (const uint8_t(*)[4])texels[i + 1]}, mipmaps[i] = &images[i];
    const trilo_n64_tile tile = {.texture = 0};
    const tl_tile first = {
        .texels = (const uint8_t(*)[4])texels[0], .s = tl_axis_n64(&tile.s, 1), .t = tl_axis_n64(&tile.t, 1)};
    for (uint32_t count = 1; count <= 8; count++) {
        const tl_texture_levels levels = tl_texture_levels_of(&first, &tile, mipmaps, count);
        const int last = count < 7 ? (int)count - 1 : 6;
        CHECK_INT(levels.count, last + 1);
        for (int32_t lod = 0; lod < 9000; lod += lod < 300 ? 1 : 37) {
            int32_t out[4];
            int level = 0;
            for (int32_t size = 64; size <= lod && level < 20; size *= 2)
                level++;
            tl_texture_sample_levels(&levels, TL_FILTER_POINT, (const int32_t[2]){0, 0}, lod, out);
            for (int k = 0; k < 4; k++) {
                const int a = level * (21 + k), b = (level + 1) * (21 + k), part = ((lod << 3) >> level) & 255;
                const int want = lod < 32 ? 0 : level >= last ? last * (21 + k) : a + (((b - a) * part + 128) >> 8);
                CHECK_INT(out[k], want);
            }
        }
    }
}

TEST_MAIN(CASE(every_digit_and_letter), CASE(glyphs_of_a_label), CASE(shifts_keep_the_sign), CASE(a_tile_repeats),
          CASE(a_tile_clamps), CASE(a_tile_clamps_after_two_copies), CASE(a_tile_mirrors),
          CASE(a_tile_is_shifted_and_moved), CASE(shifts_are_limited), CASE(six_texels_repeat_and_mirror),
          CASE(odd_axes_are_harmless), CASE(point_takes_the_texel), CASE(three_points), CASE(average_in_the_middle),
          CASE(axes_and_filters_by_their_rules), CASE(coordinates_of_a_second_texture), CASE(levels_by_their_rule))
