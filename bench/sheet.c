#include "sheet.h"

#include "harness.h"

#include <math.h>
#include <stdlib.h>

bool bench_sheet_make(bench_sheet *s, uint32_t side)
{
    const uint32_t vertices = side * side, squares = (side - 1) * (side - 1);
    s->positions = malloc(vertices * sizeof *s->positions);
    s->uvs = malloc(vertices * sizeof *s->uvs);
    s->indices = malloc(6 * squares * sizeof *s->indices);
    if (!s->positions || !s->uvs || !s->indices)
        return bench_fail("sheet", "no memory");
    uint32_t *index = s->indices;
    for (uint32_t i = 0; i < vertices; i++) {
        const uint32_t x = i % side, y = i / side;
        s->positions[i][0] = (float)x, s->positions[i][1] = (float)y, s->positions[i][2] = (float)(x * y % 17);
        s->uvs[i][0] = (float)(x % 16) / 16, s->uvs[i][1] = (float)(y % 16) / 16;
        if (x + 1 == side || y + 1 == side)
            continue;
        const uint32_t corners[6] = {i, i + 1, i + side + 1, i, i + side + 1, i + side};
        for (int k = 0; k < 6; k++)
            *index++ = corners[k];
    }
    s->mesh = (trilo_mesh){.name = {"", 0},
                           .material = 0,
                           .node = TRILO_NONE,
                           .skin = TRILO_NONE,
                           .vertex_count = vertices,
                           .index_count = 6 * squares,
                           .positions = (const float(*)[3])s->positions,
                           .uvs = (const float(*)[2])s->uvs,
                           .indices = s->indices};
    s->material = (trilo_material){.name = {"cloth", 5}, .base_color = {1, 1, 1, 1}, .texture = TRILO_NONE};
    s->model = (trilo_model){.mesh_count = 1, .meshes = &s->mesh, .material_count = 1, .materials = &s->material};
    return true;
}

bool bench_sheet_make_smooth(bench_sheet *s, uint32_t side)
{
    const float hills = 0.125f, height = 4;
    if (!bench_sheet_make(s, side))
        return false;
    s->normals = malloc((size_t)side * side * sizeof *s->normals);
    if (!s->normals)
        return bench_fail("sheet", "no memory");
    for (uint32_t i = 0; i < side * side; i++) {
        const float x = hills * (float)(i % side), y = hills * (float)(i / side);
        const float across = -height * hills * cosf(x) * sinf(y), along = -height * hills * sinf(x) * cosf(y);
        const float length = sqrtf(across * across + along * along + 1);
        s->positions[i][2] = height * sinf(x) * sinf(y);
        s->normals[i][0] = across / length, s->normals[i][1] = along / length, s->normals[i][2] = 1 / length;
    }
    s->mesh.normals = (const float(*)[3])s->normals;
    return true;
}

void bench_sheet_free(bench_sheet *s)
{
    free(s->positions);
    free(s->normals);
    free(s->uvs);
    free(s->indices);
}
