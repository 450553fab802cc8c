/* Filling triangles. */
#include "raster/raster.h"

#include <math.h>

/* What is worked out for each triangle, at most: depth, 1 / w, s / w, t / w, and four channels of light. */
enum { DEPTH, INVERSE, S, T, SHADE, PLANE_COUNT = SHADE + 4 };

typedef struct plane {
    float at_origin, by_x, by_y;
} plane;

typedef struct triangle {
    const tl_target *target;
    const tl_pipeline_state *pipe;
    tl_inputs *inputs;
    int32_t x[3], y[3]; /* in 1/16 pixel; the area is positive */
    int64_t area;
    float origin[2]; /* of the planes: the first corner, in pixels */
    plane planes[PLANE_COUNT];
    float inverse_low, inverse_high; /* of the corners: rounding must not leave this range */
    int32_t decal;                   /* how far a decal may be off */
} triangle;

/* An edge: not below 0 inside, at the centre of pixel 0 of a row. */
typedef struct edge {
    int64_t at, by_x, by_y;
} edge;

/* ---- pixels ---- */

static float plane_at(const plane *p, float x, float y)
{
    return p->at_origin + p->by_x * x + p->by_y * y;
}

/* A texture coordinate as the RDP has it after its division, rounded down. The sum is positive, so that cutting it is
 * rounding down. */
static int32_t coordinate(float value, bool wide)
{
    const float most = wide ? 1048576 : 32767;
    value = value > -most ? value : -most; /* a not-a-number, too */
    value = value < most ? value : most;
    return wide ? (int32_t)(value + 1048577) - 1048577 : (int32_t)(value + 32768) - 32768;
}

static void texels(const triangle *t, float inverse, float s_plane, float t_plane)
{
    const tl_pipeline_state *pipe = t->pipe;
    tl_inputs *in = t->inputs;
    inverse = inverse > t->inverse_low ? inverse : t->inverse_low;
    inverse = inverse < t->inverse_high ? inverse : t->inverse_high;
    const float w = 1 / inverse;
    const int32_t s = coordinate(s_plane * w, pipe->wide), u = coordinate(t_plane * w, pipe->wide);
    if (pipe->tex0) {
        tl_tile_sample(&pipe->tiles[0], pipe->filter, s, u, in->at[TL_CC_TEX0]);
        tl_input_set_all(in->at[TL_CC_TEX0_ALPHA], in->at[TL_CC_TEX0][3]);
    }
    if (pipe->tex1) {
        tl_tile_sample(&pipe->tiles[1], pipe->filter, s, u, in->at[TL_CC_TEX1]);
        tl_input_set_all(in->at[TL_CC_TEX1_ALPHA], in->at[TL_CC_TEX1][3]);
    }
}

static int32_t shade_of(float value)
{
    value = value > 0 ? value : 0;
    return value < 255 ? (int32_t)value : 255;
}

/* Something that looks like chance, the same for the same pixel. */
static uint32_t chance(const tl_target *target, uint32_t x, uint32_t y)
{
    uint32_t h = x * 0x9E3779B1u ^ y * 0x85EBCA77u ^ target->seed * 0xC2B2AE3Du;
    h = (h ^ h >> 15) * 0x2C1B3C6Du;
    return (h ^ h >> 12) * 0x297A2D39u >> 16;
}

static bool too_clear(const triangle *t, int32_t alpha, uint32_t x, uint32_t y)
{
    if (t->pipe->threshold == TL_COMPARE_NOISE)
        return alpha < (int32_t)(chance(t->target, x, y + 0x8000u) & 0xFF);
    return alpha < t->pipe->threshold;
}

static void blend(const triangle *t, int32_t alpha, int32_t dither, int32_t color[3], const uint8_t *memory)
{
    const int32_t before[3] = {memory[0], memory[1], memory[2]};
    const int32_t shade = t->inputs->at[TL_CC_SHADE][3];
    const tl_blend_inputs in = {before, t->pipe->blend_color, t->pipe->fog_color,
                                alpha + dither > 255 ? 255 : alpha + dither,
                                shade + dither > 255 ? 255 : shade + dither};
    tl_blend(&t->pipe->blender, &in, color);
}

