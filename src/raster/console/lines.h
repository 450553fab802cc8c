/* lines.h: which samples of a triangle's lines are inside. */
#ifndef TL_RASTER_CONSOLE_LINES_H
#define TL_RASTER_CONSOLE_LINES_H

#include "base/avx2.h"
#include "raster/console/coverage.h"
#include "raster/console/setup.h"

/* Found before any pixel is drawn: so edges stay in registers, and then what pixels need. */
enum { TL_LINES_MOST = 32 }; /* even */

/* Lines of a triangle that lie in a window, from the line `y` on; their number, at most TL_LINES_MOST. After an odd
 * number there is an empty one. `rows`: those of the screen. */
uint32_t tl_lines_of(const tl_raster_triangle *t, const tl_window *window, int32_t y, int32_t rows, bool avx2,
                     tl_coverage_line *lines);

/* The same, up to the row `end`, for triangles whose sides are at most this long, in quarters. */
enum { TL_LINES_SMALL = 512 };
#if TL_AVX2
uint32_t tl_lines_of_small_avx2(const tl_raster_triangle *t, const tl_window *window, int32_t y, int32_t end,
                                tl_coverage_line *lines);
#endif
/* For triangles of any size. */
uint32_t tl_lines_of_any(const tl_raster_triangle *t, const tl_window *window, int32_t y, int32_t end,
                         tl_coverage_line *lines);

#endif
