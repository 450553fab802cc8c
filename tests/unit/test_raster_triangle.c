/* A triangle of the clean look, pixel by pixel: which it covers, compared with exact fractions, its depth in each mode,
 * shade at its limits, and alpha compared with noise. */
#include "harness.h"
#include "raster/raster.h"
#include "support/numbers.h"

#include <math.h>
#include <string.h>

enum { WIDE = 24, HIGH = 16, PIXELS = WIDE * HIGH };

static uint8_t rgba[PIXELS][4];
static int32_t depth[PIXELS];
static tl_framebuffer target = {.width = WIDE, .height = HIGH, .rgba = rgba, .z = depth};

/* Draws in the colour of `input`. */
static tl_pipeline_state state_of(uint8_t input, const uint8_t prim[4])
{
    tl_pipeline_state state = {.combiner = {.cycle_count = 1,
                                            .cycles = {{TL_CC_ZERO, TL_CC_ZERO, TL_CC_ZERO, input, TL_CC_ZERO,
                                                        TL_CC_ZERO, TL_CC_ZERO, input}}},
                               .alpha_threshold = TL_ALPHA_THRESHOLD_NONE,
                               .compare_threshold = TL_ALPHA_THRESHOLD_NONE,
                               .uses_shade = input == TL_CC_SHADE};
    tl_inputs_fill(&state.inputs, prim, prim);
    return state;
}

static void clear(int32_t z)
{
    memset(rgba, 0, sizeof rgba);
    for (int i = 0; i < PIXELS; i++)
        depth[i] = z;
}

static void draw(const tl_pipeline_state *state, const tl_corner corners[3])
{
    tl_inputs inputs = state->inputs;
    const tl_corner *at[3] = {&corners[0], &corners[1], &corners[2]};
    tl_draw_triangle(&target, state, &inputs, at);
}

/* Covers the picture; z is a plane through these values at the upper left corner of the picture, and by pixel. */
static void whole(tl_corner corners[3], double z, double by_x, double by_y)
{
    static const float at[3][2] = {{-8, -8}, {-8, 120}, {120, -8}};
    for (int k = 0; k < 3; k++)
        corners[k] = (tl_corner){.x = at[k][0],
                                 .y = at[k][1],
                                 .z = (float)(z + by_x * (double)at[k][0] + by_y * (double)at[k][1]),
                                 .inverse_w = 1};
}

/* ---- coverage ---- */

/* Where the centre of a pixel is: above 0 inside of the edge, 0 on it. In 1/16 pixel. */
static int64_t side(const int32_t a[2], const int32_t b[2], int x, int y)
{
    return (int64_t)(b[0] - a[0]) * (16 * y + 8 - a[1]) - (int64_t)(b[1] - a[1]) * (16 * x + 8 - a[0]);
}

/* On an edge, a pixel belongs to the triangle if that is a left or an upper one. */
static bool covers(int32_t c[3][2], int x, int y)
{
    const int64_t area =
        (int64_t)(c[1][0] - c[0][0]) * (c[2][1] - c[0][1]) - (int64_t)(c[2][0] - c[0][0]) * (c[1][1] - c[0][1]);
    for (int k = 0; k < 3; k++) {
        const int32_t *a = c[area > 0 ? k : (k + 1) % 3], *b = c[area > 0 ? (k + 1) % 3 : k];
        const int64_t where = side(a, b, x, y);
        const bool left = b[1] < a[1], upper = b[1] == a[1] && b[0] > a[0];
        if (where < 0 || (where == 0 && !left && !upper))
            return false;
    }
    return area != 0;
}

TEST(pixels_of_triangles)
{
    static const uint8_t white[4] = {255, 255, 255, 255};
    uint64_t seed = 6;
    for (int round = 0; round < (TEST_SLOW ? 150 : 600); round++) {
        int32_t at[3][2];
        tl_corner corners[3] = {{.inverse_w = 1}, {.inverse_w = 1}, {.inverse_w = 1}};
        const int step = round % 3 == 0 ? 8 : 1; /* centres and borders of pixels, or anywhere */
        for (int k = 0; k < 6; k++) {
            const int size = 16 * (k % 2 ? HIGH : WIDE), beyond = 160;
            at[k / 2][k % 2] = (int32_t)(random_bits(&seed) % (uint64_t)((size + 2 * beyond) / step)) * step - beyond;
        }
        for (int k = 0; k < 3; k++) {
            corners[k].x = (float)at[k][0] / 16;
            corners[k].y = (float)at[k][1] / 16;
        }
        tl_pipeline_state state = state_of(TL_CC_PRIM, white);
        const int64_t area = (int64_t)(at[1][0] - at[0][0]) * (at[2][1] - at[0][1]) -
                             (int64_t)(at[2][0] - at[0][0]) * (at[1][1] - at[0][1]);
        state.cull_front = round % 5 == 1;
        state.cull_back = round % 5 == 2;
        const bool culled = (state.cull_front && area < 0) || (state.cull_back && area > 0);
        clear(TL_Z_CLEAR);
        draw(&state, corners);
        for (int i = 0; i < PIXELS; i++)
            if ((rgba[i][3] == 255) != (!culled && covers(at, i % WIDE, i / WIDE)))
                FAIL("round %d: pixel %d, %d", round, i % WIDE, i / WIDE);
    }
}

