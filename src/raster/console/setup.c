/* Triangle setup (picture.md 7, 8 and 13). Plain fractions take the place of the microcode's rounded slopes, which
 * changes a pixel in thousands. */
#include "raster/console/setup.h"
#include "base/strict_float.h"

#include "raster/console/depth.h"

/* ---- planes ---- */

/* A plane with lesser slopes fits 32 bits at three quarters of both, too. */
#define SETUP_STEEP (INT64_C(1) << 28)

/* Values at the corners from the top; what follows from them for x and y by a factor. */
typedef struct setup_basis {
    double x1, y1, x2, y2, factor;
} setup_basis;

/* Products of differences are below 2^53, so doubles have them exactly. */
static inline tl_attribute setup_plane(const setup_basis *b, int32_t v0, int32_t v1, int32_t v2)
{
    const double d1 = v1 - v0, d2 = v2 - v0;
    return (tl_attribute){(int64_t)v0 * 65536, (int64_t)((d1 * b->y2 - d2 * b->y1) * b->factor),
                          (int64_t)((d2 * b->x1 - d1 * b->x2) * b->factor)};
}

/* Four planes. */
typedef struct setup_planes {
    tl_int4 by_x, by_y;
    tl_int4 to_pixel; /* from the first corner to the upper left corner of its pixel */
    tl_int4 steep;    /* true of those with too large slopes */
} setup_planes;

/* a1 * d1 - a2 * d2 by the factor, cut to whole numbers; INT32_MIN, or its neighbour, where 32 bits do not hold them.
 */
TL_ALWAYS_INLINE tl_int4 setup_slopes(const setup_basis *b, double a1, tl_int4 d1, double a2, tl_int4 d2)
{
#if defined(__SSE2__)
    const __m128d upper_1 = _mm_cvtepi32_pd((__m128i)d1), upper_2 = _mm_cvtepi32_pd((__m128i)d2);
    const __m128d lower_1 = _mm_cvtepi32_pd(_mm_unpackhi_epi64((__m128i)d1, (__m128i)d1)),
                  lower_2 = _mm_cvtepi32_pd(_mm_unpackhi_epi64((__m128i)d2, (__m128i)d2));
    const __m128i first = _mm_cvttpd_epi32((upper_1 * a1 - upper_2 * a2) * b->factor),
                  last = _mm_cvttpd_epi32((lower_1 * a1 - lower_2 * a2) * b->factor);
    return (tl_int4)_mm_unpacklo_epi64(first, last);
#else
    tl_int4 slopes;
    for (int k = 0; k < 4; k++) {
        const double slope = (d1[k] * a1 - d2[k] * a2) * b->factor;
        slopes[k] = slope > -2147483648.0 && slope < 2147483648.0 ? (int32_t)slope : INT32_MIN;
    }
    return slopes;
#endif
}

/* 0 to 3 times a slope. */
TL_ALWAYS_INLINE tl_uint4 setup_quarters(tl_uint4 slope, int32_t quarters)
{
    return (slope & -(uint32_t)(quarters & 1)) + (slope << 1 & -(uint32_t)(quarters >> 1));
}

/* False: some slope is steep. */
TL_ALWAYS_INLINE bool setup_four(const tl_raster_triangle *t, const setup_basis *b, tl_int4 v0, tl_int4 v1, tl_int4 v2,
                                 setup_planes *out)
{
    const tl_int4 d1 = v1 - v0, d2 = v2 - v0;
    const tl_int4 by_x = setup_slopes(b, b->y2, d1, b->y1, d2), by_y = setup_slopes(b, b->x1, d2, b->x2, d1);
    const tl_uint4 large = ((tl_uint4)by_x + (uint32_t)SETUP_STEEP) | ((tl_uint4)by_y + (uint32_t)SETUP_STEEP);
    const tl_uint4 within = setup_quarters((tl_uint4)by_x, t->x & 3) + setup_quarters((tl_uint4)by_y, t->y & 3);
    *out = (setup_planes){by_x, by_y, (tl_int4)-within >> 2, (tl_int4)((large >> 29) != 0)};
    return !tl_int4_any(out->steep);
}

/* ---- attributes ---- */

static void setup_steep_shade(tl_raster_triangle *t, const setup_basis *b)
{
    const tl_console_vertex *const *c = t->corners;
    for (int k = 0; k < 4; k++)
        t->planes[TL_ATTRIBUTE_SHADE + k] = setup_plane(b, c[0]->shade[k], c[1]->shade[k], c[2]->shade[k]);
}

static void setup_shade(tl_raster_triangle *t, const setup_basis *b)
{
    const tl_console_vertex *const *c = t->corners;
    setup_planes planes;
    const tl_int4 first = tl_int4_load_bytes(c[0]->shade);
    t->steep = !setup_four(t, b, first, tl_int4_load_bytes(c[1]->shade), tl_int4_load_bytes(c[2]->shade), &planes);
    if (t->steep)
        setup_steep_shade(t, b);
    t->shade = ((tl_uint4)first << 16) + (tl_uint4)planes.to_pixel;
    t->shade_by_x = (tl_uint4)planes.by_x;
    t->shade_by_y = (tl_uint4)planes.by_y;
}

