#include "support/faults.h"

#include "harness.h"

#include <stdlib.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(start, size)   ((void)(start), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(start, size) ((void)(start), (void)(size))
#endif

static exercise_result run(const fault_input *in, meter *m, size_t limit)
{
    return exercise_beside(in->bytes, in->size, m, limit, in->companion, in->companion_user);
}

/* The cut-off part is made unreadable rather than copied away. */
void fault_truncate(const fault_input *in, size_t loose)
{
    /* A large file takes milliseconds each time. */
    const size_t step = test_step(in->size, (in->size < 65536 ? 4096 : 512) / (TEST_EMULATED ? 8 : 1));
    for (size_t length = in->size - 1; length < in->size; length -= step) { /* until it wraps */
        ASAN_POISON_MEMORY_REGION(in->bytes + length, in->size - length);
        meter m = {0};
        trilo_error err = {0};
        const trilo_load_opts opts = {.memory = meter_memory(&m, 64 * FAULT_MEGABYTE),
                                      .companion = in->companion,
                                      .companion_user = in->companion_user};
        trilo_document *document = trilo_document_open(in->bytes, length, &opts, &err);
        if (document)
            trilo_document_check(document, NULL, NULL);
        trilo_document_free(document);
        ASAN_UNPOISON_MEMORY_REGION(in->bytes, in->size);
        if (document && length + loose < in->size)
            FAIL("the first %zu of %zu bytes open", length, in->size);
        CHECK(document || err.code == TRILO_CODE_TRUNCATED || err.code == TRILO_CODE_BAD_VALUE ||
              err.code == TRILO_CODE_BAD_REF);
        CHECK(document || err.offset <= length);
        CHECK(m.now == 0 && m.peak <= 32768 + 16 * in->size);
    }
}

void fault_flip(const fault_input *in, size_t results[3])
{
    static const uint8_t patterns[] = {0xFF, 0x01, 0x80, 0x7F};
    const size_t step = test_step(in->size, TEST_EMULATED ? 256 : 2048);
    for (size_t at = 0; at < in->size; at += step)
        for (size_t k = 0; k < sizeof patterns; k++) {
            if (k != at % sizeof patterns && !test_full())
                continue;
            meter m = {0};
            in->bytes[at] ^= patterns[k];
            results[run(in, &m, FAULT_MEGABYTE)]++;
            in->bytes[at] ^= patterns[k];
        }
}

void fault_starve(const fault_input *in)
{
    for (int persistent = 0; persistent < 2; persistent++) {
        size_t n = 1;
        for (;; n += test_full() ? 1 : 1 + n / (in->size < 65536 ? 16 : 4)) {
            meter m = {.fail_at = n, .fail_from_there = persistent};
            const exercise_result result = run(in, &m, 64 * FAULT_MEGABYTE);
            CHECK(n < 10000);
            if (m.calls < n && result == EXERCISE_MODEL)
                break;
        }
        CHECK(n > 2);
    }
}

void fault_limit(const fault_input *in)
{
    for (size_t limit = 1;; limit += limit / 8 + 64) {
        meter m = {0};
        if (run(in, &m, limit) == EXERCISE_MODEL)
            break;
        CHECK(limit < 64 * FAULT_MEGABYTE);
    }
}

void fault_all(void (*make)(buffer *), size_t results[3])
{
    buffer file = {0};
    make(&file);
    const fault_input in = {file.data, file.size, NULL, NULL};
    fault_truncate(&in, 0);
    fault_flip(&in, results);
    fault_starve(&in);
    fault_limit(&in);
    buffer_free(&file);
}

void fault_corpus_file(const char *path, bool flip)
{
    size_t size, results[3] = {0};
    uint8_t *bytes = test_read_file(test_corpus(path), &size);
    CHECK(bytes);
    const fault_input in = {bytes, size, NULL, NULL};
    fault_truncate(&in, 0);
    fault_starve(&in);
    if (flip)
        fault_flip(&in, results);
    free(bytes);
}
