/* Squares in front of a camera. */
#include "support/render_scene.h"

#include "harness.h"

#include <string.h>

static const float corners[4][2] = {{-1, 1}, {-1, -1}, {1, -1}, {1, 1}};
static const float uvs[4][2] = {{0, 0}, {0, 1}, {1, 1}, {1, 0}};
static const uint32_t two_triangles[6] = {0, 1, 2, 0, 2, 3}; /* counter-clockwise */

static void square_make(scene_model *s, uint32_t i)
{
    for (int c = 0; c < 4; c++) {
        s->positions[i][c][0] = corners[c][0];
        s->positions[i][c][1] = corners[c][1];
        s->normals[i][c][2] = 1;
        for (int k = 0; k < 4; k++)
            s->colors[i][c][k] = 1;
    }
    s->meshes[i] = (trilo_mesh){.material = i,
                                .node = TRILO_NONE,
                                .skin = TRILO_NONE,
                                .vertex_count = 4,
                                .index_count = 6,
                                .positions = (const float(*)[3])s->positions[i],
                                .normals = (const float(*)[3])s->normals[i],
                                .colors = (const float(*)[4])s->colors[i],
                                .uvs = uvs,
                                .indices = two_triangles};
    const trilo_n64_axis axis = {.low = 0, .high = SCENE_SIDE - 1, .mask = 3};
    s->n64[i] =
        (trilo_n64_material){.combiner = SCENE_PRIM,
                             .other_mask = UINT64_C(0x0000300000000C01),
                             .draw_flags = TRILO_N64_DEPTH | TRILO_N64_CULL_BACK,
                             .fog = 1,
                             .set_flags = 7,
                             .prim = {255, 255, 255, 255},
                             .env = {255, 255, 255, 255},
                             .tiles = {{.texture = 0, .width = SCENE_SIDE, .height = SCENE_SIDE, .s = axis, .t = axis},
                                       {.texture = TRILO_NONE}}};
    s->materials[i] = (trilo_material){.base_color = {1, 1, 1, 1}, .texture = TRILO_NONE, .n64 = &s->n64[i]};
}

void scene_make(scene_model *s, uint32_t count)
{
    memset(s, 0, sizeof *s);
    s->count = count;
    for (uint32_t i = 0; i < count; i++)
        square_make(s, i);
    for (int i = 0; i < SCENE_SIDE * SCENE_SIDE; i++) {
        s->texels[i][0] = (uint8_t)(30 * (i % SCENE_SIDE));
        s->texels[i][1] = (uint8_t)(30 * (i / SCENE_SIDE));
        s->texels[i][2] = 7;
        s->texels[i][3] = (uint8_t)(4 * i);
    }
    s->image = (trilo_image){SCENE_SIDE, SCENE_SIDE, (const uint8_t(*)[4])s->texels};
    s->texture = (trilo_texture){.width = SCENE_SIDE, .height = SCENE_SIDE};
    s->model = (trilo_model){.ordered = true,
                             .mesh_count = count,
                             .material_count = count,
                             .texture_count = 1,
                             .meshes = s->meshes,
                             .materials = s->materials,
                             .textures = &s->texture};
}

trilo_scene scene_plain(void)
{
    return (trilo_scene){.view = {.eye = {0, 0, 5}, .height = 2, .near_at = 1, .far_at = 9},
                         .look = TRILO_LOOK_CLEAN,
                         .samples = 1,
                         .background = {0, 0, 0, 255}};
}

void scene_draw(const scene_model *s, const trilo_scene *scene, uint32_t width, uint32_t height, scene_picture *out)
{
    trilo_error err = {0};
    const trilo_image *images[1] = {&s->image};
    trilo_renderer *renderer = trilo_renderer_new(&s->model, images, NULL, &err);
    if (!renderer)
        FAIL("%s: %s", err.path, err.text);
    out->width = width;
    out->height = height;
    const bool drawn = trilo_renderer_draw(renderer, scene, width, height, out->pixels, &err);
    trilo_renderer_free(renderer);
    if (!drawn)
        FAIL("%s", err.text);
}

const uint8_t *scene_at(const scene_picture *p, uint32_t x, uint32_t y)
{
    return p->pixels[y * p->width + x];
}

uint32_t scene_hash(const scene_picture *p)
{
    return trilo_fnv1a(p->pixels, (size_t)p->width * p->height * sizeof p->pixels[0]);
}
