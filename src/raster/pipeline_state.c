/* From materials to pipeline states. */
#include "raster/pipeline_state.h"
#include "base/gamma.h"
#include "base/strict_float.h"
#include "base/trig.h"

#include <string.h>

/* With antialias, libdragon turns alpha compare into coverage times alpha: alpha below an eighth covers nothing. */
enum { CUTOUT_THRESHOLD = 32 };

/* Texture coordinates without a texture are counted as if it had this size. */
enum { UNKNOWN_SIZE = 32 };

static bool model_is_layered(const trilo_model *model)
{
    for (uint32_t i = 0; i < model->material_count; i++)
        if (model->materials[i].n64 && (model->materials[i].n64->engine_flags & TRILO_N64_ENGINE_LAYERED) != 0)
            return true;
    return false;
}

tl_rdp_state tl_rdp_state_new(const trilo_model *model, const trilo_scene *scene)
{
    const uint64_t no_dither =
        TL_MODE(TL_MODE_COLOR_DITHER, TL_DITHER_NONE) | TL_MODE(TL_MODE_ALPHA_DITHER, TL_ALPHA_DITHER_NONE);
    const bool layered = model_is_layered(model);
    const bool transparent = layered && scene->layer == TRILO_DRAW_LAYER_TRANSPARENT;
    tl_rdp_state rdp = {.other_mode = TL_MODE_TINY3D_FRAME,
                        .blender = transparent ? TL_BLENDER_ALPHA : 0,
                        .combiner = TL_CC_WORD_SHADE,
                        .prim = {255, 255, 255, 255},
                        .env = {255, 255, 255, 255},
                        .blend = {0, 0, 0, 128}};
    if (scene->antialias == TRILO_SWITCH_OFF || (layered && scene->antialias == TRILO_SWITCH_AUTO))
        rdp.other_mode &= ~TL_MODE_AA;
    if (scene->dither == TRILO_SWITCH_OFF || (layered && scene->dither == TRILO_SWITCH_AUTO))
        rdp.other_mode |= no_dither;
    else if (scene->console.bayer)
        rdp.other_mode |= TL_MODE(TL_MODE_COLOR_DITHER, TL_DITHER_BAYER);
    if (transparent)
        rdp.other_mode &= ~TL_MODE_Z_WRITE;
    return rdp;
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
    return tl_tile_of(image, tl_axis_n64(&tile->s, image->width), tl_axis_n64(&tile->t, image->height));
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
    state->uv_shift[0] = state->uv_shift[1] =
        tl_mode_get(m->other_mode, TL_MODE_SAMPLING) != TL_SAMPLING_POINT ? 16 : 0; /* half a texel */
    state->effect = m->vertex_effect;
    state->effect_args[0] = (float)w;
    state->effect_args[1] = (float)h;
}

/* A colour that the material leaves to the game is still the one that its author saw, unless it is 0. */
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
    rdp->fog_mode = m->fog == TRILO_N64_FOG_LEAVE ? rdp->fog_mode : m->fog;
    rdp->fog = m->fog == TRILO_N64_FOG_LEAVE ? rdp->fog : m->fog == TRILO_N64_FOG_ON;
    if (m->combiner != 0)
        rdp->combiner = m->combiner;
    if ((m->engine_flags & TRILO_N64_ENGINE_FOG) != 0)
        rdp->fog = m->fog_blender != 0;
    if ((m->engine_flags & TRILO_N64_ENGINE_K4K5) != 0) {
        rdp->k4 = m->k4;
        rdp->k5 = m->k5;
    }
    if ((m->engine_flags & TRILO_N64_ENGINE_PRIM_LOD) != 0)
        rdp->prim_lod = m->prim_lod;
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
    return blender == 0 && (other_mode & TL_MODE_AA) != 0 ? CUTOUT_THRESHOLD : compare_threshold_of(other_mode, blend);
}

