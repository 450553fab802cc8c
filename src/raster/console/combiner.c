/* Prepares the combiner of a material. */
#include "raster/console/combiner.h"

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
    return slots;
}
