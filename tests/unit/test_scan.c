#include "base/bytes.h"
#include "base/scan.h"
#include "harness.h"

#include <stdlib.h>
#include <string.h>

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 4;
}

/* A buffer whose words start `shift` bytes behind an aligned address. It has exactly the bytes of the words, so that a
 * look behind them is seen by the sanitizer. */
typedef struct words {
    uint8_t *memory, *start;
} words;

static words words_new(size_t count, size_t shift, uint32_t value)
{
    uint8_t *memory = malloc(4 * count + shift + (count == 0 && shift == 0));
    words w = {memory, memory + shift};
    for (size_t i = 0; i < count; i++)
        tl_put_u32(w.start + 4 * i, TL_LITTLE, value);
    return w;
}

static void words_free(words w)
{
    free(w.memory);
}

/* Around the vector width, and around the block of 4096 indices. */
static const size_t border_counts[] = {0, 1, 3, 4, 5, 7, 8, 9, 31, 33, 4095, 4096, 4097, 8191, 8192, 8193};
enum { BORDER_COUNTS = sizeof border_counts / sizeof border_counts[0] };

/* ---- indices ---- */

/* Words of `count` that are worth a try: all in a small array, those around the borders in a large one. */
static bool worth_a_try(size_t at, size_t count)
{
    size_t in_block = at % 4096;
    return count < 64 || in_block < 3 || in_block > 4093 || at + 3 > count || at % 509 == 0;
}

static void check_every_place(size_t count, size_t shift, uint32_t limit)
{
    words w = words_new(count, shift, limit - 1);
    CHECK_INT(tl_scan_indices(w.start, 0, count, limit), count);
    for (size_t bad = 0; bad < count; bad++) {
        if (!worth_a_try(bad, count))
            continue;
        tl_put_u32(w.start + 4 * bad, TL_LITTLE, limit);
        CHECK_INT(tl_scan_indices(w.start, 0, count, limit), bad);
        tl_put_u32(w.start + 4 * bad, TL_LITTLE, limit - 1);
    }
    words_free(w);
}

/* With a limit of 1 all fine bytes are 0, so that a word which is read from a wrong place does not give itself away. */
TEST(every_position_of_one_bad_index)
{
    for (size_t c = 0; c < BORDER_COUNTS; c++)
        for (size_t shift = 0; shift < 4; shift++) {
            check_every_place(border_counts[c], shift, 100);
            check_every_place(border_counts[c], shift, 1);
        }
}

/* Two bad ones: a start at the first finds it, a start behind it the second, a start behind both nothing. */
TEST(indices_before_the_start_are_not_looked_at)
{
    static const size_t starts[] = {0, 1, 5, 99, 100, 101, 102, 4095, 4096, 4196, 5000, 5001, 8999, 9000};
    words w = words_new(9000, 1, 0);
    tl_put_u32(w.start + 4 * 100, TL_LITTLE, UINT32_MAX);
    tl_put_u32(w.start + 4 * 5000, TL_LITTLE, 7);
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        size_t want = starts[i] <= 100 ? 100 : starts[i] <= 5000 ? 5000 : 9000;
        CHECK_INT(tl_scan_indices(w.start, starts[i], 9000, 7), want);
    }
    words_free(w);
}

/* The words are unsigned and little-endian: 0x00000100 is large, its swapped image 0x00010000 larger still. */
TEST(index_limits)
{
    words w = words_new(5, 0, 0x100);
    CHECK_INT(tl_scan_indices(w.start, 0, 5, 0x101), 5);
    CHECK_INT(tl_scan_indices(w.start, 0, 5, 0x100), 0);
    CHECK_INT(tl_scan_indices(w.start, 0, 5, 0), 0); /* no index is below 0 */
    tl_put_u32(w.start + 8, TL_LITTLE, 0x80000000u);
    CHECK_INT(tl_scan_indices(w.start, 0, 5, 0x7FFFFFFFu), 2);
    CHECK_INT(tl_scan_indices(w.start, 0, 5, 0x80000001u), 5);
    tl_put_u32(w.start + 8, TL_LITTLE, UINT32_MAX);
    CHECK_INT(tl_scan_indices(w.start, 0, 5, UINT32_MAX), 2);
    words_free(w);
}

static size_t naive_indices(const uint8_t *bytes, size_t start, size_t count, uint32_t limit)
{
    size_t at = start;
    while (at < count && tl_get_u32le(bytes + 4 * at) < limit)
        at++;
    return at;
}

TEST(random_indices_like_a_plain_loop)
{
    uint32_t state = 5;
    for (int round = 0; round < 300; round++) {
        const size_t count = next_random(&state) % (round % 10 == 0 ? 20000 : 50);
        words w = words_new(count, next_random(&state) % 4, 0);
        for (size_t i = 0; i < count; i++)
            tl_put_u32(w.start + 4 * i, TL_LITTLE, next_random(&state) % 10000);
        const size_t start = next_random(&state) % (count + 1);
        const uint32_t limit = round % 3 ? 10000 : 9000 + next_random(&state) % 1001;
        CHECK_INT(tl_scan_indices(w.start, start, count, limit), naive_indices(w.start, start, count, limit));
        words_free(w);
    }
}

/* ---- records ---- */

/* 19 words as in a vertex: floats, then four indices from -1 to 6, then floats again. */
static tl_word_test vertex_test(void)
{
    tl_word_test test = {.words = 19};
    for (size_t i = 0; i < 19; i++) {
        bool index = i >= 11 && i < 15;
        test.add[i] = index ? 1 : 0;
        test.mask[i] = index ? UINT32_MAX : 0x7FFFFFFFu;
        test.max[i] = index ? 7 : 0x7F7FFFFFu;
    }
    return test;
}

