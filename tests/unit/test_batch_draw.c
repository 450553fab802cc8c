/* How one batch is drawn (tl_batch_plan_draw): every triangle once, by commands that leave each other's vertices alone,
 * at the cost that is stated, and no more than plain ways of drawing cost. */
#include "harness.h"
#include "optimize/t3d_batch_steps.h"
#include "support/batch_meshes.h"

#include <string.h>

typedef struct draw_case {
    tl_vertex_batch batch;
    tl_batch_edges edges;
    tl_link_table table;
    tl_batch_draw draw;
    bool drawn[TL_BATCH_TRIANGLES];
} draw_case;

/* Blocks of some vertices each, one after the other; with residents, the first was loaded before. */
static void fill_case(draw_case *c, const batch_mesh *m, uint32_t blocks, bool residents)
{
    memset(c, 0, sizeof *c);
    CHECK(m->vertex_count <= TL_BATCH_SLOTS && m->triangle_count <= TL_BATCH_TRIANGLES);
    c->batch.vertex_count = m->vertex_count;
    c->batch.triangle_count = m->triangle_count;
    c->batch.block_count = blocks;
    for (uint32_t b = 0; b < blocks; b++) {
        const uint32_t first = m->vertex_count * b / blocks, end = m->vertex_count * (b + 1) / blocks;
        c->batch.blocks[b] = (tl_vertex_block){.first = (uint8_t)first,
                                               .count = (uint8_t)(end - first),
                                               .slot = (uint8_t)first,
                                               .resident = residents && b == 0,
                                               .bone = (uint16_t)b};
    }
    for (uint32_t v = 0; v < m->vertex_count; v++) {
        c->batch.vertices[v] = v;
        c->batch.slots[v] = (uint8_t)v;
        c->batch.kept[v] = residents && v % 9 == 4;
    }
    for (uint32_t i = 0; i < 3 * m->triangle_count; i++)
        c->batch.triangles[i / 3][i % 3] = (uint8_t)m->triangles[i / 3][i % 3];
    tl_batch_clear_edges(&c->edges);
}

static void mark(draw_case *c, uint32_t x, uint32_t y, uint32_t z)
{
    for (uint32_t t = 0; t < c->batch.triangle_count; t++) {
        const uint8_t *v = c->batch.triangles[t];
        if (!c->drawn[t] && ((v[0] == x && v[1] == y && v[2] == z) || (v[1] == x && v[2] == y && v[0] == z) ||
                             (v[2] == x && v[0] == y && v[1] == z))) {
            c->drawn[t] = true;
            return;
        }
    }
    FAIL("no triangle %u %u %u is left", x, y, z);
}

/* The vertices of a block have its slots; residents and what is kept stay in front. */
static void check_slots(const draw_case *c)
{
    bool used[TL_BATCH_SLOTS] = {false};
    for (uint32_t b = 0; b < c->batch.block_count; b++) {
        const tl_vertex_block *block = &c->batch.blocks[b];
        uint32_t kept = 0;
        for (uint32_t v = block->first; v < (uint32_t)block->first + block->count; v++)
            kept += c->batch.kept[v] ? 1 : 0;
        for (uint32_t v = block->first; v < (uint32_t)block->first + block->count; v++) {
            const uint32_t slot = c->draw.slots[v];
            CHECK(slot >= block->slot && slot < (uint32_t)block->slot + block->count && !used[slot]);
            CHECK(!block->resident || slot == c->batch.slots[v]);
            CHECK(block->resident || !c->batch.kept[v] || slot < block->slot + kept);
            used[slot] = true;
        }
    }
}

static void check_sequence(draw_case *c)
{
    uint32_t vertex_in[TL_BATCH_SLOTS] = {0};
    for (uint32_t v = 0; v < c->batch.vertex_count; v++)
        vertex_in[c->draw.slots[v]] = v;
    for (uint32_t i = 0; i < c->draw.sequence_count; i++) {
        const uint32_t *v = vertex_in + c->draw.sequence_base + 3 * i;
        mark(c, v[0], v[1], v[2]);
    }
}

