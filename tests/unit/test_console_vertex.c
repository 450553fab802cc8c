/* What Tiny3D's microcode makes of a vertex, against numbers of an emulated console and sums worked out by hand;
 * docs/render.md describes the stages. */
#include "harness.h"
#include "raster/console/clip.h"
#include "support/mutate.h"

#include <math.h>
#include <string.h>

/* ---- the screen ---- */

/* Half widths and heights in pixels, for sums of near and far. */
TEST(the_screen_is_a_little_too_wide)
{
    static const struct {
        double range, half_width, half_height;
    } rows[] = {
        {1000, 160.24, 119.94}, {2000, 160.5, 119.76}, {4000, 161, 119.27}, {8000, 162, 120}, {16000, 164, 120}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const tl_viewport v = tl_viewport_of(320, 240, rows[i].range);
        CHECK_NEAR(v.to_quarters_x / 4, rows[i].half_width, 0.1);
        CHECK_NEAR(v.to_quarters_y / 4, rows[i].half_height, 0.01);
    }
    CHECK_NEAR(tl_viewport_of(320, 240, 1000).to_quarters_x / 4, 160.24, 0.005);
}

/* k = round(131070 / 1000) = 131; 327680 * 131 / 65535 is 655.01, and 245760 * 131 / 65535 is 491.26. */
TEST(scales_are_integers)
{
    const tl_viewport v = tl_viewport_of(320, 240, 1000);
    CHECK_INT(v.k, 131);
    CHECK_INT(v.scale_x, 656);
    CHECK_INT(v.scale_y, 491);
    CHECK_INT(v.scale_z, 16768);
    const tl_viewport near = tl_viewport_of(320, 240, 100); /* the depth's scale stops at 32767 */
    CHECK_INT(near.scale_z, 32767);
    CHECK_NEAR(near.to_depth, 3199, 0.5);
}

/* w is 100, scaled 13100. Its reciprocal: 306 behind the leading one, entry (2^34 / 818 + 1) >> 8 is 82040, << 14 >>
 * 13: 164080 of 2^31, so 1 / w is 164080 * 131 / 2^31 = 0.0100092. Half of the way to the right and up: 640 + 50 *
 * 0.0100092 * 656 * 128 / 131 is 960.8; 480 - 50 * 0.0100092 * 491 * 128 / 131 is 239.9. */
TEST(positions_are_floored_to_quarters)
{
    const tl_viewport v = tl_viewport_of(320, 240, 1000);
    tl_console_vertex at = {.x = 50, .y = 50, .z = 0, .w = 100};
    tl_console_project(&v, &at);
    CHECK_INT(at.screen_x, 960);
    CHECK_INT(at.screen_y, 239);
    CHECK_INT(at.depth, 16383);
    CHECK_INT(at.scaled_w, 100 * 131);
    at = (tl_console_vertex){.x = -50, .y = -50, .z = -100, .w = 100};
    tl_console_project(&v, &at);
    CHECK_INT(at.screen_x, 319); /* 319.2 */
    CHECK_INT(at.screen_y, 720); /* 720.1 */
    CHECK_INT(at.depth, 0);      /* 16383 - 16768 * 128 / 131 is below 0 */
}

/* Alike in vectors and without them. */
TEST(positions_have_limits)
{
    const tl_viewport v = tl_viewport_of(320, 240, 1000);
    tl_console_vertex at = {.x = 1e30, .y = 1e30, .w = 100};
    tl_console_project(&v, &at);
    CHECK_INT(at.screen_x, 1 << 18);
    CHECK_INT(at.screen_y, -(1 << 18));
    at = (tl_console_vertex){.x = (double)NAN, .y = (double)NAN, .z = (double)NAN, .w = 100};
    tl_console_project(&v, &at);
    CHECK_INT(at.screen_x, -(1 << 18));
    CHECK_INT(at.screen_y, -(1 << 18));
    CHECK_INT(at.depth, 0);
    /* w in 16.16 below 2^32 - 1, scaled: 4294967294 * 131 / 65536 */
    at = (tl_console_vertex){.w = 65536 - 2 / 65536.0};
    tl_console_project(&v, &at);
    CHECK_INT(at.scaled_w, 8585215);
    at = (tl_console_vertex){.w = 65536 - 1 / 65536.0};
    tl_console_project(&v, &at);
    CHECK_INT(at.scaled_w, 0xFFFFFFFF);
}

