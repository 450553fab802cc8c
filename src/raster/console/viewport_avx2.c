/* Transforms vertices to the screen, four at a time: the arithmetic of viewport.c. */
#include "base/strict_float.h"

#include "raster/console/vertex.h"

#if TL_AVX2
#include <immintrin.h>

TL_AVX2_BEGIN

/* x, y, z or w of four vertices in clip space. */
static inline __m256d viewport_clip(const tl_console_view *view, int row, __m256d x, __m256d y, __m256d z)
{
    const __m256d a = _mm256_set1_pd(view->to_clip[0][row]) * x, b = _mm256_set1_pd(view->to_clip[1][row]) * y,
                  c = _mm256_set1_pd(view->to_clip[2][row]) * z;
    return a + b + c + _mm256_set1_pd(view->to_clip[3][row]);
}

/* Whole numbers below 2^52 as integers of 64 bits: the lower bits of 2^52 more. */
#define VIEWPORT_INTEGERS 4503599627370496.0

static inline __m256i viewport_integers(__m256d v)
{
    const __m256d base = _mm256_set1_pd(VIEWPORT_INTEGERS);
    return _mm256_xor_si256(_mm256_castpd_si256(v + base), _mm256_castpd_si256(base));
}

static inline __m256d viewport_doubles(__m256i v)
{
    const __m256d base = _mm256_set1_pd(VIEWPORT_INTEGERS);
    return _mm256_castsi256_pd(_mm256_or_si256(v, _mm256_castpd_si256(base))) - base;
}

/* tl_rsp_reciprocal of numbers from 1 to 2^32 - 1. As a double, such a number has the position of its highest set
 * bit as its exponent, and the index into the table below it. */
static inline __m256i viewport_reciprocals(__m256i value)
{
    const __m256i bits = _mm256_castpd_si256(viewport_doubles(value));
    const __m256i highest = _mm256_sub_epi64(_mm256_srli_epi64(bits, 52), _mm256_set1_epi64x(1023));
    const __m256i index = _mm256_and_si256(_mm256_srli_epi64(bits, 43), _mm256_set1_epi64x(0x1FF));
    const __m256i divisor = _mm256_add_epi64(index, _mm256_set1_epi64x(512));
    const __m256i dividend = _mm256_add_epi64(_mm256_srli_epi64(divisor, 8), _mm256_set1_epi64x(1 << 26));
    const __m256d quotient = _mm256_floor_pd(viewport_doubles(dividend) / viewport_doubles(divisor));
    const __m256i entry = viewport_integers(_mm256_min_pd(quotient, _mm256_set1_pd(0x1FFFF)));
    return _mm256_srlv_epi64(_mm256_slli_epi64(entry, 14), highest);
}

/* The lower halves of four numbers of 64 bits. */
static inline __m128i viewport_narrow(__m256i v)
{
    const __m256i even = _mm256_permutevar8x32_epi32(v, _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6));
    return _mm256_castsi256_si128(even);
}

static inline __m128i viewport_floor4(__m256d value)
{
    const __m256d most = _mm256_set1_pd(1 << 18), limited = _mm256_max_pd(_mm256_min_pd(most, value), -most);
    return _mm256_cvttpd_epi32(_mm256_floor_pd(limited));
}

/* What tl_console_vertex has of the clip space. */
static inline void viewport_store_clip(tl_console_vertex out[4], __m256d x, __m256d y, __m256d z, __m256d w)
{
    const __m256d xy_even = _mm256_unpacklo_pd(x, y), xy_odd = _mm256_unpackhi_pd(x, y),
                  zw_even = _mm256_unpacklo_pd(z, w), zw_odd = _mm256_unpackhi_pd(z, w);
    _mm256_storeu_pd(&out[0].x, _mm256_permute2f128_pd(xy_even, zw_even, 0x20));
    _mm256_storeu_pd(&out[1].x, _mm256_permute2f128_pd(xy_odd, zw_odd, 0x20));
    _mm256_storeu_pd(&out[2].x, _mm256_permute2f128_pd(xy_even, zw_even, 0x31));
    _mm256_storeu_pd(&out[3].x, _mm256_permute2f128_pd(xy_odd, zw_odd, 0x31));
}

