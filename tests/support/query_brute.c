#include "support/query_brute.h"

#include "harness.h"

#include <math.h>
#include <stdlib.h>

/* ---- numbers ---- */

uint32_t dice_below(dice *d, uint32_t count)
{
    d->state = d->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((d->state >> 33) % count);
}

double dice_unit(dice *d)
{
    return dice_below(d, 1u << 30) / (double)(1u << 30);
}

double dice_between(dice *d, double low, double high)
{
    return low + (high - low) * dice_unit(d);
}

trilo_vec3 dice_point(dice *d, double low, double high)
{
    const float x = (float)dice_between(d, low, high), y = (float)dice_between(d, low, high),
                z = (float)dice_between(d, low, high);
    return (trilo_vec3){x, y, z};
}

/* ---- triangles ---- */

static void put(float to[3], trilo_vec3 v)
{
    to[0] = v.x, to[1] = v.y, to[2] = v.z;
}

static void fill_cloud(float (*corners)[3], dice *d)
{
    const trilo_vec3 middle = dice_point(d, -10, 10);
    for (int c = 0; c < 3; c++) {
        const trilo_vec3 off = dice_point(d, -1, 1);
        put(corners[c], (trilo_vec3){middle.x + off.x, middle.y + off.y, middle.z + off.z});
    }
}

static void fill_lattice(float (*corners)[3], dice *d)
{
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < 3; k++)
            corners[c][k] = (float)dice_below(d, 9) - 4;
}

static void fill_patchy(float (*corners)[3], dice *d)
{
    static const float odd[] = {NAN, INFINITY, -INFINITY, 1e5f, -1e5f, 0, 1e-40f};
    fill_cloud(corners, d);
    const double size = dice_below(d, 4) == 0 ? dice_between(d, 1, 1000) : 1;
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < 3; k++)
            corners[c][k] *= (float)size;
    if (dice_below(d, 10) == 0)
        corners[dice_below(d, 3)][dice_below(d, 3)] = odd[dice_below(d, sizeof odd / sizeof *odd)];
}

void soup_shake(soup *s, soup_kind kind, dice *d)
{
    for (uint32_t t = 0; t < s->triangle_count; t++) {
        float(*corners)[3] = s->positions + 3 * (size_t)t;
        if (kind == SOUP_CLOUD)
            fill_cloud(corners, d);
        else if (kind == SOUP_LATTICE)
            fill_lattice(corners, d);
        else
            fill_patchy(corners, d);
    }
}

/* The second mesh has the lines: it takes the indices of the one before it. */
void soup_make(soup *s, soup_kind kind, uint32_t triangles, dice *d)
{
    *s = (soup){.triangle_count = triangles};
    s->positions = malloc((3 * (size_t)triangles + 1) * sizeof *s->positions);
    s->indices = malloc((3 * (size_t)triangles + 1) * sizeof *s->indices);
    CHECK(s->positions && s->indices);
    soup_shake(s, kind, d);
    const uint32_t shares[4] = {triangles / 2, 0, triangles / 3, triangles - triangles / 2 - triangles / 3};
    uint32_t first = 0;
    for (uint32_t m = 0; m < 4; m++) {
        for (uint32_t i = 0; i < 3 * shares[m]; i++)
            s->indices[3 * first + i] = i;
        s->points[m] = (trilo_points)(s->positions + 3 * (size_t)first);
        s->meshes[m] = (trilo_mesh){.material = m == 3 ? TRILO_NONE : m % 2,
                                    .node = TRILO_NONE,
                                    .skin = TRILO_NONE,
                                    .vertex_count = 3 * shares[m],
                                    .index_count = 3 * shares[m],
                                    .positions = s->points[m],
                                    .indices = s->indices + 3 * (size_t)first};
        first += shares[m];
    }
    s->meshes[1] = s->meshes[0];
    s->meshes[1].topology = TRILO_TOPOLOGY_LINES;
    s->meshes[1].index_count -= s->meshes[1].index_count % 2;
    s->points[1] = s->points[0];
    s->materials[0] = s->materials[1] = (trilo_material){.texture = TRILO_NONE};
    s->model = (trilo_model){.mesh_count = 4, .meshes = s->meshes, .material_count = 2, .materials = s->materials};
}

