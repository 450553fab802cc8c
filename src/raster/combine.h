/* combine.h: the RDP's colour combiner, (A - B) * C + D for colour and for alpha, once or twice a pixel. */
#ifndef TL_RASTER_COMBINE_H
#define TL_RASTER_COMBINE_H

#include <stdbool.h>
#include <stdint.h>

/* Everything that can be put in. What is called alpha has the alpha of another in all four channels. */
enum tl_input {
    TL_IN_ZERO,
    TL_IN_ONE,
    TL_IN_COMBINED,
    TL_IN_COMBINED_C, /* the same as the factor C takes it */
    TL_IN_COMBINED_ALPHA,
    TL_IN_TEX0,
    TL_IN_TEX0_ALPHA,
    TL_IN_TEX1,
    TL_IN_TEX1_ALPHA,
    TL_IN_SHADE,
    TL_IN_SHADE_ALPHA,
    TL_IN_NOISE,
    TL_IN_PRIM,
    TL_IN_PRIM_ALPHA,
    TL_IN_ENV,
    TL_IN_ENV_ALPHA,
    TL_IN_LOD,
    TL_IN_PRIM_LOD,
    TL_IN_KEY_CENTER,
    TL_IN_KEY_SCALE,
    TL_IN_K4,
    TL_IN_K5,
    TL_IN_COUNT
};

/* Inputs as sets of bits. */
#define TL_IN_BIT(input) (UINT32_C(1) << (input))
#define TL_IN_TEX0_BITS  (TL_IN_BIT(TL_IN_TEX0) | TL_IN_BIT(TL_IN_TEX0_ALPHA))
#define TL_IN_TEX1_BITS  (TL_IN_BIT(TL_IN_TEX1) | TL_IN_BIT(TL_IN_TEX1_ALPHA))
#define TL_IN_SHADE_BITS (TL_IN_BIT(TL_IN_SHADE) | TL_IN_BIT(TL_IN_SHADE_ALPHA))

typedef struct tl_cycle {
    uint8_t a, b, c, d;                         /* of red, green and blue */
    uint8_t alpha_a, alpha_b, alpha_c, alpha_d; /* enum tl_input */
} tl_cycle;

typedef struct tl_combiner {
    uint32_t used; /* bits of inputs */
    uint8_t cycle_count;
    tl_cycle cycles[2];
} tl_combiner;

tl_combiner tl_combiner_decode(uint64_t word);

/* Values of all inputs, red, green, blue, alpha; those that a pixel changes are filled in before each evaluation. */
typedef struct tl_inputs {
    int32_t at[TL_IN_COUNT][4];
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

static inline void tl_cycle_run(const tl_cycle *cycle, const tl_inputs *in, int32_t out[4])
{
    const int32_t *a = in->at[cycle->a], *b = in->at[cycle->b], *c = in->at[cycle->c], *d = in->at[cycle->d];
    for (int k = 0; k < 3; k++)
        out[k] = tl_shift_8((a[k] - b[k]) * c[k] + 0x80) + d[k];
    out[3] = tl_shift_8((in->at[cycle->alpha_a][3] - in->at[cycle->alpha_b][3]) * in->at[cycle->alpha_c][3] + 0x80) +
             in->at[cycle->alpha_d][3];
}

static inline int32_t tl_clamp_255(int32_t value)
{
    return value < 0 ? 0 : value > 255 ? 255 : value;
}

/* What the first cycle made becomes an input of the second. */
static inline void tl_combined_set(tl_inputs *in, const int32_t value[4])
{
    for (int k = 0; k < 4; k++) {
        in->at[TL_IN_COMBINED][k] = tl_wrap_abd(value[k]);
        in->at[TL_IN_COMBINED_C][k] = tl_wrap_c(value[k]);
    }
    tl_input_set_all(in->at[TL_IN_COMBINED_ALPHA], tl_wrap_c(value[3]));
}

/* The colour of a pixel, each channel from 0 to 255. Answers the alpha that is compared: in two cycles, the first's. */
static inline int32_t tl_combine(const tl_combiner *combiner, tl_inputs *in, int32_t out[4])
{
    int32_t compared = -1;
    tl_cycle_run(&combiner->cycles[0], in, out);
    if (combiner->cycle_count == 2) {
        compared = tl_clamp_255(tl_wrap_abd(out[3]));
        tl_combined_set(in, out);
        tl_cycle_run(&combiner->cycles[1], in, out);
    }
    for (int k = 0; k < 4; k++)
        out[k] = tl_clamp_255(tl_wrap_abd(out[k]));
    return compared < 0 ? out[3] : compared;
}

#endif
