/* Plans that are used again (tl_batch_find_plan): always what tl_batch_plan_draw makes, whatever was planned before. */
#include "harness.h"
#include "optimize/t3d_batch_steps.h"
#include "support/batch_meshes.h"

#include <stdlib.h>
#include <string.h>

typedef struct plan_case {
    tl_vertex_batch batch;
    tl_batch_draw_opts opts;
} plan_case;

typedef struct plan_world {
    tl_batch_edges edges;
    tl_link_table table;
    tl_batch_plans plans;
    tl_batch_draw want;
} plan_world;

/* Three blocks; the first was loaded before. */
static void fill_case(plan_case *c, const batch_mesh *m, tl_link_table *table)
{
    memset(c, 0, sizeof *c);
    c->batch.vertex_count = m->vertex_count;
    c->batch.triangle_count = m->triangle_count;
    c->batch.block_count = 3;
    for (uint32_t b = 0; b < 3; b++) {
        const uint32_t first = m->vertex_count * b / 3, end = m->vertex_count * (b + 1) / 3;
        c->batch.blocks[b] = (tl_vertex_block){.first = (uint8_t)first,
                                               .count = (uint8_t)(end - first),
                                               .slot = (uint8_t)first,
                                               .resident = b == 0,
                                               .bone = (uint16_t)b};
    }
    for (uint32_t v = 0; v < m->vertex_count; v++) {
        c->batch.vertices[v] = v;
        c->batch.slots[v] = (uint8_t)v;
    }
    for (uint32_t i = 0; i < 3 * m->triangle_count; i++)
        c->batch.triangles[i / 3][i % 3] = (uint8_t)m->triangles[i / 3][i % 3];
    c->opts = (tl_batch_draw_opts){
        .strips = true, .sequences = true, .tries = 2, .command_worth = TL_COMMAND_WORTH, .link_table = table};
}

/* One thing that a plan depends on. */
static void change(plan_case *c, uint32_t what)
{
    tl_vertex_block *last = &c->batch.blocks[2];
    switch (what) {
    case 0:
        c->opts.strips = false;
        break;
    case 1:
        c->opts.sequences = false;
        break;
    case 2:
        c->opts.lone = true;
        break;
    case 3:
        c->opts.tries = 1;
        break;
    case 4:
        c->opts.searches = 1;
        break;
    case 5:
        c->opts.command_worth = 6;
        break;
    case 6:
        last->slot = (uint8_t)(last->slot + 6);
        break;
    case 7:
        c->batch.kept[last->first + 1] = true;
        break;
    case 8:
        c->batch.slots[0] = (uint8_t)(last->slot + last->count);
        break;
    case 9:
        c->batch.blocks[0].resident = false;
        break;
    case 10:
        c->batch.triangle_count--;
        break;
    case 11:
        memcpy(c->batch.triangles[0], (const uint8_t[3]){0, 2, 1}, 3);
        break;
    case 12: /* two blocks become one */
        c->batch.blocks[1].count = (uint8_t)(c->batch.blocks[1].count + last->count);
        c->batch.block_count--;
        break;
    default:
        break;
    }
}

static void check(plan_world *w, const plan_case *c)
{
    const tl_batch_draw *want = &w->want;
    tl_batch_plan_draw(&c->batch, &w->edges, &c->opts, &w->want);
    const tl_batch_draw *got = tl_batch_find_plan(&w->plans, &c->batch, &w->edges, &c->opts);
    CHECK(got->cost == want->cost && got->score == want->score);
    CHECK_INT(got->list_count, want->list_count);
    CHECK(memcmp(got->list, want->list, 3 * want->list_count) == 0);
    CHECK_INT(got->sequence_count, want->sequence_count);
    CHECK_INT(got->sequence_base, want->sequence_base);
    for (uint32_t s = 0; s < TL_BATCH_STRIPS; s++) {
        CHECK_INT(got->strip_counts[s], want->strip_counts[s]);
        CHECK(memcmp(got->strips[s], want->strips[s], want->strip_counts[s] * sizeof **want->strips) == 0);
    }
    CHECK(memcmp(got->slots, want->slots, c->batch.vertex_count) == 0);
}

static plan_world *new_world(void)
{
    plan_world *w = malloc(sizeof *w);
    CHECK(w != NULL);
    tl_batch_clear_edges(&w->edges);
    w->table.filled = false;
    tl_batch_plans_clear(&w->plans);
    return w;
}

/* Every change beside the unchanged batch, which is in the same place of the table if the change is not in the form. */
TEST(plans_depend_on_all_that_matters)
{
    static plan_case plain, other;
    plan_world *w = new_world();
    for (uint32_t seed = 0; seed < 4; seed++) {
        batch_mesh m = seed == 0   ? batch_lone_quads(15)
                       : seed == 1 ? batch_grid(6, 7)
                       : seed == 2 ? batch_tangle(60, 60, 1)
                                   : batch_lone_triangles(20);
        fill_case(&plain, &m, &w->table);
        check(w, &plain);
        for (uint32_t what = 0; what <= 12; what++) {
            other = plain;
            change(&other, what);
            check(w, &other);
            check(w, &plain);
            check(w, &other);
        }
        batch_mesh_free(&m);
    }
    free(w);
}

/* Other vertices of other bones are drawn in the same way, without planning. */
TEST(plans_of_batches_that_look_the_same_are_used_again)
{
    static plan_case c;
    plan_world *w = new_world();
    batch_mesh m = batch_lone_quads(17);
    fill_case(&c, &m, &w->table);
    const tl_batch_draw *first = tl_batch_find_plan(&w->plans, &c.batch, &w->edges, &c.opts);
    ((tl_batch_draw *)first)->cost = 12345; /* shows that it is not made again */
    c.batch.blocks[1].bone = 9;
    for (uint32_t v = 0; v < c.batch.vertex_count; v++)
        c.batch.vertices[v] += 1000;
    const tl_batch_draw *again = tl_batch_find_plan(&w->plans, &c.batch, &w->edges, &c.opts);
    CHECK(again == first && again->cost == 12345);
    tl_batch_plans_clear(&w->plans);
    CHECK(tl_batch_find_plan(&w->plans, &c.batch, &w->edges, &c.opts)->cost != 12345);
    batch_mesh_free(&m);
    free(w);
}

TEST_MAIN(CASE(plans_depend_on_all_that_matters), CASE(plans_of_batches_that_look_the_same_are_used_again))
