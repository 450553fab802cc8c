/* Chains of batches (tl_batch_pack_chains): vertices that a batch of several bones needs are loaded with components of
 * one bone, and wait in the cache. */
#include "harness.h"
#include "optimize/t3d_batch_steps.h"
#include "support/batch_meshes.h"
#include "support/cache_sim.h"

#include <string.h>

enum { SLOTS = 70, BONES = 12, QUADS = 400, VERTICES = 4 * QUADS };

/* Adds quads without common vertices: `own` of the corners have the first bone, the others the second. */
static void add_quads(batch_mesh *m, uint32_t count, uint32_t own, uint16_t first, uint16_t second)
{
    for (; count > 0; count--) {
        const uint32_t v = m->vertex_count;
        for (uint32_t c = 0; c < 4; c++)
            m->bones[v + c] = c < own ? first : second;
        m->vertex_count += 4;
        batch_mesh_add_quad(m, v, v + 1, v + 2, v + 3);
    }
}

static batch_mesh new_mesh(void)
{
    batch_mesh m = batch_mesh_new(VERTICES, 2 * QUADS);
    batch_set_bones(&m, 1, 1, 1);
    m.vertex_count = 0;
    return m;
}

static cache_sim_work split(const batch_mesh *m, uint32_t level, bool resident)
{
    tl_batch_input in = batch_input(m);
    tl_batch_output out;
    tl_arena arena;
    in.strips = in.sequences = true;
    in.level = level;
    in.resident = resident;
    tl_arena_init(&arena, NULL);
    CHECK(tl_batch(&arena, &in, &out));
    const cache_sim_work work = cache_sim_check("quads", &in, &out);
    tl_arena_free(&arena);
    return work;
}

/* 60 vertices of one bone, 48 of another, and 10 of each in five quads that have both. Drawn with 10 + 58 vertices,
 * these five need two loads after that of the 60. But 60 + 10 fit the cache, and then 10 + 58. */
TEST(two_bones_in_two_loads)
{
    batch_mesh m = new_mesh();
    add_quads(&m, 15, 4, 1, 1);
    add_quads(&m, 5, 2, 1, 2);
    add_quads(&m, 12, 4, 2, 2);
    CHECK_INT(split(&m, 1, true).loads, 3);
    CHECK_INT(split(&m, 2, false).loads, 3);
    for (uint32_t level = 2; level <= 3; level++) {
        const cache_sim_work work = split(&m, level, true);
        CHECK_INT(work.loads, 2);
        CHECK_INT(work.draws, 2);
        CHECK_INT(work.vertices, m.vertex_count);
    }
    batch_mesh_free(&m);
}

/* Four triangles with a corner of each of three bones, and 48, 40 and 36 vertices of one bone: 48 + 4, then 4 + 40 + 4,
 * then 8 + 4 + 36 slots. Two batches have at least two bones each otherwise, and one has all three. */
TEST(three_bones_in_three_loads)
{
    batch_mesh m = new_mesh();
    add_quads(&m, 12, 4, 1, 1);
    add_quads(&m, 10, 4, 2, 2);
    add_quads(&m, 9, 4, 3, 3);
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t v = m.vertex_count;
        for (uint16_t c = 0; c < 3; c++)
            m.bones[v + c] = (uint16_t)(1 + c);
        m.vertex_count += 3;
        batch_mesh_add(&m, v, v + 1, v + 2);
    }
    CHECK(split(&m, 3, false).loads > 3);
    for (uint32_t level = 2; level <= 3; level++) {
        const cache_sim_work work = split(&m, level, true);
        CHECK_INT(work.loads, 3);
        CHECK_INT(work.vertices, m.vertex_count);
    }
    batch_mesh_free(&m);
}

/* --- any mesh of small components --- */

/* Which bones the triangles of a batch have, and how many vertices of each. */
static void count_bones(const tl_batch_input *in, const tl_batch_list *list, uint32_t batch, uint32_t counts[BONES])
{
    bool seen[VERTICES] = {false};
    memset(counts, 0, BONES * sizeof *counts);
    for (uint32_t i = 3 * list->first[batch]; i < 3 * list->first[batch + 1]; i++) {
        const uint32_t v = in->triangles[list->order[i / 3]][i % 3];
        counts[in->bones[v]] += seen[v] ? 0 : 1;
        seen[v] = true;
    }
}

static uint32_t sum_of(const uint32_t counts[BONES])
{
    uint32_t sum = 0;
    for (uint32_t b = 0; b < BONES; b++)
        sum += counts[b];
    return sum;
}

/* Each triangle once; a batch that preloads has one bone, and what waits leaves room for the others. Returns how many
 * batches preload something. */
