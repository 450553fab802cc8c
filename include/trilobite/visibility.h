/* visibility.h: why nothing of a model, or of a mesh, can be seen. */
#ifndef TRILOBITE_VISIBILITY_H
#define TRILOBITE_VISIBILITY_H

#include "trilobite/image.h"
#include "trilobite/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct trilo_visibility_opts {
    uint32_t struct_size; /* sizeof of this struct, or 0; see docs/api-policy.md */
    uint32_t guard;       /* must be 0 */
    trilo_memory memory;
    const trilo_image *const
        *textures;                /* texture_count images, as for trilo_renderer_new; NULL: any image is possible */
    trilo_finding_fn *on_finding; /* receives the reasons: codes SEEN-... */
    void *on_finding_user;
} trilo_visibility_opts;

/* Looks for what makes meshes invisible wherever the camera is: no triangles, values that are not numbers, triangles
 * without area, a size that the console or a camera cannot show, culling of both faces, alpha 0, black. Colours and
 * alpha are followed through the combiner as ranges, so a mesh that happens to be invisible may not be found, but a
 * mesh that could be visible is never reported. Black is only reported if all meshes are black. Returns false if
 * nothing of the model can be seen, or, with *err filled, if memory ran out; err->code is TRILO_CODE_OK otherwise. */
TRILO_API bool trilo_model_visible(const trilo_model *model, const trilo_visibility_opts *opts, trilo_error *err);

#ifdef __cplusplus
}
#endif
#endif
