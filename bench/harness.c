#define _POSIX_C_SOURCE 200809L
#include "harness.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BENCH_SHORT 0.005 /* seconds */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool run_once(bench_task *task)
{
    const double start = now();
    if (!task->run(task->context))
        return false;
    const double seconds = now() - start;
    if (task->runs == 0 || seconds < task->seconds)
        task->seconds = seconds;
    task->runs++;
    return true;
}

/* A short task is repeated: the first time, it waits for what the task before it has put out of the cache. */
static bool run_round(bench_task *task)
{
    const double end = now() + BENCH_SHORT;
    do
        if (!run_once(task))
            return false;
    while (now() < end);
    return true;
}

bool bench_time(bench_task *tasks, size_t count, unsigned rounds)
{
    for (size_t i = 0; i < count; i++) {
        tasks[i].runs = 0;
        if (!tasks[i].run(tasks[i].context))
            return false;
    }
    for (unsigned round = 0; round < rounds; round++)
        for (size_t i = 0; i < count; i++)
            if (!run_round(&tasks[i]))
                return false;
    return true;
}

static bench_row *next_row(bench *b)
{
    return &b->rows[b->row_count < BENCH_ROWS ? b->row_count++ : BENCH_ROWS - 1];
}

bench_row *bench_add(bench *b, const bench_task *task, double amount, const char *unit)
{
    bench_row *row = next_row(b);
    *row =
        (bench_row){.name = task->name, .runs = task->runs, .seconds = task->seconds, .amount = amount, .unit = unit};
    return row;
}

void bench_add_size(bench *b, const bench_size *size)
{
    if (b->size_count < BENCH_SIZES)
        b->sizes[b->size_count++] = *size;
}

void bench_skip(bench *b, const char *name, const char *why)
{
    *next_row(b) = (bench_row){.name = name, .skipped = why};
}

void bench_path(const bench *b, const char *name, char path[BENCH_PATH])
{
    const size_t folder = strlen(b->folder), length = strlen(name);
    path[0] = '\0';
    if (folder + 1 + length >= BENCH_PATH)
        return;
    memcpy(path, b->folder, folder);
    path[folder] = '/';
    memcpy(path + folder + 1, name, length + 1);
}

bool bench_fail(const char *what, const char *why)
{
    fprintf(stderr, "trilobite-bench: %s: %s\n", what, why);
    return false;
}

static void *count_realloc(void *user, void *old, size_t old_size, size_t new_size)
{
    bench_counter *c = user;
    if (new_size == 0) {
        c->now -= old_size;
        free(old);
        return NULL;
    }
    void *fresh = realloc(old, new_size);
    if (!fresh)
        return NULL;
    c->now = c->now - (old ? old_size : 0) + new_size;
    c->most = c->now > c->most ? c->now : c->most;
    return fresh;
}

trilo_memory bench_counting(bench_counter *counter)
{
    *counter = (bench_counter){0, 0};
    return (trilo_memory){.fn = count_realloc, .user = counter};
}

/* Linux has it in /proc: a line "RssAnon: 123 kB". */
long bench_anon_bytes(void)
{
    static const char label[] = "RssAnon:";
    FILE *status = fopen("/proc/self/status", "r");
    long bytes = -1;
    char line[128];
    while (status && fgets(line, sizeof line, status))
        if (!strncmp(line, label, sizeof label - 1))
            bytes = 1024 * strtol(line + sizeof label - 1, NULL, 10);
    if (status)
        fclose(status);
    return bytes;
}
