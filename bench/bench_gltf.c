/* bench_gltf.c: glTF to T3DM, over the corpus and over meshes that grow. */
#define _XOPEN_SOURCE 700
#include "buffer.h"
#include "harness.h"
#include "sheet.h"

#include <trilobite/load.h>
#include <trilobite/write.h>

#include <glob.h>
#include <stdlib.h>

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

static bool to_t3dm(const trilo_model *model, float scale, const char *name)
{
    size_t written = 0;
    trilo_error err = {0};
    const trilo_write_opts opts = {.format = TRILO_FORMAT_T3DM,
                                   .name = "out.t3dm",
                                   .companion = drop_companion,
                                   .companion_user = &written,
                                   .t3dm = &(trilo_t3dm_write_opts){.scale = scale}};
    return trilo_model_write(model, &opts, drop, &written, &err) || bench_fail(name, err.text);
}

/* ---- all of the corpus ---- */

static bool run_corpus(void *context)
{
    const glob_t *files = context;
    for (size_t i = 0; i < files->gl_pathc; i++) {
        trilo_error err = {0};
        const trilo_model *model = trilo_model_load_file(files->gl_pathv[i], NULL, &err);
        if (!model)
            return bench_fail(files->gl_pathv[i], err.text);
        const bool ok = to_t3dm(model, 1, files->gl_pathv[i]);
        trilo_model_free(model);
        if (!ok)
            return false;
    }
    return true;
}

bool bench_gltf_corpus(bench *b)
{
    const char *corpus = getenv("TRILOBITE_CORPUS");
    char pattern[BENCH_PATH];
    glob_t files;
    snprintf(pattern, sizeof pattern, "%s/t3dm/*/assets/*.glb", corpus && *corpus ? corpus : "../shared/corpus");
    if (glob(pattern, 0, NULL, &files) != 0) {
        bench_skip(b, "gltf-corpus", "no t3dm/*/assets/*.glb in the corpus (TRILOBITE_CORPUS)");
        return true;
    }
    bench_task task = {.name = "gltf-corpus/to-t3dm", .run = run_corpus, .context = &files};
    const bool ok = bench_time(&task, 1, 5);
    if (ok)
        bench_add(b, &task, (double)files.gl_pathc, "files");
    globfree(&files);
    return ok;
}

/* ---- growth ---- */

static bool run_growth(void *context)
{
    const bench_buffer *glb = context;
    trilo_error err = {0};
    const trilo_model *model = trilo_model_load(glb->bytes, glb->size, NULL, &err);
    const bool ok = model ? to_t3dm(model, 64, "gltf-growth") : bench_fail("gltf-growth", err.text);
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
