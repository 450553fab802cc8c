/* Other modes, blender, fog and render modes. */
#include "n64/modes.h"

#include "base/text.h"

#include <string.h>

/* --- other modes --- */

/* What materials of Pyrite64 set, and those of Tiny3D could. */
static void other_mode_add_switches(tl_text *text, uint64_t mode, uint64_t *rest)
{
    static const struct {
        uint64_t bit;
        const char *on, *off;
    } switches[] = {{TL_MODE_Z_COMPARE, "z compare", "no z compare"},
                    {TL_MODE_Z_WRITE, "z write", "no z write"},
                    {TL_MODE_PERSPECTIVE, "perspective", "no perspective"}};
    static const char *const colors[4] = {"square", "bayer", "noise", "none"};
    static const char *const alphas[2][4] = {{"square", "inverse square", "noise", "none"},
                                             {"bayer", "inverse bayer", "noise", "none"}};
    const uint64_t aa = TL_MODE_AA | TL_MODE_REDUCED_AA;
    const uint64_t dither = TL_MODE_MASK(TL_MODE_COLOR_DITHER) | TL_MODE_MASK(TL_MODE_ALPHA_DITHER);
    for (size_t i = 0; i < sizeof switches / sizeof *switches; i++)
        if ((*rest & switches[i].bit) != 0)
            tl_text_add_item(text, (mode & switches[i].bit) != 0 ? switches[i].on : switches[i].off);
    if ((*rest & TL_MODE_AA) != 0)
        tl_text_add_item(text, (mode & TL_MODE_AA) == 0           ? "no anti-aliasing"
                               : (mode & TL_MODE_REDUCED_AA) != 0 ? "reduced anti-aliasing"
                                                                  : "anti-aliasing");
    if ((*rest & dither) == dither) {
        const uint32_t color = tl_mode_get(mode, TL_MODE_COLOR_DITHER), alpha = tl_mode_get(mode, TL_MODE_ALPHA_DITHER);
        tl_text_add_item(text, "dither ");
        tl_text_add(text, colors[color]);
        tl_text_add(text, "/");
        tl_text_add(text, alphas[color & 1][alpha]); /* noise dithers alpha by the square, none by Bayer's matrix */
        *rest &= ~dither;
    }
    *rest &= ~(TL_MODE_Z_COMPARE | TL_MODE_Z_WRITE | TL_MODE_PERSPECTIVE | ((*rest & TL_MODE_AA) != 0 ? aa : 0));
}

size_t trilo_n64_other_mode_text(uint64_t other_mode, uint64_t other_mask, char *out, size_t room)
{
    static const char *const sampling[4] = {"point", "sampling 1", "bilinear", "average"};
    static const char *const depth[4] = {"z opaque", "z interpenetrating", "z transparent", "z decal"};
    static const struct {
        enum tl_mode_field field;
        const char *const *names;
    } named[] = {{TL_MODE_SAMPLING, sampling}, {TL_MODE_Z, depth}};
    const uint64_t alpha_compare = TL_MODE(TL_MODE_ALPHA_COMPARE, 1);
    tl_text text = tl_text_begin(out, room);
    uint64_t rest = other_mask;
    if (other_mask == 0)
        tl_text_add(&text, "leave as it is");
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if ((rest & TL_MODE_MASK(named[i].field)) == TL_MODE_MASK(named[i].field)) {
            tl_text_add_item(&text, named[i].names[tl_mode_get(other_mode, named[i].field)]);
            rest &= ~TL_MODE_MASK(named[i].field);
        }
    if ((rest & other_mode & alpha_compare) != 0)
        tl_text_add_item(&text, "alpha compare");
    else if (other_mask == alpha_compare) /* printed only if nothing else is */
        tl_text_add_item(&text, "no alpha compare");
    rest &= ~alpha_compare;
    other_mode_add_switches(&text, other_mode, &rest);
    if (rest != 0) {
        tl_text_add_item(&text, "bits ");
        tl_text_add_hex(&text, rest, 16);
        tl_text_add(&text, " to ");
        tl_text_add_hex(&text, other_mode & rest, 16);
    }
    return text.length;
}

/* --- blender --- */

#define BLENDER_TWO_PASSES  UINT32_C(0x8000)
#define BLENDER_READS       UINT32_C(0x40)
#define BLENDER_SECOND_PASS UINT32_C(0x33330000) /* fields of the second pass; those of the first are 2 bits higher */

