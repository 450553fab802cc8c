/* What tl_batch answers is run on a model of the console (support/cache_sim.h). What comes out must be the input, no
 * rule may be broken on the way, and it must be cheap. */
#include "base/bytes.h"
#include "harness.h"
#include "support/batch_meshes.h"
#include "support/cache_sim.h"
#include "support/exercise.h"

#include <string.h>

enum { BONES = 20 };

/* --- checks --- */

/* The numbers as bytes of one order, so that the sum is the same on every machine. */
static uint32_t hash_output(uint32_t hash, const tl_batch_output *out)
{
    uint8_t words[5 * 4];
    for (uint32_t i = 0; i < out->part_count; i++) {
        const tl_batch_part *p = &out->parts[i];
        tl_put_u32(words, TL_LITTLE, hash);
        tl_put_u32(words + 4, TL_LITTLE, (uint32_t)p->vertex_count << 16 | p->dest);
        tl_put_u32(words + 8, TL_LITTLE, (uint32_t)p->bone << 16 | p->index_count);
        tl_put_u32(words + 12, TL_LITTLE, (uint32_t)p->sequence_base << 8 | p->sequence_count);
        memcpy(words + 16, p->strip_counts, sizeof p->strip_counts);
        hash = trilo_fnv1a(words, sizeof words);
    }
    for (uint32_t i = 0; i < out->vertex_count + out->strip_size; i++) {
        tl_put_u32(words, TL_LITTLE, hash);
        tl_put_u32(words + 4, TL_LITTLE, i < out->vertex_count ? out->vertices[i] : out->strips[i - out->vertex_count]);
        hash = trilo_fnv1a(words, 8);
    }
    tl_put_u32(words, TL_LITTLE, hash);
    tl_put_u32(words + 4, TL_LITTLE, trilo_fnv1a(out->indices, out->index_count));
    return trilo_fnv1a(words, 8);
}

/* What is stored is drawn: no vertex of a load is spare but one that makes its number even, no index of a list. */
static cache_sim_work check_output(const tl_batch_input *in, const tl_batch_output *out)
{
    const cache_sim_work work = cache_sim_check("packed", in, out);
    CHECK(work.idle <= work.loads);
    CHECK_INT(3 * work.list, out->index_count);
    CHECK_INT(work.strip_indices, out->strip_size);
    return work;
}

static tl_batch_input input_of(const batch_mesh *m, bool strips, bool sequences)
{
    return (tl_batch_input){.vertex_count = m->vertex_count,
                            .triangle_count = m->triangle_count,
                            .triangles = (const uint32_t(*)[3])m->triangles,
                            .bones = m->bones,
                            .strips = strips,
                            .sequences = sequences};
}

static cache_sim_work split_input(const tl_batch_input *in, uint32_t *hash)
{
    tl_batch_output out;
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    CHECK(tl_batch(&arena, in, &out));
    const cache_sim_work result = check_output(in, &out);
    if (hash)
        *hash = hash_output(*hash, &out);
    tl_arena_free(&arena);
    return result;
}

static cache_sim_work split_mesh(const batch_mesh *m, bool strips, bool sequences, uint32_t *hash)
{
    const tl_batch_input in = input_of(m, strips, sequences);
    return split_input(&in, hash);
}

/* All four ways, then no more of the mesh. */
static void check(batch_mesh m, uint32_t *hash)
{
    for (int way = 0; way < 4; way++)
        split_mesh(&m, way / 2 != 0, way % 2 != 0, hash);
    batch_mesh_free(&m);
}

static void check_skinned(batch_mesh m, uint32_t bones, uint32_t patch, uint32_t *hash)
{
    batch_set_bones(&m, bones, patch, bones * 31 + patch);
    check(m, hash);
}

TEST(nothing_at_all)
{
    batch_mesh m = batch_mesh_new(0, 0);
    cache_sim_work n = split_mesh(&m, true, true, NULL);
    CHECK_INT(n.loads, 0);
    batch_mesh_free(&m);
    m = batch_mesh_new(100, 0); /* vertices alone are not stored */
    n = split_mesh(&m, true, true, NULL);
    CHECK_INT(n.loads, 0);
    batch_mesh_free(&m);
}

