/* From Fast64 settings to the N64 state of a material, as Tiny3D's converter makes it. */
#include "base/strict_float.h"
#include "formats/gltf/fast64/settings.h"

#include "base/gamma.h"

#include <string.h>

/* --- combiner --- */

/* A single cycle is written into both halves. */
static uint64_t fast64_combiner(const fast64_settings *s)
{
    tl_cc_selectors selectors = s->combiner;
    if (!selectors.two_cycles)
        memcpy(selectors.cycles[1], selectors.cycles[0], sizeof selectors.cycles[1]);
    return tl_cc_pack(&selectors);
}

bool tl_fast64_uses_texture(const fast64_settings *s)
{
    return (tl_cc_selected(fast64_combiner(s)) & TL_CC_USES_TEXTURE) != 0;
}

/* --- modes --- */

static uint32_t fast64_draw_flags(const fast64_settings *s, const trilo_gltf_load_opts *opts)
{
    uint32_t flags = TRILO_N64_DEPTH;
    /* SHADE_ALPHA alone does not shade, as in Tiny3D's converter. */
    const bool shade = (tl_cc_selected(fast64_combiner(s)) & TL_CC_BIT(TL_CC_SHADE)) != 0;
    flags |= tl_fast64_uses_texture(s) ? TRILO_N64_TEXTURED : 0u;
    flags |= s->fog || shade ? TRILO_N64_SHADED : 0u;
    flags |= s->cull_front ? TRILO_N64_CULL_FRONT : 0u;
    flags |= s->cull_back ? TRILO_N64_CULL_BACK : 0u;
    flags |= opts->fast64_lighting && !s->lit ? TRILO_N64_UNLIT : 0u;
    return flags;
}

static uint64_t fast64_other_mode(const fast64_settings *s)
{
    static const uint8_t sampling[FAST64_FILTER_COUNT] = {TL_SAMPLING_POINT, TL_SAMPLING_MEDIAN, TL_SAMPLING_BILINEAR};
    return TL_MODE(TL_MODE_SAMPLING, sampling[s->filter]) | s->render_mode.mode;
}

tl_render_mode tl_fast64_combine_presets(bool two_cycles, tl_render_mode first, tl_render_mode second)
{
    return (tl_render_mode){two_cycles ? second.blender : first.blender, first.mode | second.mode};
}

/* --- colours --- */

/* Tiny3D truncates. Rounding goes with the sRGB curve, so that colours are those picked in Blender. */
static uint8_t fast64_color_byte(float value, bool round)
{
    const float inside = value > 0 ? (value < 1 ? value : 1) : 0;
    return (uint8_t)(inside * 255.0f + (round ? 0.5f : 0.0f));
}

static void fast64_set_color(const fast64_color *color, bool srgb, uint8_t out[4])
{
    if (!color->given)
        return;
    for (int i = 0; i < 3; i++)
        out[i] = fast64_color_byte(srgb ? tl_srgb_encode(color->rgba[i]) : tl_gamma_encode(color->rgba[i]), srgb);
    out[3] = fast64_color_byte(color->rgba[3], srgb);
}

static void fast64_set_colors(const fast64_settings *s, const trilo_gltf_load_opts *opts, trilo_n64_material *n64)
{
    enum { HALF = 128 };
    n64->set_flags = (uint8_t)((s->prim.set ? TRILO_N64_SET_PRIM : 0) | (s->env.set ? TRILO_N64_SET_ENV : 0) |
                               (s->blend.set ? TRILO_N64_SET_BLEND : 0));
    n64->blend[3] = HALF;
    fast64_set_color(&s->prim, opts->srgb, n64->prim);
    fast64_set_color(&s->env, opts->srgb, n64->env);
    fast64_set_color(&s->blend, opts->srgb, n64->blend);
    /* This alpha is the threshold of alpha compare. Fast64 exports it as fully opaque when it is not set. */
    if (opts->fast64_cutout && tl_mode_compares_alpha(s->render_mode.mode) && !s->blend.set)
        n64->blend[3] = HALF;
}