static tl_z_compare z_compare_of(uint64_t other_mode)
{
    if ((other_mode & TL_MODE_Z_COMPARE) == 0)
        return (other_mode & TL_MODE_Z_WRITE) != 0 ? TL_Z_COMPARE_ALWAYS : TL_Z_COMPARE_NONE;
    return tl_mode_get(other_mode, TL_MODE_Z) == TL_Z_DECAL ? TL_Z_COMPARE_DECAL : TL_Z_COMPARE_LESS;
}

static void state_of_n64(tl_rdp_state *rdp, const tl_textures *textures, const trilo_n64_material *m)
{
    static const tl_filter filters[4] = {TL_FILTER_POINT, TL_FILTER_POINT, TL_FILTER_BILINEAR, TL_FILTER_MEDIAN};
    tl_pipeline_state *state = &rdp->state;
    const bool layered = (m->engine_flags & TRILO_N64_ENGINE_LAYERED) != 0;
    const bool own_blender = !layered || (m->engine_flags & TRILO_N64_ENGINE_BLENDER) != 0;
    const uint32_t blender = own_blender ? m->blender : rdp->blender;
    rdp_set_material(rdp, m);
    *state =
        (tl_pipeline_state){.combiner = tl_combiner_of(rdp->combiner),
                            .blender = tl_blend_resolve(blender, 0),
                            .blend_word = blender,
                            .fog_word = (m->engine_flags & TRILO_N64_ENGINE_FOG) != 0 ? m->fog_blender : TL_BLENDER_FOG,
                            .filter = filters[tl_mode_get(rdp->other_mode, TL_MODE_SAMPLING)],
                            .color_dither = (uint8_t)tl_mode_get(rdp->other_mode, TL_MODE_COLOR_DITHER),
                            .alpha_dither = (uint8_t)tl_mode_get(rdp->other_mode, TL_MODE_ALPHA_DITHER),
                            .affine = (rdp->other_mode & TL_MODE_PERSPECTIVE) == 0,
                            .alpha_threshold = alpha_threshold_of(rdp->other_mode, blender, rdp->blend),
                            .compare_threshold = compare_threshold_of(rdp->other_mode, rdp->blend),
                            .cutout = tl_mode_compares_alpha(rdp->other_mode) && blender == 0,
                            .antialias = (rdp->other_mode & TL_MODE_AA) != 0,
                            .z_mode = (uint8_t)tl_mode_get(rdp->other_mode, TL_MODE_Z),
                            .cull_front = (m->draw_flags & TRILO_N64_CULL_FRONT) != 0,
                            .cull_back = (m->draw_flags & TRILO_N64_CULL_BACK) != 0,
                            .unlit = (m->draw_flags & TRILO_N64_UNLIT) != 0,
                            .fog = rdp->fog,
                            .fog_mode = rdp->fog_mode};
    if ((m->draw_flags & TRILO_N64_DEPTH) != 0) {
        state->z_compare = z_compare_of(rdp->other_mode);
        state->keep_z = (rdp->other_mode & TL_MODE_Z_WRITE) == 0;
        state->fixed_z = (m->engine_flags & TRILO_N64_ENGINE_PRIM_Z) != 0;
        state->depth_offset = (state->fixed_z ? m->prim_z : 0) + m->z_offset;
        state->z_offset = (float)state->depth_offset * (TL_Z_MAX / (float)INT16_MAX);
    }
    if (state->cutout && state->antialias) /* libdragon clears alpha compare: later materials must set it again */
        rdp->other_mode &= ~TL_MODE_MASK(TL_MODE_ALPHA_COMPARE);
    memcpy(state->blend_color, rdp->blend, sizeof state->blend_color);
    tl_inputs_fill(&state->inputs, rdp->prim, rdp->env);
    tl_input_set_all(state->inputs.at[TL_CC_K4], rdp->k4);
    tl_input_set_all(state->inputs.at[TL_CC_K5], rdp->k5);
    tl_input_set_all(state->inputs.at[TL_CC_PRIM_LOD], rdp->prim_lod);
    state_set_tiles(state, textures, m);
    state_set_uses(state);
}

/* ---- other materials ---- */

