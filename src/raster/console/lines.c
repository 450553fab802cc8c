/* Lines of a triangle, from its edges. */
#include "raster/console/lines.h"
#include "base/strict_float.h"

/* With columns from the window's first on. */
TL_ALWAYS_INLINE tl_raster_edge lines_walk_from(const tl_raster_triangle *t, int from, int to, int32_t row,
                                                const tl_window *window)
{
    tl_raster_edge edge = tl_edge_at(t->corners[from], t->corners[to], row);
    const uint64_t origin = (uint64_t)window->first << 42;
    edge.upper -= origin;
    edge.lower -= origin;
    return edge;
}

uint32_t tl_lines_of_any(const tl_raster_triangle *t, const tl_window *window, int32_t y, int32_t end,
                         tl_coverage_line *lines)
{
    const tl_coverage_line *first = lines;
    const int32_t middle = t->middle;
    const tl_int4 none = {0, 0, 0, 0}, top = none + t->top, last = none + (end - 1);
    int32_t row = 4 * y;
    const int upper = middle > row && middle > t->top ? 0 : 1;
    const int32_t turn = upper == 0 && middle < end ? middle & ~3 : -1;
    const tl_raster_edge major = lines_walk_from(t, 0, 2, row, window),
                         minor = lines_walk_from(t, upper, upper + 1, row, window);
    tl_raster_edge left = t->major_left ? major : minor, right = t->major_left ? minor : major;
    for (tl_int4 four = row + (tl_int4){0, 1, 2, 3}; row < end; row += 4, four += 4, lines++) {
        tl_int4 at_left = tl_edge_walk(&left), at_right = tl_edge_walk(&right);
        if (row == turn) { /* rows from the corner on are those of the lower edge */
            const tl_int4 before = four < middle;
            tl_raster_edge lower = lines_walk_from(t, 1, 2, row, window);
            const tl_int4 at_lower = tl_edge_walk(&lower) & ~before;
            if (t->major_left)
                at_right = (at_right & before) | at_lower, right = lower;
            else
                at_left = (at_left & before) | at_lower, left = lower;
        }
        tl_coverage_of(lines, window, at_left, at_right, (top > four) | (four > last));
    }
    const uint32_t count = (uint32_t)(lines - first);
    if (count % 2 != 0)
        *lines = (tl_coverage_line){.first = 0, .last = -1};
    return count;
}

#if TL_AVX2
/* True if the sides of the box around a triangle are at most TL_LINES_SMALL. */
static inline bool lines_are_small(const tl_raster_triangle *t)
{
    const int32_t a = t->corners[0]->screen_x, b = t->corners[1]->screen_x, c = t->corners[2]->screen_x;
    const int32_t least = a < b ? a < c ? a : c : b < c ? b : c, most = a > b ? a > c ? a : c : b > c ? b : c;
    return t->bottom - t->top <= TL_LINES_SMALL && most - least <= TL_LINES_SMALL;
}
#endif

uint32_t tl_lines_of(const tl_raster_triangle *t, const tl_window *window, int32_t y, int32_t rows, bool avx2,
                     tl_coverage_line *lines)
{
    const int32_t bottom = t->bottom < rows ? t->bottom : rows, most = 4 * (y + TL_LINES_MOST);
    const int32_t end = most < bottom ? most : bottom;
#if TL_AVX2
    if (avx2 && lines_are_small(t))
        return tl_lines_of_small_avx2(t, window, y, end, lines);
#else
    (void)avx2;
#endif
    return tl_lines_of_any(t, window, y, end, lines);
}
