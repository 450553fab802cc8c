/* bench_model64.c: what drawing an N64 model costs, and how long the optimization takes. */
#include "buffer.h"
#include "harness.h"
#include "sheet.h"

#include "formats/model64/model64.h"
#include <trilobite/load.h>

#include <stdlib.h>

/* ---- the models of the game ---- */

/* Counted in the files of the game's own converter. */
typedef struct peer {
    const char *name, *path;
    double lists, vertices;
} peer;

static const peer peers[] = {
    {"model64-game/fairy2", "fairy2", 3456, 277},         {"model64-game/BlueEnemy", "BlueEnemy", 744, 104},
    {"model64-game/GreenEnemy", "GreenEnemy", 1016, 141}, {"model64-game/logo", "logo", 592, 172},
    {"model64-game/fairy", "fairy", 1632, 248},           {"model64-game/spike", "spike", 464, 96},
};

typedef struct draw {
    double lists, vertices; /* bytes, vertices loaded */
} draw;

static void count_list(const gfx_list *list, uint32_t vertex_count, draw *sum)
{
    gfx_run run = tl_gfx_run(list, vertex_count);
    gfx_step step;
    while (list->bytes && tl_gfx_next(&run, &step))
        sum->vertices += step.load_count;
    sum->lists += (double)list->used;
}

static bool count_draw(const bench_buffer *file, draw *sum)
{
    const trilo_load_opts opts = {.model64 = &(trilo_model64_load_opts){0}};
    tl_arena arena;
    trilo_error err = {0};
    tl_arena_init(&arena, NULL);
    const model64_file *model = tl_model64_read(&arena, (trilo_bytes){file->bytes, file->size}, &opts, &err);
    for (int i = 0; model && i < MODEL64_SLOTS; i++)
        count_list(&model->lists[i], model->vertex_count, sum);
    tl_arena_free(&arena);
    return model || bench_fail("model64-game", err.text);
}

static bool encode(const trilo_model *model, bench_buffer *out)
{
    const trilo_write_opts opts = {.format = TRILO_FORMAT_MODEL64,
                                   .model64 = &(trilo_model64_write_opts){.max_frame_vertices = TRILO_NONE}};
    trilo_error err = {0};
    return trilo_model_write(model, &opts, bench_keep, out, &err) || bench_fail("model64", err.text);
}

static bool encode_again(const char *path, draw *sum)
{
    trilo_error err = {0};
    bench_buffer out = {0};
    const trilo_model *model = trilo_model_load_file(path, NULL, &err);
    const bool ok = model ? encode(model, &out) && count_draw(&out, sum) : bench_fail(path, err.text);
    trilo_model_free(model);
    bench_buffer_free(&out);
    return ok;
}

static double bytes_of(const draw *d)
{
    return d->lists + MODEL64_VERTEX_SIZE * d->vertices;
}

static void add_sizes(bench *b, const char *name, const draw *ours, const draw *theirs, bool total)
{
    const bench_size sizes[] = {
        {name, "bytes of lists", ours->lists, theirs->lists, total ? "0.90" : NULL},
        {name, "vertices loaded", ours->vertices, theirs->vertices, NULL},
        {name, "bytes a draw", bytes_of(ours), bytes_of(theirs), total ? "0.95" : "1.00"},
    };
    for (int i = 0; i < 3; i++)
        bench_add_size(b, &sizes[i]);
}

bool bench_model64_game(bench *b)
{
    const char *corpus = getenv("TRILOBITE_CORPUS");
    draw ours = {0}, theirs = {0};
    for (size_t i = 0; i < sizeof peers / sizeof *peers; i++) {
        char path[BENCH_PATH];
        bench_buffer there = {0};
        draw one = {0};
        snprintf(path, sizeof path, "%s/model64/%s.model", corpus && *corpus ? corpus : "../shared/corpus",
                 peers[i].path);
        const bool found = bench_read_file(path, &there);
        bench_buffer_free(&there);
        if (!found) {
            bench_skip(b, peers[i].name, "not in the corpus (TRILOBITE_CORPUS)");
            continue;
        }
        if (!encode_again(path, &one))
            return false;
        const draw peer_draw = {peers[i].lists, peers[i].vertices};
        add_sizes(b, peers[i].name, &one, &peer_draw, false);
        ours.lists += one.lists, ours.vertices += one.vertices;
        theirs.lists += peer_draw.lists, theirs.vertices += peer_draw.vertices;
    }
    if (theirs.lists > 0)
        add_sizes(b, "model64-game/total", &ours, &theirs, true);
    return true;
}

/* ---- growth ---- */

static bool run_encode(void *context)
{
    const bench_sheet *s = context;
    bench_buffer out = {0};
    const bool ok = encode(&s->model, &out);
    bench_buffer_free(&out);
    return ok;
}

bool bench_model64_growth(bench *b)
{
    static const struct {
        const char *name;
        uint32_t side;
    } sizes[] = {{"model64-growth/10k", 72}, {"model64-growth/30k", 124}, {"model64-growth/100k", 225}};
    bool ok = true;
    for (size_t i = 0; ok && i < sizeof sizes / sizeof *sizes; i++) {
        bench_sheet s = {0};
        bench_task task = {.name = sizes[i].name, .run = run_encode, .context = &s};
        ok = bench_sheet_make(&s, sizes[i].side) && bench_time(&task, 1, 3);
        if (ok)
            bench_add(b, &task, s.mesh.index_count / 3.0, "triangles");
        bench_sheet_free(&s);
    }
    return ok;
}
