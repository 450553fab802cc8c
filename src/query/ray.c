/* Ray cast: front-to-back traversal of the BVH. */
#include "query/ray.h"
#include "base/strict_float.h"

static bool ray_cast_leaf(const trilo_query *query, const tl_ray *r, uint32_t first, uint32_t count, tl_ray_hit *best)
{
    for (uint32_t i = first; i < first + count; i++) {
        tl_ray_hit hit = *best;
        if (tl_face_not_finite(&query->faces[i]) || !tl_ray_intersect(r, query->corners[i], &hit))
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

typedef struct ray_entry {
    uint32_t node, first;
    double enter;
} ray_entry;

/* The child that the ray enters first is visited first. */
static void ray_traverse(const trilo_query *query, const tl_ray *r, tl_ray_hit *best)
{
    ray_entry stack[TL_BVH_MAX_DEPTH + 1];
    uint32_t depth = 1;
    stack[0] = (ray_entry){TL_BVH_ROOT, 0, tl_ray_entry(r, &query->nodes[TL_BVH_ROOT].box, best->distance)};
    while (depth > 0) {
        const ray_entry at = stack[--depth];
        const tl_bvh_box_node *node = &query->nodes[at.node];
        if (at.enter > best->distance || at.enter == INFINITY)
            continue;
        if (node->child == 0) {
            if (ray_cast_leaf(query, r, at.first, node->count, best))
                return;
            continue;
        }
        const tl_bvh_box_node *one = &query->nodes[node->child], *two = one + 1;
        const ray_entry first = {node->child, at.first, tl_ray_entry(r, &one->box, best->distance)},
                        second = {node->child + 1, at.first + one->count, tl_ray_entry(r, &two->box, best->distance)};
        const bool turned = second.enter < first.enter;
        const ray_entry *sooner = turned ? &second : &first, *later = turned ? &first : &second;
        if (later->enter < INFINITY)
            stack[depth++] = *later;
        if (sooner->enter < INFINITY)
            stack[depth++] = *sooner;
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
