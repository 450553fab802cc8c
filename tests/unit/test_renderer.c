/* What a renderer keeps of a model: images, emission, colours, normals, bounds, mipmaps; and how meshes are drawn that
 * are no triangles, have fog or colours of their own, or lie in layers. */
#include "harness.h"
#include "raster/renderer.h"
#include "support/numbers.h"
#include "support/render_scene.h"

#include <math.h>
#include <string.h>

static scene_model s;
static scene_picture p;

static trilo_renderer *renderer_of(const trilo_image *const *images)
{
    trilo_error err;
    trilo_renderer *renderer = trilo_renderer_new(&s.model, images, NULL, &err);
    if (!renderer)
        FAIL("%s", err.text);
    return renderer;
}

static void check(uint32_t x, uint32_t y, int r, int g, int b)
{
    const uint8_t *at = scene_at(&p, x, y);
    if (at[0] != r || at[1] != g || at[2] != b)
        FAIL("pixel %u, %u is %d %d %d, not %d %d %d", x, y, at[0], at[1], at[2], r, g, b);
}

/* ---- images ---- */

/* A texture without an image is a checkerboard of its size, or 32 by 32, with the file's name, or else its own. */
TEST(missing_textures_have_their_names)
{
    static const struct {
        const char *path, *name, *label;
        uint32_t width, height;
    } rows[] = {{"rom:/ill.sprite", "other", "ill.sprite", 40, 9},
                {"a/b\\c.png", "", "c.png", 0, 9},
                {"a\\b/c", "", "c", 40, 0},
                {"plain", "", "plain", 0, 0},
                {"", "folder/own", "own", 1, 1},
                {"ends/", "x", "", 16, 16}};
    enum { ROWS = sizeof rows / sizeof *rows };
    trilo_texture textures[ROWS];
    scene_make(&s, 1);
    for (int i = 0; i < ROWS; i++)
        textures[i] = (trilo_texture){.path = {rows[i].path, strlen(rows[i].path)},
                                      .name = {rows[i].name, strlen(rows[i].name)},
                                      .width = rows[i].width,
                                      .height = rows[i].height};
    s.model.textures = textures, s.model.texture_count = ROWS;
    trilo_renderer *renderer = renderer_of(NULL);
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    for (int i = 0; i <= ROWS; i++) { /* the last: a texture of the game */
        const trilo_image *got = i < ROWS ? &renderer->textures.images[i] : &renderer->textures.reference;
        const char *label = i < ROWS ? rows[i].label : "by game";
        const uint32_t width = i < ROWS && rows[i].width ? rows[i].width : 32,
                       height = i < ROWS && rows[i].height ? rows[i].height : 32;
        trilo_image want;
        CHECK(tl_checkerboard(&arena, width, height, (trilo_str){label, strlen(label)}, &want));
        CHECK(got->width == width && got->height == height);
        CHECK(memcmp(got->pixels, want.pixels, 4 * (size_t)width * height) == 0);
    }
    const trilo_image *none = &renderer->textures.none;
    CHECK(none->width == 1 && none->height == 1 && memcmp(none->pixels, "\xFF\xFF\xFF\xFF", 4) == 0);
    tl_arena_free(&arena);
    trilo_renderer_free(renderer);
}

/* Up to 16384 texels each way. */
TEST(images_that_count_as_missing)
{
    static const uint8_t pixels[16385][4];
    static const struct {
        trilo_image image;
        bool taken;
    } rows[] = {{{16384, 1, pixels}, true},  {{1, 16384, pixels}, true}, {{16385, 1, pixels}, false},
                {{1, 16385, pixels}, false}, {{0, 1, pixels}, false},    {{1, 0, pixels}, false},
                {{1, 1, NULL}, false},       {{1, 1, pixels}, true}};
    enum { ROWS = sizeof rows / sizeof *rows };
    static const trilo_texture textures[ROWS];
    const trilo_image *images[ROWS];
    scene_make(&s, 1);
    for (int i = 0; i < ROWS; i++)
        images[i] = &rows[i].image;
    s.model.textures = textures, s.model.texture_count = ROWS;
    trilo_renderer *renderer = renderer_of(images);
    for (int i = 0; i < ROWS; i++)
        CHECK_INT(renderer->textures.images[i].pixels == pixels, rows[i].taken);
    /* Mipmaps up to the first that is none; textures that are none have none. */
    for (uint32_t count = 0; count <= ROWS; count++) {
        trilo_renderer_set_mipmaps(renderer, 2, images, count);
        CHECK_INT(renderer->mipmaps[2].count, count < 2 ? count : 2);
        CHECK(renderer->mipmaps[2].images == images && renderer->mipmaps[1].count == 0 &&
              renderer->mipmaps[3].count == 0);
    }
    trilo_renderer_set_mipmaps(renderer, 2, NULL, 5);
    CHECK_INT(renderer->mipmaps[2].count, 0);
    trilo_renderer_set_mipmaps(renderer, ROWS, images, 1);
    trilo_renderer_set_mipmaps(renderer, ROWS - 1, images, 1);
    CHECK_INT(renderer->mipmaps[ROWS - 1].count, 1);
    trilo_renderer_free(renderer);
}

