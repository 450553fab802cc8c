#include "big_model.h"

#include <stdlib.h>
#include <string.h>

/* A waved square of SIDE x SIDE vertices: 76 bytes each in a file, and 24 bytes of indices for most. */
enum { SIDE = 368, VERTICES = SIDE * SIDE, INDICES = 6 * (SIDE - 1) * (SIDE - 1), MESHES = 8, BONES = 32, KEYS = 64 };

typedef struct big {
    trilo_model model; /* first, so that freeing it frees everything */
    trilo_mesh meshes[MESHES];
    trilo_node nodes[BONES];
    trilo_joint joints[BONES];
    trilo_skin skin;
    trilo_clip clip;
    trilo_channel channels[BONES];
    double times[KEYS];
    float turns[KEYS][4];
    float positions[VERTICES][3], normals[VERTICES][3], colors[VERTICES][4], uvs[VERTICES][2];
    float weights[VERTICES][4];
    uint16_t bones[VERTICES][4];
    uint32_t indices[INDICES];
} big;

/* A hill of height 1 over [0, 1], repeated. */
static float hill(float t)
{
    t -= (float)(int)t;
    return 4.0f * t * (1.0f - t);
}

static void fill_vertex(big *b, uint32_t x, uint32_t y)
{
    const uint32_t v = y * SIDE + x;
    const float u = (float)x / (SIDE - 1), w = (float)y / (SIDE - 1);
    const float height = 0.1f * hill(7.0f * u) + 0.1f * hill(5.0f * w);
    memcpy(b->positions[v], (float[3]){u - 0.5f, height, w - 0.5f}, sizeof b->positions[v]);
    memcpy(b->normals[v], (float[3]){0.0f, 1.0f, 0.0f}, sizeof b->normals[v]);
    memcpy(b->colors[v], (float[4]){u, hill(3.0f * w), w, 1.0f}, sizeof b->colors[v]);
    memcpy(b->uvs[v], (float[2]){u, w}, sizeof b->uvs[v]);
    for (uint32_t k = 0; k < 4; k++)
        b->bones[v][k] = (uint16_t)((x / 12 + y / 24 + k) % BONES);
    memcpy(b->weights[v], (float[4]){0.5f, 0.25f, 0.125f, 0.125f}, sizeof b->weights[v]);
}

static void fill_arrays(big *b)
{
    uint32_t *index = b->indices;
    for (uint32_t y = 0; y < SIDE; y++)
        for (uint32_t x = 0; x < SIDE; x++) {
            fill_vertex(b, x, y);
            if (x + 1 == SIDE || y + 1 == SIDE)
                continue;
            const uint32_t v = y * SIDE + x;
            memcpy(index, (uint32_t[6]){v, v + SIDE, v + 1, v + 1, v + SIDE, v + SIDE + 1}, 6 * sizeof *index);
            index += 6;
        }
}

static void fill_meshes(big *b, bool skinned)
{
    for (uint32_t i = 0; i < MESHES; i++)
        b->meshes[i] = (trilo_mesh){.topology = TRILO_TOPOLOGY_TRIANGLES,
                                    .material = TRILO_NONE,
                                    .node = TRILO_NONE,
                                    .skin = skinned ? 0 : TRILO_NONE,
                                    .vertex_count = VERTICES,
                                    .index_count = INDICES,
                                    .positions = (const float(*)[3])b->positions,
                                    .normals = (const float(*)[3])b->normals,
                                    .colors = (const float(*)[4])b->colors,
                                    .uvs = (const float(*)[2])b->uvs,
                                    .joints = skinned ? (const uint16_t(*)[4])b->bones : NULL,
                                    .weights = skinned ? (const float(*)[4])b->weights : NULL,
                                    .indices = b->indices};
    b->model.mesh_count = MESHES;
    b->model.meshes = b->meshes;
}

static trilo_mat4 raised(float height)
{
    trilo_mat4 m = {.m[13] = height};
    m.m[0] = m.m[5] = m.m[10] = m.m[15] = 1.0f;
    return m;
}

static void fill_bones(big *b)
{
    for (uint32_t i = 0; i < BONES; i++) {
        const float step = i ? 1.0f / BONES : 0.0f;
        b->nodes[i] = (trilo_node){.parent = i ? i - 1 : TRILO_NONE, .local = raised(step)};
        b->nodes[i].translation.y = step;
        b->nodes[i].rotation.w = 1.0f;
        b->nodes[i].scale = (trilo_vec3){1.0f, 1.0f, 1.0f};
        b->joints[i] = (trilo_joint){i, raised(0.0f - (float)i / BONES)};
        b->channels[i] = (trilo_channel){
            .node = i, .target = TRILO_TARGET_ROTATION, .key_count = KEYS, .times = b->times, .values = b->turns[0]};
    }
    for (uint32_t k = 0; k < KEYS; k++) {
        b->times[k] = 0.01 * k;
        memcpy(b->turns[k], k % 2 ? (float[4]){0.0f, 0.0f, 0.28f, 0.96f} : (float[4]){0.0f, 0.0f, 0.0f, 1.0f},
               sizeof b->turns[k]);
    }
    b->skin = (trilo_skin){BONES, b->joints};
    b->clip =
        (trilo_clip){.duration = 0.01 * (KEYS - 1), .rate = 1000.0, .channel_count = BONES, .channels = b->channels};
    b->model.node_count = BONES;
    b->model.skin_count = b->model.clip_count = 1;
    b->model.nodes = b->nodes;
    b->model.skins = &b->skin;
    b->model.clips = &b->clip;
}

const trilo_model *big_model_new(bool skinned)
{
    big *b = calloc(1, sizeof *b);
    if (!b)
        return NULL;
    fill_arrays(b);
    fill_meshes(b, skinned);
    if (skinned)
        fill_bones(b);
    return &b->model;
}

void big_model_free(const trilo_model *model)
{
    free((void *)(uintptr_t)model);
}
