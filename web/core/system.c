/* The program's system.h where files are in memory and nobody sends signals. */
#include "system.h"

#include <sys/stat.h>

void system_prepare(void)
{
}

bool system_is_terminal(FILE *file)
{
    (void)file;
    return false;
}

bool system_exists(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0;
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

bool system_make_directory(const char *path)
{
    struct stat status;
    return mkdir(path, 0777) == 0 || (stat(path, &status) == 0 && S_ISDIR(status.st_mode));
}