/* 1 << 16: entry 0 is 0xffff, 0x1ffff << 14 >> 16. 3 << 15: entry 256 is (2^34 / 768 + 1) >> 8, lower 16 bits 0x5555.
 */
TEST(reciprocals_come_from_a_table)
{
    CHECK_INT(tl_rsp_reciprocal(0x10000), 0x7FFF);
    CHECK_INT(tl_rsp_reciprocal(0x18000), 0x5555);
    /* a = 256, so b * b < 2^36, b = 2^18 - 1; 0x1ffff << 14 >> 8 */
    CHECK_INT(tl_rsp_inverse_square_root(0x10000), 0x1FFFF << 6);
}

/* ---- a view straight along -z, near 100, far 200: z = 2 * d - 400 ---- */

static tl_pipeline_state material(void)
{
    return (tl_pipeline_state){.uses_shade = true, .uv_scale = {32, 32}};
}

static tl_console_view view_of(const trilo_scene *scene)
{
    const tl_camera camera = {
        .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .scale_x = 1, .scale_y = 1, .near = 100, .far = 200, .model_scale = 1};
    return tl_console_view_of(&camera, scene, 320, 240);
}

static tl_console_vertex transform(const trilo_scene *scene, const tl_pipeline_state *state, const float at[3],
                                   const int32_t *normal)
{
    static const float uv[2] = {3, 5};
    const tl_console_view view = view_of(scene);
    tl_console_vertex v;
    tl_console_vertices_transform(&view, (const float(*)[3])at, 1, &v);
    tl_console_vertex_shade(&view, state, &(tl_console_vertex_in){at, normal, NULL, uv}, &v);
    return v;
}

/* A view with any numbers, and positions that are inside, outside, far away or no numbers. */
TEST(four_vertices_are_placed_as_one)
{
    enum { VERTICES = 4 * 3 + 3 };
    static const float odd[] = {NAN, INFINITY, -INFINITY, 1e30f, -1e10f, 66000, 1e-30f, 0};
    uint32_t seed = 4, inside = 0;
    const uint32_t rounds = test_rounds(20000, 500);
    for (uint32_t round = 0; round < rounds && tl_has_avx2(); round++) {
        const double size = pow(2, (double)(mutate_random(&seed) % 24) - 6), range = 20 + mutate_random(&seed) % 5000;
        tl_console_view view = {.viewport = tl_viewport_of(1 + mutate_random(&seed) % 2000, 240, range)};
        float positions[VERTICES][3];
        tl_console_vertex any[VERTICES], four[VERTICES];
        for (int i = 0; i < 16; i++)
            view.to_clip[i / 4][i % 4] = ((double)(mutate_random(&seed) % 2000) - 1000) / (i % 4 == 3 ? 300 : 1500);
        for (int i = 0; i < VERTICES; i++)
            for (int k = 0; k < 3; k++) {
                const uint32_t random = mutate_random(&seed);
                positions[i][k] =
                    random % 64 == 0 ? odd[random / 64 % 8] : (float)(((double)random - 8388608) / 8388608 * size);
            }
        tl_console_vertices_transform_any(&view, (const float(*)[3])positions, VERTICES, any);
        view.avx2 = true;
        tl_console_vertices_transform(&view, (const float(*)[3])positions, VERTICES, four);
        for (int i = 0; i < VERTICES; i++) {
            const tl_console_vertex *a = &any[i], *b = &four[i];
            CHECK(a->outside == b->outside && a->clip == b->clip && a->invalid == b->invalid && !b->shaded);
            if (a->invalid)
                continue;
            CHECK(memcmp(&a->x, &b->x, 4 * sizeof a->x) == 0);
            CHECK(a->screen_x == b->screen_x && a->screen_y == b->screen_y && a->depth == b->depth);
            CHECK(a->scaled_w == b->scaled_w && a->inverse_w == b->inverse_w);
            inside += a->outside == 0;
        }
    }
    CHECK(inside > rounds || !tl_has_avx2());
}

