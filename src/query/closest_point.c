/* Closest point: branch and bound over the BVH, the nearer child first (Ericson, Real-Time Collision Detection, 2005).
 */
#include "base/bytes.h"
#include "base/strict_float.h"
#include "query/query.h"

#include <math.h>
#include <string.h>

typedef struct closest_entry {
    uint32_t child;
    double distance2;
} closest_entry;

/* The best so far; no face yet: what is not further than near.distance2. */
typedef struct closest_best {
    tl_closest_point near;
    uint32_t face;
    float corners[9];
} closest_best;

static void closest_leaf(const trilo_query *query, uint32_t child, const double point[3], closest_best *best)
{
    const uint32_t first = tl_query_leaf_first(child), count = tl_query_leaf_count(child);
    for (uint32_t i = first; i < first + count; i++) {
        float corners[9];
        tl_query_corners(query, child, i, corners);
        const tl_box box = tl_triangle_box(corners);
        if (tl_face_not_finite(&query->faces[i]) || tl_box_distance2(&box, point) > best->near.distance2)
            continue;
        const tl_closest_point near = tl_triangle_closest_point(corners, point);
        const bool equal = near.distance2 == best->near.distance2;
        if (near.distance2 < best->near.distance2 ||
            (equal && (best->face == TRILO_NONE || tl_face_less(&query->faces[i], &query->faces[best->face])))) {
            *best = (closest_best){.near = near, .face = i};
            memcpy(best->corners, corners, sizeof corners);
        }
    }
}

/* What is exactly as far as the best is visited too: it may have the lower number. */
static void closest_search(const trilo_query *query, const double point[3], uint32_t most_nodes, closest_best *best)
{
    closest_entry stack[TL_QUERY_STACK];
    uint32_t depth = 0;
    if (query->node_count > 0)
        stack[depth++] = (closest_entry){0, 0};
    for (uint32_t visited = 0; depth > 0 && visited < most_nodes; visited++) {
        const closest_entry at = stack[--depth];
        if (at.distance2 > best->near.distance2)
            continue;
        if (tl_query_is_leaf(at.child)) {
            closest_leaf(query, at.child, point, best);
            continue;
        }
        const tl_query_node *node = &query->nodes[at.child];
        const uint32_t bottom = depth;
        tl_query_boxes boxes;
        tl_query_child_boxes(node, &boxes);
        for (uint32_t k = 0; k < TL_QUERY_WIDTH; k++) { /* sorted, the nearest on top */
            if (node->child[k] == TL_QUERY_LEAF)
                break;
            const tl_box box = tl_query_box(&boxes, k);
            const double distance2 = tl_box_distance2(&box, point);
            if (distance2 > best->near.distance2)
                continue;
            uint32_t to = depth++;
            for (; to > bottom && stack[to - 1].distance2 < distance2; to--)
                stack[to] = stack[to - 1];
            stack[to] = (closest_entry){node->child[k], distance2};
        }
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
    tl_triangle_cross(best.corners, normal);
    for (int k = 0; k < 3; k++)
        facing += normal[k] * (at[k] - best.near.at[k]);
    tl_hit_fill(query, best.face, best.corners, best.near.weights, best.near.at, sqrt(best.near.distance2), hit);
    hit->back = facing < 0;
    return true;
}

bool trilo_query_closest_point(const trilo_query *query, trilo_vec3 point, float max_distance, trilo_hit *hit)
{
    return tl_query_near_point(query, point, max_distance, UINT32_MAX, hit);
}
