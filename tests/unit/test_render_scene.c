/* Cameras, what Tiny3D does to vertices, overlays, and input that cannot be drawn. */
#include "harness.h"
#include "support/render_scene.h"

#include <math.h>
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

/* ---- cameras ---- */

/* A floor at y = -1 that goes under and behind the eye. The horizon is the middle row: nothing above, all below. */
TEST(a_floor_is_cut_at_the_camera)
{
    trilo_scene scene = {.view = {.eye = {0, 0, 0}, .target = {0, 0, -1}, .fov = 90, .near_at = 0.1f, .far_at = 1000},
                         .look = TRILO_LOOK_CLEAN,
                         .samples = 1};
    static const float floor_at[4][3] = {{-900, -1, -900}, {-900, -1, 900}, {900, -1, 900}, {900, -1, -900}};
    scene_make(&s, 1);
    memcpy(s.positions[0], floor_at, sizeof floor_at);
    scene_draw(&s, &scene, 64, 64, &p);
    for (uint32_t x = 0; x < 64; x++) {
        check(x, 31, 0, 0, 0);
        CHECK_INT(scene_at(&p, x, 31)[3], 0); /* nothing was drawn: as clear as the background */
        for (uint32_t y = 33; y < 64; y++)
            check(x, y, 255, 255, 255);
    }
}

/* The same floor, one texture over 8 by 8 units in front of the eye, z from -1 to -9. In row y of 64 the floor is at
 * z = -1 / tan = -32 / (y + 0.5 - 32), in column x at x * -z; from there to the texel by hand. */
TEST(textures_go_with_perspective)
{
    trilo_scene scene = {.view = {.target = {0, 0, -1}, .fov = 90, .near_at = 0.5f, .far_at = 100},
                         .look = TRILO_LOOK_CLEAN,
                         .samples = 1};
    static const float floor_at[4][3] = {{-4, -1, -9}, {-4, -1, -1}, {4, -1, -1}, {4, -1, -9}};
    scene_make(&s, 1);
    memcpy(s.positions[0], floor_at, sizeof floor_at);
    s.n64[0].combiner = SCENE_TEX0;
    scene_draw(&s, &scene, 64, 64, &p);
    uint32_t compared = 0;
    for (uint32_t y = 36; y < 63; y++)
        for (uint32_t x = 0; x < 64; x++) {
            const double deep = 32 / (y + 0.5 - 32), across = (x + 0.5 - 32) / 32 * deep;
            const double u = across + 4, v = 9 - deep; /* in texels */
            if (fabs(across) > 3.99 || u - floor(u) < 0.02 || u - floor(u) > 0.98 || v - floor(v) < 0.02 ||
                v - floor(v) > 0.98)
                continue;
            check(x, y, 30 * (int)u, 30 * (int)v, 7);
            compared++;
        }
    CHECK(compared > 1000);
}

TEST(a_framed_model_is_seen_whole)
{
    static const double angles[][2] = {{0, 0}, {90, 0}, {180, 20}, {30, 90}, {0, -90}, {45, 35}, {-1000, 1}};
    scene_make(&s, 2);
    for (int c = 0; c < 4; c++)
        s.positions[1][c][2] = 3;
    for (uint32_t i = 0; i < 2; i++)
        s.n64[i].draw_flags = TRILO_N64_DEPTH;
    const trilo_bounds bounds = trilo_model_bounds(&s.model);
    for (size_t i = 0; i < sizeof angles / sizeof *angles; i++) {
        trilo_scene scene = {.look = TRILO_LOOK_N64};
        scene.view = trilo_view_frame(&bounds, angles[i][0], angles[i][1], 60, 64.0 / 48);
        scene_draw(&s, &scene, 64, 48, &p);
        uint32_t drawn = 0, at_edge = 0;
        for (uint32_t k = 0; k < 64 * 48; k++) {
            const bool edge = k % 64 == 0 || k % 64 == 63 || k / 64 == 0 || k / 64 == 47;
            drawn += p.pixels[k][3] != 0;
            at_edge += edge && p.pixels[k][3] != 0;
        }
        CHECK_INT(at_edge, 0);
        CHECK(drawn > 20 || angles[i][0] == 90 || angles[i][1] != 0); /* from the side they are but lines */
    }
}

