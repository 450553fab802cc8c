/* Progress of work that takes long, and cancelling it. */
#include "base/report.h"
#include "harness.h"
#include "support/buffer.h"
#include "trilobite/trilobite.h"

#include <stdlib.h>
#include <string.h>

enum { SIDE = 40, VERTICES = SIDE * SIDE, INDICES = (SIDE - 1) * (SIDE - 1) * 6, MESHES = 3 };

/* Three grids of 3,042 triangles, enough for the search of vertex batches to ask on its way. */
typedef struct grids {
    float positions[VERTICES][3];
    uint32_t indices[INDICES];
    trilo_mesh meshes[MESHES];
    trilo_node node;
    trilo_model model;
} grids;

static grids *grids_new(void)
{
    grids *g = calloc(1, sizeof *g);
    CHECK(g != NULL);
    for (uint32_t i = 0; i < VERTICES; i++) {
        g->positions[i][0] = (float)(i % SIDE);
        g->positions[i][1] = (float)(i / SIDE);
        g->positions[i][2] = (float)(i * i % 7);
    }
    uint32_t count = 0;
    for (uint32_t y = 0; y + 1 < SIDE; y++)
        for (uint32_t x = 0; x + 1 < SIDE; x++) {
            const uint32_t a = y * SIDE + x, quad[6] = {a, a + 1, a + SIDE, a + 1, a + SIDE + 1, a + SIDE};
            memcpy(g->indices + count, quad, sizeof quad);
            count += 6;
        }
    for (int i = 0; i < MESHES; i++)
        g->meshes[i] = (trilo_mesh){.node = TRILO_NONE,
                                    .skin = TRILO_NONE,
                                    .material = TRILO_NONE,
                                    .vertex_count = VERTICES,
                                    .positions = (const float(*)[3])g->positions,
                                    .index_count = INDICES,
                                    .indices = g->indices};
    g->model = (trilo_model){.mesh_count = MESHES, .meshes = g->meshes};
    return g;
}

typedef struct watcher {
    uint32_t calls, last_done, last_total, cancel_at;
    bool rises;
} watcher;

static bool watch(void *user, uint32_t done, uint32_t total)
{
    watcher *w = user;
    w->rises = w->rises && done >= w->last_done && done <= total;
    w->last_done = done;
    w->last_total = total;
    return ++w->calls != w->cancel_at;
}

static bool write_grids(const grids *g, uint32_t level, watcher *w, buffer *out, trilo_error *err)
{
    const trilo_write_opts opts = {.format = TRILO_FORMAT_T3DM,
                                   .t3dm = &(trilo_t3dm_write_opts){.level = level, .scale = 16},
                                   .on_progress = w ? watch : NULL,
                                   .on_progress_user = w};
    return trilo_model_write(&g->model, &opts, buffer_sink, out, err);
}

TEST(every_object_is_a_step_and_the_bytes_stay)
{
    grids *g = grids_new();
    buffer plain = {0}, watched = {0};
    watcher w = {.rises = true};
    CHECK(write_grids(g, 2, NULL, &plain, NULL));
    CHECK(write_grids(g, 2, &w, &watched, NULL));
    CHECK(w.rises);
    CHECK_INT(w.last_done, MESHES);
    CHECK_INT(w.last_total, MESHES);
    CHECK(w.calls > MESHES); /* the search asks on its way, too */
    CHECK(plain.size == watched.size && memcmp(plain.data, watched.data, plain.size) == 0);
    buffer_free(&plain);
    buffer_free(&watched);
    free(g);
}

/* Whichever call says so: the first, the last, some between, or in a full run each of them. */
TEST(cancelling_stops_the_writing)
{
    grids *g = grids_new();
    watcher all = {.rises = true};
    buffer out = {0};
    CHECK(write_grids(g, 2, &all, &out, NULL));
    buffer_free(&out);
    const uint32_t step = (uint32_t)test_step(all.calls, TEST_EMULATED ? 2 : 6);
    for (uint32_t i = 1; i <= all.calls; i = i < all.calls && i + step > all.calls ? all.calls : i + step) {
        watcher w = {.cancel_at = i};
        trilo_error err = {0};
        CHECK(!write_grids(g, 2, &w, &out, &err));
        CHECK_INT(err.code, TRILO_CODE_CANCELLED);
        CHECK_STR(err.rule, "CALL-CANCELLED");
        CHECK_INT(w.calls, i); /* nobody asks again */
        CHECK_INT(out.size, 0);
    }
    free(g);
}

TEST(optimising_and_converting_ask_too)
{
    grids *g = grids_new();
    buffer file = {0}, out = {0};
    CHECK(write_grids(g, 1, NULL, &file, NULL));
    trilo_document *document = trilo_document_open(file.data, file.size, NULL, NULL);
    CHECK(document != NULL);
    for (int i = 0; i < 3; i++) {
        watcher w = {.cancel_at = 2};
        trilo_error err = {0};
        const trilo_optimize_opts optimize = {.on_progress = watch, .on_progress_user = &w};
        const trilo_convert_opts convert = {.optimize = i == 1 ? &(trilo_optimize_opts){0} : NULL,
                                            .reencode = i == 2,
                                            .on_progress = watch,
                                            .on_progress_user = &w};
        CHECK(i == 0 ? !trilo_document_optimize(document, &optimize, NULL, buffer_sink, &out, &err)
                     : !trilo_convert(document, &convert, &err));
        CHECK_INT(err.code, TRILO_CODE_CANCELLED);
        CHECK_INT(w.calls, 2);
    }
    if (trilo_build_has_meshoptimizer()) {
        watcher w = {.cancel_at = 1};
        trilo_error err = {0};
        CHECK(!trilo_model_optimize(&g->model, &(trilo_optimize_opts){.on_progress = watch, .on_progress_user = &w},
                                    NULL, &err));
        CHECK_INT(err.code, TRILO_CODE_CANCELLED);
    }
    trilo_document_free(document);
    buffer_free(&file);
    buffer_free(&out);
    free(g);
}

TEST_MAIN(CASE(every_object_is_a_step_and_the_bytes_stay), CASE(cancelling_stops_the_writing),
          CASE(optimising_and_converting_ask_too))
