/* sample_texture.h: texture sampling of the RDP: tiles that shift, clamp, mirror and repeat, and the three-point
 * filter. */
#ifndef TL_RASTER_SAMPLE_TEXTURE_H
#define TL_RASTER_SAMPLE_TEXTURE_H

#include "base/bytes.h"
#include "raster/vector.h"
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

/* Repeats by its mask without an end, and does not shift to the left. */
static inline bool tl_axis_is_endless(const tl_axis *axis)
{
    return axis->repeat && !axis->clamp && axis->mask >= 0 && axis->shift >= 0;
}

typedef struct tl_tile {
    const uint8_t (*texels)[4];
    tl_axis s, t;
    bool simple; /* both axes are */
} tl_tile;

typedef enum tl_filter { TL_FILTER_POINT, TL_FILTER_BILINEAR, TL_FILTER_MEDIAN } tl_filter;

/* As Tiny3D and libdragon fill a tile from a material's axis. */
tl_axis tl_axis_n64(const trilo_n64_axis *axis, uint32_t size);
/* An axis of a texture without tile settings. */
tl_axis tl_axis_plain(trilo_wrap wrap, uint32_t size);
tl_tile tl_tile_of(const trilo_image *image, tl_axis s, tl_axis t);

/* ---- coordinates ---- */

/* Where a coordinate falls: a texel, its neighbour, and how far towards it in 1/32. */
typedef struct tl_texel_position {
    int32_t at, next, fraction;
} tl_texel_position;

/* On an axis that is not simple. */
tl_texel_position tl_axis_position(const tl_axis *axis, int32_t coordinate);

/* Coordinates of the second texture from those of the first, where they differ: not on the console. */
typedef struct tl_second_coordinates {
    bool used;
    float by[2][2], at_origin[2];
} tl_second_coordinates;

/* `out` may not be `at`. */
void tl_second_coordinates_of(const tl_second_coordinates *second, const int32_t at[2], int32_t out[2]);

/* ---- filters ---- */

/* A colour in the four 16-bit lanes of a word: red, blue, green, alpha from below. Weights of up to 32 can be summed.
 */
TL_ALWAYS_INLINE uint64_t tl_texel_lanes(const uint8_t texel[4])
{
    const uint64_t x = tl_get_u32le(texel);
    return (x | x << 24) & 0x00FF00FF00FF00FFu;
}

TL_ALWAYS_INLINE tl_int4 tl_texel_int4(uint64_t lanes)
{
    const uint64_t red_green = lanes & 0x000000FF000000FFu, blue_alpha = lanes >> 16 & 0x000000FF000000FFu;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return (tl_int4)(tl_ulong2){red_green << 32 | red_green >> 32, blue_alpha << 32 | blue_alpha >> 32};
#else
    return (tl_int4)(tl_ulong2){red_green, blue_alpha};
#endif
}

/* The three-point filter is t00 + ((f * (t10 - t00) + g * (t01 - t00) + 16) >> 5), or from the opposite corner: the
 * same as a sum of all three with weights whose sum is 32. `size` is that of a row. */
TL_ALWAYS_INLINE tl_int4 tl_texel_filtered(const uint8_t (*texels)[4], size_t size, tl_texel_position x,
                                           tl_texel_position y)
{
    const uint8_t(*row)[4] = texels + (size_t)y.at * size, (*below)[4] = texels + (size_t)y.next * size;
    const int32_t f = x.fraction, g = y.fraction;
    const bool upper = f + g < 32;
    const uint64_t corner = tl_texel_lanes(upper ? row[x.at] : below[x.next]);
    const uint32_t of_corner = (uint32_t)(upper ? 32 - f - g : f + g - 32), of_10 = (uint32_t)(upper ? f : 32 - g),
                   of_01 = (uint32_t)(upper ? g : 32 - f);
    return tl_texel_int4((corner * of_corner + tl_texel_lanes(row[x.next]) * of_10 +
                          tl_texel_lanes(below[x.at]) * of_01 + 0x0010001000100010u) >>
                         5);
}

/* On an axis that only repeats: `u` is counted in 1/32 texel from its lower end. */
TL_ALWAYS_INLINE tl_texel_position tl_texel_repeated(int32_t u, int32_t mask)
{
    const int32_t at = u >> 5 & mask;
    return (tl_texel_position){at, (at + 1) & mask, u & 31};
}

/* The texel at s, t, counted in 1/32 texel. */
TL_ALWAYS_INLINE tl_int4 tl_tile_texel(const tl_tile *tile, tl_filter filter, int32_t s, int32_t t)
{
    tl_texel_position x, y;
    if (tile->simple) {
        x = tl_texel_repeated((s >> tile->s.shift) - tile->s.low * 8, tile->s.mask);
        y = tl_texel_repeated((t >> tile->t.shift) - tile->t.low * 8, tile->t.mask);
    } else {
        x = tl_axis_position(&tile->s, s);
        y = tl_axis_position(&tile->t, t);
    }
    const size_t size = (size_t)tile->s.size;
    if (filter != TL_FILTER_BILINEAR) {
        const uint8_t(*row)[4] = tile->texels + (size_t)y.at * size, (*below)[4] = tile->texels + (size_t)y.next * size;
        if (filter == TL_FILTER_POINT)
            return tl_texel_int4(tl_texel_lanes(row[x.at]));
        if (x.fraction == 16 && y.fraction == 16)
            return tl_texel_int4((tl_texel_lanes(row[x.at]) + tl_texel_lanes(row[x.next]) +
                                  tl_texel_lanes(below[x.at]) + tl_texel_lanes(below[x.next]) + 0x0002000200020002u) >>
                                 2);
    }
    return tl_texel_filtered(tile->texels, size, x, y);
}

/* The same as a function, for callers that draw few pixels. */
void tl_tile_sample(const tl_tile *tile, tl_filter filter, int32_t s, int32_t t, int32_t out[4]);

#endif
