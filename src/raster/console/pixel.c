/* A triangle's pixels: coverage (picture.md 7), depth (8), texture coordinates (13), combiner, blender and coverage
 * rules (9), dither (10). */
#include "raster/console/pixel.h"
#include "base/strict_float.h"

#include "raster/console/coverage.h"
#include "raster/console/depth.h"
#include "raster/console/framebuffer.h"

/* A line of a triangle: planes at the pixel `x`, wherever that is. */
typedef struct console_span {
    int32_t x, y;
    size_t row;            /* its first pixel */
    const uint8_t *dither; /* thresholds of the line */
    int64_t start[TL_ATTRIBUTES];
    int first_plane, last_plane; /* that are used */
} console_span;

/* Alpha has a pattern also where colours have none: the square beside noise, Bayer's matrix beside nothing. */
void tl_console_state_set(tl_console_state *s, const tl_pipeline_state *material, tl_framebuffer *framebuffer)
{
    *s = (tl_console_state){.material = material,
                            .framebuffer = framebuffer,
                            .inputs = material->inputs,
                            .row = tl_blend_row_of(material),
                            .alpha_threshold = material->compare_threshold,
                            .dither = tl_dither_matrix(material->color_dither),
                            .alpha_dither = tl_dither_matrix(material->color_dither % 2),
                            .reads_coverage = material->antialias || material->blend_word != 0,
                            .blends = material->blender.first || material->blender.last};
    s->combiner = tl_combiner_slots_of(&material->combiner, &s->inputs);
    if (s->row == TL_ROW_CUTOUT)
        s->alpha_threshold = TL_ALPHA_THRESHOLD_NONE;
    s->needs_alpha = s->row != TL_ROW_OPAQUE || s->blends || s->alpha_threshold != TL_ALPHA_THRESHOLD_NONE ||
                     (material->combiner.used & (TL_CC_BIT(TL_CC_SHADE_ALPHA) | TL_CC_BIT(TL_CC_COMBINED_ALPHA))) != 0;
}

/* ---- texture ---- */

/* Coordinates at a pixel's corner, so many steps to the right and down. The RDP's registers are 16 bits wide, and wrap;
 * where w is not positive it has the largest coordinate. */
static inline void console_texture_at(const tl_console_state *state, const tl_raster_triangle *t,
                                      const console_span *span, int32_t step, int32_t down, int32_t at[2])
{
    const bool wide = state->material->wide;
    const tl_attribute *p = t->planes;
    const int64_t plane_w = span->start[TL_ATTRIBUTE_W] + p[TL_ATTRIBUTE_W].by_x * step + p[TL_ATTRIBUTE_W].by_y * down;
    const int64_t s = span->start[TL_ATTRIBUTE_S] + p[TL_ATTRIBUTE_S].by_x * step + p[TL_ATTRIBUTE_S].by_y * down;
    const int64_t u = span->start[TL_ATTRIBUTE_T] + p[TL_ATTRIBUTE_T].by_x * step + p[TL_ATTRIBUTE_T].by_y * down;
    if (wide) {
        const int32_t w = plane_w >> 16 < 1 ? 1 : plane_w >> 16 > 32767 ? 32767 : (int32_t)(plane_w >> 16);
        at[0] = tl_texture_coordinate_wide(s >> 16, w);
        at[1] = tl_texture_coordinate_wide(u >> 16, w);
        return;
    }
    const int16_t w = (int16_t)(plane_w >> 16);
    if (w <= 0) {
        at[0] = at[1] = 32767;
        return;
    }
    const tl_texture_reciprocal by = tl_texture_divide(w);
    at[0] = tl_texture_coordinate((int16_t)(s >> 16), by);
    at[1] = tl_texture_coordinate((int16_t)(u >> 16), by);
}

