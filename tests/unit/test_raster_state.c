/* Pipeline states of materials, field by field, against the rules of the material records written down a second time:
 * what a material sets, and what it inherits from the draw layer and from the materials before it. */
#include "harness.h"
#include "raster/pipeline_state.h"
#include "support/numbers.h"

#include <math.h>
#include <string.h>

enum { TEXTURES = 3, MATERIALS = 6 };

/* 16 by 8, 4 by 32, 12 by 5. */
static const uint32_t sizes[TEXTURES][2] = {{16, 8}, {4, 32}, {12, 5}};
static const uint8_t pixels[4][16 * 32][4];
static trilo_image images[TEXTURES], emission[MATERIALS];
static trilo_texture texture_list[TEXTURES];
static const trilo_image no_texture = {1, 1, pixels[3]}, by_game = {64, 64, pixels[3]};

static tl_textures textures_of(const trilo_model *model)
{
    for (int i = 0; i < TEXTURES; i++)
        images[i] = (trilo_image){sizes[i][0], sizes[i][1], pixels[i]};
    return (tl_textures){model, images, emission, no_texture, by_game};
}

static uint32_t below(uint64_t *seed, uint32_t count)
{
    return (uint32_t)(random_bits(seed) >> 20) % count;
}

static uint64_t field(uint64_t mode, int at)
{
    return mode >> at & 3;
}

/* ---- the start of a frame ---- */

/* Tiny3D: bilinear, anti-aliased, depth compared and written, perspective, magic square; of Pyrite64 without
 * anti-aliasing and dither, and its transparent layer blends and leaves the depth. Switches override that. */
TEST(frames_start_as_the_engine_starts_them)
{
    trilo_n64_material n64[2] = {{.combiner = 1}, {.combiner = 1}};
    const trilo_material materials[2] = {{.n64 = &n64[0]}, {.n64 = &n64[1]}};
    const trilo_model model = {.materials = materials, .material_count = 2};
    for (int i = 0; i < 2 * 2 * 3 * 3 * 2; i++) {
        const bool layered = i % 2, see_through = i / 2 % 2, bayer = i / 36;
        const trilo_switch antialias = (trilo_switch)(i / 4 % 3), dither = (trilo_switch)(i / 12 % 3);
        const trilo_scene scene = {.layer = see_through ? TRILO_DRAW_LAYER_TRANSPARENT : TRILO_DRAW_LAYER_OPAQUE,
                                   .antialias = antialias,
                                   .dither = dither,
                                   .console = {.bayer = bayer}};
        n64[1].engine_flags = layered ? TRILO_N64_ENGINE_LAYERED | TRILO_N64_ENGINE_FOG : TRILO_N64_ENGINE_FOG;
        const tl_rdp_state rdp = tl_rdp_state_new(&model, &scene);
        const bool plain = antialias == TRILO_SWITCH_OFF || (antialias == TRILO_SWITCH_AUTO && layered);
        const bool no_dither = dither == TRILO_SWITCH_OFF || (dither == TRILO_SWITCH_AUTO && layered);
        const uint64_t color = no_dither ? 3 : bayer ? 1 : 0, alpha = no_dither ? 3 : 0;
        CHECK_INT(rdp.other_mode, UINT64_C(1) << 51 | UINT64_C(2) << 44 | color << 38 | alpha << 36 |
                                      (layered && see_through ? 0 : 1 << 5) | 1 << 4 | (plain ? 0 : 1 << 3));
        CHECK_INT(rdp.blender, layered && see_through ? 0x00500040 : 0);
        CHECK(rdp.combiner == UINT64_C(0x00887F1088FE793C) && !rdp.fog && !rdp.started && rdp.fog_mode == 0);
        CHECK(memcmp(rdp.prim, "\xFF\xFF\xFF\xFF", 4) == 0 && memcmp(rdp.env, "\xFF\xFF\xFF\xFF", 4) == 0 &&
              memcmp(rdp.blend, "\0\0\0\x80", 4) == 0);
        CHECK(rdp.k4 == 0 && rdp.k5 == 0 && rdp.prim_lod == 0);
    }
}

/* ---- materials of the N64 ---- */

/* What is kept from material to material. */
typedef struct registers {
    uint64_t mode, combiner;
    uint8_t prim[4], env[4], blend[4], k4, k5, lod, fog_mode;
    bool fog;
} registers;

