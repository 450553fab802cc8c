/* occlusion.h: triangles that the depth buffer occludes, found before they are shaded (picture.md 8). */
#ifndef TL_RASTER_CONSOLE_OCCLUSION_H
#define TL_RASTER_CONSOLE_OCCLUSION_H

#include "raster/console/vertex.h"

/* Is no pixel of an opaque triangle drawn, whose depth is compared and has no offset? True only if all pixels of its
 * bounding box are full and nearer than its corners: not all triangles that are occluded are found. */
bool tl_triangle_occluded(const tl_framebuffer *framebuffer, const tl_console_vertex *const corners[3]);

#endif
