/* The blender's row (blender.h) of a material. */
#include "raster/console/blender.h"

tl_blend_row tl_blend_row_of(const tl_pipeline_state *state)
{
    if (!state->antialias)
        return TL_ROW_NO_ANTIALIAS;
    if (state->blend_word != 0)
        return TL_ROW_BLENDED;
    return state->cutout ? TL_ROW_CUTOUT : TL_ROW_OPAQUE;
}