/* The map times the factor as a display colour, rounded; opaque. 0.2 by the power 1 / 2.2 is 123 of 255. */
TEST(emissive_maps_are_multiplied)
{
    trilo_pbr pbr[3] = {{.emissive = {1, 0.2f, 0}}, {.emissive = {1, 1, 1}}, {.emissive = {0, 0, 0}}};
    scene_make(&s, 3);
    for (int i = 0; i < 3; i++) {
        pbr[i].maps[TRILO_MAP_KIND_EMISSIVE] = (trilo_map){.used = i != 1, .texture = 0};
        s.materials[i].pbr = &pbr[i];
    }
    const trilo_image *const images[1] = {&s.image};
    trilo_renderer *renderer = renderer_of(images);
    const trilo_image *made = renderer->textures.emission;
    CHECK(made[0].width == SCENE_SIDE && made[0].height == SCENE_SIDE && !made[1].pixels && !made[2].pixels);
    for (int i = 0; i < SCENE_SIDE * SCENE_SIDE; i++) {
        CHECK_INT(made[0].pixels[i][0], s.texels[i][0]);
        CHECK_INT(made[0].pixels[i][1], (int)floor(s.texels[i][1] * 123 / 255.0 + 0.5));
        CHECK_INT(made[0].pixels[i][2], 0);
        CHECK_INT(made[0].pixels[i][3], 255);
    }
    trilo_renderer_free(renderer);
}

/* ---- meshes ---- */

/* Normals are made for triangles that have neither normals nor colours: the sum of the faces around a vertex, by their
 * areas, made unit length. */
TEST(normals_of_faces)
{
    static const float positions[5][3] = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {0, 0, 4}, {9, 9, 9}};
    static const uint32_t indices[6] = {0, 1, 2, 0, 3, 1};
    /* The first face looks along z, twice its area is 4; the second along y, 8. */
    static const double want[5][3] = {{0, 8, 4}, {0, 8, 4}, {0, 0, 1}, {0, 1, 0}, {0, 0, 0}};
    for (int i = 0; i < 8; i++) {
        const bool normals = i & 1, colors = i & 2, lines = i & 4;
        scene_make(&s, 1);
        s.meshes[0].positions = positions, s.meshes[0].vertex_count = lines ? 4 : 5;
        s.meshes[0].indices = indices;
        s.meshes[0].uvs = NULL;
        float own[5][3] = {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}}, white[5][4];
        for (int k = 0; k < 20; k++)
            white[k / 4][k % 4] = 1;
        s.meshes[0].normals = normals ? (const float(*)[3])own : NULL;
        s.meshes[0].colors = colors ? (const float(*)[4])white : NULL;
        s.meshes[0].topology = lines ? TRILO_TOPOLOGY_LINES : TRILO_TOPOLOGY_TRIANGLES;
        trilo_renderer *renderer = renderer_of(NULL);
        const tl_posed_mesh *posed = &renderer->posed[0];
        CHECK_INT(posed->made_normals, !normals && !colors && !lines);
        CHECK_INT(posed->normals != NULL, normals || posed->made_normals);
        CHECK_INT(posed->colors != NULL, colors);
        CHECK_INT(renderer->vertex_most, s.meshes[0].vertex_count);
        for (int k = 0; posed->made_normals && k < 5; k++) {
            const double length = sqrt(want[k][1] * want[k][1] + want[k][2] * want[k][2]);
            for (int c = 0; c < 3; c++)
                CHECK_NEAR((double)posed->normals[k][c], length > 0 ? want[k][c] / length : 0, k < 4 ? 1e-6 : 1);
        }
        trilo_renderer_free(renderer);
    }
}

