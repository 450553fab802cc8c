/* Clusters of a mesh. */
#include "raster/cluster.h"
#include "base/strict_float.h"

#include <math.h>

static uint32_t mesh_cluster_end(const trilo_mesh *mesh, uint32_t first)
{
    return mesh->index_count - first < TL_CLUSTER_INDICES ? mesh->index_count : first + TL_CLUSTER_INDICES;
}

uint32_t tl_cluster_count(const trilo_mesh *mesh)
{
    return mesh->index_count / TL_CLUSTER_INDICES + (mesh->index_count % TL_CLUSTER_INDICES != 0);
}

tl_cluster *tl_clusters_new(tl_arena *arena, const trilo_mesh *mesh)
{
    tl_cluster *clusters = TL_ARRAY(arena, tl_cluster_count(mesh), tl_cluster), *c = clusters;
    for (uint32_t i = 0; clusters && i < mesh->index_count; i = mesh_cluster_end(mesh, i), c++) {
        c->first = c->last = mesh->indices[i];
        for (uint32_t k = i; k < mesh_cluster_end(mesh, i); k++) {
            const uint32_t vertex = mesh->indices[k];
            c->first = vertex < c->first ? vertex : c->first;
            c->last = vertex > c->last ? vertex : c->last;
        }
    }
    return clusters;
}

static inline void mesh_cluster_add(tl_cluster *cluster, const float position[3])
{
    for (int k = 0; k < 3; k++) {
        cluster->least[k] = position[k] < cluster->least[k] ? position[k] : cluster->least[k];
        cluster->most[k] = position[k] > cluster->most[k] ? position[k] : cluster->most[k];
    }
}

/* Most vertices between the first and the last are used by the triangles, and a range takes fewer steps. */
void tl_clusters_set_boxes(tl_cluster *clusters, const trilo_mesh *mesh, const float (*positions)[3])
{
    tl_cluster *c = clusters;
    for (uint32_t i = 0; i < mesh->index_count; i = mesh_cluster_end(mesh, i), c++) {
        const bool dense = c->last - c->first < mesh_cluster_end(mesh, i) - i;
        for (int k = 0; k < 3; k++)
            c->least[k] = INFINITY, c->most[k] = -INFINITY;
        for (uint32_t k = c->first; dense && k <= c->last; k++)
            mesh_cluster_add(c, positions[k]);
        for (uint32_t k = i; !dense && k < mesh_cluster_end(mesh, i); k++)
            mesh_cluster_add(c, positions[mesh->indices[k]]);
    }
}

tl_view_planes tl_view_planes_of(const double to_clip[4][4])
{
    tl_view_planes view;
    for (int plane = 0; plane < 6; plane++)
        for (int column = 0; column < 4; column++) {
            const double value = to_clip[column][plane / 2], w = to_clip[column][3];
            view.planes[plane][column] = (plane % 2 == 0 ? value : -value) - w;
            view.sizes[plane][column] = fabs(value) + fabs(w);
        }
    return view;
}

bool tl_cluster_outside(const tl_cluster *cluster, const tl_view_planes *view)
{
    for (int plane = 0; plane < 6; plane++) {
        const double *p = view->planes[plane], *sizes = view->sizes[plane];
        double least = p[3], size = sizes[3];
        for (int k = 0; k < 3; k++) {
            const double low = cluster->least[k], high = cluster->most[k];
            least += p[k] * (p[k] > 0 ? low : high);
            size += sizes[k] * (fabs(low) + fabs(high));
        }
        if (least > size * 1e-9) /* doubles round by 1e-16 of it */
            return true;
    }
    return false;
}
