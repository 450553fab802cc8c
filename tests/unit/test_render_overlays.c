/* Lines over pictures: whole pictures of edges, normals, boxes and bones against lines drawn plainly, and where the
 * console has them. */
#include "harness.h"
#include "raster/renderer.h"
#include "support/numbers.h"
#include "support/render_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 64 };

static scene_model s;
static scene_picture p;
static uint8_t want[SIDE * SIDE][4];

/* The middle of a pixel, of 32 for a unit. */
static float at_x(int x)
{
    return ((float)x + 0.5f) / 32 - 1;
}

static float at_y(int y)
{
    return 1 - ((float)y + 0.5f) / 32;
}

static void put(float to[3], int x, int y, float z)
{
    to[0] = at_x(x), to[1] = at_y(y), to[2] = z;
}

/* Level, upright or at 45 degrees. */
static void line(int x, int y, int to_x, int to_y, const uint8_t color[3])
{
    const int steps = abs(to_x - x) > abs(to_y - y) ? abs(to_x - x) : abs(to_y - y);
    for (int i = 0; i <= steps; i++) {
        const int at = (y + (steps ? (to_y - y) * i / steps : 0)) * SIDE + x + (steps ? (to_x - x) * i / steps : 0);
        memcpy(want[at], color, 3);
    }
}

static void clear(void)
{
    for (int i = 0; i < SIDE * SIDE; i++)
        memcpy(want[i], (const uint8_t[4]){0, 0, 0, 255}, 4);
}

static void compare(const char *what)
{
    for (int i = 0; i < SIDE * SIDE; i++)
        if (memcmp(p.pixels[i], want[i], 4) != 0)
            FAIL("%s: pixel %d, %d is %d %d %d, not %d %d %d", what, i % SIDE, i / SIDE, p.pixels[i][0], p.pixels[i][1],
                 p.pixels[i][2], want[i][0], want[i][1], want[i][2]);
}

/* Two triangles of one mesh, and two lines of another, which share no vertex. */
static void make_meshes(void)
{
    static const int corners[2][4][2] = {{{10, 10}, {10, 30}, {30, 30}, {30, 10}},
                                         {{40, 20}, {50, 20}, {60, 40}, {60, 55}}};
    static const uint32_t triangles[6] = {2, 1, 0, 3, 0, 2}, lines[4] = {1, 0, 3, 2};
    scene_make(&s, 2);
    for (int m = 0; m < 2; m++)
        for (int c = 0; c < 4; c++)
            put(s.positions[m][c], corners[m][c][0], corners[m][c][1], 0);
    s.meshes[0].indices = triangles;
    s.meshes[1].indices = lines, s.meshes[1].index_count = 4;
    s.meshes[1].topology = TRILO_TOPOLOGY_LINES;
}

TEST(edges_of_triangles_and_lines)
{
    static const uint8_t white[3] = {255, 255, 255};
    trilo_scene scene = scene_plain();
    make_meshes();
    scene.show = TRILO_SHOW_WIREFRAME | TRILO_SHOW_NO_FACES;
    scene_draw(&s, &scene, SIDE, SIDE, &p);
    clear();
    line(10, 10, 10, 30, white);
    line(10, 30, 30, 30, white);
    line(30, 30, 10, 10, white);
    line(30, 10, 10, 10, white);
    line(30, 10, 30, 30, white);
    line(40, 20, 50, 20, white);
    line(60, 40, 60, 55, white);
    compare("edges");
    s.meshes[0].index_count = 5; /* no whole triangle is left of the second, and no line of one index */
    s.meshes[1].index_count = 3;
    trilo_error err;
    if (trilo_renderer_new(&s.model, NULL, NULL, &err))
        FAIL("a model with a part of a triangle is drawn");
}

/* The box of both meshes is 50 by 45 pixels: its diagonal is 67.3, so normals, a fiftieth of it, are 1.35 long. Their
 * own length counts. A mesh without normals has none. */
TEST(normals_of_every_vertex)
{
    static const uint8_t color[3] = {80, 200, 255};
    trilo_scene scene = scene_plain();
    make_meshes();
    for (int m = 0; m < 2; m++)
        for (int c = 0; c < 4; c++) {
            memset(s.normals[m][c], 0, sizeof s.normals[m][c]);
            s.normals[m][c][(m + c) % 2] = c < 2 ? 6 : -6; /* 8.08 pixels */
        }
    scene.show = TRILO_SHOW_NORMALS | TRILO_SHOW_NO_FACES;
    scene_draw(&s, &scene, SIDE, SIDE, &p);
    static const int corners[2][4][2] = {{{10, 10}, {10, 30}, {30, 30}, {30, 10}},
                                         {{40, 20}, {50, 20}, {60, 40}, {60, 55}}};
    for (int m = 0; m < 2; m++) {
        clear();
        for (int i = 0; i < (m ? 4 : 8); i++) {
            const int x = corners[i / 4][i % 4][0], y = corners[i / 4][i % 4][1], by = i % 4 < 2 ? 8 : -8;
            const bool upright = (i / 4 + i % 4) % 2;
            line(x, y, upright ? x : x + by, upright ? y - by : y, color);
        }
        compare(m ? "of one mesh" : "normals");
        s.meshes[1].normals = NULL;
        scene_draw(&s, &scene, SIDE, SIDE, &p);
    }
}

