/* Mipmaps (picture.md 11). */
#include "raster/console/texture.h"
#include "base/strict_float.h"

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
        levels.tiles[i] = (tl_tile){image->pixels, tl_axis_n64(&s, image->width), tl_axis_n64(&t, image->height)};
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
