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
#define UNPACK(code, to)    unpack_rotation_avx2(code, to)
#define TRANSPOSE(from, to) tl_avx2_transpose(from, to)
TL_AVX2_BEGIN
#include "base/lanes_avx2.h"

/* Each component in its lane, with the same roundings. */
static inline void unpack_rotation_avx2(uint32_t code, tl_double4 *to)
{
    /* Components follow the one that is left out, which is last here. */
    static const int32_t places[4][4] = {{3, 0, 1, 2}, {2, 3, 0, 1}, {1, 2, 3, 0}, {0, 1, 2, 3}};
    const __m128i shifts = _mm_setr_epi32(2 * SDATA_QUAT_BITS, SDATA_QUAT_BITS, 0, 0);
    const __m128i steps =
        _mm_and_si128(_mm_srlv_epi32(_mm_set1_epi32((int)code), shifts), _mm_set1_epi32(SDATA_QUAT_STEPS));
    const __m128 parts = _mm_div_ps(_mm_cvtepi32_ps(steps), _mm_set1_ps((float)SDATA_QUAT_STEPS));
    const __m128 values =
        _mm_sub_ps(_mm_mul_ps(parts, _mm_set1_ps((float)SDATA_QUAT_SPAN)), _mm_set1_ps((float)SDATA_QUAT_HALF));
    float squares[4];
    _mm_storeu_ps(squares, _mm_mul_ps(values, values));
    const float rest = 1 - squares[0] - squares[1] - squares[2];
    if (rest < 0) { /* no rotation gives such bits */
        const trilo_quat q = tl_sdata_unpack_quat(code);
        *to = (tl_double4){q.x, q.y, q.z, q.w};
        return;
    }
    const __m128 all = _mm_insert_ps(values, _mm_sqrt_ss(_mm_set_ss(rest)), 0x30);
    const __m128i order = _mm_loadu_si128((const __m128i *)(const void *)places[code >> SDATA_QUAT_LARGEST]);
    *to = (tl_double4)_mm256_cvtps_pd(_mm_permutevar_ps(all, order));
}
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
