/* query.h: spatial queries over a BVH of triangles: ray cast, closest point, overlap, frustum culling. */
#ifndef TL_QUERY_QUERY_H
#define TL_QUERY_QUERY_H

#include "model/bvh.h"
#include "trilobite/query.h"

/* Nodes and triangles are in the order of model/bvh.h. */
struct trilo_query {
    tl_arena arena;
    const trilo_model *model;
    uint32_t node_count, face_count;
    uint32_t not_finite;    /* triangles that are not finite */
    tl_bvh_box_node *nodes; /* start a cache line */
    trilo_face *faces;
    float (*corners)[9]; /* of each face, three positions */
};

/* A triangle that is not finite stays in the tree, since it may be finite in another pose; this bit is set meanwhile.
 */
#define TL_FACE_NOT_FINITE 0x80000000u

static inline bool tl_face_not_finite(const trilo_face *face)
{
    return (face->triangle & TL_FACE_NOT_FINITE) != 0;
}

static inline bool tl_face_less(const trilo_face *a, const trilo_face *b)
{
    return a->mesh != b->mesh ? a->mesh < b->mesh : a->triangle < b->triangle;
}

static inline tl_box tl_triangle_box(const float corners[9])
{
    tl_box box;
    for (int k = 0; k < 3; k++) {
        const float a = corners[k], b = corners[k + 3], c = corners[k + 6];
        box.at[k] = tl_min_float(tl_min_float(a, b), c);
        box.at[k + 3] = tl_max_float(tl_max_float(a, b), c);
    }
    return box;
}

/* Square of the distance from a point to a box. It rounds the same for a box and for what is inside it, so that a box
 * is never further away than its content. */
static inline double tl_box_distance2(const tl_box *box, const double point[3])
{
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        const double below = box->at[k] - point[k], above = point[k] - box->at[k + 3];
        const double off = below > 0 ? below : above > 0 ? above : 0;
        sum += off * off;
    }
    return sum;
}

/* The world matrix of each node in the rest pose; NULL: no memory. */
trilo_mat4 *tl_rest_worlds(tl_arena *arena, const trilo_model *model);
/* The matrix of a mesh; NULL: identity. */
const trilo_mat4 *tl_rest_world(const trilo_mesh *mesh, const trilo_mat4 *worlds);

/* The same as trilo_query_closest_point, but it looks at no more than `most_nodes` of the tree: where so many triangles
 * lie on each other, the answer is a near point that need not be the nearest. */
bool tl_query_near_point(const trilo_query *query, trilo_vec3 point, float max_distance, uint32_t most_nodes,
                         trilo_hit *hit);

/* ---- triangle.c ---- */

/* The point of a triangle that is closest to another point; weights are barycentric. */
typedef struct tl_closest_point {
    double distance2;
    double at[3], weights[3];
} tl_closest_point;

tl_closest_point tl_triangle_closest_point(const float corners[9], const double point[3]);

/* Conservative: true when rounding decides. */
bool tl_triangle_overlaps_box(const float corners[9], const tl_box *box);

/* The normal, with twice the area as its length. */
void tl_triangle_cross(const float corners[9], double cross[3]);

/* Fills in what every hit has: `face` is one of the query's, `weights`, `at` and `distance` say where. */
void tl_hit_fill(const trilo_query *query, uint32_t face, const double weights[3], const double at[3], double distance,
                 trilo_hit *hit);

#endif