void soup_free(soup *s)
{
    free(s->positions);
    free(s->indices);
}

bool soup_corners(const soup *s, uint32_t number, trilo_face *face, double corners[3][3])
{
    const uint32_t halves = s->triangle_count / 2, thirds = s->triangle_count / 3;
    *face = number < halves            ? (trilo_face){0, number}
            : number < halves + thirds ? (trilo_face){2, number - halves}
                                       : (trilo_face){3, number - halves - thirds};
    bool finite = true;
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < 3; k++) {
            corners[c][k] = s->positions[3 * (size_t)number + (size_t)c][k];
            finite = finite && isfinite(corners[c][k]);
        }
    return finite;
}

/* ---- vectors ---- */

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
    for (int k = 0; k < 3; k++)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static double length(const double a[3])
{
    return sqrt(dot(a, a));
}

/* ---- rays: where does it cross the plane, and is that on the inner side of each edge? ---- */

verdict brute_ray(const double c[3][3], const double origin[3], const double direction[3], double *distance)
{
    double ab[3], ac[3], normal[3], off[3], at[3];
    minus(c[1], c[0], ab);
    minus(c[2], c[0], ac);
    cross(ab, ac, normal);
    minus(c[0], origin, off);
    const double along = dot(normal, direction), size = length(normal);
    if (size == 0)
        return NO;
    if (fabs(along) <= 1e-9 * size) { /* along the triangle: rounding decides */
        *distance = -1;
        return fabs(dot(normal, off)) > 1e-6 * size * (1 + length(off)) ? NO : PERHAPS;
    }
    *distance = dot(normal, off) / along;
    for (int k = 0; k < 3; k++)
        at[k] = origin[k] + *distance * direction[k];
    double inner = *distance + 1e-9 > 0 ? 1 : -1;
    for (int k = 0; k < 3; k++) {
        double edge[3], to[3], side[3];
        minus(c[(k + 1) % 3], c[k], edge);
        minus(at, c[k], to);
        cross(edge, to, side);
        const double inside = dot(side, normal) / (size * (length(edge) + 1e-30)); /* how far from the edge */
        inner = inside < inner ? inside : inner;
    }
    const double slack = 1e-9 * (1 + length(at) + length(origin)) / (fabs(along) / size);
    return inner < -slack ? NO : inner > slack && *distance > 1e-9 ? YES : PERHAPS;
}

/* ---- distance: that to the plane when the foot is inside, or that of the nearest edge ---- */

static double edge_distance(const double a[3], const double b[3], const double point[3])
{
    double edge[3], to[3], off[3];
    minus(b, a, edge);
    minus(point, a, to);
    const double length2 = dot(edge, edge);
    const double part = length2 > 0 ? fmin(1, fmax(0, dot(to, edge) / length2)) : 0;
    for (int k = 0; k < 3; k++)
        off[k] = to[k] - part * edge[k];
    return length(off);
}

double brute_distance(const double c[3][3], const double point[3])
{
    double u[3], v[3], w[3], normal[3], by_u[3], by_v[3];
    minus(c[1], c[0], u);
    minus(c[2], c[0], v);
    minus(point, c[0], w);
    cross(u, v, normal);
    cross(w, v, by_u);
    cross(u, w, by_v);
    const double size = dot(normal, normal), s = dot(by_u, normal) / size, t = dot(by_v, normal) / size;
    double best = INFINITY;
    if (size > 0 && s >= 0 && t >= 0 && s + t <= 1)
        best = fabs(dot(w, normal)) / sqrt(size);
    for (int k = 0; k < 3; k++)
        best = fmin(best, edge_distance(c[k], c[(k + 1) % 3], point));
    return best;
}

