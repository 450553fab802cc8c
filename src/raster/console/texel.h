/* texel.h: texels of four pixels at once: coordinates divided by w, places in the tile, and the three-point filter
 * (picture.md 13, libdragon.md 4.6 and 4.7). The results are those of tl_texture_divide and tl_tile_texel. */
#ifndef TL_RASTER_CONSOLE_TEXEL_H
#define TL_RASTER_CONSOLE_TEXEL_H

#include "raster/console/texture.h"

/* Four colours: two in each vector, 16 bits a channel. */
typedef struct tl_colors4 {
    tl_ushort8 at[2];
} tl_colors4;

/* A tile and its filter, prepared. Vectors of eight have four numbers for s, then four for t. */
typedef struct tl_texel_source {
    tl_tile tile;
    tl_filter filter;
    bool at_once;             /* else by tl_tile_texel, one by one */
    bool shifts;              /* some axis does */
    tl_ushort8 low, mask;     /* of a simple tile, in 1/32 texel and in texels */
    tl_ushort8 fraction_mask; /* 0: the nearest texel alone */
    tl_short8 row;            /* 1 and the texels of a row, four times */
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

/* The factors of tl_texture_divide for four w, given as floats: between two entries of its table. */
TL_ALWAYS_INLINE tl_int4 tl_texture_factors(tl_int4 float_bits)
{
    const tl_int4 part = float_bits >> 9 & 0xFF, index = float_bits >> 17 & 63;
    int32_t at[4];
    uint32_t entries[4];
    tl_int4_store(at, index);
    for (int k = 0; k < 4; k++)
        memcpy(&entries[k], &tl_texture_reciprocals[(uint32_t)at[k]], sizeof entries[k]);
    const tl_uint4 pairs = {entries[0], entries[1], entries[2], entries[3]};
    return tl_short8_dot((tl_short8)pairs, tl_int4_beside(256 - part, part)) >> 8;
}

TL_ALWAYS_INLINE tl_short8 tl_texture_at_each(tl_short8 st, tl_short8 w)
{
    tl_short8 divided = st;
    for (int k = 0; k < 4; k++) {
        int32_t at[2];
        tl_texture_at(st[k], st[k + 4], w[k], at);
        divided[k] = (int16_t)at[0];
        divided[k + 4] = (int16_t)at[1];
    }
    return divided;
}

/* s of four pixels, then t, from s, t and w of each with 16 bits after the point. Almost always all w have the same
 * logarithm, so that one shift does for all. */
TL_ALWAYS_INLINE tl_short8 tl_texture_at4(const tl_uint4 planes[4])
{
    const tl_short8 first = tl_int4_narrow((tl_int4)planes[0] >> 16, (tl_int4)planes[1] >> 16);
    const tl_short8 second = tl_int4_narrow((tl_int4)planes[2] >> 16, (tl_int4)planes[3] >> 16);
    const tl_short8 even = TL_SHUFFLE8(first, second, 0, 8, 1, 9, 2, 10, 3, 11);
    const tl_short8 odd = TL_SHUFFLE8(first, second, 4, 12, 5, 13, 6, 14, 7, 15);
    const tl_short8 st = TL_SHUFFLE8(even, odd, 0, 8, 1, 9, 2, 10, 3, 11);
    const tl_short8 w = TL_SHUFFLE8(even, odd, 4, 12, 5, 13, 6, 14, 7, 15);
    const tl_int4 float_bits = tl_int4_float_bits((tl_int4)TL_SHUFFLE8(w, w, 0, 0, 1, 1, 2, 2, 3, 3) >> 16);
    const tl_int4 shifts = (float_bits >> 23) - 128;
    if (tl_int4_any(shifts < 0))
        return tl_texture_at_each(st, w);
    const tl_short8 factors = tl_int4_beside(tl_texture_factors(float_bits), (tl_int4){0, 0, 0, 0});
    tl_int4 s = tl_short8_dot(TL_SHUFFLE8(st, st, 0, 0, 1, 1, 2, 2, 3, 3), factors);
    tl_int4 t = tl_short8_dot(TL_SHUFFLE8(st, st, 4, 4, 5, 5, 6, 6, 7, 7), factors);
    const int32_t shift = shifts[0];
    if (!tl_int4_any(shifts != shift))
        return tl_int4_narrow(s >> shift, t >> shift);
    for (int k = 0; k < 4; k++) {
        s[k] >>= shifts[k];
        t[k] >>= shifts[k];
    }
    return tl_int4_narrow(s, t);
}

/* ---- places ---- */

typedef struct tl_texel_places {
    tl_ushort8 at, next, fraction;
} tl_texel_places;

TL_ALWAYS_INLINE tl_texel_places tl_texel_places_of(const tl_texel_source *source, tl_short8 st)
{
    tl_texel_places places;
    if (!source->tile.simple) {
        for (int k = 0; k < 8; k++) {
            const tl_texel_place place = tl_axis_place(k < 4 ? &source->tile.s : &source->tile.t, st[k]);
            places.at[k] = (uint16_t)place.at;
            places.next[k] = (uint16_t)place.next;
            places.fraction[k] = (uint16_t)place.fraction;
        }
        places.fraction &= source->fraction_mask;
        return places;
    }
    if (source->shifts) {
        const tl_short8 shifted_s = st >> (int16_t)source->tile.s.shift,
                        shifted_t = st >> (int16_t)source->tile.t.shift;
        st = TL_SHUFFLE8(shifted_s, shifted_t, 0, 1, 2, 3, 12, 13, 14, 15);
    }
    const tl_ushort8 from_low = (tl_ushort8)st - source->low;
    places.at = from_low >> 5 & source->mask;
    places.next = (places.at + 1) & source->mask;
    places.fraction = from_low & source->fraction_mask;
    return places;
}

/* ---- filter ---- */

/* Two texels. */
TL_ALWAYS_INLINE tl_ushort8 tl_texel_pair(const uint8_t (*texels)[4], int32_t i, int32_t j)
{
    return tl_uchar16_widen(tl_uchar16_pair(texels[(uint32_t)i], texels[(uint32_t)j]));
}

/* Of numbers that come twice: the first two, or the last two, each for a colour's four channels. */
#define TL_FOR_FIRST_COLORS(v) TL_SHUFFLE8(v, v, 0, 1, 0, 1, 2, 3, 2, 3)
#define TL_FOR_LAST_COLORS(v)  TL_SHUFFLE8(v, v, 4, 5, 4, 5, 6, 7, 6, 7)

/* The sum of three texels with weights that make 32: the corner's is what the fractions lack to 32, or exceed it by,
 * and then it is the opposite corner. */
TL_ALWAYS_INLINE tl_colors4 tl_texels_filtered(const tl_texel_source *source, const tl_texel_places *p)
{
    const uint8_t(*texels)[4] = source->tile.texels;
    const tl_ushort8 f = p->fraction, sum = f + TL_SHUFFLE8(f, f, 4, 5, 6, 7, 0, 1, 2, 3);
    const tl_ushort8 excess = tl_ushort8_excess(sum, (tl_ushort8){32, 32, 32, 32, 32, 32, 32, 32});
    const tl_ushort8 of_sides = f - excess, of_corner = 32 - sum + excess + excess;
    const tl_ushort8 nearer = (tl_ushort8)(excess == 0), corner = (p->at & nearer) | (p->next & ~nearer);
    const tl_ushort8 corners = TL_SHUFFLE8(of_corner, of_corner, 0, 0, 1, 1, 2, 2, 3, 3),
                     sides_s = TL_SHUFFLE8(of_sides, of_sides, 0, 0, 1, 1, 2, 2, 3, 3),
                     sides_t = TL_SHUFFLE8(of_sides, of_sides, 4, 4, 5, 5, 6, 6, 7, 7);
    int32_t at_corner[4], at_10[4], at_01[4];
    tl_int4_store(at_corner,
                  tl_short8_dot((tl_short8)TL_SHUFFLE8(corner, corner, 0, 12, 1, 13, 2, 14, 3, 15), source->row));
    tl_int4_store(at_10,
                  tl_short8_dot((tl_short8)TL_SHUFFLE8(p->next, p->at, 0, 12, 1, 13, 2, 14, 3, 15), source->row));
    tl_int4_store(at_01,
                  tl_short8_dot((tl_short8)TL_SHUFFLE8(p->at, p->next, 0, 12, 1, 13, 2, 14, 3, 15), source->row));
    tl_colors4 c;
    c.at[0] = (tl_texel_pair(texels, at_corner[0], at_corner[1]) * TL_FOR_FIRST_COLORS(corners) +
               tl_texel_pair(texels, at_10[0], at_10[1]) * TL_FOR_FIRST_COLORS(sides_s) +
               tl_texel_pair(texels, at_01[0], at_01[1]) * TL_FOR_FIRST_COLORS(sides_t) + 16) >>
              5;
    c.at[1] = (tl_texel_pair(texels, at_corner[2], at_corner[3]) * TL_FOR_LAST_COLORS(corners) +
               tl_texel_pair(texels, at_10[2], at_10[3]) * TL_FOR_LAST_COLORS(sides_s) +
               tl_texel_pair(texels, at_01[2], at_01[3]) * TL_FOR_LAST_COLORS(sides_t) + 16) >>
              5;
    return c;
}

/* One by one: of tiles that 16 bits do not hold, or with the median filter. */
void tl_texels_sample(const tl_texel_source *source, const int16_t st[8], uint16_t out[4][4]);

TL_ALWAYS_INLINE tl_colors4 tl_texels4(const tl_texel_source *source, const tl_uint4 planes[4])
{
    const tl_short8 st = tl_texture_at4(planes);
    if (source->at_once) {
        const tl_texel_places places = tl_texel_places_of(source, st);
        return tl_texels_filtered(source, &places);
    }
    int16_t at[8];
    uint16_t texels[4][4];
    tl_colors4 colors;
    memcpy(at, &st, sizeof at);
    tl_texels_sample(source, at, texels);
    memcpy(colors.at, texels, sizeof colors.at);
    return colors;
}

#endif
