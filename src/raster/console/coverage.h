/* coverage.h: eight samples of a pixel (picture.md 7).
 *
 * Samples lie on a grid of quarters: rows 0 and 2 have columns 0 and 2, rows 1 and 3 columns 1 and 3. Bit 4 * row +
 * column of a mask is a sample, so the lowest bit is the first one from the top and the left.
 */
#ifndef TL_RASTER_CONSOLE_COVERAGE_H
#define TL_RASTER_CONSOLE_COVERAGE_H

#include <stdbool.h>
#include <stdint.h>

enum { TL_COVERAGE_FULL = 0xA5A5 };

/* A line of pixels: from where to where each of its four rows of samples is inside, in quarters. */
typedef struct tl_coverage_line {
    int32_t left[4], right[4];      /* right is outside */
    int32_t first, last;            /* pixels with any sample */
    int32_t full_first, full_last;  /* pixels that surely have all */
    int32_t left_most, right_least; /* from there to there all rows are inside */
} tl_coverage_line;

static inline void tl_coverage_start(tl_coverage_line *line)
{
    line->left_most = line->last = INT32_MIN;
    line->right_least = line->first = INT32_MAX;
}

/* A row of samples; `left` and `right` in quarters, within the screen. */
static inline void tl_coverage_row(tl_coverage_line *line, int row, int32_t left, int32_t right)
{
    line->left[row] = left;
    line->right[row] = right;
    line->left_most = left > line->left_most ? left : line->left_most;
    line->right_least = right < line->right_least ? right : line->right_least;
    if (left < right) {
        line->first = left < line->first ? left : line->first;
        line->last = right > line->last ? right : line->last;
    }
}

/* After the last row. False: no pixel has a sample. */
static inline bool tl_coverage_finish(tl_coverage_line *line)
{
    if (line->first >= line->last)
        return false;
    line->first >>= 2;
    line->last = (line->last - 1) >> 2;
    line->full_first = (line->left_most + 3) >> 2;
    line->full_last = (line->right_least >> 2) - 1;
    return true;
}

/* The samples of a pixel. */
static inline uint32_t tl_coverage_mask(const tl_coverage_line *line, int32_t x)
{
    uint32_t mask = TL_COVERAGE_FULL;
    if (line->left_most > 4 * x)
        for (int r = 0; r < 4; r++) {
            const int32_t outside = line->left[r] - 4 * x;
            mask &= ~(uint32_t)(15 >> (outside < 0 ? 4 : outside < 4 ? 4 - outside : 0) << 4 * r);
        }
    if (line->right_least < 4 * x + 4)
        for (int r = 0; r < 4; r++) {
            const int32_t inside = line->right[r] - 4 * x;
            mask &= ~(uint32_t)((15 << (inside < 0 ? 0 : inside < 4 ? inside : 4) & 15) << 4 * r);
        }
    return mask;
}

/* How many, 0 to 8. No two are side by side. */
static inline int32_t tl_coverage_count(uint32_t mask)
{
    mask = (mask | mask >> 1) & 0x5555;
    mask = (mask & 0x3333) + (mask >> 2 & 0x3333);
    mask = (mask + (mask >> 4)) & 0x0F0F;
    return (int32_t)((mask + (mask >> 8)) & 15);
}

/* Where the first sample of a mask is, in quarters from the upper left corner. */
static inline void tl_coverage_first(uint32_t mask, int32_t *column, int32_t *row)
{
    for (*row = 0; (mask & 15) == 0; mask >>= 4)
        ++*row;
    for (*column = 0; (mask & 1) == 0; mask >>= 1)
        ++*column;
}

#endif
