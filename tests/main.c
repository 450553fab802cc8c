/* main.c: the program that all test files are linked into.
 *
 *   trilobite-tests                       lists the names
 *   trilobite-tests unit.NAME [TEST]      runs tests/unit/test_NAME.c, or its tests with TEST in their name
 *   trilobite-tests fuzz.NAME FOLDER...   gives the fuzz target every file of the folders
 *
 * test_files.inc is written by tests/CMakeLists.txt: a line TEST_FILE(suite, name) for each file. */
#include "fuzz/fuzz.h"
#include "harness.h"

#include <stdio.h>
#include <string.h>

#define FUZZ_TARGET(name)      fuzz_target fuzz_##name;
#define TEST_FILE(suite, name) extern const test_file suite##_##name;
#include "test_files.inc"
#undef FUZZ_TARGET
#undef TEST_FILE

static const struct {
    const char *name;
    const test_file *file;
    fuzz_target *target;
} entries[] = {
#define FUZZ_TARGET(name)      {"fuzz." #name, NULL, fuzz_##name},
#define TEST_FILE(suite, name) {#suite "." #name, &suite##_##name, NULL},
#include "test_files.inc"
};

int main(int argc, char **argv)
{
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++) {
        if (argc < 2)
            printf("%s\n", entries[i].name);
        else if (strcmp(entries[i].name, argv[1]) == 0)
            return entries[i].file ? test_run(entries[i].file, argv[2]) : fuzz_replay(entries[i].target, argv + 2);
    }
    if (argc < 2)
        return 0;
    fprintf(stderr, "trilobite-tests: no test file is called %s\n", argv[1]);
    return 2;
}