#if TL_AVX2
/* Normals longer than 1 and no numbers, lights brighter than white, all that eight at once may have. */
TEST(eight_vertices_are_shaded_as_one)
{
    static const float odd[] = {NAN, INFINITY, -INFINITY, 1, -1, 1e20f, -1e9f, 0};
    uint32_t seed = 6;
    for (uint32_t round = 0; round < test_rounds(20000, 5000) && tl_has_avx2(); round++) {
        tl_console_view view = {.avx2 = true, .light_count = round % 4, .exposure = 128};
        tl_pipeline_state state = {.uv_scale = {32, 1000}, .uv_shift = {0, 16}};
        state.two_sided = mutate_random(&seed) % 2 == 0;
        state.fog = mutate_random(&seed) % 2 == 0;
        state.unlit = mutate_random(&seed) % 8 == 0;
        state.rim_light = mutate_random(&seed) % 4 == 0;
        state.effect = (uint8_t)(mutate_random(&seed) % (TRILO_N64_EFFECT_UV_OFFSET + 1));
        state.effect_args[0] = 32;
        state.effect_args[1] = 64;
        view.default_lights = mutate_random(&seed) % 2 == 0;
        view.viewport = tl_viewport_of(320, 240, 1000);
        CHECK_INT(tl_console_shades_together(&view, &state), state.effect != TRILO_N64_EFFECT_OUTLINE);
        for (int k = 0; k < 12; k++)
            view.normal_matrix[k / 4][k % 4] = k % 4 == 3 ? 0 : (int32_t)(mutate_random(&seed) >> 8) - 32768;
        for (int k = 0; k < 4; k++)
            view.ambient[k] = (int32_t)(mutate_random(&seed) % 256) << 7;
        for (uint32_t i = 0; i < view.light_count; i++)
            for (int k = 0; k < 3; k++) {
                view.lights[i].color[k] = (int32_t)(mutate_random(&seed) % 256) << 7;
                view.lights[i].direction[k] = ((int32_t)(mutate_random(&seed) % 256) - 128) * 256;
            }
        float normals[8][3], uvs[8][2], positions[8][3] = {{0}};
        uint8_t colors[8][4];
        tl_console_vertex one[8] = {{.z = 0}}, eight[8] = {{.z = 0}};
        for (int i = 0; i < 8; i++) {
            for (int k = 0; k < 5; k++) {
                const uint32_t random = mutate_random(&seed);
                float *to = k < 3 ? &normals[i][k] : &uvs[i][k - 3];
                *to = random % 32 == 0 ? odd[random / 32 % 8] : ((float)random - 8388608) / 8388608;
            }
            for (int k = 0; k < 4; k++)
                colors[i][k] = (uint8_t)(mutate_random(&seed) >> 9);
            one[i].screen_x = eight[i].screen_x = (int32_t)(mutate_random(&seed) % 2000) - 300;
            one[i].screen_y = eight[i].screen_y = (int32_t)(mutate_random(&seed) % 2000) - 300;
            one[i].invalid = eight[i].invalid = mutate_random(&seed) % 16 == 0;
        }
        if (state.effect == TRILO_N64_EFFECT_OUTLINE)
            continue;
        const bool colored = round % 2 == 0, textured = round % 3 != 0;
        const tl_console_vertices_in in = {(const float(*)[3])normals, colored ? (const uint8_t(*)[4])colors : NULL,
                                           textured ? (const float(*)[2])uvs : NULL};
        tl_console_vertices_shade_avx2(&view, &state, &in, eight);
        for (int i = 0; i < 8; i++) {
            int32_t normal[4];
            tl_console_pack_normal(normals[i], normal);
            tl_console_vertex_shade(
                &view, &state,
                &(tl_console_vertex_in){positions[i], normal, colored ? colors[i] : NULL, textured ? uvs[i] : NULL},
                &one[i]);
            CHECK(eight[i].s == one[i].s && eight[i].t == one[i].t && eight[i].lit_alpha == one[i].lit_alpha);
            CHECK(memcmp(eight[i].shade, one[i].shade, sizeof one[i].shade) == 0 && eight[i].shaded);
        }
    }
}
#endif

