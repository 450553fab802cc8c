/* vector_x2.h: vectors of 32 bytes, for AVX2: two of those in vector.h side by side. Every operation works within each
 * half, as AVX2 does, so code for vectors of 16 bytes works with these when the types change. */
#ifndef TL_RASTER_VECTOR_X2_H
#define TL_RASTER_VECTOR_X2_H

#include "base/avx2.h"
#include "raster/vector.h"

#if TL_AVX2
#include <immintrin.h>

typedef int32_t tl_int4x2 __attribute__((vector_size(32)));
typedef uint32_t tl_uint4x2 __attribute__((vector_size(32))); /* wraps */
typedef uint16_t tl_ushort8x2 __attribute__((vector_size(32)));
typedef int16_t tl_short8x2 __attribute__((vector_size(32)));
typedef uint8_t tl_uchar16x2 __attribute__((vector_size(32)));
typedef int8_t tl_char16x2 __attribute__((vector_size(32)));
typedef float tl_real4x2 __attribute__((vector_size(32)));

/* Of each half, as TL_SHUFFLE4 and TL_SHUFFLE8. */
#define TL_HALVES4(i, half) (((i)&3) + 4 * (half) + ((i) >= 4 ? 8 : 0))
#define TL_HALVES8(i, half) (((i)&7) + 8 * (half) + ((i) >= 8 ? 16 : 0))
#define TL_INDICES4X2(a, b, c, d)                                                                                      \
    TL_HALVES4(a, 0), TL_HALVES4(b, 0), TL_HALVES4(c, 0), TL_HALVES4(d, 0), TL_HALVES4(a, 1), TL_HALVES4(b, 1),        \
        TL_HALVES4(c, 1), TL_HALVES4(d, 1)
#define TL_INDICES8X2(a, b, c, d, e, f, g, h)                                                                          \
    TL_HALVES8(a, 0), TL_HALVES8(b, 0), TL_HALVES8(c, 0), TL_HALVES8(d, 0), TL_HALVES8(e, 0), TL_HALVES8(f, 0),        \
        TL_HALVES8(g, 0), TL_HALVES8(h, 0), TL_HALVES8(a, 1), TL_HALVES8(b, 1), TL_HALVES8(c, 1), TL_HALVES8(d, 1),    \
        TL_HALVES8(e, 1), TL_HALVES8(f, 1), TL_HALVES8(g, 1), TL_HALVES8(h, 1)
#if defined(__clang__)
#define TL_SHUFFLE4x2(a, b, ...) __builtin_shufflevector(a, b, TL_INDICES4X2(__VA_ARGS__))
#define TL_SHUFFLE8x2(a, b, ...) __builtin_shufflevector(a, b, TL_INDICES8X2(__VA_ARGS__))
#else
#define TL_SHUFFLE4x2(a, b, ...) __builtin_shuffle(a, b, (tl_int4x2){TL_INDICES4X2(__VA_ARGS__)})
#define TL_SHUFFLE8x2(a, b, ...) __builtin_shuffle(a, b, (tl_short8x2){TL_INDICES8X2(__VA_ARGS__)})
#endif

TL_AVX2_BEGIN

/* ---- from and to memory ---- */

TL_ALWAYS_INLINE tl_short8x2 tl_short8x2_load(const int16_t from[16])
{
    return (tl_short8x2)_mm256_loadu_si256((const __m256i *)(const void *)from);
}

TL_ALWAYS_INLINE void tl_short8x2_store(int16_t to[16], tl_short8x2 v)
{
    _mm256_storeu_si256((__m256i *)(void *)to, (__m256i)v);
}

TL_ALWAYS_INLINE tl_uint4x2 tl_uint4x2_load(const uint32_t from[8])
{
    return (tl_uint4x2)_mm256_loadu_si256((const __m256i *)(const void *)from);
}

TL_ALWAYS_INLINE void tl_uint4x2_store(uint32_t to[8], tl_uint4x2 v)
{
    _mm256_storeu_si256((__m256i *)(void *)to, (__m256i)v);
}

TL_ALWAYS_INLINE tl_int4x2 tl_int4x2_load(const int32_t from[8])
{
    return (tl_int4x2)_mm256_loadu_si256((const __m256i *)(const void *)from);
}

TL_ALWAYS_INLINE void tl_int4x2_store(int32_t to[8], tl_int4x2 v)
{
    _mm256_storeu_si256((__m256i *)(void *)to, (__m256i)v);
}

/* Halves from two addresses, and back. Those at the same address are equal where they count: only the first is stored.
 * Otherwise the first address is the lower one; what is stored there past the end of a line is stored again with the
 * next. */
