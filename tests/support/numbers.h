/* numbers.h: floating-point numbers by their bits, and random ones. */
#ifndef TL_TEST_NUMBERS_H
#define TL_TEST_NUMBERS_H

#include <stddef.h>
#include <stdint.h>

float float_of(uint32_t bits);
double double_of(uint64_t bits);
uint64_t bits_of(double value);
/* SplitMix64 (Steele, Lea, Flood 2014). */
uint64_t random_bits(uint64_t *state);
/* A hash of the bits; `hash` is that of the values before. */
uint32_t hash_floats(uint32_t hash, const float *values, size_t count);

#endif
