/* clip.h: triangles that leave the guard band are cut at it, and at the near plane. */
#ifndef TL_RASTER_CONSOLE_CLIP_H
#define TL_RASTER_CONSOLE_CLIP_H

#include "raster/console/vertex.h"

/* A triangle gains at most a corner at each of the five planes. */
enum { TL_CONSOLE_POLYGON_MOST = 8 };

/* The number of corners that are left, projected. */
int tl_console_clip(const tl_viewport *viewport, const tl_console_vertex *const corners[3],
                    tl_console_vertex polygon[TL_CONSOLE_POLYGON_MOST]);

#endif
