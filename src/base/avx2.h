/* avx2.h: functions for AVX2, chosen at run time by their callers.
 *
 * Code between TL_AVX2_BEGIN and TL_AVX2_END may use vectors of 32 bytes, whatever the compiler's flags. gcc splits
 * such vectors before it inlines, so a function that is used with and without AVX2 is compiled twice: it is in a file
 * X.inc, which X.c includes for every machine and X_avx2.c once more between these marks. Integer operations and each
 * operation on floats give the same bits in both, since nothing is fused. A compiler without these pragmas, another
 * machine, and TRILO_NO_AVX2 leave TL_AVX2 at 0.
 */
#ifndef TL_BASE_AVX2_H
#define TL_BASE_AVX2_H

#include <stdbool.h>

#if defined(__x86_64__) && defined(__clang__) && !defined(TRILO_NO_AVX2)
#define TL_AVX2       1
#define TL_AVX2_BEGIN _Pragma("clang attribute push(__attribute__((target(\"avx2\"))), apply_to = function)")
#define TL_AVX2_END   _Pragma("clang attribute pop")
#elif defined(__x86_64__) && defined(__GNUC__) && !defined(_WIN32) && !defined(TRILO_NO_AVX2)
#define TL_AVX2       1
#define TL_AVX2_BEGIN _Pragma("GCC push_options") _Pragma("GCC target(\"avx2\")")
#define TL_AVX2_END   _Pragma("GCC pop_options")
#else
#define TL_AVX2 0
#endif

/* True if the processor has AVX2 and the operating system saves its registers. */
static inline bool tl_has_avx2(void)
{
#if TL_AVX2
    return __builtin_cpu_supports("avx2");
#else
    return false;
#endif
}

#endif
