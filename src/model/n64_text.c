/* The pixel pipeline's registers in words: tables of names, and one cursor that counts what no longer fits. */
#include "base/text.h"
#include "trilobite/n64.h"

/* --- other mode --- */

size_t trilo_n64_other_mode_text(uint64_t other_mode, uint64_t other_mask, char *out, size_t room)
{
    static const char *const sampling[4] = {"point", "sampling 1", "bilinear", "average"};
    static const char *const depth[4] = {"z opaque", "z interpenetrating", "z transparent", "z decal"};
    const uint64_t sampling_bits = UINT64_C(3) << 44, depth_bits = 3 << 10, alpha_compare = 1;
    tl_text w = tl_text_begin(out, room);
    uint64_t rest = other_mask;
    if (other_mask == 0)
        tl_text_add(&w, "leave as it is");
    if ((rest & sampling_bits) == sampling_bits) {
        tl_text_add_item(&w, sampling[other_mode >> 44 & 3]);
        rest &= ~sampling_bits;
    }
    if ((rest & depth_bits) == depth_bits) {
        tl_text_add_item(&w, depth[other_mode >> 10 & 3]);
        rest &= ~depth_bits;
    }
    if ((rest & other_mode & alpha_compare) != 0)
        tl_text_add_item(&w, "alpha compare");
    else if (other_mask == alpha_compare) /* said only when it is all there is to say */
        tl_text_add_item(&w, "no alpha compare");
    rest &= ~alpha_compare;
    if (rest != 0) {
        tl_text_add_item(&w, "bits ");
        tl_text_add_hex(&w, rest, 16);
        tl_text_add(&w, " to ");
        tl_text_add_hex(&w, other_mode & rest, 16);
    }
    return w.length;
}

/* --- blender --- */

static void put_selectors(tl_text *w, uint32_t blender, int cycle)
{
    static const char *const names[4] = {"P ", ", A ", ", Q ", ", B "};
    for (int i = 0; i < 4; i++) {
        const char digit[2] = {(char)('0' + (blender >> (30 - 4 * i - 2 * cycle) & 3)), '\0'};
        tl_text_add(w, names[i]);
        tl_text_add(w, digit);
    }
}

size_t trilo_n64_blender_text(uint32_t blender, char *out, size_t room)
{
    static const struct {
        uint32_t value;
        const char *name;
    } known[] = {{0, "none"}, {0x00500040, "alpha multiply"}, {0x05500040, "multiply const"}, {0x005A0040, "additive"}};
    tl_text w = tl_text_begin(out, room);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (blender == known[i].value) {
            tl_text_add(&w, known[i].name);
            return w.length;
        }
    tl_text_add_hex(&w, blender, 8);
    if ((blender >> 2 & 0x33330000) == (blender & 0x33330000)) { /* both cycles alike */
        tl_text_add(&w, " (");
        put_selectors(&w, blender, 0);
    } else {
        tl_text_add(&w, " (1: ");
        put_selectors(&w, blender, 0);
        tl_text_add(&w, "; 2: ");
        put_selectors(&w, blender, 1);
    }
    tl_text_add(&w, ")");
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
    tl_text w = tl_text_begin(out, room);
    uint32_t rest = draw_flags;
    if (draw_flags == 0)
        tl_text_add(&w, "none");
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (draw_flags & known[i].bit)
            tl_text_add_item(&w, known[i].name);
        rest &= ~known[i].bit;
    }
    if (rest != 0) {
        tl_text_add_item(&w, "bits ");
        tl_text_add_hex(&w, rest, 8);
    }
    return w.length;
}

const char *trilo_n64_effect_name(uint8_t vertex_effect)
{
    static const char *const names[] = {"none",    "spherical UV", "cel shade by colour", "cel shade by alpha",
                                        "outline", "UV offset"};
    return vertex_effect < sizeof names / sizeof names[0] ? names[vertex_effect] : "unknown";
}