tl_blend_pass tl_blend_unpack(uint32_t word, int pass)
{
    const int down = 2 * pass;
    return (tl_blend_pass){word >> (30 - down) & 3, word >> (26 - down) & 3, word >> (22 - down) & 3,
                           word >> (18 - down) & 3};
}

uint32_t tl_blend_pack(tl_blend_pass pass)
{
    const uint32_t fields = (uint32_t)pass.p << 28 | (uint32_t)pass.a << 24 | (uint32_t)pass.q << 20 | //
                            (uint32_t)pass.b << 16;
    const bool reads = pass.p == TL_BLEND_MEMORY || pass.q == TL_BLEND_MEMORY || pass.b == TL_BLEND_B_COVERAGE;
    return fields << 2 | fields | (reads ? BLENDER_READS : 0);
}

bool tl_blend_uses_shade(uint32_t word)
{
    return tl_blend_unpack(word, 0).a == TL_BLEND_A_SHADE || tl_blend_unpack(word, 1).a == TL_BLEND_A_SHADE;
}

tl_blend_state tl_blend_resolve(uint32_t blender, uint32_t fog)
{
    const uint32_t first = (blender & BLENDER_TWO_PASSES) != 0 ? blender : fog;
    tl_blend_state state = {.first = first != 0, .last = blender != 0};
    if (state.first)
        state.passes[0] = tl_blend_unpack(first, 0);
    if (state.last)
        state.passes[1] = tl_blend_unpack(blender, state.first ? 1 : 0);
    return state;
}

bool tl_blend_takes_two_cycles(uint32_t blender, uint32_t fog)
{
    const tl_blend_state state = tl_blend_resolve(blender, fog);
    return state.first && state.last;
}

static void blender_add_pass(tl_text *text, tl_blend_pass pass)
{
    static const char *const names[4] = {"P ", ", A ", ", Q ", ", B "};
    const uint8_t selectors[4] = {pass.p, pass.a, pass.q, pass.b};
    for (int i = 0; i < 4; i++) {
        tl_text_add(text, names[i]);
        tl_text_add(text, (const char[2]){(char)('0' + selectors[i]), '\0'});
    }
}

size_t trilo_n64_blender_text(uint32_t blender, char *out, size_t room)
{
    static const struct {
        uint32_t value;
        const char *name;
    } known[] = {{0, "none"},
                 {TL_BLENDER_ALPHA, "alpha multiply"},
                 {TL_BLENDER_CONST_ALPHA, "multiply const"},
                 {TL_BLENDER_ADDITIVE, "additive"}};
    tl_text text = tl_text_begin(out, room);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (blender == known[i].value) {
            tl_text_add(&text, known[i].name);
            return text.length;
        }
    const bool alike = (blender >> 2 & BLENDER_SECOND_PASS) == (blender & BLENDER_SECOND_PASS);
    tl_text_add_hex(&text, blender, 8);
    tl_text_add(&text, alike ? " (" : " (1: ");
    blender_add_pass(&text, tl_blend_unpack(blender, 0));
    if (!alike) {
        tl_text_add(&text, "; 2: ");
        blender_add_pass(&text, tl_blend_unpack(blender, 1));
    }
    tl_text_add(&text, ")");
    return text.length;
}

/* --- materials --- */

trilo_alpha tl_n64_alpha(const trilo_n64_material *material)
{
    if (material->blender != 0)
        return TRILO_ALPHA_BLEND;
    return tl_mode_compares_alpha(material->other_mode) ? TRILO_ALPHA_CUTOUT : TRILO_ALPHA_OPAQUE;
}

uint8_t trilo_n64_colors_set(uint8_t set_flags, uint64_t other_mode)
{
    return (uint8_t)(set_flags | (tl_mode_compares_alpha(other_mode) ? TRILO_N64_SET_BLEND : 0));
}

const char *trilo_n64_fog_name(uint8_t fog)
{
    static const char *const names[] = {
        [TRILO_N64_FOG_LEAVE] = "leave as it is", [TRILO_N64_FOG_OFF] = "off", [TRILO_N64_FOG_ON] = "on"};
    return fog < sizeof names / sizeof *names ? names[fog] : "unknown";
}

