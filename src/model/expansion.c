#include "model/expansion.h"

#include "base/report.h"
#include <inttypes.h>

/* By default: enough for any small file, and in a larger one many times what its bytes justify. Real files have up to
 * one element for a byte. */
#define EXPANSION_FREE     ((uint64_t)1 << 20)
#define EXPANSION_PER_BYTE 32

void tl_expansion_add(tl_expansion *expansion, uint64_t count, uint64_t times)
{
    const uint64_t left = UINT64_MAX - expansion->elements;
    expansion->elements += times != 0 && count > left / times ? left : count * times;
}

bool tl_expansion_fits(const tl_expansion *expansion, const trilo_limits *limits, trilo_error *err)
{
    const uint64_t most = limits->elements ? limits->elements
                          : expansion->bytes > UINT64_MAX / (2 * EXPANSION_PER_BYTE)
                              ? UINT64_MAX
                              : EXPANSION_FREE + EXPANSION_PER_BYTE * expansion->bytes;
    if (expansion->elements <= most)
        return true;
    return tl_fail(err, TRILO_CODE_LIMIT, &tl_general_rules[TL_FILE_LIMIT], TRILO_NOWHERE, NULL,
                   "%" PRIu64 " bytes expand to %" PRIu64 " vertices, indices and keys, the limit is %" PRIu64,
                   expansion->bytes, expansion->elements, most);
}