/* A strip of n indices takes (n + 3) / 4 * 8 bytes below byte 2520; slots have 36. What it overwrites is not used by it
 * or by a strip after it, and is not kept. */
static void check_strip(draw_case *c, uint32_t number, uint32_t *first_lost)
{
    const uint32_t count = c->draw.strip_counts[number];
    const uint16_t *strip = c->draw.strips[number];
    const uint32_t lost = (2520 - (count + 3) / 4 * 8) / 36;
    *first_lost = lost < *first_lost ? lost : *first_lost;
    CHECK(count >= 3 && count <= 255 && !(strip[0] & TL_STRIP_RESTART));
    for (uint32_t i = 0, odd = 0; i < count; i++) {
        CHECK(c->draw.slots[strip[i] & 0xFF] < *first_lost);
        if (i + 2 >= count)
            continue;
        odd = strip[i] & TL_STRIP_RESTART ? 0 : odd;
        const uint32_t a = strip[i] & 0xFF, b = strip[i + 1] & 0xFF;
        if (!((strip[i + 1] | strip[i + 2]) & TL_STRIP_RESTART))
            mark(c, odd ? b : a, odd ? a : b, strip[i + 2] & 0xFF);
        odd = 1 - odd;
    }
}

/* Bytes of commands and indices; a command counts more in the cost, an index a 64th of one. Cycles as in
 * docs/cost.md. */
static void check_cost(const draw_case *c, const tl_batch_draw_opts *opts)
{
    const tl_batch_draw *d = &c->draw;
    uint32_t strips = 0, indices = 0, index_bytes = 0;
    for (; strips < 4 && d->strip_counts[strips] > 0; strips++) {
        indices += d->strip_counts[strips];
        index_bytes += (d->strip_counts[strips] + 3) / 4 * 8;
    }
    const bool sync = strips == 0 && d->sequence_count == 0;
    const uint32_t draws = d->list_count + (d->sequence_count > 0 ? 1 : 0) + strips, commands = draws + (sync ? 1 : 0);
    const uint32_t bytes = 8 * draws + (sync ? 4 : 0) + index_bytes;
    const uint32_t cycles =
        70 * commands + 20 * strips + 12 * indices + (d->sequence_count > 0 ? 5 : 0) + 9 * d->sequence_count;
    CHECK_INT(d->bytes, bytes);
    CHECK_INT(d->cost, 16 * (bytes + opts->command_worth * (uint64_t)commands) + indices / 4);
    CHECK_INT(d->quarter_cycles, bytes + 4 * cycles);
    CHECK_INT(d->score, opts->lone ? d->quarter_cycles : d->cost);
}

static void check_draw(draw_case *c, const tl_batch_draw_opts *opts)
{
    uint32_t lost = TL_BATCH_SLOTS;
    memset(c->drawn, 0, sizeof c->drawn);
    tl_batch_plan_draw(&c->batch, &c->edges, opts, &c->draw);
    check_slots(c);
    check_sequence(c);
    for (uint32_t i = 0; i < c->draw.list_count; i++)
        mark(c, c->draw.list[i][0], c->draw.list[i][1], c->draw.list[i][2]);
    for (uint32_t s = 0; s < 4 && c->draw.strip_counts[s] > 0; s++)
        check_strip(c, s, &lost);
    for (uint32_t v = 0; v < c->batch.vertex_count; v++)
        CHECK(!c->batch.kept[v] || c->draw.slots[v] < lost);
    for (uint32_t t = 0; t < c->batch.triangle_count; t++)
        CHECK(c->drawn[t]);
    CHECK(opts->strips || c->draw.strip_counts[0] == 0);
    CHECK(opts->sequences || c->draw.sequence_count == 0);
    check_cost(c, opts);
}