static uint32_t check_chains(const tl_batch_input *in, const tl_batch_list *list)
{
    static uint32_t drawn[2 * QUADS];
    uint32_t waiting = 0, preloading = 0;
    memset(drawn, 0, sizeof drawn);
    for (uint32_t i = 0; i < list->first[list->count]; i++)
        drawn[list->order[i]]++;
    for (uint32_t t = 0; t < in->triangle_count; t++)
        CHECK_INT(drawn[t], 1);
    for (uint32_t i = 0; i < list->count; i++) {
        uint32_t own[BONES], later[BONES], bone = 0;
        count_bones(in, list, i, own);
        count_bones(in, list, list->preloads[i], later);
        CHECK(list->preloads[i] >= i && list->preloads[i] < list->count);
        if (list->preloads[i] == i) {
            CHECK(sum_of(own) <= SLOTS);
            waiting = 0;
            continue;
        }
        while (own[bone] == 0)
            bone++;
        CHECK_INT(sum_of(own), own[bone]);
        CHECK(later[bone] > 0);
        waiting += later[bone];
        preloading++;
        CHECK(waiting + own[bone] <= SLOTS);
    }
    return preloading;
}

/* Each batch loads the bones that no other has loaded for it, and no vertex is loaded twice. */
static void check_loads(tl_arena *arena, const tl_batch_input *in, const tl_batch_list *list)
{
    static tl_batch_edges edges;
    static tl_vertex_batch batch;
    static tl_batch_draw draw;
    const tl_batch_draw_opts opts = {.strips = true, .sequences = true, .tries = 1, .command_worth = TL_COMMAND_WORTH};
    tl_slot_allocator allocator;
    uint32_t vertices = 0;
    tl_batch_clear_edges(&edges);
    CHECK(tl_slot_allocator_new(arena, in, &allocator));
    tl_slot_allocator_start(&allocator, list, true);
    for (uint32_t i = 0; i < list->count; i++) {
        uint32_t own[BONES], wanted = 0, loads = 0;
        count_bones(in, list, i, own);
        for (uint32_t before = 0; before < i; before++)
            if (list->preloads[before] == i) {
                uint32_t bones[BONES];
                count_bones(in, list, before, bones);
                for (uint32_t b = 0; b < BONES; b++)
                    own[b] = bones[b] > 0 ? 0 : own[b];
            }
        for (uint32_t b = 0; b < BONES; b++)
            wanted += own[b] > 0 ? 1 : 0;
        tl_slot_allocate(&allocator, i, &batch);
        for (uint32_t b = 0; b < batch.block_count; b++) {
            loads += batch.blocks[b].resident ? 0 : 1;
            vertices += batch.blocks[b].resident ? 0 : batch.blocks[b].count;
        }
        CHECK_INT(loads, wanted);
        tl_batch_plan_draw(&batch, &edges, &opts, &draw);
        tl_slot_allocator_update(&allocator, &batch, &draw);
    }
    CHECK_INT(vertices, in->vertex_count);
}

TEST(what_waits_is_not_loaded_again)
{
    uint32_t preloading = 0;
    for (uint32_t seed = 1; seed <= test_rounds(400, 8); seed++) {
        uint32_t random = seed;
        batch_mesh m = new_mesh();
        const uint32_t bones = 2 + batch_random(&random) % (BONES - 2), groups = 4 + batch_random(&random) % 30;
        for (uint32_t i = 0; i < groups; i++) {
            const uint16_t a = (uint16_t)(batch_random(&random) % bones), b = (uint16_t)(batch_random(&random) % bones);
            const uint32_t count = 1 + batch_random(&random) % 12, own = 1 + batch_random(&random) % 4;
            add_quads(&m, count, own, a, b);
        }
        const tl_batch_input in = batch_input(&m);
        tl_batch_list list;
        tl_arena arena;
        tl_arena_init(&arena, NULL);
        CHECK(tl_batch_pack_chains(&arena, &in, 1 + seed % 5, &list));
        if (list.count > 0) {
            preloading += check_chains(&in, &list);
            check_loads(&arena, &in, &list);
        }
        tl_arena_free(&arena);
        batch_mesh_free(&m);
    }
    CHECK(preloading > 0);
}

/* Vertices without a bone among others: their loads may be split where others may not. */
TEST(some_vertices_have_no_bone)
{
    for (uint32_t seed = 1; seed <= test_rounds(400, TEST_SLOW ? 12 : 24); seed++) {
        uint32_t random = seed;
        const uint32_t triangles = 60 + batch_random(&random) % 80, vertices = 3 * triangles;
        batch_mesh m = batch_tangle(vertices, triangles, seed);
        batch_set_bones(&m, 2 + batch_random(&random) % 8, 1, seed);
        for (uint32_t v = 0; v < vertices; v++)
            m.bones[v] = batch_random(&random) % 4 == 0 ? TL_BATCH_NO_BONE : m.bones[v];
        split(&m, 2, true); /* which checks every rule of the cache */
        batch_mesh_free(&m);
    }
}

TEST_MAIN(CASE(two_bones_in_two_loads), CASE(three_bones_in_three_loads), CASE(what_waits_is_not_loaded_again),
          CASE(some_vertices_have_no_bone))
