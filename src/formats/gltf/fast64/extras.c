/* extras.f3d_mat: the add-on's properties as Blender exports them, choices as numbers in the order of their lists. */
#include "formats/gltf/fast64/settings.h"

#define IS_FLAG    " must be there, as true or false, or 1 or 0"
#define IS_COLOR   " is required, four numbers"
#define IS_OBJECT  " must be an object"
#define IS_INPUT_8 " of a combiner is required, an integer from 0 to 8"
#define IS_INPUT_7 " of a combiner is required, an integer from 0 to 7"

static void read_cycle(fast64_reader *r, const tl_json *f3d_mat, const char *key, const char *problem,
                       uint8_t out[TL_CC_SLOTS])
{
    static const struct {
        const char *key;
        int32_t high;
        const char *problem;
    } inputs[TL_CC_SLOTS] = {
        {"A", 8, "A" IS_INPUT_8},
        {"B", 8, "B" IS_INPUT_8},
        {"C", 16, "C of a combiner is required, an integer from 0 to 16"},
        {"D", 7, "D" IS_INPUT_7},
        {"A_alpha", 7, "A_alpha" IS_INPUT_7},
        {"B_alpha", 7, "B_alpha" IS_INPUT_7},
        {"C_alpha", 7, "C_alpha" IS_INPUT_7},
        {"D_alpha", 7, "D_alpha" IS_INPUT_7},
    };
    const tl_json *combiner = tl_fast64_object(r, f3d_mat, key, problem);
    if (!combiner) {
        tl_fast64_problem(r, f3d_mat, problem);
        return;
    }
    for (int i = 0; i < TL_CC_SLOTS; i++)
        out[i] = (uint8_t)tl_fast64_int(r, combiner, inputs[i].key, 0, inputs[i].high, inputs[i].problem);
}

/* The colour is kept also where it is not set: the console's converter does so. */
static fast64_color read_color(fast64_reader *r, const tl_json *f3d_mat, const char *const keys[2],
                               const char *const problems[2])
{
    fast64_color color = {.given = tl_fast64_member(f3d_mat, keys[0]) != NULL};
    if (!color.given)
        return color;
    color.set = tl_fast64_flag(r, f3d_mat, keys[0], problems[0]);
    tl_fast64_floats(r, f3d_mat, keys[1], color.rgba, problems[1]);
    return color;
}

static void read_colors(fast64_reader *r, const tl_json *f3d_mat, fast64_settings *s)
{
    s->prim = read_color(r, f3d_mat, (const char *[]){"set_prim", "prim_color"},
                         (const char *[]){"set_prim" IS_FLAG, "prim_color" IS_COLOR});
    s->env = read_color(r, f3d_mat, (const char *[]){"set_env", "env_color"},
                        (const char *[]){"set_env" IS_FLAG, "env_color" IS_COLOR});
    s->blend = read_color(r, f3d_mat, (const char *[]){"set_blend", "blend_color"},
                          (const char *[]){"set_blend" IS_FLAG, "blend_color" IS_COLOR});
}

static tl_render_mode read_presets(fast64_reader *r, const tl_json *rdp, bool two_cycles)
{
    const int32_t first = tl_fast64_int(r, rdp, "rendermode_preset_cycle_1", 0, TL_RENDER_MODES_1 - 1,
                                        "rendermode_preset_cycle_1 is required, an integer from 0 to 19");
    const int32_t second = tl_fast64_int(r, rdp, "rendermode_preset_cycle_2", 0, TL_RENDER_MODES_2 - 1,
                                         "rendermode_preset_cycle_2 is required, an integer from 0 to 17");
    return tl_fast64_both(two_cycles, tl_render_mode_numbered(0, first), tl_render_mode_numbered(1, second));
}

static int32_t read_layer(fast64_reader *r, const tl_json *layers, const char *key, int32_t high, const char *problem)
{
    return tl_fast64_member(layers, key) ? tl_fast64_int(r, layers, key, 0, high, problem) : 0;
}

/* Which game the layers are meant for is not said; the higher one is taken. */
static tl_render_mode read_layers(fast64_reader *r, const tl_json *f3d_mat)
{
    static const tl_render_mode opaque = {0, 0}, blended = {TL_BLENDER_ALPHA, 0},
                                cutout = {0, TL_MODE(TL_MODE_ALPHA_COMPARE, TL_ALPHA_COMPARE_THRESHOLD)};
    const tl_json *layers = tl_fast64_object(r, f3d_mat, "draw_layer", "draw_layer" IS_OBJECT);
    const int32_t oot = read_layer(r, layers, "oot", 2, "oot of draw_layer must be an integer from 0 to 2");
    const int32_t sm64 = read_layer(r, layers, "sm64", 7, "sm64 of draw_layer must be an integer from 0 to 7");
    if (oot > sm64)
        return oot == 1 ? blended : cutout;
    return sm64 <= 1 ? opaque : sm64 <= 4 ? cutout : blended;
}

