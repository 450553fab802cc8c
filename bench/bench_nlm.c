/* bench_nlm.c: opening and fully checking a big NLM file, beside memcpy of the same bytes. */
#include "big_model.h"
#include "buffer.h"
#include "harness.h"

#include <trilobite/nlm.h>

#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 12 };

typedef struct subject {
    char path[BENCH_PATH];
    bench_buffer file;
    uint8_t *copy; /* as much again */
    bool borrowed; /* no array of the file needs a copy to be looked at */
    bench_counter counter;
    trilo_load_opts opts;
    long anon;
} subject;

static bool run_memcpy(void *context)
{
    subject *s = context;
    memcpy(s->copy, s->file.bytes, s->file.size);
    return s->copy[s->file.size - 1] == s->file.bytes[s->file.size - 1];
}

static bool views_need_no_copy(const trilo_document *document)
{
    for (uint32_t i = 0; i < trilo_nlm_mesh_count(document); i++)
        if (trilo_nlm_view_room(document, i) > 0)
            return false;
    return true;
}

/* The whole way: the structure, then every value. The memory is read off while the document is open. */
static bool check_and_close(subject *s, trilo_document *document, const trilo_error *err, long anon_before)
{
    if (!document)
        return bench_fail(s->path, err->text);
    const trilo_tally tally = trilo_document_check(document, NULL, NULL);
    if (anon_before >= 0)
        s->anon = bench_anon_bytes() - anon_before;
    s->borrowed = views_need_no_copy(document);
    trilo_document_free(document);
    return tally.errors + tally.crashes == 0 || bench_fail(s->path, "the check finds errors");
}

static bool run_open_file(void *context)
{
    subject *s = context;
    trilo_error err = {0};
    return check_and_close(s, trilo_document_open_file(s->path, &s->opts, &err), &err, -1);
}

static bool run_open_memory(void *context)
{
    subject *s = context;
    trilo_error err = {0};
    return check_and_close(s, trilo_document_open(s->file.bytes, s->file.size, &s->opts, &err), &err, -1);
}

/* Once more outside the clock, with the allocator's hook and the system counting. */
static bool measure_memory(subject *s, bool file)
{
    trilo_error err = {0};
    trilo_load_opts opts = s->opts;
    opts.memory = bench_counting(&s->counter);
    const long before = bench_anon_bytes();
    s->anon = -1;
    trilo_document *document = file ? trilo_document_open_file(s->path, &opts, &err)
                                    : trilo_document_open(s->file.bytes, s->file.size, &opts, &err);
    return check_and_close(s, document, &err, before);
}

static bool read_back(subject *s)
{
    if (!bench_read_file(s->path, &s->file))
        return bench_fail(s->path, "cannot be read into memory");
    s->copy = malloc(s->file.size + 1);
    if (!s->copy)
        return bench_fail(s->path, "no memory");
    memset(s->copy, 1, s->file.size); /* so that memcpy finds its pages there */
    return true;
}

static bool make_file(const bench *b, const char *name, bool skinned, subject *s)
{
    trilo_error err = {0};
    const trilo_model *model = big_model_new(skinned);
    bench_path(b, name, s->path);
    const bool ok = model && trilo_model_write_file(model, s->path, NULL, &err);
    big_model_free(model);
    return ok ? read_back(s) : bench_fail(name, model ? err.text : "no memory");
}

static bool add_row(bench *b, subject *s, const bench_task *task, const bench_task *baseline, bool file)
{
    if (!measure_memory(s, file))
        return false;
    bench_row *row = bench_add(b, task, (double)s->file.size, "B");
    row->ratio = baseline->seconds / task->seconds;
    row->ratio_to = "memcpy";
    row->memory_known = true;
    row->memory_hook = s->counter.most;
    row->memory_anon = s->anon;
    row->target = s->borrowed ? "ratio >= 0.5, memory < 1 MB, no copies: none made" : "ratio >= 0.5, memory < 1 MB";
    return true;
}

static bool measure(bench *b, subject *s, const char *const names[3])
{
    bench_task tasks[3] = {
        {.name = names[0], .run = run_memcpy, .context = s},
        {.name = names[1], .run = run_open_file, .context = s},
        {.name = names[2], .run = run_open_memory, .context = s},
    };
    if (!bench_time(tasks, 3, ROUNDS))
        return false;
    bench_add(b, &tasks[0], (double)s->file.size, "B");
    return add_row(b, s, &tasks[1], &tasks[0], true) && add_row(b, s, &tasks[2], &tasks[0], false);
}

static bool bench_nlm(bench *b, bool skinned, const char *const names[3])
{
    const char *name = skinned ? "skinned.nlm" : "static.nlm";
    subject s = {.copy = NULL};
    const bool ok = make_file(b, name, skinned, &s) && measure(b, &s, names);
    bench_buffer_free(&s.file);
    free(s.copy);
    remove(s.path);
    return ok;
}

bool bench_nlm_static(bench *b)
{
    static const char *const names[3] = {"nlm-static/memcpy", "nlm-static/open-file", "nlm-static/open-memory"};
    return bench_nlm(b, false, names);
}

bool bench_nlm_skinned(bench *b)
{
    static const char *const names[3] = {"nlm-skinned/memcpy", "nlm-skinned/open-file", "nlm-skinned/open-memory"};
    return bench_nlm(b, true, names);
}