size_t trilo_n64_flags_text(uint32_t draw_flags, char *out, size_t room)
{
    static const struct {
        uint32_t bit;
        const char *name;
    } known[] = {{TRILO_N64_DEPTH, "depth"},           {TRILO_N64_TEXTURED, "textured"},   {TRILO_N64_SHADED, "shaded"},
                 {TRILO_N64_CULL_FRONT, "cull front"}, {TRILO_N64_CULL_BACK, "cull back"}, {TRILO_N64_UNLIT, "unlit"}};
    tl_text text = tl_text_begin(out, room);
    uint32_t rest = draw_flags;
    if (draw_flags == 0)
        tl_text_add(&text, "none");
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (draw_flags & known[i].bit)
            tl_text_add_item(&text, known[i].name);
        rest &= ~known[i].bit;
    }
    if (rest != 0) {
        tl_text_add_item(&text, "bits ");
        tl_text_add_hex(&text, rest, 8);
    }
    return text.length;
}

/* --- render modes --- */

enum {
    CUTOUT = TL_MODE(TL_MODE_ALPHA_COMPARE, TL_ALPHA_COMPARE_THRESHOLD),
    INTERPENETRATING = TL_MODE(TL_MODE_Z, TL_Z_INTERPENETRATING),
    DECAL = TL_MODE(TL_MODE_Z, TL_Z_DECAL)
};

typedef struct render_mode_preset {
    const char *name;
    int8_t index[2]; /* in the lists of both cycles; -1: not in that one */
    tl_render_mode mode;
} render_mode_preset;

/* Older versions of the add-on have OPA_SURF as 14 and ZB_CLD_SURF as 15 of the second list: these are all the same. */
static const render_mode_preset render_mode_presets[] = {
    {"ZB_OPA_SURF", {0, 0}, {0, 0}},
    {"AA_ZB_OPA_SURF", {1, 1}, {0, 0}},
    {"AA_ZB_OPA_DECAL", {2, 2}, {0, DECAL}},
    {"AA_ZB_OPA_INTER", {3, 3}, {0, INTERPENETRATING}},
    {"AA_ZB_TEX_EDGE", {4, 4}, {0, CUTOUT}},
    {"AA_ZB_XLU_SURF", {5, 5}, {TL_BLENDER_ALPHA, 0}},
    {"AA_ZB_XLU_DECAL", {6, 6}, {TL_BLENDER_ALPHA, DECAL}},
    {"AA_ZB_XLU_INTER", {7, 7}, {TL_BLENDER_ALPHA, INTERPENETRATING}},
    {"FOG_SHADE_A", {8, -1}, {0, 0}},
    {"FOG_PRIM_A", {9, -1}, {0, 0}},
    {"PASS", {10, -1}, {0, 0}},
    {"ADD", {11, 8}, {0, 0}},
    {"NOOP", {12, 9}, {0, 0}},
    {"ZB_OPA_SURF", {13, 10}, {0, 0}}, /* from here "without anti-aliasing" */
    {"ZB_OPA_DECAL", {14, 11}, {0, DECAL}},
    {"ZB_XLU_SURF", {15, 12}, {TL_BLENDER_ALPHA, 0}},
    {"ZB_XLU_DECAL", {16, 13}, {TL_BLENDER_ALPHA, DECAL}},
    {"OPA_SURF", {17, 17}, {0, 0}},
    {"ZB_CLD_SURF", {18, 14}, {0, 0}},
    {"ZB_OVL_SURF", {-1, 15}, {0, 0}},
    {"AA_ZB_TEX_TERR", {19, 16}, {0, 0}},
};

enum { RENDER_MODE_PRESETS = sizeof render_mode_presets / sizeof render_mode_presets[0] };

tl_render_mode tl_render_mode_of_alpha(trilo_alpha alpha)
{
    return (tl_render_mode){.blender = alpha == TRILO_ALPHA_BLEND ? TL_BLENDER_ALPHA : 0,
                            .mode = alpha == TRILO_ALPHA_CUTOUT ? CUTOUT : 0};
}

tl_render_mode tl_render_mode_numbered(int cycle, int32_t index)
{
    for (int i = 0; i < RENDER_MODE_PRESETS; i++)
        if (render_mode_presets[i].index[cycle] == index)
            return render_mode_presets[i].mode;
    return (tl_render_mode){0, 0};
}

bool tl_render_mode_named(int cycle, trilo_str name, tl_render_mode *out)
{
    for (int i = 0; i < RENDER_MODE_PRESETS; i++) {
        const render_mode_preset *p = &render_mode_presets[i];
        const size_t length = strlen(p->name);
        const bool begins = p->index[cycle] >= 0 && name.len >= length && memcmp(name.data, p->name, length) == 0;
        /* in the second cycle names end with a 2 */
        if (begins && (cycle == 0 ? name.len == length : name.len == length + 1 && name.data[length] == '2')) {
            *out = p->mode;
            return true;
        }
    }
    return false;
}
