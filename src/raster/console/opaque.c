/* Opaque pixels, four at a time. */
#include "raster/console/opaque.h"

/* What the lines of a triangle share. Its depth is the fourth of what textures need, in 32 bits (tl_raster_triangle).
 */
typedef struct opaque_triangle {
    const tl_raster_triangle *t;
    tl_uint4 steps;              /* of depth, to each of four pixels */
    tl_uint4 second, odd, lower; /* four times what depth changes by to samples that tl_coverage_four names */
} opaque_triangle;

/* A line of the framebuffer. */
typedef struct opaque_line {
    uint32_t pixel; /* its first */
    int32_t y;
    int32_t *depth;
    uint8_t *coverage;
    const uint32_t *thresholds;
} opaque_line;

/* Four pixels from `x` on: what the planes are at the first. */
typedef struct opaque_four {
    int32_t x;
    tl_short8 columns; /* of coverage */
    tl_uint4 texture, shade;
} opaque_four;

TL_ALWAYS_INLINE opaque_triangle opaque_triangle_of(const tl_raster_triangle *t)
{
    const tl_uint4 x = t->texture_by_x, y = t->texture_by_y;
    const tl_uint4 by_x = (tl_uint4)TL_SHUFFLE4((tl_int4)x, (tl_int4)x, 3, 3, 3, 3),
                   by_y = (tl_uint4)TL_SHUFFLE4((tl_int4)y, (tl_int4)y, 3, 3, 3, 3);
    const tl_uint4 odd = {0, UINT32_MAX, 0, UINT32_MAX}, upper = {0, 0, UINT32_MAX, UINT32_MAX};
    return (opaque_triangle){t, (by_x & odd) + (2 * by_x & upper), 2 * by_x, by_x + by_y, 2 * by_y};
}

/* Depth so far from the pixels' upper left corners, 18 bits. At samples of the triangle it is below 2^31, and above 0
 * but for rounding. */
TL_ALWAYS_INLINE tl_int4 opaque_depth(const opaque_triangle *o, const opaque_four *at, tl_int4 within)
{
    const tl_uint4 first = (tl_uint4)TL_SHUFFLE4((tl_int4)at->texture, (tl_int4)at->texture, 3, 3, 3, 3);
    const tl_int4 z = (tl_int4)(first + o->steps + (tl_uint4)within) >> 13;
    return z & ~(z >> 31);
}

TL_ALWAYS_INLINE void opaque_move(opaque_four *at, const tl_raster_triangle *t)
{
    at->x += 4;
    at->columns -= 16;
    at->texture += t->texture_by_x << 2;
    at->shade += t->shade_by_x[1] << 2;
}

/* ---- those that are drawn ---- */

/* Four full ones. */
TL_ALWAYS_INLINE void opaque_add_four(tl_console_state *state, const tl_raster_triangle *t, const opaque_line *line,
                                      const opaque_four *at, tl_int4 z)
{
    tl_fragments *f = &state->fragments;
    const size_t i = f->count;
    const tl_uint4 pixels = line->pixel + (uint32_t)at->x + (tl_uint4){0, 1, 2, 3};
    const tl_uint4 alone = {TL_FRAGMENT_ALONE, TL_FRAGMENT_ALONE, TL_FRAGMENT_ALONE, TL_FRAGMENT_ALONE};
    memcpy(f->pixels + i, &pixels, sizeof pixels);
    memcpy(f->thresholds + i, line->thresholds + (at->x & 3), sizeof pixels);
    memcpy(f->weights + i, &alone, sizeof alone);
    for (int k = 0; k < 4; k++) {
        f->texture[i + (size_t)k] = at->texture + t->texture_steps[k];
        f->shade[i + (size_t)k] = at->shade + t->shade_by_x[k];
    }
    tl_int4_store(line->depth + at->x, tl_depth_stored4(z) << 4 | t->depth_slope);
    memset(line->coverage + at->x, 7, 4);
    f->count = (uint32_t)i + 4;
    if (i + 4 >= TL_FRAGMENTS_ENOUGH)
        tl_fragments_draw(f, &state->opaque);
}

