/* Triangles in the space of their texture. */
#include "base/strict_float.h"
#include "raster/renderer.h"

#include "base/bytes.h"
#include "base/report.h"

#include <math.h>

/* Which part of the texture's space is shown; 1 is the whole texture. */
typedef struct uv_area {
    float left, top, right, bottom;
} uv_area;

enum { UV_SIDE_MOST = TL_GUARD };

static bool uv_is_shown(const trilo_mesh *mesh, uint32_t material)
{
    return mesh->material == material && mesh->uvs && mesh->topology == TRILO_TOPOLOGY_TRIANGLES;
}

/* Coordinates that are far away would shrink everything else to a dot. */
static float uv_clamp(float value)
{
    return !(value > -16) ? -16 : value < 16 ? value : 16;
}

/* At least the texture itself, and whole repeats of it. */
static uv_area uv_area_of(const trilo_model *model, uint32_t material)
{
    uv_area a = {0, 0, 1, 1};
    for (uint32_t m = 0; m < model->mesh_count; m++)
        for (uint32_t i = 0; uv_is_shown(&model->meshes[m], material) && i < model->meshes[m].index_count; i++) {
            const float *uv = model->meshes[m].uvs[model->meshes[m].indices[i]];
            const float u = uv_clamp(uv[0]), v = uv_clamp(uv[1]), edge = 1.0f / 256;
            a.left = fminf(a.left, floorf(u + edge)), a.right = fmaxf(a.right, ceilf(u - edge));
            a.top = fminf(a.top, floorf(v + edge)), a.bottom = fmaxf(a.bottom, ceilf(v - edge));
        }
    return a;
}

/* The texture as the tile repeats it, dimmed so that white lines show, and more outside its first copy. */
static void uv_draw_texture(const tl_framebuffer *framebuffer, const uv_area *a, const tl_pipeline_state *state,
                            bool textured)
{
    for (uint32_t y = 0; y < framebuffer->height; y++)
        for (uint32_t x = 0; x < framebuffer->width; x++) {
            const float u = a->left + (a->right - a->left) * ((float)x + 0.5f) / (float)framebuffer->width;
            const float v = a->top + (a->bottom - a->top) * ((float)y + 0.5f) / (float)framebuffer->height;
            const bool first = u >= 0 && u < 1 && v >= 0 && v < 1;
            int32_t texel[4] = {64, 64, 80, 255};
            if (textured)
                tl_tile_sample(&state->tiles[0], TL_FILTER_POINT, (int32_t)floorf(u * state->uv_scale[0]),
                               (int32_t)floorf(v * state->uv_scale[1]), texel);
            uint8_t *out = framebuffer->rgba[(size_t)y * framebuffer->width + x];
            for (int k = 0; k < 3; k++)
                out[k] = (uint8_t)(texel[k] * (first ? 3 : 1) / 4);
            out[3] = 255;
        }
}

static void uv_draw_mesh(const tl_framebuffer *framebuffer, const uv_area *a, const trilo_mesh *mesh)
{
    for (uint32_t i = 0; i + 2 < mesh->index_count; i += 3) {
        tl_corner corners[3];
        bool finite = true;
        for (int k = 0; k < 3; k++) {
            const float *uv = mesh->uvs[mesh->indices[i + (uint32_t)k]];
            finite = finite && tl_is_finite(uv[0]) && tl_is_finite(uv[1]);
            corners[k] =
                (tl_corner){.x = (uv_clamp(uv[0]) - a->left) / (a->right - a->left) * (float)framebuffer->width,
                            .y = (uv_clamp(uv[1]) - a->top) / (a->bottom - a->top) * (float)framebuffer->height};
        }
        for (int k = 0; finite && k < 3; k++)
            tl_draw_line(framebuffer, &(tl_line){&corners[k], &corners[(k + 1) % 3], {255, 255, 255, 255}, true});
    }
}

bool trilo_renderer_draw_uvs(trilo_renderer *renderer, uint32_t material, uint32_t width, uint32_t height,
                             uint8_t (*pixels)[4], trilo_error *err)
{
    const trilo_model *model = renderer->model;
    const tl_framebuffer framebuffer = {.width = width, .height = height, .rgba = pixels};
    if (width == 0 || height == 0 || width > UV_SIDE_MOST || height > UV_SIDE_MOST ||
        (material != TRILO_NONE && material >= model->material_count))
        return tl_fail(err, TRILO_CODE_MISUSE, &tl_general_rules[TL_CALL_MISUSE], TRILO_NOWHERE, NULL,
                       "there is no such material, or the picture has no pixels or more than %d on a side",
                       UV_SIDE_MOST);
    tl_rdp_state rdp = tl_rdp_state_new(renderer->model, &(trilo_scene){.guard = 0});
    const tl_pipeline_state state =
        tl_pipeline_state_of(&rdp, &renderer->textures, material != TRILO_NONE ? &model->materials[material] : NULL);
    const uv_area a = uv_area_of(model, material);
    uv_draw_texture(&framebuffer, &a, &state,
                    material != TRILO_NONE && model->materials[material].texture != TRILO_NONE);
    for (uint32_t m = 0; m < model->mesh_count; m++)
        if (uv_is_shown(&model->meshes[m], material))
            uv_draw_mesh(&framebuffer, &a, &model->meshes[m]);
    return true;
}
