/* hash.h: hashes of what may change, to be compared later. */
#ifndef CLI_HASH_H
#define CLI_HASH_H

#include <stdint.h>

/* FNV-1a, a word at a time. */
static inline uint64_t hash_add(uint64_t hash, uint64_t word)
{
    return (hash ^ word) * UINT64_C(0x100000001B3);
}

#endif
