/* A triangle's pixels: coverage (picture.md 7), depth (8), texture coordinates (13), combiner, blender and coverage
 * rules (9), dither (10). */
#include "raster/console/pixel.h"
#include "base/strict_float.h"

#include "raster/console/coverage.h"
#include "raster/console/depth.h"
#include "raster/console/framebuffer.h"

#include <string.h>

/* Fewer pixels are drawn one by one: they do not pay for copying what they need. */
enum { CONSOLE_RUN_LEAST = 3 };

/* A line of a triangle, and its planes at the upper left corner of a pixel. */
typedef struct console_span {
    int32_t x, y;          /* of the pixel */
    const uint8_t *dither; /* thresholds of the line */
    uint8_t (*rgba)[4];    /* the line in the framebuffer */
    int32_t *depth;
    uint8_t *coverage;
    int64_t z, s, t, w; /* 16 bits after the point */
    tl_uint4 shade;     /* the same in 32 bits; what is outside of the triangle may wrap */
} console_span;

/* Most materials are opaque, and nothing about them is special. */
static tl_console_kind console_kind_of(const tl_console_state *s)
{
    const tl_pipeline_state *m = s->material;
    const uint32_t rare = TL_CC_BIT(TL_CC_TEX0_ALPHA) | TL_CC_BIT(TL_CC_TEX1_ALPHA) | TL_CC_BIT(TL_CC_NOISE);
    if (s->row != TL_ROW_OPAQUE || s->blends || s->needs_alpha || s->levels.count > 0 || m->wide || m->uses_tex1 ||
        m->z_mode != TL_Z_OPAQUE || m->z_compare != TL_Z_COMPARE_LESS || m->keep_z ||
        m->color_dither == TL_DITHER_NOISE || (m->combiner.used & rare) != 0 || s->framebuffer->probe)
        return TL_KIND_ANY;
    return m->uses_tex0 ? TL_KIND_TEXTURED : TL_KIND_SHADED;
}

/* Alpha has a pattern also where colours have none: the square beside noise, Bayer's matrix beside nothing. */
void tl_console_state_set(tl_console_state *s, const tl_pipeline_state *material, tl_framebuffer *framebuffer,
                          const tl_texture_levels *levels)
{
    *s = (tl_console_state){.material = material,
                            .framebuffer = framebuffer,
                            .inputs = material->inputs,
                            .row = tl_blend_row_of(material),
                            .alpha_threshold = material->compare_threshold,
                            .dither = tl_dither_matrix(material->color_dither),
                            .alpha_dither = tl_dither_matrix(material->color_dither % 2),
                            .reads_coverage = material->antialias || material->blend_word != 0,
                            .blends = material->blender.first || material->blender.last,
                            .levels = *levels};
    s->combiner = tl_combiner_slots_of(&material->combiner, &s->inputs);
    if (s->row == TL_ROW_CUTOUT)
        s->alpha_threshold = TL_ALPHA_THRESHOLD_NONE;
    s->needs_alpha = s->row != TL_ROW_OPAQUE || s->blends || s->alpha_threshold != TL_ALPHA_THRESHOLD_NONE ||
                     framebuffer->probe ||
                     (material->combiner.used & (TL_CC_BIT(TL_CC_SHADE_ALPHA) | TL_CC_BIT(TL_CC_COMBINED_ALPHA))) != 0;
    s->kind = console_kind_of(s);
    s->opaque = (tl_console_opaque){.tile = material->tiles[0],
                                    .filter = material->filter,
                                    .modulate = s->combiner.modulate,
                                    .products = s->combiner.products,
                                    .has_shade = material->uses_shade,
                                    .color_32 = framebuffer->color_32,
                                    .factor = tl_int4_load(s->combiner.factor)};
    s->opaque.plain = s->opaque.modulate && s->opaque.has_shade && s->opaque.tile.simple && !s->opaque.color_32 &&
                      s->opaque.filter == TL_FILTER_BILINEAR && s->opaque.tile.s.shift == 0 &&
                      s->opaque.tile.t.shift == 0;
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
    } else if ((int16_t)(w >> 16) <= 0) {
        at[0] = at[1] = 32767;
    } else {
        const tl_texture_reciprocal by = tl_texture_divide((int16_t)(w >> 16));
        at[0] = tl_texture_coordinate((int16_t)(s >> 16), by);
        at[1] = tl_texture_coordinate((int16_t)(t >> 16), by);
    }
}

