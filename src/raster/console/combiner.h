/* combiner.h: the colour combiner with its inputs looked up once for each material. */
#ifndef TL_RASTER_CONSOLE_COMBINER_H
#define TL_RASTER_CONSOLE_COMBINER_H

#include "raster/combine.h"
#include "raster/vector.h"

/* Where the inputs of each slot are, and what the second cycle reads of the first. */
typedef struct tl_combiner_slots {
    const int32_t *at[2][TL_CC_SLOTS];
    bool two_cycles, combined_c, combined_alpha;
    int32_t wrap_mask; /* of the last cycle's colour: nine bits, or all of a combiner that saturates */
} tl_combiner_slots;

/* `inputs` must stay where they are. */
tl_combiner_slots tl_combiner_slots_of(const tl_combiner *combiner, const tl_inputs *inputs);

/* Red, green and blue of a cycle; the fourth number means nothing. */
TL_ALWAYS_INLINE tl_int4 tl_slots_color(const int32_t *const at[TL_CC_SLOTS])
{
    const tl_int4 difference = tl_int4_load(at[TL_CC_RGB_A]) - tl_int4_load(at[TL_CC_RGB_B]);
    return ((difference * tl_int4_load(at[TL_CC_RGB_C]) + 0x80) >> 8) + tl_int4_load(at[TL_CC_RGB_D]);
}

TL_ALWAYS_INLINE int32_t tl_slots_alpha(const int32_t *const at[TL_CC_SLOTS])
{
    const int32_t difference = at[TL_CC_ALPHA_A][3] - at[TL_CC_ALPHA_B][3];
    return ((difference * at[TL_CC_ALPHA_C][3] + 0x80) >> 8) + at[TL_CC_ALPHA_D][3];
}

/* The first of two cycles. Returns the alpha for alpha compare. */
TL_ALWAYS_INLINE int32_t tl_slots_first_cycle(const tl_combiner_slots *slots, tl_inputs *in, bool alpha)
{
    const tl_int4 first = tl_slots_color(slots->at[0]);
    tl_int4 combined = ((first + 0x80) & 0x1FF) - 0x80, combined_c = ((first + 0x100) & 0x1FF) - 0x100;
    int32_t value = 255;
    if (alpha || slots->combined_alpha) {
        value = tl_slots_alpha(slots->at[0]);
        combined[3] = tl_wrap_abd(value);
        combined_c[3] = tl_wrap_c(value);
        tl_input_set_all(in->at[TL_CC_COMBINED_ALPHA], tl_wrap_c(value));
    }
    tl_int4_store(in->at[TL_CC_COMBINED], combined);
    if (slots->combined_c)
        tl_int4_store(in->at[TL_CC_COMBINED_C], combined_c);
    return tl_clamp_255(tl_wrap_abd(value));
}

/* As tl_combine, but most pixels need no alpha: then the fourth number of the colour means nothing. `compared` is the
 * alpha for alpha compare: that of the first cycle. */
TL_ALWAYS_INLINE tl_int4 tl_slots_combine(const tl_combiner_slots *slots, tl_inputs *in, bool alpha, int32_t *compared)
{
    const int32_t *const *last = slots->at[slots->two_cycles];
    if (slots->two_cycles)
        *compared = tl_slots_first_cycle(slots, in, alpha);
    tl_int4 color = tl_int4_clamp_255(((tl_slots_color(last) + 0x80) & slots->wrap_mask) - 0x80);
    if (alpha) {
        color[3] = tl_clamp_255(tl_wrap_abd(tl_slots_alpha(last)));
        if (!slots->two_cycles)
            *compared = color[3];
    }
    return color;
}

#endif
