/* cluster.h: parts of a mesh with a box around each, so that vertices of those outside of the picture are not
 * transformed. */
#ifndef TL_RASTER_CLUSTER_H
#define TL_RASTER_CLUSTER_H

#include "base/arena.h"
#include "trilobite/model.h"

enum { TL_CLUSTER_INDICES = 3 * 64 };

/* Triangles in the order of the mesh. */
typedef struct tl_cluster {
    uint32_t first, last;    /* vertices */
    float least[3], most[3]; /* the box around those that the triangles use; NaN is ignored */
} tl_cluster;

/* How many a mesh has. */
uint32_t tl_cluster_count(const trilo_mesh *mesh);
/* Without boxes; NULL: no memory. */
tl_cluster *tl_clusters_new(tl_arena *arena, const trilo_mesh *mesh);
void tl_clusters_set_boxes(tl_cluster *clusters, const trilo_mesh *mesh, const float (*positions)[3]);

/* Planes of the view: positive outside. */
typedef struct tl_view_planes {
    double planes[6][4]; /* coefficients of x, y, z and 1 */
    double sizes[6][4];  /* the sum of the absolute values that each is a difference of */
} tl_view_planes;

/* From the columns of a matrix to clip space, where -w <= x, y, z <= w is inside. */
tl_view_planes tl_view_planes_of(const double to_clip[4][4]);
/* True if all points of the box are outside of the same plane, however they are rounded. */
bool tl_cluster_outside(const tl_cluster *cluster, const tl_view_planes *view);

#endif
