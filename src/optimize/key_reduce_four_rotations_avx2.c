/* key_reduce_four_rotations.inc for processors with AVX2. */
#include "optimize/key_reduce_tiny3d.h"

#include "base/avx2.h"
#include "base/trig_series.h"

#if TL_AVX2
#include <immintrin.h>

#define LANES(name)         name##_avx2
#define LANE_BITS(mask)     _mm256_movemask_pd((__m256d) * (mask))
#define ROOTS_OF(from, to)  (*(to) = (tl_double4)_mm256_sqrt_pd((__m256d) * (from)))
#define TO_FLOATS(v)        ((tl_float4)_mm256_cvtpd_ps((__m256d)(v)))
#define TO_DOUBLES(v)       ((tl_double4)_mm256_cvtps_pd((__m128)(v)))
#define TRANSPOSE(from, to) tl_avx2_transpose(from, to)
#define TRANSPOSE_FLOATS(v) _MM_TRANSPOSE4_PS((v)[0], (v)[1], (v)[2], (v)[3])
TL_AVX2_BEGIN
#include "base/lanes_avx2.h"
#include "optimize/key_reduce_four_rotations.inc"
TL_AVX2_END
#endif

bool tl_slerp_sample_four_avx2(const tl_slerp_steps *steps, const float *const values[TL_SLERP_LANES],
                               double (*const out[TL_SLERP_LANES])[4])
{
#if TL_AVX2
    slerp_sample_four_avx2(steps, values, out);
    return true;
#else
    (void)steps, (void)values, (void)out;
    return false;
#endif
}

bool tl_reduce_four_rotations_like_tiny3d_avx2(const tiny3d_reduction r[TL_SLERP_LANES],
                                               uint32_t *const samples[TL_SLERP_LANES], uint32_t kept[TL_SLERP_LANES])
{
#if TL_AVX2
    reduce_four_rotations_avx2(r, samples, kept);
    return true;
#else
    (void)r, (void)samples, (void)kept;
    return false;
#endif
}
