/* Single triangles and questions worked out by hand. */
#include "harness.h"
#include "support/query_brute.h"

#include <math.h>
#include <string.h>

/* ---- models made by hand ---- */

static const float flat[3][3] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}; /* looks along z */

static void check_vec(trilo_vec3 got, double x, double y, double z)
{
    CHECK_NEAR(got.x, x, 1e-6);
    CHECK_NEAR(got.y, y, 1e-6);
    CHECK_NEAR(got.z, z, 1e-6);
}

static void check_weights(const trilo_hit *hit, double a, double b, double c)
{
    CHECK_NEAR(hit->weights[0], a, 1e-6);
    CHECK_NEAR(hit->weights[1], b, 1e-6);
    CHECK_NEAR(hit->weights[2], c, 1e-6);
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

/* ---- rays ---- */

/* 1, 1, 0 is half the first corner, a quarter of each of the others. */
TEST(a_ray_says_where_it_hits)
{
    const trilo_material material = {.texture = TRILO_NONE};
    const trilo_mesh mesh = triangle_mesh(flat, 0);
    const trilo_model model = {.mesh_count = 1, .meshes = &mesh, .material_count = 1, .materials = &material};
    trilo_query *query = make_query(&model);
    trilo_hit hit;
    trilo_ray ray = {.origin = {1, 1, 5}, .direction = {0, 0, -7}};
    CHECK(trilo_query_ray_cast(query, &ray, &hit));
    CHECK_INT(hit.face.mesh, 0);
    CHECK_INT(hit.face.triangle, 0);
    CHECK_INT(hit.material, 0);
    CHECK_NEAR(hit.distance, 5, 0);
    check_weights(&hit, 0.5, 0.25, 0.25);
    check_vec(hit.position, 1, 1, 0);
    check_vec(hit.normal, 0, 0, 1);
    CHECK(!hit.back && trilo_query_any_hit(query, &ray));
    ray.max_distance = 4.9f;
    CHECK(!trilo_query_ray_cast(query, &ray, &hit) && !trilo_query_any_hit(query, &ray));
    ray.max_distance = 5;
    ray.front_only = true;
    CHECK(trilo_query_ray_cast(query, &ray, &hit));
    trilo_query_free(query);
}

/* From 3, 0, -3 along 0, 1, 1: at 3, 3, 0 it is outside (3 + 3 > 4); from 2, 0, -1 it crosses at 2, 1, 0. */
TEST(a_ray_from_behind_sees_the_back)
{
    const trilo_mesh mesh = triangle_mesh(flat, TRILO_NONE);
    const trilo_model model = {.mesh_count = 1, .meshes = &mesh};
    trilo_query *query = make_query(&model);
    trilo_hit hit;
    trilo_ray ray = {.origin = {3, 0, -3}, .direction = {0, 1, 1}};
    CHECK(!trilo_query_ray_cast(query, &ray, &hit));
    ray.origin = (trilo_vec3){2, 0, -1};
    CHECK(trilo_query_ray_cast(query, &ray, &hit));
    CHECK_NEAR(hit.distance, sqrt(2), 1e-6);
    check_vec(hit.position, 2, 1, 0);
    check_vec(hit.normal, 0, 0, 1);
    check_weights(&hit, 0.25, 0.5, 0.25);
    CHECK(hit.back && hit.material == TRILO_NONE);
    ray.front_only = true;
    CHECK(!trilo_query_ray_cast(query, &ray, &hit) && !trilo_query_any_hit(query, &ray));
    ray = (trilo_ray){.origin = {2, 1, 1}, .direction = {0, 0, 1}}; /* it lies behind the origin */
    CHECK(!trilo_query_ray_cast(query, &ray, &hit));
    trilo_query_free(query);
}

/* The same triangle four times, and once more a step nearer to where the second ray comes from. */
TEST(equal_distances_go_to_the_lower_number)
{
    static const float near[3][3] = {{0, 0, -1}, {4, 0, -1}, {0, 4, -1}};
    static const uint32_t twice[6] = {0, 1, 2, 0, 1, 2};
    trilo_mesh meshes[3] = {triangle_mesh(near, TRILO_NONE), triangle_mesh(flat, TRILO_NONE),
                            triangle_mesh(flat, TRILO_NONE)};
    for (int i = 1; i < 3; i++)
        meshes[i].indices = twice, meshes[i].index_count = 6;
    const trilo_model model = {.mesh_count = 3, .meshes = meshes};
    trilo_query *query = make_query(&model);
    trilo_hit hit;
    CHECK(trilo_query_ray_cast(query, &(trilo_ray){.origin = {1, 1, 9}, .direction = {0, 0, -1}}, &hit));
    CHECK_INT(hit.face.mesh, 1);
    CHECK_INT(hit.face.triangle, 0);
    CHECK(trilo_query_ray_cast(query, &(trilo_ray){.origin = {1, 1, -9}, .direction = {0, 0, 1}}, &hit));
    CHECK_INT(hit.face.mesh, 0);
    CHECK(trilo_query_closest_point(query, (trilo_vec3){1, 1, 2}, 0, &hit));
    CHECK_INT(hit.face.mesh, 1);
    CHECK_INT(hit.face.triangle, 0);
    trilo_query_free(query);
}

TEST(a_ray_that_is_none_hits_nothing)
{
    const trilo_mesh mesh = triangle_mesh(flat, TRILO_NONE);
    const trilo_model model = {.mesh_count = 1, .meshes = &mesh};
    trilo_query *query = make_query(&model);
    const trilo_ray rays[] = {
        {.origin = {1, 1, 5}},
        {.origin = {1, 1, 5}, .direction = {0, 0, -INFINITY}},
        {.origin = {1, NAN, 5}, .direction = {0, 0, -1}},
        {.origin = {1, 1, INFINITY}, .direction = {0, 0, -1}},
        {.origin = {1, 1, 5}, .direction = {NAN, 0, -1}},
        {.origin = {1, 1, 5}, .direction = {0, 0, -1}, .max_distance = NAN},
        {.origin = {1, 1, 5}, .direction = {0, 0, -1}, .max_distance = -1},
    };
    trilo_hit hit = {.distance = 42};
    for (size_t i = 0; i < sizeof rays / sizeof *rays; i++)
        CHECK(!trilo_query_ray_cast(query, &rays[i], &hit) && !trilo_query_any_hit(query, &rays[i]));
    CHECK(hit.distance == 42);
    const trilo_ray endless = {.origin = {1, 1, 5}, .direction = {0, 0, -1e-40f}, .max_distance = INFINITY};
    CHECK(trilo_query_ray_cast(query, &endless, &hit));
    CHECK_NEAR(hit.distance, 5, 0);
    trilo_query_free(query);
}

/* ---- the nearest point ---- */

/* Above the inside; off a corner by 1, -3; below an edge by 1; too far away. */
TEST(the_nearest_point_is_inside_or_on_an_edge_or_a_corner)
{
    const trilo_mesh mesh = triangle_mesh(flat, TRILO_NONE);
    const trilo_model model = {.mesh_count = 1, .meshes = &mesh};
    trilo_query *query = make_query(&model);
    trilo_hit hit;
    CHECK(trilo_query_closest_point(query, (trilo_vec3){1, 1, -3}, 0, &hit));
    CHECK_NEAR(hit.distance, 3, 0);
    check_vec(hit.position, 1, 1, 0);
    check_vec(hit.normal, 0, 0, 1);
    check_weights(&hit, 0.5, 0.25, 0.25);
    CHECK(hit.back);
    CHECK(trilo_query_closest_point(query, (trilo_vec3){5, -3, 0}, 0, &hit));
    CHECK_NEAR(hit.distance, sqrt(10), 1e-6);
    check_vec(hit.position, 4, 0, 0);
    check_weights(&hit, 0, 1, 0);
    CHECK(!hit.back);
    CHECK(trilo_query_closest_point(query, (trilo_vec3){3, -1, 0}, 1, &hit));
    CHECK_NEAR(hit.distance, 1, 0);
    check_weights(&hit, 0.25, 0.75, 0);
    CHECK(trilo_query_closest_point(query, (trilo_vec3){4, 4, 7}, 0, &hit)); /* above the middle of the long edge */
    check_vec(hit.position, 2, 2, 0);
    CHECK(!trilo_query_closest_point(query, (trilo_vec3){3, -1, 0}, 0.99f, &hit));
    CHECK(!trilo_query_closest_point(query, (trilo_vec3){NAN, 0, 0}, 0, &hit));
    CHECK(!trilo_query_closest_point(query, (trilo_vec3){0, 0, 0}, NAN, &hit));
    trilo_query_free(query);
}

/* ---- places ---- */

/* The box around the triangle has a corner at 4, 4 that the triangle does not reach. */
TEST(a_box_must_meet_the_triangle_itself)
{
    const trilo_mesh mesh = triangle_mesh(flat, TRILO_NONE);
    const trilo_model model = {.mesh_count = 1, .meshes = &mesh};
    trilo_query *query = make_query(&model);
    CHECK_INT(count_box(query, (trilo_bounds){{2.1f, 2.1f, -1}, {4, 4, 1}}), 0);
    CHECK_INT(count_box(query, (trilo_bounds){{2, 2, -1}, {4, 4, 1}}), 1); /* touches */
    CHECK_INT(count_box(query, (trilo_bounds){{1, 1, 0}, {1, 1, 0}}), 1);
    CHECK_INT(count_box(query, (trilo_bounds){{1, 1, 0.1f}, {2, 2, 1}}), 0);
    CHECK_INT(count_box(query, (trilo_bounds){{1, 1, 1}, {-1, 2, -1}}), 0); /* empty */
    CHECK_INT(count_box(query, (trilo_bounds){{NAN, 0, 0}, {1, 1, 1}}), 0);
    CHECK_INT(count_box(query, (trilo_bounds){{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}}), 1);
    CHECK_INT(count_sphere(query, (trilo_vec3){3, 3, 0}, 1.41f), 0); /* the square root of 2 away */
    CHECK_INT(count_sphere(query, (trilo_vec3){3, 3, 0}, 1.42f), 1);
    CHECK_INT(count_sphere(query, (trilo_vec3){1, 1, 2}, 2), 1);
    CHECK_INT(count_sphere(query, (trilo_vec3){1, 1, 0}, 0), 1);
    CHECK_INT(count_sphere(query, (trilo_vec3){1, 1, 2}, -3), 0);
    CHECK_INT(count_sphere(query, (trilo_vec3){1, 1, 2}, NAN), 0);
    CHECK_INT(count_sphere(query, (trilo_vec3){1, 1, INFINITY}, 3), 0);
    CHECK_INT(count_sphere(query, (trilo_vec3){900, 1, 2}, INFINITY), 1);
    trilo_query_free(query);
}

static void check_plane(trilo_plane p, double x, double y, double z, double w)
{
    CHECK_NEAR(p.x, x, 1e-6);
    CHECK_NEAR(p.y, y, 1e-6);
    CHECK_NEAR(p.z, z, 1e-6);
    CHECK_NEAR(p.w, w, 1e-6);
}

/* A lens of 90 degrees both ways that sees z from -1 to -10: x is inside when x - z >= 0 and -x - z >= 0. */
TEST(a_frustum_comes_from_a_matrix)
{
    const trilo_mat4 lens = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -11.0f / 9, -1, 0, 0, -20.0f / 9, 0}};
    const trilo_frustum f = trilo_frustum_from_matrix(&lens);
    CHECK_INT(f.plane_count, 6);
    check_plane(f.planes[0], 1, 0, -1, 0);
    check_plane(f.planes[1], -1, 0, -1, 0);
    check_plane(f.planes[2], 0, 1, -1, 0);
    check_plane(f.planes[3], 0, -1, -1, 0);
    check_plane(f.planes[4], 0, 0, -20.0 / 9, -20.0 / 9);
    check_plane(f.planes[5], 0, 0, 2.0 / 9, 20.0 / 9);
    CHECK(trilo_frustum_sees(&f, &(trilo_bounds){{-1, -1, -3}, {1, 1, -2}}));
    CHECK(trilo_frustum_sees(&f, &(trilo_bounds){{3, 0, -3}, {9, 1, -2}}));
    CHECK(!trilo_frustum_sees(&f, &(trilo_bounds){{3.1f, 0, -3}, {9, 1, -2}}));
    CHECK(!trilo_frustum_sees(&f, &(trilo_bounds){{-1, -1, -0.9f}, {1, 1, 2}}));
    CHECK(!trilo_frustum_sees(&f, &(trilo_bounds){{-1, -1, -12}, {1, 1, -10.1f}}));
    CHECK(!trilo_frustum_sees(&f, &(trilo_bounds){{1, -1, -3}, {-1, 1, -2}}));
}

