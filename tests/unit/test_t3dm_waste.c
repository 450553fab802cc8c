/* Vertices that are loaded but not drawn, or not loaded, as the check counts them by bits, against one by one. */
#include "harness.h"

#include "formats/t3dm/t3dm.h"
#include "support/numbers.h"

#include <stdio.h>
#include <string.h>

enum { ROWS = 300, PARTS = 5, LOADED = 1, DRAWN = 2 };

static uint32_t below(uint64_t *dice, uint32_t limit)
{
    return (uint32_t)(random_bits(dice) >> 32) % limit;
}

static void note_drawn(void *user, const t3dm_batch *batch)
{
    uint8_t *used = user;
    for (uint32_t i = 0; i < 3 * batch->count; i++)
        used[batch->cache[batch->slots[i / 3][i % 3]].vertex] |= DRAWN;
}

typedef struct counts {
    unsigned unused, unloaded;
} counts;

static void note_finding(void *user, const trilo_finding *finding)
{
    counts *c = user;
    if (finding->rule == t3dm_rule(T3DM_R_WASTED_SLOTS)->name)
        CHECK_INT(sscanf(finding->text, "%u", &c->unused), 1);
    if (finding->rule == t3dm_rule(T3DM_R_UNUSED_VERTS)->name)
        CHECK_INT(sscanf(finding->text, "%u", &c->unloaded), 1);
}

/* Loads anywhere in V and in the cache; lists draw slots of the load, and sometimes one of an earlier load. */
static void make_parts(uint64_t *dice, t3dm_part parts[PARTS], uint8_t *indices)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < PARTS; i++) {
        const uint32_t count = 1 + below(dice, 70), dest = below(dice, 71 - tl_rsp_loaded(count));
        const uint32_t pairs = (ROWS - tl_rsp_loaded(count)) / T3DM_PAIR + 1;
        parts[i] = (t3dm_part){.vertex_at = below(dice, pairs) * T3DM_PAIR * T3DM_VERTEX_SIZE,
                               .vertex_count = (uint16_t)count,
                               .vertex_dest = (uint16_t)dest,
                               .index_at = at,
                               .index_count = (uint16_t)(3 * below(dice, 30)),
                               .bone = T3DM_NO_BONE};
        for (uint32_t k = 0; k < parts[i].index_count; k++)
            indices[at++] = (uint8_t)(below(dice, 60) == 0 ? below(dice, 70) : dest + below(dice, count));
    }
}

TEST(waste_is_counted_by_bits)
{
    static const uint8_t vertices[ROWS * T3DM_VERTEX_SIZE];
    uint64_t dice = 6;
    uint32_t some_unused = 0, some_unloaded = 0;
    for (uint32_t round = 0; round < 3000; round++) {
        uint8_t indices[PARTS * 90 + 1] = {0}, used[ROWS] = {0};
        t3dm_part parts[PARTS];
        make_parts(&dice, parts, indices);
        t3dm_object object = {.head.part_count = PARTS, .parts = parts};
        const size_t size = sizeof vertices - below(&dice, 40) * (size_t)T3DM_PAIR * T3DM_VERTEX_SIZE;
        const t3dm_file file = {.version = 4,
                                .object_count = 1,
                                .objects = &object,
                                .vertices = {vertices, size},
                                .indices = {indices, sizeof indices}};
        const uint32_t rows = (uint32_t)(size / T3DM_VERTEX_SIZE);
        counts got = {0, 0}, want = {0, 0};
        for (uint32_t i = 0; i < PARTS; i++)
            for (uint32_t k = 0; k < tl_rsp_loaded(parts[i].vertex_count); k++)
                used[parts[i].vertex_at / T3DM_VERTEX_SIZE + k] |= LOADED;
        tl_t3dm_draw(&file, &object, &(t3dm_drawer){.user = used, .triangles = note_drawn});
        for (uint32_t row = 0; row < rows; row += T3DM_PAIR) {
            want.unused += used[row] == LOADED && used[row + 1] == LOADED ? 2u : 0u;
            want.unloaded += (used[row] == 0 ? 1u : 0u) + (used[row + 1] == 0 ? 1u : 0u);
        }
        tl_arena scratch;
        tl_arena_init(&scratch, NULL);
        tl_t3dm_check_objects(&file, &scratch, &(tl_report){.fn = note_finding, .user = &got});
        tl_arena_free(&scratch);
        CHECK_INT(got.unused, want.unused);
        CHECK_INT(got.unloaded, want.unloaded);
        some_unused += want.unused > 0;
        some_unloaded += want.unloaded > 0;
    }
    CHECK(some_unused > 1000 && some_unloaded > 1000);
}

TEST_MAIN(CASE(waste_is_counted_by_bits))
