/* vector.h: four numbers at once, by the vector extension that gcc and clang have: SSE2, NEON, WebAssembly SIMD or
 * plain code. Only integers, so that results are the same with each of them. */
#ifndef TL_RASTER_VECTOR_H
#define TL_RASTER_VECTOR_H

#include <stdint.h>
#include <string.h>

/* Functions that run at each pixel become part of the few that draw lines. Vectors are passed to no others: how that is
 * done differs between machines. */
#define TL_ALWAYS_INLINE static inline __attribute__((always_inline))

typedef int32_t tl_int4 __attribute__((vector_size(16)));
typedef uint32_t tl_uint4 __attribute__((vector_size(16))); /* wraps */
typedef uint64_t tl_ulong2 __attribute__((vector_size(16)));

TL_ALWAYS_INLINE tl_int4 tl_int4_load(const int32_t from[4])
{
    tl_int4 v;
    memcpy(&v, from, sizeof v);
    return v;
}

TL_ALWAYS_INLINE void tl_int4_store(int32_t to[4], tl_int4 v)
{
    memcpy(to, &v, sizeof v);
}

/* The lesser of each and `most`. */
TL_ALWAYS_INLINE tl_int4 tl_int4_least(tl_int4 v, int32_t most)
{
    const tl_int4 above = v > most;
    return (v & ~above) | (above & most);
}

/* To 0 and 255. */
TL_ALWAYS_INLINE tl_int4 tl_int4_clamp_255(tl_int4 v)
{
    v &= ~(v >> 31);
    return (v | (v > 255)) & 255;
}

#endif
