/* From materials to pipeline states. */
#include "raster/pipeline_state.h"
#include "base/strict_float.h"

#include <string.h>

/* With antialias, libdragon turns alpha compare into coverage times alpha (libdragon.md 4.4, rule 9): alpha below an
 * eighth covers nothing. */
enum { CUTOUT_THRESHOLD = 32 };

/* Texture coordinates without a texture are counted as if it had this size. */
enum { UNKNOWN_SIZE = 32 };

tl_rdp_state tl_rdp_state_new(void)
{
    return (tl_rdp_state){.other_mode = TL_MODE(TL_MODE_SAMPLING, TL_SAMPLING_BILINEAR),
                          .prim = {255, 255, 255, 255},
                          .env = {255, 255, 255, 255},
                          .blend = {0, 0, 0, 128}};
}

/* What follows from the combiner. */
static void state_set_uses(tl_pipeline_state *state)
{
    const uint32_t used = state->combiner.used;
    const uint8_t *cycle = state->combiner.cycles[0];
    state->uses_tex0 = (used & TL_CC_USES_TEX0) != 0;
    state->uses_tex1 = (used & TL_CC_USES_TEX1) != 0;
    state->uses_shade = (used & TL_CC_USES_SHADE) != 0;
    state->uses_noise = (used & TL_CC_BIT(TL_CC_NOISE)) != 0;
    state->rim_light =
        cycle[TL_CC_ALPHA_B] == TL_CC_SHADE && (state->blender.last || cycle[TL_CC_ALPHA_D] == TL_CC_ZERO);
}

/* ---- materials of the N64 ---- */

static tl_tile tile_of_n64(const tl_textures *textures, const trilo_n64_tile *tile)
{
    const trilo_image *image = tile->texture != TRILO_NONE ? &textures->images[tile->texture]
                               : tile->reference != 0      ? &textures->reference
                                                           : &textures->none;
    return (tl_tile){image->pixels, tl_axis_n64(&tile->s, image->width), tl_axis_n64(&tile->t, image->height)};
}

/* An empty second tile is that of the first texture. */
static void state_set_tiles(tl_pipeline_state *state, const tl_textures *textures, const trilo_n64_material *m)
{
    const bool one = m->tiles[1].texture == TRILO_NONE && m->tiles[1].reference == 0;
    const uint32_t w = m->tiles[0].width, h = m->tiles[0].height;
    state->first_tile = &m->tiles[0];
    state->tiles[0] = tile_of_n64(textures, &m->tiles[0]);
    state->tiles[1] = tile_of_n64(textures, &m->tiles[one ? 0 : 1]);
    state->uv_scale[0] = (float)(32 * (w ? w : UNKNOWN_SIZE));
    state->uv_scale[1] = (float)(32 * (h ? h : UNKNOWN_SIZE));
    state->uv_shift = tl_mode_get(m->other_mode, TL_MODE_SAMPLING) != TL_SAMPLING_POINT ? 16 : 0; /* half a texel */
    state->effect = m->vertex_effect;
    state->effect_args[0] = (float)w;
    state->effect_args[1] = (float)h;
}

/* A colour that the material leaves to the game still says what its author saw, unless nothing is there. */
static void rdp_set_color(uint8_t to[4], const uint8_t from[4], bool is_set)
{
    if (is_set || (from[0] | from[1] | from[2] | from[3]) != 0)
        memcpy(to, from, 4);
}

static void rdp_set_material(tl_rdp_state *rdp, const trilo_n64_material *m)
{
    rdp->other_mode = (rdp->other_mode & ~m->other_mask) | (m->other_mode & m->other_mask);
    const uint8_t set = trilo_n64_colors_set(m->set_flags, m->other_mode);
    rdp_set_color(rdp->prim, m->prim, (set & TRILO_N64_SET_PRIM) != 0);
    rdp_set_color(rdp->env, m->env, (set & TRILO_N64_SET_ENV) != 0);
    rdp_set_color(rdp->blend, m->blend, (set & TRILO_N64_SET_BLEND) != 0);
    rdp->fog = m->fog == TRILO_N64_FOG_LEAVE ? rdp->fog : m->fog == TRILO_N64_FOG_ON;
}

