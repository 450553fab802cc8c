/* system.h for POSIX; system_files.c has the rest. */
#ifndef _WIN32
#ifdef __linux__
#define _GNU_SOURCE /* fopencookie */
#else
#define _POSIX_C_SOURCE 200809L
#endif

#include "system.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
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

#ifdef __linux__
/* open_memstream of the GNU C library drops what it has no memory for, without an error in ferror. */
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
#else
typedef int system_is_windows; /* a source file must not be empty */
#endif
