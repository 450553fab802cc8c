/* vector.h: four numbers at once, by the vector extension that gcc and clang have: SSE2, NEON, WebAssembly SIMD or
 * plain code. Only integers, so that results are the same with each of them. */
#ifndef TL_RASTER_VECTOR_H
#define TL_RASTER_VECTOR_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if !defined(__GNUC__) && !defined(__clang__)
#error "Trilobite needs gcc or clang (on Windows MinGW-w64 or clang-cl): other compilers have no vectors in C"
#endif
#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

/* Functions that run at each pixel become part of the few that draw lines. Vectors are passed to no others: how that is
 * done differs between machines. */
#define TL_ALWAYS_INLINE static inline __attribute__((always_inline))

typedef int32_t tl_int4 __attribute__((vector_size(16)));
typedef uint32_t tl_uint4 __attribute__((vector_size(16))); /* wraps */
typedef uint16_t tl_ushort8 __attribute__((vector_size(16)));
typedef int16_t tl_short8 __attribute__((vector_size(16)));
typedef uint8_t tl_uchar16 __attribute__((vector_size(16)));
typedef int8_t tl_char16 __attribute__((vector_size(16)));
typedef uint64_t tl_ulong2 __attribute__((vector_size(16)));
typedef float tl_real4 __attribute__((vector_size(16)));

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

TL_ALWAYS_INLINE tl_short8 tl_short8_load(const int16_t from[8])
{
    tl_short8 v;
    memcpy(&v, from, sizeof v);
    return v;
}

TL_ALWAYS_INLINE void tl_short8_store(int16_t to[8], tl_short8 v)
{
    memcpy(to, &v, sizeof v);
}

TL_ALWAYS_INLINE tl_uint4 tl_uint4_load(const uint32_t from[4])
{
    tl_uint4 v;
    memcpy(&v, from, sizeof v);
    return v;
}

TL_ALWAYS_INLINE void tl_uint4_store(uint32_t to[4], tl_uint4 v)
{
    memcpy(to, &v, sizeof v);
}

/* ---- what differs between the widths of vector_any.h ---- */

/* Here the first is the last. */
TL_ALWAYS_INLINE tl_short8 tl_short8_of(const tl_short8 *first, const tl_short8 *last)
{
    (void)last;
    return *first;
}

TL_ALWAYS_INLINE void tl_short8_store_each(tl_short8 *first, tl_short8 *last, tl_short8 v)
{
    (void)last;
    *first = v;
}

TL_ALWAYS_INLINE tl_int4 tl_int4_of(const int32_t first[4], const int32_t last[4])
{
    (void)last;
    return tl_int4_load(first);
}

TL_ALWAYS_INLINE void tl_int4_store_each(int32_t first[4], int32_t last[4], tl_int4 v)
{
    (void)last;
    tl_int4_store(first, v);
}

TL_ALWAYS_INLINE tl_int4 tl_int4_pair(int32_t first, int32_t last)
{
    (void)last;
    return (tl_int4){first, first, first, first};
}

TL_ALWAYS_INLINE tl_int4 tl_int4_repeat(tl_int4 v)
{
    return v;
}

TL_ALWAYS_INLINE tl_uint4 tl_uint4_repeat(tl_uint4 v)
{
    return v;
}

TL_ALWAYS_INLINE tl_short8 tl_short8_repeat(tl_short8 v)
{
    return v;
}

TL_ALWAYS_INLINE tl_ushort8 tl_ushort8_repeat(tl_ushort8 v)
{
    return v;
}

/* 0, 1, 2, ... */
TL_ALWAYS_INLINE tl_int4 tl_int4_count(void)
{
    return (tl_int4){0, 1, 2, 3};
}

/* Each times its index, 0 to 3. */
TL_ALWAYS_INLINE tl_uint4 tl_uint4_steps(tl_uint4 v)
{
    const tl_uint4 odd = {0, UINT32_MAX, 0, UINT32_MAX}, upper = {0, 0, UINT32_MAX, UINT32_MAX};
    return (v & odd) + ((v + v) & upper);
}

