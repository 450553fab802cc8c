/* extras.f3d_mat: the custom properties of the add-on as Blender exports them. Enumerations are numbers. */
#include "formats/gltf/fast64/settings.h"

#define FAST64_IS_FLAG    " is required, as true or false, or 1 or 0"
#define FAST64_IS_COLOR   " is required, four numbers"
#define FAST64_IS_INPUT_8 " of a combiner is required, an integer from 0 to 8"
#define FAST64_IS_INPUT_7 " of a combiner is required, an integer from 0 to 7"

static void fast64_read_numbered_cycle(fast64_reader *r, const tl_json *f3d_mat, const char *key, const char *problem,
                                       uint8_t out[TL_CC_SLOTS])
{
    static const struct {
        const char *key;
        int32_t high;
        const char *problem;
    } inputs[TL_CC_SLOTS] = {
        {"A", 8, "A" FAST64_IS_INPUT_8},
        {"B", 8, "B" FAST64_IS_INPUT_8},
        {"C", 16, "C of a combiner is required, an integer from 0 to 16"},
        {"D", 7, "D" FAST64_IS_INPUT_7},
        {"A_alpha", 7, "A_alpha" FAST64_IS_INPUT_7},
        {"B_alpha", 7, "B_alpha" FAST64_IS_INPUT_7},
        {"C_alpha", 7, "C_alpha" FAST64_IS_INPUT_7},
        {"D_alpha", 7, "D_alpha" FAST64_IS_INPUT_7},
    };
    const tl_json *combiner = tl_fast64_object(r, f3d_mat, key, problem);
    if (!combiner) {
        tl_fast64_problem(r, f3d_mat, problem);
        return;
    }
    for (int i = 0; i < TL_CC_SLOTS; i++)
        out[i] = (uint8_t)tl_fast64_int(r, combiner, inputs[i].key, 0, inputs[i].high, inputs[i].problem);
}

/* The colour is read even when it is not set, as Tiny3D's converter does. */
static fast64_color fast64_read_property_color(fast64_reader *r, const tl_json *f3d_mat, const char *const keys[2],
                                               const char *const problems[2])
{
    fast64_color color = {.given = tl_fast64_member(f3d_mat, keys[0]) != NULL};
    if (!color.given)
        return color;
    color.set = tl_fast64_flag(r, f3d_mat, keys[0], problems[0]);
    tl_fast64_floats(r, f3d_mat, keys[1], color.rgba, problems[1]);
    return color;
}

static int32_t fast64_read_layer(fast64_reader *r, const tl_json *layers, const char *key, int32_t high,
                                 const char *problem)
{
    return tl_fast64_member(layers, key) ? tl_fast64_int(r, layers, key, 0, high, problem) : 0;
}

/* The render mode of the draw layer. The file does not say for which game the layers are: the higher one is used. */
static tl_render_mode fast64_read_draw_layer(fast64_reader *r, const tl_json *f3d_mat)
{
    static const tl_render_mode opaque = {0, 0}, blended = {TL_BLENDER_ALPHA, 0},
                                cutout = {0, TL_MODE(TL_MODE_ALPHA_COMPARE, TL_ALPHA_COMPARE_THRESHOLD)};
    const tl_json *layers = tl_fast64_object(r, f3d_mat, "draw_layer", "draw_layer" FAST64_IS_OBJECT);
    const int32_t oot = fast64_read_layer(r, layers, "oot", 2, "oot of draw_layer must be an integer from 0 to 2");
    const int32_t sm64 = fast64_read_layer(r, layers, "sm64", 7, "sm64 of draw_layer must be an integer from 0 to 7");
    if (oot > sm64)
        return oot == 1 ? blended : cutout;
    return sm64 <= 1 ? opaque : sm64 <= 4 ? cutout : blended;
}

/* Without rdp_settings two cycles run. g_lighting is optional and never a problem. */
static void fast64_read_rdp_settings(fast64_reader *r, const tl_json *f3d_mat, fast64_settings *s)
{
    const tl_json *rdp = tl_fast64_object(r, f3d_mat, "rdp_settings", "rdp_settings" FAST64_IS_OBJECT);
    s->combiner.two_cycles = s->lit = true;
    if (!rdp)
        return;
    s->has_modes = true;
    s->combiner.two_cycles =
        tl_fast64_int(r, rdp, "g_mdsft_cycletype", 0, 3, "g_mdsft_cycletype is required, an integer from 0 to 3") != 0;
    s->cull_back = tl_fast64_flag(r, rdp, "g_cull_back", "g_cull_back" FAST64_IS_FLAG);
    s->cull_front = tl_fast64_flag(r, rdp, "g_cull_front", "g_cull_front" FAST64_IS_FLAG);
    s->fog = tl_fast64_flag(r, rdp, "g_fog", "g_fog" FAST64_IS_FLAG);
    s->filter = (fast64_filter)tl_fast64_int(r, rdp, "g_mdsft_text_filt", 0, FAST64_FILTER_COUNT - 1,
                                             "g_mdsft_text_filt is required, an integer from 0 to 2");
    s->spherical = tl_fast64_flag(r, rdp, "g_tex_gen", "g_tex_gen" FAST64_IS_FLAG);
    s->lit = tl_json_bool(tl_fast64_member(rdp, "g_lighting"), true);
    s->sets_depth = tl_fast64_flag(r, rdp, "set_rendermode", "set_rendermode" FAST64_IS_FLAG);
    if (!s->sets_depth) {
        s->render_mode = fast64_read_draw_layer(r, f3d_mat);
        return;
    }
    const int32_t first = tl_fast64_int(r, rdp, "rendermode_preset_cycle_1", 0, TL_RENDER_MODES_1 - 1,
                                        "rendermode_preset_cycle_1 is required, an integer from 0 to 19");
    const int32_t second = tl_fast64_int(r, rdp, "rendermode_preset_cycle_2", 0, TL_RENDER_MODES_2 - 1,
                                         "rendermode_preset_cycle_2 is required, an integer from 0 to 17");
    s->render_mode = tl_fast64_combine_presets(s->combiner.two_cycles, tl_render_mode_numbered(0, first),
                                               tl_render_mode_numbered(1, second));
}