static void check_tile(const tl_tile *got, const trilo_n64_tile *tile)
{
    const trilo_image *image = tile->texture != TRILO_NONE ? &images[tile->texture]
                               : tile->reference           ? &by_game
                                                           : &no_texture;
    const tl_axis s = tl_axis_n64(&tile->s, image->width), t = tl_axis_n64(&tile->t, image->height);
    CHECK(got->texels == image->pixels && got->s.size == s.size && got->t.size == t.size && got->s.low == s.low &&
          got->t.low == t.low && got->s.shift == s.shift && got->t.shift == t.shift);
}

static void check_thresholds(const tl_pipeline_state *s, const registers *r, uint32_t blender)
{
    const bool compares = r->mode & 1, aa = r->mode & 1 << 3;
    const int against = !compares ? -1 : field(r->mode, 0) == 3 ? -2 : r->blend[3];
    CHECK_INT(s->compare_threshold, against);
    CHECK_INT(s->alpha_threshold, compares && blender == 0 && aa ? 32 : against);
    CHECK_INT(s->cutout, compares && blender == 0);
    CHECK_INT(s->antialias, aa);
}

static void check_depth(const tl_pipeline_state *s, const registers *r, const trilo_n64_material *m)
{
    const bool compare = r->mode & 1 << 4, write = r->mode & 1 << 5, fixed = m->engine_flags & TRILO_N64_ENGINE_PRIM_Z;
    CHECK_INT(s->z_mode, field(r->mode, 10));
    if (!(m->draw_flags & TRILO_N64_DEPTH)) {
        CHECK(s->z_compare == TL_Z_COMPARE_NONE && !s->keep_z && !s->fixed_z && s->depth_offset == 0);
        return;
    }
    const tl_z_compare want = !compare                  ? (write ? TL_Z_COMPARE_ALWAYS : TL_Z_COMPARE_NONE)
                              : field(r->mode, 10) == 3 ? TL_Z_COMPARE_DECAL
                                                        : TL_Z_COMPARE_LESS;
    CHECK_INT(s->z_compare, want);
    CHECK_INT(s->keep_z, !write);
    CHECK_INT(s->fixed_z, fixed);
    CHECK_INT(s->depth_offset, (fixed ? m->prim_z : 0) + m->z_offset);
    CHECK_NEAR((double)s->z_offset, s->depth_offset * (16777215.0 / 32767), 1e-6 * 16777215);
}

static void check_inputs(const tl_pipeline_state *s, const registers *r)
{
    for (int k = 0; k < 4; k++) {
        CHECK_INT(s->inputs.at[TL_CC_PRIM][k], r->prim[k]);
        CHECK_INT(s->inputs.at[TL_CC_PRIM_ALPHA][k], r->prim[3]);
        CHECK_INT(s->inputs.at[TL_CC_ENV][k], r->env[k]);
        CHECK_INT(s->inputs.at[TL_CC_ENV_ALPHA][k], r->env[3]);
        CHECK_INT(s->inputs.at[TL_CC_K4][k], r->k4);
        CHECK_INT(s->inputs.at[TL_CC_K5][k], r->k5);
        CHECK_INT(s->inputs.at[TL_CC_PRIM_LOD][k], r->lod);
        CHECK_INT(s->inputs.at[TL_CC_LOD][k], 255);
        CHECK_INT(s->inputs.at[TL_CC_ONE][k], 256);
        CHECK_INT(s->inputs.at[TL_CC_ZERO][k], 0);
        CHECK_INT(s->blend_color[k], r->blend[k]);
    }
}

