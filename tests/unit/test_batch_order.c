/* Partitions of a mesh beside plain ones: what they cost, batches that grow bone by bone, and the order of batches.
 * Each plain one does what the comment at the beginning of a source file says, and looks at everything each time. */
#include "harness.h"
#include "optimize/t3d_batch_steps.h"
#include "support/batch_meshes.h"

#include <string.h>

enum { VERTICES = 256, TRIANGLES = 1400, BATCHES = 64 };

static tl_batch_input input_of(const batch_mesh *m)
{
    CHECK(m->vertex_count <= VERTICES && m->triangle_count <= TRIANGLES);
    return batch_input(m);
}

static uint16_t bone_of(const tl_batch_input *in, uint32_t vertex)
{
    return in->bones ? in->bones[vertex] : TL_BATCH_NO_BONE;
}

/* Which vertices a batch has. */
static uint32_t find_vertices(const tl_batch_input *in, const tl_batch_list *list, uint32_t batch, bool *has)
{
    uint32_t count = 0;
    memset(has, 0, VERTICES * sizeof *has);
    for (uint32_t i = list->first[batch]; i < list->first[batch + 1]; i++)
        for (int c = 0; c < 3; c++) {
            bool *vertex = &has[in->triangles[list->order[i]][c]];
            count += *vertex ? 0 : 1;
            *vertex = true;
        }
    return count;
}

/* --- costs --- */

/* In sixteenths of a byte: a command counts 12 bytes more than it has, vertices are loaded in pairs of 16 bytes each, a
 * bone sets a matrix of 192 bytes. */
static uint64_t plain_load_cost(uint32_t vertices, bool bone)
{
    return vertices == 0 ? 0 : 16u * (12 + 12 + 16 * (vertices + vertices % 2) + (bone ? 8 + 12 + 192 : 0));
}

/* Vertices with one bone each, and those without. */
static uint64_t plain_loads(const tl_batch_input *in, const bool *has)
{
    uint64_t cost = 0;
    bool done[VERTICES] = {false};
    for (uint32_t v = 0; v < in->vertex_count; v++) {
        uint32_t count = 0;
        for (uint32_t w = v; w < in->vertex_count; w++)
            if (has[w] && !done[w] && bone_of(in, w) == bone_of(in, v)) {
                done[w] = true;
                count++;
            }
        cost += plain_load_cost(count, bone_of(in, v) != TL_BATCH_NO_BONE);
    }
    return cost;
}

/* A command has 8 bytes. Triangles without a common vertex are one sequence, others need a strip too, whose indices
 * take slots above the vertices: 16 triangles have 19, a slot holds 18, and each that lacks costs 7 bytes, up to 6. */
static uint64_t plain_draw(uint32_t vertices, uint32_t triangles)
{
    const uint32_t end = vertices + (19 * triangles / 16 + 17) / 18;
    const uint32_t lacks = vertices < 24 || end <= 70 ? 0 : end < 76 ? end - 70 : 6;
    return 16u * (8 + 12) * (vertices >= 3 * triangles ? 1 : 2) + (vertices >= 3 * triangles ? 0 : 16 * 7 * lacks);
}

static uint64_t plain_estimate(const tl_batch_input *in, const tl_batch_list *list)
{
    uint64_t cost = 0;
    bool has[VERTICES];
    for (uint32_t g = 0; g < list->count; g++) {
        const uint32_t vertices = find_vertices(in, list, g, has);
        cost += plain_draw(vertices, list->first[g + 1] - list->first[g]) + plain_loads(in, has);
    }
    return cost;
}

static void check_estimates(const tl_batch_input *in, tl_arena *arena)
{
    tl_batch_estimator estimator;
    CHECK(tl_batch_estimator_new(arena, in, &estimator));
    for (uint32_t size = 1; size <= 23; size += 2) {
        const tl_batch_list list = batch_cut_evenly(arena, in, size);
        CHECK_INT(tl_batch_estimate(&estimator, &list), plain_estimate(in, &list));
        CHECK_INT(tl_batch_estimate_one(&estimator, &list, list.count - 1),
                  plain_estimate(
                      in, &(tl_batch_list){.count = 1, .first = list.first + list.count - 1, .order = list.order}));
    }
}

TEST(partitions_are_estimated)
{
    for (uint32_t seed = 0; seed < 6; seed++) {
        batch_mesh m = seed % 2 == 0 ? batch_grid(6, 6) : batch_tangle(40, 60, seed);
        tl_arena arena;
        tl_arena_init(&arena, NULL);
        if (seed % 3 > 0)
            batch_set_bones(&m, 3, seed % 3, seed);
        const tl_batch_input in = input_of(&m);
        check_estimates(&in, &arena);
        tl_arena_free(&arena);
        batch_mesh_free(&m);
    }
}

