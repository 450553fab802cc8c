/* sandbox.h: an empty folder in memory (a tmpfs, where there is one) for commands to work in. */
#ifndef TL_TEST_SANDBOX_H
#define TL_TEST_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The folder "work" in a new folder, which is removed when the process exits. NULL: cannot be made. */
const char *sandbox_path(void);

/* Makes "work" empty. False: something is beside it, or cannot be removed. */
bool sandbox_clear(void);

/* Writes a file below the working directory, with the folders of its path. */
bool sandbox_write(const char *path, const uint8_t *bytes, size_t size);

/* A hash of the names and bytes of all files in "work", and how many of them have `part` in their name. */
uint64_t sandbox_hash(const char *part, size_t *with_part);

#endif
