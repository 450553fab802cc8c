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

void tl_framebuffer_expand(uint8_t (*pixels)[4], size_t count)
{
    const tl_uchar16 lower_bits = {7, 7, 7, 0, 7, 7, 7, 0, 7, 7, 7, 0, 7, 7, 7, 0};
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        tl_uchar16 first, last;
        memcpy(&first, pixels[i], sizeof first);
        memcpy(&last, pixels[i + 4], sizeof last);
        first |= (tl_uchar16)((tl_ushort8)first >> 5) & lower_bits; /* those of other bytes are not among them */
        last |= (tl_uchar16)((tl_ushort8)last >> 5) & lower_bits;
        memcpy(pixels[i], &first, sizeof first);
        memcpy(pixels[i + 4], &last, sizeof last);
    }
    for (; i < count; i++)
        for (int k = 0; k < 3; k++)
            pixels[i][k] = (uint8_t)(pixels[i][k] | pixels[i][k] >> 5);
}