/* A fan of up to 68 triangles has up to 70 vertices, a band that is drawn over and over has more triangles. */
TEST(full_batches_are_estimated)
{
    for (uint32_t size = 1; size <= 68; size++)
        for (uint32_t times = 1; times <= 4; times += 3) {
            batch_mesh m = batch_mesh_new(size + 2, size * times);
            for (uint32_t t = 0; t < size * times; t++)
                batch_mesh_add(&m, 0, t % size + 1, t % size + 2);
            const tl_batch_input in = input_of(&m);
            tl_batch_estimator estimator;
            tl_arena arena;
            tl_arena_init(&arena, NULL);
            CHECK(tl_batch_estimator_new(&arena, &in, &estimator));
            const tl_batch_list list = batch_cut_evenly(&arena, &in, in.triangle_count);
            CHECK_INT(tl_batch_estimate(&estimator, &list), plain_estimate(&in, &list));
            tl_arena_free(&arena);
            batch_mesh_free(&m);
        }
}

/* Batches of 70 vertices and one with the rest, each with one load and a sequence, and loads besides these that have
 * no vertices of their own. Those of bones set a matrix. */
TEST(the_least_estimate)
{
    for (uint32_t bones = 0; bones < 2; bones++)
        for (uint32_t more = 0; more < 3; more++)
            for (uint32_t vertices = 0; vertices <= 141; vertices++) {
                const uint64_t empty = plain_load_cost(2, bones == 1) - (uint64_t)16 * 2 * 16;
                uint64_t want = more * empty;
                tl_batch_loads loads = {.count = more};
                for (uint32_t left = vertices; left > 0; left -= left < 70 ? left : 70, loads.count++)
                    want += plain_load_cost(left < 70 ? left : 70, bones == 1) + 16 * (8 + 12);
                loads.matrices = bones == 1 ? loads.count : 0;
                CHECK_INT(tl_batch_least_estimate(vertices, loads), want);
            }
}

/* --- bone by bone --- */

typedef struct bone_chain {
    const tl_batch_input *in;
    bool loaded[VERTICES], drawn[TRIANGLES];
    uint32_t open[VERTICES];                                      /* corners of triangles that are not drawn */
    uint32_t batch_of[TRIANGLES], order[TRIANGLES], count, batch; /* in the order in which they are drawn */
    uint32_t batch_size;
} bone_chain;

static bool is_open(const bone_chain *c, uint32_t vertex)
{
    return c->open[vertex] > 0;
}

/* Vertices in the cache that some triangle still needs. */
static uint32_t count_waiting(const bone_chain *c)
{
    uint32_t count = 0;
    for (uint32_t v = 0; v < c->in->vertex_count; v++)
        count += c->loaded[v] && is_open(c, v) ? 1 : 0;
    return count;
}

static bool has_corner(const uint32_t *t, uint32_t vertex)
{
    return t[0] == vertex || t[1] == vertex || t[2] == vertex;
}

static bool is_complete(const bone_chain *c, const uint32_t *t, const bool *more)
{
    for (int k = 0; k < 3; k++)
        if (!(c->loaded[t[k]] && is_open(c, t[k])) && !(more && more[t[k]]))
            return false;
    return true;
}

/* What is complete around the vertices of a bone, by vertex. A batch has up to 512 triangles. */
static void draw_complete(bone_chain *c, uint16_t bone)
{
    for (uint32_t v = 0; v < c->in->vertex_count; v++)
        for (uint32_t t = 0; t < c->in->triangle_count; t++) {
            if (bone_of(c->in, v) != bone || !has_corner(c->in->triangles[t], v) || c->drawn[t] ||
                !is_complete(c, c->in->triangles[t], NULL))
                continue;
            c->batch += c->batch_size == 512 ? 1 : 0;
            c->batch_size = c->batch_size == 512 ? 1 : c->batch_size + 1;
            c->drawn[t] = true;
            for (int k = 0; k < 3; k++)
                c->open[c->in->triangles[t][k]]--;
            c->batch_of[c->count] = c->batch;
            c->order[c->count++] = t;
        }
}

static void end_batch(bone_chain *c)
{
    c->batch += c->batch_size > 0 ? 1 : 0;
    c->batch_size = 0;
}

