/* Colours of opaque pixels, four at a time: texture, combiner (libdragon.md 4.2), the blender at edges (picture.md 9),
 * dither (10). */
#include "raster/console/fragment.h"

/* ---- combiner ---- */

/* Shade from 0 to 255. */
TL_ALWAYS_INLINE tl_colors4 fragment_shade(const tl_uint4 shade[4])
{
    const tl_uchar16 limited = tl_short8_narrow(tl_int4_narrow((tl_int4)shade[0] >> 16, (tl_int4)shade[1] >> 16),
                                                tl_int4_narrow((tl_int4)shade[2] >> 16, (tl_int4)shade[3] >> 16));
    return (tl_colors4){{tl_uchar16_widen(limited), tl_uchar16_widen_last(limited)}};
}

TL_ALWAYS_INLINE tl_ushort8 fragment_product(tl_ushort8 a, tl_ushort8 b)
{
    return (a * b + 0x80) >> 8;
}

/* Texture times shade, as of most materials, times a constant. */
TL_ALWAYS_INLINE tl_colors4 fragment_modulate(const tl_opaque_state *state, tl_colors4 texels, tl_colors4 shade)
{
    texels.at[0] = fragment_product(texels.at[0], shade.at[0]);
    texels.at[1] = fragment_product(texels.at[1], shade.at[1]);
    if (state->two_cycles) {
        texels.at[0] = fragment_product(texels.at[0], state->constants[1][1]);
        texels.at[1] = fragment_product(texels.at[1], state->constants[1][1]);
    }
    return texels;
}

/* Any products. */
TL_ALWAYS_INLINE tl_colors4 fragment_multiply(const tl_opaque_state *state, tl_colors4 texels, tl_colors4 shade)
{
    tl_colors4 values[] = {[TL_FACTOR_TEXEL] = texels, [TL_FACTOR_SHADE] = shade, [TL_FACTOR_COMBINED] = {{{0}, {0}}}};
    for (int cycle = 0; cycle <= state->two_cycles; cycle++) {
        tl_colors4 factors[2];
        for (int i = 0; i < 2; i++) {
            const uint8_t factor = state->factors[cycle][i];
            const tl_ushort8 constant = state->constants[cycle][i];
            factors[i] = factor == TL_FACTOR_CONSTANT ? (tl_colors4){{constant, constant}} : values[factor];
        }
        values[TL_FACTOR_COMBINED].at[0] = fragment_product(factors[0].at[0], factors[1].at[0]);
        values[TL_FACTOR_COMBINED].at[1] = fragment_product(factors[0].at[1], factors[1].at[1]);
    }
    return values[TL_FACTOR_COMBINED];
}

/* Four colours in memory. */
typedef uint16_t fragment_channels[4][4];

/* Any combiner that needs no alpha, one pixel after the other. Texels become colours. */
static void fragment_combine(const tl_opaque_state *state, fragment_channels texels, fragment_channels shade)
{
    for (int i = 0; i < 4; i++) {
        int32_t compared;
        for (int k = 0; state->textured && k < 4; k++)
            state->inputs->at[TL_CC_TEX0][k] = texels[i][k];
        for (int k = 0; state->has_shade && k < 4; k++)
            state->inputs->at[TL_CC_SHADE][k] = shade[i][k];
        const tl_int4 color = tl_slots_combine(state->combiner, state->inputs, false, &compared);
        for (int k = 0; k < 4; k++)
            texels[i][k] = (uint16_t)color[k];
    }
}

/* `modulate` as in the state, known when this is compiled. */
TL_ALWAYS_INLINE tl_colors4 fragment_colors(const tl_opaque_state *state, const tl_uint4 texture[4],
                                            const tl_uint4 shade_planes[4], bool modulate)
{
    if (modulate)
        return fragment_modulate(state, tl_texels4(&state->texture, texture), fragment_shade(shade_planes));
    tl_colors4 texels = {{{0}, {0}}}, shade = texels;
    if (state->textured)
        texels = tl_texels4(&state->texture, texture);
    if (state->has_shade)
        shade = fragment_shade(shade_planes);
    if (state->products)
        return fragment_multiply(state, texels, shade);
    fragment_channels texel_channels, shade_channels;
    memcpy(texel_channels, texels.at, sizeof texel_channels);
    memcpy(shade_channels, shade.at, sizeof shade_channels);
    fragment_combine(state, texel_channels, shade_channels);
    memcpy(texels.at, texel_channels, sizeof texel_channels);
    return texels;
}