/* Unit columns come out as even numbers: 2 * (65536 * 16383 >> 16). */
TEST(normals_are_rotated_by_unit_columns)
{
    const trilo_scene scene = {.fog = {.enabled = false}};
    const tl_console_view view = view_of(&scene);
    CHECK_INT(view.normal_matrix[0][0], 32766);
    CHECK_INT(view.normal_matrix[1][0], 0);
    int32_t n[4];
    tl_console_pack_normal((const float[3]){1, -1, 0.5f}, n);
    CHECK_INT(n[0], 15 << 11);
    CHECK_INT(n[1], -32 * 1024);
    CHECK_INT(n[2], 8 << 11);
}

static const float ahead[3] = {0, 0, -300};
static const int32_t facing[4] = {0, 0, 15 << 11, 0};

/* White in white light is 254. */
TEST(light_is_a_product_of_fractions)
{
    trilo_light light = {.kind = TRILO_LIGHT_KIND_AMBIENT, .color = {255, 64, 0, 255}};
    trilo_scene scene = {.lights = &light, .light_count = 1};
    tl_pipeline_state state = material();
    tl_console_vertex v = transform(&scene, &state, ahead, facing);
    CHECK_INT(v.shade[0], 254);
    CHECK_INT(v.shade[1], 63); /* 32640 * 8192, rounded, is 8160 */
    CHECK_INT(v.shade[2], 0);
    CHECK_INT(v.shade[3], 254);
    state.unlit = true;
    v = transform(&scene, &state, ahead, facing);
    CHECK_INT(v.shade[1], 254);
    /* A normal of 15/16 is 30719 after its matrix, the direction 127 << 8: p = 30479, and 128 << 7 by it is 15240;
     * white by that is 15180 (15180.2), or 118. */
    state.unlit = false;
    light = (trilo_light){.kind = TRILO_LIGHT_KIND_DIRECTIONAL, .color = {128, 128, 128}, .direction = {0, 0, 5}};
    v = transform(&scene, &state, ahead, facing);
    CHECK_INT(v.shade[0], 118);
    scene.console.exposure = 1.5f; /* 118 * 192 >> 7 */
    CHECK_INT(transform(&scene, &state, ahead, facing).shade[0], 177);
    scene.console.exposure = 3; /* stops at 255 */
    CHECK_INT(transform(&scene, &state, ahead, facing).shade[0], 255);
}

/* 255 << 7 and 64 << 7 are too much together; without light, the vertex's own. */
TEST(light_can_be_added)
{
    trilo_light light = {.kind = TRILO_LIGHT_KIND_AMBIENT, .color = {64, 0, 0}};
    const trilo_scene scene = {.lights = &light, .light_count = 1, .console = {.lighting = TRILO_LIGHTING_MODE_ADD}};
    const tl_pipeline_state state = material();
    const tl_console_vertex v = transform(&scene, &state, ahead, facing);
    CHECK_INT(v.shade[0], 255);
    CHECK_INT(v.shade[1], 255);
}

/* Size 100, white, ignoring normals; what an emulated console had at these distances. */
TEST(point_lights_fall_with_the_square)
{
    static const int distances[] = {25, 50, 75, 100, 150, 200, 300, 400}, want[] = {253, 253, 112, 63, 28, 15, 7, 3};
    const tl_pipeline_state state = material();
    for (int i = 0; i < 8; i++) {
        const trilo_light light = {.kind = TRILO_LIGHT_KIND_POINT,
                                   .color = {255, 255, 255},
                                   .position = {(float)distances[i], 0, -300},
                                   .size = 100,
                                   .any_side = true};
        const trilo_scene scene = {.lights = &light, .light_count = 1};
        CHECK_NEAR(transform(&scene, &state, ahead, facing).shade[0], want[i], 1.5);
    }
}

/* From 100 to 300: 16384 / 200 is 81. At 300 z is 200, and 200 - 2 * 100 gives all: 255. At 400 z is 400:
 * 32767 - 200 * 81 is 16567, doubled 33134, its upper byte 129. At 500: 32767 - 400 * 81 is 367, and 2. */
TEST(fog_is_in_the_alpha)
{
    trilo_scene scene = {.fog = {.enabled = true, .begin = 100, .end = 300}};
    tl_pipeline_state state = material();
    state.fog = true;
    CHECK_INT(transform(&scene, &state, (const float[3]){0, 0, -300}, NULL).shade[3], 255);
    CHECK_INT(transform(&scene, &state, (const float[3]){0, 0, -400}, NULL).shade[3], 129);
    CHECK_INT(transform(&scene, &state, (const float[3]){0, 0, -500}, NULL).shade[3], 2);
    scene.fog.enabled = false; /* the game sets no range: the alpha is gone all the same */
    CHECK_INT(transform(&scene, &state, (const float[3]){0, 0, -400}, NULL).shade[3], 255);
}

