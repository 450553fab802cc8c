/* texture.h: texture coordinates of a pixel, and mipmaps (picture.md 11 and 13). */
#ifndef TL_RASTER_CONSOLE_TEXTURE_H
#define TL_RASTER_CONSOLE_TEXTURE_H

#include "raster/sample_texture.h"

/* floor(value * 32768 / w). 16 bits, or more for textures that do not fit the console. */
static inline int32_t tl_texture_coordinate(int64_t value, int32_t w, bool wide)
{
    if (wide) {
        const int64_t most = 0x7FFFFFFF, limit = 1048576;
        const int64_t scaled = (value < -most ? -most : value > most ? most : value) * 32768;
        const int64_t quotient = scaled / w - (scaled % w < 0);
        return quotient < -limit ? (int32_t)-limit : quotient > limit ? (int32_t)limit : (int32_t)quotient;
    }
    const int32_t scaled = (value < -0xFFFF ? -0xFFFF : value > 0xFFFF ? 0xFFFF : (int32_t)value) * 32768;
    const int32_t quotient = scaled / w - (scaled % w < 0);
    return quotient < -32768 ? -32768 : quotient > 32767 ? 32767 : quotient;
}

enum { TL_LEVELS_MOST = 7 };

/* A texture and its mipmaps. */
typedef struct tl_texture_levels {
    uint32_t count; /* 0: no mipmaps */
    tl_tile tiles[TL_LEVELS_MOST];
} tl_texture_levels;

/* As libdragon uploads a sprite with `count` mipmaps: it tells the RDP of one level less than there are, so the
 * smallest is not used (libdragon.md 2.4). */
tl_texture_levels tl_texture_levels_of(const tl_tile *first, const trilo_n64_tile *tile,
                                       const trilo_image *const *mipmaps, uint32_t count);

/* The level of detail from two neighbours' coordinates, in 1/32 texel. */
static inline int32_t tl_texture_lod(const int32_t at[2], const int32_t right[2], const int32_t below[2])
{
    int32_t lod = 0;
    for (int k = 0; k < 2; k++) {
        const int32_t x = right[k] - at[k], y = below[k] - at[k];
        const int32_t across = x < 0 ? -x - 1 : x, down = y < 0 ? -y - 1 : y;
        lod = across > lod ? across : lod;
        lod = down > lod ? down : lod;
    }
    return lod;
}

/* Trilinear: two levels, each filtered by itself. */
void tl_texture_sample_levels(const tl_texture_levels *levels, tl_filter filter, const int32_t at[2], int32_t lod,
                              int32_t out[4]);

#endif
