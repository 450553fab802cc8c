#include "support/allocations.h"

#include "base/arena.h"

#include <stdatomic.h>

/* Allocations that are left until one is denied, for which several threads may ask; 0: none is. */
static atomic_size_t left;
static atomic_bool denied;

void allocations_deny(size_t n)
{
    denied = false;
    left = n;
}

void allocations_allow(void)
{
    left = 0;
}

bool allocations_denied(void)
{
    return denied;
}

bool allocations_next(size_t n)
{
    const bool more = n == 1 || denied;
    if (more)
        allocations_deny(n);
    return more;
}

static bool is_denied(tl_arena *arena)
{
    size_t now = left;
    while (now > 0 && !atomic_compare_exchange_weak(&left, &now, now - 1))
        ;
    if (now != 1)
        return false;
    denied = true;
    arena->failed = true;
    return true;
}

/* What the linker calls instead of X is __wrap_X, and X itself is __real_X. */
void *__real_tl_array(tl_arena *arena, size_t count, size_t each);
void *__real_tl_array_raw(tl_arena *arena, size_t count, size_t each);
void *__real_tl_bytes_copy(tl_arena *arena, const void *bytes, size_t size);
trilo_str __real_tl_str_copy(tl_arena *arena, const char *text, size_t len);
void *__wrap_tl_array(tl_arena *arena, size_t count, size_t each);
void *__wrap_tl_array_raw(tl_arena *arena, size_t count, size_t each);
void *__wrap_tl_bytes_copy(tl_arena *arena, const void *bytes, size_t size);
trilo_str __wrap_tl_str_copy(tl_arena *arena, const char *text, size_t len);

void *__wrap_tl_array(tl_arena *arena, size_t count, size_t each)
{
    return is_denied(arena) ? NULL : __real_tl_array(arena, count, each);
}

void *__wrap_tl_array_raw(tl_arena *arena, size_t count, size_t each)
{
    return is_denied(arena) ? NULL : __real_tl_array_raw(arena, count, each);
}

void *__wrap_tl_bytes_copy(tl_arena *arena, const void *bytes, size_t size)
{
    return is_denied(arena) ? NULL : __real_tl_bytes_copy(arena, bytes, size);
}

trilo_str __wrap_tl_str_copy(tl_arena *arena, const char *text, size_t len)
{
    return is_denied(arena) ? (trilo_str){NULL, 0} : __real_tl_str_copy(arena, text, len);
}
