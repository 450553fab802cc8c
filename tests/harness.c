#define _XOPEN_SOURCE 700

#include "harness.h"

#include <ftw.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TEST_FAILED = 1, TEST_SKIPPED = 2 };

static jmp_buf test_escape;
static bool test_running; /* a fuzz target checks outside of any test: there a failure ends the program */
static char test_message[1024];
static char test_home[PATH_MAX]; /* the folder of the test */
static char test_corpus_root[PATH_MAX];
static unsigned test_folders; /* that were made in it */

void test_fail(const char *file, int line, const char *format, ...)
{
    int used = snprintf(test_message, sizeof test_message, "%s:%d: ", file, line);
    va_list args;
    va_start(args, format);
    vsnprintf(test_message + used, sizeof test_message - (size_t)used, format, args);
    va_end(args);
    if (!test_running) {
        fprintf(stderr, "%s\n", test_message);
        abort();
    }
    longjmp(test_escape, TEST_FAILED);
}

void test_skip(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(test_message, sizeof test_message, format, args);
    va_end(args);
    longjmp(test_escape, TEST_SKIPPED);
}

void test_equal_int(const char *file, int line, const char *what, long long got, long long want)
{
    if (got != want)
        test_fail(file, line, "%s is %lld, not %lld", what, got, want);
}

void test_equal_str(const char *file, int line, const char *what, const char *got, const char *want)
{
    if (strcmp(got, want) != 0)
        test_fail(file, line, "%s is \"%s\", not \"%s\"", what, got, want);
}

void test_near(const char *file, int line, const char *what, double got, double want, double within)
{
    if (!(fabs(got - want) <= within))
        test_fail(file, line, "%s is %.17g, not %.17g within %g", what, got, want, within);
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *at)
{
    (void)status, (void)kind;
    return at->level > 0 ? remove(path) : 0;
}

bool test_empty_folder(const char *path)
{
    return nftw(path, remove_entry, 8, FTW_DEPTH | FTW_PHYS) == 0;
}

static bool enter_home(void)
{
    const char *root = getenv("TMPDIR");
    test_folders = 0;
    snprintf(test_home, sizeof test_home, "%s/trilobite-test-XXXXXX", root && root[0] == '/' ? root : "/tmp");
    return mkdtemp(test_home) && chdir(test_home) == 0;
}

static bool leave_home(void)
{
    return chdir("/") == 0 && test_empty_folder(test_home) && rmdir(test_home) == 0;
}

const char *test_folder(void)
{
    static char path[PATH_MAX + 16];
    snprintf(path, sizeof path, "%s/%u", test_home, test_folders++);
    CHECK(mkdir(path, 0777) == 0);
    return path;
}

uint8_t *test_read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    fseek(file, 0, SEEK_END);
    long length = ftell(file);
    rewind(file);
    uint8_t *bytes = malloc(length > 0 ? (size_t)length : 1);
    *size = bytes ? fread(bytes, 1, (size_t)length, file) : 0;
    fclose(file);
    return bytes;
}

const char *test_source(const char *name)
{
    static char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", TEST_SOURCE_DIR, name);
    return path;
}

const char *test_corpus(const char *name)
{
    static char path[PATH_MAX + 1024];
    snprintf(path, sizeof path, "%s/%s", test_corpus_root, name);
    FILE *file = fopen(path, "rb");
    if (!file)
        test_skip("no %s in the corpus (TRILOBITE_CORPUS)", name);
    fclose(file);
    return path;
}

bool test_full(void)
{
    const char *which = getenv("TRILOBITE_TESTS");
    return which && strcmp(which, "full") == 0;
}

uint32_t test_rounds(uint32_t all, uint32_t few)
{
    return test_full() ? all : few;
}

size_t test_step(size_t count, size_t few)
{
    return test_full() || count <= few ? 1 : count / few | 1;
}

static int test_one(const test_case *test)
{
    if (!enter_home()) {
        printf("FAIL %s: the folder %s cannot be made\n", test->name, test_home);
        return TEST_FAILED;
    }
    int outcome = setjmp(test_escape);
    test_running = outcome == 0;
    if (outcome == 0)
        test->run();
    test_running = false;
    if (outcome == TEST_FAILED)
        printf("FAIL %s: %s\n", test->name, test_message);
    if (outcome == TEST_SKIPPED)
        printf("skip %s: %s\n", test->name, test_message);
    if (!leave_home())
        printf("note: %s stays\n", test_home);
    fflush(stdout);
    return outcome;
}

int test_run(const test_file *file, const char *filter)
{
    const char *base = strrchr(file->path, '/');
    unsigned tally[3] = {0};
    const char *corpus = getenv("TRILOBITE_CORPUS"); /* may be relative to where the program was started */
    corpus = corpus ? corpus : test_source("../shared/corpus");
    if (!realpath(corpus, test_corpus_root))
        snprintf(test_corpus_root, sizeof test_corpus_root, "%s", corpus);
    for (size_t i = 0; i < file->count; i++)
        if (!filter || strstr(file->cases[i].name, filter))
            tally[test_one(&file->cases[i])]++;
    printf("%s\n%u passed, %u failed, %u skipped\n", base ? base + 1 : file->path, tally[0], tally[TEST_FAILED],
           tally[TEST_SKIPPED]);
    return tally[TEST_FAILED] != 0 || (tally[0] == 0 && tally[TEST_SKIPPED] == 0);
}
