/* pixel.h: pixels of triangles, in the RDP's order. */
#ifndef TL_RASTER_CONSOLE_PIXEL_H
#define TL_RASTER_CONSOLE_PIXEL_H

#include "raster/console/fragment.h"
#include "raster/console/setup.h"

/* A material and the settings of the game, made ready once for each mesh. */
typedef struct tl_console_state {
    bool avx2; /* the processor has it */
    const tl_pipeline_state *material;
    tl_framebuffer *framebuffer;
    tl_inputs inputs; /* of the combiner; every pixel changes them */
    tl_combiner_slots combiner;
    tl_blend_row row;
    int32_t alpha_threshold;          /* of alpha compare, or TL_ALPHA_THRESHOLD_... */
    const uint8_t (*dither)[4];       /* thresholds of colours */
    const uint8_t (*alpha_dither)[4]; /* added to alpha, or taken from 7 */
    bool reads_coverage;              /* otherwise a pixel counts as full */
    bool blends;                      /* the blender has a pass */
    bool needs_alpha;                 /* of the shade */
    tl_texture_levels levels;         /* of the first texture */
    bool at_once;                     /* pixels are drawn several at a time */
    bool common;                      /* the colour is fragment_color's, and alpha decides nothing */
    bool depth_first;                 /* the same with antialias: depth is tested before colours are computed */
    tl_opaque_state opaque;
    int32_t thresholds[4][12];       /* of colours, the same in each byte; eight from any of the first four on */
    int32_t alpha_thresholds[4][12]; /* of alpha compare, less dither */
    int16_t values[TL_VALUES][TL_VALUE_CHANNELS]; /* of `opaque`; undefined where it needs none */
} tl_console_state;

/* `state` must stay where it is. */
void tl_console_state_set(tl_console_state *state, const tl_pipeline_state *material, tl_framebuffer *framebuffer,
                          const tl_texture_levels *levels);
/* Changes a constant of the combiner. */
void tl_console_state_set_prim(tl_console_state *state, const uint8_t color[4]);
void tl_console_draw_triangle(tl_console_state *state, const tl_console_vertex *const corners[3]);

#endif
