/* query.h: spatial queries over a BVH of triangles: ray cast, closest point, overlap, frustum culling. */
#ifndef TL_QUERY_QUERY_H
#define TL_QUERY_QUERY_H

#include "model/bvh.h"
#include "trilobite/query.h"

enum { TL_QUERY_WIDTH = 4 };

/* Up to four children, whose boxes are tested at once (Wald, Benthin and Boulos, "Getting rid of packets: efficient
 * SIMD single-ray traversal using multi-branching BVHs", 2008). Two cache lines. Nodes come after their parents; faces
 * are in the order of the tree, so that those below a child follow those below the child before it. */
typedef struct tl_query_node {
    float box[6][TL_QUERY_WIDTH];   /* as tl_box; empty where there is no child */
    uint32_t child[TL_QUERY_WIDTH]; /* a node, or TL_QUERY_LEAF and the first of up to TL_QUERY_WIDTH faces */
    uint32_t count[TL_QUERY_WIDTH]; /* faces below it; 0: no child */
} tl_query_node;

#define TL_QUERY_LEAF 0x80000000u

struct trilo_query {
    tl_arena arena;
    const trilo_model *model;
    uint32_t node_count, face_count;
    uint32_t not_finite;  /* triangles that are not finite */
    tl_box box;           /* around everything */
    tl_query_node *nodes; /* start a cache line */
    trilo_face *faces;
    float (*corners)[9]; /* of each face, three positions; TL_QUERY_WIDTH can be read from each on */
};

/* No path is longer than in the tree of two children that it is made from. */
enum { TL_QUERY_STACK = (TL_QUERY_WIDTH - 1) * TL_BVH_MAX_DEPTH + 1 };

static inline bool tl_query_is_leaf(uint32_t child)
{
    return (child & TL_QUERY_LEAF) != 0;
}

static inline tl_box tl_query_node_box(const tl_query_node *node, uint32_t k)
{
    return (tl_box){
        {node->box[0][k], node->box[1][k], node->box[2][k], node->box[3][k], node->box[4][k], node->box[5][k]}};
}

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
 * lie on each other, the result is a near point that need not be the nearest. */
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