static trilo_n64_axis fast64_read_optional_axis(fast64_reader *r, const tl_json *tex, const char *key,
                                                const char *problem)
{
    const tl_json *axis = tl_fast64_object(r, tex, key, problem);
    return axis && axis->count > 0 ? tl_fast64_axis(r, axis) : (trilo_n64_axis){0};
}

/* A texture has an image, or a reference that the game resolves. */
static void fast64_read_property_texture(fast64_reader *r, const tl_json *f3d_mat, const char *key, const char *problem,
                                         fast64_texture *texture)
{
    const tl_json *tex = tl_fast64_object(r, f3d_mat, key, problem);
    if (!tex)
        return;
    texture->axes[0] = fast64_read_optional_axis(r, tex, "S", "S of a texture" FAST64_IS_OBJECT);
    texture->axes[1] = fast64_read_optional_axis(r, tex, "T", "T of a texture" FAST64_IS_OBJECT);
    texture->image.width = tl_fast64_span(&texture->axes[0]);
    texture->image.height = tl_fast64_span(&texture->axes[1]);
    const bool is_reference = tl_fast64_member(tex, "use_tex_reference") &&
                              tl_fast64_flag(r, tex, "use_tex_reference", "use_tex_reference" FAST64_IS_FLAG);
    if (!is_reference) {
        const tl_json *image = tl_fast64_object(r, tex, "tex", "tex" FAST64_IS_OBJECT);
        const tl_json *name = tl_fast64_member(image, "name");
        if (name && name->kind != TL_JSON_STRING)
            tl_fast64_problem(r, name, "name of a texture must be a text");
        texture->image.name = tl_json_string(name);
        return;
    }
    if (tl_fast64_member(tex, "tex_reference"))
        texture->reference =
            tl_fast64_reference(r, tex, "tex_reference",
                                "tex_reference must be a string with a 32-bit number, decimal or hexadecimal with 0x");
    if (tl_fast64_member(tex, "tex_reference_size"))
        tl_fast64_size(r, tex, "tex_reference_size", &texture->image,
                       "tex_reference_size must be two integers from 0 to 65535");
}

/* Without custom properties in the export, is_f3d may be all that is left of a Fast64 material. */
/* Materials that Blender links from Fast64's library have groups of properties without a single property. */
static bool fast64_has_properties(const tl_json *f3d_mat)
{
    for (const tl_json *group = f3d_mat->first; group; group = group->next) {
        if (group->kind != TL_JSON_OBJECT)
            return true;
        for (const tl_json *property = group->first; property; property = property->next)
            if (property->kind != TL_JSON_OBJECT || property->count > 0)
                return true;
    }
    return false;
}

fast64_found tl_fast64_extras(fast64_reader *r, const tl_json *material, fast64_settings *s)
{
    const tl_json *extras = tl_fast64_member(material, "extras");
    const tl_json *f3d_mat = tl_fast64_object(r, extras, "f3d_mat", "f3d_mat" FAST64_IS_OBJECT);
    if (!f3d_mat || !fast64_has_properties(f3d_mat)) {
        const bool is_f3d = tl_json_bool(tl_fast64_member(extras, "is_f3d"), false);
        return tl_json_member(extras, "f3d_mat") || is_f3d ? FAST64_EMPTY : FAST64_ABSENT;
    }
    fast64_read_numbered_cycle(r, f3d_mat, "combiner1", "combiner1 is required, an object", s->combiner.cycles[0]);
    fast64_read_numbered_cycle(r, f3d_mat, "combiner2", "combiner2 is required, an object", s->combiner.cycles[1]);
    s->prim = fast64_read_property_color(r, f3d_mat, (const char *[]){"set_prim", "prim_color"},
                                         (const char *[]){"set_prim" FAST64_IS_FLAG, "prim_color" FAST64_IS_COLOR});
    s->env = fast64_read_property_color(r, f3d_mat, (const char *[]){"set_env", "env_color"},
                                        (const char *[]){"set_env" FAST64_IS_FLAG, "env_color" FAST64_IS_COLOR});
    s->blend = fast64_read_property_color(r, f3d_mat, (const char *[]){"set_blend", "blend_color"},
                                          (const char *[]){"set_blend" FAST64_IS_FLAG, "blend_color" FAST64_IS_COLOR});
    fast64_read_rdp_settings(r, f3d_mat, s);
    if (tl_fast64_uses_texture(s)) {
        fast64_read_property_texture(r, f3d_mat, "tex0", "tex0" FAST64_IS_OBJECT, &s->textures[0]);
        fast64_read_property_texture(r, f3d_mat, "tex1", "tex1" FAST64_IS_OBJECT, &s->textures[1]);
    }
    return FAST64_READ;
}
