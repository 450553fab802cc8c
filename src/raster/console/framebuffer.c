/* The colour buffer. */
#include "raster/console/framebuffer.h"

#include <string.h>

const uint8_t (*tl_dither_matrix(uint8_t color_dither))[4]
{
    static const uint8_t matrices[][4][4] = {
        [TL_DITHER_SQUARE] = {{0, 6, 1, 7}, {4, 2, 5, 3}, {3, 5, 2, 4}, {7, 1, 6, 0}},
        [TL_DITHER_BAYER] = {{0, 4, 1, 5}, {4, 0, 5, 1}, {3, 7, 2, 6}, {7, 3, 6, 2}},
        [TL_DITHER_NONE] = {{7, 7, 7, 7}, {7, 7, 7, 7}, {7, 7, 7, 7}, {7, 7, 7, 7}}};
    return matrices[color_dither & 3];
}

TL_ALWAYS_INLINE void framebuffer_expand_four(uint8_t (*pixels)[4])
{
    const tl_uchar16 lower_bits = {7, 7, 7, 0, 7, 7, 7, 0, 7, 7, 7, 0, 7, 7, 7, 0};
    tl_uchar16 colors;
    memcpy(&colors, pixels, sizeof colors);
    colors |= (tl_uchar16)((tl_ushort8)colors >> 5) & lower_bits; /* those of other bytes are not among them */
    memcpy(pixels, &colors, sizeof colors);
}

void tl_framebuffer_expand(uint8_t (*pixels)[4], size_t count)
{
    size_t i = 0;
    for (; i + 16 <= count; i += 16) {
        framebuffer_expand_four(pixels + i);
        framebuffer_expand_four(pixels + i + 4);
        framebuffer_expand_four(pixels + i + 8);
        framebuffer_expand_four(pixels + i + 12);
    }
    for (; i < count; i++)
        for (int k = 0; k < 3; k++)
            pixels[i][k] = (uint8_t)(pixels[i][k] | pixels[i][k] >> 5);
}
