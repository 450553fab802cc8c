/* What Tiny3D's commands cost, against the formulas of docs/cost.md. */
#include "harness.h"
#include "n64/rsp_cost.h"

#include <stddef.h>

/* Each by itself: commands, bytes, and cycles with a quarter of the bytes. A list triangle is 72, a strip 92, a
 * sequence 77, a part 135 and 71 for its sync, a bone 460. */
TEST(each_command)
{
    static const struct {
        size_t count; /* which of the counts is 1 */
        uint64_t commands, draw_bytes, rsp_bytes, score;
    } rows[] = {
        {offsetof(trilo_cost_counts, loads), 1, 0, 12, 70 + 62 + 3},
        {offsetof(trilo_cost_counts, vertices), 0, 0, 16, 42 + 4},
        {offsetof(trilo_cost_counts, list_commands), 1, 8, 8, 70 + 2},
        {offsetof(trilo_cost_counts, sequences), 1, 8, 8, 70 + 5 + 2},
        {offsetof(trilo_cost_counts, sequence_triangles), 0, 0, 0, 9},
        {offsetof(trilo_cost_counts, strips), 1, 8, 8, 70 + 20 + 2},
        {offsetof(trilo_cost_counts, strip_indices), 0, 0, 0, 12},
        {offsetof(trilo_cost_counts, syncs), 1, 0, 4, 70 + 1},
        {offsetof(trilo_cost_counts, matrix_sets), 1, 0, 8 + 192, 70 + 340 + 50},
        {offsetof(trilo_cost_counts, matrix_pops), 1, 0, 8 + 128, 70 + 250 + 34},
        {offsetof(trilo_cost_counts, triangles), 0, 0, 0, 130},
        {offsetof(trilo_cost_counts, strip_bytes), 0, 1, 1, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (uint64_t times = 0; times <= 400; times += 400) {
            trilo_cost_counts counts = {0};
            *(uint64_t *)(void *)((char *)&counts + rows[i].count) = times ? times : 1;
            tl_rsp_cost(&counts);
            const uint64_t n = times ? times : 1, quarters = rows[i].rsp_bytes * n / 4 - rows[i].rsp_bytes / 4 * n;
            CHECK_INT(counts.commands, rows[i].commands * n);
            CHECK_INT(counts.draw_bytes, rows[i].draw_bytes * n);
            CHECK_INT(counts.rsp_bytes, rows[i].rsp_bytes * n);
            CHECK_INT(counts.score, rows[i].score * n + quarters);
            CHECK_NEAR(counts.microseconds, (double)counts.score / 62.5, 1e-9);
        }
}

TEST(other_commands)
{
    CHECK_INT(TL_RSP_FOG_BYTES, 4);
    CHECK_INT(TL_RSP_EFFECT_BYTES, 16);
    CHECK_INT(TL_RSP_FLAGS_BYTES, 8);
    CHECK_INT(TL_RSP_OVERLAY_BYTES, 2992 + 304 + 592 + 3220 + 3040 + 3384);
}

/* 70 slots of 36 bytes; loads stage their input below 2872, strips theirs below the end of the cache. */
TEST(the_vertex_cache)
{
    CHECK_INT(TL_RSP_SLOTS, 70);
    CHECK_INT(TL_RSP_SLOT_SIZE, 36);
    CHECK_INT(TL_RSP_VERTEX_SIZE, 16);
    CHECK_INT(TL_RSP_STRIP_END, 2520);
    CHECK_INT(TL_RSP_LOAD_END, 2872);
    for (uint32_t n = 0; n < 256; n++) {
        CHECK_INT(tl_rsp_loaded(n), n % 2 ? n + 1 : n);
        CHECK_INT(tl_rsp_strip_bytes(n), n % 4 ? (n / 4 + 1) * 8 : n / 4 * 8);
    }
}

TEST_MAIN(CASE(each_command), CASE(other_commands), CASE(the_vertex_cache))