void tl_opaque_set_combiner(tl_opaque_state *state, tl_combiner_slots *combiner, tl_inputs *inputs)
{
    state->combiner = combiner;
    state->inputs = inputs;
    state->products = combiner->products;
    state->two_cycles = combiner->two_cycles;
    for (int cycle = 0; state->products && cycle <= state->two_cycles; cycle++)
        for (int i = 0; i < 2; i++) {
            const int32_t *from = combiner->factors[cycle][i];
            state->factors[cycle][i] = from == inputs->at[TL_CC_TEX0]       ? TL_FACTOR_TEXEL
                                       : from == inputs->at[TL_CC_SHADE]    ? TL_FACTOR_SHADE
                                       : from == inputs->at[TL_CC_COMBINED] ? TL_FACTOR_COMBINED
                                                                            : TL_FACTOR_CONSTANT;
            for (int k = 0; k < 8; k++)
                state->constants[cycle][i][k] = (uint16_t)from[k & 3];
        }
    state->modulate = combiner->modulate && state->textured && state->has_shade;
    if (state->modulate && state->two_cycles && state->factors[1][0] == TL_FACTOR_CONSTANT)
        state->constants[1][1] = state->constants[1][0];
}

/* ---- blender ---- */

TL_ALWAYS_INLINE tl_uchar16 fragment_load(uint8_t (*rgba)[4], const uint32_t pixels[4])
{
    uint32_t old[4];
    for (int k = 0; k < 4; k++)
        memcpy(&old[k], rgba[pixels[k]], sizeof old[k]);
    return (tl_uchar16)(tl_uint4){old[0], old[1], old[2], old[3]};
}

/* Mixes new colours with those of the framebuffer. */
TL_ALWAYS_INLINE void fragment_blend(tl_colors4 *colors, tl_uint4 weights, tl_uchar16 old)
{
    const tl_uint4 a = weights & 0xFF, b = weights >> 8 & 0xFF, by = weights >> 16;
    const tl_ushort8 new_8 = (tl_ushort8)(a | a << 16), old_8 = (tl_ushort8)(b | b << 16),
                     by_8 = (tl_ushort8)(by | by << 16);
    colors->at[0] = tl_ushort8_multiply_upper(colors->at[0] * TL_FOR_FIRST_COLORS(new_8) +
                                                  tl_uchar16_widen(old) * TL_FOR_FIRST_COLORS(old_8),
                                              TL_FOR_FIRST_COLORS(by_8));
    colors->at[1] = tl_ushort8_multiply_upper(colors->at[1] * TL_FOR_LAST_COLORS(new_8) +
                                                  tl_uchar16_widen_last(old) * TL_FOR_LAST_COLORS(old_8),
                                              TL_FOR_LAST_COLORS(by_8));
}

/* ---- dither ---- */

/* tl_framebuffer_color of four pixels, as bytes: 256 is 255, whose upper five bits are those of 248. */
TL_ALWAYS_INLINE tl_uint4 fragment_dither(const tl_colors4 *colors, tl_uint4 thresholds, bool color_32)
{
    const tl_uchar16 color = tl_short8_narrow((tl_short8)colors->at[0], (tl_short8)colors->at[1]);
    const tl_uchar16 rounded = (tl_uchar16)((color & 7) > (tl_uchar16)thresholds);
    const tl_uchar16 up = tl_uchar16_add(color & 0xF8, rounded & 8);
    const tl_uchar16 stored = color_32 ? (up & rounded) | (color & ~rounded) : up & 0xF8;
    static const uint8_t opaque[16] = {0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255};
    tl_uchar16 alpha;
    memcpy(&alpha, opaque, sizeof alpha);
    return (tl_uint4)(stored | alpha);
}

