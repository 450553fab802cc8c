/* ray.h: a ray made ready for many boxes and triangles.
 *
 * A triangle is looked at along the ray: its corners are sheared into a plane across the ray, where only the signs of
 * three areas count. An edge that two triangles share gives both the same area with the other sign, so that no ray
 * slips between them.
 *
 * Boxes are made a little larger than all rounding together, so that no box is missed whose triangle is hit, and no box
 * seems further away than what it holds.
 */
#ifndef TL_QUERY_RAY_H
#define TL_QUERY_RAY_H

#include "base/bytes.h"
#include "query/query.h"

#include <math.h>

typedef struct tl_ray {
    double origin[3], direction[3]; /* of length 1 */
    double low[3], high[3];         /* the origin as the near and the far side of a larger box see it */
    double inverse[3];
    int near[3], far[3]; /* into tl_box.at: the sides through which it enters and leaves */
    int x, y, z;         /* axes: z is that along which the ray goes furthest */
    double shear_x, shear_y, shear_z;
    bool front_only, any;
} tl_ray;

typedef struct tl_ray_hit {
    double distance;
    double weights[3];
    uint32_t face; /* TRILO_NONE: what is not further than `distance` */
    bool back;
} tl_ray_hit;

/* ---- the ray ---- */

static inline bool tl_vec3_finite(trilo_vec3 v)
{
    return tl_is_finite(v.x) && tl_is_finite(v.y) && tl_is_finite(v.z);
}

static inline bool tl_ray_axes(tl_ray *b, trilo_vec3 v)
{
    const double d[3] = {v.x, v.y, v.z};
    const double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    if (!tl_vec3_finite(v) || !(length > 0))
        return false;
    for (int k = 0; k < 3; k++) {
        b->direction[k] = d[k] / length;
        /* A stand-in for infinity that makes no not-a-number of 0. */
        b->inverse[k] = b->direction[k] != 0 ? 1 / b->direction[k] : 1e300;
        b->near[k] = d[k] < 0 ? k + 3 : k;
        b->far[k] = d[k] < 0 ? k : k + 3;
    }
    return true;
}

static inline void tl_ray_shear(tl_ray *b)
{
    const double *d = b->direction;
    b->z = fabs(d[0]) > fabs(d[1]) ? 0 : 1;
    b->z = fabs(d[2]) > fabs(d[b->z]) ? 2 : b->z;
    b->x = (b->z + (d[b->z] < 0 ? 2 : 1)) % 3; /* turned round with the ray, so that fronts stay fronts */
    b->y = 3 - b->z - b->x;
    b->shear_x = d[b->x] / d[b->z];
    b->shear_y = d[b->y] / d[b->z];
    b->shear_z = 1 / d[b->z];
}

static inline bool tl_ray_set(const trilo_query *query, const trilo_ray *ray, tl_ray *b)
{
    const double origin[3] = {ray->origin.x, ray->origin.y, ray->origin.z};
    if (!tl_vec3_finite(ray->origin) || !tl_ray_axes(b, ray->direction) || query->node_count == 0)
        return false;
    double most = 0;
    for (int k = 0; k < 6; k++) {
        most = fabs(origin[k % 3]) > most ? fabs(origin[k % 3]) : most;
        most = fabs(query->nodes[TL_BOX_ROOT].box.at[k]) > most ? fabs(query->nodes[TL_BOX_ROOT].box.at[k]) : most;
    }
    for (int k = 0; k < 3; k++) {
        b->origin[k] = origin[k];
        const double slack = (b->direction[k] < 0 ? -most : most) * 0x1p-44;
        b->low[k] = origin[k] + slack;
        b->high[k] = origin[k] - slack;
    }
    tl_ray_shear(b);
    b->front_only = ray->front_only;
    return true;
}

/* ---- boxes ---- */

/* Where the ray enters the box; infinite when it misses it, or comes there behind `limit` only. */
static inline double tl_ray_entry(const tl_ray *b, const tl_box *box, double limit)
{
    double enter = 0, leave = limit;
    for (int k = 0; k < 3; k++) {
        const double first = (box->at[b->near[k]] - b->low[k]) * b->inverse[k],
                     last = (box->at[b->far[k]] - b->high[k]) * b->inverse[k];
        enter = first > enter ? first : enter;
        leave = last < leave ? last : leave;
    }
    return enter <= leave ? enter : INFINITY;
}

/* ---- triangles ---- */

/* Seen so nearly from its edge that rounding would say where it is hit: nothing is there to hit. */
static inline bool tl_batch_edge_on(const double x[3], const double y[3], const double deep[3], double area)
{
    double wide = 0, far = 0;
    for (int c = 0; c < 3; c++) {
        wide = fmax(wide, fmax(fabs(x[c]), fabs(y[c])));
        far = fmax(far, fabs(deep[c]));
    }
    return !(fabs(area) > 0x1p-34 * wide * (wide + far));
}

static inline bool tl_ray_meets(const tl_ray *b, const float corners[9], tl_ray_hit *hit)
{
    double x[3], y[3], deep[3], areas[3];
    for (int c = 0; c < 3; c++) {
        const float *at = corners + 3 * c;
        deep[c] = at[b->z] - b->origin[b->z];
        x[c] = (at[b->x] - b->origin[b->x]) - b->shear_x * deep[c];
        y[c] = (at[b->y] - b->origin[b->y]) - b->shear_y * deep[c];
    }
    areas[0] = x[2] * y[1] - y[2] * x[1];
    areas[1] = x[0] * y[2] - y[0] * x[2];
    areas[2] = x[1] * y[0] - y[1] * x[0];
    const bool back = areas[0] < 0 || areas[1] < 0 || areas[2] < 0;
    const double sum = areas[0] + areas[1] + areas[2];
    if ((back && (areas[0] > 0 || areas[1] > 0 || areas[2] > 0)) || (back && b->front_only) ||
        tl_batch_edge_on(x, y, deep, sum))
        return false;
    const double distance = b->shear_z * ((areas[0] * deep[0] + areas[1] * deep[1] + areas[2] * deep[2]) / sum);
    if (!(distance >= 0 && distance <= hit->distance))
        return false;
    hit->distance = distance;
    hit->back = back;
    for (int k = 0; k < 3; k++)
        hit->weights[k] = areas[k] / sum;
    return true;
}

#endif
