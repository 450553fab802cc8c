/* system.h: the few things the C library does not know, in one place. */
#ifndef CLI_SYSTEM_H
#define CLI_SYSTEM_H

#include <stdbool.h>
#include <stdio.h>

/* To be called first. Standard streams that are closed become streams that fail, so that no file gets their descriptor.
 * A reader that went away and a file that is too large become failing writes. Messages are written line by line. */
void system_prepare(void);

bool system_is_terminal(FILE *file);

/* Is there anything at that path? */
bool system_exists(const char *path);

/* Is it a plain file, or a link to one? */
bool system_is_file(const char *path);

/* Is it a folder, or a link to one? */
bool system_is_folder(const char *path);

/* Makes a directory; true as well when it is already there. */
bool system_make_directory(const char *path);

#endif
