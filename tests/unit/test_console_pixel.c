/* Coverage, depth, blender, dither and mipmaps of the console, against sums worked out by hand; docs/render.md has the
 * order of the steps. */
#include "harness.h"
#include "raster/console/blender.h"
#include "raster/console/combiner.h"
#include "raster/console/coverage.h"
#include "raster/console/depth.h"
#include "raster/console/framebuffer.h"
#include "raster/console/setup.h"
#include "raster/console/texture.h"

#include <string.h>

/* ---- coverage ---- */

static const tl_window window = {0, 4 * 320 - 1};
static const tl_int4 no_rows = {0, 0, 0, 0};

static tl_coverage_line line_of(int32_t left, int32_t right)
{
    tl_coverage_line line;
    tl_coverage_of(&line, &window, (tl_int4){left, left, left, left}, (tl_int4){right, right, right, right}, no_rows);
    return line;
}

/* From half a pixel on: columns 2 of rows 0 and 2, columns 3 of rows 1 and 3. */
TEST(samples_are_a_checkerboard)
{
    const tl_coverage_line line = line_of(2, 8);
    CHECK_INT(line.first, 0);
    CHECK_INT(line.last, 1);
    CHECK_INT(tl_coverage_at(&line, 0), 1 << 1 | 1 << 3 | 1 << 5 | 1 << 7);
    CHECK_INT(tl_coverage_count(tl_coverage_at(&line, 0)), 4);
    CHECK_INT(tl_coverage_at(&line, 1), TL_COVERAGE_FULL);
    CHECK_INT(tl_coverage_count(TL_COVERAGE_FULL), 8);
    /* Only column 1: rows 1 and 3. */
    const tl_coverage_line thin = line_of(1, 2);
    CHECK_INT(tl_coverage_at(&thin, 0), 1 << 2 | 1 << 6);
}

/* Four pixels at once have the same samples, and their first one. */
static void check_four(const tl_coverage_line *line)
{
    const tl_coverage_pixels four = tl_coverage_pixels_of(line->columns);
    for (int k = 0; k < 4; k++) {
        const uint32_t samples = tl_coverage_at(line, line->first + k);
        CHECK_INT(four.count[k], tl_coverage_count(samples));
        CHECK_INT(four.some[k], samples != 0 ? -1 : 0);
        if (samples != 0)
            CHECK_INT((four.second[k] & 1) | (four.odd[k] & 2) | (four.lower[k] & 4), __builtin_ctz(samples));
    }
}

TEST(every_mask_is_what_its_rows_say)
{
    for (int32_t left = 0; left < 9; left++)
        for (int32_t right = left; right < 10; right++) {
            tl_coverage_line line;
            tl_coverage_of(&line, &window, (tl_int4){left, 0, 0, right}, (tl_int4){right, 12, 12, 12},
                           (tl_int4){0, -1, 0, 0});
            check_four(&line);
            for (int32_t x = 0; x < 3; x++) {
                uint32_t want = 0;
                for (int32_t c = 0; c < 2; c++) {
                    const int32_t column = 4 * x + 2 * c;
                    want |= (uint32_t)(column >= left && column < right) << c;
                    want |= 1u << (4 + c) | (uint32_t)(column + 1 >= right) << (6 + c);
                }
                CHECK_INT(tl_coverage_at(&line, x), want);
                CHECK_INT(tl_coverage_count(want), __builtin_popcount(want));
            }
        }
}

/* A window that begins at pixel 8188 and has 12 more, with columns from there on: what is left and right of it is cut
 * off. */
TEST(lines_are_cut_to_their_window)
{
    const tl_window last = {8188, 4 * 12 - 1};
    const int32_t left = -4 * 188, right = 4 * 812;
    tl_coverage_line line;
    int32_t full_first, full_last;
    tl_coverage_of(&line, &last, (tl_int4){left, left, left, left}, (tl_int4){right, right, right, right}, no_rows);
    tl_coverage_full(&line, &full_first, &full_last);
    CHECK_INT(line.first, 8188);
    CHECK_INT(line.last, 8199);
    CHECK_INT(full_first, 8188);
    CHECK_INT(full_last, 8198);
    CHECK_INT(tl_coverage_at(&line, 8188), TL_COVERAGE_FULL);
    CHECK_INT(tl_coverage_at(&line, 8199), 0x77); /* the scissor is a quarter short: rows 1 and 3 lose a sample */
    check_four(&line);
    tl_coverage_of(&line, &last, (tl_int4){4 * left, 4 * left, 4 * left, 4 * left}, (tl_int4){left, left, left, left},
                   no_rows);
    CHECK(line.last < line.first);
}

