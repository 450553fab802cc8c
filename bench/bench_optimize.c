/* bench_optimize.c: what drawing a T3DM costs at each level of packing, beside Tiny3D's own converter, and how long the
 * packing takes.
 *
 * TRILOBITE_BENCH_MODELS=teapot,cath keeps to models with one of these in their names, TRILOBITE_BENCH_LEVELS=O1,O3r to
 * some of the levels. Seconds are those of the processor: other programs do not count.
 */
#define _XOPEN_SOURCE 700
#include "sheet.h"
#include "t3dm_work.h"
#include "twins.h"

#include <trilobite/write.h>

#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct level {
    const char *name, *row;      /* in the table, and of the totals */
    const char *target, *cycles; /* targets of the bytes, and of the cycles with overlays */
    trilo_t3dm_write_opts opts;
} level;

/* As the drop-in for Tiny3D's converter: without meshes that have no material. */
#define LEVEL(number) .no_material = TRILO_T3DM_NO_MATERIAL_SKIP, .level = (number)

static const level levels[] = {
    {"O1", "optimize/-O1", "0.915", "0.955, jam 0.915", {LEVEL(1)}},
    {"O1l", "optimize/-O1-by-layer", NULL, "0.933, jam 0.905", {LEVEL(1), .order = TRILO_T3DM_ORDER_LAYER}},
    {"O2", "optimize/-O2", NULL, NULL, {LEVEL(2)}},
    {"O3", "optimize/-O3", "0.900", NULL, {LEVEL(3)}},
    {"O3r", "optimize/-O3-resident", "0.885", NULL, {LEVEL(3), .resident = true}},
    {"O3s", "optimize/-O3-resident-repeats", "0.885", NULL, {LEVEL(3), .resident = true, .share_repeats = true}},
    {"O3d", "optimize/-O3-drop", "0.825", NULL, {LEVEL(3), .drop_unused = true}},
    {"O3b", "optimize/-O3-both", NULL, NULL, {LEVEL(3), .resident = true, .drop_unused = true}},
};
enum { LEVELS = sizeof levels / sizeof levels[0] };

typedef struct result {
    t3dm_work work;
    double seconds;
} result;

/* What a model may be worse in than with Tiny3D's converter. */
typedef enum worse_by { WORSE_BYTES, WORSE_CYCLES, WORSE_CHANGES, WORSE_COUNT } worse_by;

static const struct {
    const char *mark, *row;
} worse[] = {{"BYTES", "models with more bytes"},
             {"CYCLES", "models with more cycles"},
             {"CHANGES", "models with more changes"}};

static bool is_worse(const t3dm_work *ours, const t3dm_work *theirs, worse_by by)
{
    return by == WORSE_BYTES    ? ours->bytes > theirs->bytes
           : by == WORSE_CYCLES ? ours->cycles > theirs->cycles
                                : ours->changes > theirs->changes;
}

typedef struct totals {
    uint32_t models, refused;
    t3dm_work ours[LEVELS], theirs, skinned_ours[LEVELS], skinned_theirs;
    double worse[LEVELS][WORSE_COUNT], seconds[LEVELS], most[LEVELS];
} totals;

/* A list as "a,b"; an empty list means all. */
static bool wanted(const char *variable, const char *name, bool whole)
{
    const char *list = getenv(variable);
    if (!list || !*list)
        return true;
    while (*list) {
        const size_t length = strcspn(list, ",");
        char item[64];
        snprintf(item, sizeof item, "%.*s", (int)length, list);
        if (length > 0 && (whole ? !strcmp(name, item) : strstr(name, item) != NULL))
            return true;
        list += length + (list[length] == ',');
    }
    return false;
}

static bool level_wanted(int l)
{
    return wanted("TRILOBITE_BENCH_LEVELS", levels[l].name, true);
}

static double processor_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool drop_companion(void *user, const char *name, trilo_bytes bytes)
{
    (void)user, (void)name, (void)bytes;
    return true;
}

static bool encode(const trilo_model *model, const trilo_t3dm_write_opts *t3dm, bench_buffer *out, trilo_error *err)
{
    const trilo_write_opts opts = {
        .format = TRILO_FORMAT_T3DM, .name = "out.t3dm", .companion = drop_companion, .t3dm = t3dm};
    return trilo_model_write(model, &opts, bench_keep, out, err);
}

static bool run_level(const trilo_model *model, const level *l, result *r, trilo_error *err)
{
    bench_buffer out = {0};
    const double start = processor_seconds();
    bool ok = encode(model, &l->opts, &out, err);
    r->seconds = processor_seconds() - start;
    ok = ok && t3dm_work_of(&out, &r->work, err);
    bench_buffer_free(&out);
    return ok;
}

/* ---- the table ---- */

