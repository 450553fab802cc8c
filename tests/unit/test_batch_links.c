/* Strips by local search: the triangles they draw, and how many indices they have, beside all strips there are. */
#include "harness.h"
#include "optimize/t3d_batch_steps.h"
#include "support/batch_meshes.h"

#include <string.h>

typedef struct link_case {
    tl_vertex_batch batch;
    tl_batch_edges edges;
    tl_batch_links links;
    tl_link_table table;
    tl_triangle_strips strips;
    tl_batch_sequence sequence;
    bool left_out[TL_BATCH_TRIANGLES];
    uint32_t indices, greedy; /* of the strips that were found, and of those it began with */
} link_case;

static void search(link_case *c, const batch_mesh *m, bool may_sequence, uint32_t sweeps, uint32_t seed)
{
    memset(c, 0, sizeof *c);
    c->batch.vertex_count = m->vertex_count;
    c->batch.triangle_count = m->triangle_count;
    c->batch.block_count = 1;
    c->batch.blocks[0] = (tl_vertex_block){.count = (uint8_t)m->vertex_count, .bone = TL_BATCH_NO_BONE};
    for (uint32_t t = 0; t < m->triangle_count; t++) {
        const uint32_t *v = m->triangles[t];
        for (int k = 0; k < 3; k++)
            c->batch.triangles[t][k] = (uint8_t)v[k];
        c->left_out[t] = v[0] == v[1] || v[1] == v[2] || v[2] == v[0];
    }
    tl_batch_clear_edges(&c->edges);
    tl_batch_find_edges(&c->batch, &c->edges);
    tl_batch_find_links(&c->batch, &c->edges, &c->links);
    tl_batch_make_strips(&c->batch, &c->edges, c->left_out, TL_STRIP_INDICES, 0, &c->strips);
    for (uint32_t r = 0; r < c->strips.count; r++)
        c->greedy += c->strips.length[r];
    const tl_link_effort effort = {&c->table, sweeps, seed};
    memset(c->sequence.part, may_sequence, sizeof c->sequence.part);
    c->indices = tl_batch_search_strips(&c->batch, &c->links, c->left_out, &effort, &c->strips, &c->sequence);
}

/* --- what is drawn --- */

/* Marks the first triangle that is not drawn yet and has these corners in this order, from any of them on. */
static bool mark(const link_case *c, bool *drawn, uint32_t x, uint32_t y, uint32_t z)
{
    for (uint32_t t = 0; t < c->batch.triangle_count; t++) {
        const uint8_t *v = c->batch.triangles[t];
        if (drawn[t] || !((v[0] == x && v[1] == y && v[2] == z) || (v[1] == x && v[2] == y && v[0] == z) ||
                          (v[2] == x && v[0] == y && v[1] == z)))
            continue;
        drawn[t] = true;
        return true;
    }
    return false;
}

/* Every triangle once, with its winding; no two of the sequence have a vertex in common. */
static void check_drawn(const link_case *c)
{
    bool drawn[TL_BATCH_TRIANGLES] = {false}, used[TL_BATCH_SLOTS] = {false};
    uint32_t indices = 0;
    for (uint32_t i = 0; i < c->sequence.count; i++) {
        const uint8_t *v = c->sequence.triangles[i];
        CHECK(mark(c, drawn, v[0], v[1], v[2]));
        for (int k = 0; k < 3; k++) {
            CHECK(!used[v[k]]);
            used[v[k]] = true;
        }
    }
    CHECK(memcmp(used, c->sequence.has, sizeof used) == 0);
    for (uint32_t r = 0; r < c->strips.count; r++) {
        const uint8_t *v = c->strips.indices + c->strips.first[r];
        CHECK(c->strips.length[r] >= 3 && c->strips.length[r] <= TL_STRIP_INDICES);
        indices += c->strips.length[r];
        for (uint32_t k = 0; k + 2 < c->strips.length[r]; k++)
            CHECK(k % 2 == 0 ? mark(c, drawn, v[k], v[k + 1], v[k + 2]) : mark(c, drawn, v[k + 1], v[k], v[k + 2]));
    }
    CHECK_INT(c->indices, indices);
    for (uint32_t t = 0; t < c->batch.triangle_count; t++)
        CHECK(drawn[t] != c->left_out[t]);
}

