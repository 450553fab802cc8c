/* coverage.h: eight samples of a pixel (picture.md 7).
 *
 * Samples lie on a grid of quarters: rows 0 and 2 have columns 0 and 2, rows 1 and 3 columns 1 and 3. Bit 4 * row +
 * column of a mask is a sample, so the lowest bit is the first one from the top and the left.
 */
#ifndef TL_RASTER_CONSOLE_COVERAGE_H
#define TL_RASTER_CONSOLE_COVERAGE_H

#include "base/compiler.h"
#include "raster/vector.h"

#include <stdbool.h>

/* Samples of a pixel: their mask, and 65536 times how many. */
enum { TL_COVERAGE_FULL = 0x8A5A5, TL_COVERAGE_MASK = 0xFFFF };

/* A line of pixels: from where to where each of its four rows of samples is inside, in quarters. */
typedef struct tl_coverage_line {
    int32_t left[4], right[4];     /* right is outside */
    int32_t first, last;           /* no pixel outside of them has a sample */
    int32_t full_first, full_last; /* pixels that surely have all */
} tl_coverage_line;

/* A row without samples is outside of all that are compared with it. */
TL_ALWAYS_INLINE void tl_coverage_no_row(tl_coverage_line *line, int row)
{
    line->left[row] = INT32_MAX / 2;
    line->right[row] = 0;
}

/* After the rows, which lie within the screen. False: no pixel has a sample. */
TL_ALWAYS_INLINE bool tl_coverage_finish(tl_coverage_line *line)
{
    int32_t left_least = line->left[0], left_most = left_least, right_least = line->right[0], right_most = right_least;
    for (int r = 1; r < 4; r++) {
        left_least = line->left[r] < left_least ? line->left[r] : left_least;
        left_most = line->left[r] > left_most ? line->left[r] : left_most;
        right_least = line->right[r] < right_least ? line->right[r] : right_least;
        right_most = line->right[r] > right_most ? line->right[r] : right_most;
    }
    line->first = left_least >> 2;
    line->last = (right_most - 1) >> 2;
    line->full_first = (left_most + 3) >> 2;
    line->full_last = (right_least >> 2) - 1;
    return left_least < right_most;
}

/* The samples of a pixel: columns 0 and 1, then 2 and 3 of the rows, all rows at once. */
TL_ALWAYS_INLINE uint32_t tl_coverage_at(const tl_coverage_line *line, int32_t x)
{
    const tl_int4 left = tl_int4_load(line->left), right = tl_int4_load(line->right);
    const tl_int4 a = (tl_int4){0, 1, 0, 1} + 4 * x, b = a + 2;
    const tl_int4 in_a = ~(left > a) & (right > a), in_b = ~(left > b) & (right > b);
    const tl_int4 sum =
        (in_a & (tl_int4){0x10001, 0x10020, 0x10100, 0x12000}) + (in_b & (tl_int4){0x10004, 0x10080, 0x10400, 0x18000});
    const tl_ulong2 halves = (tl_ulong2)sum;
    const uint64_t both = halves[0] + halves[1];
    return (uint32_t)(both + (both >> 32));
}

/* How many, 0 to 8. */
TL_ALWAYS_INLINE int32_t tl_coverage_count(uint32_t samples)
{
    return (int32_t)(samples >> 16);
}

/* Where the first of them is, in quarters from the upper left corner. */
TL_ALWAYS_INLINE void tl_coverage_first(uint32_t samples, int32_t *column, int32_t *row)
{
    const int first = tl_zeros_below(samples);
    *column = first & 3;
    *row = first >> 2;
}

#endif