static bool vertex_word_fine(size_t word, uint32_t value)
{
    if (word % 19 >= 11 && word % 19 < 15)
        return (int32_t)value >= -1 && (int32_t)value <= 6;
    return tl_is_finite(tl_float_of(value));
}

TEST(every_word_of_every_record)
{
    const tl_word_test test = vertex_test();
    for (size_t count = 0; count < 14; count++)
        for (size_t shift = 0; shift < 4; shift++) {
            words w = words_new(19 * count, shift, 3); /* a tiny float, or the index 3 */
            CHECK_INT(tl_scan_records(w.start, 0, count, &test), count);
            for (size_t bad = 0; bad < 19 * count; bad++) {
                tl_put_u32(w.start + 4 * bad, TL_LITTLE, 0x7F800000u); /* infinite, or far above 6 */
                CHECK_INT(tl_scan_records(w.start, 0, count, &test), bad / 19);
                tl_put_u32(w.start + 4 * bad, TL_LITTLE, 3);
            }
            words_free(w);
        }
}

/* The two tests that scan.h names, at their borders. */
TEST(what_a_word_may_be)
{
    static const struct {
        size_t word;
        uint32_t value;
        bool fine;
    } cases[] = {
        {0, 0x00000000u, true},  {0, 0x80000000u, true},   {0, 0x7F7FFFFFu, true},   {0, 0xFF7FFFFFu, true},
        {0, 0x00000001u, true},  {0, 0x7F800000u, false},  {0, 0xFF800000u, false},  {0, 0x7FC00000u, false},
        {0, 0xFFFFFFFFu, false}, {11, 0xFFFFFFFFu, true},  {11, 0u, true},           {14, 6u, true},
        {14, 7u, false},         {11, 0xFFFFFFFEu, false}, {12, 0x80000000u, false}, {13, 0x7FFFFFFFu, false},
        {18, 0x7F7FFFFFu, true}, {18, 0x7F800001u, false},
    };
    const tl_word_test test = vertex_test();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (size_t count = 1; count < 6; count += 4) { /* by the plain loop, and four at once */
            words w = words_new(19 * count, 0, 3);
            tl_put_u32(w.start + 4 * cases[i].word, TL_LITTLE, cases[i].value);
            CHECK_INT(tl_scan_records(w.start, 0, count, &test), cases[i].fine ? count : 0);
            words_free(w);
        }
}

TEST(records_before_the_start_are_not_looked_at)
{
    const tl_word_test test = vertex_test();
    words w = words_new(19 * 30, 2, 0);
    tl_put_u32(w.start + 4 * (19 * 7 + 18), TL_LITTLE, 0x7F800000u);
    tl_put_u32(w.start + 4 * (19 * 22), TL_LITTLE, 0x7F800000u);
    for (size_t start = 0; start <= 30; start++)
        CHECK_INT(tl_scan_records(w.start, start, 30, &test), start <= 7 ? 7 : start <= 22 ? 22 : 30);
    words_free(w);
}

TEST(records_of_one_word_and_of_the_most)
{
    for (size_t width = 1; width <= TL_SCAN_WORDS; width += TL_SCAN_WORDS - 1) {
        tl_word_test test = {.words = width};
        for (size_t i = 0; i < width; i++)
            test.mask[i] = UINT32_MAX, test.max[i] = 10 + (uint32_t)i;
        words w = words_new(width * 9, 3, 10);
        CHECK_INT(tl_scan_records(w.start, 0, 9, &test), 9);
        for (size_t record = 0; record < 9; record++) {
            uint8_t *last = w.start + 4 * (width * record + width - 1);
            tl_put_u32(last, TL_LITTLE, 10 + (uint32_t)width - 1);
            CHECK_INT(tl_scan_records(w.start, 0, 9, &test), 9);
            tl_put_u32(last, TL_LITTLE, 10 + (uint32_t)width);
            CHECK_INT(tl_scan_records(w.start, 0, 9, &test), record);
            tl_put_u32(last, TL_LITTLE, 10);
        }
        words_free(w);
    }
}

static size_t naive_records(const uint8_t *bytes, size_t start, size_t count)
{
    for (size_t at = start; at < count; at++)
        for (size_t i = 0; i < 19; i++)
            if (!vertex_word_fine(i, tl_get_u32le(bytes + 4 * (19 * at + i))))
                return at;
    return count;
}

/* Mostly fine values, so that the first bad one is rarely the first word. */
static uint32_t random_word(uint32_t *state, size_t word)
{
    if (next_random(state) % 200 == 0)
        return next_random(state) << 8 ^ next_random(state);
    return word % 19 >= 11 && word % 19 < 15 ? next_random(state) % 8 - 1 : next_random(state);
}

TEST(random_records_like_a_plain_loop)
{
    const tl_word_test test = vertex_test();
    uint32_t state = 11;
    for (int round = 0; round < 500; round++) {
        const size_t count = next_random(&state) % 40;
        words w = words_new(19 * count, next_random(&state) % 4, 0);
        for (size_t i = 0; i < 19 * count; i++)
            tl_put_u32(w.start + 4 * i, TL_LITTLE, random_word(&state, i));
        const size_t start = next_random(&state) % (count + 1);
        CHECK_INT(tl_scan_records(w.start, start, count, &test), naive_records(w.start, start, count));
        words_free(w);
    }
}

TEST_MAIN(CASE(every_position_of_one_bad_index), CASE(indices_before_the_start_are_not_looked_at), CASE(index_limits),
          CASE(random_indices_like_a_plain_loop), CASE(every_word_of_every_record), CASE(what_a_word_may_be),
          CASE(records_before_the_start_are_not_looked_at), CASE(records_of_one_word_and_of_the_most),
          CASE(random_records_like_a_plain_loop))
