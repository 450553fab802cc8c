/* mesh_bvh.h: a bounding volume hierarchy over whole meshes, built for how Tiny3D traverses it. */
#ifndef TL_MODEL_MESH_BVH_H
#define TL_MODEL_MESH_BVH_H

#include "model/bvh.h"
#include "trilobite/model.h"

enum {
    TL_MESH_BVH_LEAF = 8,   /* most items of a leaf */
    TL_MESH_BVH_DEPTH = 32, /* longest path: the console traverses it by recursion */
};

/* Builds a tree over refs[0..count), which it sorts; each ref's item becomes an item of the tree. With up to 2048 refs,
 * no child is more than 2047 nodes after its parent. False: no memory. */
bool tl_mesh_bvh(tl_arena *arena, tl_box_ref *refs, uint32_t count, trilo_bvh *bvh);

#endif