static void setup_no_shade(tl_raster_triangle *t)
{
    t->shade = t->shade_by_x = t->shade_by_y = (tl_uint4){0, 0, 0, 0};
}

/* s, t, w and depth of the corners. The console divides texture coordinates by w for each triangle, with 15 bits at its
 * nearest corner. */
static void setup_corners(const tl_raster_triangle *t, const tl_pipeline_state *state, tl_int4 out[3])
{
    uint32_t nearest = t->corners[0]->scaled_w;
    for (int k = 1; k < 3; k++)
        nearest = t->corners[k]->scaled_w < nearest ? t->corners[k]->scaled_w : nearest;
    const bool textured = state->uses_tex0 || state->uses_tex1;
    const bool has_z = state->z_compare != TL_Z_COMPARE_NONE && !state->fixed_z;
    for (int k = 0; k < 3; k++) {
        const tl_console_vertex *v = t->corners[k];
        const int32_t z = has_z ? v->depth : 0;
        out[k] = (tl_int4){0, 0, 0, z};
        if (!textured)
            continue;
        const int64_t part = state->affine ? 32767 : ((int64_t)(((uint64_t)v->inverse_w * nearest) >> 16) - 1) >> 1;
        out[k] = (tl_int4){(int32_t)((2 * v->s * part + 0x8000) >> 16), (int32_t)((2 * v->t * part + 0x8000) >> 16),
                           (int32_t)part, z};
    }
}

/* From planes with all bits. */
static void setup_steep_texture(tl_raster_triangle *t, const setup_basis *b, const tl_int4 v[3])
{
    const tl_attribute z = setup_plane(b, v[0][3], v[1][3], v[2][3]);
    t->z_by_x = z.by_x;
    t->z_by_y = z.by_y;
    t->z = z.at + ((z.by_x * -(t->x & 3) + z.by_y * -(t->y & 3)) >> 2);
    for (int k = 0; k < 3; k++) {
        const tl_attribute p = setup_plane(b, v[0][k], v[1][k], v[2][k]);
        t->planes[TL_ATTRIBUTE_S + k] = p;
        t->texture_by_x[k] = (uint32_t)p.by_x;
        t->texture_by_y[k] = (uint32_t)p.by_y;
        t->texture[k] = (uint32_t)(p.at + ((p.by_x * -(t->x & 3) + p.by_y * -(t->y & 3)) >> 2));
    }
}

static void setup_texture(tl_raster_triangle *t, const tl_pipeline_state *state, const setup_basis *b, bool all_bits)
{
    tl_int4 v[3];
    setup_planes planes;
    setup_corners(t, state, v);
    const bool fits = setup_four(t, b, v[0], v[1], v[2], &planes);
    t->texture = ((tl_uint4)v[0] << 16) + (tl_uint4)planes.to_pixel;
    t->texture_by_x = (tl_uint4)planes.by_x;
    t->texture_by_y = (tl_uint4)planes.by_y;
    t->z = (int64_t)v[0][3] * 65536 + planes.to_pixel[3];
    t->z_by_x = planes.by_x[3];
    t->z_by_y = planes.by_y[3];
    t->depth_fits = state->depth_offset == 0 && planes.steep[3] == 0;
    if (!fits || all_bits)
        setup_steep_texture(t, b, v);
    t->z += (int64_t)state->depth_offset * 65536;
}

void tl_triangle_setup(tl_raster_triangle *t, const tl_pipeline_state *state, const tl_console_vertex *const corners[3],
                       bool all_bits)
{
    const tl_console_vertex *a = corners[0], *b = corners[1], *c = corners[2], *swap;
    if (b->screen_y < a->screen_y)
        swap = a, a = b, b = swap;
    if (c->screen_y < b->screen_y)
        swap = b, b = c, c = swap;
    if (b->screen_y < a->screen_y)
        swap = a, a = b, b = swap;
    t->corners[0] = a, t->corners[1] = b, t->corners[2] = c;
    t->x = a->screen_x, t->y = a->screen_y;
    t->top = a->screen_y, t->middle = b->screen_y, t->bottom = c->screen_y;
    const int32_t x1 = b->screen_x - a->screen_x, y1 = b->screen_y - a->screen_y, x2 = c->screen_x - a->screen_x,
                  y2 = c->screen_y - a->screen_y;
    const int64_t area = (int64_t)x1 * y2 - (int64_t)x2 * y1;
    const setup_basis basis = {x1, y1, x2, y2, 4 * 65536 / (double)area};
    t->major_left = area > 0;
    setup_texture(t, state, &basis, all_bits);
    t->depth_slope = tl_depth_slope(t->z_by_x >> 16, t->z_by_y >> 16);
    t->steep = false;
    if (state->uses_shade)
        setup_shade(t, &basis);
    else /* lines walk along all planes */
        setup_no_shade(t);
}
