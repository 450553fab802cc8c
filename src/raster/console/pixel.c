/* A triangle's pixels: coverage, depth, texture coordinates, combiner, blender and coverage rules, dither.
 * docs/render.md lists the steps. */
#include "raster/console/pixel.h"
#include "base/strict_float.h"

#include "raster/console/framebuffer.h"
#include "raster/console/lines.h"
#include "raster/console/opaque.h"

#include <stddef.h>
#include <string.h>

/* A pixel that is drawn by itself. */
typedef struct console_pixel {
    tl_span span;
    int64_t s, t, w;    /* with all bits: textures that are not the console's need them */
    uint8_t (*rgba)[4]; /* its line in the framebuffer */
    int32_t *depth;
    uint8_t *coverage;
    const uint8_t *dither; /* thresholds of the line */
} console_pixel;

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
        return (int32_t)(tl_pixel_noise(state->framebuffer, (uint32_t)x + 0x4000u, (uint32_t)y) >> 9 & 7);
    default:
        return 0;
    }
}

/* True if pixels can be drawn several at a time: neither blended nor noise, and depth is compared and written. */
static bool console_draws_at_once(const tl_console_state *s)
{
    const tl_pipeline_state *m = s->material;
    const bool compares = s->alpha_threshold != TL_ALPHA_THRESHOLD_NONE;
    const bool depth = m->z_mode == TL_Z_OPAQUE && m->z_compare == TL_Z_COMPARE_LESS && !m->keep_z && !m->fixed_z &&
                       m->depth_offset == 0;
    const bool noise = m->uses_noise || m->color_dither == TL_DITHER_NOISE ||
                       s->alpha_threshold == TL_ALPHA_THRESHOLD_NOISE ||
                       (compares && m->alpha_dither == TL_ALPHA_DITHER_NOISE);
    return depth && !noise && s->row != TL_ROW_BLENDED && !s->blends && s->levels.count == 0 && !m->wide &&
           !m->combiner.saturates && !s->framebuffer->probe;
}

/* Textures and shade of `opaque` are set. */
static void console_set_combiner(tl_console_state *s)
{
    tl_opaque_state *opaque = &s->opaque;
    const tl_combiner *combiner = &s->material->combiner;
    opaque->cutout = s->row == TL_ROW_CUTOUT;
    opaque->alpha_compare = s->alpha_threshold != TL_ALPHA_THRESHOLD_NONE;
    if (opaque->cutout || opaque->alpha_compare) { /* without effect where all pixels have enough */
        const int32_t alpha = tl_opaque_constant_alpha(combiner, &s->inputs, opaque->cutout);
        opaque->cutout = opaque->cutout && alpha != 255;
        opaque->alpha_compare = opaque->alpha_compare && alpha < s->alpha_threshold;
    }
    tl_opaque_set_combiner(opaque, combiner, &s->inputs);
    s->common = (opaque->modulate || opaque->tinted) && !opaque->cutout && !opaque->alpha_compare;
    s->depth_first = s->common && s->material->antialias;
    if (!s->depth_first)
        tl_opaque_set_operands(opaque, combiner, &s->inputs);
}

static void console_set_at_once(tl_console_state *s)
{
    const tl_pipeline_state *m = s->material;
    s->opaque = (tl_opaque_state){.textured = {m->uses_tex0, m->uses_tex1},
                                  .has_shade = m->uses_shade,
                                  .color_32 = s->framebuffer->color_32,
                                  .values = s->values};
    for (int i = 0; i < 2; i++)
        if (s->opaque.textured[i])
            s->opaque.textures[i] = tl_texel_source_of(&m->tiles[i], m->filter);
    console_set_combiner(s);
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 12; x++)
            s->thresholds[y][x] = s->dither[y][x & 3] * 0x01010101;
    for (int y = 0; s->alpha_threshold != TL_ALPHA_THRESHOLD_NONE && y < 4; y++)
        for (int x = 0; x < 12; x++)
            s->alpha_thresholds[y][x] = s->alpha_threshold - console_alpha_dither(s, x, y);
}

