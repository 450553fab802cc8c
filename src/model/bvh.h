/* bvh.h: a bounding volume hierarchy over boxes, built by the surface area heuristic.
 *
 *   nodes:  [unused | root]  [a | b]  [a's children]  ...  [b's children]  ...
 *   refs:   [ those of a | those of b ]
 *
 * Siblings are neighbours, in one cache line if the array starts at one; children come after their parent.
 */
#ifndef TL_MODEL_BVH_H
#define TL_MODEL_BVH_H

#include "base/arena.h"
#include "base/compiler.h"
#include "trilobite/core.h"

/* An empty box has min above max. */
typedef struct tl_box {
    float at[6]; /* min x, y, z, max x, y, z */
} tl_box;

typedef struct tl_box_ref {
    tl_box box;
    uint32_t item;
} tl_box_ref;

typedef struct tl_bvh_box_node {
    tl_box box;
    uint32_t child; /* an inner node: its first child, an even number, the second follows; 0: a leaf */
    uint32_t count; /* refs below it; they follow those of everything left of it */
} tl_bvh_box_node;

enum {
    TL_BVH_MAX_DEPTH = 64, /* no tree is deeper */
    TL_BVH_ROOT = 1,
};

static inline size_t tl_bvh_max_nodes(uint32_t refs)
{
    return 2 * (size_t)refs + 2; /* the most nodes of a tree */
}

/* In the form that compilers turn into minss and maxss, without branches. */
static inline float tl_min_float(float a, float b)
{
    return a < b ? a : b;
}

static inline float tl_max_float(float a, float b)
{
    return a > b ? a : b;
}

static inline void tl_box_add(tl_box *box, const tl_box *other)
{
    for (int k = 0; k < 3; k++) {
        box->at[k] = tl_min_float(other->at[k], box->at[k]);
        box->at[k + 3] = tl_max_float(other->at[k + 3], box->at[k + 3]);
    }
}

tl_box tl_box_empty(void);
double tl_box_area(const tl_box *box); /* half of its surface; 0 for an empty one */
tl_box tl_box_of(const trilo_bounds *bounds);
trilo_bounds tl_box_bounds(const tl_box *box);

/* Sorts the refs into a tree; `nodes` has room for tl_bvh_max_nodes. No more than `max_leaf` refs are a leaf, and no
 * path is longer than `max_depth`, which must be at most TL_BVH_MAX_DEPTH and leave room for halving: 2^max_depth >=
 * count. Returns the number of nodes, with the unused one; 0 when there are no refs. O(n log n), no memory. */
uint32_t tl_bvh_build(tl_box_ref *refs, uint32_t count, uint32_t max_leaf, uint32_t max_depth, tl_bvh_box_node *nodes);

#endif
