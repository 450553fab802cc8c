/* blend.h: the arithmetic of the RDP's blender. */
#ifndef TL_RASTER_BLEND_H
#define TL_RASTER_BLEND_H

#include "n64/modes.h"

typedef struct tl_blend_inputs {
    const int32_t *memory;      /* the framebuffer's colour */
    const uint8_t *color, *fog; /* the blend and the fog colour, with alpha */
    int32_t alpha, shade_alpha; /* of the pixel */
    int32_t coverage;           /* stored with the framebuffer's colour, 0 to 7 */
} tl_blend_inputs;

/* Changes a pixel's colour, three channels from 0 to 255. */
void tl_blend(const tl_blend_state *state, const tl_blend_inputs *in, int32_t pixel[3]);

#endif
