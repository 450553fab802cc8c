/* Meshes without shared vertices, for attributes that belong to a face: its normal, its texture coordinates. Welding
 * merges again what turns out equal. */
#include "base/strict_float.h"
#include "formats/t3dm/encode/encode.h"

#include "base/vec.h"
#include <string.h>

static void *copy_attribute(t3dm_encoder *e, const void *from, size_t each, const uint32_t *rows, uint32_t count,
                            bool *ok)
{
    if (!from || !*ok)
        return NULL;
    uint8_t *copy = tl_array_raw(e->arena, count, each);
    for (uint32_t i = 0; copy && i < count; i++)
        memcpy(copy + i * each, (const uint8_t *)from + rows[i] * each, each);
    *ok = copy != NULL;
    return copy;
}

trilo_mesh *tl_t3dm_copy_rows(t3dm_encoder *e, const trilo_mesh *mesh, const uint32_t *rows, uint32_t count)
{
    trilo_mesh *copy = TL_NEW(e->arena, trilo_mesh);
    bool ok = copy != NULL;
    if (!ok)
        return NULL;
    *copy = *mesh;
    copy->vertex_count = count;
    copy->positions = copy_attribute(e, mesh->positions, sizeof *mesh->positions, rows, count, &ok);
    copy->normals = copy_attribute(e, mesh->normals, sizeof *mesh->normals, rows, count, &ok);
    copy->colors = copy_attribute(e, mesh->colors, sizeof *mesh->colors, rows, count, &ok);
    copy->uvs = copy_attribute(e, mesh->uvs, sizeof *mesh->uvs, rows, count, &ok);
    copy->joints = copy_attribute(e, mesh->joints, sizeof *mesh->joints, rows, count, &ok);
    copy->weights = copy_attribute(e, mesh->weights, sizeof *mesh->weights, rows, count, &ok);
    return ok ? copy : NULL;
}

trilo_mesh *tl_t3dm_split_corners(t3dm_encoder *e, const trilo_mesh *mesh)
{
    uint32_t *indices = tl_array_raw(e->arena, mesh->index_count, sizeof *indices);
    trilo_mesh *copy = indices ? tl_t3dm_copy_rows(e, mesh, mesh->indices, mesh->index_count) : NULL;
    if (!copy)
        return NULL;
    for (uint32_t i = 0; i < mesh->index_count; i++)
        indices[i] = i;
    copy->indices = indices;
    return copy;
}

/* Triangles are counter-clockwise; 0 for one without area. */
static trilo_vec3 triangle_normal(const float p[3][3])
{
    double a[3], b[3];
    for (int k = 0; k < 3; k++) {
        a[k] = (double)p[1][k] - p[0][k];
        b[k] = (double)p[2][k] - p[0][k];
    }
    const double n[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    double most = 0; /* products of small edges would vanish as floats */
    for (int k = 0; k < 3; k++)
        most = n[k] > most ? n[k] : -n[k] > most ? -n[k] : most;
    const double by = most > 0 ? 1 / most : 0;
    return tl_vec3_normalize((trilo_vec3){(float)(n[0] * by), (float)(n[1] * by), (float)(n[2] * by)});
}

bool tl_t3dm_flat_normals(t3dm_encoder *e, trilo_mesh *mesh)
{
    float(*normals)[3] = tl_array(e->arena, mesh->vertex_count, sizeof *normals);
    for (uint32_t i = 0; normals && i + 2 < mesh->vertex_count; i += 3) {
        const trilo_vec3 n = triangle_normal(mesh->positions + i);
        for (uint32_t k = 0; k < 3; k++)
            memcpy(normals[i + k], (const float[3]){n.x, n.y, n.z}, sizeof *normals);
    }
    mesh->normals = (const float(*)[3])normals;
    return normals != NULL;
}
