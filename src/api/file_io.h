/* file_io.h: how the library reads files; output_set.h writes them. */
#ifndef TL_API_FILE_IO_H
#define TL_API_FILE_IO_H

#include "base/arena.h"
#include "trilobite/load.h"

typedef struct tl_mapping {
    trilo_bytes bytes;
    bool mapped; /* by the system; otherwise the bytes lie in an arena */
} tl_mapping;

/* The bytes of a file: mapped where possible, read into the arena elsewhere (pipes, odd systems). */
bool tl_map_file(const char *path, uint64_t max_size, tl_arena *arena, tl_mapping *mapping, trilo_error *err);
void tl_unmap(tl_mapping *mapping);

/* Everything a callback delivers. */
bool tl_read_stream(trilo_read_fn *read, void *user, uint64_t max_size, tl_arena *arena, trilo_bytes *bytes,
                    trilo_error *err);

#endif
