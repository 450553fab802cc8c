/* The combiner of opaque pixels. */
#include "raster/console/fragment.h"

const uint32_t tl_fragment_reciprocals[17] = {0,    32768, 16384, 10923, 8192, 6554, 5462, 4682, 4096,
                                              3641, 3277,  2979,  2731,  2521, 2341, 2185, 2048};

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
    const uint8_t *first = state->factors[0];
    state->tinted = state->products && !state->two_cycles && state->has_shade &&
                    ((first[0] == TL_FACTOR_SHADE && first[1] == TL_FACTOR_CONSTANT) ||
                     (first[0] == TL_FACTOR_CONSTANT && first[1] == TL_FACTOR_SHADE));
    if (state->tinted && first[0] == TL_FACTOR_CONSTANT)
        state->constants[0][1] = state->constants[0][0];
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
