#include "support/t3dm_grove.h"

#include "harness.h"

#include <string.h>

static void put16(uint8_t *at, int value)
{
    at[0] = (uint8_t)(value >> 8 & 0xFF);
    at[1] = (uint8_t)(value & 0xFF);
}

/* Two vertices are 32 bytes: both positions with normals, both colours, both texture coordinates. */
void grove_place(grove *g, uint32_t row, int x, int y, int z)
{
    uint8_t *at = g->vertices + 32 * (size_t)(row / 2) + 8 * (size_t)(row % 2);
    put16(at, x), put16(at + 2, y), put16(at + 4, z);
}

void grove_uv(grove *g, uint32_t row, int u, int v)
{
    uint8_t *at = g->vertices + 32 * (size_t)(row / 2) + 24 + 4 * (size_t)(row % 2);
    put16(at, u), put16(at + 2, v);
}

void grove_start(grove *g)
{
    memset(g, 0, sizeof *g);
    g->strings[0] = 'S';
    g->string_size = 1;
    for (uint32_t row = 0; row < GROVE_ROWS; row++)
        grove_place(g, row, (int)row, (int)(row * row % 97), 0);
    g->file.version = T3DM_V4;
    g->file.objects = g->objects;
    g->file.materials = g->materials;
    g->file.vertices = (trilo_bytes){g->vertices, sizeof g->vertices};
    g->file.indices = (trilo_bytes){g->indices, sizeof g->indices};
    tl_arena_init(&g->arena, NULL);
}

void grove_end(grove *g)
{
    tl_arena_free(&g->arena);
}

uint32_t grove_string(grove *g, const char *text)
{
    const size_t at = g->string_size, size = strlen(text) + 1;
    CHECK(at + size <= sizeof g->strings);
    memcpy(g->strings + at, text, size);
    g->string_size += size;
    g->file.strings = (trilo_bytes){(const uint8_t *)g->strings, g->string_size};
    return (uint32_t)at;
}

uint32_t grove_material(grove *g, const char *name, const char *path)
{
    t3dm_material *m = &g->materials[g->file.material_count];
    CHECK(g->file.material_count < GROVE_MATERIALS);
    m->head.combiner = 0x00127E2488FFFDFEu; /* TEX0 * SHADE */
    m->head.draw_flags = TRILO_N64_DEPTH | TRILO_N64_SHADED;
    m->head.name = grove_string(g, name);
    if (path) {
        m->head.draw_flags |= TRILO_N64_TEXTURED;
        m->textures[0] =
            (t3dm_texture){.path = grove_string(g, path), .hash = tl_t3dm_hash(path), .width = 32, .height = 32};
    }
    return g->file.material_count++;
}

uint32_t grove_object(grove *g, const char *name, uint32_t material, uint32_t first, uint32_t parts)
{
    t3dm_object *o = &g->objects[g->file.object_count];
    CHECK(g->file.object_count < GROVE_OBJECTS);
    o->head.name = grove_string(g, name);
    o->head.material = material;
    o->head.part_count = (uint16_t)parts;
    o->parts = g->parts + first;
    return g->file.object_count++;
}

t3dm_part grove_part(grove *g, uint32_t row, uint16_t count, uint16_t triangles)
{
    for (uint32_t i = 0; i < triangles; i++)
        for (uint32_t k = 0; k < 3; k++)
            g->indices[3 * i + k] = (uint8_t)(i + k);
    return (t3dm_part){
        .vertex_at = 16 * row, .vertex_count = count, .index_count = (uint16_t)(3 * triangles), .bone = T3DM_NO_BONE};
}

const trilo_cost *grove_cost(grove *g, const trilo_cost_opts *opts)
{
    static const trilo_cost_opts none = {0};
    trilo_error err = {0};
    g->cost = (trilo_cost){0};
    if (!tl_t3dm_cost(&g->file, opts ? opts : &none, &g->arena, &g->cost, &err))
        FAIL("%s", err.text);
    return &g->cost;
}