/* Without these settings two cycles run. */
static void read_modes(fast64_reader *r, const tl_json *f3d_mat, fast64_settings *s)
{
    const tl_json *rdp = tl_fast64_object(r, f3d_mat, "rdp_settings", "rdp_settings" IS_OBJECT);
    s->combiner.two_cycles = s->lit = true;
    if (!rdp)
        return;
    s->has_modes = true;
    s->combiner.two_cycles =
        tl_fast64_int(r, rdp, "g_mdsft_cycletype", 0, 3, "g_mdsft_cycletype is required, an integer from 0 to 3") != 0;
    s->cull_back = tl_fast64_flag(r, rdp, "g_cull_back", "g_cull_back" IS_FLAG);
    s->cull_front = tl_fast64_flag(r, rdp, "g_cull_front", "g_cull_front" IS_FLAG);
    s->fog = tl_fast64_flag(r, rdp, "g_fog", "g_fog" IS_FLAG);
    s->filter = (fast64_filter)tl_fast64_int(r, rdp, "g_mdsft_text_filt", 0, FAST64_FILTER_COUNT - 1,
                                             "g_mdsft_text_filt is required, an integer from 0 to 2");
    s->spherical = tl_fast64_flag(r, rdp, "g_tex_gen", "g_tex_gen" IS_FLAG);
    s->lit = tl_json_bool(tl_fast64_member(rdp, "g_lighting"), true); /* nobody needs it, so nothing can be wrong */
    s->sets_depth = tl_fast64_flag(r, rdp, "set_rendermode", "set_rendermode" IS_FLAG);
    s->surface = s->sets_depth ? read_presets(r, rdp, s->combiner.two_cycles) : read_layers(r, f3d_mat);
}

static trilo_n64_axis read_axis(fast64_reader *r, const tl_json *tex, const char *key, const char *problem)
{
    const tl_json *axis = tl_fast64_object(r, tex, key, problem);
    return axis && axis->count > 0 ? tl_fast64_axis(r, axis) : (trilo_n64_axis){0};
}

static void read_reference(fast64_reader *r, const tl_json *tex, fast64_texture *texture)
{
    if (tl_fast64_member(tex, "tex_reference"))
        texture->reference =
            tl_fast64_reference(r, tex, "tex_reference",
                                "tex_reference must be a string with a 32-bit number, decimal or hexadecimal with 0x");
    if (tl_fast64_member(tex, "tex_reference_size"))
        tl_fast64_size(r, tex, "tex_reference_size", &texture->image,
                       "tex_reference_size must be two integers from 0 to 65535");
}

static void read_name(fast64_reader *r, const tl_json *tex, fast64_image *image)
{
    const tl_json *name = tl_fast64_member(tl_fast64_object(r, tex, "tex", "tex" IS_OBJECT), "name");
    if (name && name->kind != TL_JSON_STRING)
        tl_fast64_problem(r, name, "name of a texture must be a text");
    image->name = tl_json_string(name);
}

static void read_texture(fast64_reader *r, const tl_json *f3d_mat, const char *key, const char *problem,
                         fast64_texture *texture)
{
    const tl_json *tex = tl_fast64_object(r, f3d_mat, key, problem);
    if (!tex)
        return;
    texture->axes[0] = read_axis(r, tex, "S", "S of a texture" IS_OBJECT);
    texture->axes[1] = read_axis(r, tex, "T", "T of a texture" IS_OBJECT);
    texture->image.width = tl_fast64_span(&texture->axes[0]);
    texture->image.height = tl_fast64_span(&texture->axes[1]);
    const bool refers = tl_fast64_member(tex, "use_tex_reference") &&
                        tl_fast64_flag(r, tex, "use_tex_reference", "use_tex_reference" IS_FLAG);
    if (refers)
        read_reference(r, tex, texture);
    else
        read_name(r, tex, &texture->image);
}

static void read_settings(fast64_reader *r, const tl_json *f3d_mat, fast64_settings *s)
{
    read_cycle(r, f3d_mat, "combiner1", "combiner1 is required, an object", s->combiner.cycles[0]);
    read_cycle(r, f3d_mat, "combiner2", "combiner2 is required, an object", s->combiner.cycles[1]);
    read_colors(r, f3d_mat, s);
    read_modes(r, f3d_mat, s);
    if (!tl_fast64_uses_texture(s))
        return;
    read_texture(r, f3d_mat, "tex0", "tex0" IS_OBJECT, &s->textures[0]);
    read_texture(r, f3d_mat, "tex1", "tex1" IS_OBJECT, &s->textures[1]);
}

fast64_found tl_fast64_extras(fast64_reader *r, const tl_json *material, fast64_settings *s)
{
    const tl_json *extras = tl_fast64_member(material, "extras");
    const tl_json *f3d_mat = tl_fast64_object(r, extras, "f3d_mat", "f3d_mat" IS_OBJECT);
    if (f3d_mat && f3d_mat->count > 0) {
        read_settings(r, f3d_mat, s);
        return FAST64_READ;
    }
    /* Where Blender keeps the add-on's properties to itself, this mark may be all that is left. */
    const bool marked = tl_json_member(extras, "f3d_mat") || tl_json_bool(tl_fast64_member(extras, "is_f3d"), false);
    return marked ? FAST64_EMPTY : FAST64_ABSENT;
}