/* --- textures --- */

static void fast64_set_texture(const fast64_texture *texture, trilo_n64_tile *tile, fast64_image *image)
{
    tile->reference = texture->reference;
    tile->s = texture->axes[0];
    tile->t = texture->axes[1];
    tile->width = texture->image.width;
    tile->height = texture->image.height;
    *image = texture->image;
}

void tl_fast64_fit_axis(trilo_n64_axis *axis, uint32_t size)
{
    int8_t mask = 0;
    while (mask < 32 && UINT64_C(1) << mask < size)
        mask++;
    axis->low = 0;
    axis->high = size > 0 ? (float)(axis->clamp && axis->mirror ? 2 * (double)size - 1 : (double)size - 1) : 0;
    axis->mask = mask;
    axis->shift = 0;
}

void tl_fast64_fit(fast64_material *material, int tile, uint32_t width, uint32_t height)
{
    trilo_n64_tile *to = &material->n64.tiles[tile];
    to->width = (uint16_t)(width <= UINT16_MAX ? width : 0);
    to->height = (uint16_t)(height <= UINT16_MAX ? height : 0);
    if (material->images[tile].fit[0])
        tl_fast64_fit_axis(&to->s, width);
    if (material->images[tile].fit[1])
        tl_fast64_fit_axis(&to->t, height);
}

/* --- materials --- */

static void fast64_to_n64(const fast64_settings *s, const trilo_gltf_load_opts *opts, fast64_material *out)
{
    trilo_n64_material *n64 = &out->n64;
    n64->combiner = fast64_combiner(s);
    n64->other_mode = fast64_other_mode(s);
    n64->other_mask = s->sets_depth ? TL_MODE_MASK_RENDER_MODE : TL_MODE_MASK_ALWAYS;
    n64->blender = s->render_mode.blender;
    n64->draw_flags = fast64_draw_flags(s, opts);
    n64->fog = (uint8_t)(!s->has_modes ? TRILO_N64_FOG_LEAVE : s->fog ? TRILO_N64_FOG_ON : TRILO_N64_FOG_OFF);
    n64->vertex_effect = s->spherical ? TRILO_N64_EFFECT_SPHERICAL_UV : TRILO_N64_EFFECT_NONE;
    fast64_set_colors(s, opts, n64);
    for (int i = 0; i < 2; i++)
        fast64_set_texture(&s->textures[i], &n64->tiles[i], &out->images[i]);
}

static const fast64_image fast64_no_image = {.name = {"", 0}, .image = TRILO_NONE};

fast64_found tl_fast64_read(const gltf_file *file, const tl_json *material, fast64_material *out, const tl_json **where,
                            const char **problem)
{
    static const trilo_gltf_load_opts defaults = {0};
    const trilo_gltf_load_opts *opts = file->opts ? file->opts->gltf : &defaults;
    fast64_reader r = {.file = file};
    fast64_settings s = {.textures = {{.image = fast64_no_image}, {.image = fast64_no_image}}};
    memset(out, 0, sizeof *out);
    for (int i = 0; i < 2; i++) {
        out->n64.tiles[i].texture = TRILO_NONE;
        out->images[i] = fast64_no_image;
    }
    if (opts->ignore_materials)
        return FAST64_READ;
    fast64_found found = tl_fast64_extras(&r, material, &s);
    if (found != FAST64_READ && !r.where) {
        const fast64_found other = tl_fast64_extension(&r, material, &s);
        found = other != FAST64_ABSENT ? other : found;
    }
    if (r.where) {
        *where = r.where;
        *problem = r.problem;
        return FAST64_BROKEN;
    }
    if (found == FAST64_READ)
        fast64_to_n64(&s, opts, out);
    return found;
}
