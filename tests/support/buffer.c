#include "support/buffer.h"

#include <stdlib.h>
#include <string.h>

bool buffer_sink(void *user, const void *bytes, size_t size)
{
    buffer *b = user;
    uint8_t *data = realloc(b->data, b->size + size);
    if (!data)
        return false;
    memcpy(data + b->size, bytes, size);
    b->data = data;
    b->size += size;
    return true;
}

void buffer_set_u32(buffer *b, size_t at, uint32_t value)
{
    for (size_t i = 0; i < 4; i++)
        b->data[at + i] = (uint8_t)(value >> 8 * i);
}

uint32_t buffer_get_u32(const buffer *b, size_t at)
{
    uint32_t value = 0;
    for (size_t i = 0; i < 4; i++)
        value |= (uint32_t)b->data[at + i] << 8 * i;
    return value;
}

void buffer_set_f32(buffer *b, size_t at, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    buffer_set_u32(b, at, bits);
}

void buffer_u32(buffer *b, uint32_t value)
{
    const uint8_t zero[4] = {0};
    buffer_sink(b, zero, sizeof zero);
    buffer_set_u32(b, b->size - 4, value);
}

void buffer_f32(buffer *b, float value)
{
    buffer_u32(b, 0);
    buffer_set_f32(b, b->size - 4, value);
}

void buffer_f32s(buffer *b, const float *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        buffer_f32(b, values[i]);
}

void buffer_free(buffer *b)
{
    free(b->data);
    *b = (buffer){0};
}
