/* opaque.h: pixels that are not blended: coverage, depth and colours (fragment.inc). */
#ifndef TL_RASTER_CONSOLE_OPAQUE_H
#define TL_RASTER_CONSOLE_OPAQUE_H

#include "raster/console/coverage.h"
#include "raster/console/pixel.h"
#include "raster/console/span.h"

/* Lines of a triangle whose depth fits, from the line `y` on. After an odd number there is an empty one. */
void tl_opaque_draw(tl_console_state *state, const tl_raster_triangle *t, const tl_coverage_line *lines, uint32_t count,
                    int32_t y);
#if TL_AVX2
void tl_opaque_draw_avx2(tl_console_state *state, const tl_raster_triangle *t, const tl_coverage_line *lines,
                         uint32_t count, int32_t y);
#endif

#endif
