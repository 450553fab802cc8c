/* combiner.h: the RDP's colour combiner, (A - B) * C + D for colour and for alpha, in one or two cycles.
 *
 * The word is libdragon's, 64 bits: two halves of eight selectors each, and bit 63 when both cycles run.
 */
#ifndef TL_N64_COMBINER_H
#define TL_N64_COMBINER_H

#include "trilobite/n64.h"

/* What can be selected. Those called alpha have the alpha of another in every channel. */
enum tl_cc_input {
    TL_CC_ZERO,
    TL_CC_ONE,
    TL_CC_COMBINED,
    TL_CC_COMBINED_ALPHA,
    TL_CC_TEX0,
    TL_CC_TEX0_ALPHA,
    TL_CC_TEX1,
    TL_CC_TEX1_ALPHA,
    TL_CC_PRIM,
    TL_CC_PRIM_ALPHA,
    TL_CC_SHADE,
    TL_CC_SHADE_ALPHA,
    TL_CC_ENV,
    TL_CC_ENV_ALPHA,
    TL_CC_NOISE,
    TL_CC_LOD,
    TL_CC_PRIM_LOD,
    TL_CC_KEY_CENTER,
    TL_CC_KEY_SCALE,
    TL_CC_K4,
    TL_CC_K5,
    TL_CC_INPUTS
};

/* Combiners that libdragon replaces while fog is on, if the word is exactly this: TEX0 * SHADE, and SHADE alone. */
#define TL_CC_WORD_TEX0_SHADE UINT64_C(0x001218248833FFFF)
#define TL_CC_WORD_SHADE      UINT64_C(0x00887F1088FE793C)

/* Inputs as sets of bits. */
#define TL_CC_BIT(input)   (UINT32_C(1) << (input))
#define TL_CC_USES_TEX0    (TL_CC_BIT(TL_CC_TEX0) | TL_CC_BIT(TL_CC_TEX0_ALPHA))
#define TL_CC_USES_TEX1    (TL_CC_BIT(TL_CC_TEX1) | TL_CC_BIT(TL_CC_TEX1_ALPHA))
#define TL_CC_USES_TEXTURE (TL_CC_USES_TEX0 | TL_CC_USES_TEX1)
#define TL_CC_USES_SHADE   (TL_CC_BIT(TL_CC_SHADE) | TL_CC_BIT(TL_CC_SHADE_ALPHA))

enum tl_cc_slot {
    TL_CC_RGB_A,
    TL_CC_RGB_B,
    TL_CC_RGB_C,
    TL_CC_RGB_D,
    TL_CC_ALPHA_A,
    TL_CC_ALPHA_B,
    TL_CC_ALPHA_C,
    TL_CC_ALPHA_D,
    TL_CC_SLOTS
};

/* The fields of the word, as they are. */
typedef struct tl_cc_selectors {
    bool two_cycles;
    uint8_t cycles[2][TL_CC_SLOTS];
} tl_cc_selectors;

tl_cc_selectors tl_cc_unpack(uint64_t word);
uint64_t tl_cc_pack(const tl_cc_selectors *selectors);

/* The input (enum tl_cc_input) that a selector of a slot (enum tl_cc_slot) stands for. */
uint8_t tl_cc_select(int slot, uint8_t selector);
/* What an input stands for in the second of two cycles, where the texels have moved on by one: TEX0 is the second
 * texture. */
uint8_t tl_cc_in_second(uint8_t input);
/* TL_CC_BIT of all inputs that either half selects. A word for one cycle does not determine which half runs:
 * usually the second, but libdragon runs the first if fog or mipmaps need two cycles. */
uint32_t tl_cc_selected(uint64_t word);

/* The word, one cycle, for a material without N64 settings: the texture, the shade (light or vertex colours), or their
 * product; without a texture always the shade. Alpha is 1 when opaque, the texture's when it has one and is cut out. */
uint64_t tl_cc_plain(bool textured, bool shaded, trilo_alpha alpha);

/* A preset by its name ("TEX_SHADE", "Shaded Texture"), or a formula "(A,B,C,D), (A,B,C,D)" for colour and alpha with
 * libdragon's names of inputs; `second` is the second cycle, NULL: there is none. False: `problem` says what is wrong.
 */
bool tl_cc_read(const char *first, const char *second, uint64_t *word, char *problem, size_t room);
/* The index-th preset; NULL after the last one. */
const char *tl_cc_preset_at(size_t index, uint64_t *word);
/* The formula of a half of the word, as tl_cc_read reads it. */
enum { TL_CC_PRINT_ROOM = 160 };
void tl_cc_print(uint64_t word, int half, char *out, size_t room);

/* What runs. A single cycle is the second half of the word. COMBINED without a cycle before is zero; in the second of
 * two cycles the texels have moved on by one, so that TEX0 selects the second texture and TEX1 the first. */
typedef struct tl_combiner {
    uint32_t used; /* TL_CC_BIT of all inputs */
    uint8_t cycle_count;
    uint8_t cycles[2][TL_CC_SLOTS]; /* enum tl_cc_input */
    bool saturates;                 /* sums above 383 are clamped, too, where the RDP wraps: never of a combiner word */
} tl_combiner;

tl_combiner tl_combiner_decode(uint64_t word);

#endif
