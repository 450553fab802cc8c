/* What the words of a combiner mean. */
#include "raster/combine.h"

#include <string.h>

/* Where a field stands: in the first cycle, in the second, and its width in bits. */
typedef struct field {
    uint8_t first, second, width;
} field;

enum { RGB_A, RGB_B, RGB_C, RGB_D, ALPHA_A, ALPHA_B, ALPHA_C, ALPHA_D, FIELD_COUNT };

static const field fields[FIELD_COUNT] = {{52, 37, 4}, {28, 24, 4}, {47, 32, 5}, {15, 6, 3},
                                          {44, 21, 3}, {12, 3, 3},  {41, 18, 3}, {9, 0, 3}};

/* Codes from 0 on; codes behind the last one are zero. */
static const uint8_t rgb_a[] = {TL_IN_COMBINED, TL_IN_TEX0, TL_IN_TEX1, TL_IN_PRIM,
                                TL_IN_SHADE,    TL_IN_ENV,  TL_IN_ONE,  TL_IN_NOISE};
static const uint8_t rgb_b[] = {TL_IN_COMBINED, TL_IN_TEX0, TL_IN_TEX1,       TL_IN_PRIM,
                                TL_IN_SHADE,    TL_IN_ENV,  TL_IN_KEY_CENTER, TL_IN_K4};
static const uint8_t rgb_c[] = {TL_IN_COMBINED_C, TL_IN_TEX0,       TL_IN_TEX1,       TL_IN_PRIM,
                                TL_IN_SHADE,      TL_IN_ENV,        TL_IN_KEY_SCALE,  TL_IN_COMBINED_ALPHA,
                                TL_IN_TEX0_ALPHA, TL_IN_TEX1_ALPHA, TL_IN_PRIM_ALPHA, TL_IN_SHADE_ALPHA,
                                TL_IN_ENV_ALPHA,  TL_IN_LOD,        TL_IN_PRIM_LOD,   TL_IN_K5};
static const uint8_t rgb_d[] = {TL_IN_COMBINED, TL_IN_TEX0, TL_IN_TEX1, TL_IN_PRIM,
                                TL_IN_SHADE,    TL_IN_ENV,  TL_IN_ONE,  TL_IN_ZERO};
static const uint8_t alpha_c[] = {TL_IN_LOD,   TL_IN_TEX0, TL_IN_TEX1,     TL_IN_PRIM,
                                  TL_IN_SHADE, TL_IN_ENV,  TL_IN_PRIM_LOD, TL_IN_ZERO};

static const struct {
    const uint8_t *codes;
    uint8_t count;
} tables[FIELD_COUNT] = {{rgb_a, sizeof rgb_a},     {rgb_b, sizeof rgb_b}, {rgb_c, sizeof rgb_c},
                         {rgb_d, sizeof rgb_d},     {rgb_d, sizeof rgb_d}, {rgb_d, sizeof rgb_d},
                         {alpha_c, sizeof alpha_c}, {rgb_d, sizeof rgb_d}};

/* In the second of two cycles the texels have moved on by one. */
static uint8_t moved_on(uint8_t input)
{
    switch (input) {
    case TL_IN_TEX0:
        return TL_IN_TEX1;
    case TL_IN_TEX1:
        return TL_IN_TEX0;
    case TL_IN_TEX0_ALPHA:
        return TL_IN_TEX1_ALPHA;
    case TL_IN_TEX1_ALPHA:
        return TL_IN_TEX0_ALPHA;
    default:
        return input;
    }
}

/* Without a cycle before there is nothing combined yet. */
static uint8_t nothing_combined(uint8_t input)
{
    const bool combined = input == TL_IN_COMBINED || input == TL_IN_COMBINED_C || input == TL_IN_COMBINED_ALPHA;
    return combined ? TL_IN_ZERO : input;
}

static tl_cycle cycle_decode(uint64_t word, bool low_half, bool is_second, uint32_t *used)
{
    uint8_t inputs[FIELD_COUNT];
    for (int i = 0; i < FIELD_COUNT; i++) {
        const uint64_t bits = word >> (low_half ? fields[i].second : fields[i].first);
        const uint32_t code = (uint32_t)bits & ((1u << fields[i].width) - 1);
        const uint8_t input = code < tables[i].count ? tables[i].codes[code] : TL_IN_ZERO;
        inputs[i] = is_second ? moved_on(input) : nothing_combined(input);
        *used |= TL_IN_BIT(inputs[i]);
    }
    return (tl_cycle){inputs[RGB_A],   inputs[RGB_B],   inputs[RGB_C],   inputs[RGB_D],
                      inputs[ALPHA_A], inputs[ALPHA_B], inputs[ALPHA_C], inputs[ALPHA_D]};
}

tl_combiner tl_combiner_decode(uint64_t word)
{
    tl_combiner combiner = {.cycle_count = word >> 63 ? 2 : 1};
    /* One cycle alone is run with the second half of the word. */
    combiner.cycles[0] = cycle_decode(word, combiner.cycle_count == 1, false, &combiner.used);
    if (combiner.cycle_count == 2)
        combiner.cycles[1] = cycle_decode(word, true, true, &combiner.used);
    return combiner;
}

void tl_inputs_fill(tl_inputs *in, const uint8_t prim[4], const uint8_t env[4])
{
    memset(in, 0, sizeof *in);
    tl_input_set_all(in->at[TL_IN_ONE], 256);
    tl_input_set_all(in->at[TL_IN_LOD], 255);
    for (int k = 0; k < 4; k++) {
        in->at[TL_IN_PRIM][k] = prim[k];
        in->at[TL_IN_ENV][k] = env[k];
    }
    tl_input_set_all(in->at[TL_IN_PRIM_ALPHA], prim[3]);
    tl_input_set_all(in->at[TL_IN_ENV_ALPHA], env[3]);
}
