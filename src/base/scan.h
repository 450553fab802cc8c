/* scan.h: fast range tests over large arrays of 32-bit words.
 *
 * Large arrays almost always pass. These functions find the first element that fails, at the speed of memory; only that
 * element is looked at by the slow loop that reports findings. The data may have any alignment.
 */
#ifndef TL_BASE_SCAN_H
#define TL_BASE_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TL_SCAN_WORDS = 32 };

/* A word of a record passes if ((word + add) & mask) <= max, all unsigned. That covers both kinds of test:
 *  - a finite float: add 0, mask 0x7FFFFFFF, max 0x7F7FFFFF;
 *  - an index from -1 to n - 1: add 1, mask 0xFFFFFFFF, max n. */
typedef struct tl_word_test {
    uint32_t add[TL_SCAN_WORDS], mask[TL_SCAN_WORDS], max[TL_SCAN_WORDS];
    size_t words; /* in a record, at most TL_SCAN_WORDS */
} tl_word_test;

/* The first record at or after `start` with a word that fails; `count` if there is none. Words are little-endian. */
size_t tl_scan_records(const uint8_t *records, size_t start, size_t count, const tl_word_test *test);

/* The first word at or after `start` that is >= limit; `count` if there is none. */
size_t tl_scan_indices(const uint8_t *words, size_t start, size_t count, uint32_t limit);

#endif
