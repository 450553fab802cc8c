/* Vertices of a pose: dual quaternions, frames, boxes. */
#include "harness.h"
#include "trilobite/load.h"
#include "trilobite/player.h"

#include <math.h>
#include <string.h>

#define HALF 0.70710678118654752f
#define IDENTITY                                                                                                       \
    {                                                                                                                  \
        1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1                                                                 \
    }

static const trilo_mat4 identity = {IDENTITY};

static void check_vector(const float got[3], double x, double y, double z, double within)
{
    CHECK_NEAR(got[0], x, within);
    CHECK_NEAR(got[1], y, within);
    CHECK_NEAR(got[2], z, within);
}

static void check_point(trilo_vec3 got, double x, double y, double z, double within)
{
    check_vector((const float[3]){got.x, got.y, got.z}, x, y, z, within);
}

/* ---- skinning ---- */

enum { VERTICES = 3 };

/* A model of one mesh on one skin; the joints are whatever the matrices say. */
typedef struct sleeve {
    float positions[VERTICES][3], normals[VERTICES][3], weights[VERTICES][4];
    uint16_t joints[VERTICES][4];
    trilo_mesh mesh;
    trilo_model model;
} sleeve;

static const sleeve *sleeve_of(sleeve *s)
{
    s->mesh = (trilo_mesh){.material = TRILO_NONE, .node = TRILO_NONE, .vertex_count = VERTICES};
    s->mesh.positions = (const float(*)[3])s->positions;
    s->mesh.normals = (const float(*)[3])s->normals;
    s->mesh.joints = (const uint16_t(*)[4])s->joints;
    s->mesh.weights = (const float(*)[4])s->weights;
    s->model = (trilo_model){.mesh_count = 1, .meshes = &s->mesh};
    return s;
}

static void skin_both(const sleeve *s, const trilo_mat4 *matrices, uint32_t count, float (*straight)[3],
                      float (*dual)[3], float (*normals)[3])
{
    trilo_dual_quaternion duals[4];
    CHECK(count <= 4);
    trilo_pose_dual_quaternions(matrices, count, duals);
    trilo_pose_vertices(&s->model, 0, NULL, matrices, s->mesh.positions, s->mesh.normals, straight, NULL);
    trilo_pose_vertices_dual_quaternion(&s->model, 0, NULL, duals, s->mesh.positions, s->mesh.normals, dual, normals);
}

/* Joint 1 is twisted by 90 degrees about x. Halfway, a vertex at y = 1 is a mean of (0, 1, 0) and (0, 0, 1): at a
 * distance of 0.707 with matrices, still of 1 with dual quaternions, turned by 45 degrees. Its normal turns along. */
TEST(a_twist_keeps_its_volume)
{
    static const trilo_mat4 matrices[2] = {{IDENTITY}, {{1, 0, 0, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1}}};
    sleeve s = {.positions = {{0, 1, 0}, {2, 1, 0}, {3, 0, 2}},
                .normals = {{0, 1, 0}, {0, 1, 0}, {0, 0, 1}},
                .weights = {{0.5f, 0.5f}, {0, 1}, {0}},
                .joints = {{0, 1}, {9, 1}, {9}}};
    float straight[VERTICES][3], dual[VERTICES][3], normals[VERTICES][3];
    skin_both(sleeve_of(&s), matrices, 2, straight, dual, normals);
    check_vector(straight[0], 0, 0.5, 0.5, 1e-6);
    check_vector(dual[0], 0, 0.70710678, 0.70710678, 1e-6);
    check_vector(normals[0], 0, 0.70710678, 0.70710678, 1e-6);
    check_vector(dual[1], 2, 0, 1, 1e-6); /* one joint alone: as ever */
    check_vector(dual[2], 3, 0, 2, 0);    /* none: it stays */
}

/* Joint 0 turns by 90 degrees about z and moves by 10, 20, 30; joint 1 does the same with the other sign of its
 * quaternion's matrix, which is the same matrix: halfway between equals is the same. */
