/* Any bytes as triangles and questions: 48 bytes for the questions, then 12 for each corner. The tree must answer what
 * its own formulas answer for every triangle by itself. */
#include "base/bytes.h"
#include "fuzz/fuzz.h"
#include "harness.h"
#include "query/frustum.h"
#include "query/ray.h"

#include <math.h>
#include <stdlib.h>

enum { NUMBERS = 12, CORNERS_MOST = 3000 };

/* The nine coordinates of a face of the query: positions are in the order of triangles. */
static const float *corners_of(const trilo_query *query, trilo_points positions, uint32_t face)
{
    return positions[3 * (size_t)(query->faces[face].triangle & ~TL_FACE_NOT_FINITE)];
}

static void check_ray(const trilo_query *query, trilo_points positions, const trilo_ray *ray)
{
    tl_ray b;
    tl_ray_hit best = {.distance = ray->max_distance > 0 ? ray->max_distance : INFINITY, .face = TRILO_NONE};
    const bool able = ray->max_distance >= 0 && tl_ray_prepare(query, ray, &b);
    for (uint32_t i = 0; able && i < query->face_count; i++) {
        tl_ray_hit hit = best;
        if (!tl_face_not_finite(&query->faces[i]) && tl_ray_intersect(&b, corners_of(query, positions, i), 1, &hit) &&
            (hit.distance < best.distance || best.face == TRILO_NONE ||
             tl_face_less(&query->faces[i], &query->faces[best.face]))) {
            best = hit;
            best.face = i;
        }
    }
    trilo_hit hit;
    CHECK(trilo_query_ray_cast(query, ray, &hit) == (best.face != TRILO_NONE));
    CHECK(trilo_query_any_hit(query, ray) == (best.face != TRILO_NONE));
    if (best.face != TRILO_NONE)
        CHECK_INT(hit.face.triangle, query->faces[best.face].triangle);
}

static bool finite3(trilo_vec3 v)
{
    return tl_is_finite(v.x) && tl_is_finite(v.y) && tl_is_finite(v.z);
}

/* Triangles within a distance, and the nearest of all. */
static void check_near(const trilo_query *query, trilo_points positions, trilo_vec3 center, float radius)
{
    const double at[3] = {center.x, center.y, center.z}, most = (double)radius * radius;
    const bool able = finite3(center), sized = radius >= 0;
    double best = INFINITY;
    uint32_t count = 0;
    for (uint32_t i = 0; able && i < query->face_count; i++) {
        if (tl_face_not_finite(&query->faces[i]))
            continue;
        const double distance2 = tl_triangle_closest_point(corners_of(query, positions, i), at).distance2;
        count += sized && distance2 <= most ? 1 : 0;
        best = distance2 < best ? distance2 : best;
    }
    trilo_faces list = {.room = 0};
    trilo_hit hit;
    CHECK(trilo_query_sphere(query, center, radius, trilo_faces_keep, &list));
    CHECK_INT(list.count, count);
    CHECK(trilo_query_closest_point(query, center, 0, &hit) == (best < INFINITY));
    CHECK(best == INFINITY || hit.distance == (float)fmin(sqrt(best), 3.4028234663852886e38));
}

static void check_frustum(const trilo_query *query, trilo_points positions, const trilo_frustum *frustum)
{
    const tl_frustum f = tl_frustum_prepare(frustum);
    uint32_t count = 0;
    for (uint32_t i = 0; i < query->face_count; i++) {
        const tl_box box = tl_triangle_box(corners_of(query, positions, i));
        count += !tl_face_not_finite(&query->faces[i]) && tl_frustum_sees(&f, &box, ~0u) ? 1 : 0;
    }
    trilo_faces list = {.room = 0};
    CHECK(trilo_query_frustum(query, frustum, trilo_faces_keep, &list));
    CHECK_INT(list.count, count);
}

/* A box may be cut before it is asked for: only what is certain is compared. */
static void check_box(const trilo_query *query, trilo_points positions, const trilo_bounds *bounds)
{
    const tl_box box = tl_box_of(bounds);
    uint32_t within = 0, touching = 0;
    for (uint32_t i = 0; i < query->face_count; i++) {
        const tl_box own = tl_triangle_box(corners_of(query, positions, i));
        bool in = !tl_face_not_finite(&query->faces[i]), meets = in;
        for (int k = 0; k < 3; k++) {
            in = in && own.at[k] >= box.at[k] && own.at[k + 3] <= box.at[k + 3];
            meets = meets && own.at[k] <= box.at[k + 3] && own.at[k + 3] >= box.at[k] && box.at[k] <= box.at[k + 3];
        }
        within += in ? 1 : 0;
        touching += meets ? 1 : 0;
    }
    trilo_faces list = {.room = 0};
    CHECK(trilo_query_box(query, bounds, trilo_faces_keep, &list));
    CHECK(list.count >= within && list.count <= touching);
}

static void ask(const trilo_query *query, trilo_points positions, const float n[NUMBERS])
{
    const trilo_vec3 a = {n[0], n[1], n[2]}, b = {n[3], n[4], n[5]};
    check_ray(query, positions, &(trilo_ray){a, b, n[6], n[7] < 0});
    check_near(query, positions, a, n[6]);
    check_box(query, positions, &(trilo_bounds){a, b});
    check_frustum(query, positions, &(trilo_frustum){2, {{n[3], n[4], n[5], n[6]}, {n[8], n[9], n[10], n[11]}}});
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static float corners[CORNERS_MOST][3], others[CORNERS_MOST][3];
    static uint32_t indices[CORNERS_MOST];
    float n[NUMBERS];
    if (size < sizeof n)
        return 0;
    const size_t given = (size - sizeof n) / sizeof *corners;
    const uint32_t count = (uint32_t)(given < CORNERS_MOST ? given : CORNERS_MOST) / 3 * 3;
    for (size_t i = 0; i < NUMBERS; i++)
        n[i] = tl_get_f32(data + 4 * i, TL_LITTLE);
    for (size_t i = 0; i < 3 * (size_t)count; i++) {
        corners[i / 3][i % 3] = tl_get_f32(data + sizeof n + 4 * i, TL_LITTLE);
        others[count - 1 - i / 3][i % 3] = corners[i / 3][i % 3];
        indices[i / 3] = (uint32_t)(i / 3);
    }
    const trilo_mesh mesh = {.material = TRILO_NONE,
                             .node = TRILO_NONE,
                             .skin = TRILO_NONE,
                             .vertex_count = count,
                             .index_count = count,
                             .positions = (trilo_points)corners,
                             .indices = indices};
    const trilo_model model = {.mesh_count = 1, .meshes = &mesh};
    const trilo_points moved = (trilo_points)others;
    trilo_query *query = trilo_query_new(&model, NULL, NULL, NULL);
    CHECK(query);
    ask(query, mesh.positions, n);
    trilo_query_refit(query, &moved);
    ask(query, moved, n);
    trilo_query_free(query);
    return 0;
}
