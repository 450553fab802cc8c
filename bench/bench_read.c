/* bench_read.c: reading every glTF file of the corpus, beside Assimp and tinygltf: a line for each file, and a row for
 * the slowest ones. */
#define _XOPEN_SOURCE 700
#include "assimp.h"
#include "harness.h"
#include "tinygltf.h"

#include <trilobite/load.h>

#include <glob.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 5, READERS = 3 };

static bool read_ours(void *context)
{
    trilo_error err = {0};
    const trilo_model *model = trilo_model_load_file(context, NULL, &err);
    trilo_model_free(model);
    return model != NULL;
}

static bool read_assimp(void *context)
{
    return assimp_load_file(context);
}

static bool read_tinygltf(void *context)
{
    return tinygltf_load_file(context);
}

/* The reader that is compared with, over all files. */
typedef struct rival {
    const char *name, *row, *missing;
    bool there;
    uint32_t slower, files;
    double worst;
    double ours, theirs; /* seconds for all files that both read */
} rival;

/* A file that a reader refuses is not compared with it. */
static void measure_file(bench *b, char *path, rival rivals[READERS - 1])
{
    bench_fn *const readers[READERS] = {read_ours, read_assimp, read_tinygltf};
    bench_task tasks[READERS];
    bool reads[READERS];
    for (int i = 0; i < READERS; i++) {
        tasks[i] = (bench_task){.name = path, .run = readers[i], .context = path};
        reads[i] = (i == 0 || rivals[i - 1].there) && bench_time(&tasks[i], 1, ROUNDS);
    }
    fprintf(b->live, "%-60s", strlen(path) > 60 ? path + strlen(path) - 60 : path);
    if (!reads[0]) {
        fprintf(b->live, " refused\n");
        return;
    }
    fprintf(b->live, " %9.3f ms", 1e3 * tasks[0].seconds);
    for (int i = 1; i < READERS; i++) {
        rival *r = &rivals[i - 1];
        const double ratio = reads[i] ? tasks[i].seconds / tasks[0].seconds : 0;
        if (!reads[i]) {
            fprintf(b->live, "  %s: %s", r->name, r->there ? "refused" : "not installed");
            continue;
        }
        fprintf(b->live, "  %s: %.2f", r->name, ratio);
        r->worst = r->files == 0 || ratio < r->worst ? ratio : r->worst;
        r->slower += ratio < 1 ? 1 : 0;
        r->files++;
        r->ours += tasks[0].seconds;
        r->theirs += tasks[i].seconds;
    }
    fputc('\n', b->live);
}

bool bench_gltf_read(bench *b)
{
    static const char *const patterns[] = {"t3dm/*/assets/*.glb", "gltf/*.glb",      "gltf/*/*.gltf",
                                           "gltf/*/*.glb",        "gltf/*/*/*.gltf", "gltf/*/*/*.glb"};
    const char *corpus = getenv("TRILOBITE_CORPUS");
    rival rivals[READERS - 1] = {{.name = "assimp",
                                  .row = "gltf-read/assimp",
                                  .missing = "not installed (libassimp-dev)",
                                  .there = assimp_there()},
                                 {.name = "tinygltf",
                                  .row = "gltf-read/tinygltf",
                                  .missing = "not installed (libtinygltf-dev)",
                                  .there = tinygltf_there()}};
    for (size_t p = 0; p < sizeof patterns / sizeof *patterns; p++) {
        char pattern[BENCH_PATH];
        glob_t files;
        snprintf(pattern, sizeof pattern, "%s/%s", corpus && *corpus ? corpus : "../shared/corpus", patterns[p]);
        if (glob(pattern, 0, NULL, &files) != 0)
            continue;
        for (size_t i = 0; i < files.gl_pathc; i++)
            measure_file(b, files.gl_pathv[i], rivals);
        globfree(&files);
    }
    for (int i = 0; i < READERS - 1; i++) {
        const rival *r = &rivals[i];
        if (!r->there || r->files == 0) {
            bench_skip(b, r->row, r->there ? "no glTF files in the corpus (TRILOBITE_CORPUS)" : r->missing);
            continue;
        }
        fprintf(b->live, "%s: %u files, slower than it with %u, worst ratio %.2f\n", r->name, (unsigned)r->files,
                (unsigned)r->slower, r->worst);
        const bench_task task = {.name = r->row, .runs = ROUNDS, .seconds = r->ours};
        bench_row *row = bench_add(b, &task, r->files, "files");
        row->ratio = r->theirs / r->ours;
        row->ratio_to = r->name;
        row->target = "faster with every file";
    }
    return true;
}
