/* FAST64_materials_n64: the settings as words, what is usual left away. */
#include "formats/gltf/fast64/settings.h"

#include <string.h>

#define IS_FLAG   " must be there, as true or false"
#define IS_OBJECT " must be an object"

static bool is_word(const tl_json *value, const char *word)
{
    return value && value->kind == TL_JSON_STRING && strcmp(value->string.data, word) == 0;
}

/* The place of a value in a list of words, which ends with NULL; `problem` when it is none of them. */
static uint8_t read_word(fast64_reader *r, const tl_json *value, const char *const *words, const char *problem)
{
    for (uint8_t i = 0; words[i]; i++)
        if (is_word(value, words[i]))
            return i;
    tl_fast64_problem(r, value, problem);
    return 0;
}

/* The first word is meant when there is none. */
static uint8_t read_choice(fast64_reader *r, const tl_json *object, const char *key, const char *const *words,
                           const char *problem)
{
    const tl_json *value = tl_fast64_member(object, key);
    return value ? read_word(r, value, words, problem) : 0;
}

/* --- combiner --- */

static const char *const color_a[] = {"COMBINED",    "TEXEL0", "TEXEL1", "PRIMITIVE", "SHADE",
                                      "ENVIRONMENT", "1",      "NOISE",  "0",         NULL};
static const char *const color_b[] = {"COMBINED",    "TEXEL0", "TEXEL1", "PRIMITIVE", "SHADE",
                                      "ENVIRONMENT", "CENTER", "K4",     "0",         NULL};
static const char *const color_c[] = {"COMBINED",
                                      "TEXEL0",
                                      "TEXEL1",
                                      "PRIMITIVE",
                                      "SHADE",
                                      "ENVIRONMENT",
                                      "SCALE",
                                      "COMBINED_ALPHA",
                                      "TEXEL0_ALPHA",
                                      "TEXEL1_ALPHA",
                                      "PRIMITIVE_ALPHA",
                                      "SHADE_ALPHA",
                                      "ENV_ALPHA",
                                      "LOD_FRACTION",
                                      "PRIM_LOD_FRAC",
                                      "K5",
                                      "0",
                                      NULL};
static const char *const sum[] = {"COMBINED", "TEXEL0", "TEXEL1", "PRIMITIVE", "SHADE", "ENVIRONMENT", "1", "0", NULL};
static const char *const alpha_c[] = {"LOD_FRACTION", "TEXEL0",        "TEXEL1", "PRIMITIVE", "SHADE",
                                      "ENVIRONMENT",  "PRIM_LOD_FRAC", "0",      NULL};

static void read_inputs(fast64_reader *r, const tl_json *cycle, const char *key, const char *const *const words[4],
                        uint8_t out[4], const char *problem)
{
    const tl_json *input = tl_fast64_array(r, cycle, key, 4, 4, problem);
    for (int i = 0; input && i < 4; i++, input = input->next)
        out[i] = read_word(r, input, words[i], problem);
}

static void read_cycle(fast64_reader *r, const tl_json *cycle, uint8_t out[TL_CC_SLOTS])
{
    static const char *const *const color[] = {color_a, color_b, color_c, sum};
    static const char *const *const alpha[] = {sum, sum, alpha_c, sum};
    read_inputs(r, cycle, "color", color, &out[TL_CC_RGB_A],
                "color of a combiner cycle is required, four names of inputs");
    read_inputs(r, cycle, "alpha", alpha, &out[TL_CC_ALPHA_A],
                "alpha of a combiner cycle is required, four names of inputs");
}

