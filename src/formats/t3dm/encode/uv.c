/* Texture coordinates that exceed 16 bits.
 *
 * Stored coordinates wrap at 2048 texels, which is a whole number of repeats of a texture. So a triangle far from 0
 * looks right, as long as its corners wrap equally. One whose corners do not is stretched across the texture: it gets
 * vertices of its own and is moved towards 0, by an even number of repeats, since a mirrored texture looks the same
 * only after two. Torn triangles that share vertices move together where they fit, so that they still share them. */
#include "base/strict_float.h"
#include "formats/t3dm/encode/encode.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { UV_RANGE = 65536, UV_WRAP_BITS = 11 /* of the whole texels in 16 bits */ };

t3dm_uv_axis tl_t3dm_uv_axis(const t3dm_axis *axis, double units, double shift)
{
    const int period = axis->mask + axis->shift + (axis->mirror ? 1 : 0);
    return (t3dm_uv_axis){.texels = units / T3DM_UV_TEXEL,
                          .shift = shift,
                          .clamps = axis->clamp != 0,
                          .wraps = axis->clamp == 0 && axis->mask > 0 && period <= UV_WRAP_BITS};
}

/* How often the coordinate wraps. */
static double uv_wraps(const t3dm_encoder *e, const t3dm_uv_axis *axis, float uv)
{
    return floor((tl_t3dm_uv_units(e, axis, uv) - INT16_MIN) / UV_RANGE);
}

/* Bit k: the triangle cannot be stored where it is along axis k, and may be moved. */
static uint8_t torn_axes(const t3dm_encoder *e, const trilo_mesh *mesh, const t3dm_uv_axis axes[2], const uint32_t *t)
{
    uint8_t torn = 0;
    for (int k = 0; k < 2; k++) {
        const double first = uv_wraps(e, &axes[k], mesh->uvs[t[0]][k]);
        bool fits = axes[k].wraps || first == 0;
        for (int c = 1; c < 3; c++)
            fits = fits && uv_wraps(e, &axes[k], mesh->uvs[t[c]][k]) == first;
        if (!fits && !axes[k].clamps)
            torn = (uint8_t)(torn | 1u << k);
    }
    return torn;
}

/* True if all coordinates of the mesh wrap equally, as in most meshes: then no triangle is torn. */
static bool none_is_torn(const t3dm_encoder *e, const trilo_mesh *mesh, const t3dm_uv_axis axes[2])
{
    for (int k = 0; k < 2; k++) {
        float low = mesh->uvs[0][k], high = low, finite = low - low;
        for (uint32_t i = 1; i < mesh->vertex_count; i++) {
            const float uv = mesh->uvs[i][k];
            low = uv < low ? uv : low;
            high = uv > high ? uv : high;
            finite += uv - uv;
        }
        const double first = uv_wraps(e, &axes[k], low);
        if (finite != 0 || uv_wraps(e, &axes[k], high) != first || !(axes[k].wraps || axes[k].clamps || first == 0))
            return false;
    }
    return true;
}

static uint32_t island_root(uint32_t *parents, uint32_t i)
{
    while (parents[i] != i)
        i = parents[i] = parents[parents[i]];
    return i;
}

/* Smallest and largest coordinate of an island or a triangle, and the axes along which it moves. */
typedef struct uv_extent {
    float low[2], high[2];
    uint8_t torn;
    bool any;
} uv_extent;

static void uv_extend(uv_extent *x, const trilo_mesh *mesh, const uint32_t *t, uint8_t torn)
{
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < 2; k++) {
            const float uv = mesh->uvs[t[c]][k];
            x->low[k] = (x->any || c > 0) && x->low[k] < uv ? x->low[k] : uv;
            x->high[k] = (x->any || c > 0) && x->high[k] > uv ? x->high[k] : uv;
        }
    x->any = true;
    x->torn |= torn;
}

/* The even number of repeats that brings it nearest to 0. */
static float uv_repeats(const uv_extent *x, int axis)
{
    return x->torn >> axis & 1 ? 2 * floorf((x->low[axis] + x->high[axis]) / 4 + 0.5f) : 0;
}

