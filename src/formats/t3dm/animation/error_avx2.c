/* error.inc for processors with AVX2. */
#include "base/avx2.h"
#include "base/strict_float.h"
#include "formats/t3dm/animation/error.h"

#if TL_AVX2
#include "formats/t3dm/decode/sdata.h"
#include <immintrin.h>
#include <math.h>
#include <string.h>

#define LANES(name)         name##_avx2
#define ANY_LANE(mask)      (_mm256_movemask_pd((__m256d)(mask)) != 0)
#define ROOTS_OF(from, to)  (*(to) = (tl_double4)_mm256_sqrt_pd((__m256d) * (from)))
#define ROUND_TO_FLOAT(v)   (*(v) = (tl_double4)_mm256_cvtps_pd(_mm256_cvtpd_ps((__m256d) * (v))))
#define LOAD_FLOATS(from)   ((tl_double4)_mm256_cvtps_pd(_mm_loadu_ps(from)))
#define TRANSPOSE(from, to) tl_avx2_transpose(from, to)
TL_AVX2_BEGIN
#include "base/lanes_avx2.h"
#include "formats/t3dm/animation/error.inc"
TL_AVX2_END

const t3dm_pose_lanes *tl_t3dm_pose_lanes_avx2(void)
{
    return &pose_lanes_avx2;
}
#else
const t3dm_pose_lanes *tl_t3dm_pose_lanes_avx2(void)
{
    return NULL;
}
#endif
