/* What the levels of tl_batch do: how many searches of how many stages, counted by how often they ask whether to go on,
 * and what happens when they may not, or when memory ends. */
#include "harness.h"
#include "optimize/t3d_batch.h"
#include "support/batch_meshes.h"
#include "support/cache_sim.h"
#include "support/exercise.h"

#include <string.h>

static tl_batch_input input_of(const batch_mesh *m, uint32_t level, bool resident)
{
    tl_batch_input in = batch_input(m);
    in.strips = in.sequences = true;
    in.level = level;
    in.resident = resident;
    return in;
}

typedef struct asks {
    uint32_t count, most; /* the last one is answered by no */
} asks;

static bool count_asks(void *user, uint32_t done, uint32_t total)
{
    asks *a = user;
    (void)done, (void)total;
    return ++a->count < a->most;
}

static bool run(const batch_mesh *m, uint32_t level, bool resident, asks *a)
{
    tl_report report = {.on_progress = count_asks, .on_progress_user = a};
    tl_batch_input in = input_of(m, level, resident);
    tl_batch_output out;
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    in.progress = &report;
    a->count = 0;
    const bool done = tl_batch(&arena, &in, &out);
    if (done)
        cache_sim_check("levels", &in, &out);
    tl_arena_free(&arena);
    return done;
}

static uint32_t count_stages(const batch_mesh *m, uint32_t level, bool resident)
{
    asks a = {.most = UINT32_MAX};
    CHECK(run(m, level, resident, &a));
    return a.count;
}

/* Two batches of triangles without common vertices. The second level searches 3 times in 60 stages, the third does so
 * twice, for batches of the second level and for its own, and adds 4 times in 100. Residency adds nothing, since
 * nothing is loaded twice. */
TEST(levels_add_searches)
{
    static const uint32_t stages[] = {0, 0, 3 * 60, 2 * 3 * 60 + 4 * 100, 2 * 3 * 60 + 4 * 100};
    batch_mesh m = batch_lone_triangles(24);
    for (uint32_t level = 0; level < 5; level++)
        CHECK_INT(count_stages(&m, level, level == 2), stages[level]);
    batch_mesh_free(&m);
    m = batch_lone_triangles(23); /* one batch: there is nothing to search */
    CHECK_INT(count_stages(&m, 3, false), 0);
    batch_mesh_free(&m);
}

/* With bones and residency, batches in an order and batches bone by bone are searched, too: once in 40 stages on the
 * second level, and 4 times in 60 on the third, which also exchanges components, 8 times in 60. A mesh whose vertices
 * all have no bone counts as one without. */
TEST(bones_add_searches)
{
    batch_mesh m = batch_lone_triangles(24);
    batch_set_bones(&m, 1, 1, 1);
    for (uint32_t v = 0; v < m.vertex_count; v++)
        m.bones[v] = v < 36 ? 0 : 1;
    CHECK_INT(count_stages(&m, 1, true), 0);
    CHECK_INT(count_stages(&m, 2, false), 3 * 60);
    CHECK_INT(count_stages(&m, 2, true), 3 * 60 + 2 * 40);
    CHECK_INT(count_stages(&m, 3, true), 2 * (3 * 60 + 2 * 40) + 4 * 100 + 2 * 4 * 60 + 8 * 60);
    for (uint32_t v = 0; v < m.vertex_count; v++)
        m.bones[v] = TL_BATCH_NO_BONE;
    CHECK_INT(count_stages(&m, 2, true), 3 * 60);
    m.bones[m.vertex_count - 1] = 0;
    CHECK_INT(count_stages(&m, 2, true), 3 * 60 + 2 * 40);
    batch_mesh_free(&m);
}

/* In a surface of several batches some vertices are loaded twice: with residency, smaller batches are searched from two
 * starts in 60 stages. The third level also refines such batches, three times in 60 stages. */
TEST(smaller_batches_add_searches)
{
    batch_mesh m = batch_grid(13, 13);
    CHECK_INT(count_stages(&m, 1, true), 0);
    CHECK_INT(count_stages(&m, 2, false), 3 * 60);
    CHECK_INT(count_stages(&m, 2, true), 3 * 60 + 2 * 60);
    CHECK_INT(count_stages(&m, 3, false), 2 * 3 * 60 + 4 * 100 + 3 * 60);
    batch_mesh_free(&m);
}

/* Whenever the answer is no, there is no result. */
TEST(every_search_may_be_cancelled)
{
    batch_mesh m = batch_lone_triangles(24);
    batch_set_bones(&m, 2, 9, 1);
    const uint32_t stages = count_stages(&m, 2, true);
    for (uint32_t most = 1; most <= stages; most += 20) {
        asks a = {.most = most};
        CHECK(!run(&m, 2, true, &a));
        CHECK_INT(a.count, most);
    }
    asks last = {.most = stages}, enough = {.most = stages + 1};
    CHECK(!run(&m, 2, true, &last));
    CHECK(run(&m, 2, true, &enough));
    batch_mesh_free(&m);
}

static bool same_output(const tl_batch_output *a, const tl_batch_output *b)
{
    return a->part_count == b->part_count && a->vertex_count == b->vertex_count && a->index_count == b->index_count &&
           a->strip_size == b->strip_size &&
           memcmp(a->vertices, b->vertices, a->vertex_count * sizeof *a->vertices) == 0 &&
           memcmp(a->indices, b->indices, a->index_count) == 0 &&
           memcmp(a->strips, b->strips, a->strip_size * sizeof *a->strips) == 0;
}

/* With less memory than is needed there is no result: one of a search that ended early would be another. */
static void check_memory(const batch_mesh *m)
{
    const tl_batch_input in = input_of(m, 2, true);
    tl_batch_output best;
    tl_arena arenas[2];
    uint32_t failures = 0;
    tl_arena_init(&arenas[0], NULL);
    CHECK(tl_batch(&arenas[0], &in, &best));
    for (bool done = false; !done;) {
        meter held = {0};
        const size_t limit = 50000 + 4500 * (size_t)failures;
        const trilo_memory memory = meter_memory(&held, limit);
        tl_batch_output out;
        tl_arena_init(&arenas[1], &memory);
        done = tl_batch(&arenas[1], &in, &out);
        CHECK(held.peak <= limit);
        CHECK(!done || same_output(&out, &best));
        failures += done ? 0 : 1;
        tl_arena_free(&arenas[1]);
        CHECK_INT(held.now, 0);
    }
    CHECK(failures > 10);
    tl_arena_free(&arenas[0]);
}

TEST(memory_runs_out_in_searches)
{
    batch_mesh m = batch_lone_triangles(24);
    batch_set_bones(&m, 2, 9, 1);
    check_memory(&m);
    batch_mesh_free(&m);
}

TEST_MAIN(CASE(levels_add_searches), CASE(bones_add_searches), CASE(smaller_batches_add_searches),
          CASE(every_search_may_be_cancelled), CASE(memory_runs_out_in_searches))
