/* Light of vertices, eight at a time: the arithmetic of vertex.c for lights that have a direction. */
#include "base/strict_float.h"

#include "raster/console/vertex.h"
#include "raster/vector_x2.h"

#include <string.h>

#if TL_AVX2
#include <immintrin.h>

TL_AVX2_BEGIN

/* Products of fractions, 15 bits, rounded, at most 1. */
static inline __m256i shade_product(__m256i a, __m256i b)
{
    const __m256i product = _mm256_add_epi32(_mm256_mullo_epi32(a, b), _mm256_set1_epi32(0x4000));
    return _mm256_min_epi32(_mm256_srai_epi32(product, 15), _mm256_set1_epi32(32767));
}

/* One axis of tl_console_pack_normal: the number of steps of 1 / `ones`. */
static inline __m256i shade_pack_normal(tl_real4x2 given, int32_t ones)
{
    const __m256 one = _mm256_set1_ps(1), limited = _mm256_min_ps(_mm256_max_ps((__m256)given, -one), one);
    const __m256i steps = _mm256_cvttps_epi32((limited + one) * _mm256_set1_ps((float)ones) + _mm256_set1_ps(0.5f));
    const __m256i rounded = _mm256_add_epi32(steps, _mm256_cmpeq_epi32(steps, _mm256_set1_epi32(2 * ones)));
    return _mm256_mullo_epi32(_mm256_sub_epi32(rounded, _mm256_set1_epi32(ones)), _mm256_set1_epi32(32768 / ones));
}

/* Normals turned by the rotation. The upper and lower bits of products are added by themselves, as in vertex_normal. */
static inline void shade_rotate(const tl_console_view *view, const __m256i normal[3], __m256i rotated[3])
{
    for (int row = 0; row < 3; row++) {
        __m256i upper = _mm256_setzero_si256(), lower = _mm256_set1_epi32(0x4000);
        for (int k = 0; k < 3; k++) {
            const __m256i product = _mm256_mullo_epi32(normal[k], _mm256_set1_epi32(view->normal_matrix[k][row]));
            upper = _mm256_add_epi32(upper, _mm256_srai_epi32(product, 15));
            lower = _mm256_add_epi32(lower, _mm256_and_si256(product, _mm256_set1_epi32(0x7FFF)));
        }
        const __m256i sum = _mm256_add_epi32(upper, _mm256_srai_epi32(lower, 15));
        rotated[row] = _mm256_max_epi32(_mm256_min_epi32(sum, _mm256_set1_epi32(32767)), _mm256_set1_epi32(-32768));
    }
}

/* The light as red, green, blue and alpha. */
static inline void shade_light(const tl_console_view *view, const tl_pipeline_state *state, const __m256i normal[3],
                               __m256i light[4])
{
    const bool two_sided = state->two_sided;
    light[0] = light[1] = light[2] = light[3] = _mm256_set1_epi32(32767);
    if (state->unlit)
        return;
    for (int c = 0; c < 3; c++)
        light[c] = _mm256_set1_epi32(view->ambient[c]);
    if (state->rim_light && view->default_lights)
        light[3] = _mm256_max_epi32(normal[2], _mm256_setzero_si256());
    for (uint32_t i = 0; i < view->light_count; i++) {
        const tl_console_light *l = &view->lights[i];
        __m256i cosine = _mm256_setzero_si256();
        for (int k = 0; k < 3; k++)
            cosine = _mm256_add_epi32(cosine, shade_product(normal[k], _mm256_set1_epi32(l->direction[k])));
        cosine = two_sided ? _mm256_abs_epi32(cosine) : _mm256_max_epi32(cosine, _mm256_setzero_si256());
        for (int c = 0; c < 3; c++) {
            const __m256i product = _mm256_mullo_epi32(cosine, _mm256_set1_epi32(l->color[c]));
            const __m256i part = _mm256_srli_epi32(_mm256_add_epi32(product, _mm256_set1_epi32(0x4000)), 15);
            light[c] = _mm256_min_epi32(_mm256_add_epi32(light[c], part), _mm256_set1_epi32(32767));
        }
    }
}

/* The shade as bytes, from vertex colours and light. */
static inline __m256i shade_colors(const uint8_t (*colors)[4], const __m256i light[4])
{
    const __m256i own = colors ? _mm256_loadu_si256((const __m256i *)(const void *)colors) : _mm256_set1_epi32(-1);
    __m256i shade = _mm256_setzero_si256();
    for (int c = 0; c < 4; c++) {
        const __m256i channel = _mm256_and_si256(_mm256_srli_epi32(own, 8 * c), _mm256_set1_epi32(0xFF));
        const __m256i product = _mm256_mullo_epi32(_mm256_slli_epi32(channel, 7), light[c]);
        const __m256i byte = _mm256_srli_epi32(_mm256_add_epi32(product, _mm256_set1_epi32(0x4000)), 22);
        shade = _mm256_or_si256(shade, _mm256_slli_epi32(byte, 8 * c));
    }
    return shade;
}