TEST(equal_joints_are_one)
{
    static const trilo_mat4 m = {{0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 10, 20, 30, 1}};
    const trilo_mat4 matrices[2] = {m, m};
    sleeve s = {.positions = {{1, 2, 3}}, .weights = {{0.25f, 0.75f}}, .joints = {{0, 1}}};
    float straight[VERTICES][3], dual[VERTICES][3], normals[VERTICES][3];
    skin_both(sleeve_of(&s), matrices, 2, straight, dual, normals);
    check_vector(straight[0], 10 - 2, 20 + 1, 33, 1e-5);
    check_vector(dual[0], 10 - 2, 20 + 1, 33, 1e-5);
}

/* -135 and 135 degrees about z are 90 apart the short way: halfway is 180, not 0. */
TEST(the_shorter_arc)
{
    trilo_mat4 matrices[2] = {identity, identity};
    for (int i = 0; i < 2; i++) {
        const float sine = i == 0 ? -HALF : HALF;
        matrices[i].m[0] = matrices[i].m[5] = -HALF;
        matrices[i].m[1] = sine;
        matrices[i].m[4] = -sine;
    }
    sleeve s = {.positions = {{1, 0, 0}}, .weights = {{0.5f, 0.5f}}, .joints = {{0, 1}}};
    float straight[VERTICES][3], dual[VERTICES][3], normals[VERTICES][3];
    skin_both(sleeve_of(&s), matrices, 2, straight, dual, normals);
    check_vector(dual[0], -1, 0, 0, 1e-6);
}

/* Matrices that stretch, shear or mirror: a vertex of one joint goes where the matrix sends it. */
TEST(a_stretch_is_kept)
{
    static const trilo_mat4 odd[3] = {
        {{2, 0, 0, 0, 0, 3, 0, 0, 0, 0, 4, 0, 1, 1, 1, 1}},
        {{1, 0, 0, 0, 0.5f, 1, 0, 0, 0, 0.25f, 1, 0, 0, 5, 0, 1}},
        {{-1, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 7, 8, 9, 1}},
    };
    for (uint16_t i = 0; i < 3; i++) {
        sleeve s = {.positions = {{1, 2, 3}, {-4, 5, 0.5f}}, .weights = {{1}, {1}}, .joints = {{i}, {i}}};
        float straight[VERTICES][3], dual[VERTICES][3], normals[VERTICES][3];
        skin_both(sleeve_of(&s), odd, 3, straight, dual, normals);
        for (int v = 0; v < 2; v++)
            check_vector(dual[v], straight[v][0], straight[v][1], straight[v][2], 2e-5);
    }
}

/* ---- a player's meshes ---- */

/* A triangle on a node that moves from 0 to 8 along z in a second, while its vertices, held or mixed, are those of
 * three frames: the first corner is at x = 1, 2 and 4, from 0, 0.25 and 0.5 s on. A second clip has it at x = 100. */
static const float frames[4][3][3] = {
    {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
    {{2, 0, 0}, {0, 1, 0}, {0, 0, 1}},
    {{4, 0, 0}, {0, 1, 0}, {0, 0, 1}},
    {{100, 0, 0}, {0, 1, 0}, {0, 0, 1}},
};
static const trilo_frame shown[3] = {{0, frames[0], NULL}, {0.25, frames[1], NULL}, {0.5, frames[2], NULL}};
static const trilo_frame far_away[1] = {{0, frames[3], NULL}};
static const trilo_track track = {.mesh = 0, .frame_count = 3, .frames = shown};
static const trilo_track far_track = {.mesh = 0, .frame_count = 1, .frames = far_away};
static const double second[2] = {0, 1};
static const float along[2] = {0, 8};
static const trilo_channel move = {
    .target = TRILO_TARGET_TRANSLATION_Z, .key_count = 2, .times = second, .values = along};
static const trilo_clip clips[2] = {
    {.duration = 1, .channel_count = 1, .track_count = 1, .channels = &move, .tracks = &track},
    {.duration = 1, .track_count = 1, .tracks = &far_track},
};
static const trilo_node node = {
    .parent = TRILO_NONE, .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}, .local = {IDENTITY}};
