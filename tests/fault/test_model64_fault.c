/* Files of the N64 model format cut, flipped and starved of memory: always a clean refusal or a good model. */
#include "formats/model64/model64.h"
#include "harness.h"
#include "support/allocations.h"
#include "support/buffer.h"
#include "support/faults.h"
#include "support/model64_files.h"

#include <stdlib.h>

static void torture(void (*make)(buffer *))
{
    size_t results[3] = {0};
    fault_all(make, results);
    CHECK(results[EXERCISE_REFUSED] > 0 && results[EXERCISE_OPENED] > 0 && results[EXERCISE_MODEL] > 0);
}

TEST(box_survives)
{
    torture(model64_box);
}

TEST(pennant_survives)
{
    torture(model64_pennant);
}

/* A single allocation that fails, while those after it go well: the reader itself says so, though a document looks at
 * its arena, too. */
TEST(every_allocation_counts)
{
    static const trilo_model64_load_opts usual = {0};
    void (*const makers[])(buffer *) = {model64_box, model64_pennant};
    for (int i = 0; i < 2; i++) {
        buffer file = {0};
        size_t refused = 0;
        makers[i](&file);
        for (size_t n = 1; allocations_next(n); n++) {
            trilo_error err = {.code = TRILO_CODE_OK};
            tl_arena arena;
            tl_arena_init(&arena, NULL);
            const bool read = tl_model64_read(&arena, (trilo_bytes){file.data, file.size},
                                              &(trilo_load_opts){.model64 = &usual}, &err) != NULL;
            allocations_allow();
            if (read == allocations_denied() || (!read && err.code != TRILO_CODE_NO_MEMORY))
                FAIL("without allocation %zu: %s", n, read ? "read" : err.text);
            refused += read ? 0 : 1;
            tl_arena_free(&arena);
        }
        CHECK(refused > 0);
        buffer_free(&file);
    }
}

/* A count may ask for no more memory than the bytes behind it. */
TEST(counts_cost_nothing)
{
    static const size_t counts[] = {16, 20, 28, 52, PENNANT_ANIMATIONS + 4};
    static const uint32_t values[] = {1000, 65536, 0x0FFFFFFF, 0x15555556, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        for (size_t k = 0; k < sizeof values / sizeof values[0]; k++) {
            buffer file = {0};
            meter m = {0};
            model64_pennant(&file);
            model64_set(&file, counts[i], 4, values[k]);
            CHECK_INT(exercise(file.data, file.size, &m, 0), EXERCISE_REFUSED);
            CHECK(m.peak <= 8192);
            buffer_free(&file);
        }
}

/* The size of a block is no count of anything that is read: such a file opens, and costs nothing either. */
TEST(large_blocks_cost_nothing)
{
    static const uint32_t values[] = {0x10000, 0x7FFFFFF0, 0x80000000, 0xFFFFFFF0, 0xFFFFFFFF};
    for (size_t k = 0; k < sizeof values / sizeof values[0]; k++) {
        buffer file = {0};
        meter m = {0};
        model64_pennant(&file);
        model64_set(&file, 56, 4, values[k]);
        CHECK_INT(exercise(file.data, file.size, &m, 0), EXERCISE_OPENED);
        CHECK(m.peak <= 16384);
        buffer_free(&file);
    }
}

/* Every word of the pennant's offsets at every place that could matter. */
TEST(offsets_anywhere)
{
    static const size_t offsets[] = {16, 24, 32, 36, 40, PENNANT_ANIMATIONS + 8, PENNANT_FRAMES + 8};
    for (size_t i = 0; i < sizeof offsets / sizeof offsets[0]; i++)
        for (uint32_t value = 0; value < PENNANT_SIZE + 32; value++) {
            buffer file = {0};
            meter m = {0};
            model64_pennant(&file);
            model64_set(&file, offsets[i], 4, value);
            exercise(file.data, file.size, &m, FAULT_MEGABYTE);
            buffer_free(&file);
        }
}

TEST(corpus_files_survive)
{
    fault_corpus_file("model64/x_quad_primcolor_swapped.model", true);
    fault_corpus_file("model64/s_skin_onekey.model", true);
    fault_corpus_file("model64/g_BoxTextured.model", true);
    fault_corpus_file("model64/BlueEnemy.model", false);
}

TEST_MAIN(CASE(box_survives), CASE(pennant_survives), CASE(every_allocation_counts), CASE(counts_cost_nothing),
          CASE(large_blocks_cost_nothing), CASE(offsets_anywhere), CASE(corpus_files_survive))
