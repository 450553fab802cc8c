/* Annealing (tl_batch_anneal) beside a plain one, which takes the same steps in the same order, but finds what a step
 * costs by taking it and counting all batches again. The costs are written down once more, in bytes. */
#include "harness.h"
#include "optimize/t3d_batch_steps.h"
#include "support/batch_meshes.h"

#include <string.h>

enum { VERTICES = 512, TRIANGLES = 20100, BATCHES = 64, BONES = 16 };

/* --- the plain one --- */

typedef struct plain {
    const tl_batch_input *in;
    bool resident;
    uint32_t batch_count, random, full, large_steps;
    uint64_t temperature;
    uint32_t batch[TRIANGLES], triangles[BATCHES];
    uint32_t counts[VERTICES][BATCHES]; /* of each vertex: its triangles in each batch */
    uint32_t users[VERTICES][BATCHES],
        user_count[VERTICES];                         /* its batches; the last takes the place of one that goes */
    uint32_t island[VERTICES], island_size[VERTICES]; /* the least vertex of its component, and how many it has */
    bool cut[VERTICES];
    uint32_t moved[TRIANGLES], moved_count;
} plain;

static bool is_again(const uint32_t *t, int c)
{
    return (c > 0 && t[c] == t[0]) || (c > 1 && t[c] == t[1]);
}

static void plain_enter(plain *p, uint32_t triangle, uint32_t batch)
{
    const uint32_t *t = p->in->triangles[triangle];
    for (int c = 0; c < 3; c++)
        if (!is_again(t, c) && p->counts[t[c]][batch]++ == 0)
            p->users[t[c]][p->user_count[t[c]]++] = batch;
    p->batch[triangle] = batch;
    p->triangles[batch]++;
}

static void plain_move(plain *p, uint32_t triangle, uint32_t to)
{
    const uint32_t *t = p->in->triangles[triangle], from = p->batch[triangle];
    for (int c = 0; c < 3; c++) {
        if (is_again(t, c) || --p->counts[t[c]][from] > 0)
            continue;
        uint32_t at = 0;
        while (p->users[t[c]][at] != from)
            at++;
        p->users[t[c]][at] = p->users[t[c]][--p->user_count[t[c]]];
    }
    p->triangles[from]--;
    plain_enter(p, triangle, to);
}

static uint32_t plain_vertices(const plain *p, uint32_t batch)
{
    uint32_t count = 0;
    for (uint32_t v = 0; v < p->in->vertex_count; v++)
        count += p->counts[v][batch] > 0 ? 1 : 0;
    return count;
}

/* In sixteenths of a byte. A command counts 12 bytes more than it has. */
static int64_t plain_load_cost(uint32_t vertices, bool bone)
{
    const uint32_t load = 12 + 12 + 16 * (vertices + vertices % 2), matrix = 8 + 12 + 192;
    return vertices == 0 ? 0 : 16 * (int64_t)(load + (bone ? matrix : 0));
}

/* A strip and a sequence, of a batch with less than 24 vertices so many 24ths of that, and 7 bytes for each of up to 6
 * slots that lack. 16 triangles have 19 indices, and a slot holds 18. */
static int64_t plain_draw_cost(uint32_t vertices, uint32_t triangles)
{
    const uint32_t indices = 19 * triangles / 16, end = vertices + (indices + 17) / 18;
    const uint32_t lacks = end <= 70 ? 0 : end <= 76 ? end - 70 : 6;
    return 16 * 2 * (8 + 12) * (vertices < 24 ? vertices : 24) / 24 + 16 * 7 * lacks;
}

