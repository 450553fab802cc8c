/* texel.h: a texture made ready for texel.inc, which samples it for several pixels at once. */
#ifndef TL_RASTER_CONSOLE_TEXEL_H
#define TL_RASTER_CONSOLE_TEXEL_H

#include "raster/console/texture.h"

/* A tile and its filter, prepared. Vectors of eight have four numbers for s, then four for t. */
typedef struct tl_texel_source {
    tl_tile tile;
    tl_filter filter;
    bool at_once;             /* else by tl_tile_texel, one by one */
    bool by_mask;             /* axes that repeat do so by a mask */
    bool nearest;             /* one texel; else three are filtered */
    tl_ushort8 fraction_mask; /* of coordinates in 1/32 texel */
    tl_short8 row;            /* 1 and the texels of a row, four times */
    bool endless;             /* both axes are; only then are these used: */
    bool shifts;              /* some axis does */
    tl_ushort8 low, mask;     /* in 1/32 texel and in texels */
    tl_ushort8 mirror;        /* the size of an axis that mirrors: a bit of coordinates; 0 of others */
} tl_texel_source;

tl_texel_source tl_texel_source_of(const tl_tile *tile, tl_filter filter);

/* ---- coordinates ---- */

/* Of a pixel, from 16 bits of each. Where w is not positive, the RDP has the largest coordinate. */
TL_ALWAYS_INLINE void tl_texture_at(int32_t s, int32_t t, int32_t w, int32_t at[2])
{
    at[0] = at[1] = 32767;
    if (w > 0) {
        const tl_texture_reciprocal by = tl_texture_divide(w);
        at[0] = tl_texture_coordinate(s, by);
        at[1] = tl_texture_coordinate(t, by);
    }
}

/* One by one: for tiles whose coordinates do not fit 16 bits, and for the median filter. */
void tl_texels_sample(const tl_texel_source *source, const int16_t st[8], uint16_t out[4][4]);

#endif
