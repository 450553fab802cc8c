/* assets.h: finds the images of an N64 project, and the paths of files on the console.
 *
 * Images are in an assets folder, which becomes rom:/ on the console, and are converted to sprites:
 * assets/wall/brick.ci4.png becomes rom:/wall/brick.ci4.sprite. Models and their streams are in another folder that
 * becomes rom:/ as well, usually called filesystem.
 */
#ifndef TRILOBITE_ASSETS_H
#define TRILOBITE_ASSETS_H

#include "trilobite/image.h"
#include "trilobite/load.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct trilo_assets trilo_assets;

/* The images of an assets folder, listed once for many models. Threads may share it. */
typedef struct trilo_asset_index trilo_asset_index;
/* Returns NULL and fills *err (which may be NULL) if memory runs out. A folder that does not exist has no images. */
TRILO_API const trilo_asset_index *trilo_asset_index_new(const char *folder, const trilo_memory *memory,
                                                         trilo_error *err);
TRILO_API void trilo_asset_index_free(const trilo_asset_index *index); /* may be NULL */

typedef struct trilo_assets_opts {
    uint32_t struct_size; /* sizeof of this struct, or 0; see docs/api-policy.md */
    uint32_t guard;       /* must be 0 */
    trilo_memory memory;
    const char *model;  /* path of the model; NULL: it is not a file, so there are no files beside it */
    const char *folder; /* NULL: the folder "assets" that the model is in, or else "assets" in the working directory */
    trilo_finding_fn *on_finding; /* receives images whose name matches several files */
    void *on_finding_user;
    const trilo_asset_index *index; /* of the same folder; must outlive the assets. NULL: the folder is listed when
                                       needed */
    const char *textures;           /* a folder where trilo_assets_texture looks first; NULL: none */
} trilo_assets_opts;

/* Returns NULL and fills *err (which may be NULL) on failure. The disk is not accessed before the first lookup. */
TRILO_API trilo_assets *trilo_assets_new(const trilo_assets_opts *opts, trilo_error *err);
TRILO_API void trilo_assets_free(trilo_assets *assets); /* may be NULL */

/* A callback for trilo_load_opts.find_image. `assets` is a trilo_assets, which must outlive the document. A name is
 * searched for beside the model, then in the assets folder and all its subfolders. Only regular files are read, and
 * symbolic links below these two folders are not followed. An absolute name is a path on another machine: it only
 * decides what the image is called on the console. */
TRILO_API bool trilo_assets_find(void *assets, trilo_image_key key, const char *name, trilo_found_image *found);

/* False, with *err (which may be NULL), if memory ran out: an image that was not found may exist. */
TRILO_API bool trilo_assets_ok(const trilo_assets *assets, trilo_error *err);

/* For trilo_load_opts.find_asset, with the same `assets`: the assets of a Pyrite64 project. Its table is
 * filesystem/p64/a in a folder above the model. Without one, the PNG files of the folder "assets" above the model are
 * counted by name. */
TRILO_API bool trilo_assets_find_asset(void *assets, uint32_t number, trilo_found_asset *found);
/* For trilo_load_opts.compare_texture, with the same `assets`: filesystem/D/N.t3dm is compared with assets/D/N.glb and
 * the settings of the editor beside it (N.glb.conf). */
TRILO_API bool trilo_assets_compare(void *assets, trilo_source_texture *texture);
/* For trilo_t3dm_write_opts.asset_number: the number of "rom:/wall.sprite"; TRILO_NONE: it is not an image of
 * the project. */
TRILO_API uint32_t trilo_assets_number(void *assets, const char *path);
/* The file of "rom:/wall.sprite" in a Pyrite64 project: the sprite, or else the PNG that it is built from. Valid as
 * long as `assets`; NULL: there is no such file. */
TRILO_API const char *trilo_assets_file(trilo_assets *assets, const char *path);

/* The path of the index-th image that was found, or of another file that was read, such as the table of a Pyrite64
 * project; for a dependency file. A path may be listed several times; NULL after the last one. */
