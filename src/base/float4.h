/* float4.h: four floats at once, by the vector extension that gcc and clang have: SSE2, NEON, WebAssembly SIMD. Other
 * compilers, and TL_FLOAT4_PLAIN, get loops. Each lane is rounded on its own and nothing is fused, so that results are
 * the same bits everywhere. */
#ifndef TL_BASE_FLOAT4_H
#define TL_BASE_FLOAT4_H

#include "base/strict_float.h"

#include <stdint.h>
#include <string.h>

/* Vectors are passed only to functions that become part of their callers: how that is done differs between machines. */
#if defined(__GNUC__)
#define TL_FLOAT4_INLINE static inline __attribute__((always_inline))
#else
#define TL_FLOAT4_INLINE static inline
#endif

#if defined(__GNUC__) && !defined(TL_FLOAT4_PLAIN)

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

typedef float tl_float4 __attribute__((vector_size(16)));
typedef int32_t tl_float4_mask __attribute__((vector_size(16)));

TL_FLOAT4_INLINE tl_float4 tl_float4_load(const float from[4])
{
    tl_float4 v;
    memcpy(&v, from, sizeof v);
    return v;
}

TL_FLOAT4_INLINE void tl_float4_store(float to[4], tl_float4 v)
{
    memcpy(to, &v, sizeof v);
}

TL_FLOAT4_INLINE tl_float4 tl_float4_all(float value)
{
    return (tl_float4){value, value, value, value};
}

TL_FLOAT4_INLINE tl_float4 tl_float4_from_bytes(const uint8_t from[4])
{
#if defined(__SSE2__)
    int32_t bytes;
    memcpy(&bytes, from, sizeof bytes);
    const __m128i zero = _mm_setzero_si128(), words = _mm_unpacklo_epi8(_mm_cvtsi32_si128(bytes), zero);
    return (tl_float4)_mm_cvtepi32_ps(_mm_unpacklo_epi16(words, zero));
#else
    return (tl_float4){from[0], from[1], from[2], from[3]};
#endif
}

/* The bytes of a word, the uppermost first. */
TL_FLOAT4_INLINE tl_float4 tl_float4_from_word(uint32_t word)
{
#if defined(__SSE2__)
    const __m128i zero = _mm_setzero_si128(), words = _mm_unpacklo_epi8(_mm_cvtsi32_si128((int)word), zero);
    return (tl_float4)_mm_cvtepi32_ps(_mm_shuffle_epi32(_mm_unpacklo_epi16(words, zero), _MM_SHUFFLE(0, 1, 2, 3)));
#else
    return (tl_float4){(uint8_t)(word >> 24), (uint8_t)(word >> 16), (uint8_t)(word >> 8), (uint8_t)word};
#endif
}

/* The four signed 16-bit numbers of a word, the uppermost first. */
TL_FLOAT4_INLINE tl_float4 tl_float4_from_shorts(uint64_t word)
{
#if defined(__SSE2__)
    const __m128i v = _mm_loadl_epi64((const __m128i *)(const void *)&word), twice = _mm_unpacklo_epi16(v, v);
    const __m128i wide = _mm_shuffle_epi32(_mm_srai_epi32(twice, 16), _MM_SHUFFLE(0, 1, 2, 3));
    return (tl_float4)_mm_cvtepi32_ps(wide);
#else
    return (tl_float4){(int16_t)(word >> 48), (int16_t)(word >> 32), (int16_t)(word >> 16), (int16_t)word};
#endif
}

TL_FLOAT4_INLINE void tl_float4_from_bytes8(const uint8_t from[8], tl_float4 to[2])
{
#if defined(__SSE2__)
    const __m128i zero = _mm_setzero_si128(), bytes = _mm_loadl_epi64((const __m128i *)(const void *)from),
                  words = _mm_unpacklo_epi8(bytes, zero);
    to[0] = (tl_float4)_mm_cvtepi32_ps(_mm_unpacklo_epi16(words, zero));
    to[1] = (tl_float4)_mm_cvtepi32_ps(_mm_unpackhi_epi16(words, zero));
#else
    to[0] = tl_float4_from_bytes(from);
    to[1] = tl_float4_from_bytes(from + 4);
#endif
}

TL_FLOAT4_INLINE tl_float4 tl_float4_sub(tl_float4 a, tl_float4 b)
{
    return a - b;
}

TL_FLOAT4_INLINE tl_float4 tl_float4_mul(tl_float4 a, tl_float4 b)
{
    return a * b;
}

/* a < b ? a : b, also for zeros of both signs; clang makes one instruction of the selection, gcc does not. */
TL_FLOAT4_INLINE tl_float4 tl_float4_min(tl_float4 a, tl_float4 b)
{
#if defined(__SSE2__)
    return (tl_float4)_mm_min_ps((__m128)a, (__m128)b);
#else
    const tl_float4_mask less = a < b;
    return (tl_float4)(((tl_float4_mask)a & less) | ((tl_float4_mask)b & ~less));
#endif
}

/* a > b ? a : b */
TL_FLOAT4_INLINE tl_float4 tl_float4_max(tl_float4 a, tl_float4 b)
{
#if defined(__SSE2__)
    return (tl_float4)_mm_max_ps((__m128)a, (__m128)b);
#else
    const tl_float4_mask more = a > b;
    return (tl_float4)(((tl_float4_mask)a & more) | ((tl_float4_mask)b & ~more));
#endif
}

