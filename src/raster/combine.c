/* Prepares the combiner: inputs resolved, constants filled in. */
#include "raster/combine.h"

#include <string.h>

tl_combiner tl_combiner_of(uint64_t word)
{
    tl_combiner combiner = tl_combiner_decode(word);
    for (int cycle = 0; cycle < combiner.cycle_count; cycle++)
        if (combiner.cycles[cycle][TL_CC_RGB_C] == TL_CC_COMBINED)
            combiner.cycles[cycle][TL_CC_RGB_C] = TL_CC_COMBINED_C;
    return combiner;
}

void tl_inputs_fill(tl_inputs *in, const uint8_t prim[4], const uint8_t env[4])
{
    memset(in, 0, sizeof *in);
    tl_input_set_all(in->at[TL_CC_ONE], 256);
    tl_input_set_all(in->at[TL_CC_LOD], 255);
    for (int k = 0; k < 4; k++) {
        in->at[TL_CC_PRIM][k] = prim[k];
        in->at[TL_CC_ENV][k] = env[k];
    }
    tl_input_set_all(in->at[TL_CC_PRIM_ALPHA], prim[3]);
    tl_input_set_all(in->at[TL_CC_ENV_ALPHA], env[3]);
}
