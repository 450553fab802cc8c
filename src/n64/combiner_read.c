/* The combiner as text: presets by name, and formulas as libdragon's macros have them. */
#include "n64/combiner.h"

#include <stdio.h>
#include <string.h>

typedef struct cc_preset {
    const char *name;
    const char *cycles[2]; /* NULL: one cycle */
} cc_preset;

/* The first five are libdragon's RDPQ_COMBINER_... The others have names of Fast64; where its presets take alpha from
 * ENV, which Super Mario 64 sets, they have 1 instead. */
static const cc_preset cc_presets[] = {
    {"FLAT", {"(0,0,0,PRIM), (0,0,0,PRIM)", NULL}},
    {"SHADE", {"(0,0,0,SHADE), (0,0,0,SHADE)", NULL}},
    {"TEX", {"(0,0,0,TEX0), (0,0,0,TEX0)", NULL}},
    {"TEX_FLAT", {"(TEX0,0,PRIM,0), (TEX0,0,PRIM,0)", NULL}},
    {"TEX_SHADE", {"(TEX0,0,SHADE,0), (TEX0,0,SHADE,0)", NULL}},
    {"Shaded Solid", {"(0,0,0,SHADE), (0,0,0,1)", NULL}},
    {"Shaded Texture", {"(TEX0,0,SHADE,0), (0,0,0,1)", NULL}},
    {"Shaded Texture Cutout", {"(TEX0,0,SHADE,0), (0,0,0,TEX0)", NULL}},
    {"Shaded Texture Transparent", {"(TEX0,0,SHADE,0), (TEX0,0,PRIM,0)", NULL}},
    {"Unlit Texture", {"(0,0,0,TEX0), (0,0,0,1)", NULL}},
    {"Unlit Texture Cutout", {"(0,0,0,TEX0), (0,0,0,TEX0)", NULL}},
    {"Decal On Shaded Solid", {"(TEX0,SHADE,TEX0_ALPHA,SHADE), (0,0,0,1)", NULL}},
    {"Shaded Environment Mapped", {"(TEX0,0,SHADE,0), (0,0,0,1)", "(COMBINED,0,PRIM,0), (0,0,0,COMBINED)"}},
    {"Shaded Multitexture Lerp", {"(TEX1,TEX0,ENV_ALPHA,TEX0), (0,0,0,1)", "(COMBINED,0,SHADE,0), (0,0,0,COMBINED)"}},
};

/* libdragon's names. */
static const char *const cc_names[TL_CC_INPUTS] = {
    [TL_CC_ZERO] = "0",
    [TL_CC_ONE] = "1",
    [TL_CC_COMBINED] = "COMBINED",
    [TL_CC_COMBINED_ALPHA] = "COMBINED_ALPHA",
    [TL_CC_TEX0] = "TEX0",
    [TL_CC_TEX0_ALPHA] = "TEX0_ALPHA",
    [TL_CC_TEX1] = "TEX1",
    [TL_CC_TEX1_ALPHA] = "TEX1_ALPHA",
    [TL_CC_PRIM] = "PRIM",
    [TL_CC_PRIM_ALPHA] = "PRIM_ALPHA",
    [TL_CC_SHADE] = "SHADE",
    [TL_CC_SHADE_ALPHA] = "SHADE_ALPHA",
    [TL_CC_ENV] = "ENV",
    [TL_CC_ENV_ALPHA] = "ENV_ALPHA",
    [TL_CC_NOISE] = "NOISE",
    [TL_CC_LOD] = "LOD_FRAC",
    [TL_CC_PRIM_LOD] = "PRIM_LOD_FRAC",
    [TL_CC_KEY_CENTER] = "KEYCENTER",
    [TL_CC_KEY_SCALE] = "KEYSCALE",
    [TL_CC_K4] = "K4",
    [TL_CC_K5] = "K5",
};

static uint8_t cc_input_named(const char *name, size_t length)
{
    for (uint8_t i = 0; i < TL_CC_INPUTS; i++)
        if (strlen(cc_names[i]) == length && memcmp(cc_names[i], name, length) == 0)
            return i;
    return TL_CC_INPUTS;
}

/* The lowest selector is the one that libdragon writes, also for 0. */
static bool cc_set_input(uint8_t *cycle, int slot, uint8_t input)
{
    enum { SELECTORS = 32 };
    for (uint8_t selector = 0; selector < SELECTORS; selector++)
        if (tl_cc_select(slot, selector) == input) {
            cycle[slot] = selector;
            return true;
        }
    return false;
}

