/* The program's system.h where files are in memory and there are no signals. */
#define _POSIX_C_SOURCE 200809L

#include "system.h"
#include "session.h"

/* Set by the host: it reads the progress display, which otherwise only a terminal gets. */
static bool progress_is_watched;

void watch_progress(int on)
{
    progress_is_watched = on != 0;
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

bool system_text_open(system_text *text)
{
    *text = (system_text){.file = NULL};
    text->file = open_memstream(&text->text, &text->size);
    return text->file != NULL;
}
