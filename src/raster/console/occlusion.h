/* occlusion.h: triangles that the depth buffer occludes, found before they are shaded. */
#ifndef TL_RASTER_CONSOLE_OCCLUSION_H
#define TL_RASTER_CONSOLE_OCCLUSION_H

#include "raster/console/vertex.h"

/* True if no pixel of an opaque triangle is drawn, whose depth is compared and has no offset. The test is conservative:
 * all pixels of its bounding box must be full and nearer than its corners. */
bool tl_triangle_occluded(const tl_framebuffer *framebuffer, const tl_console_vertex *const corners[3]);

#endif
