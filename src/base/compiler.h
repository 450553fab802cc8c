/* compiler.h: what compilers spell differently. */
#ifndef TL_BASE_COMPILER_H
#define TL_BASE_COMPILER_H

#include <stdint.h>

/* Checks arguments against a format: the parameter `text` and those from `first` on. For MinGW, "printf" would be that
 * of Windows' own C library. */
#if defined(__MINGW32__) && !defined(__clang__)
#define TL_PRINTF_LIKE(text, first) __attribute__((format(gnu_printf, text, first)))
#elif defined(__GNUC__) || defined(__clang__)
#define TL_PRINTF_LIKE(text, first) __attribute__((format(printf, text, first)))
#else
#define TL_PRINTF_LIKE(text, first)
#endif

/* A function that is not inlined: it is rarely called, and inlining it would cost its callers registers. */
#if defined(__GNUC__) || defined(__clang__)
#define TL_NEVER_INLINE __attribute__((noinline))
#else
#define TL_NEVER_INLINE
#endif

/* Bytes that most processors get from memory at once. */
enum { TL_CACHE_LINE = 64 };

/* The memory at `at` will be read soon. */
static inline void tl_prefetch(const void *at)
{
#if defined(__GNUC__) || defined(__clang__)
    __builtin_prefetch(at);
#else
    (void)at;
#endif
}

/* The zero bits above the highest one and below the lowest one that is set. The value must not be 0. */
#if defined(__GNUC__) || defined(__clang__)
static inline int tl_zeros_above(uint32_t value)
{
    return __builtin_clz(value);
}

static inline int tl_zeros_below(uint32_t value)
{
    return __builtin_ctz(value);
}

static inline int tl_zeros_below64(uint64_t value)
{
    return __builtin_ctzll(value);
}
#else
static inline int tl_zeros_above(uint32_t value)
{
    int zeros = 0;
    for (int step = 16; step > 0; step /= 2)
        if (value >> (32 - step) == 0) {
            zeros += step;
            value <<= step;
        }
    return zeros;
}

static inline int tl_zeros_below(uint32_t value)
{
    return 31 - tl_zeros_above(value & (~value + 1));
}

static inline int tl_zeros_below64(uint64_t value)
{
    return (uint32_t)value ? tl_zeros_below((uint32_t)value) : 32 + tl_zeros_below((uint32_t)(value >> 32));
}
#endif

#endif