static void console_sample_mipmaps(tl_console_state *state, const tl_raster_triangle *t, const console_span *span,
                                   int32_t step, const int32_t at[2])
{
    int32_t beside[2], below[2]; /* the next pixel of a line is the left one where lines begin at the right */
    console_texture_at(state, t, span, t->major_left ? step + 1 : step - 1, 0, beside);
    console_texture_at(state, t, span, step, 1, below);
    tl_texture_sample_levels(&state->levels, state->material->filter, at, tl_texture_lod(at, beside, below),
                             state->inputs.at[TL_CC_TEX0]);
}

TL_ALWAYS_INLINE void console_sample_textures(tl_console_state *state, const tl_raster_triangle *t,
                                              const console_span *span, int32_t step)
{
    const tl_pipeline_state *m = state->material;
    const uint32_t used = m->combiner.used;
    tl_inputs *in = &state->inputs;
    int32_t at[2];
    console_texture_at(state, t, span, step, 0, at);
    if (state->levels.count > 0)
        console_sample_mipmaps(state, t, span, step, at);
    else if (m->uses_tex0)
        tl_tile_sample(&m->tiles[0], m->filter, at[0], at[1], in->at[TL_CC_TEX0]);
    if ((used & TL_CC_BIT(TL_CC_TEX0_ALPHA)) != 0)
        tl_input_set_all(in->at[TL_CC_TEX0_ALPHA], in->at[TL_CC_TEX0][3]);
    if (m->uses_tex1)
        tl_tile_sample(&m->tiles[1], m->filter, at[0], at[1], in->at[TL_CC_TEX1]);
    if ((used & TL_CC_BIT(TL_CC_TEX1_ALPHA)) != 0)
        tl_input_set_all(in->at[TL_CC_TEX1_ALPHA], in->at[TL_CC_TEX1][3]);
}

/* ---- a pixel ---- */

/* A value at the first covered sample. */
static inline int64_t console_interpolate(const tl_raster_triangle *t, const console_span *span, int plane,
                                          int32_t step, int32_t column, int32_t row)
{
    const tl_attribute *p = &t->planes[plane];
    return span->start[plane] + p->by_x * step + ((p->by_x * column + p->by_y * row) >> 2);
}

static inline int32_t console_clamp(int64_t value, int32_t most)
{
    if ((uint64_t)value <= (uint64_t)most) /* almost always */
        return (int32_t)value;
    return value < 0 ? 0 : most;
}

/* A hash of the pixel's place, 16 bits, where the RDP has a random number. */
static uint32_t console_noise(const tl_framebuffer *framebuffer, uint32_t x, uint32_t y)
{
    uint32_t h = x * 0x9E3779B1u ^ y * 0x85EBCA77u ^ framebuffer->seed * 0xC2B2AE3Du;
    h = (h ^ h >> 15) * 0x2C1B3C6Du;
    return (h ^ h >> 12) * 0x297A2D39u >> 16;
}

/* What is added to alpha before it is used. */
static int32_t console_alpha_dither(const tl_console_state *state, int32_t x, int32_t y)
{
    const int32_t pattern = state->alpha_dither[y & 3][x & 3];
    switch (state->material->alpha_dither) {
    case TL_ALPHA_DITHER_SAME:
        return pattern;
    case TL_ALPHA_DITHER_INVERSE:
        return 7 - pattern;
    case TL_ALPHA_DITHER_NOISE:
        return (int32_t)(console_noise(state->framebuffer, (uint32_t)x + 0x4000u, (uint32_t)y) >> 9 & 7);
    default:
        return 0;
    }
}

static bool console_alpha_compare(const tl_console_state *state, int32_t alpha, int32_t x, int32_t y)
{
    if (state->alpha_threshold == TL_ALPHA_THRESHOLD_NOISE)
        return alpha >= (int32_t)(console_noise(state->framebuffer, (uint32_t)x, (uint32_t)y + 0x8000u) & 0xFF);
    return alpha >= state->alpha_threshold;
}