/* ---- integers ---- */

/* Words of 32 bits from a table, each `step` bytes after the one before, at any address. */
TL_ALWAYS_INLINE tl_int4 tl_int4_gather(const void *table, tl_uint4 indices, size_t step)
{
    uint32_t at[4];
    int32_t words[4];
    memcpy(at, &indices, sizeof at);
    for (int k = 0; k < 4; k++)
        memcpy(&words[k], (const char *)table + step * at[k], sizeof words[k]);
    return (tl_int4){words[0], words[1], words[2], words[3]};
}

/* The same of words side by side. */
TL_ALWAYS_INLINE tl_int4 tl_int4_load_at(const void *table, tl_uint4 indices)
{
    return tl_int4_gather(table, indices, sizeof(int32_t));
}

/* The lesser of each and `most`. */
TL_ALWAYS_INLINE tl_int4 tl_int4_least(tl_int4 v, int32_t most)
{
    const tl_int4 above = v > most;
    return (v & ~above) | (above & most);
}

/* Clamped to -32768 and 32767. */
TL_ALWAYS_INLINE tl_int4 tl_int4_saturate_16(tl_int4 v)
{
#if defined(__SSE2__)
    const __m128i words = _mm_packs_epi32((__m128i)v, (__m128i)v);
    return (tl_int4)_mm_srai_epi32(_mm_unpacklo_epi16(words, words), 16);
#else
    const tl_int4 below = v<-32768, above = v> 32767;
    return (v & ~(below | above)) | (below & -32768) | (above & 32767);
#endif
}

/* The bits of `v` that are not in `mask`. gcc generates longer code for masks that are comparisons. */
TL_ALWAYS_INLINE tl_int4 tl_int4_without(tl_int4 v, tl_int4 mask)
{
#if defined(__SSE2__)
    return (tl_int4)_mm_andnot_si128((__m128i)mask, (__m128i)v);
#else
    return v & ~mask;
#endif
}

/* The first where a comparison's result is true, else the second. */
TL_ALWAYS_INLINE tl_int4 tl_int4_choose(tl_int4 mask, tl_int4 a, tl_int4 b)
{
    return (a & mask) | tl_int4_without(b, mask);
}

/* Clamped to 0 and 255. */
TL_ALWAYS_INLINE tl_int4 tl_int4_clamp_255(tl_int4 v)
{
    v &= ~(v >> 31);
    return (v | (v > 255)) & 255;
}

/* True if any number of a comparison's result is true. */
TL_ALWAYS_INLINE bool tl_int4_any(tl_int4 v)
{
#if defined(__SSE2__)
    return _mm_movemask_epi8((__m128i)v) != 0;
#else
    const tl_ulong2 halves = (tl_ulong2)v;
    return (halves[0] | halves[1]) != 0;
#endif
}

/* A bit for each that a comparison found true, the first one lowest. */
TL_ALWAYS_INLINE uint32_t tl_int4_bits(tl_int4 v)
{
#if defined(__SSE2__)
    return (uint32_t)_mm_movemask_ps((__m128)v);
#elif defined(__wasm_simd128__)
    return (uint32_t)wasm_i32x4_bitmask((v128_t)v);
#else
    return (uint32_t)((v[0] & 1) | (v[1] & 2) | (v[2] & 4) | (v[3] & 8));
#endif
}

/* Four or eight numbers of two vectors, where those from 4 or 8 on are the second one's. */
#if defined(__clang__)
#define TL_SHUFFLE4(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#define TL_SHUFFLE8(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define TL_SHUFFLE4(a, b, ...) __builtin_shuffle(a, b, (tl_int4){__VA_ARGS__})
#define TL_SHUFFLE8(a, b, ...) __builtin_shuffle(a, b, (tl_short8){__VA_ARGS__})
#endif

