/* Mipmaps. */
#include "raster/console/texture.h"
#include "base/strict_float.h"

/* round(2^20 / (64 + i)), but the hardware has 14979 where that would be 14980. */
const uint16_t tl_texture_reciprocals[65] = {
    16384, 16132, 15888, 15650, 15420, 15197, 14979, 14769, 14564, 14364, 14170, 13981, 13797,
    13618, 13443, 13273, 13107, 12945, 12788, 12633, 12483, 12336, 12193, 12053, 11916, 11782,
    11651, 11523, 11398, 11275, 11155, 11038, 10923, 10810, 10700, 10592, 10486, 10382, 10280,
    10180, 10082, 9986,  9892,  9800,  9709,  9620,  9533,  9447,  9362,  9279,  9198,  9118,
    9039,  8962,  8886,  8812,  8738,  8666,  8595,  8525,  8456,  8389,  8322,  8257,  8192,
};

/* Each level shifts coordinates by one more, and its tile begins at half the texel. */
static trilo_n64_axis texture_level_axis(const trilo_n64_axis *axis, uint32_t level)
{
    const float factor = 1 / (float)(1u << level);
    trilo_n64_axis a = *axis;
    a.shift = (int8_t)(axis->shift + (int)level);
    a.low = axis->low * factor;
    a.high = a.low + (axis->high - axis->low + 1) * factor - 1;
    return a;
}

tl_texture_levels tl_texture_levels_of(const tl_tile *first, const trilo_n64_tile *tile,
                                       const trilo_image *const *mipmaps, uint32_t count)
{
    tl_texture_levels levels = {.count = count < TL_LEVELS_MOST ? count : TL_LEVELS_MOST};
    levels.tiles[0] = *first;
    for (uint32_t i = 1; i < levels.count; i++) {
        const trilo_n64_axis s = texture_level_axis(&tile->s, i), t = texture_level_axis(&tile->t, i);
        const trilo_image *image = mipmaps[i - 1];
        levels.tiles[i] = tl_tile_of(image, tl_axis_n64(&s, image->width), tl_axis_n64(&t, image->height));
    }
    return levels;
}

void tl_texture_sample_levels(const tl_texture_levels *levels, tl_filter filter, const int32_t at[2], int32_t lod,
                              int32_t out[4])
{
    uint32_t level = 0;
    while (lod < 8192 && lod >> (level + 6) > 0)
        level++;
    if (lod < 32 || lod >= 8192 || level + 1 >= levels->count) {
        const tl_tile *only = &levels->tiles[lod < 32 ? 0 : levels->count - 1];
        tl_tile_sample(only, filter, at[0], at[1], out);
        return;
    }
    const int32_t fraction = (lod << 3 >> level) & 255;
    int32_t next[4];
    tl_tile_sample(&levels->tiles[level], filter, at[0], at[1], out);
    tl_tile_sample(&levels->tiles[level + 1], filter, at[0], at[1], next);
    for (int k = 0; k < 4; k++)
        out[k] += ((next[k] - out[k]) * fraction + 128) >> 8;
}
