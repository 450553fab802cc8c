/* Ray cast: front-to-back traversal of the BVH. */
#include "query/ray.h"
#include "base/compiler.h"
#include "base/strict_float.h"

typedef struct ray_entry {
    uint32_t child, count;
    float enter;
} ray_entry;

/* The ray, for four boxes or triangles at a time. */
typedef struct ray_lanes {
    tl_float4 low[3], high[3], inverse[3];   /* of boxes */
    tl_float4 origin[3], shear[2], rounding; /* of triangles: x, y, z */
    unsigned any_side;
} ray_lanes;

static void ray_lanes_set(ray_lanes *p, const tl_ray *r)
{
    const int axes[3] = {r->x, r->y, r->z};
    for (int k = 0; k < 3; k++) {
        p->low[k] = tl_float4_all(r->low[k]);
        p->high[k] = tl_float4_all(r->high[k]);
        p->inverse[k] = tl_float4_all(r->inverse[k]);
        p->origin[k] = tl_float4_all((float)r->origin[axes[k]]);
    }
    p->shear[0] = tl_float4_all((float)r->shear_x);
    p->shear[1] = tl_float4_all((float)r->shear_y);
    p->rounding = tl_float4_all(r->rounding);
    p->any_side = r->front_only ? 0 : ~0u;
}

/* Which of four triangles the ray may hit, in single precision: those with edge functions of both signs, by more than
 * rounding can make of them, are missed for certain.
 *
 * Corners after the shear are off by less than `rounding`, e, which is 16 * 2^-24 of the largest coordinate: the origin
 * is subtracted exactly but for 2^-24 of twice that, and so on. A product of two of them is then off by less than 1.5 e
 * times the sum of both, and an edge function by less than 4 e (sum of all + e). */
TL_FLOAT4_INLINE unsigned ray_candidates(const float (*corners)[9], const tl_ray *r, const ray_lanes *p)
{
    const int axes[3] = {r->x, r->y, r->z};
    tl_float4 at[12], x[3], y[3], sum = p->rounding;
    for (int t = 0; t < 4; t++) {
        at[t] = tl_float4_load(corners[t]);
        at[t + 4] = tl_float4_load(corners[t] + 4);
        at[t + 8] = tl_float4_load(corners[t] + 5);
    }
    tl_float4_transpose(at);
    tl_float4_transpose(at + 4);
    tl_float4_transpose(at + 8);
    at[8] = at[11]; /* the last coordinate, behind the others */
    for (int c = 0; c < 3; c++) {
        const tl_float4 depth = tl_float4_sub(at[3 * c + axes[2]], p->origin[2]);
        x[c] = tl_float4_sub(tl_float4_sub(at[3 * c + axes[0]], p->origin[0]), tl_float4_mul(p->shear[0], depth));
        y[c] = tl_float4_sub(tl_float4_sub(at[3 * c + axes[1]], p->origin[1]), tl_float4_mul(p->shear[1], depth));
        sum = tl_float4_add(sum, tl_float4_add(tl_float4_abs(x[c]), tl_float4_abs(y[c])));
    }
    const tl_float4 a = tl_float4_sub(tl_float4_mul(x[2], y[1]), tl_float4_mul(y[2], x[1])),
                    b = tl_float4_sub(tl_float4_mul(x[0], y[2]), tl_float4_mul(y[0], x[2])),
                    c = tl_float4_sub(tl_float4_mul(x[1], y[0]), tl_float4_mul(y[1], x[0]));
    const tl_float4 margin = tl_float4_mul(tl_float4_mul(sum, p->rounding), tl_float4_all(4));
    const tl_float4 least = tl_float4_min(tl_float4_min(a, b), c), most = tl_float4_max(tl_float4_max(a, b), c);
    const unsigned front = ~tl_float4_less(least, tl_float4_sub(tl_float4_all(0), margin)),
                   back = ~tl_float4_less(margin, most);
    return front | (back & p->any_side);
}

/* True: nothing else need be tested. */
TL_FLOAT4_INLINE bool ray_cast_leaf(const trilo_query *query, const tl_ray *r, const ray_lanes *lanes, uint32_t first,
                                    uint32_t count, tl_ray_hit *best)
{
    const unsigned candidates = ray_candidates((const float(*)[9])query->corners + first, r, lanes);
    for (uint32_t i = first; i < first + count; i++) {
        tl_ray_hit hit = *best;
        if ((candidates >> (i - first) & 1) == 0 || !tl_ray_intersect(r, query->corners[i], &hit) ||
            (query->not_finite > 0 && tl_face_not_finite(&query->faces[i])))
            continue;
        const bool equal = hit.distance == best->distance && best->face != TRILO_NONE;
        if (equal && !tl_face_less(&query->faces[i], &query->faces[best->face]))
            continue;
        hit.face = i;
        *best = hit;
        if (r->any)
            return true;
    }
    return false;
}

