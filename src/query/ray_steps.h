/* ray_steps.h: the steps of a traversal: leaves, and the stack of what is left to visit. They become part of each
 * traversal, in its instructions. */
#ifndef TL_QUERY_RAY_STEPS_H
#define TL_QUERY_RAY_STEPS_H

#include "base/compiler.h"
#include "query/ray.h"

/* A child, and above it the bits of the distance where the ray enters it, which are ordered as their numbers are. */
typedef uint64_t tl_ray_entry;

static inline tl_ray_entry tl_ray_entry_of(uint32_t child, float enter)
{
    uint32_t bits;
    memcpy(&bits, &enter, sizeof bits);
    return (uint64_t)bits << 32 | child;
}

/* Which of four triangles the ray may hit, in single precision: those with edge functions of both signs, by more than
 * the rounding error, are certainly missed.
 *
 * Corners after the shear are off by less than `rounding`, e, which is 16 * 2^-24 of the largest coordinate: the origin
 * is subtracted with an error of 2^-24 of twice that, and so on. A product of two of them is then off by less than 1.5
 * e times the sum of both, and an edge function by less than 4 e (sum of all + e). */
TL_FLOAT4_INLINE unsigned tl_ray_candidates(const float *rows, size_t count, const tl_ray *r)
{
    const float *at[3] = {rows + (size_t)r->x * count, rows + (size_t)r->y * count, rows + (size_t)r->z * count};
    const tl_float4 rounding = tl_float4_all(r->rounding);
    tl_float4 x[3], y[3], sum = rounding;
    for (size_t c = 0; c < 3; c++) {
        const size_t corner = 3 * c * count;
        const tl_float4 depth = tl_float4_sub(tl_float4_load(at[2] + corner), tl_float4_all(r->start[2]));
        x[c] = tl_float4_sub(tl_float4_sub(tl_float4_load(at[0] + corner), tl_float4_all(r->start[0])),
                             tl_float4_mul(tl_float4_all(r->shear[0]), depth));
        y[c] = tl_float4_sub(tl_float4_sub(tl_float4_load(at[1] + corner), tl_float4_all(r->start[1])),
                             tl_float4_mul(tl_float4_all(r->shear[1]), depth));
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
TL_FLOAT4_INLINE bool tl_ray_cast_leaf(const trilo_query *query, const tl_ray *r, uint32_t child, tl_ray_hit *best)
{
    const uint32_t first = tl_query_leaf_first(child), count = tl_query_leaf_count(child);
    const float *rows = tl_query_rows(query, child);
    unsigned candidates = tl_ray_candidates(rows, count, r) & ((1u << count) - 1);
    for (uint32_t i = first; candidates != 0; i++, candidates >>= 1) {
        tl_ray_hit hit = *best;
        if ((candidates & 1) == 0 || !tl_ray_intersect(r, rows + (i - first), count, &hit) ||
            (query->not_finite > 0 && tl_face_not_finite(&query->faces[i])))
            continue;
        const bool equal = hit.distance == best->distance && best->face != TRILO_NONE;
        if (equal && !tl_face_less(&query->faces[i], &query->faces[best->face]))
            continue;
        hit.face = i, hit.leaf = child;
        *best = hit;
        tl_prefetch(&query->faces[i]);
        if (r->any)
            return true;
    }
    return false;
}

/* Most rays visit nodes that are not in the cache, and wait for memory. A node is two cache lines, a leaf of four
 * triangles more than that. */
TL_FLOAT4_INLINE void tl_ray_prefetch(const trilo_query *query, uint32_t child)
{
    const char *at =
        tl_query_is_leaf(child) ? (const char *)tl_query_rows(query, child) : (const char *)&query->nodes[child];
    tl_prefetch(at);
    tl_prefetch(at + TL_CACHE_LINE);
    if (tl_query_is_leaf(child))
        tl_prefetch(at + 2 * TL_CACHE_LINE);
}

/* The nearest of the children that the ray enters; the others are put on the stack, mostly the nearer on top. Which of
 * two is nearer is unpredictable, so they are swapped without a branch. */
TL_FLOAT4_INLINE tl_ray_entry tl_ray_push(const trilo_query *query, const tl_query_node *node,
                                          const float enters[TL_QUERY_WIDTH], unsigned entered, tl_ray_entry *stack,
                                          uint32_t *depth)
{
    tl_ray_entry nearest = UINT64_MAX;
    for (; entered != 0; entered &= entered - 1) {
        const int k = tl_zeros_below(entered);
        const tl_ray_entry one = tl_ray_entry_of(node->child[k], enters[k]), other = one > nearest ? one : nearest;
        nearest = one < nearest ? one : nearest;
        tl_ray_prefetch(query, node->child[k]);
        if (other == UINT64_MAX)
            continue;
        const tl_ray_entry top = stack[*depth - 1];
        stack[*depth - 1] = top > other ? top : other;
        stack[(*depth)++] = top > other ? other : top;
    }
    return nearest;
}

#endif
