/* A hundred thousand random questions of each kind: the tree must answer what looking at every triangle answers. */
#include "harness.h"
#include "query/ray.h"
#include "support/query_brute.h"

#include <math.h>
#include <stdlib.h>

enum { ROUNDS = 50, TRIANGLES = 60 };

static uint32_t queries(void)
{
    return test_rounds(TEST_SLOW ? 5000 : 100000, TEST_SLOW ? 2000 : 10000);
}

/* One round: triangles of some kind, in a tree that was made for them or for others and then moved. */
typedef struct round_of {
    soup soup;
    soup_kind kind;
    trilo_query *query;
    uint8_t *found; /* how often each triangle */
    dice dice;
} round_of;

static void start_round(round_of *r, uint32_t number)
{
    *r = (round_of){.kind = (soup_kind)(number % SOUP_KINDS), .dice = {number + 1}};
    const uint32_t triangles = number < 6 ? number : TRIANGLES + number;
    soup_make(&r->soup, r->kind, triangles, &r->dice);
    trilo_error err = {0};
    r->query = trilo_query_new(&r->soup.model, number % 2 == 0 ? NULL : r->soup.points, NULL, &err);
    if (!r->query)
        FAIL("%s: %s", err.rule, err.text);
    if (number % 4 == 3) {
        soup_shake(&r->soup, r->kind, &r->dice);
        trilo_query_refit(r->query, r->soup.points);
    }
    r->found = calloc(triangles + 1, 1);
    CHECK(r->found);
}

static void end_round(round_of *r)
{
    trilo_query_free(r->query);
    soup_free(&r->soup);
    free(r->found);
}

static uint32_t number_of(const round_of *r, trilo_face face)
{
    const uint32_t halves = r->soup.triangle_count / 2, thirds = r->soup.triangle_count / 3;
    CHECK(face.mesh == 0 || face.mesh == 2 || face.mesh == 3);
    CHECK(face.triangle < r->soup.meshes[face.mesh].index_count / 3);
    return face.triangle + (face.mesh == 0 ? 0 : face.mesh == 2 ? halves : halves + thirds);
}

static bool mark(void *user, const trilo_face *faces, uint32_t count)
{
    round_of *r = user;
    CHECK(count > 0);
    for (uint32_t i = 0; i < count; i++)
        r->found[number_of(r, faces[i])]++;
    return true;
}

/* Whole and half coordinates meet the lattice exactly; others do so never. */
static trilo_vec3 some_point(round_of *r)
{
    if (r->kind != SOUP_LATTICE || dice_below(&r->dice, 2) == 0)
        return dice_point(&r->dice, -12, 12);
    const float x = (float)dice_below(&r->dice, 25) / 2, y = (float)dice_below(&r->dice, 25) / 2,
                z = (float)dice_below(&r->dice, 25) / 2;
    return (trilo_vec3){x - 6, y - 6, z - 6};
}

/* What was found, against `want`; perhaps is fine both ways. Answers how many were found for certain. */
typedef verdict want_fn(const double corners[3][3], const void *shape);

static uint32_t compare(round_of *r, want_fn *want, const void *shape)
{
    uint32_t certain = 0;
    for (uint32_t i = 0; i < r->soup.triangle_count; i++) {
        trilo_face face;
        double corners[3][3];
        const bool finite = soup_corners(&r->soup, i, &face, corners);
        const verdict v = finite ? want((const double(*)[3])corners, shape) : NO;
        if (r->found[i] > 1 || (v == YES && r->found[i] == 0) || (v == NO && r->found[i] > 0))
            FAIL("kind %d: triangle %u of %u is found %u times, wanted %s", (int)r->kind, (unsigned)i,
                 (unsigned)r->soup.triangle_count, (unsigned)r->found[i], v == YES ? "once" : "never");
        certain += v == YES ? 1 : 0;
        r->found[i] = 0;
    }
    return certain;
}

/* ---- places ---- */

static verdict want_box(const double corners[3][3], const void *shape)
{
    return brute_box(corners, shape);
}

TEST(boxes_find_what_looking_at_everything_finds)
{
    uint64_t certain = 0;
    for (uint32_t n = 0; n < ROUNDS; n++) {
        round_of r;
        start_round(&r, n);
        for (uint32_t q = 0; q < queries() / ROUNDS; q++) {
            const trilo_vec3 a = some_point(&r), b = some_point(&r);
            const float f = dice_below(&r.dice, 2) == 0 ? 1 : 0.125f;
            const trilo_bounds box = {
                {fminf(a.x, b.x * f), fminf(a.y, b.y * f), fminf(a.z, b.z * f)},
                {fmaxf(a.x, b.x * f), fmaxf(a.y, b.y * f), fmaxf(a.z, b.z * f)},
            };
            CHECK(trilo_query_box(r.query, &box, mark, &r));
            certain += compare(&r, want_box, &box);
        }
        end_round(&r);
    }
    CHECK(certain > queries());
}