/* The first, second and third words of four threes, such as x, y and z of positions. Their bits may be integers. */
TL_ALWAYS_INLINE void tl_real4_load_threes(const void *from, tl_real4 out[3])
{
    const int32_t *words = from;
    const tl_real4 a = (tl_real4)tl_int4_load(words), b = (tl_real4)tl_int4_load(words + 4),
                   c = (tl_real4)tl_int4_load(words + 8);
    const tl_real4 yz = TL_SHUFFLE4(a, b, 1, 2, 4, 5), /* y0 z0 y1 z1 */
        xy = TL_SHUFFLE4(b, c, 2, 3, 5, 6);            /* x2 y2 x3 y3 */
    out[0] = TL_SHUFFLE4(a, xy, 0, 3, 4, 6);
    out[1] = TL_SHUFFLE4(yz, xy, 0, 2, 5, 7);
    out[2] = TL_SHUFFLE4(yz, c, 1, 3, 4, 7);
}

/* ---- between widths ---- */

/* To 16 bits, saturated. */
TL_ALWAYS_INLINE tl_short8 tl_int4_narrow(tl_int4 a, tl_int4 b)
{
#if defined(__SSE2__)
    return (tl_short8)_mm_packs_epi32((__m128i)a, (__m128i)b);
#elif defined(__wasm_simd128__)
    return (tl_short8)wasm_i16x8_narrow_i32x4((v128_t)a, (v128_t)b);
#else
    tl_short8 to;
    for (int k = 0; k < 4; k++) {
        to[k] = (int16_t)(a[k] < -32768 ? -32768 : a[k] > 32767 ? 32767 : a[k]);
        to[k + 4] = (int16_t)(b[k] < -32768 ? -32768 : b[k] > 32767 ? 32767 : b[k]);
    }
    return to;
#endif
}

/* The upper halves. */
TL_ALWAYS_INLINE tl_int4 tl_ulong2_upper(tl_ulong2 a, tl_ulong2 b)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return TL_SHUFFLE4((tl_int4)a, (tl_int4)b, 0, 2, 4, 6);
#else
    return TL_SHUFFLE4((tl_int4)a, (tl_int4)b, 1, 3, 5, 7);
#endif
}

/* To bytes, saturated. */
TL_ALWAYS_INLINE tl_uchar16 tl_short8_narrow(tl_short8 a, tl_short8 b)
{
#if defined(__SSE2__)
    return (tl_uchar16)_mm_packus_epi16((__m128i)a, (__m128i)b);
#elif defined(__wasm_simd128__)
    return (tl_uchar16)wasm_u8x16_narrow_i16x8((v128_t)a, (v128_t)b);
#else
    tl_uchar16 to;
    for (int k = 0; k < 8; k++) {
        to[k] = (uint8_t)(a[k] < 0 ? 0 : a[k] > 255 ? 255 : a[k]);
        to[k + 8] = (uint8_t)(b[k] < 0 ? 0 : b[k] > 255 ? 255 : b[k]);
    }
    return to;
#endif
}

/* The first four as bytes, limited to -128 and 127, side by side from the lowest byte of an int32_t on, four times the
 * same; then so the last four. */
TL_ALWAYS_INLINE void tl_short8_repeat_bytes(tl_short8 v, tl_char16 *first, tl_char16 *last)
{
#if defined(__SSE2__)
    const tl_int4 bytes = (tl_int4)_mm_packs_epi16((__m128i)v, (__m128i)v);
#elif defined(__wasm_simd128__)
    const tl_int4 bytes = (tl_int4)wasm_i8x16_narrow_i16x8((v128_t)v, (v128_t)v);
#else
    uint32_t words[2] = {0, 0};
    for (int k = 0; k < 8; k++) {
        const int32_t limited = v[k] < -128 ? -128 : v[k] > 127 ? 127 : v[k];
        words[k / 4] |= ((uint32_t)limited & 0xFF) << 8 * (k % 4);
    }
    const tl_int4 bytes = {(int32_t)words[0], (int32_t)words[1], 0, 0};
#endif
    *first = (tl_char16)TL_SHUFFLE4(bytes, bytes, 0, 0, 0, 0);
    *last = (tl_char16)TL_SHUFFLE4(bytes, bytes, 1, 1, 1, 1);
}