verdict brute_sphere(const double c[3][3], const double center[3], double radius)
{
    const double distance = brute_distance(c, center), slack = 1e-9 * (1 + radius + distance);
    return distance < radius - slack ? YES : distance > radius + slack ? NO : PERHAPS;
}

/* ---- boxes: cut the triangle with each side; is anything left? ---- */

static int cut(double (*polygon)[3], int count, int axis, double sign, double limit)
{
    double left[16][3];
    int kept = 0;
    for (int i = 0; i < count; i++) {
        const double *a = polygon[i], *b = polygon[(i + 1) % count];
        const double in_a = limit - sign * a[axis], in_b = limit - sign * b[axis];
        if (in_a >= 0) {
            for (int k = 0; k < 3; k++)
                left[kept][k] = a[k];
            kept++;
        }
        if ((in_a < 0) != (in_b < 0)) {
            for (int k = 0; k < 3; k++)
                left[kept][k] = a[k] + (b[k] - a[k]) * (in_a / (in_a - in_b));
            left[kept++][axis] = sign * limit;
        }
    }
    for (int i = 0; i < kept; i++)
        for (int k = 0; k < 3; k++)
            polygon[i][k] = left[i][k];
    return kept;
}

static bool box_holds_some(const double c[3][3], const double min[3], const double max[3])
{
    double polygon[16][3];
    int count = 3;
    for (int i = 0; i < 9; i++)
        polygon[i / 3][i % 3] = c[i / 3][i % 3];
    for (int k = 0; k < 3 && count > 0; k++) {
        count = cut(polygon, count, k, 1, max[k]);
        count = count > 0 ? cut(polygon, count, k, -1, -min[k]) : 0;
    }
    return count > 0;
}

verdict brute_box(const double c[3][3], const trilo_bounds *box)
{
    double min[3] = {box->min.x, box->min.y, box->min.z}, max[3] = {box->max.x, box->max.y, box->max.z}, size = 1;
    for (int i = 0; i < 9; i++)
        size = fmax(size, fabs(c[i / 3][i % 3]));
    const double slack = 1e-9 * size;
    for (int k = 0; k < 3; k++)
        min[k] -= slack, max[k] += slack;
    if (!box_holds_some(c, min, max))
        return NO;
    for (int k = 0; k < 3; k++) {
        min[k] += 2 * slack, max[k] -= 2 * slack;
        if (min[k] > max[k])
            return PERHAPS;
    }
    return box_holds_some(c, min, max) ? YES : PERHAPS;
}

/* ---- frustums ---- */

verdict brute_frustum(const double c[3][3], const trilo_frustum *frustum)
{
    for (uint32_t p = 0; p < frustum->plane_count; p++) {
        const trilo_plane *plane = &frustum->planes[p];
        bool outside = true;
        for (int corner = 0; corner < 8 && outside; corner++) {
            double at[3];
            for (int k = 0; k < 3; k++)
                at[k] = corner >> k & 1 ? fmax(c[0][k], fmax(c[1][k], c[2][k])) : fmin(c[0][k], fmin(c[1][k], c[2][k]));
            outside = plane->x * at[0] + plane->y * at[1] + plane->z * at[2] + plane->w < 0;
        }
        if (outside)
            return NO;
    }
    return YES;
}

trilo_mesh triangle_mesh(const float (*positions)[3], uint32_t material)
{
    static const uint32_t indices[3] = {0, 1, 2};
    return (trilo_mesh){.material = material,
                        .node = TRILO_NONE,
                        .skin = TRILO_NONE,
                        .vertex_count = 3,
                        .index_count = 3,
                        .positions = positions,
                        .indices = indices};
}

trilo_query *make_query(const trilo_model *model)
{
    trilo_error err = {0};
    trilo_query *query = trilo_query_new(model, NULL, NULL, &err);
    if (!query)
        FAIL("%s: %s", err.rule, err.text);
    return query;
}
