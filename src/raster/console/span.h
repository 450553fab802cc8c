/* span.h: planes of a triangle, walked along its lines. */
#ifndef TL_RASTER_CONSOLE_SPAN_H
#define TL_RASTER_CONSOLE_SPAN_H

#include "raster/console/depth.h"
#include "raster/console/setup.h"

/* A pixel, and the planes at its upper left corner, with 16 fraction bits. */
typedef struct tl_span {
    int32_t x, y;
    size_t line; /* where its line begins in the framebuffer */
    int64_t z;
    tl_uint4 texture; /* s, t, w: only 16 integer bits count */
    tl_uint4 shade;   /* what is outside of the triangle may wrap */
} tl_span;

/* In the column of the first corner; a line that may be below it where the screen begins. */
TL_ALWAYS_INLINE tl_span tl_span_start(const tl_raster_triangle *t, int32_t y, uint32_t width)
{
    tl_span span = {
        .x = t->x >> 2, .y = y, .line = (size_t)y * width, .z = t->z, .texture = t->texture, .shade = t->shade};
    const int32_t below = y - (t->y >> 2);
    if (below != 0) {
        span.z += t->z_by_y * below;
        span.texture += t->texture_by_y * (uint32_t)below;
        span.shade += t->shade_by_y * (uint32_t)below;
    }
    return span;
}

TL_ALWAYS_INLINE void tl_span_down(tl_span *span, const tl_raster_triangle *t, uint32_t width)
{
    span->y++;
    span->line += width;
    span->z += t->z_by_y;
    span->shade += t->shade_by_y;
    span->texture += t->texture_by_y;
}

/* Moves by that many pixels. */
TL_ALWAYS_INLINE void tl_span_move(tl_span *span, const tl_raster_triangle *t, int32_t step)
{
    span->x += step;
    span->z += t->z_by_x * step;
    span->shade += t->shade_by_x * (uint32_t)step;
    span->texture += t->texture_by_x * (uint32_t)step;
}

/* Depth at a sample, 18 bits. */
TL_ALWAYS_INLINE int32_t tl_span_depth(const tl_span *span, const tl_raster_triangle *t, int sample)
{
    const int32_t row = sample >> 1, column = (sample & 1) * 2 + (row & 1);
    const int64_t z = (span->z + ((t->z_by_x * column + t->z_by_y * row) >> 2)) >> 13;
    if ((uint64_t)z <= TL_DEPTH_EMPTY) /* almost always */
        return (int32_t)z;
    return z < 0 ? 0 : TL_DEPTH_EMPTY;
}

/* Shade at a sample of a triangle whose slopes need more than 32 bits, from 0 to 255. */
static inline void tl_steep_shade(const tl_raster_triangle *t, int32_t x, int32_t y, int sample, int32_t shade[4])
{
    const int32_t row = sample >> 1, column = (sample & 1) * 2 + (row & 1);
    for (int k = 0; k < 4; k++) {
        const tl_attribute *p = &t->planes[TL_ATTRIBUTE_SHADE + k];
        const int64_t within = (p->by_x * column + p->by_y * row) >> 2;
        const int64_t value = (tl_attribute_at(t, TL_ATTRIBUTE_SHADE + k, x, y) + within) >> 16;
        shade[k] = value < 0 ? 0 : value > 255 ? 255 : (int32_t)value;
    }
}

/* Shade at a sample of a pixel, with 16 fraction bits, not yet clamped to 0 and 255. */
TL_ALWAYS_INLINE tl_uint4 tl_span_shade(const tl_span *span, const tl_raster_triangle *t, int sample)
{
    if (t->steep) {
        int32_t shade[4];
        tl_steep_shade(t, span->x, span->y, sample, shade);
        return (tl_uint4)tl_int4_load(shade) << 16;
    }
    const uint32_t row = (uint32_t)sample >> 1, column = ((uint32_t)sample & 1) * 2 + (row & 1);
    return span->shade + (tl_uint4)((tl_int4)(t->shade_by_x * column + t->shade_by_y * row) >> 2);
}

#endif
