/* From a material's words to what happens at a pixel. */
#include "raster/pipeline_state.h"

#include <string.h>

/* Smoothed edges make of an alpha compare a coverage: what is below an eighth covers nothing. */
enum { CUTOUT_THRESHOLD = 32 };

/* Texture coordinates without a texture are counted as if it had this size. */
enum { UNKNOWN_SIZE = 32 };

tl_pipeline_states tl_pipeline_states_new(void)
{
    return (tl_pipeline_states){.other_mode = TL_MODE(TL_MODE_SAMPLING, TL_SAMPLING_BILINEAR),
                                .prim = {255, 255, 255, 255},
                                .env = {255, 255, 255, 255},
                                .blend = {0, 0, 0, 128}};
}

static void needs(tl_pipeline_state *pipe)
{
    const uint32_t used = pipe->combiner.used;
    pipe->tex0 = (used & TL_CC_USES_TEX0) != 0;
    pipe->tex1 = (used & TL_CC_USES_TEX1) != 0;
    pipe->shaded = (used & TL_CC_USES_SHADE) != 0;
    pipe->noisy = (used & TL_CC_BIT(TL_CC_NOISE)) != 0;
    const uint8_t *cycle = pipe->combiner.cycles[0];
    pipe->rim = cycle[TL_CC_ALPHA_B] == TL_CC_SHADE && (pipe->blender.last || cycle[TL_CC_ALPHA_D] == TL_CC_ZERO);
}

/* ---- materials of the N64 ---- */

static tl_tile tile_of(const tl_textures *textures, const trilo_n64_tile *tile)
{
    const trilo_image *image = tile->texture != TRILO_NONE ? &textures->images[tile->texture]
                               : tile->reference != 0      ? &textures->reference
                                                           : &textures->none;
    return (tl_tile){image->pixels, tl_axis_n64(&tile->s, image->width), tl_axis_n64(&tile->t, image->height)};
}

static bool is_empty(const trilo_n64_tile *tile)
{
    return tile->texture == TRILO_NONE && tile->reference == 0;
}

static void tiles_set(tl_pipeline_state *pipe, const tl_textures *textures, const trilo_n64_material *m)
{
    const trilo_n64_tile *second = is_empty(&m->tiles[1]) ? &m->tiles[0] : &m->tiles[1];
    pipe->tiles[0] = tile_of(textures, &m->tiles[0]);
    pipe->tiles[1] = tile_of(textures, second);
    const uint32_t w = m->tiles[0].width, h = m->tiles[0].height;
    pipe->uv_scale[0] = (float)(32 * (w ? w : UNKNOWN_SIZE));
    pipe->uv_scale[1] = (float)(32 * (h ? h : UNKNOWN_SIZE));
    pipe->uv_shift = tl_mode_get(m->other_mode, TL_MODE_SAMPLING) != TL_SAMPLING_POINT ? 16 : 0; /* half a texel */
    pipe->effect = m->vertex_effect;
    pipe->effect_args[0] = (float)w;
    pipe->effect_args[1] = (float)h;
}

/* A colour that the material leaves to the game still says what its author saw, unless nothing is there. */
static void color_take(uint8_t to[4], const uint8_t from[4], bool is_set)
{
    if (is_set || (from[0] | from[1] | from[2] | from[3]) != 0)
        memcpy(to, from, 4);
}

static void state_take(tl_pipeline_states *state, const trilo_n64_material *m)
{
    state->other_mode = (state->other_mode & ~m->other_mask) | (m->other_mode & m->other_mask);
    const uint8_t set = trilo_n64_colors_set(m->set_flags, m->other_mode);
    color_take(state->prim, m->prim, (set & TRILO_N64_SET_PRIM) != 0);
    color_take(state->env, m->env, (set & TRILO_N64_SET_ENV) != 0);
    color_take(state->blend, m->blend, (set & TRILO_N64_SET_BLEND) != 0);
    state->fog = m->fog == TRILO_N64_FOG_LEAVE ? state->fog : m->fog == TRILO_N64_FOG_ON;
}

static int32_t threshold_of(uint64_t other_mode, uint32_t blender, const uint8_t blend[4])
{
    if (!tl_mode_compares_alpha(other_mode))
        return TL_NO_COMPARE;
    if (blender == 0)
        return CUTOUT_THRESHOLD;
    return tl_mode_get(other_mode, TL_MODE_ALPHA_COMPARE) == TL_ALPHA_COMPARE_NOISE ? TL_COMPARE_NOISE : blend[3];
}

static void pipe_n64(tl_pipeline_states *state, const tl_textures *textures, const trilo_n64_material *m)
{
    static const tl_filter filters[4] = {TL_FILTER_POINT, TL_FILTER_POINT, TL_FILTER_BILINEAR, TL_FILTER_AVERAGE};
    tl_pipeline_state *pipe = &state->pipe;
    state_take(state, m);
    *pipe = (tl_pipeline_state){.combiner = tl_combiner_of(m->combiner),
                                .blender = tl_blend_resolve(m->blender, 0),
                                .blend_word = m->blender,
                                .filter = filters[tl_mode_get(state->other_mode, TL_MODE_SAMPLING)],
                                .threshold = threshold_of(state->other_mode, m->blender, state->blend),
                                .cull_front = (m->draw_flags & TRILO_N64_CULL_FRONT) != 0,
                                .cull_back = (m->draw_flags & TRILO_N64_CULL_BACK) != 0,
                                .unlit = (m->draw_flags & TRILO_N64_UNLIT) != 0,
                                .fog = state->fog};
    if ((m->draw_flags & TRILO_N64_DEPTH) != 0)
        pipe->depth = tl_mode_get(state->other_mode, TL_MODE_Z) == TL_Z_DECAL ? TL_DEPTH_DECAL : TL_DEPTH_NEARER;
    memcpy(pipe->blend_color, state->blend, sizeof pipe->blend_color);
    tl_inputs_fill(&pipe->inputs, state->prim, state->env);
    tiles_set(pipe, textures, m);
    needs(pipe);
}

