/* The keys of a materials file. Each value has a type and a range; anything else, and an unknown key, which would have
 * no effect, is a mistake. */
#include "api/materials/materials.h"
#include "base/strict_float.h"

#include "n64/combiner.h"
#include "n64/modes.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool tl_materials_wrong(const tl_materials_reader *r, const tl_toml *at, const char *format, ...)
{
    char text[sizeof r->err->text];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    tl_fail(r->err, TRILO_CODE_BAD_VALUE, &tl_general_rules[TL_MATERIALS_FILE], TRILO_NOWHERE, NULL, "%s", text);
    if (r->err)
        snprintf(r->err->path, sizeof r->err->path, "%.60s: line %lu, column %lu", r->name, (unsigned long)at->line,
                 (unsigned long)at->column);
    return false;
}

/* ---- values ---- */

typedef bool settings_fn(const tl_materials_reader *r, const tl_toml *value, void *to);
typedef struct settings_key {
    const char *name;
    settings_fn *read;
} settings_key;

/* Reads the members of a table. */
static bool read_keys(const tl_materials_reader *r, const tl_toml *table, const settings_key *keys, void *to)
{
    if (table->kind != TL_TOML_TABLE)
        return tl_materials_wrong(r, table, "%s must be a table, not %s", table->key.data ? table->key.data : "it",
                                  tl_toml_kind_name(table));
    for (const tl_toml *member = table->first; member; member = member->next) {
        char list[180] = "";
        size_t i = 0;
        for (; keys[i].name && strcmp(keys[i].name, member->key.data) != 0; i++)
            snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i > 0 ? ", " : "", keys[i].name);
        if (!keys[i].name && member->kind == TL_TOML_TABLE)
            return tl_materials_wrong(r, member,
                                      "there is no \"%.40s\" here; the name of a material with a dot needs "
                                      "quotes: [\"%.40s.%.40s\"]",
                                      member->key.data, table->key.data ? table->key.data : "", member->key.data);
        if (!keys[i].name)
            return tl_materials_wrong(r, member, "there is no \"%.30s\" here, only %s", member->key.data, list);
    }
    for (size_t i = 0; keys[i].name; i++) { /* not in the order of the file, which must not matter */
        const tl_toml *member = tl_toml_member(table, keys[i].name);
        if (member && !keys[i].read(r, member, to))
            return false;
    }
    return true;
}

static bool read_flag(const tl_materials_reader *r, const tl_toml *value, bool *out)
{
    if (value->kind != TL_TOML_BOOL)
        return tl_materials_wrong(r, value, "%s must be true or false", value->key.data);
    *out = value->boolean;
    return true;
}

static bool read_int(const tl_materials_reader *r, const tl_toml *value, int64_t low, int64_t high, int64_t *out)
{
    if (value->kind != TL_TOML_INTEGER || value->integer < low || value->integer > high)
        return tl_materials_wrong(r, value, "%s must be an integer from %lld to %lld",
                                  value->key.data ? value->key.data : "it", (long long)low, (long long)high);
    *out = value->integer;
    return true;
}

static const char *text_of(const tl_toml *value)
{
    const bool plain = value->kind == TL_TOML_STRING && strlen(value->string.data) == value->string.len;
    return plain && value->string.len > 0 ? value->string.data : NULL;
}

/* One of a list of names, which ends with NULL. */
static bool read_choice(const tl_materials_reader *r, const tl_toml *value, const char *const *names, size_t *out)
{
    const char *text = text_of(value);
    char list[160] = "";
    for (size_t i = 0; names[i]; i++) {
        *out = i;
        if (text && strcmp(text, names[i]) == 0)
            return true;
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i > 0 ? ", " : "", names[i]);
    }
    return tl_materials_wrong(r, value, "%s must be one of %s", value->key.data, list);
}

/* ---- tiles ---- */

static bool set_axis_flag(const tl_materials_reader *r, const tl_toml *value, void *to)
{
    trilo_n64_axis *axis = to;
    return read_flag(r, value, value->key.data[0] == 'm' ? &axis->mirror : &axis->clamp);
}

