#include "query/frustum.h"
#include "base/strict_float.h"

#include "base/bytes.h"

tl_frustum tl_frustum_prepare(const trilo_frustum *frustum)
{
    tl_frustum f = {.count = 0};
    const uint32_t count = frustum->plane_count < TL_PLANES ? frustum->plane_count : TL_PLANES;
    for (uint32_t i = 0; i < count; i++) {
        const trilo_plane *from = &frustum->planes[i];
        if (!tl_is_finite(from->x) || !tl_is_finite(from->y) || !tl_is_finite(from->z) || !tl_is_finite(from->w))
            continue;
        tl_plane *to = &f.planes[f.count++];
        *to = (tl_plane){.normal = {from->x, from->y, from->z}, .w = from->w};
        for (int k = 0; k < 3; k++)
            to->inner[k] = to->normal[k] >= 0 ? k + 3 : k;
    }
    return f;
}

trilo_frustum trilo_frustum_from_matrix(const trilo_mat4 *matrix)
{
    const float *m = matrix->m;
    trilo_frustum f = {.plane_count = TL_PLANES};
    for (int i = 0; i < TL_PLANES; i++) {
        const int row = i / 2;
        const float sign = i % 2 == 0 ? 1.0f : -1.0f;
        f.planes[i] = (trilo_plane){m[3] + sign * m[row], m[7] + sign * m[4 + row], m[11] + sign * m[8 + row],
                                    m[15] + sign * m[12 + row]};
    }
    return f;
}

bool trilo_frustum_sees(const trilo_frustum *frustum, const trilo_bounds *bounds)
{
    const tl_frustum f = tl_frustum_prepare(frustum);
    const tl_box box = tl_box_of(bounds);
    for (int k = 0; k < 3; k++)
        if (!(box.at[k] <= box.at[k + 3]))
            return false;
    return tl_frustum_sees(&f, &box, ~0u);
}
