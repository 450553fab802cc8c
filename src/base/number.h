/* number.h: numbers as text, without the C library: its decimal point follows the locale. */
#ifndef TL_BASE_NUMBER_H
#define TL_BASE_NUMBER_H

#include "trilobite/core.h"

/* trilo_float_print and trilo_double_print of core.h live here too. What they write:
 *
 *   - the fewest digits that read back as the same number, and of those the ones nearest to it;
 *   - plain decimals from 0.00001 to below 1e16: "3", "-0", "0.1", "123456790", "0.00001";
 *   - otherwise an exponent with a sign and at least two digits, as C prints it: "1e-07", "1.5e+16", "5e-324";
 *   - "nan", "inf", "-inf". All the rest is also a JSON number.
 */

/* `out` must have room for 32 bytes; answers the length. */
size_t tl_print_u64(uint64_t value, char out[32]);

/* Reads `text`, which the caller knows to be a JSON number, as the nearest double, of two equally near ones the even
 * one; what is too small for a double becomes 0. False: it is too large for one. */
bool tl_read_double(const char *text, size_t length, double *out);

#endif