TL_ALWAYS_INLINE tl_int4x2 tl_int4x2_of(const int32_t first[4], const int32_t last[4])
{
    return (tl_int4x2)_mm256_loadu2_m128i((const __m128i *)(const void *)last, (const __m128i *)(const void *)first);
}

TL_ALWAYS_INLINE void tl_int4x2_store_each(int32_t first[4], int32_t last[4], tl_int4x2 v)
{
    tl_int4_store(first, (tl_int4)_mm256_castsi256_si128((__m256i)v));
    if (first != last)
        tl_int4_store(last, (tl_int4)_mm256_extracti128_si256((__m256i)v, 1));
}

TL_ALWAYS_INLINE tl_int4x2 tl_int4x2_of_bytes(const uint8_t first[4], const uint8_t last[4])
{
    int32_t words[2];
    memcpy(&words[0], first, sizeof words[0]);
    memcpy(&words[1], last, sizeof words[1]);
    return (tl_int4x2)_mm256_cvtepu8_epi32(_mm_insert_epi32(_mm_cvtsi32_si128(words[0]), words[1], 1));
}

/* Of numbers from 0 to 255. */
TL_ALWAYS_INLINE void tl_int4x2_store_bytes_each(uint8_t first[4], uint8_t last[4], tl_int4x2 v)
{
    const __m256i words = _mm256_packs_epi32((__m256i)v, (__m256i)v), bytes = _mm256_packus_epi16(words, words);
    const int32_t upper = _mm_cvtsi128_si32(_mm256_extracti128_si256(bytes, 1)),
                  lower = _mm_cvtsi128_si32(_mm256_castsi256_si128(bytes));
    memcpy(first, &lower, sizeof lower);
    if (first != last)
        memcpy(last, &upper, sizeof upper);
}

TL_ALWAYS_INLINE tl_int4x2 tl_int4x2_load_masked(uint8_t (*first)[4], uint8_t (*last)[4], tl_int4x2 mask, bool whole)
{
    (void)whole;
    const __m128i lower = _mm_maskload_epi32((const int *)(void *)first, _mm256_castsi256_si128((__m256i)mask)),
                  upper = _mm_maskload_epi32((const int *)(void *)last, _mm256_extracti128_si256((__m256i)mask, 1));
    return (tl_int4x2)_mm256_set_m128i(upper, lower);
}

TL_ALWAYS_INLINE void tl_int4x2_store_masked(uint8_t (*first)[4], uint8_t (*last)[4], tl_int4x2 mask, bool whole,
                                             tl_int4x2 v)
{
    (void)whole;
    _mm_maskstore_epi32((int *)(void *)last, _mm256_extracti128_si256((__m256i)mask, 1),
                        _mm256_extracti128_si256((__m256i)v, 1));
    _mm_maskstore_epi32((int *)(void *)first, _mm256_castsi256_si128((__m256i)mask),
                        _mm256_castsi256_si128((__m256i)v));
}

TL_ALWAYS_INLINE tl_short8x2 tl_short8x2_of(const tl_short8 *first, const tl_short8 *last)
{
    return (tl_short8x2)_mm256_inserti128_si256(_mm256_castsi128_si256((__m128i)*first), (__m128i)*last, 1);
}

TL_ALWAYS_INLINE void tl_short8x2_store_each(tl_short8 *first, tl_short8 *last, tl_short8x2 v)
{
    *last = (tl_short8)_mm256_extracti128_si256((__m256i)v, 1);
    *first = (tl_short8)_mm256_castsi256_si128((__m256i)v);
}

/* A number for each half. */
TL_ALWAYS_INLINE tl_int4x2 tl_int4x2_pair(int32_t first, int32_t last)
{
    return (tl_int4x2)_mm256_set_m128i(_mm_set1_epi32(last), _mm_set1_epi32(first));
}

TL_ALWAYS_INLINE tl_int4x2 tl_int4x2_count(void)
{
    return (tl_int4x2){0, 1, 2, 3, 4, 5, 6, 7};
}

TL_ALWAYS_INLINE tl_uint4x2 tl_uint4x2_steps(tl_uint4x2 v)
{
    return v * (tl_uint4x2){0, 1, 2, 3, 0, 1, 2, 3};
}

/* The same in both halves. */
TL_ALWAYS_INLINE tl_int4x2 tl_int4x2_repeat(tl_int4 v)
{
    return (tl_int4x2)_mm256_broadcastsi128_si256((__m128i)v);
}

TL_ALWAYS_INLINE tl_uint4x2 tl_uint4x2_repeat(tl_uint4 v)
{
    return (tl_uint4x2)_mm256_broadcastsi128_si256((__m128i)v);
}

TL_ALWAYS_INLINE tl_short8x2 tl_short8x2_repeat(tl_short8 v)
{
    return (tl_short8x2)_mm256_broadcastsi128_si256((__m128i)v);
}

