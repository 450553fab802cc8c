/* strict_float.h: the same floating-point results from every compiler and with every optimization level.
 *
 * Conversions and pictures are the same bytes on every machine. A compiler that contracts a * b + c into one fused
 * multiply-add rounds once instead of twice and changes them, so contraction is turned off here and not only by the
 * build's flags. Each source file that computes with floats includes this header first. clang ignores the pragma under
 * -ffp-contract=fast. Fast math cannot be undone by a pragma and is refused. */
#ifndef TL_BASE_STRICT_FLOAT_H
#define TL_BASE_STRICT_FLOAT_H

#if defined(__FAST_MATH__)
#error "Trilobite needs IEEE 754 arithmetic: compile it without -ffast-math"
#endif

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
/* gcc has no FP_CONTRACT pragma. When gcc 12 vectorizes straight-line code, products that are added and subtracted in
 * turn, as in a quaternion product, round differently: with FMA it makes vfmaddsub of them, and without it base/vec.c
 * at -O3 gives other last bits than at -O2. */
#pragma GCC optimize("fp-contract=off", "no-tree-slp-vectorize")
#elif defined(_MSC_VER)
#pragma fp_contract(off)
#endif

#endif