/* From 0, 0 to 3, 7: column 3 * y / 7, rounded up: 0, 1, 1, 2, 2, 3, 3; and back: 0, 0, 0, -1, -1, -2, -2. */
TEST(edges_are_exact)
{
    static const int32_t right[] = {0, 1, 1, 2, 2, 3, 3}, left[] = {0, 0, 0, -1, -1, -2, -2};
    const tl_console_vertex top = {.screen_x = 0}, a = {.screen_x = 3, .screen_y = 7},
                            b = {.screen_x = -3, .screen_y = 7};
    tl_raster_edge to_right = tl_edge_at(&top, &a, 0), to_left = tl_edge_at(&top, &b, 0);
    const tl_int4 columns[4] = {tl_edge_walk(&to_right), tl_edge_walk(&to_right), tl_edge_walk(&to_left),
                                tl_edge_walk(&to_left)};
    for (int y = 0; y < 7; y++) {
        tl_raster_edge from_here = tl_edge_at(&top, &a, y);
        CHECK_INT(tl_edge_walk(&from_here)[0], right[y]);
        CHECK_INT(columns[y / 4][y % 4], right[y]);
        CHECK_INT(columns[2 + y / 4][y % 4], left[y]);
    }
}

/* Of the largest picture: 16384 lines of four rows, and twice that high with the guard band. */
TEST(long_edges_are_exact)
{
    enum { ROWS = 8 * 16384 - 1 };
    for (int32_t width = -ROWS; width <= ROWS; width += 16382) {
        const tl_console_vertex top = {.screen_x = 5, .screen_y = -ROWS / 4},
                                bottom = {.screen_x = 5 + width, .screen_y = ROWS - ROWS / 4};
        tl_raster_edge edge = tl_edge_at(&top, &bottom, 0);
        for (int64_t y = 0; y < ROWS - ROWS / 4 - 4; y += 4) {
            const tl_int4 columns = tl_edge_walk(&edge);
            for (int r = 0; r < 4; r++) {
                const int64_t above = width * (y + r + ROWS / 4);
                const int64_t column = above > 0 ? (above + ROWS - 1) / ROWS : -(-above / ROWS);
                if (columns[r] != 5 + column)
                    CHECK_INT(columns[r], 5 + column);
            }
        }
    }
}

/* ---- setup ---- */

/* w of 1 and 2 with k = 131: scaled 131 and 262. Reciprocals: both have 3 of 128 behind the leading one, entry 12:
 * (2^34 / 524 + 1) >> 8 is 128070, lower 16 bits 62534; 128070 << 14 >> 7 and >> 8. Times 131 >> 16, less 1, halved:
 * 128070 * 128 * 131 / 65536 is 32768.2: 16383; 16384.1: 8191. s = 64: (2 * 64 * 16383 + 0x8000) >> 16 is 32, and 16.
 */
TEST(texture_coordinates_have_few_bits)
{
    const tl_console_vertex a = {.screen_x = 0, .screen_y = 0, .s = 64, .scaled_w = 131, .inverse_w = 128070 << 7},
                            b = {.screen_x = 0, .screen_y = 40, .s = 64, .scaled_w = 262, .inverse_w = 128070 << 6},
                            c = {.screen_x = 40, .screen_y = 40, .s = 64, .scaled_w = 262, .inverse_w = 128070 << 6};
    const tl_console_vertex *const corners[3] = {&a, &b, &c};
    const tl_pipeline_state state = {.uses_tex0 = true};
    tl_raster_triangle t;
    CHECK(!tl_triangle_culled(&state, corners));
    tl_triangle_setup(&t, &state, corners, true);
    CHECK_INT(tl_attribute_at(&t, TL_ATTRIBUTE_W, 0, 0) >> 16, 16383);
    CHECK_INT(tl_attribute_at(&t, TL_ATTRIBUTE_W, 0, 10) >> 16, 8191);
    CHECK_INT(tl_attribute_at(&t, TL_ATTRIBUTE_S, 0, 0) >> 16, 32);
    CHECK_INT(tl_attribute_at(&t, TL_ATTRIBUTE_S, 0, 10) >> 16, 16);
}

static int32_t divided(int32_t value, int32_t w)
{
    return tl_texture_coordinate(value, tl_texture_divide(w));
}

/* 16383 is 64 + 63 and 254/256 times 128: between 2^20 / 127 = 8257 and 8192, -65 * 254 >> 8 is -65, so 8192. Of 8191
 * the fraction is 252/256: -64, so 8193. 6 / 64 above 16384 the table has 14979 instead of 14979.66, rounded. */
