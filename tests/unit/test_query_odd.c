/* Odd triangles, poses, and trees that are hard to make. */
#include "harness.h"
#include "support/exercise.h"
#include "support/query_brute.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- models made by hand ---- */

static const float flat[3][3] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}; /* looks along z */

static void check_vec(trilo_vec3 got, double x, double y, double z)
{
    CHECK_NEAR(got.x, x, 1e-6);
    CHECK_NEAR(got.y, y, 1e-6);
    CHECK_NEAR(got.z, z, 1e-6);
}

static uint32_t count_box(const trilo_query *query, trilo_bounds box)
{
    trilo_faces list = {.room = 0};
    CHECK(trilo_query_box(query, &box, trilo_faces_keep, &list));
    return list.count;
}

static uint32_t count_sphere(const trilo_query *query, trilo_vec3 center, float radius)
{
    trilo_faces list = {.room = 0};
    CHECK(trilo_query_sphere(query, center, radius, trilo_faces_keep, &list));
    return list.count;
}

static uint32_t count_frustum(const trilo_query *query, const trilo_frustum *frustum)
{
    trilo_faces list = {.room = 0};
    CHECK(trilo_query_frustum(query, frustum, trilo_faces_keep, &list));
    return list.count;
}

/* ---- odd triangles ---- */

/* A point, a line, and one that is not finite. */
TEST(triangles_without_area_are_found_but_not_hit)
{
    static const float corners[9][3] = {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {0, 5, 0},  {2, 5, 0},
                                        {6, 5, 0}, {0, 0, 0}, {9, 0, 0}, {0, NAN, 0}};
    static const uint32_t nine[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    trilo_mesh mesh = triangle_mesh(corners, TRILO_NONE);
    mesh.vertex_count = mesh.index_count = 9;
    mesh.indices = nine;
    const trilo_model model = {.mesh_count = 1, .meshes = &mesh};
    trilo_query *query = make_query(&model);
    trilo_hit hit;
    const trilo_bounds all = trilo_query_bounds(query);
    check_vec(all.min, 0, 1, 0);
    check_vec(all.max, 6, 5, 1);
    CHECK(!trilo_query_ray_cast(query, &(trilo_ray){.origin = {1, 1, 5}, .direction = {0, 0, -1}}, &hit));
    CHECK(!trilo_query_ray_cast(query, &(trilo_ray){.origin = {4, 5, 5}, .direction = {0, 0, -1}}, &hit));
    CHECK(!trilo_query_ray_cast(query, &(trilo_ray){.origin = {-1, 5, 0}, .direction = {1, 0, 0}}, &hit));
    CHECK_INT(count_sphere(query, (trilo_vec3){1, 1, 2}, 1), 1);
    CHECK_INT(count_box(query, (trilo_bounds){{3, 4, -1}, {4, 6, 1}}), 1);
    CHECK_INT(count_box(query, (trilo_bounds){{-9, -9, -9}, {9, 9, 9}}), 2);
    CHECK_INT(count_frustum(query, &(trilo_frustum){.plane_count = 0}), 2);
    CHECK(trilo_query_closest_point(query, (trilo_vec3){5, 7, 0}, 0, &hit));
    CHECK_INT(hit.face.triangle, 1);
    CHECK_NEAR(hit.distance, 2, 0);
    check_vec(hit.position, 5, 5, 0);
    check_vec(hit.normal, 0, 0, 0);
    trilo_query_free(query);
}

/* However small a triangle, its normal has the length 1. */
TEST(normals_of_small_triangles_are_of_unit_length)
{
    static const float sides[] = {1, 0.125f, 1e-6f, 1e-20f};
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        const float corners[3][3] = {{0, 0, 0}, {0, sides[i], 0}, {sides[i], 0, 0}};
        const trilo_mesh mesh = triangle_mesh(corners, TRILO_NONE);
        trilo_query *query = make_query(&(trilo_model){.mesh_count = 1, .meshes = &mesh});
        trilo_hit hit;
        CHECK(trilo_query_closest_point(query, (trilo_vec3){0, 0, -1}, 0, &hit));
        check_vec(hit.normal, 0, 0, -1);
        trilo_query_free(query);
    }
}