bool tl_emission_color(const trilo_pbr *pbr, uint8_t out[3])
{
    if (!pbr || !(pbr->emissive[0] > 0 || pbr->emissive[1] > 0 || pbr->emissive[2] > 0))
        return false;
    for (int k = 0; k < 3; k++)
        out[k] = tl_color_byte(tl_gamma_encode(pbr->emissive[k]));
    return true;
}

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

/* A material with no texture but an emissive map takes its coordinates from that. */
static void state_set_plain_texture(tl_pipeline_state *state, const tl_textures *textures, const trilo_material *m)
{
    const trilo_map *emissive = m->pbr ? &m->pbr->maps[TRILO_MAP_KIND_EMISSIVE] : NULL;
    const uint32_t texture = m->texture != TRILO_NONE || !emissive || !emissive->used ? m->texture : emissive->texture;
    const trilo_image *image = texture != TRILO_NONE ? &textures->images[texture] : &textures->none;
    const trilo_texture *from = texture != TRILO_NONE ? &textures->model->textures[texture] : NULL;
    const trilo_wrap repeat[2] = {TRILO_WRAP_REPEAT, TRILO_WRAP_REPEAT};
    const trilo_wrap *wrap = from ? from->wrap : repeat;
    state->tiles[0] = tl_tile_of(image, tl_axis_plain(wrap[0], image->width), tl_axis_plain(wrap[1], image->height));
    state->tiles[1] = state->tiles[0];
    state->filter = from && from->nearest ? TL_FILTER_POINT : TL_FILTER_BILINEAR;
    state->uv_scale[0] = 32 * (float)image->width;
    state->uv_scale[1] = 32 * (float)image->height;
    state->uv_shift[0] = state->uv_shift[1] = state->filter == TL_FILTER_POINT ? 0 : 16;
    state->wide = true;
}

/* The second texture has the same coordinates in its own texels, after the transform of its map. The first is counted
 * in finer steps where the second has more texels. */
static void state_set_second_texture(tl_pipeline_state *state, const tl_textures *textures, const trilo_map *map,
                                     const trilo_image *image)
{
    const trilo_texture *from = &textures->model->textures[map->texture];
    const uint32_t size[2] = {image->width, image->height};
    const double c = map->moved ? tl_cos(map->rotation) : 1, s = map->moved ? tl_sin(map->rotation) : 0;
    const double scale[2] = {map->moved ? map->scale[0] : 1, map->moved ? map->scale[1] : 1};
    const double rows[2][2] = {{c * scale[0], s * scale[1]}, {-s * scale[0], c * scale[1]}};
    tl_axis *const first[2] = {&state->tiles[0].s, &state->tiles[0].t};
    const float half = state->uv_shift[0];
    for (int i = 0; i < 2; i++)
        while (first[i]->shift < 10 && (uint32_t)first[i]->size << first[i]->shift < size[i]) {
            first[i]->shift++;
            state->uv_scale[i] *= 2;
            state->uv_shift[i] *= 2;
        }
    for (int i = 0; i < 2; i++) {
        const double texels = 32.0 * size[i];
        double at_origin = map->moved ? map->offset[i] * texels : 0;
        for (int k = 0; k < 2; k++) {
            const double by = rows[i][k] * texels / state->uv_scale[k];
            state->second.by[i][k] = (float)by;
            at_origin += by * state->uv_shift[k];
        }
        state->second.at_origin[i] = (float)(at_origin - half);
    }
    state->second.used = true;
    state->tiles[1] = tl_tile_of(image, tl_axis_plain(from->wrap[0], size[0]), tl_axis_plain(from->wrap[1], size[1]));
}

/* Texture * base colour, then * shade + emission: the environment colour, or the second texture. Unlit materials have
 * no emission. */
