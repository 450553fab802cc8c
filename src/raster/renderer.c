/* Making a renderer: memory, colours, materials. */
#include "raster/renderer.h"
#include "base/strict_float.h"

#include "base/bytes.h"
#include "base/report.h"
#include "base/vec.h"
#include "model/check.h"
#include "model/skinning.h"

#include <math.h>
#include <string.h>

/* Images with more texels on a side count as missing. */
enum { IMAGE_MOST = 16384, MISSING_SIZE = 32 };

static const uint8_t one_white[1][4] = {{255, 255, 255, 255}};

/* ---- textures ---- */

static trilo_str renderer_texture_label(const trilo_texture *texture)
{
    trilo_str name = texture->path.len > 0 ? texture->path : texture->name;
    for (size_t i = name.len; i > 0; i--)
        if (name.data[i - 1] == '/' || name.data[i - 1] == '\\')
            return (trilo_str){name.data + i, name.len - i};
    return name;
}

static bool renderer_is_image(const trilo_image *image)
{
    return image && image->pixels && image->width > 0 && image->height > 0 && image->width <= IMAGE_MOST &&
           image->height <= IMAGE_MOST;
}

static bool renderer_set_emission(trilo_renderer *r, const trilo_image *images)
{
    const trilo_model *model = r->model;
    trilo_image *emission = TL_ARRAY(&r->arena, model->material_count, trilo_image);
    r->textures.emission = emission;
    for (uint32_t i = 0; emission && i < model->material_count; i++) {
        const trilo_pbr *pbr = model->materials[i].pbr;
        uint8_t factor[3];
        if (!tl_emission_color(pbr, factor) || !pbr->maps[TRILO_MAP_KIND_EMISSIVE].used)
            continue;
        const trilo_image *map = &images[pbr->maps[TRILO_MAP_KIND_EMISSIVE].texture];
        const size_t count = (size_t)map->width * map->height;
        uint8_t(*pixels)[4] = tl_array_raw(&r->arena, count, sizeof *pixels);
        if (!pixels)
            return false;
        for (size_t p = 0; p < count; p++)
            for (int k = 0; k < 4; k++)
                pixels[p][k] = (uint8_t)(k < 3 ? (map->pixels[p][k] * factor[k] + 127) / 255 : 255);
        emission[i] = (trilo_image){map->width, map->height, (const uint8_t(*)[4])pixels};
    }
    return emission != NULL;
}

static bool renderer_set_textures(trilo_renderer *r, const trilo_image *const *images)
{
    const trilo_model *model = r->model;
    trilo_image *taken = TL_ARRAY(&r->arena, model->texture_count, trilo_image);
    r->mipmaps = TL_ARRAY(&r->arena, model->texture_count, tl_mipmaps);
    bool ok = taken && r->mipmaps;
    for (uint32_t i = 0; ok && i < model->texture_count; i++) {
        const trilo_texture *texture = &model->textures[i];
        if (images && renderer_is_image(images[i]))
            taken[i] = *images[i];
        else
            ok = tl_checkerboard(&r->arena, texture->width ? texture->width : MISSING_SIZE,
                                 texture->height ? texture->height : MISSING_SIZE, renderer_texture_label(texture),
                                 &taken[i]);
    }
    r->textures = (tl_textures){.model = model, .images = taken, .none = {1, 1, one_white}};
    return ok && renderer_set_emission(r, taken) &&
           tl_checkerboard(&r->arena, MISSING_SIZE, MISSING_SIZE, (trilo_str){"by game", 7}, &r->textures.reference);
}

/* ---- meshes ---- */

static bool renderer_set_colors(tl_arena *arena, const trilo_mesh *mesh, tl_posed_mesh *posed)
{
    if (!mesh->colors)
        return true;
    posed->colors = tl_array_raw(arena, mesh->vertex_count, sizeof *posed->colors);
    for (uint32_t i = 0; posed->colors && i < mesh->vertex_count; i++)
        for (int k = 0; k < 4; k++)
            posed->colors[i][k] = tl_color_byte(mesh->colors[i][k]);
    return posed->colors != NULL;
}

/* Colours without normals are drawn as they are; a mesh with neither gets normals, so that its shape shows. */
static bool renderer_new_mesh(tl_arena *arena, const trilo_mesh *mesh, tl_posed_mesh *posed)
{
    posed->made_normals = !mesh->normals && !mesh->colors && mesh->topology == TRILO_TOPOLOGY_TRIANGLES;
    posed->positions = tl_array_raw(arena, mesh->vertex_count, sizeof *posed->positions);
    posed->clusters = tl_clusters_new(arena, mesh);
    if (mesh->normals || posed->made_normals) {
        posed->normals = tl_array_raw(arena, mesh->vertex_count, sizeof *posed->normals);
        if (!posed->normals)
            return false;
    }
    return posed->positions && posed->clusters && renderer_set_colors(arena, mesh, posed);
}

/* Materials are made ready in the order in which meshes are drawn, since some inherit the state of earlier ones. */
void tl_renderer_set_states(trilo_renderer *r, const trilo_scene *scene)
{
    const trilo_model *model = r->model;
    tl_rdp_state rdp = tl_rdp_state_new(model, scene);
    for (uint32_t i = 0; i < model->mesh_count; i++) {
        const uint32_t material = model->meshes[i].material;
        r->posed[i].state =
            tl_pipeline_state_of(&rdp, &r->textures, material != TRILO_NONE ? &model->materials[material] : NULL);
    }
}

