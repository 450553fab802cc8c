/* The combiner's word. Positions and selectors are those of libdragon's RDPQ_COMBINER macros. */
#include "n64/combiner.h"

#include "base/text.h"

#include <string.h>

enum { SELECTORS_MOST = 32 };

static const uint64_t two_cycles_bit = UINT64_C(1) << 63;

typedef struct cc_slot {
    uint8_t shifts[2], width;       /* shifts: in either half */
    uint8_t inputs[SELECTORS_MOST]; /* those that are not listed are zero */
} cc_slot;

static const cc_slot cc_slots[TL_CC_SLOTS] = {
    [TL_CC_RGB_A] = {{52, 37},
                     4,
                     {TL_CC_COMBINED, TL_CC_TEX0, TL_CC_TEX1, TL_CC_PRIM, TL_CC_SHADE, TL_CC_ENV, TL_CC_ONE,
                      TL_CC_NOISE}},
    [TL_CC_RGB_B] = {{28, 24},
                     4,
                     {TL_CC_COMBINED, TL_CC_TEX0, TL_CC_TEX1, TL_CC_PRIM, TL_CC_SHADE, TL_CC_ENV, TL_CC_KEY_CENTER,
                      TL_CC_K4}},
    [TL_CC_RGB_C] = {{47, 32},
                     5,
                     {TL_CC_COMBINED, TL_CC_TEX0, TL_CC_TEX1, TL_CC_PRIM, TL_CC_SHADE, TL_CC_ENV, TL_CC_KEY_SCALE,
                      TL_CC_COMBINED_ALPHA, TL_CC_TEX0_ALPHA, TL_CC_TEX1_ALPHA, TL_CC_PRIM_ALPHA, TL_CC_SHADE_ALPHA,
                      TL_CC_ENV_ALPHA, TL_CC_LOD, TL_CC_PRIM_LOD, TL_CC_K5}},
    [TL_CC_RGB_D] = {{15, 6},
                     3,
                     {TL_CC_COMBINED, TL_CC_TEX0, TL_CC_TEX1, TL_CC_PRIM, TL_CC_SHADE, TL_CC_ENV, TL_CC_ONE}},
    [TL_CC_ALPHA_A] = {{44, 21},
                       3,
                       {TL_CC_COMBINED, TL_CC_TEX0, TL_CC_TEX1, TL_CC_PRIM, TL_CC_SHADE, TL_CC_ENV, TL_CC_ONE}},
    [TL_CC_ALPHA_B] = {{12, 3},
                       3,
                       {TL_CC_COMBINED, TL_CC_TEX0, TL_CC_TEX1, TL_CC_PRIM, TL_CC_SHADE, TL_CC_ENV, TL_CC_ONE}},
    [TL_CC_ALPHA_C] = {{41, 18},
                       3,
                       {TL_CC_LOD, TL_CC_TEX0, TL_CC_TEX1, TL_CC_PRIM, TL_CC_SHADE, TL_CC_ENV, TL_CC_PRIM_LOD}},
    [TL_CC_ALPHA_D] = {
        {9, 0}, 3, {TL_CC_COMBINED, TL_CC_TEX0, TL_CC_TEX1, TL_CC_PRIM, TL_CC_SHADE, TL_CC_ENV, TL_CC_ONE}}};

tl_cc_selectors tl_cc_unpack(uint64_t word)
{
    tl_cc_selectors selectors = {.two_cycles = (word & two_cycles_bit) != 0};
    for (int half = 0; half < 2; half++)
        for (int i = 0; i < TL_CC_SLOTS; i++)
            selectors.cycles[half][i] =
                (uint8_t)(word >> cc_slots[i].shifts[half] & ((UINT64_C(1) << cc_slots[i].width) - 1));
    return selectors;
}

uint64_t tl_cc_pack(const tl_cc_selectors *selectors)
{
    uint64_t word = selectors->two_cycles ? two_cycles_bit : 0;
    for (int half = 0; half < 2; half++)
        for (int i = 0; i < TL_CC_SLOTS; i++)
            word |= (uint64_t)selectors->cycles[half][i] << cc_slots[i].shifts[half];
    return word;
}

uint8_t tl_cc_select(int slot, uint8_t selector)
{
    return selector < SELECTORS_MOST ? cc_slots[slot].inputs[selector] : TL_CC_ZERO;
}

uint32_t tl_cc_selected(uint64_t word)
{
    const tl_cc_selectors selectors = tl_cc_unpack(word);
    uint32_t inputs = 0;
    for (int half = 0; half < 2; half++)
        for (int i = 0; i < TL_CC_SLOTS; i++)
            inputs |= TL_CC_BIT(tl_cc_select(i, selectors.cycles[half][i]));
    return inputs;
}

