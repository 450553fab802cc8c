/* A texture, enlarged as the RDP filters it. */
#include "raster/sample_texture.h"
#include "trilobite/render.h"

void trilo_texture_filter(const trilo_image *image, bool nearest, uint32_t width, uint32_t height, uint8_t (*pixels)[4])
{
    enum { TEXEL = 32 }; /* steps of a texture coordinate */
    const tl_tile tile = {.texels = image->pixels,
                          .s = tl_axis_plain(TRILO_WRAP_CLAMP, image->width),
                          .t = tl_axis_plain(TRILO_WRAP_CLAMP, image->height)};
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++) {
            const int32_t s = (int32_t)((uint64_t)x * image->width * TEXEL / width);
            const int32_t t = (int32_t)((uint64_t)y * image->height * TEXEL / height);
            int32_t color[4];
            tl_tile_sample(&tile, nearest ? TL_FILTER_POINT : TL_FILTER_BILINEAR, s, t, color);
            for (int c = 0; c < 4; c++)
                pixels[(size_t)y * width + x][c] = (uint8_t)color[c];
        }
}
