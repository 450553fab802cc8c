/* buffer.h: bytes that grow, for tests that build files by hand or catch what is written. */
#ifndef TL_TEST_BUFFER_H
#define TL_TEST_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct buffer {
    uint8_t *data;
    size_t size;
} buffer;

bool buffer_sink(void *buffer, const void *bytes, size_t size); /* a trilo_write_fn */
void buffer_u32(buffer *b, uint32_t value);                     /* little-endian */
void buffer_f32(buffer *b, float value);
void buffer_f32s(buffer *b, const float *values, size_t count);
void buffer_set_u32(buffer *b, size_t at, uint32_t value);
void buffer_set_f32(buffer *b, size_t at, float value);
uint32_t buffer_get_u32(const buffer *b, size_t at);
void buffer_free(buffer *b);

#endif
