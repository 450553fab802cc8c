/* Both scans work in blocks: a branch-free pass over a block that compilers turn into vector code, and a plain search
 * inside the one block that failed. For records, the test of one record is first laid out four times in a row, so that
 * the pass walks a flat run of words whose length is a multiple of the vector width whatever the record's size. */
#include "base/scan.h"

#include "base/bytes.h"
#include <string.h>

enum { LANES = 4, BLOCK_INDICES = 4096 };

static inline uint32_t load_word(const uint8_t *p)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    uint32_t word; /* memcpy, because vectorisers see through it and not through shifts */
    memcpy(&word, p, sizeof word);
    return word;
#else
    return tl_get_u32le(p);
#endif
}

typedef struct wide_test {
    uint32_t add[LANES * TL_SCAN_WORDS], mask[LANES * TL_SCAN_WORDS], max[LANES * TL_SCAN_WORDS];
} wide_test;

static void widen(wide_test *wide, const tl_word_test *test)
{
    for (size_t i = 0; i < LANES * test->words; i++) {
        wide->add[i] = test->add[i % test->words];
        wide->mask[i] = test->mask[i % test->words];
        wide->max[i] = test->max[i % test->words];
    }
}

/* Four records at once: 0 when every word is fine. */
static uint32_t four_bad(const uint8_t *p, const wide_test *wide, size_t words)
{
    uint32_t bad = 0;
    for (size_t i = 0; i < words; i++) {
        uint32_t word = (load_word(p + 4 * i) + wide->add[i]) & wide->mask[i];
        bad |= word > wide->max[i] ? 1u : 0u;
    }
    return bad;
}

static bool record_bad(const uint8_t *p, const tl_word_test *test)
{
    for (size_t i = 0; i < test->words; i++)
        if (((load_word(p + 4 * i) + test->add[i]) & test->mask[i]) > test->max[i])
            return true;
    return false;
}

size_t tl_scan_records(const uint8_t *records, size_t start, size_t count, const tl_word_test *test)
{
    const size_t words = LANES * test->words, record_size = 4 * test->words;
    wide_test wide;
    widen(&wide, test);
    size_t at = start;
    while (count - at >= LANES && four_bad(records + at * record_size, &wide, words) == 0)
        at += LANES;
    while (at < count && !record_bad(records + at * record_size, test))
        at++;
    return at;
}

static uint32_t block_bad(const uint8_t *words, size_t count, uint32_t limit)
{
    uint32_t bad = 0;
    for (size_t i = 0; i < count; i++)
        bad |= load_word(words + 4 * i) >= limit ? 1u : 0u;
    return bad;
}

size_t tl_scan_indices(const uint8_t *words, size_t start, size_t count, uint32_t limit)
{
    size_t at = start;
    while (count - at >= BLOCK_INDICES && block_bad(words + 4 * at, BLOCK_INDICES, limit) == 0)
        at += BLOCK_INDICES;
    while (at < count && load_word(words + 4 * at) < limit)
        at++;
    return at;
}
