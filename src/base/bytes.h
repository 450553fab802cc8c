/* bytes.h: loads and stores of integers and floats in a given byte order, at any alignment. Compilers turn them into
 * single instructions. */
#ifndef TL_BASE_BYTES_H
#define TL_BASE_BYTES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef enum tl_order { TL_LITTLE, TL_BIG } tl_order;

/* What a clone without Git LFS has instead of a large file. */
#define TL_LFS_START "version https://git-lfs."

static inline bool tl_is_lfs_pointer(const uint8_t *bytes, size_t size)
{
    return size >= sizeof TL_LFS_START - 1 && memcmp(bytes, TL_LFS_START, sizeof TL_LFS_START - 1) == 0;
}

static inline uint16_t tl_get_u16(const uint8_t *p, tl_order order)
{
    return (uint16_t)(order == TL_BIG ? p[0] << 8 | p[1] : p[1] << 8 | p[0]);
}

static inline uint32_t tl_get_u32le(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline uint32_t tl_get_u32be(const uint8_t *p)
{
    return (uint32_t)p[3] | (uint32_t)p[2] << 8 | (uint32_t)p[1] << 16 | (uint32_t)p[0] << 24;
}

static inline uint32_t tl_get_u32(const uint8_t *p, tl_order order)
{
    return order == TL_BIG ? tl_get_u32be(p) : tl_get_u32le(p);
}

/* In one expression, which compilers turn into a single load. */
static inline uint64_t tl_get_u64be(const uint8_t *p)
{
    return (uint64_t)p[7] | (uint64_t)p[6] << 8 | (uint64_t)p[5] << 16 | (uint64_t)p[4] << 24 | (uint64_t)p[3] << 32 |
           (uint64_t)p[2] << 40 | (uint64_t)p[1] << 48 | (uint64_t)p[0] << 56;
}

static inline uint64_t tl_get_u64(const uint8_t *p, tl_order order)
{
    uint64_t first = tl_get_u32(p, order), second = tl_get_u32(p + 4, order);
    return order == TL_BIG ? first << 32 | second : second << 32 | first;
}

static inline float tl_float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint32_t tl_bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline float tl_get_f32(const uint8_t *p, tl_order order)
{
    return tl_float_of(tl_get_u32(p, order));
}

static inline void tl_put_u32(uint8_t *p, tl_order order, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        p[i] = (uint8_t)(value >> 8 * (order == TL_BIG ? 3 - i : i));
}

static inline void tl_put_u16(uint8_t *p, tl_order order, uint16_t value)
{
    p[order == TL_BIG ? 0 : 1] = (uint8_t)(value >> 8);
    p[order == TL_BIG ? 1 : 0] = (uint8_t)value;
}

static inline void tl_put_u64(uint8_t *p, tl_order order, uint64_t value)
{
    tl_put_u32(p, order, (uint32_t)(order == TL_BIG ? value >> 32 : value));
    tl_put_u32(p + 4, order, (uint32_t)(order == TL_BIG ? value : value >> 32));
}

/* True if this is the byte order of the machine. */
static inline bool tl_order_is_host(tl_order order)
{
    const uint16_t probe = 1;
    uint8_t first;
    memcpy(&first, &probe, 1);
    return (first == 1) == (order == TL_LITTLE);
}

/* Neither infinite nor NaN. Tests the bits, so that it also works where a compiler assumes finite math. */
static inline bool tl_is_finite(float value)
{
    return (tl_bits_of(value) & 0x7F800000u) != 0x7F800000u;
}

#endif
