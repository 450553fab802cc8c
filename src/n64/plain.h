/* plain.h: the N64 state of a material that has none of its own, and tiles that follow the size of their texture. */
#ifndef TL_N64_PLAIN_H
#define TL_N64_PLAIN_H

#include "trilobite/n64.h"

/* The state that shows the plain view of a material best. `tinted`: vertices have colours, or the base colour goes into
 * them. The first tile shows the texture, with the settings of its sampler, and follows its size
 * (tl_n64_fit_tile). */
trilo_n64_material tl_n64_plain(const trilo_model *model, const trilo_material *material, bool tinted);

bool tl_color_is_white(const float color[4]);
/* True if any vertex has another colour than white. */
bool tl_mesh_is_tinted(const trilo_mesh *mesh);

/* The size nearest to that of the image that fits TMEM: halved in turn along the longer side. */
void tl_n64_fit_size(trilo_texels texels, uint32_t *width, uint32_t *height);
/* Gives a tile the size of its texture, and the axes that follow it the whole texture. */
void tl_n64_fit_tile(trilo_n64_tile *tile, uint32_t width, uint32_t height);

#endif
