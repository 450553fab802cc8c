/* Blocks in a list, newest first:
 *
 *   arena.blocks -> [header | used ... | room] -> [header | full] -> NULL
 *
 * A block is at least 4 KiB and doubles up to 1 MiB, so that a small model takes one call of the hook and a large one
 * few; an array that is larger than that gets a block of its own.
 */
#include "base/arena.h"

#include "base/size.h"
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

struct tl_block {
    tl_block *next;
    size_t size; /* with this header */
};

enum { BLOCK_FIRST = 4096, BLOCK_LAST = 1 << 20, ALIGNMENT = alignof(max_align_t) };
#define HEADER_SIZE ((sizeof(tl_block) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT)

static void *libc_realloc(void *user, void *old, size_t old_size, size_t new_size)
{
    (void)user;
    (void)old_size;
    if (new_size != 0)
        return realloc(old, new_size);
    free(old);
    return NULL;
}

void tl_arena_init(tl_arena *arena, const trilo_memory *memory)
{
    memset(arena, 0, sizeof *arena);
    arena->fn = memory && memory->fn ? memory->fn : libc_realloc;
    arena->user = memory ? memory->user : NULL;
    arena->left = memory && memory->max_bytes ? memory->max_bytes : (size_t)1 << 30;
}

void tl_arena_free(tl_arena *arena)
{
    /* The arena may live in one of its own blocks. */
    tl_arena copy = *arena;
    while (copy.blocks) {
        tl_block *block = copy.blocks;
        copy.blocks = block->next;
        copy.fn(copy.user, block, block->size, 0);
    }
}

static size_t block_size(const tl_arena *arena, size_t need)
{
    size_t size = arena->blocks ? arena->blocks->size * 2 : BLOCK_FIRST;
    if (size > BLOCK_LAST)
        size = BLOCK_LAST;
    if (size > arena->left)
        size = arena->left;
    return size < need ? need : size;
}

static bool arena_grow(tl_arena *arena, size_t need)
{
    size_t size = block_size(arena, need + HEADER_SIZE);
    if (size > arena->left)
        return false;
    tl_block *block = arena->fn(arena->user, NULL, 0, size);
    if (!block)
        return false;
    *block = (tl_block){arena->blocks, size};
    arena->blocks = block;
    arena->left -= size;
    arena->used = HEADER_SIZE;
    arena->room = size;
    return true;
}

void *tl_array_raw(tl_arena *arena, size_t count, size_t each)
{
    size_t size;
    if (!tl_multiply(count, each, &size) || size > SIZE_MAX / 2)
        return NULL;
    size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if ((!arena->blocks || size > arena->room - arena->used) && !arena_grow(arena, size))
        return NULL;
    char *start = (char *)arena->blocks + arena->used;
    arena->used += size;
    return start;
}

void *tl_array(tl_arena *arena, size_t count, size_t each)
{
    void *array = tl_array_raw(arena, count, each);
    if (array)
        memset(array, 0, count * each); /* tl_array_raw has checked the product */
    return array;
}

void *tl_bytes_copy(tl_arena *arena, const void *bytes, size_t size)
{
    void *copy = tl_array_raw(arena, size, 1);
    if (copy && size != 0)
        memcpy(copy, bytes, size);
    return copy;
}

trilo_str tl_str_copy(tl_arena *arena, const char *text, size_t len)
{
    char *copy = len < SIZE_MAX ? tl_array_raw(arena, len + 1, 1) : NULL;
    if (!copy)
        return (trilo_str){NULL, 0};
    if (len != 0)
        memcpy(copy, text, len);
    copy[len] = '\0';
    return (trilo_str){copy, len};
}
