/* Running the program that makes the mascot. */
#define _POSIX_C_SOURCE 200809L
#include "mascot.h"

#include <spawn.h>
#include <string.h>
#include <sys/wait.h>

extern char **environ;

/* Both programs lie in the same folder. */
static bool neighbour(const char *program, const char *name, char path[BENCH_PATH])
{
    const char *slash = strrchr(program, '/');
    const size_t folder = slash ? (size_t)(slash - program) + 1 : 0;
    if (folder + strlen(name) >= BENCH_PATH)
        return false;
    memcpy(path, program, folder);
    memcpy(path + folder, name, strlen(name) + 1);
    return true;
}

bool bench_mascot(const bench *b, char path[BENCH_PATH])
{
    char program[BENCH_PATH];
    pid_t child;
    int status = -1;
    bench_path(b, "mascot.nlm", path);
    if (!neighbour(b->program, "trilobite-mascot", program))
        return false;
    char *arguments[] = {program, path, NULL};
    if (posix_spawnp(&child, program, NULL, NULL, arguments, environ) || waitpid(child, &status, 0) < 0 || status != 0)
        return bench_fail(program, "cannot be run, so there is no mascot");
    return true;
}
