/* arena.h: memory that is freed whole, taken from the caller's hook and never above the caller's limit. */
#ifndef TL_BASE_ARENA_H
#define TL_BASE_ARENA_H

#include "trilobite/memory.h"

typedef struct tl_block tl_block;

typedef struct tl_arena {
    trilo_realloc_fn *fn;
    void *user;
    size_t left; /* bytes that may still be asked of the hook */
    tl_block *blocks;
    size_t used, room; /* within the newest block */
} tl_arena;

/* `memory` may be NULL: the C library's, 1 GiB at most. */
void tl_arena_init(tl_arena *arena, const trilo_memory *memory);
void tl_arena_free(tl_arena *arena);

/* count * each bytes, zero-filled, aligned for any type; NULL when memory or the limit ran out, or on overflow. A count
 * of 0 answers a pointer that is not NULL. */
void *tl_array(tl_arena *arena, size_t count, size_t each);
/* The same without the zeroes, for what is overwritten at once. */
void *tl_array_raw(tl_arena *arena, size_t count, size_t each);

#define TL_NEW(arena, type)          ((type *)tl_array(arena, 1, sizeof(type)))
#define TL_ARRAY(arena, count, type) ((type *)tl_array(arena, count, sizeof(type)))

/* A copy with a NUL behind it; {NULL, 0} when memory ran out. */
trilo_str tl_str_copy(tl_arena *arena, const char *text, size_t len);
/* A copy of the bytes; NULL when memory ran out. */
void *tl_bytes_copy(tl_arena *arena, const void *bytes, size_t size);

#endif
