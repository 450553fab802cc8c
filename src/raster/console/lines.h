/* lines.h: which samples of a triangle's lines are inside (picture.md 7). */
#ifndef TL_RASTER_CONSOLE_LINES_H
#define TL_RASTER_CONSOLE_LINES_H

#include "raster/console/coverage.h"
#include "raster/console/setup.h"

/* Found at once: edges stay in registers then, and so does what pixels need after them. */
enum { TL_LINES_MOST = 32 };

/* Lines of a triangle that lie in a window, from the line `y` on; their number, at most TL_LINES_MOST. `rows`: those of
 * the screen. */
uint32_t tl_lines_of(const tl_raster_triangle *t, const tl_window *window, int32_t y, int32_t rows,
                     tl_coverage_line *lines);

#endif