/* Alpha has a pattern also where colours have none: the square beside noise, Bayer's matrix beside nothing. */
void tl_console_state_set(tl_console_state *s, const tl_pipeline_state *material, tl_framebuffer *framebuffer,
                          const tl_texture_levels *levels)
{
    memset(s, 0, offsetof(tl_console_state, values)); /* most materials need no `values`, which are large */
    s->avx2 = tl_has_avx2();
    s->material = material;
    s->framebuffer = framebuffer;
    s->inputs = material->inputs;
    s->row = tl_blend_row_of(material);
    s->alpha_threshold = material->compare_threshold;
    s->dither = tl_dither_matrix(material->color_dither);
    s->alpha_dither = tl_dither_matrix(material->color_dither % 2);
    s->reads_coverage = material->antialias || material->blend_word != 0;
    s->blends = material->blender.first || material->blender.last;
    s->levels = *levels;
    s->combiner = tl_combiner_slots_of(&material->combiner, &s->inputs);
    if (s->row == TL_ROW_CUTOUT)
        s->alpha_threshold = TL_ALPHA_THRESHOLD_NONE;
    s->needs_alpha = s->row != TL_ROW_OPAQUE || s->blends || s->alpha_threshold != TL_ALPHA_THRESHOLD_NONE ||
                     framebuffer->probe ||
                     (material->combiner.used & (TL_CC_BIT(TL_CC_SHADE_ALPHA) | TL_CC_BIT(TL_CC_COMBINED_ALPHA))) != 0;
    s->at_once = console_draws_at_once(s);
    if (s->at_once)
        console_set_at_once(s);
}

void tl_console_state_set_prim(tl_console_state *state, const uint8_t color[4])
{
    for (int k = 0; k < 4; k++)
        state->inputs.at[TL_CC_PRIM][k] = color[k];
    if (state->at_once)
        console_set_combiner(state);
}

/* ---- texture ---- */

/* Coordinates from their planes. The RDP's registers are 16 bits wide, and wrap; where w is not positive it has the
 * largest coordinate. */
TL_ALWAYS_INLINE void console_texture_at(bool wide, int64_t s, int64_t t, int64_t w, int32_t at[2])
{
    if (wide) {
        const int32_t own = w >> 16 < 1 ? 1 : w >> 16 > 32767 ? 32767 : (int32_t)(w >> 16);
        at[0] = tl_texture_coordinate_wide(s >> 16, own);
        at[1] = tl_texture_coordinate_wide(t >> 16, own);
    } else {
        tl_texture_at((int16_t)(s >> 16), (int16_t)(t >> 16), (int16_t)(w >> 16), at);
    }
}

/* The next pixel of a line is the left one where lines begin at the right. */
static void console_sample_mipmaps(tl_console_state *state, const tl_raster_triangle *t, const console_pixel *pixel,
                                   const int32_t at[2])
{
    const tl_attribute *p = t->planes;
    const int64_t direction = t->major_left ? 1 : -1;
    const bool wide = state->material->wide;
    int32_t beside[2], below[2];
    console_texture_at(wide, pixel->s + direction * p[TL_ATTRIBUTE_S].by_x,
                       pixel->t + direction * p[TL_ATTRIBUTE_T].by_x, pixel->w + direction * p[TL_ATTRIBUTE_W].by_x,
                       beside);
    console_texture_at(wide, pixel->s + p[TL_ATTRIBUTE_S].by_y, pixel->t + p[TL_ATTRIBUTE_T].by_y,
                       pixel->w + p[TL_ATTRIBUTE_W].by_y, below);
    tl_texture_sample_levels(&state->levels, state->material->filter, at, tl_texture_lod(at, beside, below),
                             state->inputs.at[TL_CC_TEX0]);
}

static void console_sample_textures(tl_console_state *state, const tl_raster_triangle *t, const console_pixel *pixel)
{
    const tl_pipeline_state *m = state->material;
    tl_inputs *in = &state->inputs;
    int32_t at[2];
    console_texture_at(m->wide, pixel->s, pixel->t, pixel->w, at);
    if (state->levels.count > 0)
        console_sample_mipmaps(state, t, pixel, at);
    else if (m->uses_tex0)
        tl_tile_sample(&m->tiles[0], m->filter, at[0], at[1], in->at[TL_CC_TEX0]);
    if ((m->combiner.used & TL_CC_BIT(TL_CC_TEX0_ALPHA)) != 0)
        tl_input_set_all(in->at[TL_CC_TEX0_ALPHA], in->at[TL_CC_TEX0][3]);
    if (m->uses_tex1) {
        int32_t second[2] = {at[0], at[1]};
        if (m->second.used)
            tl_second_coordinates_of(&m->second, at, second);
        tl_tile_sample(&m->tiles[1], m->filter, second[0], second[1], in->at[TL_CC_TEX1]);
    }
    if ((m->combiner.used & TL_CC_BIT(TL_CC_TEX1_ALPHA)) != 0)
        tl_input_set_all(in->at[TL_CC_TEX1_ALPHA], in->at[TL_CC_TEX1][3]);
}