/* The matrix of the camera that scene_plain has: 5 away along z. */
TEST(a_camera_can_be_a_matrix)
{
    trilo_scene scene = scene_plain();
    scene_make(&s, 1);
    s.n64[0].combiner = SCENE_TEX0;
    scene_draw(&s, &scene, 8, 8, &p);
    const uint32_t hash = scene_hash(&p);
    scene.view.eye = (trilo_vec3){7, 7, 7};
    scene.view.use_matrix = true;
    scene.view.matrix = (trilo_mat4){{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, -5, 1}};
    scene_draw(&s, &scene, 8, 8, &p);
    CHECK_INT(scene_hash(&p), hash);
}

/* ---- effects ---- */

/* A normal towards the eye is the middle of the texture; the place on the screen adds half of it each way. */
TEST(spherical_coordinates_come_from_normals)
{
    const trilo_scene scene = scene_plain();
    scene_make(&s, 1);
    s.n64[0].combiner = SCENE_TEX0;
    s.n64[0].vertex_effect = 1;
    s.meshes[0].uvs = NULL;
    scene_draw(&s, &scene, 8, 8, &p);
    for (uint32_t i = 0; i < 64; i++)
        check(i % 8, i / 8, (int)(30 * (i % 8)), (int)(30 * (i / 8)), 7);
    for (int c = 0; c < 4; c++) { /* to the right and up: the texture's right and upper edge, and round to its left */
        s.normals[0][c][0] = 0.75f, s.normals[0][c][1] = 0.25f, s.normals[0][c][2] = 0;
    }
    scene_draw(&s, &scene, 8, 8, &p);
    check(3, 3, 30 * 7, 30 * 3, 7); /* 4 + 3, 4 - 1 */
}

/* Grey of 128 is s = 128 * 128 / 32 = 512 texels, shifted by 7: texel 4. By alpha likewise. */
TEST(cel_shading_goes_by_light)
{
    const trilo_scene scene = scene_plain();
    scene_make(&s, 1);
    s.n64[0].combiner = SCENE_TEX0;
    s.n64[0].vertex_effect = 2;
    s.n64[0].draw_flags |= TRILO_N64_UNLIT;
    s.n64[0].tiles[0].s.shift = 7;
    for (int c = 0; c < 4; c++) {
        s.colors[0][c][0] = 0.1f, s.colors[0][c][1] = 128.0f / 255, s.colors[0][c][2] = 0.2f;
        s.colors[0][c][3] = 200.0f / 255; /* 800 >> 7 is 6 */
    }
    scene_draw(&s, &scene, 8, 8, &p);
    check(3, 5, 30 * 4, 30 * 5, 7);
    s.n64[0].vertex_effect = 3;
    scene_draw(&s, &scene, 8, 8, &p);
    check(3, 5, 30 * 6, 30 * 5, 7);
}

/* The texture is 8 wide: vertices move by 8 quarters of a pixel along normals, in a picture of 240 rows. */
TEST(outlines_move_along_normals)
{
    const trilo_scene scene = scene_plain();
    scene_make(&s, 1);
    s.n64[0].vertex_effect = 4;
    for (int c = 0; c < 4; c++) {
        s.positions[0][c][0] /= 2, s.positions[0][c][1] /= 2;
        s.normals[0][c][0] = 1, s.normals[0][c][2] = 0;
    }
    scene_draw(&s, &scene, 240, 240, &p);
    check(61, 100, 0, 0, 0);
    check(62, 100, 255, 255, 255);
    check(181, 100, 255, 255, 255);
    check(182, 100, 0, 0, 0);
}

/* ---- other materials ---- */

