/* sample_rotations.inc for processors with AVX2. */
#include "base/avx2.h"
#include "base/strict_float.h"
#include "model/sample_rotations.h"

#if TL_AVX2
#include "base/lanes.h"
#include "base/trig.h"
#include "base/trig_series.h"
#include <immintrin.h>
#include <math.h>
#include <string.h>

#define LANES(name)         name##_avx2
#define ALL_LANES(mask)     (_mm256_movemask_pd((__m256d)(mask)) == 15)
#define ROOTS_OF(from, to)  (*(to) = (tl_double4)_mm256_sqrt_pd((__m256d) * (from)))
#define LOAD_FLOATS(from)   ((tl_double4)_mm256_cvtps_pd(_mm_loadu_ps(from)))
#define TRANSPOSE(from, to) tl_avx2_transpose(from, to)
#define STORE_FLOATS(q, to) store_four_avx2(q, to)
TL_AVX2_BEGIN
#include "base/lanes_avx2.h"

static inline void store_four_avx2(const tl_double4 q[4], float *const to[TL_ROTATION_LANES])
{
    __m128 rows[4];
    for (int k = 0; k < 4; k++)
        rows[k] = _mm256_cvtpd_ps((__m256d)q[k]);
    _MM_TRANSPOSE4_PS(rows[0], rows[1], rows[2], rows[3]);
    for (int lane = 0; lane < TL_ROTATION_LANES; lane++)
        _mm_storeu_ps(to[lane], rows[lane]);
}

#include "model/sample_rotations.inc"
TL_AVX2_END
#endif

bool tl_sample_four_rotations_avx2(const tl_rotation_group *group, double rate, uint32_t steps)
{
#if TL_AVX2
    sample_four_avx2(group, rate, steps);
    return true;
#else
    (void)group, (void)rate, (void)steps;
    return false;
#endif
}
