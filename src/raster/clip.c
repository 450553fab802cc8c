/* Cutting polygons at the planes of the camera, one plane after the other. */
#include "raster/clip.h"

#include "base/bytes.h"

enum { PLANE_COUNT = 6 };

tl_screen tl_screen_of(uint32_t width, uint32_t height)
{
    const uint32_t longer = width > height ? width : height;
    return (tl_screen){(float)width / 2, (float)height / 2, (float)(2 * (TL_GUARD - 1)) / (float)longer - 1};
}

void tl_vertex_codes(const tl_screen *screen, tl_vertex *v)
{
    const float g = screen->guard * v->w;
    if (!tl_is_finite(v->x) || !tl_is_finite(v->y) || !tl_is_finite(v->z) || !tl_is_finite(v->w) || !tl_is_finite(g)) {
        v->codes = TL_OUT_NOWHERE;
        return;
    }
    v->codes = (v->x < -v->w ? TL_OUT_LEFT : 0u) | (v->x > v->w ? TL_OUT_RIGHT : 0u) |
               (v->y < -v->w ? TL_OUT_LOWER : 0u) | (v->y > v->w ? TL_OUT_UPPER : 0u) | (v->z < 0 ? TL_OUT_NEAR : 0u) |
               (v->z > v->w ? TL_OUT_FAR : 0u) | (v->x < -g || v->x > g || v->y < -g || v->y > g ? TL_OUT_GUARD : 0u);
}

tl_corner tl_vertex_corner(const tl_screen *screen, const tl_vertex *v)
{
    const float inverse = 1 / v->w;
    return (tl_corner){(v->x * inverse + 1) * screen->half_width,
                       (1 - v->y * inverse) * screen->half_height,
                       v->z * inverse * TL_DEPTH_MOST,
                       inverse,
                       v->s,
                       v->t,
                       {v->shade[0], v->shade[1], v->shade[2], v->shade[3]}};
}

/* How far a vertex is inside a plane. */
static float inside(const tl_screen *screen, const tl_vertex *v, int plane)
{
    const float g = screen->guard * v->w;
    switch (plane) {
    case 0:
        return v->z;
    case 1:
        return v->w - v->z;
    case 2:
        return g + v->x;
    case 3:
        return g - v->x;
    case 4:
        return g + v->y;
    default:
        return g - v->y;
    }
}

static float between(float a, float b, float part)
{
    return a + (b - a) * part;
}

static tl_vertex meet(const tl_vertex *a, const tl_vertex *b, float part)
{
    tl_vertex v = {.x = between(a->x, b->x, part),
                   .y = between(a->y, b->y, part),
                   .z = between(a->z, b->z, part),
                   .w = between(a->w, b->w, part),
                   .s = between(a->s, b->s, part),
                   .t = between(a->t, b->t, part)};
    for (int k = 0; k < 4; k++)
        v.shade[k] = between(a->shade[k], b->shade[k], part);
    return v;
}

/* Always from the inside to the outside, so that two triangles with that edge get the same new corner. */
static tl_vertex crossing(const tl_vertex *in, float in_by, const tl_vertex *out, float out_by)
{
    return meet(in, out, in_by / (in_by - out_by));
}

static int cut(const tl_screen *screen, int plane, const tl_vertex *from, int count, tl_vertex *to)
{
    int made = 0;
    for (int i = 0; i < count; i++) {
        const tl_vertex *a = &from[i], *b = &from[i + 1 < count ? i + 1 : 0];
        const float a_by = inside(screen, a, plane), b_by = inside(screen, b, plane);
        if (a_by >= 0)
            to[made++] = *a;
        if ((a_by >= 0) != (b_by >= 0))
            to[made++] = a_by >= 0 ? crossing(a, a_by, b, b_by) : crossing(b, b_by, a, a_by);
    }
    return made;
}

/* Rounding may leave a new corner a hair outside; it is put back, so that the screen's grid holds it. */
static void settle(const tl_screen *screen, tl_vertex *v)
{
    const float g = screen->guard * v->w;
    v->z = v->z > 0 ? v->z : 0;
    v->x = v->x < -g ? -g : v->x > g ? g : v->x;
    v->y = v->y < -g ? -g : v->y > g ? g : v->y;
}

int tl_clip_triangle(const tl_screen *screen, const tl_vertex *corners[3], tl_vertex polygon[TL_POLYGON_MOST])
{
    tl_vertex other[TL_POLYGON_MOST];
    tl_vertex *from = polygon, *to = other;
    int count = 3;
    for (int k = 0; k < 3; k++)
        polygon[k] = *corners[k];
    for (int plane = 0; plane < PLANE_COUNT && count > 0; plane++) {
        count = cut(screen, plane, from, count, to);
        tl_vertex *swap = from;
        from = to, to = swap;
    }
    for (int i = 0; i < count; i++) { /* an even number of planes: `from` is the polygon again */
        settle(screen, &from[i]);
        if (!(from[i].w > 0))
            return 0;
    }
    return count >= 3 && from == polygon ? count : 0;
}

bool tl_clip_line(const tl_screen *screen, tl_vertex *a, tl_vertex *b)
{
    if (((a->codes | b->codes) & TL_OUT_NOWHERE) != 0)
        return false;
    for (int plane = 0; plane < PLANE_COUNT; plane++) {
        const float a_by = inside(screen, a, plane), b_by = inside(screen, b, plane);
        if (a_by < 0 && b_by < 0)
            return false;
        if (a_by < 0)
            *a = crossing(b, b_by, a, a_by);
        else if (b_by < 0)
            *b = crossing(a, a_by, b, b_by);
    }
    settle(screen, a);
    settle(screen, b);
    return a->w > 0 && b->w > 0;
}
