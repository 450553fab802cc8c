/* bvh.h: a tree over boxes, split so that the surfaces of the halves are small.
 *
 *   nodes:  [unused | root]  [a | b]  [a's children]  ...  [b's children]  ...
 *   refs:   [ those of a | those of b ]
 *
 * Siblings stand side by side, in one line of the cache when the array starts one; children stand behind their parent.
 */
#ifndef TL_MODEL_BVH_H
#define TL_MODEL_BVH_H

#include "base/arena.h"
#include "trilobite/core.h"

/* Halves that are empty, or not boxes at all, have min above max and count for nothing. */
typedef struct tl_box {
    float at[6]; /* min x, y, z, max x, y, z */
} tl_box;

typedef struct tl_box_ref {
    tl_box box;
    uint32_t item;
} tl_box_ref;

typedef struct tl_bvh_box_node {
    tl_box box;
    uint32_t child; /* an inner node: its first child, an even number, the second stands behind it; 0: a leaf */
    uint32_t count; /* refs below it; they stand behind those of everything left of it */
} tl_bvh_box_node;

enum {
    TL_BOX_DEPTH = 64, /* no tree is deeper, whatever the boxes */
    TL_BOX_ROOT = 1,
    TL_BOX_LINE = 64, /* two nodes */
};

static inline size_t tl_box_room(uint32_t refs)
{
    return 2 * (size_t)refs + 2; /* nodes that a tree may need */
}

/* In the form that processors have instructions for, so that nothing has to be guessed. */
static inline float tl_lower(float a, float b)
{
    return a < b ? a : b;
}

static inline float tl_higher(float a, float b)
{
    return a > b ? a : b;
}

static inline void tl_box_add(tl_box *box, const tl_box *other)
{
    for (int k = 0; k < 3; k++) {
        box->at[k] = tl_lower(other->at[k], box->at[k]);
        box->at[k + 3] = tl_higher(other->at[k + 3], box->at[k + 3]);
    }
}

tl_box tl_box_empty(void);
double tl_box_area(const tl_box *box); /* half of its surface; 0 for an empty one */
tl_box tl_box_of(const trilo_bounds *bounds);
trilo_bounds tl_box_bounds(const tl_box *box);

/* Sorts the refs into a tree; `nodes` has room for tl_box_room. A leaf has at most `leaf_most`, and no path is longer
 * than `depth_most`, which must be at most TL_BOX_DEPTH and leave room for halving: 2^depth_most >= count. Answers the
 * number of nodes, the unused one too; 0 when there is nothing. O(n log n), no memory. */
uint32_t tl_bvh_build(tl_box_ref *refs, uint32_t count, uint32_t leaf_most, uint32_t depth_most,
                      tl_bvh_box_node *nodes);

#endif