TEST(a_plane_that_is_not_finite_cuts_nothing)
{
    const trilo_mesh mesh = triangle_mesh(flat, TRILO_NONE);
    const trilo_model model = {.mesh_count = 1, .meshes = &mesh};
    trilo_query *query = make_query(&model);
    trilo_frustum f = {.plane_count = 2, .planes = {{NAN, 0, 0, -1}, {1, 0, 0, -4}}};
    CHECK_INT(count_frustum(query, &f), 1);
    f.planes[1].w = -4.01f;
    CHECK_INT(count_frustum(query, &f), 0);
    f = (trilo_frustum){.plane_count = 0};
    CHECK_INT(count_frustum(query, &f), 1);
    f.plane_count = 4000000000u; /* six are looked at, all 0 */
    CHECK_INT(count_frustum(query, &f), 1);
    trilo_query_free(query);
}

/* ---- results ---- */

static bool stop_at_once(void *user, const trilo_face *faces, uint32_t count)
{
    (void)faces;
    ++*(uint32_t *)user;
    return count == 0;
}

TEST(results_fill_an_array_or_end_when_told)
{
    dice d = {7};
    soup s;
    soup_make(&s, SOUP_CLOUD, 100, &d);
    trilo_query *query = make_query(&s.model);
    trilo_face room[101];
    memset(room, 0xEE, sizeof room);
    trilo_faces list = {.faces = room, .room = 30};
    CHECK(trilo_query_sphere(query, (trilo_vec3){0, 0, 0}, 1000, trilo_faces_keep, &list));
    CHECK_INT(list.count, 100);
    CHECK_INT(room[30].mesh, 0xEEEEEEEE);
    CHECK(room[29].mesh < 4);
    uint32_t calls = 0;
    CHECK(!trilo_query_sphere(query, (trilo_vec3){0, 0, 0}, 5, stop_at_once, &calls));
    CHECK(!trilo_query_box(query, &(trilo_bounds){{-5, -5, -5}, {5, 5, 5}}, stop_at_once, &calls));
    CHECK(!trilo_query_frustum(query, &(trilo_frustum){1, {{1, 0, 0, 0}}}, stop_at_once, &calls));
    CHECK_INT(calls, 3);
    trilo_query_free(query);
    soup_free(&s);
}

TEST_MAIN(CASE(a_ray_says_where_it_hits), CASE(a_ray_from_behind_sees_the_back),
          CASE(equal_distances_go_to_the_lower_number), CASE(a_ray_that_is_none_hits_nothing),
          CASE(the_nearest_point_is_inside_or_on_an_edge_or_a_corner), CASE(a_box_must_meet_the_triangle_itself),
          CASE(a_frustum_comes_from_a_matrix), CASE(a_plane_that_is_not_finite_cuts_nothing),
          CASE(results_fill_an_array_or_end_when_told))