static trilo_node node_at(uint32_t parent, float x, float y)
{
    return (trilo_node){.parent = parent,
                        .rotation = {0, 0, 0, 1},
                        .scale = {1, 1, 1},
                        .translation = {x, y, 0},
                        .local = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, 0, 1}}};
}

/* Bones from parent to child, and a cross of a hundredth of the diagonal each way at every joint: 67.3 pixels times 3,
 * so 2.02. Boxes of a tree below them. */
TEST(bones_and_boxes)
{
    static const uint8_t bone[3] = {255, 220, 60}, joint[3] = {255, 90, 60}, inner[3] = {80, 120, 255},
                         leaf[3] = {90, 230, 90};
    static const int joints[4][2] = {{12, 50}, {32, 50}, {32, 20}, {50, 2 + 10}};
    trilo_scene scene = scene_plain();
    make_meshes();
    for (int m = 0; m < 2; m++) /* three times as large */
        for (int c = 0; c < 4; c++)
            for (int k = 0; k < 2; k++)
                s.positions[m][c][k] *= 3;
    const trilo_node nodes[4] = {node_at(TRILO_NONE, at_x(12), at_y(50)), node_at(0, 20.0f / 32, 0),
                                 node_at(1, 0, 30.0f / 32), node_at(TRILO_NONE, at_x(50), at_y(12))};
    trilo_bvh_node boxes[3] = {{.count = 0}, {.count = 1}, {.count = 3}};
    static const int corners[3][4] = {{5, 60, 58, 4}, {8, 40, 20, 33}, {22, 40, 44, 8}}; /* left, lower, right, upper */
    for (int i = 0; i < 3; i++)
        boxes[i].bounds = (trilo_bounds){{at_x(corners[i][0]), at_y(corners[i][1]), -1},
                                         {at_x(corners[i][2]), at_y(corners[i][3]), 1}};
    const trilo_bvh bvh = {.node_count = 3, .nodes = boxes};
    s.model.nodes = nodes, s.model.node_count = 4, s.model.bvh = &bvh;
    scene.show = TRILO_SHOW_BONES | TRILO_SHOW_BVH | TRILO_SHOW_NO_FACES;
    scene_draw(&s, &scene, SIDE, SIDE, &p);
    clear();
    for (int i = 0; i < 3; i++) {
        const int *c = corners[i];
        const uint8_t *color = i ? leaf : inner;
        line(c[0], c[1], c[2], c[1], color);
        line(c[0], c[3], c[2], c[3], color);
        line(c[0], c[1], c[0], c[3], color);
        line(c[2], c[1], c[2], c[3], color);
    }
    for (int i = 0; i < 4; i++) {
        const int x = joints[i][0], y = joints[i][1];
        if (i == 1 || i == 2)
            line(joints[i - 1][0], joints[i - 1][1], x, y, bone);
        line(x - 2, y, x + 2, y, joint);
        line(x, y - 2, x, y + 2, joint);
    }
    compare("bones");
}

/* From the side, z to the right: the cross of a joint has a third line. */
TEST(joints_from_the_side)
{
    static const uint8_t joint[3] = {255, 90, 60}, bone[3] = {255, 220, 60};
    trilo_scene scene = scene_plain();
    make_meshes();
    for (int m = 0; m < 2; m++)
        for (int c = 0; c < 4; c++)
            for (int k = 0; k < 2; k++)
                s.positions[m][c][k] *= 3;
    trilo_node nodes[2] = {node_at(TRILO_NONE, 0.25f, at_y(40)), node_at(0, 0, 20.0f / 32)};
    nodes[0].local.m[14] = nodes[0].translation.z = at_x(20);
    nodes[1].local.m[14] = nodes[1].translation.z = 20.0f / 32;
    s.model.nodes = nodes, s.model.node_count = 2;
    scene.view.use_matrix = true;
    scene.view.matrix = (trilo_mat4){{0, 0, -1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, -5, 1}};
    scene.show = TRILO_SHOW_BONES | TRILO_SHOW_NO_FACES;
    scene_draw(&s, &scene, SIDE, SIDE, &p);
    clear();
    for (int i = 0; i < 2; i++) {
        const int x = 20 + 20 * i, y = 40 - 20 * i;
        if (i)
            line(20, 40, x, y, bone);
        line(x - 2, y, x + 2, y, joint);
        line(x, y - 2, x, y + 2, joint);
    }
    compare("joints");
}

