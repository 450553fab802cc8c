#include "buffer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool bench_keep(void *user, const void *bytes, size_t size)
{
    bench_buffer *b = user;
    if (size > b->room - b->size) {
        const size_t room = 2 * b->room > b->size + size ? 2 * b->room : b->size + size;
        uint8_t *bigger = realloc(b->bytes, room);
        if (!bigger)
            return false;
        b->bytes = bigger;
        b->room = room;
    }
    if (size > 0)
        memcpy(b->bytes + b->size, bytes, size);
    b->size += size;
    return true;
}

bool bench_read_file(const char *path, bench_buffer *buffer)
{
    FILE *file = fopen(path, "rb");
    uint8_t piece[1 << 16];
    size_t size;
    bool ok = file != NULL;
    while (ok && (size = fread(piece, 1, sizeof piece, file)) > 0)
        ok = bench_keep(buffer, piece, size);
    ok = ok && !ferror(file);
    if (file)
        fclose(file);
    return ok;
}

void bench_buffer_free(bench_buffer *buffer)
{
    free(buffer->bytes);
    *buffer = (bench_buffer){NULL, 0, 0};
}
