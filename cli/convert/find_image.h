/* find_image.h: finds the images that the materials of a glTF file name, where projects for the N64 keep them.
 *
 * A name is looked for beside the model and then in the folder of assets and all folders below. On the console that
 * folder is rom:/, and images are sprites: assets/wall/brick.ci4.png becomes rom:/wall/brick.ci4.sprite.
 */
#ifndef TL_CLI_CONVERT_FIND_IMAGE_H
#define TL_CLI_CONVERT_FIND_IMAGE_H

#include "folder.h"
#include "usage/args.h"

#include "trilobite/load.h"

/* A name that was asked for. */
typedef struct cli_image {
    char *name;
    char *path; /* NULL: not found */
    trilo_found_image found;
} cli_image;

typedef struct cli_finder {
    const cli_args *args;
    const char *model; /* its path; "-": standard input */
    char *assets;      /* the folder; NULL until it is needed */
    bool scanned;
    cli_scan scan;
    size_t count;
    cli_image **images;
} cli_finder;

/* For trilo_load_opts, by name alone: `finder` is a cli_finder. */
bool find_image(void *finder, trilo_image_key key, const char *name, trilo_found_image *found);
void finder_free(cli_finder *finder);

/* Is the path in the folder of assets? */
bool finder_is_asset(cli_finder *finder, const char *path);
/* What the image at that path will be called on the console; false: its path is too long. */
bool finder_console_path(cli_finder *finder, const char *path, char *out, size_t room);

/* The image that a sprite on the console was made from: "rom:/wall/brick.ci4.sprite" is wall/brick.ci4.png below the
 * folder of assets. In fresh memory; NULL: there is none. */
char *finder_asset_of(cli_finder *finder, const char *console_path);

#endif