TEST(a_model_without_triangles_answers_nothing)
{
    trilo_mesh lines = triangle_mesh(flat, TRILO_NONE);
    lines.topology = TRILO_TOPOLOGY_LINES;
    lines.index_count = 2;
    const trilo_model models[2] = {{.mesh_count = 0}, {.mesh_count = 1, .meshes = &lines}};
    for (int i = 0; i < 2; i++) {
        trilo_query *query = make_query(&models[i]);
        trilo_hit hit;
        const trilo_bounds all = trilo_query_bounds(query);
        CHECK(all.min.x > all.max.x);
        CHECK(!trilo_query_ray_cast(query, &(trilo_ray){.origin = {1, 1, 5}, .direction = {0, 0, -1}}, &hit));
        CHECK(!trilo_query_closest_point(query, (trilo_vec3){0, 0, 0}, 0, &hit));
        CHECK_INT(count_sphere(query, (trilo_vec3){0, 0, 0}, INFINITY), 0);
        CHECK_INT(count_box(query, (trilo_bounds){{-9, -9, -9}, {9, 9, 9}}), 0);
        CHECK_INT(count_frustum(query, &(trilo_frustum){.plane_count = 0}), 0);
        trilo_query_refit(query, NULL);
        trilo_query_free(query);
    }
    trilo_query_free(NULL);
}

/* Coordinates at the end of what floats can say: every answer is finite. */
TEST(huge_coordinates_overflow_nothing)
{
    static const float far[3][3] = {{-FLT_MAX, -FLT_MAX, 1}, {FLT_MAX, -FLT_MAX, 1}, {0, FLT_MAX, 1}};
    const trilo_mesh mesh = triangle_mesh(far, TRILO_NONE);
    const trilo_model model = {.mesh_count = 1, .meshes = &mesh};
    trilo_query *query = make_query(&model);
    trilo_hit hit;
    CHECK(trilo_query_ray_cast(query, &(trilo_ray){.origin = {0, 0, 5}, .direction = {0, 0, -FLT_MAX}}, &hit));
    CHECK_NEAR(hit.distance, 4, 0);
    check_vec(hit.normal, 0, 0, 1);
    CHECK(trilo_query_closest_point(query, (trilo_vec3){0, 0, FLT_MAX}, 0, &hit));
    CHECK(hit.distance == FLT_MAX && isfinite(hit.weights[0]) && isfinite(hit.position.x));
    CHECK(trilo_query_closest_point(query, (trilo_vec3){FLT_MAX, FLT_MAX, -FLT_MAX}, 0, &hit));
    CHECK(hit.distance == FLT_MAX); /* as far as can be said */
    CHECK(trilo_query_ray_cast(query, &(trilo_ray){.origin = {FLT_MAX, 0, FLT_MAX}, .direction = {-1, 0, -1}}, &hit));
    CHECK(hit.distance == FLT_MAX && isfinite(hit.position.x));
    CHECK_INT(count_box(query, (trilo_bounds){{-1, -1, 0}, {1, 1, 2}}), 1);
    CHECK_INT(count_frustum(query, &(trilo_frustum){1, {{FLT_MAX, FLT_MAX, 0, FLT_MAX}}}), 1);
    trilo_query_free(query);
}

TEST(a_broken_model_is_refused)
{
    static const uint32_t beyond[3] = {0, 1, 3};
    trilo_mesh mesh = triangle_mesh(flat, TRILO_NONE);
    mesh.indices = beyond;
    const trilo_model model = {.mesh_count = 1, .meshes = &mesh};
    trilo_error err = {0};
    CHECK(!trilo_query_new(&model, NULL, NULL, &err));
    CHECK_STR(err.rule, "MODEL-INDEX");
    CHECK(!trilo_mesh_tree_new(&model, NULL, &err));
    CHECK_STR(err.rule, "MODEL-INDEX");
}

/* ---- poses ---- */

/* The first node is 10 up, the second, its child, a quarter turn about z: 4, 0, 0 goes to 0, 14, 0. A skinned mesh
 * stays as it is stored, whatever its node says. */
TEST(rigid_meshes_follow_the_rest_pose_of_their_node)
{
    const trilo_mat4 up = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 10, 0, 1}};
    const trilo_mat4 turn = {{0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};
    const trilo_node nodes[2] = {{.parent = TRILO_NONE, .local = up}, {.parent = 0, .local = turn}};
    const trilo_skin skin = {.joint_count = 0};
    trilo_mesh mesh = triangle_mesh(flat, TRILO_NONE);
    mesh.node = 1;
    const trilo_model model = {
        .mesh_count = 1, .meshes = &mesh, .node_count = 2, .nodes = nodes, .skin_count = 1, .skins = &skin};
    trilo_query *query = make_query(&model);
    trilo_bounds all = trilo_query_bounds(query);
    check_vec(all.min, -4, 10, 0);
    check_vec(all.max, 0, 14, 0);
    trilo_query_free(query);
    mesh.skin = 0;
    query = make_query(&model);
    all = trilo_query_bounds(query);
    check_vec(all.min, 0, 0, 0);
    check_vec(all.max, 4, 4, 0);
    trilo_query_free(query);
}

