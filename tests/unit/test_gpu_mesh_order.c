/* Triangles ordered for the vertex cache in linear time. */
#include "harness.h"
#include "optimize/gpu_mesh.h"

#include <stdlib.h>
#include <string.h>

enum { SIDE = 40, GRID_VERTICES = SIDE * SIDE, GRID_TRIANGLES = 2 * (SIDE - 1) * (SIDE - 1), CACHE = 16 };

static uint32_t seed;

static uint32_t random_below(uint32_t limit)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % limit;
}

static int compare_triangles(const void *a, const void *b)
{
    return memcmp(a, b, 3 * sizeof(uint32_t));
}

/* The same triangles, each with its corners in the same order. */
static void check_same_triangles(const uint32_t *before, const uint32_t *after, uint32_t count)
{
    const size_t size = (size_t)count * 3 * sizeof *before;
    uint32_t *a = malloc(size + 1), *b = malloc(size + 1);
    CHECK(a && b);
    memcpy(a, before, size);
    memcpy(b, after, size);
    qsort(a, count, 3 * sizeof *a, compare_triangles);
    qsort(b, count, 3 * sizeof *b, compare_triangles);
    const bool same = memcmp(a, b, size) == 0;
    free(a);
    free(b);
    CHECK(same);
}

/* Of a cache that forgets what was loaded first. */
static double misses_each(const uint32_t *indices, uint32_t index_count)
{
    uint32_t cache[CACHE], used = 0, misses = 0;
    for (uint32_t i = 0; i < index_count; i++) {
        bool hit = false;
        for (uint32_t k = 0; k < used && k < CACHE; k++)
            hit |= cache[k] == indices[i];
        if (!hit) {
            cache[misses++ % CACHE] = indices[i];
            used = used < CACHE ? used + 1 : CACHE;
        }
    }
    return (double)misses / (index_count / 3);
}

/* A grid whose triangles are shuffled. A vertex serves two triangles at best: the limit is 0.5. */
TEST(a_grid_reuses_its_vertices)
{
    static uint32_t indices[3 * GRID_TRIANGLES], out[3 * GRID_TRIANGLES];
    tl_arena arena;
    uint32_t count = 0;
    for (uint32_t y = 0; y + 1 < SIDE; y++)
        for (uint32_t x = 0; x + 1 < SIDE; x++) {
            const uint32_t at = y * SIDE + x, quad[6] = {at, at + 1, at + SIDE, at + 1, at + SIDE + 1, at + SIDE};
            memcpy(indices + count, quad, sizeof quad);
            count += 6;
        }
    seed = 1;
    for (uint32_t i = GRID_TRIANGLES; i-- > 1;) {
        uint32_t other = random_below(i + 1), kept[3];
        memcpy(kept, indices + 3 * i, sizeof kept);
        memcpy(indices + 3 * i, indices + 3 * other, sizeof kept);
        memcpy(indices + 3 * other, kept, sizeof kept);
    }
    tl_arena_init(&arena, NULL);
    const tl_gpu_mesh_input in = {GRID_VERTICES, count, NULL, indices};
    CHECK(tl_gpu_mesh_order_linear(&arena, &in, out));
    check_same_triangles(indices, out, GRID_TRIANGLES);
    CHECK(misses_each(indices, count) > 2);
    CHECK(misses_each(out, count) < 0.8);
    tl_arena_free(&arena);
}

TEST(odd_triangles_stay)
{
    for (uint32_t round = 0; round < 200; round++) {
        uint32_t indices[3 * 50], out[3 * 50];
        tl_arena arena;
        seed = round;
        const uint32_t triangles = random_below(51), vertices = 1 + random_below(30);
        for (uint32_t i = 0; i < 3 * triangles; i++)
            indices[i] = random_below(vertices); /* with triangles that are lines and points */
        tl_arena_init(&arena, NULL);
        const tl_gpu_mesh_input in = {vertices, 3 * triangles, NULL, indices};
        CHECK(tl_gpu_mesh_order_linear(&arena, &in, out));
        check_same_triangles(indices, out, triangles);
        tl_arena_free(&arena);
    }
}

/* Half a million triangles at one vertex: with the square of their number this would take ten minutes. */
TEST(a_crowded_vertex_takes_no_time)
{
    enum { TRIANGLES = 500000 };
    if (!tl_gpu_mesh_has_meshopt())
        SKIP("built without meshoptimizer");
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    uint32_t *indices = TL_ARRAY(&arena, 3 * TRIANGLES, uint32_t), *out = TL_ARRAY(&arena, 3 * TRIANGLES, uint32_t);
    float(*positions)[3] = tl_array(&arena, TRIANGLES + 2, sizeof *positions);
    CHECK(indices && out && positions);
    for (uint32_t i = 0; i < TRIANGLES; i++) {
        indices[3 * i + 1] = i + 1;
        indices[3 * i + 2] = i + 2;
        positions[i + 1][0] = (float)i;
    }
    const tl_gpu_mesh_input in = {TRIANGLES + 2, 3 * TRIANGLES, (const float(*)[3])positions, indices};
    CHECK(tl_gpu_mesh_order(&arena, &in, out));
    check_same_triangles(indices, out, TRIANGLES);
    tl_arena_free(&arena);
}

/* Of so many different vertices, about ten pairs have the same hash of 32 bits: the bytes decide. */
TEST(only_equal_vertices_are_welded)
{
    enum { VERTICES = 300000, WORDS = 3 };
    uint32_t(*bytes)[WORDS] = malloc(VERTICES * sizeof *bytes), *to = malloc(VERTICES * sizeof *to);
    tl_arena arena;
    CHECK(bytes && to);
    tl_arena_init(&arena, NULL);
    seed = 1;
    for (uint32_t v = 0; v < VERTICES; v++) {
        bytes[v][0] = v; /* all are different */
        bytes[v][1] = random_below(1u << 24);
        bytes[v][2] = random_below(1u << 24);
    }
    memcpy(bytes[VERTICES - 1], bytes[7], sizeof *bytes);
    const tl_gpu_mesh_stream stream = {bytes, sizeof *bytes};
    CHECK(tl_gpu_mesh_weld(&arena, &stream, 1, VERTICES, to));
    for (uint32_t v = 0; v < VERTICES - 1; v++)
        CHECK_INT(to[v], v);
    CHECK_INT(to[VERTICES - 1], 7);
    tl_arena_free(&arena);
    free(bytes);
    free(to);
}

TEST_MAIN(CASE(only_equal_vertices_are_welded), CASE(a_grid_reuses_its_vertices), CASE(odd_triangles_stay),
          CASE(a_crowded_vertex_takes_no_time))