/* ---- effects ---- */

/* In the middle only half of the texture is left, 16 * 32, for both. A normal to the right adds
 * 30719 * 512 >> 15, rounded: 480. Upwards it takes 16 * 64 by 31/32 (31743 after the matrix) away: 992. */
TEST(spherical_coordinates)
{
    const trilo_scene scene = {.fog = {.enabled = false}};
    tl_pipeline_state state = material();
    state.effect = TRILO_N64_EFFECT_SPHERICAL_UV;
    state.effect_args[0] = 32, state.effect_args[1] = 64;
    tl_console_vertex v = transform(&scene, &state, ahead, facing);
    CHECK_INT(v.s, 512);
    CHECK_INT(v.t, 512);
    v = transform(&scene, &state, ahead, (const int32_t[3]){15 << 11, 0, 0});
    CHECK_INT(v.s, 512 + 480);
    v = transform(&scene, &state, ahead, (const int32_t[3]){0, 31 << 10, 0});
    CHECK_INT(v.t, 512 - 992);
    /* At the right edge and beyond, 640 quarters * 33 are 21120; by 30719 it is 19799, and by 512 of 32768 309. */
    v = transform(&scene, &state, (const float[3]){330, 0, -300}, facing);
    CHECK_INT(v.s, 512 + 309);
}

TEST(cel_shading_takes_red)
{
    const trilo_light light = {.kind = TRILO_LIGHT_KIND_AMBIENT, .color = {64, 255, 128, 32}};
    const trilo_scene scene = {.lights = &light, .light_count = 1};
    tl_pipeline_state state = material();
    state.effect = TRILO_N64_EFFECT_CEL_SHADE_COLOR;
    CHECK_INT(transform(&scene, &state, ahead, facing).s, 63 << 7);
    CHECK_INT(transform(&scene, &state, ahead, facing).t, 5 * 32);
    state.effect = TRILO_N64_EFFECT_CEL_SHADE_ALPHA; /* 32640 * 4096, rounded, is 4080: 31 */
    CHECK_INT(transform(&scene, &state, ahead, facing).s, 31 << 7);
}

/* 30719 * 10 + 0x4000 >> 15 is 9; upwards is less. */
TEST(outlines_move_on_the_screen)
{
    const trilo_scene scene = {.fog = {.enabled = false}};
    tl_pipeline_state state = material();
    const tl_console_vertex before = transform(&scene, &state, ahead, facing);
    state.effect = TRILO_N64_EFFECT_OUTLINE;
    state.effect_args[0] = state.effect_args[1] = 10;
    const tl_console_vertex v = transform(&scene, &state, ahead, (const int32_t[3]){15 << 11, 31 << 10, 0});
    CHECK_INT(v.screen_x - before.screen_x, 9);
    CHECK_INT(v.screen_y - before.screen_y, -10); /* -31743 * 10 + 0x4000 >> 15 */
    CHECK_INT(v.depth, before.depth);
}

/* Texture coordinates that nobody writes are the other vertex's colour, of an odd one halved: 200 << 8 | 100, and 10 /
 * 2
 * << 8 | 20 / 2. With fog on its lower byte, 0xFE, is over the upper one of s; with fog off all of it, 0xFFFE. */
TEST(outlines_leave_texture_coordinates)
{
    static const int32_t s[3][2] = {{(200 << 8 | 100) - 65536, 5 << 8 | 10}, {-2, -2}, {-512 + 100, -512 + 10}};
    const trilo_scene scene = {.fog = {.enabled = false}};
    const tl_camera camera = {.far = 1000, .near = 10, .model_scale = 1};
    const tl_console_view view = tl_console_view_of(&camera, &scene, 320, 240);
    for (uint8_t mode = TRILO_N64_FOG_LEAVE; mode <= TRILO_N64_FOG_ON; mode++) {
        const tl_pipeline_state state = {.effect = TRILO_N64_EFFECT_OUTLINE, .fog_mode = mode};
        tl_console_vertex pair[2] = {{.shade = {10, 20, 30, 255}, .lit_alpha = 41},
                                     {.shade = {200, 100, 50, 255}, .lit_alpha = 8}};
        tl_console_outline_uvs(&view, &state, pair, 2);
        CHECK_INT(pair[0].s, s[mode][0]);
        CHECK_INT(pair[0].t, 50 << 8 | 8);
        CHECK_INT(pair[1].s, s[mode][1]);
        CHECK_INT(pair[1].t, 15 << 8 | 20);
    }
}

