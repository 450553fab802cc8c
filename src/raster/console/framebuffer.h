/* framebuffer.h: dither, and what the colour buffer stores of a pixel (picture.md 9 and 10). */
#ifndef TL_RASTER_CONSOLE_FRAMEBUFFER_H
#define TL_RASTER_CONSOLE_FRAMEBUFFER_H

#include "raster/raster.h"

/* Thresholds from 0 to 7. Without dither no colour is above them. */
const uint8_t (*tl_dither_matrix(uint8_t color_dither))[4]; /* TL_DITHER_..., but not noise */

/* A channel as the buffer holds it: 5 bits in the upper bits of a byte, or 8 bits. */
static inline uint8_t tl_framebuffer_channel(int32_t color, int32_t threshold, bool color_32)
{
    if ((color & 7) > threshold)
        color = color > 247 ? 255 : (color & 0xF8) + 8;
    return (uint8_t)(color_32 ? color : color & 0xF8);
}

/* Five bits as a screen of eight shows them. */
void tl_framebuffer_expand(uint8_t (*pixels)[4], size_t count);

#endif
