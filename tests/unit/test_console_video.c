/* The console's video output, against sums worked out by hand. */
#include "harness.h"
#include "raster/console/video.h"

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

TEST_MAIN(CASE(the_filter_smooths_what_is_not_full), CASE(dedither_counts_neighbours), CASE(gamma_and_borders))
