/* Whole pictures by their hash: the same on every machine, whatever its byte order. They were looked at when the hashes
 * were taken; some pixels of each are worked out by hand here. */
#include "harness.h"
#include "support/render_scene.h"

#include <string.h>

static scene_model s;
static scene_picture p;

enum { WIDTH = 96, HEIGHT = 72 };

static void check(uint32_t x, uint32_t y, int r, int g, int b)
{
    const uint8_t *at = scene_at(&p, x, y);
    if (at[0] != r || at[1] != g || at[2] != b)
        FAIL("pixel %u, %u is %d %d %d, not %d %d %d", x, y, at[0], at[1], at[2], r, g, b);
}

static void place(uint32_t square, const float at[4][3])
{
    memcpy(s.positions[square], at, sizeof s.positions[square]);
}

/* A floor of repeated texture that goes behind the eye, a wall in the light, a fence of cut-out texture and a pane of
 * glass in front of the sky. */
static void yard_make(void)
{
    static const float ground[4][3] = {{-9, -1, -12}, {-9, -1, 4}, {9, -1, 4}, {9, -1, -12}};
    static const float wall[4][3] = {{-2.5f, 2, -6}, {-2.5f, -1, -4}, {0.5f, -1, -5}, {0.5f, 2, -7}};
    static const float fence[4][3] = {{0, 0, -3}, {0, -1, -3}, {2, -1, -3.5f}, {2, 0, -3.5f}};
    static const float glass[4][3] = {{0.6f, 1.3f, -2}, {0.6f, -0.2f, -2}, {1.2f, -0.2f, -2}, {1.2f, 1.3f, -2}};
    scene_make(&s, 4);
    place(0, ground);
    place(1, wall);
    place(2, fence);
    place(3, glass);
    for (uint32_t i = 0; i < 3; i++) {
        s.n64[i].combiner = SCENE_TEX0_SHADE;
        s.n64[i].other_mode = UINT64_C(2) << 44;
    }
    for (int c = 0; c < 4; c++) {
        s.normals[0][c][1] = 1, s.normals[0][c][2] = 0;
        s.colors[0][c][2] = 0.5f;
        s.colors[1][c][c % 3] = 0.25f;
    }
    s.n64[0].tiles[0].s.shift = s.n64[0].tiles[0].t.shift = -2;
    s.n64[0].fog = 2;
    s.n64[1].tiles[0].s.mirror = true;
    s.n64[1].tiles[0].s.shift = -1;
    s.n64[1].other_mode = UINT64_C(3) << 44;
    s.n64[1].fog = 1;
    s.n64[2].combiner = SCENE_TEX0;
    s.n64[2].other_mode |= 1;
    s.n64[2].draw_flags = TRILO_N64_DEPTH;
    s.n64[3].blender = SCENE_ALPHA;
    s.n64[3].prim[0] = 200, s.n64[3].prim[1] = 40, s.n64[3].prim[2] = 40, s.n64[3].prim[3] = 128;
}

static trilo_scene yard_scene(const trilo_light *lights, uint32_t count)
{
    return (trilo_scene){
        .view = {.eye = {0, 0.2f, 1}, .target = {0.2f, 0.1f, -4}, .fov = 60, .near_at = 0.25f, .far_at = 20},
        .background = {40, 80, 120, 255},
        .lights = lights,
        .light_count = count,
        .fog = {.enabled = true, .begin = 4, .end = 14, .color = {40, 80, 120}}};
}

static const trilo_light lights[3] = {
    {.kind = TRILO_LIGHT_KIND_AMBIENT, .color = {90, 90, 100}},
    {.kind = TRILO_LIGHT_KIND_DIRECTIONAL, .color = {200, 190, 150}, .direction = {1, 2, 2}},
    {.kind = TRILO_LIGHT_KIND_POINT, .color = {0, 0, 255}, .position = {-1, 0, -4}, .size = 0.5f},
};

/* The sky: five bits of 40, 80, 120, with the upper three again below them. Glass in front of it: alpha 128 and up to 7
 * of dither is 16 of 31, and 15 + 1 of the rest: (200 + 40) / 2, (40 + 80) / 2 and (40 + 120) / 2 are 120, 60 and 80;
 * 60 becomes 56 or 64 by the square, whose threshold is 5 at column 2 and row 1, and 1 at 2, 0. */
TEST(a_yard_as_the_console_shows_it)
{
    trilo_scene scene = yard_scene(lights, 3);
    yard_make();
    scene_draw(&s, &scene, WIDTH, HEIGHT, &p);
    check(3, 3, 41, 82, 123);
    check(90, 10, 41, 82, 123);
    check(62, 13, 123, 56 | 56 >> 5, 82);
    check(62, 12, 123, 64 | 64 >> 5, 82);
    CHECK_INT(scene_hash(&p), 0xd2585fd7);
}

/* The same sky and glass in eight bits, with nothing lost. */
TEST(a_yard_in_clean_pixels)
{
    trilo_scene scene = yard_scene(lights, 3);
    yard_make();
    scene.look = TRILO_LOOK_CLEAN;
    scene.samples = 3;
    scene_draw(&s, &scene, WIDTH, HEIGHT, &p);
    check(3, 3, 40, 80, 120);
    check(62, 13, 120, 60, 80);
    CHECK_INT(scene_hash(&p), 0x04c015d6);
}

/* Lines over all of it, in five bits. */
TEST(a_yard_in_lines)
{
    trilo_scene scene = yard_scene(lights, 3);
    yard_make();
    scene.show = TRILO_SHOW_WIREFRAME | TRILO_SHOW_NORMALS;
    scene_draw(&s, &scene, WIDTH, HEIGHT, &p);
    check(3, 3, 41, 82, 123);
    CHECK_INT(scene_hash(&p), 0x23078fed);
}

TEST_MAIN(CASE(a_yard_as_the_console_shows_it), CASE(a_yard_in_clean_pixels), CASE(a_yard_in_lines))