/* Inputs of the combiner that differ from pixel to pixel: shade, at the first covered sample, and noise. */
TL_ALWAYS_INLINE void console_fill_inputs(tl_console_state *state, const tl_raster_triangle *t,
                                          const console_span *span, int32_t x, int32_t column, int32_t row)
{
    const tl_pipeline_state *m = state->material;
    const int32_t step = x - span->x;
    tl_inputs *in = &state->inputs;
    if (m->uses_shade) {
        int32_t *shade = in->at[TL_CC_SHADE];
        shade[0] = console_clamp(console_interpolate(t, span, TL_ATTRIBUTE_SHADE, step, column, row) >> 16, 255);
        shade[1] = console_clamp(console_interpolate(t, span, TL_ATTRIBUTE_SHADE + 1, step, column, row) >> 16, 255);
        shade[2] = console_clamp(console_interpolate(t, span, TL_ATTRIBUTE_SHADE + 2, step, column, row) >> 16, 255);
        if (state->needs_alpha)
            shade[3] =
                console_clamp(console_interpolate(t, span, TL_ATTRIBUTE_SHADE + 3, step, column, row) >> 16, 255);
        if ((m->combiner.used & TL_CC_BIT(TL_CC_SHADE_ALPHA)) != 0)
            tl_input_set_all(in->at[TL_CC_SHADE_ALPHA], in->at[TL_CC_SHADE][3]);
    }
    if (m->uses_noise)
        tl_input_set_all(
            in->at[TL_CC_NOISE],
            tl_wrap_abd((int32_t)(console_noise(state->framebuffer, (uint32_t)x, (uint32_t)span->y) & 7) * 64 + 32));
}

/* The colour is dithered and cut to the bits of the colour buffer. */
TL_ALWAYS_INLINE void console_store_color(tl_framebuffer *framebuffer, const tl_pipeline_state *m,
                                          const console_span *span, int32_t x, const int32_t color[4])
{
    uint8_t *memory = framebuffer->rgba[span->row + (size_t)x];
    uint32_t thresholds = span->dither[x & 3] * 0x49u; /* the same three times, three bits each */
    if (m->color_dither == TL_DITHER_NOISE)
        thresholds = console_noise(framebuffer, (uint32_t)x + 0x4000u, (uint32_t)span->y);
    memory[0] = tl_framebuffer_channel(color[0], (int32_t)(thresholds & 7), framebuffer->color_32);
    memory[1] = tl_framebuffer_channel(color[1], (int32_t)(thresholds >> 3 & 7), framebuffer->color_32);
    memory[2] = tl_framebuffer_channel(color[2], (int32_t)(thresholds >> 6 & 7), framebuffer->color_32);
    memory[3] = 255;
}

/* The RDP tests depth after the combiner. Here it comes first where alpha does not change coverage, with the same
 * result: most pixels that are not drawn fail by depth. */
