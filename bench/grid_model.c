#include "grid_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ACROSS x ACROSS meshes, each of SIDE x SIDE vertices and WIDTH wide. At T3DM's usual scale of 64 the outermost
 * corner is at 30720 of 32767. */
enum {
    ACROSS = 16,
    MESHES = ACROSS * ACROSS,
    SIDE = 41,
    VERTICES = SIDE * SIDE,
    INDICES = 6 * (SIDE - 1) * (SIDE - 1),
    WIDTH = 60,
    MATERIALS = 24,
    NAME = 24
};

typedef struct patch {
    char name[NAME];
    float positions[VERTICES][3], normals[VERTICES][3], colors[VERTICES][4], uvs[VERTICES][2];
} patch;

typedef struct grid {
    trilo_model model; /* first, so that freeing it frees everything */
    trilo_mesh meshes[MESHES];
    trilo_material materials[MATERIALS];
    trilo_texture textures[MATERIALS];
    char material_names[MATERIALS][NAME], paths[MATERIALS][NAME];
    uint32_t indices[INDICES];
    patch patches[MESHES];
} grid;

static trilo_str text(char out[NAME], const char *format, unsigned number)
{
    const int length = snprintf(out, NAME, format, number);
    return (trilo_str){out, (size_t)length};
}

/* A hill of height 1 over [0, 1], repeated. */
static float hill(float t)
{
    t -= (float)(int)t;
    return 4.0f * t * (1.0f - t);
}

static void fill_vertex(patch *p, uint32_t number, uint32_t x, uint32_t y)
{
    const uint32_t v = y * SIDE + x, column = number % ACROSS, row = number / ACROSS;
    const float u = (float)x / (SIDE - 1), w = (float)y / (SIDE - 1);
    const float far_u = (u + (float)column) / ACROSS, far_w = (w + (float)row) / ACROSS;
    const float lean = 0.4f * (hill(7.0f * far_u) - hill(5.0f * far_w));
    const float left = WIDTH * ((float)column - 0.5f * ACROSS), back = WIDTH * ((float)row - 0.5f * ACROSS);
    const float height = 40.0f * hill(7.0f * far_u) + 30.0f * hill(5.0f * far_w) + 2.0f * hill(9.0f * u);
    memcpy(p->positions[v], (float[3]){left + WIDTH * u, height, back + WIDTH * w}, sizeof p->positions[v]);
    memcpy(p->normals[v], (float[3]){lean, 0.9f, 0.2f}, sizeof p->normals[v]);
    memcpy(p->colors[v], (float[4]){far_u, hill(3.0f * w), far_w, 1.0f}, sizeof p->colors[v]);
    memcpy(p->uvs[v], (float[2]){4.0f * u, 4.0f * w}, sizeof p->uvs[v]);
}

static void fill_indices(uint32_t *index)
{
    for (uint32_t y = 0; y + 1 < SIDE; y++)
        for (uint32_t x = 0; x + 1 < SIDE; x++, index += 6) {
            const uint32_t v = y * SIDE + x;
            memcpy(index, (uint32_t[6]){v, v + SIDE, v + 1, v + 1, v + SIDE, v + SIDE + 1}, 6 * sizeof *index);
        }
}

static void fill_mesh(grid *g, uint32_t number)
{
    patch *p = &g->patches[number];
    for (uint32_t v = 0; v < VERTICES; v++)
        fill_vertex(p, number, v % SIDE, v / SIDE);
    g->meshes[number] = (trilo_mesh){.name = text(p->name, "patch %u", number),
                                     .topology = TRILO_TOPOLOGY_TRIANGLES,
                                     .material = number % MATERIALS,
                                     .node = TRILO_NONE,
                                     .skin = TRILO_NONE,
                                     .vertex_count = VERTICES,
                                     .index_count = INDICES,
                                     .positions = (const float(*)[3])p->positions,
                                     .normals = (const float(*)[3])p->normals,
                                     .colors = (const float(*)[4])p->colors,
                                     .uvs = (const float(*)[2])p->uvs,
                                     .indices = g->indices};
}

/* Every kind of alpha, every third one without its texture. */
static void fill_material(grid *g, uint32_t number)
{
    static const trilo_alpha alphas[] = {TRILO_ALPHA_OPAQUE, TRILO_ALPHA_CUTOUT, TRILO_ALPHA_OPAQUE, TRILO_ALPHA_BLEND};
    g->textures[number] = (trilo_texture){
        .name = {"", 0}, .path = text(g->paths[number], "rom:/%02u.sprite", number), .width = 32, .height = 64};
    g->materials[number] = (trilo_material){.name = text(g->material_names[number], "material %u", number),
                                            .base_color = {1.0f, 1.0f, 1.0f, 1.0f},
                                            .texture = number % 3 == 2 ? TRILO_NONE : number,
                                            .alpha = alphas[number % 4]};
}

const trilo_model *grid_model_new(void)
{
    grid *g = calloc(1, sizeof *g);
    if (!g)
        return NULL;
    fill_indices(g->indices);
    for (uint32_t i = 0; i < MESHES; i++)
        fill_mesh(g, i);
    for (uint32_t i = 0; i < MATERIALS; i++)
        fill_material(g, i);
    g->model.mesh_count = MESHES;
    g->model.meshes = g->meshes;
    g->model.material_count = g->model.texture_count = MATERIALS;
    g->model.materials = g->materials;
    g->model.textures = g->textures;
    return &g->model;
}

void grid_model_free(const trilo_model *model)
{
    free((void *)(uintptr_t)model);
}
