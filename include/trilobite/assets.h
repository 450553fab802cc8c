/* assets.h: where a project for the N64 keeps its images, and what files are called on the console.
 *
 * Images lie in a folder of assets; on the console that folder is rom:/, and images are sprites:
 * assets/wall/brick.ci4.png becomes rom:/wall/brick.ci4.sprite. Models and their streams lie below another folder that
 * is rom:/ as well, usually called filesystem.
 */
#ifndef TRILOBITE_ASSETS_H
#define TRILOBITE_ASSETS_H

#include "trilobite/load.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct trilo_assets trilo_assets;

typedef struct trilo_assets_opts {
    uint32_t struct_size; /* sizeof of this struct, or 0; see docs/api-policy.md */
    uint32_t guard;       /* stays 0 */
    trilo_memory memory;
    const char *model;  /* path of the model; NULL: it is no file, and nothing lies beside it */
    const char *folder; /* of assets; NULL: the folder "assets" above the model, or else in the working directory */
    trilo_finding_fn *on_finding; /* told about images that several files could be */
    void *on_finding_user;
} trilo_assets_opts;

/* NULL, with *err (which may be NULL), on failure. It looks at the disk when it is asked, not before. */
TRILO_API trilo_assets *trilo_assets_new(const trilo_assets_opts *opts, trilo_error *err);
TRILO_API void trilo_assets_free(trilo_assets *assets); /* NULL is fine */

/* For trilo_load_opts.find_image; `assets` is a trilo_assets, which must outlive the document. A name is looked for
 * beside the model, then in the folder of assets and all folders below. Only regular files are read, and symbolic links
 * below these two folders are not followed. An absolute name is a path on another machine: it only decides what the
 * image is called on the console. */
TRILO_API bool trilo_assets_find(void *assets, trilo_image_key key, const char *name, trilo_found_image *found);

/* False, with *err (which may be NULL): memory ran out, and an image that was not found may be there. */
TRILO_API bool trilo_assets_ok(const trilo_assets *assets, trilo_error *err);

/* Path of the index-th image that was found by its name, for a rule of make; NULL behind the last one. */
TRILO_API const char *trilo_assets_image(const trilo_assets *assets, size_t index);

/* Path of the image that a sprite was made from: "rom:/wall.sprite" is wall.png in the folder of assets. Valid as long
 * as `assets`; NULL: there is no such file. */
TRILO_API const char *trilo_assets_source(trilo_assets *assets, const char *sprite);

/* How a path on the console came about. */
typedef enum trilo_rom_place {
    TRILO_ROM_PLACE_BELOW,   /* below the root, or behind a folder called filesystem */
    TRILO_ROM_PLACE_GUESSED, /* neither: only the name of the file is known */
    TRILO_ROM_PLACE_OUTSIDE, /* not below the root that was given: there is no path */
    TRILO_ROM_PLACE_TOO_LONG /* for the room, or memory ran out */
} trilo_rom_place;

/* Where a file will be on the console: "rom:/" and the part of the path below `root`, the folder that is rom:/ there.
 * `root` NULL: what stands behind "filesystem/" in the path, otherwise its last part. */
TRILO_API trilo_rom_place trilo_rom_path(const char *path, const char *root, char *out, size_t room);

#ifdef __cplusplus
}
#endif
#endif
