/* materials.h: the materials file of a model, hero.materials.toml for hero.glb: N64 settings for its materials, by
 * name. docs/materials.md describes it. */
#ifndef TL_API_MATERIALS_MATERIALS_H
#define TL_API_MATERIALS_MATERIALS_H

#include "api/document.h"
#include "base/compiler.h"
#include "base/report.h"
#include "base/toml.h"
#include "trilobite/n64.h"

/* Where the values of a file are read, and its mistakes reported. */
typedef struct tl_materials_reader {
    const char *name; /* of the file */
    trilo_error *err;
} tl_materials_reader;

/* The settings of a material, applied to those that it has. */
typedef struct tl_material_settings {
    trilo_n64_material n64;
    const tl_toml *images[2]; /* the names of images for the tiles; NULL: not given */
    bool combiner, prim, lit; /* true if it is given */
    bool is_lit;
} tl_material_settings;

/* Reports a mistake at its line and column. Returns false. */
bool tl_materials_wrong(const tl_materials_reader *r, const tl_toml *at, const char *format, ...) TL_PRINTF_LIKE(3, 4);
/* Reads the table of a material. False: a mistake, which was reported. */
bool tl_material_settings_read(const tl_materials_reader *r, const tl_toml *table, tl_material_settings *settings);

/* Reads the file beside a document, if there is one, and checks it: document->materials. False: *err is filled. */
bool tl_materials_open(trilo_document *document, trilo_error *err);
/* Applies it to the model of the document. `report` (may be NULL) receives images that are not there. */
bool tl_materials_apply(const trilo_document *document, tl_arena *arena, trilo_model *model, tl_report *report,
                        trilo_error *err);

#endif
