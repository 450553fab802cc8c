/* scan.h: is anything in a large array of 32-bit words out of the ordinary?
 *
 * Big arrays are almost always fine. These answer only "all fine" or "something is not", as fast as memory delivers the
 * words; the slow, explaining loop runs only over what they point out. Words may start at any address.
 */
#ifndef TL_BASE_SCAN_H
#define TL_BASE_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TL_SCAN_WORDS = 32 };

/* One word of a record is fine when ((word + add) & mask) <= max, all unsigned. That covers both kinds of test:
 *  - a finite float: add 0, mask 0x7FFFFFFF, max 0x7F7FFFFF;
 *  - an index from -1 to n - 1: add 1, mask 0xFFFFFFFF, max n. */
typedef struct tl_word_test {
    uint32_t add[TL_SCAN_WORDS], mask[TL_SCAN_WORDS], max[TL_SCAN_WORDS];
    size_t words; /* in a record, at most TL_SCAN_WORDS */
} tl_word_test;

/* The first record with a word that fails, at or after `start`; `count` when there is none. The words are
 * little-endian. */
size_t tl_scan_records(const uint8_t *records, size_t start, size_t count, const tl_word_test *test);

/* The first word >= limit, at or after `start`; `count` when there is none. */
size_t tl_scan_indices(const uint8_t *words, size_t start, size_t count, uint32_t limit);

#endif
