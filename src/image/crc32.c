#include "image/image.h"

/* Four bits at a time: a table of 16 words is made on the fly. */
uint32_t tl_crc32(uint32_t crc, const void *bytes, size_t size)
{
    const uint32_t polynomial = 0xEDB88320u;
    uint32_t table[16];
    for (uint32_t i = 0; i < 16; i++) {
        table[i] = i;
        for (int bit = 0; bit < 4; bit++)
            table[i] = table[i] >> 1 ^ (table[i] & 1 ? polynomial : 0);
    }
    const uint8_t *from = bytes;
    crc = ~crc;
    for (size_t i = 0; i < size; i++) {
        crc ^= from[i];
        crc = crc >> 4 ^ table[crc & 15];
        crc = crc >> 4 ^ table[crc & 15];
    }
    return ~crc;
}