/* ---- a pixel ---- */

static bool console_alpha_compare(const tl_console_state *state, int32_t alpha, int32_t x, int32_t y)
{
    if (state->alpha_threshold == TL_ALPHA_THRESHOLD_NOISE)
        return alpha >= (int32_t)(tl_pixel_noise(state->framebuffer, (uint32_t)x, (uint32_t)y + 0x8000u) & 0xFF);
    return alpha >= state->alpha_threshold;
}

/* Inputs of the combiner that differ from pixel to pixel: shade, at the first covered sample, and noise. */
TL_ALWAYS_INLINE void console_fill_inputs(tl_console_state *state, const tl_raster_triangle *t,
                                          const console_pixel *pixel, int sample)
{
    const tl_pipeline_state *m = state->material;
    tl_inputs *in = &state->inputs;
    if (m->uses_shade) {
        const tl_uint4 shade = tl_span_shade(&pixel->span, t, sample);
        tl_int4_store(in->at[TL_CC_SHADE], tl_int4_clamp_255((tl_int4)shade >> 16));
    }
    if ((m->combiner.used & TL_CC_BIT(TL_CC_SHADE_ALPHA)) != 0)
        tl_input_set_all(in->at[TL_CC_SHADE_ALPHA], in->at[TL_CC_SHADE][3]);
    if (m->uses_noise)
        tl_input_set_all(
            in->at[TL_CC_NOISE],
            tl_wrap_abd(
                (int32_t)(tl_pixel_noise(state->framebuffer, (uint32_t)pixel->span.x, (uint32_t)pixel->span.y) & 7) *
                    64 +
                32));
}

/* The colour as the buffer's bytes; it is dithered and cut to its bits. */
TL_ALWAYS_INLINE void console_store_color(uint8_t memory[4], tl_int4 color, tl_int4 thresholds, bool color_32)
{
    color = tl_framebuffer_color(color, thresholds, color_32);
    tl_int4_store_bytes(memory, (color & (tl_int4){255, 255, 255, 0}) | (tl_int4){0, 0, 0, 255});
}

/* Records the inputs and the output of the combiner at the probed pixel; a triangle that is drawn over it replaces
 * them. */
static void console_record_probe(const tl_console_state *state, tl_int4 color)
{
    static const uint8_t sources[TRILO_COMBINER_INPUT_COUNT][2] = {
        [TRILO_COMBINER_INPUT_TEX0] = {TL_CC_TEX0, TL_CC_TEX0_ALPHA},
        [TRILO_COMBINER_INPUT_TEX1] = {TL_CC_TEX1, TL_CC_TEX1_ALPHA},
        [TRILO_COMBINER_INPUT_SHADE] = {TL_CC_SHADE, TL_CC_SHADE_ALPHA},
        [TRILO_COMBINER_INPUT_PRIM] = {TL_CC_PRIM, TL_CC_PRIM_ALPHA},
        [TRILO_COMBINER_INPUT_ENV] = {TL_CC_ENV, TL_CC_ENV_ALPHA},
        [TRILO_COMBINER_INPUT_NOISE] = {TL_CC_NOISE, TL_CC_NOISE},
        [TRILO_COMBINER_INPUT_LOD] = {TL_CC_LOD, TL_CC_LOD},
        [TRILO_COMBINER_INPUT_PRIM_LOD] = {TL_CC_PRIM_LOD, TL_CC_PRIM_LOD},
        [TRILO_COMBINER_INPUT_COMBINED] = {TL_CC_COMBINED, TL_CC_COMBINED_ALPHA},
    };
    const tl_probe *probe = state->framebuffer->probe;
    const uint32_t used = state->material->combiner.used;
    trilo_pixel_probe *out = probe->out;
    *out = (trilo_pixel_probe){.drawn = true, .mesh = probe->mesh, .triangle = probe->triangle};
    for (int i = 0; i < TRILO_COMBINER_INPUT_COUNT; i++) {
        if ((used & (TL_CC_BIT(sources[i][0]) | TL_CC_BIT(sources[i][1]))) == 0)
            continue;
        out->inputs |= UINT32_C(1) << i;
        for (int k = 0; k < 4; k++)
            out->values[i][k] = (int16_t)state->inputs.at[sources[i][0]][k];
    }
    for (int k = 0; k < 4; k++)
        out->output[k] = (uint8_t)color[k];
}

/* The RDP tests depth after the combiner. Here it comes first where alpha does not change coverage, with the same
 * result: most pixels that are not drawn fail the depth test. */
