/* As POSIX has it. */
#ifndef _WIN32
#ifdef __linux__
#define _GNU_SOURCE /* fopencookie */
#else
#define _POSIX_C_SOURCE  200809L
#define _DARWIN_C_SOURCE /* st_mtimespec */
#endif

#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

void system_take_path(char *path)
{
    (void)path;
}

bool system_is_absolute(const char *path)
{
    return *path == '/';
}

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
        stamp = (stamp ^ words[i]) * UINT64_C(0x100000001B3);
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

#ifdef __linux__
/* open_memstream of the GNU C library drops what it has no memory for, and ferror does not tell. */
static ssize_t text_keep(void *cookie, const char *bytes, size_t size)
{
    system_text *text = cookie;
    if (size >= text->room - text->size) {
        const size_t room = text->room + text->room / 2 + size;
        char *grown = realloc(text->text, room);
        if (!grown)
            return 0;
        text->text = grown;
        text->room = room;
    }
    memcpy(text->text + text->size, bytes, size);
    text->size += size;
    text->text[text->size] = '\0';
    return (ssize_t)size;
}

bool system_text_open(system_text *text)
{
    *text = (system_text){.room = 4096};
    text->text = calloc(1, text->room);
    text->file = text->text ? fopencookie(text, "w", (cookie_io_functions_t){.write = text_keep}) : NULL;
    return text->file != NULL;
}
#else
bool system_text_open(system_text *text)
{
    *text = (system_text){.file = NULL};
    text->file = open_memstream(&text->text, &text->size);
    return text->file != NULL;
}
#endif

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
typedef int system_is_windows; /* a source file must not be empty */
#endif
