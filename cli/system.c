#define _POSIX_C_SOURCE 200809L

#include "system.h"

#include <errno.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

void system_prepare(void)
{
    signal(SIGPIPE, SIG_IGN);
}

bool system_is_terminal(FILE *file)
{
    return isatty(fileno(file)) == 1;
}

bool system_exists(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0;
}

bool system_same(const char *a, const char *b)
{
    struct stat first, second;
    return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

bool system_make_directory(const char *path)
{
    struct stat status;
    if (mkdir(path, 0777) == 0)
        return true;
    return errno == EEXIST && stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}
