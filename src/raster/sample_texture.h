/* sample_texture.h: texture sampling of the RDP: tiles that shift, clamp, mirror and repeat, and the three-point filter
 * (libdragon.md 4.6 and 4.7). */
#ifndef TL_RASTER_SAMPLE_TEXTURE_H
#define TL_RASTER_SAMPLE_TEXTURE_H

#include "trilobite/image.h"
#include "trilobite/n64.h"

/* One axis of a tile. */
typedef struct tl_axis {
    int32_t size;      /* texels */
    int32_t low, high; /* quarters of a texel */
    int32_t mask;      /* size - 1; -1 if the size is not a power of two */
    int8_t shift;      /* to the right; below 0 to the left */
    bool repeat, mirror, clamp;
    bool wide;   /* a shift keeps more than 16 bits: no tile of the console */
    bool simple; /* repeats by its mask, and nothing else: most of them do */
} tl_axis;

typedef struct tl_tile {
    const uint8_t (*texels)[4];
    tl_axis s, t;
} tl_tile;

typedef enum tl_filter { TL_FILTER_POINT, TL_FILTER_BILINEAR, TL_FILTER_MEDIAN } tl_filter;

/* As Tiny3D and libdragon fill a tile from a material's axis. */
tl_axis tl_axis_n64(const trilo_n64_axis *axis, uint32_t size);
/* An axis of a texture without tile settings. */
tl_axis tl_axis_plain(trilo_wrap wrap, uint32_t size);

/* The texel at s, t, counted in 1/32 texel. */
void tl_tile_sample(const tl_tile *tile, tl_filter filter, int32_t s, int32_t t, int32_t out[4]);

#endif