/* Of the batches between which something moves, and of those after them. */
static int64_t plain_cost(const plain *p, uint32_t from, uint32_t to)
{
    int64_t cost = 0;
    for (uint32_t g = 0; g < p->batch_count; g++) {
        if (g != from && g != to && g != from + 1 && g != to + 1)
            continue;
        uint32_t loads[BONES + 1] = {0}; /* the last without a bone */
        for (uint32_t v = 0; v < p->in->vertex_count; v++) {
            const bool stays = p->resident && g > 0 && p->counts[v][g - 1] > 0;
            const uint32_t bone = p->in->bones && p->in->bones[v] != TL_BATCH_NO_BONE ? p->in->bones[v] : BONES;
            loads[bone] += p->counts[v][g] > 0 && !stays ? 1 : 0;
        }
        cost += plain_draw_cost(plain_vertices(p, g), p->triangles[g]);
        for (uint32_t bone = 0; bone <= BONES; bone++)
            cost += plain_load_cost(loads[bone], bone < BONES);
    }
    return cost;
}

static uint32_t plain_random(plain *p, uint32_t below)
{
    return batch_random(&p->random) % below;
}

/* -256 log2(number / 2^24), linear between powers of two. */
static bool plain_accepts(plain *p, int64_t change)
{
    if (change <= 0)
        return true;
    const uint64_t number = batch_random(&p->random) | 1;
    uint32_t power = 0;
    while (number >> (power + 1) != 0)
        power++;
    const uint64_t fraction = ((number << 8) >> power) - 256;
    return (uint64_t)change * 256 < p->temperature * (256 * (24 - power) - fraction);
}

/* Moves the triangles, and back if that costs too much. */
static bool plain_try(plain *p, uint32_t from, uint32_t to)
{
    const int64_t before = plain_cost(p, from, to);
    for (uint32_t i = 0; i < p->moved_count; i++)
        plain_move(p, p->moved[i], to);
    if (plain_vertices(p, to) <= p->full && p->triangles[to] <= 512 &&
        plain_accepts(p, plain_cost(p, from, to) - before))
        return true;
    for (uint32_t i = 0; i < p->moved_count; i++)
        plain_move(p, p->moved[i], from);
    return false;
}

/* The same, but if it costs too much the order of batches at a vertex stays what it was. */
static void plain_try_exactly(plain *p, uint32_t from, uint32_t to)
{
    static uint32_t users[VERTICES][BATCHES], counts[VERTICES];
    memcpy(users, p->users, p->in->vertex_count * sizeof *users);
    memcpy(counts, p->user_count, sizeof counts);
    if (plain_try(p, from, to))
        return;
    memcpy(p->users, users, p->in->vertex_count * sizeof *users);
    memcpy(p->user_count, counts, sizeof counts);
}

static void plain_try_triangle(plain *p)
{
    const uint32_t triangle = plain_random(p, p->in->triangle_count);
    const uint32_t vertex = p->in->triangles[triangle][plain_random(p, 3)];
    if (p->user_count[vertex] < 2)
        return;
    const uint32_t to = p->users[vertex][plain_random(p, p->user_count[vertex])];
    if (to == p->batch[triangle])
        return;
    p->moved_count = 1;
    p->moved[0] = triangle;
    plain_try_exactly(p, p->batch[triangle], to);
}

/* All triangles of a component, or only those of one batch that are connected there. */
static uint32_t plain_gather(plain *p, uint32_t start, bool whole)
{
    static bool taken[TRIANGLES];
    bool reached[VERTICES] = {false};
    uint32_t vertices = 0;
    memset(taken, 0, p->in->triangle_count * sizeof *taken);
    p->moved_count = 0;
    for (bool grown = true; grown;) {
        grown = false;
        for (uint32_t i = 0; i < p->in->triangle_count && (whole || p->moved_count <= 64); i++) {
            const uint32_t *t = p->in->triangles[i];
            if (taken[i] || (!whole && p->batch[i] != p->batch[start]) ||
                !(i == start || reached[t[0]] || reached[t[1]] || reached[t[2]]))
                continue;
            taken[i] = grown = true;
            p->moved[p->moved_count++] = i;
            for (int c = 0; c < 3; c++) {
                vertices += reached[t[c]] ? 0 : 1;
                reached[t[c]] = true;
            }
        }
    }
    return vertices;
}

