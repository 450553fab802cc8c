/* The traversal for AVX2: a vector has all children of a node. */
#include "base/avx2.h"
#include "base/strict_float.h"
#include "query/ray_steps.h"

#if TL_AVX2
#include <immintrin.h>

TL_AVX2_BEGIN

TL_FLOAT4_INLINE __m256 ray_planes(const uint8_t planes[TL_QUERY_WIDTH])
{
    return _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)planes)));
}

/* As ray_enter of ray.c. */
TL_FLOAT4_INLINE unsigned ray_enter_avx2(const tl_query_node *node, const tl_ray *r, float limit,
                                         float enters[TL_QUERY_WIDTH])
{
    __m256 enter = _mm256_setzero_ps(), leave = _mm256_set1_ps(limit);
    for (int k = 0; k < 3; k++) {
        const __m256 inverse = _mm256_broadcast_ss(&r->inverse[k]),
                     low = _mm256_mul_ps(_mm256_broadcast_ss(&node->box.at[k]), inverse),
                     step = _mm256_mul_ps(_mm256_broadcast_ss(&node->step[k]), inverse),
                     near = _mm256_sub_ps(low, _mm256_broadcast_ss(&r->before[k])),
                     far = _mm256_sub_ps(low, _mm256_broadcast_ss(&r->behind[k]));
        enter = _mm256_max_ps(_mm256_add_ps(_mm256_mul_ps(ray_planes(node->planes[r->near[k]]), step), near), enter);
        leave = _mm256_min_ps(_mm256_add_ps(_mm256_mul_ps(ray_planes(node->planes[r->far[k]]), step), far), leave);
    }
    _mm256_storeu_ps(enters, enter);
    return (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(enter, leave, _CMP_LE_OQ));
}

#define RAY_ENTER    ray_enter_avx2
#define RAY_TRAVERSE tl_ray_traverse_avx2
#include "query/ray_traverse.inc"
#undef RAY_ENTER
#undef RAY_TRAVERSE

TL_AVX2_END

#endif