static void check_n64(const tl_pipeline_state *s, registers *r, const trilo_n64_material *m)
{
    static const tl_filter filters[4] = {TL_FILTER_POINT, TL_FILTER_POINT, TL_FILTER_BILINEAR, TL_FILTER_MEDIAN};
    const bool one = m->tiles[1].texture == TRILO_NONE && m->tiles[1].reference == 0;
    const bool layered = m->engine_flags & TRILO_N64_ENGINE_LAYERED;
    const uint32_t blender = !layered || m->engine_flags & TRILO_N64_ENGINE_BLENDER ? m->blender : 0;
    const tl_combiner combiner = tl_combiner_of(r->combiner);
    CHECK(memcmp(s->combiner.cycles, combiner.cycles, sizeof combiner.cycles) == 0);
    CHECK_INT(s->blend_word, blender);
    CHECK(!s->blender.first && s->blender.last == (blender != 0));
    CHECK_INT(s->fog_word, m->engine_flags & TRILO_N64_ENGINE_FOG ? m->fog_blender : 0x0AF00000);
    CHECK_INT(s->filter, filters[field(r->mode, 44)]);
    CHECK_INT(s->color_dither, field(r->mode, 38));
    CHECK_INT(s->alpha_dither, field(r->mode, 36));
    CHECK_INT(s->affine, !(r->mode >> 51 & 1));
    CHECK_INT(s->cull_front, (m->draw_flags & 8) != 0);
    CHECK_INT(s->cull_back, (m->draw_flags & 0x10) != 0);
    CHECK_INT(s->unlit, (m->draw_flags & 0x10000) != 0);
    CHECK(!s->two_sided && !s->wide && !s->second.used);
    CHECK_INT(s->fog, r->fog);
    CHECK_INT(s->fog_mode, r->fog_mode);
    check_thresholds(s, r, blender);
    check_depth(s, r, m);
    check_inputs(s, r);
    CHECK(s->first_tile == &m->tiles[0]);
    check_tile(&s->tiles[0], &m->tiles[0]);
    check_tile(&s->tiles[1], &m->tiles[one ? 0 : 1]);
    const uint32_t wide = m->tiles[0].width, high = m->tiles[0].height;
    const float half = field(m->other_mode, 44) == 0 ? 0 : 16;
    CHECK(s->uv_scale[0] == (float)(32 * (wide ? wide : 32)) && s->uv_scale[1] == (float)(32 * (high ? high : 32)));
    CHECK(s->uv_shift[0] == half && s->uv_shift[1] == half);
    CHECK(s->effect == m->vertex_effect && s->effect_args[0] == (float)wide && s->effect_args[1] == (float)high);
    const uint32_t used = combiner.used;
    CHECK_INT(s->uses_tex0, (used & (TL_CC_BIT(TL_CC_TEX0) | TL_CC_BIT(TL_CC_TEX0_ALPHA))) != 0);
    CHECK_INT(s->uses_tex1, (used & (TL_CC_BIT(TL_CC_TEX1) | TL_CC_BIT(TL_CC_TEX1_ALPHA))) != 0);
    CHECK_INT(s->uses_shade, (used & (TL_CC_BIT(TL_CC_SHADE) | TL_CC_BIT(TL_CC_SHADE_ALPHA))) != 0);
    CHECK_INT(s->uses_noise, (used & TL_CC_BIT(TL_CC_NOISE)) != 0);
    const uint8_t *cycle = combiner.cycles[0];
    CHECK_INT(s->rim_light,
              cycle[TL_CC_ALPHA_B] == TL_CC_SHADE && (blender != 0 || cycle[TL_CC_ALPHA_D] == TL_CC_ZERO));
    if (s->cutout && s->antialias) /* libdragon has cleared alpha compare */
        r->mode &= ~UINT64_C(3);
}

/* What a material leaves in the registers. */
static void set_registers(registers *r, const trilo_n64_material *m)
{
    r->mode = (r->mode & ~m->other_mask) | (m->other_mode & m->other_mask);
    if (m->set_flags & 1 || m->prim[0] || m->prim[1] || m->prim[2] || m->prim[3])
        memcpy(r->prim, m->prim, 4);
    if (m->set_flags & 2 || m->env[0] || m->env[1] || m->env[2] || m->env[3])
        memcpy(r->env, m->env, 4);
    if (m->set_flags & 4 || m->other_mode & 1 || m->blend[0] || m->blend[1] || m->blend[2] || m->blend[3])
        memcpy(r->blend, m->blend, 4);
    if (m->fog != TRILO_N64_FOG_LEAVE)
        r->fog_mode = m->fog, r->fog = m->fog == TRILO_N64_FOG_ON;
    if (m->combiner != 0)
        r->combiner = m->combiner;
    if (m->engine_flags & TRILO_N64_ENGINE_FOG)
        r->fog = m->fog_blender != 0;
    if (m->engine_flags & TRILO_N64_ENGINE_K4K5)
        r->k4 = m->k4, r->k5 = m->k5;
    if (m->engine_flags & TRILO_N64_ENGINE_PRIM_LOD)
        r->lod = m->prim_lod;
}

