/* Four pairs at a time: two in each of two vectors. */
#include "formats/t3dm/decode/pair_box.h"

#if TL_AVX2
#include <immintrin.h>

TL_AVX2_BEGIN

static inline __m128i box_load(const void *from)
{
    return _mm_loadu_si128((const __m128i *)from);
}

static inline __m256i box_load_two(const uint8_t *first, const uint8_t *second)
{
    return _mm256_inserti128_si256(_mm256_castsi128_si256(box_load(first)), box_load(second), 1);
}

void tl_t3dm_extend_box_avx2(t3dm_pair_box *box, const uint8_t *pairs, size_t count, size_t size)
{
    const __m256i swap =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14));
    __m256i min = _mm256_broadcastsi128_si256(box_load(box->min)),
            max = _mm256_broadcastsi128_si256(box_load(box->max));
    __m256i other_min = min, other_max = max;
    for (; count >= 4; count -= 4, pairs += 4 * size) {
        const __m256i a = _mm256_shuffle_epi8(box_load_two(pairs, pairs + size), swap),
                      b = _mm256_shuffle_epi8(box_load_two(pairs + 2 * size, pairs + 3 * size), swap);
        min = _mm256_min_epi16(min, a);
        max = _mm256_max_epi16(max, a);
        other_min = _mm256_min_epi16(other_min, b);
        other_max = _mm256_max_epi16(other_max, b);
    }
    for (; count > 0; count--, pairs += size) {
        const __m256i a = _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(box_load(pairs)), swap);
        min = _mm256_min_epi16(min, a);
        max = _mm256_max_epi16(max, a);
    }
    min = _mm256_min_epi16(min, other_min);
    max = _mm256_max_epi16(max, other_max);
    _mm_storeu_si128((__m128i *)(void *)box->min,
                     _mm_min_epi16(_mm256_castsi256_si128(min), _mm256_extracti128_si256(min, 1)));
    _mm_storeu_si128((__m128i *)(void *)box->max,
                     _mm_max_epi16(_mm256_castsi256_si128(max), _mm256_extracti128_si256(max, 1)));
}

TL_AVX2_END
#endif
