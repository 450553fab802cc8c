/* How the parts of Assimp's scenes become parts of a model. Its reader of glTF fills most of them, so the scenes are
 * glTF files here, though Trilobite reads those itself. */
#include "base/arena.h"
#include "base/report.h"
#include "harness.h"
#include "import/import.h"
#include "trilobite/trilobite.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct scene_file {
    const char *name;
    const void *bytes;
    size_t size;
} scene_file;

typedef struct scene {
    tl_arena arena;
    trilo_model model;
    scene_file files[3];
    char findings[1000];
} scene;

static bool give_file(void *user, const char *name, trilo_bytes *bytes)
{
    const scene *s = user;
    for (int i = 0; i < 3; i++)
        if (s->files[i].name && strcmp(s->files[i].name, name) == 0) {
            *bytes = (trilo_bytes){s->files[i].bytes, s->files[i].size};
            return true;
        }
    return false;
}

static void list_finding(void *user, const trilo_finding *finding)
{
    scene *s = user;
    const size_t used = strlen(s->findings);
    snprintf(s->findings + used, sizeof s->findings - used, "%s: %s\n", finding->rule, finding->text);
}

/* Reads a file; `limit` in bytes, 0: none. */
static bool try_scene(scene *s, const char *name, trilo_bytes bytes, size_t limit, trilo_error *err)
{
    const trilo_load_opts opts = {.name = name, .companion = give_file, .companion_user = s};
    tl_report report = {.fn = list_finding, .user = s};
    tl_arena_init(&s->arena, &(trilo_memory){.max_bytes = limit});
    s->model = (trilo_model){.format = TRILO_FORMAT_UNKNOWN};
    s->findings[0] = '\0';
    const bool ok = tl_import_model(bytes, name, &opts, &s->arena, &s->model, &report, err);
    if (!ok && err->code == TRILO_CODE_UNSUPPORTED)
        SKIP("without Assimp");
    return ok;
}

static void read_scene(scene *s, const char *name, const char *text)
{
    trilo_error err = {.code = TRILO_CODE_OK};
    const bool ok = try_scene(s, name, (trilo_bytes){(const uint8_t *)text, strlen(text)}, 0, &err);
    CHECK_STR(ok ? "" : err.text, "");
}

/* ---- the model as lines of text, with exact numbers: all of them are small binary fractions ---- */

typedef struct lines {
    char text[8000];
    size_t used;
} lines;

__attribute__((format(printf, 2, 3))) static void put(lines *out, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    out->used += (size_t)vsnprintf(out->text + out->used, sizeof out->text - out->used, format, args);
    va_end(args);
    CHECK(out->used < sizeof out->text);
}

static void print_numbers(lines *out, const char *label, const float *numbers, uint32_t count)
{
    put(out, "%s", label);
    for (uint32_t i = 0; i < count; i++)
        put(out, " %g", (double)numbers[i] + 0.0); /* no negative zeros */
}

static void print_nodes(lines *out, const trilo_model *m)
{
    for (uint32_t i = 0; i < m->node_count; i++) {
        const trilo_node *n = &m->nodes[i];
        put(out, "node %s of %s", n->name.data, n->parent == TRILO_NONE ? "-" : m->nodes[n->parent].name.data);
        print_numbers(out, " at", &n->translation.x, 3);
        print_numbers(out, " turned", &n->rotation.x, 4);
        print_numbers(out, " scaled", &n->scale.x, 3);
        print_numbers(out, n->sheared ? " sheared" : " =", n->local.m, 16);
        put(out, "\n");
    }
}

static void print_meshes(lines *out, const trilo_model *m)
{
    for (uint32_t i = 0; i < m->mesh_count; i++) {
        const trilo_mesh *n = &m->meshes[i];
        put(out, "mesh %s of %s, %s, material %d, skin %d\n", n->name.data, m->nodes[n->node].name.data,
            n->topology == TRILO_TOPOLOGY_LINES ? "lines" : "triangles", (int)n->material, (int)n->skin);
        for (uint32_t v = 0; v < n->vertex_count; v++) {
            print_numbers(out, " ", n->positions[v], 3);
            if (n->normals)
                print_numbers(out, ", normal", n->normals[v], 3);
            if (n->colors)
                print_numbers(out, ", color", n->colors[v], 4);
            if (n->uvs)
                print_numbers(out, ", uv", n->uvs[v], 2);
            for (int k = 0; n->weights && k < 4; k++)
                put(out, "%s%u * %g", k ? " + " : ", ", n->joints[v][k], (double)n->weights[v][k]);
            put(out, "\n");
        }
        put(out, " ");
        for (uint32_t k = 0; k < n->index_count; k++)
            put(out, " %u", n->indices[k]);
        put(out, "\n");
    }
    for (uint32_t i = 0; i < m->skin_count; i++)
        for (uint32_t k = 0; k < m->skins[i].joint_count; k++) {
            put(out, "joint %u of skin %u, %s", k, i, m->nodes[m->skins[i].joints[k].node].name.data);
            print_numbers(out, ":", m->skins[i].joints[k].inverse_bind.m, 16);
            put(out, "\n");
        }
}

