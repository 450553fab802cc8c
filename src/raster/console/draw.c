/* Meshes with the console's arithmetic: vertices, then triangles. */
#include "base/strict_float.h"
#include "raster/console/clip.h"
#include "raster/console/cull.h"
#include "raster/console/occlusion.h"
#include "raster/console/pixel.h"
#include "raster/renderer.h"

#include <math.h>
#include <string.h>

/* A normal in 15 bits. One of a skin is turned by its bones, but stays as long as the file has it. */
static void console_normal(const trilo_mesh *mesh, const tl_posed_mesh *posed, uint32_t i, int32_t out[4])
{
    const float *n = posed->normals[i];
    if (mesh->skin == TRILO_NONE || !mesh->normals) {
        tl_console_pack_normal(n, out);
        return;
    }
    const float *rest = mesh->normals[i];
    const float length = sqrtf(rest[0] * rest[0] + rest[1] * rest[1] + rest[2] * rest[2]);
    out[3] = 0;
    for (int k = 0; k < 3; k++) {
        const float scaled = floorf(n[k] * length * 32768 + 0.5f);
        out[k] = !(scaled > -32768) ? -32768 : scaled > 32767 ? 32767 : (int32_t)scaled;
    }
}

/* The first cycle of the combiner mixes levels, so a material that has both cycles itself cannot have mipmaps. */
static tl_texture_levels console_mipmaps(const tl_frame *f, const tl_pipeline_state *material)
{
    const trilo_n64_tile *tile = material->first_tile;
    if (!tile || tile->texture == TRILO_NONE || f->scene->console.no_mipmaps || material->combiner.cycle_count != 1)
        return (tl_texture_levels){.count = 0};
    const tl_mipmaps *mipmaps = &f->renderer->mipmaps[tile->texture];
    return tl_texture_levels_of(&material->tiles[0], tile, mipmaps->images, mipmaps->count);
}

/* A mesh while it is drawn. */
typedef struct console_mesh {
    const tl_frame *frame;
    const trilo_mesh *mesh;
    const tl_posed_mesh *posed;
    const tl_pipeline_state *material;
    bool together; /* eight vertices are shaded at once */
} console_mesh;

/* A vertex; with AVX2 also its neighbours, which are mostly needed, too. They are transformed when it is. */
static void console_shade(const console_mesh *d, uint32_t i)
{
    const bool colored = d->posed->colors && (d->frame->scene->show & TRILO_SHOW_FACE_COLORS) == 0;
#if TL_AVX2
    const uint32_t first = i & ~7u;
    if (d->together && d->mesh->vertex_count - first >= 8) {
        const tl_console_vertices_in eight = {(const float(*)[3])d->posed->normals + first,
                                              colored ? (const uint8_t(*)[4])d->posed->colors + first : NULL,
                                              d->mesh->uvs ? d->mesh->uvs + first : NULL};
        tl_console_vertices_shade_avx2(&d->frame->view, d->material, &eight, &d->frame->console_vertices[first]);
        return;
    }
#endif
    int32_t normal[4];
    tl_console_vertex_in in = {.position = d->posed->positions[i],
                               .color = colored ? d->posed->colors[i] : NULL,
                               .uv = d->mesh->uvs ? d->mesh->uvs[i] : NULL};
    if (d->posed->normals) {
        console_normal(d->mesh, d->posed, i, normal);
        in.normal = normal;
    }
    tl_console_vertex_shade(&d->frame->view, d->material, &in, &d->frame->console_vertices[i]);
}

/* Transforms the vertices from the first to the last that are not transformed yet. */
static void console_transform_vertices(const console_mesh *d, uint32_t first, uint32_t last)
{
    const tl_frame *f = d->frame;
    for (uint32_t i = first / TL_VERTEX_GROUP; i <= last / TL_VERTEX_GROUP; i++) {
        const uint32_t at = i * TL_VERTEX_GROUP, rest = d->mesh->vertex_count - at;
        if (!f->transformed[i])
            tl_console_vertices_transform(&f->view, (const float(*)[3])d->posed->positions + at,
                                          rest < TL_VERTEX_GROUP ? rest : TL_VERTEX_GROUP, f->console_vertices + at);
        f->transformed[i] = true;
    }
}

/* Vertices are shaded when a triangle that is seen needs them, but an outline moves them and looks at others. */
static void console_start_vertices(const console_mesh *d)
{
    const uint32_t count = d->mesh->vertex_count;
    memset(d->frame->transformed, 0, count / TL_VERTEX_GROUP + 1);
    if (d->material->effect != TRILO_N64_EFFECT_OUTLINE || count == 0)
        return;
    console_transform_vertices(d, 0, count - 1);
    for (uint32_t i = 0; i < count; i++)
        console_shade(d, i);
    tl_console_outline_uvs(&d->frame->view, d->material, d->frame->console_vertices, count);
}

