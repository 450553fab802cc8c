/* read_file.h: a small file in one piece. */
#ifndef TL_CLI_READ_FILE_H
#define TL_CLI_READ_FILE_H

#include <stddef.h>
#include <stdint.h>

/* The bytes of a file, for the caller to free; NULL, with errno set, when it cannot be read. */
uint8_t *slurp(const char *path, size_t *size);

#endif
