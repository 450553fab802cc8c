#include "read_file.h"

#include "alloc.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static uint8_t *read_all(FILE *in, size_t *size)
{
    size_t room = 1 << 16, used = 0, got;
    uint8_t *bytes = need(NULL, room, 1);
    while ((got = fread(bytes + used, 1, room - used, in)) > 0) {
        used += got;
        if (used == room)
            bytes = need(bytes, room *= 2, 1);
    }
    *size = used;
    return bytes;
}

uint8_t *slurp(const char *path, size_t *size)
{
    FILE *in = fopen(path, "rb");
    if (!in)
        return NULL;
    uint8_t *bytes = read_all(in, size);
    const int error = ferror(in) ? errno : 0;
    fclose(in);
    if (!error)
        return bytes;
    free(bytes);
    errno = error;
    return NULL;
}
