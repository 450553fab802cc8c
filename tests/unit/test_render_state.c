/* What materials leave to each other, second textures, chance, and memory that runs out. */
#include "harness.h"
#include "raster/pipeline_state.h"
#include "support/render_scene.h"

#include <stdlib.h>
#include <string.h>

static scene_model s;
static scene_picture p;

static void check(uint32_t x, uint32_t y, int r, int g, int b)
{
    const uint8_t *at = scene_at(&p, x, y);
    if (at[0] != r || at[1] != g || at[2] != b)
        FAIL("pixel %u, %u is %d %d %d, not %d %d %d", x, y, at[0], at[1], at[2], r, g, b);
}

/* The second cycle is (COMBINED - ENV) * COMBINED alpha + TEX1, and all alphas are 0: the second texture alone is left.
 * It is the same image, shifted: column 4 shows texel 2. */
TEST(a_second_texture_has_its_own_tile)
{
    const trilo_scene scene = scene_plain();
    scene_make(&s, 1);
    s.n64[0].combiner = UINT64_C(0x8026a00715309245);
    s.n64[0].tiles[1] = s.n64[0].tiles[0];
    s.n64[0].tiles[1].s.shift = 1;
    for (int i = 0; i < SCENE_SIDE * SCENE_SIDE; i++)
        s.texels[i][3] = 0;
    scene_draw(&s, &scene, 8, 8, &p);
    check(4, 5, 30 * 2, 30 * 5, 7);
    check(7, 0, 30 * 3, 0, 7);
}

/* A colour that a material does not set is the one stored with it, unless that is nothing: then the last one stays. */
TEST(colours_left_open)
{
    const trilo_scene scene = scene_plain();
    scene_make(&s, 2);
    for (int c = 0; c < 4; c++)
        s.positions[1][c][2] = 1;
    s.n64[0].prim[0] = 10;
    s.n64[1].set_flags = 0;
    s.n64[1].prim[0] = 99;
    scene_draw(&s, &scene, 4, 4, &p);
    check(1, 1, 99, 255, 255);
    memset(s.n64[1].prim, 0, 4);
    scene_draw(&s, &scene, 4, 4, &p);
    check(1, 1, 10, 255, 255);
    s.n64[1].set_flags = TRILO_N64_SET_PRIM;
    scene_draw(&s, &scene, 4, 4, &p);
    check(1, 1, 0, 0, 0);
}

/* Texture coordinates count 32nds of a texel. A filter blends the texels around half a texel before; that half is added
 * first. */
TEST(coordinates_of_a_plain_texture)
{
    static const uint8_t pixels[16 * 8][4];
    const trilo_image image = {16, 8, pixels};
    for (int nearest = 0; nearest < 2; nearest++) {
        const trilo_texture texture = {.nearest = nearest};
        const trilo_material material = {.texture = 0};
        const trilo_model model = {
            .texture_count = 1, .textures = &texture, .material_count = 1, .materials = &material};
        const trilo_image none = {0};
        const tl_textures textures = {.model = &model, .images = &image, .emission = &none};
        const trilo_scene scene = scene_plain();
        tl_rdp_state rdp = tl_rdp_state_new(&model, &scene);
        const tl_pipeline_state state = tl_pipeline_state_of(&rdp, &textures, model.materials);
        CHECK_INT(state.filter, nearest ? TL_FILTER_POINT : TL_FILTER_BILINEAR);
        CHECK(state.uv_scale[0] == 32 * 16 && state.uv_scale[1] == 32 * 8);
        CHECK(state.uv_shift[0] == (nearest ? 0 : 16) && state.uv_shift[1] == (nearest ? 0 : 16));
        CHECK(state.wide);
    }
}

/* A material without a combiner leaves all as it was. */
TEST(a_material_that_sets_nothing)
{
    const trilo_scene scene = scene_plain();
    scene_make(&s, 2);
    for (int c = 0; c < 4; c++)
        s.positions[1][c][2] = 1;
    s.n64[0].prim[1] = 77;
    s.n64[1] = (trilo_n64_material){.combiner = 0, .tiles = {{.texture = TRILO_NONE}, {.texture = TRILO_NONE}}};
    scene_draw(&s, &scene, 4, 4, &p);
    check(2, 2, 255, 77, 255);
}

