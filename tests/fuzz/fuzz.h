/* fuzz.h: the one function that every fuzz target defines. */
#ifndef TL_TEST_FUZZ_H
#define TL_TEST_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* Answers 0. Whatever the bytes, it must come back, and the sanitizers must stay silent. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
