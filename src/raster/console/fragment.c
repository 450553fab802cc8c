/* Pixels that wait for their colours: how these are found, and four at a time. */
#include "raster/console/fragment.h"
#include "raster/vector_any.h"

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

void tl_fragment_combine(const tl_opaque_state *state, uint16_t texel[4], const uint16_t shade[4])
{
    int32_t compared;
    for (int k = 0; state->textured && k < 4; k++)
        state->inputs->at[TL_CC_TEX0][k] = texel[k];
    for (int k = 0; state->has_shade && k < 4; k++)
        state->inputs->at[TL_CC_SHADE][k] = shade[k];
    const tl_int4 color = tl_slots_combine(state->combiner, state->inputs, false, &compared);
    for (int k = 0; k < 4; k++)
        texel[k] = (uint16_t)color[k];
}

/* Fills up the last vector with the last pixel. If that is mixed with the old colour, the others keep what it becomes:
 * their weight is that of the old one, which dither leaves as it is. */
static void fragment_fill_up(tl_fragments *f, uint32_t lanes)
{
    const uint32_t last = f->count - 1;
    const bool alone = f->weights[last] == TL_FRAGMENT_ALONE;
    for (; f->count % lanes != 0; f->count++) {
        f->pixels[f->count] = f->pixels[last];
        f->thresholds[f->count] = alone ? f->thresholds[last] : 0x07070707;
        f->weights[f->count] = alone ? TL_FRAGMENT_ALONE : tl_fragment_weights((tl_edge_weights){0, 3});
        f->texture[f->count] = f->texture[last];
        f->shade[f->count] = f->shade[last];
    }
}

void tl_fragments_draw(tl_fragments *f, const tl_opaque_state *state)
{
    if (f->count == 0)
        return;
    fragment_fill_up(f, state->avx2 ? 8 : 4);
#if TL_AVX2
    if (state->avx2) {
        tl_fragments_color_avx2(f, state);
        f->count = 0;
        return;
    }
#endif
    tl_fragments_color(f, state);
    f->count = 0;
}

#define TL_VECTOR(type, name) type##name
#define TL_LANES              4
#include "raster/console/fragment.inc"
