/* Files and time, as POSIX and WASI have them. */
#ifndef _WIN32
#define _POSIX_C_SOURCE 200809L
#ifdef __APPLE__
#define _DARWIN_C_SOURCE /* st_mtimespec */
#endif

#include "system.h"

#include "hash.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

void system_take_path(char *path)
{
    (void)path;
}

bool system_is_absolute(const char *path)
{
    return *path == '/';
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

uint64_t system_file_stamp(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0)
        return 0;
#ifdef __APPLE__
    const struct timespec time = status.st_mtimespec;
#else
    const struct timespec time = status.st_mtim;
#endif
    const uint64_t words[] = {(uint64_t)time.tv_sec, (uint64_t)time.tv_nsec, (uint64_t)status.st_size,
                              (uint64_t)status.st_ino};
    uint64_t stamp = 1;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        stamp = hash_add(stamp, words[i]);
    return stamp;
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

bool system_text_close(system_text *text)
{
    const bool whole = ferror(text->file) == 0;
    return fclose(text->file) == 0 && whole;
}

void system_pause(unsigned milliseconds)
{
    const struct timespec time = {(time_t)(milliseconds / 1000), (long)(milliseconds % 1000) * 1000000};
    nanosleep(&time, NULL);
}
#else
typedef int system_files_are_of_windows; /* a source file must not be empty */
#endif