/* K4, K5 and the LOD of the primitive stay as they are until a material sets them, and so does fog. */
TEST(registers_stay_until_a_material_sets_them)
{
    static const uint8_t pixels[1][4];
    const trilo_image image = {1, 1, pixels};
    const trilo_n64_material set = {.combiner = TL_CC_WORD_SHADE,
                                    .engine_flags = TRILO_N64_ENGINE_LAYERED | TRILO_N64_ENGINE_K4K5 |
                                                    TRILO_N64_ENGINE_PRIM_LOD | TRILO_N64_ENGINE_FOG,
                                    .k4 = 11,
                                    .k5 = 22,
                                    .prim_lod = 33,
                                    .fog_blender = 1,
                                    .tiles = {{.texture = TRILO_NONE}, {.texture = TRILO_NONE}}};
    const trilo_n64_material unset = {.combiner = TL_CC_WORD_SHADE,
                                      .engine_flags = TRILO_N64_ENGINE_LAYERED,
                                      .tiles = {{.texture = TRILO_NONE}, {.texture = TRILO_NONE}}};
    const trilo_material materials[2] = {{.texture = TRILO_NONE, .n64 = &set}, {.texture = TRILO_NONE, .n64 = &unset}};
    const trilo_model model = {.material_count = 2, .materials = materials};
    const tl_textures textures = {.model = &model, .none = image, .reference = image};
    const trilo_scene scene = scene_plain();
    tl_rdp_state rdp = tl_rdp_state_new(&model, &scene);
    for (int i = 0; i < 2; i++) {
        const tl_pipeline_state state = tl_pipeline_state_of(&rdp, &textures, &materials[i]);
        CHECK_INT(state.inputs.at[TL_CC_K4][0], 11);
        CHECK_INT(state.inputs.at[TL_CC_K5][0], 22);
        CHECK_INT(state.inputs.at[TL_CC_PRIM_LOD][0], 33);
        CHECK(state.fog);
    }
}

/* libdragon turns the alpha compare of a cut-out into coverage and forgets it: a material behind it that does not set
 * it again is opaque, and its alpha of 16, which would cover nothing, does not count. */
TEST(a_cutout_is_not_left_to_the_next_material)
{
    trilo_scene scene = scene_plain();
    scene.look = TRILO_LOOK_N64;
    scene_make(&s, 2);
    for (int c = 0; c < 4; c++)
        s.positions[1][c][2] = 1;
    s.n64[0].other_mode |= 1, s.n64[0].other_mask |= 1;
    s.n64[1].other_mask &= ~(uint64_t)3;
    s.n64[1].prim[0] = 64, s.n64[1].prim[3] = 16;
    scene_draw(&s, &scene, 4, 4, &p);
    check(1, 1, 64 | 64 >> 5, 255, 255);
    s.n64[1].other_mode |= 1, s.n64[1].other_mask |= 1;
    scene_draw(&s, &scene, 4, 4, &p);
    check(1, 1, 255, 255, 255);
}

/* White in an ambient light of 32: light is a fraction of 15 bits, cut. */
enum { DIM = 31 };

/* Emission adds to the lit colour and clamps: blue that glows does not wrap, and white in a dim light is that light and
 * all of the emission. */
TEST(emission_is_drawn)
{
    trilo_scene scene = scene_plain();
    const trilo_light dim = {.kind = TRILO_LIGHT_KIND_AMBIENT, .color = {32, 32, 32, 255}};
    trilo_pbr pbr = {.roughness = 1, .emissive = {1, 0, 1}};
    scene_make(&s, 1);
    s.materials[0] =
        (trilo_material){.base_color = {0, 0, 1, 1}, .texture = TRILO_NONE, .pbr = &pbr, .two_sided = true};
    scene_draw(&s, &scene, 4, 4, &p);
    check(1, 1, 255, 0, 255);
    /* 0.5 by the power 0.4545 is 186 of 255 */
    scene.lights = &dim, scene.light_count = 1;
    pbr.emissive[0] = pbr.emissive[1] = pbr.emissive[2] = 0.5f;
    s.materials[0].base_color[0] = s.materials[0].base_color[1] = 1;
    scene_draw(&s, &scene, 4, 4, &p);
    check(1, 1, 186 + DIM, 186 + DIM, 186 + DIM);
    s.materials[0].unlit = true;
    scene_draw(&s, &scene, 4, 4, &p);
    check(1, 1, 254, 254, 254);
    s.materials[0].base_color[1] = 0;
    scene_draw(&s, &scene, 4, 4, &p);
    check(1, 1, 254, 0, 254);
}

