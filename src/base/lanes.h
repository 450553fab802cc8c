/* lanes.h: two or four doubles, eight numbers of 16 bits, or sixteen bytes at once, by the vector extension that gcc
 * and clang have: SSE2, NEON, WebAssembly SIMD or plain code. Operators round in each lane as they do for a single
 * number, so results are the same with each of them.
 */
#ifndef TL_BASE_LANES_H
#define TL_BASE_LANES_H

#include "base/bytes.h"
#include "base/strict_float.h"

#include <math.h>
#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* Aligned as arenas align: some 32-bit machines do so by 8. */
typedef double tl_double2 __attribute__((vector_size(16), aligned(alignof(max_align_t))));
typedef int64_t tl_mask2 __attribute__((vector_size(16), aligned(alignof(max_align_t))));

/* Four doubles are one vector with AVX2 (base/avx2.h), and two elsewhere. They are passed by address: by value, the
 * calling convention would differ with and without AVX2. */
typedef double tl_double4 __attribute__((vector_size(32), aligned(alignof(max_align_t))));
typedef int64_t tl_mask4 __attribute__((vector_size(32), aligned(alignof(max_align_t))));

/* gcc compiles these to one instruction each only through their intrinsics. */
static inline tl_double2 tl_double2_of(const float from[2])
{
#if defined(__SSE2__)
    return (tl_double2)_mm_cvtps_pd(_mm_castsi128_ps(_mm_loadl_epi64((const __m128i *)(const void *)from)));
#else
    return (tl_double2){(double)from[0], (double)from[1]};
#endif
}

/* Clamped to -most and most; NaN stays. */
static inline tl_double2 tl_double2_clamp(tl_double2 v, double most)
{
#if defined(__SSE2__)
    return (tl_double2)_mm_max_pd(_mm_set1_pd(-most), _mm_min_pd(_mm_set1_pd(most), (__m128d)v));
#else
    return (tl_double2){v[0] > most    ? most
                        : v[0] < -most ? -most
                                       : v[0],
                        v[1] > most    ? most
                        : v[1] < -most ? -most
                                       : v[1]};
#endif
}

/* Each is within the range of floats. */
static inline void tl_double2_round(tl_double2 v, float to[2])
{
#if defined(__SSE2__)
    _mm_storel_epi64((__m128i *)(void *)to, _mm_castps_si128(_mm_cvtpd_ps((__m128d)v)));
#else
    to[0] = (float)v[0];
    to[1] = (float)v[1];
#endif
}

/* A bit for each lane that is set. */
static inline int tl_mask4_bits(const tl_mask4 *mask)
{
    return (int)(((*mask)[0] & 1) | ((*mask)[1] & 2) | ((*mask)[2] & 4) | ((*mask)[3] & 8));
}

/* Towards 0. What does not fit into 32 bits, and NaN, becomes INT32_MIN. */
static inline void tl_double2_truncate(tl_double2 v, int32_t to[2])
{
#if defined(__SSE2__)
    const __m128i whole = _mm_cvttpd_epi32((__m128d)v);
    memcpy(to, &whole, 2 * sizeof *to);
#else
    for (int i = 0; i < 2; i++)
        to[i] = v[i] > (double)INT32_MIN - 1 && v[i] < (double)INT32_MAX + 1 ? (int32_t)v[i] : INT32_MIN;
#endif
}

static inline void tl_double4_roots(const tl_double4 *from, tl_double4 *to)
{
#if defined(__SSE2__)
    const __m128d low = _mm_set_pd((*from)[1], (*from)[0]), high = _mm_set_pd((*from)[3], (*from)[2]);
    const tl_double2 a = (tl_double2)_mm_sqrt_pd(low), b = (tl_double2)_mm_sqrt_pd(high);
    *to = (tl_double4){a[0], a[1], b[0], b[1]};
#else
    *to = (tl_double4){sqrt((*from)[0]), sqrt((*from)[1]), sqrt((*from)[2]), sqrt((*from)[3])};
#endif
}

/* Each is within the range of floats. */
static inline void tl_double4_round_to_float(tl_double4 *v)
{
    *v = (tl_double4){(float)(*v)[0], (float)(*v)[1], (float)(*v)[2], (float)(*v)[3]};
}

/* to[k] gets number k of each of four vectors. They must not overlap. */
static inline void tl_double4_transpose(const tl_double4 from[4], tl_double4 to[4])
{
    for (int k = 0; k < 4; k++)
        to[k] = (tl_double4){from[0][k], from[1][k], from[2][k], from[3][k]};
}

/* The dot product of four numbers in two pairs. */
static inline double tl_double4_dot(const tl_double2 a[2], const tl_double2 b[2])
{
    const tl_double2 sum = a[0] * b[0] + a[1] * b[1];
    return sum[0] + sum[1];
}

typedef uint16_t tl_word8 __attribute__((vector_size(16))); /* wraps */
typedef int16_t tl_mask8 __attribute__((vector_size(16)));

/* At any address. */
static inline tl_word8 tl_word8_load(const void *from)
{
    tl_word8 v;
    memcpy(&v, from, sizeof v);
    return v;
}

/* Of numbers below 2^15. */
static inline tl_word8 tl_word8_max(tl_word8 a, tl_word8 b)
{
#if defined(__SSE2__)
    return (tl_word8)_mm_max_epi16((__m128i)a, (__m128i)b);
#else
    const tl_word8 more = (tl_word8)(a > b);
    return (a & more) | (b & ~more);
#endif
}

static inline tl_word8 tl_word8_min(tl_word8 a, tl_word8 b)
{
#if defined(__SSE2__)
    return a - (tl_word8)_mm_subs_epu16((__m128i)a, (__m128i)b);
#else
    const tl_word8 less = (tl_word8)(a < b);
    return (a & less) | (b & ~less);
#endif
}

typedef uint8_t tl_byte16 __attribute__((vector_size(16)));
typedef int8_t tl_sbyte16 __attribute__((vector_size(16)));

/* At any address. */
static inline tl_byte16 tl_byte16_load(const void *from)
{
    tl_byte16 v;
    memcpy(&v, from, sizeof v);
    return v;
}

static inline tl_byte16 tl_byte16_min(tl_byte16 a, tl_byte16 b)
{
#if defined(__SSE2__)
    return (tl_byte16)_mm_min_epu8((__m128i)a, (__m128i)b);
#else
    const tl_byte16 less = (tl_byte16)(a < b);
    return (a & less) | (b & ~less);
#endif
}

/* The top bits of sixteen bytes; that of the first one is the lowest. A multiplication by a
 * number with a bit for each collects eight bits that are 8 apart at the top. */
static inline uint32_t tl_top_bits16(const uint8_t from[16])
{
#if defined(__SSE2__)
    return (uint32_t)_mm_movemask_epi8(_mm_loadu_si128((const __m128i *)(const void *)from));
#else
    uint32_t bits = 0;
    for (uint32_t half = 0; half < 2; half++) {
        const uint64_t tops = tl_get_u64(from + 8 * half, TL_LITTLE) >> 7 & 0x0101010101010101u;
        bits |= (uint32_t)(tops * 0x0102040810204080u >> 56) << 8 * half;
    }
    return bits;
#endif
}

#endif