/* The same of any triangles, in doubles. */
TEST(normals_of_any_faces)
{
    enum { VERTICES = 7, INDICES = 15 };
    static float positions[VERTICES][3];
    static uint32_t indices[INDICES];
    uint64_t seed = 8;
    for (int round = 0; round < 20; round++) {
        double want[VERTICES][3] = {{0}};
        for (int i = 0; i < VERTICES * 3; i++)
            positions[i / 3][i % 3] = (float)(int)(random_bits(&seed) % 41) / 4 - 5;
        for (int i = 0; i < INDICES; i++)
            indices[i] = (uint32_t)(random_bits(&seed) % VERTICES);
        for (int i = 0; i < INDICES; i += 3) {
            double c[3][3];
            for (int k = 0; k < 9; k++)
                c[k / 3][k % 3] = (double)positions[indices[i + k / 3]][k % 3];
            for (int k = 0; k < 9; k++) {
                const int a = k % 3, x = (a + 1) % 3, y = (a + 2) % 3;
                want[indices[i + k / 3]][a] +=
                    (c[1][x] - c[0][x]) * (c[2][y] - c[0][y]) - (c[1][y] - c[0][y]) * (c[2][x] - c[0][x]);
            }
        }
        scene_make(&s, 1);
        s.meshes[0].positions = (const float(*)[3])positions, s.meshes[0].vertex_count = VERTICES;
        s.meshes[0].indices = indices, s.meshes[0].index_count = INDICES;
        s.meshes[0].uvs = NULL, s.meshes[0].normals = NULL, s.meshes[0].colors = NULL;
        trilo_renderer *renderer = renderer_of(NULL);
        for (int v = 0; v < VERTICES; v++) {
            const double length = sqrt(want[v][0] * want[v][0] + want[v][1] * want[v][1] + want[v][2] * want[v][2]);
            for (int k = 0; length > 0 && k < 3; k++)
                CHECK_NEAR((double)renderer->posed[0].normals[v][k], want[v][k] / length, 1e-5);
        }
        trilo_renderer_free(renderer);
    }
}

/* Rounded to bytes, and cut at both ends. The largest mesh says how much room there is. */
TEST(colors_and_room_of_meshes)
{
    static const float values[8] = {-1, 0, 0.001f, 0.002f, 0.5f, 0.998f, 0.999f, 2};
    static const uint8_t bytes[8] = {0, 0, 0, 1, 128, 254, 255, 255};
    scene_make(&s, 3);
    for (int i = 0; i < 16; i++)
        s.colors[1][i / 4][i % 4] = values[i % 8];
    s.meshes[0].vertex_count = 3, s.meshes[0].index_count = 3;
    s.meshes[2].vertex_count = 3, s.meshes[2].index_count = 3;
    trilo_renderer *renderer = renderer_of(NULL);
    for (int i = 0; i < 16; i++)
        CHECK_INT(renderer->posed[1].colors[i / 4][i % 4], bytes[i % 8]);
    CHECK_INT(renderer->vertex_most, 4);
    trilo_renderer_free(renderer);
}

/* Of all meshes; what is no number counts by its other coordinates. */
TEST(bounds_of_a_pose)
{
    scene_make(&s, 3);
    s.positions[1][2][0] = 7, s.positions[2][3][1] = -8, s.positions[2][0][2] = 9;
    s.positions[0][1][0] = NAN, s.positions[0][1][1] = -2, s.positions[1][0][1] = INFINITY, s.positions[1][0][2] = -4;
    s.positions[2][2][2] = -INFINITY;
    trilo_renderer *renderer = renderer_of(NULL);
    const trilo_bounds b = trilo_renderer_bounds(renderer);
    CHECK(b.min.x == -1 && b.max.x == 7 && b.min.y == -8 && b.max.y == 1 && b.min.z == -4 && b.max.z == 9);
    trilo_renderer_free(renderer);
    s.model.mesh_count = 0;
    renderer = renderer_of(NULL);
    const trilo_bounds none = trilo_renderer_bounds(renderer);
    CHECK(none.min.x > none.max.x && none.min.y > none.max.y && none.min.z > none.max.z);
    trilo_renderer_free(renderer);
}

/* ---- drawing ---- */

static void prim(uint32_t square, uint8_t r, uint8_t g, uint8_t b, uint8_t a)
{
    memcpy(s.n64[square].prim, (const uint8_t[4]){r, g, b, a}, 4);
}

/* Without an order of its own, a model has solid surfaces drawn first, then decals, then what is blended or leaves the
 * depth: here a blended square, a decal and a solid one, all at the same depth. */
