/* A mesh is the picture of its triangles, each drawn as a mesh of its own: vertices that are placed, shaded and culled
 * in groups, clusters, and triangles that are left out change no pixel. In every look, from near by and from afar,
 * skinned or not, with colours, normals, textures and colours of faces. */
#include "harness.h"
#include "support/numbers.h"
#include "support/render_scene.h"
#include "trilobite/pose.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { VERTICES = 101, TRIANGLES = 83, WIDE = 48, HIGH = 36 };

typedef struct whole {
    float positions[VERTICES][3], normals[VERTICES][3], colors[VERTICES][4], uvs[VERTICES][2], weights[VERTICES][4];
    uint16_t joints[VERTICES][4];
    uint32_t indices[3 * TRIANGLES];
    uint8_t faces[TRIANGLES][4];
} whole;

/* The corners of each triangle on their own. */
typedef struct split {
    float positions[TRIANGLES][3][3], normals[TRIANGLES][3][3], colors[TRIANGLES][3][4], uvs[TRIANGLES][3][2],
        weights[TRIANGLES][3][4];
    uint16_t joints[TRIANGLES][3][4];
    trilo_mesh meshes[TRIANGLES];
} split;

static whole w;
static split one;
static const uint32_t order[3] = {0, 1, 2};

static float random_from(uint64_t *seed, double low, double high)
{
    return (float)(low + (high - low) * (double)(random_bits(seed) >> 11) / 9007199254740992.0);
}

static void fill(uint64_t *seed, bool skinned)
{
    memset(&w, 0, sizeof w);
    for (int v = 0; v < VERTICES; v++) {
        for (int k = 0; k < 3; k++) {
            w.positions[v][k] = random_from(seed, -1, 1);
            w.normals[v][k] = random_from(seed, -1, 1);
        }
        const float length = sqrtf(w.normals[v][0] * w.normals[v][0] + w.normals[v][1] * w.normals[v][1] +
                                   w.normals[v][2] * w.normals[v][2]);
        for (int k = 0; k < 3; k++)
            w.normals[v][k] /= skinned && v % 3 == 0 ? length * 2 : length;
        for (int k = 0; k < 4; k++)
            w.colors[v][k] = random_from(seed, 0, 1);
        for (int k = 0; k < 2; k++)
            w.uvs[v][k] = random_from(seed, -1, 2);
        w.weights[v][0] = 0.5f + (float)(v % 2) / 2, w.weights[v][1] = 1 - w.weights[v][0];
        w.joints[v][1] = 1;
    }
    for (int i = 0; i < 3 * TRIANGLES; i++)
        w.indices[i] = (uint32_t)(random_bits(seed) % VERTICES);
    for (int t = 0; t < TRIANGLES; t++)
        for (int k = 0; k < 4; k++)
            w.faces[t][k] = (uint8_t)random_bits(seed);
}

static trilo_mesh mesh_of(bool skinned, uint32_t attributes)
{
    return (trilo_mesh){.name = {"m", 1},
                        .node = TRILO_NONE,
                        .skin = skinned ? 0 : TRILO_NONE,
                        .vertex_count = VERTICES,
                        .index_count = 3 * TRIANGLES,
                        .positions = (const float(*)[3])w.positions,
                        .normals = attributes & 1 ? (const float(*)[3])w.normals : NULL,
                        .colors = attributes & 2 ? (const float(*)[4])w.colors : NULL,
                        .uvs = attributes & 4 ? (const float(*)[2])w.uvs : NULL,
                        .joints = skinned ? (const uint16_t(*)[4])w.joints : NULL,
                        .weights = skinned ? (const float(*)[4])w.weights : NULL,
                        .indices = w.indices};
}

static void take_apart(const trilo_mesh *mesh)
{
    for (uint32_t t = 0; t < TRIANGLES; t++) {
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t v = w.indices[3 * t + k];
            memcpy(one.positions[t][k], w.positions[v], sizeof w.positions[v]);
            memcpy(one.normals[t][k], w.normals[v], sizeof w.normals[v]);
            memcpy(one.colors[t][k], w.colors[v], sizeof w.colors[v]);
            memcpy(one.uvs[t][k], w.uvs[v], sizeof w.uvs[v]);
            memcpy(one.weights[t][k], w.weights[v], sizeof w.weights[v]);
            memcpy(one.joints[t][k], w.joints[v], sizeof w.joints[v]);
        }
        trilo_mesh *m = &one.meshes[t];
        *m = *mesh;
        m->vertex_count = m->index_count = 3;
        m->positions = (const float(*)[3])one.positions[t];
        m->normals = mesh->normals ? (const float(*)[3])one.normals[t] : NULL;
        m->colors = mesh->colors ? (const float(*)[4])one.colors[t] : NULL;
        m->uvs = mesh->uvs ? (const float(*)[2])one.uvs[t] : NULL;
        m->weights = mesh->weights ? (const float(*)[4])one.weights[t] : NULL;
        m->joints = mesh->joints ? (const uint16_t(*)[4])one.joints[t] : NULL;
        m->indices = order;
    }
}

