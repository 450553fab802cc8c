/* Texture coordinates that are too far from 0 for 16 bits.
 *
 * A texture that repeats looks the same a whole number of repeats away. Triangles that share vertices must move
 * together: such islands are found by joining vertices, and each one that does not fit is moved towards 0, by an even
 * number of repeats, since a mirrored texture looks the same only after two. */
#include "formats/t3dm/encode/encode.h"

#include <math.h>

static uint32_t root_of(uint32_t *parents, uint32_t i)
{
    while (parents[i] != i)
        i = parents[i] = parents[parents[i]];
    return i;
}

static void join_islands(const trilo_mesh *mesh, uint32_t *parents)
{
    for (uint32_t i = 0; i < mesh->vertex_count; i++)
        parents[i] = i;
    for (uint32_t i = 0; i + 2 < mesh->index_count; i += 3)
        for (uint32_t k = 1; k < 3; k++) {
            const uint32_t a = root_of(parents, mesh->indices[i]), b = root_of(parents, mesh->indices[i + k]);
            parents[a > b ? a : b] = a > b ? b : a; /* the smaller one leads: the same on every machine */
        }
}

/* Smallest and largest coordinate of each island. */
static void measure(const trilo_mesh *mesh, uint32_t *parents, int axis, float (*ends)[2])
{
    for (uint32_t i = 0; i < mesh->vertex_count; i++)
        ends[i][0] = ends[i][1] = mesh->uvs[i][axis];
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        float *island = ends[root_of(parents, i)];
        const float uv = mesh->uvs[i][axis];
        island[0] = uv < island[0] ? uv : island[0];
        island[1] = uv > island[1] ? uv : island[1];
    }
}

static bool fits(float low, float high, double scale)
{
    return low * scale >= INT16_MIN + 32 && high * scale <= INT16_MAX - 32;
}

static bool mesh_fits(const trilo_mesh *mesh, const double scale[2])
{
    for (uint32_t i = 0; i < mesh->vertex_count; i++)
        for (int axis = 0; axis < 2; axis++)
            if (!fits(mesh->uvs[i][axis], mesh->uvs[i][axis], scale[axis]))
                return false;
    return true;
}

/* Do all islands fit now? */
static bool move_islands(const trilo_mesh *mesh, uint32_t *parents, const float (*ends)[2], int axis, double scale,
                         float (*uvs)[2])
{
    bool all = true;
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        const float *island = ends[root_of(parents, i)];
        if (fits(island[0], island[1], scale))
            continue;
        const float by = 2 * floorf((island[0] + island[1]) / 4 + 0.5f);
        uvs[i][axis] -= by;
        all = all && fits(island[0] - by, island[1] - by, scale);
    }
    return all;
}

t3dm_moved tl_t3dm_move_uvs(t3dm_encoder *e, const trilo_mesh *mesh, const t3dm_texture *texture, const double scale[2],
                            const float (**moved)[2])
{
    *moved = mesh->uvs;
    if (!mesh->uvs || mesh_fits(mesh, scale))
        return T3DM_UVS_FIT;
    const bool clamped[2] = {texture->s.clamp != 0, texture->t.clamp != 0};
    uint32_t *parents = TL_ARRAY(e->arena, mesh->vertex_count, uint32_t);
    float(*ends)[2] = tl_array_raw(e->arena, mesh->vertex_count, sizeof *ends);
    float(*uvs)[2] = tl_bytes_copy(e->arena, mesh->uvs, mesh->vertex_count * sizeof *uvs);
    if (!parents || !ends || !uvs)
        return T3DM_UVS_NO_MEMORY;
    join_islands(mesh, parents);
    bool all = true;
    for (int axis = 0; axis < 2; axis++) {
        measure(mesh, parents, axis, ends);
        if (!clamped[axis])
            all = move_islands(mesh, parents, (const float(*)[2])ends, axis, scale[axis], uvs) && all;
    }
    *moved = (const float(*)[2])uvs;
    return all ? T3DM_UVS_FIT : T3DM_UVS_TOO_WIDE;
}
