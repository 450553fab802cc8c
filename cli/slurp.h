/* slurp.h: a small file in one piece. */
#ifndef CLI_SLURP_H
#define CLI_SLURP_H

#include <stddef.h>
#include <stdint.h>

/* The bytes of a file, for the caller to free; NULL, with errno set, when it cannot be read. */
uint8_t *slurp(const char *path, size_t *size);

#endif
