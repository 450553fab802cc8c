/* query.h: the tree over triangles, and what its queries share. */
#ifndef TL_QUERY_QUERY_H
#define TL_QUERY_QUERY_H

#include "model/bvh.h"
#include "trilobite/query.h"

/* Nodes and triangles stand in the order of model/box_tree.h. */
struct trilo_query {
    tl_arena arena;
    const trilo_model *model;
    uint32_t node_count, face_count;
    uint32_t broken;        /* triangles that are not finite */
    tl_bvh_box_node *nodes; /* start a line of the cache */
    trilo_face *faces;
    float (*corners)[9]; /* of each face, three positions */
};

/* A triangle that is not finite stays in the tree, since another pose may mend it; this bit is set meanwhile. */
#define TL_FACE_BROKEN 0x80000000u

static inline bool tl_face_broken(const trilo_face *face)
{
    return (face->triangle & TL_FACE_BROKEN) != 0;
}

static inline bool tl_face_less(const trilo_face *a, const trilo_face *b)
{
    return a->mesh != b->mesh ? a->mesh < b->mesh : a->triangle < b->triangle;
}

static inline tl_box tl_corners_box(const float corners[9])
{
    tl_box box;
    for (int k = 0; k < 3; k++) {
        const float a = corners[k], b = corners[k + 3], c = corners[k + 6];
        box.at[k] = tl_lower(tl_lower(a, b), c);
        box.at[k + 3] = tl_higher(tl_higher(a, b), c);
    }
    return box;
}

/* Square of the distance from a point to a box. Everything here rounds the same way for a box and for what is inside
 * it, so that a box is never further away than what it holds. */
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

/* Where the rest pose puts each node; NULL: no memory. */
trilo_mat4 *tl_rest_worlds(tl_arena *arena, const trilo_model *model);
/* Where it puts a mesh; NULL: as it is stored. */
const trilo_mat4 *tl_rest_world(const trilo_mesh *mesh, const trilo_mat4 *worlds);

/* ---- triangle.c ---- */

/* The point of a triangle that is nearest to another. */
typedef struct tl_near {
    double distance2;
    double at[3], weights[3];
} tl_near;

tl_near tl_triangle_closest_point(const float corners[9], const double point[3]);

/* Has the triangle a point in the box? Rather yes when rounding decides. */
bool tl_triangle_meets_box(const float corners[9], const tl_box *box);

/* Twice the area, along the normal. */
void tl_triangle_cross(const float corners[9], double cross[3]);

/* Fills in what every hit has: `face` is one of the query's, `weights`, `at` and `distance` say where. */
void tl_hit_fill(const trilo_query *query, uint32_t face, const double weights[3], const double at[3], double distance,
                 trilo_hit *hit);

#endif
