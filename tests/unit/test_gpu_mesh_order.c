/* Triangles ordered for the vertex cache in linear time. */
#include "harness.h"
#include "optimize/gpu_mesh.h"
#include "support/allocations.h"

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

/* ---- the algorithm as it is published ---- */

enum { PLAIN_TRIANGLES = 40, PLAIN_VERTICES = 30 };

typedef struct plain_order {
    const uint32_t *indices;
    uint32_t triangles, vertices;
    bool drawn[PLAIN_TRIANGLES];
    uint32_t entered[PLAIN_VERTICES]; /* the time when it came into the cache */
    uint32_t dead_ends[3 * PLAIN_TRIANGLES], dead_end_count;
} plain_order;

/* Triangles of a vertex that are left, a triangle with the vertex twice as two. */
static uint32_t left_around(const plain_order *p, uint32_t vertex)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < 3 * p->triangles; i++)
        left += !p->drawn[i / 3] && p->indices[i] == vertex;
    return left;
}

static uint32_t after_a_dead_end(plain_order *p)
{
    while (p->dead_end_count > 0)
        if (left_around(p, p->dead_ends[--p->dead_end_count]) > 0)
            return p->dead_ends[p->dead_end_count];
    for (uint32_t v = 0; v < p->vertices; v++)
        if (left_around(p, v) > 0)
            return v;
    return UINT32_MAX;
}

/* Sander, Nehab and Barczak 2007, figure 3, with counting instead of tables. */
static void order_plainly(plain_order *p, uint32_t *out)
{
    uint32_t time = CACHE + 1, written = 0;
    for (uint32_t fan = after_a_dead_end(p), next; fan != UINT32_MAX; fan = next) {
        const uint32_t begin = written;
        for (uint32_t t = 0; t < p->triangles; t++) {
            const uint32_t *corners = &p->indices[3 * t];
            if (p->drawn[t] || (corners[0] != fan && corners[1] != fan && corners[2] != fan))
                continue;
            p->drawn[t] = true;
            for (int k = 0; k < 3; k++) {
                out[written++] = p->dead_ends[p->dead_end_count++] = corners[k];
                if (time - p->entered[corners[k]] > CACHE)
                    p->entered[corners[k]] = time++;
            }
        }
        int best = -1;
        next = UINT32_MAX;
        for (uint32_t i = begin; i < written; i++) {
            const uint32_t left = left_around(p, out[i]), age = time - p->entered[out[i]];
            const int priority = left == 0 ? -1 : age + 2 * left <= CACHE ? (int)age : 0;
            if (priority > best)
                best = priority, next = out[i];
        }
        next = next == UINT32_MAX ? after_a_dead_end(p) : next;
    }
}

TEST(triangles_come_in_the_published_order)
{
    for (uint32_t round = 0; round < 150; round++) {
        uint32_t indices[3 * PLAIN_TRIANGLES], out[3 * PLAIN_TRIANGLES], want[3 * PLAIN_TRIANGLES];
        static plain_order plain;
        tl_arena arena;
        seed = round;
        const uint32_t triangles = random_below(PLAIN_TRIANGLES + 1), vertices = 3 + random_below(PLAIN_VERTICES - 2);
        for (uint32_t i = 0; i < 3 * triangles; i++) /* near ones more often, so that fans form */
            indices[i] = (i / 9 + random_below(5)) % vertices;
        plain = (plain_order){.indices = indices, .triangles = triangles, .vertices = vertices};
        order_plainly(&plain, want);
        tl_arena_init(&arena, NULL);
        const tl_gpu_mesh_input in = {vertices, 3 * triangles, NULL, indices};
        CHECK(tl_gpu_mesh_order_linear(&arena, &in, out));
        for (uint32_t i = 0; i < 3 * triangles; i++)
            CHECK_INT(out[i], want[i]);
        tl_arena_free(&arena);
    }
}

TEST(every_allocation_may_fail)
{
    static const uint32_t indices[6] = {0, 1, 2, 2, 1, 3};
    uint32_t out[6];
    size_t failed = 0;
    for (size_t n = 1; allocations_next(n); n++) {
        tl_arena arena;
        tl_arena_init(&arena, NULL);
        const bool ok = tl_gpu_mesh_order_linear(&arena, &(tl_gpu_mesh_input){4, 6, NULL, indices}, out);
        allocations_allow();
        CHECK(ok == !allocations_denied());
        failed += ok ? 0 : 1;
        tl_arena_free(&arena);
    }
    CHECK(failed > 0);
}

/* Every byte of every stream counts, and to[] is the first of equal ones. */
TEST(streams_are_welded_as_one)
{
    enum { COUNT = 60 };
    for (uint32_t round = 0; round < 100; round++) {
        uint8_t a[COUNT][3], b[COUNT][5];
        uint32_t to[COUNT];
        tl_arena arena;
        seed = round;
        memset(a, 7, sizeof a);
        memset(b, 9, sizeof b);
        for (uint32_t i = 0; i < COUNT; i++)
            a[i][random_below(3)] = (uint8_t)random_below(2), b[i][random_below(5)] = (uint8_t)random_below(2);
        const tl_gpu_mesh_stream streams[2] = {{a, sizeof a[0]}, {b, sizeof b[0]}};
        tl_arena_init(&arena, NULL);
        CHECK(tl_gpu_mesh_weld(&arena, streams, 2, COUNT, to));
        for (uint32_t i = 0; i < COUNT; i++) {
            uint32_t first = 0;
            while (memcmp(a[first], a[i], sizeof a[0]) != 0 || memcmp(b[first], b[i], sizeof b[0]) != 0)
                first++;
            CHECK_INT(to[i], first);
        }
        tl_arena_free(&arena);
    }
}

TEST(vertices_are_numbered_by_their_first_use)
{
    static const uint32_t indices[9] = {4, 2, 4, 0, 2, 5, 5, 4, 0};
    static const uint32_t want[7] = {2, TRILO_NONE, 1, TRILO_NONE, 0, 3, TRILO_NONE};
    uint32_t to[7];
    CHECK_INT(tl_gpu_mesh_fetch(indices, 9, 7, to), 4);
    for (int i = 0; i < 7; i++)
        CHECK_INT(to[i], want[i]);
    CHECK_INT(tl_gpu_mesh_fetch(indices, 0, 7, to), 0);
    CHECK_INT(to[0], TRILO_NONE);
}

TEST_MAIN(CASE(triangles_come_in_the_published_order), CASE(every_allocation_may_fail), CASE(streams_are_welded_as_one),
          CASE(vertices_are_numbered_by_their_first_use), CASE(only_equal_vertices_are_welded),
          CASE(a_grid_reuses_its_vertices), CASE(odd_triangles_stay), CASE(a_crowded_vertex_takes_no_time))
