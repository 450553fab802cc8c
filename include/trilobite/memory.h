/* memory.h: the allocator, and the limits for untrusted input. */
#ifndef TRILOBITE_MEMORY_H
#define TRILOBITE_MEMORY_H

#include "trilobite/core.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One callback for all allocations: old NULL allocates, new_size 0 frees (and returns NULL); otherwise NULL means out
 * of memory. The result must be aligned as by malloc. */
typedef void *trilo_realloc_fn(void *user, void *old, size_t old_size, size_t new_size);

typedef struct trilo_memory {
    trilo_realloc_fn *fn; /* NULL: realloc and free of the C library */
    void *user;
    size_t max_bytes; /* for one model or document, 0: 1 GiB */
} trilo_memory;

typedef struct trilo_limits {
    uint64_t file_size; /* largest input in bytes, 0: 4 GiB */
    uint32_t count;     /* most elements in one array of the file, 0: 2^28 */
    uint32_t depth;     /* deepest node hierarchy, 0: 1024 */
    uint64_t elements;  /* vertices, indices and keys that the file expands to, counted each time that they are used;
                           0: 2^20, and 32 for each byte of the file and its companions */
} trilo_limits;

#ifdef __cplusplus
}
#endif
#endif
