/* pyrite64_source.h: what the source of a model, a glTF file and its settings (.conf), says about textures. */
#ifndef TL_API_PROJECT_PYRITE64_SOURCE_H
#define TL_API_PROJECT_PYRITE64_SOURCE_H

#include "api/project/pyrite64_project.h"
#include "base/json.h"
#include "trilobite/assets.h"

typedef struct tl_pyrite64_source {
    const trilo_model *model; /* NULL: not found */
    trilo_assets *assets;     /* that it was read with */
    trilo_bytes conf;         /* text of the settings */
    const tl_json *materials; /* that were changed in the editor, by name; NULL: none */
    tl_folder_scan images;
} tl_pyrite64_source;

/* filesystem/D/N.t3dm was made of assets/D/N.glb or N.gltf. */
void tl_pyrite64_source_open(tl_pyrite64_source *source, const tl_pyrite64_project *project, tl_arena *arena,
                             const char *model);
void tl_pyrite64_source_close(tl_pyrite64_source *source);
/* As trilo_source_texture_fn. */
bool tl_pyrite64_source_fits(const tl_pyrite64_source *source, const tl_pyrite64_project *project, tl_arena *arena,
                             trilo_source_texture *question);

#endif
