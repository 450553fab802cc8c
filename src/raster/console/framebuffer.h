/* framebuffer.h: dither, and what the colour buffer stores of a pixel. */
#ifndef TL_RASTER_CONSOLE_FRAMEBUFFER_H
#define TL_RASTER_CONSOLE_FRAMEBUFFER_H

#include "raster/raster.h"
#include "raster/vector.h"

/* Thresholds from 0 to 7. Without dither no colour is above them. */
const uint8_t (*tl_dither_matrix(uint8_t color_dither))[4]; /* TL_DITHER_..., but not noise */

/* Colours as the buffer holds them: 5 bits in the upper bits of a byte, or 8 bits. What is above its threshold is
 * rounded up, but 248 and more not to 256. */
TL_ALWAYS_INLINE tl_int4 tl_framebuffer_color(tl_int4 color, tl_int4 thresholds, bool color_32)
{
    const tl_int4 rounded = (color & 7) > thresholds;
    const tl_int4 up = (color & 0xF8) + (rounded & 8);
    if (color_32)
        return ((up - (up >> 8)) & rounded) | (color & ~rounded);
    return up - (up >> 5 & 8);
}

/* Five bits as a screen of eight shows them. */
void tl_framebuffer_expand(uint8_t (*pixels)[4], size_t count);

#endif
