/* trig.h: sines and angles with the same bits everywhere.
 *
 * The C library's sin and acos may differ in the last bit from one system to the next, and what they touch ends up in
 * files. These use nothing but + - * / and sqrt, which IEEE 754 rounds in one way only.
 */
#ifndef TL_BASE_TRIG_H
#define TL_BASE_TRIG_H

#define TL_PI 3.14159265358979323846

/* Off by at most 2e-16 for |x| <= 1e6. Beyond that, and for what is not finite, the answer is not-a-number: a wrong
 * angle would be worse. */
double tl_sin(double x);
double tl_cos(double x);

/* The angle of the point (x, y), from -pi to pi, with the signs and special values of C's atan2. Off by at most 5e-16,
 * and by at most 4e-16 of the angle itself. */
double tl_atan2(double y, double x);

/* From 0 to pi, off by at most 5e-16; not-a-number outside -1 to 1. */
double tl_acos(double x);

#endif
