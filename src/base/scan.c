/* Both scans test a block at a time without branches, which compilers vectorize, and then search the block that failed.
 * For records, the test of one record is repeated four times, so that a block is an array of words whose length is a
 * multiple of the vector width for any record size. */
#include "base/scan.h"

#include "base/bytes.h"
#include <string.h>

enum { SCAN_LANES = 4, SCAN_BLOCK_INDICES = 4096 };

static inline uint32_t scan_load_word(const uint8_t *p)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    uint32_t word; /* vectorizers recognize memcpy, but not shifts */
    memcpy(&word, p, sizeof word);
    return word;
#else
    return tl_get_u32le(p);
#endif
}

typedef struct scan_wide_test {
    uint32_t add[SCAN_LANES * TL_SCAN_WORDS], mask[SCAN_LANES * TL_SCAN_WORDS], max[SCAN_LANES * TL_SCAN_WORDS];
} scan_wide_test;

/* 0 if all words of four records pass. */
static uint32_t scan_four_records_fail(const uint8_t *p, const scan_wide_test *wide, size_t words)
{
    uint32_t bad = 0;
    for (size_t i = 0; i < words; i++) {
        uint32_t word = (scan_load_word(p + 4 * i) + wide->add[i]) & wide->mask[i];
        bad |= word > wide->max[i] ? 1u : 0u;
    }
    return bad;
}

static bool scan_record_fails(const uint8_t *p, const tl_word_test *test)
{
    for (size_t i = 0; i < test->words; i++)
        if (((scan_load_word(p + 4 * i) + test->add[i]) & test->mask[i]) > test->max[i])
            return true;
    return false;
}

size_t tl_scan_records(const uint8_t *records, size_t start, size_t count, const tl_word_test *test)
{
    const size_t words = SCAN_LANES * test->words, record_size = 4 * test->words;
    scan_wide_test wide;
    for (size_t i = 0; i < words; i++) {
        wide.add[i] = test->add[i % test->words];
        wide.mask[i] = test->mask[i % test->words];
        wide.max[i] = test->max[i % test->words];
    }
    size_t at = start;
    while (count - at >= SCAN_LANES && scan_four_records_fail(records + at * record_size, &wide, words) == 0)
        at += SCAN_LANES;
    while (at < count && !scan_record_fails(records + at * record_size, test))
        at++;
    return at;
}

/* 0 if all words are below the limit. */
static uint32_t scan_block_fails(const uint8_t *words, size_t count, uint32_t limit)
{
    uint32_t bad = 0;
    for (size_t i = 0; i < count; i++)
        bad |= scan_load_word(words + 4 * i) >= limit ? 1u : 0u;
    return bad;
}

size_t tl_scan_indices(const uint8_t *words, size_t start, size_t count, uint32_t limit)
{
    size_t at = start;
    while (count - at >= SCAN_BLOCK_INDICES && scan_block_fails(words + 4 * at, SCAN_BLOCK_INDICES, limit) == 0)
        at += SCAN_BLOCK_INDICES;
    while (at < count && scan_load_word(words + 4 * at) < limit)
        at++;
    return at;
}