/* Corners are rounded to a sixteenth of a pixel: 0.5 / 16 rounds up. */
TEST(corners_are_rounded)
{
    static const uint8_t white[4] = {255, 255, 255, 255};
    const tl_pipeline_state state = state_of(TL_CC_PRIM, white);
    for (int i = 0; i < 5; i++) {
        const float at = 3.5f + (float)(i - 2) / 64; /* about the centre of pixel 3 */
        const tl_corner left[3] = {
            {.x = at, .y = -9, .inverse_w = 1}, {.x = at, .y = 40, .inverse_w = 1}, {.x = 90, .y = -9, .inverse_w = 1}};
        clear(TL_Z_CLEAR);
        draw(&state, left); /* the pixel whose centre is on its left edge belongs to it: up to 3.53125, rounded up */
        CHECK_INT(rgba[3][3], i < 4 ? 255 : 0);
        CHECK_INT(rgba[2][3], 0);
        const tl_corner above[3] = {
            {.x = -9, .y = at, .inverse_w = 1}, {.x = -9, .y = 60, .inverse_w = 1}, {.x = 90, .y = at, .inverse_w = 1}};
        clear(TL_Z_CLEAR);
        draw(&state, above);
        CHECK_INT(rgba[3 * WIDE][3], i < 4 ? 255 : 0);
        CHECK_INT(rgba[2 * WIDE][3], 0);
    }
}

/* ---- depth ---- */

static void check_depth(const tl_pipeline_state *state, const tl_corner corners[3], int32_t old, bool drawn,
                        int32_t left)
{
    clear(old);
    draw(state, corners);
    CHECK_INT(rgba[0][3], drawn ? 255 : 0);
    CHECK_INT(depth[0], left);
    CHECK_INT(rgba[PIXELS - 1][3], rgba[0][3]);
}

TEST(each_mode_of_depth)
{
    static const uint8_t red[4] = {255, 0, 0, 255};
    tl_pipeline_state state = state_of(TL_CC_PRIM, red);
    tl_corner corners[3];
    whole(corners, 5000, 0, 0);
    state.z_compare = TL_Z_COMPARE_NONE;
    check_depth(&state, corners, 10, true, 10);
    state.z_compare = TL_Z_COMPARE_ALWAYS;
    check_depth(&state, corners, 10, true, 5000);
    state.keep_z = true;
    check_depth(&state, corners, 10, true, 10);
    state.z_compare = TL_Z_COMPARE_LESS;
    check_depth(&state, corners, 5001, true, 5001);
    state.keep_z = false;
    check_depth(&state, corners, 5001, true, 5000);
    check_depth(&state, corners, 5000, false, 5000);
    check_depth(&state, corners, 4999, false, 4999);
    check_depth(&state, corners, TL_Z_CLEAR, true, 5000);
    /* A decal lies on what is there, 1024 before or behind it. */
    state.z_compare = TL_Z_COMPARE_DECAL;
    check_depth(&state, corners, 5000 + 1024, true, 5000);
    check_depth(&state, corners, 5000 + 1025, false, 5000 + 1025);
    check_depth(&state, corners, 5000 - 1024, true, 5000);
    check_depth(&state, corners, 5000 - 1025, false, 5000 - 1025);
    check_depth(&state, corners, TL_Z_CLEAR, false, TL_Z_CLEAR);
    whole(corners, TL_Z_MAX, 0, 0);
    check_depth(&state, corners, TL_Z_CLEAR, false, TL_Z_CLEAR); /* though it is near */
    check_depth(&state, corners, TL_Z_MAX, true, TL_Z_MAX);
}

/* Twice the slope in both directions more. */
TEST(decals_on_slopes)
{
    static const uint8_t red[4] = {255, 0, 0, 255};
    static const int slopes[][2] = {{16, 0}, {0, 24}, {-8, 40}, {32, -16}};
    tl_pipeline_state state = state_of(TL_CC_PRIM, red);
    state.z_compare = TL_Z_COMPARE_DECAL;
    for (int i = 0; i < 4; i++) {
        const int32_t more = 1024 + 2 * (slopes[i][0] < 0 ? -slopes[i][0] : slopes[i][0]) +
                             2 * (slopes[i][1] < 0 ? -slopes[i][1] : slopes[i][1]);
        tl_corner corners[3];
        whole(corners, 60000, slopes[i][0], slopes[i][1]);
        for (int off = -1; off <= 1; off += 2)
            for (int beyond = 0; beyond < 2; beyond++) {
                clear(0);
                for (int p = 0; p < PIXELS; p++)
                    depth[p] = 60000 + slopes[i][0] * (2 * (p % WIDE) + 1) / 2 +
                               slopes[i][1] * (2 * (p / WIDE) + 1) / 2 + off * (more + beyond);
                draw(&state, corners);
                for (int p = 0; p < PIXELS; p++)
                    CHECK_INT(rgba[p][3], beyond ? 0 : 255);
            }
    }
}