/* Posed from the start, moved later, and back to what the other mesh says: only given meshes move. */
TEST(a_pose_moves_the_tree)
{
    static const float other[3][3] = {{0, 0, 5}, {4, 0, 5}, {0, 4, 5}},
                       lost[3][3] = {{0, 0, 2}, {4, NAN, 2}, {0, 4, 2}};
    const trilo_mesh meshes[2] = {triangle_mesh(flat, TRILO_NONE), triangle_mesh(flat, TRILO_NONE)};
    const trilo_model model = {.mesh_count = 2, .meshes = meshes};
    const trilo_points poses[4][2] = {{NULL, other}, {other, NULL}, {lost, lost}, {other, flat}};
    const trilo_ray ray = {.origin = {1, 1, 9}, .direction = {0, 0, -1}};
    trilo_hit hit;
    trilo_query *query = trilo_query_new(&model, poses[0], NULL, NULL);
    CHECK(query && trilo_query_ray_cast(query, &ray, &hit));
    CHECK(hit.face.mesh == 1 && hit.distance == 4);
    trilo_query_refit(query, poses[1]);
    CHECK(trilo_query_ray_cast(query, &ray, &hit));
    CHECK(hit.face.mesh == 0 && hit.distance == 4);
    CHECK_INT(count_box(query, (trilo_bounds){{0, 0, 4}, {1, 1, 6}}), 2);
    trilo_query_refit(query, poses[2]);
    CHECK(!trilo_query_ray_cast(query, &ray, &hit));
    CHECK_INT(count_frustum(query, &(trilo_frustum){.plane_count = 0}), 0);
    CHECK_INT(count_sphere(query, (trilo_vec3){0, 0, 0}, INFINITY), 0);
    trilo_query_refit(query, poses[3]);
    CHECK_INT(count_frustum(query, &(trilo_frustum){.plane_count = 0}), 2);
    CHECK_INT(count_box(query, (trilo_bounds){{0, 0, 4}, {1, 1, 6}}), 1);
    CHECK(trilo_query_ray_cast(query, &ray, &hit));
    CHECK(hit.face.mesh == 0 && hit.distance == 4);
    trilo_query_free(query);
}

/* ---- trees ---- */

/* Each triangle is half as large as the one before, all at one corner: cutting off the largest again and again would be
 * as deep as they are many. Doubles of one triangle cannot be told apart at all. */
TEST(no_set_of_triangles_makes_the_tree_deep)
{
    const uint32_t many = test_rounds(100000, TEST_EMULATED ? 20000 : 100000);
    float(*corners)[3] = malloc(3 * many * sizeof *corners);
    uint32_t *indices = malloc(3 * many * sizeof *indices);
    CHECK(corners && indices);
    for (int kind = 0; kind < 2; kind++) {
        for (uint32_t i = 0; i < 3 * many; i++) {
            const float size = kind == 0 ? (float)pow(0.5, i / 3 % 140) : 1;
            corners[i][0] = i % 3 == 1 ? size : 0, corners[i][1] = i % 3 == 2 ? size : 0, corners[i][2] = 0;
            indices[i] = i;
        }
        trilo_mesh mesh = triangle_mesh((trilo_points)corners, TRILO_NONE);
        mesh.vertex_count = mesh.index_count = 3 * many;
        mesh.indices = indices;
        const trilo_model model = {.mesh_count = 1, .meshes = &mesh};
        trilo_query *query = make_query(&model);
        trilo_hit hit;
        CHECK(trilo_query_ray_cast(query, &(trilo_ray){.origin = {0.25f, 0.25f, 1}, .direction = {0, 0, -1}}, &hit));
        CHECK_INT(hit.face.triangle, 0);
        CHECK_INT(count_sphere(query, (trilo_vec3){0, 0, 0}, 0), many);
        trilo_query_free(query);
    }
    free(corners);
    free(indices);
}

/* A ball of 8 * 4^4 triangles, wrinkled so that nothing lies flat. Rays from within to every corner and every middle of
 * an edge must hit, however they are rounded. */
enum { BALL = 8 * 256 };

static void split_ball(float (*corners)[3], uint32_t *count)
{
    for (uint32_t t = *count; t-- > 0;) {
        float middles[3][3];
        for (int c = 0; c < 3; c++)
            for (int k = 0; k < 3; k++)
                middles[c][k] = (corners[3 * t + (uint32_t)c][k] + corners[3 * t + (uint32_t)((c + 1) % 3)][k]) / 2;
        float(*out)[3] = corners + 3 * (size_t)*count + 9 * (size_t)t;
        for (int c = 0; c < 3; c++) {
            memcpy(out[3 * c], corners[3 * t + (uint32_t)c], sizeof *out);
            memcpy(out[3 * c + 1], middles[c], sizeof *out);
            memcpy(out[3 * c + 2], middles[(c + 2) % 3], sizeof *out);
        }
        memcpy(corners[3 * t], middles[0], sizeof *out);
        memcpy(corners[3 * t + 1], middles[1], sizeof *out);
        memcpy(corners[3 * t + 2], middles[2], sizeof *out);
    }
    *count *= 4;
}