/* Shades that need more than 32 bits. */
static TL_NEVER_INLINE void opaque_steep_shades(tl_fragments *f, const tl_raster_triangle *t, int32_t x, int32_t y,
                                                const int32_t samples[4], uint32_t drawn)
{
    for (tl_uint4 *to = f->shade + f->count; drawn != 0; drawn &= drawn - 1, to++) {
        const int k = tl_zeros_below(drawn);
        int32_t shade[4];
        tl_steep_shade(t, x + k, y, samples[k], shade);
        *to = (tl_uint4)tl_int4_load(shade) << 16;
    }
}

/* Those of four that are drawn, by bits, with the weights that they are mixed with. */
TL_ALWAYS_INLINE void opaque_add(tl_console_state *state, const tl_raster_triangle *t, const opaque_line *line,
                                 const opaque_four *at, const tl_coverage_four *c, const uint32_t weights[4],
                                 uint32_t drawn)
{
    tl_fragments *f = &state->fragments;
    size_t i = f->count;
    int32_t samples[4];
    tl_int4_store(samples, (c->second & 1) | (c->odd & 2) | (c->lower & 4));
    if (t->steep)
        opaque_steep_shades(f, t, at->x, line->y, samples, drawn);
    const uint32_t *thresholds = line->thresholds + (at->x & 3), first = line->pixel + (uint32_t)at->x;
    for (; drawn != 0; drawn &= drawn - 1, i++) {
        const uint32_t k = (uint32_t)tl_zeros_below(drawn);
        f->pixels[i] = first + k;
        f->thresholds[i] = thresholds[k];
        f->weights[i] = weights[k];
        f->texture[i] = at->texture + t->texture_steps[k];
        if (!t->steep)
            f->shade[i] = at->shade + t->shade_by_x[k] + t->shade_samples[(uint32_t)samples[k]];
    }
    f->count = (uint32_t)i;
    if (i >= TL_FRAGMENTS_ENOUGH)
        tl_fragments_draw(f, &state->opaque);
}

/* ---- four pixels ---- */

/* Weights of pixels that share theirs with what is there; the others are drawn alone. */
TL_ALWAYS_INLINE void opaque_weights(tl_int4 mixed, tl_int4 count, tl_int4 stored, tl_int4 old_z, int slope,
                                     uint32_t weights[4])
{
    for (uint32_t left = tl_int4_bits(mixed); left != 0; left &= left - 1) {
        const int k = tl_zeros_below(left);
        weights[k] = tl_fragment_weights(tl_edge_weights_of(count[k], stored[k], slope, old_z[k] & 15, true));
    }
}

TL_ALWAYS_INLINE void opaque_draw_four(tl_console_state *state, const opaque_triangle *o, const opaque_line *line,
                                       const opaque_four *at)
{
    const tl_raster_triangle *t = o->t;
    const tl_coverage_four c = tl_coverage_four_of(at->columns);
    const tl_uint4 within =
        ((tl_uint4)c.second & o->second) + ((tl_uint4)c.odd & o->odd) + ((tl_uint4)c.lower & o->lower);
    const tl_int4 z = opaque_depth(o, at, (tl_int4)within >> 2);
    const tl_int4 old_z = tl_int4_load(line->depth + at->x), old = old_z >> 4,
                  stored = tl_int4_load_bytes(line->coverage + at->x);
    tl_int4 drawn = c.some & ((z < old) | (old == TL_DEPTH_EMPTY)), left = c.count - 1;
    const tl_int4 shares = c.some & (c.count + stored < 8);
    uint32_t weights[4] = {TL_FRAGMENT_ALONE, TL_FRAGMENT_ALONE, TL_FRAGMENT_ALONE, TL_FRAGMENT_ALONE};
    if (tl_int4_any(shares)) {
        const tl_depth_result4 depth = tl_depth_compare4(z, t->depth_slope, old_z);
        drawn = (drawn & ~shares) | (depth.pass & shares);
        const tl_int4 mixed = drawn & shares & depth.far;
        left += mixed & (stored + 1);
        opaque_weights(mixed, c.count, stored, old_z, t->depth_slope, weights);
    }
    const uint32_t bits = tl_int4_bits(drawn);
    if (bits == 0)
        return;
    const tl_int4 new_z = tl_depth_stored4(z) << 4 | t->depth_slope;
    tl_int4_store(line->depth + at->x, (new_z & drawn) | (old_z & ~drawn));
    tl_int4_store_bytes(line->coverage + at->x, (left & drawn) | (stored & ~drawn));
    opaque_add(state, t, line, at, &c, weights, bits);
}

