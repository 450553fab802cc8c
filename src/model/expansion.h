/* expansion.h: how much a file becomes in memory.
 *
 * Records of a file may share vertices, indices and keys. A small file can then ask for any number of them, and for
 * hours of work. Readers count what decoding will make, before anything is decoded, and compare that with the limit of
 * the caller. */
#ifndef TL_MODEL_EXPANSION_H
#define TL_MODEL_EXPANSION_H

#include "trilobite/error.h"
#include "trilobite/memory.h"

typedef struct tl_expansion {
    uint64_t elements; /* vertices, indices and keys, as often as they are used */
    uint64_t bytes;    /* of the file and its companions */
} tl_expansion;

/* Adds count * times elements; UINT64_MAX where that overflows. */
void tl_expansion_add(tl_expansion *expansion, uint64_t count, uint64_t times);

/* Returns false with TRILO_CODE_LIMIT when there are more elements than limits->elements allows. */
bool tl_expansion_fits(const tl_expansion *expansion, const trilo_limits *limits, trilo_error *err);

#endif