/* Where the ray enters the children of a node; a bit for each that it enters no later than `limit`. */
TL_FLOAT4_INLINE unsigned ray_enter(const tl_query_node *node, const tl_ray *r, const ray_lanes *p, float limit,
                                    float enters[TL_QUERY_WIDTH])
{
    tl_float4 enter = tl_float4_all(0), leave = tl_float4_all(limit);
    for (int k = 0; k < 3; k++) {
        const tl_float4 near = tl_float4_load(node->box[r->near[k]]), far = tl_float4_load(node->box[r->far[k]]);
        enter = tl_float4_max(tl_float4_mul(tl_float4_sub(near, p->low[k]), p->inverse[k]), enter);
        leave = tl_float4_min(tl_float4_mul(tl_float4_sub(far, p->high[k]), p->inverse[k]), leave);
    }
    tl_float4_store(enters, enter);
    return tl_float4_at_most(enter, leave);
}

/* Most rays go where no other went before, and wait for memory. */
TL_FLOAT4_INLINE void ray_prefetch(const trilo_query *query, uint32_t child)
{
    const char *at = tl_query_is_leaf(child) ? (const char *)query->corners[child & ~TL_QUERY_LEAF]
                                             : (const char *)&query->nodes[child];
    tl_prefetch(at);
    tl_prefetch(at + TL_CACHE_LINE);
}

/* Puts the children that the ray enters on the stack, the nearest on top. */
TL_FLOAT4_INLINE uint32_t ray_push(const trilo_query *query, const tl_query_node *node,
                                   const float enters[TL_QUERY_WIDTH], unsigned entered, ray_entry *stack,
                                   uint32_t depth)
{
    const uint32_t bottom = depth;
    for (uint32_t k = 0; entered >> k != 0; k++) {
        if ((entered >> k & 1) == 0)
            continue;
        uint32_t at = depth++;
        for (; at > bottom && stack[at - 1].enter < enters[k]; at--)
            stack[at] = stack[at - 1];
        stack[at] = (ray_entry){node->child[k], node->count[k], enters[k]};
        ray_prefetch(query, node->child[k]);
    }
    return depth;
}

/* The child that the ray enters first is visited first. */
static void ray_traverse(const trilo_query *query, const tl_ray *r, tl_ray_hit *best)
{
    ray_entry stack[TL_QUERY_STACK];
    ray_lanes lanes;
    float limit = tl_ray_limit(best->distance);
    uint32_t depth = 1;
    ray_lanes_set(&lanes, r);
    stack[0] = (ray_entry){0, query->face_count, 0};
    while (depth > 0) {
        const ray_entry at = stack[--depth];
        if (at.enter > limit)
            continue;
        if (tl_query_is_leaf(at.child)) {
            if (ray_cast_leaf(query, r, &lanes, at.child & ~TL_QUERY_LEAF, at.count, best))
                return;
            limit = tl_ray_limit(best->distance);
            continue;
        }
        const tl_query_node *node = &query->nodes[at.child];
        float enters[TL_QUERY_WIDTH];
        const unsigned entered = ray_enter(node, r, &lanes, limit, enters);
        depth = ray_push(query, node, enters, entered, stack, depth);
    }
}

static bool ray_cast(const trilo_query *query, const trilo_ray *ray, bool any, tl_ray *r, tl_ray_hit *best)
{
    const double limit = ray->max_distance;
    if (!(limit >= 0) || !tl_ray_prepare(query, ray, r))
        return false;
    r->any = any;
    *best = (tl_ray_hit){.distance = limit > 0 ? limit : INFINITY, .face = TRILO_NONE};
    ray_traverse(query, r, best);
    return best->face != TRILO_NONE;
}

bool trilo_query_ray_cast(const trilo_query *query, const trilo_ray *ray, trilo_hit *hit)
{
    tl_ray b;
    tl_ray_hit best;
    double at[3];
    if (!ray_cast(query, ray, false, &b, &best))
        return false;
    for (int k = 0; k < 3; k++)
        at[k] = b.origin[k] + best.distance * b.direction[k];
    tl_hit_fill(query, best.face, best.weights, at, best.distance, hit);
    hit->back = best.back;
    return true;
}

bool trilo_query_any_hit(const trilo_query *query, const trilo_ray *ray)
{
    tl_ray b;
    tl_ray_hit best;
    return ray_cast(query, ray, true, &b, &best);
}
