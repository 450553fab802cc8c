/* Which meshes become objects, and in which order they are drawn. */
#include "formats/t3dm/encode/encode.h"

#include <inttypes.h>
#include <string.h>

enum { ORDER_OPAQUE, ORDER_CUTOUT, ORDER_DECAL, ORDER_BLENDED };

static const trilo_material *material_of_mesh(const t3dm_encoder *e, uint32_t mesh)
{
    const uint32_t material = e->model->meshes[mesh].material;
    return material == TRILO_NONE ? NULL : &e->model->materials[material];
}

static int drawing_layer(const trilo_material *m)
{
    if (!m)
        return ORDER_OPAQUE;
    if (!m->n64)
        return m->alpha == TRILO_ALPHA_BLEND    ? ORDER_BLENDED
               : m->alpha == TRILO_ALPHA_CUTOUT ? ORDER_CUTOUT
                                                : ORDER_OPAQUE;
    const uint64_t mode = m->n64->other_mode & m->n64->other_mask;
    if (m->n64->blender != 0)
        return ORDER_BLENDED;
    if (tl_mode_get(mode, TL_MODE_Z) == TL_Z_DECAL)
        return ORDER_DECAL;
    return tl_mode_compares_alpha(mode) ? ORDER_CUTOUT : ORDER_OPAQUE;
}

static bool is_blended(const trilo_material *m)
{
    return m && (m->n64 ? m->n64->blender == TL_BLENDER_ALPHA : m->alpha == TRILO_ALPHA_BLEND);
}

int tl_t3dm_compare_meshes(const t3dm_encoder *e, trilo_t3dm_order order, uint32_t a, uint32_t b)
{
    const trilo_material *ma = material_of_mesh(e, a), *mb = material_of_mesh(e, b);
    if (order != TRILO_T3DM_ORDER_NAME) {
        const int layers = drawing_layer(ma) - drawing_layer(mb);
        const uint32_t row_a = tl_t3dm_material_row(e, a), row_b = tl_t3dm_material_row(e, b);
        return layers != 0 ? layers : row_a < row_b ? -1 : row_a > row_b;
    }
    const int blended = (int)is_blended(ma) - (int)is_blended(mb);
    if (blended != 0)
        return blended;
    const trilo_str x = e->model->meshes[a].name, y = e->model->meshes[b].name;
    const size_t shorter = x.len < y.len ? x.len : y.len;
    const int names = shorter > 0 ? memcmp(x.data, y.data, shorter) : 0;
    return names != 0 ? names : x.len < y.len ? -1 : x.len > y.len;
}

/* Bottom-up merge sort of the chosen meshes, which is stable. */
static bool sort_meshes(t3dm_encoder *e, trilo_t3dm_order order)
{
    const uint32_t count = e->mesh_count;
    uint32_t *from = TL_ARRAY(e->arena, count, uint32_t), *to = TL_ARRAY(e->arena, count, uint32_t);
    if (!from || !to)
        return false;
    memcpy(from, e->chosen_meshes, count * sizeof *from);
    for (size_t run = 1; run < count; run *= 2) {
        for (size_t start = 0; start < count; start += 2 * run) {
            const size_t middle = start + run < count ? start + run : count;
            const size_t end = middle + run < count ? middle + run : count;
            size_t a = start, b = middle;
            for (size_t k = start; k < end; k++) {
                const bool second = a == middle || (b < end && tl_t3dm_compare_meshes(e, order, from[b], from[a]) < 0);
                to[k] = second ? from[b++] : from[a++];
            }
        }
        uint32_t *swap = from;
        from = to;
        to = swap;
    }
    e->meshes = from;
    return true;
}

bool tl_t3dm_sort_meshes(t3dm_encoder *e)
{
    e->meshes = e->chosen_meshes;
    return e->policy.order == TRILO_T3DM_ORDER_FILE ||
           (sort_meshes(e, e->policy.order) &&
            (e->policy.order != TRILO_T3DM_ORDER_NAME || tl_t3dm_order_same_names(e)));
}

bool tl_t3dm_order_meshes(t3dm_encoder *e)
{
    const trilo_model *model = e->model;
    e->chosen_meshes = TL_ARRAY(e->arena, model->mesh_count, uint32_t);
    e->material_of_mesh = TL_ARRAY(e->arena, model->mesh_count, uint32_t);
    if (!e->chosen_meshes || !e->material_of_mesh)
        return false;
    for (uint32_t i = 0; i < model->mesh_count; i++) {
        const trilo_mesh *mesh = &model->meshes[i];
        const bool lines = mesh->topology == TRILO_TOPOLOGY_LINES,
                   empty = e->policy.drop_empty && mesh->index_count < 3,
                   plain = e->policy.drop_no_material && mesh->material == TRILO_NONE;
        if (!lines && !empty && !plain) {
            e->chosen_meshes[e->mesh_count++] = i;
            continue;
        }
        tl_t3dm_enter(e, "meshes", i, mesh->name);
        if (lines)
            tl_t3dm_report_loss(e, T3DM_R_LOST_LINES, "lines are not written, T3DM has triangles only");
        else if (empty)
            tl_t3dm_report_loss(e, T3DM_R_EMPTY, "the mesh has no triangles and is not written");
        else
            tl_t3dm_report_loss(e, T3DM_R_NO_MATERIAL, "the mesh has no material and is not written");
        tl_t3dm_leave(e);
    }
    return tl_t3dm_sort_meshes(e);
}