uint64_t tl_cc_plain(bool textured, bool shaded, trilo_alpha alpha)
{
    static const uint64_t shade[3] = {[TRILO_ALPHA_OPAQUE] = 0x00887F1088FE7D3E,      /* SHADE, alpha 1 */
                                      [TRILO_ALPHA_CUTOUT] = TL_CC_WORD_SHADE,        /* SHADE, SHADE */
                                      [TRILO_ALPHA_BLEND] = TL_CC_WORD_SHADE};        /* SHADE, SHADE */
    static const uint64_t texture[3] = {[TRILO_ALPHA_OPAQUE] = 0x00887F1088FCFC7E,    /* TEX0, alpha 1 */
                                        [TRILO_ALPHA_CUTOUT] = 0x00887F1088FCF279,    /* TEX0, TEX0 */
                                        [TRILO_ALPHA_BLEND] = 0x00887F1088FCF279};    /* TEX0, TEX0 */
    static const uint64_t product[3] = {[TRILO_ALPHA_OPAQUE] = 0x00127E2488FFFDFE,    /* TEX0 * SHADE, alpha 1 */
                                        [TRILO_ALPHA_CUTOUT] = 0x00127E2488FFF3F9,    /* TEX0 * SHADE, TEX0 */
                                        [TRILO_ALPHA_BLEND] = TL_CC_WORD_TEX0_SHADE}; /* TEX0 * SHADE, TEX0 * SHADE */
    return (!textured ? shade : shaded ? product : texture)[alpha <= TRILO_ALPHA_BLEND ? alpha : TRILO_ALPHA_OPAQUE];
}

static uint8_t cc_input_of_first(uint8_t input)
{
    if (input == TL_CC_COMBINED || input == TL_CC_COMBINED_ALPHA)
        return TL_CC_ZERO;
    return input;
}

uint8_t tl_cc_in_second(uint8_t input)
{
    switch (input) {
    case TL_CC_TEX0:
        return TL_CC_TEX1;
    case TL_CC_TEX1:
        return TL_CC_TEX0;
    case TL_CC_TEX0_ALPHA:
        return TL_CC_TEX1_ALPHA;
    case TL_CC_TEX1_ALPHA:
        return TL_CC_TEX0_ALPHA;
    default:
        return input;
    }
}

tl_combiner tl_combiner_decode(uint64_t word)
{
    const tl_cc_selectors selectors = tl_cc_unpack(word);
    tl_combiner combiner = {.cycle_count = selectors.two_cycles ? 2 : 1};
    for (int cycle = 0; cycle < combiner.cycle_count; cycle++) {
        const uint8_t *half = selectors.cycles[selectors.two_cycles ? cycle : 1];
        for (int i = 0; i < TL_CC_SLOTS; i++) {
            const uint8_t input = tl_cc_select(i, half[i]);
            combiner.cycles[cycle][i] = cycle == 0 ? cc_input_of_first(input) : tl_cc_in_second(input);
            combiner.used |= TL_CC_BIT(combiner.cycles[cycle][i]);
        }
    }
    return combiner;
}

/* --- text --- */

static void cc_add_half(tl_text *text, const uint8_t half[TL_CC_SLOTS], bool is_second_cycle)
{
    static const char *const names[TL_CC_INPUTS] = {
        [TL_CC_ZERO] = "0",
        [TL_CC_ONE] = "1",
        [TL_CC_COMBINED] = "COMBINED",
        [TL_CC_COMBINED_ALPHA] = "COMBINED_A",
        [TL_CC_TEX0] = "TEX0",
        [TL_CC_TEX0_ALPHA] = "TEX0_A",
        [TL_CC_TEX1] = "TEX1",
        [TL_CC_TEX1_ALPHA] = "TEX1_A",
        [TL_CC_PRIM] = "PRIM",
        [TL_CC_PRIM_ALPHA] = "PRIM_A",
        [TL_CC_SHADE] = "SHADE",
        [TL_CC_SHADE_ALPHA] = "SHADE_A",
        [TL_CC_ENV] = "ENV",
        [TL_CC_ENV_ALPHA] = "ENV_A",
        [TL_CC_NOISE] = "NOISE",
        [TL_CC_LOD] = "LOD",
        [TL_CC_PRIM_LOD] = "PRIM_LOD",
        [TL_CC_KEY_CENTER] = "KEYCENTER",
        [TL_CC_KEY_SCALE] = "KEYSCALE",
        [TL_CC_K4] = "K4",
        [TL_CC_K5] = "K5",
    };
    static const char *const before[TL_CC_SLOTS] = {"rgb (", " - ", ") * ", " + ", ", a (", " - ", ") * ", " + "};
    for (int i = 0; i < TL_CC_SLOTS; i++) {
        const uint8_t input = tl_cc_select(i, half[i]);
        tl_text_add(text, before[i]);
        tl_text_add(text, names[is_second_cycle ? tl_cc_in_second(input) : input]);
    }
}

size_t trilo_n64_combiner_text(uint64_t combiner, char *out, size_t room)
{
    const tl_cc_selectors s = tl_cc_unpack(combiner);
    tl_text text = tl_text_begin(out, room);
    if (combiner == 0) {
        tl_text_add(&text, "leave as it is");
        return text.length;
    }
    if (s.two_cycles)
        tl_text_add(&text, "1: ");
    cc_add_half(&text, s.cycles[0], false);
    /* A single cycle has its formula in both halves; when they differ, both are shown. */
    if (s.two_cycles || memcmp(s.cycles[0], s.cycles[1], TL_CC_SLOTS) != 0) {
        tl_text_add(&text, s.two_cycles ? "; 2: " : "; second half ");
        cc_add_half(&text, s.cycles[1], s.two_cycles);
    }
    return text.length;
}