TEST(coordinates_are_divided_by_a_table)
{
    CHECK_INT(tl_texture_divide(16383).factor, 8192);
    CHECK_INT(tl_texture_divide(8191).factor, 8193);
    CHECK_INT(divided(32, 16383), 64); /* 32 * 8192 >> 12 */
    CHECK_INT(divided(-32, 16383), -64);
    CHECK_INT(divided(16, 8191), 64); /* 16 * 8193 >> 11 is 64.008 */
    CHECK_INT(divided(-16, 8191), -65);
    CHECK_INT(divided(8192, 16384 + 6 * 256), 14979);
    CHECK_INT(divided(8192, 16384 + 7 * 256), 14769); /* 2^20 / 71 is 14768.7 */
    CHECK_INT(divided(1, 1), 32767);                  /* 32768 has more than 16 bits */
    CHECK_INT(divided(-3, 2), -32768);
    for (int i = 0; i <= 64; i++)
        CHECK_INT(tl_texture_reciprocals[i], ((1 << 20) + (64 + i) / 2) / (64 + i) - (i == 6));
}

/* ---- depth ---- */

TEST(depths_are_floats_of_11_bits)
{
    CHECK_INT(tl_depth_stored(0x1234F), 0x12340); /* no leading one: 6 bits are lost */
    CHECK_INT(tl_depth_stored(0x2FFFF), 0x2FFE0);
    CHECK_INT(tl_depth_stored(0x3BFFF), 0x3BFF8); /* three ones */
    CHECK_INT(tl_depth_stored(0x3F7FF), 0x3F7FF);
    CHECK_INT(tl_depth_stored(TL_DEPTH_EMPTY), TL_DEPTH_EMPTY);
}

TEST(slopes_are_logarithms)
{
    CHECK_INT(tl_depth_slope(0, 0), 0);
    CHECK_INT(tl_depth_slope(-1, 0), 0); /* counts 0 */
    CHECK_INT(tl_depth_slope(1, 0), 1);
    CHECK_INT(tl_depth_slope(3, -5), 3); /* 3 + 4 */
    CHECK_INT(tl_depth_slope(0x3000, 0x1000), 15);
    CHECK_INT(tl_depth_slope(0x3FFF, 0), 14);
}

static bool passes(uint32_t mode, int32_t z, int slope, int32_t old, int old_slope, bool over)
{
    int32_t coverage = 8;
    return tl_depth_compare(mode, z, slope, old << 4 | old_slope, over, &coverage).pass;
}

/* Far away, where no bits are lost: with slope 2 the tolerance is 8 << 2. */
TEST(each_mode_compares_its_own_way)
{
    enum { OLD = 0x3E000 };
    CHECK(passes(TL_Z_OPAQUE, OLD - 1, 2, OLD, 0, true));
    CHECK(!passes(TL_Z_OPAQUE, OLD, 2, OLD, 0, true));
    CHECK(passes(TL_Z_OPAQUE, OLD + 32, 2, OLD, 0, false)); /* an edge is allowed the tolerance */
    CHECK(!passes(TL_Z_OPAQUE, OLD + 33, 2, OLD, 0, false));
    CHECK(passes(TL_Z_OPAQUE, 7, 0, TL_DEPTH_EMPTY, 0, true));
    CHECK(!passes(TL_Z_TRANSPARENT, OLD, 2, OLD, 0, false));
    CHECK(passes(TL_Z_DECAL, OLD + 32, 2, OLD, 0, true));
    CHECK(passes(TL_Z_DECAL, OLD - 32, 2, OLD, 0, true));
    CHECK(!passes(TL_Z_DECAL, OLD - 33, 2, OLD, 0, true));
    CHECK(!passes(TL_Z_DECAL, TL_DEPTH_EMPTY, 2, TL_DEPTH_EMPTY, 0, true));
    /* Near, with no leading one: 16 at least, so 8 << 4; the old slope counts twice. */
    CHECK(passes(TL_Z_DECAL, 0x1000 + 128, 0, 0x1000, 0, true));
    CHECK(!passes(TL_Z_DECAL, 0x1000 + 129, 0, 0x1000, 0, true));
    CHECK(passes(TL_Z_DECAL, 0x1000 + 512, 0, 0x1000, 5, true));
    CHECK(passes(TL_Z_DECAL, 0x30000, 0, 0x1000, 15, true)); /* as steep as can be: everything is the same */
}

