/* Refining batches (tl_batch_refine): what it may not change, and that loads and strips become cheaper, counted again
 * from the batches. */
#include "harness.h"
#include "optimize/t3d_batch_steps.h"
#include "support/batch_meshes.h"
#include "support/exercise.h"

#include <string.h>

enum { VERTICES = 2048, TRIANGLES = 2048 };

static tl_batch_input input_of(const batch_mesh *m)
{
    tl_batch_input in = batch_input(m);
    in.strips = in.sequences = true;
    return in;
}

static uint32_t count_vertices(const tl_batch_input *in, const tl_batch_list *list, uint32_t batch)
{
    bool has[VERTICES] = {false};
    uint32_t count = 0;
    for (uint32_t i = list->first[batch]; i < list->first[batch + 1]; i++)
        for (int c = 0; c < 3; c++) {
            bool *one = &has[in->triangles[list->order[i]][c]];
            count += *one ? 0 : 1;
            *one = true;
        }
    return count;
}

/* Every triangle once, in batches that fit. Returns the bytes of all loads. */
static uint32_t check_batches(const tl_batch_input *in, const tl_batch_list *list, uint32_t most)
{
    bool found[TRIANGLES] = {false};
    uint32_t bytes = 0;
    CHECK_INT(list->first[0], 0);
    CHECK_INT(list->first[list->count], in->triangle_count);
    for (uint32_t g = 0; g < list->count; g++) {
        const uint32_t vertices = count_vertices(in, list, g);
        CHECK(list->first[g] < list->first[g + 1] && list->first[g + 1] - list->first[g] <= 512);
        CHECK(vertices <= most);
        bytes += 12 + 16 * (vertices + vertices % 2);
    }
    for (uint32_t i = 0; i < in->triangle_count; i++) {
        CHECK(!found[list->order[i]]);
        found[list->order[i]] = true;
    }
    return bytes;
}

static bool refine(tl_arena *arena, const tl_batch_input *in, uint32_t full, tl_batch_list *list)
{
    static tl_link_table table;
    const tl_batch_effort effort = {.steps = 300, .stages = 20, .temperature = 6, .seed = 1, .full = full};
    return tl_batch_refine(arena, in, &effort, &table, list);
}

/* Even cuts of a shuffled mesh are scattered over it, and most vertices are loaded several times. */
TEST(loads_become_cheaper)
{
    for (uint32_t seed = 0; seed < 6; seed++) {
        batch_mesh m = seed % 3 == 0 ? batch_grid(16, 14) : seed % 3 == 1 ? batch_torus(14, 12) : batch_sphere(16, 12);
        if (seed >= 3)
            batch_split(&m, seed, 2);
        batch_collapse(&m, seed, seed % 2);
        batch_shuffle(&m, seed, 1, 1);
        tl_batch_input in = input_of(&m);
        in.sequences = seed % 2 == 0;
        tl_arena arena;
        tl_arena_init(&arena, NULL);
        tl_batch_list list = batch_cut_evenly(&arena, &in, 20);
        const uint32_t before = check_batches(&in, &list, 60);
        CHECK(refine(&arena, &in, 0, &list));
        CHECK(check_batches(&in, &list, 60) < before);
        CHECK(refine(&arena, &in, TL_BATCH_SLOTS, &list));
        check_batches(&in, &list, TL_BATCH_SLOTS);
        tl_arena_free(&arena);
        batch_mesh_free(&m);
    }
}

/* Components that are whole stay where they are, also beside one that is cut. */
TEST(whole_components_stay)
{
    batch_mesh m = batch_lone_quads(40);
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    const tl_batch_input in = input_of(&m);
    tl_batch_list list = batch_cut_evenly(&arena, &in, 20);
    CHECK(refine(&arena, &in, 0, &list));
    CHECK_INT(list.count, 0);
    list = batch_cut_evenly(&arena, &in, 15); /* every other cut goes through a quad */
    CHECK(refine(&arena, &in, 0, &list));
    check_batches(&in, &list, 34);
    for (uint32_t t = 0; t < 14; t++)
        CHECK_INT(list.order[t], t);
    tl_arena_free(&arena);
    batch_mesh_free(&m);
}

/* A component that is cut, of triangles around one edge in the same direction: no two can be consecutive in a strip.
 * With one triangle on the other side of the edge, two can. */
TEST(triangles_that_no_strip_joins_stay)
{
    enum { FINS = 60 };
    uint32_t triangles[FINS + 1][3];
    for (uint32_t t = 0; t < FINS; t++)
        memcpy(triangles[t], (uint32_t[]){0, 1, t + 2}, sizeof *triangles);
    memcpy(triangles[FINS], (uint32_t[]){1, 0, FINS + 2}, sizeof *triangles);
    for (uint32_t more = 0; more < 2; more++) {
        const tl_batch_input in = {.vertex_count = FINS + 2 + more,
                                   .triangle_count = FINS + more,
                                   .triangles = (const uint32_t(*)[3])triangles,
                                   .strips = true,
                                   .sequences = true};
        tl_arena arena;
        tl_arena_init(&arena, NULL);
        tl_batch_list list = batch_cut_evenly(&arena, &in, 20);
        CHECK(refine(&arena, &in, 0, &list));
        CHECK_INT(list.count > 0, more);
        tl_arena_free(&arena);
    }
}

static bool refuse(void *user, uint32_t done, uint32_t total)
{
    uint32_t *left = user;
    (void)done, (void)total;
    return (*left)-- > 1;
}

/* Each stage asks whether to go on. */
TEST(may_be_cancelled)
{
    batch_mesh m = batch_grid(12, 12);
    for (uint32_t asks = 1; asks <= 21; asks++) {
        uint32_t left = asks;
        tl_report report = {.on_progress = refuse, .on_progress_user = &left};
        tl_batch_input in = input_of(&m);
        tl_arena arena;
        tl_arena_init(&arena, NULL);
        in.progress = &report;
        tl_batch_list list = batch_cut_evenly(&arena, &in, 30);
        CHECK(refine(&arena, &in, 0, &list) == (asks == 21));
        tl_arena_free(&arena);
    }
    batch_mesh_free(&m);
}

TEST(memory_runs_out)
{
    batch_mesh m = batch_grid(12, 12);
    const tl_batch_input in = input_of(&m);
    uint32_t failures = 0;
    for (bool done = false; !done; failures += done ? 0 : 1) {
        meter held = {0};
        const trilo_memory memory = meter_memory(&held, 4000 + 2000 * (size_t)failures);
        tl_arena arenas[2];
        tl_arena_init(&arenas[0], NULL);
        tl_arena_init(&arenas[1], &memory);
        tl_batch_list list = batch_cut_evenly(&arenas[0], &in, 30);
        done = refine(&arenas[1], &in, 0, &list);
        tl_arena_free(&arenas[1]);
        tl_arena_free(&arenas[0]);
        CHECK_INT(held.now, 0);
    }
    CHECK(failures > 3);
    batch_mesh_free(&m);
}

TEST_MAIN(CASE(loads_become_cheaper), CASE(whole_components_stay), CASE(triangles_that_no_strip_joins_stay),
          CASE(may_be_cancelled), CASE(memory_runs_out))
