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

/* From element WIDE_LANES - n on, n lanes are set. */
static const uint16_t wide_masks[2 * WIDE_LANES] = {0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF,
                                                    0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF};

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
    const uint8_t *first = strip->bytes, *at = first, *last = first + 2 * (size_t)(strip->count - 1);
    uint32_t left = strip->count - 2;
    const __m256i zero = _mm256_setzero_si256();
    wide_lanes s = {zero, zero, zero, zero, zero};
    int32_t two;
    memcpy(&two, first, sizeof two); /* are not last corners */
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
        s = wide_scan(s, at, wide_load(wide_masks + WIDE_LANES - left));
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

/* --- all strips of a part --- */

/* Of all strips so far, in each lane. */
typedef struct wide_sums {
    __m256i wrong;    /* any of WIDE_WRONG: bits that no index has, or a flag too near to another */
    __m256i above;    /* negative: a slot above the limit */
    __m256i counts;   /* degenerate triangles, and from bit 7 on restarts */
    __m256i slots[3]; /* lanes of 32 bits: slots 32 k to 32 k + 31 */
} wide_sums;

enum { WIDE_NO_INDEX = 0x807F, WIDE_FLAG = 0x80, WIDE_WRONG = WIDE_NO_INDEX | WIDE_FLAG };

/* One slot in each lane of 32 bits. A shift by 32 or more, also by a difference below 0, gives 0. */
static inline void wide_add_slots(__m256i slots[3], __m256i numbers)
{
    const __m256i one = _mm256_set1_epi32(1);
    for (int k = 0; k < 3; k++)
        slots[k] =
            _mm256_or_si256(slots[k], _mm256_sllv_epi32(one, _mm256_sub_epi32(numbers, _mm256_set1_epi32(32 * k))));
}

/* The slots of sixteen indices. */
static inline void wide_add_indices(__m256i slots[3], __m256i indices)
{
    wide_add_slots(slots, _mm256_srli_epi32(_mm256_slli_epi32(indices, 16), 24));
    wide_add_slots(slots, _mm256_srli_epi32(indices, 24));
}

/* As wide_scan. Slots are the upper bytes of lanes, where they are compared: what is below does not matter there.
 * `room` makes those above the limit negative. Slot 255 of the lanes outside of `mask` is in none of the sets. */
static inline void wide_sum_up(wide_sums *s, const uint8_t *at, __m256i mask, __m256i room)
{
    const __m256i a = wide_load(at), b = wide_load(at + 2), c = _mm256_and_si256(wide_load(at + 4), mask);
    const __m256i equal =
        _mm256_or_si256(_mm256_or_si256(_mm256_cmpeq_epi8(a, b), _mm256_cmpeq_epi8(b, c)), _mm256_cmpeq_epi8(c, a));
    const __m256i starts = _mm256_slli_epi16(_mm256_or_si256(b, c), 8); /* negative: no triangle ends here */
    const __m256i degenerate = _mm256_and_si256(_mm256_andnot_si256(starts, equal), mask);
    const __m256i near = _mm256_or_si256(_mm256_or_si256(a, b), _mm256_set1_epi16((int16_t)WIDE_NO_INDEX));
    s->wrong = _mm256_or_si256(s->wrong, _mm256_and_si256(c, near));
    s->above = _mm256_or_si256(s->above, _mm256_add_epi16(c, room));
    s->counts = _mm256_add_epi16(s->counts, _mm256_or_si256(_mm256_and_si256(c, _mm256_set1_epi16(WIDE_FLAG)),
                                                            _mm256_srli_epi16(degenerate, 15)));
    wide_add_indices(s->slots, _mm256_or_si256(c, _mm256_xor_si256(mask, _mm256_set1_epi16(-1))));
}

