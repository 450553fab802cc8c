/* The pixel pipeline's registers in words: tables of names, and one cursor that counts what no longer fits. */
#include "trilobite/n64.h"

#include <string.h>

typedef struct writer {
    char *out;
    size_t room, length; /* length of the whole text, also of what was cut */
} writer;

static writer start(char *out, size_t room)
{
    if (room > 0)
        out[0] = '\0';
    return (writer){out, room, 0};
}

static void put(writer *w, const char *text)
{
    const size_t length = strlen(text);
    if (w->length + 1 < w->room) {
        const size_t left = w->room - 1 - w->length, fits = length < left ? length : left;
        memcpy(w->out + w->length, text, fits);
        w->out[w->length + fits] = '\0';
    }
    w->length += length;
}

/* One of several things with commas between them. */
static void put_item(writer *w, const char *text)
{
    if (w->length > 0)
        put(w, ", ");
    put(w, text);
}

static void put_hex(writer *w, uint64_t value, int digits)
{
    char text[2 + 16 + 1] = "0x";
    for (int i = 0; i < digits; i++)
        text[2 + i] = "0123456789ABCDEF"[value >> 4 * (digits - 1 - i) & 15];
    text[2 + digits] = '\0';
    put(w, text);
}

/* --- combiner --- */

enum { SLOTS = 4, INPUTS = 32 };

typedef struct combiner_slot {
    uint8_t shifts[2]; /* in each cycle */
    uint8_t mask;
    const char *inputs[INPUTS]; /* those that are missing are zero */
} combiner_slot;

/* (A - B) * C + D */
static const combiner_slot color_slots[SLOTS] = {
    {{52, 37}, 15, {"COMBINED", "TEX0", "TEX1", "PRIM", "SHADE", "ENV", "1", "NOISE"}},
    {{28, 24}, 15, {"COMBINED", "TEX0", "TEX1", "PRIM", "SHADE", "ENV", "KEYCENTER", "K4"}},
    {{47, 32},
     31,
     {"COMBINED", "TEX0", "TEX1", "PRIM", "SHADE", "ENV", "KEYSCALE", "COMBINED_A", "TEX0_A", "TEX1_A", "PRIM_A",
      "SHADE_A", "ENV_A", "LOD", "PRIM_LOD", "K5"}},
    {{15, 6}, 7, {"COMBINED", "TEX0", "TEX1", "PRIM", "SHADE", "ENV", "1"}}};

static const combiner_slot alpha_slots[SLOTS] = {
    {{44, 21}, 7, {"COMBINED", "TEX0", "TEX1", "PRIM", "SHADE", "ENV", "1"}},
    {{12, 3}, 7, {"COMBINED", "TEX0", "TEX1", "PRIM", "SHADE", "ENV", "1"}},
    {{41, 18}, 7, {"LOD", "TEX0", "TEX1", "PRIM", "SHADE", "ENV", "PRIM_LOD"}},
    {{9, 0}, 7, {"COMBINED", "TEX0", "TEX1", "PRIM", "SHADE", "ENV", "1"}}};

static const uint64_t two_cycles = UINT64_C(1) << 63;

