/* ray.h: a ray prepared for many boxes and triangles.
 *
 * Watertight ray/triangle intersection (Woop, Benthin and Wald 2013): the corners are translated and sheared so that
 * the ray is an axis, where only the signs of three edge functions count. An edge that two triangles share gives both
 * the same value with the other sign, so that no ray slips between them.
 *
 * Boxes by slabs (Kay and Kajiya 1986) in single precision, four or eight at a time, made a little larger than all
 * rounding together: no box is missed whose triangle is hit, and no box seems further away than its content. So what is
 * hit does not depend on the boxes.
 */
#ifndef TL_QUERY_RAY_H
#define TL_QUERY_RAY_H

#include "base/bytes.h"
#include "base/float4.h"
#include "query/query.h"

#include <float.h>
#include <math.h>

typedef struct tl_ray {
    double origin[3], direction[3]; /* of length 1 */
    float inverse[3];               /* of the direction */
    float before[3], behind[3];     /* the origin times that, moved as if boxes were larger: for near and far planes */
    int near[3], far[3];            /* into tl_box.at: the planes through which it enters and leaves */
    int x, y, z;                    /* axes; z is that of the largest component of the direction */
    double shear_x, shear_y, shear_z;
    float start[3], shear[2]; /* the origin along x, y and z, and the shear of x and y, in single precision */
    float rounding; /* of a triangle's coordinates in single precision, after the shear; infinite where products of them
                     * could overflow or vanish */
    bool front_only, any;
} tl_ray;

typedef struct tl_ray_hit {
    double distance;
    double weights[3];
    uint32_t face; /* TRILO_NONE: no hit yet, and none beyond `distance` counts */
    uint32_t leaf; /* that has it */
    bool back;
} tl_ray_hit;

/* ---- the ray ---- */

static inline bool tl_vec3_finite(trilo_vec3 v)
{
    return tl_is_finite(v.x) && tl_is_finite(v.y) && tl_is_finite(v.z);
}

static inline bool tl_ray_axes(tl_ray *r, trilo_vec3 v)
{
    const double d[3] = {v.x, v.y, v.z};
    const double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    if (!tl_vec3_finite(v) || !(length > 0))
        return false;
    for (int k = 0; k < 3; k++) {
        r->direction[k] = d[k] / length;
        /* A ray that moves less stays at its position, apart from the margin of the boxes. */
        const double least = 0x1p-40, size = fabs(r->direction[k]) > least ? fabs(r->direction[k]) : least;
        r->inverse[k] = (float)(d[k] < 0 ? -1 / size : 1 / size);
        r->near[k] = d[k] < 0 ? k + 3 : k;
        r->far[k] = d[k] < 0 ? k : k + 3;
    }
    return true;
}

static inline void tl_ray_shear(tl_ray *r)
{
    const double *d = r->direction;
    r->z = fabs(d[0]) > fabs(d[1]) ? 0 : 1;
    r->z = fabs(d[2]) > fabs(d[r->z]) ? 2 : r->z;
    r->x = (r->z + (d[r->z] < 0 ? 2 : 1)) % 3; /* swapped for a negative z, which keeps the winding */
    r->y = 3 - r->z - r->x;
    r->shear_x = d[r->x] / d[r->z];
    r->shear_y = d[r->y] / d[r->z];
    r->shear_z = 1 / d[r->z];
    r->start[0] = (float)r->origin[r->x], r->start[1] = (float)r->origin[r->y], r->start[2] = (float)r->origin[r->z];
    r->shear[0] = (float)r->shear_x, r->shear[1] = (float)r->shear_y;
}

/* The positions of planes and of the origin are multiplied by the inverse of the direction before they are subtracted.
 * Together they are rounded a dozen times, each time by at most 2^-23 of the largest coordinate times that inverse:
 * 2^-18 is more than all of that. Where products could overflow, every
 * box counts as entered. */
