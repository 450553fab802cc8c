/* Single triangles against points and boxes, in double precision: no product of floats overflows. */
#include "base/strict_float.h"
#include "query/query.h"

#include <float.h>
#include <math.h>

static void vec3d_sub(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[k] - b[k];
}

static double vec3d_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void vec3d_cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* The corners relative to `from`. */
static void triangle_relative(const float corners[9], const double from[3], double out[3][3])
{
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < 3; k++)
            out[c][k] = corners[3 * c + k] - from[k];
}

void tl_triangle_cross(const float corners[9], double out[3])
{
    double ab[3], ac[3];
    for (int k = 0; k < 3; k++) {
        ab[k] = (double)corners[k + 3] - corners[k];
        ac[k] = (double)corners[k + 6] - corners[k];
    }
    vec3d_cross(ab, ac, out);
}

/* ---- closest point: of the three edges, and of the inside (compare Ericson 2005, section 5.1) ---- */

/* Keeps the candidate when it is closer. It is clamped to the triangle's box, which it can have left by rounding only:
 * so no box around the triangle is further away. */
static void triangle_consider(const double c[3][3], const tl_box *box, const double point[3], const double weights[3],
                              tl_closest_point *best)
{
    tl_closest_point near = {.distance2 = 0};
    for (int k = 0; k < 3; k++) {
        const double at = point[k] + (weights[0] * c[0][k] + weights[1] * c[1][k] + weights[2] * c[2][k]);
        near.at[k] = at < box->at[k] ? box->at[k] : at > box->at[k + 3] ? box->at[k + 3] : at;
        const double off = near.at[k] > point[k] ? near.at[k] - point[k] : point[k] - near.at[k];
        near.distance2 += off * off;
        near.weights[k] = weights[k];
    }
    if (near.distance2 < best->distance2)
        *best = near;
}

/* The closest point of an edge; corners are relative to the point. */
static void triangle_consider_edge(const double c[3][3], const tl_box *box, const double point[3], int from,
                                   tl_closest_point *best)
{
    const int to = (from + 1) % 3;
    double edge[3], weights[3] = {0};
    vec3d_sub(c[to], c[from], edge);
    const double length2 = vec3d_dot(edge, edge), along = -vec3d_dot(c[from], edge);
    const double part = along <= 0 || length2 == 0 ? 0 : along >= length2 ? 1 : along / length2;
    weights[from] = 1 - part;
    weights[to] = part;
    triangle_consider(c, box, point, weights, best);
}

/* The projection onto the plane, when that is inside the triangle. */
static void triangle_consider_inside(const double c[3][3], const tl_box *box, const double point[3],
                                     tl_closest_point *best)
{
    double ab[3], ac[3], normal[3], sides[3][3], weights[3];
    vec3d_sub(c[1], c[0], ab);
    vec3d_sub(c[2], c[0], ac);
    vec3d_cross(ab, ac, normal);
    for (int k = 0; k < 3; k++) {
        vec3d_cross(c[(k + 1) % 3], c[(k + 2) % 3], sides[k]);
        weights[k] = vec3d_dot(normal, sides[k]);
    }
    const double sum = weights[0] + weights[1] + weights[2];
    if (!(weights[0] >= 0 && weights[1] >= 0 && weights[2] >= 0 && sum > 0))
        return;
    for (int k = 0; k < 3; k++)
        weights[k] /= sum;
    triangle_consider(c, box, point, weights, best);
}

tl_closest_point tl_triangle_closest_point(const float corners[9], const double point[3])
{
    double c[3][3];
    tl_closest_point best = {.distance2 = INFINITY};
    const tl_box box = tl_triangle_box(corners);
    triangle_relative(corners, point, c);
    for (int k = 0; k < 3; k++)
        triangle_consider_edge((const double(*)[3])c, &box, point, k, &best);
    triangle_consider_inside((const double(*)[3])c, &box, point, &best);
    return best;
}

/* ---- overlap with a box: separating axis test (Akenine-Möller 2001) ---- */

/* True if the projections onto `axis` are apart by more than rounding could cause. */
static bool triangle_is_separating(const double axis[3], const double c[3][3], const double half[3])
{
    double low = vec3d_dot(axis, c[0]), high = low, reach = 0, size = 0;
    for (int i = 1; i < 3; i++) {
        const double at = vec3d_dot(axis, c[i]);
        low = at < low ? at : low;
        high = at > high ? at : high;
    }
    for (int k = 0; k < 3; k++) {
        reach += fabs(axis[k]) * half[k];
        size += fabs(axis[k]) * (fabs(c[0][k]) + fabs(c[1][k]) + fabs(c[2][k]) + half[k]);
    }
    reach += size * 0x1p-46;
    return low > reach || high < -reach;
}

/* Separating axes are those of the box, the normal of the triangle, and the cross products of their edges. */
bool tl_triangle_overlaps_box(const float corners[9], const tl_box *box)
{
    double middle[3], half[3], c[3][3], edges[3][3], normal[3];
    const tl_box own = tl_triangle_box(corners);
    for (int k = 0; k < 3; k++) {
        if (!(own.at[k] <= box->at[k + 3] && own.at[k + 3] >= box->at[k]))
            return false;
        middle[k] = ((double)box->at[k] + box->at[k + 3]) / 2;
        half[k] = ((double)box->at[k + 3] - box->at[k]) / 2;
    }
    triangle_relative(corners, middle, c);
    for (int i = 0; i < 3; i++)
        vec3d_sub(c[(i + 1) % 3], c[i], edges[i]);
    vec3d_cross(edges[0], edges[1], normal);
    if (triangle_is_separating(normal, (const double(*)[3])c, half))
        return false;
    for (int i = 0; i < 9; i++) {
        double unit[3] = {0}, axis[3];
        unit[i % 3] = 1;
        vec3d_cross(unit, edges[i / 3], axis);
        if (triangle_is_separating(axis, (const double(*)[3])c, half))
            return false;
    }
    return true;
}

/* ---- hits ---- */

/* A distance between two floats may exceed the largest float. */
static float triangle_to_float(double value)
{
    return (float)(value > FLT_MAX ? FLT_MAX : value < -FLT_MAX ? -FLT_MAX : value);
}

void tl_hit_fill(const trilo_query *query, uint32_t face, const float corners[9], const double weights[3],
                 const double at[3], double distance, trilo_hit *hit)
{
    double normal[3];
    tl_triangle_cross(corners, normal);
    const double length = sqrt(vec3d_dot(normal, normal)), shrink = length > 0 ? 1 / length : 0;
    *hit = (trilo_hit){
        .face = query->faces[face],
        .material = query->model->meshes[query->faces[face].mesh].material,
        .distance = triangle_to_float(distance),
        .weights = {(float)weights[0], (float)weights[1], (float)weights[2]},
        .position = {triangle_to_float(at[0]), triangle_to_float(at[1]), triangle_to_float(at[2])},
        .normal = {(float)(normal[0] * shrink), (float)(normal[1] * shrink), (float)(normal[2] * shrink)},
    };
}