static void state_set_plain_emission(tl_pipeline_state *state, const tl_textures *textures, const trilo_material *m,
                                     uint8_t env[4])
{
    uint8_t(*cycles)[TL_CC_SLOTS] = state->combiner.cycles;
    const trilo_map *map = m->pbr ? &m->pbr->maps[TRILO_MAP_KIND_EMISSIVE] : NULL;
    if (m->unlit || !tl_emission_color(m->pbr, env))
        return;
    const uint8_t emission = map->used ? TL_CC_TEX1 : TL_CC_ENV;
    if (map->used)
        state_set_second_texture(state, textures, map, &textures->emission[m - textures->model->materials]);
    cycles[0][TL_CC_RGB_C] = cycles[0][TL_CC_ALPHA_C] = TL_CC_PRIM;
    cycles[1][TL_CC_RGB_C] = cycles[1][TL_CC_ALPHA_C] = TL_CC_SHADE;
    cycles[1][TL_CC_RGB_D] = emission;
    state->combiner.used |= TL_CC_BIT(emission);
    state->combiner.saturates = true;
}

static tl_pipeline_state state_of_plain(const tl_rdp_state *rdp, const tl_textures *textures,
                                        const trilo_material *material)
{
    static const trilo_material white = {.base_color = {1, 1, 1, 1}, .texture = TRILO_NONE, .two_sided = true};
    const trilo_material *m = material ? material : &white;
    const bool blended = m->alpha == TRILO_ALPHA_BLEND;
    tl_pipeline_state state = {.combiner = combiner_of_plain(m->texture != TRILO_NONE),
                               .blender = tl_blend_resolve(blended ? TL_BLENDER_ALPHA : 0, 0),
                               .blend_word = blended ? TL_BLENDER_ALPHA : 0,
                               .z_compare = TL_Z_COMPARE_LESS,
                               .alpha_threshold = blended ? 1 : TL_ALPHA_THRESHOLD_NONE,
                               .keep_z = blended,
                               .color_dither = (uint8_t)tl_mode_get(rdp->other_mode, TL_MODE_COLOR_DITHER),
                               .alpha_dither = (uint8_t)tl_mode_get(rdp->other_mode, TL_MODE_ALPHA_DITHER),
                               .antialias = (rdp->other_mode & TL_MODE_AA) != 0,
                               .cull_back = !m->two_sided,
                               .unlit = m->unlit,
                               .two_sided = m->two_sided};
    uint8_t prim[4], env[4] = {255, 255, 255, 255};
    for (int k = 0; k < 4; k++)
        prim[k] = tl_color_byte(m->base_color[k]);
    if (m->alpha == TRILO_ALPHA_CUTOUT)
        state.alpha_threshold = tl_color_byte(m->alpha_cutoff > 0 ? m->alpha_cutoff : 0.5f);
    state.compare_threshold = state.alpha_threshold;
    state_set_plain_texture(&state, textures, m);
    state_set_plain_emission(&state, textures, m, env);
    tl_inputs_fill(&state.inputs, prim, env);
    state_set_uses(&state);
    return state;
}

/* ---- both ---- */

tl_pipeline_state tl_pipeline_state_of(tl_rdp_state *rdp, const tl_textures *textures, const trilo_material *material)
{
    if (!material || !material->n64)
        return state_of_plain(rdp, textures, material);
    const tl_rdp_state before = *rdp;
    if (material->n64->combiner != 0 || (material->n64->engine_flags & TRILO_N64_ENGINE_LAYERED) != 0)
        state_of_n64(rdp, textures, material->n64);
    else if (!rdp->started)
        rdp->state = state_of_plain(rdp, textures, material);
    rdp->started = true;
    if ((material->n64->engine_flags & TRILO_N64_ENGINE_RESTORE) != 0) {
        rdp->other_mode = before.other_mode;
        rdp->combiner = before.combiner;
        rdp->fog = before.fog;
    }
    return rdp->state;
}

void tl_pipeline_state_fog(tl_pipeline_state *state, const uint8_t color[3])
{
    state->blender = tl_blend_resolve(state->blend_word, state->fog_word);
    memcpy(state->fog_color, color, 3);
    state->fog_color[3] = 255;
    state->uses_shade = true;
    /* libdragon replaces these two combiners while fog is on */
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
