/* osmesa.h: the same triangles drawn by OpenGL in software (llvmpipe through OSMesa), to compare with. It may not have
 * been there at build time. */
#ifndef BENCH_OSMESA_H
#define BENCH_OSMESA_H

#include <trilobite/image.h>
#include <trilobite/model.h>
#include <trilobite/render.h>

typedef struct osmesa_stage osmesa_stage;

bool osmesa_there(void);
/* Positions as they are, one light, colours times a texture: textures[i] of the model, NULL where there is none.
 * Pictures have up to width * height pixels. NULL: it failed. */
osmesa_stage *osmesa_new(const trilo_model *model, const trilo_image *const *textures, uint32_t width, uint32_t height);
void osmesa_free(osmesa_stage *stage); /* may be NULL */
/* Waits until the picture is complete. `depth` is the diagonal of the model's box. False: nothing was drawn. */
bool osmesa_draw(osmesa_stage *stage, const trilo_view *view, double depth, uint32_t width, uint32_t height);

#endif
