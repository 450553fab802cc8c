/* Random meshes, split into batches with all options and run on a model of the console. What must hold for each: the
 * triangles are those of the input, no rule of the cache is broken, the same comes out twice, more effort never costs
 * more, and neither does more freedom (vertices that stay, strips, sequences). */
#include "harness.h"
#include "support/batch_meshes.h"
#include "support/cache_sim.h"

#include <stdio.h>
#include <string.h>

enum { LEVELS = 3, WAYS = 8 }; /* bits of a way: vertices stay, sequences, strips */
enum { WAY_RESIDENT = 1, WAY_SEQUENCES = 2, WAY_STRIPS = 4 };

/* --- meshes --- */

typedef batch_mesh make_fn(uint32_t size, uint32_t seed);

static batch_mesh make_grid(uint32_t size, uint32_t seed)
{
    const uint32_t width = 1 + batch_random(&seed) % (size < 40 ? size : 40);
    batch_mesh m = batch_grid(width, (size + 2 * width - 1) / (2 * width));
    batch_shuffle(&m, seed, 0, seed % 3);
    return m;
}

/* How many go round something of that size. */
static uint32_t girth(uint32_t size, uint32_t *seed)
{
    return 3 + batch_random(seed) % (size < 160 ? 1 + size / 8 : 20);
}

static batch_mesh make_sphere(uint32_t size, uint32_t seed)
{
    const uint32_t around = girth(size, &seed);
    return batch_sphere(around, 1 + size / (2 * around));
}

static batch_mesh make_torus(uint32_t size, uint32_t seed)
{
    const uint32_t around = girth(size, &seed);
    batch_mesh m = batch_torus(around, 3 + size / (2 * around));
    batch_shuffle(&m, seed, seed % 2, 0);
    return m;
}

static batch_mesh make_soup(uint32_t size, uint32_t seed)
{
    const uint32_t vertices = 3 + batch_random(&seed) % (3 * size);
    return batch_tangle(vertices, size, seed);
}

static batch_mesh make_fans(uint32_t size, uint32_t seed)
{
    batch_mesh m = batch_fan(size);
    batch_shuffle(&m, seed, 0, seed % 4);
    return m;
}

static batch_mesh make_band(uint32_t size, uint32_t seed)
{
    batch_mesh m = batch_band(size);
    batch_shuffle(&m, seed, seed % 2, seed % 3);
    return m;
}

static batch_mesh make_quads(uint32_t size, uint32_t seed)
{
    batch_mesh m = batch_lone_quads((size + 1) / 2);
    batch_shuffle(&m, seed, 0, seed % 2);
    return m;
}

/* Like most of what is modelled: flat pieces with hard edges between. */
static batch_mesh make_hard(uint32_t size, uint32_t seed)
{
    batch_mesh m = make_grid(size, seed);
    const uint32_t share = 1 + batch_random(&seed) % 8;
    batch_split(&m, seed, share);
    return m;
}

static batch_mesh make_doubled(uint32_t size, uint32_t seed)
{
    batch_mesh m = make_torus(size, seed);
    const uint32_t share = 1 + batch_random(&seed) % 16;
    batch_double(&m, seed, share);
    return m;
}

static batch_mesh make_collapsed(uint32_t size, uint32_t seed)
{
    batch_mesh m = make_hard(size, seed);
    const uint32_t share = 1 + batch_random(&seed) % 8;
    batch_collapse(&m, seed, share);
    return m;
}

static const struct {
    const char *name;
    make_fn *make;
} kinds[] = {{"grid", make_grid},       {"sphere", make_sphere},      {"torus", make_torus}, {"soup", make_soup},
             {"fans", make_fans},       {"band", make_band},          {"quads", make_quads}, {"hard", make_hard},
             {"doubled", make_doubled}, {"collapsed", make_collapsed}};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* Every third has no bones, the others by chance for each vertex or spread from some places. */
static batch_mesh make_mesh(uint32_t kind, uint32_t size, uint32_t seed)
{
    uint32_t state = seed * 97 + kind;
    batch_mesh m = kinds[kind].make(size, batch_random(&state));
    const uint32_t bones = 1 + batch_random(&state) % 24, patch = 1 + batch_random(&state) % 30;
    if (seed % 3 == 1)
        batch_grow_bones(&m, bones, seed);
    else if (seed % 3 == 2)
        batch_set_bones(&m, bones, patch, seed);
    return m;
}

/* --- batches --- */

static bool same_bytes(const void *a, const void *b, size_t size)
{
    return size == 0 || memcmp(a, b, size) == 0;
}

