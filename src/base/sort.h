/* sort.h: sorts row numbers by a key, independent of the C library's qsort. */
#ifndef TL_BASE_SORT_H
#define TL_BASE_SORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Fills order[0..count) with 0..count-1 by ascending key, equal keys by ascending row. O(n log n), allocates nothing.
 */
typedef int64_t tl_key_fn(const void *rows, uint32_t row);
void tl_sort_rows(uint32_t *order, uint32_t count, tl_key_fn *key, const void *rows);

/* Binary search: the position in `order` of the first row with that key, or count. */
uint32_t tl_find_row(const uint32_t *order, uint32_t count, tl_key_fn *key, const void *rows, int64_t wanted);

#endif