/* "(A,B,C,D), (A,B,C,D)", with spaces anywhere. */
static bool cc_read_cycle(const char *text, bool second, uint8_t cycle[TL_CC_SLOTS], char *problem, size_t room)
{
    static const char *const slot_names[TL_CC_SLOTS] = {"colour A", "colour B", "colour C", "colour D",
                                                        "alpha A",  "alpha B",  "alpha C",  "alpha D"};
    for (int slot = 0; slot < TL_CC_SLOTS; slot++) {
        text += strspn(text, " ");
        if (slot % 4 == 0 && *text++ != '(')
            break;
        text += strspn(text, " ");
        const size_t length = strcspn(text, " ,()");
        const uint8_t input = cc_input_named(text, length);
        const bool early = !second && (input == TL_CC_COMBINED || input == TL_CC_COMBINED_ALPHA);
        if (input == TL_CC_INPUTS || early || !cc_set_input(cycle, slot, second ? tl_cc_in_second(input) : input)) {
            snprintf(problem, room, early ? "%.*s is for the second of two cycles" : "\"%.*s\" cannot be %s%s",
                     (int)(length < 40 ? length : 40), text, slot_names[slot], " of the combiner");
            return false;
        }
        text += length;
        text += strspn(text, " ");
        if (*text++ != (slot % 4 == 3 ? ')' : ','))
            break;
        text += strspn(text, " ");
        if (slot == 3 && *text++ != ',')
            break;
        if (slot == TL_CC_SLOTS - 1 && *text == '\0')
            return true;
    }
    snprintf(problem, room, "a formula is (A,B,C,D) for colour, a comma, and (A,B,C,D) for alpha");
    return false;
}

static const cc_preset *cc_preset_named(const char *name)
{
    static const char macro[] = "RDPQ_COMBINER_";
    const size_t skip = strncmp(name, macro, sizeof macro - 1) == 0 ? sizeof macro - 1 : 0;
    for (size_t i = 0; i < sizeof cc_presets / sizeof *cc_presets; i++)
        if (strcmp(cc_presets[i].name, name + skip) == 0)
            return &cc_presets[i];
    return NULL;
}

bool tl_cc_read(const char *first, const char *second, uint64_t *word, char *problem, size_t room)
{
    tl_cc_selectors selectors = {.two_cycles = second != NULL};
    const cc_preset *preset = second || first[strspn(first, " ")] == '(' ? NULL : cc_preset_named(first);
    if (preset)
        return tl_cc_read(preset->cycles[0], preset->cycles[1], word, problem, room);
    if (!second && first[strspn(first, " ")] != '(') {
        snprintf(problem, room,
                 "there is no combiner \"%.40s\"; TEX_SHADE, SHADE, TEX, FLAT and TEX_FLAT are some, or "
                 "a formula such as (TEX0,0,SHADE,0), (0,0,0,1)",
                 first);
        return false;
    }
    if (!cc_read_cycle(first, false, selectors.cycles[0], problem, room) ||
        (second && !cc_read_cycle(second, true, selectors.cycles[1], problem, room)))
        return false;
    if (!second)
        memcpy(selectors.cycles[1], selectors.cycles[0], sizeof selectors.cycles[1]);
    *word = tl_cc_pack(&selectors);
    return true;
}

const char *tl_cc_preset_at(size_t index, uint64_t *word)
{
    char problem[8];
    if (index >= sizeof cc_presets / sizeof *cc_presets)
        return NULL;
    return tl_cc_read(cc_presets[index].name, NULL, word, problem, sizeof problem) ? cc_presets[index].name : NULL;
}

void tl_cc_print(uint64_t word, int half, char *out, size_t room)
{
    const tl_cc_selectors s = tl_cc_unpack(word);
    size_t used = 0;
    for (int slot = 0; slot < TL_CC_SLOTS && used < room; slot++) {
        const uint8_t input = tl_cc_select(slot, s.cycles[half][slot]);
        const char *name = cc_names[s.two_cycles && half == 1 ? tl_cc_in_second(input) : input];
        const int length = snprintf(out + used, room - used, "%s%s%s",
                                    slot == 4   ? ", ("
                                    : slot == 0 ? "("
                                                : ",",
                                    name, slot % 4 == 3 ? ")" : "");
        used += length > 0 ? (size_t)length : 0;
    }
}
