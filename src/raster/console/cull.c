/* Culling, one triangle after the other. */
#include "raster/console/cull.h"

static bool cull_seen(const tl_cull_mesh *mesh, const uint32_t *indices)
{
    const uint32_t second = mesh->mirrored ? 2 : 1, third = mesh->mirrored ? 1 : 2;
    const tl_console_vertex *const v[3] = {&mesh->vertices[indices[0]], &mesh->vertices[indices[second]],
                                           &mesh->vertices[indices[third]]};
    if ((v[0]->outside & v[1]->outside & v[2]->outside) != 0 || v[0]->invalid || v[1]->invalid || v[2]->invalid)
        return false;
    return (v[0]->clip | v[1]->clip | v[2]->clip) != 0 || !tl_triangle_culled(mesh->material, v);
}

uint32_t tl_triangles_seen(const tl_cull_mesh *mesh, const uint32_t *indices, uint32_t count)
{
#if TL_AVX2
    if (mesh->avx2 && count == TL_CULLED_TOGETHER)
        return tl_triangles_seen_avx2(mesh, indices);
#endif
    uint32_t seen = 0;
    for (uint32_t i = 0; i < count; i++)
        seen |= (uint32_t)cull_seen(mesh, indices + 3 * i) << i;
    return seen;
}
