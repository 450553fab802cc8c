/* blender.h: how libdragon sets the blender and coverage for a material, and what the colour buffer then holds
 * (docs/render.md). */
#ifndef TL_RASTER_CONSOLE_BLENDER_H
#define TL_RASTER_CONSOLE_BLENDER_H

#include "raster/raster.h"

typedef enum tl_blend_row {
    TL_ROW_OPAQUE = 1, /* antialiased: mixed with what shares the pixel */
    TL_ROW_BLENDED,    /* drawn once the pixel is full */
    TL_ROW_CUTOUT,     /* as opaque, with coverage times alpha */
    TL_ROW_NO_ANTIALIAS
} tl_blend_row;

tl_blend_row tl_blend_row_of(const tl_pipeline_state *state);

/* Coverage of a cutout, 0 to 8. */
static inline int32_t tl_cutout_coverage(int32_t alpha, int32_t coverage)
{
    return ((alpha == 255 ? 256 : alpha) * coverage + 4) >> 3 >> 5;
}

/* The weights of the new and the old colour at an edge that two surfaces share; a surface that is much steeper counts
 * less. `slope` is -1 where depth is not compared. */
typedef struct tl_edge_weights {
    int32_t a, b;
} tl_edge_weights;

static inline tl_edge_weights tl_edge_weights_of(int32_t coverage, int32_t stored, int slope, int old_slope,
                                                 bool compares)
{
    int down_a = slope - old_slope, down_b = old_slope - slope;
    if (!compares)
        down_a = 0, down_b = slope < 11 ? 4 : 15 - slope;
    down_a = down_a < 0 ? 0 : down_a > 4 ? 4 : down_a;
    down_b = down_b < 0 ? 0 : down_b > 4 ? 4 : down_b;
    return (tl_edge_weights){coverage * 4 >> down_a & 0x3C, stored * 4 >> down_b | 3};
}

static inline int32_t tl_edge_blend(tl_edge_weights w, int32_t new_color, int32_t old_color)
{
    return ((w.a * new_color + (w.b + 1) * old_color) >> 2) / ((w.a >> 2) + (w.b >> 2) + 1);
}

#endif
