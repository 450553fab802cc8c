/* query.h: spatial queries over a BVH of triangles: ray cast, closest point, overlap, frustum culling. */
#ifndef TL_QUERY_QUERY_H
#define TL_QUERY_QUERY_H

#include "base/float4.h"
#include "model/bvh.h"
#include "trilobite/query.h"

#include <float.h>

enum { TL_QUERY_WIDTH = 8, TL_QUERY_FACES = 4 };

/* Up to eight children, whose boxes are tested four or eight at once (Wald, Benthin and Boulos, "Getting rid of
 * packets: efficient SIMD single-ray traversal using multi-branching BVHs", 2008). Their planes are bytes relative to
 * the box of the node (Mahovsky and Wyvill, "Memory-conserving bounding volume hierarchies with coherent raytracing",
 * 2006), so that a node is two cache lines. */
typedef struct tl_query_node {
    tl_box box;                        /* around all children, exactly */
    float step[3];                     /* between planes, along each axis */
    uint32_t unused[3];                /* so that a vector of children is in one cache line */
    uint8_t planes[6][TL_QUERY_WIDTH]; /* as tl_box, from 0 at its minimum to 255 at its maximum, rounded outwards */
    uint32_t child[TL_QUERY_WIDTH];    /* a node, or TL_QUERY_LEAF, the number of faces and the first */
} tl_query_node;

/* A leaf without faces means no child. */
#define TL_QUERY_LEAF 0x80000000u
enum { TL_QUERY_COUNT_AT = 28, TL_QUERY_MOST = (1 << TL_QUERY_COUNT_AT) - 1 };

/* The root is the first node; nodes come after their parents. Faces are in the order of the tree, so that those
 * below a child follow those below the child before it. */
struct trilo_query {
    tl_arena arena;
    const trilo_model *model;
    uint32_t node_count, face_count;
    uint32_t not_finite;  /* triangles that are not finite */
    tl_box box;           /* around everything */
    tl_query_node *nodes; /* start a cache line */
    trilo_face *faces;
    float *corners; /* of each leaf, nine rows: a coordinate of all its faces; tl_query_corners reads those of a face */
};

/* No path is longer than in the tree of two children that it is made from. */
enum { TL_QUERY_STACK = (TL_QUERY_WIDTH - 1) * TL_BVH_MAX_DEPTH + 1 };

static inline bool tl_query_is_leaf(uint32_t child)
{
    return (child & TL_QUERY_LEAF) != 0;
}

static inline uint32_t tl_query_leaf_first(uint32_t leaf)
{
    return leaf & TL_QUERY_MOST;
}

static inline uint32_t tl_query_leaf_count(uint32_t child)
{
    return (child & ~TL_QUERY_LEAF) >> TL_QUERY_COUNT_AT;
}

/* The rows of a leaf; TL_QUERY_FACES numbers can be read from each on. */
static inline float *tl_query_rows(const trilo_query *query, uint32_t leaf)
{
    return query->corners + 9 * (size_t)tl_query_leaf_first(leaf);
}

/* The three positions of a leaf's face. */
static inline void tl_query_corners(const trilo_query *query, uint32_t leaf, uint32_t face, float corners[9])
{
    const float *at = tl_query_rows(query, leaf) + (face - tl_query_leaf_first(leaf));
    for (uint32_t k = 0; k < 9; k++)
        corners[k] = at[k * tl_query_leaf_count(leaf)];
}

/* The distance between planes. It is a little larger than a 255th of the box, by more than rounding takes away also
 * where differences are not normal numbers, so that the last plane is not inside the box. */
#define TL_QUERY_STEP ((1 + 0x1p-20f) / 255)

static inline float tl_query_step(const tl_box *box, int axis)
{
    return tl_min_float((box->at[axis + 3] - box->at[axis]) * TL_QUERY_STEP + FLT_MIN, FLT_MAX);
}

typedef struct tl_query_boxes {
    float at[6][TL_QUERY_WIDTH]; /* as tl_box */
} tl_query_boxes;

/* The boxes of all children, no smaller than what they have. */
static inline void tl_query_child_boxes(const tl_query_node *node, tl_query_boxes *boxes)
{
    for (int plane = 0; plane < 6; plane++) {
        const tl_float4 low = tl_float4_all(node->box.at[plane % 3]), step = tl_float4_all(node->step[plane % 3]);
        tl_float4 bytes[2];
        tl_float4_from_bytes8(node->planes[plane], bytes);
        for (int half = 0; half < 2; half++)
            tl_float4_store(boxes->at[plane] + 4 * half, tl_float4_add(low, tl_float4_mul(bytes[half], step)));
    }
}

static inline tl_box tl_query_box(const tl_query_boxes *boxes, uint32_t k)
{
    return (tl_box){
        {boxes->at[0][k], boxes->at[1][k], boxes->at[2][k], boxes->at[3][k], boxes->at[4][k], boxes->at[5][k]}};
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

/* ---- quantize.c ---- */

/* The box of a node, and those of its children, some of which may be empty. */
void tl_query_set_boxes(tl_query_node *node, const tl_box boxes[TL_QUERY_WIDTH]);

/* The world matrix of each node in the rest pose; NULL: no memory. */
trilo_mat4 *tl_rest_worlds(tl_arena *arena, const trilo_model *model);
/* The matrix of a mesh; NULL: identity. */
const trilo_mat4 *tl_rest_world(const trilo_mesh *mesh, const trilo_mat4 *worlds);

/* The same as trilo_query_closest_point, but it visits at most `most_nodes` nodes of the tree: where too many triangles
 * coincide, the result is a near point that need not be the nearest. */
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

/* Fills in what every hit has: `face` is one of the query's, with these corners; `weights`, `at` and `distance` say
 * where it is. */
void tl_hit_fill(const trilo_query *query, uint32_t face, const float corners[9], const double weights[3],
                 const double at[3], double distance, trilo_hit *hit);

#endif