static bool set_axis_texel(const tl_materials_reader *r, const tl_toml *value, void *to)
{
    trilo_n64_axis *axis = to;
    const bool number = value->kind == TL_TOML_INTEGER || value->kind == TL_TOML_FLOAT;
    if (!number || !(value->number >= -1024 && value->number <= 4095))
        return tl_materials_wrong(r, value, "%s must be a number of texels from -1024 to 4095", value->key.data);
    *(value->key.data[0] == 'l' ? &axis->low : &axis->high) = (float)value->number;
    return true;
}

static bool set_axis_bits(const tl_materials_reader *r, const tl_toml *value, void *to)
{
    trilo_n64_axis *axis = to;
    const bool mask = value->key.data[0] == 'm';
    int64_t bits = 0;
    if (!read_int(r, value, mask ? 0 : -5, 10, &bits))
        return false;
    *(mask ? &axis->mask : &axis->shift) = (int8_t)bits;
    return true;
}

/* How many times larger the texture is drawn: the same as a shift, which is its logarithm. */
static bool set_axis_scale(const tl_materials_reader *r, const tl_toml *value, void *to)
{
    trilo_n64_axis *axis = to;
    int shift = 11;
    for (int i = -5; i <= 10; i++)
        if (value->number == ldexp(1, i) && (value->kind == TL_TOML_INTEGER || value->kind == TL_TOML_FLOAT))
            shift = i;
    if (shift > 10)
        return tl_materials_wrong(r, value, "scale must be a power of two from 0.03125 to 1024");
    axis->shift = (int8_t)shift;
    return true;
}

static bool read_axis(const tl_materials_reader *r, const tl_toml *value, trilo_n64_axis *axis, uint8_t *fit,
                      uint8_t bit)
{
    static const settings_key keys[] = {
        {"mirror", set_axis_flag}, {"clamp", set_axis_flag}, {"mask", set_axis_bits},  {"shift", set_axis_bits},
        {"scale", set_axis_scale}, {"low", set_axis_texel},  {"high", set_axis_texel}, {NULL, NULL}};
    if (!read_keys(r, value, keys, axis))
        return false;
    if (tl_toml_member(value, "scale") && tl_toml_member(value, "shift"))
        return tl_materials_wrong(r, tl_toml_member(value, "scale"), "scale and shift are the same; give one");
    if (tl_toml_member(value, "low") || tl_toml_member(value, "high") || tl_toml_member(value, "mask"))
        *fit &= (uint8_t)~bit;
    return true;
}

static bool set_tile_axis(const tl_materials_reader *r, const tl_toml *value, void *to)
{
    trilo_n64_tile *tile = to;
    const bool s = value->key.data[0] == 's';
    return read_axis(r, value, s ? &tile->s : &tile->t, &tile->fit, s ? TRILO_N64_FIT_S : TRILO_N64_FIT_T);
}

static bool set_tile_size(const tl_materials_reader *r, const tl_toml *value, void *to)
{
    trilo_n64_tile *tile = to;
    int64_t size = 0;
    if (!read_int(r, value, 1, 1024, &size))
        return false;
    *(value->key.data[0] == 'w' ? &tile->width : &tile->height) = (uint16_t)size;
    tile->fit &= (uint8_t)~TRILO_N64_FIT_SIZE;
    return true;
}

static bool set_tile_reference(const tl_materials_reader *r, const tl_toml *value, void *to)
{
    trilo_n64_tile *tile = to;
    int64_t number = 0;
    if (!read_int(r, value, 1, UINT32_MAX, &number))
        return false;
    tile->reference = (uint32_t)number;
    return true;
}

static bool check_image(const tl_materials_reader *r, const tl_toml *value, void *to)
{
    (void)to;
    return text_of(value) ||
           tl_materials_wrong(r, value, "%s must be the name of an image, in quotes", value->key.data);
}