/* The first eight bytes. */
TL_ALWAYS_INLINE tl_ushort8 tl_uchar16_widen(tl_uchar16 v)
{
#if defined(__SSE2__)
    return (tl_ushort8)_mm_unpacklo_epi8((__m128i)v, _mm_setzero_si128());
#elif defined(__wasm_simd128__)
    return (tl_ushort8)wasm_u16x8_extend_low_u8x16((v128_t)v);
#else
    return (tl_ushort8){v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]};
#endif
}

/* The last eight. */
TL_ALWAYS_INLINE tl_ushort8 tl_uchar16_widen_last(tl_uchar16 v)
{
#if defined(__SSE2__)
    return (tl_ushort8)_mm_unpackhi_epi8((__m128i)v, _mm_setzero_si128());
#elif defined(__wasm_simd128__)
    return (tl_ushort8)wasm_u16x8_extend_high_u8x16((v128_t)v);
#else
    return (tl_ushort8){v[8], v[9], v[10], v[11], v[12], v[13], v[14], v[15]};
#endif
}

/* Numbers from 0 to 32767 in turn, as tl_short8_dot takes them. */
TL_ALWAYS_INLINE tl_short8 tl_int4_beside(tl_int4 a, tl_int4 b)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return (tl_short8)(a << 16 | b);
#else
    return (tl_short8)(a | b << 16);
#endif
}

/* The bits of numbers as floats, which hold 24 of them: the exponent is a logarithm. */
TL_ALWAYS_INLINE tl_int4 tl_int4_float_bits(tl_int4 v)
{
    typedef float float4 __attribute__((vector_size(16)));
    return (tl_int4) __builtin_convertvector(v, float4);
}

TL_ALWAYS_INLINE tl_int4 tl_int4_of_floats(const float from[4])
{
    typedef float float4 __attribute__((vector_size(16)));
    float4 v;
    memcpy(&v, from, sizeof v);
    return __builtin_convertvector(v, tl_int4);
}

/* The same rounded down, of floats that 24 bits hold. */
TL_ALWAYS_INLINE tl_int4 tl_real4_floor(tl_real4 v)
{
    const tl_int4 cut = __builtin_convertvector(v, tl_int4);
    return cut + (__builtin_convertvector(cut, tl_real4) > v);
}

TL_ALWAYS_INLINE tl_int4 tl_int4_floor(const float from[4])
{
    tl_real4 v;
    memcpy(&v, from, sizeof v);
    return tl_real4_floor(v);
}

TL_ALWAYS_INLINE tl_real4 tl_int4_reals(tl_int4 v)
{
    return __builtin_convertvector(v, tl_real4);
}

TL_ALWAYS_INLINE tl_int4 tl_int4_of_float_bits(tl_int4 bits)
{
    typedef float float4 __attribute__((vector_size(16)));
    return __builtin_convertvector((float4)bits, tl_int4);
}

/* ---- arithmetic that C has no operator for ---- */

/* The lesser of each two. */
TL_ALWAYS_INLINE tl_short8 tl_short8_least(tl_short8 a, tl_short8 b)
{
#if defined(__SSE2__)
    return (tl_short8)_mm_min_epi16((__m128i)a, (__m128i)b);
#else
    const tl_short8 less = a < b;
    return (a & less) | (b & ~less);
#endif
}

/* The greater of each two. */
TL_ALWAYS_INLINE tl_short8 tl_short8_most(tl_short8 a, tl_short8 b)
{
#if defined(__SSE2__)
    return (tl_short8)_mm_max_epi16((__m128i)a, (__m128i)b);
#else
    const tl_short8 more = a > b;
    return (a & more) | (b & ~more);
#endif
}

/* A bit for each that a comparison found true, the first one lowest. */
TL_ALWAYS_INLINE uint32_t tl_short8_bits(tl_short8 v)
{
#if defined(__SSE2__)
    return (uint32_t)_mm_movemask_epi8(_mm_packs_epi16((__m128i)v, _mm_setzero_si128()));
#elif defined(__wasm_simd128__)
    return (uint32_t)wasm_i16x8_bitmask((v128_t)v);
#else
    uint32_t bits = 0;
    for (int k = 0; k < 8; k++)
        bits |= (uint32_t)(v[k] & 1) << k;
    return bits;
#endif
}