static bool uv_fits(const t3dm_encoder *e, const t3dm_uv_axis axes[2], const uv_extent *x)
{
    for (int k = 0; k < 2; k++) {
        const float by = uv_repeats(x, k);
        if ((x->torn >> k & 1) &&
            (uv_wraps(e, &axes[k], x->low[k] - by) != 0 || uv_wraps(e, &axes[k], x->high[k] - by) != 0))
            return false;
    }
    return true;
}

/* Islands of torn triangles: connected components, found by union-find. The smallest vertex is the root. */
static void find_torn_islands(const trilo_mesh *mesh, const uint8_t *torn, uint32_t *parents, uv_extent *islands)
{
    for (uint32_t i = 0; i < mesh->vertex_count; i++)
        parents[i] = i;
    for (uint32_t i = 0; i + 2 < mesh->index_count; i += 3)
        for (uint32_t k = 1; torn[i / 3] && k < 3; k++) {
            const uint32_t a = island_root(parents, mesh->indices[i]), b = island_root(parents, mesh->indices[i + k]);
            parents[a > b ? a : b] = a > b ? b : a;
        }
    for (uint32_t i = 0; i + 2 < mesh->index_count; i += 3)
        if (torn[i / 3])
            uv_extend(&islands[island_root(parents, mesh->indices[i])], mesh, &mesh->indices[i], torn[i / 3]);
}

bool tl_t3dm_fit_uvs(t3dm_encoder *e, const t3dm_uv_axis axes[2], const trilo_mesh **mesh, bool *too_wide)
{
    const trilo_mesh *from = *mesh;
    const uint32_t triangles = from->uvs ? from->index_count / 3 : 0;
    uint32_t moved = 0;
    if (triangles == 0 || none_is_torn(e, from, axes))
        return true;
    uint8_t *torn = TL_ARRAY(e->arena, triangles, uint8_t);
    for (uint32_t i = 0; torn && i < triangles; i++) {
        torn[i] = torn_axes(e, from, axes, &from->indices[3 * (size_t)i]);
        moved += torn[i] != 0;
    }
    if (!torn || moved == 0)
        return torn != NULL;
    const uint32_t count = from->vertex_count;
    uint32_t *parents = TL_ARRAY(e->arena, count, uint32_t);
    uv_extent *islands = TL_ARRAY(e->arena, count, uv_extent);
    uint32_t *rows = tl_array_raw(e->arena, (size_t)count + 3 * (size_t)moved, sizeof *rows);
    uint32_t *indices = tl_bytes_copy(e->arena, from->indices, from->index_count * sizeof *indices);
    if (!parents || !islands || !rows || !indices || moved > (UINT32_MAX - count) / 3)
        return false;
    find_torn_islands(from, torn, parents, islands);
    for (uint32_t i = 0; i < count; i++)
        rows[i] = i;
    uint32_t next = count;
    for (uint32_t i = 0; i < 3 * triangles; i++)
        if (torn[i / 3]) {
            rows[next] = indices[i];
            indices[i] = next++;
        }
    trilo_mesh *copy = tl_t3dm_copy_rows(e, from, rows, next);
    if (!copy)
        return false;
    float(*uvs)[2] = tl_bytes_copy(e->arena, copy->uvs, next * sizeof *uvs);
    for (uint32_t i = 0; uvs && i < triangles; i++) {
        uv_extent x = {.any = false};
        if (!torn[i])
            continue;
        const uv_extent *island = &islands[island_root(parents, from->indices[3 * (size_t)i])];
        uv_extend(&x, from, &from->indices[3 * (size_t)i], torn[i]);
        const uv_extent *moves = uv_fits(e, axes, island) ? island : &x;
        *too_wide |= !uv_fits(e, axes, moves);
        for (int c = 0; c < 3; c++)
            for (int k = 0; k < 2; k++)
                uvs[indices[3 * (size_t)i + (size_t)c]][k] -= uv_repeats(moves, k);
    }
    if (!*too_wide)
        tl_t3dm_report_loss(e, T3DM_R_MOVED_UV,
                            "the texture coordinates of %" PRIu32
                            " triangles were moved by whole repeats: they would wrap at 16 bits",
                            moved);
    copy->uvs = (const float(*)[2])uvs;
    copy->indices = indices;
    *mesh = copy;
    return uvs != NULL;
}
