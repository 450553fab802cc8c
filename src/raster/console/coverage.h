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

/* A line of pixels of a window. */
typedef struct tl_coverage_line {
    int32_t first, last; /* no pixel outside of them has a sample; none has: the last is before the first */
    tl_short8 columns;   /* quarters from the first: where each of its four rows begins, then where each ends */
} tl_coverage_line;

/* The line whose rows are between these columns, counted from the window's first. `missing` is true for rows that the
 * triangle does not have. */
TL_ALWAYS_INLINE void tl_coverage_of(tl_coverage_line *line, const tl_window *window, tl_int4 left, tl_int4 right,
                                     tl_int4 missing)
{
    const int16_t end = (int16_t)window->right;
    const tl_int4 beyond = (tl_int4)((tl_uint4)missing >> 17); /* 32767 */
    tl_short8 columns = tl_int4_narrow(tl_int4_without(left, missing) | beyond, tl_int4_without(right, missing));
    columns = tl_short8_most(columns, (tl_short8){0, 0, 0, 0, 0, 0, 0, 0});
    columns = tl_short8_least(columns, (tl_short8){32767, 32767, 32767, 32767, end, end, end, end});
    const tl_short8 ends = {0, 0, 0, 0, -1, -1, -1, -1};
    tl_short8 least = columns ^ ends; /* the largest end is the least of what it lacks to -1 */
    least = tl_short8_least(least, TL_SHUFFLE8(least, least, 2, 3, 0, 1, 6, 7, 4, 5));
    least = tl_short8_least(least, TL_SHUFFLE8(least, least, 1, 0, 3, 2, 5, 4, 7, 6));
    line->columns = columns - (TL_SHUFFLE8(least, least, 0, 0, 0, 0, 0, 0, 0, 0) & ~3);
    const int32_t from = least[0], end_less_1 = -least[4] - 2;
    line->first = window->first + (from >> 2);
    line->last = from <= end_less_1 ? window->first + (end_less_1 >> 2) : line->first - 1;
}

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

/* Four pixels at once, all numbers masks but the first. */
typedef struct tl_coverage_four {
    tl_int4 count;              /* of their samples */
    tl_int4 some;               /* there is one; of the first: */
    tl_int4 second, odd, lower; /* it is the second of its row; that is row 1 or 3; row 2 or 3: bits of its number */
} tl_coverage_four;

/* Of a line's columns, counted from the first of the pixels. A row is a byte of each pixel, row 0 the lowest. */
TL_ALWAYS_INLINE tl_coverage_four tl_coverage_four_of(tl_short8 columns)
{
    const tl_int4 firsts = {0x01000100, 0x05040504, 0x09080908, 0x0D0C0D0C}, seconds = firsts + 0x02020202;
    tl_char16 left, right;
    tl_short8_repeat_bytes(columns, &left, &right);
    const tl_int4 first = tl_int4_without((tl_int4)(right > (tl_char16)firsts), (tl_int4)(left > (tl_char16)firsts)),
                  second = tl_int4_without((tl_int4)(right > (tl_char16)seconds), (tl_int4)(left > (tl_char16)seconds));
    const tl_int4 rows = first | second, lowest = rows & -rows;
    tl_uint4 sum = (tl_uint4)(-((tl_char16)first + (tl_char16)second));
    sum += sum >> 16;
    sum = (sum + (sum >> 8)) & 15;
    return (tl_coverage_four){(tl_int4)sum, (tl_int4)sum > 0, (first & lowest) == 0, (lowest & 0x01000100) == lowest,
                              lowest > 0xFFFF};
}

#endif
