/* combiner.h: the colour combiner with its inputs looked up once for each material (libdragon.md 4.2). */
#ifndef TL_RASTER_CONSOLE_COMBINER_H
#define TL_RASTER_CONSOLE_COMBINER_H

#include "raster/combine.h"

/* What runs at each pixel becomes part of two functions: one for whole pixels, one for those at edges. */
#if defined(__GNUC__)
#define TL_ALWAYS_INLINE static inline __attribute__((always_inline))
#else
#define TL_ALWAYS_INLINE static inline
#endif

/* Where the inputs of each slot are, and what the second cycle reads of the first. */
typedef struct tl_combiner_slots {
    const int32_t *at[2][TL_CC_SLOTS];
    bool two_cycles, combined_c, combined_alpha;
} tl_combiner_slots;

/* `inputs` must stay where they are. */
tl_combiner_slots tl_combiner_slots_of(const tl_combiner *combiner, const tl_inputs *inputs);

static inline int32_t tl_slot_color(const int32_t *const at[TL_CC_SLOTS], int channel)
{
    const int32_t difference = at[TL_CC_RGB_A][channel] - at[TL_CC_RGB_B][channel];
    return ((difference * at[TL_CC_RGB_C][channel] + 0x80) >> 8) + at[TL_CC_RGB_D][channel];
}

static inline int32_t tl_slot_alpha(const int32_t *const at[TL_CC_SLOTS])
{
    const int32_t difference = at[TL_CC_ALPHA_A][3] - at[TL_CC_ALPHA_B][3];
    return ((difference * at[TL_CC_ALPHA_C][3] + 0x80) >> 8) + at[TL_CC_ALPHA_D][3];
}

/* As tl_combine, but most pixels need no alpha. Returns the alpha for alpha compare: that of the first cycle. */
TL_ALWAYS_INLINE int32_t tl_slots_combine(const tl_combiner_slots *slots, tl_inputs *in, bool alpha, int32_t out[4])
{
    const int32_t *const *last = slots->at[0];
    int32_t compared = -1;
    if (slots->two_cycles) {
        last = slots->at[1];
        const int32_t first[3] = {tl_slot_color(slots->at[0], 0), tl_slot_color(slots->at[0], 1),
                                  tl_slot_color(slots->at[0], 2)};
        for (int k = 0; k < 3; k++)
            in->at[TL_CC_COMBINED][k] = tl_wrap_abd(first[k]);
        for (int k = 0; slots->combined_c && k < 3; k++)
            in->at[TL_CC_COMBINED_C][k] = tl_wrap_c(first[k]);
        if (alpha || slots->combined_alpha) {
            const int32_t value = tl_slot_alpha(slots->at[0]);
            compared = tl_clamp_255(tl_wrap_abd(value));
            in->at[TL_CC_COMBINED][3] = tl_wrap_abd(value);
            in->at[TL_CC_COMBINED_C][3] = tl_wrap_c(value);
            tl_input_set_all(in->at[TL_CC_COMBINED_ALPHA], tl_wrap_c(value));
        }
    }
    out[0] = tl_clamp_255(tl_wrap_abd(tl_slot_color(last, 0)));
    out[1] = tl_clamp_255(tl_wrap_abd(tl_slot_color(last, 1)));
    out[2] = tl_clamp_255(tl_wrap_abd(tl_slot_color(last, 2)));
    if (!alpha)
        return 255;
    out[3] = tl_clamp_255(tl_wrap_abd(tl_slot_alpha(last)));
    return compared < 0 ? out[3] : compared;
}

#endif
