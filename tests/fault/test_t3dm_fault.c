/* T3DM files cut, flipped and starved of memory: always a clean refusal or a good model. */
#include "harness.h"
#include "support/buffer.h"
#include "support/faults.h"
#include "support/t3dm_files.h"

#include <stdlib.h>

typedef struct subject {
    buffer file, stream;
    t3dm_places at;
    fault_input in;
} subject;

static void subject_make(subject *s, uint32_t version)
{
    *s = (subject){.at = {0}};
    t3dm_kite(&s->file, version, &s->at);
    t3dm_kite_stream(&s->stream);
    s->in = (fault_input){s->file.data, s->file.size, t3dm_kite_companion, &s->stream};
}

static void subject_free(subject *s)
{
    buffer_free(&s->file);
    buffer_free(&s->stream);
}

/* The string table ends the file without saying how long it is: a shorter one is a finding, not a refusal. */
TEST(kites_are_cut)
{
    for (uint32_t version = 1; version <= 4; version++) {
        subject s;
        subject_make(&s, version);
        fault_truncate(&s.in, s.file.size - s.at.strings + 1);
        subject_free(&s);
    }
}

TEST(kites_are_flipped)
{
    for (uint32_t version = 1; version <= 4; version += 3) {
        subject s;
        size_t results[3] = {0};
        subject_make(&s, version);
        fault_flip(&s.in, results);
        CHECK(results[EXERCISE_REFUSED] > 0 && results[EXERCISE_OPENED] > 0 && results[EXERCISE_MODEL] > 0);
        subject_free(&s);
    }
}

TEST(kites_are_starved)
{
    subject s;
    subject_make(&s, 4);
    fault_starve(&s.in);
    fault_limit(&s.in);
    subject_free(&s);
}

/* A broken stream is a finding of the model. */
TEST(streams_are_cut_and_flipped)
{
    subject s;
    subject_make(&s, 4);
    const size_t whole = s.stream.size;
    for (s.stream.size = 0; s.stream.size < whole; s.stream.size++) {
        meter m = {0};
        exercise_beside(s.file.data, s.file.size, &m, FAULT_MEGABYTE, t3dm_kite_companion, &s.stream);
    }
    for (size_t at = 0; at < whole; at++)
        for (int bit = 0; bit < 8; bit++) {
            meter m = {0};
            s.stream.data[at] ^= (uint8_t)(1 << bit);
            exercise_beside(s.file.data, s.file.size, &m, FAULT_MEGABYTE, t3dm_kite_companion, &s.stream);
            s.stream.data[at] ^= (uint8_t)(1 << bit);
        }
    subject_free(&s);
}

/* Counts may ask for no more memory than the bytes behind them. */
TEST(counts_cost_nothing)
{
    static const struct {
        size_t base, delta;
    } counts[] = {
        {SIZE_MAX, 4}, /* chunks */
        {offsetof(t3dm_places, object), 4},
        {offsetof(t3dm_places, animation), 12},
        {offsetof(t3dm_places, animation), 14},
        {offsetof(t3dm_places, skeleton), 0},
        {offsetof(t3dm_places, bvh), 0},
        {offsetof(t3dm_places, bvh), 2},
    };
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        subject s;
        meter m = {0};
        subject_make(&s, 4);
        const size_t at = counts[i].base == SIZE_MAX
                              ? counts[i].delta
                              : *(const size_t *)(const void *)((const char *)&s.at + counts[i].base) + counts[i].delta;
        s.file.data[at] = s.file.data[at + 1] = 0xFF;
        CHECK_INT(exercise_beside(s.file.data, s.file.size, &m, 0, t3dm_kite_companion, &s.stream), EXERCISE_REFUSED);
        CHECK(m.peak <= 32768);
        subject_free(&s);
    }
}

static void with_corpus(const char *path, size_t loose)
{
    size_t size;
    uint8_t *bytes = test_read_file(test_corpus(path), &size);
    CHECK(bytes);
    const fault_input in = {bytes, size, NULL, NULL};
    fault_truncate(&in, loose);
    fault_starve(&in);
    free(bytes);
}

TEST(corpus_files_survive)
{
    with_corpus("t3dm/08_animation/filesystem/shadow.t3dm", 50);
    with_corpus("t3dm/08_animation/filesystem/snake.t3dm", 800);
    with_corpus("t3dm-versions/v1/cath.t3dm", 1500);
}

TEST(corpus_flipped)
{
    size_t size, results[3] = {0};
    uint8_t *bytes = test_read_file(test_corpus("t3dm/08_animation/filesystem/shadow.t3dm"), &size);
    CHECK(bytes);
    fault_flip(&(fault_input){bytes, size, NULL, NULL}, results);
    CHECK(results[EXERCISE_REFUSED] > 0 && results[EXERCISE_MODEL] > 0);
    free(bytes);
}

TEST_MAIN(CASE(kites_are_cut), CASE(kites_are_flipped), CASE(kites_are_starved), CASE(streams_are_cut_and_flipped),
          CASE(counts_cost_nothing), CASE(corpus_files_survive), CASE(corpus_flipped))
