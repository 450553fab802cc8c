#define _POSIX_C_SOURCE 200809L

#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void system_prepare(void)
{
    static char lines[4096];
    int descriptor;
    do /* a folder can neither be read nor written */
        descriptor = open("/", O_RDONLY);
    while (descriptor >= 0 && descriptor <= STDERR_FILENO);
    if (descriptor >= 0)
        close(descriptor);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    setvbuf(stderr, lines, _IOLBF, sizeof lines);
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

bool system_is_file(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

bool system_is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* Folders above it are made too, one after the other. */
bool system_make_directory(const char *path)
{
    char part[4096];
    const size_t length = strlen(path);
    if (length >= sizeof part) {
        errno = ENAMETOOLONG;
        return false;
    }
    for (size_t i = 1; i <= length; i++) {
        if (i < length && path[i] != '/')
            continue;
        memcpy(part, path, i);
        part[i] = '\0';
        if (mkdir(part, 0777) != 0 && !(errno == EEXIST && system_is_folder(part)) &&
            !(i < length && system_is_folder(part)))
            return false;
    }
    return true;
}