/* Base colour by texture; the light is left out. (texel * 255 + 128) >> 8, then by 51 of 255. */
TEST(a_material_of_no_console)
{
    const trilo_scene scene = scene_plain();
    scene_make(&s, 1);
    s.materials[0] = (trilo_material){.base_color = {0.2f, 1, 0, 1}, .texture = 0, .unlit = true};
    s.texture.nearest = true;
    scene_draw(&s, &scene, 8, 8, &p);
    check(5, 2, ((150 * 255 + 128) / 256 * 51 + 128) / 256, ((60 * 255 + 128) / 256 * 255 + 128) / 256, 0);
    s.materials[0].alpha = TRILO_ALPHA_CUTOUT; /* alpha is 4 * the number: 32 and more are a half and more */
    s.materials[0].base_color[0] = 1;
    scene_draw(&s, &scene, 8, 8, &p);
    check(7, 3, 0, 0, 0);
    CHECK(scene_at(&p, 7, 4)[0] > 200);
}

TEST(a_mesh_without_anything)
{
    trilo_scene scene = scene_plain();
    const trilo_light light = {.kind = TRILO_LIGHT_KIND_DIRECTIONAL, .color = {255, 255, 255}, .direction = {0, 0, 1}};
    scene_make(&s, 1);
    scene.lights = &light;
    scene.light_count = 1;
    s.meshes[0].material = TRILO_NONE;
    s.meshes[0].normals = NULL;
    s.meshes[0].colors = NULL;
    s.meshes[0].uvs = NULL;
    scene_draw(&s, &scene, 8, 8, &p);
    CHECK(scene_at(&p, 3, 3)[0] > 240); /* it got the normal of its triangles, straight to the light */
}

/* ---- overlays ---- */

TEST(edges_are_drawn)
{
    trilo_scene scene = scene_plain();
    scene.show = TRILO_SHOW_WIREFRAME | TRILO_SHOW_NO_FACES;
    scene_make(&s, 1);
    for (int c = 0; c < 4; c++)
        s.positions[0][c][0] /= 2, s.positions[0][c][1] /= 2;
    scene_draw(&s, &scene, 16, 16, &p);
    check(4, 8, 255, 255, 255);  /* the left edge, x from -0.5 on */
    check(12, 6, 255, 255, 255); /* the right one */
    check(6, 6, 255, 255, 255);  /* the diagonal */
    check(10, 6, 0, 0, 0);
    check(2, 8, 0, 0, 0);
}

TEST(triangles_in_colours_of_their_own)
{
    trilo_scene scene = scene_plain();
    static const uint8_t colors[2][4] = {{255, 0, 0, 255}, {0, 255, 0, 255}};
    const trilo_light light = {.kind = TRILO_LIGHT_KIND_AMBIENT, .color = {255, 255, 255}};
    trilo_error err = {0};
    scene.lights = &light;
    scene.light_count = 1;
    scene.show = TRILO_SHOW_FACE_COLORS;
    scene_make(&s, 1);
    trilo_renderer *renderer = trilo_renderer_new(&s.model, NULL, NULL, &err);
    CHECK(renderer);
    trilo_renderer_set_face_colors(renderer, 0, colors);
    trilo_renderer_set_face_colors(renderer, 5, colors); /* no such mesh: nothing happens */
    p.width = p.height = 8;
    CHECK(trilo_renderer_draw(renderer, &scene, 8, 8, p.pixels, &err));
    trilo_renderer_free(renderer);
    CHECK(scene_at(&p, 1, 6)[0] > 240 && scene_at(&p, 1, 6)[1] == 0); /* below the diagonal */
    CHECK(scene_at(&p, 6, 1)[1] > 240 && scene_at(&p, 6, 1)[0] == 0);
}

TEST(texture_space)
{
    trilo_error err = {0};
    const trilo_image *images[1] = {NULL};
    scene_make(&s, 1);
    images[0] = &s.image;
    s.materials[0].texture = 0;
    trilo_renderer *renderer = trilo_renderer_new(&s.model, images, NULL, &err);
    CHECK(renderer);
    p.width = p.height = 16;
    CHECK(trilo_renderer_draw_uvs(renderer, 0, 16, 16, p.pixels, &err));
    check(9, 4, 120 * 3 / 4, 60 * 3 / 4, 7 * 3 / 4);
    s.materials[0].texture = TRILO_NONE;
    CHECK(trilo_renderer_draw_uvs(renderer, 0, 16, 16, p.pixels, &err));
    check(9, 4, 48, 48, 60);    /* a plain ground */
    check(0, 7, 255, 255, 255); /* an edge */
    CHECK(!trilo_renderer_draw_uvs(renderer, 1, 16, 16, p.pixels, &err));
    CHECK_INT(err.code, TRILO_CODE_MISUSE);
    CHECK(!trilo_renderer_draw_uvs(renderer, 0, 0, 16, p.pixels, &err));
    trilo_renderer_free(renderer);
}

