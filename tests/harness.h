/* harness.h: a test file is a list of TEST functions and one TEST_MAIN.
 *
 * Ours rather than a library's because the whole suite also runs as big-endian MIPS, for which no package exists.
 * A failed CHECK ends its test; the rest of the file goes on. A test that cannot run says why with SKIP and is
 * counted as skipped, never as passed.
 *
 * All test files are linked into one program, which is many times cheaper than linking each with the library:
 * `trilobite-tests unit.arena` runs tests/unit/test_arena.c, `trilobite-tests unit.arena grow` only its tests with
 * "grow" in their name (tests/main.c).
 */
#ifndef TL_TEST_HARNESS_H
#define TL_TEST_HARNESS_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct test_case {
    const char *name;
    void (*run)(void);
} test_case;

/* A test file. */
typedef struct test_file {
    const char *path;
    const test_case *cases;
    size_t count;
} test_file;

/* Runs all tests of the file, or those whose name contains `filter` (NULL: all); returns the exit code. */
int test_run(const test_file *file, const char *filter);

_Noreturn void test_fail(const char *file, int line, const char *format, ...) __attribute__((format(printf, 3, 4)));
_Noreturn void test_skip(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Each test runs in an empty folder of its own, which is removed with all that is in it when the test ends, however it
 * ends. This makes another in it, and returns its absolute path, which is valid until the next call. */
const char *test_folder(void);
/* Removes what is in the folder; false when something stays. */
bool test_empty_folder(const char *path);

/* Whole file, malloc'ed with exactly its size; NULL when it is not there. */
uint8_t *test_read_file(const char *path, size_t *size);
/* A file of the source tree. The text is valid until the next call. */
const char *test_source(const char *name);
/* $TRILOBITE_CORPUS/name, by default ../shared/corpus/name beside the source tree; skips the test when the corpus is
 * not there. The text is valid until the next call. */
const char *test_corpus(const char *name);

void test_equal_int(const char *file, int line, const char *what, long long got, long long want);
void test_equal_str(const char *file, int line, const char *what, const char *got, const char *want);
void test_near(const char *file, int line, const char *what, double got, double want, double within);

#define TEST(name) static void name(void)
/* TEST_FILE is defined by the build, such as unit_arena. */
#define TEST_MAIN(...)                                                                                                 \
    static const test_case test_cases[] = {__VA_ARGS__};                                                               \
    extern const test_file TEST_FILE;                                                                                  \
    const test_file TEST_FILE = {__FILE__, test_cases, sizeof test_cases / sizeof test_cases[0]};
#define CASE(name)                                                                                                     \
    {                                                                                                                  \
#name, name                                                                                                    \
    }

#define SKIP(...) test_skip(__VA_ARGS__)
#define FAIL(...) test_fail(__FILE__, __LINE__, __VA_ARGS__)
#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            test_fail(__FILE__, __LINE__, "%s", #condition);                                                           \
    } while (0)
#define CHECK_INT(got, want)          test_equal_int(__FILE__, __LINE__, #got, (long long)(got), (long long)(want))
#define CHECK_STR(got, want)          test_equal_str(__FILE__, __LINE__, #got, got, want)
#define CHECK_NEAR(got, want, within) test_near(__FILE__, __LINE__, #got, got, want, within)

/* Under sanitizers and on emulated machines everything takes many times as long: fewer rounds do. */
#if defined(__SANITIZE_ADDRESS__) || defined(__mips__)
enum { TEST_SLOW = 1 };
#else
enum { TEST_SLOW = 0 };
#endif
/* Emulated machines are there for their byte order; that memory is safe is shown elsewhere. */
#ifdef __mips__
enum { TEST_EMULATED = 1 };
#else
enum { TEST_EMULATED = 0 };
#endif

/* Long loops are sized by counts, not by time, so that a run is the same on every machine. `make test` does a part of
 * each; with TRILOBITE_TESTS=full in the environment (`make test-full`) they do everything. */
bool test_full(void);
/* Rounds of a loop over random values: `few`, or `all` in a full run. */
uint32_t test_rounds(uint32_t all, uint32_t few);
/* Step of a loop over `count` places, so that it visits about `few` of them; 1 in a full run. It is odd, so that the
 * places fall on every byte of a word. */
size_t test_step(size_t count, size_t few);

#endif
