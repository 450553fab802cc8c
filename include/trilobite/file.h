/* file.h: files of any kind, such as images: read into memory, and replaced as a whole. */
#ifndef TRILOBITE_FILE_H
#define TRILOBITE_FILE_H

#include "trilobite/error.h"
#include "trilobite/io.h"
#include "trilobite/memory.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct trilo_file {
    trilo_bytes bytes;
} trilo_file;

typedef struct trilo_file_opts {
    uint32_t struct_size; /* sizeof of this struct, or 0; see docs/api-policy.md */
    uint32_t guard;       /* must be 0 */
    trilo_memory memory;
    const char *below; /* a folder: the path is a name below it that is not trusted. Only regular files are read and
                          replaced, and symbolic links are not followed. NULL: the path is trusted */
    bool no_sync;      /* do not wait until the disk has what is written; it may be empty after a power failure */
} trilo_file_opts;

/* NULL, with *err (which may be NULL), on failure. `opts` may be NULL. */
TRILO_API const trilo_file *trilo_file_read(const char *path, const trilo_file_opts *opts, trilo_error *err);
TRILO_API void trilo_file_free(const trilo_file *file); /* may be NULL */

/* True if a name from a file stays inside the folder that it belongs to: no absolute path, no "..", no empty or "."
 * components. */
TRILO_API bool trilo_file_name_is_inside(const char *name);

/* Replaces a file when all its bytes are complete: a failure leaves what was there. `fill` is called once, with a sink
 * that takes the bytes. Missing folders of a name that is not trusted are created. `opts` may be NULL. */
typedef bool trilo_fill_fn(void *context, trilo_write_fn *sink, void *sink_user, trilo_error *err);
TRILO_API bool trilo_file_replace(const char *path, const trilo_file_opts *opts, trilo_fill_fn *fill, void *context,
                                  trilo_error *err);

/* A file to write. */
typedef struct trilo_extra_file {
    const char *path;
    trilo_bytes bytes;
} trilo_extra_file;

/* Replaces several files: all of them, or none. *failed (which may be NULL) becomes the number of the file that could
 * not be written. */
TRILO_API bool trilo_files_replace(const trilo_extra_file *files, size_t count, const trilo_file_opts *opts,
                                   size_t *failed, trilo_error *err);

/* The files below a folder. */
typedef struct trilo_tree {
    size_t count;
    const char *const *paths; /* sorted; each begins with the folder */
} trilo_tree;

/* All regular files in a folder and in folders below. Symbolic links are not followed, names that begin with a dot are
 * skipped. NULL, with *err (which may be NULL), on failure: memory ran out, or a folder cannot be read. A folder
 * that does not exist has no files. `memory` may be NULL. */
TRILO_API const trilo_tree *trilo_tree_list(const char *folder, const trilo_memory *memory, trilo_error *err);
TRILO_API void trilo_tree_free(const trilo_tree *tree); /* may be NULL */

#ifdef __cplusplus
}
#endif
#endif