static inline bool tl_ray_prepare(const trilo_query *query, const trilo_ray *ray, tl_ray *r)
{
    const double origin[3] = {ray->origin.x, ray->origin.y, ray->origin.z};
    if (!tl_vec3_finite(ray->origin) || !tl_ray_axes(r, ray->direction) || query->node_count == 0)
        return false;
    double most = 0x1p-90;
    for (int k = 0; k < 6; k++) {
        most = fabs(origin[k % 3]) > most ? fabs(origin[k % 3]) : most;
        most = fabs(query->box.at[k]) > most ? fabs(query->box.at[k]) : most;
    }
    for (int k = 0; k < 3; k++) {
        r->origin[k] = origin[k];
        const double slack = (r->direction[k] < 0 ? -most : most) * 0x1p-18;
        r->inverse[k] = most < 0x1p80 ? r->inverse[k] : 0;
        r->before[k] = (float)(origin[k] + slack) * r->inverse[k];
        r->behind[k] = (float)(origin[k] - slack) * r->inverse[k];
    }
    tl_ray_shear(r);
    r->rounding = most > 0x1p-50 && most < 0x1p60 ? (float)(most * 0x1p-20) : INFINITY;
    r->front_only = ray->front_only;
    return true;
}

/* No less than the distance. */
static inline float tl_ray_limit(double distance)
{
    return distance < FLT_MAX ? (float)(distance * (1 + 0x1p-20)) : INFINITY;
}

/* ---- triangles ---- */

/* Nearly parallel to the ray, so that rounding would decide where it is hit: not hit. */
static inline bool tl_ray_edge_on(const double x[3], const double y[3], const double depth[3], double area)
{
    double wide = 0, far = 0;
    for (int c = 0; c < 3; c++) {
        wide = fabs(x[c]) > wide ? fabs(x[c]) : wide;
        wide = fabs(y[c]) > wide ? fabs(y[c]) : wide;
        far = fabs(depth[c]) > far ? fabs(depth[c]) : far;
    }
    return !(fabs(area) > 0x1p-34 * wide * (wide + far));
}

/* `at` has the first coordinate, the others follow `count` apart. */
static inline bool tl_ray_intersect(const tl_ray *r, const float *at, size_t count, tl_ray_hit *hit)
{
    double x[3], y[3], depth[3], edges[3];
    for (int c = 0; c < 3; c++, at += 3 * count) {
        depth[c] = at[(size_t)r->z * count] - r->origin[r->z];
        x[c] = (at[(size_t)r->x * count] - r->origin[r->x]) - r->shear_x * depth[c];
        y[c] = (at[(size_t)r->y * count] - r->origin[r->y]) - r->shear_y * depth[c];
    }
    edges[0] = x[2] * y[1] - y[2] * x[1];
    edges[1] = x[0] * y[2] - y[0] * x[2];
    edges[2] = x[1] * y[0] - y[1] * x[0];
    const bool back = edges[0] < 0 || edges[1] < 0 || edges[2] < 0;
    const double sum = edges[0] + edges[1] + edges[2];
    if ((back && (edges[0] > 0 || edges[1] > 0 || edges[2] > 0)) || (back && r->front_only) ||
        tl_ray_edge_on(x, y, depth, sum))
        return false;
    const double distance = r->shear_z * ((edges[0] * depth[0] + edges[1] * depth[1] + edges[2] * depth[2]) / sum);
    if (!(distance >= 0 && distance <= hit->distance))
        return false;
    hit->distance = distance;
    hit->back = back;
    for (int k = 0; k < 3; k++)
        hit->weights[k] = edges[k] / sum;
    return true;
}

/* ---- ray.c, ray_avx2.c ---- */

/* Finds what is nearer than `best`, or any hit. */
void tl_ray_traverse(const trilo_query *query, const tl_ray *r, tl_ray_hit *best);
void tl_ray_traverse_avx2(const trilo_query *query, const tl_ray *r, tl_ray_hit *best);

#endif
