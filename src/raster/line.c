/* Lines of one colour. */
#include "base/strict_float.h"
#include "raster/raster.h"

#include <math.h>

/* Lines over their own surface are drawn a little nearer than they are. */
enum { NEARER = TL_Z_MAX / 2048, NEARER_CONSOLE = 0x40000 / 2048 };

static void line_draw_pixel(const tl_framebuffer *framebuffer, const tl_line *line, int64_t x, int64_t y, float z)
{
    if (x < 0 || y < 0 || x >= framebuffer->width || y >= framebuffer->height)
        return;
    const size_t at = (size_t)y * framebuffer->width + (size_t)x;
    const bool console = framebuffer->coverage != NULL;
    if (!line->on_top &&
        (console ? z - NEARER_CONSOLE > (float)(framebuffer->z[at] >> 4) : z - NEARER > (float)framebuffer->z[at]))
        return;
    for (int k = 0; k < 3; k++)
        framebuffer->rgba[at][k] = console && !framebuffer->color_32 ? line->color[k] & 0xF8 : line->color[k];
    framebuffer->rgba[at][3] = 255;
    if (console)
        framebuffer->coverage[at] = 7;
}

static void line_draw_dot(const tl_framebuffer *framebuffer, const tl_line *line, float x, float y, float z)
{
    const int64_t wide = framebuffer->line, before = wide / 2;
    const int64_t column = (int64_t)floorf(x) - before, row = (int64_t)floorf(y) - before;
    for (int64_t j = 0; j < wide || j == 0; j++)
        for (int64_t i = 0; i < wide || i == 0; i++)
            line_draw_pixel(framebuffer, line, column + i, row + j, z);
}

/* The part of the line, from 0 to 1, that is within [0, size); false: none (Liang and Barsky 1984). */
static bool line_clip_axis(float from, float by, float size, float *first, float *last)
{
    if (by == 0)
        return from >= 0 && from < size;
    const float enter = (by > 0 ? -from : size - from) / by, leave = (by > 0 ? size - from : -from) / by;
    *first = enter > *first ? enter : *first;
    *last = leave < *last ? leave : *last;
    return *first <= *last;
}

void tl_draw_line(const tl_framebuffer *framebuffer, const tl_line *line)
{
    const tl_corner *a = line->a, *b = line->b;
    const float x = b->x - a->x, y = b->y - a->y, z = b->z - a->z;
    float first = 0, last = 1;
    if (!line_clip_axis(a->x, x, (float)framebuffer->width, &first, &last) ||
        !line_clip_axis(a->y, y, (float)framebuffer->height, &first, &last))
        return;
    const float length = fabsf(x) > fabsf(y) ? fabsf(x) : fabsf(y);
    const int32_t count = (int32_t)ceilf(length * (last - first));
    for (int32_t i = 0; i <= count; i++) {
        const float part = count > 0 ? first + (last - first) * ((float)i / (float)count) : first;
        line_draw_dot(framebuffer, line, a->x + x * part, a->y + y * part, a->z + z * part);
    }
}
