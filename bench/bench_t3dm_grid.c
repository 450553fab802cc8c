/* bench_t3dm_grid.c: a big T3DM opened and checked beside memcpy, where caches hold it and where they do not, decoded
 * beside Assimp, which reads it as glTF, and encoded. */
#include "assimp.h"
#include "buffer.h"
#include "grid_model.h"
#include "harness.h"

#include <trilobite/document.h>

#include <stdlib.h>
#include <string.h>

/* COPIES of the file and as many targets are more than caches hold. */
enum { CHECK_ROUNDS = 30, MODEL_ROUNDS = 5, COPIES = 12 };

typedef struct subject {
    const trilo_model *model;
    bench_buffer file, gltf;
    uint8_t *copy;
    uint8_t *copies[COPIES], *targets[COPIES];
    uint32_t copied, checked; /* how often one of the copies was */
    size_t encoded;           /* how much writing it again made */
} subject;

static bool count(void *user, const void *bytes, size_t size)
{
    (void)bytes;
    *(size_t *)user += size;
    return true;
}

static bool write(const subject *s, trilo_format format, trilo_write_fn *sink, void *user)
{
    const trilo_write_opts opts = {.format = format};
    trilo_error err = {0};
    return trilo_model_write(s->model, &opts, sink, user, &err) || bench_fail("t3dm-grid", err.text);
}

static bool prepare(subject *s)
{
    s->model = grid_model_new();
    if (!s->model)
        return bench_fail("t3dm-grid", "no memory");
    if (!write(s, TRILO_FORMAT_T3DM, bench_keep, &s->file) ||
        (assimp_there() && !write(s, TRILO_FORMAT_GLTF, bench_keep, &s->gltf)))
        return false;
    s->copy = malloc(s->file.size);
    if (!s->copy)
        return bench_fail("t3dm-grid", "no memory");
    memset(s->copy, 1, s->file.size); /* so that memcpy finds its pages there */
    for (int i = 0; i < COPIES; i++) {
        s->copies[i] = malloc(s->file.size);
        s->targets[i] = malloc(s->file.size);
        if (!s->copies[i] || !s->targets[i])
            return bench_fail("t3dm-grid", "no memory");
        memcpy(s->copies[i], s->file.bytes, s->file.size);
        memset(s->targets[i], 1, s->file.size);
    }
    return true;
}

static bool run_memcpy(void *context)
{
    subject *s = context;
    memcpy(s->copy, s->file.bytes, s->file.size);
    return s->copy[s->file.size - 1] == s->file.bytes[s->file.size - 1];
}

static bool run_memcpy_cold(void *context)
{
    subject *s = context;
    const uint32_t i = s->copied++ % COPIES;
    memcpy(s->targets[i], s->copies[i], s->file.size);
    return s->targets[i][s->file.size - 1] == s->copies[i][s->file.size - 1];
}

static bool check(const subject *s, const uint8_t *bytes)
{
    trilo_error err = {0};
    trilo_document *document = trilo_document_open(bytes, s->file.size, NULL, &err);
    if (!document)
        return bench_fail("t3dm-grid/check", err.text);
    const trilo_tally tally = trilo_document_check(document, NULL, NULL);
    trilo_document_free(document);
    return tally.errors + tally.crashes == 0 || bench_fail("t3dm-grid/check", "it finds errors");
}

static bool run_check(void *context)
{
    const subject *s = context;
    return check(s, s->file.bytes);
}

static bool run_check_cold(void *context)
{
    subject *s = context;
    return check(s, s->copies[s->checked++ % COPIES]);
}

static bool run_load(void *context)
{
    const subject *s = context;
    trilo_error err = {0};
    const trilo_model *model = trilo_model_load(s->file.bytes, s->file.size, NULL, &err);
    trilo_model_free(model);
    return model || bench_fail("t3dm-grid/load", err.text);
}

static bool run_assimp(void *context)
{
    const subject *s = context;
    return assimp_load(s->gltf.bytes, s->gltf.size) || bench_fail("t3dm-grid/assimp", "Assimp cannot load it");
}

static bool run_encode(void *context)
{
    subject *s = context;
    s->encoded = 0;
    return write(s, TRILO_FORMAT_T3DM, count, &s->encoded) &&
           (s->encoded == s->file.size || bench_fail("t3dm-grid/encode", "the size is not that of the first time"));
}

static double triangles_of(const trilo_model *model)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < model->mesh_count; i++)
        sum += model->meshes[i].index_count / 3;
    return sum;
}

static bool measure(bench *b, subject *s)
{
    bench_task checks[4] = {
        {.name = "t3dm-grid/memcpy", .run = run_memcpy, .context = s},
        {.name = "t3dm-grid/check", .run = run_check, .context = s},
        {.name = "t3dm-grid/memcpy-cold", .run = run_memcpy_cold, .context = s},
        {.name = "t3dm-grid/check-cold", .run = run_check_cold, .context = s},
    };
    bench_task model[3] = {
        {.name = "t3dm-grid/load", .run = run_load, .context = s},
        {.name = "t3dm-grid/encode", .run = run_encode, .context = s},
        {.name = "t3dm-grid/assimp", .run = run_assimp, .context = s},
    };
    if (!bench_time(checks, 4, CHECK_ROUNDS) || !bench_time(model, assimp_there() ? 3 : 2, MODEL_ROUNDS))
        return false;
    for (int i = 0; i < 4; i += 2) {
        bench_add(b, &checks[i], (double)s->file.size, "B");
        bench_row *row = bench_add(b, &checks[i + 1], (double)s->file.size, "B");
        row->ratio = checks[i].seconds / checks[i + 1].seconds;
        row->ratio_to = "memcpy";
        row->target = "0.6 of memcpy";
    }
    const double triangles = triangles_of(s->model);
    bench_row *row = bench_add(b, &model[0], triangles, "triangles");
    bench_add(b, &model[1], triangles, "triangles");
    if (assimp_there()) {
        row->ratio = model[2].seconds / model[0].seconds;
        row->ratio_to = "assimp";
        row->target = "4 times as fast";
        bench_add(b, &model[2], triangles, "triangles");
    } else {
        bench_skip(b, model[2].name, "built without Assimp (libassimp-dev)");
    }
    return true;
}

bool bench_t3dm_grid(bench *b)
{
    subject s = {.model = NULL};
    const bool ok = prepare(&s) && measure(b, &s);
    grid_model_free(s.model);
    bench_buffer_free(&s.file);
    bench_buffer_free(&s.gltf);
    free(s.copy);
    for (int i = 0; i < COPIES; i++) {
        free(s.copies[i]);
        free(s.targets[i]);
    }
    return ok;
}
