/* buffer.h: bytes of a file in memory. */
#ifndef BENCH_BUFFER_H
#define BENCH_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct bench_buffer {
    uint8_t *bytes;
    size_t size, room;
} bench_buffer;

/* Appends; a sink for trilo_model_write, whose `user` is a bench_buffer. */
bool bench_keep(void *buffer, const void *bytes, size_t size);
/* Appends a whole file. Prints nothing on failure, since the file may be optional. */
bool bench_read_file(const char *path, bench_buffer *buffer);
void bench_buffer_free(bench_buffer *buffer);

#endif
