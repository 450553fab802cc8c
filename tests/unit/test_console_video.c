/* The console's video output, against sums worked out by hand. */
#include "harness.h"
#include "raster/console/framebuffer.h"
#include "raster/console/video.h"
#include "support/numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 16, HEIGHT = 5 };
static uint8_t buffer[WIDTH * HEIGHT][4], coverage[WIDTH * HEIGHT], scratch[2 * WIDTH][4], tv[4 * WIDTH * HEIGHT][4];

static const tl_framebuffer framebuffer = {.width = WIDTH, .height = HEIGHT, .rgba = buffer, .coverage = coverage};

static void clear(uint8_t grey)
{
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        memset(buffer[i], grey, 3);
        buffer[i][3] = 255;
        coverage[i] = 7;
    }
}

static int shown(const trilo_console *console, int x, int y)
{
    tl_video_output(&framebuffer, console, scratch, tv);
    return tv[(size_t)(2 * y) * 2 * WIDTH + (size_t)x][0];
}

/* 200 with coverage 3 among full pixels of 96: hi is 200 itself, lo 96: 200 + (4 * (200 + 96 - 400) + 4 >> 3) is 148.
 * Divot: beside it are 96 and 96, so the median is 96. With 200 on its left, full, the median is 148. */
TEST(the_filter_smooths_what_is_not_full)
{
    trilo_console console = {.filter = TRILO_VIDEO_FILTER_ANTIALIAS};
    clear(96);
    memset(buffer[2 * WIDTH + 8], 200, 3);
    coverage[2 * WIDTH + 8] = 3;
    CHECK_INT(shown(&console, 16, 2), 96);
    memset(buffer[2 * WIDTH + 7], 200, 3);
    CHECK_INT(shown(&console, 16, 2), 148);
    CHECK_INT(shown(&console, 14, 2), 148); /* its divot: the median of 96, 200 and 148 */
    CHECK_INT(shown(&console, 12, 2), 96);
    CHECK_INT(shown(&console, 13, 2), 122); /* 96 + ((148 - 96) * 16 + 16 >> 5) */
    console.filter = TRILO_VIDEO_FILTER_RESAMPLE;
    CHECK_INT(shown(&console, 16, 2), 200);
    CHECK_INT(shown(&console, 17, 2), 148); /* half of the way to 96 */
}

/* Three brighter and one darker neighbour: 2 more. */
TEST(dedither_counts_neighbours)
{
    const trilo_console console = {.filter = TRILO_VIDEO_FILTER_ANTIALIAS_DEDITHER};
    clear(96);
    memset(buffer[1 * WIDTH + 7], 104, 3);
    memset(buffer[1 * WIDTH + 8], 104, 3);
    memset(buffer[3 * WIDTH + 9], 104, 3);
    memset(buffer[2 * WIDTH + 9], 88, 3);
    CHECK_INT(shown(&console, 16, 2), 98);
    static const int far[][2] = {{8, 0}, {8, 4}, {6, 2}, {10, 2}, {6, 0}, {10, 4}}; /* two away: no neighbours */
    for (size_t i = 0; i < sizeof far / sizeof *far; i++) {
        memset(buffer[far[i][1] * WIDTH + far[i][0]], 104, 3);
        CHECK_INT(shown(&console, 16, 2), 98);
    }
}

/* 2 * isqrt(64 * 64), 2 * isqrt(64 * 248). Eight pixels on the left and seven on the right are black. */
TEST(gamma_and_borders)
{
    const trilo_console console = {.gamma = true};
    clear(64);
    CHECK_INT(shown(&console, 16, 2), 128);
    CHECK_INT(shown(&console, 7, 2), 0);
    CHECK_INT(shown(&console, 8, 2), 128);
    CHECK_INT(shown(&console, 24, 2), 128);
    CHECK_INT(shown(&console, 25, 2), 0);
    CHECK(memcmp(tv + 4 * WIDTH, tv + 6 * WIDTH, sizeof *tv * 2 * WIDTH) == 0); /* every line twice */
    clear(248);
    CHECK_INT(shown(&console, 16, 2), 250);
}

/* ---- whole pictures ---- */

static int compare_down(const void *a, const void *b)
{
    return *(const int *)b - *(const int *)a;
}

/* A stored pixel after the first filter: its own value and those of the full neighbours in a list, sorted. */
static int filtered(const tl_framebuffer *f, int x, int y, int k, trilo_video_filter filter)
{
    static const int places[6][2] = {{-1, -1}, {1, -1}, {-2, 0}, {2, 0}, {-1, 1}, {1, 1}};
    const int width = (int)f->width, height = (int)f->height, at = y * width + x, c = f->rgba[at][k],
              cvg = f->coverage[at];
    if (filter == TRILO_VIDEO_FILTER_RESAMPLE)
        return c;
    if (cvg < 7) {
        int list[7] = {c}, count = 1;
        for (int i = 0; i < 6; i++) {
            const int line = y + places[i][1], place = line * width + x + places[i][0]; /* memory goes on */
            if (line >= 0 && line < height && place >= 0 && place < width * height && f->coverage[place] == 7)
                list[count++] = f->rgba[place][k];
        }
        qsort(list, (size_t)count, sizeof *list, compare_down);
        const int high = list[0] == c ? c : list[1], low = list[count - 1] == c ? c : list[count - 2];
        return c + (((7 - cvg) * (high + low - 2 * c) + 4) >> 3);
    }
    int sum = 0;
    for (int i = 0; i < 9 && filter == TRILO_VIDEO_FILTER_ANTIALIAS_DEDITHER && !f->color_32; i++) {
        const int line = y + i / 3 - 1, place = line * width + x + i % 3 - 1;
        if (line >= 0 && line < height && place >= 0 && place < width * height)
            sum += (f->rgba[place][k] / 8 > c / 8) - (f->rgba[place][k] / 8 < c / 8);
    }
    return c + sum;
}

