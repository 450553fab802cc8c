/* setup.h: a triangle before its pixels: edges, and planes of what is interpolated (picture.md 7, 8 and 13). */
#ifndef TL_RASTER_CONSOLE_SETUP_H
#define TL_RASTER_CONSOLE_SETUP_H

#include "raster/console/vertex.h"
#include "raster/vector.h"

/* A value over the screen, 16 bits after the point. */
typedef struct tl_attribute {
    int64_t at, by_x, by_y; /* at the first corner; by pixels */
} tl_attribute;

enum {
    TL_ATTRIBUTE_Z,
    TL_ATTRIBUTE_SHADE,
    TL_ATTRIBUTE_S = TL_ATTRIBUTE_SHADE + 4,
    TL_ATTRIBUTE_T,
    TL_ATTRIBUTE_W,
    TL_ATTRIBUTES
};

/* An edge that is walked down by quarters of a pixel: the first column, in quarters, that is not left of it. Exact, by
 * quotient and remainder. */
typedef struct tl_raster_edge {
    int32_t column, step;
    int32_t remainder, remainder_step, height;
} tl_raster_edge;

typedef struct tl_raster_triangle {
    int32_t x, y;                        /* of the first corner, in quarters */
    int32_t top, middle, bottom;         /* quarters */
    bool major_left;                     /* the edge from top to bottom is the left one */
    const tl_console_vertex *corners[3]; /* from the top */
    tl_attribute planes[TL_ATTRIBUTES];
    bool steep;                            /* some shade changes by more than 32 bits hold, as in slivers; otherwise: */
    tl_uint4 shade_by_x[4], shade_by_y[4]; /* of all four, times 0 to 3 */
    int depth_slope;                       /* logarithm */
} tl_raster_triangle;

/* Has it no area, or does the material not want its side? Corners are counter-clockwise in front; rows go down, so its
 * area is negative then. */
static inline bool tl_triangle_culled(const tl_pipeline_state *state, const tl_console_vertex *const v[3])
{
    const int64_t area = (int64_t)(v[1]->screen_x - v[0]->screen_x) * (v[2]->screen_y - v[0]->screen_y) -
                         (int64_t)(v[2]->screen_x - v[0]->screen_x) * (v[1]->screen_y - v[0]->screen_y);
    return area == 0 || (area < 0 && state->cull_front) || (area > 0 && state->cull_back);
}

/* Of one that is not culled. */
void tl_triangle_setup(tl_raster_triangle *t, const tl_pipeline_state *state,
                       const tl_console_vertex *const corners[3]);
/* From `a` down to `b`, at the height `y` between them. */
tl_raster_edge tl_edge_at(const tl_console_vertex *a, const tl_console_vertex *b, int32_t y);

static inline int32_t tl_edge_walk(tl_raster_edge *e)
{
    const int32_t column = e->column;
    e->column += e->step;
    e->remainder += e->remainder_step;
    if (e->remainder > 0) {
        e->remainder -= e->height;
        e->column++;
    }
    return column;
}

/* At the top left corner of a pixel. */
static inline int64_t tl_attribute_at(const tl_raster_triangle *t, int plane, int32_t x, int32_t y)
{
    const tl_attribute *p = &t->planes[plane];
    return p->at + ((p->by_x * (4 * x - t->x) + p->by_y * (4 * y - t->y)) >> 2);
}

#endif
