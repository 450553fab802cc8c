/* rotation_codes.inc for processors with AVX2. */
#include "base/avx2.h"
#include "base/strict_float.h"
#include "formats/t3dm/animation/rotation_codes.h"

#if TL_AVX2
#include <immintrin.h>
#include <math.h>
#include <string.h>

#define LANES(name)        name##_avx2
#define LANE_BITS(mask)    _mm256_movemask_pd((__m256d) * (mask))
#define ROOTS_OF(from, to) (*(to) = (tl_double4)_mm256_sqrt_pd((__m256d) * (from)))
#define CLAMP_STEPS(v)                                                                                                 \
    ((tl_double4)_mm256_min_pd(_mm256_max_pd((__m256d)(v), _mm256_setzero_pd()), _mm256_set1_pd(SDATA_QUAT_STEPS)))
#define TRUNCATE(v)         ((tl_double4)_mm256_round_pd((__m256d)(v), _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC))
#define TRANSPOSE(from, to) tl_avx2_transpose(from, to)
TL_AVX2_BEGIN
#include "base/lanes_avx2.h"
#include "formats/t3dm/animation/rotation_codes.inc"
TL_AVX2_END

const t3dm_code_lanes *tl_t3dm_code_lanes_avx2(void)
{
    return &code_lanes_avx2;
}
#else
const t3dm_code_lanes *tl_t3dm_code_lanes_avx2(void)
{
    return NULL;
}
#endif
