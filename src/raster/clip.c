/* Clipping at the planes of the view volume, one after the other (Sutherland and Hodgman 1974). */
#include "raster/clip.h"
#include "base/strict_float.h"

#include "base/bytes.h"

enum { CLIP_PLANES = 6 };

tl_screen tl_screen_of(uint32_t width, uint32_t height)
{
    const uint32_t longer = width > height ? width : height;
    return (tl_screen){(float)width / 2, (float)height / 2, (float)(2 * (TL_GUARD - 1)) / (float)longer - 1};
}

void tl_vertex_set_outcode(const tl_screen *screen, tl_vertex *v)
{
    const float g = screen->guard * v->w;
    if (!tl_is_finite(v->x) || !tl_is_finite(v->y) || !tl_is_finite(v->z) || !tl_is_finite(v->w) || !tl_is_finite(g)) {
        v->outcode = TL_OUT_INVALID;
        return;
    }
    v->outcode = (v->x < -v->w ? TL_OUT_LEFT : 0u) | (v->x > v->w ? TL_OUT_RIGHT : 0u) |
                 (v->y < -v->w ? TL_OUT_LOWER : 0u) | (v->y > v->w ? TL_OUT_UPPER : 0u) |
                 (v->z < 0 ? TL_OUT_NEAR : 0u) | (v->z > v->w ? TL_OUT_FAR : 0u) |
                 (v->x < -g || v->x > g || v->y < -g || v->y > g ? TL_OUT_GUARD : 0u);
}

tl_corner tl_vertex_corner(const tl_screen *screen, const tl_vertex *v)
{
    const float inverse_w = 1 / v->w;
    return (tl_corner){(v->x * inverse_w + 1) * screen->half_width,
                       (1 - v->y * inverse_w) * screen->half_height,
                       v->z * inverse_w * TL_Z_MAX,
                       inverse_w,
                       v->s,
                       v->t,
                       {v->shade[0], v->shade[1], v->shade[2], v->shade[3]}};
}

/* Not below 0 inside. */
static float clip_distance(const tl_screen *screen, const tl_vertex *v, int plane)
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

static float clip_lerp(float a, float b, float part)
{
    return a + (b - a) * part;
}

/* Always from the inside to the outside, so that two triangles with that edge get the same new corner. */
static tl_vertex clip_intersect(const tl_vertex *in, float in_distance, const tl_vertex *out, float out_distance)
{
    const float part = in_distance / (in_distance - out_distance);
    tl_vertex v = {.x = clip_lerp(in->x, out->x, part),
                   .y = clip_lerp(in->y, out->y, part),
                   .z = clip_lerp(in->z, out->z, part),
                   .w = clip_lerp(in->w, out->w, part),
                   .s = clip_lerp(in->s, out->s, part),
                   .t = clip_lerp(in->t, out->t, part)};
    for (int k = 0; k < 4; k++)
        v.shade[k] = clip_lerp(in->shade[k], out->shade[k], part);
    return v;
}

static int clip_polygon(const tl_screen *screen, int plane, const tl_vertex *from, int count, tl_vertex *to)
{
    int made = 0;
    for (int i = 0; i < count; i++) {
        const tl_vertex *a = &from[i], *b = &from[i + 1 < count ? i + 1 : 0];
        const float a_distance = clip_distance(screen, a, plane), b_distance = clip_distance(screen, b, plane);
        if (a_distance >= 0)
            to[made++] = *a;
        if ((a_distance >= 0) != (b_distance >= 0))
            to[made++] = a_distance >= 0 ? clip_intersect(a, a_distance, b, b_distance)
                                         : clip_intersect(b, b_distance, a, a_distance);
    }
    return made;
}

/* Rounding may leave a new corner slightly outside; it is moved back, so that it fits the screen's grid. */
static void clip_clamp_to_guard(const tl_screen *screen, tl_vertex *v)
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
    for (int plane = 0; plane < CLIP_PLANES && count > 0; plane++) {
        count = clip_polygon(screen, plane, from, count, to);
        tl_vertex *swap = from;
        from = to, to = swap;
    }
    for (int i = 0; i < count; i++) { /* an even number of planes: `from` is the polygon again */
        clip_clamp_to_guard(screen, &from[i]);
        if (!(from[i].w > 0))
            return 0;
    }
    return count >= 3 && from == polygon ? count : 0;
}

bool tl_clip_line(const tl_screen *screen, tl_vertex *a, tl_vertex *b)
{
    if (((a->outcode | b->outcode) & TL_OUT_INVALID) != 0)
        return false;
    for (int plane = 0; plane < CLIP_PLANES; plane++) {
        const float a_distance = clip_distance(screen, a, plane), b_distance = clip_distance(screen, b, plane);
        if (a_distance < 0 && b_distance < 0)
            return false;
        if (a_distance < 0)
            *a = clip_intersect(b, b_distance, a, a_distance);
        else if (b_distance < 0)
            *b = clip_intersect(a, a_distance, b, b_distance);
    }
    clip_clamp_to_guard(screen, a);
    clip_clamp_to_guard(screen, b);
    return a->w > 0 && b->w > 0;
}
