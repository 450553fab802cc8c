/* bench_gltf.c: glTF to T3DM, over the corpus, over meshes that grow, and over many objects. */
#define _XOPEN_SOURCE 700
#include "buffer.h"
#include "harness.h"
#include "sheet.h"
#include "twins.h"

#include <trilobite/write.h>

#include <stdlib.h>
#include <string.h>

static bool drop(void *user, const void *bytes, size_t size)
{
    (void)bytes;
    *(size_t *)user += size;
    return true;
}

static bool drop_companion(void *user, const char *name, trilo_bytes bytes)
{
    (void)name;
    *(size_t *)user += bytes.size;
    return true;
}

static bool to_t3dm(const trilo_model *model, float scale, trilo_error *err)
{
    size_t written = 0;
    const trilo_write_opts opts = {.format = TRILO_FORMAT_T3DM,
                                   .name = "out.t3dm",
                                   .companion = drop_companion,
                                   .companion_user = &written,
                                   .t3dm = &(trilo_t3dm_write_opts){.scale = scale}};
    return trilo_model_write(model, &opts, drop, &written, err);
}

/* ---- all of the corpus ---- */

static bool convert_file(const char *path, trilo_error *err)
{
    const trilo_model *model = trilo_model_load_file(path, NULL, err);
    const bool ok = model && to_t3dm(model, 1, err);
    trilo_model_free(model);
    return ok;
}

static bool run_corpus(void *context)
{
    const bench_twins *all = context;
    for (size_t i = 0; i < all->count; i++) {
        trilo_error err = {0};
        if (!convert_file(all->rows[i].source, &err))
            return bench_fail(all->rows[i].source, err.text);
    }
    return true;
}

/* Those that are refused become rows, and the others are timed. */
static void drop_refused(bench *b, bench_twins *all)
{
    size_t kept = 0;
    for (size_t i = 0; i < all->count; i++) {
        trilo_error err = {0};
        if (convert_file(all->rows[i].source, &err))
            all->rows[kept++] = all->rows[i];
        else
            bench_twin_refused(b, &all->rows[i], err.text);
    }
    all->count = kept;
}

bool bench_gltf_corpus(bench *b)
{
    bench_twins all;
    bench_task task = {.name = "gltf-corpus/to-t3dm", .run = run_corpus, .context = &all};
    bool ok = true;
    if (!bench_twins_find(b, &all))
        bench_skip(b, "gltf-corpus", "no t3dm/*/assets/*.glb in the corpus (TRILOBITE_CORPUS, --corpus)");
    drop_refused(b, &all);
    if (all.count > 0)
        ok = bench_time(&task, 1, 5);
    if (all.count > 0 && ok)
        bench_add(b, &task, (double)all.count, "files");
    bench_twins_free(&all);
    return ok;
}

/* ---- growth ---- */

static bool run_growth(void *context)
{
    const bench_buffer *glb = context;
    trilo_error err = {0};
    const trilo_model *model = trilo_model_load(glb->bytes, glb->size, NULL, &err);
    const bool ok = (model && to_t3dm(model, 64, &err)) || bench_fail("gltf-growth", err.text);
    trilo_model_free(model);
    return ok;
}

static bool make_glb(uint32_t side, bench_buffer *glb)
{
    const trilo_write_opts opts = {.format = TRILO_FORMAT_GLTF, .name = "sheet.glb"};
    bench_sheet s = {0};
    trilo_error err = {0};
    const bool ok = bench_sheet_make(&s, side) &&
                    (trilo_model_write(&s.model, &opts, bench_keep, glb, &err) || bench_fail("gltf-growth", err.text));
    bench_sheet_free(&s);
    return ok;
}

bool bench_gltf_growth(bench *b)
{
    static const struct {
        const char *name;
        uint32_t side;
    } sizes[] = {{"gltf-growth/10k", 72}, {"gltf-growth/30k", 124}, {"gltf-growth/100k", 225}};
    bool ok = true;
    for (size_t i = 0; ok && i < sizeof sizes / sizeof *sizes; i++) {
        bench_buffer glb = {0};
        bench_task task = {.name = sizes[i].name, .run = run_growth, .context = &glb};
        ok = make_glb(sizes[i].side, &glb) && bench_time(&task, 1, 3);
        if (ok)
            bench_add(b, &task, 2.0 * (sizes[i].side - 1) * (sizes[i].side - 1), "triangles");
        bench_buffer_free(&glb);
    }
    return ok;
}