TL_ALWAYS_INLINE tl_ushort8x2 tl_ushort8x2_repeat(tl_ushort8 v)
{
    return (tl_ushort8x2)_mm256_broadcastsi128_si256((__m128i)v);
}

/* Words of 32 bits from a table, each `step` bytes after the one before, at any address. */
#define tl_int4x2_gather(table, indices, step)                                                                         \
    ((tl_int4x2)_mm256_i32gather_epi32((const int *)(const void *)(table), (__m256i)(indices), step))

/* The same of words side by side, each by a load of its own: more instructions, but AMD's processors take less time for
 * these. */
TL_ALWAYS_INLINE tl_int4x2 tl_int4x2_load_at(const void *table, tl_uint4x2 indices)
{
    const __m128i lower = _mm256_castsi256_si128((__m256i)indices),
                  upper = _mm256_extracti128_si256((__m256i)indices, 1);
    const uint64_t pairs[4] = {(uint64_t)_mm_cvtsi128_si64(lower), (uint64_t)_mm_extract_epi64(lower, 1),
                               (uint64_t)_mm_cvtsi128_si64(upper), (uint64_t)_mm_extract_epi64(upper, 1)};
    int32_t words[8];
    for (int k = 0; k < 8; k++) {
        const size_t at = k % 2 == 0 ? (uint32_t)pairs[k / 2] : (size_t)(pairs[k / 2] >> 32);
        memcpy(&words[k], (const char *)table + sizeof words[k] * at, sizeof words[k]);
    }
    return (tl_int4x2)_mm256_setr_epi32(words[0], words[1], words[2], words[3], words[4], words[5], words[6], words[7]);
}

TL_ALWAYS_INLINE void tl_real4x2_load_threes(const void *from, tl_real4x2 out[3])
{
    const int32_t *first = from, *last = first + 12; /* of the first four threes, and of the last */
    const __m256 a = (__m256)tl_int4x2_of(first, last), b = (__m256)tl_int4x2_of(first + 4, last + 4),
                 c = (__m256)tl_int4x2_of(first + 8, last + 8);
    const __m256 yz = _mm256_shuffle_ps(a, b, _MM_SHUFFLE(1, 0, 2, 1)),
                 xy = _mm256_shuffle_ps(b, c, _MM_SHUFFLE(2, 1, 3, 2));
    out[0] = (tl_real4x2)_mm256_shuffle_ps(a, xy, _MM_SHUFFLE(2, 0, 3, 0));
    out[1] = (tl_real4x2)_mm256_shuffle_ps(yz, xy, _MM_SHUFFLE(3, 1, 2, 0));
    out[2] = (tl_real4x2)_mm256_shuffle_ps(yz, c, _MM_SHUFFLE(3, 0, 3, 1));
}

/* ---- tests ---- */

TL_ALWAYS_INLINE bool tl_int4x2_any(tl_int4x2 v)
{
    return !_mm256_testz_si256((__m256i)v, (__m256i)v);
}

TL_ALWAYS_INLINE uint32_t tl_int4x2_bits(tl_int4x2 v)
{
    return (uint32_t)_mm256_movemask_ps((__m256)v);
}

/* ---- between widths ---- */

TL_ALWAYS_INLINE tl_short8x2 tl_int4x2_narrow(tl_int4x2 a, tl_int4x2 b)
{
    return (tl_short8x2)_mm256_packs_epi32((__m256i)a, (__m256i)b);
}

TL_ALWAYS_INLINE tl_uchar16x2 tl_short8x2_narrow(tl_short8x2 a, tl_short8x2 b)
{
    return (tl_uchar16x2)_mm256_packus_epi16((__m256i)a, (__m256i)b);
}

TL_ALWAYS_INLINE tl_ushort8x2 tl_uchar16x2_widen(tl_uchar16x2 v)
{
    return (tl_ushort8x2)_mm256_unpacklo_epi8((__m256i)v, _mm256_setzero_si256());
}

TL_ALWAYS_INLINE tl_ushort8x2 tl_uchar16x2_widen_last(tl_uchar16x2 v)
{
    return (tl_ushort8x2)_mm256_unpackhi_epi8((__m256i)v, _mm256_setzero_si256());
}

TL_ALWAYS_INLINE tl_uchar16x2 tl_uchar16x2_transpose(tl_uchar16x2 v)
{
    const __m128i places = _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    return (tl_uchar16x2)_mm256_shuffle_epi8((__m256i)v, _mm256_broadcastsi128_si256(places));
}

TL_ALWAYS_INLINE tl_short8x2 tl_int4x2_beside(tl_int4x2 a, tl_int4x2 b)
{
    return (tl_short8x2)(a | b << 16);
}

