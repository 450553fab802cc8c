/* Ray cast, and the traversal for every machine. */
#include "query/ray.h"
#include "base/avx2.h"
#include "base/strict_float.h"
#include "query/ray_steps.h"

/* Where the ray enters the children of a node; a bit for each that it enters no later than `limit`. */
TL_FLOAT4_INLINE unsigned ray_enter(const tl_query_node *node, const tl_ray *r, float limit,
                                    float enters[TL_QUERY_WIDTH])
{
    tl_float4 enter[2] = {tl_float4_all(0), tl_float4_all(0)}, leave[2] = {tl_float4_all(limit), tl_float4_all(limit)};
    for (int k = 0; k < 3; k++) {
        const float low = node->box.at[k] * r->inverse[k];
        const tl_float4 step = tl_float4_all(node->step[k] * r->inverse[k]), near = tl_float4_all(low - r->before[k]),
                        far = tl_float4_all(low - r->behind[k]);
        tl_float4 first[2], last[2];
        tl_float4_from_bytes8(node->planes[r->near[k]], first);
        tl_float4_from_bytes8(node->planes[r->far[k]], last);
        for (int half = 0; half < 2; half++) {
            enter[half] = tl_float4_max(tl_float4_add(tl_float4_mul(first[half], step), near), enter[half]);
            leave[half] = tl_float4_min(tl_float4_add(tl_float4_mul(last[half], step), far), leave[half]);
        }
    }
    tl_float4_store(enters, enter[0]);
    tl_float4_store(enters + 4, enter[1]);
    return tl_float4_at_most(enter[0], leave[0]) | tl_float4_at_most(enter[1], leave[1]) << 4;
}

#define RAY_ENTER    ray_enter
#define RAY_TRAVERSE tl_ray_traverse
#include "query/ray_traverse.inc"
#undef RAY_ENTER
#undef RAY_TRAVERSE

static bool ray_cast(const trilo_query *query, const trilo_ray *ray, bool any, tl_ray *r, tl_ray_hit *best)
{
    const double limit = ray->max_distance;
    if (!(limit >= 0) || !tl_ray_prepare(query, ray, r))
        return false;
    r->any = any;
    *best = (tl_ray_hit){.distance = limit > 0 ? limit : INFINITY, .face = TRILO_NONE};
#if TL_AVX2
    if (tl_has_avx2())
        tl_ray_traverse_avx2(query, r, best);
    else
#endif
        tl_ray_traverse(query, r, best);
    return best->face != TRILO_NONE;
}

bool trilo_query_ray_cast(const trilo_query *query, const trilo_ray *ray, trilo_hit *hit)
{
    tl_ray b;
    tl_ray_hit best;
    double at[3];
    float corners[9];
    if (!ray_cast(query, ray, false, &b, &best))
        return false;
    tl_query_corners(query, best.leaf, best.face, corners);
    for (int k = 0; k < 3; k++)
        at[k] = b.origin[k] + best.distance * b.direction[k];
    tl_hit_fill(query, best.face, corners, best.weights, at, best.distance, hit);
    hit->back = best.back;
    return true;
}

bool trilo_query_any_hit(const trilo_query *query, const trilo_ray *ray)
{
    tl_ray b;
    tl_ray_hit best;
    return ray_cast(query, ray, true, &b, &best);
}
