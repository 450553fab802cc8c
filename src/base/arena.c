/* A linked list of blocks, newest first:
 *
 *   arena.blocks -> [header | used ... | free] -> [header | full] -> NULL
 *
 * The block size starts at 4 KiB and doubles up to 1 MiB, so that a small model takes one allocation and a large one
 * few. A larger array gets a block of its own, which does not make those after it larger.
 */
#include "base/arena.h"

#include "base/compiler.h"
#include "base/os.h"
#include "base/size.h"
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

/* AddressSanitizer detects accesses beyond a malloc'ed block. For accesses beyond an array within a block, the unused
 * rest of the block is poisoned, and room for one more element after each array. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARENA_POISONS 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define ARENA_POISONS 1
#endif
#ifdef ARENA_POISONS
#include <sanitizer/asan_interface.h>
#define ARENA_RED_ZONE(each) ((each) < 16 ? 16 : (each) < 1024 ? (each) : 1024)
#else
#define ASAN_POISON_MEMORY_REGION(address, size)   ((void)(address), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#define ARENA_RED_ZONE(each)                       0
#endif

struct tl_arena_block {
    tl_arena_block *next;
    size_t size; /* including this header */
};

enum {
    ARENA_BLOCK_MIN = 4096,
    ARENA_BLOCK_MAX = 1 << 20,
    ARENA_SCRATCH_BLOCK = 1 << 16,
    ARENA_STEP = 1 << 19,
    ARENA_ALIGNMENT = alignof(max_align_t)
};
#define ARENA_HEADER_SIZE ((sizeof(tl_arena_block) + ARENA_ALIGNMENT - 1) / ARENA_ALIGNMENT * ARENA_ALIGNMENT)

static void *arena_libc_realloc(void *user, void *old, size_t old_size, size_t new_size)
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
    arena->fn = memory && memory->fn ? memory->fn : arena_libc_realloc;
    arena->user = memory ? memory->user : NULL;
    arena->left = memory && memory->max_bytes ? memory->max_bytes : (size_t)1 << 30;
}

void tl_arena_init_scratch(tl_arena *scratch, const tl_arena *arena)
{
    tl_arena_init(scratch, &(trilo_memory){arena->fn, arena->user, arena->left ? arena->left : 1}); /* 0: the default */
    scratch->next_block = ARENA_SCRATCH_BLOCK;
}

static void arena_free_block(tl_arena *arena, tl_arena_block *block)
{
    ASAN_UNPOISON_MEMORY_REGION(block, block->size);
    arena->fn(arena->user, block, block->size, 0);
}

/* Begins again with an empty block. */
static void arena_reuse_block(tl_arena *arena, tl_arena_block *block)
{
    arena->blocks = block;
    arena->used = ARENA_HEADER_SIZE;
    arena->room = arena->ready = block->size;
    ASAN_POISON_MEMORY_REGION((char *)block + ARENA_HEADER_SIZE, block->size - ARENA_HEADER_SIZE);
}

void tl_arena_restart_scratch(tl_arena *scratch, const tl_arena *arena)
{
    tl_arena_block *first = scratch->blocks;
    while (first && (first->next || first->size != ARENA_SCRATCH_BLOCK || first->size > arena->left)) {
        tl_arena_block *block = first;
        first = block->next;
        arena_free_block(scratch, block);
    }
    tl_arena_init_scratch(scratch, arena);
    if (!first)
        return;
    arena_reuse_block(scratch, first);
    scratch->next_block = 2 * first->size;
    scratch->left = arena->left - first->size;
}

void tl_arena_restart(tl_arena *arena)
{
    const bool failed = arena->failed;
    arena->failed = false;
    if (arena->blocks && !arena->blocks->next && !failed) {
        arena_reuse_block(arena, arena->blocks);
        return;
    }
    size_t size = 0;
    while (arena->blocks) {
        tl_arena_block *block = arena->blocks;
        arena->blocks = block->next;
        size += block->size;
        arena_free_block(arena, block);
    }
    arena->left += size;
    arena->used = arena->room = arena->ready = 0;
    arena->next_block = failed ? 0 : size;
}

