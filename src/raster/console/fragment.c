/* Prepares the combiner to run for several pixels at a time. */
#include "raster/console/fragment.h"

const uint32_t tl_fragment_reciprocals[17] = {0,    32768, 16384, 10923, 8192, 6554, 5462, 4682, 4096,
                                              3641, 3277,  2979,  2731,  2521, 2341, 2185, 2048};

/* An input that no pixel changes is `constant`. The first cycle never has COMBINED (tl_combiner_decode). */
static tl_value operand_value(uint8_t input, tl_value constant)
{
    switch (input) {
    case TL_CC_TEX0:
        return TL_VALUE_TEX0;
    case TL_CC_TEX0_ALPHA:
        return TL_VALUE_TEX0_ALPHA;
    case TL_CC_TEX1:
        return TL_VALUE_TEX1;
    case TL_CC_TEX1_ALPHA:
        return TL_VALUE_TEX1_ALPHA;
    case TL_CC_SHADE:
        return TL_VALUE_SHADE;
    case TL_CC_SHADE_ALPHA:
        return TL_VALUE_SHADE_ALPHA;
    case TL_CC_COMBINED:
        return TL_VALUE_COMBINED;
    case TL_CC_COMBINED_C:
        return TL_VALUE_COMBINED_C;
    case TL_CC_COMBINED_ALPHA:
        return TL_VALUE_COMBINED_ALPHA;
    default:
        return constant;
    }
}

/* One of a cycle's slots, with a constant of its own. */
static void opaque_set_operand(tl_opaque_state *state, const tl_combiner *combiner, const tl_inputs *inputs, int cycle,
                               int slot)
{
    const uint8_t *selected = combiner->cycles[cycle];
    const uint8_t color = selected[TL_CC_RGB_A + slot], alpha = selected[TL_CC_ALPHA_A + slot];
    const tl_value constant = (tl_value)(TL_VALUE_CONSTANT + 4 * cycle + slot);
    const tl_value color_value = operand_value(color, constant), alpha_value = operand_value(alpha, constant);
    int16_t pixel[4];
    for (int k = 0; k < 4; k++)
        pixel[k] = (int16_t)inputs->at[k == 3 ? alpha : color][k];
    for (int k = 0; k < TL_VALUE_CHANNELS; k += 4)
        memcpy(&state->values[constant][k], pixel, sizeof pixel);
    state->operands[cycle][slot] = (tl_operand){state->values[color_value], state->values[alpha_value]};
    state->reads[color_value] = state->reads[alpha_value] = true;
    state->shade_alpha = state->reads[TL_VALUE_SHADE_ALPHA] || state->shade_alpha || alpha_value == TL_VALUE_SHADE;
}

/* The colour of a cycle that is a product, of two factors or of one and 1. */
typedef struct cycle_product {
    bool found;
    uint8_t factors[2]; /* inputs */
} cycle_product;

static cycle_product cycle_product_of(const uint8_t *cycle)
{
    if (cycle[TL_CC_RGB_C] == TL_CC_ZERO)
        return (cycle_product){true, {cycle[TL_CC_RGB_D], TL_CC_ONE}};
    return (cycle_product){cycle[TL_CC_RGB_B] == TL_CC_ZERO && cycle[TL_CC_RGB_D] == TL_CC_ZERO,
                           {cycle[TL_CC_RGB_A], cycle[TL_CC_RGB_C]}};
}

/* The factor that is multiplied with `input` or `same`; TL_CC_VALUES if the product is another. */
static uint8_t cycle_other_factor(const cycle_product *p, uint8_t input, uint8_t same)
{
    for (int i = 0; i < 2 && p->found; i++)
        if (p->factors[i] == input || p->factors[i] == same)
            return p->factors[1 - i];
    return TL_CC_VALUES;
}

/* Constants from 0 to 256. */
static bool input_is_factor(uint8_t input)
{
    return input == TL_CC_PRIM || input == TL_CC_ENV || input == TL_CC_ONE || input == TL_CC_ZERO;
}

/* Finds the two most frequent combiners, which need no general one. */
void tl_opaque_set_combiner(tl_opaque_state *state, const tl_combiner *combiner, const tl_inputs *inputs)
{
    state->two_cycles = combiner->cycle_count == 2;
    const cycle_product first = cycle_product_of(combiner->cycles[0]), second = cycle_product_of(combiner->cycles[1]);
    uint8_t factor = TL_CC_ONE;
    if (state->two_cycles)
        factor = cycle_other_factor(&second, TL_CC_COMBINED, TL_CC_COMBINED_C);
    state->modulate = state->textured[0] && state->has_shade && input_is_factor(factor) &&
                      cycle_other_factor(&first, TL_CC_TEX0, TL_CC_TEX0) == TL_CC_SHADE;
    if (!state->modulate && !state->two_cycles) {
        factor = cycle_other_factor(&first, TL_CC_SHADE, TL_CC_SHADE);
        state->tinted = state->has_shade && input_is_factor(factor);
    }
    for (int k = 0; (state->modulate || state->tinted) && k < 8; k++)
        state->factor[k] = (uint16_t)inputs->at[factor][k & 3];
}

/* Alpha before it is limited to 255, of which nothing wraps; `combined`: that of the cycle before. */
static int32_t cycle_constant_alpha(const uint8_t *cycle, const tl_inputs *inputs, int32_t combined)
{
    int32_t values[4];
    for (int slot = 0; slot < 4; slot++) {
        const uint8_t input = cycle[TL_CC_ALPHA_A + slot];
        const tl_value value = operand_value(input, TL_VALUE_CONSTANT);
        if (value != TL_VALUE_CONSTANT && (value != TL_VALUE_COMBINED || combined < 0))
            return -1;
        values[slot] = value == TL_VALUE_COMBINED ? combined : inputs->at[input][3];
    }
    const int32_t alpha = (((values[0] - values[1]) * values[2] + 0x80) >> 8) + values[3];
    return alpha >= 0 && alpha < 0x180 ? alpha : -1;
}

int32_t tl_opaque_constant_alpha(const tl_combiner *combiner, const tl_inputs *inputs, bool last)
{
    const int32_t first = cycle_constant_alpha(combiner->cycles[0], inputs, -1);
    const int32_t alpha =
        last && combiner->cycle_count == 2 ? cycle_constant_alpha(combiner->cycles[1], inputs, first) : first;
    return alpha > 255 ? 255 : alpha;
}

void tl_opaque_set_operands(tl_opaque_state *state, const tl_combiner *combiner, const tl_inputs *inputs)
{
    for (int cycle = 0; cycle <= state->two_cycles; cycle++)
        for (int slot = 0; slot < 4; slot++)
            opaque_set_operand(state, combiner, inputs, cycle, slot);
}