/* One by one; greedy strips in one command, if that has room above all vertices. */
static void check_not_worse(const draw_case *c, const tl_batch_draw_opts *opts)
{
    static tl_triangle_strips strips;
    static tl_batch_edges edges;
    bool none[TL_BATCH_TRIANGLES] = {false};
    uint32_t indices = 0;
    const uint32_t triangles = c->batch.triangle_count;
    if (!opts->lone && triangles > 3)
        CHECK(c->draw.cost <= 16 * (8 * (uint64_t)triangles + 4 + opts->command_worth * ((uint64_t)triangles + 1)));
    if (!opts->strips || opts->sequences || opts->lone || triangles < 4)
        return;
    tl_batch_clear_edges(&edges);
    tl_batch_find_edges(&c->batch, &edges);
    tl_batch_make_strips(&c->batch, &edges, none, TL_STRIP_INDICES, 0, &strips);
    for (uint32_t r = 0; r < strips.count; r++)
        indices += strips.length[r];
    const uint32_t bytes = (indices + 3) / 4 * 8;
    if (indices <= 255 && 36 * c->batch.vertex_count + bytes <= 2520)
        CHECK(c->draw.cost <= 16 * (uint64_t)(8 + opts->command_worth + bytes) + indices / 4);
}

TEST(every_way_of_drawing)
{
    static draw_case c;
    for (uint32_t seed = 0; seed < 24; seed++) {
        batch_mesh m = seed % 6 == 0   ? batch_grid(6, 8)
                       : seed % 6 == 1 ? batch_torus(10, 7)
                       : seed % 6 == 2 ? batch_lone_quads(17)
                       : seed % 6 == 3 ? batch_lone_triangles(1 + seed)
                       : seed % 6 == 4 ? batch_band(1 + 2 * seed)
                                       : batch_tangle(30 + seed, 150, seed);
        batch_shuffle(&m, seed + 1, 0, seed % 4);
        for (uint32_t way = 0; way < 8; way++) {
            const tl_batch_draw_opts opts = {.strips = way % 2 != 0,
                                             .sequences = way / 2 % 2 != 0,
                                             .lone = way / 4 != 0,
                                             .tries = 1 + seed % 3,
                                             .searches = seed % 4,
                                             .command_worth = seed % 5 == 0 ? 6 : TL_COMMAND_WORTH,
                                             .link_table = &c.table};
            fill_case(&c, &m, 1 + seed % 3, seed % 3 == 2);
            check_draw(&c, &opts);
            bool degenerate = false;
            for (uint32_t t = 0; t < m.triangle_count; t++)
                degenerate = degenerate || m.triangles[t][0] == m.triangles[t][1] ||
                             m.triangles[t][1] == m.triangles[t][2] || m.triangles[t][2] == m.triangles[t][0];
            if (!degenerate)
                check_not_worse(&c, &opts);
        }
        batch_mesh_free(&m);
    }
}

/* As many triangles and vertices as a batch may have; in the second round the last triangles have no area. */
TEST(the_most_triangles)
{
    static draw_case c;
    for (uint32_t seed = 1; seed <= 2; seed++) {
        batch_mesh m = batch_tangle(TL_BATCH_SLOTS, TL_BATCH_TRIANGLES, seed);
        const tl_batch_draw_opts opts = {.strips = true,
                                         .sequences = seed == 1,
                                         .tries = 1,
                                         .searches = seed - 1,
                                         .command_worth = TL_COMMAND_WORTH,
                                         .link_table = &c.table};
        fill_case(&c, &m, seed, false);
        CHECK_INT(c.batch.triangle_count, TL_BATCH_TRIANGLES);
        for (uint32_t t = TL_BATCH_TRIANGLES - 3; seed == 2 && t < TL_BATCH_TRIANGLES; t++)
            c.batch.triangles[t][t % 3] = c.batch.triangles[t][(t + 1) % 3];
        check_draw(&c, &opts);
        batch_mesh_free(&m);
    }
}

