/* FAST64_materials_n64: settings as strings; default values are omitted. */
#include "formats/gltf/fast64/settings.h"

static bool fast64_is(const tl_json *value, const char *word)
{
    return value && value->kind == TL_JSON_STRING && strcmp(value->string.data, word) == 0;
}

/* The index of a string in a list that ends with NULL. */
static uint8_t fast64_read_word(fast64_reader *r, const tl_json *value, const char *const *words, const char *problem)
{
    for (uint8_t i = 0; words[i]; i++)
        if (fast64_is(value, words[i]))
            return i;
    tl_fast64_problem(r, value, problem);
    return 0;
}

/* The same for an optional member; the default is the first string. */
static uint8_t fast64_read_choice(fast64_reader *r, const tl_json *object, const char *key, const char *const *words,
                                  const char *problem)
{
    const tl_json *value = tl_fast64_member(object, key);
    return value ? fast64_read_word(r, value, words, problem) : 0;
}

/* --- combiner --- */

static const char *const fast64_rgb_a[] = {"COMBINED",    "TEXEL0", "TEXEL1", "PRIMITIVE", "SHADE",
                                           "ENVIRONMENT", "1",      "NOISE",  "0",         NULL};
static const char *const fast64_rgb_b[] = {"COMBINED",    "TEXEL0", "TEXEL1", "PRIMITIVE", "SHADE",
                                           "ENVIRONMENT", "CENTER", "K4",     "0",         NULL};
static const char *const fast64_rgb_c[] = {"COMBINED",
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
static const char *const fast64_addends[] = {"COMBINED",    "TEXEL0", "TEXEL1", "PRIMITIVE", "SHADE",
                                             "ENVIRONMENT", "1",      "0",      NULL};
static const char *const fast64_alpha_c[] = {"LOD_FRACTION", "TEXEL0",        "TEXEL1", "PRIMITIVE", "SHADE",
                                             "ENVIRONMENT",  "PRIM_LOD_FRAC", "0",      NULL};

static void fast64_read_inputs(fast64_reader *r, const tl_json *cycle, const char *key,
                               const char *const *const words[4], uint8_t out[4], const char *problem)
{
    const tl_json *input = tl_fast64_array(r, cycle, key, 4, 4, problem);
    for (int i = 0; input && i < 4; i++, input = input->next)
        out[i] = fast64_read_word(r, input, words[i], problem);
}

static void fast64_read_words_cycle(fast64_reader *r, const tl_json *cycle, uint8_t out[TL_CC_SLOTS])
{
    static const char *const *const color[] = {fast64_rgb_a, fast64_rgb_b, fast64_rgb_c, fast64_addends};
    static const char *const *const alpha[] = {fast64_addends, fast64_addends, fast64_alpha_c, fast64_addends};
    fast64_read_inputs(r, cycle, "color", color, &out[TL_CC_RGB_A],
                       "color of a combiner cycle is required, four names of inputs");
    fast64_read_inputs(r, cycle, "alpha", alpha, &out[TL_CC_ALPHA_A],
                       "alpha of a combiner cycle is required, four names of inputs");
}

/* Copy and fill modes do not use the combiner, and may omit the second cycle. */
static void fast64_read_combiner(fast64_reader *r, const tl_json *n64, bool second, fast64_settings *s)
{
    static const uint8_t pass[TL_CC_SLOTS] = {8, 8, 16, 0, 7, 7, 7, 0}; /* (0 - 0) * 0 + COMBINED */
    const tl_json *combiner = tl_fast64_object(r, n64, "combiner", "combiner" FAST64_IS_OBJECT);
    if (!combiner) {
        tl_fast64_problem(r, n64, "combiner is required, an object");
        return;
    }
    const tl_json *cycle =
        tl_fast64_array(r, combiner, "cycles", second ? 2 : 1, 2, "cycles is required, one for each active cycle");
    if (!cycle)
        return;
    fast64_read_words_cycle(r, cycle, s->combiner.cycles[0]);
    memcpy(s->combiner.cycles[1], pass, sizeof pass);
    if (s->combiner.two_cycles && cycle->next)
        fast64_read_words_cycle(r, cycle->next, s->combiner.cycles[1]);
}

/* --- colours --- */

static fast64_color fast64_read_color(fast64_reader *r, const tl_json *n64, const char *key, const char *problem)
{
    const tl_json *object = tl_fast64_object(r, n64, key, problem);
    fast64_color color = {.given = object != NULL};
    if (!object)
        return color;
    color.set = tl_fast64_flag(r, object, "set", "set of a colour is required, as true or false");
    tl_fast64_floats(r, object, "color", color.rgba, "color is required, four numbers");
    return color;
}

/* --- render mode --- */

static tl_render_mode fast64_read_preset(fast64_reader *r, const tl_json *name, int cycle)
{
    tl_render_mode out = {0, 0};
    if (name->kind != TL_JSON_STRING || !tl_render_mode_named(cycle, name->string, &out))
        tl_fast64_problem(r, name,
                          cycle == 0
                              ? "presets must be names of render modes, such as AA_ZB_OPA_SURF"
                              : "the second of presets must be the name of a render mode, such as AA_ZB_OPA_SURF2");
    return out;
}

/* The blender formula of a step, P * A + M * B, from color [P, M] and alpha [A, B]; the same for both passes. */
static uint32_t fast64_read_blender(fast64_reader *r, const tl_json *step)
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
    pass.p = fast64_read_word(r, color, colors, color_problem);
    pass.q = fast64_read_word(r, color->next, colors, color_problem);
    pass.a = fast64_read_word(r, alpha, firsts, alpha_problem);
    pass.b = fast64_read_word(r, alpha->next, seconds, alpha_problem);
    return tl_blend_pack(pass);
}

