/* allocations.h: a single allocation from an arena that fails, while those before and after it go well. Memory limits
 * and failing callbacks deny all that follows too, or only whole blocks of arenas; then something else fails as well,
 * and hides that a failure was ignored. The linker puts these functions in front of those of the arena. */
#ifndef TL_TEST_ALLOCATIONS_H
#define TL_TEST_ALLOCATIONS_H

#include "harness.h"

#include <stdbool.h>
#include <stddef.h>

/* Denies the n-th allocation from now on, counted from 1. */
void allocations_deny(size_t n);
/* From now on none is. */
void allocations_allow(void);
/* True if one was since allocations_deny. */
bool allocations_denied(void);

/* For loops over all allocations of some work, after which comes allocations_allow:
 *   for (size_t n = 1; allocations_next(n); n += ALLOCATIONS_STEP)
 * The last round denies none. */
bool allocations_next(size_t n);
enum { ALLOCATIONS_STEP = TEST_SLOW ? 5 : 1 };

#endif