/* By the second cycle the pipeline has moved on: what is called TEX0 there samples the second texture. */
static const char *swapped_texture(const char *name)
{
    static const char *const pairs[][2] = {
        {"TEX0", "TEX1"}, {"TEX1", "TEX0"}, {"TEX0_A", "TEX1_A"}, {"TEX1_A", "TEX0_A"}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        if (strcmp(name, pairs[i][0]) == 0)
            return pairs[i][1];
    return name;
}

static void put_formula(writer *w, uint64_t combiner, const combiner_slot *slots, int half, bool swapped)
{
    static const char *const around[SLOTS + 1] = {"(", " - ", ") * ", " + ", ""};
    for (int i = 0; i < SLOTS; i++) {
        const char *name = slots[i].inputs[combiner >> slots[i].shifts[half] & slots[i].mask];
        put(w, around[i]);
        put(w, !name ? "0" : swapped ? swapped_texture(name) : name);
    }
}

static void put_half(writer *w, uint64_t combiner, int half, bool swapped)
{
    put(w, "rgb ");
    put_formula(w, combiner, color_slots, half, swapped);
    put(w, ", a ");
    put_formula(w, combiner, alpha_slots, half, swapped);
}

static bool same_input(uint64_t combiner, const combiner_slot *slot)
{
    return (combiner >> slot->shifts[0] & slot->mask) == (combiner >> slot->shifts[1] & slot->mask);
}

static bool same_halves(uint64_t combiner)
{
    bool same = true;
    for (int i = 0; i < SLOTS; i++)
        same = same && same_input(combiner, &color_slots[i]) && same_input(combiner, &alpha_slots[i]);
    return same;
}

size_t trilo_n64_combiner_text(uint64_t combiner, char *out, size_t room)
{
    writer w = start(out, room);
    const bool two = (combiner & two_cycles) != 0;
    if (combiner == 0) {
        put(&w, "leave as it is");
        return w.length;
    }
    if (two)
        put(&w, "1: ");
    put_half(&w, combiner, 0, false);
    if (two)
        put(&w, "; 2: ");
    else if (!same_halves(combiner)) /* the formula belongs in both; neither is hidden when they differ */
        put(&w, "; second half ");
    if (two || !same_halves(combiner))
        put_half(&w, combiner, 1, two);
    return w.length;
}

/* --- other mode --- */

size_t trilo_n64_other_mode_text(uint64_t other_mode, uint64_t other_mask, char *out, size_t room)
{
    static const char *const sampling[4] = {"point", "sampling 1", "bilinear", "average"};
    static const char *const depth[4] = {"z opaque", "z interpenetrating", "z transparent", "z decal"};
    const uint64_t sampling_bits = UINT64_C(3) << 44, depth_bits = 3 << 10, alpha_compare = 1;
    writer w = start(out, room);
    uint64_t rest = other_mask;
    if (other_mask == 0)
        put(&w, "leave as it is");
    if ((rest & sampling_bits) == sampling_bits) {
        put_item(&w, sampling[other_mode >> 44 & 3]);
        rest &= ~sampling_bits;
    }
    if ((rest & depth_bits) == depth_bits) {
        put_item(&w, depth[other_mode >> 10 & 3]);
        rest &= ~depth_bits;
    }
    if ((rest & other_mode & alpha_compare) != 0)
        put_item(&w, "alpha compare");
    else if (other_mask == alpha_compare) /* said only when it is all there is to say */
        put_item(&w, "no alpha compare");
    rest &= ~alpha_compare;
    if (rest != 0) {
        put_item(&w, "bits ");
        put_hex(&w, rest, 16);
        put(&w, " to ");
        put_hex(&w, other_mode & rest, 16);
    }
    return w.length;
}

/* --- blender --- */

static void put_selectors(writer *w, uint32_t blender, int cycle)
{
    static const char *const names[4] = {"P ", ", A ", ", Q ", ", B "};
    for (int i = 0; i < 4; i++) {
        const char digit[2] = {(char)('0' + (blender >> (30 - 4 * i - 2 * cycle) & 3)), '\0'};
        put(w, names[i]);
        put(w, digit);
    }
}

size_t trilo_n64_blender_text(uint32_t blender, char *out, size_t room)
{
    static const struct {
        uint32_t value;
        const char *name;
    } known[] = {{0, "none"}, {0x00500040, "alpha multiply"}, {0x05500040, "multiply const"}, {0x005A0040, "additive"}};
    writer w = start(out, room);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (blender == known[i].value) {
            put(&w, known[i].name);
            return w.length;
        }
    put_hex(&w, blender, 8);
    if ((blender >> 2 & 0x33330000) == (blender & 0x33330000)) { /* both cycles alike */
        put(&w, " (");
        put_selectors(&w, blender, 0);
    } else {
        put(&w, " (1: ");
        put_selectors(&w, blender, 0);
        put(&w, "; 2: ");
        put_selectors(&w, blender, 1);
    }
    put(&w, ")");
    return w.length;
}

/* --- flags and effect --- */

size_t trilo_n64_flags_text(uint32_t draw_flags, char *out, size_t room)
{
    static const struct {
        uint32_t bit;
        const char *name;
    } known[] = {{TRILO_N64_DEPTH, "depth"},           {TRILO_N64_TEXTURED, "textured"},   {TRILO_N64_SHADED, "shaded"},
                 {TRILO_N64_CULL_FRONT, "cull front"}, {TRILO_N64_CULL_BACK, "cull back"}, {TRILO_N64_UNLIT, "unlit"}};
    writer w = start(out, room);
    uint32_t rest = draw_flags;
    if (draw_flags == 0)
        put(&w, "none");
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (draw_flags & known[i].bit)
            put_item(&w, known[i].name);
        rest &= ~known[i].bit;
    }
    if (rest != 0) {
        put_item(&w, "bits ");
        put_hex(&w, rest, 8);
    }
    return w.length;
}

const char *trilo_n64_effect_name(uint8_t vertex_effect)
{
    static const char *const names[] = {"none",    "spherical UV", "cel shade by colour", "cel shade by alpha",
                                        "outline", "UV offset"};
    return vertex_effect < sizeof names / sizeof names[0] ? names[vertex_effect] : "unknown";
}
