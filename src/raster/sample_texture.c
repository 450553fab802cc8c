/* From a texture coordinate to a colour. */
#include "raster/sample_texture.h"
#include "base/strict_float.h"

#include <math.h>

/* ---- tiles ---- */

/* Converts any number to an int, clamped. */
static int32_t tile_to_int(double value)
{
    if (!(value > -1e6))
        return -1000000;
    return value < 1e6 ? (int32_t)value : 1000000;
}

static tl_axis tile_axis_of(uint32_t size)
{
    tl_axis axis = {.size = (int32_t)size, .mask = (size & (size - 1)) == 0 ? (int32_t)size - 1 : -1};
    axis.high = 4 * (axis.size - 1);
    return axis;
}

static bool tile_axis_is_simple(const tl_axis *axis)
{
    return tl_axis_is_endless(axis) && !axis->mirror;
}

tl_axis tl_axis_n64(const trilo_n64_axis *from, uint32_t size)
{
    tl_axis axis = tile_axis_of(size);
    double repeats = TRILO_N64_REPEATS_ENDLESS;
    if (from->clamp)
        repeats = axis.mask >= 0 ? ((double)from->high - from->low + 1) / size : 1;
    if (!(repeats > 0))
        repeats = 1;
    axis.repeat = repeats > 1;
    axis.mirror = axis.repeat && from->mirror;
    axis.clamp = !axis.repeat || repeats * size < 1024;
    axis.shift = (int8_t)(from->shift < -5 ? -5 : from->shift > 10 ? 10 : from->shift);
    axis.low = tile_to_int((double)from->low * 4);
    axis.high = tile_to_int(((double)size - 1 + from->low + (axis.clamp ? (repeats - 1) * size : 0)) * 4);
    axis.simple = tile_axis_is_simple(&axis);
    return axis;
}

tl_axis tl_axis_plain(trilo_wrap wrap, uint32_t size)
{
    tl_axis axis = tile_axis_of(size);
    axis.wide = true;
    axis.repeat = wrap != TRILO_WRAP_CLAMP;
    axis.mirror = wrap == TRILO_WRAP_MIRROR;
    axis.clamp = !axis.repeat;
    axis.simple = tile_axis_is_simple(&axis);
    return axis;
}

tl_tile tl_tile_of(const trilo_image *image, tl_axis s, tl_axis t)
{
    return (tl_tile){image->pixels, s, t, s.simple && t.simple};
}

/* ---- coordinates ---- */

/* C leaves right shifts of negative numbers to the compiler; all supported ones keep the sign, which a test checks. */
static int32_t tile_shift(const tl_axis *axis, int32_t c)
{
    if (axis->shift >= 0)
        return c >> axis->shift;
    c *= 1 << -axis->shift;
    return axis->wide ? c : (int16_t)(uint16_t)(uint32_t)c;
}

static int32_t tile_wrap(const tl_axis *axis, int32_t i)
{
    if (!axis->repeat)
        return i < 0 ? 0 : i >= axis->size ? axis->size - 1 : i;
    if (axis->mask >= 0)
        return (axis->mirror && (i & axis->size) != 0 ? ~i : i) & axis->mask;
    const int32_t round = axis->mirror ? 2 * axis->size : axis->size;
    i %= round;
    i = i < 0 ? i + round : i;
    return i >= axis->size ? round - 1 - i : i;
}

tl_texel_position tl_axis_position(const tl_axis *axis, int32_t coordinate)
{
    int32_t c = tile_shift(axis, coordinate);
    if (axis->clamp && c >> 3 >= axis->high)
        c = ((axis->high >> 2) - (axis->low >> 2)) * 32;
    else
        c -= axis->low * 8;
    if (axis->clamp && c < 0)
        c = 0;
    const int32_t i = c >> 5;
    return (tl_texel_position){tile_wrap(axis, i), tile_wrap(axis, i + 1), c & 31};
}

void tl_second_coordinates_of(const tl_second_coordinates *second, const int32_t at[2], int32_t out[2])
{
    const float most = 1048576;
    for (int i = 0; i < 2; i++) {
        float value = floorf(second->by[i][0] * (float)at[0] + second->by[i][1] * (float)at[1] + second->at_origin[i]);
        value = value > -most ? value : -most; /* NaN, too */
        out[i] = (int32_t)(value < most ? value : most);
    }
}

void tl_tile_sample(const tl_tile *tile, tl_filter filter, int32_t s, int32_t t, int32_t out[4])
{
    tl_int4_store(out, tl_tile_texel(tile, filter, s, t));
}