static const trilo_mesh mesh = {
    .material = TRILO_NONE, .node = 0, .skin = TRILO_NONE, .vertex_count = 3, .positions = frames[0]};
static const trilo_model model = {
    .mesh_count = 1, .meshes = &mesh, .node_count = 1, .nodes = &node, .clip_count = 2, .clips = clips};

static void check_corner(const trilo_player *player, double x, double z)
{
    float positions[3][3];
    trilo_player_mesh(player, 0, positions, NULL);
    check_vector(positions[0], x, 0, z, 1e-5);
    check_vector(positions[2], 0, 0, 1 + z, 1e-5);
}

TEST(frames_and_nodes_in_one_call)
{
    for (int mixed = 0; mixed < 2; mixed++) {
        trilo_player *p = trilo_player_new(
            &model, &(trilo_player_opts){.frames = mixed ? TRILO_FRAME_MODE_BLEND : TRILO_FRAME_MODE_HOLD}, NULL);
        CHECK(p != NULL);
        check_corner(p, 1, 0);
        trilo_player_play(p, 0, 0, &(trilo_play_opts){.start = 0.375, .paused = true});
        trilo_player_advance(p, 0);
        check_corner(p, mixed ? 3 : 2, 3);
        trilo_player_play(p, 0, 1, &(trilo_play_opts){.fade = 1}); /* the node goes home, the corner far away */
        trilo_player_advance(p, 0.25);
        check_corner(p, (mixed ? 3 : 2) * 0.75 + 25, 2.25);
        trilo_player_free(p);
    }
}

/* A clip at 4, one at 100 and one without frames over the mesh at 1; the layer has a weight, and what it shows goes
 * from one to the other. */
TEST(frames_of_a_crossfade_have_the_weight_of_their_layer)
{
    static const trilo_frame late[1] = {{0, frames[2], NULL}};
    static const trilo_track late_track = {.mesh = 0, .frame_count = 1, .frames = late};
    static const trilo_clip all[3] = {{.duration = 1, .track_count = 1, .tracks = &late_track},
                                      {.duration = 1, .track_count = 1, .tracks = &far_track},
                                      {.duration = 1}};
    static const double shows[4] = {4, 100, 1, 1}; /* without frames, what is below */
    trilo_model three = model;
    three.clip_count = 3;
    three.clips = all;
    for (uint32_t from = 0; from < 4; from++)
        for (uint32_t to = 0; to < 4; to++)
            for (int k = 0; k < 3; k++) {
                trilo_player *p = trilo_player_new(&three, NULL, NULL);
                const double weight = k / 2.0;
                CHECK(p != NULL);
                trilo_player_set_weight(p, 0, (float)weight);
                trilo_player_play(p, 0, from < 3 ? from : TRILO_NONE, NULL);
                trilo_player_play(p, 1, 2, NULL); /* has no frames, so it changes nothing */
                trilo_player_advance(p, 0.125);
                check_corner(p, 1 + weight * (shows[from] - 1), 0);
                trilo_player_play(p, 0, to < 3 ? to : TRILO_NONE, &(trilo_play_opts){.fade = 1});
                for (int step = 1; step <= 5; step++) {
                    const double part = step < 4 ? step / 4.0 : 1;
                    trilo_player_advance(p, 0.25);
                    check_corner(p, 1 + weight * ((1 - part) * shows[from] + part * shows[to] - 1), 0);
                }
                trilo_player_free(p);
            }
}

/* A fade that has just begun shows nothing of its clip: normals stay as they are, even those that are not of length 1.
 */