/* ---- many objects ---- */

enum { OBJECTS = 300, OBJECT_WIDTH = 5, OBJECT_HEIGHT = 6, OBJECT_VERTICES = OBJECT_WIDTH * OBJECT_HEIGHT };
enum { OBJECT_INDICES = 6 * (OBJECT_WIDTH - 1) * (OBJECT_HEIGHT - 1) };

/* A static scene: small bent sheets with vertex colours, each at a node of its own. */
typedef struct object_scene {
    trilo_model model;
    trilo_mesh meshes[OBJECTS];
    trilo_node nodes[OBJECTS];
    trilo_material material;
    char names[OBJECTS][16];
    float positions[OBJECTS][OBJECT_VERTICES][3], colors[OBJECTS][OBJECT_VERTICES][4];
    uint32_t indices[OBJECT_INDICES];
} object_scene;

static void fill_object(object_scene *s, uint32_t number)
{
    for (uint32_t v = 0; v < OBJECT_VERTICES; v++) {
        const float x = (float)(v % OBJECT_WIDTH), y = (float)(v / OBJECT_WIDTH), n = (float)number;
        const float position[3] = {x, y, (x - 2) * (y - 3) * (0.1f + 0.01f * n)};
        const float color[4] = {x / OBJECT_WIDTH, y / OBJECT_HEIGHT, n / OBJECTS, 1};
        memcpy(s->positions[number][v], position, sizeof position);
        memcpy(s->colors[number][v], color, sizeof color);
    }
    const trilo_vec3 at = {(float)(number % 20) * 8, 0, (float)(number / 20) * 8};
    snprintf(s->names[number], sizeof s->names[number], "object %u", (unsigned)number);
    s->nodes[number] = (trilo_node){.name = {s->names[number], strlen(s->names[number])},
                                    .parent = TRILO_NONE,
                                    .translation = at,
                                    .rotation = {0, 0, 0, 1},
                                    .scale = {1, 1, 1},
                                    .local = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, at.x, at.y, at.z, 1}}};
    s->meshes[number] = (trilo_mesh){.name = s->nodes[number].name,
                                     .topology = TRILO_TOPOLOGY_TRIANGLES,
                                     .node = number,
                                     .skin = TRILO_NONE,
                                     .vertex_count = OBJECT_VERTICES,
                                     .index_count = OBJECT_INDICES,
                                     .positions = (const float(*)[3])s->positions[number],
                                     .colors = (const float(*)[4])s->colors[number],
                                     .indices = s->indices};
}

static bool make_objects(bench_buffer *glb)
{
    const trilo_write_opts opts = {.format = TRILO_FORMAT_GLTF, .name = "objects.glb"};
    trilo_error err = {0};
    object_scene *s = calloc(1, sizeof *s);
    if (!s)
        return bench_fail("gltf-objects", "no memory");
    uint32_t *index = s->indices;
    for (uint32_t y = 0; y + 1 < OBJECT_HEIGHT; y++)
        for (uint32_t x = 0; x + 1 < OBJECT_WIDTH; x++, index += 6) {
            const uint32_t v = y * OBJECT_WIDTH + x, below = v + OBJECT_WIDTH;
            memcpy(index, (uint32_t[6]){v, v + 1, below, v + 1, below + 1, below}, 6 * sizeof *index);
        }
    for (uint32_t i = 0; i < OBJECTS; i++)
        fill_object(s, i);
    s->material = (trilo_material){.name = {"plain", 5}, .base_color = {1, 1, 1, 1}, .texture = TRILO_NONE};
    s->model = (trilo_model){.mesh_count = OBJECTS,
                             .meshes = s->meshes,
                             .node_count = OBJECTS,
                             .nodes = s->nodes,
                             .material_count = 1,
                             .materials = &s->material};
    const bool ok = trilo_model_write(&s->model, &opts, bench_keep, glb, &err) || bench_fail("gltf-objects", err.text);
    free(s);
    return ok;
}

bool bench_gltf_objects(bench *b)
{
    bench_buffer glb = {0};
    bench_task task = {.name = "gltf-objects/300", .run = run_growth, .context = &glb};
    const bool ok = make_objects(&glb) && bench_time(&task, 1, 5);
    if (ok)
        bench_add(b, &task, OBJECTS * OBJECT_INDICES / 3, "triangles");
    bench_buffer_free(&glb);
    return ok;
}