/* Member by member: what lies between them may be anything. */
static bool same_part(const tl_batch_part *a, const tl_batch_part *b)
{
    for (int s = 0; s < TL_BATCH_STRIPS && a->strip_counts[s] > 0; s++)
        if (a->first_strip[s] != b->first_strip[s])
            return false;
    return a->first_vertex == b->first_vertex && a->vertex_count == b->vertex_count && a->dest == b->dest &&
           a->bone == b->bone && a->first_index == b->first_index && a->index_count == b->index_count &&
           a->sequence_base == b->sequence_base && a->sequence_count == b->sequence_count &&
           memcmp(a->strip_counts, b->strip_counts, sizeof a->strip_counts) == 0;
}

static bool same_output(const tl_batch_output *a, const tl_batch_output *b)
{
    if (a->part_count != b->part_count || a->vertex_count != b->vertex_count || a->index_count != b->index_count ||
        a->strip_size != b->strip_size)
        return false;
    for (uint32_t i = 0; i < a->part_count; i++)
        if (!same_part(&a->parts[i], &b->parts[i]))
            return false;
    return same_bytes(a->vertices, b->vertices, a->vertex_count * sizeof *a->vertices) &&
           same_bytes(a->indices, b->indices, a->index_count) &&
           same_bytes(a->strips, b->strips, a->strip_size * sizeof *a->strips);
}

static tl_batch_input input_of(const batch_mesh *m, uint32_t level, int way)
{
    return (tl_batch_input){.vertex_count = m->vertex_count,
                            .triangle_count = m->triangle_count,
                            .triangles = (const uint32_t(*)[3])m->triangles,
                            .bones = m->bones,
                            .strips = way & WAY_STRIPS,
                            .sequences = way & WAY_SEQUENCES,
                            .level = level,
                            .resident = way & WAY_RESIDENT};
}

static void name_way(char out[160], const char *what, uint32_t level, int way)
{
    snprintf(out, 160, "%s, level %u%s%s%s", what, level, way & WAY_RESIDENT ? ", resident" : "",
             way & WAY_STRIPS ? ", strips" : "", way & WAY_SEQUENCES ? ", sequences" : "");
}

/* What batches make small: bytes, something for every command, which takes time of its own, and next to nothing for an
 * index, in 16ths of a byte. A mesh of a single batch is drawn in as few cycles as possible instead: docs/cost.md. */
typedef struct batch_cost {
    uint64_t sixteenths, cycles;
} batch_cost;

static batch_cost cost_of(const cache_sim_work *w)
{
    enum { UNIT = 16, COMMAND = 12 };
    return (batch_cost){UNIT * (w->rsp_bytes + COMMAND * w->commands) + w->strip_indices / 4,
                        70 * w->commands + 20 * (uint64_t)w->strips + 12 * (uint64_t)w->strip_indices +
                            5 * (uint64_t)w->sequences + 9 * (uint64_t)w->in_sequence + w->rsp_bytes / 4};
}

static batch_cost split_mesh(const char *what, const batch_mesh *m, uint32_t level, int way, bool twice)
{
    const tl_batch_input in = input_of(m, level, way);
    tl_batch_output out, again;
    tl_arena arenas[2];
    char name[160];
    name_way(name, what, level, way);
    tl_arena_init(&arenas[0], NULL);
    tl_arena_init(&arenas[1], NULL);
    CHECK(tl_batch(&arenas[0], &in, &out));
    const cache_sim_work work = cache_sim_check(name, &in, &out);
    if (twice) {
        CHECK(tl_batch(&arenas[1], &in, &again));
        if (!same_output(&out, &again))
            FAIL("%s: not the same when split again", name);
    }
    tl_arena_free(&arenas[0]);
    tl_arena_free(&arenas[1]);
    return cost_of(&work);
}

static void not_worse(const char *what, batch_cost cost, batch_cost limit, const char *why, uint32_t level, int way)
{
    char name[160];
    name_way(name, what, level, way);
    if (cost.sixteenths >
            limit.sixteenths + limit.sixteenths / 4096 && /* fourths of indices are rounded for each part */
        cost.cycles > limit.cycles)
        FAIL("%s: costs %.2f, and %.2f %s", name, (double)cost.sixteenths / 16, (double)limit.sixteenths / 16, why);
}