/* ---- other materials ---- */

static uint8_t byte_of(float value)
{
    value = value > 0 ? value : 0;
    return (uint8_t)(value < 1 ? value * 255 + 0.5f : 255);
}

/* Texture * shade, then * colour. */
static tl_combiner combiner_plain(bool textured)
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

static void plain_texture(tl_pipeline_state *pipe, const tl_textures *textures, uint32_t texture)
{
    const trilo_image *image = texture != TRILO_NONE ? &textures->images[texture] : &textures->none;
    const trilo_texture *from = texture != TRILO_NONE ? &textures->model->textures[texture] : NULL;
    const trilo_wrap repeat[2] = {TRILO_WRAP_REPEAT, TRILO_WRAP_REPEAT};
    const trilo_wrap *wrap = from ? from->wrap : repeat;
    pipe->tiles[0] =
        (tl_tile){image->pixels, tl_axis_plain(wrap[0], image->width), tl_axis_plain(wrap[1], image->height)};
    pipe->tiles[1] = pipe->tiles[0];
    pipe->filter = from && from->nearest ? TL_FILTER_POINT : TL_FILTER_BILINEAR;
    pipe->uv_scale[0] = 32 * (float)image->width;
    pipe->uv_scale[1] = 32 * (float)image->height;
    pipe->uv_shift = pipe->filter == TL_FILTER_POINT ? 0 : 16;
    pipe->wide = true;
}

static tl_pipeline_state pipe_plain(const tl_textures *textures, const trilo_material *material)
{
    static const trilo_material white = {.base_color = {1, 1, 1, 1}, .texture = TRILO_NONE, .two_sided = true};
    static const uint8_t env[4] = {255, 255, 255, 255};
    const trilo_material *m = material ? material : &white;
    const bool blended = m->alpha == TRILO_ALPHA_BLEND, cut = m->alpha == TRILO_ALPHA_CUTOUT;
    tl_pipeline_state pipe = {.combiner = combiner_plain(m->texture != TRILO_NONE),
                              .blender = tl_blend_resolve(blended ? TL_BLENDER_ALPHA : 0, 0),
                              .blend_word = blended ? TL_BLENDER_ALPHA : 0,
                              .depth = TL_DEPTH_NEARER,
                              .threshold = blended ? 1 : TL_NO_COMPARE,
                              .keep_depth = blended,
                              .cull_back = !m->two_sided,
                              .unlit = m->unlit,
                              .two_sided = m->two_sided};
    uint8_t prim[4];
    for (int k = 0; k < 4; k++)
        prim[k] = byte_of(m->base_color[k]);
    if (cut)
        pipe.threshold = byte_of(m->alpha_cutoff > 0 ? m->alpha_cutoff : 0.5f);
    tl_inputs_fill(&pipe.inputs, prim, env);
    plain_texture(&pipe, textures, m->texture);
    needs(&pipe);
    return pipe;
}

/* ---- both ---- */

tl_pipeline_state tl_pipeline_state_of(tl_pipeline_states *state, const tl_textures *textures,
                                       const trilo_material *material)
{
    if (!material || !material->n64)
        return pipe_plain(textures, material);
    if (material->n64->combiner != 0)
        pipe_n64(state, textures, material->n64);
    else if (!state->started)
        state->pipe = pipe_plain(textures, material);
    state->started = true;
    return state->pipe;
}

void tl_pipeline_state_fog(tl_pipeline_state *pipe, const uint8_t color[3])
{
    pipe->blender = tl_blend_resolve(pipe->blend_word, TL_BLENDER_FOG);
    memcpy(pipe->fog_color, color, 3);
    pipe->fog_color[3] = 255;
    pipe->shaded = true;
    uint8_t *cycle = pipe->combiner.cycles[0];
    const bool by_texture = cycle[TL_CC_RGB_A] == TL_CC_TEX0 && cycle[TL_CC_RGB_C] == TL_CC_SHADE &&
                            cycle[TL_CC_ALPHA_A] == TL_CC_TEX0 && cycle[TL_CC_ALPHA_C] == TL_CC_SHADE;
    const bool by_shade =
        cycle[TL_CC_RGB_D] == TL_CC_SHADE && cycle[TL_CC_ALPHA_D] == TL_CC_SHADE && cycle[TL_CC_RGB_A] == TL_CC_ZERO;
    if (pipe->combiner.cycle_count != 1 || (!by_texture && !by_shade))
        return;
    cycle[TL_CC_ALPHA_A] = cycle[TL_CC_ALPHA_B] = cycle[TL_CC_ALPHA_C] = TL_CC_ZERO;
    cycle[TL_CC_ALPHA_D] = by_texture ? TL_CC_TEX0 : TL_CC_ONE;
}