static void print_head(FILE *out)
{
    fprintf(out, "%-27s %6s %8s %6s %5s %5s", "optimize: model", "tris", "theirs", "draw", "cmds", "floor");
    for (int l = 0; l < LEVELS; l++)
        if (level_wanted(l))
            fprintf(out, " | %-5s %4s %5s %6s", levels[l].name, "draw", "cmds", "sec");
    fputc('\n', out);
}

static void print_shares(FILE *out, const t3dm_work *ours, const t3dm_work *theirs, double seconds)
{
    fprintf(out, " | %.3f %.2f  %.2f %6.2f", ours->bytes / theirs->bytes, ours->draw / theirs->draw,
            ours->commands / theirs->commands, seconds);
    for (int by = 0; by < WORSE_COUNT; by++)
        if (is_worse(ours, theirs, (worse_by)by))
            fprintf(out, " %s", worse[by].mark);
}

static void print_row(FILE *out, const char *name, const t3dm_work *theirs)
{
    fprintf(out, "%-27s %6.0f %8.0f %6.0f %5.0f %.3f", name, theirs->triangles, theirs->bytes, theirs->draw,
            theirs->commands, theirs->floor / theirs->bytes);
}

static void add_result(totals *sum, int l, const result *r, const t3dm_work *theirs)
{
    t3dm_work_add(&sum->ours[l], &r->work);
    if (theirs->skinned)
        t3dm_work_add(&sum->skinned_ours[l], &r->work);
    for (int by = 0; by < WORSE_COUNT; by++)
        sum->worse[l][by] += is_worse(&r->work, theirs, (worse_by)by);
    sum->seconds[l] += r->seconds;
    sum->most[l] = r->seconds > sum->most[l] ? r->seconds : sum->most[l];
}

/* What Tiny3D's converter made. */
static bool read_peer(const bench_twin *twin, t3dm_work *theirs, trilo_error *err)
{
    bench_buffer peer = {0};
    if (!bench_read_file(twin->peer, &peer))
        snprintf(err->text, sizeof err->text, "its .t3dm is not there or cannot be read");
    const bool ok = peer.size > 0 && t3dm_work_of(&peer, theirs, err);
    bench_buffer_free(&peer);
    return ok;
}

/* A model that is refused, on either side, is a row and counts nowhere else. */
static bool run_levels(bench *b, const trilo_model *model, const t3dm_work *theirs, totals *sum, trilo_error *err)
{
    result results[LEVELS];
    for (int l = 0; l < LEVELS; l++) {
        if (!level_wanted(l))
            continue;
        if (!run_level(model, &levels[l], &results[l], err))
            return false;
        print_shares(b->live, &results[l].work, theirs, results[l].seconds);
        fflush(b->live);
    }
    fputc('\n', b->live);
    for (int l = 0; l < LEVELS; l++)
        if (level_wanted(l))
            add_result(sum, l, &results[l], theirs);
    sum->models++;
    t3dm_work_add(&sum->theirs, theirs);
    if (theirs->skinned)
        t3dm_work_add(&sum->skinned_theirs, theirs);
    return true;
}

static void run_twin(bench *b, const bench_twin *twin, totals *sum)
{
    trilo_error err = {0};
    t3dm_work theirs;
    const trilo_model *model = read_peer(twin, &theirs, &err) ? bench_twin_load(twin, &err) : NULL;
    if (!model) {
        bench_twin_refused(b, twin, err.text);
        sum->refused++;
        return;
    }
    print_row(b->live, twin->name, &theirs);
    if (!run_levels(b, model, &theirs, sum, &err)) {
        fprintf(b->live, " | refused: %s\n", err.text);
        sum->refused++;
    }
    trilo_model_free(model);
}

static void print_totals(bench *b, const totals *sum)
{
    print_row(b->live, "total", &sum->theirs);
    for (int l = 0; l < LEVELS; l++)
        if (level_wanted(l))
            print_shares(b->live, &sum->ours[l], &sum->theirs, sum->seconds[l]);
    fputc('\n', b->live);
    print_row(b->live, "skinned", &sum->skinned_theirs);
    for (int l = 0; l < LEVELS && sum->skinned_theirs.bytes > 0; l++)
        if (level_wanted(l))
            print_shares(b->live, &sum->skinned_ours[l], &sum->skinned_theirs, 0);
    fputc('\n', b->live);
}