TL_ALWAYS_INLINE tl_int4x2 tl_int4x2_float_bits(tl_int4x2 v)
{
    return (tl_int4x2)_mm256_cvtepi32_ps((__m256i)v);
}

TL_ALWAYS_INLINE tl_int4x2 tl_int4x2_of_float_bits(tl_int4x2 bits)
{
    return (tl_int4x2)_mm256_cvttps_epi32((__m256)bits);
}

TL_ALWAYS_INLINE tl_real4x2 tl_int4x2_reals(tl_int4x2 v)
{
    return (tl_real4x2)_mm256_cvtepi32_ps((__m256i)v);
}

TL_ALWAYS_INLINE tl_int4x2 tl_real4x2_floor(tl_real4x2 v)
{
    return (tl_int4x2)_mm256_cvttps_epi32(_mm256_floor_ps((__m256)v));
}

TL_ALWAYS_INLINE void tl_short8x2_repeat_bytes(tl_short8x2 v, tl_char16x2 *first, tl_char16x2 *last)
{
    const tl_int4x2 bytes = (tl_int4x2)_mm256_packs_epi16((__m256i)v, (__m256i)v);
    *first = (tl_char16x2)TL_SHUFFLE4x2(bytes, bytes, 0, 0, 0, 0);
    *last = (tl_char16x2)TL_SHUFFLE4x2(bytes, bytes, 1, 1, 1, 1);
}

/* ---- arithmetic that C has no operator for ---- */

TL_ALWAYS_INLINE tl_int4x2 tl_int4x2_without(tl_int4x2 v, tl_int4x2 mask)
{
    return (tl_int4x2)_mm256_andnot_si256((__m256i)mask, (__m256i)v);
}

TL_ALWAYS_INLINE tl_int4x2 tl_int4x2_choose(tl_int4x2 mask, tl_int4x2 a, tl_int4x2 b)
{
    return (tl_int4x2)_mm256_blendv_epi8((__m256i)b, (__m256i)a, (__m256i)mask);
}

TL_ALWAYS_INLINE tl_int4x2 tl_int4x2_least(tl_int4x2 v, int32_t most)
{
    return (tl_int4x2)_mm256_min_epi32((__m256i)v, _mm256_set1_epi32(most));
}

TL_ALWAYS_INLINE tl_short8x2 tl_short8x2_least(tl_short8x2 a, tl_short8x2 b)
{
    return (tl_short8x2)_mm256_min_epi16((__m256i)a, (__m256i)b);
}

TL_ALWAYS_INLINE tl_short8x2 tl_short8x2_most(tl_short8x2 a, tl_short8x2 b)
{
    return (tl_short8x2)_mm256_max_epi16((__m256i)a, (__m256i)b);
}

TL_ALWAYS_INLINE tl_int4x2 tl_short8x2_dot(tl_short8x2 a, tl_short8x2 b)
{
    return (tl_int4x2)_mm256_madd_epi16((__m256i)a, (__m256i)b);
}

TL_ALWAYS_INLINE tl_short8x2 tl_short8x2_scale(tl_short8x2 a, tl_short8x2 b)
{
    return (tl_short8x2)_mm256_mulhrs_epi16(_mm256_slli_epi16((__m256i)a, 5), _mm256_slli_epi16((__m256i)b, 2));
}

TL_ALWAYS_INLINE tl_short8x2 tl_short8x2_last_of_four(tl_short8x2 a, tl_short8x2 b)
{
    return (tl_short8x2)_mm256_blend_epi16((__m256i)a, (__m256i)b, 0x88);
}

TL_ALWAYS_INLINE tl_int4x2 tl_int4x2_shift_right(tl_int4x2 v, tl_int4x2 by)
{
    return (tl_int4x2)_mm256_srav_epi32((__m256i)v, (__m256i)by);
}

TL_ALWAYS_INLINE tl_ushort8x2 tl_ushort8x2_multiply_upper(tl_ushort8x2 a, tl_ushort8x2 b)
{
    return (tl_ushort8x2)_mm256_mulhi_epu16((__m256i)a, (__m256i)b);
}

TL_ALWAYS_INLINE tl_ushort8x2 tl_ushort8x2_excess(tl_ushort8x2 a, tl_ushort8x2 b)
{
    return (tl_ushort8x2)_mm256_subs_epu16((__m256i)a, (__m256i)b);
}

TL_ALWAYS_INLINE tl_uchar16x2 tl_uchar16x2_add(tl_uchar16x2 a, tl_uchar16x2 b)
{
    return (tl_uchar16x2)_mm256_adds_epu8((__m256i)a, (__m256i)b);
}

TL_AVX2_END

#endif
#endif