static bool hidden(const triangle *t, int32_t depth, int32_t before)
{
    if (t->pipe->depth == TL_DEPTH_NEARER)
        return depth >= before;
    return t->pipe->depth == TL_DEPTH_DECAL &&
           (before == TL_DEPTH_CLEAR || depth - before > t->decal || before - depth > t->decal);
}

/* A row of pixels: the planes at its first one. */
typedef struct row {
    float start[PLANE_COUNT];
    uint32_t x, y;
} row;

static float row_at(const triangle *t, const row *r, int which, float i)
{
    return r->start[which] + t->planes[which].by_x * i;
}

static void shades(const triangle *t, const row *r, float step)
{
    tl_inputs *in = t->inputs;
    for (int k = 0; k < 4; k++)
        in->at[TL_CC_SHADE][k] = shade_of(row_at(t, r, SHADE + k, step));
    tl_input_set_all(in->at[TL_CC_SHADE_ALPHA], in->at[TL_CC_SHADE][3]);
}

/* Most pixels that are hidden are so by depth: nothing else is worked out before. */
static void pixel(const triangle *t, const row *r, uint32_t i)
{
    const tl_target *target = t->target;
    const tl_pipeline_state *pipe = t->pipe;
    const uint32_t x = r->x + i, y = r->y;
    const size_t at = (size_t)y * target->width + x;
    const float most = TL_DEPTH_MOST, step = (float)i;
    float deep = row_at(t, r, DEPTH, step);
    deep = deep > 0 ? deep : 0;
    const int32_t depth = deep < most ? (int32_t)deep : TL_DEPTH_MOST;
    if (hidden(t, depth, target->depths[at]))
        return;
    if (pipe->tex0 || pipe->tex1)
        texels(t, row_at(t, r, INVERSE, step), row_at(t, r, S, step), row_at(t, r, T, step));
    if (pipe->shaded)
        shades(t, r, step);
    if (pipe->noisy)
        tl_input_set_all(t->inputs->at[TL_CC_NOISE], tl_wrap_abd((int32_t)(chance(target, x, y) & 7) * 64 + 32));
    int32_t color[4];
    const int32_t compared = tl_combine(&pipe->combiner, t->inputs, color);
    if (pipe->threshold != TL_NO_COMPARE && too_clear(t, compared, x, y))
        return;
    const int32_t dither = target->n64 ? tl_dither_at(x, y) : 0;
    if (pipe->blender.first || pipe->blender.last)
        blend(t, color[3], dither, color, target->pixels[at]);
    for (int k = 0; k < 3; k++)
        target->pixels[at][k] = (uint8_t)(target->n64 ? tl_dither(color[k], dither) : color[k]);
    target->pixels[at][3] = 255;
    if (pipe->depth != TL_DEPTH_NONE && !pipe->keep_depth)
        target->depths[at] = depth;
}

static void span(const triangle *t, uint32_t y, int32_t first, int32_t last)
{
    row r = {.x = (uint32_t)first, .y = y};
    const float x = (float)first + 0.5f - t->origin[0], down = (float)y + 0.5f - t->origin[1];
    for (int k = 0; k < PLANE_COUNT; k++)
        r.start[k] = plane_at(&t->planes[k], x, down);
    for (uint32_t i = 0; i <= (uint32_t)(last - first); i++)
        pixel(t, &r, i);
}

/* ---- rows ---- */

/* Pixels on an edge belong to the triangle whose left or upper edge it is, so that two that share it share no pixel. */
static edge edge_of(const triangle *t, int from, int to, int32_t x, int32_t y)
{
    const int64_t dx = t->x[to] - t->x[from], dy = t->y[to] - t->y[from];
    const bool left_or_upper = dy < 0 || (dy == 0 && dx > 0);
    const int64_t at = dx * (16 * y + 8 - t->y[from]) - dy * (16 * x + 8 - t->x[from]);
    return (edge){at - (left_or_upper ? 0 : 1), -16 * dy, 16 * dx};
}

/* Narrows [first, last], counted from where the edge is told, to what is inside. */
static void cut(const edge *e, int64_t *first, int64_t *last)
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

static int32_t least(const int32_t v[3])
{
    const int32_t two = v[0] < v[1] ? v[0] : v[1];
    return two < v[2] ? two : v[2];
}

static int32_t most_of(const int32_t v[3])
{
    const int32_t two = v[0] > v[1] ? v[0] : v[1];
    return two > v[2] ? two : v[2];
}