/* Of a triangle that is not culled. */
static void console_draw_corners(const console_mesh *d, tl_console_state *state, const uint32_t at[3])
{
    const tl_console_vertex *vertices = d->frame->console_vertices;
    const tl_console_vertex *const v[3] = {&vertices[at[0]], &vertices[at[1]], &vertices[at[2]]};
    const bool clipped = (v[0]->clip | v[1]->clip | v[2]->clip) != 0;
    if (!clipped && state->at_once && tl_triangle_occluded(state->framebuffer, v))
        return;
    for (int k = 0; k < 3; k++)
        if (!v[k]->shaded)
            console_shade(d, at[k]);
    if (!clipped) {
        tl_console_draw_triangle(state, v);
        return;
    }
    tl_console_vertex polygon[TL_CONSOLE_POLYGON_MOST];
    const int count = tl_console_clip(&d->frame->view.viewport, v, polygon);
    for (int i = 2; i < count; i++) { /* the polygon goes the other way round */
        const tl_console_vertex *const fan[3] = {&polygon[0], &polygon[i], &polygon[i - 1]};
        if (!tl_triangle_culled(d->material, fan))
            tl_console_draw_triangle(state, fan);
    }
}

/* One that is not culled, from its first index on. */
static void console_draw_triangle(const console_mesh *d, tl_console_state *state, uint32_t i)
{
    tl_probe *probe = d->frame->framebuffer.probe;
    const bool face_colors = (d->frame->scene->show & TRILO_SHOW_FACE_COLORS) != 0 && d->posed->face_colors;
    const uint32_t second = d->posed->mirrored ? 2 : 1, third = d->posed->mirrored ? 1 : 2;
    const uint32_t *indices = d->mesh->indices + i, at[3] = {indices[0], indices[second], indices[third]};
    if (face_colors)
        tl_console_state_set_prim(state, d->posed->face_colors[i / 3]);
    if (probe)
        probe->triangle = i / 3;
    console_draw_corners(d, state, at);
}

/* Triangles from some index on, whose vertices are transformed. */
static void console_draw_triangles(const console_mesh *d, tl_console_state *state, uint32_t from, uint32_t count)
{
    const tl_cull_mesh cull = {.avx2 = state->avx2 && d->mesh->vertex_count <= TL_CULL_VERTICES_MOST,
                               .mirrored = d->posed->mirrored,
                               .material = d->material,
                               .vertices = d->frame->console_vertices};
    const uint32_t triangles = count / 3;
    for (uint32_t i = 0; i < triangles; i += TL_CULLED_TOGETHER) {
        const uint32_t first = from + 3 * i, rest = triangles - i;
        uint32_t seen =
            tl_triangles_seen(&cull, d->mesh->indices + first, rest < TL_CULLED_TOGETHER ? rest : TL_CULLED_TOGETHER);
        for (; seen != 0; seen &= seen - 1)
            console_draw_triangle(d, state, first + 3 * (uint32_t)tl_zeros_below(seen));
    }
}

void tl_console_draw_mesh(tl_frame *f, uint32_t mesh_index, const tl_pipeline_state *material)
{
    const trilo_mesh *mesh = &f->renderer->model->meshes[mesh_index];
    const tl_posed_mesh *posed = &f->renderer->posed[mesh_index];
    const bool packed = posed->normals && (mesh->skin == TRILO_NONE || !mesh->normals);
    const console_mesh d = {f, mesh, posed, material, packed && tl_console_shades_together(&f->view, material)};
    const tl_texture_levels levels = console_mipmaps(f, material);
    tl_console_state state;
    tl_console_state_set(&state, material, &f->framebuffer, &levels);
    if (f->framebuffer.probe)
        f->framebuffer.probe->mesh = mesh_index;
    console_start_vertices(&d);
    const tl_cluster *cluster = d.posed->clusters;
    for (uint32_t i = 0; i < mesh->index_count; i += TL_CLUSTER_INDICES, cluster++) {
        const uint32_t rest = mesh->index_count - i;
        if (tl_cluster_outside(cluster, &f->view_planes))
            continue;
        console_transform_vertices(&d, cluster->first, cluster->last);
        console_draw_triangles(&d, &state, i, rest < TL_CLUSTER_INDICES ? rest : TL_CLUSTER_INDICES);
    }
}