static trilo_n64_tile random_tile(uint64_t *seed)
{
    return (trilo_n64_tile){.texture = below(seed, 3) == 0 ? TRILO_NONE : below(seed, TEXTURES),
                            .reference = below(seed, 2),
                            .width = (uint16_t)below(seed, 3) * 24,
                            .height = (uint16_t)below(seed, 3) * 16,
                            .s = {.low = (float)below(seed, 5), .high = 15, .shift = (int8_t)below(seed, 3)},
                            .t = {.low = (float)below(seed, 3), .high = 7, .clamp = below(seed, 2)}};
}

/* A colour that is mostly nothing, in one channel. */
static void random_color(uint64_t *seed, uint8_t out[4])
{
    memset(out, 0, 4);
    if (below(seed, 2))
        out[below(seed, 4)] = (uint8_t)(1 + below(seed, 255));
}

static trilo_n64_material random_n64(uint64_t *seed)
{
    static const uint64_t masks[] = {0, UINT64_C(3) << 44 | 1, UINT64_C(3) << 44 | 1 | 3 << 10, UINT64_MAX};
    trilo_n64_material m = {.combiner = below(seed, 5) ? random_bits(seed) >> 1 | 1 : 0,
                            .other_mode = random_bits(seed),
                            .other_mask = masks[below(seed, 4)],
                            .blender = below(seed, 2) ? 0 : 0x00500040,
                            .draw_flags = (uint32_t)(random_bits(seed) & 0x1001F),
                            .fog = (uint8_t)below(seed, 3),
                            .set_flags = (uint8_t)below(seed, 8),
                            .vertex_effect = (uint8_t)below(seed, 6),
                            .tiles = {random_tile(seed), random_tile(seed)},
                            .engine_flags = (uint8_t)(random_bits(seed) & (below(seed, 2) ? 0x7F : 0)),
                            .k4 = (uint8_t)random_bits(seed),
                            .k5 = (uint8_t)random_bits(seed),
                            .prim_lod = (uint8_t)random_bits(seed),
                            .fog_blender = below(seed, 2) ? 0 : 0x0AF00000,
                            .prim_z = (int16_t)random_bits(seed),
                            .z_offset = (int16_t)below(seed, 2000)};
    random_color(seed, m.prim);
    random_color(seed, m.env);
    random_color(seed, m.blend);
    if (m.combiner == 0)
        m.engine_flags |= TRILO_N64_ENGINE_LAYERED; /* otherwise it sets nothing */
    return m;
}

TEST(n64_materials_set_their_fields)
{
    uint64_t seed = 31;
    for (int round = 0; round < (TEST_SLOW ? 100 : 500); round++) {
        trilo_n64_material n64[MATERIALS];
        trilo_material materials[MATERIALS];
        for (int i = 0; i < MATERIALS; i++) {
            n64[i] = random_n64(&seed);
            materials[i] = (trilo_material){.n64 = &n64[i], .texture = TRILO_NONE};
        }
        const trilo_model model = {.materials = materials, .material_count = MATERIALS};
        const tl_textures textures = textures_of(&model);
        const trilo_scene scene = {.antialias = TRILO_SWITCH_ON, .dither = TRILO_SWITCH_ON};
        tl_rdp_state rdp = tl_rdp_state_new(&model, &scene);
        registers r = {.mode = rdp.other_mode,
                       .combiner = rdp.combiner,
                       .prim = {255, 255, 255, 255},
                       .env = {255, 255, 255, 255},
                       .blend = {0, 0, 0, 128}};
        for (int i = 0; i < MATERIALS; i++) {
            const registers before = r;
            const tl_pipeline_state state = tl_pipeline_state_of(&rdp, &textures, &materials[i]);
            set_registers(&r, &n64[i]);
            check_n64(&state, &r, &n64[i]);
            if (n64[i].engine_flags & TRILO_N64_ENGINE_RESTORE)
                r.mode = before.mode, r.combiner = before.combiner, r.fog = before.fog;
        }
    }
}

/* A material that sets nothing has the state of the one before it; before any other it is drawn as one of no console.
 */