typedef struct ball {
    double center[3], radius;
} ball;

static verdict want_sphere(const double corners[3][3], const void *shape)
{
    const ball *b = shape;
    return brute_sphere(corners, b->center, b->radius);
}

TEST(spheres_find_what_looking_at_everything_finds)
{
    uint64_t certain = 0;
    for (uint32_t n = 0; n < ROUNDS; n++) {
        round_of r;
        start_round(&r, n);
        for (uint32_t q = 0; q < queries() / ROUNDS; q++) {
            const trilo_vec3 c = some_point(&r);
            const float radius = (float)(dice_unit(&r.dice) * (dice_below(&r.dice, 4) == 0 ? 30 : 3));
            const ball b = {{c.x, c.y, c.z}, radius};
            CHECK(trilo_query_sphere(r.query, c, radius, mark, &r));
            certain += compare(&r, want_sphere, &b);
        }
        end_round(&r);
    }
    CHECK(certain > queries());
}

static verdict want_frustum(const double corners[3][3], const void *shape)
{
    return brute_frustum(corners, shape);
}

/* Planes that look at a point, as a camera's do, and wild ones. */
static trilo_frustum some_frustum(round_of *r)
{
    trilo_frustum f = {.plane_count = dice_below(&r->dice, 7)};
    const trilo_vec3 inside = some_point(r);
    for (uint32_t i = 0; i < f.plane_count; i++) {
        const trilo_vec3 n = dice_point(&r->dice, -1, 1);
        const double off = n.x * inside.x + n.y * inside.y + n.z * inside.z;
        f.planes[i] = (trilo_plane){n.x, n.y, n.z, (float)(dice_between(&r->dice, -1, 6) - off)};
    }
    if (f.plane_count > 0 && dice_below(&r->dice, 8) == 0)
        f.planes[0] = (trilo_plane){0, 0, 1, (float)dice_below(&r->dice, 5) - 2};
    return f;
}

TEST(frustums_find_what_looking_at_everything_finds)
{
    uint64_t certain = 0;
    for (uint32_t n = 0; n < ROUNDS; n++) {
        round_of r;
        start_round(&r, n);
        for (uint32_t q = 0; q < queries() / ROUNDS; q++) {
            const trilo_frustum f = some_frustum(&r);
            CHECK(trilo_query_frustum(r.query, &f, mark, &r));
            certain += compare(&r, want_frustum, &f);
        }
        end_round(&r);
    }
    CHECK(certain > queries());
}

/* ---- rays ---- */

typedef struct span {
    double certain, possible; /* the nearest hit; infinite: none */
} span;

static span brute_nearest_hit(const round_of *r, const double origin[3], const double direction[3])
{
    span s = {INFINITY, INFINITY};
    for (uint32_t i = 0; i < r->soup.triangle_count; i++) {
        trilo_face face;
        double corners[3][3], distance;
        if (!soup_corners(&r->soup, i, &face, corners))
            continue;
        const verdict v = brute_ray((const double(*)[3])corners, origin, direction, &distance);
        if (v == NO)
            continue;
        s.possible = fmin(s.possible, fmax(distance, 0));
        s.certain = v == YES ? fmin(s.certain, distance) : s.certain;
    }
    return s;
}

/* The hit says the same three times: distance along the ray, weights of the corners, position. */
static void check_hit(const round_of *r, const trilo_hit *hit, const double origin[3], const double direction[3])
{
    trilo_face face;
    double corners[3][3], sum = 0;
    const float at[3] = {hit->position.x, hit->position.y, hit->position.z};
    CHECK(soup_corners(&r->soup, number_of(r, hit->face), &face, corners));
    CHECK_INT(hit->material, r->soup.meshes[hit->face.mesh].material);
    double size = 1 + (double)hit->distance;
    for (int i = 0; i < 9; i++)
        size = fmax(size, fabs(corners[i / 3][i % 3]));
    for (int k = 0; k < 3; k++) {
        const double mixed =
            hit->weights[0] * corners[0][k] + hit->weights[1] * corners[1][k] + hit->weights[2] * corners[2][k];
        CHECK_NEAR(at[k], mixed, 1e-6 * size);
        if (direction)
            CHECK_NEAR(at[k], origin[k] + direction[k] * hit->distance, 1e-6 * size);
        CHECK(hit->weights[k] >= 0 && hit->weights[k] <= 1);
        sum += hit->weights[k];
    }
    CHECK_NEAR(sum, 1, 1e-6);
}