static void plain_try_component(plain *p)
{
    const uint32_t triangle = plain_random(p, p->in->triangle_count), from = p->batch[triangle];
    const uint32_t to = plain_random(p, p->batch_count), island = p->island[p->in->triangles[triangle][0]];
    if (from == to || plain_vertices(p, to) >= p->full)
        return;
    const bool large = p->island_size[island] > 32;
    if (!large && !p->cut[island]) {
        plain_gather(p, triangle, true);
        plain_try_exactly(p, from, to);
    } else if ((!large || p->large_steps++ % 8 == 0) && plain_gather(p, triangle, false) <= 32 &&
               p->moved_count <= 64) {
        plain_try_exactly(p, from, to);
    }
}

static bool plain_has_bone(const plain *p, uint32_t triangle, uint16_t bone)
{
    const uint32_t *t = p->in->triangles[triangle];
    return p->in->bones[t[0]] == bone || p->in->bones[t[1]] == bone || p->in->bones[t[2]] == bone;
}

static void plain_try_bone(plain *p)
{
    const uint32_t triangle = plain_random(p, p->in->triangle_count), from = p->batch[triangle];
    const uint16_t bone = p->in->bones[p->in->triangles[triangle][plain_random(p, 3)]];
    const uint32_t other = plain_random(p, p->in->triangle_count), to = p->batch[other];
    if (from == to || !plain_has_bone(p, other, bone))
        return;
    p->moved_count = 0;
    for (uint32_t t = 0; t < p->in->triangle_count; t++)
        if (p->batch[t] == from && plain_has_bone(p, t, bone))
            p->moved[p->moved_count++] = t;
    if (p->moved_count > 64 || !plain_try(p, from, to))
        return;
    for (uint32_t i = 0; i < p->moved_count; i++)
        p->cut[p->island[p->in->triangles[p->moved[i]][0]]] = true;
}

static void plain_begin(plain *p, const tl_batch_list *batches)
{
    for (uint32_t v = 0; v < p->in->vertex_count; v++)
        p->island[v] = v;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < 3 * p->in->triangle_count; i++) {
            const uint32_t *t = p->in->triangles[i / 3];
            uint32_t *a = &p->island[t[i % 3]];
            const uint32_t b = p->island[t[(i + 1) % 3]];
            changed = changed || b < *a;
            *a = b < *a ? b : *a;
        }
    }
    for (uint32_t v = 0; v < p->in->vertex_count; v++)
        p->island_size[p->island[v]]++;
    uint32_t home[VERTICES];
    memset(home, 0xFF, sizeof home);
    for (uint32_t g = 0; g < batches->count; g++)
        for (uint32_t i = batches->first[g]; i < batches->first[g + 1]; i++) {
            plain_enter(p, batches->order[i], g);
            const uint32_t island = p->island[p->in->triangles[batches->order[i]][0]];
            home[island] = home[island] == UINT32_MAX ? g : home[island];
            p->cut[island] = p->cut[island] || home[island] != g;
        }
}

/* How many triangles count: with bones, four times up to 500 of them, as 2000 up to that number. From 4000 on one in 24
 * does, up to 20,000. */
static uint32_t plain_counted(uint32_t triangles, bool bones)
{
    if (bones && triangles < 2000)
        return triangles < 500 ? 4 * triangles : 2000;
    const uint32_t some = triangles > 20000 ? 20000 : triangles;
    return some > 4000 ? 4000 + (some - 4000) / 24 : some;
}

static void plain_anneal(plain *p, const tl_batch_effort *effort)
{
    const uint32_t triangles = p->in->triangle_count;
    const bool bones = p->in->bones != NULL;
    const uint64_t steps = (uint64_t)effort->steps * plain_counted(triangles, bones) / effort->stages;
    uint64_t fine = UINT64_C(16) * 256 * effort->temperature * (bones ? 2 : 1);
    for (uint32_t stage = 0; stage < effort->stages; stage++) {
        p->temperature = fine / 256;
        fine -= fine * 25 / (9 * effort->stages);
        for (uint64_t step = 0; step < steps; step++)
            if (step % 8 == 0)
                plain_try_component(p);
            else if (bones && step % (64 + triangles / 32) == 1)
                plain_try_bone(p);
            else
                plain_try_triangle(p);
    }
}