/* What glows is cut out by the alpha of its base colour, too. */
TEST(emission_leaves_alpha_alone)
{
    const trilo_scene scene = scene_plain();
    trilo_pbr pbr = {.roughness = 1, .emissive = {1, 1, 1}};
    scene_make(&s, 1);
    s.materials[0] = (trilo_material){.base_color = {1, 1, 1, 0.4f},
                                      .texture = TRILO_NONE,
                                      .pbr = &pbr,
                                      .alpha = TRILO_ALPHA_CUTOUT,
                                      .alpha_cutoff = 0.5f,
                                      .two_sided = true};
    scene_draw(&s, &scene, 4, 4, &p);
    const uint8_t cut = p.pixels[5][0];
    s.materials[0].base_color[3] = 0.6f;
    scene_draw(&s, &scene, 4, 4, &p);
    CHECK(cut != 255 && p.pixels[5][0] == 255);
}

static void draw_two_images(const trilo_scene *scene, const trilo_image *const images[2], uint32_t side)
{
    trilo_error err = {0};
    trilo_renderer *renderer = trilo_renderer_new(&s.model, images, NULL, &err);
    if (!renderer)
        FAIL("%s: %s", err.path, err.text);
    p.width = p.height = side;
    const bool drawn = trilo_renderer_draw(renderer, scene, side, side, p.pixels, &err);
    trilo_renderer_free(renderer);
    if (!drawn)
        FAIL("%s", err.text);
}

/* An emissive map of 8 by 8 texels over a base colour texture of 2 by 2, of which the left half is black and the right
 * half white: map * factor is added, by the coordinates of the mesh or with a transform of its own. */
TEST(an_emissive_map_is_drawn)
{
    trilo_scene scene = scene_plain();
    const trilo_light dim = {.kind = TRILO_LIGHT_KIND_AMBIENT, .color = {32, 32, 32, 255}};
    const uint8_t halves[4][4] = {{0, 0, 0, 255}, {255, 255, 255, 255}, {0, 0, 0, 255}, {255, 255, 255, 255}};
    const trilo_image base = {2, 2, halves}, *const images[2] = {&s.image, &base};
    const trilo_texture textures[2] = {{.width = 8, .height = 8, .nearest = true},
                                       {.width = 2, .height = 2, .nearest = true}};
    trilo_pbr pbr = {.roughness = 1, .emissive = {1, 1, 0}};
    scene_make(&s, 1);
    scene.lights = &dim, scene.light_count = 1;
    s.model.textures = textures, s.model.texture_count = 2;
    s.materials[0] = (trilo_material){.base_color = {1, 1, 1, 1}, .texture = 1, .pbr = &pbr, .two_sided = true};
    pbr.maps[TRILO_MAP_KIND_EMISSIVE] = (trilo_map){.used = true, .texture = 0, .strength = 1};
    for (int look = 0; look < 2; look++) {
        scene.look = look == 0 ? TRILO_LOOK_CLEAN : TRILO_LOOK_N64;
        scene.console.color_32 = true;
        scene.dither = scene.antialias = TRILO_SWITCH_OFF;
        pbr.maps[TRILO_MAP_KIND_EMISSIVE].moved = false;
        pbr.emissive[0] = 1;
        draw_two_images(&scene, images, 8);
        check(1, 2, 30, 60, 0);
        check(3, 7, 90, 210, 0);
        check(6, 1, 180 + DIM, 30 + DIM, DIM);
        check(7, 7, 210 + DIM, 210 + DIM, DIM); /* below 255, so not clamped */
        pbr.emissive[0] = 0.5f;
        draw_two_images(&scene, images, 8);
        check(2, 2, (60 * 186 + 127) / 255, 60, 0);
        /* a quarter turn counter-clockwise in the image, and half of it down: column s is row s + 4, row t is column -t
         */
        pbr.emissive[0] = 1;
        pbr.maps[TRILO_MAP_KIND_EMISSIVE] = (trilo_map){.used = true,
                                                        .moved = true,
                                                        .strength = 1,
                                                        .scale = {1, -1},
                                                        .rotation = 1.5707964f,
                                                        .offset = {0.999f, 0.499f}};
        draw_two_images(&scene, images, 8);
        check(1, 2, 30 * (7 - 2), 30 * ((3 - 1 + 8) % 8), 0);
    }
    /* without a texture the map gives the coordinates */
    scene = scene_plain();
    s.materials[0].texture = TRILO_NONE;
    memset(s.materials[0].base_color, 0, 3 * sizeof(float));
    pbr.maps[TRILO_MAP_KIND_EMISSIVE].moved = false;
    draw_two_images(&scene, images, 8);
    check(6, 5, 180, 150, 0);
}