static int32_t compare_threshold_of(uint64_t other_mode, const uint8_t blend[4])
{
    if (!tl_mode_compares_alpha(other_mode))
        return TL_ALPHA_THRESHOLD_NONE;
    return tl_mode_get(other_mode, TL_MODE_ALPHA_COMPARE) == TL_ALPHA_COMPARE_NOISE ? TL_ALPHA_THRESHOLD_NOISE
                                                                                    : blend[3];
}

static int32_t alpha_threshold_of(uint64_t other_mode, uint32_t blender, const uint8_t blend[4])
{
    if (!tl_mode_compares_alpha(other_mode))
        return TL_ALPHA_THRESHOLD_NONE;
    return blender == 0 ? CUTOUT_THRESHOLD : compare_threshold_of(other_mode, blend);
}

static void state_of_n64(tl_rdp_state *rdp, const tl_textures *textures, const trilo_n64_material *m)
{
    static const tl_filter filters[4] = {TL_FILTER_POINT, TL_FILTER_POINT, TL_FILTER_BILINEAR, TL_FILTER_MEDIAN};
    tl_pipeline_state *state = &rdp->state;
    rdp_set_material(rdp, m);
    *state = (tl_pipeline_state){.combiner = tl_combiner_of(m->combiner),
                                 .blender = tl_blend_resolve(m->blender, 0),
                                 .blend_word = m->blender,
                                 .filter = filters[tl_mode_get(rdp->other_mode, TL_MODE_SAMPLING)],
                                 .alpha_threshold = alpha_threshold_of(rdp->other_mode, m->blender, rdp->blend),
                                 .compare_threshold = compare_threshold_of(rdp->other_mode, rdp->blend),
                                 .cutout = tl_mode_compares_alpha(rdp->other_mode) && m->blender == 0,
                                 .z_mode = (uint8_t)tl_mode_get(rdp->other_mode, TL_MODE_Z),
                                 .cull_front = (m->draw_flags & TRILO_N64_CULL_FRONT) != 0,
                                 .cull_back = (m->draw_flags & TRILO_N64_CULL_BACK) != 0,
                                 .unlit = (m->draw_flags & TRILO_N64_UNLIT) != 0,
                                 .fog = rdp->fog};
    if ((m->draw_flags & TRILO_N64_DEPTH) != 0)
        state->z_compare =
            tl_mode_get(rdp->other_mode, TL_MODE_Z) == TL_Z_DECAL ? TL_Z_COMPARE_DECAL : TL_Z_COMPARE_LESS;
    memcpy(state->blend_color, rdp->blend, sizeof state->blend_color);
    tl_inputs_fill(&state->inputs, rdp->prim, rdp->env);
    state_set_tiles(state, textures, m);
    state_set_uses(state);
}

/* ---- other materials ---- */

/* Texture * shade, then * colour. */
static tl_combiner combiner_of_plain(bool textured)
{
    const uint8_t first = textured ? TL_CC_TEX0 : TL_CC_ONE;
    tl_combiner combiner = {
        .cycle_count = 2,
        .cycles = {{first, TL_CC_ZERO, TL_CC_SHADE, TL_CC_ZERO, first, TL_CC_ZERO, TL_CC_SHADE, TL_CC_ZERO},
                   {TL_CC_COMBINED, TL_CC_ZERO, TL_CC_PRIM, TL_CC_ZERO, TL_CC_COMBINED, TL_CC_ZERO, TL_CC_PRIM,
                    TL_CC_ZERO}},
        .used = TL_CC_BIT(TL_CC_SHADE) | TL_CC_BIT(TL_CC_PRIM) | TL_CC_BIT(first)};
    return combiner;
}

