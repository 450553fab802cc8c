/* Triangles: edges find the pixels, and each pixel goes through the steps of the RDP. */
#include "base/strict_float.h"
#include "raster/raster.h"

#include <math.h>

/* What is interpolated: z, 1 / w, s / w, t / w and the four channels of shade. */
enum { PLANE_Z, PLANE_INVERSE_W, PLANE_S, PLANE_T, PLANE_SHADE, PLANES = PLANE_SHADE + 4 };

typedef struct raster_plane {
    float at_origin, by_x, by_y;
} raster_plane;

typedef struct raster_triangle {
    const tl_framebuffer *framebuffer;
    const tl_pipeline_state *state;
    tl_inputs *inputs;
    int32_t x[3], y[3]; /* in 1/16 pixel; the area is positive */
    int64_t area;
    float origin[2]; /* of the planes: the first corner, in pixels */
    raster_plane planes[PLANES];
    float inverse_w_min, inverse_w_max; /* of the corners: rounding must not leave this range */
    int32_t decal_tolerance;            /* of z */
} raster_triangle;

/* Pixels of a row: the planes at the first one. */
typedef struct raster_span {
    float start[PLANES];
    uint32_t x, y;
} raster_span;

/* ---- a pixel ---- */

static float raster_interpolate(const raster_triangle *t, const raster_span *span, int plane, float step)
{
    return span->start[plane] + t->planes[plane].by_x * step;
}

static bool raster_depth_test(const raster_triangle *t, int32_t z, int32_t old_z)
{
    switch (t->state->z_compare) {
    case TL_Z_COMPARE_LESS:
        return z < old_z;
    case TL_Z_COMPARE_DECAL:
        return old_z != TL_Z_CLEAR && z - old_z <= t->decal_tolerance && old_z - z <= t->decal_tolerance;
    default:
        return true;
    }
}

/* A texture coordinate as the RDP has it after its division, rounded down. The sum is positive, so that a cast rounds
 * down. */
static int32_t raster_texture_coordinate(float value, bool wide)
{
    const float most = wide ? 1048576 : 32767;
    value = value > -most ? value : -most; /* NaN, too */
    value = value < most ? value : most;
    return wide ? (int32_t)(value + 1048577) - 1048577 : (int32_t)(value + 32768) - 32768;
}

static void raster_sample_textures(const raster_triangle *t, const raster_span *span, float step)
{
    const tl_pipeline_state *state = t->state;
    tl_inputs *in = t->inputs;
    float inverse_w = raster_interpolate(t, span, PLANE_INVERSE_W, step);
    inverse_w = inverse_w > t->inverse_w_min ? inverse_w : t->inverse_w_min;
    inverse_w = inverse_w < t->inverse_w_max ? inverse_w : t->inverse_w_max;
    const float w = 1 / inverse_w;
    const int32_t at[2] = {raster_texture_coordinate(raster_interpolate(t, span, PLANE_S, step) * w, state->wide),
                           raster_texture_coordinate(raster_interpolate(t, span, PLANE_T, step) * w, state->wide)};
    if (state->uses_tex0) {
        tl_tile_sample(&state->tiles[0], state->filter, at[0], at[1], in->at[TL_CC_TEX0]);
        tl_input_set_all(in->at[TL_CC_TEX0_ALPHA], in->at[TL_CC_TEX0][3]);
    }
    if (state->uses_tex1) {
        int32_t second[2] = {at[0], at[1]};
        if (state->second.used)
            tl_second_coordinates_of(&state->second, at, second);
        tl_tile_sample(&state->tiles[1], state->filter, second[0], second[1], in->at[TL_CC_TEX1]);
        tl_input_set_all(in->at[TL_CC_TEX1_ALPHA], in->at[TL_CC_TEX1][3]);
    }
}

static int32_t raster_clamp_shade(float value)
{
    value = value > 0 ? value : 0;
    return value < 255 ? (int32_t)value : 255;
}

static void raster_interpolate_shade(const raster_triangle *t, const raster_span *span, float step)
{
    tl_inputs *in = t->inputs;
    for (int k = 0; k < 4; k++)
        in->at[TL_CC_SHADE][k] = raster_clamp_shade(raster_interpolate(t, span, PLANE_SHADE + k, step));
    tl_input_set_all(in->at[TL_CC_SHADE_ALPHA], in->at[TL_CC_SHADE][3]);
}

static bool raster_alpha_compare(const raster_triangle *t, int32_t alpha, uint32_t x, uint32_t y)
{
    const int32_t threshold = t->state->alpha_threshold;
    if (threshold == TL_ALPHA_THRESHOLD_NOISE)
        return alpha >= (int32_t)(tl_pixel_noise(t->framebuffer, x, y + 0x8000u) & 0xFF);
    return alpha >= threshold;
}

