/* combine.h: the arithmetic of the colour combiner at a pixel. */
#ifndef TL_RASTER_COMBINE_H
#define TL_RASTER_COMBINE_H

#include "n64/combiner.h"

/* COMBINED as slot C reads it: its nine bits have another sign there than in A, B and D. */
enum { TL_CC_COMBINED_C = TL_CC_INPUTS, TL_CC_VALUES };

/* As tl_combiner_decode, with TL_CC_COMBINED_C for COMBINED in slot C. */
tl_combiner tl_combiner_of(uint64_t word);

/* Values of all inputs, red, green, blue, alpha; those that a pixel changes are filled in before each evaluation. */
typedef struct tl_inputs {
    int32_t at[TL_CC_VALUES][4];
} tl_inputs;

/* Constants: prim and env; the level of detail of a texture without smaller images is 255. */
void tl_inputs_fill(tl_inputs *in, const uint8_t prim[4], const uint8_t env[4]);

static inline void tl_input_set_all(int32_t at[4], int32_t value)
{
    at[0] = at[1] = at[2] = at[3] = value;
}

/* Nine bits as A, B and D take them: -128 to 383. */
static inline int32_t tl_wrap_abd(int32_t value)
{
    return (int32_t)(((uint32_t)value + 0x80u) & 0x1FFu) - 0x80;
}

/* Nine bits as C takes them: -256 to 255. */
static inline int32_t tl_wrap_c(int32_t value)
{
    return (int32_t)(((uint32_t)value + 0x100u) & 0x1FFu) - 0x100;
}

/* The same of a negative number on every compiler: floor(value / 256). */
static inline int32_t tl_shift_8(int32_t value)
{
    return (int32_t)((uint32_t)(value + (1 << 24)) >> 8) - (1 << 16);
}

static inline void tl_cycle_run(const uint8_t cycle[TL_CC_SLOTS], const tl_inputs *in, int32_t out[4])
{
    const int32_t *a = in->at[cycle[TL_CC_RGB_A]], *b = in->at[cycle[TL_CC_RGB_B]], *c = in->at[cycle[TL_CC_RGB_C]],
                  *d = in->at[cycle[TL_CC_RGB_D]];
    for (int k = 0; k < 3; k++)
        out[k] = tl_shift_8((a[k] - b[k]) * c[k] + 0x80) + d[k];
    const int32_t difference = in->at[cycle[TL_CC_ALPHA_A]][3] - in->at[cycle[TL_CC_ALPHA_B]][3];
    out[3] = tl_shift_8(difference * in->at[cycle[TL_CC_ALPHA_C]][3] + 0x80) + in->at[cycle[TL_CC_ALPHA_D]][3];
}

static inline int32_t tl_clamp_255(int32_t value)
{
    return value < 0 ? 0 : value > 255 ? 255 : value;
}

/* The result of the first cycle is an input of the second. */
static inline void tl_combined_set(tl_inputs *in, const int32_t value[4])
{
    for (int k = 0; k < 4; k++) {
        in->at[TL_CC_COMBINED][k] = tl_wrap_abd(value[k]);
        in->at[TL_CC_COMBINED_C][k] = tl_wrap_c(value[k]);
    }
    tl_input_set_all(in->at[TL_CC_COMBINED_ALPHA], tl_wrap_c(value[3]));
}

/* The colour of a pixel, each channel from 0 to 255. Returns the alpha for alpha compare: that of the first cycle. */
static inline int32_t tl_combine(const tl_combiner *combiner, tl_inputs *in, int32_t out[4])
{
    int32_t compared = -1;
    tl_cycle_run(combiner->cycles[0], in, out);
    if (combiner->cycle_count == 2) {
        compared = tl_clamp_255(tl_wrap_abd(out[3]));
        tl_combined_set(in, out);
        tl_cycle_run(combiner->cycles[1], in, out);
    }
    for (int k = 0; k < 4; k++)
        out[k] = tl_clamp_255(combiner->saturates ? out[k] : tl_wrap_abd(out[k]));
    return compared < 0 ? out[3] : compared;
}

#endif
