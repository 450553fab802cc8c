/* Real models: something is seen of each, and what is seen at a pixel is what a ray through it hits. */
#include "harness.h"

#include <trilobite/load.h>
#include <trilobite/n64.h>
#include <trilobite/query.h>
#include <trilobite/render.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 160, HEIGHT = 120 };

static uint8_t pixels[WIDTH * HEIGHT][4];

static const trilo_model *load(const char *name)
{
    trilo_error err = {0};
    const trilo_model *model = trilo_model_load_file(test_corpus(name), NULL, &err);
    if (!model)
        FAIL("%s: %s", name, err.text);
    return model;
}

/* ---- rays ---- */

/* Number n as a colour, five bits of it in each channel, so that a little less light does not change it. */
static void number_color(uint32_t n, uint8_t color[4])
{
    for (int k = 0; k < 3; k++)
        color[k] = (uint8_t)((n >> (5 * k) & 31) * 8 + 4);
    color[3] = 255;
}

static uint32_t color_number(const uint8_t color[4])
{
    return (uint32_t)color[0] / 8 | (uint32_t)color[1] / 8 << 5 | (uint32_t)color[2] / 8 << 10;
}

typedef struct numbers {
    uint8_t (*colors)[4];
    uint32_t *firsts; /* the number of each mesh's first triangle */
} numbers;

static numbers number_all(const trilo_model *model, trilo_renderer *renderer)
{
    uint32_t count = 0;
    numbers n = {NULL, calloc(model->mesh_count, sizeof(uint32_t))};
    for (uint32_t m = 0; m < model->mesh_count; m++)
        count += model->meshes[m].index_count / 3;
    CHECK(count < 1u << 15);
    n.colors = calloc(count, sizeof *n.colors);
    for (uint32_t m = 0, at = 0; m < model->mesh_count; m++) {
        n.firsts[m] = at;
        for (uint32_t t = 0; t < model->meshes[m].index_count / 3; t++, at++)
            number_color(at, n.colors[at]);
        trilo_renderer_set_face_colors(renderer, m, (const uint8_t(*)[4])(n.colors + n.firsts[m]));
    }
    return n;
}

/* Through the middle of a pixel of a camera at `eye` that looks straight along -z, 90 degrees high. */
static trilo_ray ray_of(trilo_vec3 eye, uint32_t x, uint32_t y)
{
    const double across = (x + 0.5 - WIDTH / 2.0) / (HEIGHT / 2.0), down = (y + 0.5 - HEIGHT / 2.0) / (HEIGHT / 2.0);
    return (trilo_ray){.origin = eye, .direction = {(float)across, (float)-down, -1}, .front_only = true};
}

/* Edges may fall on the one or the other side of a pixel's middle, as the screen's grid is 1/16 pixel: that is seldom.
 */
static void compare(const char *name, double part)
{
    static const trilo_light light = {.kind = TRILO_LIGHT_KIND_AMBIENT, .color = {255, 255, 255}};
    trilo_error err = {0};
    const trilo_model *model = load(name);
    trilo_renderer *renderer = trilo_renderer_new(model, NULL, NULL, &err);
    trilo_query *query = trilo_query_new(model, NULL, NULL, &err);
    CHECK(renderer && query);
    const trilo_bounds b = trilo_renderer_bounds(renderer);
    const trilo_vec3 eye = {(b.min.x + b.max.x) / 2, b.min.y + (b.max.y - b.min.y) * 0.7f,
                            b.max.z + (b.max.z - b.min.z) * (float)part};
    const numbers n = number_all(model, renderer);
    const trilo_scene scene = {.view = {.eye = eye, .target = {eye.x, eye.y, eye.z - 1}, .fov = 90},
                               .look = TRILO_LOOK_CLEAN,
                               .samples = 1,
                               .lights = &light,
                               .light_count = 1,
                               .show = TRILO_SHOW_FACE_COLORS};
    CHECK(trilo_renderer_draw(renderer, &scene, WIDTH, HEIGHT, pixels, &err));
    uint32_t hits = 0, same = 0;
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) {
        const trilo_ray ray = ray_of(eye, i % WIDTH, i / WIDTH);
        trilo_hit hit;
        const bool is_hit = trilo_query_ray_cast(query, &ray, &hit);
        hits += is_hit;
        same += is_hit ? pixels[i][3] == 255 && color_number(pixels[i]) == n.firsts[hit.face.mesh] + hit.face.triangle
                       : pixels[i][3] == 0;
    }
    free(n.colors);
    free(n.firsts);
    trilo_query_free(query);
    trilo_renderer_free(renderer);
    trilo_model_free(model);
    CHECK(hits > WIDTH * HEIGHT / 50);
    if (same < WIDTH * HEIGHT * 98 / 100)
        FAIL("%s: %u of %d pixels are what a ray hits", name, same, WIDTH * HEIGHT);
}

