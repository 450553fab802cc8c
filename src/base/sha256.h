/* sha256.h: the SHA-256 hash (FIPS 180-4), to recognize content that was seen before. */
#ifndef TL_BASE_SHA256_H
#define TL_BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { TL_SHA256_SIZE = 32 };

typedef struct tl_sha256 {
    uint32_t state[8];
    uint64_t size; /* bytes so far */
    uint8_t block[64];
} tl_sha256;

tl_sha256 tl_sha256_begin(void);
void tl_sha256_add(tl_sha256 *hash, const void *bytes, size_t size);
void tl_sha256_end(tl_sha256 *hash, uint8_t digest[TL_SHA256_SIZE]);

#endif