/* And of the screen. */
static inline void viewport_store_screen(tl_console_vertex out[4], __m128i x, __m128i y, __m128i depth,
                                         __m128i scaled_w, __m128i inverse_w)
{
    const __m128i xy_first = _mm_unpacklo_epi32(x, y), xy_last = _mm_unpackhi_epi32(x, y),
                  zw_first = _mm_unpacklo_epi32(depth, scaled_w), zw_last = _mm_unpackhi_epi32(depth, scaled_w);
    const __m128i four[4] = {_mm_unpacklo_epi64(xy_first, zw_first), _mm_unpackhi_epi64(xy_first, zw_first),
                             _mm_unpacklo_epi64(xy_last, zw_last), _mm_unpackhi_epi64(xy_last, zw_last)};
    uint32_t inverses[4];
    _mm_storeu_si128((__m128i *)(void *)inverses, inverse_w);
    for (int k = 0; k < 4; k++) {
        _mm_storeu_si128((__m128i *)(void *)&out[k].screen_x, four[k]);
        out[k].inverse_w = inverses[k];
        out[k].outside = out[k].clip = 0;
        out[k].invalid = out[k].shaded = false;
    }
}

/* A bit for each of four vertices that is inside of the view, and whose w has few enough bits. */
static inline unsigned viewport_transform4(const tl_console_view *view, const float (*positions)[3],
                                           tl_console_vertex out[4])
{
    const tl_viewport *viewport = &view->viewport;
    tl_real4 axes[3];
    tl_real4_load_threes(positions, axes);
    const __m256d px = _mm256_cvtps_pd((__m128)axes[0]), py = _mm256_cvtps_pd((__m128)axes[1]),
                  pz = _mm256_cvtps_pd((__m128)axes[2]);
    const __m256d x = viewport_clip(view, 0, px, py, pz), y = viewport_clip(view, 1, px, py, pz),
                  z = viewport_clip(view, 2, px, py, pz), w = viewport_clip(view, 3, px, py, pz);
    const __m256d sign = _mm256_set1_pd(-0.0), zero = _mm256_setzero_pd();
    const __m256d inside =
        _mm256_and_pd(_mm256_and_pd(_mm256_cmp_pd(_mm256_andnot_pd(sign, x), w, _CMP_LE_OQ),
                                    _mm256_cmp_pd(_mm256_andnot_pd(sign, y), w, _CMP_LE_OQ)),
                      _mm256_and_pd(_mm256_cmp_pd(_mm256_andnot_pd(sign, z), w, _CMP_LE_OQ),
                                    _mm256_and_pd(_mm256_cmp_pd(w, zero, _CMP_GT_OQ),
                                                  _mm256_cmp_pd(w, _mm256_set1_pd(65535), _CMP_LT_OQ))));
    const unsigned bits = (unsigned)_mm256_movemask_pd(inside);
    if (bits == 0)
        return 0;
    const __m256i fixed_w = viewport_integers(_mm256_floor_pd(_mm256_and_pd(w, inside) * _mm256_set1_pd(65536)));
    const __m256i product = _mm256_srli_epi64(_mm256_mul_epu32(fixed_w, _mm256_set1_epi64x(viewport->k)), 16);
    const __m256d limited =
        _mm256_max_pd(_mm256_min_pd(viewport_doubles(product), _mm256_set1_pd(4294967295.0)), _mm256_set1_pd(1));
    const __m256i scaled_w = viewport_integers(limited), inverse_w = viewport_reciprocals(scaled_w);
    const __m256d inverse = viewport_doubles(inverse_w) * _mm256_set1_pd(viewport->to_inverse_w);
    const __m128i screen_x =
        viewport_floor4(_mm256_set1_pd(viewport->centre_x) + x * inverse * _mm256_set1_pd(viewport->to_quarters_x));
    const __m128i screen_y =
        viewport_floor4(_mm256_set1_pd(viewport->centre_y) + y * inverse * _mm256_set1_pd(-viewport->to_quarters_y));
    const __m256d depth = _mm256_set1_pd(16383) + z * inverse * _mm256_set1_pd(viewport->to_depth);
    const __m128i cut = _mm256_cvttpd_epi32(_mm256_min_pd(_mm256_max_pd(depth, zero), _mm256_set1_pd(32767)));
    viewport_store_clip(out, x, y, z, w);
    viewport_store_screen(out, screen_x, screen_y, cut, viewport_narrow(scaled_w), viewport_narrow(inverse_w));
    return bits;
}

void tl_console_vertices_transform_avx2(const tl_console_view *view, const float (*positions)[3], uint32_t count,
                                        tl_console_vertex *out)
{
    uint32_t i = 0;
    for (; i + 4 <= count; i += 4) {
        const unsigned inside = viewport_transform4(view, positions + i, out + i);
        for (uint32_t k = 0; inside != 15 && k < 4; k++)
            if ((inside >> k & 1) == 0)
                tl_console_vertices_transform_any(view, positions + i + k, 1, out + i + k);
    }
    tl_console_vertices_transform_any(view, positions + i, count - i, out + i);
}

TL_AVX2_END
#endif
