/* output_set.h: files that are written together: all of them are replaced, or all stay as they were.
 *
 * Each file is staged: its bytes go to a temporary file beside it. When all are complete, tl_output_set_commit renames
 * them, in the order in which they were staged, and restores what was there when one cannot be renamed.
 */
#ifndef TL_API_OUTPUT_SET_H
#define TL_API_OUTPUT_SET_H

#include "base/arena.h"
#include "trilobite/write.h"

typedef struct tl_output {
    const char *path;   /* the file itself: links are followed */
    const char *staged; /* the temporary file; NULL: a device or a pipe, which has its bytes already */
    const char *backup; /* another name of what was there, while the set is committed; NULL: nothing was there */
    bool replaced;
} tl_output;

typedef struct tl_output_set {
    tl_arena arena;
    size_t count, capacity;
    tl_output *files;
    size_t folder_count, folder_capacity;
    const char **folders; /* that were made for them */
    bool committed;
} tl_output_set;

/* `memory` may be NULL: the C library's. */
void tl_output_set_begin(tl_output_set *set, const trilo_memory *memory);

/* `fill` may stage further files: those come first. */
bool tl_output_set_stage(tl_output_set *set, const char *path, trilo_fill_fn *fill, void *context, trilo_error *err);
bool tl_output_set_stage_bytes(tl_output_set *set, const char *path, trilo_bytes bytes, trilo_error *err);

/* Makes the folder of a path, and those above it. */
bool tl_output_set_make_folder(tl_output_set *set, const char *path, trilo_error *err);

bool tl_output_set_commit(tl_output_set *set, trilo_error *err);

/* Frees it. Of a set that was not committed, the temporary files and the folders go away. */
void tl_output_set_end(tl_output_set *set);

#endif