/* By hand: one triangle is a sequence of 8 bytes. Without sequences the list takes 8 bytes and 4 to wait, less than the
 * 16 of a strip; of two triangles, 20 bytes against 16. */
TEST(few_triangles)
{
    static const struct {
        uint32_t triangles;
        bool sequences;
        uint32_t list, sequence, strip, bytes;
    } rows[] = {{1, true, 0, 1, 0, 8}, {1, false, 1, 0, 0, 12}, {2, false, 0, 0, 4, 16}, {3, false, 0, 0, 5, 24}};
    static draw_case c;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        batch_mesh m = batch_band(rows[i].triangles);
        const tl_batch_draw_opts opts = {.strips = true,
                                         .sequences = rows[i].sequences,
                                         .tries = 1,
                                         .command_worth = TL_COMMAND_WORTH,
                                         .link_table = &c.table};
        fill_case(&c, &m, 1, false);
        check_draw(&c, &opts);
        CHECK_INT(c.draw.list_count, rows[i].list);
        CHECK_INT(c.draw.sequence_count, rows[i].sequence);
        CHECK_INT(c.draw.strip_counts[0], rows[i].strip);
        CHECK_INT(c.draw.bytes, rows[i].bytes);
        batch_mesh_free(&m);
    }
}

/* By hand: 17 quads take 68 of 70 slots. Without a sequence their 68 indices lie in two slots too many. With one, each
 * has a strip of 3 indices: the last vertex of the sequence is in slot 67, which their 104 bytes overwrite, and no
 * strip uses it. Commands and indices take 8 + 8 + 104 bytes. */
TEST(the_sequence_reaches_into_the_buffer)
{
    static draw_case c;
    batch_mesh m = batch_lone_quads(17);
    const tl_batch_draw_opts opts = {.strips = true,
                                     .sequences = true,
                                     .tries = 4,
                                     .searches = 3,
                                     .command_worth = TL_COMMAND_WORTH,
                                     .link_table = &c.table};
    fill_case(&c, &m, 1, false);
    check_draw(&c, &opts);
    CHECK_INT(c.draw.list_count, 0);
    CHECK_INT(c.draw.sequence_count, 17);
    CHECK_INT(c.draw.sequence_base, 17);
    CHECK_INT(c.draw.strip_counts[0], 51);
    CHECK_INT(c.draw.bytes, 120);
    batch_mesh_free(&m);
}

/* By hand: the same quads in two blocks, of 32 and of 36 vertices. The sequence has slots 8 to 58, and the fourth
 * vertices of the nine quads of the second block have the slots after it. So one of these is drawn by the list, and 16
 * strips of 3 indices take 96 bytes, which overwrite slot 67 alone. */
TEST(a_sequence_of_two_blocks)
{
    static draw_case c;
    batch_mesh m = batch_lone_quads(17);
    const tl_batch_draw_opts opts = {.strips = true,
                                     .sequences = true,
                                     .tries = 4,
                                     .searches = 3,
                                     .command_worth = TL_COMMAND_WORTH,
                                     .link_table = &c.table};
    fill_case(&c, &m, 2, false);
    c.batch.blocks[0].count = 32;
    c.batch.blocks[1].first = c.batch.blocks[1].slot = 32;
    c.batch.blocks[1].count = 36;
    check_draw(&c, &opts);
    CHECK_INT(c.draw.list_count, 1);
    CHECK_INT(c.draw.sequence_count, 17);
    CHECK_INT(c.draw.sequence_base, 8);
    CHECK_INT(c.draw.strip_counts[0], 48);
    CHECK_INT(c.draw.bytes, 8 + 8 + 8 + 96);
    batch_mesh_free(&m);
}

TEST_MAIN(CASE(every_way_of_drawing), CASE(the_most_triangles), CASE(few_triangles),
          CASE(the_sequence_reaches_into_the_buffer), CASE(a_sequence_of_two_blocks))
