/* coverage.h: eight samples of a pixel (picture.md 7).
 *
 * Samples lie on a grid of quarters: rows 0 and 2 have columns 0 and 2, rows 1 and 3 columns 1 and 3. Two bits of a
 * mask are a row, so the lowest bit is the first sample from the top and the left.
 */
#ifndef TL_RASTER_CONSOLE_COVERAGE_H
#define TL_RASTER_CONSOLE_COVERAGE_H

#include "base/compiler.h"
#include "raster/vector.h"

enum { TL_COVERAGE_FULL = 0xFF };

/* Columns that are drawn at once, in pixels: 16 bits hold their quarters. */
enum { TL_WINDOW_MOST = 8188 };
typedef struct tl_window {
    int32_t first; /* its left pixel, a multiple of 4 */
    int32_t right; /* quarters from there that are inside */
} tl_window;

/* A line of pixels of a window: from where to where each of its four rows of samples is inside, in quarters. */
typedef struct tl_coverage_line {
    tl_short8 left, right;         /* of each row twice; right is outside */
    int32_t origin;                /* the pixel that they are counted from */
    int32_t first, last;           /* no pixel outside of them has a sample */
    int32_t full_first, full_last; /* pixels that surely have all */
} tl_coverage_line;

/* The line whose rows are between these columns. `rows` is true for those that the triangle has. False: no pixel has a
 * sample. */
TL_ALWAYS_INLINE bool tl_coverage_of(tl_coverage_line *line, const tl_window *window, tl_int4 left, tl_int4 right,
                                     tl_int4 rows)
{
    const int32_t origin = 4 * window->first;
    const int16_t end = (int16_t)window->right;
    const tl_int4 begin = ((left - origin) & rows) | (~rows & 0x7FFF);
    tl_short8 columns = tl_int4_narrow(begin, (right - origin) & rows);
    columns = tl_short8_most(columns, (tl_short8){0, 0, 0, 0, -32768, -32768, -32768, -32768});
    columns = tl_short8_least(columns, (tl_short8){32767, 32767, 32767, 32767, end, end, end, end});
    const tl_short8 others = TL_SHUFFLE8(columns, columns, 2, 3, 0, 1, 6, 7, 4, 5);
    tl_short8 least = tl_short8_least(columns, others), most = tl_short8_most(columns, others);
    least = tl_short8_least(least, TL_SHUFFLE8(least, least, 1, 0, 3, 2, 5, 4, 7, 6));
    most = tl_short8_most(most, TL_SHUFFLE8(most, most, 1, 0, 3, 2, 5, 4, 7, 6));
    line->left = TL_SHUFFLE8(columns, columns, 0, 0, 1, 1, 2, 2, 3, 3);
    line->right = TL_SHUFFLE8(columns, columns, 4, 4, 5, 5, 6, 6, 7, 7);
    line->origin = window->first;
    line->first = window->first + (least[0] >> 2);
    line->last = window->first + ((most[4] - 1) >> 2);
    line->full_first = window->first + ((most[0] + 3) >> 2);
    line->full_last = window->first + (least[4] >> 2) - 1;
    return least[0] < most[4];
}

/* The samples of a pixel. */
TL_ALWAYS_INLINE uint32_t tl_coverage_at(const tl_coverage_line *line, int32_t x)
{
    const tl_short8 columns = (tl_short8){0, 2, 1, 3, 0, 2, 1, 3} + (int16_t)(4 * (x - line->origin));
    return tl_short8_bits((line->right > columns) & ~(line->left > columns));
}

/* How many, 0 to 8. */
TL_ALWAYS_INLINE int32_t tl_coverage_count(uint32_t samples)
{
    static const uint8_t of_two_rows[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
    return of_two_rows[samples & 15] + of_two_rows[samples >> 4];
}

/* Where the first of them is, in quarters from the upper left corner. */
TL_ALWAYS_INLINE void tl_coverage_first(uint32_t samples, int32_t *column, int32_t *row)
{
    const int first = tl_zeros_below(samples);
    *row = first >> 1;
    *column = (first & 1) * 2 + (*row & 1);
}

#endif
