/* The triangles of a finished object as the console draws them, as numbers of different vertices. */
#include "formats/t3dm/encode/encode.h"

#include <string.h>

typedef struct object_mesh_builder {
    const t3dm_file *file;
    t3dm_pair_offsets offsets;
    uint32_t unused; /* T3DM_UNUSED_..., to be cleared */
    t3dm_object_mesh *out;
    uint16_t *bones;
    uint32_t triangle_most;
    tl_hash_table table; /* of vertices with their bones */
    bool no_memory;
} object_mesh_builder;

int tl_t3dm_compare_vertices(const void *mesh, uint32_t a, uint32_t b)
{
    const t3dm_indexed_mesh *m = mesh;
    if (m->bones[a] != m->bones[b])
        return m->bones[a] < m->bones[b] ? -1 : 1;
    return memcmp(&m->vertices[a], &m->vertices[b], sizeof *m->vertices); /* 16 bytes without padding */
}

/* The number of the vertex; a vertex with equal attributes and bone has the same. */
static uint32_t object_mesh_add_vertex(object_mesh_builder *g, const t3dm_slot *slot)
{
    const t3dm_pair_offsets *offsets = &g->offsets;
    t3dm_indexed_mesh *mesh = &g->out->mesh;
    const uint8_t *position = t3dm_vertex_at(g->file, offsets, slot->vertex, offsets->position);
    const uint8_t *uv = t3dm_vertex_at(g->file, offsets, slot->vertex, offsets->uv);
    t3dm_vertex *v = &mesh->vertices[mesh->vertex_count];
    v->normal = tl_get_u16(t3dm_vertex_at(g->file, offsets, slot->vertex, offsets->normal), TL_BIG);
    for (int k = 0; k < 3; k++)
        v->position[k] = (int16_t)tl_get_u16(position + 2 * k, TL_BIG);
    for (int k = 0; k < 2; k++)
        v->uv[k] = (int16_t)tl_get_u16(uv + 2 * k, TL_BIG);
    memcpy(v->color, t3dm_vertex_at(g->file, offsets, slot->vertex, offsets->color), sizeof v->color);
    tl_t3dm_clear_unused(v, g->unused);
    g->bones[mesh->vertex_count] = (uint16_t)slot->bone;
    const uint32_t number =
        tl_hash_table_add(&g->table, tl_t3dm_hash_vertex(v, (uint16_t)slot->bone), mesh->vertex_count);
    mesh->vertex_count += number == mesh->vertex_count ? 1 : 0;
    g->no_memory |= number == TRILO_NONE;
    return number == TRILO_NONE ? 0 : number;
}

/* Two corners with the same position and bone: the triangle never has an area. */
static bool object_mesh_coincide(const t3dm_indexed_mesh *m, uint32_t a, uint32_t b)
{
    return m->bones[a] == m->bones[b] &&
           memcmp(m->vertices[a].position, m->vertices[b].position, sizeof m->vertices[a].position) == 0;
}

static void object_mesh_add_triangles(void *user, const t3dm_batch *batch)
{
    object_mesh_builder *g = user;
    t3dm_indexed_mesh *mesh = &g->out->mesh;
    for (uint32_t i = 0; i < batch->count; i++, g->out->drawn++) {
        if (mesh->triangle_count == g->triangle_most) {
            g->out->incomplete = true;
            return;
        }
        uint32_t *t = mesh->triangles[mesh->triangle_count];
        for (int k = 0; k < 3; k++)
            t[k] = object_mesh_add_vertex(g, &batch->cache[batch->slots[i][k]]);
        if (!object_mesh_coincide(mesh, t[0], t[1]) && !object_mesh_coincide(mesh, t[1], t[2]) &&
            !object_mesh_coincide(mesh, t[2], t[0]))
            mesh->triangle_count++;
    }
}

static void object_mesh_add_error(void *user, const t3dm_draw_fault *fault)
{
    const trilo_severity severity = t3dm_rule(fault->rule)->severity;
    ((object_mesh_builder *)user)->out->incomplete |=
        severity == TRILO_SEVERITY_ERROR || severity == TRILO_SEVERITY_CRASH;
}

bool tl_t3dm_object_mesh(tl_arena *arena, const t3dm_file *file, const t3dm_object *object, uint32_t unused,
                         t3dm_object_mesh *out)
{
    object_mesh_builder g = {.file = file, .offsets = tl_t3dm_pair_offsets(), .unused = unused, .out = out};
    t3dm_indexed_mesh *mesh = &out->mesh;
    const t3dm_object_limits limits = tl_t3dm_object_limits(object);
    *out = (t3dm_object_mesh){.drawn = 0};
    if (limits.triangles > UINT32_MAX / 16 || limits.vertices > UINT32_MAX / 16)
        return false;
    const size_t vertices = (size_t)limits.vertices + 1; /* one to look up */
    g.triangle_most = (uint32_t)limits.triangles;
    mesh->vertices = tl_array_raw(arena, vertices, sizeof *mesh->vertices);
    mesh->bones = g.bones = tl_array_raw(arena, vertices, sizeof *g.bones);
    mesh->triangles = tl_array_raw(arena, g.triangle_most, sizeof *mesh->triangles);
    if (!mesh->vertices || !g.bones || !mesh->triangles ||
        !tl_hash_table_init(&g.table, arena, vertices, tl_t3dm_compare_vertices, mesh))
        return false;
    tl_t3dm_draw(file, object,
                 &(t3dm_drawer){.user = &g, .triangles = object_mesh_add_triangles, .fault = object_mesh_add_error});
    return !g.no_memory;
}