/* Where pixels are copied or filled nothing is combined, and a second cycle need not be told. */
static void read_combiner(fast64_reader *r, const tl_json *n64, bool second, fast64_settings *s)
{
    static const uint8_t pass[TL_CC_SLOTS] = {8, 8, 16, 0, 7, 7, 7, 0}; /* (0 - 0) * 0 + COMBINED */
    const tl_json *combiner = tl_fast64_object(r, n64, "combiner", "combiner" IS_OBJECT);
    if (!combiner) {
        tl_fast64_problem(r, n64, "combiner is required, an object");
        return;
    }
    const tl_json *cycle =
        tl_fast64_array(r, combiner, "cycles", second ? 2 : 1, 2, "cycles is required, one for each active cycle");
    if (!cycle)
        return;
    read_cycle(r, cycle, s->combiner.cycles[0]);
    memcpy(s->combiner.cycles[1], pass, sizeof pass);
    if (s->combiner.two_cycles && cycle->next)
        read_cycle(r, cycle->next, s->combiner.cycles[1]);
}

/* --- colours --- */

static fast64_color read_color(fast64_reader *r, const tl_json *n64, const char *key, const char *problem)
{
    const tl_json *object = tl_fast64_object(r, n64, key, problem);
    fast64_color color = {.given = object != NULL};
    if (!object)
        return color;
    color.set = tl_fast64_flag(r, object, "set", "set of a colour" IS_FLAG);
    tl_fast64_floats(r, object, "color", color.rgba, "color is required, four numbers");
    return color;
}

/* --- render mode --- */

static tl_render_mode read_preset(fast64_reader *r, const tl_json *name, int cycle)
{
    tl_render_mode surface = {0, 0};
    if (name->kind != TL_JSON_STRING || !tl_render_mode_named(cycle, name->string, &surface))
        tl_fast64_problem(r, name,
                          cycle == 0
                              ? "presets must be names of render modes, such as AA_ZB_OPA_SURF"
                              : "the second of presets must be the name of a render mode, such as AA_ZB_OPA_SURF2");
    return surface;
}

static tl_render_mode read_presets(fast64_reader *r, const tl_json *mode, bool two_cycles, bool second)
{
    const tl_json *name = tl_fast64_array(r, mode, "presets", second ? 2 : 1, 2,
                                          "presets must be the names of render modes, one for each cycle that runs");
    if (!name)
        return (tl_render_mode){0, 0};
    const tl_render_mode first = read_preset(r, name, 0);
    return tl_fast64_both(two_cycles, first, name->next ? read_preset(r, name->next, 1) : first);
}

/* color [P, M], alpha [A, B]: P * A + M * B, the same for both passes. */
static uint32_t read_formula(fast64_reader *r, const tl_json *step)
{
    static const char *const colors[] = {"IN", "MEM", "BL", "FOG", NULL};
    static const char *const firsts[] = {"A_IN", "A_FOG", "A_SHADE", "0", NULL};
    static const char *const seconds[] = {"1MA", "A_MEM", "1", "0", NULL};
    static const char color_problem[] = "color of a blender step must be two of IN, MEM, BL, FOG";
    static const char alpha_problem[] =
        "alpha of a blender step must be one of A_IN, A_FOG, A_SHADE, 0 and one of 1MA, A_MEM, 1, 0";
    const tl_json *color = tl_fast64_array(r, step, "color", 2, 2, color_problem);
    const tl_json *alpha = tl_fast64_array(r, step, "alpha", 2, 2, alpha_problem);
    if (!color || !alpha)
        return 0;
    tl_blend_pass pass;
    pass.p = read_word(r, color, colors, color_problem);
    pass.q = read_word(r, color->next, colors, color_problem);
    pass.a = read_word(r, alpha, firsts, alpha_problem);
    pass.b = read_word(r, alpha->next, seconds, alpha_problem);
    return tl_blend_pack(pass);
}

/* A render mode put together by hand. Coverage by alpha is how the console's own modes cut out. */
static tl_render_mode read_flags(fast64_reader *r, const tl_json *mode, const tl_json *modes, bool second)
{
    static const char *const depths[] = {"OPA", "INTER", "XLU", "DEC", NULL};
    tl_render_mode surface = {0, 0};
    const tl_json *flags = tl_fast64_object(r, mode, "flags", "flags" IS_OBJECT);
    const uint8_t depth = read_choice(r, flags, "zMode", depths, "zMode must be OPA, INTER, XLU or DEC");
    surface.mode = (uint32_t)TL_MODE(TL_MODE_Z, depth);
    const bool threshold = is_word(tl_fast64_member(modes, "alphaCompare"), "THRESHOLD");
    const bool blends = tl_fast64_on(flags, "forceBlend");
    if (threshold || (tl_fast64_on(flags, "mulCvgXAlpha") && !blends))
        surface.mode |= TL_MODE(TL_MODE_ALPHA_COMPARE, TL_ALPHA_COMPARE_THRESHOLD);
    if (!blends)
        return surface;
    const tl_json *step =
        tl_fast64_array(r, mode, "blender", second ? 2 : 1, 2, "blender is required, one step for each active cycle");
    if (step)
        surface.blender = read_formula(r, second ? step->next : step);
    return surface;
}

