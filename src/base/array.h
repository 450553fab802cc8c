/* array.h: arrays that grow. */
#ifndef TL_BASE_ARRAY_H
#define TL_BASE_ARRAY_H

#include "base/arena.h"

/* Makes room for `more` elements of `each` bytes after the first `count`. Returns the array, which has moved if it had
 * to grow, and updates *capacity; NULL when memory runs out, and the old array stays valid. The capacity doubles, so
 * that appending takes amortised constant time. A new array starts with items NULL and *capacity 0. */
void *tl_array_grow(tl_arena *arena, const void *items, size_t count, size_t *capacity, size_t more, size_t each);

#endif