/* The indices after the first two. */
static inline void wide_sum_strip(wide_sums *s, const t3dm_strip *strip, __m256i room, const uint8_t *end)
{
    const uint8_t *at = strip->bytes;
    uint32_t left = strip->count - 2;
    uint8_t copy[WIDE_WINDOW];
    for (; left >= WIDE_LANES; left -= WIDE_LANES, at += 2 * WIDE_LANES)
        wide_sum_up(s, at, _mm256_set1_epi16(-1), room);
    if (left == 0)
        return;
    if (end - at < WIDE_WINDOW) { /* bytes after the strip are read only up to `end` */
        memset(copy, 0, sizeof copy);
        at = memcpy(copy, at, 2 * (size_t)(left + 2));
    }
    wide_sum_up(s, at, wide_load(wide_masks + WIDE_LANES - left), room);
}

/* Or of all lanes. */
static inline t3dm_slot_set wide_slots(const __m256i slots[3])
{
    const __m256i low =
        _mm256_or_si256(_mm256_unpacklo_epi32(slots[0], slots[1]), _mm256_unpackhi_epi32(slots[0], slots[1]));
    const __m256i high =
        _mm256_or_si256(_mm256_and_si256(slots[2], _mm256_set1_epi64x(UINT32_MAX)), _mm256_srli_epi64(slots[2], 32));
    const __m256i both = _mm256_or_si256(_mm256_unpacklo_epi64(low, high), _mm256_unpackhi_epi64(low, high));
    t3dm_slot_set set;
    _mm_storeu_si128((__m128i *)(void *)set.words,
                     _mm_or_si128(_mm256_castsi256_si128(both), _mm256_extracti128_si256(both, 1)));
    return set;
}

/* In a lane, four strips of 255 indices have at most 64 of what is counted. */
bool tl_t3dm_sum_avx2(const t3dm_strip *strips, const uint8_t *limits, uint32_t count, const uint8_t *end,
                      t3dm_strips_sum *sum)
{
    const __m256i zero = _mm256_setzero_si256();
    wide_sums s = {zero, zero, zero, {zero, zero, zero}};
    uint32_t limit = limits[0], flags = 0;
    int32_t firsts[T3DM_STRIPS]; /* the first two indices of each strip, which are not last corners */
    for (uint32_t i = 0; i < T3DM_STRIPS; i++)
        memcpy(&firsts[i], strips[i < count ? i : 0].bytes, sizeof firsts[0]);
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *first = strips[i].bytes, *last = first + 2 * (size_t)(strips[i].count - 1);
        limit = limits[i] < limit ? limits[i] : limit; /* strips before it count as well */
        const __m256i room = _mm256_set1_epi16((int16_t)((0x7F - limit) << 8));
        const __m256i two = _mm256_zextsi128_si256(_mm_cvtsi32_si128(firsts[i]));
        s.wrong = _mm256_or_si256(s.wrong, _mm256_and_si256(two, _mm256_set1_epi16((int16_t)WIDE_NO_INDEX)));
        s.above = _mm256_or_si256(s.above, _mm256_add_epi16(two, room));
        wide_sum_strip(&s, &strips[i], room, end);
        flags |= (uint32_t)first[2] | first[4] | last[-2] | last[0];
    }
    if (!_mm256_testz_si256(s.wrong, _mm256_set1_epi16((int16_t)WIDE_WRONG)) ||
        !_mm256_testz_si256(s.above, _mm256_set1_epi16(INT16_MIN)) || (flags & 0x80) != 0)
        return false;
    const __m128i all = _mm_loadu_si128((const __m128i *)(const void *)firsts);
    wide_add_indices(s.slots, _mm256_set_m128i(all, all));
    sum->slots = wide_slots(s.slots);
    sum->restarts = wide_sum(_mm256_srli_epi16(s.counts, 7));
    sum->degenerate = wide_sum(_mm256_and_si256(s.counts, _mm256_set1_epi16(0x7F)));
    return true;
}

TL_AVX2_END
#endif