/* Of pixels that are not full, at the ends of what counts as the same depth. */
TEST(four_depths_compare_as_one)
{
    static const int32_t depths[] = {0, 1000, 0x1FFFF, 0x20000, 0x2FFFF, 0x30000, 0x37FFF, 0x38000, 0x3F000, 0x3FFFF};
    for (int32_t i = 0; i < 10 * 16 * 16 * 17; i++) {
        const int32_t old = depths[i % 10], slope = i / 10 % 16, old_slope = i / 160 % 16,
                      stored = old << 4 | old_slope;
        const int32_t away = 8 << i / 2560, z[4] = {old - away, old - away - 1, old + away, old + away + 1};
        const tl_depth_results four =
            tl_depths_compare(tl_int4_load(z), slope, (tl_int4){stored, stored, stored, stored});
        for (int k = 0; k < 4; k++) {
            int32_t coverage = 1;
            const tl_depth_result one = tl_depth_compare(TL_Z_OPAQUE, z[k], slope, stored, false, &coverage);
            if (four.pass[k] != -one.pass || four.far[k] != -one.far)
                CHECK_INT(i, -1);
        }
    }
}

/* (((old >> 2) - (z >> 2)) & 15) * coverage >> 3: 12 apart is 3 of 8. */
TEST(interpenetrating_surfaces_share_pixels)
{
    int32_t coverage = 8;
    const tl_depth_result r = tl_depth_compare(TL_Z_INTERPENETRATING, 0x3E000 - 12, 2, 0x3E000 << 4, true, &coverage);
    CHECK(r.pass && r.far);
    CHECK_INT(coverage, 3);
}

/* ---- blender ---- */

TEST(rows_of_the_table)
{
    tl_pipeline_state state = {.blend_word = 0};
    CHECK_INT(tl_blend_row_of(&state), TL_ROW_NO_ANTIALIAS);
    state.antialias = true;
    CHECK_INT(tl_blend_row_of(&state), TL_ROW_OPAQUE);
    state.cutout = true;
    CHECK_INT(tl_blend_row_of(&state), TL_ROW_CUTOUT);
    state.blend_word = TL_BLENDER_ALPHA;
    CHECK_INT(tl_blend_row_of(&state), TL_ROW_BLENDED);
}

/* (3 * 200 + (2 + 1) * 100) / 6. A surface two steeper counts a quarter: 12 >> 2 & 0x3c is 0, so only the old. */
TEST(edges_are_mixed_by_coverage)
{
    tl_edge_weights w = tl_edge_weights_of(3, 2, 4, 4, true);
    CHECK_INT(tl_edge_blend(w, 200, 100), 150);
    w = tl_edge_weights_of(3, 2, 6, 4, true);
    CHECK_INT(w.a, 0);
    CHECK_INT(tl_edge_blend(w, 200, 100), 100);
    w = tl_edge_weights_of(3, 2, 4, 6, true); /* 8 >> 2 | 3 is 3: (12 * 200 + 4 * 100 >> 2) / 4 */
    CHECK_INT(tl_edge_blend(w, 200, 100), 175);
    w = tl_edge_weights_of(3, 7, 4, 4, false); /* depth is not compared: 28 >> 4 | 3 */
    CHECK_INT(w.b, 3);
}

TEST(cutouts_begin_at_32)
{
    CHECK_INT(tl_cutout_coverage(31, 8), 0);
    CHECK_INT(tl_cutout_coverage(32, 8), 1);
    CHECK_INT(tl_cutout_coverage(128, 4), 2); /* (512 + 4) >> 8 */
    CHECK_INT(tl_cutout_coverage(255, 8), 8);
}

/* ---- dither ---- */

static int32_t channel_of(int32_t color, int32_t threshold, bool color_32)
{
    const tl_int4 colors = {0, color, 0, 0}, thresholds = {threshold, threshold, threshold, threshold};
    return tl_framebuffer_color(colors, thresholds, color_32)[1];
}

TEST(dither_rounds_up_where_the_matrix_is_lower)
{
    const uint8_t(*square)[4] = tl_dither_matrix(TL_DITHER_SQUARE), (*bayer)[4] = tl_dither_matrix(TL_DITHER_BAYER);
    CHECK_INT(square[0][1], 6);
    CHECK_INT(square[1][2], 5);
    CHECK_INT(square[3][0], 7);
    CHECK_INT(bayer[0][1], 4);
    CHECK_INT(bayer[2][3], 6);
    CHECK_INT(channel_of(13, 4, false), 16); /* 8 and 5 more */
    CHECK_INT(channel_of(13, 5, false), 8);
    CHECK_INT(channel_of(255, 0, false), 248);
    CHECK_INT(channel_of(247, 0, false), 248);
    CHECK_INT(channel_of(13, 4, true), 16); /* 32 bits keep what is not rounded up */
    CHECK_INT(channel_of(13, 5, true), 13);
    CHECK_INT(channel_of(255, 0, true), 255);
    CHECK_INT(channel_of(255, tl_dither_matrix(TL_DITHER_NONE)[2][1], true), 255);
}