TEST(offsets_are_added)
{
    const trilo_scene scene = {.fog = {.enabled = false}};
    tl_pipeline_state state = material();
    state.effect = TRILO_N64_EFFECT_UV_OFFSET;
    state.effect_args[0] = 7, state.effect_args[1] = 9;
    const tl_console_vertex v = transform(&scene, &state, ahead, facing);
    CHECK_INT(v.s, 96 + 7);
    CHECK_INT(v.t, 160 + 9);
}

/* ---- clipping ---- */

TEST(codes_have_a_guard_band)
{
    tl_console_vertex v = {.x = 150, .y = -250, .z = -150, .w = 100};
    tl_console_outcodes(&v);
    CHECK_INT(v.outside, TL_SIDE_RIGHT | TL_SIDE_LOWER | TL_SIDE_NEAR);
    CHECK_INT(v.clip, TL_SIDE_LOWER);
    v = (tl_console_vertex){.x = -201, .y = 0, .z = 500, .w = 100};
    tl_console_outcodes(&v);
    CHECK_INT(v.outside, TL_SIDE_LEFT | TL_SIDE_FAR);
    CHECK_INT(v.clip, TL_SIDE_LEFT);
}

/* One corner behind the near plane; the corners are taken as 0, 2, 1, so the polygon is 0, 2, and the two cuts. Half of
 * the way from z = 100 to -300 is z = -w at w = 100: colours and coordinates are those in the middle, cut. */
TEST(the_near_plane_cuts)
{
    const tl_viewport viewport = tl_viewport_of(320, 240, 1000);
    const tl_console_vertex a = {.z = 100, .w = 100, .s = 0, .shade = {255, 0, 0, 0}};
    const tl_console_vertex b = {.x = 50, .z = -300, .w = 100, .s = 63, .shade = {0, 0, 0, 0}};
    const tl_console_vertex c = {.y = 50, .z = 100, .w = 100, .s = 64, .shade = {255, 0, 0, 0}};
    const tl_console_vertex *const corners[3] = {&a, &b, &c};
    tl_console_vertex polygon[TL_CONSOLE_POLYGON_MOST];
    CHECK_INT(tl_console_clip(&viewport, corners, polygon), 4);
    CHECK_INT(polygon[0].shade[0], 255);
    CHECK_NEAR(polygon[1].y, 50, 0);
    CHECK_NEAR(polygon[2].x, 25, 0); /* between c and b */
    CHECK_NEAR(polygon[2].z, -100, 0);
    CHECK_INT(polygon[2].shade[0], 127);
    CHECK_INT(polygon[2].s, 63); /* 63.5 */
    CHECK_NEAR(polygon[3].y, 0, 0);
    CHECK_INT(polygon[3].s, 31);
}

#if TL_AVX2
#define CASES_AVX2 CASE(eight_vertices_are_shaded_as_one),
#else
#define CASES_AVX2
#endif

TEST_MAIN(CASES_AVX2 CASE(four_vertices_are_placed_as_one), CASE(the_screen_is_a_little_too_wide),
          CASE(scales_are_integers), CASE(positions_are_floored_to_quarters), CASE(positions_have_limits),
          CASE(reciprocals_come_from_a_table), CASE(normals_are_rotated_by_unit_columns),
          CASE(light_is_a_product_of_fractions), CASE(light_can_be_added), CASE(point_lights_fall_with_the_square),
          CASE(fog_is_in_the_alpha), CASE(spherical_coordinates), CASE(cel_shading_takes_red),
          CASE(outlines_move_on_the_screen), CASE(outlines_leave_texture_coordinates), CASE(offsets_are_added),
          CASE(codes_have_a_guard_band), CASE(the_near_plane_cuts))
