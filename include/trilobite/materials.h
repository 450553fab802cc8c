/* materials.h: N64 settings for the materials of a model that was not made with Fast64, in a file beside it:
 * hero.materials.toml for hero.glb. docs/materials.md describes it.
 *
 * Loading a model applies its file by itself, unless trilo_load_opts.ignore_materials_file is set; an error in it
 * makes loading fail: MATERIALS-FILE, with line and column. T3DM models contain their own N64 materials.
 */
#ifndef TRILOBITE_MATERIALS_H
#define TRILOBITE_MATERIALS_H

#include "trilobite/io.h"
#include "trilobite/model.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TRILO_MATERIALS_ENDING ".materials.toml"

/* Writes a first materials file for a model: each material with the settings that a conversion would choose for it, so
 * that the result stays the same until the file is edited. Materials with N64 settings are commented out.
 * Returns false if the sink did. */
TRILO_API bool trilo_materials_print(const trilo_model *model, trilo_write_fn *sink, void *user);

#ifdef __cplusplus
}
#endif
#endif
