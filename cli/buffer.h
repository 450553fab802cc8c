/* buffer.h: a growing byte buffer. */
#ifndef CLI_BUFFER_H
#define CLI_BUFFER_H

#include "trilobite/core.h"

typedef struct cli_buffer {
    uint8_t *bytes; /* freed by the caller */
    size_t size, room;
} cli_buffer;

/* A sink for the library's writers: `buffer` is a cli_buffer. */
bool buffer_keep(void *buffer, const void *bytes, size_t size);

#endif
