/* raster.h: rasterizes triangles and lines.
 *
 * Corners are floats until they are snapped to a grid of 1/16 pixel on the screen; coverage is then computed in
 * integers. Depth, shade and texture coordinates are plane equations in floats, evaluated at each pixel independently.
 * IEEE 754 defines the rounding of all operations, so pixels are the same on every machine.
 */
#ifndef TL_RASTER_RASTER_H
#define TL_RASTER_RASTER_H

#include "raster/blend.h"
#include "raster/combine.h"
#include "raster/sample_texture.h"
#include "trilobite/render.h"

/* z is a whole number from 0, near, to this. */
#define TL_Z_MAX   0xFFFFFF
#define TL_Z_CLEAR 0x1000000

/* The pixel of trilo_renderer_probe. */
typedef struct tl_probe {
    int32_t x, y;
    uint32_t mesh, triangle; /* that is drawn now */
    trilo_pixel_probe *out;
} tl_probe;

/* The console's pixels are drawn in groups of four, which may begin at the last pixel or after it: z and coverage have
 * that many more elements. */
enum { TL_FRAMEBUFFER_PAST = 4 };

/* The render target. */
typedef struct tl_framebuffer {
    uint32_t width, height;
    uint8_t (*rgba)[4];
    int32_t *z;    /* of the console: as depth.h says */
    uint32_t seed; /* of noise */
    uint32_t line; /* how wide lines are, 0: 1 */
    /* Of the console: */
    uint8_t *coverage; /* 0 to 7; NULL: not the console's */
    bool color_32;     /* 8 bits a colour; otherwise 5, the lower three bits of each byte are 0 */
    tl_probe *probe;   /* NULL: no pixel is probed */
} tl_framebuffer;

/* A hash of the pixel's coordinates, 16 bits, where the RDP has a random number. */
static inline uint32_t tl_pixel_noise(const tl_framebuffer *framebuffer, uint32_t x, uint32_t y)
{
    uint32_t h = x * 0x9E3779B1u ^ y * 0x85EBCA77u ^ framebuffer->seed * 0xC2B2AE3Du;
    h = (h ^ h >> 15) * 0x2C1B3C6Du;
    return (h ^ h >> 12) * 0x297A2D39u >> 16;
}

/* None neither compares nor writes z; always writes it. */
typedef enum tl_z_compare {
    TL_Z_COMPARE_NONE,
    TL_Z_COMPARE_LESS,
    TL_Z_COMPARE_DECAL,
    TL_Z_COMPARE_ALWAYS
} tl_z_compare;

enum { TL_ALPHA_THRESHOLD_NONE = -1, TL_ALPHA_THRESHOLD_NOISE = -2 };

/* A material prepared for drawing. */
typedef struct tl_pipeline_state {
    tl_combiner combiner;
    tl_inputs inputs; /* constants are filled in */
    tl_blend_state blender;
    uint32_t blend_word; /* that it was made from */
    uint32_t fog_word;   /* to blend with when there is fog */
    tl_tile tiles[2];
    const trilo_n64_tile *first_tile; /* that the first of them was made from; NULL: not a material of the N64 */
    tl_filter filter;
    tl_z_compare z_compare;
    uint8_t z_mode;                                    /* TL_Z_OPAQUE, ... */
    bool keep_z;                                       /* z is compared, but not written */
    bool fixed_z;                                      /* all pixels have the z of the offset */
    float z_offset;                                    /* added to z */
    int32_t depth_offset;                              /* the same in the 15 bits of the console */
    bool antialias;                                    /* of the RDP */
    uint8_t color_dither, alpha_dither;                /* TL_DITHER_..., TL_ALPHA_DITHER_... */
    bool affine;                                       /* textures without perspective */
    int32_t alpha_threshold;                           /* of alpha compare, or TL_ALPHA_THRESHOLD_... */
    int32_t compare_threshold;                         /* the same on the console without antialias */
    bool cutout;                                       /* alpha compare that libdragon turns into coverage */
    bool uses_tex0, uses_tex1, uses_shade, uses_noise; /* inputs of the combiner */
    bool wide;                                         /* texture coordinates of more than 16 bits */
    bool cull_front, cull_back;
    bool unlit, two_sided, fog;
    uint8_t fog_mode; /* TRILO_N64_FOG_..., as last set; before that, the microcode stores fog elsewhere */
    bool rim_light; /* transparent where light falls: made for a light at the camera, which shows the rims of things */
    uint8_t effect; /* trilo_n64_effect */
    float effect_args[2]; /* width and height of the first texture */
    float uv_scale[2], uv_shift[2];
    tl_second_coordinates second;
    uint8_t blend_color[4], fog_color[4];
} tl_pipeline_state;

/* A corner on the screen. */
typedef struct tl_corner {
    float x, y;      /* pixels, from the upper left */
    float z;         /* 0 to TL_Z_MAX */
    float inverse_w; /* 1 / w */
    float s, t;      /* 1/32 texel */
    float shade[4];  /* 0 to 255 */
} tl_corner;

/* Corners counter-clockwise in front. They must be finite and not further than TL_GUARD pixels outside. */
#define TL_GUARD 16384
/* `inputs` starts as a copy of the state's, and is changed by every pixel. */
void tl_draw_triangle(const tl_framebuffer *framebuffer, const tl_pipeline_state *state, tl_inputs *inputs,
                      const tl_corner *corners[3]);

/* From a to b in one colour, over what is not nearer than the line, a little in favour of the line. `on_top`: over
 * everything. Ends may be anywhere within TL_GUARD. */
typedef struct tl_line {
    const tl_corner *a, *b;
    uint8_t color[4];
    bool on_top;
} tl_line;
void tl_draw_line(const tl_framebuffer *framebuffer, const tl_line *line);

#endif