TRILO_API const char *trilo_assets_image(const trilo_assets *assets, size_t index);
/* The same for files that were looked for at one path and are not there. */
TRILO_API const char *trilo_assets_absent(const trilo_assets *assets, size_t index);

/* The index-th name that was looked up, and the path of its image; *path NULL: there was none. NULL after the last one.
 * A Pyrite64 project without a table counts its images; the list of them is one lookup, whose path is a hash. */
TRILO_API const char *trilo_assets_lookup(const trilo_assets *assets, size_t index, const char **path);
/* The path that an image with that name has now, without reading it; NULL: there is none. Valid as long as `assets`. */
TRILO_API const char *trilo_assets_locate(trilo_assets *assets, const char *name);

/* The path of the image that a sprite was made from: for "rom:/wall.sprite", wall.png in the assets folder. Valid as
 * long as `assets`. Returns NULL if the file does not exist. */
TRILO_API const char *trilo_assets_source(trilo_assets *assets, const char *sprite);

/* The file of a texture that a model only names. Valid as long as the trilo_assets. */
typedef struct trilo_texture_file {
    const char *path;
    trilo_bytes bytes; /* as stored: a sprite, or the PNG or JPEG that it will be made from */
} trilo_texture_file;

/* Finds the file of a texture to show it, including sprites that are not built yet. It is searched for in
 * opts.textures, in the folder of the model and the folder "assets" beside that, in the folder "filesystem" that the
 * model is in and the folder "assets" beside that, each with the folders of its name and without; then in the assets
 * folder. For materials of Pyrite64, only in their project and opts.textures. The same files are read as by
 * trilo_assets_find. False: the texture is embedded, or there is no such file. */
TRILO_API bool trilo_assets_texture(trilo_assets *assets, const trilo_model *model, uint32_t texture,
                                    trilo_texture_file *found);

/* An image as the materials of the model expect it. A PNG or JPEG file of another size than the texture has in the
 * model is resized, as its sprite has to be; a sprite stays as it is. Takes ownership of `image`, the decoded
 * `bytes`, and returns it or a replacement, which is freed with trilo_image_free. Returns NULL and fills *err (which
 * may be NULL) if memory runs out. *resized (may be NULL): a replacement is returned. */
TRILO_API const trilo_image *trilo_texture_fit(const trilo_model *model, uint32_t texture, trilo_bytes bytes,
                                               const trilo_image *image, const trilo_memory *memory, bool *resized,
                                               trilo_error *err);

/* Checks what a model shows, together with its images, which are embedded or found as by trilo_assets_texture: sprites
 * of a T3DM model that are not there (T3DM-TEXTURE-MISSING) or of another size than the material says
 * (T3DM-TEXTURE-SIZE), and why nothing of a mesh can be seen (trilo_model_visible). Returns false, with *err (which may
 * be NULL) filled, only if memory runs out. */
TRILO_API bool trilo_assets_check_model(trilo_assets *assets, const trilo_model *model, const trilo_memory *memory,
                                        trilo_finding_fn *fn, void *user, trilo_error *err);

/* How trilo_rom_path determined a path. */
typedef enum trilo_rom_path_result {
    TRILO_ROM_PATH_RESULT_BELOW,   /* relative to the root, or to a folder called filesystem */
    TRILO_ROM_PATH_RESULT_GUESSED, /* neither: only the file name is known */
    TRILO_ROM_PATH_RESULT_OUTSIDE, /* the file is not below the given root: it has no path */
    TRILO_ROM_PATH_RESULT_TOO_LONG /* `out` is too small, or memory ran out */
} trilo_rom_path_result;

/* Writes the path of a file on the console: "rom:/", then the path relative to `root`, the folder that becomes rom:/.
 * If `root` is NULL, the part after "filesystem/" is used, otherwise the file name. */
TRILO_API trilo_rom_path_result trilo_rom_path(const char *path, const char *root, char *out, size_t room);

#ifdef __cplusplus
}
#endif
#endif
