/* fragment.h: the inputs of colours, for pixels that are drawn several at a time (fragment.inc). */
#ifndef TL_RASTER_CONSOLE_FRAGMENT_H
#define TL_RASTER_CONSOLE_FRAGMENT_H

#include "raster/console/blender.h"
#include "raster/console/combiner.h"
#include "raster/console/texel.h"

/* What operands of the combiner read: inputs that differ from pixel to pixel, and constants. Those called alpha have it
 * in every channel. */
typedef enum tl_value {
    TL_VALUE_TEX0,
    TL_VALUE_TEX0_ALPHA,
    TL_VALUE_TEX1,
    TL_VALUE_TEX1_ALPHA,
    TL_VALUE_SHADE,
    TL_VALUE_SHADE_ALPHA,
    TL_VALUE_COMBINED,
    TL_VALUE_COMBINED_C,
    TL_VALUE_COMBINED_ALPHA,
    TL_VALUE_CONSTANT, /* the first of eight, one for each operand */
    TL_VALUES = TL_VALUE_CONSTANT + 8
} tl_value;

/* One of A, B, C and D: where the values of colour and alpha are. */
typedef struct tl_operand {
    const int16_t *color, *alpha;
} tl_operand;

/* Red, green, blue and alpha of as many pixels as are drawn at once: eight at most. */
enum { TL_VALUE_CHANNELS = 32 };

/* What pixels need of the material, side by side. */
typedef struct tl_opaque_state {
    tl_texel_source textures[2];
    bool textured[2], has_shade; /* inputs of the combiner */
    bool color_32;
    bool modulate;     /* the colour is texture * shade, as of most materials, and with two cycles times `factor` */
    bool tinted;       /* it is shade * `factor` */
    tl_ushort8 factor; /* of two pixels */
    bool two_cycles;
    tl_operand operands[2][4];            /* of each cycle */
    bool shade_alpha;                     /* some operand has the alpha of shade */
    bool reads[TL_VALUES];                /* some operand has it */
    int16_t (*values)[TL_VALUE_CHANNELS]; /* TL_VALUES of them */
    bool cutout;                          /* coverage is multiplied with alpha */
    bool alpha_compare;                   /* alpha is compared with a threshold */
} tl_opaque_state;

/* With textures and shade already set. */
void tl_opaque_set_combiner(tl_opaque_state *state, const tl_combiner *combiner, const tl_inputs *inputs);
/* What fragment_combine needs besides. */
void tl_opaque_set_operands(tl_opaque_state *state, const tl_combiner *combiner, const tl_inputs *inputs);
/* The alpha of all pixels after the first or the last cycle, 0 to 255; -1: it may differ, or it wraps. */
int32_t tl_opaque_constant_alpha(const tl_combiner *combiner, const tl_inputs *inputs, bool last);

/* 2^15 / the sum of two weights, rounded up: exact for dividing up to 255 times that sum. */
extern const uint32_t tl_fragment_reciprocals[17];

/* Weights of the new and the old colour, each twice, and the reciprocal of their sum. */
TL_ALWAYS_INLINE uint32_t tl_fragment_weights(tl_edge_weights w)
{
    const uint32_t a = (uint32_t)w.a >> 2, b = (uint32_t)(w.b + 1) >> 2;
    return tl_fragment_reciprocals[a + b] << 16 | b << 9 | a << 1;
}

/* A pixel that is not mixed with the old colour. */
#define TL_FRAGMENT_ALONE (UINT32_C(32768) << 16 | 2)

#endif
