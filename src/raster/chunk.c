/* Chunks of a mesh. */
#include "raster/chunk.h"
#include "base/strict_float.h"

#include <math.h>

static uint32_t mesh_chunk_end(const trilo_mesh *mesh, uint32_t first)
{
    return mesh->index_count - first < TL_CHUNK_INDICES ? mesh->index_count : first + TL_CHUNK_INDICES;
}

uint32_t tl_chunk_count(const trilo_mesh *mesh)
{
    return mesh->index_count / TL_CHUNK_INDICES + (mesh->index_count % TL_CHUNK_INDICES != 0);
}

tl_chunk *tl_chunks_new(tl_arena *arena, const trilo_mesh *mesh)
{
    tl_chunk *chunks = TL_ARRAY(arena, tl_chunk_count(mesh), tl_chunk), *c = chunks;
    for (uint32_t i = 0; chunks && i < mesh->index_count; i = mesh_chunk_end(mesh, i), c++) {
        c->first = c->last = mesh->indices[i];
        for (uint32_t k = i; k < mesh_chunk_end(mesh, i); k++) {
            const uint32_t vertex = mesh->indices[k];
            c->first = vertex < c->first ? vertex : c->first;
            c->last = vertex > c->last ? vertex : c->last;
        }
    }
    return chunks;
}

static inline void mesh_chunk_add(tl_chunk *chunk, const float position[3])
{
    for (int k = 0; k < 3; k++) {
        chunk->least[k] = position[k] < chunk->least[k] ? position[k] : chunk->least[k];
        chunk->most[k] = position[k] > chunk->most[k] ? position[k] : chunk->most[k];
    }
}

/* Vertices between the first and the last are mostly those that the triangles use, in fewer steps. */
void tl_chunks_set_boxes(tl_chunk *chunks, const trilo_mesh *mesh, const float (*positions)[3])
{
    tl_chunk *c = chunks;
    for (uint32_t i = 0; i < mesh->index_count; i = mesh_chunk_end(mesh, i), c++) {
        const bool dense = c->last - c->first < mesh_chunk_end(mesh, i) - i;
        for (int k = 0; k < 3; k++)
            c->least[k] = INFINITY, c->most[k] = -INFINITY;
        for (uint32_t k = c->first; dense && k <= c->last; k++)
            mesh_chunk_add(c, positions[k]);
        for (uint32_t k = i; !dense && k < mesh_chunk_end(mesh, i); k++)
            mesh_chunk_add(c, positions[mesh->indices[k]]);
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

bool tl_chunk_outside(const tl_chunk *chunk, const tl_view_planes *view)
{
    for (int plane = 0; plane < 6; plane++) {
        const double *p = view->planes[plane], *sizes = view->sizes[plane];
        double least = p[3], size = sizes[3];
        for (int k = 0; k < 3; k++) {
            const double low = chunk->least[k], high = chunk->most[k];
            least += p[k] * (p[k] > 0 ? low : high);
            size += sizes[k] * (fabs(low) + fabs(high));
        }
        if (least > size * 1e-9) /* doubles round by 1e-16 of it */
            return true;
    }
    return false;
}
