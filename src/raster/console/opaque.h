/* opaque.h: coverage and depth of opaque pixels (picture.md 7 to 9). They are stored at once; the colour comes later,
 * from fragment.h. */
#ifndef TL_RASTER_CONSOLE_OPAQUE_H
#define TL_RASTER_CONSOLE_OPAQUE_H

#include "raster/console/coverage.h"
#include "raster/console/pixel.h"
#include "raster/console/span.h"

/* A line of the framebuffer. */
typedef struct tl_opaque_line {
    int32_t *depth;
    uint8_t *coverage;
    const uint32_t *thresholds;
} tl_opaque_line;

TL_ALWAYS_INLINE void tl_opaque_add(tl_console_state *state, const tl_opaque_line *line, const tl_span *span,
                                    tl_uint4 shade, uint32_t weights)
{
    tl_fragments *f = &state->fragments;
    const uint32_t i = f->count;
    f->pixels[i] = (uint32_t)span->line + (uint32_t)span->x;
    f->thresholds[i] = line->thresholds[span->x & 3];
    f->weights[i] = weights;
    f->texture[i] = span->texture;
    f->shade[i] = shade;
    f->count = i + 1;
    if (i + 1 >= TL_FRAGMENTS_ENOUGH)
        tl_fragments_draw(f, &state->opaque);
}

/* A pixel that the triangle covers. */
TL_ALWAYS_INLINE void tl_opaque_full(tl_console_state *state, const tl_raster_triangle *t, const tl_opaque_line *line,
                                     const tl_span *span)
{
    const int32_t x = span->x, z = tl_span_depth(span, t, 0, 0), old_depth = line->depth[x] >> 4;
    if (z >= old_depth && old_depth != TL_DEPTH_EMPTY)
        return;
    line->depth[x] = tl_depth_stored(z) << 4 | t->depth_slope;
    line->coverage[x] = 7;
    tl_opaque_add(state, line, span, t->steep ? tl_span_shade(span, t, 0, 0) : span->shade, TL_FRAGMENT_ALONE);
}

/* One that it covers in part. */
TL_ALWAYS_INLINE void tl_opaque_edge(tl_console_state *state, const tl_raster_triangle *t, const tl_opaque_line *line,
                                     const tl_span *span, uint32_t samples)
{
    const int32_t x = span->x, old_z = line->depth[x], old_depth = old_z >> 4, stored = line->coverage[x];
    int32_t column, row, coverage = tl_coverage_count(samples);
    uint32_t weights = TL_FRAGMENT_ALONE;
    tl_coverage_first(samples, &column, &row);
    const int32_t z = tl_span_depth(span, t, column, row);
    int32_t left = coverage - 1; /* stored with the pixel */
    if (stored + coverage >= 8) {
        if (z >= old_depth && old_depth != TL_DEPTH_EMPTY)
            return;
    } else {
        const tl_depth_result depth = tl_depth_compare(TL_Z_OPAQUE, z, t->depth_slope, old_z, false, &coverage);
        if (!depth.pass)
            return;
        if (depth.far) {
            weights = tl_fragment_weights(tl_edge_weights_of(coverage, stored, t->depth_slope, old_z & 15, true));
            left = coverage + stored;
        }
    }
    line->depth[x] = tl_depth_stored(z) << 4 | t->depth_slope;
    line->coverage[x] = (uint8_t)left;
    tl_opaque_add(state, line, span, tl_span_shade(span, t, column, row), weights);
}

/* ---- four full pixels ---- */

/* Four pixels at once, with these depths. */
TL_ALWAYS_INLINE void tl_opaque_add_four(tl_console_state *state, const tl_raster_triangle *t,
                                         const tl_opaque_line *line, const tl_span *span, tl_int4 z)
{
    tl_fragments *f = &state->fragments;
    const uint32_t i = f->count;
    const int32_t x = span->x;
    const tl_uint4 pixels = (uint32_t)span->line + (uint32_t)x + (tl_uint4){0, 1, 2, 3};
    const tl_uint4 alone = {TL_FRAGMENT_ALONE, TL_FRAGMENT_ALONE, TL_FRAGMENT_ALONE, TL_FRAGMENT_ALONE};
    memcpy(f->pixels + i, &pixels, sizeof pixels);
    memcpy(f->thresholds + i, line->thresholds + (x & 3), sizeof pixels);
    memcpy(f->weights + i, &alone, sizeof alone);
    tl_uint4 texture = span->texture, shade = span->shade;
    for (uint32_t k = i; k < i + 4; k++, texture += t->texture_by_x, shade += t->shade_by_x[1]) {
        f->texture[k] = texture;
        f->shade[k] = shade;
    }
    tl_int4_store(line->depth + x, tl_depth_stored4(z) << 4 | t->depth_slope);
    memset(line->coverage + x, 7, 4);
    f->count = i + 4;
    if (i + 4 >= TL_FRAGMENTS_ENOUGH)
        tl_fragments_draw(f, &state->opaque);
}

/* Full pixels up to `last`, four at a time as long as 31 bits hold their depth; the span goes on behind them. */
TL_ALWAYS_INLINE void tl_opaque_run(tl_console_state *state, const tl_raster_triangle *t, const tl_opaque_line *line,
                                    tl_span *span, int32_t last)
{
    const int64_t z_step = t->z_by_x, z_last = span->z + z_step * (last - span->x);
    if (last - span->x >= 3 && !t->steep && (uint64_t)(span->z | z_last) <= INT32_MAX) {
        const uint32_t step = (uint32_t)z_step;
        const tl_uint4 steps = {0, step, 2 * step, 3 * step};
        for (; span->x + 3 <= last; tl_span_move(span, t, 4)) {
            const tl_int4 z = (tl_int4)((uint32_t)span->z + steps) >> 13;
            const tl_int4 old = tl_int4_load(line->depth + span->x) >> 4;
            const tl_int4 hidden = ~(z < old) & (old != TL_DEPTH_EMPTY);
            if (!tl_int4_any(hidden)) {
                tl_opaque_add_four(state, t, line, span, z);
            } else if (tl_int4_any(~hidden)) {
                tl_span one = *span;
                for (int k = 0; k < 4; k++, tl_span_move(&one, t, 1))
                    tl_opaque_full(state, t, line, &one);
            }
        }
    }
    for (; span->x <= last; tl_span_move(span, t, 1))
        tl_opaque_full(state, t, line, span);
}

/* A line of a triangle. Pixels that are full have a loop of their own. */
TL_ALWAYS_INLINE void tl_opaque_draw(tl_console_state *state, const tl_raster_triangle *t,
                                     const tl_coverage_line *covered, const tl_span *start)
{
    const tl_opaque_line line = {state->framebuffer->z + start->line, state->framebuffer->coverage + start->line,
                                 state->thresholds[start->y & 3]};
    tl_span span = *start;
    tl_span_move(&span, t, covered->first - start->x);
    while (span.x <= covered->last) {
        if (span.x >= covered->full_first && span.x <= covered->full_last) {
            tl_opaque_run(state, t, &line, &span, covered->full_last);
            continue;
        }
        const uint32_t samples = tl_coverage_at(covered, span.x);
        if (samples == TL_COVERAGE_FULL)
            tl_opaque_full(state, t, &line, &span);
        else if (samples != 0)
            tl_opaque_edge(state, t, &line, &span, samples);
        tl_span_move(&span, t, 1);
    }
}

#endif