static void raster_blend(const raster_triangle *t, const uint8_t memory[4], int32_t color[4])
{
    const int32_t old[3] = {memory[0], memory[1], memory[2]};
    const tl_blend_inputs in = {old,      t->state->blend_color,         t->state->fog_color,
                                color[3], t->inputs->at[TL_CC_SHADE][3], 7};
    tl_blend(&t->state->blender, &in, color);
}

/* The order of the RDP: depth test, texture, shade, combiner, alpha compare, blender, framebuffer. The RDP
 * tests depth after it compares alpha, with the same result; most pixels that are not drawn fail the depth test. */
static void raster_draw_pixel(const raster_triangle *t, const raster_span *span, uint32_t i)
{
    const tl_framebuffer *framebuffer = t->framebuffer;
    const tl_pipeline_state *state = t->state;
    const uint32_t x = span->x + i, y = span->y;
    const size_t pixel = (size_t)y * framebuffer->width + x;
    const float z_max = TL_Z_MAX, step = (float)i;
    float depth = raster_interpolate(t, span, PLANE_Z, step);
    depth = depth > 0 ? depth : 0;
    const int32_t z = depth < z_max ? (int32_t)depth : TL_Z_MAX;
    if (!raster_depth_test(t, z, framebuffer->z[pixel]))
        return;
    if (state->uses_tex0 || state->uses_tex1)
        raster_sample_textures(t, span, step);
    if (state->uses_shade)
        raster_interpolate_shade(t, span, step);
    if (state->uses_noise)
        tl_input_set_all(t->inputs->at[TL_CC_NOISE],
                         tl_wrap_abd((int32_t)(tl_pixel_noise(framebuffer, x, y) & 7) * 64 + 32));
    int32_t color[4];
    const int32_t alpha = tl_combine(&state->combiner, t->inputs, color);
    if (state->alpha_threshold != TL_ALPHA_THRESHOLD_NONE && !raster_alpha_compare(t, alpha, x, y))
        return;
    if (state->blender.first || state->blender.last)
        raster_blend(t, framebuffer->rgba[pixel], color);
    for (int k = 0; k < 3; k++)
        framebuffer->rgba[pixel][k] = (uint8_t)color[k];
    framebuffer->rgba[pixel][3] = 255;
    if (state->z_compare != TL_Z_COMPARE_NONE && !state->keep_z)
        framebuffer->z[pixel] = z;
}

static void raster_draw_span(const raster_triangle *t, uint32_t y, int32_t first, int32_t last)
{
    raster_span span = {.x = (uint32_t)first, .y = y};
    const float across = (float)first + 0.5f - t->origin[0], down = (float)y + 0.5f - t->origin[1];
    for (int k = 0; k < PLANES; k++)
        span.start[k] = t->planes[k].at_origin + t->planes[k].by_x * across + t->planes[k].by_y * down;
    for (uint32_t i = 0; i <= (uint32_t)(last - first); i++)
        raster_draw_pixel(t, &span, i);
}

/* ---- rows ---- */

/* An edge function (Pineda 1988), at the centre of the first pixel of a row: not below 0 inside. */
typedef struct raster_edge {
    int64_t at, by_x, by_y;
} raster_edge;

/* Top-left rule: pixels on an edge belong to the triangle whose left or upper edge it is, so that two that share it
 * share no pixel. */
static raster_edge raster_edge_of(const raster_triangle *t, int from, int to, int32_t x, int32_t y)
{
    const int64_t dx = t->x[to] - t->x[from], dy = t->y[to] - t->y[from];
    const bool top_left = dy < 0 || (dy == 0 && dx > 0);
    const int64_t at = dx * (16 * y + 8 - t->y[from]) - dy * (16 * x + 8 - t->x[from]);
    return (raster_edge){at - (top_left ? 0 : 1), -16 * dy, 16 * dx};
}

/* Narrows [first, last], counted from the pixel of the edge, to what is inside. */
static void raster_cut_span(const raster_edge *e, int64_t *first, int64_t *last)
{
    if (e->by_x > 0) {
        const int64_t from = e->at >= 0 ? 0 : (-e->at + e->by_x - 1) / e->by_x;
        *first = from > *first ? from : *first;
    } else if (e->by_x < 0) {
        const int64_t to = e->at < 0 ? -1 : e->at / -e->by_x;
        *last = to < *last ? to : *last;
    } else if (e->at < 0) {
        *last = -1;
    }
}

