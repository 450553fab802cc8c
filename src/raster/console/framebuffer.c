/* The colour buffer (picture.md 9 and 10). */
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
    static const uint8_t lower_bits[2][4] = {{7, 7, 7, 0}, {7, 7, 7, 0}};
    uint64_t mask, colors;
    memcpy(&mask, lower_bits, sizeof mask);
    for (size_t i = 0; i + 1 < count; i += 2) { /* eight bytes at once, in whichever order */
        memcpy(&colors, pixels[i], sizeof colors);
        colors |= colors >> 5 & mask;
        memcpy(pixels[i], &colors, sizeof colors);
    }
    for (int k = 0; (count & 1) != 0 && k < 3; k++)
        pixels[count - 1][k] = (uint8_t)(pixels[count - 1][k] | pixels[count - 1][k] >> 5);
}
