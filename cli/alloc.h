/* alloc.h: memory allocation of the program. Running out of memory ends it with EXIT_LIMIT. */
#ifndef CLI_ALLOC_H
#define CLI_ALLOC_H

#include <stddef.h>

_Noreturn void alloc_failed(void);

/* Called around the replacement of files: when memory runs out in another thread, the program ends only after it, so
 * that no temporary file is left. */
void alloc_write_begin(void);
void alloc_write_end(void);

/* Like realloc for `count` elements of `each` bytes (old NULL: a new block), but never returns NULL. */
void *need(void *old, size_t count, size_t each);

#endif
