/* replay.c: runs a fuzz target without libFuzzer, on every file of some folders, so that an input which once broke
 * something is tried again in every run of the tests. */
#define _POSIX_C_SOURCE 200809L

#include "fuzz/fuzz.h"
#include "harness.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

/* How many inputs the folder held; negative when one could not be read. */
static long replay_folder(fuzz_target *target, const char *folder)
{
    DIR *dir = opendir(folder);
    if (!dir)
        return 0;
    long count = 0;
    for (struct dirent *entry = readdir(dir); entry && count >= 0; entry = readdir(dir)) {
        if (entry->d_name[0] == '.')
            continue;
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        /* The last line printed names the input of a crash. */
        printf("%s\n", path);
        fflush(stdout);
        size_t size = 0;
        uint8_t *bytes = test_read_file(path, &size);
        if (bytes)
            target(bytes, size);
        count = bytes ? count + 1 : -1;
        free(bytes);
    }
    closedir(dir);
    return count;
}

int fuzz_replay(fuzz_target *target, char **folders)
{
    long total = 0;
    for (; *folders; folders++) {
        long count = replay_folder(target, *folders);
        if (count <= 0) {
            printf("%s: %s\n", *folders, count < 0 ? "an input cannot be read" : "no inputs");
            return 1;
        }
        total += count;
    }
    printf("%ld inputs\n", total);
    return total == 0;
}
