/* Single triangles against points and boxes, in double: no product of floats is too large for it. */
#include "query/query.h"

#include <float.h>
#include <math.h>

static void minus(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[k] - b[k];
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* The corners as seen from `from`. */
static void corners_from(const float corners[9], const double from[3], double out[3][3])
{
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < 3; k++)
            out[c][k] = corners[3 * c + k] - from[k];
}

void tl_triangle_cross(const float corners[9], double out[3])
{
    double c[3][3], ab[3], ac[3];
    corners_from(corners, (const double[3]){0, 0, 0}, c);
    minus(c[1], c[0], ab);
    minus(c[2], c[0], ac);
    cross(ab, ac, out);
}

/* ---- the nearest point ---- */

/* Takes the candidate when it is nearer. It is moved into the triangle's box, which it can have left by rounding only:
 * so no box that holds the triangle is further away than it. */
static void consider(const double c[3][3], const tl_box *box, const double point[3], const double weights[3],
                     tl_near *best)
{
    tl_near near = {.distance2 = 0};
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

/* The nearest point of an edge; the corners are seen from the point itself. */
static void consider_edge(const double c[3][3], const tl_box *box, const double point[3], int from, tl_near *best)
{
    const int to = (from + 1) % 3;
    double edge[3], weights[3] = {0};
    minus(c[to], c[from], edge);
    const double length2 = dot(edge, edge), along = -dot(c[from], edge);
    const double part = along <= 0 || length2 == 0 ? 0 : along >= length2 ? 1 : along / length2;
    weights[from] = 1 - part;
    weights[to] = part;
    consider(c, box, point, weights, best);
}

/* Straight below the point, when that is inside the triangle. */
static void consider_inside(const double c[3][3], const tl_box *box, const double point[3], tl_near *best)
{
    double ab[3], ac[3], normal[3], sides[3][3], weights[3];
    minus(c[1], c[0], ab);
    minus(c[2], c[0], ac);
    cross(ab, ac, normal);
    for (int k = 0; k < 3; k++) {
        cross(c[(k + 1) % 3], c[(k + 2) % 3], sides[k]);
        weights[k] = dot(normal, sides[k]);
    }
    const double sum = weights[0] + weights[1] + weights[2];
    if (!(weights[0] >= 0 && weights[1] >= 0 && weights[2] >= 0 && sum > 0))
        return;
    for (int k = 0; k < 3; k++)
        weights[k] /= sum;
    consider(c, box, point, weights, best);
}

tl_near tl_triangle_closest_point(const float corners[9], const double point[3])
{
    double c[3][3];
    tl_near best = {.distance2 = INFINITY};
    const tl_box box = tl_corners_box(corners);
    corners_from(corners, point, c);
    for (int k = 0; k < 3; k++)
        consider_edge((const double(*)[3])c, &box, point, k, &best);
    consider_inside((const double(*)[3])c, &box, point, &best);
    return best;
}

/* ---- boxes ---- */

/* Does a plane across `axis` part the triangle from the box? By more than rounding could. */
static bool parts(const double axis[3], const double c[3][3], const double half[3])
{
    double low = dot(axis, c[0]), high = low, reach = 0, size = 0;
    for (int i = 1; i < 3; i++) {
        const double at = dot(axis, c[i]);
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

/* If they do not meet, they are parted by a plane across an axis of the box, the normal of the triangle, or what is
 * square to one edge of each. */
bool tl_triangle_meets_box(const float corners[9], const tl_box *box)
{
    double middle[3], half[3], c[3][3], edges[3][3], normal[3];
    const tl_box own = tl_corners_box(corners);
    for (int k = 0; k < 3; k++) {
        if (!(own.at[k] <= box->at[k + 3] && own.at[k + 3] >= box->at[k]))
            return false;
        middle[k] = ((double)box->at[k] + box->at[k + 3]) / 2;
        half[k] = ((double)box->at[k + 3] - box->at[k]) / 2;
    }
    corners_from(corners, middle, c);
    for (int i = 0; i < 3; i++)
        minus(c[(i + 1) % 3], c[i], edges[i]);
    cross(edges[0], edges[1], normal);
    if (parts(normal, (const double(*)[3])c, half))
        return false;
    for (int i = 0; i < 9; i++) {
        double unit[3] = {0}, axis[3];
        unit[i % 3] = 1;
        cross(unit, edges[i / 3], axis);
        if (parts(axis, (const double(*)[3])c, half))
            return false;
    }
    return true;
}

/* ---- answers ---- */

/* What lies between the ends of what floats can say may still be further away than that. */
static float to_float(double value)
{
    return (float)(value > FLT_MAX ? FLT_MAX : value < -FLT_MAX ? -FLT_MAX : value);
}

void tl_hit_fill(const trilo_query *query, uint32_t face, const double weights[3], const double at[3], double distance,
                 trilo_hit *hit)
{
    double normal[3];
    tl_triangle_cross(query->corners[face], normal);
    const double length = sqrt(dot(normal, normal)), shrink = length > 0 ? 1 / length : 0;
    *hit = (trilo_hit){
        .face = query->faces[face],
        .material = query->model->meshes[query->faces[face].mesh].material,
        .distance = to_float(distance),
        .weights = {(float)weights[0], (float)weights[1], (float)weights[2]},
        .position = {to_float(at[0]), to_float(at[1]), to_float(at[2])},
        .normal = {(float)(normal[0] * shrink), (float)(normal[1] * shrink), (float)(normal[2] * shrink)},
    };
}
