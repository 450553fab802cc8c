/* raster.h: triangles and lines into pixels.
 *
 * Corners are floats up to the screen, where they are put on a grid of 1/16 pixel; which pixels a triangle has is then
 * a matter of whole numbers. What changes over it (depth, light, texture) are planes of floats, evaluated at each pixel
 * by itself. IEEE 754 rounds all of it in one way only, so pixels are the same on every machine.
 */
#ifndef TL_RASTER_RASTER_H
#define TL_RASTER_RASTER_H

#include "raster/blend.h"
#include "raster/combine.h"
#include "raster/sample_texture.h"

/* Depths are whole numbers from 0, near, to this. */
#define TL_DEPTH_MOST  0xFFFFFF
#define TL_DEPTH_CLEAR 0x1000000

/* What is drawn into. */
typedef struct tl_target {
    uint32_t width, height;
    uint8_t (*pixels)[4];
    int32_t *depths;
    bool n64; /* five bits a colour, dithered; the lower three bits of each byte are 0 */
    uint32_t seed;
    uint32_t line; /* how wide lines are, 0: 1 */
} tl_target;

typedef enum tl_depth_mode { TL_DEPTH_NONE, TL_DEPTH_NEARER, TL_DEPTH_DECAL } tl_depth_mode;

enum { TL_NO_COMPARE = -1, TL_COMPARE_NOISE = -2 };

/* A material made ready. */
typedef struct tl_pipeline_state {
    tl_combiner combiner;
    tl_inputs inputs; /* constants are filled in */
    tl_blend_state blender;
    uint32_t blend_word; /* that it was made from */
    tl_tile tiles[2];
    tl_filter filter;
    tl_depth_mode depth;
    bool keep_depth;                /* only looks at depths */
    int32_t threshold;              /* what has less alpha is not drawn; or TL_NO_COMPARE, TL_COMPARE_NOISE */
    bool tex0, tex1, shaded, noisy; /* which inputs are needed */
    bool wide;                      /* texture coordinates of more than 16 bits */
    bool cull_front, cull_back;
    bool unlit, two_sided, fog;
    bool rim;             /* clear where light falls: made for a light at the camera, which shows the rims of things */
    uint8_t effect;       /* trilo_n64_effect */
    float effect_args[2]; /* width and height of the first texture */
    float uv_scale[2], uv_shift;
    uint8_t blend_color[4], fog_color[4];
} tl_pipeline_state;

/* A corner on the screen. */
typedef struct tl_corner {
    float x, y;     /* pixels, from the upper left */
    float depth;    /* 0 to TL_DEPTH_MOST */
    float inverse;  /* 1 / w */
    float s, t;     /* 1/32 texel */
    float shade[4]; /* 0 to 255 */
} tl_corner;

/* Corners counter-clockwise in front. They must be finite and not further than TL_GUARD pixels outside. */
#define TL_GUARD 16384
/* `inputs` starts as a copy of the pipe's, and is changed by every pixel. */
void tl_draw_triangle(const tl_target *target, const tl_pipeline_state *pipe, tl_inputs *inputs,
                      const tl_corner *corners[3]);

/* From a to b in one colour, over what is not nearer than the line, a little in favour of the line. `on_top`: over
 * everything. Ends may be anywhere within TL_GUARD. */
typedef struct tl_line {
    const tl_corner *a, *b;
    uint8_t color[4];
    bool on_top;
} tl_line;
void tl_draw_line(const tl_target *target, const tl_line *line);

#endif