/* --- both --- */

static void check_same(const plain *p, const tl_batch_list *list)
{
    uint32_t count = 0, at = 0;
    for (uint32_t g = 0; g < p->batch_count; g++) {
        if (p->triangles[g] == 0)
            continue;
        CHECK(count < list->count);
        CHECK_INT(list->first[count++], at);
        for (uint32_t t = 0; t < p->in->triangle_count; t++)
            if (p->batch[t] == g)
                CHECK_INT(list->order[at++], t);
    }
    CHECK_INT(list->count, count);
    CHECK_INT(list->first[count], at);
}

static void compare(const batch_mesh *m, bool resident, uint32_t size, const tl_batch_effort *effort)
{
    static plain p;
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    const tl_batch_input in = batch_input(m);
    tl_batch_list list = batch_cut_evenly(&arena, &in, size);
    memset(&p, 0, sizeof p);
    p.in = &in;
    p.resident = resident;
    p.batch_count = list.count + 1;
    p.random = effort->seed;
    p.full = effort->full > 0 ? effort->full : 70;
    CHECK(p.batch_count <= BATCHES && in.vertex_count <= VERTICES && in.triangle_count <= TRIANGLES);
    plain_begin(&p, &list);
    plain_anneal(&p, effort);
    CHECK(tl_batch_anneal(&arena, &in, resident, effort, &list));
    check_same(&p, &list);
    tl_arena_free(&arena);
}

/* The second mesh beside the first. */
static batch_mesh join(batch_mesh a, batch_mesh b)
{
    batch_mesh m = batch_mesh_new(a.vertex_count + b.vertex_count, a.triangle_count + b.triangle_count);
    for (uint32_t t = 0; t < a.triangle_count + b.triangle_count; t++) {
        const bool second = t >= a.triangle_count;
        const uint32_t *v = second ? b.triangles[t - a.triangle_count] : a.triangles[t];
        const uint32_t first = second ? a.vertex_count : 0;
        batch_mesh_add(&m, first + v[0], first + v[1], first + v[2]);
    }
    batch_mesh_free(&a);
    batch_mesh_free(&b);
    return m;
}

/* With and without vertices that stay, and bones of three kinds: none, for each vertex, and spread over the mesh. */
static void compare_ways(batch_mesh m, uint32_t size, uint32_t seed)
{
    const tl_batch_effort effort = {.steps = 6 + seed % 5,
                                    .stages = 1 + seed % 4,
                                    .temperature = 4 * (seed % 8),
                                    .seed = seed,
                                    .full = seed % 3 == 0 ? 64 : 0};
    for (uint32_t bones = 0; bones < 3; bones++) {
        if (bones == 1)
            batch_set_bones(&m, 4, 5, seed);
        else if (bones == 2)
            batch_grow_bones(&m, 6, seed);
        compare(&m, false, size, &effort);
        compare(&m, true, size, &effort);
    }
    batch_mesh_free(&m);
}

TEST(surfaces_are_cut_as_by_the_plain_one)
{
    for (uint32_t seed = 1; seed <= 3; seed++) {
        batch_mesh m = seed % 2 == 0 ? batch_torus(8, 6) : batch_grid(7, 7);
        batch_shuffle(&m, seed, 0, 1);
        compare_ways(m, 17 + seed, seed);
    }
}

/* Pieces of 32 vertices move as a whole, larger ones do not: bands of 32 and of 33, and quadrilaterals. */
TEST(components_move_as_by_the_plain_one)
{
    for (uint32_t seed = 1; seed <= 3; seed++) {
        batch_mesh m = join(batch_lone_quads(12), join(batch_band(30), batch_band(31)));
        if (seed == 3)
            batch_shuffle(&m, seed, 0, 0);
        compare_ways(m, 19 + seed, seed + 4);
    }
}