TEST(one_triangle)
{
    batch_mesh m = batch_lone_triangles(1);
    for (int way = 0; way < 4; way++) {
        const cache_sim_work n = split_mesh(&m, way / 2 != 0, way % 2 != 0, NULL);
        CHECK_INT(n.loads, 1);
        CHECK_INT(n.vertices, 4);
    }
    batch_mesh_free(&m);
    m = batch_mesh_new(3, 3);
    batch_mesh_add(&m, 1, 1, 1), batch_mesh_add(&m, 0, 2, 0),
        batch_mesh_add(&m, 2, 2, 0); /* a point and lines stay what they are */
    const cache_sim_work n = split_mesh(&m, true, true, NULL);
    CHECK_INT(n.loads, 1);
    CHECK_INT(n.list, 3);
    batch_mesh_free(&m);
}

/* Bones 5, none, 3: one load each. Two have a filler that the next load overwrites. */
TEST(one_skinned_triangle)
{
    batch_mesh m = batch_lone_triangles(1);
    batch_set_bones(&m, 1, 1, 1);
    m.bones[0] = 5, m.bones[1] = TL_BATCH_NO_BONE, m.bones[2] = 3;
    const cache_sim_work n = split_mesh(&m, true, true, NULL);
    CHECK_INT(n.loads, 3);
    CHECK_INT(n.vertices, 6);
    CHECK_INT(n.pushes, 2);
    batch_mesh_free(&m);
}

/* 23 triangles fill a sequence, and there is no command but the load and the sequence. */
TEST(lone_triangles_are_a_sequence)
{
    for (uint32_t count = 1; count < 60; count++) {
        batch_mesh m = batch_lone_triangles(count);
        const cache_sim_work n = split_mesh(&m, true, true, NULL), lists = split_mesh(&m, false, false, NULL);
        CHECK_INT(n.loads, (count + 22) / 23);
        CHECK_INT(n.in_sequence, count);
        CHECK_INT(n.list + n.strips, 0);
        CHECK_INT(lists.list, count);
        CHECK_INT(lists.loads, n.loads);
        batch_mesh_free(&m);
    }
}

/* Around every border of the cache. */
TEST(sizes_near_the_cache)
{
    /* Emulated, every third, and all from 60 to 80 vertices: there are 70 slots. */
    for (uint32_t count = 1; count < 150;
         count += count < 60 || count > 80 ? test_rounds(1, TEST_EMULATED ? 3 : 1) : 1) {
        check(batch_band(count), NULL);
        check(batch_fan(count), NULL);
        check(batch_grid(count, 1), NULL);
        check(batch_lone_quads(count), NULL);
        check(batch_tangle(count, 2 * count, count), NULL);
        check_skinned(batch_band(count), 1, 7, NULL);
        check_skinned(batch_band(count), 5, 1, NULL);
        check_skinned(batch_lone_triangles(count), 3, 2, NULL);
    }
}

TEST(pieces_that_fit_are_not_cut)
{
    for (uint32_t count = 1; count <= 68; count++) {
        batch_mesh shapes[2] = {batch_band(count), batch_fan(count)}; /* 3 to 70 vertices */
        for (int i = 0; i < 2; i++) {
            const cache_sim_work n = split_mesh(&shapes[i], true, true, NULL);
            CHECK_INT(n.loads, 1);
            CHECK_INT(n.vertices, (count + 3) / 2 * 2);
            batch_mesh_free(&shapes[i]);
        }
    }
}

/* By hand: 10 loads of 17 quads, each with a sequence of one half of all and two strips of the others (36 and 15
 * indices, which find room in the two slots above). */
TEST(lone_quads_are_cheap)
{
    const uint64_t by_hand = 10 * (12 + 16 * 68 + 3 * 8 + 72 + 32);
    batch_mesh m = batch_lone_quads(170);
    const cache_sim_work n = split_mesh(&m, true, true, NULL);
    CHECK_INT(n.vertices, 680);
    CHECK(n.rsp_bytes <= by_hand);
    batch_mesh_free(&m);
}

