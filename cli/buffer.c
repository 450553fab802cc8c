#include "buffer.h"

#include "alloc.h"

#include <string.h>

bool buffer_keep(void *user, const void *bytes, size_t size)
{
    cli_buffer *buffer = user;
    if (size > buffer->room - buffer->size) {
        buffer->room = buffer->room + buffer->room / 2 + size + 4096;
        buffer->bytes = need(buffer->bytes, buffer->room, 1);
    }
    if (size > 0)
        memcpy(buffer->bytes + buffer->size, bytes, size);
    buffer->size += size;
    return true;
}
