/* path.h: the position in a file as names and indices, for messages. Formatted only when something is wrong. */
#ifndef TL_BASE_PATH_H
#define TL_BASE_PATH_H

#include <stddef.h>
#include <stdint.h>

enum { TL_PATH_DEPTH = 8 };

#define TL_NO_INDEX UINT64_MAX

typedef struct tl_step {
    const char *name;
    uint64_t index; /* TL_NO_INDEX: not an element of a list */
} tl_step;

typedef struct tl_path {
    tl_step steps[TL_PATH_DEPTH];
    size_t depth;
} tl_path;

void tl_path_push(tl_path *path, const char *name, uint64_t index);
void tl_path_pop(tl_path *path);
/* Writes "meshes[3].vertices[17]", truncated to `room` bytes. */
void tl_path_format(const tl_path *path, char *out, size_t room);

#endif