TEST(random_meshes)
{
    for (uint32_t seed = 1; seed <= test_rounds(60, TEST_EMULATED ? 6 : 15); seed++) {
        uint32_t state = seed;
        const uint32_t size = 1 + batch_random(&state) % 400;
        batch_mesh m = batch_grid(1 + size / 10, 1 + batch_random(&state) % 20);
        batch_shuffle(&m, seed, batch_random(&state) % 4, batch_random(&state) % 8);
        check(m, NULL);
        m = batch_torus(3 + size / 10, 3 + batch_random(&state) % 10);
        batch_shuffle(&m, seed, 0, batch_random(&state) % 3);
        check_skinned(m, 1 + seed % BONES, 1 + batch_random(&state) % 30, NULL);
        check(batch_tangle(1 + batch_random(&state) % 200, size, seed), NULL);
        check_skinned(batch_tangle(1 + batch_random(&state) % 200, size, seed), 1 + seed % BONES, 1, NULL);
    }
}

/* More triangles than a group may have, between few vertices: doubles, and edges with hundreds of neighbours. */
TEST(meshes_that_lie_upon_themselves)
{
    for (uint32_t vertices = 1; vertices < 80; vertices += 13)
        check(batch_tangle(vertices, 2000, vertices), NULL);
    batch_mesh m = batch_mesh_new(4, 2000);
    for (uint32_t i = 0; i < 500; i++) { /* both sides, over and over */
        batch_mesh_add_quad(&m, 0, 1, 2, 3);
        batch_mesh_add_quad(&m, 3, 2, 1, 0);
    }
    check(m, NULL);
}

TEST(skinned_meshes)
{
    for (uint32_t bones = 1; bones <= BONES; bones++) {
        check_skinned(batch_grid(20, 20), bones, 1, NULL);
        check_skinned(batch_grid(20, 20), bones, 8, NULL);
        check_skinned(batch_torus(30, 20), bones, 50, NULL);
        check_skinned(batch_lone_triangles(100), bones, 1, NULL);
    }
    batch_mesh m = batch_grid(30, 30); /* every vertex has its own */
    batch_set_bones(&m, 1, 1, 1);
    for (uint32_t v = 0; v < m.vertex_count; v++)
        m.bones[v] = (uint16_t)(7 * v);
    check(m, NULL);
}

/* Strips may be used with several bones too. */
TEST(skinned_meshes_have_strips)
{
    batch_mesh m = batch_grid(20, 20);
    batch_set_bones(&m, 4, 84, 3);
    const cache_sim_work n = split_mesh(&m, true, true, NULL);
    CHECK(n.strips > 0 && n.list < 20);
    batch_mesh_free(&m);
}

/* A grid of 70 by 70: about 1.3 loads of each vertex is what round pieces of 70 need. */
TEST(grid_is_cheap)
{
    batch_mesh m = batch_grid(70, 70);
    const cache_sim_work strips = split_mesh(&m, true, true, NULL), old = split_mesh(&m, true, false, NULL);
    const cache_sim_work lists = split_mesh(&m, false, false, NULL);
    CHECK(strips.vertices < m.vertex_count * 13 / 10);
    CHECK(strips.loads <= 100);
    CHECK(strips.list < m.triangle_count / 50 && old.list < m.triangle_count / 50);
    CHECK(strips.strip_indices < m.triangle_count * 5 / 4);
    CHECK((double)strips.rsp_bytes < 0.75 * (double)lists.rsp_bytes);
    CHECK(strips.rsp_bytes <= old.rsp_bytes);
    batch_mesh_free(&m);
}