TL_ALWAYS_INLINE void console_draw_pixel(tl_console_state *state, const tl_raster_triangle *t, const console_span *span,
                                         int32_t x, uint32_t mask)
{
    const tl_pipeline_state *m = state->material;
    tl_framebuffer *framebuffer = state->framebuffer;
    const size_t pixel = span->row + (size_t)x;
    const int32_t step = x - span->x;
    int32_t column = 0, row = 0, coverage = 8;
    if (mask != TL_COVERAGE_FULL) {
        coverage = tl_coverage_count(mask);
        tl_coverage_first(mask, &column, &row);
    }
    const int32_t stored = state->reads_coverage ? framebuffer->coverage[pixel] : 7;
    const bool has_z = m->z_compare != TL_Z_COMPARE_NONE, compares = has_z && m->z_compare != TL_Z_COMPARE_ALWAYS;
    const int32_t old_z = framebuffer->z[pixel];
    int32_t z = 0;
    tl_depth_result depth = {true, true};
    bool over = stored + coverage >= 8;
    if (has_z)
        z = console_clamp(console_interpolate(t, span, TL_ATTRIBUTE_Z, step, column, row) >> 13, TL_DEPTH_EMPTY);
    if (compares && state->row != TL_ROW_CUTOUT) {
        if (m->z_mode == TL_Z_OPAQUE && over) { /* most pixels */
            if (z >= old_z >> 4 && old_z >> 4 != TL_DEPTH_EMPTY)
                return;
        } else {
            depth = tl_depth_compare(m->z_mode, z, t->depth_slope, old_z, over, &coverage);
            if (!depth.pass || (coverage == 0 && state->row != TL_ROW_NO_ANTIALIAS))
                return;
        }
    }
    if (m->uses_tex0 || m->uses_tex1)
        console_sample_textures(state, t, span, step);
    console_fill_inputs(state, t, span, x, column, row);
    int32_t color[4];
    int32_t compared = tl_slots_combine(&state->combiner, &state->inputs, state->needs_alpha, color);
    if (state->row == TL_ROW_CUTOUT) {
        coverage = tl_cutout_coverage(color[3], coverage);
        if (coverage == 0)
            return;
        over = stored + coverage >= 8;
        if (compares)
            depth = tl_depth_compare(m->z_mode, z, t->depth_slope, old_z, over, &coverage);
        if (!depth.pass || coverage == 0)
            return;
    }
    if (state->alpha_threshold != TL_ALPHA_THRESHOLD_NONE) {
        compared += console_alpha_dither(state, x, span->y);
        compared = compared > 255 ? 255 : compared;
        if (!console_alpha_compare(state, compared, x, span->y))
            return;
    }
    uint8_t *memory = framebuffer->rgba[pixel];
    if (has_z && !m->keep_z)
        framebuffer->z[pixel] = tl_depth_stored(z) << 4 | t->depth_slope;
    if (state->row == TL_ROW_BLENDED) {
        framebuffer->coverage[pixel] = (uint8_t)((coverage + stored) & 7);
        if (!over)
            return;
    }
    if (state->blends) {
        const int32_t old[3] = {memory[0], memory[1], memory[2]};
        const int32_t dither = console_alpha_dither(state, x, span->y);
        const int32_t alpha = color[3] + dither, shade_alpha = state->inputs.at[TL_CC_SHADE][3] + dither;
        const tl_blend_inputs blend = {
            old,   m->blend_color, m->fog_color, alpha > 255 ? 255 : alpha, shade_alpha > 255 ? 255 : shade_alpha,
            stored};
        tl_blend(&m->blender, &blend, color);
    }
    if (state->row == TL_ROW_NO_ANTIALIAS) {
        framebuffer->coverage[pixel] = 7;
    } else if (state->row != TL_ROW_BLENDED && !over && depth.far) {
        const tl_edge_weights weights = tl_edge_weights_of(coverage, stored, t->depth_slope, old_z & 15, compares);
        for (int k = 0; k < 3; k++)
            color[k] = tl_edge_blend(weights, color[k], memory[k]);
        framebuffer->coverage[pixel] = (uint8_t)(coverage + stored > 7 ? 7 : coverage + stored);
    } else if (state->row != TL_ROW_BLENDED) {
        framebuffer->coverage[pixel] = (uint8_t)((coverage - 1) & 7);
    }
    console_store_color(framebuffer, m, span, x, color);
}

static void console_draw_whole(tl_console_state *state, const tl_raster_triangle *t, const console_span *span,
                               int32_t x)
{
    console_draw_pixel(state, t, span, x, TL_COVERAGE_FULL);
}

static void console_draw_edge(tl_console_state *state, const tl_raster_triangle *t, const console_span *span, int32_t x,
                              uint32_t mask)
{
    if (mask != 0)
        console_draw_pixel(state, t, span, x, mask);
}

/* ---- lines ---- */