/* s and t of four vertices. */
static inline __m256i shade_texture_coordinates(const tl_pipeline_state *state, const float (*uvs)[2])
{
    const float *scale = state->uv_scale, *shift = state->uv_shift;
    const __m256 scales =
                     _mm256_setr_ps(scale[0], scale[1], scale[0], scale[1], scale[0], scale[1], scale[0], scale[1]),
                 shifts =
                     _mm256_setr_ps(shift[0], shift[1], shift[0], shift[1], shift[0], shift[1], shift[0], shift[1]);
    const __m256 scaled = _mm256_loadu_ps(uvs[0]) * scales - shifts + _mm256_set1_ps(0.5f);
    const __m256 most = _mm256_set1_ps(8388608), limited = _mm256_min_ps(_mm256_max_ps(scaled, -most), most);
    return _mm256_cvttps_epi32(_mm256_floor_ps(limited));
}

/* Coordinates of the screen, from its centre, as effect_spherical has them. */
static inline __m256i shade_from_centre(const int32_t screen[8], int32_t half, int32_t factor)
{
    const __m256i positive =
        _mm256_max_epi32(_mm256_loadu_si256((const __m256i *)(const void *)screen), _mm256_setzero_si256());
    const __m256i from = _mm256_min_epi32(_mm256_sub_epi32(positive, _mm256_set1_epi32(half)), _mm256_set1_epi32(half));
    const __m256i scaled = _mm256_mullo_epi32(from, _mm256_set1_epi32(factor));
    return _mm256_max_epi32(_mm256_min_epi32(scaled, _mm256_set1_epi32(32767)), _mm256_set1_epi32(-32768));
}

static void shade_spherical(const tl_viewport *viewport, const tl_pipeline_state *state, const __m256i normal[3],
                            tl_console_vertex out[8])
{
    const tl_spherical_uv uv = tl_spherical_uv_of(viewport, state);
    int32_t x[8], y[8], s[8], t[8];
    for (int i = 0; i < 8; i++) {
        x[i] = out[i].screen_x;
        y[i] = out[i].screen_y;
    }
    const __m256i wide = _mm256_set1_epi32(uv.wide), tall = _mm256_set1_epi32(uv.tall);
    const __m256i dx = shade_product(shade_from_centre(x, 2 * viewport->width, uv.factor), normal[2]),
                  dy = shade_product(shade_from_centre(y, 2 * viewport->height, uv.factor), normal[2]);
    const __m256i from_x = _mm256_add_epi32(shade_product(normal[0], wide), shade_product(dx, wide)),
                  from_y = _mm256_add_epi32(shade_product(normal[1], tall), shade_product(dy, wide));
    _mm256_storeu_si256((__m256i *)(void *)s, _mm256_add_epi32(from_x, wide));
    _mm256_storeu_si256((__m256i *)(void *)t, _mm256_add_epi32(from_y, wide));
    for (int i = 0; i < 8; i++)
        if (!out[i].invalid) {
            out[i].s = s[i];
            out[i].t = t[i];
        }
}

static void shade_effect(const tl_console_view *view, const tl_pipeline_state *state, const __m256i normal[3],
                         const uint8_t (*shades)[4], tl_console_vertex out[8])
{
    int32_t normals[3][8];
    for (int k = 0; k < 3; k++)
        _mm256_storeu_si256((__m256i *)(void *)normals[k], normal[k]);
    for (int i = 0; i < 8; i++) {
        const uint8_t *s = shades[i];
        const int32_t own[3] = {normals[0][i], normals[1][i], normals[2][i]},
                      color[4] = {s[0] << 7, s[1] << 7, s[2] << 7, s[3] << 7};
        if (!out[i].invalid)
            tl_console_vertex_effect(&view->viewport, state, own, color, &out[i]);
    }
}

void tl_console_vertices_shade_avx2(const tl_console_view *view, const tl_pipeline_state *state,
                                    const tl_console_vertices_in *in, tl_console_vertex out[8])
{
    tl_real4x2 given[3];
    tl_real4x2_load_threes(in->normals, given);
    const __m256i packed[3] = {shade_pack_normal(given[0], 16), shade_pack_normal(given[1], 32),
                               shade_pack_normal(given[2], 16)};
    __m256i normal[3], light[4];
    shade_rotate(view, packed, normal);
    shade_light(view, state, normal, light);
    uint8_t shades[8][4];
    int32_t coordinates[8][2] = {{0}};
    _mm256_storeu_si256((__m256i *)(void *)shades, shade_colors(in->colors, light));
    for (int k = 0; in->uvs && k < 8; k += 4)
        _mm256_storeu_si256((__m256i *)(void *)coordinates[k], shade_texture_coordinates(state, in->uvs + k));
    for (int k = 0; k < 8; k++) {
        memcpy(&out[k].s, coordinates[k], sizeof coordinates[k]);
        memcpy(out[k].shade, shades[k], sizeof shades[k]);
        out[k].lit_alpha = shades[k][3];
        if (state->fog)
            out[k].shade[3] = 0xFF;
        out[k].shaded = true;
    }
    if (state->effect == TRILO_N64_EFFECT_SPHERICAL_UV)
        shade_spherical(&view->viewport, state, normal, out);
    else if (state->effect != TRILO_N64_EFFECT_NONE)
        shade_effect(view, state, normal, (const uint8_t(*)[4])shades, out);
}

TL_AVX2_END
#endif