/* How good a bone is as the next: joins what is in the cache, fits, completes more than it leaves open, has few. */
typedef struct bone_worth {
    bool joins, fits;
    int64_t worth;
    uint32_t wanted;
} bone_worth;

static bone_worth weigh_bone(const bone_chain *c, uint16_t bone)
{
    bool all[VERTICES] = {false};
    bone_worth out = {0};
    for (uint32_t v = 0; v < c->in->vertex_count; v++)
        all[v] = bone_of(c->in, v) == bone && is_open(c, v);
    for (uint32_t v = 0; v < c->in->vertex_count; v++) {
        if (!all[v] || c->loaded[v])
            continue;
        out.wanted++;
        for (uint32_t t = 0; t < c->in->triangle_count; t++) {
            const uint32_t *corners = c->in->triangles[t];
            if (c->drawn[t] || !has_corner(corners, v))
                continue;
            const bool complete = is_complete(c, corners, all);
            out.worth += complete ? 1 : -1;
            out.joins =
                out.joins || (complete && (c->loaded[corners[0]] || c->loaded[corners[1]] || c->loaded[corners[2]]));
        }
    }
    out.fits = count_waiting(c) + out.wanted <= 64;
    return out;
}

static bool is_better(const bone_worth *a, const bone_worth *b)
{
    if (a->joins != b->joins)
        return a->joins;
    if (a->fits != b->fits)
        return a->fits;
    return a->worth != b->worth ? a->worth > b->worth : a->wanted < b->wanted;
}

/* The vertex of a bone that completes the most: two for each triangle that is complete with it, less one for each that
 * is not. */
static bool load_next_vertex(bone_chain *c, uint16_t bone)
{
    uint32_t best = UINT32_MAX;
    int64_t most = 0;
    for (uint32_t v = 0; v < c->in->vertex_count; v++) {
        bool one[VERTICES] = {false};
        int64_t worth = 0;
        if (bone_of(c->in, v) != bone || c->loaded[v] || !is_open(c, v))
            continue;
        one[v] = true;
        for (uint32_t t = 0; t < c->in->triangle_count; t++)
            if (!c->drawn[t] && has_corner(c->in->triangles[t], v))
                worth += is_complete(c, c->in->triangles[t], one) ? 2 : -1;
        if (best == UINT32_MAX || worth > most) {
            best = v;
            most = worth;
        }
    }
    if (best != UINT32_MAX)
        c->loaded[best] = true;
    return best != UINT32_MAX;
}

/* The cache is full and nothing is complete: it is emptied, and the first open triangle is drawn. */
static void start_again(bone_chain *c)
{
    uint32_t first = 0;
    while (c->drawn[first])
        first++;
    end_batch(c);
    memset(c->loaded, 0, sizeof c->loaded);
    for (int k = 0; k < 3; k++)
        c->loaded[c->in->triangles[first][k]] = true;
    for (int k = 0; k < 3; k++)
        draw_complete(c, bone_of(c->in, c->in->triangles[first][k]));
}

static bool choose_bone(const bone_chain *c, uint16_t *bone)
{
    bone_worth best = {0};
    for (uint32_t v = 0; v < c->in->vertex_count; v++) { /* bones in the order of their first vertex */
        if (v > 0 && bone_of(c->in, v) == bone_of(c->in, v - 1))
            continue;
        const bone_worth one = weigh_bone(c, bone_of(c->in, v));
        if (one.wanted == 0 || (best.wanted > 0 && !is_better(&one, &best)))
            continue;
        best = one;
        *bone = bone_of(c->in, v);
    }
    return best.wanted > 0;
}

static void plain_grow_by_bone(bone_chain *c)
{
    uint16_t bone = 0;
    while (choose_bone(c, &bone)) {
        const uint32_t before = c->count;
        for (uint32_t v = 0; v < c->in->vertex_count; v++) /* what is done with leaves the cache */
            c->loaded[v] = c->loaded[v] && is_open(c, v);
        if (weigh_bone(c, bone).fits) {
            while (load_next_vertex(c, bone))
                ;
        } else {
            while (count_waiting(c) < 64 && load_next_vertex(c, bone))
                ;
        }
        draw_complete(c, bone);
        if (c->count == before && count_waiting(c) >= 64)
            start_again(c);
        end_batch(c);
    }
}