static void wrinkle(float at[3])
{
    const float size = sqrtf(at[0] * at[0] + at[1] * at[1] + at[2] * at[2]);
    const float length = 3 + 0.3f * sinf(9 * at[0]) + 0.2f * cosf(11 * at[1] + at[2]);
    for (int k = 0; k < 3; k++)
        at[k] *= length / size;
}

static uint32_t make_ball(float (*corners)[3])
{
    uint32_t count = 8;
    for (int t = 0; t < 8; t++) {
        const int turned = (t & 1) ^ (t >> 1 & 1) ^ (t >> 2 & 1);
        for (int c = 0; c < 3; c++) {
            const int axis = turned ? 2 - c : c;
            memset(corners[3 * t + c], 0, sizeof *corners);
            corners[3 * t + c][axis] = t >> axis & 1 ? -1.0f : 1.0f;
        }
    }
    while (count < BALL)
        split_ball(corners, &count);
    for (uint32_t i = 0; i < 3 * BALL; i++)
        wrinkle(corners[i]);
    return count;
}

TEST(no_ray_slips_through_a_shared_edge)
{
    static float corners[3 * BALL][3];
    static uint32_t indices[3 * BALL];
    CHECK_INT(make_ball(corners), BALL);
    for (uint32_t i = 0; i < 3 * BALL; i++)
        indices[i] = i;
    trilo_mesh mesh = triangle_mesh((trilo_points)corners, TRILO_NONE);
    mesh.vertex_count = mesh.index_count = 3 * BALL;
    mesh.indices = indices;
    const trilo_model model = {.mesh_count = 1, .meshes = &mesh};
    trilo_query *query = make_query(&model);
    dice d = {3};
    uint32_t backs = 0;
    for (uint32_t i = 0; i < 3 * BALL; i++) {
        const float *a = corners[i], *b = corners[i % 3 == 2 ? i - 2 : i + 1];
        for (int part = 0; part < 3; part++) {
            const float mix = (float)part / 2.5f;
            const trilo_vec3 from = dice_point(&d, -0.5, 0.5);
            const trilo_ray ray = {.origin = from,
                                   .direction = {a[0] + (b[0] - a[0]) * mix - from.x,
                                                 a[1] + (b[1] - a[1]) * mix - from.y,
                                                 a[2] + (b[2] - a[2]) * mix - from.z}};
            trilo_hit hit;
            CHECK(trilo_query_ray_cast(query, &ray, &hit) && trilo_query_any_hit(query, &ray));
            CHECK(hit.distance > 1 && hit.distance < 5);
            backs += hit.back ? 1 : 0;
        }
    }
    CHECK_INT(backs, 9 * BALL); /* the corners go round counter-clockwise outside */
    trilo_query_free(query);
}

TEST(queries_take_no_memory)
{
    dice d = {11};
    soup s;
    meter m = {0};
    soup_make(&s, SOUP_PATCHY, 500, &d);
    const trilo_memory memory = meter_memory(&m, 0);
    trilo_query *query = trilo_query_new(&s.model, NULL, &memory, NULL);
    CHECK(query);
    const size_t calls = m.calls;
    trilo_hit hit;
    for (int i = 0; i < 100; i++) {
        const trilo_vec3 a = dice_point(&d, -10, 10), b = dice_point(&d, -1, 1);
        trilo_query_ray_cast(query, &(trilo_ray){.origin = a, .direction = b}, &hit);
        trilo_query_closest_point(query, a, 0, &hit);
        count_sphere(query, a, 3);
        count_box(query, (trilo_bounds){{a.x, a.y, a.z}, {a.x + 3, a.y + 3, a.z + 3}});
        count_frustum(query, &(trilo_frustum){1, {{b.x, b.y, b.z, a.x}}});
    }
    trilo_query_refit(query, s.points);
    CHECK_INT(m.calls, calls);
    trilo_query_free(query);
    CHECK_INT(m.now, 0);
    soup_free(&s);
}

TEST_MAIN(CASE(triangles_without_area_are_found_but_not_hit), CASE(normals_of_small_triangles_are_of_unit_length),
          CASE(a_model_without_triangles_answers_nothing), CASE(huge_coordinates_overflow_nothing),
          CASE(a_broken_model_is_refused), CASE(rigid_meshes_follow_the_rest_pose_of_their_node),
          CASE(a_pose_moves_the_tree), CASE(no_set_of_triangles_makes_the_tree_deep),
          CASE(no_ray_slips_through_a_shared_edge), CASE(queries_take_no_memory))