/* A render mode without a preset. The presets for cut-outs multiply coverage by alpha. */
static tl_render_mode fast64_read_flags(fast64_reader *r, const tl_json *mode, const tl_json *modes, bool second)
{
    static const char *const depths[] = {"OPA", "INTER", "XLU", "DEC", NULL};
    tl_render_mode out = {0, 0};
    const tl_json *flags = tl_fast64_object(r, mode, "flags", "flags" FAST64_IS_OBJECT);
    const uint8_t depth = fast64_read_choice(r, flags, "zMode", depths, "zMode must be OPA, INTER, XLU or DEC");
    out.mode = (uint32_t)TL_MODE(TL_MODE_Z, depth);
    const bool threshold = fast64_is(tl_fast64_member(modes, "alphaCompare"), "THRESHOLD");
    const bool blends = tl_fast64_on(flags, "forceBlend");
    if (threshold || (tl_fast64_on(flags, "mulCvgXAlpha") && !blends))
        out.mode |= TL_MODE(TL_MODE_ALPHA_COMPARE, TL_ALPHA_COMPARE_THRESHOLD);
    if (!blends)
        return out;
    const tl_json *step =
        tl_fast64_array(r, mode, "blender", second ? 2 : 1, 2, "blender is required, one step for each active cycle");
    if (step)
        out.blender = fast64_read_blender(r, second ? step->next : step);
    return out;
}

static void fast64_read_render_mode(fast64_reader *r, const tl_json *modes, bool second, fast64_settings *s)
{
    const tl_json *mode = tl_fast64_object(r, modes, "renderMode", "renderMode" FAST64_IS_OBJECT);
    if (!mode)
        return;
    s->sets_depth = true;
    if (!tl_fast64_member(mode, "presets")) {
        s->render_mode = fast64_read_flags(r, mode, modes, second);
        return;
    }
    const tl_json *name = tl_fast64_array(r, mode, "presets", second ? 2 : 1, 2,
                                          "presets must be the names of render modes, one for each cycle that runs");
    if (!name)
        return;
    const tl_render_mode first = fast64_read_preset(r, name, 0);
    s->render_mode = tl_fast64_combine_presets(s->combiner.two_cycles, first,
                                               name->next ? fast64_read_preset(r, name->next, 1) : first);
}

fast64_found tl_fast64_extension(fast64_reader *r, const tl_json *material, fast64_settings *s)
{
    static const char *const filters[] = {"POINT", "AVERAGE", "BILERP", NULL};
    static const char *const cycles[] = {"1CYCLE", "2CYCLE", "COPY", "FILL", NULL};
    const tl_json *n64 = tl_fast64_object(r, tl_fast64_member(material, "extensions"), "FAST64_materials_n64",
                                          "FAST64_materials_n64" FAST64_IS_OBJECT);
    if (!n64)
        return FAST64_ABSENT;
    if (n64->count == 0)
        return FAST64_EMPTY;
    const tl_json *modes = tl_fast64_object(r, n64, "otherModes", "otherModes" FAST64_IS_OBJECT);
    s->filter = (fast64_filter)fast64_read_choice(r, modes, "textureFilter", filters,
                                                  "textureFilter must be POINT, AVERAGE or BILERP");
    const uint8_t cycle =
        fast64_read_choice(r, modes, "cycleType", cycles, "cycleType must be 1CYCLE, 2CYCLE, COPY or FILL");
    s->combiner.two_cycles = cycle != 0;
    fast64_read_render_mode(r, modes, cycle == 1, s);
    fast64_read_combiner(r, n64, cycle == 1, s);
    const tl_json *extensions = tl_fast64_object(r, n64, "extensions", "extensions" FAST64_IS_OBJECT);
    const tl_json *f3d =
        tl_fast64_object(r, extensions, "FAST64_materials_f3d", "FAST64_materials_f3d" FAST64_IS_OBJECT);
    const tl_json *geometry = tl_fast64_object(r, f3d, "geometryMode", "geometryMode" FAST64_IS_OBJECT);
    s->has_modes = f3d != NULL;
    s->cull_front = tl_fast64_on(geometry, "cullFront");
    s->cull_back = tl_fast64_on(geometry, "cullBack");
    s->fog = tl_fast64_on(geometry, "fog");
    s->spherical = tl_fast64_on(geometry, "texGen");
    s->lit = !f3d || tl_fast64_on(geometry, "lighting");
    s->prim = fast64_read_color(r, n64, "primitive", "primitive" FAST64_IS_OBJECT);
    s->env = fast64_read_color(r, n64, "environment", "environment" FAST64_IS_OBJECT);
    s->blend = fast64_read_color(r, n64, "blend", "blend" FAST64_IS_OBJECT);
    if (tl_fast64_uses_texture(s)) {
        const tl_json *textures = tl_fast64_object(r, n64, "textures", "textures" FAST64_IS_OBJECT);
        tl_fast64_texture(r, textures, "0", &s->textures[0]);
        tl_fast64_texture(r, textures, "1", &s->textures[1]);
    }
    return FAST64_READ;
}
