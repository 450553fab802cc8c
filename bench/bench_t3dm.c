/* bench_t3dm.c: loading the largest T3DM of the corpus, beside Assimp loading the glTF it was made from. */
#include "assimp.h"
#include "buffer.h"
#include "harness.h"

#include <trilobite/load.h>

#include <stdlib.h>

enum { ROUNDS = 100, TASKS = 4 };

typedef struct subject {
    char model[BENCH_PATH], source[BENCH_PATH];
    bench_buffer model_bytes, source_bytes;
} subject;

static bool let_go(const trilo_model *model, const char *name, const trilo_error *err)
{
    trilo_model_free(model);
    return model || bench_fail(name, err->text);
}

static bool run_load_file(void *context)
{
    const subject *s = context;
    trilo_error err = {0};
    return let_go(trilo_model_load_file(s->model, NULL, &err), s->model, &err);
}

static bool run_load(void *context)
{
    const subject *s = context;
    trilo_error err = {0};
    return let_go(trilo_model_load(s->model_bytes.bytes, s->model_bytes.size, NULL, &err), s->model, &err);
}

static bool run_assimp_file(void *context)
{
    const subject *s = context;
    return assimp_load_file(s->source) || bench_fail(s->source, "Assimp cannot load it");
}

static bool run_assimp(void *context)
{
    const subject *s = context;
    return assimp_load(s->source_bytes.bytes, s->source_bytes.size) || bench_fail(s->source, "Assimp cannot load it");
}

static bool find(const char *name, char path[BENCH_PATH], bench_buffer *bytes)
{
    const char *corpus = getenv("TRILOBITE_CORPUS");
    const int length =
        snprintf(path, BENCH_PATH, "%s/t3dm/17_culling/%s", corpus && *corpus ? corpus : "../shared/corpus", name);
    return length > 0 && length < BENCH_PATH && bench_read_file(path, bytes);
}

static void add_rows(bench *b, const subject *s, const bench_task tasks[TASKS], const char *no_assimp)
{
    for (int i = 0; i < 2; i++) {
        bench_row *row = bench_add(b, &tasks[i], (double)s->model_bytes.size, "B");
        if (no_assimp)
            continue;
        row->ratio = tasks[i + 2].seconds / tasks[i].seconds;
        row->ratio_to = "assimp";
        row->target = "5 times as fast, better 10";
    }
    for (int i = 2; i < TASKS; i++) {
        if (no_assimp)
            bench_skip(b, tasks[i].name, no_assimp);
        else
            bench_add(b, &tasks[i], (double)s->source_bytes.size, "B");
    }
}

static bool measure(bench *b, subject *s)
{
    bench_task tasks[TASKS] = {
        {.name = "t3dm-corpus/load-file", .run = run_load_file, .context = s},
        {.name = "t3dm-corpus/load-memory", .run = run_load, .context = s},
        {.name = "t3dm-corpus/assimp-file", .run = run_assimp_file, .context = s},
        {.name = "t3dm-corpus/assimp-memory", .run = run_assimp, .context = s},
    };
    const char *no_assimp = !assimp_there() ? "built without Assimp (libassimp-dev)"
                            : !find("assets/platformer.glb", s->source, &s->source_bytes)
                                ? "no assets/platformer.glb in the corpus"
                                : NULL;
    if (!bench_time(tasks, no_assimp ? 2 : TASKS, ROUNDS))
        return false;
    add_rows(b, s, tasks, no_assimp);
    return true;
}

bool bench_t3dm_corpus(bench *b)
{
    subject s = {.model = ""};
    bool ok = true;
    if (find("filesystem/platformer.t3dm", s.model, &s.model_bytes))
        ok = measure(b, &s);
    else
        bench_skip(b, "t3dm-corpus", "no platformer.t3dm in the corpus (TRILOBITE_CORPUS)");
    bench_buffer_free(&s.model_bytes);
    bench_buffer_free(&s.source_bytes);
    return ok;
}
