/* Texture coordinates that are too far from 0 for 16 bits.
 *
 * A texture that repeats looks the same a whole number of repeats away. Triangles that share vertices must move
 * together: such islands are found by joining vertices, and each one that does not fit is moved towards 0, by an even
 * number of repeats, since a mirrored texture looks the same only after two. */
#include "formats/t3dm/t3dm_encode.h"

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

static bool fits(const float ends[2], double scale)
{
    return ends[0] * scale >= INT16_MIN + 32 && ends[1] * scale <= INT16_MAX - 32;
}

static bool mesh_fits(const trilo_mesh *mesh, const double scale[2])
{
    for (uint32_t i = 0; i < mesh->vertex_count; i++)
        for (int axis = 0; axis < 2; axis++)
            if (!fits((const float[2]){mesh->uvs[i][axis], mesh->uvs[i][axis]}, scale[axis]))
                return false;
    return true;
}

bool tl_t3dm_move_uvs(t3dm_encoder *e, const trilo_mesh *mesh, const t3dm_texture *texture, const double scale[2],
                      const float (**moved)[2])
{
    *moved = mesh->uvs;
    if (!mesh->uvs || mesh_fits(mesh, scale))
        return true;
    const bool clamped[2] = {texture->s.clamp != 0, texture->t.clamp != 0};
    uint32_t *parents = TL_ARRAY(e->arena, mesh->vertex_count, uint32_t);
    float(*ends)[2] = tl_array_raw(e->arena, mesh->vertex_count, sizeof *ends);
    float(*uvs)[2] = tl_bytes_copy(e->arena, mesh->uvs, mesh->vertex_count * sizeof *uvs);
    if (!parents || !ends || !uvs)
        return false;
    join_islands(mesh, parents);
    for (int axis = 0; axis < 2; axis++) {
        measure(mesh, parents, axis, ends);
        for (uint32_t i = 0; !clamped[axis] && i < mesh->vertex_count; i++) {
            const float *island = ends[root_of(parents, i)];
            if (!fits(island, scale[axis]))
                uvs[i][axis] -= 2 * floorf((island[0] + island[1]) / 4 + 0.5f);
        }
    }
    *moved = (const float(*)[2])uvs;
    return true;
}