TEST(layers_of_a_model)
{
    trilo_scene scene = scene_plain();
    for (int ordered = 0; ordered < 2; ordered++)
        for (int look = 0; look < 2; look++) {
            scene.look = look ? TRILO_LOOK_N64 : TRILO_LOOK_CLEAN;
            scene.console.color_32 = true, scene.dither = TRILO_SWITCH_OFF;
            scene_make(&s, 3);
            s.model.ordered = ordered;
            prim(0, 255, 0, 0, 128), prim(1, 0, 100, 0, 255), prim(2, 0, 0, 200, 255);
            s.n64[0].blender = SCENE_ALPHA;
            s.n64[0].other_mode = s.n64[1].other_mode = 3 << 10;
            scene_draw(&s, &scene, 8, 8, &p);
            if (ordered) /* nothing to lie on yet: only the last is seen */
                check(3, 3, 0, 0, 200);
            else /* 255 * 16 / 32, and 100 * 16 / 32 below it */
                check(3, 3, 127, 50, 0);
        }
}

/* A range that is not told is from near to far: the eye is 5 away, near 1 and far 9, so half of it is fog. */
TEST(fog_from_near_to_far)
{
    trilo_scene scene = scene_plain();
    scene_make(&s, 1);
    s.n64[0].fog = TRILO_N64_FOG_ON;
    prim(0, 100, 100, 100, 255);
    static const float ranges[][2] = {{0, 0}, {1, 9}, {4, 6}, {0, 10}};
    for (int i = 0; i < 4; i++) {
        scene.fog = (trilo_fog){.enabled = true, .begin = ranges[i][0], .end = ranges[i][1], .color = {0, 200, 0}};
        scene_draw(&s, &scene, 4, 4, &p);
        check(1, 2, 100 * 15 >> 5, (100 * 15 + 200 * 17) >> 5, 100 * 15 >> 5);
    }
    scene.fog.enabled = false;
    scene_draw(&s, &scene, 4, 4, &p);
    check(1, 2, 100, 100, 100);
    scene.fog.enabled = true, scene.show = TRILO_SHOW_FACE_COLORS; /* shapes have no fog */
    scene_draw(&s, &scene, 4, 4, &p);
    CHECK(scene_at(&p, 1, 2)[0] == scene_at(&p, 1, 2)[1]);
}

/* Lines have the colour of their first vertex times that of the material, and no light. */
TEST(lines_of_a_mesh)
{
    static const uint32_t indices[4] = {0, 1, 3, 2};
    const trilo_light dark = {.kind = TRILO_LIGHT_KIND_AMBIENT, .color = {1, 1, 1, 255}};
    trilo_scene scene = scene_plain();
    scene.lights = &dark, scene.light_count = 1;
    scene_make(&s, 1);
    s.meshes[0].topology = TRILO_TOPOLOGY_LINES;
    s.meshes[0].indices = indices, s.meshes[0].index_count = 4;
    s.n64[0].combiner = SCENE_SHADE;
    prim(0, 255, 51, 204, 255);
    for (int c = 0; c < 4; c++) {
        s.positions[0][c][0] = c < 2 ? -0.5f + 1.0f / 16 : 0.5f + 1.0f / 16; /* columns 4 and 12 of 16 */
        for (int k = 0; k < 3; k++)
            s.colors[0][c][k] = c == 0 ? 1 : c == 3 ? 0.2f * (float)(k + 1) : 0;
    }
    for (int look = 0; look < 2; look++) {
        scene.look = look ? TRILO_LOOK_N64 : TRILO_LOOK_CLEAN;
        scene.console.color_32 = true;
        scene_draw(&s, &scene, 16, 16, &p);
        for (uint32_t y = 1; y < 15; y++)
            for (uint32_t x = 1; x < 15; x++)
                if (x == 4)
                    check(x, y, 255, 51, 204);
                else if (x == 12)
                    check(x, y, 51, 102 * 51 / 255, 153 * 204 / 255);
                else
                    check(x, y, 0, 0, 0);
    }
}

/* Shapes without colours of their own are grey, 160: (1 - 160) * light + 160, by 160. In full light that is 160, in
 * none 160 * 160 / 256. Culling stays that of the material; a colour for each triangle replaces the grey. */