/* ---- mipmaps ---- */

TEST(levels_go_by_the_largest_difference)
{
    CHECK_INT(tl_texture_lod((const int32_t[2]){0, 0}, (const int32_t[2]){40, -50}, (const int32_t[2]){10, 20}), 49);
}

/* Levels of one colour each. 96 is 3 texels: level 1, and (96 << 3 >> 1) & 255 = 128 of the way to level 2. */
TEST(levels_are_mixed)
{
    static const uint8_t texels[4][1][4] = {{{10, 0, 0, 0}}, {{50, 0, 0, 0}}, {{90, 0, 0, 0}}, {{200, 0, 0, 0}}};
    const trilo_image images[3] = {{1, 1, texels[1]}, {1, 1, texels[2]}, {1, 1, texels[3]}};
    const trilo_image *const mipmaps[3] = {&images[0], &images[1], &images[2]};
    const trilo_n64_tile tile = {.texture = 0};
    const tl_tile first = {.texels = texels[0], .s = tl_axis_n64(&tile.s, 1), .t = tl_axis_n64(&tile.t, 1)};
    const tl_texture_levels levels = tl_texture_levels_of(&first, &tile, mipmaps, 3);
    int32_t out[4];
    CHECK_INT(levels.count, 3); /* the smallest is not used */
    tl_texture_sample_levels(&levels, TL_FILTER_BILINEAR, (const int32_t[2]){0, 0}, 31, out);
    CHECK_INT(out[0], 10);
    tl_texture_sample_levels(&levels, TL_FILTER_BILINEAR, (const int32_t[2]){0, 0}, 48, out);
    CHECK_INT(out[0], 30); /* 48 << 3 & 255 = 128 */
    tl_texture_sample_levels(&levels, TL_FILTER_BILINEAR, (const int32_t[2]){0, 0}, 96, out);
    CHECK_INT(out[0], 70);
    tl_texture_sample_levels(&levels, TL_FILTER_BILINEAR, (const int32_t[2]){0, 0}, 128, out);
    CHECK_INT(out[0], 90);
    tl_texture_sample_levels(&levels, TL_FILTER_BILINEAR, (const int32_t[2]){0, 0}, 9000, out);
    CHECK_INT(out[0], 90);
}

/* Two repetitions of 8 texels from texel 4 on: of level 1 these are 4 texels from texel 2 on, of level 2 two from 1. */
TEST(levels_have_half_of_the_tile)
{
    static const uint8_t texels[8][4];
    const trilo_image images[2] = {{4, 1, texels}, {2, 1, texels}};
    const trilo_image *const mipmaps[2] = {&images[0], &images[1]};
    const trilo_n64_tile tile = {.s = {.low = 4, .high = 19, .shift = -1, .clamp = true}};
    const tl_tile first = {.texels = texels, .s = tl_axis_n64(&tile.s, 8), .t = tl_axis_n64(&tile.t, 1)};
    const tl_texture_levels levels = tl_texture_levels_of(&first, &tile, mipmaps, 3);
    static const int32_t want[3][3] = {
        {16, 76, -1}, {8, 36, 0}, {4, 16, 1}}; /* low, high (quarters of a texel), shift */
    for (int i = 0; i < 3; i++) {
        CHECK_INT(levels.tiles[i].s.low, want[i][0]);
        CHECK_INT(levels.tiles[i].s.high, want[i][1]);
        CHECK_INT(levels.tiles[i].s.shift, want[i][2]);
        CHECK(levels.tiles[i].s.repeat && levels.tiles[i].s.clamp);
    }
}

TEST_MAIN(CASE(samples_are_a_checkerboard), CASE(every_mask_is_what_its_rows_say), CASE(lines_are_cut_to_their_window),
          CASE(edges_are_exact), CASE(long_edges_are_exact), CASE(texture_coordinates_have_few_bits),
          CASE(coordinates_are_divided_by_a_table), CASE(depths_are_floats_of_11_bits), CASE(slopes_are_logarithms),
          CASE(each_mode_compares_its_own_way), CASE(four_depths_compare_as_one),
          CASE(interpenetrating_surfaces_share_pixels), CASE(rows_of_the_table), CASE(edges_are_mixed_by_coverage),
          CASE(cutouts_begin_at_32), CASE(dither_rounds_up_where_the_matrix_is_lower),
          CASE(levels_go_by_the_largest_difference), CASE(levels_are_mixed), CASE(levels_have_half_of_the_tile))
