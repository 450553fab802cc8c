/* trig.h: trigonometric functions with the same bits on every machine.
 *
 * The last bit of sin and acos differs between C libraries, and results end up in files. These functions use only
 * + - * / and sqrt, which IEEE 754 defines exactly.
 */
#ifndef TL_BASE_TRIG_H
#define TL_BASE_TRIG_H

#define TL_PI 3.14159265358979323846

/* Absolute error at most 2e-16 for |x| <= 1e6; NaN for a larger or non-finite x. */
double tl_sin(double x);
double tl_cos(double x);

/* As atan2 of C, including its signs and special values. Absolute error at most 5e-16, relative error at most 4e-16. */
double tl_atan2(double y, double x);

/* From 0 to pi, absolute error at most 5e-16; NaN outside -1 to 1. */
double tl_acos(double x);

#endif
