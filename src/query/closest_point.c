/* Closest point: branch and bound over the BVH, the nearer child first (Ericson, Real-Time Collision Detection, 2005).
 */
#include "base/bytes.h"
#include "base/strict_float.h"
#include "query/query.h"

#include <math.h>

typedef struct closest_entry {
    uint32_t node, first;
    double distance2;
} closest_entry;

/* The best so far; no face yet: what is not further than near.distance2. */
typedef struct closest_best {
    tl_closest_point near;
    uint32_t face;
} closest_best;

static void closest_leaf(const trilo_query *query, const closest_entry *at, const double point[3], closest_best *best)
{
    for (uint32_t i = at->first; i < at->first + query->nodes[at->node].count; i++) {
        if (tl_face_not_finite(&query->faces[i]))
            continue;
        const tl_closest_point near = tl_triangle_closest_point(query->corners[i], point);
        const bool equal = near.distance2 == best->near.distance2;
        if (near.distance2 < best->near.distance2 ||
            (equal && (best->face == TRILO_NONE || tl_face_less(&query->faces[i], &query->faces[best->face]))))
            *best = (closest_best){near, i};
    }
}

/* What is exactly as far as the best is visited too: it may have the lower number. */
static void closest_search(const trilo_query *query, const double point[3], uint32_t most_nodes, closest_best *best)
{
    closest_entry stack[TL_BVH_MAX_DEPTH + 1];
    uint32_t depth = 0;
    if (query->node_count > 0)
        stack[depth++] = (closest_entry){TL_BVH_ROOT, 0, tl_box_distance2(&query->nodes[TL_BVH_ROOT].box, point)};
    for (uint32_t visited = 0; depth > 0 && visited < most_nodes; visited++) {
        const closest_entry at = stack[--depth];
        const tl_bvh_box_node *node = &query->nodes[at.node];
        if (at.distance2 > best->near.distance2)
            continue;
        if (node->child == 0) {
            closest_leaf(query, &at, point, best);
            continue;
        }
        const tl_bvh_box_node *a = &query->nodes[node->child], *b = a + 1;
        const closest_entry first = {node->child, at.first, tl_box_distance2(&a->box, point)},
                            second = {node->child + 1, at.first + a->count, tl_box_distance2(&b->box, point)};
        const bool turned = second.distance2 < first.distance2;
        stack[depth++] = turned ? first : second;
        stack[depth++] = turned ? second : first;
    }
}

bool tl_query_near_point(const trilo_query *query, trilo_vec3 point, float max_distance, uint32_t most_nodes,
                         trilo_hit *hit)
{
    const double at[3] = {point.x, point.y, point.z}, limit = max_distance;
    if (!tl_is_finite(point.x) || !tl_is_finite(point.y) || !tl_is_finite(point.z) || !(limit >= 0))
        return false;
    closest_best best = {.near.distance2 = limit > 0 ? limit * limit : INFINITY, .face = TRILO_NONE};
    closest_search(query, at, most_nodes, &best);
    if (best.face == TRILO_NONE)
        return false;
    double facing = 0, normal[3];
    tl_triangle_cross(query->corners[best.face], normal);
    for (int k = 0; k < 3; k++)
        facing += normal[k] * (at[k] - best.near.at[k]);
    tl_hit_fill(query, best.face, best.near.weights, best.near.at, sqrt(best.near.distance2), hit);
    hit->back = facing < 0;
    return true;
}

bool trilo_query_closest_point(const trilo_query *query, trilo_vec3 point, float max_distance, trilo_hit *hit)
{
    return tl_query_near_point(query, point, max_distance, UINT32_MAX, hit);
}