/* Degenerate triangles, doubles, and vertices that many batches have. */
TEST(tangles_are_cut_as_by_the_plain_one)
{
    for (uint32_t seed = 1; seed <= 4; seed++)
        compare_ways(batch_tangle(12 + 10 * seed, 80, seed), 23, seed + 8);
}

/* Of a large component, what a batch has moves as a whole with up to 32 vertices and 64 triangles. The band has every
 * triangle once, so 30 have 32 vertices; then each three times, where 64 have 24. */
TEST(parts_move_up_to_a_size)
{
    for (uint32_t times = 1; times <= 3; times += 2)
        for (uint32_t more = 0; more < 2; more++) {
            const batch_mesh band = batch_band(90 / times);
            batch_mesh m = batch_mesh_new(band.vertex_count, 90 * 3);
            for (uint32_t t = 0; t < band.triangle_count * times; t++)
                batch_mesh_add(&m, band.triangles[t / times][0], band.triangles[t / times][1],
                               band.triangles[t / times][2]);
            const tl_batch_effort effort = {.steps = 20, .stages = 1, .temperature = 400, .seed = times};
            compare(&m, false, (times == 1 ? 30 : 64) + more, &effort);
            compare(&m, true, (times == 1 ? 30 : 64) + more, &effort);
            batch_mesh_free(&m);
            batch_mesh_free((batch_mesh[]){band});
        }
}

/* One triangle over and over, in batches of which one has room: whatever is drawn at random moves, so one step more or
 * less is seen. Sizes are those around which the number of steps for each triangle changes. */
TEST(large_meshes_take_fewer_steps)
{
    static const uint32_t sizes[] = {499, 500, 501, 1999, 2000, 2001, 3999, 4001, 4023, 4024, 20000, 20024};
    for (uint32_t i = 0; i < 2 * sizeof sizes / sizeof *sizes; i++) {
        const uint32_t size = sizes[i / 2];
        batch_mesh m = batch_mesh_new(3, size);
        for (uint32_t t = 0; t < size; t++)
            batch_mesh_add(&m, 0, 1, 2);
        if (i % 2 != 0)
            batch_set_bones(&m, 1, 3, 1);
        if (i % 2 == 0 || size <= 2001) {
            const tl_batch_effort effort = {.steps = 1, .stages = 1, .temperature = 1000, .seed = i};
            compare(&m, false, 400, &effort);
        }
        batch_mesh_free(&m);
    }
}

/* A batch may get up to 512 triangles and no more. */
TEST(batches_have_a_limit_of_triangles)
{
    batch_mesh m = batch_mesh_new(3, 1100);
    for (uint32_t t = 0; t < 1100; t++)
        batch_mesh_add(&m, 0, 1, 2);
    const tl_batch_effort effort = {.steps = 4, .stages = 2, .temperature = 1000, .seed = 3};
    compare(&m, false, 500, &effort);
    batch_mesh_free(&m);
}

/* A single batch, or none, stays as it is. */
TEST(one_batch_stays)
{
    batch_mesh m = batch_band(40);
    const tl_batch_input in = batch_input(&m);
    const tl_batch_effort effort = {.steps = 100, .stages = 2, .temperature = 100, .seed = 1};
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    tl_batch_list list = batch_cut_evenly(&arena, &in, 40);
    CHECK(tl_batch_anneal(&arena, &in, false, &effort, &list));
    CHECK_INT(list.count, 1);
    CHECK_INT(list.first[1], 40);
    list = batch_cut_evenly(&arena, &in, 20); /* but two do not */
    CHECK(tl_batch_anneal(&arena, &in, false, &effort, &list));
    CHECK(list.count != 2 || list.first[1] != 20);
    tl_arena_free(&arena);
    batch_mesh_free(&m);
}

