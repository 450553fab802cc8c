/* Smaller images of a texture. */
#include "base/strict_float.h"

#include "image/sprite/sprite_encode.h"

/* As mksprite: averages that are rounded down, of stored values, alpha apart. */
bool tl_mipmap_halve(tl_arena *arena, const trilo_image *image, trilo_image *half, trilo_error *err)
{
    const uint32_t width = image->width / 2, height = image->height / 2;
    tl_pixel *pixels = tl_image_pixels(arena, width, height, err);
    if (!pixels)
        return false;
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++) {
            const tl_pixel *above = image->pixels + (size_t)2 * y * image->width + 2 * x, *below = above + image->width;
            for (int c = 0; c < 4; c++)
                pixels[(size_t)y * width + x][c] =
                    (uint8_t)((above[0][c] + above[1][c] + below[0][c] + below[1][c]) / 4);
        }
    *half = (trilo_image){width, height, (const tl_pixel *)pixels};
    return true;
}

/* Distances are weighted, and the colours of the palette are scaled a little less than those of the pixels. Both were
 * found by comparing with mipmaps of mksprite, whose indices come out the same. */
static void mipmap_position(const uint8_t *rgba, float scale, float *at)
{
    static const float weights[4] = {1, 1.2f, 0.8f, 1};
    for (int c = 0; c < 4; c++)
        at[c] = (float)rgba[c] * weights[c] / scale;
}

void tl_mipmap_map(const trilo_image *image, const trilo_palette *palette, uint8_t *indices)
{
    for (size_t i = 0; i < (size_t)image->width * image->height; i++) {
        float from[4], least = -1;
        mipmap_position(image->pixels[i], 255, from);
        for (uint32_t k = 0; k < palette->count; k++) {
            float to[4], distance = 0;
            mipmap_position(palette->colors[k], 255.9f, to);
            for (int c = 0; c < 4; c++)
                distance += (from[c] - to[c]) * (from[c] - to[c]);
            if (least < 0 || distance < least) {
                least = distance;
                indices[i] = (uint8_t)k;
            }
        }
    }
}
