/* embree.h: Embree's tree over the same triangles, on one thread, to compare with. It may not have been there at build
 * time. */
#ifndef BENCH_EMBREE_H
#define BENCH_EMBREE_H

#include <trilobite/model.h>
#include <trilobite/query.h>

typedef struct embree_tree embree_tree;

bool embree_there(void);
/* Over all triangles of a mesh; NULL: no memory. */
embree_tree *embree_build(const trilo_mesh *mesh);
void embree_free(embree_tree *tree); /* may be NULL */
/* The triangle that the ray hits first, and how far away in lengths of the direction; false: none. */
bool embree_ray_cast(embree_tree *tree, const trilo_ray *ray, uint32_t *triangle, float *distance);

#endif