TEST(every_triangle_is_drawn_once)
{
    static link_case c;
    for (uint32_t seed = 1; seed <= 40; seed++) {
        batch_mesh all[] = {batch_grid(1 + seed % 7, 1 + seed % 6),
                            batch_torus(3 + seed % 5, 3 + seed % 6),
                            batch_tangle(3 + seed % 60, 10 * seed, seed),
                            batch_fan(1 + seed),
                            batch_band(1 + seed),
                            batch_lone_quads(1 + seed % 17),
                            batch_tangle(4, 300, seed)};
        for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
            for (uint32_t way = 0; way < 2; way++) {
                search(&c, &all[i], way == 1, seed, seed);
                check_drawn(&c);
                CHECK(way == 1 || c.sequence.count == 0);
            }
            batch_mesh_free(&all[i]);
        }
    }
}

/* --- the fewest indices --- */

enum { FEW = 12 };

/* For each set of triangles that is one strip: its indices. */
static void extend(const batch_mesh *m, uint32_t set, uint32_t x, uint32_t y, uint32_t length, uint8_t *strip)
{
    strip[set] = (uint8_t)length;
    for (uint32_t t = 0; t < m->triangle_count; t++)
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t *v = m->triangles[t], a = v[k], b = v[(k + 1) % 3];
            const bool odd = length % 2 != 0; /* the next triangle is drawn as (y, x, new) */
            if ((set >> t & 1) == 0 && (odd ? a == y && b == x : a == x && b == y))
                extend(m, set | 1u << t, y, v[(k + 2) % 3], length + 1, strip);
        }
}

/* By trying everything. */
static uint32_t fewest_indices(const batch_mesh *m)
{
    static uint8_t strip[1 << FEW];
    static uint32_t fewest[1 << FEW];
    const uint32_t all = (1u << m->triangle_count) - 1;
    memset(strip, 0, sizeof strip);
    for (uint32_t t = 0; t < m->triangle_count; t++)
        for (uint32_t k = 0; k < 3; k++)
            extend(m, 1u << t, m->triangles[t][(k + 1) % 3], m->triangles[t][(k + 2) % 3], 3, strip);
    fewest[0] = 0;
    for (uint32_t set = 1; set <= all; set++) {
        fewest[set] = UINT32_MAX;
        for (uint32_t part = set; part > 0; part = (part - 1) & set)
            if (strip[part] > 0 && fewest[set & ~part] + strip[part] < fewest[set])
                fewest[set] = fewest[set & ~part] + strip[part];
    }
    return fewest[all];
}

/* Pieces of grids: the best of some searches never has fewer than possible, mostly as few, and more often than greedy
 * strips do. */
TEST(small_meshes_have_few_indices)
{
    static link_case c;
    uint32_t found = 0, greedy = 0;
    for (uint32_t number = 1; number <= 60; number++) {
        batch_mesh m = number % 2 == 0 ? batch_grid(3, 2) : batch_grid(2, 3);
        uint32_t least = UINT32_MAX;
        batch_shuffle(&m, number, 0, 4);
        const uint32_t fewest = fewest_indices(&m);
        for (uint32_t seed = 1; seed <= 10; seed++) {
            search(&c, &m, false, 100, seed);
            least = c.indices < least ? c.indices : least;
        }
        CHECK(least >= fewest && c.greedy >= fewest);
        found += least == fewest ? 1 : 0;
        greedy += c.greedy == fewest ? 1 : 0;
        batch_mesh_free(&m);
    }
    CHECK(found > greedy && found >= 50);
}

/* Without sweeps, only what is best for each triangle is done. */
TEST(sweeps_make_strips_shorter)
{
    static link_case c;
    uint32_t without = 0, with = 0;
    for (uint32_t number = 1; number <= 20; number++) {
        batch_mesh m = batch_grid(6, 6);
        batch_shuffle(&m, number, 0, 3);
        search(&c, &m, true, 0, number);
        without += c.indices;
        search(&c, &m, true, 100, number);
        with += c.indices;
        batch_mesh_free(&m);
    }
    CHECK(with < without);
}

TEST_MAIN(CASE(every_triangle_is_drawn_once), CASE(small_meshes_have_few_indices), CASE(sweeps_make_strips_shorter))
