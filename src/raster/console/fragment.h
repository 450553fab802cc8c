/* fragment.h: what colours of opaque pixels are made of (fragment.inc). */
#ifndef TL_RASTER_CONSOLE_FRAGMENT_H
#define TL_RASTER_CONSOLE_FRAGMENT_H

#include "raster/console/blender.h"
#include "raster/console/combiner.h"
#include "raster/console/texel.h"

/* What a combiner that only multiplies reads: a value of the pixels, or one of its constants. */
typedef enum tl_factor { TL_FACTOR_TEXEL, TL_FACTOR_SHADE, TL_FACTOR_COMBINED, TL_FACTOR_CONSTANT } tl_factor;

/* What opaque pixels need of the material, side by side. */
typedef struct tl_opaque_state {
    tl_texel_source texture;
    bool textured, has_shade; /* inputs of the combiner */
    bool color_32;
    bool products; /* every cycle is a product of two factors: */
    bool two_cycles;
    bool modulate;         /* the first is texture * shade, and the second, if any, multiplies with constants[1][1] */
    bool tinted;           /* the only one is shade * constants[0][1] */
    uint8_t factors[2][2]; /* tl_factor of each cycle */
    tl_ushort8 constants[2][2]; /* for two pixels */
    tl_combiner_slots *combiner;
    tl_inputs *inputs;
} tl_opaque_state;

/* `combiner` and `inputs` must stay where they are. */
void tl_opaque_set_combiner(tl_opaque_state *state, tl_combiner_slots *combiner, tl_inputs *inputs);

/* 2^15 by the sum of two weights, rounded up: a quotient of 255 times the sum is exact with it. */
extern const uint32_t tl_fragment_reciprocals[17];

/* Weights of the new and the old colour, each twice, and the reciprocal of their sum. */
TL_ALWAYS_INLINE uint32_t tl_fragment_weights(tl_edge_weights w)
{
    const uint32_t a = (uint32_t)w.a >> 2, b = (uint32_t)(w.b + 1) >> 2;
    return tl_fragment_reciprocals[a + b] << 16 | b << 9 | a << 1;
}

/* A pixel that is not mixed with the old colour. */
#define TL_FRAGMENT_ALONE (UINT32_C(32768) << 16 | 2)

/* The colour of a pixel by any combiner that needs no alpha, in the place of its texel. */
void tl_fragment_combine(const tl_opaque_state *state, uint16_t texel[4], const uint16_t shade[4]);

#endif
