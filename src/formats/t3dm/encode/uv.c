/* Texture coordinates that exceed 16 bits.
 *
 * A texture that repeats looks the same a whole number of repeats away. Triangles that share vertices must move
 * together: these islands are the connected components of the mesh (union-find). Each one that does not fit is moved
 * towards 0, by an even number of repeats, since a mirrored texture looks the same only after two. */
#include "base/strict_float.h"
#include "formats/t3dm/encode/encode.h"

#include <math.h>

static uint32_t island_root(uint32_t *parents, uint32_t i)
{
    while (parents[i] != i)
        i = parents[i] = parents[parents[i]];
    return i;
}

static void find_islands(const trilo_mesh *mesh, uint32_t *parents)
{
    for (uint32_t i = 0; i < mesh->vertex_count; i++)
        parents[i] = i;
    for (uint32_t i = 0; i + 2 < mesh->index_count; i += 3)
        for (uint32_t k = 1; k < 3; k++) {
            const uint32_t a = island_root(parents, mesh->indices[i]), b = island_root(parents, mesh->indices[i + k]);
            parents[a > b ? a : b] = a > b ? b : a; /* the smaller index is the root: deterministic */
        }
}

static bool uvs_fit(float low, float high, double scale)
{
    return low * scale >= INT16_MIN + 32 && high * scale <= INT16_MAX - 32;
}

/* Along one axis; `ends` is room for the smallest and largest coordinate of each island. Do all islands fit now? */
static bool move_uv_islands(const trilo_mesh *mesh, uint32_t *parents, float (*ends)[2], int axis, double scale,
                            float (*uvs)[2])
{
    bool all = true;
    for (uint32_t i = 0; i < mesh->vertex_count; i++)
        ends[i][0] = ends[i][1] = mesh->uvs[i][axis];
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        float *island = ends[island_root(parents, i)];
        const float uv = mesh->uvs[i][axis];
        island[0] = uv < island[0] ? uv : island[0];
        island[1] = uv > island[1] ? uv : island[1];
    }
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        const float *island = ends[island_root(parents, i)];
        if (uvs_fit(island[0], island[1], scale))
            continue;
        const float by = 2 * floorf((island[0] + island[1]) / 4 + 0.5f);
        uvs[i][axis] -= by;
        all = all && uvs_fit(island[0] - by, island[1] - by, scale);
    }
    return all;
}

t3dm_wrapped tl_t3dm_wrap_uvs(t3dm_encoder *e, const trilo_mesh *mesh, const t3dm_texture *texture,
                              const double scale[2], const float (**wrapped)[2])
{
    bool all = true;
    *wrapped = mesh->uvs;
    for (uint32_t i = 0; mesh->uvs && all && i < mesh->vertex_count; i++)
        all =
            uvs_fit(mesh->uvs[i][0], mesh->uvs[i][0], scale[0]) && uvs_fit(mesh->uvs[i][1], mesh->uvs[i][1], scale[1]);
    if (all)
        return T3DM_UVS_IN_RANGE;
    const bool clamped[2] = {texture->s.clamp != 0, texture->t.clamp != 0};
    uint32_t *parents = TL_ARRAY(e->arena, mesh->vertex_count, uint32_t);
    float(*ends)[2] = tl_array_raw(e->arena, mesh->vertex_count, sizeof *ends);
    float(*uvs)[2] = tl_bytes_copy(e->arena, mesh->uvs, mesh->vertex_count * sizeof *uvs);
    if (!parents || !ends || !uvs)
        return T3DM_UVS_NO_MEMORY;
    find_islands(mesh, parents);
    all = true;
    for (int axis = 0; axis < 2; axis++)
        if (!clamped[axis])
            all = move_uv_islands(mesh, parents, ends, axis, scale[axis], uvs) && all;
    *wrapped = (const float(*)[2])uvs;
    return all ? T3DM_UVS_IN_RANGE : T3DM_UVS_TOO_WIDE;
}