static trilo_ray some_ray(round_of *r)
{
    const trilo_vec3 from = some_point(r), to = some_point(r);
    trilo_ray ray = {.origin = from, .direction = {to.x - from.x, to.y - from.y, to.z - from.z}};
    const uint32_t only = dice_below(&r->dice, 12);
    if (only < 3)
        ray.direction = (trilo_vec3){only == 0 ? -1 : 0, only == 1 ? 1 : 0, only == 2 ? 1 : 0};
    ray.max_distance = dice_below(&r->dice, 4) == 0 ? (float)dice_between(&r->dice, 0, 10) : 0;
    return ray;
}

static bool ray_agrees(round_of *r, const trilo_ray *ray)
{
    const double origin[3] = {ray->origin.x, ray->origin.y, ray->origin.z};
    const double d[3] = {ray->direction.x, ray->direction.y, ray->direction.z};
    const double size = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    const double direction[3] = {d[0] / size, d[1] / size, d[2] / size};
    trilo_hit hit;
    const bool got = trilo_query_ray_cast(r->query, ray, &hit);
    CHECK(got == trilo_query_any_hit(r->query, ray));
    if (size == 0) {
        CHECK(!got);
        return false;
    }
    const double limit = ray->max_distance > 0 ? ray->max_distance : INFINITY;
    const span s = brute_nearest_hit(r, origin, direction);
    if (!got) {
        CHECK(!(s.certain < limit * (1 - 1e-6)));
        return false;
    }
    CHECK(hit.distance <= limit);
    CHECK(hit.distance >= s.possible * (1 - 1e-6) - 1e-6);
    CHECK(hit.distance <= s.certain * (1 + 1e-6) + 1e-6);
    check_hit(r, &hit, origin, direction);
    return true;
}

TEST(rays_find_what_looking_at_everything_finds)
{
    uint32_t hits = 0;
    for (uint32_t n = 0; n < ROUNDS; n++) {
        round_of r;
        start_round(&r, n);
        for (uint32_t q = 0; q < queries() / ROUNDS; q++) {
            const trilo_ray ray = some_ray(&r);
            hits += ray_agrees(&r, &ray) ? 1 : 0;
        }
        end_round(&r);
    }
    CHECK(hits > queries() / 10);
}

/* ---- the nearest point ---- */

static bool nearest_agrees(round_of *r, trilo_vec3 point, float limit)
{
    const double at[3] = {point.x, point.y, point.z};
    double best = INFINITY;
    for (uint32_t i = 0; i < r->soup.triangle_count; i++) {
        trilo_face face;
        double corners[3][3];
        if (soup_corners(&r->soup, i, &face, corners))
            best = fmin(best, brute_distance((const double(*)[3])corners, at));
    }
    trilo_hit hit;
    if (!trilo_query_closest_point(r->query, point, limit, &hit)) {
        CHECK(best == INFINITY || (limit > 0 && best > limit * (1 - 1e-6)));
        return false;
    }
    CHECK(limit == 0 || hit.distance <= limit);
    CHECK_NEAR(hit.distance, best, 1e-6 * (1 + best));
    check_hit(r, &hit, at, NULL);
    const double off[3] = {hit.position.x - at[0], hit.position.y - at[1], hit.position.z - at[2]};
    CHECK_NEAR(sqrt(off[0] * off[0] + off[1] * off[1] + off[2] * off[2]), best, 1e-5 * (1 + best));
    return true;
}

TEST(the_nearest_point_is_the_nearest_of_all)
{
    uint32_t hits = 0;
    for (uint32_t n = 0; n < ROUNDS; n++) {
        round_of r;
        start_round(&r, n);
        for (uint32_t q = 0; q < queries() / ROUNDS; q++) {
            const trilo_vec3 point = some_point(&r);
            const float limit = dice_below(&r.dice, 4) == 0 ? (float)dice_unit(&r.dice) : 0;
            hits += nearest_agrees(&r, point, limit) ? 1 : 0;
        }
        end_round(&r);
    }
    CHECK(hits > queries() / 2);
}

/* ---- the tree itself changes nothing, to the bit ---- */

/* The nine coordinates of a face of the tree. */
static const float *flat_corners(const round_of *r, uint32_t face)
{
    const trilo_face *at = &r->query->faces[face];
    return r->soup.points[at->mesh][3 * (size_t)(at->triangle & ~TL_FACE_NOT_FINITE)];
}

/* Every triangle of the tree, by the formulas that it uses itself; equal distances go to the lower number. */
static uint32_t flat_ray(const round_of *r, const trilo_ray *ray, tl_ray_hit *best)
{
    const trilo_query *query = r->query;
    tl_ray b;
    *best = (tl_ray_hit){.distance = ray->max_distance > 0 ? ray->max_distance : INFINITY, .face = TRILO_NONE};
    for (uint32_t i = 0; tl_ray_prepare(query, ray, &b) && i < query->face_count; i++) {
        tl_ray_hit hit = *best;
        if (tl_face_not_finite(&query->faces[i]) || !tl_ray_intersect(&b, flat_corners(r, i), 1, &hit))
            continue;
        if (hit.distance < best->distance || best->face == TRILO_NONE ||
            tl_face_less(&query->faces[i], &query->faces[best->face])) {
            *best = hit;
            best->face = i;
        }
    }
    return best->face;
}