/* The first and last pixel whose centre can be inside, within the framebuffer. */
static void raster_pixel_range(const int32_t v[3], uint32_t size, int32_t *first, int32_t *last)
{
    int32_t low = v[0], high = v[0];
    for (int k = 1; k < 3; k++) {
        low = v[k] < low ? v[k] : low;
        high = v[k] > high ? v[k] : high;
    }
    *first = (low + 7) >> 4;
    *last = (high - 8) >> 4;
    *first = *first < 0 ? 0 : *first;
    *last = *last >= (int32_t)size ? (int32_t)size - 1 : *last;
}

static void raster_fill(const raster_triangle *t)
{
    int32_t left, right, top, bottom;
    raster_pixel_range(t->x, t->framebuffer->width, &left, &right);
    raster_pixel_range(t->y, t->framebuffer->height, &top, &bottom);
    if (left > right || top > bottom)
        return;
    raster_edge edges[3];
    for (int e = 0; e < 3; e++)
        edges[e] = raster_edge_of(t, e, (e + 1) % 3, left, top);
    for (int32_t y = top; y <= bottom; y++) {
        int64_t first = 0, last = right - left;
        for (int e = 0; e < 3; e++) {
            raster_cut_span(&edges[e], &first, &last);
            edges[e].at += edges[e].by_y;
        }
        if (first <= last)
            raster_draw_span(t, (uint32_t)y, left + (int32_t)first, left + (int32_t)last);
    }
}

/* ---- setup ---- */

static void raster_set_plane(raster_triangle *t, int which, float a, float b, float c)
{
    const float scale = 16 / (float)t->area;
    const float x1 = (float)(t->x[1] - t->x[0]), y1 = (float)(t->y[1] - t->y[0]);
    const float x2 = (float)(t->x[2] - t->x[0]), y2 = (float)(t->y[2] - t->y[0]);
    t->planes[which] = (raster_plane){a, ((b - a) * y2 - (c - a) * y1) * scale, ((c - a) * x1 - (b - a) * x2) * scale};
}

static void raster_set_planes(raster_triangle *t, const tl_corner *a, const tl_corner *b, const tl_corner *c)
{
    t->origin[0] = (float)t->x[0] / 16;
    t->origin[1] = (float)t->y[0] / 16;
    const tl_pipeline_state *state = t->state;
    const float z = state->z_offset, wa = state->affine ? 1 : a->inverse_w, wb = state->affine ? 1 : b->inverse_w,
                wc = state->affine ? 1 : c->inverse_w;
    if (state->fixed_z)
        raster_set_plane(t, PLANE_Z, z, z, z);
    else
        raster_set_plane(t, PLANE_Z, a->z + z, b->z + z, c->z + z);
    raster_set_plane(t, PLANE_INVERSE_W, wa, wb, wc);
    raster_set_plane(t, PLANE_S, a->s * wa, b->s * wb, c->s * wc);
    raster_set_plane(t, PLANE_T, a->t * wa, b->t * wb, c->t * wc);
    for (int k = 0; k < 4; k++)
        raster_set_plane(t, PLANE_SHADE + k, a->shade[k], b->shade[k], c->shade[k]);
    const float low = wa < wb ? wa : wb;
    const float high = wa > wb ? wa : wb;
    t->inverse_w_min = low < wc ? low : wc;
    t->inverse_w_max = high > wc ? high : wc;
    const float slope = 2 * (fabsf(t->planes[PLANE_Z].by_x) + fabsf(t->planes[PLANE_Z].by_y)) + 1024;
    t->decal_tolerance = slope < TL_Z_MAX ? (int32_t)slope : TL_Z_MAX;
}

void tl_draw_triangle(const tl_framebuffer *framebuffer, const tl_pipeline_state *state, tl_inputs *inputs,
                      const tl_corner *corners[3])
{
    raster_triangle t = {.framebuffer = framebuffer, .state = state, .inputs = inputs};
    const tl_corner *c[3] = {corners[0], corners[1], corners[2]};
    for (int k = 0; k < 3; k++) {
        t.x[k] = (int32_t)floorf(c[k]->x * 16 + 0.5f);
        t.y[k] = (int32_t)floorf(c[k]->y * 16 + 0.5f);
    }
    /* Rows go down, so a front, counter-clockwise, has a negative area here. */
    t.area = (int64_t)(t.x[1] - t.x[0]) * (t.y[2] - t.y[0]) - (int64_t)(t.x[2] - t.x[0]) * (t.y[1] - t.y[0]);
    if (t.area == 0 || (t.area < 0 && state->cull_front) || (t.area > 0 && state->cull_back))
        return;
    if (t.area < 0) {
        const int32_t x = t.x[1], y = t.y[1];
        t.x[1] = t.x[2], t.y[1] = t.y[2];
        t.x[2] = x, t.y[2] = y;
        c[1] = corners[2], c[2] = corners[1];
        t.area = -t.area;
    }
    raster_set_planes(&t, c[0], c[1], c[2]);
    raster_fill(&t);
}
