/* coverage.h: eight samples of a pixel.
 *
 * Samples lie on a grid of quarters: rows 0 and 2 have columns 0 and 2, rows 1 and 3 columns 1 and 3. Two bits of a
 * mask are a row, so the lowest bit is the first sample from the top and the left.
 */
#ifndef TL_RASTER_CONSOLE_COVERAGE_H
#define TL_RASTER_CONSOLE_COVERAGE_H

#include "base/compiler.h"
#include "raster/vector_any.h"

enum { TL_COVERAGE_FULL = 0xFF };

/* Columns that are drawn at once, in pixels: 16 bits hold their quarters. */
enum { TL_WINDOW_MOST = 8188 };
typedef struct tl_window {
    int32_t first; /* its left pixel, a multiple of 4 */
    int32_t right; /* quarters from there that are inside */
} tl_window;

/* A line of pixels of a window. */
typedef struct tl_coverage_line {
    int32_t first, last; /* pixels outside have no sample; none has one: the last is before the first */
    tl_short8 columns;   /* quarters from the first: where each of its four rows begins, then where each ends */
} tl_coverage_line;

/* Pixels that surely have all samples. */
TL_ALWAYS_INLINE void tl_coverage_full(const tl_coverage_line *line, int32_t *first, int32_t *last)
{
    const tl_short8 columns = line->columns, others = TL_SHUFFLE8(columns, columns, 2, 3, 0, 1, 6, 7, 4, 5);
    const tl_short8 least = tl_short8_least(columns, others), most = tl_short8_most(columns, others);
    *first = line->first + (((most[0] > most[1] ? most[0] : most[1]) + 3) >> 2);
    *last = line->first + ((least[4] < least[5] ? least[4] : least[5]) >> 2) - 1;
}

/* The samples of a pixel. */
TL_ALWAYS_INLINE uint32_t tl_coverage_at(const tl_coverage_line *line, int32_t x)
{
    const tl_short8 left = TL_SHUFFLE8(line->columns, line->columns, 0, 0, 1, 1, 2, 2, 3, 3),
                    right = TL_SHUFFLE8(line->columns, line->columns, 4, 4, 5, 5, 6, 6, 7, 7);
    const tl_short8 columns = (tl_short8){0, 2, 1, 3, 0, 2, 1, 3} + (int16_t)(4 * (x - line->first));
    return tl_short8_bits((right > columns) & ~(left > columns));
}

/* How many, 0 to 8. */
TL_ALWAYS_INLINE int32_t tl_coverage_count(uint32_t samples)
{
    static const uint8_t of_two_rows[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
    return of_two_rows[samples & 15] + of_two_rows[samples >> 4];
}

/* With vectors of 16 bytes. */
#define TL_VECTOR(type, name) type##name
#define TL_LANES              4
#include "raster/console/coverage.inc"
#undef TL_VECTOR
#undef TL_LANES

#endif
