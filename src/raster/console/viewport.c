/* Transforms vertices to the screen: the microcode's numbers, and the RSP's reciprocals. */
#include "base/strict_float.h"

#include "base/compiler.h"
#include "base/lanes.h"
#include "raster/console/vertex.h"
#include "raster/vector.h"

#include <math.h>

/* The microcode's scale has 16 bits. A wider screen needs a larger range, since scale_x has 15. */
double tl_viewport_range_least(uint32_t width, uint32_t height)
{
    const uint32_t longer = width > height ? width : height;
    return longer > 320 ? longer / 16.0 : 20;
}

tl_viewport tl_viewport_of(uint32_t width, uint32_t height, double range)
{
    tl_viewport v = {.width = (int32_t)width, .height = (int32_t)height};
    v.k = (int32_t)floor(65535 * 2 / range + 0.5);
    v.scale_x = (int32_t)((UINT64_C(1024) * width * (uint32_t)v.k + 65534) / 65535);
    v.scale_y = (int32_t)(UINT64_C(1024) * height * (uint32_t)v.k / 65535);
    v.scale_z = 128 * v.k < 32767 ? 128 * v.k : 32767;
    v.to_quarters_x = v.scale_x * 128.0 / v.k;
    v.to_quarters_y = v.scale_y * 128.0 / v.k;
    v.to_depth = v.scale_z * 128.0 / v.k;
    v.centre_x = 2 * v.width;
    v.centre_y = 2 * v.height;
    v.to_inverse_w = v.k / 2147483648.0;
    return v;
}

/* Near is a twentieth of far, or so that the near plane of Tiny3D's matrix, 2NF / (2F - N), is before the model. */
bool tl_console_camera(tl_camera *camera, const trilo_scene *scene, uint32_t width, uint32_t height)
{
    const trilo_view *given = &scene->view;
    const double least = tl_viewport_range_least(width, height), far = camera->far;
    camera->model_scale = scene->console.model_scale > 0 ? scene->console.model_scale : 1;
    if (camera->orthographic)
        return true;
    if (!(given->near_at > 0)) {
        const double before = 2 * far * camera->near / (2 * far + camera->near);
        camera->near = (float)(before < far / 20 ? before : far / 20);
    }
    const double range = (double)camera->near + camera->far;
    if (scene->console.model_scale > 0)
        return range * camera->model_scale >= least && range * camera->model_scale <= TL_VIEWPORT_RANGE_MOST;
    const bool chosen = given->near_at > 0 && given->far_at > 0;
    if (range >= (chosen ? least : 5 * least) && range <= (chosen ? TL_VIEWPORT_RANGE_MOST : 8000))
        return true;
    double scale = 1;
    while (range * scale < 25 * least && scale < 1e30)
        scale *= 2;
    while (range * scale > 50 * least && scale > 1e-30)
        scale /= 2;
    camera->model_scale = (float)scale;
    return range * scale >= least && range * scale <= TL_VIEWPORT_RANGE_MOST;
}

uint32_t tl_rsp_reciprocal(uint32_t value)
{
    if (value == 0)
        return 0x7FFFFFFF;
    const int zeros = tl_zeros_above(value);
    const uint32_t index = value << zeros >> 22 & 0x1FF;
    /* (2^34 / (index + 512) + 1) / 256, in 32 bits */
    const uint32_t divisor = index + 512, entry = index == 0 ? 0xFFFF : ((1 << 26) + divisor / 256) / divisor & 0xFFFF;
    return (0x10000 | entry) << 14 >> (31 - zeros);
}

uint32_t tl_rsp_inverse_square_root(uint32_t value)
{
    const int zeros = value == 0 ? 31 : tl_zeros_above(value);
    const uint32_t index = (value << zeros >> 22 & 0x1FE) | (uint32_t)(zeros & 1);
    const uint64_t a = (index + 512) >> (index & 1), limit = UINT64_C(1) << 44;
    uint64_t root = 0;
    for (uint64_t bit = UINT64_C(1) << 18; bit > 0; bit >>= 1)
        if (a * (root + bit) * (root + bit) < limit)
            root += bit;
    return (uint32_t)((0x10000 | (root >> 1 & 0xFFFF)) << 14 >> ((31 - zeros) >> 1));
}

/* Codes of a vertex that is outside of some side. */
static void viewport_outcodes(tl_console_vertex *v)
{
    const double guard = TL_GUARD_BAND * v->w;
    v->outside = (uint8_t)((v->x > v->w ? TL_SIDE_RIGHT : 0) | (v->x < -v->w ? TL_SIDE_LEFT : 0) |
                           (v->y > v->w ? TL_SIDE_UPPER : 0) | (v->y < -v->w ? TL_SIDE_LOWER : 0) |
                           (v->z > v->w ? TL_SIDE_FAR : 0) | (v->z < -v->w ? TL_SIDE_NEAR : 0));
    v->clip = (uint8_t)((v->x > guard ? TL_SIDE_RIGHT : 0) | (v->x < -guard ? TL_SIDE_LEFT : 0) |
                        (v->y > guard ? TL_SIDE_UPPER : 0) | (v->y < -guard ? TL_SIDE_LOWER : 0) |
                        (v->z < -guard || !(v->w > 0) ? TL_SIDE_NEAR : 0));
}

/* Screen coordinates are floored, and limited to what edges are exact with: more than the guard band of the largest
 * picture has. NaN becomes the lower limit, since minimum and maximum of SSE2 take the second operand then. */