static void check_grown_by_bone(batch_mesh m)
{
    static bone_chain c;
    const tl_batch_input in = input_of(&m);
    tl_batch_list list;
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    memset(&c, 0, sizeof c);
    c.in = &in;
    for (uint32_t i = 0; i < 3 * m.triangle_count; i++)
        c.open[m.triangles[i / 3][i % 3]]++;
    plain_grow_by_bone(&c);
    CHECK(tl_batch_grow_by_bone(&arena, &in, &list));
    CHECK_INT(list.count, c.batch);
    CHECK_INT(list.first[list.count], m.triangle_count);
    for (uint32_t g = 0; g < list.count; g++)
        for (uint32_t i = list.first[g]; i < list.first[g + 1]; i++) {
            CHECK_INT(list.order[i], c.order[i]);
            CHECK_INT(g, c.batch_of[i]);
        }
    tl_arena_free(&arena);
    batch_mesh_free(&m);
}

TEST(batches_grow_bone_by_bone)
{
    for (uint32_t seed = 1; seed <= 4; seed++) {
        batch_mesh m = seed % 2 == 0 ? batch_grid(6, 5) : batch_torus(6, 4);
        batch_shuffle(&m, seed, 0, 2);
        batch_grow_bones(&m, 2 + seed, seed);
        check_grown_by_bone(m);
        m = batch_tangle(30, 30, seed);
        batch_set_bones(&m, 5, 1 + seed % 4, seed);
        check_grown_by_bone(m);
    }
}

/* A bone of more than 64 vertices, then bones of which the cache is full before a triangle is complete. */
TEST(bones_larger_than_the_cache)
{
    batch_mesh m = batch_grid(10, 7);
    batch_set_bones(&m, 1, 100, 1);
    for (uint32_t v = 0; v < m.vertex_count; v++)
        m.bones[v] = v < 70 ? 1 : 2;
    check_grown_by_bone(m);
    for (uint32_t fits = 64; fits <= 65; fits++) {
        m = batch_mesh_new(3 * fits, fits);
        for (uint32_t t = 0; t < fits; t++)
            batch_mesh_add(&m, t, fits + t, 2 * fits + t);
        batch_set_bones(&m, 3, fits, 1);
        for (uint32_t v = 0; v < m.vertex_count; v++)
            m.bones[v] = (uint16_t)(v / fits);
        check_grown_by_bone(m);
    }
}

/* One bone completes 1100 triangles at once. */
TEST(a_bone_draws_several_batches)
{
    batch_mesh m = batch_mesh_new(4, 1100);
    for (uint32_t t = 0; t < 1100; t++)
        batch_mesh_add(&m, t % 3, 3, (t + 1) % 3);
    batch_set_bones(&m, 1, 1, 1);
    for (uint32_t v = 0; v < 4; v++)
        m.bones[v] = v < 3 ? 0 : 1;
    check_grown_by_bone(m);
}

/* --- order --- */

static uint64_t plain_worth(const tl_batch_input *in, const tl_batch_list *list, uint32_t before, uint32_t after)
{
    bool had[VERTICES], has[VERTICES];
    find_vertices(in, list, before, had);
    find_vertices(in, list, after, has);
    const uint64_t all = plain_loads(in, has);
    for (uint32_t v = 0; v < in->vertex_count; v++)
        has[v] = has[v] && !had[v];
    return all - plain_loads(in, has);
}

static uint64_t chain_worth(uint64_t (*worth)[BATCHES], const uint32_t *chain, uint32_t count)
{
    uint64_t sum = 0;
    for (uint32_t i = 1; i < count; i++)
        sum += worth[chain[i - 1]][chain[i]];
    return sum;
}

static void insert(const uint32_t *chain, uint32_t count, uint32_t from, uint32_t to, uint32_t *out)
{
    uint32_t rest = 0;
    for (uint32_t i = 0; i < count; i++)
        if (i == to)
            out[i] = chain[from];
        else {
            rest += rest == from ? 1 : 0;
            out[i] = chain[rest++];
        }
}

/* Each batch in turn goes to the first of the best places, up to eight times. */
static void improve_chain(uint64_t (*worth)[BATCHES], uint32_t *chain, uint32_t count)
{
    bool moved = true;
    for (int round = 0; round < 8 && moved; round++) {
        moved = false;
        for (uint32_t at = 0; at < count; at++) {
            uint32_t best[BATCHES], other[BATCHES];
            uint64_t most = chain_worth(worth, chain, count);
            memcpy(best, chain, sizeof best);
            for (uint32_t to = 0; to < count; to++) {
                insert(chain, count, at, to, other);
                const uint64_t one = chain_worth(worth, other, count);
                if (one <= most)
                    continue;
                most = one;
                moved = true;
                memcpy(best, other, sizeof best);
            }
            memcpy(chain, best, sizeof best);
        }
    }
}

