/* Clipping as the microcode does it, after Sutherland and Hodgman 1974. The order of corners matters,
 * since shade is linear on the screen: another fan over the same polygon has other colours. */
#include "raster/console/clip.h"
#include "base/strict_float.h"

#include <math.h>

enum { GUARD_PLANES = 5 };

/* Not below 0 inside. Right, upper, near, left, lower. */
static double guard_distance(const tl_console_vertex *v, int plane)
{
    const double guard = TL_GUARD_BAND * v->w;
    switch (plane) {
    case 0:
        return guard - v->x;
    case 1:
        return guard - v->y;
    case 2:
        return v->z + v->w;
    case 3:
        return guard + v->x;
    default:
        return guard + v->y;
    }
}

/* Colours are cut to bytes and texture coordinates to 1/32 texel. */
static tl_console_vertex guard_intersect(const tl_console_vertex *a, double a_distance, const tl_console_vertex *b,
                                         double b_distance)
{
    const double part = a_distance / (a_distance - b_distance);
    tl_console_vertex v = {.x = a->x + (b->x - a->x) * part,
                           .y = a->y + (b->y - a->y) * part,
                           .z = a->z + (b->z - a->z) * part,
                           .w = a->w + (b->w - a->w) * part,
                           .s = (int32_t)floor(a->s + (b->s - a->s) * part),
                           .t = (int32_t)floor(a->t + (b->t - a->t) * part)};
    for (int k = 0; k < 4; k++)
        v.shade[k] = (uint8_t)floor(a->shade[k] + (b->shade[k] - a->shade[k]) * part);
    return v;
}

static int guard_clip(int plane, const tl_console_vertex *from, int count, tl_console_vertex *to)
{
    int made = 0;
    for (int i = 0; i < count; i++) {
        const tl_console_vertex *a = &from[i], *b = &from[i + 1 < count ? i + 1 : 0];
        const double a_distance = guard_distance(a, plane), b_distance = guard_distance(b, plane);
        if (a_distance >= 0)
            to[made++] = *a;
        if ((a_distance >= 0) != (b_distance >= 0)) /* from inside to outside: two triangles get the same corner */
            to[made++] = a_distance >= 0 ? guard_intersect(a, a_distance, b, b_distance)
                                         : guard_intersect(b, b_distance, a, a_distance);
    }
    return made;
}

int tl_console_clip(const tl_viewport *viewport, const tl_console_vertex *const corners[3],
                    tl_console_vertex polygon[TL_CONSOLE_POLYGON_MOST])
{
    tl_console_vertex other[TL_CONSOLE_POLYGON_MOST] = {*corners[0], *corners[2], *corners[1]};
    tl_console_vertex *from = other, *to = polygon;
    int count = 3;
    for (int plane = 0; plane < GUARD_PLANES && count > 0; plane++) {
        count = guard_clip(plane, from, count, to);
        tl_console_vertex *swap = from;
        from = to, to = swap;
    }
    for (int i = 0; i < count; i++) { /* an odd number of planes: the last result is in `polygon` */
        if (!(polygon[i].w > 0))
            return 0;
        tl_console_project(viewport, &polygon[i]);
    }
    return count >= 3 ? count : 0;
}
