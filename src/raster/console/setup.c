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

/* Values at the corners from the top; what follows from them for x and y by a factor. */
typedef struct setup_basis {
    int64_t x1, y1, x2, y2;
    double factor;
} setup_basis;

static void setup_plane(tl_raster_triangle *t, const setup_basis *b, int plane, int64_t v0, int64_t v1, int64_t v2)
{
    v1 -= v0, v2 -= v0;
    t->planes[plane] = (tl_attribute){v0 * 65536, (int64_t)((double)(v1 * b->y2 - v2 * b->y1) * b->factor),
                                      (int64_t)((double)(v2 * b->x1 - v1 * b->x2) * b->factor)};
}

/* The console divides texture coordinates by w for each triangle, with 15 bits at its nearest corner. */
static void setup_texture(tl_raster_triangle *t, const setup_basis *b, bool affine)
{
    int64_t s[3], u[3], w[3];
    uint32_t nearest = t->corners[0]->scaled_w;
    for (int k = 1; k < 3; k++)
        nearest = t->corners[k]->scaled_w < nearest ? t->corners[k]->scaled_w : nearest;
    for (int k = 0; k < 3; k++) {
        const tl_console_vertex *v = t->corners[k];
        w[k] = affine ? 32767 : ((int64_t)(((uint64_t)v->inverse_w * nearest) >> 16) - 1) >> 1;
        s[k] = (2 * v->s * w[k] + 0x8000) >> 16;
        u[k] = (2 * v->t * w[k] + 0x8000) >> 16;
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
    setup_basis basis = {.x1 = b->screen_x - a->screen_x,
                         .y1 = b->screen_y - a->screen_y,
                         .x2 = c->screen_x - a->screen_x,
                         .y2 = c->screen_y - a->screen_y};
    const int64_t area = basis.x1 * basis.y2 - basis.x2 * basis.y1;
    basis.factor = 4 * 65536 / (double)area;
    t->major_left = area > 0;
    const int64_t offset = state->depth_offset;
    if (state->z_compare != TL_Z_COMPARE_NONE && !state->fixed_z)
        setup_plane(t, &basis, TL_ATTRIBUTE_Z, a->depth + offset, b->depth + offset, c->depth + offset);
    else
        t->planes[TL_ATTRIBUTE_Z] = (tl_attribute){offset * 65536, 0, 0};
    t->depth_slope = tl_depth_slope(t->planes[TL_ATTRIBUTE_Z].by_x >> 16, t->planes[TL_ATTRIBUTE_Z].by_y >> 16);
    for (int k = 0; k < 4; k++)
        if (!state->uses_shade) /* spans walk through all planes in front of the last one in use */
            t->planes[TL_ATTRIBUTE_SHADE + k] = (tl_attribute){0, 0, 0};
        else if (a->shade[k] == b->shade[k] && b->shade[k] == c->shade[k]) /* often, above all alpha */
            t->planes[TL_ATTRIBUTE_SHADE + k] = (tl_attribute){a->shade[k] * 65536, 0, 0};
        else
            setup_plane(t, &basis, TL_ATTRIBUTE_SHADE + k, a->shade[k], b->shade[k], c->shade[k]);
    if (state->uses_tex0 || state->uses_tex1)
        setup_texture(t, &basis, state->affine);
}