TEST(pixels_are_what_rays_hit)
{
    compare("t3dm/17_culling/filesystem/platformer.t3dm", 0.4);
    compare("t3dm/17_culling/filesystem/platformer.t3dm", -0.4); /* amid it: much is behind the eye */
    compare("t3dm/12_uv_gen/filesystem/teapot.t3dm", 0.3);
    compare("t3dm/01_model/filesystem/model.t3dm", 1);
}

/* ---- all of them ---- */

static uint32_t seen(const trilo_model *model, const trilo_look look)
{
    trilo_error err = {0};
    trilo_renderer *renderer = trilo_renderer_new(model, NULL, NULL, &err);
    CHECK(renderer);
    const trilo_bounds bounds = trilo_renderer_bounds(renderer);
    trilo_scene scene = {.look = look};
    scene.view = trilo_view_frame(&bounds, 30, 20, 0, (double)WIDTH / HEIGHT);
    CHECK(trilo_renderer_draw(renderer, &scene, WIDTH, HEIGHT, pixels, &err));
    trilo_renderer_free(renderer);
    uint32_t count = 0;
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++)
        count += pixels[i][3] != 0;
    return count;
}

TEST(something_is_seen_of_every_kind)
{
    static const char *const names[] = {"t3dm/09_anim_viewer/filesystem/cath.t3dm",
                                        "t3dm/21_fresnel/filesystem/glass.t3dm",
                                        "t3dm/12_uv_gen/filesystem/can.t3dm",
                                        "t3dm-versions/v1/snake.t3dm",
                                        "nlm/trotting_cat.nlm",
                                        "nlm/wire_cube.nlm",
                                        "model64/fairy2.model",
                                        "model64/g_Fox.model",
                                        "gltf/CesiumMan/CesiumMan.glb",
                                        "gltf/NegativeScaleTest/NegativeScaleTest.glb"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const trilo_model *model = load(names[i]);
        const uint32_t n64 = seen(model, TRILO_LOOK_N64), clean = seen(model, TRILO_LOOK_CLEAN);
        trilo_model_free(model);
        if (n64 < 200 || clean + clean / 10 < n64) /* the console draws a pixel with any of 8 samples in it */
            FAIL("%s: %u and %u pixels", names[i], n64, clean);
    }
}

/* A clip moves the picture; the rest pose brings it back. */
TEST(poses_are_taken_over)
{
    trilo_error err = {0};
    const trilo_model *model = load("t3dm/09_anim_viewer/filesystem/cath.t3dm");
    trilo_renderer *renderer = trilo_renderer_new(model, NULL, NULL, &err);
    trilo_player *player = trilo_player_new(model, NULL, &err);
    CHECK(renderer && player);
    const trilo_bounds rest = trilo_renderer_bounds(renderer), own = trilo_model_bounds(model);
    CHECK_NEAR(rest.max.y, own.max.y, 1);
    CHECK_NEAR(rest.min.x, own.min.x, 1);
    trilo_player_play(player, 0, 0, NULL);
    trilo_player_advance(player, 0.3);
    trilo_renderer_pose(renderer, player);
    const trilo_bounds moved = trilo_renderer_bounds(renderer), played = trilo_player_bounds(player);
    CHECK(memcmp(&moved, &played, sizeof moved) == 0);
    CHECK(memcmp(&moved, &rest, sizeof moved) != 0);
    trilo_renderer_pose(renderer, NULL);
    const trilo_bounds again = trilo_renderer_bounds(renderer);
    CHECK(memcmp(&again, &rest, sizeof again) == 0);
    trilo_renderer_free(renderer);
    trilo_player_free(player);
    trilo_model_free(model);
}

TEST_MAIN(CASE(pixels_are_what_rays_hit), CASE(something_is_seen_of_every_kind), CASE(poses_are_taken_over))