static bool renderer_new_meshes(trilo_renderer *r)
{
    const trilo_model *model = r->model;
    r->posed = TL_ARRAY(&r->arena, model->mesh_count, tl_posed_mesh);
    for (uint32_t i = 0; r->posed && i < model->mesh_count; i++) {
        const trilo_mesh *mesh = &model->meshes[i];
        if (!renderer_new_mesh(&r->arena, mesh, &r->posed[i]))
            return false;
        r->vertex_most = mesh->vertex_count > r->vertex_most ? mesh->vertex_count : r->vertex_most;
    }
    return r->posed != NULL;
}

static bool renderer_new_nodes(trilo_renderer *r)
{
    r->locals = tl_array_raw(&r->arena, r->model->node_count, sizeof *r->locals);
    r->worlds = tl_array_raw(&r->arena, r->model->node_count, sizeof *r->worlds);
    r->skins = tl_skins_new(&r->arena, r->model);
    return r->locals && r->worlds && r->skins;
}

trilo_renderer *tl_renderer_new(const trilo_model *model, const trilo_image *const *textures,
                                const trilo_memory *memory, trilo_error *err)
{
    tl_arena arena;
    if (!tl_model_check(model, memory, err))
        return NULL;
    tl_arena_init(&arena, memory);
    trilo_renderer *r = TL_NEW(&arena, trilo_renderer);
    if (r) {
        r->arena = arena; /* from here on the arena lives inside its own first block */
        r->model = model;
        tl_arena_init(&r->frame, memory);
        if (renderer_set_textures(r, textures) && renderer_new_meshes(r) && renderer_new_nodes(r))
            return r;
        arena = r->arena;
    }
    tl_arena_free(&arena);
    tl_fail_memory(err);
    return NULL;
}

void trilo_renderer_free(trilo_renderer *renderer)
{
    if (!renderer)
        return;
    tl_arena_free(&renderer->frame);
    tl_arena arena = renderer->arena;
    tl_arena_free(&arena);
}

void trilo_renderer_set_mipmaps(trilo_renderer *renderer, uint32_t texture, const trilo_image *const *mipmaps,
                                uint32_t count)
{
    if (texture >= renderer->model->texture_count)
        return;
    uint32_t usable = 0;
    while (mipmaps && usable < count && renderer_is_image(mipmaps[usable]))
        usable++;
    renderer->mipmaps[texture] = (tl_mipmaps){mipmaps, usable};
}

void trilo_renderer_set_face_colors(trilo_renderer *renderer, uint32_t mesh, const uint8_t (*colors)[4])
{
    if (mesh < renderer->model->mesh_count)
        renderer->posed[mesh].face_colors = colors;
}

/* ---- poses ---- */

static void renderer_face_normal(const float *a, const float *b, const float *c, float out[3])
{
    const float u[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, v[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
    out[0] = u[1] * v[2] - u[2] * v[1];
    out[1] = u[2] * v[0] - u[0] * v[2];
    out[2] = u[0] * v[1] - u[1] * v[0];
}

static void renderer_make_normals(const trilo_mesh *mesh, tl_posed_mesh *posed)
{
    memset(posed->normals, 0, mesh->vertex_count * sizeof *posed->normals);
    for (uint32_t i = 0; i + 2 < mesh->index_count; i += 3) {
        const uint32_t *at = mesh->indices + i;
        float normal[3];
        renderer_face_normal(posed->positions[at[0]], posed->positions[at[1]], posed->positions[at[2]], normal);
        for (int c = 0; c < 3; c++)
            for (int k = 0; k < 3; k++)
                posed->normals[at[c]][k] += posed->mirrored ? -normal[k] : normal[k];
    }
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        float *n = posed->normals[i];
        const trilo_vec3 unit = tl_vec3_normalize((trilo_vec3){n[0], n[1], n[2]});
        n[0] = unit.x, n[1] = unit.y, n[2] = unit.z;
    }
}

static trilo_bounds renderer_pose_bounds(const trilo_renderer *renderer)
{
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (uint32_t m = 0; m < renderer->model->mesh_count; m++)
        for (uint32_t i = 0; i < renderer->model->meshes[m].vertex_count; i++)
            for (int k = 0; k < 3; k++) {
                const float v = renderer->posed[m].positions[i][k];
                low[k] = tl_is_finite(v) && v < low[k] ? v : low[k];
                high[k] = tl_is_finite(v) && v > high[k] ? v : high[k];
            }
    return (trilo_bounds){{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
}

void tl_renderer_posed(trilo_renderer *renderer)
{
    for (uint32_t i = 0; i < renderer->model->mesh_count; i++) {
        const trilo_mesh *mesh = &renderer->model->meshes[i];
        tl_posed_mesh *posed = &renderer->posed[i];
        tl_clusters_set_boxes(posed->clusters, mesh, (const float(*)[3])posed->positions);
        if (posed->made_normals)
            renderer_make_normals(mesh, posed);
    }
    renderer->bounds = renderer_pose_bounds(renderer);
}

trilo_bounds trilo_renderer_bounds(const trilo_renderer *renderer)
{
    return renderer->bounds;
}