static void state_set_plain_texture(tl_pipeline_state *state, const tl_textures *textures, uint32_t texture)
{
    const trilo_image *image = texture != TRILO_NONE ? &textures->images[texture] : &textures->none;
    const trilo_texture *from = texture != TRILO_NONE ? &textures->model->textures[texture] : NULL;
    const trilo_wrap repeat[2] = {TRILO_WRAP_REPEAT, TRILO_WRAP_REPEAT};
    const trilo_wrap *wrap = from ? from->wrap : repeat;
    state->tiles[0] =
        (tl_tile){image->pixels, tl_axis_plain(wrap[0], image->width), tl_axis_plain(wrap[1], image->height)};
    state->tiles[1] = state->tiles[0];
    state->filter = from && from->nearest ? TL_FILTER_POINT : TL_FILTER_BILINEAR;
    state->uv_scale[0] = 32 * (float)image->width;
    state->uv_scale[1] = 32 * (float)image->height;
    state->uv_shift = state->filter == TL_FILTER_POINT ? 0 : 16;
    state->wide = true;
}

static tl_pipeline_state state_of_plain(const tl_textures *textures, const trilo_material *material)
{
    static const trilo_material white = {.base_color = {1, 1, 1, 1}, .texture = TRILO_NONE, .two_sided = true};
    static const uint8_t env[4] = {255, 255, 255, 255};
    const trilo_material *m = material ? material : &white;
    const bool blended = m->alpha == TRILO_ALPHA_BLEND, cut = m->alpha == TRILO_ALPHA_CUTOUT;
    tl_pipeline_state state = {.combiner = combiner_of_plain(m->texture != TRILO_NONE),
                               .blender = tl_blend_resolve(blended ? TL_BLENDER_ALPHA : 0, 0),
                               .blend_word = blended ? TL_BLENDER_ALPHA : 0,
                               .z_compare = TL_Z_COMPARE_LESS,
                               .alpha_threshold = blended ? 1 : TL_ALPHA_THRESHOLD_NONE,
                               .keep_z = blended,
                               .cull_back = !m->two_sided,
                               .unlit = m->unlit,
                               .two_sided = m->two_sided};
    uint8_t prim[4];
    for (int k = 0; k < 4; k++)
        prim[k] = tl_color_byte(m->base_color[k]);
    if (cut)
        state.alpha_threshold = tl_color_byte(m->alpha_cutoff > 0 ? m->alpha_cutoff : 0.5f);
    state.compare_threshold = state.alpha_threshold;
    tl_inputs_fill(&state.inputs, prim, env);
    state_set_plain_texture(&state, textures, m->texture);
    state_set_uses(&state);
    return state;
}

/* ---- both ---- */

tl_pipeline_state tl_pipeline_state_of(tl_rdp_state *rdp, const tl_textures *textures, const trilo_material *material)
{
    if (!material || !material->n64)
        return state_of_plain(textures, material);
    if (material->n64->combiner != 0)
        state_of_n64(rdp, textures, material->n64);
    else if (!rdp->started)
        rdp->state = state_of_plain(textures, material);
    rdp->started = true;
    return rdp->state;
}

void tl_pipeline_state_fog(tl_pipeline_state *state, const uint8_t color[3])
{
    state->blender = tl_blend_resolve(state->blend_word, TL_BLENDER_FOG);
    memcpy(state->fog_color, color, 3);
    state->fog_color[3] = 255;
    state->uses_shade = true;
    /* libdragon.md 4.4, rule 2 */
    uint8_t *cycle = state->combiner.cycles[0];
    const bool by_texture = cycle[TL_CC_RGB_A] == TL_CC_TEX0 && cycle[TL_CC_RGB_C] == TL_CC_SHADE &&
                            cycle[TL_CC_ALPHA_A] == TL_CC_TEX0 && cycle[TL_CC_ALPHA_C] == TL_CC_SHADE;
    const bool by_shade =
        cycle[TL_CC_RGB_D] == TL_CC_SHADE && cycle[TL_CC_ALPHA_D] == TL_CC_SHADE && cycle[TL_CC_RGB_A] == TL_CC_ZERO;
    if (state->combiner.cycle_count != 1 || (!by_texture && !by_shade))
        return;
    cycle[TL_CC_ALPHA_A] = cycle[TL_CC_ALPHA_B] = cycle[TL_CC_ALPHA_C] = TL_CC_ZERO;
    cycle[TL_CC_ALPHA_D] = by_texture ? TL_CC_TEX0 : TL_CC_ONE;
}