/* Large ones of every kind. Each would take minutes if a step looked at all triangles. */
TEST(large_meshes)
{
    const uint32_t n = test_rounds(100000, TEST_EMULATED ? 8000 : 25000);
    const uint32_t side = n == 100000 ? 224 : n == 25000 ? 112 : 64;
    batch_mesh all[] = {batch_grid(side, side),
                        batch_torus(n / 200, 100),
                        batch_fan(n),
                        batch_lone_triangles(n),
                        batch_lone_quads(n / 2),
                        batch_tangle(n, n, 5),
                        batch_tangle(2000, n / 2, 6),
                        batch_band(n),
                        batch_grid(n / 2, 1)};
    batch_shuffle(&all[1], 9, 0, 0);
    batch_set_bones(&all[8], BONES, 40, 4);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        split_mesh(&all[i], true, true, NULL);
        batch_mesh_free(&all[i]);
    }
}

/* The same everywhere. A change of the algorithm changes the number; a compiler or a machine must not. */
TEST(same_on_every_machine)
{
    uint32_t hash = 0;
    check(batch_grid(40, 30), &hash);
    check(batch_torus(31, 17), &hash);
    check(batch_tangle(90, 700, 3), &hash);
    check(batch_lone_quads(60), &hash);
    check_skinned(batch_grid(25, 25), 12, 9, &hash);
    batch_mesh m = batch_torus(60, 40);
    batch_shuffle(&m, 77, 1, 2);
    check_skinned(m, 5, 100, &hash);
    CHECK_INT(hash, 3488495761u);
}

/* The same with effort: searches count steps and throw dice of their own. */
TEST(levels_are_the_same_on_every_machine)
{
    uint32_t hash = 0;
    batch_mesh meshes[] = {batch_grid(12, 9), batch_torus(9, 8), batch_lone_quads(40)};
    batch_grow_bones(&meshes[1], 5, 3);
    for (size_t i = 0; i < sizeof meshes / sizeof meshes[0]; i++) {
        for (uint32_t way = 0; way < 4; way++) {
            tl_batch_input in = input_of(&meshes[i], true, true);
            in.level = 2 + way / 2;
            in.resident = way % 2 != 0;
            split_input(&in, &hash);
        }
        batch_mesh_free(&meshes[i]);
    }
    CHECK_INT(hash, 2587511718u);
}

/* Each allocation fails in turn, then each limit is too small: false, and nothing stays behind. */
TEST(memory_runs_out)
{
    batch_mesh m = batch_grid(60, 60);
    batch_set_bones(&m, 6, 60, 2);
    const tl_batch_input in = input_of(&m, true, true);
    bool done = false;
    for (size_t fail_at = 1; !done; fail_at++) {
        meter held = {.fail_at = fail_at};
        const trilo_memory memory = meter_memory(&held, 0);
        tl_batch_output out;
        tl_arena arena;
        tl_arena_init(&arena, &memory);
        done = tl_batch(&arena, &in, &out);
        CHECK(done == (held.calls < fail_at));
        tl_arena_free(&arena);
        CHECK_INT(held.now, 0);
    }
    size_t limit = 1;
    for (done = false; !done; limit += limit / 4 + 1) {
        meter held = {0};
        const trilo_memory memory = meter_memory(&held, limit);
        tl_batch_output out;
        tl_arena arena;
        tl_arena_init(&arena, &memory);
        done = tl_batch(&arena, &in, &out);
        CHECK(held.peak <= limit);
        CHECK_INT(arena.left + held.now, limit); /* what is no longer needed was given back */
        if (done)
            check_output(&in, &out);
        tl_arena_free(&arena);
        CHECK_INT(held.now, 0);
    }
    CHECK(limit > 100000);
    batch_mesh_free(&m);
}

TEST_MAIN(CASE(nothing_at_all), CASE(one_triangle), CASE(one_skinned_triangle), CASE(lone_triangles_are_a_sequence),
          CASE(sizes_near_the_cache), CASE(pieces_that_fit_are_not_cut), CASE(lone_quads_are_cheap),
          CASE(random_meshes), CASE(meshes_that_lie_upon_themselves), CASE(skinned_meshes),
          CASE(skinned_meshes_have_strips), CASE(grid_is_cheap), CASE(large_meshes), CASE(same_on_every_machine),
          CASE(levels_are_the_same_on_every_machine), CASE(memory_runs_out))
