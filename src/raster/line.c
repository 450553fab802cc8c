/* Lines of one colour. */
#include "base/strict_float.h"
#include "raster/raster.h"

#include <math.h>

/* Lines over their own surface are drawn a little nearer than they are. */
enum { NEARER = TL_Z_MAX / 2048, NEARER_CONSOLE = 0x40000 / 2048 };

/* As wide and high as the line. */
static void line_draw_dot(const tl_framebuffer *f, const tl_line *line, float x, float y, float z)
{
    const int64_t wide = f->line > 0 ? f->line : 1;
    const int64_t left = (int64_t)floorf(x) - wide / 2, top = (int64_t)floorf(y) - wide / 2;
    const bool console = f->coverage != NULL;
    for (int64_t row = top; row < top + wide; row++)
        for (int64_t column = left; column < left + wide; column++) {
            if (column < 0 || row < 0 || column >= f->width || row >= f->height)
                continue;
            const size_t at = (size_t)row * f->width + (size_t)column;
            if (!line->on_top && (console ? z - NEARER_CONSOLE > (float)(f->z[at] >> 4) : z - NEARER > (float)f->z[at]))
                continue;
            for (int k = 0; k < 3; k++)
                f->rgba[at][k] = console && !f->color_32 ? line->color[k] & 0xF8 : line->color[k];
            f->rgba[at][3] = 255;
            if (console)
                f->coverage[at] = 7;
        }
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
    float before[2] = {0, 0};
    for (int32_t i = 0; i <= count; i++) {
        const float part = count > 0 ? first + (last - first) * ((float)i / (float)count) : first;
        const float at[2] = {a->x + x * part, a->y + y * part};
        /* Dots of a line that is cut can be at the edges of pixels, where rounding leaves one out. */
        if (i > 0 && (fabsf(floorf(at[0]) - floorf(before[0])) > 1 || fabsf(floorf(at[1]) - floorf(before[1])) > 1))
            line_draw_dot(framebuffer, line, (at[0] + before[0]) / 2, (at[1] + before[1]) / 2, a->z + z * part);
        line_draw_dot(framebuffer, line, at[0], at[1], a->z + z * part);
        before[0] = at[0], before[1] = at[1];
    }
}
