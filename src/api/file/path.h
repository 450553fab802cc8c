/* path.h: splits and joins file paths. New paths are in the arena; NULL: no memory. */
#ifndef TL_API_FILE_PATH_H
#define TL_API_FILE_PATH_H

#include "base/arena.h"
#include "trilobite/file.h" /* trilo_file_name_is_inside */

const char *tl_file_path_last(const char *path);                                      /* "a/b.png": "b.png" */
const char *tl_file_path_folder(tl_arena *arena, const char *path);                   /* "a/b.png": "a", "b": "." */
const char *tl_file_path_join(tl_arena *arena, const char *folder, const char *name); /* "." adds nothing */
const char *tl_file_path_beside(tl_arena *arena, const char *path, const char *name); /* "a/b", "c": "a/c" */
const char *tl_file_path_with_ending(tl_arena *arena, const char *path, const char *ending); /* "b.png", ".d": "b.d" */
bool tl_file_path_ends(const char *path, const char *ending);

/* True if any component is "..". */
bool tl_file_path_leads_up(const char *name);

/* "a" and "a/b/c.png": "b/c.png", links are not resolved; NULL if the path is not inside the folder. */
const char *tl_file_path_below(tl_arena *arena, const char *folder, const char *path);

bool tl_file_exists(const char *path);           /* true if the path exists */
bool tl_file_is_plain(const char *path);         /* a regular file, or a link to one */
bool tl_file_is_folder(const char *path);        /* a folder, not a link to one */
bool tl_file_same(const char *a, const char *b); /* true if both are the same file or folder */

/* What the links to a file have in common. */
typedef struct tl_file_identity {
    uint64_t device, number;
} tl_file_identity;
bool tl_file_identify(const char *path, tl_file_identity *identity); /* false: there is no such file */

#endif
