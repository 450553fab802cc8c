/* io.h: how the library reads files; output_set.h writes them. */
#ifndef TL_API_FILE_IO_H
#define TL_API_FILE_IO_H

#include "base/arena.h"
#include "trilobite/load.h"

/* All bytes of a file, of a pipe or of a device, in the arena. They are read, not mapped: when a mapped file shrinks,
 * the system ends the process that looks at it. */
bool tl_file_read(const char *path, uint64_t max_size, tl_arena *arena, trilo_bytes *bytes, trilo_error *err);

/* A path may lead into a ROM, as game.z64:/hero.t3dm does: rom.h. */

/* The same for a name that is not trusted. It must be a regular file below the folder ("" is the working directory);
 * symbolic links are not followed. TRILO_CODE_BAD_REF: there is no such file; another code: there may be one. */
bool tl_file_read_below(const char *folder, const char *name, uint64_t max_size, tl_arena *arena, trilo_bytes *bytes,
                        trilo_error *err);
/* True if the file exists. */
bool tl_file_is_below(const char *folder, const char *name);

/* Everything a callback delivers. */
bool tl_read_stream(trilo_read_fn *read, void *user, uint64_t max_size, tl_arena *arena, trilo_bytes *bytes,
                    trilo_error *err);

#endif