/* Full pixels from `at` to `last`, as long as of each four all are drawn or none. */
static TL_NEVER_INLINE void opaque_run(tl_console_state *state, const opaque_triangle *o, const opaque_line *line,
                                       opaque_four *at, int32_t last)
{
    const tl_raster_triangle *t = o->t;
    opaque_four four = *at;
    for (; four.x + 3 <= last; opaque_move(&four, t)) {
        const tl_int4 z = opaque_depth(o, &four, (tl_int4){0, 0, 0, 0}), old = tl_int4_load(line->depth + four.x) >> 4;
        const uint32_t seen = tl_int4_bits((z < old) | (old == TL_DEPTH_EMPTY));
        if (seen == 15)
            opaque_add_four(state, t, line, &four, z);
        else if (seen != 0)
            break;
    }
    *at = four;
}

/* The same if four of them begin here. */
TL_ALWAYS_INLINE void opaque_draw_full(tl_console_state *state, const opaque_triangle *o, const opaque_line *line,
                                       const tl_coverage_line *covered, opaque_four *at)
{
    int32_t first, last;
    tl_coverage_full(covered, &first, &last);
    if (at->x < first || at->x + 3 > last || o->t->steep)
        return;
    const opaque_line own = *line; /* copies, so that registers hold the others */
    opaque_four four = *at;
    opaque_run(state, o, &own, &four, last);
    *at = four;
}

/* A line of a triangle. */
TL_ALWAYS_INLINE void opaque_draw_line(tl_console_state *state, const opaque_triangle *o,
                                       const tl_coverage_line *covered, const opaque_line *line, opaque_four at)
{
    at.columns = covered->columns;
    for (;;) {
        opaque_draw_four(state, o, line, &at);
        if (at.x + 3 >= covered->last)
            return;
        opaque_move(&at, o->t);
        opaque_draw_full(state, o, line, covered, &at);
        if (at.x > covered->last)
            return;
    }
}

/* Goes to a pixel of the same line, mostly a few away. */
TL_ALWAYS_INLINE void opaque_go_to(opaque_four *at, const tl_raster_triangle *t, int32_t x)
{
    const int32_t right = x - at->x;
    at->x = x;
    if ((uint32_t)right < 4) {
        at->texture += t->texture_steps[right];
        at->shade += t->shade_by_x[right];
    } else if ((uint32_t)-right < 4) {
        at->texture -= t->texture_steps[-right];
        at->shade -= t->shade_by_x[-right];
    } else {
        at->texture += t->texture_by_x * (uint32_t)right;
        at->shade += t->shade_by_x[1] * (uint32_t)right;
    }
}

void tl_opaque_draw(tl_console_state *state, const tl_raster_triangle *t, const tl_coverage_line *lines, uint32_t count,
                    int32_t y)
{
    const opaque_triangle o = opaque_triangle_of(t);
    const tl_framebuffer *framebuffer = state->framebuffer;
    size_t pixel = (size_t)y * framebuffer->width;
    opaque_four at = {.x = t->x >> 2, .texture = t->texture, .shade = t->shade};
    const int32_t below = y - (t->y >> 2);
    if (below != 0) {
        at.texture += t->texture_by_y * (uint32_t)below;
        at.shade += t->shade_by_y * (uint32_t)below;
    }
    for (const tl_coverage_line *covered = lines; covered < lines + count; covered++, y++) {
        if (covered->first <= covered->last) {
            const opaque_line line = {(uint32_t)pixel, y, framebuffer->z + pixel, framebuffer->coverage + pixel,
                                      state->thresholds[y & 3]};
            opaque_go_to(&at, t, covered->first);
            opaque_draw_line(state, &o, covered, &line, at);
        }
        pixel += framebuffer->width;
        at.texture += t->texture_by_y;
        at.shade += t->shade_by_y;
    }
}