static void console_draw_pixel(tl_console_state *state, const tl_raster_triangle *t, const console_pixel *pixel,
                               uint32_t samples)
{
    const tl_pipeline_state *m = state->material;
    tl_framebuffer *framebuffer = state->framebuffer;
    const tl_blend_row blend_row = state->row;
    const int32_t x = pixel->span.x;
    const int first = tl_zeros_below(samples);
    int32_t coverage = tl_coverage_count(samples);
    const int32_t stored = state->reads_coverage ? pixel->coverage[x] : 7;
    const bool has_z = m->z_compare != TL_Z_COMPARE_NONE, compares = has_z && m->z_compare != TL_Z_COMPARE_ALWAYS;
    const int32_t old_z = pixel->depth[x];
    int32_t z = 0;
    tl_depth_result depth = {true, true};
    bool over = stored + coverage >= 8;
    if (has_z)
        z = tl_span_depth(&pixel->span, t, first);
    if (compares && blend_row != TL_ROW_CUTOUT) {
        if (m->z_mode == TL_Z_OPAQUE && over) { /* most pixels */
            if (z >= old_z >> 4 && old_z >> 4 != TL_DEPTH_EMPTY)
                return;
        } else {
            depth = tl_depth_compare(m->z_mode, z, t->depth_slope, old_z, over, &coverage);
            if (!depth.pass || (coverage == 0 && blend_row != TL_ROW_NO_ANTIALIAS))
                return;
        }
    }
    if (m->uses_tex0 || m->uses_tex1)
        console_sample_textures(state, t, pixel);
    console_fill_inputs(state, t, pixel, first);
    int32_t compared = 255;
    tl_int4 color = tl_slots_combine(&state->combiner, &state->inputs, state->needs_alpha, &compared);
    if (blend_row == TL_ROW_CUTOUT) {
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
        compared += console_alpha_dither(state, x, pixel->span.y);
        if (!console_alpha_compare(state, compared, x, pixel->span.y))
            return;
    }
    uint8_t *memory = pixel->rgba[x];
    if (has_z && !m->keep_z)
        pixel->depth[x] = tl_depth_stored(z) << 4 | t->depth_slope;
    if (blend_row == TL_ROW_BLENDED) {
        pixel->coverage[x] = (uint8_t)((coverage + stored) & 7);
        if (!over)
            return;
    }
    if (framebuffer->probe && x == framebuffer->probe->x && pixel->span.y == framebuffer->probe->y)
        console_record_probe(state, color);
    if (state->blends) {
        const int32_t old[3] = {memory[0], memory[1], memory[2]};
        const int32_t dither = console_alpha_dither(state, x, pixel->span.y);
        const int32_t alpha = color[3] + dither, shade_alpha = state->inputs.at[TL_CC_SHADE][3] + dither;
        const tl_blend_inputs blend = {
            old,   m->blend_color, m->fog_color, alpha > 255 ? 255 : alpha, shade_alpha > 255 ? 255 : shade_alpha,
            stored};
        int32_t blended[4];
        tl_int4_store(blended, color);
        tl_blend(&m->blender, &blend, blended);
        color = tl_int4_load(blended);
    }
    if (blend_row == TL_ROW_NO_ANTIALIAS) {
        pixel->coverage[x] = 7;
    } else if (blend_row != TL_ROW_BLENDED && !over && depth.far) {
        const tl_edge_weights weights = tl_edge_weights_of(coverage, stored, t->depth_slope, old_z & 15, compares);
        for (int k = 0; k < 3; k++)
            color[k] = tl_edge_blend(weights, color[k], memory[k]);
        pixel->coverage[x] = (uint8_t)(coverage + stored > 7 ? 7 : coverage + stored);
    } else if (blend_row != TL_ROW_BLENDED) {
        pixel->coverage[x] = (uint8_t)((coverage - 1) & 7);
    }
    const int32_t threshold = pixel->dither[x & 3];
    tl_int4 thresholds = {threshold, threshold, threshold, threshold};
    if (m->color_dither == TL_DITHER_NOISE) {
        const int32_t noise = (int32_t)tl_pixel_noise(framebuffer, (uint32_t)x + 0x4000u, (uint32_t)pixel->span.y);
        thresholds = (tl_int4){noise & 7, noise >> 3 & 7, noise >> 6 & 7, 0};
    }
    console_store_color(memory, color, thresholds, framebuffer->color_32);
}

/* ---- lines ---- */