/* A table, or the name of an image alone, or false for none. */
static bool set_tile(const tl_materials_reader *r, const tl_toml *value, void *to)
{
    static const settings_key keys[] = {{"image", check_image},
                                        {"reference", set_tile_reference},
                                        {"width", set_tile_size},
                                        {"height", set_tile_size},
                                        {"s", set_tile_axis},
                                        {"t", set_tile_axis},
                                        {NULL, NULL}};
    tl_material_settings *settings = to;
    const int number = value->key.data[3] - '0';
    trilo_n64_tile *tile = &settings->n64.tiles[number];
    const uint8_t all = TRILO_N64_FIT_SIZE | TRILO_N64_FIT_S | TRILO_N64_FIT_T;
    if (value->kind == TL_TOML_BOOL && !value->boolean) {
        *tile = (trilo_n64_tile){.texture = TRILO_NONE};
        return true;
    }
    const tl_toml *image = value->kind == TL_TOML_STRING ? value : tl_toml_member(value, "image");
    if (image || tl_toml_member(value, "reference")) { /* another texture: nothing is known of its size */
        *tile = (trilo_n64_tile){.texture = TRILO_NONE, .s = tile->s, .t = tile->t, .fit = all};
        tile->s.shift = tile->t.shift = 0;
    }
    settings->images[number] = image;
    if (value->kind == TL_TOML_STRING)
        return check_image(r, value, NULL);
    const bool width = tl_toml_member(value, "width"), height = tl_toml_member(value, "height");
    if (width != height)
        return tl_materials_wrong(r, value, "width and height go together");
    return read_keys(r, value, keys, tile);
}

/* ---- modes ---- */

static bool set_combiner(const tl_materials_reader *r, const tl_toml *value, void *to)
{
    tl_material_settings *settings = to;
    char problem[160];
    const tl_toml *second = value->kind == TL_TOML_ARRAY && value->count == 2 ? value->first->next : NULL;
    const tl_toml *first = second ? value->first : value;
    if (!text_of(first) || (second && !text_of(second)))
        return tl_materials_wrong(r, value,
                                  "combiner must be a name or a formula in quotes, or a list of two formulas");
    settings->combiner = true;
    return tl_cc_read(text_of(first), second ? text_of(second) : NULL, &settings->n64.combiner, problem,
                      sizeof problem) ||
           tl_materials_wrong(r, value, "%s", problem);
}

/* The words of Fast64's menu, or its names of render modes, with "G_RM_" or without. */
static bool set_layer(const tl_materials_reader *r, const tl_toml *value, void *to)
{
    static const struct {
        const char *word, *mode;
    } layers[] = {{"opaque", "AA_ZB_OPA_SURF"},
                  {"opaque decal", "AA_ZB_OPA_DECAL"},
                  {"opaque intersecting", "AA_ZB_OPA_INTER"},
                  {"cutout", "AA_ZB_TEX_EDGE"},
                  {"transparent", "AA_ZB_XLU_SURF"},
                  {"transparent decal", "AA_ZB_XLU_DECAL"},
                  {"transparent intersecting", "AA_ZB_XLU_INTER"}};
    trilo_n64_material *n64 = &((tl_material_settings *)to)->n64;
    const char *text = text_of(value), *name = text && strncmp(text, "G_RM_", 5) == 0 ? text + 5 : text;
    tl_render_mode mode;
    for (size_t i = 0; text && i < sizeof layers / sizeof *layers; i++)
        name = strcmp(text, layers[i].word) == 0 ? layers[i].mode : name;
    if (!text || !tl_render_mode_named(0, (trilo_str){name, strlen(name)}, &mode))
        return tl_materials_wrong(r, value,
                                  "layer must be opaque, cutout, transparent, opaque decal, opaque "
                                  "intersecting, transparent decal or transparent intersecting, or a render "
                                  "mode such as AA_ZB_OPA_SURF");
    n64->blender = mode.blender;
    n64->other_mode &= ~(TL_MODE_MASK(TL_MODE_Z) | TL_MODE_MASK(TL_MODE_ALPHA_COMPARE));
    n64->other_mode |= mode.mode;
    n64->other_mask |= TL_MODE_MASK_RENDER_MODE;
    if (tl_mode_compares_alpha(mode.mode) && n64->blend[3] == 0)
        n64->blend[3] = 128;
    return true;
}