static uint32_t flat_nearest(const round_of *r, const double point[3], tl_closest_point *best)
{
    const trilo_query *query = r->query;
    uint32_t face = TRILO_NONE;
    for (uint32_t i = 0; i < query->face_count; i++) {
        const tl_closest_point near = tl_triangle_closest_point(flat_corners(r, i), point);
        if (tl_face_not_finite(&query->faces[i]))
            continue;
        if (face == TRILO_NONE || near.distance2 < best->distance2 ||
            (near.distance2 == best->distance2 && tl_face_less(&query->faces[i], &query->faces[face]))) {
            *best = near;
            face = i;
        }
    }
    return face;
}

/* Half of the rays go straight to a corner, where boxes end, too. */
static trilo_ray ray_to_corner(round_of *r)
{
    trilo_ray ray = some_ray(r);
    if (r->soup.triangle_count == 0 || dice_below(&r->dice, 2) == 0)
        return ray;
    const float *to = r->soup.positions[dice_below(&r->dice, 3 * r->soup.triangle_count)];
    ray.direction = (trilo_vec3){to[0] - ray.origin.x, to[1] - ray.origin.y, to[2] - ray.origin.z};
    return ray;
}

static void check_face(const trilo_query *query, const trilo_hit *hit, uint32_t face, double distance)
{
    CHECK_INT(hit->face.mesh, query->faces[face].mesh);
    CHECK_INT(hit->face.triangle, query->faces[face].triangle);
    CHECK(hit->distance == (float)distance);
}

static bool same_as_flat(round_of *r)
{
    const trilo_ray ray = ray_to_corner(r);
    const double at[3] = {ray.origin.x, ray.origin.y, ray.origin.z};
    trilo_hit hit;
    tl_ray_hit ray_best;
    tl_closest_point near_best = {.distance2 = 0};
    const uint32_t struck = flat_ray(r, &ray, &ray_best), near = flat_nearest(r, at, &near_best);
    CHECK(trilo_query_ray_cast(r->query, &ray, &hit) == (struck != TRILO_NONE));
    if (struck != TRILO_NONE)
        check_face(r->query, &hit, struck, ray_best.distance);
    CHECK(trilo_query_closest_point(r->query, ray.origin, 0, &hit) == (near != TRILO_NONE));
    if (near != TRILO_NONE)
        check_face(r->query, &hit, near, sqrt(near_best.distance2));
    return struck != TRILO_NONE;
}

TEST(the_tree_changes_no_bit_of_an_answer)
{
    uint32_t hits = 0;
    for (uint32_t n = 0; n < ROUNDS; n++) {
        round_of r;
        start_round(&r, n);
        for (uint32_t q = 0; q < queries() / ROUNDS; q++)
            hits += same_as_flat(&r) ? 1 : 0;
        end_round(&r);
    }
    CHECK(hits > queries() / 10);
}

/* A box around the triangle, and one that is nothing but a corner of it, touch it for certain. */
TEST(a_box_at_the_edge_of_a_triangle_touches_it)
{
    dice d = {1};
    for (uint32_t i = 0; i < queries(); i++) {
        float corners[9];
        for (int k = 0; k < 9; k++)
            corners[k] = (float)dice_between(&d, -10, 10) * (i % 3 == 0 ? 0.001f : 1);
        const tl_box around = tl_triangle_box(corners);
        CHECK(tl_triangle_overlaps_box(corners, &around));
        for (int c = 0; c < 9; c += 3) {
            const float x = corners[c], y = corners[c + 1], z = corners[c + 2];
            CHECK(tl_triangle_overlaps_box(corners, &(tl_box){{x, y, z, x, y, z}}));
            CHECK(tl_triangle_overlaps_box(corners, &(tl_box){{x, y, z, x + 3, y + 2, z + 1}}));
            CHECK(tl_triangle_overlaps_box(corners, &(tl_box){{x - 1, y, z - 3, x, y + 2, z}}));
        }
    }
}

TEST_MAIN(CASE(boxes_find_what_looking_at_everything_finds), CASE(spheres_find_what_looking_at_everything_finds),
          CASE(frustums_find_what_looking_at_everything_finds), CASE(rays_find_what_looking_at_everything_finds),
          CASE(the_nearest_point_is_the_nearest_of_all), CASE(the_tree_changes_no_bit_of_an_answer),
          CASE(a_box_at_the_edge_of_a_triangle_touches_it))