/* Sums of the products of two neighbours. */
TL_ALWAYS_INLINE tl_int4 tl_short8_dot(tl_short8 a, tl_short8 b)
{
#if defined(__SSE2__)
    return (tl_int4)_mm_madd_epi16((__m128i)a, (__m128i)b);
#elif defined(__wasm_simd128__)
    return (tl_int4)wasm_i32x4_dot_i16x8((v128_t)a, (v128_t)b);
#else
    tl_int4 sum;
    for (int k = 0; k < 4; k++)
        sum[k] = a[2 * k] * b[2 * k] + a[2 * k + 1] * b[2 * k + 1];
    return sum;
#endif
}

/* a * b / 256, rounded, of numbers from -1023 to 1023. */
TL_ALWAYS_INLINE tl_short8 tl_short8_scale(tl_short8 a, tl_short8 b)
{
#if defined(__SSE2__)
    const __m128i low = _mm_mullo_epi16((__m128i)a, (__m128i)b), high = _mm_mulhi_epi16((__m128i)a, (__m128i)b);
    return tl_int4_narrow(((tl_int4)_mm_unpacklo_epi16(low, high) + 0x80) >> 8,
                          ((tl_int4)_mm_unpackhi_epi16(low, high) + 0x80) >> 8);
#elif defined(__wasm_simd128__)
    return (tl_short8)wasm_i16x8_q15mulr_sat((v128_t)((tl_ushort8)a << 5), (v128_t)((tl_ushort8)b << 2));
#else
    tl_short8 to;
    for (int k = 0; k < 8; k++)
        to[k] = (int16_t)((a[k] * b[k] + 0x80) >> 8);
    return to;
#endif
}

/* The last of each four from the second, the others from the first. */
TL_ALWAYS_INLINE tl_short8 tl_short8_last_of_four(tl_short8 a, tl_short8 b)
{
    const tl_short8 last = {0, 0, 0, -1, 0, 0, 0, -1};
    return (a & ~last) | (b & last);
}

/* Products of numbers from -32768 to 32767. */
TL_ALWAYS_INLINE tl_int4 tl_int4_multiply_16(tl_int4 a, tl_int4 b)
{
#if defined(__SSE2__)
    return (tl_int4)_mm_madd_epi16((__m128i)(a & 0xFFFF), (__m128i)b);
#else
    return a * b;
#endif
}

/* Each by its own number of bits, 0 to 15, which are mostly the same. */
TL_ALWAYS_INLINE tl_int4 tl_int4_shift_right(tl_int4 v, tl_int4 by)
{
    const int32_t shift = by[0];
    if (!tl_int4_any(by != shift))
        return v >> shift;
    v = tl_int4_choose((by & 1) != 0, v >> 1, v);
    v = tl_int4_choose((by & 2) != 0, v >> 2, v);
    v = tl_int4_choose((by & 4) != 0, v >> 4, v);
    return tl_int4_choose((by & 8) != 0, v >> 8, v);
}

/* The upper 16 bits of products. */
TL_ALWAYS_INLINE tl_ushort8 tl_ushort8_multiply_upper(tl_ushort8 a, tl_ushort8 b)
{
#if defined(__SSE2__)
    return (tl_ushort8)_mm_mulhi_epu16((__m128i)a, (__m128i)b);
#else
    /* In 32 bits: of a loop over 16 bits gcc 12 makes wrong code for MIPS at -O2. */
    const tl_uint4 first = (tl_uint4){a[0], a[1], a[2], a[3]} * (tl_uint4){b[0], b[1], b[2], b[3]} >> 16;
    const tl_uint4 last = (tl_uint4){a[4], a[5], a[6], a[7]} * (tl_uint4){b[4], b[5], b[6], b[7]} >> 16;
    return (tl_ushort8){(uint16_t)first[0], (uint16_t)first[1], (uint16_t)first[2], (uint16_t)first[3],
                        (uint16_t)last[0],  (uint16_t)last[1],  (uint16_t)last[2],  (uint16_t)last[3]};
#endif
}