/* The offset is added; a fixed depth is the offset alone. Both ends are cut. */
TEST(offsets_and_limits_of_depth)
{
    static const uint8_t red[4] = {255, 0, 0, 255};
    static const struct {
        double z;
        float offset;
        bool fixed;
        int32_t want;
    } rows[] = {{1000, 0, false, 1000},
                {1000, 250, false, 1250},
                {1000, -250, false, 750},
                {1000, 250, true, 250},
                {1000, -2000, false, 0},
                {-3, 0, false, 0},
                {TL_Z_MAX - 1, 0, false, TL_Z_MAX - 1},
                {TL_Z_MAX, 0, false, TL_Z_MAX},
                {TL_Z_MAX, 5000, false, TL_Z_MAX},
                {7, TL_Z_MAX + 100.0f, true, TL_Z_MAX}};
    tl_pipeline_state state = state_of(TL_CC_PRIM, red);
    state.z_compare = TL_Z_COMPARE_ALWAYS;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        tl_corner corners[3];
        whole(corners, rows[i].z, 0, 0);
        state.z_offset = rows[i].offset;
        state.fixed_z = rows[i].fixed;
        check_depth(&state, corners, 99, true, rows[i].want);
    }
}

/* ---- colours ---- */

/* Shade is a plane for each channel, rounded down, from 0 to 255. */
TEST(shade_of_every_pixel)
{
    static const uint8_t none[4] = {0, 0, 0, 0};
    /* at the upper left corner of the picture, and by pixel */
    static const int planes[4][3] = {{10, 4, 2}, {300, -16, 1}, {-40, 2, 16}, {255, 0, 0}};
    const tl_pipeline_state state = state_of(TL_CC_SHADE, none);
    tl_corner corners[3];
    whole(corners, 0, 0, 0);
    for (int k = 0; k < 3; k++)
        for (int c = 0; c < 4; c++)
            corners[k].shade[c] =
                (float)planes[c][0] + (float)planes[c][1] * corners[k].x + (float)planes[c][2] * corners[k].y;
    clear(TL_Z_CLEAR);
    draw(&state, corners);
    for (int i = 0; i < PIXELS; i++)
        for (int c = 0; c < 3; c++) {
            const double value = planes[c][0] + planes[c][1] * (i % WIDE + 0.5) + planes[c][2] * (i / WIDE + 0.5);
            CHECK_INT(rgba[i][c], value < 0 ? 0 : value > 255 ? 255 : (int)floor(value));
        }
}

/* A pixel is drawn if its alpha is not below the noise there: eight bits of it, of other rows than the noise that the
 * combiner has. Against a fixed threshold, the same. */
TEST(alpha_is_compared)
{
    tl_corner corners[3];
    whole(corners, 0, 0, 0);
    for (int alpha = 0; alpha < 256; alpha += TEST_SLOW ? 17 : 3) {
        const uint8_t prim[4] = {1, 2, 3, (uint8_t)alpha};
        tl_pipeline_state state = state_of(TL_CC_PRIM, prim);
        state.alpha_threshold = TL_ALPHA_THRESHOLD_NOISE;
        target.seed = (uint32_t)alpha;
        clear(TL_Z_CLEAR);
        draw(&state, corners);
        for (uint32_t i = 0; i < PIXELS; i++) {
            const uint32_t noise = tl_pixel_noise(&target, i % WIDE, i / WIDE + 0x8000) % 256;
            CHECK_INT(rgba[i][3], (uint32_t)alpha >= noise ? 255 : 0);
        }
        for (int threshold = alpha - 1; threshold <= alpha + 1; threshold++) {
            state.alpha_threshold = threshold < 0 ? 0 : threshold;
            clear(TL_Z_CLEAR);
            draw(&state, corners);
            CHECK_INT(rgba[0][3], alpha >= threshold ? 255 : 0);
        }
    }
    target.seed = 0;
}

TEST_MAIN(CASE(pixels_of_triangles), CASE(corners_are_rounded), CASE(each_mode_of_depth), CASE(decals_on_slopes),
          CASE(offsets_and_limits_of_depth), CASE(shade_of_every_pixel), CASE(alpha_is_compared))
