/* arena.h: an arena allocator over the caller's allocation callback and memory limit. Everything is freed at once. */
#ifndef TL_BASE_ARENA_H
#define TL_BASE_ARENA_H

#include "trilobite/memory.h"

typedef struct tl_arena_block tl_arena_block;

typedef struct tl_arena {
    trilo_realloc_fn *fn;
    void *user;
    size_t left; /* bytes that may still be allocated */
    tl_arena_block *blocks;
    size_t used, room; /* bytes of the newest block */
    size_t ready;      /* of these: beyond them, pages are requested before they are used */
    size_t next_block; /* size of the next block, unless it has to be larger; 0: no block was made */
    bool failed;       /* an allocation failed: the result is incomplete */
} tl_arena;

/* `memory` may be NULL: the C library's allocator, limited to 1 GiB. */
void tl_arena_init(tl_arena *arena, const trilo_memory *memory);
/* For arrays that are needed for a short time: over the memory that another arena has left. Its first block is large
 * enough for most of them. */
void tl_arena_init_scratch(tl_arena *scratch, const tl_arena *arena);
/* Ends what tl_arena_init_scratch or this function began, and begins again: the first block is kept if it is of the
 * usual size. */
void tl_arena_restart_scratch(tl_arena *scratch, const tl_arena *arena);
/* Frees all arrays, but keeps the memory for those that follow: once it was in several blocks, it will be in one. After
 * a failed allocation nothing is kept. */
void tl_arena_restart(tl_arena *arena);
void tl_arena_free(tl_arena *arena);

/* Allocates count * each bytes, zero-filled and aligned for any type. Returns NULL when memory runs out, the limit is
 * reached, or the product overflows. A count of 0 returns a pointer that is not NULL. */
void *tl_array(tl_arena *arena, size_t count, size_t each);
/* The same, uninitialized. */
void *tl_array_raw(tl_arena *arena, size_t count, size_t each);

/* Makes room in one block for arrays of `size` bytes in all, so that they need neither several blocks nor one that is
 * larger than they are, and the system can provide large pages or many at once: arrays that follow should be written as
 * a whole. Without effect where that is much of the limit, since `size` may be more than is used. Returns false when
 * memory runs out. */
bool tl_arena_reserve(tl_arena *arena, uint64_t size);

/* True if there is room for `size` more bytes, within the limit and on this machine. For libraries with allocators of
 * their own.
 */
bool tl_arena_has_room(const tl_arena *arena, uint64_t size);

#define TL_NEW(arena, type)          ((type *)tl_array(arena, 1, sizeof(type)))
#define TL_ARRAY(arena, count, type) ((type *)tl_array(arena, count, sizeof(type)))

/* Copies the text and appends a NUL. Returns {NULL, 0} when memory runs out. */
trilo_str tl_str_copy(tl_arena *arena, const char *text, size_t len);
/* Copies the bytes. Returns NULL when memory runs out. */
void *tl_bytes_copy(tl_arena *arena, const void *bytes, size_t size);

#endif
