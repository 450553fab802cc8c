/* lanes_avx2.h: four doubles as one vector. To be included between TL_AVX2_BEGIN and TL_AVX2_END (base/avx2.h), after
 * immintrin.h.
 */
#ifndef TL_BASE_LANES_AVX2_H
#define TL_BASE_LANES_AVX2_H

#include "base/lanes.h"

/* As tl_double4_transpose. */
static inline void tl_avx2_transpose(const tl_double4 from[4], tl_double4 to[4])
{
    const __m256d a = (__m256d)from[0], b = (__m256d)from[1], c = (__m256d)from[2], d = (__m256d)from[3];
    const __m256d ab_even = _mm256_unpacklo_pd(a, b), ab_odd = _mm256_unpackhi_pd(a, b);
    const __m256d cd_even = _mm256_unpacklo_pd(c, d), cd_odd = _mm256_unpackhi_pd(c, d);
    to[0] = (tl_double4)_mm256_permute2f128_pd(ab_even, cd_even, 0x20);
    to[1] = (tl_double4)_mm256_permute2f128_pd(ab_odd, cd_odd, 0x20);
    to[2] = (tl_double4)_mm256_permute2f128_pd(ab_even, cd_even, 0x31);
    to[3] = (tl_double4)_mm256_permute2f128_pd(ab_odd, cd_odd, 0x31);
}

#endif
