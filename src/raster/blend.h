/* blend.h: the RDP's blender, P * A + Q * B with five bits of A and B, and its dither. */
#ifndef TL_RASTER_BLEND_H
#define TL_RASTER_BLEND_H

#include <stdbool.h>
#include <stdint.h>

typedef struct tl_blend_pass {
    uint8_t p, a, q, b; /* codes of the blender */
} tl_blend_pass;

enum { TL_BLEND_PIXEL, TL_BLEND_MEMORY, TL_BLEND_COLOR, TL_BLEND_FOG };         /* P and Q */
enum { TL_BLEND_A_PIXEL, TL_BLEND_A_FOG, TL_BLEND_A_SHADE, TL_BLEND_A_ZERO };   /* A */
enum { TL_BLEND_B_REST, TL_BLEND_B_COVERAGE, TL_BLEND_B_ONE, TL_BLEND_B_ZERO }; /* B */

/* What happens to a pixel: a first pass, which fog uses, and a last one, which mixes it into the picture. */
typedef struct tl_blender {
    bool first, last; /* is there such a pass? */
    tl_blend_pass passes[2];
} tl_blender;

/* As libdragon turns its two settings (0: none) into registers, for pixels that are covered whole. */
tl_blender tl_blender_decode(uint32_t blend, uint32_t fog);

/* libdragon's standard fog: pixel * shade alpha + fog colour * the rest. */
#define TL_FOG_STANDARD UINT32_C(0x0AF00000)

typedef struct tl_blend_inputs {
    const int32_t *memory;      /* the picture so far */
    const uint8_t *color, *fog; /* the blend and the fog colour, with alpha */
    int32_t alpha, shade_alpha; /* of the pixel */
} tl_blend_inputs;

/* Changes a pixel's colour, three channels from 0 to 255. */
void tl_blend(const tl_blender *blender, const tl_blend_inputs *in, int32_t pixel[3]);

/* The RDP's magic square: a threshold from 0 to 7. */
static inline int32_t tl_dither_at(uint32_t x, uint32_t y)
{
    static const uint8_t square[4][4] = {{0, 6, 1, 7}, {4, 2, 5, 3}, {3, 5, 2, 4}, {7, 1, 6, 0}};
    return square[y & 3][x & 3];
}

/* Five bits of a colour, in the upper bits of a byte. */
static inline int32_t tl_dither(int32_t color, int32_t threshold)
{
    if ((color & 7) > threshold)
        return color > 247 ? 248 : (color & 0xF8) + 8;
    return color & 0xF8;
}

#endif