/* Alpha of lights: ambient gives 0, a light from the front 255 * 127 / 128, by the alpha of white: about 252 of 255. A
 * light from behind gives nothing, and the square is clear. */
TEST(lights_give_alpha)
{
    trilo_scene scene = scene_plain();
    trilo_light lights[2] = {{.kind = TRILO_LIGHT_KIND_AMBIENT, .color = {255, 255, 255, 0}},
                             {.kind = TRILO_LIGHT_KIND_DIRECTIONAL, .color = {0, 0, 0, 255}, .direction = {0, 0, 1}}};
    scene.lights = lights;
    scene.light_count = 2;
    scene_make(&s, 1);
    s.n64[0].combiner = SCENE_SHADE;
    s.n64[0].blender = SCENE_ALPHA;
    scene_draw(&s, &scene, 4, 4, &p);
    check(1, 2, 254 * 31 / 32, 254 * 31 / 32, 254 * 31 / 32);
    lights[1].direction.z = -1;
    scene_draw(&s, &scene, 4, 4, &p);
    check(1, 2, 0, 0, 0);
}

/* Noise is 32 + 64 * n, eight levels; by 255 and after nine bits and the clamp they are 0, 32, 96, 159, 223 and 255. */
TEST(noise_has_eight_levels)
{
    trilo_scene scene = scene_plain();
    /* (NOISE - 0) * PRIM + 0, alpha 1: A is 7, B 8, C 3, D 7; alpha 7, 7, 7, 6; in both halves. */
    const uint64_t half =
        UINT64_C(7) << 37 | UINT64_C(8) << 24 | UINT64_C(3) << 32 | 7 << 6 | 7 << 21 | 7 << 18 | 7 << 3 | 6;
    uint32_t levels[256] = {0};
    scene_make(&s, 1);
    s.n64[0].combiner = half;
    scene_draw(&s, &scene, 64, 64, &p);
    for (uint32_t i = 0; i < 64 * 64; i++)
        levels[p.pixels[i][0]]++;
    CHECK(levels[32] > 300 && levels[96] > 300 && levels[159] > 300 && levels[223] > 300);
    uint32_t others = levels[0] + levels[255];
    CHECK_INT(levels[32] + levels[96] + levels[159] + levels[223] + others, 64 * 64);
    const uint32_t hash = scene_hash(&p);
    scene_draw(&s, &scene, 64, 64, &p);
    CHECK_INT(scene_hash(&p), hash);
    scene.seed = 1;
    scene_draw(&s, &scene, 64, 64, &p);
    CHECK(scene_hash(&p) != hash);
}

/* ---- memory ---- */

typedef struct counter {
    uint32_t left;
} counter;

static void *sparingly(void *user, void *old, size_t old_size, size_t new_size)
{
    counter *c = user;
    (void)old_size;
    if (new_size == 0) {
        free(old);
        return NULL;
    }
    if (c->left == 0)
        return NULL;
    c->left--;
    return realloc(old, new_size);
}

/* Each request is denied once; what was taken before is given back, or the sanitizers would tell. */
TEST(memory_that_runs_out)
{
    const trilo_scene scene = scene_plain();
    trilo_error err;
    bool done = false;
    scene_make(&s, 3);
    p.width = p.height = 32;
    for (uint32_t allowed = 0; !done && allowed < 100; allowed++) {
        counter c = {allowed};
        const trilo_memory memory = {.fn = sparingly, .user = &c};
        trilo_renderer *renderer = trilo_renderer_new(&s.model, NULL, &memory, &err);
        done = renderer && trilo_renderer_draw(renderer, &scene, 32, 32, p.pixels, &err);
        if (!done)
            CHECK_INT(err.code, TRILO_CODE_NO_MEMORY);
        trilo_renderer_free(renderer);
    }
    CHECK(done);
}

TEST_MAIN(CASE(coordinates_of_a_plain_texture), CASE(a_second_texture_has_its_own_tile), CASE(colours_left_open),
          CASE(a_material_that_sets_nothing), CASE(registers_stay_until_a_material_sets_them),
          CASE(a_cutout_is_not_left_to_the_next_material), CASE(emission_is_drawn), CASE(emission_leaves_alpha_alone),
          CASE(an_emissive_map_is_drawn), CASE(lights_give_alpha), CASE(noise_has_eight_levels),
          CASE(memory_that_runs_out))
