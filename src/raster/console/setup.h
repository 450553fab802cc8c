/* setup.h: a triangle before its pixels: edges, and planes of what is interpolated. */
#ifndef TL_RASTER_CONSOLE_SETUP_H
#define TL_RASTER_CONSOLE_SETUP_H

#include "base/strict_float.h"

#include "raster/console/vertex.h"
#include "raster/vector.h"

/* A plane over the screen, with 16 fraction bits. */
typedef struct tl_attribute {
    int64_t at, by_x, by_y; /* at the first corner, and its changes by a pixel */
} tl_attribute;

enum { TL_ATTRIBUTE_SHADE, TL_ATTRIBUTE_S = TL_ATTRIBUTE_SHADE + 4, TL_ATTRIBUTE_T, TL_ATTRIBUTE_W, TL_ATTRIBUTES };

/* An edge that is walked down by lines: the first column, in quarters, that is not left of it in each of four rows,
 * with 40 fraction bits. */
typedef struct tl_raster_edge {
    tl_ulong2 upper, lower; /* rows 0 and 1, 2 and 3 */
    tl_ulong2 step;
} tl_raster_edge;

typedef struct tl_raster_triangle {
    int32_t x, y;                        /* of the first corner, in quarters */
    int32_t top, middle, bottom;         /* quarters */
    bool major_left;                     /* the edge from top to bottom is the left one */
    const tl_console_vertex *corners[3]; /* from the top */
    int64_t z, z_by_x, z_by_y;           /* at the upper left corner of the first corner's pixel */
    int depth_slope;                     /* logarithm */
    bool steep;                          /* some shade changes by more than 28 bits hold, as in slivers; otherwise: */
    tl_uint4 shade;                      /* where z is */
    tl_uint4 shade_by_x, shade_by_y;     /* of all four */
    tl_uint4 texture, texture_by_x, texture_by_y; /* s, t, w; only 16 integer bits count; then depth, if: */
    bool depth_fits;                              /* it changes by no more than 28 bits hold, and has no offset */
    tl_attribute planes[TL_ATTRIBUTES]; /* with all bits: of s, t and w if they are requested, of a steep shade */
} tl_raster_triangle;

/* True if it has no area, or the material culls its side. Corners of a front face are counter-clockwise; rows go down,
 * so its area is negative. */
static inline bool tl_triangle_culled(const tl_pipeline_state *state, const tl_console_vertex *const v[3])
{
    const int64_t area = (int64_t)(v[1]->screen_x - v[0]->screen_x) * (v[2]->screen_y - v[0]->screen_y) -
                         (int64_t)(v[2]->screen_x - v[0]->screen_x) * (v[1]->screen_y - v[0]->screen_y);
    return area == 0 || (area < 0 && state->cull_front) || (area > 0 && state->cull_back);
}

/* Of one that is not culled. `all_bits`: of s, t and w, too. */
void tl_triangle_setup(tl_raster_triangle *t, const tl_pipeline_state *state, const tl_console_vertex *const corners[3],
                       bool all_bits);
#if TL_AVX2
void tl_triangle_setup_avx2(tl_raster_triangle *t, const tl_pipeline_state *state,
                            const tl_console_vertex *const corners[3], bool all_bits);
#endif
/* From `a` down to `b`, at four rows from the height `y` on: ceil(width * (y - top) / height), as floor((width * (y -
 * top) + height - 1/2) / height), which is never nearer to a whole number than 1/2 by the height. Width and height are
 * below 2^20 (tl_console_project), and the screen has 2^16 rows. */
TL_ALWAYS_INLINE tl_raster_edge tl_edge_at(const tl_console_vertex *a, const tl_console_vertex *b, int32_t y)
{
    const double height = b->screen_y - a->screen_y, width = b->screen_x - a->screen_x;
    const double scale = (double)(INT64_C(1) << 40) / height;
    const uint64_t row = (uint64_t)(int64_t)(width * scale);
    const uint64_t at =
        (uint64_t)((int64_t)((width * (y - a->screen_y) + height - 0.5) * scale) + a->screen_x * (INT64_C(1) << 40));
    return (tl_raster_edge){{at, at + row}, {at + 2 * row, at + 3 * row}, {4 * row, 4 * row}};
}

/* Its columns; then it goes to the next line. */
TL_ALWAYS_INLINE tl_int4 tl_edge_walk(tl_raster_edge *e)
{
    const tl_int4 columns = tl_ulong2_upper(e->upper, e->lower) >> 8;
    e->upper += e->step;
    e->lower += e->step;
    return columns;
}

/* At the top left corner of a pixel. */
static inline int64_t tl_attribute_at(const tl_raster_triangle *t, int plane, int32_t x, int32_t y)
{
    const tl_attribute *p = &t->planes[plane];
    return p->at + ((p->by_x * (4 * x - t->x) + p->by_y * (4 * y - t->y)) >> 2);
}

#endif
