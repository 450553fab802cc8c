/* Triangle setup (picture.md 7, 8 and 13). Plain fractions take the place of the microcode's rounded slopes, which
 * changes a pixel in thousands. */
#include "raster/console/setup.h"
#include "base/strict_float.h"

#include "raster/console/depth.h"

/* The quotient rounds up: remainder is in (-height, 0]. */
tl_raster_edge tl_edge_at(const tl_console_vertex *a, const tl_console_vertex *b, int32_t y)
{
    const int64_t height = b->screen_y - a->screen_y, width = b->screen_x - a->screen_x;
    const int64_t step = width >= 0 ? width / height : -((-width + height - 1) / height);
    const int64_t above = width * (y - a->screen_y);
    const int64_t column = above > 0 ? (above + height - 1) / height : -(-above / height);
    return (tl_raster_edge){.column = a->screen_x + (int32_t)column,
                            .step = (int32_t)step,
                            .remainder = (int32_t)(above - column * height),
                            .remainder_step = (int32_t)(width - step * height),
                            .height = (int32_t)height};
}

/* A shade that changes by less for each pixel fits 32 bits at three quarters of both, too. */
#define SETUP_STEEP (INT64_C(1) << 28)

/* Values at the corners from the top; what follows from them for x and y by a factor. */
typedef struct setup_basis {
    double x1, y1, x2, y2, factor;
} setup_basis;

/* Products of differences are below 2^53, so doubles have them exactly. */
static inline void setup_plane(tl_raster_triangle *t, const setup_basis *b, int plane, int32_t v0, int32_t v1,
                               int32_t v2)
{
    const double d1 = v1 - v0, d2 = v2 - v0;
    t->planes[plane] = (tl_attribute){(int64_t)v0 * 65536, (int64_t)((d1 * b->y2 - d2 * b->y1) * b->factor),
                                      (int64_t)((d2 * b->x1 - d1 * b->x2) * b->factor)};
}

static void setup_shade(tl_raster_triangle *t, const setup_basis *b)
{
    const tl_console_vertex *const *c = t->corners;
    uint64_t large = 0;
    for (int k = 0; k < 4; k++) {
        tl_attribute *p = &t->planes[TL_ATTRIBUTE_SHADE + k];
        if (c[0]->shade[k] == c[1]->shade[k] && c[1]->shade[k] == c[2]->shade[k]) { /* often, above all alpha */
            *p = (tl_attribute){c[0]->shade[k] * 65536, 0, 0};
            continue;
        }
        setup_plane(t, b, TL_ATTRIBUTE_SHADE + k, c[0]->shade[k], c[1]->shade[k], c[2]->shade[k]);
        large |= (uint64_t)(p->by_x + SETUP_STEEP) | (uint64_t)(p->by_y + SETUP_STEEP);
    }
    const tl_attribute *p = &t->planes[TL_ATTRIBUTE_SHADE];
    const tl_uint4 by_x = {(uint32_t)p[0].by_x, (uint32_t)p[1].by_x, (uint32_t)p[2].by_x, (uint32_t)p[3].by_x};
    const tl_uint4 by_y = {(uint32_t)p[0].by_y, (uint32_t)p[1].by_y, (uint32_t)p[2].by_y, (uint32_t)p[3].by_y};
    t->steep = large >= (uint64_t)(2 * SETUP_STEEP);
    t->shade_by_x[0] = t->shade_by_y[0] = (tl_uint4){0, 0, 0, 0};
    for (int k = 1; k < 4; k++) {
        t->shade_by_x[k] = t->shade_by_x[k - 1] + by_x;
        t->shade_by_y[k] = t->shade_by_y[k - 1] + by_y;
    }
}

/* The console divides texture coordinates by w for each triangle, with 15 bits at its nearest corner. */
static void setup_texture(tl_raster_triangle *t, const setup_basis *b, bool affine)
{
    int32_t s[3], u[3], w[3];
    uint32_t nearest = t->corners[0]->scaled_w;
    for (int k = 1; k < 3; k++)
        nearest = t->corners[k]->scaled_w < nearest ? t->corners[k]->scaled_w : nearest;
    for (int k = 0; k < 3; k++) {
        const tl_console_vertex *v = t->corners[k];
        const int64_t part = affine ? 32767 : ((int64_t)(((uint64_t)v->inverse_w * nearest) >> 16) - 1) >> 1;
        w[k] = (int32_t)part;
        s[k] = (int32_t)((2 * v->s * part + 0x8000) >> 16);
        u[k] = (int32_t)((2 * v->t * part + 0x8000) >> 16);
    }
    setup_plane(t, b, TL_ATTRIBUTE_S, s[0], s[1], s[2]);
    setup_plane(t, b, TL_ATTRIBUTE_T, u[0], u[1], u[2]);
    setup_plane(t, b, TL_ATTRIBUTE_W, w[0], w[1], w[2]);
}

void tl_triangle_setup(tl_raster_triangle *t, const tl_pipeline_state *state, const tl_console_vertex *const corners[3])
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
    const int32_t offset = state->depth_offset;
    if (state->z_compare != TL_Z_COMPARE_NONE && !state->fixed_z)
        setup_plane(t, &basis, TL_ATTRIBUTE_Z, a->depth + offset, b->depth + offset, c->depth + offset);
    else
        t->planes[TL_ATTRIBUTE_Z] = (tl_attribute){(int64_t)offset * 65536, 0, 0};
    t->depth_slope = tl_depth_slope(t->planes[TL_ATTRIBUTE_Z].by_x >> 16, t->planes[TL_ATTRIBUTE_Z].by_y >> 16);
    t->steep = false;
    if (state->uses_shade)
        setup_shade(t, &basis);
    else /* lines walk along all planes */
        t->shade_by_x[1] = t->shade_by_y[1] = (tl_uint4){0, 0, 0, 0};
    if (state->uses_tex0 || state->uses_tex1)
        setup_texture(t, &basis, state->affine);
    else
        t->planes[TL_ATTRIBUTE_S] = t->planes[TL_ATTRIBUTE_T] = t->planes[TL_ATTRIBUTE_W] = (tl_attribute){0, 0, 0};
}
