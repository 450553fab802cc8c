/* lanes.h: two doubles at once, by the vector extension that gcc and clang have: SSE2, NEON, WebAssembly SIMD or
 * plain code. Operators round in each lane as they do for a single number, so results are the same with each of them.
 */
#ifndef TL_BASE_LANES_H
#define TL_BASE_LANES_H

#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>

/* Aligned as arenas align: some 32-bit machines do so by 8. */
typedef double tl_double2 __attribute__((vector_size(16), aligned(alignof(max_align_t))));
typedef int64_t tl_mask2 __attribute__((vector_size(16), aligned(alignof(max_align_t))));

#endif
