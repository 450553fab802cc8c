/* blend.h: the arithmetic of the RDP's blender and of its dither, for pixels that are covered whole (libdragon.md 4.3,
 * picture.md 9 and 10). */
#ifndef TL_RASTER_BLEND_H
#define TL_RASTER_BLEND_H

#include "n64/modes.h"

typedef struct tl_blend_inputs {
    const int32_t *memory;      /* the framebuffer's colour */
    const uint8_t *color, *fog; /* the blend and the fog colour, with alpha */
    int32_t alpha, shade_alpha; /* of the pixel */
} tl_blend_inputs;

/* Changes a pixel's colour, three channels from 0 to 255. */
void tl_blend(const tl_blend_state *state, const tl_blend_inputs *in, int32_t pixel[3]);

/* The RDP's magic square, or Bayer's matrix as it has it: a threshold from 0 to 7. */
static inline int32_t tl_dither_at(bool bayer, uint32_t x, uint32_t y)
{
    static const uint8_t matrices[2][4][4] = {{{0, 6, 1, 7}, {4, 2, 5, 3}, {3, 5, 2, 4}, {7, 1, 6, 0}},
                                              {{0, 4, 1, 5}, {4, 0, 5, 1}, {3, 7, 2, 6}, {7, 3, 6, 2}}};
    return matrices[bayer][y & 3][x & 3];
}

/* Five bits of a colour, in the upper bits of a byte. */
static inline int32_t tl_dither(int32_t color, int32_t threshold)
{
    if ((color & 7) > threshold)
        return color > 247 ? 248 : (color & 0xF8) + 8;
    return color & 0xF8;
}

#endif