/* Differences, saturated at 0. */
TL_ALWAYS_INLINE tl_ushort8 tl_ushort8_excess(tl_ushort8 a, tl_ushort8 b)
{
#if defined(__SSE2__)
    return (tl_ushort8)_mm_subs_epu16((__m128i)a, (__m128i)b);
#else
    return (a - b) & (tl_ushort8)(a > b);
#endif
}

/* Sums, saturated at 255. */
TL_ALWAYS_INLINE tl_uchar16 tl_uchar16_add(tl_uchar16 a, tl_uchar16 b)
{
#if defined(__SSE2__)
    return (tl_uchar16)_mm_adds_epu8((__m128i)a, (__m128i)b);
#else
    const tl_uchar16 sum = a + b;
    return sum | (tl_uchar16)(sum < a);
#endif
}

TL_ALWAYS_INLINE tl_int4 tl_int4_load_bytes(const uint8_t from[4])
{
#if defined(__SSE2__)
    int32_t bytes;
    memcpy(&bytes, from, sizeof bytes);
    const __m128i words = _mm_unpacklo_epi8(_mm_cvtsi32_si128(bytes), _mm_setzero_si128());
    return (tl_int4)_mm_unpacklo_epi16(words, _mm_setzero_si128());
#else
    return (tl_int4){from[0], from[1], from[2], from[3]};
#endif
}

/* As bytes, of numbers from 0 to 255. Compilers generate longer code for it. */
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

/* Rows and columns of bytes exchanged: four of each. */
TL_ALWAYS_INLINE tl_uchar16 tl_uchar16_transpose(tl_uchar16 v)
{
#if defined(__clang__)
    return __builtin_shufflevector(v, v, 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
#elif defined(__SSE2__)
    const __m128i pairs = _mm_unpacklo_epi8((__m128i)v, _mm_unpackhi_epi64((__m128i)v, (__m128i)v)); /* 0 8, 1 9, ... */
    return (tl_uchar16)_mm_unpacklo_epi8(pairs, _mm_unpackhi_epi64(pairs, pairs));
#else
    return __builtin_shuffle(v, (tl_uchar16){0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15});
#endif
}

/* Pixels where a comparison's result is true; the others are anything, or stay as they are. `whole`: all of them are in
 * memory. */
TL_ALWAYS_INLINE tl_int4 tl_int4_load_masked(uint8_t (*first)[4], uint8_t (*last)[4], tl_int4 mask, bool whole)
{
    int32_t words[4] = {0, 0, 0, 0};
    (void)last;
    if (whole)
        memcpy(words, first, sizeof words);
    for (uint32_t k = 0, bits = tl_int4_bits(mask); !whole && k < 4; k++)
        if ((bits >> k & 1) != 0)
            memcpy(&words[k], first[k], sizeof words[k]);
    return tl_int4_load(words);
}

TL_ALWAYS_INLINE void tl_int4_store_masked(uint8_t (*first)[4], uint8_t (*last)[4], tl_int4 mask, bool whole, tl_int4 v)
{
    int32_t words[4];
    (void)last;
    if (whole) {
        memcpy(words, first, sizeof words);
        tl_int4_store(words, tl_int4_choose(mask, v, tl_int4_load(words)));
        memcpy(first, words, sizeof words);
        return;
    }
    tl_int4_store(words, v);
    for (uint32_t k = 0, bits = tl_int4_bits(mask); k < 4; k++)
        if ((bits >> k & 1) != 0)
            memcpy(first[k], &words[k], sizeof words[k]);
}

TL_ALWAYS_INLINE tl_int4 tl_int4_of_bytes(const uint8_t first[4], const uint8_t last[4])
{
    (void)last;
    return tl_int4_load_bytes(first);
}

TL_ALWAYS_INLINE void tl_int4_store_bytes_each(uint8_t first[4], uint8_t last[4], tl_int4 v)
{
    (void)last;
    tl_int4_store_bytes(first, v);
}

#endif
