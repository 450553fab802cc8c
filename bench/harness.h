/* harness.h: times tasks and collects the results.
 *
 * A number is the best of several runs, in CPU time of the process: what the machine can do when nothing else runs.
 * Tasks that are compared with each other take turns, so that other load affects them equally. No result is rated:
 * targets are printed beside the results.
 */
#ifndef BENCH_HARNESS_H
#define BENCH_HARNESS_H

#include <trilobite/memory.h>

#include <stdio.h>

enum { BENCH_ROWS = 128, BENCH_SIZES = 128, BENCH_PATH = 512 };

/* One line of the result. Zero and NULL: does not apply. */
typedef struct bench_row {
    const char *name; /* subject/task */
    unsigned runs;
    double seconds;   /* the best run */
    double amount;    /* of `unit` in one run */
    const char *unit; /* "B", "bones" */
    double ratio;     /* how many times as fast as `ratio_to` in the same run */
    const char *ratio_to;
    bool memory_known;  /* the two below were measured */
    size_t memory_hook; /* peak of allocated bytes */
    long memory_anon;   /* growth of the process's anonymous memory in bytes; -1: unknown on this system */
    const char *target;
    const char *skipped; /* why nothing was measured; then only the name counts */
} bench_row;

/* Something that was counted, not timed, beside the same of another program. */
typedef struct bench_size {
    const char *name; /* subject/model */
    const char *what; /* "bytes of lists" */
    double ours, theirs;
    const char *target;
} bench_size;

typedef struct bench {
    const char *program; /* argv[0]: its neighbours are used as inputs */
    const char
        *corpus; /* --corpus: `assets` and `filesystem` are in it, or in folders of it; NULL: Tiny3D's examples */
    char folder[BENCH_PATH]; /* temporary, removed at the end */
    bench_row rows[BENCH_ROWS];
    size_t row_count;
    bench_size sizes[BENCH_SIZES];
    size_t size_count;
    FILE *live; /* for tables with a line of their own for every model, printed as they come */
    bool failed;
} bench;

/* False: it failed, with the reason on stderr. */
typedef bool bench_fn(void *context);

typedef struct bench_task {
    const char *name;
    bench_fn *run;
    void *context;
    unsigned runs;  /* filled in */
    double seconds; /* filled in: the best */
} bench_task;

/* Runs each task once to warm up and then `rounds` times, in turns. */
bool bench_time(bench_task *tasks, size_t count, unsigned rounds);

/* A row for a timed task, to be completed by the caller. */
bench_row *bench_add(bench *b, const bench_task *task, double amount, const char *unit);

void bench_add_size(bench *b, const bench_size *size);

/* A row for what cannot be measured here. */
void bench_skip(bench *b, const char *name, const char *why);

/* The path of a file in the temporary folder; it must not be longer than BENCH_PATH allows. */
void bench_path(const bench *b, const char *name, char path[BENCH_PATH]);

/* Prints a message on stderr; always returns false. */
bool bench_fail(const char *what, const char *why);

/* An allocator that counts. */
typedef struct bench_counter {
    size_t now, most;
} bench_counter;
trilo_memory bench_counting(bench_counter *counter);
long bench_anon_bytes(void); /* anonymous memory of this process, -1: unknown */

void bench_print_table(const bench *b, FILE *out);
void bench_print_json(const bench *b, FILE *out);

/* The subjects; each adds its rows, and returns false when it could not be measured. */
bool bench_nlm_static(bench *b);
bool bench_nlm_skinned(bench *b);
bool bench_model(bench *b);
bool bench_t3dm_corpus(bench *b);
bool bench_t3dm_grid(bench *b);
bool bench_model64_game(bench *b);
bool bench_model64_growth(bench *b);
bool bench_gltf_corpus(bench *b);
bool bench_gltf_read(bench *b);
bool bench_gltf_growth(bench *b);
bool bench_gltf_objects(bench *b);
bool bench_optimize_corpus(bench *b);
bool bench_optimize_growth(bench *b);
bool bench_query_culling(bench *b);
bool bench_query_million(bench *b);
bool bench_keys_corpus(bench *b);
bool bench_keys_growth(bench *b);
bool bench_helper_bones(bench *b);
bool bench_pose(bench *b);
bool bench_player(bench *b);
bool bench_render_mascot(bench *b);
bool bench_render_level(bench *b);
bool bench_sprites(bench *b);

#endif
