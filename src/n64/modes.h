/* modes.h: the RDP's other modes and blender, fog, and the render modes that Fast64 offers by name. */
#ifndef TL_N64_MODES_H
#define TL_N64_MODES_H

#include "trilobite/n64.h"

/* --- other modes, 64 bits (libdragon's SOM_... constants): those fields that materials set, by their lowest bit; two
 * bits each ---
 */

enum tl_mode_field {
    TL_MODE_ALPHA_COMPARE = 0,
    TL_MODE_Z = 10,
    TL_MODE_ALPHA_DITHER = 36,
    TL_MODE_COLOR_DITHER = 38,
    TL_MODE_SAMPLING = 44
};

enum { TL_ALPHA_COMPARE_OFF = 0, TL_ALPHA_COMPARE_THRESHOLD = 1, TL_ALPHA_COMPARE_NOISE = 3 };
enum { TL_Z_OPAQUE, TL_Z_INTERPENETRATING, TL_Z_TRANSPARENT, TL_Z_DECAL };
enum { TL_DITHER_SQUARE, TL_DITHER_BAYER, TL_DITHER_NOISE, TL_DITHER_NONE }; /* of colours */
enum { TL_ALPHA_DITHER_SAME, TL_ALPHA_DITHER_INVERSE, TL_ALPHA_DITHER_NOISE, TL_ALPHA_DITHER_NONE };
enum { TL_SAMPLING_POINT = 0, TL_SAMPLING_BILINEAR = 2, TL_SAMPLING_MEDIAN = 3 };

/* As initializers of tables, too. */
#define TL_MODE(field, value) ((uint64_t)(value) << (field))
#define TL_MODE_MASK(field)   TL_MODE(field, 3)

/* Switches of a single bit. TL_MODE_REDUCED_AA is libdragon's own, and counts only with TL_MODE_AA. */
#define TL_MODE_AA          (UINT64_C(1) << 3)
#define TL_MODE_Z_COMPARE   (UINT64_C(1) << 4)
#define TL_MODE_Z_WRITE     (UINT64_C(1) << 5)
#define TL_MODE_REDUCED_AA  (UINT64_C(1) << 34)
#define TL_MODE_PERSPECTIVE (UINT64_C(1) << 51)

/* How Tiny3D starts a frame: dither by the magic square is 0. */
#define TL_MODE_TINY3D_FRAME                                                                                           \
    (TL_MODE(TL_MODE_SAMPLING, TL_SAMPLING_BILINEAR) | TL_MODE_AA | TL_MODE_Z_COMPARE | TL_MODE_Z_WRITE |              \
     TL_MODE_PERSPECTIVE)

/* What Tiny3D's converter puts in the mask: always, and with a render mode. Alpha compare is bit 0
 * alone. */
#define TL_MODE_MASK_ALWAYS      (TL_MODE_MASK(TL_MODE_SAMPLING) | TL_MODE(TL_MODE_ALPHA_COMPARE, 1))
#define TL_MODE_MASK_RENDER_MODE (TL_MODE_MASK_ALWAYS | TL_MODE_MASK(TL_MODE_Z))

static inline uint32_t tl_mode_get(uint64_t mode, enum tl_mode_field field)
{
    return mode >> field & 3;
}

/* Against whichever value. */
static inline bool tl_mode_compares_alpha(uint64_t mode)
{
    return (mode & 1) != 0;
}

/* --- blender, libdragon's 32 bits: P * A + Q * B, in one pass or two --- */

enum { TL_BLEND_PIXEL, TL_BLEND_MEMORY, TL_BLEND_COLOR, TL_BLEND_FOG };                /* P and Q */
enum { TL_BLEND_A_PIXEL, TL_BLEND_A_FOG, TL_BLEND_A_SHADE, TL_BLEND_A_ZERO };          /* A */
enum { TL_BLEND_B_ONE_MINUS_A, TL_BLEND_B_COVERAGE, TL_BLEND_B_ONE, TL_BLEND_B_ZERO }; /* B */

#define TL_BLENDER_ALPHA       UINT32_C(0x00500040) /* pixel * alpha + memory * (1 - alpha) */
#define TL_BLENDER_CONST_ALPHA UINT32_C(0x05500040) /* the same with the alpha of the fog colour */
#define TL_BLENDER_ADDITIVE    UINT32_C(0x005A0040) /* pixel * alpha + memory */
#define TL_BLENDER_FOG         UINT32_C(0x0AF00000) /* pixel * shade alpha + fog colour * (1 - shade alpha) */

typedef struct tl_blend_pass {
    uint8_t p, a, q, b;
} tl_blend_pass;

/* `pass` 0 or 1. A word of one pass has the same formula in both. */
tl_blend_pass tl_blend_unpack(uint32_t word, int pass);
/* A word of one pass. */
uint32_t tl_blend_pack(tl_blend_pass pass);
/* True if either pass uses the alpha of the shade. */
bool tl_blend_uses_shade(uint32_t word);

/* How libdragon combines its two settings, 0: none. */
typedef struct tl_blend_state {
    bool first, last; /* there is a pass for fog, and one that blends into the framebuffer */
    tl_blend_pass passes[2];
} tl_blend_state;

tl_blend_state tl_blend_resolve(uint32_t blender, uint32_t fog);
/* True if both passes run, for which the RDP takes two cycles. */
bool tl_blend_takes_two_cycles(uint32_t blender, uint32_t fog);

/* --- materials --- */

/* The alpha mode of a material for other programs: blended if it has a blender, cut out if it compares alpha. */
trilo_alpha tl_n64_alpha(const trilo_n64_material *material);

/* --- render modes of Fast64 --- */

typedef struct tl_render_mode {
    uint32_t blender;
    uint32_t mode; /* bits of the other modes */
} tl_render_mode;

enum { TL_RENDER_MODES_1 = 20, TL_RENDER_MODES_2 = 18 }; /* presets of either cycle */

/* Of a material without N64 settings. */
tl_render_mode tl_render_mode_of_alpha(trilo_alpha alpha);
/* By the number in the list of that cycle (0, 1), below TL_RENDER_MODES_1 or _2. */
tl_render_mode tl_render_mode_numbered(int cycle, int32_t index);
/* By name: "AA_ZB_OPA_SURF", "AA_ZB_OPA_SURF2" in the second cycle; false: unknown. */
bool tl_render_mode_named(int cycle, trilo_str name, tl_render_mode *out);

#endif