/* The next pixel of a line is the left one where lines begin at the right. */
static void console_sample_mipmaps(tl_console_state *state, const tl_raster_triangle *t, const console_span *span,
                                   const int32_t at[2])
{
    const tl_attribute *p = t->planes;
    const int64_t way = t->major_left ? 1 : -1;
    const bool wide = state->material->wide;
    int32_t beside[2], below[2];
    console_texture_at(wide, span->s + way * p[TL_ATTRIBUTE_S].by_x, span->t + way * p[TL_ATTRIBUTE_T].by_x,
                       span->w + way * p[TL_ATTRIBUTE_W].by_x, beside);
    console_texture_at(wide, span->s + p[TL_ATTRIBUTE_S].by_y, span->t + p[TL_ATTRIBUTE_T].by_y,
                       span->w + p[TL_ATTRIBUTE_W].by_y, below);
    tl_texture_sample_levels(&state->levels, state->material->filter, at, tl_texture_lod(at, beside, below),
                             state->inputs.at[TL_CC_TEX0]);
}

static void console_sample_textures(tl_console_state *state, const tl_raster_triangle *t, const console_span *span)
{
    const tl_pipeline_state *m = state->material;
    tl_inputs *in = &state->inputs;
    int32_t at[2];
    console_texture_at(m->wide, span->s, span->t, span->w, at);
    if (state->levels.count > 0)
        console_sample_mipmaps(state, t, span, at);
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

/* Depth at the first covered sample, 18 bits. */
TL_ALWAYS_INLINE int32_t console_depth(const tl_raster_triangle *t, const console_span *span, int32_t column,
                                       int32_t row)
{
    const tl_attribute *p = &t->planes[TL_ATTRIBUTE_Z];
    const int64_t z = (span->z + ((p->by_x * column + p->by_y * row) >> 2)) >> 13;
    if ((uint64_t)z <= TL_DEPTH_EMPTY) /* almost always */
        return (int32_t)z;
    return z < 0 ? 0 : TL_DEPTH_EMPTY;
}

/* Shade at the first covered sample of a triangle whose slopes need more than 32 bits. */
static void console_steep_shade(const tl_raster_triangle *t, int32_t x, int32_t y, int32_t column, int32_t row,
                                int32_t shade[4])
{
    for (int k = 0; k < 4; k++) {
        const tl_attribute *p = &t->planes[TL_ATTRIBUTE_SHADE + k];
        const int64_t within = (p->by_x * column + p->by_y * row) >> 2;
        const int64_t value = (tl_attribute_at(t, TL_ATTRIBUTE_SHADE + k, x, y) + within) >> 16;
        shade[k] = value < 0 ? 0 : value > 255 ? 255 : (int32_t)value;
    }
}

/* Shade at the first covered sample. */
TL_ALWAYS_INLINE tl_int4 console_shade_at(const tl_raster_triangle *t, const console_span *span, int32_t column,
                                          int32_t row)
{
    if (t->steep) {
        int32_t shade[4];
        console_steep_shade(t, span->x, span->y, column, row, shade);
        return tl_int4_load(shade);
    }
    const tl_int4 within = (tl_int4)(t->shade_by_x[column] + t->shade_by_y[row]) >> 2;
    return tl_int4_clamp_255((tl_int4)(span->shade + (tl_uint4)within) >> 16);
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
                                          const console_span *span, int32_t column, int32_t row)
{
    const tl_pipeline_state *m = state->material;
    tl_inputs *in = &state->inputs;
    if (m->uses_shade)
        tl_int4_store(in->at[TL_CC_SHADE], console_shade_at(t, span, column, row));
    if ((m->combiner.used & TL_CC_BIT(TL_CC_SHADE_ALPHA)) != 0)
        tl_input_set_all(in->at[TL_CC_SHADE_ALPHA], in->at[TL_CC_SHADE][3]);
    if (m->uses_noise)
        tl_input_set_all(
            in->at[TL_CC_NOISE],
            tl_wrap_abd((int32_t)(console_noise(state->framebuffer, (uint32_t)span->x, (uint32_t)span->y) & 7) * 64 +
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
static void console_answer_probe(const tl_console_state *state, tl_int4 color)
{
    static const uint8_t sources[TRILO_INPUT_COUNT][2] = {
        [TRILO_INPUT_TEX0] = {TL_CC_TEX0, TL_CC_TEX0_ALPHA},
        [TRILO_INPUT_TEX1] = {TL_CC_TEX1, TL_CC_TEX1_ALPHA},
        [TRILO_INPUT_SHADE] = {TL_CC_SHADE, TL_CC_SHADE_ALPHA},
        [TRILO_INPUT_PRIM] = {TL_CC_PRIM, TL_CC_PRIM_ALPHA},
        [TRILO_INPUT_ENV] = {TL_CC_ENV, TL_CC_ENV_ALPHA},
        [TRILO_INPUT_NOISE] = {TL_CC_NOISE, TL_CC_NOISE},
        [TRILO_INPUT_LOD] = {TL_CC_LOD, TL_CC_LOD},
        [TRILO_INPUT_PRIM_LOD] = {TL_CC_PRIM_LOD, TL_CC_PRIM_LOD},
        [TRILO_INPUT_COMBINED] = {TL_CC_COMBINED, TL_CC_COMBINED_ALPHA},
    };
    const tl_probe *probe = state->framebuffer->probe;
    const uint32_t used = state->material->combiner.used;
    trilo_pixel_probe *out = probe->out;
    *out = (trilo_pixel_probe){.drawn = true, .mesh = probe->mesh, .triangle = probe->triangle};
    for (int i = 0; i < TRILO_INPUT_COUNT; i++) {
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
 * result: most pixels that are not drawn fail by depth. */
static void console_draw_pixel(tl_console_state *state, const tl_raster_triangle *t, const console_span *span,
                               uint32_t samples)
{
    const tl_pipeline_state *m = state->material;
    tl_framebuffer *framebuffer = state->framebuffer;
    const tl_blend_row blend_row = state->row;
    const int32_t x = span->x;
    int32_t column = 0, row = 0, coverage = 8;
    if (samples != TL_COVERAGE_FULL) {
        coverage = tl_coverage_count(samples);
        tl_coverage_first(samples, &column, &row);
    }
    const int32_t stored = state->reads_coverage ? span->coverage[x] : 7;
    const bool has_z = m->z_compare != TL_Z_COMPARE_NONE, compares = has_z && m->z_compare != TL_Z_COMPARE_ALWAYS;
    const int32_t old_z = span->depth[x];
    int32_t z = 0;
    tl_depth_result depth = {true, true};
    bool over = stored + coverage >= 8;
    if (has_z)
        z = console_depth(t, span, column, row);
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
        console_sample_textures(state, t, span);
    console_fill_inputs(state, t, span, column, row);
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
        compared += console_alpha_dither(state, x, span->y);
        compared = compared > 255 ? 255 : compared;
        if (!console_alpha_compare(state, compared, x, span->y))
            return;
    }
    uint8_t *memory = span->rgba[x];
    if (has_z && !m->keep_z)
        span->depth[x] = tl_depth_stored(z) << 4 | t->depth_slope;
    if (blend_row == TL_ROW_BLENDED) {
        span->coverage[x] = (uint8_t)((coverage + stored) & 7);
        if (!over)
            return;
    }
    if (framebuffer->probe && x == framebuffer->probe->x && span->y == framebuffer->probe->y)
        console_answer_probe(state, color);
    if (state->blends) {
        const int32_t old[3] = {memory[0], memory[1], memory[2]};
        const int32_t dither = console_alpha_dither(state, x, span->y);
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
        span->coverage[x] = 7;
    } else if (blend_row != TL_ROW_BLENDED && !over && depth.far) {
        const tl_edge_weights weights = tl_edge_weights_of(coverage, stored, t->depth_slope, old_z & 15, compares);
        for (int k = 0; k < 3; k++)
            color[k] = tl_edge_blend(weights, color[k], memory[k]);
        span->coverage[x] = (uint8_t)(coverage + stored > 7 ? 7 : coverage + stored);
    } else if (blend_row != TL_ROW_BLENDED) {
        span->coverage[x] = (uint8_t)((coverage - 1) & 7);
    }
    const int32_t threshold = span->dither[x & 3];
    tl_int4 thresholds = {threshold, threshold, threshold, threshold};
    if (m->color_dither == TL_DITHER_NOISE) {
        const int32_t noise = (int32_t)console_noise(framebuffer, (uint32_t)x + 0x4000u, (uint32_t)span->y);
        thresholds = (tl_int4){noise & 7, noise >> 3 & 7, noise >> 6 & 7, 0};
    }
    console_store_color(memory, color, thresholds, framebuffer->color_32);
}

/* A pixel of a material of TL_KIND_SHADED or TL_KIND_TEXTURED. */
TL_ALWAYS_INLINE void console_draw_opaque(tl_console_state *state, const tl_raster_triangle *t,
                                          const console_span *span, uint32_t samples, bool textured)
{
    const tl_console_opaque *own = &state->opaque;
    const int32_t x = span->x, old_z = span->depth[x], old_depth = old_z >> 4;
    int32_t column = 0, row = 0, coverage = 8, stored = 7;
    bool edge = false; /* shares the pixel */
    if (samples != TL_COVERAGE_FULL) {
        coverage = tl_coverage_count(samples);
        tl_coverage_first(samples, &column, &row);
        stored = span->coverage[x];
    }
    const int32_t z = console_depth(t, span, column, row);
    if (stored + coverage >= 8) {
        if (z >= old_depth && old_depth != TL_DEPTH_EMPTY)
            return;
    } else {
        const tl_depth_result depth = tl_depth_compare(TL_Z_OPAQUE, z, t->depth_slope, old_z, false, &coverage);
        if (!depth.pass)
            return;
        edge = depth.far;
    }
    tl_int4 texel = {0, 0, 0, 0}, shade = texel, color;
    if (textured) {
        int32_t at[2];
        console_texture_at(false, span->s, span->t, span->w, at);
        texel = tl_tile_texel(&own->tile, own->filter, at[0], at[1]);
    }
    if (own->has_shade)
        shade = console_shade_at(t, span, column, row);
    if (textured && own->modulate) {
        color = tl_product_255(tl_product_255(texel, shade), own->factor);
    } else {
        int32_t compared;
        if (textured)
            tl_int4_store(state->inputs.at[TL_CC_TEX0], texel);
        if (own->has_shade)
            tl_int4_store(state->inputs.at[TL_CC_SHADE], shade);
        color = own->products ? tl_slots_multiply(&state->combiner, &state->inputs)
                              : tl_slots_combine(&state->combiner, &state->inputs, false, &compared);
    }
    uint8_t *memory = span->rgba[x];
    span->depth[x] = tl_depth_stored(z) << 4 | t->depth_slope;
    if (edge) {
        const tl_edge_weights weights = tl_edge_weights_of(coverage, stored, t->depth_slope, old_z & 15, true);
        for (int k = 0; k < 3; k++)
            color[k] = tl_edge_blend(weights, color[k], memory[k]);
        span->coverage[x] = (uint8_t)(coverage + stored > 7 ? 7 : coverage + stored);
    } else {
        span->coverage[x] = (uint8_t)(coverage - 1);
    }
    const int32_t threshold = span->dither[x & 3];
    console_store_color(memory, color, (tl_int4){threshold, threshold, threshold, threshold}, own->color_32);
}

/* By so many pixels. */
TL_ALWAYS_INLINE void console_span_move(console_span *span, const tl_raster_triangle *t, int32_t step, bool textured)
{
    const tl_attribute *p = t->planes;
    span->x += step;
    span->z += p[TL_ATTRIBUTE_Z].by_x * step;
    span->shade += t->shade_by_x[1] * (uint32_t)step;
    if (textured) {
        span->s += p[TL_ATTRIBUTE_S].by_x * step;
        span->t += p[TL_ATTRIBUTE_T].by_x * step;
        span->w += p[TL_ATTRIBUTE_W].by_x * step;
    }
}

/* Full pixels from the span's up to `last`, of a material that is `plain`, in a triangle that is not steep. What they
 * need is copied first: a byte that is stored could belong to any of the originals, as far as a compiler knows. */
static void console_draw_plain_run(const tl_console_state *state, const tl_raster_triangle *t, console_span *span,
                                   int32_t last)
{
    const tl_attribute *p = t->planes;
    const tl_tile *tile = &state->opaque.tile;
    const uint8_t(*texels)[4] = tile->texels;
    const size_t row_size = (size_t)tile->s.size;
    const int32_t s_low = tile->s.low * 8, s_mask = tile->s.mask, t_low = tile->t.low * 8, t_mask = tile->t.mask;
    const tl_int4 factor = state->opaque.factor;
    const tl_uint4 shade_step = t->shade_by_x[1];
    /* s, t and w, of which only 16 bits count. */
    const tl_uint4 texture_step = {(uint32_t)p[TL_ATTRIBUTE_S].by_x, (uint32_t)p[TL_ATTRIBUTE_T].by_x,
                                   (uint32_t)p[TL_ATTRIBUTE_W].by_x, 0};
    const int64_t z_step = p[TL_ATTRIBUTE_Z].by_x;
    const int32_t slope = t->depth_slope, count = last + 1 - span->x;
    const uint8_t *dither = span->dither;
    uint8_t(*rgba)[4] = span->rgba, *coverage = span->coverage;
    int32_t *depth = span->depth;
    tl_uint4 shade = span->shade, texture = {(uint32_t)span->s, (uint32_t)span->t, (uint32_t)span->w, 0};
    int64_t z = span->z;
    for (int32_t x = span->x; x <= last; x++, z += z_step, shade += shade_step, texture += texture_step) {
        const int64_t unclamped = z >> 13;
        const int32_t own = unclamped < 0 ? 0 : unclamped > TL_DEPTH_EMPTY ? TL_DEPTH_EMPTY : (int32_t)unclamped;
        const int32_t old = depth[x] >> 4;
        if (own >= old && old != TL_DEPTH_EMPTY)
            continue;
        const tl_int4 over_w = (tl_int4)texture >> 16;
        int32_t at[2] = {32767, 32767};
        if (over_w[2] > 0) {
            const tl_texture_reciprocal by = tl_texture_divide(over_w[2]);
            at[0] = tl_texture_coordinate(over_w[0], by);
            at[1] = tl_texture_coordinate(over_w[1], by);
        }
        const tl_int4 texel = tl_texel_filtered(texels, row_size, tl_texel_repeated(at[0] - s_low, s_mask),
                                                tl_texel_repeated(at[1] - t_low, t_mask));
        const tl_int4 lit = tl_product_255(texel, tl_int4_clamp_255((tl_int4)shade >> 16));
        const int32_t threshold = dither[x & 3];
        depth[x] = tl_depth_stored(own) << 4 | slope;
        coverage[x] = 7;
        console_store_color(rgba[x], tl_product_255(lit, factor), (tl_int4){threshold, threshold, threshold, threshold},
                            false);
    }
    console_span_move(span, t, count, true);
}

/* ---- lines ---- */

/* Planes at the first line, in the column of the first corner. */
static void console_span_start(console_span *span, const tl_pipeline_state *m, const tl_raster_triangle *t, int32_t y)
{
    span->x = t->x >> 2;
    span->y = y;
    span->z = tl_attribute_at(t, TL_ATTRIBUTE_Z, span->x, y);
    span->s = span->t = span->w = 0;
    span->shade = (tl_uint4){0, 0, 0, 0};
    for (int k = 0; m->uses_shade && k < 4; k++)
        span->shade[k] = (uint32_t)tl_attribute_at(t, TL_ATTRIBUTE_SHADE + k, span->x, y);
    if (m->uses_tex0 || m->uses_tex1) {
        span->s = tl_attribute_at(t, TL_ATTRIBUTE_S, span->x, y);
        span->t = tl_attribute_at(t, TL_ATTRIBUTE_T, span->x, y);
        span->w = tl_attribute_at(t, TL_ATTRIBUTE_W, span->x, y);
    }
}

TL_ALWAYS_INLINE void console_span_down(console_span *span, const tl_raster_triangle *t)
{
    const tl_attribute *p = t->planes;
    span->y++;
    span->z += p[TL_ATTRIBUTE_Z].by_y;
    span->shade += t->shade_by_y[1];
    span->s += p[TL_ATTRIBUTE_S].by_y;
    span->t += p[TL_ATTRIBUTE_T].by_y;
    span->w += p[TL_ATTRIBUTE_W].by_y;
}

static void console_draw_any(tl_console_state *state, const tl_raster_triangle *t, const tl_coverage_line *line,
                             const console_span *start)
{
    console_span span = *start;
    console_span_move(&span, t, line->first - start->x, true);
    if (state->row == TL_ROW_NO_ANTIALIAS) {
        for (; span.x <= line->last; console_span_move(&span, t, 1, true))
            if (4 * span.x >= line->left[0] && 4 * span.x < line->right[0])
                console_draw_pixel(state, t, &span, TL_COVERAGE_FULL);
        return;
    }
    for (; span.x <= line->last; console_span_move(&span, t, 1, true)) {
        const bool full = span.x >= line->full_first && span.x <= line->full_last;
        const uint32_t samples = full ? TL_COVERAGE_FULL : tl_coverage_at(line, span.x);
        if (samples != 0)
            console_draw_pixel(state, t, &span, samples);
    }
}

/* Pixels that are full have a loop of their own. */
TL_ALWAYS_INLINE void console_draw_opaque_line(tl_console_state *state, const tl_raster_triangle *t,
                                               const tl_coverage_line *line, const console_span *start, bool textured)
{
    console_span span = *start;
    console_span_move(&span, t, line->first - start->x, textured);
    while (span.x <= line->last) {
        if (span.x >= line->full_first && span.x <= line->full_last) {
            if (textured && state->opaque.plain && !t->steep && line->full_last - span.x >= CONSOLE_RUN_LEAST - 1) {
                console_draw_plain_run(state, t, &span, line->full_last);
                continue;
            }
            for (const int32_t last = line->full_last; span.x <= last; console_span_move(&span, t, 1, textured))
                console_draw_opaque(state, t, &span, TL_COVERAGE_FULL, textured);
            continue;
        }
        const uint32_t samples = tl_coverage_at(line, span.x);
        if (samples != 0)
            console_draw_opaque(state, t, &span, samples, textured);
        console_span_move(&span, t, 1, textured);
    }
}

static void console_draw_shaded(tl_console_state *state, const tl_raster_triangle *t, const tl_coverage_line *line,
                                const console_span *span)
{
    console_draw_opaque_line(state, t, line, span, false);
}

static void console_draw_textured(tl_console_state *state, const tl_raster_triangle *t, const tl_coverage_line *line,
                                  const console_span *span)
{
    console_draw_opaque_line(state, t, line, span, true);
}

void tl_console_draw_triangle(tl_console_state *state, const tl_console_vertex *const corners[3])
{
    typedef void draw_line(tl_console_state *, const tl_raster_triangle *, const tl_coverage_line *,
                           const console_span *);
    static draw_line *const draw_lines[] = {[TL_KIND_ANY] = console_draw_any,
                                            [TL_KIND_SHADED] = console_draw_shaded,
                                            [TL_KIND_TEXTURED] = console_draw_textured};
    tl_raster_triangle t;
    tl_triangle_setup(&t, state->material, corners);
    const int32_t rows = 4 * (int32_t)state->framebuffer->height;
    const int32_t scissor = 4 * (int32_t)state->framebuffer->width - 1; /* libdragon's, a quarter short */
    const int32_t top = t.top > 0 ? t.top : 0, bottom = t.bottom < rows ? t.bottom : rows;
    if (top >= bottom)
        return;
    draw_line *const draw = draw_lines[state->kind];
    const tl_raster_edge major = tl_edge_at(t.corners[0], t.corners[2], top),
                         minor = top < t.middle ? tl_edge_at(t.corners[0], t.corners[1], top)
                                                : tl_edge_at(t.corners[1], t.corners[2], top);
    tl_raster_edge left_edge = t.major_left ? major : minor, right_edge = t.major_left ? minor : major;
    console_span span;
    console_span_start(&span, state->material, &t, top >> 2);
    for (; span.y <= (bottom - 1) >> 2; console_span_down(&span, &t)) {
        tl_coverage_line line;
        const int32_t first_row = 4 * span.y, middle = t.middle > top ? t.middle - first_row : -1;
        const bool inside = first_row >= top && first_row + 4 <= bottom;
        for (int r = 0; r < 4; r++) {
            if (!inside && (first_row + r < top || first_row + r >= bottom)) {
                tl_coverage_no_row(&line, r);
                continue;
            }
            if (r == middle)
                *(t.major_left ? &right_edge : &left_edge) = tl_edge_at(t.corners[1], t.corners[2], t.middle);
            const int32_t left = tl_edge_walk(&left_edge), right = tl_edge_walk(&right_edge);
            line.left[r] = left > 0 ? left : 0;
            line.right[r] = right < scissor ? right : scissor;
        }
        span.dither = state->dither[span.y & 3];
        if (!tl_coverage_finish(&line))
            continue;
        const size_t first = (size_t)span.y * state->framebuffer->width;
        span.rgba = state->framebuffer->rgba + first;
        span.depth = state->framebuffer->z + first;
        span.coverage = state->framebuffer->coverage + first;
        draw(state, &t, &line, &span);
    }
}