/* --- what stops it --- */

static bool count_calls(void *user, uint32_t done, uint32_t total)
{
    (void)done, (void)total;
    uint32_t *left = user;
    return (*left)-- > 1;
}

/* It asks at the beginning of each stage, and after 2^18 steps. */
TEST(asks_whether_to_go_on)
{
    static const struct {
        uint32_t steps, stages, asks;
    } rows[] = {{4096, 1, 1}, {4097, 1, 2}, {2, 2, 2}, {3, 3, 3}};
    batch_mesh m = batch_lone_triangles(64);
    for (size_t i = 0; i < 2 * sizeof rows / sizeof *rows; i++) {
        uint32_t left = rows[i / 2].asks + (uint32_t)i % 2;
        tl_report report = {.on_progress = count_calls, .on_progress_user = &left};
        const tl_batch_effort effort = {.steps = rows[i / 2].steps, .stages = rows[i / 2].stages, .seed = 1};
        tl_batch_input in = batch_input(&m);
        tl_arena arena;
        tl_arena_init(&arena, NULL);
        in.progress = &report;
        tl_batch_list list = batch_cut_evenly(&arena, &in, 20);
        CHECK(tl_batch_anneal(&arena, &in, false, &effort, &list) == (i % 2 != 0)); /* the last answer is no */
        CHECK_INT(left, i % 2);
        tl_arena_free(&arena);
    }
    batch_mesh_free(&m);
}

/* Each array in turn has no memory. */
TEST(memory_runs_out)
{
    batch_mesh m = batch_grid(7, 7);
    const tl_batch_effort effort = {.steps = 1, .stages = 1, .temperature = 4, .seed = 1};
    batch_grow_bones(&m, 5, 1);
    const tl_batch_input in = batch_input(&m);
    tl_arena lists;
    tl_arena_init(&lists, NULL);
    uint32_t failures = 0;
    for (bool done = false; !done; failures++) {
        tl_batch_list list = batch_cut_evenly(&lists, &in, 20);
        tl_arena arena;
        tl_arena_init(&arena, NULL);
        arena.left = 64 + 32 * (size_t)failures;
        done = tl_batch_anneal(&arena, &in, false, &effort, &list);
        CHECK(done == !arena.failed);
        tl_arena_free(&arena);
    }
    CHECK(failures > 100);
    tl_arena_free(&lists);
    batch_mesh_free(&m);
}

/* 65,536 bones: with 255 batches and an empty one their table is as large as allowed, with one more there is no
 * search. */
TEST(too_many_bones_are_not_searched)
{
    enum { MANY = 65536 };
    static uint16_t bones[MANY];
    batch_mesh m = batch_lone_triangles(256);
    for (uint32_t v = 0; v < MANY; v++)
        bones[v] = (uint16_t)v;
    const tl_batch_effort effort = {.steps = 1, .stages = 1, .temperature = 1000, .seed = 1};
    for (uint32_t count = 255; count <= 256; count++) {
        tl_batch_input in = batch_input(&m);
        in.vertex_count = MANY;
        in.triangle_count = count;
        in.bones = bones;
        tl_arena arena;
        tl_arena_init(&arena, NULL);
        tl_batch_list list = batch_cut_evenly(&arena, &in, 1);
        CHECK(tl_batch_anneal(&arena, &in, false, &effort, &list));
        CHECK((list.count < count) == (count == 255));
        tl_arena_free(&arena);
    }
    batch_mesh_free(&m);
}

TEST_MAIN(CASE(surfaces_are_cut_as_by_the_plain_one), CASE(components_move_as_by_the_plain_one),
          CASE(tangles_are_cut_as_by_the_plain_one), CASE(parts_move_up_to_a_size), CASE(large_meshes_take_fewer_steps),
          CASE(batches_have_a_limit_of_triangles), CASE(one_batch_stays), CASE(asks_whether_to_go_on),
          CASE(memory_runs_out), CASE(too_many_bones_are_not_searched))
