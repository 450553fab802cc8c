/* NLM files cut, flipped and starved of memory: always a clean refusal or a good model. Run under the sanitizers, which
 * see what goes unnoticed here. */
#include "harness.h"
#include "support/buffer.h"
#include "support/exercise.h"
#include "support/nlm_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(start, size)   ((void)(start), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(start, size) ((void)(start), (void)(size))
#endif

enum { MEGABYTE = 1 << 20 };

/* Every length from nothing to all but one byte. The cut-off part is made unreadable rather than copied away. */
static void truncate_everywhere(uint8_t *bytes, size_t size)
{
    trilo_error err;
    for (size_t length = size; length-- > 0;) {
        ASAN_POISON_MEMORY_REGION(bytes + length, size - length);
        meter m = {0};
        const trilo_load_opts opts = {.memory = meter_memory(&m, 64 * MEGABYTE)};
        err = (trilo_error){0};
        trilo_document *document = trilo_open(bytes, length, &opts, &err);
        ASAN_UNPOISON_MEMORY_REGION(bytes, size);
        if (document)
            FAIL("the first %zu of %zu bytes open", length, size);
        CHECK(err.code == TRILO_TRUNCATED || err.code == TRILO_BAD_VALUE);
        CHECK(err.offset <= length);
        CHECK(m.now == 0 && m.peak <= 16384 + 8 * size);
    }
}

/* Each byte in turn becomes its complement, 0, 1 off, and a few other values. */
static void flip_everywhere(uint8_t *bytes, size_t size, size_t results[3])
{
    static const uint8_t patterns[] = {0xFF, 0x01, 0x80, 0x7F};
    for (size_t at = 0; at < size; at++)
        for (size_t k = 0; k < sizeof patterns; k++) {
            meter m = {0};
            bytes[at] ^= patterns[k];
            results[exercise(bytes, size, &m, MEGABYTE)]++;
            bytes[at] ^= patterns[k];
        }
}

/* The n-th allocation fails, once and for good, until everything succeeds. */
static void starve_everywhere(const uint8_t *bytes, size_t size)
{
    for (int persistent = 0; persistent < 2; persistent++) {
        size_t n = 1;
        for (;; n++) {
            meter m = {.fail_at = n, .fail_from_there = persistent};
            exercise_result result = exercise(bytes, size, &m, 64 * MEGABYTE);
            CHECK(n < 10000);
            if (m.calls < n && result == EXERCISE_MODEL)
                break;
        }
        CHECK(n > 2);
    }
}

/* Every memory limit from a byte up, in steps, until it is enough. */
static void limit_everywhere(const uint8_t *bytes, size_t size)
{
    for (size_t limit = 1;; limit += limit / 8 + 64) {
        meter m = {0};
        if (exercise(bytes, size, &m, limit) == EXERCISE_MODEL)
            break;
        CHECK(limit < 64 * MEGABYTE);
    }
}

static void torture(void (*make)(buffer *))
{
    buffer file = {0};
    size_t results[3] = {0};
    make(&file);
    truncate_everywhere(file.data, file.size);
    flip_everywhere(file.data, file.size, results);
    starve_everywhere(file.data, file.size);
    limit_everywhere(file.data, file.size);
    buffer_free(&file);
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

static void with_corpus(const char *name, bool flip)
{
    size_t size, results[3] = {0};
    uint8_t *bytes = test_read_file(test_corpus(name), &size);
    CHECK(bytes);
    truncate_everywhere(bytes, size);
    starve_everywhere(bytes, size);
    if (flip)
        flip_everywhere(bytes, size, results);
    free(bytes);
}

TEST(corpus_small_survive)
{
    static const char *const names[] = {"quad", "wire_line", "wire_plane", "wire_cube", "cube", "error_model"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[64];
        snprintf(path, sizeof path, "nlm/%s.nlm", names[i]);
        with_corpus(path, true);
    }
}

TEST(corpus_cat_survives)
{
    with_corpus("nlm/trotting_cat.nlm", false);
}

TEST(corpus_apple_survives)
{
    with_corpus("nlm/green_apple.nlm", false);
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