static bool set_blender(const tl_materials_reader *r, const tl_toml *value, void *to)
{
    static const char *const names[] = {"none", "multiply", "multiply const", "additive", NULL};
    static const uint32_t words[] = {0, TL_BLENDER_ALPHA, TL_BLENDER_CONST_ALPHA, TL_BLENDER_ADDITIVE};
    size_t choice = 0;
    if (!read_choice(r, value, names, &choice))
        return false;
    ((tl_material_settings *)to)->n64.blender = words[choice];
    return true;
}

static bool set_alpha_compare(const tl_materials_reader *r, const tl_toml *value, void *to)
{
    trilo_n64_material *n64 = &((tl_material_settings *)to)->n64;
    int64_t threshold = 0;
    const bool off = value->kind == TL_TOML_BOOL && !value->boolean;
    if (!off && !read_int(r, value, 1, 255, &threshold))
        return false;
    n64->other_mode &= ~TL_MODE_MASK(TL_MODE_ALPHA_COMPARE);
    n64->other_mask |= TL_MODE_MASK_ALWAYS;
    if (off)
        return true;
    n64->other_mode |= TL_MODE(TL_MODE_ALPHA_COMPARE, TL_ALPHA_COMPARE_THRESHOLD);
    n64->blend[3] = (uint8_t)threshold;
    n64->set_flags |= TRILO_N64_SET_BLEND;
    return true;
}

static bool set_filter(const tl_materials_reader *r, const tl_toml *value, void *to)
{
    static const char *const names[] = {"point", "bilinear", "average", NULL};
    static const uint8_t modes[] = {TL_SAMPLING_POINT, TL_SAMPLING_BILINEAR, TL_SAMPLING_MEDIAN};
    trilo_n64_material *n64 = &((tl_material_settings *)to)->n64;
    size_t choice = 0;
    if (!read_choice(r, value, names, &choice))
        return false;
    n64->other_mode = (n64->other_mode & ~TL_MODE_MASK(TL_MODE_SAMPLING)) | TL_MODE(TL_MODE_SAMPLING, modes[choice]);
    n64->other_mask |= TL_MODE_MASK_ALWAYS;
    return true;
}

static bool set_cull(const tl_materials_reader *r, const tl_toml *value, void *to)
{
    static const char *const names[] = {"none", "front", "back", NULL};
    static const uint32_t flags[] = {0, TRILO_N64_CULL_FRONT, TRILO_N64_CULL_BACK};
    trilo_n64_material *n64 = &((tl_material_settings *)to)->n64;
    size_t choice = 0;
    if (!read_choice(r, value, names, &choice))
        return false;
    n64->draw_flags = (n64->draw_flags & ~(uint32_t)(TRILO_N64_CULL_FRONT | TRILO_N64_CULL_BACK)) | flags[choice];
    return true;
}

static bool set_depth(const tl_materials_reader *r, const tl_toml *value, void *to)
{
    trilo_n64_material *n64 = &((tl_material_settings *)to)->n64;
    bool on = false;
    if (!read_flag(r, value, &on))
        return false;
    n64->draw_flags = (n64->draw_flags & ~(uint32_t)TRILO_N64_DEPTH) | (on ? TRILO_N64_DEPTH : 0u);
    return true;
}

static bool set_lit(const tl_materials_reader *r, const tl_toml *value, void *to)
{
    tl_material_settings *settings = to;
    settings->lit = true;
    return read_flag(r, value, &settings->is_lit);
}

static bool set_fog(const tl_materials_reader *r, const tl_toml *value, void *to)
{
    trilo_n64_material *n64 = &((tl_material_settings *)to)->n64;
    bool on = false;
    if (!read_flag(r, value, &on))
        return false;
    n64->fog = on ? TRILO_N64_FOG_ON : TRILO_N64_FOG_OFF;
    return true;
}