#define VIEWPORT_MOST (1 << 18)

#if defined(__SSE2__)
static inline void viewport_floor2(tl_double2 value, int32_t *x, int32_t *y)
{
    const __m128d most = _mm_set1_pd(VIEWPORT_MOST), limited = _mm_max_pd(_mm_min_pd(most, (__m128d)value), -most);
    const __m128i cut = _mm_cvttpd_epi32(limited);
    const __m128i above = _mm_castpd_si128(_mm_cmpgt_pd(_mm_cvtepi32_pd(cut), limited)); /* -1 twice, for each */
    const __m128i floors = _mm_add_epi32(cut, _mm_shuffle_epi32(above, 8));
    *x = _mm_cvtsi128_si32(floors);
    *y = _mm_cvtsi128_si32(_mm_shuffle_epi32(floors, 1));
}
#else
static inline int32_t viewport_floor(double value)
{
    if (!(value > -VIEWPORT_MOST && value < VIEWPORT_MOST))
        return value > 0 ? VIEWPORT_MOST : -VIEWPORT_MOST;
    const int32_t cut = (int32_t)value;
    return cut - (cut > value);
}

static inline void viewport_floor2(tl_double2 value, int32_t *x, int32_t *y)
{
    *x = viewport_floor(value[0]);
    *y = viewport_floor(value[1]);
}
#endif

static inline void viewport_project(const tl_viewport *viewport, tl_console_vertex *v)
{
    const double w = v->w > 0 ? v->w * 65536 : 0;
    const uint64_t scaled = w < 4294967295.0 ? ((uint64_t)(int64_t)w * (uint32_t)viewport->k) >> 16 : 0xFFFFFFFF;
    v->scaled_w = scaled < 1 ? 1 : scaled > 0xFFFFFFFF ? 0xFFFFFFFF : (uint32_t)scaled;
    v->inverse_w = tl_rsp_reciprocal(v->scaled_w);
    const double inverse = v->inverse_w * viewport->to_inverse_w; /* 1 / w, as the RSP has it */
    const tl_double2 xy = {v->x, v->y}, to_quarters = {viewport->to_quarters_x, -viewport->to_quarters_y},
                     centre = {viewport->centre_x, viewport->centre_y};
    viewport_floor2(centre + xy * inverse * to_quarters, &v->screen_x, &v->screen_y);
    const double depth = 16383 + v->z * inverse * viewport->to_depth;
    v->depth = depth > 0 ? depth < 32767 ? (int32_t)depth : 32767 : 0;
}

void tl_console_outcodes(tl_console_vertex *v)
{
    viewport_outcodes(v);
}

void tl_console_project(const tl_viewport *viewport, tl_console_vertex *v)
{
    viewport_project(viewport, v);
}

/* True if x, y, z and w are from -w to w. */
static inline bool viewport_inside(tl_double2 xy, tl_double2 zw)
{
    const double w = zw[1];
    const tl_double2 above = (tl_double2)((tl_mask2)xy & INT64_MAX), also = (tl_double2)((tl_mask2)zw & INT64_MAX);
#if defined(__SSE2__) /* gcc generates longer code */
    const __m128d most = _mm_set1_pd(w);
    return _mm_movemask_pd(_mm_and_pd(_mm_cmple_pd((__m128d)above, most), _mm_cmple_pd((__m128d)also, most))) == 3;
#else
    const tl_mask2 inside = (above <= w) & (also <= w);
    return inside[0] != 0 && inside[1] != 0;
#endif
}

void tl_console_vertices_transform_any(const tl_console_view *view, const float (*positions)[3], uint32_t count,
                                       tl_console_vertex *out)
{
    const tl_viewport viewport = view->viewport; /* a copy, which no vertex can be part of */
    tl_double2 xy[4], zw[4];                     /* columns */
    for (int column = 0; column < 4; column++) {
        memcpy(&xy[column], &view->to_clip[column][0], sizeof *xy);
        memcpy(&zw[column], &view->to_clip[column][2], sizeof *zw);
    }
    for (uint32_t i = 0; i < count; i++) {
        const double x = positions[i][0], y = positions[i][1], z = positions[i][2];
        const tl_double2 at_xy = xy[0] * x + xy[1] * y + xy[2] * z + xy[3];
        const tl_double2 at_zw = zw[0] * x + zw[1] * y + zw[2] * z + zw[3];
        tl_console_vertex *v = &out[i];
        memcpy(&v->x, &at_xy, sizeof at_xy);
        memcpy(&v->z, &at_zw, sizeof at_zw);
        v->outside = v->clip = 0; /* with what follows one number in memory */
        v->invalid = v->shaded = false;
        const double w = at_zw[1];
        if (!(w > 0 && w < 1e9 && viewport_inside(at_xy, at_zw))) { /* few vertices */
            v->invalid = !(fabs(v->x) < 1e9 && fabs(v->y) < 1e9 && fabs(v->z) < 1e9);
            viewport_outcodes(v);
        }
        if (!v->invalid)
            viewport_project(&viewport, v);
    }
}

void tl_console_vertices_transform(const tl_console_view *view, const float (*positions)[3], uint32_t count,
                                   tl_console_vertex *out)
{
#if TL_AVX2
    if (view->avx2) {
        tl_console_vertices_transform_avx2(view, positions, count, out);
        return;
    }
#endif
    tl_console_vertices_transform_any(view, positions, count, out);
}