/* ---- all ---- */

TL_ALWAYS_INLINE tl_uint4 fragment_load_four(const uint32_t from[4])
{
    tl_uint4 v;
    memcpy(&v, from, sizeof v);
    return v;
}

TL_ALWAYS_INLINE void fragment_store_four(uint8_t (*rgba)[4], const uint32_t pixels[4], tl_uint4 bytes)
{
    for (int k = 0; k < 4; k++) {
        const uint32_t color = bytes[k];
        memcpy(rgba[pixels[k]], &color, sizeof color);
    }
}

/* Does a pixel come twice? */
TL_ALWAYS_INLINE bool fragment_repeats(const uint32_t p[4])
{
    return p[0] == p[1] || p[0] == p[2] || p[0] == p[3] || p[1] == p[2] || p[1] == p[3] || p[2] == p[3];
}

/* Colours that are mixed with those below, one after the other since some are of the same pixel. */
static void fragment_draw_in_turn(const tl_fragments *f, const tl_opaque_state *state, const tl_colors4 *colors,
                                  uint32_t first)
{
    const uint32_t *pixels = f->pixels + first;
    for (int k = 0; k < 4; k++) {
        tl_colors4 mixed = *colors;
        fragment_blend(&mixed, fragment_load_four(f->weights + first), fragment_load(state->rgba, pixels));
        const tl_uint4 bytes = fragment_dither(&mixed, fragment_load_four(f->thresholds + first), state->color_32);
        const uint32_t color = bytes[k];
        memcpy(state->rgba[pixels[k]], &color, sizeof color);
    }
}

TL_ALWAYS_INLINE void fragment_draw_four(const tl_fragments *f, const tl_opaque_state *state, uint32_t first,
                                         bool modulate)
{
    const uint32_t *pixels = f->pixels + first;
    const tl_uint4 weights = fragment_load_four(f->weights + first);
    tl_colors4 colors = fragment_colors(state, f->texture + first, f->shade + first, modulate);
    if (tl_int4_any((tl_int4)(weights != TL_FRAGMENT_ALONE))) {
        if (fragment_repeats(pixels)) {
            const tl_colors4 copy = colors;
            fragment_draw_in_turn(f, state, &copy, first);
            return;
        }
        fragment_blend(&colors, weights, fragment_load(state->rgba, pixels));
    }
    fragment_store_four(state->rgba, pixels,
                        fragment_dither(&colors, fragment_load_four(f->thresholds + first), state->color_32));
}

static void fragment_draw_modulated(const tl_fragments *f, const tl_opaque_state *state)
{
    for (uint32_t i = 0; i < f->count; i += 4)
        fragment_draw_four(f, state, i, true);
}

static void fragment_draw_any(const tl_fragments *f, const tl_opaque_state *state)
{
    for (uint32_t i = 0; i < f->count; i += 4)
        fragment_draw_four(f, state, i, false);
}

/* Fills up the last four with a pixel that keeps its colour: its weight is that of the old one, which dither leaves as
 * it is. */
static void fragment_fill_up(tl_fragments *f)
{
    for (const uint32_t last = f->count - 1; (f->count & 3) != 0; f->count++) {
        f->pixels[f->count] = f->pixels[last];
        f->thresholds[f->count] = 0x07070707;
        f->weights[f->count] = tl_fragment_weights((tl_edge_weights){0, 3});
        f->texture[f->count] = f->texture[last];
        f->shade[f->count] = f->shade[last];
    }
}

void tl_fragments_draw(tl_fragments *f, const tl_opaque_state *state)
{
    if (f->count == 0)
        return;
    fragment_fill_up(f);
    if (state->modulate)
        fragment_draw_modulated(f, state);
    else
        fragment_draw_any(f, state);
    f->count = 0;
}