/* Tiny3D's names: T3D_VERTEX_FX_SPHERICAL_UV is "spherical_uv". */
static bool set_vertex_fx(const tl_materials_reader *r, const tl_toml *value, void *to)
{
    static const char *const names[] = {
        [TRILO_N64_EFFECT_NONE] = "none",
        [TRILO_N64_EFFECT_SPHERICAL_UV] = "spherical_uv",
        [TRILO_N64_EFFECT_CEL_SHADE_COLOR] = "celshade_color",
        [TRILO_N64_EFFECT_CEL_SHADE_ALPHA] = "celshade_alpha",
        [TRILO_N64_EFFECT_OUTLINE] = "outline",
        [TRILO_N64_EFFECT_UV_OFFSET] = "uv_offset",
        [TRILO_N64_EFFECT_COUNT] = NULL,
    };
    size_t choice = 0;
    if (!read_choice(r, value, names, &choice))
        return false;
    ((tl_material_settings *)to)->n64.vertex_effect = (uint8_t)choice;
    return true;
}

/* ---- colours ---- */

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* "#RRGGBB", "#RRGGBBAA", or three or four numbers up to 255. */
static bool read_color(const tl_toml *value, uint8_t color[4])
{
    const char *text = text_of(value);
    const size_t digits = text && text[0] == '#' ? strlen(text + 1) : 0;
    color[3] = 255;
    if (value->kind == TL_TOML_ARRAY && (value->count == 3 || value->count == 4)) {
        int i = 0;
        for (const tl_toml *item = value->first; item; item = item->next, i++) {
            if (item->kind != TL_TOML_INTEGER || item->integer < 0 || item->integer > 255)
                return false;
            color[i] = (uint8_t)item->integer;
        }
        return true;
    }
    for (size_t i = 0; (digits == 6 || digits == 8) && i < digits / 2; i++) {
        const int high = hex_digit(text[1 + 2 * i]), low = hex_digit(text[2 + 2 * i]);
        if (high < 0 || low < 0)
            return false;
        color[i] = (uint8_t)(high * 16 + low);
    }
    return digits == 6 || digits == 8;
}

/* False: the material leaves it to the game. */
static bool set_color(const tl_materials_reader *r, const tl_toml *value, void *to)
{
    tl_material_settings *settings = to;
    trilo_n64_material *n64 = &settings->n64;
    const char first = value->key.data[0];
    const unsigned flag = first == 'p' ? TRILO_N64_SET_PRIM : first == 'e' ? TRILO_N64_SET_ENV : TRILO_N64_SET_BLEND;
    uint8_t *color = first == 'p' ? n64->prim : first == 'e' ? n64->env : n64->blend;
    const bool off = value->kind == TL_TOML_BOOL && !value->boolean;
    settings->prim |= first == 'p';
    if (!off && !read_color(value, color))
        return tl_materials_wrong(r, value,
                                  "%s must be \"#RRGGBB\", \"#RRGGBBAA\" or a list of 3 or 4 integers from 0 to "
                                  "255, or false",
                                  value->key.data);
    n64->set_flags = (uint8_t)(off ? n64->set_flags & ~flag : n64->set_flags | flag);
    return true;
}

bool tl_material_settings_read(const tl_materials_reader *r, const tl_toml *table, tl_material_settings *settings)
{
    /* A later one may change what an earlier one set: the layer is the coarsest. */
    static const settings_key keys[] = {{"combiner", set_combiner},
                                        {"prim_color", set_color},
                                        {"env_color", set_color},
                                        {"blend_color", set_color},
                                        {"layer", set_layer},
                                        {"blender", set_blender},
                                        {"alpha_compare", set_alpha_compare},
                                        {"filter", set_filter},
                                        {"cull", set_cull},
                                        {"depth", set_depth},
                                        {"lit", set_lit},
                                        {"fog", set_fog},
                                        {"vertex_fx", set_vertex_fx},
                                        {"tex0", set_tile},
                                        {"tex1", set_tile},
                                        {NULL, NULL}};
    return read_keys(r, table, keys, settings);
}
