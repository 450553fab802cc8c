/* The combiner before the first pixel of a material. */
#include "raster/console/combiner.h"

/* True if it is always from 0 to 256. A product of the first cycle is. */
static bool slot_is_unsigned(uint8_t input, int cycle)
{
    switch (input) {
    case TL_CC_COMBINED:
    case TL_CC_COMBINED_C:
        return cycle == 1;
    case TL_CC_TEX0:
    case TL_CC_SHADE:
    case TL_CC_PRIM:
    case TL_CC_ENV:
    case TL_CC_ONE:
    case TL_CC_ZERO:
        return true;
    default:
        return false;
    }
}

/* Finds the factors of (A - 0) * C + 0, or D and 256 of (A - B) * 0 + D. */
static bool slots_find_factors(tl_combiner_slots *slots, const tl_combiner *combiner, const tl_inputs *inputs)
{
    for (int cycle = 0; cycle < combiner->cycle_count; cycle++) {
        const uint8_t *slot = combiner->cycles[cycle];
        const bool sum = slot[TL_CC_RGB_C] == TL_CC_ZERO;
        const uint8_t a = sum ? slot[TL_CC_RGB_D] : slot[TL_CC_RGB_A], c = sum ? TL_CC_ONE : slot[TL_CC_RGB_C];
        if ((!sum && (slot[TL_CC_RGB_B] != TL_CC_ZERO || slot[TL_CC_RGB_D] != TL_CC_ZERO)) ||
            !slot_is_unsigned(a, cycle) || !slot_is_unsigned(c, cycle) || (a == TL_CC_ONE && c == TL_CC_ONE))
            return false;
        slots->factors[cycle][0] = inputs->at[a == TL_CC_COMBINED_C ? TL_CC_COMBINED : a];
        slots->factors[cycle][1] = inputs->at[c == TL_CC_COMBINED_C ? TL_CC_COMBINED : c];
    }
    return true;
}

/* Finds TEX0 * SHADE, and what a second cycle multiplies it with. */
static void slots_find_modulation(tl_combiner_slots *slots, const tl_inputs *inputs)
{
    const int32_t *tex0 = inputs->at[TL_CC_TEX0], *shade = inputs->at[TL_CC_SHADE],
                  *combined = inputs->at[TL_CC_COMBINED];
    const int32_t *const *first = slots->factors[0], *const *second = slots->factors[1];
    slots->modulate =
        slots->products && ((first[0] == tex0 && first[1] == shade) || (first[0] == shade && first[1] == tex0));
    if (!slots->modulate || !slots->two_cycles)
        return;
    const bool at_0 = second[0] == combined, at_1 = second[1] == combined;
    const int32_t *other = at_0 ? second[1] : second[0];
    slots->modulate = at_0 != at_1 && other != tex0 && other != shade;
}

tl_combiner_slots tl_combiner_slots_of(const tl_combiner *combiner, const tl_inputs *inputs)
{
    tl_combiner_slots slots = {.two_cycles = combiner->cycle_count == 2, .wrap_mask = combiner->saturates ? -1 : 0x1FF};
    for (int cycle = 0; cycle < combiner->cycle_count; cycle++)
        for (int slot = 0; slot < TL_CC_SLOTS; slot++) {
            const uint8_t input = combiner->cycles[cycle][slot];
            slots.at[cycle][slot] = inputs->at[input];
            slots.combined_c = slots.combined_c || input == TL_CC_COMBINED_C;
            slots.combined_alpha = slots.combined_alpha || input == TL_CC_COMBINED_ALPHA;
        }
    slots.products = slots_find_factors(&slots, combiner, inputs);
    slots_find_modulation(&slots, inputs);
    return slots;
}
