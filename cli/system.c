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

bool system_make_directory(const char *path)
{
    struct stat status;
    if (mkdir(path, 0777) == 0)
        return true;
    return errno == EEXIST && stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}
