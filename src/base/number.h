/* number.h: numbers to text and back, independent of the locale. */
#ifndef TL_BASE_NUMBER_H
#define TL_BASE_NUMBER_H

#include "trilobite/core.h"

/* trilo_float_print and trilo_double_print of core.h are implemented here. Their format:
 *
 *   - the fewest digits that read back as the same number, and among those the nearest to it;
 *   - plain decimals from 0.00001 to below 1e16: "3", "-0", "0.1", "123456790", "0.00001";
 *   - otherwise an exponent with a sign and at least two digits, as in C: "1e-07", "1.5e+16", "5e-324";
 *   - "nan", "inf", "-inf". Everything else is a valid JSON number.
 */

/* Returns the length. `out` has room for 32 bytes. */
size_t tl_print_u64(uint64_t value, char out[32]);

/* Reads a valid JSON number as the nearest double (ties to even); underflow gives 0. Returns false on overflow. */
bool tl_read_double(const char *text, size_t length, double *out);

#endif