TEST(a_fade_begins_with_nothing)
{
    static const float long_normals[3][3] = {{0, 0, 2}, {0, 0, 2}, {0, 0, 2}};
    const trilo_frame frame = {0, frames[3], long_normals};
    const trilo_track one_frame = {.mesh = 0, .frame_count = 1, .frames = &frame};
    const trilo_clip clip = {.duration = 1, .track_count = 1, .tracks = &one_frame};
    trilo_mesh free_mesh = mesh;
    trilo_model still = model;
    float positions[3][3], normals[3][3];
    free_mesh.node = TRILO_NONE;
    free_mesh.normals = long_normals;
    still.meshes = &free_mesh;
    still.clip_count = 1;
    still.clips = &clip;
    trilo_player *p = trilo_player_new(&still, NULL, NULL);
    CHECK(p != NULL);
    trilo_player_play(p, 0, 0, &(trilo_play_opts){.fade = 1});
    trilo_player_advance(p, 0);
    trilo_player_mesh(p, 0, positions, normals);
    check_vector(positions[0], 1, 0, 0, 0);
    check_vector(normals[0], 0, 0, 2, 0);
    trilo_player_free(p);
}

TEST(the_box_of_a_pose)
{
    trilo_player *p = trilo_player_new(&model, NULL, NULL);
    CHECK(p != NULL);
    trilo_player_play(p, 0, 0, &(trilo_play_opts){.start = 0.5, .paused = true});
    trilo_player_advance(p, 0);
    const trilo_bounds b = trilo_player_bounds(p);
    check_point(b.min, 0, 0, 4, 1e-6);
    check_point(b.max, 4, 1, 5, 1e-6);
    trilo_player_free(p);
}

/* ---- the box of a clip ---- */

TEST(the_box_of_a_clip)
{
    trilo_bounds b;
    CHECK(trilo_clip_bounds(&model, 0, NULL, &b, NULL));
    check_point(b.min, 0, 0, 0, 1e-6);
    check_point(b.max, 4, 1, 9, 1e-6);
    CHECK(trilo_clip_bounds(&model, 1, NULL, &b, NULL));
    check_point(b.max, 100, 1, 1, 1e-6);
    CHECK(trilo_clip_bounds(&model, TRILO_NONE, NULL, &b, NULL)); /* the rest pose */
    check_point(b.max, 1, 1, 1, 1e-6);
    trilo_error err = {0};
    CHECK(!trilo_clip_bounds(&model, 0, &(trilo_memory){.max_bytes = 16}, &b, &err));
    CHECK_INT(err.code, TRILO_CODE_NO_MEMORY);
}

/* A key between the pictures, at 0.505 s, reaches to z = 50 for a moment. Then a clip of a week with as many keys as
 * fit: that it is looked at in few moments, and is done. */
TEST(no_key_is_missed)
{
    static const double times[4] = {0, 0.5, 0.505, 0.51};
    static const float values[4] = {0, 0, 50, 0};
    const trilo_channel spike = {
        .target = TRILO_TARGET_TRANSLATION_Z, .key_count = 4, .times = times, .values = values};
    trilo_clip clip = {.duration = 1, .channel_count = 1, .channels = &spike};
    trilo_model spiky = model;
    trilo_bounds b;
    spiky.clip_count = 1;
    spiky.clips = &clip;
    CHECK(trilo_clip_bounds(&spiky, 0, NULL, &b, NULL));
    CHECK_NEAR(b.max.z, 51, 1e-5);
    clip.duration = 604800;
    CHECK(trilo_clip_bounds(&spiky, 0, NULL, &b, NULL));
    CHECK_NEAR(b.max.x, 1, 1e-5);
}

/* 5000 keys in the first 5 seconds of a minute are more moments than are looked at: then those are spread over all of
 * it, up to the end, where the model reaches to z = 10. */
TEST(many_keys_at_the_beginning)
{
    static double times[5001];
    static float values[5001];
    for (int k = 0; k < 5000; k++)
        times[k] = k * 0.001;
    times[5000] = 60;
    values[5000] = 9;
    const trilo_channel rise = {
        .target = TRILO_TARGET_TRANSLATION_Z, .key_count = 5001, .times = times, .values = values};
    const trilo_clip clip = {.duration = 60, .channel_count = 1, .channels = &rise};
    trilo_model late = model;
    trilo_bounds b;
    late.clip_count = 1;
    late.clips = &clip;
    CHECK(trilo_clip_bounds(&late, 0, NULL, &b, NULL));
    CHECK_NEAR(b.max.z, 10, 1e-5);
}

