/* Two vertices at a time: one in each half of a vector. */
#include "base/strict_float.h"
#include "formats/t3dm/decode/vertices.h"

#if TL_AVX2
#include <immintrin.h>

TL_AVX2_BEGIN

/* A byte of a half, or 0. Numbers of 16 bits go to the upper half of one of 32, in the order of this machine. */
#define UNPACK_ZERO           (char)0x80
#define UNPACK_BYTE(at)       (char)(at), UNPACK_ZERO, UNPACK_ZERO, UNPACK_ZERO
#define UNPACK_SHORT(at)      UNPACK_ZERO, UNPACK_ZERO, (char)((at) + 1), (char)(at)
#define UNPACK_HALVES(a, ...) _mm256_broadcastsi128_si256(_mm_setr_epi8(a, __VA_ARGS__))

/* Three floats of each of two vertices. The fourth is overwritten by those of the next vertex. */
static inline void unpack_store_threes(float (*to)[3], __m256 two)
{
    _mm_storeu_ps(to[0], _mm256_castps256_ps128(two));
    _mm_storeu_ps(to[1], _mm256_extractf128_ps(two, 1));
}

uint32_t tl_t3dm_unpack_avx2(const t3dm_mesh_vertex *vertices, uint32_t count, const t3dm_uv_scales *uv,
                             const t3dm_vertex_arrays *to)
{
    const __m256i position_bytes = UNPACK_HALVES(UNPACK_SHORT(0), UNPACK_SHORT(2), UNPACK_SHORT(4), UNPACK_BYTE(0)),
                  normal_bytes = UNPACK_HALVES(UNPACK_SHORT(6), UNPACK_SHORT(6), UNPACK_SHORT(6), UNPACK_BYTE(0)),
                  color_bytes = UNPACK_HALVES(UNPACK_BYTE(8), UNPACK_BYTE(9), UNPACK_BYTE(10), UNPACK_BYTE(11)),
                  uv_bytes = UNPACK_HALVES(UNPACK_SHORT(12), UNPACK_SHORT(14), UNPACK_BYTE(0), UNPACK_BYTE(0));
    const __m256i normal_shifts = _mm256_setr_epi32(0, 5, 11, 0, 0, 5, 11, 0),
                  normal_masks = _mm256_set1_epi64x((int64_t)0xFC000000F8000000u);
    const __m256 normal_scale = _mm256_set1_ps(1.0f / 2147483648.0f), color_scale = _mm256_set1_ps(255);
    const __m256d units = _mm256_setr_pd(uv->u, uv->v, uv->u, uv->v), shift = _mm256_set1_pd(uv->shift),
                  inverse = _mm256_div_pd(_mm256_set1_pd(1), units);
    const bool exact = uv->exact;
    uint32_t i = 0;
    for (; i + 2 < count; i += 2) { /* one more is there, so that four floats can be stored for three */
        const __m256i two = _mm256_inserti128_si256(
            _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)vertices[i].words)),
            _mm_loadu_si128((const __m128i *)(const void *)vertices[i + 1].words), 1);
        const __m256i position = _mm256_srai_epi32(_mm256_shuffle_epi8(two, position_bytes), 16);
        unpack_store_threes(to->positions + i, _mm256_cvtepi32_ps(position));
        const __m256i normal =
            _mm256_and_si256(_mm256_sllv_epi32(_mm256_shuffle_epi8(two, normal_bytes), normal_shifts), normal_masks);
        unpack_store_threes(to->normals + i, _mm256_mul_ps(_mm256_cvtepi32_ps(normal), normal_scale));
        const __m256 color = _mm256_cvtepi32_ps(_mm256_shuffle_epi8(two, color_bytes));
        _mm256_storeu_ps(to->colors[i], _mm256_div_ps(color, color_scale));
        const __m256i pairs = _mm256_permute4x64_epi64(_mm256_shuffle_epi8(two, uv_bytes), _MM_SHUFFLE(3, 1, 2, 0));
        const __m256d st = _mm256_cvtepi32_pd(_mm_srai_epi32(_mm256_castsi256_si128(pairs), 16)) + shift;
        _mm_storeu_ps(to->uvs[i], _mm256_cvtpd_ps(exact ? st * inverse : st / units));
    }
    return i;
}

TL_AVX2_END
#endif
