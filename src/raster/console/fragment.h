/* fragment.h: pixels of opaque materials that have passed coverage and depth, and wait for their colours.
 *
 * Four at a time, or eight with AVX2, then go through texture, combiner, blender and dither, from whichever triangles
 * of a mesh they are: a line of a small triangle has two or three. Depth and coverage are stored before, so nothing
 * else depends on colours, and these are stored in the order of the triangles.
 */
#ifndef TL_RASTER_CONSOLE_FRAGMENT_H
#define TL_RASTER_CONSOLE_FRAGMENT_H

#include "base/avx2.h"
#include "raster/console/blender.h"
#include "raster/console/combiner.h"
#include "raster/console/texel.h"

/* They are drawn when there are enough; eight may come at once. */
enum { TL_FRAGMENTS_ENOUGH = 64, TL_FRAGMENTS_MOST = TL_FRAGMENTS_ENOUGH + 8 };

/* What a combiner that only multiplies reads: a value of the pixels, or one of its constants. */
typedef enum tl_factor { TL_FACTOR_TEXEL, TL_FACTOR_SHADE, TL_FACTOR_COMBINED, TL_FACTOR_CONSTANT } tl_factor;

/* What opaque pixels need of the material, side by side. */
typedef struct tl_opaque_state {
    bool avx2; /* pixels are drawn by code for it */
    tl_texel_source texture;
    bool textured, has_shade; /* inputs of the combiner */
    bool color_32;
    bool products; /* every cycle is a product of two factors: */
    bool two_cycles;
    bool modulate;         /* the first is texture * shade, and the second, if any, multiplies with constants[1][1] */
    uint8_t factors[2][2]; /* tl_factor of each cycle */
    tl_ushort8 constants[2][2]; /* for two pixels */
    tl_combiner_slots *combiner;
    tl_inputs *inputs;
    uint8_t (*rgba)[4];
} tl_opaque_state;

/* `combiner` and `inputs` must stay where they are. */
void tl_opaque_set_combiner(tl_opaque_state *state, tl_combiner_slots *combiner, tl_inputs *inputs);

typedef struct tl_fragments {
    uint32_t count;
    uint32_t pixels[TL_FRAGMENTS_MOST];     /* counted from the first of the framebuffer */
    uint32_t thresholds[TL_FRAGMENTS_MOST]; /* of dither, the same in each byte */
    uint32_t weights[TL_FRAGMENTS_MOST];    /* of tl_fragment_weights, or TL_FRAGMENT_ALONE */
    tl_uint4 texture[TL_FRAGMENTS_MOST];    /* s, t and w, 16 bits after the point */
    tl_uint4 shade[TL_FRAGMENTS_MOST];      /* the same, not yet limited to 0 and 255 */
} tl_fragments;

/* Weights of the new and the old colour, each twice, and 2^15 by their sum, rounded up: a quotient of 255 times the sum
 * is exact with it. */
TL_ALWAYS_INLINE uint32_t tl_fragment_weights(tl_edge_weights w)
{
    static const uint16_t reciprocals[17] = {0,    32768, 16384, 10923, 8192, 6554, 5462, 4682, 4096,
                                             3641, 3277,  2979,  2731,  2521, 2341, 2185, 2048};
    const uint32_t a = (uint32_t)w.a >> 2, b = (uint32_t)(w.b + 1) >> 2;
    return (uint32_t)reciprocals[a + b] << 16 | b << 9 | a << 1;
}

/* A pixel that is not mixed with the old colour. */
#define TL_FRAGMENT_ALONE (UINT32_C(32768) << 16 | 2)

/* The colour of a pixel by any combiner that needs no alpha, in the place of its texel. */
void tl_fragment_combine(const tl_opaque_state *state, uint16_t texel[4], const uint16_t shade[4]);

/* Colours of pixels that fill whole vectors, of four or eight. */
void tl_fragments_color(const tl_fragments *fragments, const tl_opaque_state *state);
#if TL_AVX2
void tl_fragments_color_avx2(const tl_fragments *fragments, const tl_opaque_state *state);
#endif

/* Gives the pixels that wait their colours. */
void tl_fragments_draw(tl_fragments *fragments, const tl_opaque_state *state);

#endif