/* Assimp's reader gives channels in any order: they are listed by node. */
static void print_clips(lines *out, const trilo_model *m)
{
    static const char *const targets[] = {"translation", "rotation", "scale"};
    for (uint32_t i = 0; i < m->clip_count; i++) {
        put(out, "clip %s, %g s, %u channels\n", m->clips[i].name.data, m->clips[i].duration,
            m->clips[i].channel_count);
        for (uint32_t k = 0; k < m->node_count * m->clips[i].channel_count; k++) {
            const trilo_channel *c = &m->clips[i].channels[k % m->clips[i].channel_count];
            if (c->node != k / m->clips[i].channel_count)
                continue;
            put(out, "  %s of %s:", targets[c->target], m->nodes[c->node].name.data);
            for (uint32_t e = 0; e < c->key_count; e++) {
                put(out, "%s %g", e ? "," : "", c->times[e]);
                print_numbers(out, " s", c->values + e * trilo_target_width(c->target), trilo_target_width(c->target));
            }
            put(out, "\n");
        }
    }
}

static void print_materials(lines *out, const trilo_model *m)
{
    static const char *const alphas[] = {"opaque", "cutout", "blend"}, *const wraps[] = {"repeat", "mirror", "clamp"};
    for (uint32_t i = 0; i < m->material_count; i++) {
        const trilo_material *n = &m->materials[i];
        put(out, "material \"%s\"", n->name.data);
        print_numbers(out, "", n->base_color, 4);
        put(out, ", texture %d, %s%s\n", (int)n->texture, alphas[n->alpha], n->two_sided ? ", two sided" : "");
    }
    for (uint32_t i = 0; i < m->texture_count; i++) {
        const trilo_texture *n = &m->textures[i];
        put(out, "texture %s at \"%s\", %zu bytes of kind %d, %ux%u, %s, %s\n", n->name.data, n->path.data,
            n->bytes.size, n->kind, n->width, n->height, wraps[n->wrap[0]], wraps[n->wrap[1]]);
    }
}

/* ---- glTF ---- */

/* Bytes of the accessors of the scene below. */
typedef struct scene_bytes {
    float positions[4][3], normals[4][3], colors[4][4], uvs[4][2], weights[4][4];
    uint16_t joints[4][4];
    uint32_t triangles[6], lines[4];
    float inverse_binds[4][16], times[6], moves[6][3], turns[6][4], sizes[6][3];
} scene_bytes;

/* A root that is four times as large, with bones below it (one of them twice as large, one stretched), a skin, a plain
 * mesh, lines and points. Two keys have a time that does not increase, and one rotation has no length. */
static const scene_bytes skinned_bytes = {
    .positions = {{0, 0, 0}, {1, 0, 0}, {1, 2, 0}, {0, 2, 0.5f}},
    .normals = {{0, 0.8f, 0.3f}, {0, 1, 0}, {1, 0, 0}, {0, 0, -1}},
    .colors = {{1, 0.5f, 0.25f, 1}, {0, 1, 0, 0.5f}, {0.125f, 0, 1, 1}, {0, 0, 0, 0}},
    .uvs = {{0, 0}, {1, 0.25f}, {0.5f, 1}, {0.125f, 0.75f}},
    .weights = {{1, 0, 0, 0}, {0.75f, 0.25f, 0, 0}, {0.5f, 0.5f, 0, 0}, {0.25f, 0.125f, 0.5f, 0.125f}},
    .joints = {{0, 0, 0, 0}, {0, 1, 0, 0}, {3, 2, 0, 0}, {3, 2, 1, 0}},
    .triangles = {0, 1, 2, 0, 2, 3},
    .lines = {0, 1, 2, 3},
    .inverse_binds = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -0.5f, 0, 1},
                      {0.5f, 0, 0, 0, 0, 0.5f, 0, 0, 0, 0, 0.5f, 0, 0, -0.25f, 0.125f, 1},
                      {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1},
                      {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 2, 4, 8, 1}},
    .times = {0.5f, 1, 1, 0.75f, 2, 4},
    .moves = {{0, 0, 0}, {1, 2, 3}, {9, 9, 9}, {9, 9, 9}, {-1, 0.5f, 0.25f}, {1, 1, 1}},
    .turns = {{0, 0, 0, 1}, {3, 0, 0, 4}, {0, 1, 0, 0}, {0, 1, 0, 0}, {0, 0, 0, 0}, {0, -2, 0, 0}},
    .sizes = {{1, 1, 1}, {2, 4, 8}, {9, 9, 9}, {9, 9, 9}, {0.5f, 0.25f, 1}, {3, 3, 3}}};

#define FLOATS(view, count, type)                                                                                      \
    "{\"bufferView\":" #view ",\"componentType\":5126,\"count\":" #count ",\"type\":\"" type "\"},"
