/* Ray cast: front-to-back traversal of the BVH. */
#include "query/ray.h"
#include "base/compiler.h"
#include "base/strict_float.h"

/* A child, and above it the bits of the distance where the ray enters it, which are ordered as their numbers are. */
typedef uint64_t ray_entry;

static inline ray_entry ray_entry_of(uint32_t child, float enter)
{
    uint32_t bits;
    memcpy(&bits, &enter, sizeof bits);
    return (uint64_t)bits << 32 | child;
}

/* Which of four triangles the ray may hit, in single precision: those with edge functions of both signs, by more than
 * rounding can make of them, are missed for certain.
 *
 * Corners after the shear are off by less than `rounding`, e, which is 16 * 2^-24 of the largest coordinate: the origin
 * is subtracted exactly but for 2^-24 of twice that, and so on. A product of two of them is then off by less than 1.5 e
 * times the sum of both, and an edge function by less than 4 e (sum of all + e). */
TL_FLOAT4_INLINE unsigned ray_candidates(const float (*corners)[9], const tl_ray *r)
{
    const int axes[3] = {r->x, r->y, r->z};
    const tl_float4 rounding = tl_float4_all(r->rounding), shear_x = tl_float4_all((float)r->shear_x),
                    shear_y = tl_float4_all((float)r->shear_y);
    tl_float4 at[12], origin[3], x[3], y[3], sum = rounding;
    for (int k = 0; k < 3; k++)
        origin[k] = tl_float4_all((float)r->origin[axes[k]]);
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
        const tl_float4 depth = tl_float4_sub(at[3 * c + axes[2]], origin[2]);
        x[c] = tl_float4_sub(tl_float4_sub(at[3 * c + axes[0]], origin[0]), tl_float4_mul(shear_x, depth));
        y[c] = tl_float4_sub(tl_float4_sub(at[3 * c + axes[1]], origin[1]), tl_float4_mul(shear_y, depth));
        sum = tl_float4_add(sum, tl_float4_add(tl_float4_abs(x[c]), tl_float4_abs(y[c])));
    }
    const tl_float4 a = tl_float4_sub(tl_float4_mul(x[2], y[1]), tl_float4_mul(y[2], x[1])),
                    b = tl_float4_sub(tl_float4_mul(x[0], y[2]), tl_float4_mul(y[0], x[2])),
                    c = tl_float4_sub(tl_float4_mul(x[1], y[0]), tl_float4_mul(y[1], x[0]));
    const tl_float4 margin = tl_float4_mul(tl_float4_mul(sum, rounding), tl_float4_all(4));
    const tl_float4 least = tl_float4_min(tl_float4_min(a, b), c), most = tl_float4_max(tl_float4_max(a, b), c);
    const unsigned front = ~tl_float4_less(least, tl_float4_sub(tl_float4_all(0), margin)),
                   back = r->front_only ? 0 : ~tl_float4_less(margin, most);
    return front | back;
}

/* True: nothing else need be tested. */
TL_FLOAT4_INLINE bool ray_cast_leaf(const trilo_query *query, const tl_ray *r, uint32_t child, tl_ray_hit *best)
{
    const uint32_t first = tl_query_leaf_first(child), count = tl_query_leaf_count(child);
    unsigned candidates = ray_candidates((const float(*)[9])query->corners + first, r) & ((1u << count) - 1);
    for (uint32_t i = first; candidates != 0; i++, candidates >>= 1) {
        tl_ray_hit hit = *best;
        if ((candidates & 1) == 0 || !tl_ray_intersect(r, query->corners[i], &hit) ||
            (query->not_finite > 0 && tl_face_not_finite(&query->faces[i])))
            continue;
        const bool equal = hit.distance == best->distance && best->face != TRILO_NONE;
        if (equal && !tl_face_less(&query->faces[i], &query->faces[best->face]))
            continue;
        hit.face = i;
        *best = hit;
        tl_prefetch(&query->faces[i]);
        if (r->any)
            return true;
    }
    return false;
}

/* Where the ray enters the children of a node; a bit for each that it enters no later than `limit`. */
TL_FLOAT4_INLINE unsigned ray_enter(const tl_query_node *node, const tl_ray *r, float limit,
                                    float enters[TL_QUERY_WIDTH])
{
    tl_float4 enter[2] = {tl_float4_all(0), tl_float4_all(0)}, leave[2] = {tl_float4_all(limit), tl_float4_all(limit)};
    for (int k = 0; k < 3; k++) {
        const float low = node->box.at[k], size = node->box.at[k + 3] - low;
        const tl_float4 step = tl_float4_all(size * r->step[k]),
                        near = tl_float4_all((low - r->low[k]) * r->inverse[k]),
                        far = tl_float4_all((low - r->high[k]) * r->inverse[k]);
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

/* Most rays go where no other went before, and wait for memory. A node is two cache lines, a leaf of four triangles
 * more than that. */
TL_FLOAT4_INLINE void ray_prefetch(const trilo_query *query, uint32_t child)
{
    const char *at = tl_query_is_leaf(child) ? (const char *)query->corners[tl_query_leaf_first(child)]
                                             : (const char *)&query->nodes[child];
    tl_prefetch(at);
    tl_prefetch(at + TL_CACHE_LINE);
    if (tl_query_is_leaf(child))
        tl_prefetch(at + 2 * TL_CACHE_LINE);
}

/* The nearest of the children that the ray enters; the others are put on the stack, mostly the nearer on top. Which of
 * two is nearer is anyone's guess, so they change places without a branch. */
TL_FLOAT4_INLINE ray_entry ray_push(const trilo_query *query, const tl_query_node *node,
                                    const float enters[TL_QUERY_WIDTH], unsigned entered, ray_entry *stack,
                                    uint32_t *depth)
{
    ray_entry nearest = UINT64_MAX;
    for (; entered != 0; entered &= entered - 1) {
        const int k = tl_zeros_below(entered);
        const ray_entry one = ray_entry_of(node->child[k], enters[k]), other = one > nearest ? one : nearest;
        nearest = one < nearest ? one : nearest;
        ray_prefetch(query, node->child[k]);
        if (other == UINT64_MAX)
            continue;
        const ray_entry top = stack[*depth - 1];
        stack[*depth - 1] = top > other ? top : other;
        stack[(*depth)++] = top > other ? other : top;
    }
    return nearest;
}

/* The child that the ray enters first is visited first. */
static void ray_traverse(const trilo_query *query, const tl_ray *r, tl_ray_hit *best)
{
    ray_entry stack[TL_QUERY_STACK + 1], at = ray_entry_of(0, 0);
    float limit = tl_ray_limit(best->distance);
    uint32_t depth = 1;
    stack[0] = UINT64_MAX;
    while (at != UINT64_MAX) {
        const uint32_t child = (uint32_t)at;
        if (!tl_query_is_leaf(child)) {
            const tl_query_node *node = &query->nodes[child];
            float enters[TL_QUERY_WIDTH];
            const unsigned entered = ray_enter(node, r, limit, enters);
            if (entered != 0) {
                at = ray_push(query, node, enters, entered, stack, &depth);
                continue;
            }
        } else if (ray_cast_leaf(query, r, child, best)) {
            return;
        }
        limit = tl_ray_limit(best->distance);
        const ray_entry last = ray_entry_of(UINT32_MAX, limit);
        do
            at = stack[--depth];
        while (at > last && depth > 0);
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
