/* system.h: the few things the C library does not know, in one place. */
#ifndef CLI_SYSTEM_H
#define CLI_SYSTEM_H

#include <stdbool.h>
#include <stdio.h>

/* A reader that went away becomes a failing write instead of the end of the program. */
void system_prepare(void);

bool system_is_terminal(FILE *file);

/* Is there anything at that path? */
bool system_exists(const char *path);

/* Is it a plain file, or a link to one? */
bool system_is_file(const char *path);

/* Makes a directory; true as well when it is already there. */
bool system_make_directory(const char *path);

#endif
