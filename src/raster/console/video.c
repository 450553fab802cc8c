/* The video interface as libdragon's display_init sets it up: the antialias filter where coverage is
 * not full, or dedither where it is; divot; twice as many pixels a line; gamma. */
#include "raster/console/video.h"

#include <string.h>

/* Pixels of the television that stay black. */
enum { VIDEO_BLACK_LEFT = 8, VIDEO_BLACK_RIGHT = 7 };

typedef struct video_source {
    const tl_framebuffer *framebuffer;
    trilo_video_filter filter;
} video_source;

/* Lines follow each other in memory. NULL above the first and below the last. */
static const uint8_t *video_pixel(const tl_framebuffer *f, uint32_t y, int64_t x, int dy, uint8_t *coverage)
{
    const int64_t line = (int64_t)y + dy, at = line * f->width + x;
    if (line < 0 || line >= f->height || at < 0 || at >= (int64_t)f->width * f->height)
        return NULL;
    *coverage = f->coverage[at];
    return f->rgba[at];
}

/* Mixes a pixel that is not full with those of its full neighbours that are second to the brightest and darkest. */
static void video_antialias(const tl_framebuffer *f, uint32_t x, uint32_t y, int32_t coverage, uint8_t out[4])
{
    static const int8_t offsets[6][2] = {{-1, -1}, {1, -1}, {-2, 0}, {2, 0}, {-1, 1}, {1, 1}};
    const uint8_t *around[6];
    int count = 0;
    for (int i = 0; i < 6; i++) {
        uint8_t full = 0;
        const uint8_t *p = video_pixel(f, y, (int64_t)x + offsets[i][0], offsets[i][1], &full);
        if (p && full == 7)
            around[count++] = p;
    }
    for (int k = 0; k < 3; k++) {
        const int32_t c = out[k];
        int32_t most = c, second_most = -1, least = c, second_least = 256;
        for (int i = 0; i < count; i++) {
            const int32_t v = around[i][k];
            if (v > most)
                second_most = most, most = v;
            else if (v > second_most)
                second_most = v;
            if (v < least)
                second_least = least, least = v;
            else if (v < second_least)
                second_least = v;
        }
        const int32_t high = most == c ? c : second_most, low = least == c ? c : second_least;
        out[k] = (uint8_t)(c + (((7 - coverage) * (high + low - 2 * c) + 4) >> 3));
    }
}

/* Adds the number of brighter neighbours and subtracts that of darker ones, counted in five bits. */
static void video_dedither(const tl_framebuffer *f, uint32_t x, uint32_t y, uint8_t out[4])
{
    int32_t sum[3] = {0, 0, 0};
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            uint8_t coverage;
            const uint8_t *p = video_pixel(f, y, (int64_t)x + dx, dy, &coverage);
            for (int k = 0; p && k < 3; k++)
                sum[k] += (p[k] >> 3 > out[k] >> 3) - (p[k] >> 3 < out[k] >> 3);
        }
    for (int k = 0; k < 3; k++)
        out[k] = (uint8_t)(out[k] + sum[k]);
}

static void video_filter_line(const video_source *v, uint32_t y, uint8_t (*out)[4])
{
    const tl_framebuffer *f = v->framebuffer;
    memcpy(out, f->rgba + (size_t)y * f->width, (size_t)f->width * sizeof *out);
    for (uint32_t x = 0; x < f->width && v->filter != TRILO_VIDEO_FILTER_RESAMPLE; x++) {
        const int32_t coverage = f->coverage[(size_t)y * f->width + x];
        if (coverage < 7)
            video_antialias(f, x, y, coverage, out[x]);
        else if (v->filter == TRILO_VIDEO_FILTER_ANTIALIAS_DEDITHER && !f->color_32)
            video_dedither(f, x, y, out[x]);
    }
}

static uint8_t video_median(uint8_t a, uint8_t b, uint8_t c)
{
    const uint8_t low = a < b ? a : b, high = a < b ? b : a;
    return c < low ? low : c > high ? high : c;
}

/* Unless a pixel and those beside it are full, it becomes the median of the three. */
static void video_divot_line(const video_source *v, uint32_t y, const uint8_t (*from)[4], uint8_t (*to)[4])
{
    const uint32_t width = v->framebuffer->width;
    const uint8_t *coverage = v->framebuffer->coverage + (size_t)y * width;
    memcpy(to, from, (size_t)width * sizeof *to);
    for (uint32_t x = 1; x + 1 < width && v->filter != TRILO_VIDEO_FILTER_RESAMPLE; x++)
        if ((coverage[x - 1] & coverage[x] & coverage[x + 1]) != 7)
            for (int k = 0; k < 3; k++)
                to[x][k] = video_median(from[x - 1][k], from[x][k], from[x + 1][k]);
}

/* 2 * the square root of 64 * c, all in whole numbers. */
static uint8_t video_gamma(uint8_t c)
{
    int32_t root = 0;
    while ((root + 1) * (root + 1) <= 64 * c)
        root++;
    return (uint8_t)(2 * root);
}

void tl_video_output(const tl_framebuffer *f, const trilo_console *console, uint8_t (*scratch)[4], uint8_t (*pixels)[4])
{
    const video_source source = {f, console->filter};
    const uint32_t width = 2 * f->width;
    uint8_t gamma[256];
    for (int i = 0; i < 256; i++)
        gamma[i] = console->gamma ? video_gamma((uint8_t)i) : (uint8_t)i;
    for (uint32_t y = 0; y < f->height; y++) {
        uint8_t(*line)[4] = scratch + f->width, (*out)[4] = pixels + (size_t)2 * y * width;
        video_filter_line(&source, y, scratch);
        video_divot_line(&source, y, (const uint8_t(*)[4])scratch, line);
        for (uint32_t x = 0; x < width; x++) {
            const uint8_t *a = line[x / 2], *b = line[x / 2 + 1 < f->width ? x / 2 + 1 : x / 2];
            const bool black = x < VIDEO_BLACK_LEFT || x + VIDEO_BLACK_RIGHT >= width;
            for (int k = 0; k < 3; k++)
                out[x][k] = black ? 0 : gamma[(x & 1) == 0 ? a[k] : a[k] + ((b[k] - a[k] + 1) >> 1)];
            out[x][3] = black ? 255 : a[3];
        }
        memcpy(out + width, out, (size_t)width * sizeof *out);
    }
}
