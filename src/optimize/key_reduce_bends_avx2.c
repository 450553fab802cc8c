/* key_reduce_bends.inc for processors with AVX2. */
#include "optimize/key_reduce_bends.h"

#include "base/avx2.h"

#if TL_AVX2
#include <immintrin.h>

#define LANES(name)         name##_avx2
#define LOAD_TICKS(from)    _mm_loadu_si128((const __m128i *)(const void *)(from))
#define TICKS_BETWEEN(a, b) ((tl_double4)_mm256_cvtepi32_pd(_mm_sub_epi32(LOAD_TICKS(b), LOAD_TICKS(a))))
#define ROOTS_OF(from, to)  (*(to) = (tl_double4)_mm256_sqrt_pd((__m256d) * (from)))
#define TRANSPOSE(from, to) tl_avx2_transpose(from, to)
TL_AVX2_BEGIN
#include "base/lanes_avx2.h"
#include "optimize/key_reduce_bends.inc"
TL_AVX2_END

tl_find_four_bends_fn *tl_find_four_bends_avx2(void)
{
    return find_four_bends_avx2;
}
#else
tl_find_four_bends_fn *tl_find_four_bends_avx2(void)
{
    return NULL;
}
#endif
