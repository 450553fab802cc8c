/* depth.h: the RDP's depth buffer.
 *
 * A pixel's depth has 18 bits and is stored as a 14-bit float with the logarithm of its slope. Reading it back gives
 * the depth with its lower bits cut, so that is what a buffer holds here: depth << 4 | logarithm.
 */
#ifndef TL_RASTER_CONSOLE_DEPTH_H
#define TL_RASTER_CONSOLE_DEPTH_H

#include "base/compiler.h"
#include "n64/modes.h"
#include "raster/vector_any.h"

#define TL_DEPTH_EMPTY 0x3FFFF
#define TL_DEPTH_CLEAR (TL_DEPTH_EMPTY << 4)

/* Leading ones of 18 bits, at most 7. */
static inline int tl_depth_exponent(int32_t depth)
{
    if (depth < 0x30000)
        return depth < 0x20000 ? 0 : 1;
    if (depth < 0x3C000)
        return depth < 0x38000 ? 2 : 3;
    if (depth < 0x3F000)
        return depth < 0x3E000 ? 4 : 5;
    return depth < 0x3F800 ? 6 : 7;
}

/* The depth as the buffer holds it: 11 bits after the leading ones and a zero. The highest bit that is zero says how
 * many are lost, none below bit 11. */
static inline int32_t tl_depth_stored(int32_t depth)
{
    const int lost = 20 - tl_zeros_above((uint32_t)(depth ^ TL_DEPTH_EMPTY) | 0x800);
    return depth >> lost << lost;
}

/* The logarithm of a slope from the integer parts of dz/dx and dz/dy. */
static inline int tl_depth_slope(int64_t dx, int64_t dy)
{
    const int64_t sum = (dx < 0 ? -dx - 1 : dx) + (dy < 0 ? -dy - 1 : dy);
    if (sum >= 0x4000)
        return 15;
    return sum == 0 ? 0 : 32 - tl_zeros_above((uint32_t)sum);
}

typedef struct tl_depth_result {
    bool pass, far;
} tl_depth_result;

/* Compares a pixel with what is stored. `coverage`, 1 to 8, shrinks where surfaces interpenetrate. `over`: it fills up
 * the pixel. */
static inline tl_depth_result tl_depth_compare(uint32_t mode, int32_t z, int slope, int32_t stored, bool over,
                                               int32_t *coverage)
{
    const int32_t old = stored >> 4;
    const bool front = z < old, empty = old == TL_DEPTH_EMPTY;
    int old_slope = stored & 15;
    bool same = false;
    if (old < 0x38000) { /* an exponent below 3 has lost bits */
        const int exponent = tl_depth_exponent(old);
        same = old_slope == 15;
        if (!same)
            old_slope = old_slope + 1 > 4 - exponent ? old_slope + 1 : 4 - exponent;
    }
    const int n = slope > old_slope ? slope : old_slope;
    const int32_t tolerance = 8 << n;
    const bool far = same || z + tolerance >= old, near = same || z - tolerance <= old;
    if (mode == TL_Z_TRANSPARENT)
        return (tl_depth_result){front || empty, far};
    if (mode == TL_Z_DECAL)
        return (tl_depth_result){far && near && !empty, far};
    if (mode == TL_Z_INTERPENETRATING && front && far && over) {
        *coverage = (((old >> n) - (z >> n)) & 15) * *coverage >> 3;
        return (tl_depth_result){true, far};
    }
    return (tl_depth_result){empty || (over ? front : near), far};
}

/* With vectors of 16 bytes. */
#define TL_VECTOR(type, name) type##name
#define TL_LANES              4
#include "raster/console/depth.inc"
#undef TL_VECTOR
#undef TL_LANES

#endif
