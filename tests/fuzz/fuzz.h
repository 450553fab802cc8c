/* fuzz.h: the one function that every fuzz target defines. Where there is no libFuzzer the build renames it to
 * fuzz_NAME, since all targets are linked into one program. */
#ifndef TL_TEST_FUZZ_H
#define TL_TEST_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* Answers 0. Whatever the bytes, it must come back, and the sanitizers must stay silent. */
typedef int fuzz_target(const uint8_t *data, size_t size);
fuzz_target LLVMFuzzerTestOneInput;

/* A target may make its new inputs itself, in place (mutate_NAME.c). LLVMFuzzerMutate is libFuzzer's own way. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room);

/* Gives the target every file of the folders (NULL ends the list); returns the exit code. */
int fuzz_replay(fuzz_target *target, char **folders);

#endif
