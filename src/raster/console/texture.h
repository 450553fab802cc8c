/* texture.h: texture coordinates of a pixel, and mipmaps. */
#ifndef TL_RASTER_CONSOLE_TEXTURE_H
#define TL_RASTER_CONSOLE_TEXTURE_H

#include "base/compiler.h"
#include "raster/sample_texture.h"

/* How the RDP divides by w, 1 to 32767: it multiplies with a reciprocal and shifts to the right. */
typedef struct tl_texture_reciprocal {
    int32_t factor; /* 14 fraction bits */
    int shift;
} tl_texture_reciprocal;

/* 2^20 / 64 to 2^20 / 128, rounded, all but one. */
extern const uint16_t tl_texture_reciprocals[65];

/* Straight lines between the entries of that table. */
static inline tl_texture_reciprocal tl_texture_divide(int32_t w)
{
    const int up = tl_zeros_above((uint32_t)w) - 17; /* bit 14 becomes the first one */
    const int32_t normal = w << up & 0x3FFF, i = normal >> 8;
    const int32_t point = tl_texture_reciprocals[i], slope = tl_texture_reciprocals[i + 1] - point;
    return (tl_texture_reciprocal){point + ((slope * (normal & 0xFF)) >> 8), 13 - up};
}

/* `value` is 16 bits of a coordinate times w. */
static inline int32_t tl_texture_coordinate(int32_t value, tl_texture_reciprocal by)
{
    const int32_t product = value * by.factor, quotient = by.shift >= 0 ? product >> by.shift : product * 2;
    return quotient < -32768 ? -32768 : quotient > 32767 ? 32767 : quotient;
}

/* floor(value * 32768 / w) of textures that do not fit the console: more than 16 bits. */
static inline int32_t tl_texture_coordinate_wide(int64_t value, int32_t w)
{
    const int64_t most = 0x7FFFFFFF, limit = 1048576;
    const int64_t scaled = (value < -most ? -most : value > most ? most : value) * 32768;
    const int64_t quotient = scaled / w - (scaled % w < 0);
    return quotient < -limit ? (int32_t)-limit : quotient > limit ? (int32_t)limit : (int32_t)quotient;
}

enum { TL_LEVELS_MOST = 7 };

/* A texture and its mipmaps. */
typedef struct tl_texture_levels {
    uint32_t count; /* 0: no mipmaps */
    tl_tile tiles[TL_LEVELS_MOST];
} tl_texture_levels;

/* As libdragon uploads a sprite with `count` mipmaps: it sets one level less than there are, so the smallest is not
 * used. */
tl_texture_levels tl_texture_levels_of(const tl_tile *first, const trilo_n64_tile *tile,
                                       const trilo_image *const *mipmaps, uint32_t count);

/* The level of detail from two neighbours' coordinates, in 1/32 texel. */
static inline int32_t tl_texture_lod(const int32_t at[2], const int32_t beside[2], const int32_t below[2])
{
    int32_t lod = 0;
    for (int k = 0; k < 2; k++) {
        const int32_t x = beside[k] - at[k], y = below[k] - at[k];
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