static void read_render_mode(fast64_reader *r, const tl_json *modes, bool second, fast64_settings *s)
{
    const tl_json *mode = tl_fast64_object(r, modes, "renderMode", "renderMode" IS_OBJECT);
    if (!mode)
        return;
    s->sets_depth = true;
    s->surface = tl_fast64_member(mode, "presets") ? read_presets(r, mode, s->combiner.two_cycles, second)
                                                   : read_flags(r, mode, modes, second);
}

/* --- modes --- */

static void read_modes(fast64_reader *r, const tl_json *n64, fast64_settings *s)
{
    static const char *const filters[] = {"POINT", "AVERAGE", "BILERP", NULL};
    static const char *const cycles[] = {"1CYCLE", "2CYCLE", "COPY", "FILL", NULL};
    const tl_json *modes = tl_fast64_object(r, n64, "otherModes", "otherModes" IS_OBJECT);
    s->filter = (fast64_filter)read_choice(r, modes, "textureFilter", filters,
                                           "textureFilter must be POINT, AVERAGE or BILERP");
    const uint8_t cycle = read_choice(r, modes, "cycleType", cycles, "cycleType must be 1CYCLE, 2CYCLE, COPY or FILL");
    s->combiner.two_cycles = cycle != 0;
    read_render_mode(r, modes, cycle == 1, s);
    read_combiner(r, n64, cycle == 1, s);
}

/* Flags are there when they are on. */
static void read_geometry(fast64_reader *r, const tl_json *n64, fast64_settings *s)
{
    const tl_json *extensions = tl_fast64_object(r, n64, "extensions", "extensions" IS_OBJECT);
    const tl_json *f3d = tl_fast64_object(r, extensions, "FAST64_materials_f3d", "FAST64_materials_f3d" IS_OBJECT);
    const tl_json *mode = tl_fast64_object(r, f3d, "geometryMode", "geometryMode" IS_OBJECT);
    s->has_modes = f3d != NULL;
    s->cull_front = tl_fast64_on(mode, "cullFront");
    s->cull_back = tl_fast64_on(mode, "cullBack");
    s->fog = tl_fast64_on(mode, "fog");
    s->spherical = tl_fast64_on(mode, "texGen");
    s->lit = !f3d || tl_fast64_on(mode, "lighting");
}

fast64_found tl_fast64_extension(fast64_reader *r, const tl_json *material, fast64_settings *s)
{
    const tl_json *n64 = tl_fast64_object(r, tl_fast64_member(material, "extensions"), "FAST64_materials_n64",
                                          "FAST64_materials_n64" IS_OBJECT);
    if (!n64)
        return FAST64_ABSENT;
    if (n64->count == 0)
        return FAST64_EMPTY;
    read_modes(r, n64, s);
    read_geometry(r, n64, s);
    s->prim = read_color(r, n64, "primitive", "primitive" IS_OBJECT);
    s->env = read_color(r, n64, "environment", "environment" IS_OBJECT);
    s->blend = read_color(r, n64, "blend", "blend" IS_OBJECT);
    if (tl_fast64_uses_texture(s)) {
        const tl_json *textures = tl_fast64_object(r, n64, "textures", "textures" IS_OBJECT);
        tl_fast64_texture(r, textures, "0", &s->textures[0]);
        tl_fast64_texture(r, textures, "1", &s->textures[1]);
    }
    return FAST64_READ;
}
