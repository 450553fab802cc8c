/* The scan of strip_scan.c, sixteen indices at a time. */
#include "formats/t3dm/decode/strip_scan.h"

#if TL_AVX2
#include <immintrin.h>
#include <string.h>

TL_AVX2_BEGIN

enum { WIDE_LANES = 16, WIDE_WINDOW = 2 * (WIDE_LANES + 2) /* bytes of sixteen triangles */ };

/* Of what was scanned so far, in each lane; indices as this machine loads them: the flag is bit 7, a slot is above. */
typedef struct wide_lanes {
    __m256i bits, too_near, restarts, highest, degenerate;
} wide_lanes;

static inline __m256i wide_load(const void *from)
{
    return _mm256_loadu_si256((const __m256i *)from);
}

/* The indices after the first two at `at`, as the last corners of triangles; those outside of `mask` do not count. */
static inline wide_lanes wide_scan(wide_lanes s, const uint8_t *at, __m256i mask)
{
    const __m256i flag = _mm256_set1_epi16(0x80);
    const __m256i a = wide_load(at), b = wide_load(at + 2), c = _mm256_and_si256(wide_load(at + 4), mask);
    const __m256i x = _mm256_andnot_si256(flag, a), y = _mm256_andnot_si256(flag, b), z = _mm256_andnot_si256(flag, c);
    const __m256i flags = _mm256_and_si256(c, flag);
    const __m256i equal =
        _mm256_or_si256(_mm256_or_si256(_mm256_cmpeq_epi16(x, y), _mm256_cmpeq_epi16(y, z)), _mm256_cmpeq_epi16(z, x));
    const __m256i starts = _mm256_slli_epi16(_mm256_or_si256(b, c), 8); /* negative: no triangle ends here */
    s.bits = _mm256_or_si256(s.bits, c);
    s.too_near = _mm256_or_si256(s.too_near, _mm256_and_si256(flags, _mm256_or_si256(a, b)));
    s.restarts = _mm256_add_epi16(s.restarts, flags);
    s.degenerate = _mm256_sub_epi16(s.degenerate,
                                    _mm256_and_si256(_mm256_andnot_si256(_mm256_srai_epi16(starts, 15), equal), mask));
    s.highest = _mm256_max_epi16(s.highest, z);
    return s;
}

static inline uint32_t wide_highest(__m256i lanes)
{
    const __m128i half = _mm_max_epi16(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256(lanes, 1));
    const __m128i least = _mm_minpos_epu16(_mm_xor_si128(half, _mm_set1_epi16(-1)));
    return (uint16_t)~_mm_extract_epi16(least, 0);
}

static inline uint32_t wide_sum(__m256i lanes)
{
    const __m128i half = _mm_add_epi16(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256(lanes, 1));
    const __m128i fours = _mm_madd_epi16(half, _mm_set1_epi16(1));
    const __m128i twos = _mm_add_epi32(fours, _mm_unpackhi_epi64(fours, fours));
    return (uint32_t)_mm_cvtsi128_si32(_mm_add_epi32(twos, _mm_srli_epi64(twos, 32)));
}

bool tl_t3dm_scan_avx2(const t3dm_strip *strip, const uint8_t *end, t3dm_strip_facts *facts)
{
    static const uint16_t masks[2 * WIDE_LANES] = {0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF,
                                                   0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF};
    const uint8_t *first = strip->bytes, *at = first, *last = first + 2 * (size_t)(strip->count - 1);
    uint32_t left = strip->count - 2;
    const __m256i zero = _mm256_setzero_si256();
    wide_lanes s = {zero, zero, zero, zero, zero};
    int32_t two;
    memcpy(&two, first, sizeof two); /* are no last corners */
    s.bits = _mm256_insert_epi32(zero, two, 0);
    s.highest = _mm256_andnot_si256(_mm256_set1_epi16(0x80), s.bits);
    for (; left >= WIDE_LANES; left -= WIDE_LANES, at += 2 * WIDE_LANES)
        s = wide_scan(s, at, _mm256_set1_epi16(-1));
    uint8_t copy[WIDE_WINDOW];
    if (left > 0 && end - at < WIDE_WINDOW) { /* bytes after the strip are read only up to `end` */
        memset(copy, 0, sizeof copy);
        at = memcpy(copy, at, 2 * (size_t)(left + 2));
    }
    if (left > 0)
        s = wide_scan(s, at, wide_load(masks + WIDE_LANES - left));
    if (!_mm256_testz_si256(s.bits, _mm256_set1_epi16((int16_t)0x807F)))
        return false;
    const bool odd_flag = ((first[2] | first[4] | last[-2] | last[0]) & 0x80) != 0;
    /* Both numbers are below 2^8. */
    const uint32_t sums =
        wide_sum(_mm256_or_si256(_mm256_srli_epi16(s.restarts, 7), _mm256_slli_epi16(s.degenerate, 8)));
    *facts = (t3dm_strip_facts){wide_highest(s.highest) >> 8, sums & 0xFF, sums >> 8,
                                !odd_flag && _mm256_testz_si256(s.too_near, _mm256_set1_epi16(0x80))};
    return true;
}

TL_AVX2_END
#endif