TEST(materials_that_set_nothing)
{
    const trilo_n64_material nothing = {.tiles = {{.texture = TRILO_NONE}, {.texture = TRILO_NONE}}},
                             something = {.combiner = TL_CC_WORD_SHADE,
                                          .draw_flags = TRILO_N64_CULL_FRONT,
                                          .tiles = {{.texture = TRILO_NONE}, {.texture = TRILO_NONE}}};
    const trilo_material materials[2] = {{.n64 = &nothing, .texture = TRILO_NONE, .base_color = {1, 0, 0, 1}},
                                         {.n64 = &something, .texture = TRILO_NONE}};
    const trilo_model model = {.materials = materials, .material_count = 2};
    const tl_textures textures = textures_of(&model);
    const trilo_scene scene = {.seed = 0};
    tl_rdp_state rdp = tl_rdp_state_new(&model, &scene);
    tl_pipeline_state state = tl_pipeline_state_of(&rdp, &textures, &materials[0]);
    CHECK(state.wide && state.cull_back && !state.cull_front && state.inputs.at[TL_CC_PRIM][0] == 255);
    CHECK_INT(state.inputs.at[TL_CC_PRIM][1], 0);
    state = tl_pipeline_state_of(&rdp, &textures, &materials[1]);
    CHECK(!state.wide && !state.cull_back && state.cull_front);
    state = tl_pipeline_state_of(&rdp, &textures, &materials[0]);
    CHECK(!state.wide && !state.cull_back && state.cull_front);
}

/* ---- other materials ---- */

static int byte_of(float value)
{
    return value <= 0 ? 0 : value >= 1 ? 255 : (int)(value * 255 + 0.5f);
}

static void check_plain(const tl_pipeline_state *s, const trilo_material *m, const registers *frame)
{
    const bool blended = m->alpha == TRILO_ALPHA_BLEND, cutout = m->alpha == TRILO_ALPHA_CUTOUT;
    const float *e = m->pbr ? m->pbr->emissive : NULL;
    const bool emits = e && (e[0] > 0 || e[1] > 0 || e[2] > 0) && !m->unlit;
    const trilo_map *map = m->pbr ? &m->pbr->maps[TRILO_MAP_KIND_EMISSIVE] : NULL;
    const uint32_t texture = m->texture != TRILO_NONE ? m->texture : map && map->used ? map->texture : TRILO_NONE;
    const trilo_image *image = texture != TRILO_NONE ? &images[texture] : &no_texture;
    const bool nearest = texture != TRILO_NONE && texture_list[texture].nearest, mapped = emits && map->used;
    const uint8_t first = m->texture != TRILO_NONE ? TL_CC_TEX0 : TL_CC_ONE,
                  in_first = emits ? TL_CC_PRIM : TL_CC_SHADE, in_second = emits ? TL_CC_SHADE : TL_CC_PRIM,
                  added = !emits   ? TL_CC_ZERO
                          : mapped ? TL_CC_TEX1
                                   : TL_CC_ENV;
    const uint8_t want[2][TL_CC_SLOTS] = {
        {first, TL_CC_ZERO, in_first, TL_CC_ZERO, first, TL_CC_ZERO, in_first, TL_CC_ZERO},
        {TL_CC_COMBINED, TL_CC_ZERO, in_second, added, TL_CC_COMBINED, TL_CC_ZERO, in_second, TL_CC_ZERO}};
    CHECK(s->combiner.cycle_count == 2 && memcmp(s->combiner.cycles, want, sizeof want) == 0);
    CHECK_INT(s->combiner.saturates, emits);
    CHECK(s->uses_shade && s->uses_tex0 == (m->texture != TRILO_NONE) && s->uses_tex1 == mapped && !s->uses_noise);
    CHECK_INT(s->second.used, mapped);
    CHECK(s->blend_word == (blended ? 0x00500040 : 0) && s->blender.last == blended && !s->blender.first);
    CHECK_INT(s->alpha_threshold, blended ? 1 : cutout ? byte_of(m->alpha_cutoff > 0 ? m->alpha_cutoff : 0.5f) : -1);
    CHECK_INT(s->compare_threshold, s->alpha_threshold);
    CHECK(s->z_compare == TL_Z_COMPARE_LESS && s->keep_z == blended && !s->cutout && !s->affine && !s->fog);
    CHECK(s->color_dither == field(frame->mode, 38) && s->alpha_dither == field(frame->mode, 36));
    CHECK_INT(s->antialias, (frame->mode & 8) != 0);
    CHECK(s->cull_back == !m->two_sided && !s->cull_front && s->two_sided == m->two_sided && s->unlit == m->unlit);
    CHECK(s->wide && !s->rim_light && s->first_tile == NULL);
    CHECK(s->filter == (nearest ? TL_FILTER_POINT : TL_FILTER_BILINEAR));
    const trilo_wrap *wrap = texture != TRILO_NONE ? texture_list[texture].wrap : NULL;
    const tl_tile *tile = &s->tiles[0];
    CHECK(tile->texels == image->pixels && tile->s.size == (int32_t)image->width &&
          tile->t.size == (int32_t)image->height);
    CHECK(tile->s.repeat == (!wrap || wrap[0] != TRILO_WRAP_CLAMP) &&
          tile->t.repeat == (!wrap || wrap[1] != TRILO_WRAP_CLAMP));
    CHECK(tile->s.mirror == (wrap && wrap[0] == TRILO_WRAP_MIRROR) &&
          tile->t.mirror == (wrap && wrap[1] == TRILO_WRAP_MIRROR));
    if (!mapped) {
        CHECK(s->uv_scale[0] == 32 * (float)image->width && s->uv_scale[1] == 32 * (float)image->height);
        CHECK(s->uv_shift[0] == (nearest ? 0 : 16) && s->uv_shift[1] == (nearest ? 0 : 16));
        CHECK(s->tiles[1].texels == image->pixels);
    } else {
        CHECK(s->tiles[1].texels == emission[0].pixels && s->tiles[1].t.size == (int32_t)emission[0].height);
        CHECK(s->tiles[1].s.mirror == (texture_list[map->texture].wrap[0] == TRILO_WRAP_MIRROR));
        CHECK(s->tiles[1].t.mirror == (texture_list[map->texture].wrap[1] == TRILO_WRAP_MIRROR));
    }
    for (int k = 0; k < 4; k++) {
        CHECK_INT(s->inputs.at[TL_CC_PRIM][k], byte_of(m->base_color[k]));
        const double shown = emits && k < 3 ? 255 * pow(fmax(0, fmin(1, (double)e[k])), 1 / 2.2) : 255;
        CHECK_NEAR(s->inputs.at[TL_CC_ENV][k], shown, emits && k < 3 ? 0.51 : 0);
    }
}