static void add_totals(bench *b, const totals *sum)
{
    for (int l = 0; l < LEVELS; l++) {
        const char *name = levels[l].row;
        const bool best = levels[l].opts.level == 3 && levels[l].opts.resident && !levels[l].opts.share_repeats &&
                          !levels[l].opts.drop_unused;
        const t3dm_work *ours = &sum->ours[l], *theirs = &sum->theirs;
        if (!level_wanted(l))
            continue;
        bench_add_size(b, &(bench_size){name, "RSP bytes", ours->bytes, theirs->bytes, levels[l].target});
        if (sum->skinned_theirs.bytes > 0)
            bench_add_size(b, &(bench_size){name, "of skinned ones", sum->skinned_ours[l].bytes,
                                            sum->skinned_theirs.bytes, best ? "0.74, stretch 0.71" : NULL});
        bench_add_size(
            b, &(bench_size){name, "bytes to draw", ours->draw, theirs->draw, best ? "0.75, stretch 0.73" : NULL});
        bench_add_size(
            b, &(bench_size){name, "commands", ours->commands, theirs->commands, best ? "0.63, stretch 0.60" : NULL});
        bench_add_size(b, &(bench_size){name, "vertices loaded", ours->vertices, theirs->vertices, NULL});
        bench_add_size(b, &(bench_size){name, "cycles + overlay/4", ours->cycles, theirs->cycles, levels[l].cycles});
        bench_add_size(b, &(bench_size){name, "material changes", ours->changes, theirs->changes, NULL});
        for (int by = 0; by < WORSE_COUNT; by++)
            bench_add_size(b, &(bench_size){name, worse[by].row, sum->worse[l][by], sum->models, "0"});
        bench_add_size(b, &(bench_size){name, "ms of the slowest", 1e3 * sum->most[l], 10000,
                                        levels[l].opts.level == 3 ? "at most 1.000 (10 s)" : NULL});
    }
}

bool bench_optimize_corpus(bench *b)
{
    bench_twins all;
    totals sum = {0};
    if (!bench_twins_find(b, &all))
        bench_skip(b, "optimize-corpus", "no t3dm/*/assets/*.glb in the corpus (TRILOBITE_CORPUS, --corpus)");
    else
        print_head(b->live);
    for (size_t i = 0; i < all.count; i++)
        if (wanted("TRILOBITE_BENCH_MODELS", all.rows[i].name, false))
            run_twin(b, &all.rows[i], &sum);
    bench_twins_free(&all);
    if (sum.refused > 0)
        fprintf(b->live, "%u models refused\n", sum.refused);
    if (sum.models > 0) {
        print_totals(b, &sum);
        add_totals(b, &sum);
    }
    return true;
}

/* ---- growth ---- */

typedef struct growth {
    const char *name, *target;
    uint32_t side, level;
    bool smooth;
    bench_sheet sheet;
} growth;

static bool run_growth(void *context)
{
    const growth *g = context;
    bench_buffer out = {0};
    trilo_error err = {0};
    const bool ok = encode(&g->sheet.model, &(trilo_t3dm_write_opts){.level = g->level, .scale = 64}, &out, &err) ||
                    bench_fail("optimize-growth", err.text);
    bench_buffer_free(&out);
    return ok;
}

/* A jagged sheet without normals, and a smooth one whose triangles share them. */
bool bench_optimize_growth(bench *b)
{
    enum { SIDE_1K = 24, SIDE_10K = 72, SIDE_100K = 225 };
    static const growth sizes[] = {
        {.name = "optimize-growth/1k", .side = SIDE_1K, .level = 1},
        {.name = "optimize-growth/10k", .target = "n log n", .side = SIDE_10K, .level = 1},
        {.name = "optimize-growth/100k", .target = "under 5 s", .side = SIDE_100K, .level = 1},
        {.name = "optimize-growth/10k-O2", .side = SIDE_10K, .level = 2},
        {.name = "optimize-growth/100k-O2", .side = SIDE_100K, .level = 2},
        {.name = "optimize-growth/10k-O3", .side = SIDE_10K, .level = 3},
        {.name = "optimize-growth/100k-O3", .target = "at most 6 s", .side = SIDE_100K, .level = 3},
        {.name = "optimize-smooth/10k-O2", .side = SIDE_10K, .level = 2, .smooth = true},
        {.name = "optimize-smooth/100k-O2", .side = SIDE_100K, .level = 2, .smooth = true},
        {.name = "optimize-smooth/10k-O3", .side = SIDE_10K, .level = 3, .smooth = true},
        {.name = "optimize-smooth/100k-O3", .target = "at most 6 s", .side = SIDE_100K, .level = 3, .smooth = true},
    };
    bool ok = true;
    double before = 0; /* seconds of the size before */
    for (size_t i = 0; ok && i < sizeof sizes / sizeof *sizes; i++) {
        growth g = sizes[i];
        bench_task task = {.name = g.name, .run = run_growth, .context = &g};
        ok = (g.smooth ? bench_sheet_make_smooth : bench_sheet_make)(&g.sheet, g.side) &&
             bench_time(&task, 1, g.level == 1 ? 3 : 1);
        if (ok)
            bench_add(b, &task, 2.0 * (g.side - 1) * (g.side - 1), "triangles")->target = g.target;
        if (ok && g.level > 1 && g.side == SIDE_100K)
            bench_add_size(
                b, &(bench_size){g.name, "ms, of those of 10k", 1e3 * task.seconds, 1e3 * before, "at most 11"});
        before = task.seconds;
        bench_sheet_free(&g.sheet);
    }
    return ok;
}