void tl_arena_free(tl_arena *arena)
{
    /* The arena may live in one of its own blocks. */
    tl_arena copy = *arena;
    while (copy.blocks) {
        tl_arena_block *block = copy.blocks;
        copy.blocks = block->next;
        arena_free_block(&copy, block);
    }
}

static bool arena_add_block(tl_arena *arena, size_t need)
{
    need += ARENA_HEADER_SIZE;
    size_t size = arena->next_block ? arena->next_block : ARENA_BLOCK_MIN;
    const size_t next = size * 2 < ARENA_BLOCK_MAX ? size * 2 : ARENA_BLOCK_MAX;
    if (size > arena->left)
        size = arena->left;
    if (size < need)
        size = need;
    if (size > arena->left)
        return false;
    tl_arena_block *block = arena->fn(arena->user, NULL, 0, size);
    if (!block)
        return false;
    *block = (tl_arena_block){arena->blocks, size};
    arena->blocks = block;
    arena->next_block = next;
    arena->left -= size;
    arena->used = ARENA_HEADER_SIZE;
    arena->room = arena->ready = size;
    ASAN_POISON_MEMORY_REGION((char *)block + ARENA_HEADER_SIZE, size - ARENA_HEADER_SIZE);
    return true;
}

/* Gets the next pages of a reserved block, up to `need` or more. In steps, since it may be larger than what is used. */
static void arena_populate(tl_arena *arena, size_t need)
{
    size_t end = need - arena->ready > ARENA_STEP ? need : arena->ready + ARENA_STEP;
    end = end < arena->room ? end : arena->room;
#if TL_HAVE_OS
    tl_os_populate((char *)arena->blocks + arena->ready, end - arena->ready);
#endif
    arena->ready = end;
}

/* Of the newest block, which has room for it. */
static inline void *arena_take(tl_arena *arena, size_t size, size_t asked)
{
    char *start = (char *)arena->blocks + arena->used;
    arena->used += size;
    ASAN_UNPOISON_MEMORY_REGION(start, asked);
    return start;
}

/* Of a new block, or of pages that are requested first. Rare: apart, it leaves others without registers to save. */
static TL_NEVER_INLINE void *arena_take_new(tl_arena *arena, size_t size, size_t asked)
{
    if ((!arena->blocks || size > arena->room - arena->used) && !arena_add_block(arena, size)) {
        arena->failed = true;
        return NULL;
    }
    if (arena->used + size > arena->ready)
        arena_populate(arena, arena->used + size);
    return arena_take(arena, size, asked);
}

void *tl_array_raw(tl_arena *arena, size_t count, size_t each)
{
    size_t size;
    if (!tl_multiply(count, each, &size) || size > SIZE_MAX / 2) {
        arena->failed = true;
        return NULL;
    }
    const size_t asked = size;
    size = (size + ARENA_RED_ZONE(each) + ARENA_ALIGNMENT - 1) / ARENA_ALIGNMENT * ARENA_ALIGNMENT;
    return arena->blocks && size <= arena->ready - arena->used ? arena_take(arena, size, asked)
                                                               : arena_take_new(arena, size, asked);
}

void *tl_array(tl_arena *arena, size_t count, size_t each)
{
    void *array = tl_array_raw(arena, count, each);
    if (array)
        memset(array, 0, count * each); /* tl_array_raw has checked the product */
    return array;
}

bool tl_arena_reserve(tl_arena *arena, uint64_t size)
{
    enum { PART_OF_LIMIT = 8 };
    if (size > arena->left / PART_OF_LIMIT || (arena->blocks && size <= arena->room - arena->used))
        return true;
    if (!arena_add_block(arena, (size_t)size)) {
        arena->failed = true;
        return false;
    }
    arena->ready = arena->used;
#if TL_HAVE_OS
    tl_os_advise_large_pages(arena->blocks, arena->room);
#endif
    return !arena->failed;
}

bool tl_arena_has_room(const tl_arena *arena, uint64_t size)
{
    tl_arena probe = {.fn = arena->fn, .user = arena->user, .left = arena->left};
    const bool room = size <= SIZE_MAX && tl_array_raw(&probe, (size_t)size, 1);
    tl_arena_free(&probe);
    return room;
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
