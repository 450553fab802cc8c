/* bundle.h: a model together with all files that it needs: streams, buffers, images and sprites.
 *
 * For programs that pass a model on: a viewer, an archive, a build that watches its inputs.
 */
#ifndef TRILOBITE_BUNDLE_H
#define TRILOBITE_BUNDLE_H

#include "trilobite/error.h"
#include "trilobite/memory.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct trilo_bundle_opts {
    uint32_t struct_size; /* sizeof of this struct, or 0; see docs/api-policy.md */
    uint32_t guard;       /* must be 0 */
    trilo_memory memory;
    const char *assets;           /* as trilo_assets_opts.folder */
    const char *textures;         /* as trilo_assets_opts.textures */
    trilo_finding_fn *on_finding; /* receives every finding of the check */
    void *on_finding_user;
} trilo_bundle_opts;

typedef struct trilo_bundle_file {
    const char *name;  /* relative to the model, as it refers to the file: "hero.t3dm", "hero.0.sdata",
                          "wall/brick.png". No two are the same, and none leads out of the folder; "/" separates
                          folders */
    const char *path;  /* of the file on this machine, which may be in another folder */
    trilo_bytes bytes; /* as stored, compressed or not; none for a file whose name alone matters */
} trilo_bundle_file;

typedef struct trilo_bundle {
    size_t file_count;
    const trilo_bundle_file *files; /* the model itself, then what it refers to, in the order of the model */
    size_t missing_count;
    const char *const *missing; /* textures that were not found, as the model calls them */
    trilo_error error;          /* why the model cannot be shown; code TRILO_CODE_OK: it can */
} trilo_bundle;

/* Reads the model and everything it refers to. Textures are found as by trilo_assets_texture. A model that is broken is
 * a bundle too, with `error` and the files that were found so far. Returns NULL and fills *err (which may be NULL) if
 * the model or a file beside it that it needs cannot be read at all, or memory runs out. `opts` may be NULL. */
TRILO_API const trilo_bundle *trilo_bundle_open(const char *path, const trilo_bundle_opts *opts, trilo_error *err);
TRILO_API void trilo_bundle_free(const trilo_bundle *bundle); /* may be NULL */

#ifdef __cplusplus
}
#endif
#endif