/* Coordinates from -0.5 to 2.25 across and from 0 to 1.5 down show the textures from -1 to 3 and from 0 to 2: 8 pixels
 * of 32 are one across, 16 one down. The first copy has three quarters of its light, the others one. */
TEST(texture_space_that_repeats)
{
    static float uvs[4][2] = {{-0.5f, 0}, {2.25f, 0}, {2.25f, 1.5f}, {-0.5f, 1.5f}};
    trilo_error err = {0};
    const trilo_image *images[1] = {&s.image};
    scene_make(&s, 1);
    s.materials[0].texture = 0;
    s.meshes[0].uvs = (const float(*)[2])uvs;
    trilo_renderer *renderer = trilo_renderer_new(&s.model, images, NULL, &err);
    CHECK(renderer);
    p.width = p.height = 32;
    CHECK(trilo_renderer_draw_uvs(renderer, 0, 32, 32, p.pixels, &err));
    for (uint32_t i = 0; i < 32 * 32; i++) {
        const uint32_t x = i % 32, y = i / 32;
        const bool first = x >= 8 && x < 16 && y < 16;
        /* edges are at columns 4 and 26, and rows 0 and 24; the diagonal is between */
        const uint8_t *at = scene_at(&p, x, y);
        const bool inside = x >= 4 && x <= 26 && y <= 24, line = at[0] == 255 && at[1] == 255 && at[2] == 255;
        CHECK_INT(at[3], 255);
        if ((x == 4 && y < 24) || (x == 26 && y < 24) || (y == 24 && x > 4 && x < 26) || (y == 0 && x > 4 && x < 26))
            CHECK(line);
        else if (!inside || !line)
            check(x, y, (int)(30 * (x % 8)) * (first ? 3 : 1) / 4, (int)(30 * (y % 16 / 2)) * (first ? 3 : 1) / 4,
                  7 * (first ? 3 : 1) / 4);
    }
    /* What is beyond 16 counts as 16: 32 by 32 copies of one pixel. */
    uvs[0][0] = -1000, uvs[1][0] = 1000, uvs[2][1] = 99, uvs[3][1] = -99;
    CHECK(trilo_renderer_draw_uvs(renderer, 0, 32, 32, p.pixels, &err));
    uint32_t bright = 0;
    for (uint32_t i = 0; i < 32 * 32; i++) /* the middle of a copy is texel 4 of both */
        bright += scene_at(&p, i % 32, i / 32)[0] == 120 * 3 / 4;
    CHECK(bright <= 1);
    CHECK(!trilo_renderer_draw_uvs(renderer, 0, 16385, 1, p.pixels, &err));
    CHECK(!trilo_renderer_draw_uvs(renderer, 0, 1, 16385, p.pixels, &err));
    CHECK(!trilo_renderer_draw_uvs(renderer, 0, 1, 0, p.pixels, &err));
    CHECK(strstr(err.text, "more than 16384 on a side") != NULL);
    CHECK(trilo_renderer_draw_uvs(renderer, TRILO_NONE, 16384, 1, p.pixels, &err));
    check(0, 0, 48, 48, 60); /* no mesh is without a material */
    trilo_renderer_free(renderer);
}

/* A missing texture is dark and magenta by turns of 8, with letters. */
TEST(missing_textures_show)
{
    const trilo_scene scene = scene_plain();
    trilo_error err = {0};
    scene_make(&s, 1);
    s.n64[0].combiner = SCENE_TEX0;
    s.texture.width = s.texture.height = 32;
    s.n64[0].tiles[0].width = s.n64[0].tiles[0].height = 32;
    s.texture.path = (trilo_str){"rom:/ill.sprite", 15};
    trilo_renderer *renderer = trilo_renderer_new(&s.model, NULL, NULL, &err);
    CHECK(renderer);
    p.width = p.height = 32;
    CHECK(trilo_renderer_draw(renderer, &scene, 32, 32, p.pixels, &err));
    trilo_renderer_free(renderer);
    check(20, 20, 200, 0, 160);
    check(28, 20, 40, 40, 40);
    check(2, 1, 255, 255, 255); /* the i of ill */
    check(2, 5, 255, 255, 255);
    check(5, 2, 255, 255, 255); /* an l */
    check(6, 2, 200, 0, 160);
}