static void draw(const trilo_model *model, const trilo_image *image, const trilo_scene *scene, uint8_t (*out)[4])
{
    trilo_error err = {0};
    const trilo_image *images[1] = {image};
    trilo_renderer *renderer = trilo_renderer_new(model, images, NULL, &err);
    CHECK_STR(renderer ? "" : err.text, "");
    for (uint32_t m = 0; m < model->mesh_count; m++)
        trilo_renderer_set_face_colors(renderer, m, (const uint8_t(*)[4])w.faces + m);
    if (!trilo_renderer_draw(renderer, scene, WIDE, HIGH, out, &err))
        FAIL("%s", err.text);
    trilo_renderer_free(renderer);
}

TEST(a_mesh_is_the_picture_of_its_triangles)
{
    static scene_model s;
    static uint8_t pixels[2][WIDE * HIGH][4];
    static const uint64_t combiners[] = {SCENE_SHADE, SCENE_TEX0_SHADE, SCENE_TEX0, SCENE_PRIM};
    static const trilo_look looks[] = {TRILO_LOOK_N64, TRILO_LOOK_CLEAN, TRILO_LOOK_N64, TRILO_LOOK_TV};
    uint64_t seed = 77;
    const trilo_mat4 unit = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};
    for (uint32_t round = 0; round < test_rounds(400, TEST_SLOW ? 6 : 24); round++) {
        const bool skinned = round % 3 == 1;
        fill(&seed, skinned);
        scene_make(&s, 1);
        s.n64[0].combiner = combiners[round % 4];
        if (round % 5 == 0) /* both sides */
            s.n64[0].draw_flags &= ~(uint32_t)(TRILO_N64_CULL_BACK | TRILO_N64_CULL_FRONT);
        s.materials[0].texture = 0;
        s.n64[0].vertex_effect = round % 7 == 3 ? TRILO_N64_EFFECT_SPHERICAL_UV : TRILO_N64_EFFECT_NONE;
        trilo_mesh mesh = mesh_of(skinned, s.n64[0].combiner == SCENE_SHADE ? 1 + (uint32_t)(round & 2) : 7);
        const trilo_node nodes[2] = {
            {.name = {"a", 1}, .parent = TRILO_NONE, .local = unit, .rotation.w = 1, .scale = {1, 1, 1}},
            {.name = {"b", 1},
             .parent = 0,
             .local = {{0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0.25f, 0, 0, 1}},
             .translation = {0.25f, 0, 0},
             .rotation = {0, 0, 0.70710678f, 0.70710678f},
             .scale = {1, 1, 1}}};
        const trilo_joint joints[2] = {{0, unit}, {1, unit}};
        const trilo_skin skin = {2, joints};
        trilo_model model = s.model;
        model.ordered = true;
        model.nodes = nodes, model.node_count = 2, model.skins = &skin, model.skin_count = 1;
        model.meshes = &mesh, model.mesh_count = 1;
        const double angle = (double)random_from(&seed, -3, 3), far = round % 4 < 2 ? 3.5 : 1.2; /* or among them */
        trilo_scene scene = {
            .look = looks[round % 4],
            .samples = 1,
            .view = {.eye = {(float)(far * sin(angle)), random_from(&seed, -1, 1), (float)(far * cos(angle))},
                     .fov = 60,
                     .near_at = 0.3f,
                     .far_at = 9},
            .show = round % 6 == 5 ? TRILO_SHOW_FACE_COLORS : 0,
            .console = {.no_mipmaps = true}};
        draw(&model, &s.image, &scene, pixels[0]);
        take_apart(&mesh);
        model.meshes = one.meshes, model.mesh_count = TRIANGLES;
        draw(&model, &s.image, &scene, pixels[1]);
        uint32_t drawn = 0;
        for (int i = 0; i < WIDE * HIGH; i++) {
            drawn += pixels[0][i][3] != 0;
            if (memcmp(pixels[0][i], pixels[1][i], 4) != 0)
                FAIL("round %u: pixel %d, %d is %d %d %d, not %d %d %d", round, i % WIDE, i / WIDE, pixels[0][i][0],
                     pixels[0][i][1], pixels[0][i][2], pixels[1][i][0], pixels[1][i][1], pixels[1][i][2]);
        }
        if (drawn < WIDE * HIGH / 32) /* or little was compared */
            FAIL("round %u: %u", round, drawn);
    }
}

TEST_MAIN(CASE(a_mesh_is_the_picture_of_its_triangles))
