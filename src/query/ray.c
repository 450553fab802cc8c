/* Rays: down the tree, the child that is entered first comes first. */
#include "query/ray.h"

static bool try_leaf(const trilo_query *query, const tl_ray *b, uint32_t first, uint32_t count, tl_ray_hit *best)
{
    for (uint32_t i = first; i < first + count; i++) {
        tl_ray_hit hit = *best;
        if (tl_face_broken(&query->faces[i]) || !tl_ray_meets(b, query->corners[i], &hit))
            continue;
        const bool equal = hit.distance == best->distance && best->face != TRILO_NONE;
        if (equal && !tl_face_less(&query->faces[i], &query->faces[best->face]))
            continue;
        hit.face = i;
        *best = hit;
        if (b->any)
            return true;
    }
    return false;
}

/* ---- the tree ---- */

typedef struct waiting {
    uint32_t node, first;
    double enter;
} waiting;

/* The child that the ray enters first comes first. */
static void search(const trilo_query *query, const tl_ray *b, tl_ray_hit *best)
{
    waiting stack[TL_BOX_DEPTH + 1];
    uint32_t depth = 1;
    stack[0] = (waiting){TL_BOX_ROOT, 0, tl_ray_entry(b, &query->nodes[TL_BOX_ROOT].box, best->distance)};
    while (depth > 0) {
        const waiting at = stack[--depth];
        const tl_bvh_box_node *node = &query->nodes[at.node];
        if (at.enter > best->distance || at.enter == INFINITY)
            continue;
        if (node->child == 0) {
            if (try_leaf(query, b, at.first, node->count, best))
                return;
            continue;
        }
        const tl_bvh_box_node *one = &query->nodes[node->child], *two = one + 1;
        const waiting first = {node->child, at.first, tl_ray_entry(b, &one->box, best->distance)},
                      second = {node->child + 1, at.first + one->count, tl_ray_entry(b, &two->box, best->distance)};
        const bool turned = second.enter < first.enter;
        const waiting *sooner = turned ? &second : &first, *later = turned ? &first : &second;
        if (later->enter < INFINITY)
            stack[depth++] = *later;
        if (sooner->enter < INFINITY)
            stack[depth++] = *sooner;
    }
}

static bool cast(const trilo_query *query, const trilo_ray *ray, bool any, tl_ray *b, tl_ray_hit *best)
{
    const double limit = ray->max_distance;
    if (!(limit >= 0) || !tl_ray_set(query, ray, b))
        return false;
    b->any = any;
    *best = (tl_ray_hit){.distance = limit > 0 ? limit : INFINITY, .face = TRILO_NONE};
    search(query, b, best);
    return best->face != TRILO_NONE;
}

bool trilo_query_ray_cast(const trilo_query *query, const trilo_ray *ray, trilo_hit *hit)
{
    tl_ray b;
    tl_ray_hit best;
    double at[3];
    if (!cast(query, ray, false, &b, &best))
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
    return cast(query, ray, true, &b, &best);
}
