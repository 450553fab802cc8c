/* The program's system.h where files are in memory and nobody sends signals. */
#define _POSIX_C_SOURCE 200809L

#include "system.h"
#include "session.h"

#include <sys/stat.h>
#include <time.h>

/* Set by the host: it reads the progress display, which otherwise only a terminal gets. */
static bool progress_is_watched;

void watch_progress(int on)
{
    progress_is_watched = on != 0;
}

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
    static char buffer[BUFSIZ];
    setvbuf(stderr, buffer, _IOLBF, sizeof buffer); /* a progress display arrives in one piece */
}

bool system_is_terminal(FILE *file)
{
    return file == stderr && progress_is_watched;
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

bool system_text_open(system_text *text)
{
    *text = (system_text){.file = NULL};
    text->file = open_memstream(&text->text, &text->size);
    return text->file != NULL;
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