TL_ALWAYS_INLINE void console_next_pixel(console_pixel *at, const tl_raster_triangle *t)
{
    const tl_attribute *p = t->planes;
    tl_span_move(&at->span, t, 1);
    at->s += p[TL_ATTRIBUTE_S].by_x;
    at->t += p[TL_ATTRIBUTE_T].by_x;
    at->w += p[TL_ATTRIBUTE_W].by_x;
}

static void console_draw_line(tl_console_state *state, const tl_raster_triangle *t, const tl_coverage_line *line,
                              const tl_span *start)
{
    const tl_framebuffer *framebuffer = state->framebuffer;
    const int32_t x = line->first, y = start->y;
    console_pixel at = {.span = *start,
                        .s = tl_attribute_at(t, TL_ATTRIBUTE_S, x, y),
                        .t = tl_attribute_at(t, TL_ATTRIBUTE_T, x, y),
                        .w = tl_attribute_at(t, TL_ATTRIBUTE_W, x, y),
                        .rgba = framebuffer->rgba + start->line,
                        .depth = framebuffer->z + start->line,
                        .coverage = framebuffer->coverage + start->line,
                        .dither = state->dither[y & 3]};
    tl_span_move(&at.span, t, x - start->x);
    if (state->row == TL_ROW_NO_ANTIALIAS) {
        for (; at.span.x <= line->last; console_next_pixel(&at, t))
            if ((tl_coverage_at(line, at.span.x) & 1) != 0) /* the first sample of the first row */
                console_draw_pixel(state, t, &at, TL_COVERAGE_FULL);
        return;
    }
    int32_t full_first, full_last;
    tl_coverage_full(line, &full_first, &full_last);
    for (; at.span.x <= line->last; console_next_pixel(&at, t)) {
        const bool full = at.span.x >= full_first && at.span.x <= full_last;
        const uint32_t samples = full ? TL_COVERAGE_FULL : tl_coverage_at(line, at.span.x);
        if (samples != 0)
            console_draw_pixel(state, t, &at, samples);
    }
}

/* ---- triangles ---- */

static void console_draw_any(tl_console_state *state, const tl_raster_triangle *t, const tl_coverage_line *lines,
                             uint32_t count, int32_t y)
{
    const uint32_t width = state->framebuffer->width;
    tl_span span = tl_span_start(t, y, width);
    for (uint32_t i = 0; i < count; i++, tl_span_down(&span, t, width))
        if (lines[i].first <= lines[i].last)
            console_draw_line(state, t, &lines[i], &span);
}

static void console_draw_opaque(tl_console_state *state, const tl_raster_triangle *t, const tl_coverage_line *lines,
                                uint32_t count, int32_t y)
{
#if TL_AVX2
    if (state->avx2) {
        tl_opaque_draw_avx2(state, t, lines, count, y);
        return;
    }
#endif
    tl_opaque_draw(state, t, lines, count, y);
}

/* What of a triangle lies in a window. */
static void console_draw_window(tl_console_state *state, const tl_raster_triangle *t, const tl_window *window)
{
    const int32_t rows = 4 * (int32_t)state->framebuffer->height;
    const int32_t bottom = t->bottom < rows ? t->bottom : rows;
    for (int32_t y = (t->top > 0 ? t->top : 0) >> 2; 4 * y < bottom; y += TL_LINES_MOST) {
        tl_coverage_line lines[TL_LINES_MOST];
        const uint32_t count = tl_lines_of(t, window, y, rows, state->avx2, lines);
        if (!state->at_once || !t->depth_fits)
            console_draw_any(state, t, lines, count, y);
        else
            console_draw_opaque(state, t, lines, count, y);
    }
}

static void console_setup(const tl_console_state *state, const tl_console_vertex *const corners[3],
                          tl_raster_triangle *t)
{
#if TL_AVX2
    if (state->avx2) {
        tl_triangle_setup_avx2(t, state->material, corners, !state->at_once);
        return;
    }
#endif
    tl_triangle_setup(t, state->material, corners, !state->at_once);
}

void tl_console_draw_triangle(tl_console_state *state, const tl_console_vertex *const corners[3])
{
    const int32_t width = (int32_t)state->framebuffer->width;
    tl_raster_triangle t;
    console_setup(state, corners, &t);
    for (int32_t first = 0; first < width; first += TL_WINDOW_MOST) {
        const int32_t rest = 4 * (width - first) - 1; /* libdragon's scissor is a quarter short */
        const tl_window window = {first, rest < 4 * TL_WINDOW_MOST ? rest : 4 * TL_WINDOW_MOST};
        console_draw_window(state, &t, &window);
    }
}
