/* Lines of one colour. */
#include "raster/raster.h"

#include <math.h>

/* Lines over their own surface are drawn a little nearer than they are. */
enum { NEARER = TL_DEPTH_MOST / 2048 };

static void pixel(const tl_target *target, const tl_line *line, int64_t x, int64_t y, float depth)
{
    if (x < 0 || y < 0 || x >= target->width || y >= target->height)
        return;
    const size_t at = (size_t)y * target->width + (size_t)x;
    if (!line->on_top && depth - NEARER > (float)target->depths[at])
        return;
    for (int k = 0; k < 3; k++)
        target->pixels[at][k] = target->n64 ? line->color[k] & 0xF8 : line->color[k];
    target->pixels[at][3] = 255;
}

static void dot(const tl_target *target, const tl_line *line, float x, float y, float depth)
{
    const int64_t wide = target->line, before = wide / 2;
    const int64_t column = (int64_t)floorf(x) - before, row = (int64_t)floorf(y) - before;
    for (int64_t j = 0; j < wide || j == 0; j++)
        for (int64_t i = 0; i < wide || i == 0; i++)
            pixel(target, line, column + i, row + j, depth);
}

/* The part of the way, from 0 to 1, that is within [0, size); false: none. */
static bool within(float from, float by, float size, float *first, float *last)
{
    if (by == 0)
        return from >= 0 && from < size;
    const float enter = (by > 0 ? -from : size - from) / by, leave = (by > 0 ? size - from : -from) / by;
    *first = enter > *first ? enter : *first;
    *last = leave < *last ? leave : *last;
    return *first <= *last;
}

void tl_draw_line(const tl_target *target, const tl_line *line)
{
    const tl_corner *a = line->a, *b = line->b;
    const float x = b->x - a->x, y = b->y - a->y, deep = b->depth - a->depth;
    float first = 0, last = 1;
    if (!within(a->x, x, (float)target->width, &first, &last) || !within(a->y, y, (float)target->height, &first, &last))
        return;
    const float long_way = fabsf(x) > fabsf(y) ? fabsf(x) : fabsf(y);
    const int32_t count = (int32_t)ceilf(long_way * (last - first));
    for (int32_t i = 0; i <= count; i++) {
        const float part = count > 0 ? first + (last - first) * ((float)i / (float)count) : first;
        dot(target, line, a->x + x * part, a->y + y * part, a->depth + deep * part);
    }
}