static void plain_order(uint64_t (*worth)[BATCHES], uint32_t count, uint32_t *best)
{
    const uint32_t starts = count < 16 ? count : 16;
    for (uint32_t start = 0; start < starts; start++) {
        uint32_t chain[BATCHES] = {start * (count / starts)};
        bool used[BATCHES] = {false};
        used[chain[0]] = true;
        for (uint32_t at = 1; at < count; at++) { /* the first of those that share the most */
            uint32_t next = UINT32_MAX;
            for (uint32_t g = 0; g < count; g++)
                if (!used[g] && (next == UINT32_MAX || worth[chain[at - 1]][g] > worth[chain[at - 1]][next]))
                    next = g;
            chain[at] = next;
            used[next] = true;
        }
        improve_chain(worth, chain, count);
        if (start == 0 || chain_worth(worth, chain, count) > chain_worth(worth, best, count))
            memcpy(best, chain, sizeof chain);
    }
}

static void check_order(batch_mesh m, uint32_t size)
{
    static uint64_t worth[BATCHES][BATCHES];
    uint32_t chain[BATCHES] = {0}, at = 0;
    const tl_batch_input in = input_of(&m);
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    const tl_batch_list list = batch_cut_evenly(&arena, &in, size);
    CHECK(list.count <= BATCHES);
    for (uint32_t a = 0; a < list.count; a++)
        for (uint32_t b = 0; b < list.count; b++)
            worth[a][b] = plain_worth(&in, &list, a, b);
    plain_order(worth, list.count, chain);
    tl_batch_list ordered = list;
    CHECK(tl_batch_order(&arena, &in, &ordered));
    CHECK_INT(ordered.count, list.count);
    for (uint32_t g = 0; g < list.count; g++) {
        CHECK_INT(ordered.first[g], at);
        for (uint32_t i = list.first[chain[g]]; i < list.first[chain[g] + 1]; i++)
            CHECK_INT(ordered.order[at++], list.order[i]);
    }
    CHECK_INT(ordered.first[list.count], at);
    tl_arena_free(&arena);
    batch_mesh_free(&m);
}

TEST(batches_are_ordered)
{
    for (uint32_t seed = 1; seed <= 4; seed++) {
        batch_mesh m = batch_grid(6, 4);
        batch_shuffle(&m, seed, 0, 0);
        check_order(m, 4 + seed);
        m = batch_torus(6, 4);
        batch_shuffle(&m, seed, 0, 0);
        batch_grow_bones(&m, 4, seed);
        check_order(m, 3 + seed);
        m = batch_tangle(24, 2 * (14 + seed), seed); /* from 15 to 18 batches: 16 of them are starts */
        check_order(m, 2);
    }
    check_order(batch_band(33), 1); /* every other one of 33 */
    check_order(batch_band(10), 10);
}

/* --- memory --- */

/* Each array in turn has no memory. */
TEST(memory_runs_out)
{
    batch_mesh m = batch_grid(7, 7);
    batch_grow_bones(&m, 5, 1);
    const tl_batch_input in = input_of(&m);
    tl_arena lists;
    tl_arena_init(&lists, NULL);
    for (int step = 0; step < 4; step++) {
        uint32_t failures = 0;
        for (bool done = false; !done; failures++) {
            tl_batch_list list = batch_cut_evenly(&lists, &in, 20);
            tl_batch_estimator estimator;
            tl_slot_allocator allocator;
            tl_arena arena;
            tl_arena_init(&arena, NULL);
            arena.left = 64 + 16 * (size_t)failures;
            done = step == 0   ? tl_batch_grow_by_bone(&arena, &in, &list)
                   : step == 1 ? tl_batch_order(&arena, &in, &list)
                   : step == 2 ? tl_batch_estimator_new(&arena, &in, &estimator)
                               : tl_slot_allocator_new(&arena, &in, &allocator);
            CHECK(done == !arena.failed);
            tl_arena_free(&arena);
        }
        CHECK(failures > 10);
    }
    tl_arena_free(&lists);
    batch_mesh_free(&m);
}

TEST_MAIN(CASE(partitions_are_estimated), CASE(full_batches_are_estimated), CASE(the_least_estimate),
          CASE(batches_grow_bone_by_bone), CASE(bones_larger_than_the_cache), CASE(a_bone_draws_several_batches),
          CASE(batches_are_ordered), CASE(memory_runs_out))