static const char skinned_start[] =
    "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":["
    "{\"name\":\"top\",\"translation\":[1,2,3],\"scale\":[4,4,4],\"children\":[1,3,4,5,6,7]},"
    "{\"name\":\"hip\",\"translation\":[0,0.5,0],\"children\":[2]},"
    "{\"name\":\"knee\",\"translation\":[0,0.25,0.125],\"scale\":[2,2,2]},"
    "{\"name\":\"body\",\"translation\":[0.5,0,0],\"scale\":[1,1,0.5],\"mesh\":0,\"skin\":0},"
    "{\"name\":\"prop\",\"translation\":[1,0,2],\"scale\":[1,2,1],\"mesh\":1},"
    "{\"name\":\"lines\",\"mesh\":2},{\"name\":\"dots\",\"mesh\":3},"
    "{\"name\":\"again\",\"translation\":[0,0,1],\"mesh\":1}],"
    "\"meshes\":["
    "{\"name\":\"skinned\",\"primitives\":[{\"attributes\":{\"POSITION\":0,\"NORMAL\":1,\"COLOR_0\":2,\"TEXCOORD_0\":3,"
    "\"TEXCOORD_1\":3,\"JOINTS_0\":5,\"WEIGHTS_0\":4},\"indices\":6,\"material\":0}]},"
    "{\"name\":\"plain\",\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":6,\"material\":1}]},"
    "{\"name\":\"wires\",\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":7,\"mode\":1}]},"
    "{\"name\":\"points\",\"primitives\":[{\"attributes\":{\"POSITION\":0},\"mode\":0}]}],"
    "\"materials\":[{\"name\":\"cloth\"},{\"name\":\"wood\"}],"
    "\"skins\":[{\"joints\":[1,2,0,4],\"inverseBindMatrices\":8}],"
    "\"animations\":[{\"name\":\"walk\",\"samplers\":[{\"input\":9,\"output\":10},{\"input\":9,\"output\":11},"
    "{\"input\":9,\"output\":12}],\"channels\":["
    "{\"sampler\":0,\"target\":{\"node\":1,\"path\":\"translation\"}},"
    "{\"sampler\":1,\"target\":{\"node\":2,\"path\":\"rotation\"}},"
    "{\"sampler\":2,\"target\":{\"node\":2,\"path\":\"scale\"}},"
    "{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"translation\"}},"
    "{\"sampler\":2,\"target\":{\"node\":4,\"path\":\"scale\"}}]},"
    "{\"name\":\"still\",\"samplers\":[{\"input\":9,\"output\":10}],\"channels\":["
    "{\"sampler\":0,\"target\":{\"node\":5,\"path\":\"translation\"}}]}],"
    "\"accessors\":[" FLOATS(0, 4, "VEC3") FLOATS(1, 4, "VEC3") FLOATS(2, 4, "VEC4") FLOATS(3, 4, "VEC2") FLOATS(
        4, 4, "VEC4") "{\"bufferView\":5,\"componentType\":5123,\"count\":4,\"type\":\"VEC4\"},"
                      "{\"bufferView\":6,\"componentType\":5125,\"count\":6,\"type\":\"SCALAR\"},"
                      "{\"bufferView\":7,\"componentType\":5125,\"count\":4,\"type\":\"SCALAR\"}," FLOATS(8, 4, "MAT4")
                          FLOATS(9, 6, "SCALAR") FLOATS(10, 6, "VEC3") FLOATS(
                              11, 6,
                              "VEC4") "{\"bufferView\":12,\"componentType\":5126,\"count\":6,\"type\":\"VEC3\"}],";

static const char *skinned_text(void)
{
    static const size_t starts[] = {offsetof(scene_bytes, positions),     offsetof(scene_bytes, normals),
                                    offsetof(scene_bytes, colors),        offsetof(scene_bytes, uvs),
                                    offsetof(scene_bytes, weights),       offsetof(scene_bytes, joints),
                                    offsetof(scene_bytes, triangles),     offsetof(scene_bytes, lines),
                                    offsetof(scene_bytes, inverse_binds), offsetof(scene_bytes, times),
                                    offsetof(scene_bytes, moves),         offsetof(scene_bytes, turns),
                                    offsetof(scene_bytes, sizes),         sizeof(scene_bytes)};
    static lines text;
    text.used = 0;
    put(&text, "%s\"buffers\":[{\"uri\":\"data.bin\",\"byteLength\":%zu}],\"bufferViews\":[", skinned_start,
        sizeof(scene_bytes));
    for (size_t i = 0; i + 1 < sizeof starts / sizeof *starts; i++)
        put(&text, "%s{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu}", i ? "," : "", starts[i],
            starts[i + 1] - starts[i]);
    put(&text, "]}");
    return text.text;
}

/* A point p of the skin is at 4 * (p.x + 0.5), 4 * p.y, 2 * p.z in the model, from (1, 2, 3). The sizes of the root and
 * the knee are applied to what is below them, so that translations below the root are four times as long, and the
 * matrices into the space of a joint four or, below the knee, eight times as large. */
TEST(a_skinned_scene)
{
    scene s = {.files = {{"data.bin", &skinned_bytes, sizeof skinned_bytes}}};
    lines out = {.used = 0};
    read_scene(&s, "a.gltf", skinned_text());
    print_nodes(&out, &s.model);
    print_meshes(&out, &s.model);
    print_clips(&out, &s.model);
    print_materials(&out, &s.model);
    CHECK_STR(out.text,
              "node top of - at 1 2 3 turned 0 0 0 1 scaled 1 1 1 = 1 0 0 0 0 1 0 0 0 0 1 0 1 2 3 1\n"
              "node hip of top at 0 2 0 turned 0 0 0 1 scaled 1 1 1 = 1 0 0 0 0 1 0 0 0 0 1 0 0 2 0 1\n"
              "node body of top at 2 0 0 turned 0 0 0 1 scaled 1 1 0.5 = 1 0 0 0 0 1 0 0 0 0 0.5 0 2 0 0 1\n"
              "node prop of top at 4 0 8 turned 0 0 0 1 scaled 1 2 1 = 1 0 0 0 0 2 0 0 0 0 1 0 4 0 8 1\n"
              "node lines of top at 0 0 0 turned 0 0 0 1 scaled 1 1 1 = 1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1\n"
              "node dots of top at 0 0 0 turned 0 0 0 1 scaled 1 1 1 = 1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1\n"
              "node again of top at 0 0 4 turned 0 0 0 1 scaled 1 1 1 = 1 0 0 0 0 1 0 0 0 0 1 0 0 0 4 1\n"
              "node knee of hip at 0 1 0.5 turned 0 0 0 1 scaled 1 1 1 = 1 0 0 0 0 1 0 0 0 0 1 0 0 1 0.5 1\n"
              "mesh skinned of body, triangles, material 0, skin 0\n"
              "  3 2 3, normal 0 0.8 0.6, color 1 0.5 0.25 1, uv 0 0, 0 * 1 + 0 * 0 + 0 * 0 + 0 * 0\n"
              "  7 2 3, normal 0 1 0, color 0 1 0 0.5, uv 1 0.25, 0 * 0.75 + 1 * 0.25 + 0 * 0 + 0 * 0\n"
              "  7 10 3, normal 1 0 0, color 0.125 0 1 1, uv 0.5 1, 2 * 0.5 + 3 * 0.5 + 0 * 0 + 0 * 0\n"
              "  3 10 4, normal 0 0 -1, color 0 0 0 0, uv 0.125 0.75, 0 * 0.125 + 1 * 0.5 + 2 * 0.125 + 3 * 0.25\n"
              "  0 1 2 0 2 3\n"
              "mesh plain of prop, triangles, material 1, skin -1\n"
              "  0 0 0\n"
              "  4 0 0\n"
              "  4 8 0\n"
              "  0 8 2\n"
              "  0 1 2 0 2 3\n"
              "mesh wires of lines, lines, material 2, skin -1\n"
              "  0 0 0\n"
              "  4 0 0\n"
              "  4 8 0\n"
              "  0 8 2\n"
              "  0 1 2 3\n"
              "mesh plain of again, triangles, material 1, skin -1\n"
              "  0 0 0\n"
              "  4 0 0\n"
              "  4 8 0\n"
              "  0 8 2\n"
              "  0 1 2 0 2 3\n"
              "joint 0 of skin 0, hip: 1 0 0 0 0 1 0 0 0 0 2 0 -3 -4 -6 1\n"
              "joint 1 of skin 0, knee: 1 0 0 0 0 1 0 0 0 0 2 0 -3 -4 -5 1\n"
              "joint 2 of skin 0, top: 1 0 0 0 0 1 0 0 0 0 2 0 -3 -2 -6 1\n"
              "joint 3 of skin 0, prop: 1 0 0 0 0 1 0 0 0 0 2 0 5 14 26 1\n"
              "clip walk, 4 s, 12 channels\n"
              "  translation of top: 0.5 s 0 0 0, 1 s 1 2 3, 2 s -1 0.5 0.25, 4 s 1 1 1\n"
              "  rotation of top: 0 s 0 0 0 1\n"
              "  scale of top: 0 s 1 1 1\n"
              "  translation of hip: 0.5 s 0 0 0, 1 s 4 8 12, 2 s -4 2 1, 4 s 4 4 4\n"
              "  rotation of hip: 0 s 0 0 0 1\n"
              "  scale of hip: 0 s 1 1 1\n"
              "  translation of prop: 0 s 4 0 8\n"
              "  rotation of prop: 0 s 0 0 0 1\n"
              "  scale of prop: 0.5 s 1 1 1, 1 s 2 4 8, 2 s 0.5 0.25 1, 4 s 3 3 3\n"
              "  translation of knee: 0 s 0 1 0.5\n"
              "  rotation of knee: 0.5 s 0 0 0 1, 1 s 0.6 0 0 0.8, 4 s 0 -1 0 0\n"
              "  scale of knee: 0.5 s 0.5 0.5 0.5, 1 s 1 2 4, 2 s 0.25 0.125 0.5, 4 s 1.5 1.5 1.5\n"
              "clip still, 4 s, 3 channels\n"
              "  translation of lines: 0.5 s 0 0 0, 1 s 4 8 12, 2 s -4 2 1, 4 s 4 4 4\n"
              "  rotation of lines: 0 s 0 0 0 1\n"
              "  scale of lines: 0 s 1 1 1\n"
              "material \"cloth\" 1 1 1 1, texture -1, opaque\n"
              "material \"wood\" 1 1 1 1, texture -1, opaque\n"
              "material \"\" 1 1 1 1, texture -1, opaque\n");
    CHECK_STR(s.findings, "IMPORT-UNITS: the file does not state its unit; one meter is assumed\n"
                          "IMPORT-LOST: 1 other set of texture coordinate is not imported (\"skinned\")\n"
                          "IMPORT-LOST: 1 mesh of points is not imported\n");
    tl_arena_free(&s.arena);
}

/* Whatever memory is left, reading fails with the code for that, or gives everything. */
TEST(fails_when_memory_runs_out)
{
    scene s = {.files = {{"data.bin", &skinned_bytes, sizeof skinned_bytes}}};
    const char *text = skinned_text();
    size_t limit = 1, failed = 0;
    trilo_error err = {.code = TRILO_CODE_OK};
    for (bool ok = false; !ok; limit += limit / 4 + 1) {
        ok = try_scene(&s, "a.gltf", (trilo_bytes){(const uint8_t *)text, strlen(text)}, limit, &err);
        if (!ok)
            CHECK_INT(err.code, TRILO_CODE_NO_MEMORY);
        failed += !ok;
        CHECK(!ok || (s.model.clip_count == 2 && s.model.clips[1].channel_count == 3 && s.model.mesh_count == 4));
        tl_arena_free(&s.arena);
    }
    CHECK(failed > 10);
}

/* A scale is removed from a bone if it is the same in all directions, to a thousandth, and differs from 1 by more. */
TEST(uniform_scales_of_bones_are_applied)
{
    static const struct {
        const char *scale;
        float size[3]; /* of the bone afterwards */
        float applied; /* to what is below it */
    } cases[] = {{"8,8,8", {1, 1, 1}, 8},
                 {"2,2,2", {1, 1, 1}, 2},
                 {"0.5,0.5,0.5", {1, 1, 1}, 0.5f},
                 {"1,1,1", {1, 1, 1}, 1},
                 {"1.0009765625,1,1", {1.0009765625f, 1, 1}, 1}, /* 1 + 1/1024, nearly 1 */
                 {"1.001953125,1.001953125,1.001953125", {1, 1, 1}, 1.001953125f},
                 {"0.9990234375,1,1", {0.9990234375f, 1, 1}, 1},
                 {"0.998046875,0.998046875,0.998046875", {1, 1, 1}, 0.998046875f},
                 {"2,2.001953125,2", {1, 1.0009765625f, 1}, 2}, /* a difference of 1/512 */
                 {"2,2,1.998046875", {1, 1, 0.9990234375f}, 2},
                 {"2,2.00390625,2", {2, 2.00390625f, 2}, 1},
                 {"2,2,2.00390625", {2, 2, 2.00390625f}, 1},
                 {"2,2,1", {2, 2, 1}, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[2000];
        struct {
            float positions[3][3], weights[3][4];
            uint16_t joints[3][4];
            float inverse_bind[16];
        } bytes = {.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
                   .weights = {{1}, {1}, {1}},
                   .inverse_bind = {0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 1}};
        snprintf(text, sizeof text,
                 "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":["
                 "{\"name\":\"top\",\"children\":[1,2]},"
                 "{\"name\":\"bone\",\"rotation\":[0.5,0.5,0.5,0.5],\"scale\":[%s],\"children\":[3]},"
                 "{\"name\":\"body\",\"mesh\":0,\"skin\":0},{\"name\":\"held\",\"mesh\":1}],\"skins\":[{\"joints\":[1],"
                 "\"inverseBindMatrices\":3}],"
                 "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"WEIGHTS_0\":1,\"JOINTS_0\":2}}]},"
                 "{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
                 "\"buffers\":[{\"uri\":\"data.bin\",\"byteLength\":%zu}],\"bufferViews\":["
                 "{\"buffer\":0,\"byteLength\":36},{\"buffer\":0,\"byteOffset\":36,\"byteLength\":48},"
                 "{\"buffer\":0,\"byteOffset\":84,\"byteLength\":24},"
                 "{\"buffer\":0,\"byteOffset\":108,\"byteLength\":64}],\"accessors\":["
                 "{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"},"
                 "{\"bufferView\":1,\"componentType\":5126,\"count\":3,\"type\":\"VEC4\"},"
                 "{\"bufferView\":2,\"componentType\":5123,\"count\":3,\"type\":\"VEC4\"},"
                 "{\"bufferView\":3,\"componentType\":5126,\"count\":1,\"type\":\"MAT4\"}]}",
                 cases[i].scale, sizeof bytes);
        scene s = {.files = {{"data.bin", &bytes, sizeof bytes}}};
        read_scene(&s, "a.gltf", text);
        CHECK(s.model.node_count == 4 && s.model.mesh_count == 2 && s.model.skin_count == 1);
        for (int k = 0; k < 16; k++) { /* x becomes y, y becomes z, z becomes x */
            const float bone = k == 1 ? cases[i].size[0] : k == 6 ? cases[i].size[1] : k == 8 ? cases[i].size[2] : 0;
            const float bind = k == 1 || k == 6 || k == 8 ? cases[i].applied : 0;
            CHECK_NEAR(s.model.nodes[1].local.m[k], k == 15 ? 1 : bone, 1e-6);
            CHECK_NEAR(s.model.skins[0].joints[0].inverse_bind.m[k], k == 15 ? 1 : bind, 1e-6);
        }
        CHECK_INT(s.model.meshes[1].node, 3); /* what is below the bone */
        for (int k = 0; k < 9; k++)
            CHECK_NEAR(s.model.meshes[1].positions[k / 3][k % 3], bytes.positions[k / 3][k % 3] * cases[i].applied,
                       1e-6);
        tl_arena_free(&s.arena);
    }
}

/* ---- materials ---- */

/* The start of a PNG file of 3 x 2 pixels, as far as its size. */
static const uint8_t small_png[] = {0x89, 'P', 'N', 'G', 13, 10, 26, 10, 0, 0, 0, 13, 'I', 'H', 'D', 'R',
                                    0,    0,   0,   3,   0,  0,  0,  2,  8, 2, 0, 0,  0,   0,   0,   0};

#define SHOWN(material) "{\"attributes\":{\"POSITION\":0},\"material\":" #material "}"
#define MATERIAL_TRIANGLE                                                                                              \
    "\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],"                                               \
    "\"meshes\":[{\"primitives\":[" SHOWN(0) "," SHOWN(1) "," SHOWN(2) "," SHOWN(3) "," SHOWN(4) "," SHOWN(            \
        5) "," SHOWN(6) "," SHOWN(7) "," SHOWN(8) "]}],"                                                               \
                                                  "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":" \
                                                  "3,\"type\":\"VEC3\"}],"                                             \
                                                  "\"buffers\":[{\"uri\":\"data.bin\",\"byteLength\":36}],"            \
                                                  "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}]"
static const float material_triangle[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};

#define PBR(more) "\"pbrMetallicRoughness\":{" more "}"
TEST(colors_and_textures_of_materials)
{
    static const char text[] =
        "{\"asset\":{\"version\":\"2.0\"}," MATERIAL_TRIANGLE
        ",\"images\":[{\"uri\":\"paint.png\"},{\"uri\":\"bad.png\"},"
        "{\"uri\":\"none.png\"}],\"samplers\":[{\"wrapS\":33648,\"wrapT\":33071},{\"wrapS\":"
        "10497,\"wrapT\":33648}],"
        "\"textures\":[{\"source\":0,\"sampler\":0},{\"source\":1,\"sampler\":1},{\"source\":2}]"
        ",\"materials\":["
        "{\"name\":\"limits\"," PBR(
            "\"baseColorFactor\":[0,1,1.5,1]") "},"
                                               "{\"name\":\"below\"," PBR(
                                                   "\"baseColorFactor\":["
                                                   "-0.5,0.25,0.75,1]") ",\"doubleSided\":true},"
                                                                        "{\"name\":\"glass\",\"alphaMode\":"
                                                                        "\"BLEND\"," PBR(
                                                                            "\"baseColorFactor\":[0.25,0.5,0.75,0."
                                                                            "5]") "},"
                                                                                  "{\"name\":\"air\",\"alphaMode\":"
                                                                                  "\"BLEND\"," PBR(
                                                                                      "\"baseColorFactor\":[0.25,0."
                                                                                      "5,0.75,0]") "},"
                                                                                                   "{\"name\":"
                                                                                                   "\"full\","
                                                                                                   "\"alphaMode\":"
                                                                                                   "\"BLEND\"," PBR(
                                                                                                       "\"baseColor"
                                                                                                       "Factor\":["
                                                                                                       "0.25,0.5,0."
                                                                                                       "75,1]") "},"
                                                                                                                "{"
                                                                                                                "\""
                                                                                                                "na"
                                                                                                                "me"
                                                                                                                "\""
                                                                                                                ":"
                                                                                                                "\""
                                                                                                                "cl"
                                                                                                                "ot"
                                                                                                                "h"
                                                                                                                "\""
                                                                                                                "," PBR(
                                                                                                                    "\""
                                                                                                                    "ba"
                                                                                                                    "se"
                                                                                                                    "Co"
                                                                                                                    "lo"
                                                                                                                    "rF"
                                                                                                                    "ac"
                                                                                                                    "to"
                                                                                                                    "r"
                                                                                                                    "\""
                                                                                                                    ":["
                                                                                                                    "0."
                                                                                                                    "25"
                                                                                                                    ",0"
                                                                                                                    ".5"
                                                                                                                    ",0"
                                                                                                                    ".7"
                                                                                                                    "5,"
                                                                                                                    "1]"
                                                                                                                    ","
                                                                                                                    "\""
                                                                                                                    "ba"
                                                                                                                    "se"
                                                                                                                    "Co"
                                                                                                                    "lo"
                                                                                                                    "rT"
                                                                                                                    "ex"
                                                                                                                    "tu"
                                                                                                                    "re"
                                                                                                                    "\""
                                                                                                                    ":{"
                                                                                                                    "\""
                                                                                                                    "in"
                                                                                                                    "de"
                                                                                                                    "x"
                                                                                                                    "\""
                                                                                                                    ":0"
                                                                                                                    "}") "},"
                                                                                                                         "{\"name\":\"maps\"," PBR(
                                                                                                                             "\"baseColorTexture\":{\"index\":1}") ",\"normalTexture\":{\"index\":0},"
                                                                                                                                                                   "\"emissiveTexture\":{\"index\":0}},"
                                                                                                                                                                   "{\"name\":\"same\"," PBR(
                                                                                                                                                                       "\"baseColorTexture\":{\"index\":0}") "},"
                                                                                                                                                                                                             "{\"name\":\"lacks\"," PBR(
                                                                                                                                                                                                                 "\"baseColorTexture\":{\"index\":2}") "}]}";
    scene s = {.files = {{"data.bin", material_triangle, sizeof material_triangle},
                         {"paint.png", small_png, sizeof small_png},
                         {"bad.png", "no image", 8}}};
    lines out = {.used = 0};
    read_scene(&s, "a.gltf", text);
    print_materials(&out, &s.model);
    CHECK_STR(out.text, "material \"limits\" 0 1 1 1, texture -1, opaque\n"
                        "material \"below\" 1 0.25 0.75 1, texture -1, opaque, two sided\n"
                        "material \"glass\" 0.25 0.5 0.75 0.5, texture -1, blend\n"
                        "material \"air\" 0.25 0.5 0.75 0, texture -1, blend\n"
                        "material \"full\" 0.25 0.5 0.75 1, texture -1, opaque\n"
                        "material \"cloth\" 1 1 1 1, texture 0, opaque\n"
                        "material \"maps\" 1 1 1 1, texture 1, opaque\n"
                        "material \"same\" 1 1 1 1, texture 0, opaque\n"
                        "material \"lacks\" 1 1 1 1, texture 2, opaque\n"
                        "material \"\" 1 1 1 1, texture -1, opaque\n"
                        "texture paint.png at \"\", 32 bytes of kind 1, 3x2, mirror, clamp\n"
                        "texture bad.png at \"bad.png\", 0 bytes of kind 0, 0x0, repeat, mirror\n"
                        "texture none.png at \"none.png\", 0 bytes of kind 0, 0x0, repeat, repeat\n");
    CHECK_STR(s.findings, "IMPORT-UNITS: the file does not state its unit; one meter is assumed\n"
                          "IMPORT-LOST: 1 image that is neither PNG nor JPEG is not imported (\"bad.png\")\n"
                          "IMPORT-LOST: 2 other maps are not imported (\"maps\")\n");
    tl_arena_free(&s.arena);
}

/* A texture of opacity makes a material with a picture a cutout; paths are those of any system. */
TEST(materials_of_an_obj_file)
{
    static const char mtl[] = "newmtl leaf\nKd 0.5 0.5 0.5\nmap_Kd C:\\pictures\\paint.png\nmap_d paint.png\n"
                              "newmtl bare\nKd 0.5 0.25 1\nmap_d paint.png\nmap_Ks paint.png\n"
                              "newmtl far\nmap_Kd -clamp on ../a/b/far.png\n";
    static const char text[] = "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl leaf\nf 1 2 3\nusemtl bare\nf 1 3 2\n"
                               "usemtl far\nf 2 1 3\n";
    scene s = {.files = {{"a.mtl", mtl, sizeof mtl - 1}, {"paint.png", small_png, sizeof small_png}}};
    lines out = {.used = 0};
    read_scene(&s, "a.obj", text);
    print_materials(&out, &s.model);
    CHECK_STR(strstr(out.text, "material \"leaf\""),
              "material \"leaf\" 1 1 1 1, texture 0, cutout\n"
              "material \"bare\" 0.5 0.25 1 1, texture -1, opaque\n"
              "material \"far\" 1 1 1 1, texture 1, opaque\n"
              "texture paint.png at \"\", 32 bytes of kind 1, 3x2, repeat, repeat\n"
              "texture far.png at \"far.png\", 0 bytes of kind 0, 0x0, clamp, clamp\n");
    CHECK_STR(s.findings, "IMPORT-UNITS: the file does not state its unit; one meter is assumed\n"
                          "IMPORT-LOST: 1 other map is not imported (\"bare\")\n");
    tl_arena_free(&s.arena);
}

/* Images inside of the file, the second of which is none. */
TEST(embedded_images)
{
    static const char text[] =
        "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],"
        "\"meshes\":[{\"primitives\":[" SHOWN(0) "," SHOWN(
            1) "]}],"
               "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}],"
               "\"buffers\":[{\"uri\":\"data.bin\",\"byteLength\":100}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":"
               "36},"
               "{\"buffer\":0,\"byteOffset\":36,\"byteLength\":32},{\"buffer\":0,\"byteOffset\":68,\"byteLength\":32}],"
               "\"images\":[{\"bufferView\":2,\"mimeType\":\"image/png\",\"name\":\"first\"},"
               "{\"bufferView\":1,\"mimeType\":\"image/png\",\"name\":\"second\"}],"
               "\"textures\":[{\"source\":0},{\"source\":1}],\"materials\":["
               "{" PBR("\"baseColorTexture\":{\"index\":1}") "},{" PBR("\"baseColorTexture\":{\"index\":0}") "}]}";
    struct {
        float positions[3][3];
        uint8_t images[2][32];
    } bytes;
    memcpy(bytes.positions, material_triangle, sizeof bytes.positions);
    memcpy(bytes.images[0], small_png, 32);
    memset(bytes.images[1], 'x', 32);
    scene s = {.files = {{"data.bin", &bytes, sizeof bytes}}};
    lines out = {.used = 0};
    read_scene(&s, "a.gltf", text);
    print_materials(&out, &s.model);
    CHECK_STR(out.text, "material \"\" 1 1 1 1, texture 0, opaque\n"
                        "material \"\" 1 1 1 1, texture 1, opaque\n"
                        "material \"\" 1 1 1 1, texture -1, opaque\n"
                        "texture *0 at \"\", 32 bytes of kind 1, 3x2, repeat, repeat\n"
                        "texture *1 at \"*1\", 0 bytes of kind 0, 0x0, repeat, repeat\n");
    CHECK_STR(s.findings, "IMPORT-UNITS: the file does not state its unit; one meter is assumed\n"
                          "IMPORT-LOST: 1 image that is neither PNG nor JPEG is not imported (\"*1\")\n");
    tl_arena_free(&s.arena);
}

/* ---- other formats ---- */

/* A DirectX file need not say how many ticks a second has: then there are 25. */
TEST(ticks_of_a_directx_file)
{
    static const char text[] =
        "xof 0303txt 0032\n"
        "Frame top { FrameTransformMatrix { 1.0,0.0,0.0,0.0, 0.0,1.0,0.0,0.0, 0.0,0.0,1.0,0.0, 0.0,0.0,0.0,1.0;; }\n"
        "Mesh m { 3; 0.0;0.0;0.0;, 1.0;0.0;0.0;, 0.0;1.0;0.0;; 1; 3;0,1,2;; } }\n"
        "%s"
        "AnimationSet move { Animation { {top} AnimationKey { 2; 2; 0;3;0.0,0.0,0.0;;, 50;3;1.0,2.0,3.0;;; } } }\n";
    static const struct {
        const char *rate;
        double seconds;
    } cases[] = {{"", 2}, {"AnimTicksPerSecond { 100; }\n", 0.5}, {"AnimTicksPerSecond { 1; }\n", 50}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char file[1000];
        scene s = {.findings = ""};
        snprintf(file, sizeof file, text, cases[i].rate);
        read_scene(&s, "a.x", file);
        CHECK_INT(s.model.clip_count, 1);
        CHECK_NEAR(s.model.clips[0].duration, cases[i].seconds, 0);
        tl_arena_free(&s.arena);
    }
}

/* Of formats that do not even say which axis is up, that is reported as well. */
TEST(units_and_axes_that_a_file_does_not_state)
{
    static const struct {
        const char *name, *text, *finding;
    } cases[] = {
        {"a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
         "IMPORT-UNITS: the file does not state its unit; one meter is assumed\n"},
        {"a.stl",
         "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n"
         "endsolid a\n",
         "IMPORT-UNITS: the file does not state its unit or which axis is up; one meter is assumed, with y up\n"},
        {"a.ply",
         "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
         "element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n",
         "IMPORT-UNITS: the file does not state its unit or which axis is up; one meter is assumed, with y up\n"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        scene s = {.findings = ""};
        read_scene(&s, cases[i].name, cases[i].text);
        CHECK_STR(s.findings, cases[i].finding);
        CHECK(s.model.units_per_meter == 1);
        tl_arena_free(&s.arena);
    }
}

#define FBX_FILE                                                                                                       \
    "; FBX 7.4.0 project file\nFBXHeaderExtension:  {\n\tFBXHeaderVersion: 1003\n\tFBXVersion: 7400\n}\n"              \
    "GlobalSettings:  {\n\tVersion: 1000\n\tProperties70:  {\n"                                                        \
    "\t\tP: \"UpAxis\", \"int\", \"Integer\", \"\",%d\n\t\tP: \"UnitScaleFactor\", \"double\", \"Number\", "           \
    "\"\",%g\n\t}\n}\n"                                                                                                \
    "Objects:  {\n\tGeometry: 1, \"Geometry::flat\", \"Mesh\" {\n\t\tVertices: *9 {\n\t\t\ta: "                        \
    "0,0,0,1,0,0,0,1,0\n\t\t}\n"                                                                                       \
    "\t\tPolygonVertexIndex: *3 {\n\t\t\ta: 0,1,-3\n\t\t}\n\t\tGeometryVersion: 124\n\t}\n"                            \
    "\tModel: 2, \"Model::flat\", \"Mesh\" {\n\t\tVersion: 232\n\t}\n}\n"                                              \
    "Connections:  {\n\tC: \"OO\",2,0\n\tC: \"OO\",1,2\n}\n"

/* An FBX file states the axis that is up, and how many centimeters a unit is. */
TEST(axes_and_units_of_an_fbx_file)
{
    static const struct {
        int axis;
        double centimeters;
        float units;
        bool turned;
        const char *finding;
    } cases[] = {{1, 1, 100, false, ""},
                 {2, 1, 100, true, ""},
                 {0, 1, 100, false, ""},
                 {1, 100, 1, false, ""},
                 {2, 50, 2, true, ""},
                 {1, -1, 1, false, "IMPORT-UNITS: the file does not state its unit; one meter is assumed\n"}};
    static const float unturned[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1},
                       z_up[16] = {1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1}; /* (x, y, z) becomes (x, z, -y) */
#ifdef __SANITIZE_ADDRESS__
    SKIP("Assimp's reader of FBX loses 40 bytes, which the sanitizer counts");
#endif
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char file[2000];
        scene s = {.findings = ""};
        snprintf(file, sizeof file, FBX_FILE, cases[i].axis, cases[i].centimeters);
        read_scene(&s, "a.fbx", file);
        for (int k = 0; k < 16; k++)
            CHECK(s.model.nodes[0].local.m[k] == (cases[i].turned ? z_up : unturned)[k]);
        CHECK_NEAR(s.model.nodes[0].rotation.x, cases[i].turned ? -0.70710678 : 0, 1e-6);
        CHECK(s.model.units_per_meter == cases[i].units && !s.model.nodes[0].sheared);
        CHECK_STR(s.findings, cases[i].finding);
        tl_arena_free(&s.arena);
    }
}

/* ---- which files are read ---- */

TEST(files_that_are_read)
{
    static const struct {
        const char *name, *format; /* NULL: not read */
    } cases[] = {{"a.obj", "OBJ"}, {"a.OBJ", "OBJ"},    {"a.b.Dae", "DAE"}, {"a.3ds", "3DS"}, {"a.zae", "ZAE"},
                 {"a.gltf", NULL}, {"a.glb", NULL},     {"a.blend", NULL},  {"a.zip", NULL},  {"a.", NULL},
                 {"obj", NULL},    {"a.nothing", NULL}, {NULL, NULL}};
    static const char fbx[] = "Kaydara FBX Binary";
    tl_import_format format;
    trilo_error err = {.code = TRILO_CODE_OK};
    scene s = {.findings = ""};
    CHECK(!try_scene(&s, "a.obj", (trilo_bytes){(const uint8_t *)"x", 1}, 0, &err));
    tl_arena_free(&s.arena);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const bool reads = tl_import_reads((trilo_bytes){(const uint8_t *)"x", 1}, cases[i].name, &format);
        CHECK_STR(reads ? format.name : "", cases[i].format ? cases[i].format : "");
    }
    for (size_t size = 0; size <= sizeof fbx; size++) { /* known by its first 18 bytes */
        CHECK(tl_import_reads((trilo_bytes){(const uint8_t *)fbx, size}, NULL, &format) == (size >= 18));
        CHECK(size < 18 || strcmp(format.name, "FBX") == 0);
    }
    CHECK(!tl_import_reads((trilo_bytes){(const uint8_t *)"Kaydara FBX Binarx", 18}, NULL, &format));
}

TEST_MAIN(CASE(a_skinned_scene), CASE(fails_when_memory_runs_out), CASE(uniform_scales_of_bones_are_applied),
          CASE(colors_and_textures_of_materials), CASE(materials_of_an_obj_file), CASE(embedded_images),
          CASE(ticks_of_a_directx_file), CASE(units_and_axes_that_a_file_does_not_state),
          CASE(axes_and_units_of_an_fbx_file), CASE(files_that_are_read))
