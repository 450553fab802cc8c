/* bench_model.c: a big NLM file to the neutral model and back. */
#include "big_model.h"
#include "buffer.h"
#include "harness.h"

#include <trilobite/load.h>
#include <trilobite/write.h>

enum { ROUNDS = 3 };

typedef struct subject {
    bench_buffer file;
    size_t encoded; /* how much writing it again made */
    const trilo_model *model;
} subject;

static bool count(void *user, const void *bytes, size_t size)
{
    (void)bytes;
    ((subject *)user)->encoded += size;
    return true;
}

static bool make_bytes(subject *s)
{
    const trilo_write_opts opts = {.format = TRILO_FORMAT_NLM};
    trilo_error err = {0};
    const trilo_model *model = big_model_new(true);
    const bool ok = model && trilo_model_write(model, &opts, bench_keep, &s->file, &err);
    big_model_free(model);
    return ok || bench_fail("nlm-model", model ? err.text : "no memory");
}

static bool run_load(void *context)
{
    subject *s = context;
    trilo_error err = {0};
    trilo_model_free(s->model);
    s->model = trilo_model_load(s->file.bytes, s->file.size, NULL, &err);
    return s->model || bench_fail("nlm-model/load", err.text);
}

static bool run_encode(void *context)
{
    subject *s = context;
    const trilo_write_opts opts = {.format = TRILO_FORMAT_NLM};
    trilo_error err = {0};
    s->encoded = 0;
    if (!trilo_model_write(s->model, &opts, count, s, &err))
        return bench_fail("nlm-model/encode", err.text);
    return s->encoded == s->file.size || bench_fail("nlm-model/encode", "the size is not that of the original");
}

bool bench_model(bench *b)
{
    subject s = {.model = NULL};
    bench_task tasks[2] = {
        {.name = "nlm-model/load", .run = run_load, .context = &s},
        {.name = "nlm-model/encode", .run = run_encode, .context = &s},
    };
    const bool ok = make_bytes(&s) && bench_time(tasks, 2, ROUNDS);
    for (size_t i = 0; ok && i < 2; i++)
        bench_add(b, &tasks[i], (double)s.file.size, "B");
    trilo_model_free(s.model);
    bench_buffer_free(&s.file);
    return ok;
}
