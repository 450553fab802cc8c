/* vector.h: four numbers at once, by the vector extension that gcc and clang have: SSE2, NEON, WebAssembly SIMD or
 * plain code. Only integers, so that results are the same with each of them. */
#ifndef TL_RASTER_VECTOR_H
#define TL_RASTER_VECTOR_H

#include <stdint.h>
#include <string.h>

#if !defined(__GNUC__) && !defined(__clang__)
#error "Trilobite needs gcc or clang (on Windows MinGW-w64 or clang-cl): other compilers have no vectors in C"
#endif
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* Functions that run at each pixel become part of the few that draw lines. Vectors are passed to no others: how that is
 * done differs between machines. */
#define TL_ALWAYS_INLINE static inline __attribute__((always_inline))

typedef int32_t tl_int4 __attribute__((vector_size(16)));
typedef uint32_t tl_uint4 __attribute__((vector_size(16))); /* wraps */
typedef uint16_t tl_ushort8 __attribute__((vector_size(16)));
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

/* As bytes, of numbers from 0 to 255. Compilers find no short way for it. */
TL_ALWAYS_INLINE void tl_int4_store_bytes(uint8_t to[4], tl_int4 v)
{
#if defined(__SSE2__)
    const __m128i words = _mm_packs_epi32((__m128i)v, (__m128i)v);
    const int32_t bytes = _mm_cvtsi128_si32(_mm_packus_epi16(words, words));
    memcpy(to, &bytes, 4);
#else
    for (int k = 0; k < 4; k++)
        to[k] = (uint8_t)v[k];
#endif
}

#endif
