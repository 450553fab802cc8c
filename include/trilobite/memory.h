/* memory.h: where the library's memory comes from, and how much of everything an input may ask for. */
#ifndef TRILOBITE_MEMORY_H
#define TRILOBITE_MEMORY_H

#include "trilobite/core.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One hook for everything: old NULL allocates, new_size 0 frees (and answers NULL), NULL otherwise means "no memory".
 * It must align like malloc. */
typedef void *trilo_realloc_fn(void *user, void *old, size_t old_size, size_t new_size);

typedef struct trilo_memory {
    trilo_realloc_fn *fn; /* NULL: the C library's */
    void *user;
    size_t max_bytes; /* for one model or document, 0: 1 GiB */
} trilo_memory;

typedef struct trilo_limits {
    uint64_t file_size; /* largest input in bytes, 0: 4 GiB */
    uint32_t count;     /* most elements in one array of the file, 0: 2^28 */
    uint32_t depth;     /* deepest chain of nodes, 0: 1024 */
} trilo_limits;

#ifdef __cplusplus
}
#endif
#endif
