/* NLM files cut, flipped and starved of memory: always a clean refusal or a good model. Run under the sanitizers, which
 * see what goes unnoticed here. */
#include "harness.h"
#include "support/buffer.h"
#include "support/faults.h"
#include "support/nlm_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void torture(void (*make)(buffer *))
{
    size_t results[3] = {0};
    fault_all(make, results);
    CHECK(results[EXERCISE_REFUSED] > 0 && results[EXERCISE_MODEL] > 0);
}

TEST(square_survives)
{
    torture(nlm_square);
}

TEST(stick_survives)
{
    torture(nlm_stick);
}

TEST(line_with_the_old_header_survives)
{
    torture(nlm_line12);
}

TEST(corpus_small_survive)
{
    static const char *const names[] = {"quad", "wire_line", "wire_plane", "wire_cube", "cube", "error_model"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[64];
        snprintf(path, sizeof path, "nlm/%s.nlm", names[i]);
        fault_corpus_file(path, true);
    }
}

TEST(corpus_cat_survives)
{
    fault_corpus_file("nlm/trotting_cat.nlm", false);
}

TEST(corpus_apple_survives)
{
    fault_corpus_file("nlm/green_apple.nlm", false);
}

/* A count may ask for no more memory than the file could justify. */
TEST(counts_cost_nothing)
{
    static const struct {
        void (*make)(buffer *);
        size_t at;
    } counts[] = {
        {nlm_square, SQUARE_MESH_COUNT_AT}, {nlm_square, SQUARE_VERTEX_COUNT_AT}, {nlm_square, SQUARE_INDEX_COUNT_AT},
        {nlm_square, SQUARE_TEXTURE_AT},    {nlm_stick, STICK_BONES_AT - 4},      {nlm_stick, STICK_TRACKS_AT - 4},
        {nlm_stick, STICK_TRACKS_AT + 8},   {nlm_stick, STICK_TRACKS_AT + 12},    {nlm_stick, STICK_TRACKS_AT + 16},
        {nlm_stick, STICK_NODES_AT - 4},    {nlm_stick, STICK_NODES_AT + 68},
    };
    static const uint32_t values[] = {1000, 65536, 0x0FFFFFFF, 0x15555556, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        for (size_t k = 0; k < sizeof values / sizeof values[0]; k++) {
            buffer file = {0};
            meter m = {0};
            counts[i].make(&file);
            buffer_set_u32(&file, counts[i].at, values[k]);
            CHECK_INT(exercise(file.data, file.size, &m, 0), EXERCISE_REFUSED);
            CHECK(m.peak <= 16384);
            buffer_free(&file);
        }
}

TEST_MAIN(CASE(square_survives), CASE(stick_survives), CASE(line_with_the_old_header_survives),
          CASE(counts_cost_nothing), CASE(corpus_small_survive), CASE(corpus_cat_survives), CASE(corpus_apple_survives))