TEST(other_materials_set_their_fields)
{
    static const float values[] = {-1, 0, 0.001f, 0.2f, 0.5f, 0.999f, 1, 3};
    uint64_t seed = 32;
    for (int round = 0; round < 600; round++) {
        trilo_pbr pbr = {.roughness = 1};
        trilo_material m = {.texture = below(&seed, 2) ? TRILO_NONE : below(&seed, TEXTURES),
                            .alpha = (trilo_alpha)below(&seed, 3),
                            .alpha_cutoff = values[below(&seed, 8)],
                            .two_sided = below(&seed, 2),
                            .unlit = below(&seed, 3) == 0,
                            .pbr = below(&seed, 3) ? &pbr : NULL};
        for (int k = 0; k < 4; k++)
            m.base_color[k] = values[below(&seed, 8)];
        if (below(&seed, 2))
            pbr.emissive[below(&seed, 3)] = values[below(&seed, 8)];
        pbr.maps[TRILO_MAP_KIND_EMISSIVE] = (trilo_map){.used = below(&seed, 2), .texture = below(&seed, TEXTURES)};
        for (int i = 0; i < TEXTURES; i++)
            texture_list[i] = (trilo_texture){.nearest = below(&seed, 2),
                                              .wrap = {(trilo_wrap)below(&seed, 3), (trilo_wrap)below(&seed, 3)}};
        const trilo_model model = {
            .materials = &m, .material_count = 1, .textures = texture_list, .texture_count = TEXTURES};
        const tl_textures textures = textures_of(&model);
        emission[0] = (trilo_image){8, 4, pixels[3]};
        const trilo_scene scene = {.antialias = (trilo_switch)below(&seed, 3), .dither = (trilo_switch)below(&seed, 3)};
        tl_rdp_state rdp = tl_rdp_state_new(&model, &scene);
        const registers frame = {.mode = rdp.other_mode};
        const tl_pipeline_state state = tl_pipeline_state_of(&rdp, &textures, &m);
        check_plain(&state, &m, &frame);
    }
    /* Without a material: white, seen from both sides. */
    const trilo_model model = {.material_count = 0};
    const tl_textures textures = textures_of(&model);
    const trilo_scene scene = {.seed = 0};
    tl_rdp_state rdp = tl_rdp_state_new(&model, &scene);
    const registers frame = {.mode = rdp.other_mode};
    const trilo_material white = {.base_color = {1, 1, 1, 1}, .texture = TRILO_NONE, .two_sided = true};
    const tl_pipeline_state state = tl_pipeline_state_of(&rdp, &textures, NULL);
    check_plain(&state, &white, &frame);
}

