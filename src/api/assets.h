/* assets.h: the images that were found, for the list of a model's files. */
#ifndef TL_API_ASSETS_H
#define TL_API_ASSETS_H

#include "trilobite/assets.h"

typedef struct tl_asset_file {
    const char *name; /* as the model has it */
    const char *path; /* NULL: there is no such file */
    trilo_bytes bytes;
} tl_asset_file;

/* The index-th image that was asked for by name; false after the last one. */
bool tl_assets_image(const trilo_assets *assets, size_t index, tl_asset_file *file);

#endif
