/* system.h: the few functions of the system that the C library lacks. */
#ifndef CLI_SYSTEM_H
#define CLI_SYSTEM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* A path from the command line. On Windows its backslashes become slashes, which everything else expects. */
void system_take_path(char *path);
bool system_is_absolute(const char *path);

/* To be called first. Standard streams that are closed become streams that fail, so that no file gets their descriptor.
 * A closed pipe and a file that is too large make writes fail. Messages are written line by line. */
void system_prepare(void);

bool system_is_terminal(FILE *file);

/* True if anything exists at that path. */
bool system_exists(const char *path);

/* True if it is a regular file, or a link to one. */
bool system_is_file(const char *path);

/* True if it is a folder, or a link to one. */
bool system_is_folder(const char *path);

/* A number that changes when the file does: a hash of its size, time and inode. 0: its status cannot be read. */
uint64_t system_file_stamp(const char *path);

/* Makes a directory; true as well when it is already there. */
bool system_make_directory(const char *path);

/* A file in memory, whose text is there when it was closed, to be freed with free. The struct stays where it is
 * meanwhile. False: no memory. */
typedef struct system_text {
    FILE *file;
    char *text;
    size_t size, room;
} system_text;
bool system_text_open(system_text *text);
bool system_text_close(system_text *text);

void system_pause(unsigned milliseconds);

#endif