/* The median of a pixel and those beside it, unless all three are full. */
static int divot(const tl_framebuffer *f, int x, int y, int k, trilo_video_filter filter)
{
    const int width = (int)f->width, at = y * width + x;
    const int middle = filtered(f, x, y, k, filter);
    if (filter == TRILO_VIDEO_FILTER_RESAMPLE || x == 0 || x == width - 1 ||
        (f->coverage[at - 1] == 7 && f->coverage[at] == 7 && f->coverage[at + 1] == 7))
        return middle;
    int list[3] = {filtered(f, x - 1, y, k, filter), middle, filtered(f, x + 1, y, k, filter)};
    qsort(list, 3, sizeof *list, compare_down);
    return list[1];
}

TEST(pictures_are_those_of_the_formulas)
{
    uint64_t seed = 3;
    for (int round = 0; round < 12; round++) {
        const trilo_video_filter filter = (trilo_video_filter)(round % 3);
        const trilo_console console = {.filter = filter, .gamma = round / 3 % 2 != 0};
        tl_framebuffer f = framebuffer;
        f.color_32 = round >= 9;
        for (int i = 0; i < WIDTH * HEIGHT; i++) {
            const uint64_t bits = random_bits(&seed);
            for (int k = 0; k < 3; k++) /* away from both ends, beyond which dedither goes */
                buffer[i][k] = (uint8_t)(16 + (bits >> 8 * k) % 28 * 8 + (f.color_32 ? bits >> 50 & 7 : 0));
            buffer[i][3] = (uint8_t)(bits >> 30);
            coverage[i] = bits >> 40 & 1 ? 7 : (uint8_t)(bits >> 41 & 7);
        }
        tl_video_output(&f, &console, scratch, tv);
        for (int i = 0; i < 2 * WIDTH * 2 * HEIGHT; i++) {
            const int x = i % (2 * WIDTH), y = i / (2 * WIDTH) / 2, right = x / 2 + 1 < WIDTH ? x / 2 + 1 : x / 2;
            const bool black = x < 8 || x >= 2 * WIDTH - 7;
            for (int k = 0; k < 3; k++) {
                const int a = divot(&f, x / 2, y, k, filter), b = divot(&f, right, y, k, filter);
                int want = x % 2 == 0 ? a : a + (((b - a) * 16 + 16) >> 5);
                if (console.gamma)
                    want = 2 * (int)floor(sqrt(64.0 * want));
                if (tv[i][k] != (black ? 0 : want))
                    FAIL("filter %d, pixel %d, %d: %d instead of %d", round % 3, x, i / (2 * WIDTH), tv[i][k], want);
            }
            CHECK_INT(tv[i][3], black ? 255 : buffer[y * WIDTH + x / 2][3]);
        }
    }
}

/* ---- the buffer ---- */

/* Five bits become eight with the upper three again below them; any number of pixels, and no others. */
TEST(five_bits_are_expanded)
{
    uint8_t pixels[40][4], before[40][4];
    for (size_t count = 0; count <= 38; count++) {
        for (size_t i = 0; i < 40; i++)
            for (size_t k = 0; k < 4; k++)
                pixels[i][k] = (uint8_t)(k == 3 ? i * 5 + count : (i * 7 + k * 11 + count) % 32 * 8);
        memcpy(before, pixels, sizeof pixels);
        tl_framebuffer_expand(pixels, count);
        for (size_t i = 0; i < 40; i++)
            for (size_t k = 0; k < 4; k++)
                CHECK_INT(pixels[i][k], before[i][k] + (i < count && k < 3 ? before[i][k] / 32 : 0));
    }
}

/* The matrices of the RDP; without dither nothing is above 7. */
TEST(dither_matrices)
{
    static const uint8_t square[4][4] = {{0, 6, 1, 7}, {4, 2, 5, 3}, {3, 5, 2, 4}, {7, 1, 6, 0}},
                         bayer[4][4] = {{0, 4, 1, 5}, {4, 0, 5, 1}, {3, 7, 2, 6}, {7, 3, 6, 2}};
    CHECK(memcmp(tl_dither_matrix(TL_DITHER_SQUARE), square, sizeof square) == 0);
    CHECK(memcmp(tl_dither_matrix(TL_DITHER_BAYER), bayer, sizeof bayer) == 0);
    for (int i = 0; i < 16; i++)
        CHECK_INT(tl_dither_matrix(TL_DITHER_NONE)[i / 4][i % 4], 7);
}

TEST_MAIN(CASE(pictures_are_those_of_the_formulas), CASE(five_bits_are_expanded), CASE(dither_matrices),
          CASE(the_filter_smooths_what_is_not_full), CASE(dedither_counts_neighbours), CASE(gamma_and_borders))