TEST(shapes_in_grey)
{
    static const uint8_t colors[2][4] = {{255, 0, 0, 255}, {0, 128, 255, 255}};
    trilo_light light = {.kind = TRILO_LIGHT_KIND_AMBIENT};
    trilo_scene scene = scene_plain();
    scene.lights = &light, scene.light_count = 1;
    scene.show = TRILO_SHOW_FACE_COLORS;
    scene.console.color_32 = true, scene.dither = TRILO_SWITCH_OFF;
    scene_make(&s, 1);
    prim(0, 1, 2, 3, 4);
    for (int look = 0; look < 2; look++) {
        scene.look = look ? TRILO_LOOK_N64 : TRILO_LOOK_CLEAN;
        for (int bright = 0; bright < 2; bright++) {
            memset(light.color, bright ? 255 : 0, 3);
            scene_draw(&s, &scene, 8, 8, &p);
            /* 256 - 160 is 96, by 254 and rounded 95, and 160: 255 */
            const int lit = bright ? 255 : 160, grey = (lit * 160 + 128) >> 8;
            check(2, 5, grey, grey, grey);
        }
        trilo_error err;
        trilo_renderer *renderer = renderer_of(NULL);
        trilo_renderer_set_face_colors(renderer, 0, colors);
        p.width = p.height = 8;
        CHECK(trilo_renderer_draw(renderer, &scene, 8, 8, p.pixels, &err));
        check(1, 6, (255 * 255 + 128) >> 8, 0, 0);
        check(6, 1, 0, (255 * 128 + 128) >> 8, (255 * 255 + 128) >> 8);
        scene.show = 0; /* not asked for */
        CHECK(trilo_renderer_draw(renderer, &scene, 8, 8, p.pixels, &err));
        check(1, 6, 1, 2, 3);
        scene.show = TRILO_SHOW_FACE_COLORS;
        trilo_renderer_free(renderer);
        s.n64[0].draw_flags = TRILO_N64_CULL_FRONT;
        scene_draw(&s, &scene, 8, 8, &p);
        check(2, 5, 0, 0, 0);
        s.n64[0].draw_flags = TRILO_N64_DEPTH | TRILO_N64_CULL_BACK;
    }
}

/* A node that mirrors turns fronts into backs; they are drawn as fronts all the same, with normals that are made
 * towards the side that is seen. The first triangle, at the lower left, is at the lower right then. */
TEST(mirrored_meshes)
{
    static const uint8_t colors[2][4] = {{255, 0, 0, 255}, {0, 128, 255, 255}};
    const trilo_light light = {.kind = TRILO_LIGHT_KIND_DIRECTIONAL, .color = {255, 255, 255}, .direction = {0, 0, 1}};
    const trilo_node node = {.parent = TRILO_NONE,
                             .rotation = {0, 0, 0, 1},
                             .scale = {-1, 1, 1},
                             .local = {{-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}}};
    trilo_scene scene = scene_plain();
    scene.lights = &light, scene.light_count = 1;
    scene.console.color_32 = true, scene.dither = TRILO_SWITCH_OFF;
    for (int i = 0; i < 4; i++) {
        const bool mirrored = i % 2;
        trilo_error err;
        scene.look = i / 2 ? TRILO_LOOK_N64 : TRILO_LOOK_CLEAN;
        scene_make(&s, 1);
        s.model.nodes = &node, s.model.node_count = 1;
        s.meshes[0].node = mirrored ? 0 : TRILO_NONE;
        s.meshes[0].normals = NULL, s.meshes[0].colors = NULL;
        s.n64[0].combiner = SCENE_SHADE;
        trilo_renderer *renderer = renderer_of(NULL);
        CHECK_INT(renderer->posed[0].mirrored, mirrored);
        CHECK_NEAR((double)renderer->posed[0].normals[2][2], 1, 1e-6);
        trilo_renderer_set_face_colors(renderer, 0, colors);
        p.width = p.height = 8;
        scene.show = 0;
        CHECK(trilo_renderer_draw(renderer, &scene, 8, 8, p.pixels, &err));
        for (int k = 0; k < 64; k++)
            CHECK(p.pixels[k][0] > 220);
        scene.show = TRILO_SHOW_FACE_COLORS;
        CHECK(trilo_renderer_draw(renderer, &scene, 8, 8, p.pixels, &err));
        const uint8_t *lower = scene_at(&p, mirrored ? 6 : 1, 6), *upper = scene_at(&p, mirrored ? 1 : 6, 1);
        CHECK(lower[0] > 220 && lower[2] == 0 && upper[0] == 0 && upper[2] > 220);
        trilo_renderer_free(renderer);
    }
}

TEST_MAIN(CASE(missing_textures_have_their_names), CASE(images_that_count_as_missing),
          CASE(emissive_maps_are_multiplied), CASE(normals_of_faces), CASE(normals_of_any_faces),
          CASE(colors_and_room_of_meshes), CASE(bounds_of_a_pose), CASE(layers_of_a_model), CASE(fog_from_near_to_far),
          CASE(lines_of_a_mesh), CASE(shapes_in_grey), CASE(mirrored_meshes))