/* A factor of 0 does not emit; any channel above does. */
TEST(factors_that_emit)
{
    uint8_t color[3];
    CHECK(!tl_emission_color(NULL, color));
    for (int k = 0; k < 3; k++) {
        trilo_pbr pbr = {.emissive = {0}};
        CHECK(!tl_emission_color(&pbr, color));
        pbr.emissive[k] = -1;
        CHECK(!tl_emission_color(&pbr, color));
        pbr.emissive[k] = 1;
        CHECK(tl_emission_color(&pbr, color));
        for (int c = 0; c < 3; c++)
            CHECK_INT(color[c], c == k ? 255 : 0);
    }
}

/* ---- fog ---- */

/* Fog takes the first pass and the alpha of the shade; TEX0 * SHADE then has the alpha of the texture, SHADE alone 1,
 * and no other combiner changes. */
TEST(fog_replaces_alpha)
{
    static const uint8_t by_texture[TL_CC_SLOTS] = {TL_CC_TEX0, TL_CC_ZERO, TL_CC_SHADE, TL_CC_ZERO,
                                                    TL_CC_TEX0, TL_CC_ZERO, TL_CC_SHADE, TL_CC_ZERO},
                         by_shade[TL_CC_SLOTS] = {TL_CC_ZERO, TL_CC_ZERO, TL_CC_ZERO, TL_CC_SHADE,
                                                  TL_CC_ZERO, TL_CC_ZERO, TL_CC_ZERO, TL_CC_SHADE};
    static const int decides[2][4] = {{TL_CC_RGB_A, TL_CC_RGB_C, TL_CC_ALPHA_A, TL_CC_ALPHA_C},
                                      {TL_CC_RGB_A, TL_CC_RGB_D, TL_CC_ALPHA_D, -1}};
    for (int i = 0; i < 2 * 5 * 2; i++) { /* as it is, or with one of the slots that decide changed */
        const bool textured = i % 2;
        const int changed = i / 2 % 5 == 4 ? -1 : decides[!textured][i / 2 % 5], cycles = 1 + i / 10;
        tl_pipeline_state s = {
            .combiner = {.cycle_count = (uint8_t)cycles}, .blend_word = 0x00500040, .fog_word = 0x0AF00000};
        memcpy(s.combiner.cycles[0], textured ? by_texture : by_shade, TL_CC_SLOTS);
        if (changed >= 0)
            s.combiner.cycles[0][changed] = TL_CC_ENV;
        uint8_t want[TL_CC_SLOTS];
        memcpy(want, s.combiner.cycles[0], sizeof want);
        if (changed < 0 && cycles == 1) {
            want[TL_CC_ALPHA_A] = want[TL_CC_ALPHA_B] = want[TL_CC_ALPHA_C] = TL_CC_ZERO;
            want[TL_CC_ALPHA_D] = textured ? TL_CC_TEX0 : TL_CC_ONE;
        }
        tl_pipeline_state_fog(&s, (const uint8_t[3]){1, 2, 3});
        CHECK(memcmp(s.combiner.cycles[0], want, sizeof want) == 0);
        CHECK(memcmp(s.fog_color, "\1\2\3\xFF", 4) == 0 && s.uses_shade && s.blender.first && s.blender.last);
    }
}

TEST_MAIN(CASE(frames_start_as_the_engine_starts_them), CASE(n64_materials_set_their_fields),
          CASE(materials_that_set_nothing), CASE(other_materials_set_their_fields), CASE(factors_that_emit),
          CASE(fog_replaces_alpha))
