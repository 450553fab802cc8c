/* Culling, eight triangles at a time. */
#include "base/strict_float.h"

#include "raster/console/cull.h"
#include "raster/vector_x2.h"

#include <stddef.h>

#if TL_AVX2
#include <immintrin.h>

/* Vertices are gathered by offsets that are multiples of 8 bytes. */
enum { CULL_VERTEX_STEP = sizeof(tl_console_vertex) / 8 };

TL_AVX2_BEGIN

/* The codes of the vertices at these offsets. */
static inline __m256i cull_gather_codes(const tl_console_vertex *vertices, __m256i offsets)
{
    const char *first = (const char *)vertices + offsetof(tl_console_vertex, outside);
    return _mm256_i32gather_epi32((const int *)(const void *)first, offsets, 8);
}

/* Where they are on the screen. */
static inline void cull_gather_screen(const tl_console_vertex *vertices, __m256i offsets, __m256i *x, __m256i *y)
{
    const char *at = (const char *)vertices + offsetof(tl_console_vertex, screen_x);
    const __m256i order = _mm256_permute4x64_epi64(offsets, _MM_SHUFFLE(3, 1, 2, 0)); /* 0 1 4 5, 2 3 6 7 */
    const long long *pairs = (const long long *)(const void *)at;
    const __m256 a = _mm256_castsi256_ps(_mm256_i32gather_epi64(pairs, _mm256_castsi256_si128(order), 8)),
                 b = _mm256_castsi256_ps(_mm256_i32gather_epi64(pairs, _mm256_extracti128_si256(order, 1), 8));
    *x = _mm256_castps_si256(_mm256_shuffle_ps(a, b, _MM_SHUFFLE(2, 0, 2, 0)));
    *y = _mm256_castps_si256(_mm256_shuffle_ps(a, b, _MM_SHUFFLE(3, 1, 3, 1)));
}

/* A bit for each of four that is greater than 0, or less: the area of a triangle, whose products doubles hold. */
static inline void cull_sides(const __m128i x[2], const __m128i y[2], uint32_t *front, uint32_t *back)
{
    const __m256d area =
        _mm256_cvtepi32_pd(x[0]) * _mm256_cvtepi32_pd(y[1]) - _mm256_cvtepi32_pd(x[1]) * _mm256_cvtepi32_pd(y[0]);
    *front = (uint32_t)_mm256_movemask_pd(_mm256_cmp_pd(area, _mm256_setzero_pd(), _CMP_LT_OQ));
    *back = (uint32_t)_mm256_movemask_pd(_mm256_cmp_pd(area, _mm256_setzero_pd(), _CMP_GT_OQ));
}

/* Those that show a side that the material has. Corners are where tl_triangle_culled has them. */
static inline uint32_t cull_sides_seen(const tl_pipeline_state *material, const __m256i x[3], const __m256i y[3])
{
    const __m256i dx[2] = {_mm256_sub_epi32(x[1], x[0]), _mm256_sub_epi32(x[2], x[0])},
                  dy[2] = {_mm256_sub_epi32(y[1], y[0]), _mm256_sub_epi32(y[2], y[0])};
    const __m128i first_x[2] = {_mm256_castsi256_si128(dx[0]), _mm256_castsi256_si128(dx[1])},
                  first_y[2] = {_mm256_castsi256_si128(dy[0]), _mm256_castsi256_si128(dy[1])},
                  last_x[2] = {_mm256_extracti128_si256(dx[0], 1), _mm256_extracti128_si256(dx[1], 1)},
                  last_y[2] = {_mm256_extracti128_si256(dy[0], 1), _mm256_extracti128_si256(dy[1], 1)};
    uint32_t front[2], back[2];
    cull_sides(first_x, first_y, &front[0], &back[0]);
    cull_sides(last_x, last_y, &front[1], &back[1]);
    return (material->cull_front ? 0 : front[0] | front[1] << 4) | (material->cull_back ? 0 : back[0] | back[1] << 4);
}

uint32_t tl_triangles_seen_avx2(const tl_cull_mesh *mesh, const uint32_t *indices)
{
    _Static_assert(sizeof(tl_console_vertex) % 8 == 0, "");
    _Static_assert(offsetof(tl_console_vertex, clip) == offsetof(tl_console_vertex, outside) + 1 &&
                       offsetof(tl_console_vertex, invalid) == offsetof(tl_console_vertex, outside) + 2 &&
                       offsetof(tl_console_vertex, screen_y) == offsetof(tl_console_vertex, screen_x) + 4,
                   "");
    const __m256i zero = _mm256_setzero_si256();
    __m256i x[3], y[3], all = _mm256_set1_epi32(-1), any = zero;
    tl_real4x2 corners[3];
    tl_real4x2_load_threes(indices, corners);
    for (int k = 0; k < 3; k++) {
        const int corner = mesh->mirrored && k > 0 ? 3 - k : k;
        const __m256i offsets = _mm256_mullo_epi32((__m256i)corners[corner], _mm256_set1_epi32(CULL_VERTEX_STEP));
        const __m256i codes = cull_gather_codes(mesh->vertices, offsets);
        cull_gather_screen(mesh->vertices, offsets, &x[k], &y[k]);
        all = _mm256_and_si256(all, codes);
        any = _mm256_or_si256(any, codes);
    }
    const __m256i hidden = _mm256_or_si256(_mm256_and_si256(all, _mm256_set1_epi32(0xFF)),
                                           _mm256_and_si256(any, _mm256_set1_epi32(0xFF0000)));
    const __m256i inside = _mm256_cmpeq_epi32(_mm256_and_si256(any, _mm256_set1_epi32(0xFF00)), zero);
    const uint32_t maybe = (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(hidden, zero))),
                   clipped = ~(uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(inside));
    return maybe & (clipped | cull_sides_seen(mesh->material, x, y));
}

TL_AVX2_END
#endif