/* The first and last pixel whose centre can be inside, within the picture. */
static void reach(const int32_t v[3], uint32_t size, int32_t *first, int32_t *last)
{
    *first = (least(v) + 7) >> 4;
    *last = (most_of(v) - 8) >> 4;
    *first = *first < 0 ? 0 : *first;
    *last = *last >= (int32_t)size ? (int32_t)size - 1 : *last;
}

static void fill(const triangle *t)
{
    int32_t left, right, top, bottom;
    reach(t->x, t->target->width, &left, &right);
    reach(t->y, t->target->height, &top, &bottom);
    if (left > right || top > bottom)
        return;
    edge edges[3] = {edge_of(t, 0, 1, left, top), edge_of(t, 1, 2, left, top), edge_of(t, 2, 0, left, top)};
    for (int32_t y = top; y <= bottom; y++) {
        int64_t first = 0, last = right - left;
        for (int e = 0; e < 3; e++) {
            cut(&edges[e], &first, &last);
            edges[e].at += edges[e].by_y;
        }
        if (first <= last)
            span(t, (uint32_t)y, left + (int32_t)first, left + (int32_t)last);
    }
}

/* ---- setting up ---- */

static void plane_set(triangle *t, int which, float a, float b, float c)
{
    const float scale = 16 / (float)t->area;
    const float x1 = (float)(t->x[1] - t->x[0]), y1 = (float)(t->y[1] - t->y[0]);
    const float x2 = (float)(t->x[2] - t->x[0]), y2 = (float)(t->y[2] - t->y[0]);
    t->planes[which] = (plane){a, ((b - a) * y2 - (c - a) * y1) * scale, ((c - a) * x1 - (b - a) * x2) * scale};
}

static float lower(float a, float b)
{
    return a < b ? a : b;
}

static void planes_set(triangle *t, const tl_corner *a, const tl_corner *b, const tl_corner *c)
{
    t->origin[0] = (float)t->x[0] / 16;
    t->origin[1] = (float)t->y[0] / 16;
    plane_set(t, DEPTH, a->depth, b->depth, c->depth);
    plane_set(t, INVERSE, a->inverse, b->inverse, c->inverse);
    plane_set(t, S, a->s * a->inverse, b->s * b->inverse, c->s * c->inverse);
    plane_set(t, T, a->t * a->inverse, b->t * b->inverse, c->t * c->inverse);
    for (int k = 0; k < 4; k++)
        plane_set(t, SHADE + k, a->shade[k], b->shade[k], c->shade[k]);
    t->inverse_low = lower(lower(a->inverse, b->inverse), c->inverse);
    t->inverse_high = -lower(lower(-a->inverse, -b->inverse), -c->inverse);
    const float slope = 2 * (fabsf(t->planes[DEPTH].by_x) + fabsf(t->planes[DEPTH].by_y)) + 1024;
    t->decal = slope < TL_DEPTH_MOST ? (int32_t)slope : TL_DEPTH_MOST;
}

static int32_t to_grid(float v)
{
    return (int32_t)floorf(v * 16 + 0.5f);
}

void tl_draw_triangle(const tl_target *target, const tl_pipeline_state *pipe, tl_inputs *inputs,
                      const tl_corner *corners[3])
{
    triangle t = {.target = target, .pipe = pipe, .inputs = inputs};
    const tl_corner *c[3] = {corners[0], corners[1], corners[2]};
    for (int k = 0; k < 3; k++) {
        t.x[k] = to_grid(c[k]->x);
        t.y[k] = to_grid(c[k]->y);
    }
    /* Rows go down, so a front, counter-clockwise, has a negative area here. */
    t.area = (int64_t)(t.x[1] - t.x[0]) * (t.y[2] - t.y[0]) - (int64_t)(t.x[2] - t.x[0]) * (t.y[1] - t.y[0]);
    if (t.area == 0 || (t.area < 0 && pipe->cull_front) || (t.area > 0 && pipe->cull_back))
        return;
    if (t.area < 0) {
        const int32_t x = t.x[1], y = t.y[1];
        t.x[1] = t.x[2], t.y[1] = t.y[2];
        t.x[2] = x, t.y[2] = y;
        c[1] = corners[2], c[2] = corners[1];
        t.area = -t.area;
    }
    planes_set(&t, c[0], c[1], c[2]);
    fill(&t);
}