/* The levels up to `most`, in all ways or in the two that are used. */
static void check_ways(const char *what, const batch_mesh *m, uint32_t most, bool all, bool twice)
{
    batch_cost costs[LEVELS + 1][WAYS];
    for (uint32_t level = 1; level <= most; level++)
        for (int way = all ? 0 : WAY_STRIPS | WAY_SEQUENCES; way < WAYS; way++) {
            costs[level][way] = split_mesh(what, m, level, way, twice);
            if (level > 1)
                not_worse(what, costs[level][way], costs[level - 1][way], "a level below", level, way);
            if (way & WAY_RESIDENT)
                not_worse(what, costs[level][way], costs[level][way & ~WAY_RESIDENT], "when not resident", level, way);
            if (all && (way & ~WAY_RESIDENT) == (WAY_STRIPS | WAY_SEQUENCES))
                not_worse(what, costs[level][way], costs[level][way & WAY_RESIDENT], "with lists alone", level, way);
        }
}

/* The kinds from here on, so many apart: where everything is slow, sanitized and emulated builds have half each. */
static uint32_t first_kind(void)
{
    return test_rounds(0, TEST_EMULATED ? 1 : 0);
}

static uint32_t kind_step(void)
{
    return test_rounds(1, TEST_SLOW ? 2 : 1);
}

/* One mesh of each kind and seed. */
static void check_kinds(uint32_t least, uint32_t most, uint32_t seeds, uint32_t level, bool all_ways)
{
    for (uint32_t seed = 1; seed <= test_rounds(seeds, TEST_SLOW ? 1 : (seeds + 1) / 2); seed++)
        for (uint32_t kind = first_kind(); kind < KINDS; kind += kind_step()) {
            uint32_t state = seed * 1000 + kind + least;
            const uint32_t size = least + batch_random(&state) % (most - least + 1);
            char what[80];
            batch_mesh m = make_mesh(kind, size, seed);
            snprintf(what, sizeof what, "%s of %u, seed %u", kinds[kind].name, size, seed);
            check_ways(what, &m, level, all_ways, size < 20);
            batch_mesh_free(&m);
        }
}

/* --- tests --- */

TEST(tiny_meshes_at_all_levels)
{
    check_kinds(1, 12, 6, 3, true);
}

TEST(small_meshes_at_all_levels)
{
    check_kinds(20, 50, 3, 3, false);
}

TEST(meshes_at_two_levels)
{
    check_kinds(40, 120, 2, 2, true);
}

TEST(large_meshes_at_level_1)
{
    check_kinds(500, 1200, 2, 1, false);
}

TEST(five_thousand_triangles)
{
    for (uint32_t kind = first_kind(); kind < KINDS; kind += kind_step()) {
        batch_mesh m = make_mesh(kind, 5000, 3); /* without bones */
        CHECK(!m.bones);
        check_ways(kinds[kind].name, &m, 1, false, false);
        batch_mesh_free(&m);
    }
}

/* One vertex is in all of the triangles, with and without bones. */
TEST(a_vertex_with_thousands_of_triangles)
{
    for (int bones = 0; bones < 3; bones++) {
        uint32_t seed = 5;
        batch_mesh m = batch_mesh_new(2000, 2500);
        for (uint32_t i = 0; i < 2500; i++) {
            const uint32_t a = 1 + batch_random(&seed) % 1998;
            batch_mesh_add(&m, a, a + 1, 0);
        }
        if (bones == 1)
            batch_grow_bones(&m, 8, 3);
        else if (bones == 2)
            batch_set_bones(&m, 8, 1, 3);
        check_ways(bones ? "hub with bones" : "hub", &m, 1, false, true);
        batch_mesh_free(&m);
    }
}

/* Everything is told as one triangle, thousands of times. */
TEST(the_same_triangle_over_and_over)
{
    for (uint32_t count = 1; count <= 3000; count = 3 * count + 1) {
        batch_mesh m = batch_mesh_new(3, 2 * count);
        for (uint32_t i = 0; i < count; i++) {
            batch_mesh_add(&m, i % 3, (i + 1) % 3, (i + 2) % 3);
            batch_mesh_add(&m, 1, i % 2, i % 2);
        }
        check_ways("one triangle", &m, count < 50 ? 3 : 1, true, true);
        batch_mesh_free(&m);
    }
}

TEST_MAIN(CASE(tiny_meshes_at_all_levels), CASE(small_meshes_at_all_levels), CASE(meshes_at_two_levels),
          CASE(large_meshes_at_level_1), CASE(five_thousand_triangles), CASE(a_vertex_with_thousands_of_triangles),
          CASE(the_same_triangle_over_and_over))
