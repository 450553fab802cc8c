/* Where a vertex is on the screen: the microcode's numbers, and the RSP's reciprocals (picture.md 1, 2 and 13). */
#include "base/strict_float.h"

#include "base/compiler.h"
#include "raster/console/vertex.h"

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
    const uint32_t entry = index == 0 ? 0xFFFF : (uint32_t)(((UINT64_C(1) << 34) / (index + 512) + 1) >> 8 & 0xFFFF);
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

/* Most vertices are inside of all sides. */
static inline void viewport_outcodes(tl_console_vertex *v)
{
    v->outside = v->clip = 0;
    if (v->w > 0 && fabs(v->x) <= v->w && fabs(v->y) <= v->w && fabs(v->z) <= v->w)
        return;
    const double guard = TL_GUARD_BAND * v->w;
    v->outside = (uint8_t)((v->x > v->w ? TL_SIDE_RIGHT : 0) | (v->x < -v->w ? TL_SIDE_LEFT : 0) |
                           (v->y > v->w ? TL_SIDE_UPPER : 0) | (v->y < -v->w ? TL_SIDE_LOWER : 0) |
                           (v->z > v->w ? TL_SIDE_FAR : 0) | (v->z < -v->w ? TL_SIDE_NEAR : 0));
    v->clip = (uint8_t)((v->x > guard ? TL_SIDE_RIGHT : 0) | (v->x < -guard ? TL_SIDE_LEFT : 0) |
                        (v->y > guard ? TL_SIDE_UPPER : 0) | (v->y < -guard ? TL_SIDE_LOWER : 0) |
                        (v->z < -guard || !(v->w > 0) ? TL_SIDE_NEAR : 0));
}

/* floor, for numbers that fit an int32_t. */
static int32_t viewport_floor(double value)
{
    const double most = 1 << 24;
    if (!(value > -most && value < most))
        return value > 0 ? 1 << 24 : -(1 << 24);
    const int32_t cut = (int32_t)value;
    return cut > value ? cut - 1 : cut;
}

static inline void viewport_project(const tl_viewport *viewport, tl_console_vertex *v)
{
    const double w = v->w > 0 ? v->w * 65536 : 0;
    const uint64_t scaled = w < 4294967295.0 ? ((uint64_t)(int64_t)w * (uint32_t)viewport->k) >> 16 : 0xFFFFFFFF;
    v->scaled_w = scaled < 1 ? 1 : scaled > 0xFFFFFFFF ? 0xFFFFFFFF : (uint32_t)scaled;
    v->inverse_w = tl_rsp_reciprocal(v->scaled_w);
    const double inverse = (double)v->inverse_w * viewport->k / 2147483648.0; /* 1 / w, as the RSP has it */
    v->screen_x = viewport_floor(2 * viewport->width + v->x * inverse * viewport->to_quarters_x);
    v->screen_y = viewport_floor(2 * viewport->height - v->y * inverse * viewport->to_quarters_y);
    const int32_t depth = viewport_floor(16383 + v->z * inverse * viewport->to_depth);
    v->depth = depth < 0 ? 0 : depth > 32767 ? 32767 : depth;
}

void tl_console_outcodes(tl_console_vertex *v)
{
    viewport_outcodes(v);
}

void tl_console_project(const tl_viewport *viewport, tl_console_vertex *v)
{
    viewport_project(viewport, v);
}

void tl_console_vertex_place(const tl_console_view *view, const float position[3], tl_console_vertex *out)
{
    const double(*m)[4] = view->to_clip, *back = view->model_view[2];
    const double x = position[0], y = position[1], z = position[2];
    out->x = m[0][0] * x + m[0][1] * y + m[0][2] * z + m[0][3];
    out->y = m[1][0] * x + m[1][1] * y + m[1][2] * z + m[1][3];
    out->z = m[2][0] * x + m[2][1] * y + m[2][2] * z + m[2][3];
    out->w = view->orthographic ? 1 : -(back[0] * x + back[1] * y + back[2] * z + back[3]);
    out->invalid = !(fabs(out->x) < 1e9 && fabs(out->y) < 1e9 && fabs(out->z) < 1e9);
    out->shaded = false;
    viewport_outcodes(out);
    if (!out->invalid)
        viewport_project(&view->viewport, out);
}
