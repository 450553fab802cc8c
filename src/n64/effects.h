/* effects.h: the vertex effects of Tiny3D's microcode. */
#ifndef TL_N64_EFFECTS_H
#define TL_N64_EFFECTS_H

#include "n64/combiner.h"
#include "trilobite/n64.h"

/* For the references of formats that store the number. */
#define TL_EFFECTS_LIST "0 none, 1 spherical UV, 2 cel shade by colour, 3 cel shade by alpha, 4 outline, 5 UV offset"

/* True if it reads normals, besides light. */
bool tl_effect_uses_normals(uint8_t effect);
/* True if a texture is drawn at coordinates that the effect has not written. An outline does not write them. */
bool tl_effect_leaves_uvs(uint8_t effect, uint64_t combiner);

#endif