/* A bit for each lane that is set. */
TL_FLOAT4_INLINE unsigned tl_float4_mask_bits(tl_float4_mask set)
{
#if defined(__SSE2__)
    return (unsigned)_mm_movemask_ps((__m128)set);
#else
    return (unsigned)((set[0] & 1) | (set[1] & 2) | (set[2] & 4) | (set[3] & 8));
#endif
}

TL_FLOAT4_INLINE unsigned tl_float4_at_most(tl_float4 a, tl_float4 b)
{
    return tl_float4_mask_bits(a <= b);
}

TL_FLOAT4_INLINE tl_float4 tl_float4_add(tl_float4 a, tl_float4 b)
{
    return a + b;
}

TL_FLOAT4_INLINE tl_float4 tl_float4_div(tl_float4 a, tl_float4 b)
{
    return a / b;
}

TL_FLOAT4_INLINE tl_float4 tl_float4_abs(tl_float4 v)
{
    return (tl_float4)((tl_float4_mask)v & INT32_MAX);
}

TL_FLOAT4_INLINE unsigned tl_float4_less(tl_float4 a, tl_float4 b)
{
    return tl_float4_mask_bits(a < b);
}

/* v in lanes where a is less than b, 0 in others. */
TL_FLOAT4_INLINE tl_float4 tl_float4_where_less(tl_float4 v, tl_float4 a, tl_float4 b)
{
    return (tl_float4)((tl_float4_mask)v & (a < b));
}

#else

typedef struct tl_float4 {
    float at[4];
} tl_float4;

TL_FLOAT4_INLINE tl_float4 tl_float4_load(const float from[4])
{
    return (tl_float4){{from[0], from[1], from[2], from[3]}};
}

TL_FLOAT4_INLINE void tl_float4_store(float to[4], tl_float4 v)
{
    memcpy(to, v.at, sizeof v.at);
}

TL_FLOAT4_INLINE tl_float4 tl_float4_all(float value)
{
    return (tl_float4){{value, value, value, value}};
}

TL_FLOAT4_INLINE tl_float4 tl_float4_from_bytes(const uint8_t from[4])
{
    return (tl_float4){{from[0], from[1], from[2], from[3]}};
}

TL_FLOAT4_INLINE tl_float4 tl_float4_from_word(uint32_t word)
{
    return (tl_float4){{(uint8_t)(word >> 24), (uint8_t)(word >> 16), (uint8_t)(word >> 8), (uint8_t)word}};
}

TL_FLOAT4_INLINE tl_float4 tl_float4_from_shorts(uint64_t word)
{
    return (tl_float4){{(int16_t)(word >> 48), (int16_t)(word >> 32), (int16_t)(word >> 16), (int16_t)word}};
}

TL_FLOAT4_INLINE void tl_float4_from_bytes8(const uint8_t from[8], tl_float4 to[2])
{
    to[0] = tl_float4_from_bytes(from);
    to[1] = tl_float4_from_bytes(from + 4);
}

TL_FLOAT4_INLINE tl_float4 tl_float4_sub(tl_float4 a, tl_float4 b)
{
    for (int k = 0; k < 4; k++)
        a.at[k] -= b.at[k];
    return a;
}

TL_FLOAT4_INLINE tl_float4 tl_float4_mul(tl_float4 a, tl_float4 b)
{
    for (int k = 0; k < 4; k++)
        a.at[k] *= b.at[k];
    return a;
}

TL_FLOAT4_INLINE tl_float4 tl_float4_min(tl_float4 a, tl_float4 b)
{
    for (int k = 0; k < 4; k++)
        a.at[k] = a.at[k] < b.at[k] ? a.at[k] : b.at[k];
    return a;
}

TL_FLOAT4_INLINE tl_float4 tl_float4_max(tl_float4 a, tl_float4 b)
{
    for (int k = 0; k < 4; k++)
        a.at[k] = a.at[k] > b.at[k] ? a.at[k] : b.at[k];
    return a;
}

TL_FLOAT4_INLINE unsigned tl_float4_at_most(tl_float4 a, tl_float4 b)
{
    unsigned at_most = 0;
    for (int k = 0; k < 4; k++)
        at_most |= (unsigned)(a.at[k] <= b.at[k]) << k;
    return at_most;
}

TL_FLOAT4_INLINE tl_float4 tl_float4_div(tl_float4 a, tl_float4 b)
{
    for (int k = 0; k < 4; k++)
        a.at[k] /= b.at[k];
    return a;
}

TL_FLOAT4_INLINE tl_float4 tl_float4_add(tl_float4 a, tl_float4 b)
{
    for (int k = 0; k < 4; k++)
        a.at[k] += b.at[k];
    return a;
}

TL_FLOAT4_INLINE tl_float4 tl_float4_abs(tl_float4 v)
{
    for (int k = 0; k < 4; k++)
        v.at[k] = v.at[k] < 0 ? -v.at[k] : v.at[k];
    return v;
}

TL_FLOAT4_INLINE unsigned tl_float4_less(tl_float4 a, tl_float4 b)
{
    unsigned less = 0;
    for (int k = 0; k < 4; k++)
        less |= (unsigned)(a.at[k] < b.at[k]) << k;
    return less;
}

TL_FLOAT4_INLINE tl_float4 tl_float4_where_less(tl_float4 v, tl_float4 a, tl_float4 b)
{
    for (int k = 0; k < 4; k++)
        v.at[k] = a.at[k] < b.at[k] ? v.at[k] : 0;
    return v;
}

#endif
#endif
