/* Prepares tiles, and samples those that cannot be sampled four at a time. */
#include "raster/console/texel.h"

/* Sides of a tile whose coordinates fit 16 bits, in 1/32 texel. */
enum { TEXEL_SIDE_MOST = 1024 };

tl_texel_source tl_texel_source_of(const tl_tile *tile, tl_filter filter)
{
    tl_texel_source source = {.tile = *tile, .filter = filter};
    source.at_once = tile->s.size <= TEXEL_SIDE_MOST && tile->t.size <= TEXEL_SIDE_MOST && filter != TL_FILTER_MEDIAN;
    source.by_mask = (!tile->s.repeat || tile->s.mask >= 0) && (!tile->t.repeat || tile->t.mask >= 0);
    source.endless = tl_axis_is_endless(&tile->s) && tl_axis_is_endless(&tile->t);
    source.shifts = source.endless && (tile->s.shift != 0 || tile->t.shift != 0);
    source.nearest = filter == TL_FILTER_POINT;
    for (int k = 0; k < 8; k++) {
        const tl_axis *axis = k < 4 ? &tile->s : &tile->t;
        source.low[k] = (uint16_t)(uint32_t)(axis->low * 8);
        source.mask[k] = (uint16_t)(uint32_t)axis->mask;
        source.mirror[k] = (uint16_t)(axis->mirror ? axis->size : 0);
        source.fraction_mask[k] = filter == TL_FILTER_POINT ? 0 : 31;
        source.row[k] = (int16_t)(k % 2 == 0 ? 1 : tile->s.size);
    }
    return source;
}

void tl_texels_sample(const tl_texel_source *source, const int16_t st[8], uint16_t out[4][4])
{
    for (int k = 0; k < 4; k++) {
        int32_t texel[4];
        tl_tile_sample(&source->tile, source->filter, st[k], st[k + 4], texel);
        for (int c = 0; c < 4; c++)
            out[k][c] = (uint16_t)texel[c];
    }
}
