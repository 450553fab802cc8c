/* size.h: checked arithmetic for sizes that come from a file. */
#ifndef TL_BASE_SIZE_H
#define TL_BASE_SIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* True if [at, at + count * each) is inside `size` bytes. Cannot overflow. */
static inline bool tl_fits(size_t size, size_t at, size_t count, size_t each)
{
    return at <= size && (each == 0 || count <= (size - at) / each);
}

/* Stores count * each; returns false on overflow. */
static inline bool tl_multiply(size_t count, size_t each, size_t *product)
{
    if (each != 0 && count > SIZE_MAX / each)
        return false;
    *product = count * each;
    return true;
}

#endif