static void console_span_start(console_span *span, const tl_pipeline_state *m, const tl_raster_triangle *t, int32_t y)
{
    span->x = t->x >> 2;
    span->y = y;
    span->first_plane = m->z_compare != TL_Z_COMPARE_NONE ? TL_ATTRIBUTE_Z : TL_ATTRIBUTE_SHADE;
    span->last_plane = m->uses_tex0 || m->uses_tex1 ? TL_ATTRIBUTES - 1
                       : m->uses_shade              ? TL_ATTRIBUTE_S - 1
                                                    : TL_ATTRIBUTE_Z;
    for (int k = span->first_plane; k <= span->last_plane; k++)
        span->start[k] = tl_attribute_at(t, k, span->x, y);
}

static void console_span_next(console_span *span, const tl_raster_triangle *t)
{
    span->y++;
    for (int k = span->first_plane; k <= span->last_plane; k++)
        span->start[k] += t->planes[k].by_y;
}

static void console_draw_line(tl_console_state *state, const tl_raster_triangle *t, const tl_coverage_line *line,
                              const console_span *span)
{
    if (state->row == TL_ROW_NO_ANTIALIAS) {
        for (int32_t x = line->first; x <= line->last; x++)
            if (4 * x >= line->left[0] && 4 * x < line->right[0])
                console_draw_whole(state, t, span, x);
        return;
    }
    int32_t x = line->first;
    for (; x <= line->last && x < line->full_first; x++)
        console_draw_edge(state, t, span, x, tl_coverage_mask(line, x));
    for (; x <= line->full_last; x++)
        console_draw_whole(state, t, span, x);
    for (; x <= line->last; x++)
        console_draw_edge(state, t, span, x, tl_coverage_mask(line, x));
}

void tl_console_draw_triangle(tl_console_state *state, const tl_console_vertex *const corners[3])
{
    tl_raster_triangle t;
    tl_triangle_setup(&t, state->material, corners);
    const int32_t rows = 4 * (int32_t)state->framebuffer->height;
    const int32_t scissor = 4 * (int32_t)state->framebuffer->width - 1; /* libdragon's, a quarter short */
    const int32_t top = t.top > 0 ? t.top : 0, bottom = t.bottom < rows ? t.bottom : rows;
    if (top >= bottom)
        return;
    tl_raster_edge edges[2] = {tl_edge_at(t.corners[0], t.corners[2], top),
                               top < t.middle ? tl_edge_at(t.corners[0], t.corners[1], top)
                                              : tl_edge_at(t.corners[1], t.corners[2], top)};
    tl_raster_edge *left_edge = &edges[t.major_left ? 0 : 1], *right_edge = &edges[t.major_left ? 1 : 0];
    console_span span;
    console_span_start(&span, state->material, &t, top >> 2);
    for (; span.y <= (bottom - 1) >> 2; console_span_next(&span, &t)) {
        tl_coverage_line line;
        tl_coverage_start(&line);
        const int32_t first_row = 4 * span.y, middle = t.middle > top ? t.middle - first_row : -1;
        int r = 0;
        for (; first_row + r < top; r++)
            tl_coverage_row(&line, r, 0, 0);
        for (const int end = bottom - first_row < 4 ? bottom - first_row : 4; r < end; r++) {
            if (r == middle)
                edges[1] = tl_edge_at(t.corners[1], t.corners[2], t.middle);
            const int32_t left = tl_edge_walk(left_edge), right = tl_edge_walk(right_edge);
            tl_coverage_row(&line, r, left > 0 ? left : 0, right < scissor ? right : scissor);
        }
        for (; r < 4; r++)
            tl_coverage_row(&line, r, 0, 0);
        span.dither = state->dither[span.y & 3];
        span.row = (size_t)span.y * state->framebuffer->width;
        if (tl_coverage_finish(&line))
            console_draw_line(state, &t, &line, &span);
    }
}
