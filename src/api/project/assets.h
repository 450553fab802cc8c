/* assets.h: the images that were found, for the list of a model's files. */
#ifndef TL_API_PROJECT_ASSETS_H
#define TL_API_PROJECT_ASSETS_H

#include "trilobite/assets.h"

typedef struct tl_asset_file {
    const char *name; /* as the model has it */
    const char *path; /* NULL: there is no such file */
    trilo_bytes bytes;
} tl_asset_file;

/* The index-th image that was requested by name; false after the last one. */
bool tl_assets_image(const trilo_assets *assets, size_t index, tl_asset_file *file);

/* The asset table of the Pyrite64 project that the model is in; false: it has none, or no material has requested an
 * asset.
 */
bool tl_assets_table(trilo_assets *assets, tl_asset_file *file);
/* The index-th image of that project if it has no table: numbers are then ranks among the names of all of them. False
 * after the last one. */
bool tl_assets_project_image(const trilo_assets *assets, size_t index, const char **path);
/* "filesystem/p64/a" or "assets/wall.png": a file as it lies in that project; NULL: the file is elsewhere. */
const char *tl_assets_project_name(trilo_assets *assets, const char *path);

#endif