/* ---- what cannot be drawn ---- */

TEST(positions_that_are_no_numbers)
{
    const trilo_scene scene = scene_plain();
    scene_make(&s, 2);
    s.positions[0][0][0] = NAN;      /* in both triangles */
    s.positions[1][3][1] = INFINITY; /* in the second one */
    scene_draw(&s, &scene, 8, 8, &p);
    check(6, 1, 0, 0, 0);
    check(1, 6, 255, 255, 255);
    s.positions[1][2][2] = -3e38f;
    s.positions[1][1][0] = 3e38f;
    scene_draw(&s, &scene, 8, 8, &p); /* no crash is all that is asked */
    for (int c = 0; c < 4; c++)
        s.normals[1][c][0] = NAN, s.colors[1][c][1] = NAN;
    s.n64[1].combiner = SCENE_TEX0_SHADE;
    s.n64[1].vertex_effect = 1;
    scene_draw(&s, &scene, 8, 8, &p);
}

static trilo_code refused(const trilo_scene *scene, uint32_t width, uint32_t height, const trilo_memory *memory)
{
    trilo_error err = {0};
    scene_make(&s, 1);
    trilo_renderer *renderer = trilo_renderer_new(&s.model, NULL, memory, &err);
    CHECK(renderer);
    CHECK(!trilo_renderer_draw(renderer, scene, width, height, p.pixels, &err));
    trilo_renderer_free(renderer);
    CHECK(err.text[0] != 0);
    return err.code;
}

TEST(sizes_that_cannot_be)
{
    trilo_scene scene = scene_plain();
    const trilo_memory little = {.max_bytes = 1 << 20};
    CHECK_INT(refused(NULL, 0, 8, NULL), TRILO_CODE_MISUSE);
    CHECK_INT(refused(NULL, 8, 0, NULL), TRILO_CODE_MISUSE);
    CHECK_INT(refused(NULL, UINT32_MAX, UINT32_MAX, NULL), TRILO_CODE_LIMIT);
    CHECK_INT(refused(NULL, 65535, 1, NULL), TRILO_CODE_LIMIT);
    CHECK_INT(refused(&scene, 1000, 1000, &little), TRILO_CODE_NO_MEMORY);
    scene.samples = 9;
    CHECK_INT(refused(&scene, 8, 8, NULL), TRILO_CODE_MISUSE);
    scene.samples = 8;
    CHECK_INT(refused(&scene, 2049, 8, NULL), TRILO_CODE_LIMIT);
    scene.guard = 1;
    CHECK_INT(refused(&scene, 8, 8, NULL), TRILO_CODE_MISUSE);
}

TEST(broken_models_are_refused)
{
    trilo_error err = {0};
    static const uint32_t outside[3] = {0, 1, 4};
    scene_make(&s, 1);
    s.meshes[0].indices = outside;
    s.meshes[0].index_count = 3;
    CHECK(!trilo_renderer_new(&s.model, NULL, NULL, &err));
    CHECK_STR(err.rule, "MODEL-INDEX");
}

TEST_MAIN(CASE(a_floor_is_cut_at_the_camera), CASE(textures_go_with_perspective), CASE(a_framed_model_is_seen_whole),
          CASE(a_camera_can_be_a_matrix), CASE(spherical_coordinates_come_from_normals),
          CASE(cel_shading_goes_by_light), CASE(outlines_move_along_normals), CASE(a_material_of_no_console),
          CASE(a_mesh_without_anything), CASE(edges_are_drawn), CASE(triangles_in_colours_of_their_own),
          CASE(texture_space), CASE(texture_space_that_repeats), CASE(missing_textures_show),
          CASE(positions_that_are_no_numbers), CASE(sizes_that_cannot_be), CASE(broken_models_are_refused))