/* An arm of length 1 that swings by 180 degrees: its tip passes 0, 1, 0 between two keys. */
TEST(between_two_keys)
{
    static const float turn[8] = {0, 0, 0, 1, 0, 0, 1, 0};
    const trilo_channel swing = {.target = TRILO_TARGET_ROTATION, .key_count = 2, .times = second, .values = turn};
    const trilo_clip clip = {.duration = 1, .channel_count = 1, .channels = &swing};
    trilo_model arm = model;
    trilo_bounds b;
    static const float tip[3][3] = {{1, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    trilo_mesh thin = mesh;
    thin.positions = tip;
    arm.meshes = &thin;
    arm.clip_count = 1;
    arm.clips = &clip;
    CHECK(trilo_clip_bounds(&arm, 0, NULL, &b, NULL));
    check_point(b.min, -1, 0, 0, 1e-5);
    check_point(b.max, 1, 1, 0, 1e-5);
}

/* The dual quaternions of a player: a snake of the corpus keeps its single joints where they were. */
TEST(a_player_skins_with_dual_quaternions)
{
    const trilo_model *snake =
        trilo_model_load_file(test_corpus("t3dm/08_animation/filesystem/snake.t3dm"), NULL, NULL);
    CHECK(snake != NULL);
    trilo_player *plain = trilo_player_new(snake, NULL, NULL);
    trilo_player *dual = trilo_player_new(snake, &(trilo_player_opts){.dual_quaternions = true}, NULL);
    static float a[2048][3], b[2048][3], an[2048][3], bn[2048][3];
    CHECK(plain && dual && snake->meshes[0].vertex_count <= 2048);
    trilo_player_play(plain, 0, 0, NULL);
    trilo_player_play(dual, 0, 0, NULL);
    trilo_player_advance(plain, 0.3);
    trilo_player_advance(dual, 0.3);
    trilo_player_mesh(plain, 0, a, an);
    trilo_player_mesh(dual, 0, b, bn);
    for (uint32_t i = 0; i < snake->meshes[0].vertex_count; i++) {
        check_vector(b[i], a[i][0], a[i][1], a[i][2], 2e-4);
        check_vector(bn[i], an[i][0], an[i][1], an[i][2], 2e-5);
    }
    trilo_bounds box = trilo_player_bounds(dual), whole;
    CHECK(trilo_clip_bounds(snake, 0, NULL, &whole, NULL));
    CHECK(whole.min.x <= box.min.x + 0.1f && whole.max.y >= box.max.y - 0.1f && whole.max.z >= box.max.z - 0.1f);
    trilo_player_free(plain);
    trilo_player_free(dual);
    trilo_model_free(snake);
}

/* Half of a frame whose normals point along x over those of the mesh, along z. */
TEST(normals_are_blended)
{
    static const float to_x[3][3] = {{1, 0, 0}, {1, 0, 0}, {1, 0, 0}}, to_z[3][3] = {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}};
    const trilo_frame frame = {0, frames[3], to_x};
    const trilo_track one_frame = {.mesh = 0, .frame_count = 1, .frames = &frame};
    const trilo_clip clip = {.duration = 1, .track_count = 1, .tracks = &one_frame};
    trilo_mesh free_mesh = mesh;
    trilo_model still = model;
    float positions[3][3], normals[3][3];
    free_mesh.node = TRILO_NONE;
    free_mesh.normals = to_z;
    still.meshes = &free_mesh;
    still.clip_count = 1;
    still.clips = &clip;
    for (int half = 0; half < 2; half++) {
        trilo_player *p = trilo_player_new(&still, NULL, NULL);
        CHECK(p != NULL);
        trilo_player_play(p, 0, 0, NULL);
        trilo_player_set_weight(p, 0, half ? 0.5f : 1);
        trilo_player_advance(p, 0);
        trilo_player_mesh(p, 0, positions, normals);
        for (int v = 0; v < 3; v++)
            check_vector(normals[v], half ? 0.70710678 : 1, 0, half ? 0.70710678 : 0, 1e-6);
        check_vector(positions[0], half ? 50.5 : 100, 0, 0, 1e-5);
        check_vector(positions[1], 0, 1, 0, 1e-6);
        trilo_player_set_additive(p, 0, true); /* frames are not added */
        trilo_player_advance(p, 0);
        trilo_player_mesh(p, 0, positions, normals);
        check_vector(positions[0], 1, 0, 0, 0);
        trilo_player_free(p);
    }
}

/* Halfway between two rotations is their sum, or their difference where that is nearer. */
TEST(rotations_of_two_joints)
{
    for (int i = 0; i < 81 * 5; i++) {
        const double q[2][4] = {{i % 3 - 1, i / 3 % 3 - 1, i / 9 % 3 - 1, i / 27 % 3 - 0.8},
                                {i / 81 - 2, 0.5, i % 5 - 1.9, i % 7 - 3.2}};
        double half[4], unit[2][4], dot = 0, square = 0;
        trilo_mat4 matrices[2] = {identity, identity};
        for (int k = 0; k < 2; k++) {
            const double length = sqrt(q[k][0] * q[k][0] + q[k][1] * q[k][1] + q[k][2] * q[k][2] + q[k][3] * q[k][3]);
            for (int n = 0; n < 4; n++)
                unit[k][n] = q[k][n] / length;
            const double *u = unit[k];
            const double rows[3][3] = {
                {1 - 2 * (u[1] * u[1] + u[2] * u[2]), 2 * (u[0] * u[1] - u[2] * u[3]), 2 * (u[0] * u[2] + u[1] * u[3])},
                {2 * (u[0] * u[1] + u[2] * u[3]), 1 - 2 * (u[0] * u[0] + u[2] * u[2]), 2 * (u[1] * u[2] - u[0] * u[3])},
                {2 * (u[0] * u[2] - u[1] * u[3]), 2 * (u[1] * u[2] + u[0] * u[3]),
                 1 - 2 * (u[0] * u[0] + u[1] * u[1])}};
            for (int n = 0; n < 9; n++)
                matrices[k].m[4 * (n % 3) + n / 3] = (float)rows[n / 3][n % 3];
        }
        for (int n = 0; n < 4; n++)
            dot += unit[0][n] * unit[1][n];
        if (fabs(dot) < 0.05)
            continue; /* either is as near */
        for (int n = 0; n < 4; n++) {
            half[n] = unit[0][n] + (dot < 0 ? -unit[1][n] : unit[1][n]);
            square += half[n] * half[n];
        }
        sleeve s = {.positions = {{0, 0, 1}}, .weights = {{0.5f, 0.5f}}, .joints = {{0, 1}}};
        float straight[VERTICES][3], dual[VERTICES][3], normals[VERTICES][3];
        skin_both(sleeve_of(&s), matrices, 2, straight, dual, normals);
        check_vector(dual[0], 2 * (half[0] * half[2] + half[1] * half[3]) / square,
                     2 * (half[1] * half[2] - half[0] * half[3]) / square,
                     1 - 2 * (half[0] * half[0] + half[1] * half[1]) / square, 2e-6);
    }
}

TEST_MAIN(CASE(a_twist_keeps_its_volume), CASE(equal_joints_are_one), CASE(the_shorter_arc), CASE(a_stretch_is_kept),
          CASE(frames_and_nodes_in_one_call), CASE(frames_of_a_crossfade_have_the_weight_of_their_layer),
          CASE(a_fade_begins_with_nothing), CASE(the_box_of_a_pose), CASE(the_box_of_a_clip), CASE(no_key_is_missed),
          CASE(many_keys_at_the_beginning), CASE(between_two_keys), CASE(a_player_skins_with_dual_quaternions),
          CASE(normals_are_blended), CASE(rotations_of_two_joints))