/* Edges and normals behind a surface are hidden by it, bones and boxes are not. */
TEST(what_is_drawn_over_surfaces)
{
    static const uint8_t grey[3] = {40, 40, 40};
    static const struct {
        uint32_t show;
        bool hidden;
    } rows[] = {
        {TRILO_SHOW_WIREFRAME, true}, {TRILO_SHOW_NORMALS, true}, {TRILO_SHOW_BONES, false}, {TRILO_SHOW_BVH, false}};
    const trilo_bvh_node box = {.bounds = {{-0.5f, -0.5f, -1}, {0.5f, 0.5f, -1}}, .count = 1};
    const trilo_bvh bvh = {.node_count = 1, .nodes = &box};
    const trilo_node node = node_at(TRILO_NONE, 0, 0);
    scene_make(&s, 2);
    s.model.nodes = &node, s.model.node_count = 1, s.model.bvh = &bvh;
    for (int c = 0; c < 4; c++) { /* a smaller square behind one that fills the picture */
        s.positions[0][c][0] /= 2, s.positions[0][c][1] /= 2, s.positions[0][c][2] = -1;
        s.normals[0][c][2] = -1;
        s.normals[1][c][2] = -1;
    }
    memset(s.n64[1].prim, 40, 3);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        trilo_scene scene = scene_plain();
        scene.show = rows[i].show;
        scene_draw(&s, &scene, SIDE, SIDE, &p);
        int others = 0;
        for (int k = 0; k < SIDE * SIDE; k++) {
            const int x = k % SIDE, y = k / SIDE;
            others += x > 4 && x < SIDE - 5 && y > 4 && y < SIDE - 5 && abs(x - y) > 2 && abs(x + y - SIDE) > 2 &&
                      memcmp(p.pixels[k], grey, 3) != 0;
        }
        if (rows[i].show != TRILO_SHOW_BONES) /* whose cross is in the middle */
            CHECK_INT(others == 0, rows[i].hidden);
        else
            CHECK(memcmp(scene_at(&p, SIDE / 2, SIDE / 2), grey, 3) != 0);
    }
}

/* A corner of a line is where the console has a vertex at that point: its quarter of a pixel, and 18 bits of depth. */
TEST(lines_are_where_the_console_draws)
{
    enum { WIDTH = 320, HEIGHT = 240 };
    uint64_t seed = 61;
    for (int round = 0; round < 300; round++) {
        tl_frame f = {.console = true};
        const trilo_scene scene = {.look = TRILO_LOOK_N64};
        const float turn = (float)(random_bits(&seed) % 628) / 100;
        f.camera = (tl_camera){.rotation = {cosf(turn), 0, -sinf(turn), 0, 1, 0, sinf(turn), 0, cosf(turn)},
                               .translation = {1, -2, -300},
                               .scale_x = round % 3 ? 1.5f : 0.01f,
                               .scale_y = round % 3 ? 2 : 0.0125f,
                               .near = 100,
                               .far = 700,
                               .model_scale = 1,
                               .orthographic = round % 3 == 0};
        f.screen = tl_screen_of(WIDTH, HEIGHT);
        f.view = tl_console_view_of(&f.camera, &scene, WIDTH, HEIGHT);
        float point[3], view[3];
        for (int k = 0; k < 3; k++)
            point[k] = (float)(random_bits(&seed) % 1000) / 10 - 50;
        tl_vertex v = {.s = 0};
        tl_console_vertex c;
        tl_camera_view(&f.camera, point, view);
        tl_camera_project(&f.camera, view, &v);
        tl_console_vertices_transform_any(&f.view, (const float(*)[3])point, 1, &c);
        const tl_corner corner = tl_frame_corner(&f, &v);
        CHECK_NEAR((double)corner.x * 4, c.screen_x + 0.5, 2);
        CHECK_NEAR((double)corner.y * 4, c.screen_y + 0.5, 2);
        CHECK_NEAR((double)corner.z, 8 * c.depth, round % 3 ? 120 : 16);
        f.console = false;
        const tl_corner plain = tl_frame_corner(&f, &v), same = tl_vertex_corner(&f.screen, &v);
        CHECK(memcmp(&plain, &same, sizeof same) == 0);
    }
}

TEST_MAIN(CASE(edges_of_triangles_and_lines), CASE(normals_of_every_vertex), CASE(bones_and_boxes),
          CASE(joints_from_the_side), CASE(what_is_drawn_over_surfaces), CASE(lines_are_where_the_console_draws))
