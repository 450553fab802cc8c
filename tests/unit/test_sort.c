#include "base/sort.h"
#include "harness.h"

#include <string.h>

enum { MOST = 600 };

static int64_t plain_key(const void *rows, uint32_t row)
{
    return ((const int64_t *)rows)[row];
}

/* What the sort must agree with. */
static void insertion_sort(uint32_t *order, uint32_t count, const int64_t *keys)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = i;
        for (; at > 0 && keys[order[at - 1]] > keys[i]; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

static void check_sort(const int64_t *keys, uint32_t count)
{
    uint32_t got[MOST + 1], want[MOST];
    memset(got, 0xEE, sizeof got);
    tl_sort_rows(got, count, plain_key, keys);
    insertion_sort(want, count, keys);
    for (uint32_t i = 0; i < count; i++)
        CHECK_INT(got[i], want[i]);
    CHECK_INT(got[count], 0xEEEEEEEEu);
}

/* The first of equal keys, for every key there is and for those just beside. */
static void check_find(const int64_t *keys, uint32_t count)
{
    uint32_t order[MOST];
    insertion_sort(order, count, keys);
    for (uint32_t i = 0; i < count; i++)
        for (int64_t wanted = keys[i] - 1; wanted <= keys[i] + 1; wanted++) {
            uint32_t want = 0;
            while (want < count && keys[order[want]] != wanted)
                want++;
            CHECK_INT(tl_find_row(order, count, plain_key, keys, wanted), want);
        }
}

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

TEST(by_hand)
{
    const int64_t keys[] = {30, -5, 30, 0, -5, 7};
    uint32_t order[6];
    tl_sort_rows(order, 6, plain_key, keys);
    const uint32_t want[] = {1, 4, 3, 5, 0, 2};
    CHECK(memcmp(order, want, sizeof want) == 0);
    CHECK_INT(tl_find_row(order, 6, plain_key, keys, -5), 0);
    CHECK_INT(tl_find_row(order, 6, plain_key, keys, 7), 3);
    CHECK_INT(tl_find_row(order, 6, plain_key, keys, 30), 4);
    CHECK_INT(tl_find_row(order, 6, plain_key, keys, -6), 6);
    CHECK_INT(tl_find_row(order, 6, plain_key, keys, 1), 6);
    CHECK_INT(tl_find_row(order, 6, plain_key, keys, 31), 6);
}

/* Few different keys make many ties. */
TEST(random_keys)
{
    uint32_t state = 1;
    for (uint32_t count = 0; count < 80; count++)
        for (uint32_t kinds = 1; kinds < 200; kinds = kinds * 3 + 1) {
            int64_t keys[80];
            for (uint32_t i = 0; i < count; i++)
                keys[i] = (int64_t)(next_random(&state) % kinds) - 50;
            check_sort(keys, count);
            check_find(keys, count);
        }
}

TEST(large_random_keys)
{
    static int64_t keys[MOST];
    uint32_t state = 99;
    for (uint32_t i = 0; i < MOST; i++)
        keys[i] = (int64_t)((uint64_t)next_random(&state) << 40 ^ (uint64_t)next_random(&state) << 8);
    check_sort(keys, MOST);
}

/* Shapes that are bad for one sort or another. */
static int64_t shaped(int shape, uint32_t i, uint32_t count)
{
    switch (shape) {
    case 0:
        return i;
    case 1:
        return -(int64_t)i;
    case 2:
        return 42;
    case 3:
        return i % 2;
    case 4:
        return i < count / 2 ? i : count - i; /* up and down again */
    case 5:
        return i == count - 1 ? -1 : (int64_t)i; /* sorted but for the last */
    case 6:
        return i == 0 ? count : i; /* sorted but for the first */
    default:
        return (int64_t)(i * 7919u % 64u);
    }
}

TEST(adversarial_shapes)
{
    static const uint32_t counts[] = {2, 3, 4, 5, 15, 16, 17, 63, 64, 65, 255, 256, 257, MOST};
    static int64_t keys[MOST];
    for (int shape = 0; shape < 8; shape++)
        for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
            for (uint32_t i = 0; i < counts[c]; i++)
                keys[i] = shaped(shape, i, counts[c]);
            check_sort(keys, counts[c]);
        }
}

/* Differences of these overflow: a sort that subtracts gets them wrong. */
TEST(extreme_keys)
{
    const int64_t keys[] = {
        INT64_MAX, INT64_MIN, 0, -1,        1,         INT64_MIN + 1, INT64_MAX - 1, INT64_MIN, (int64_t)INT32_MIN - 1,
        2,         -2,        3, INT64_MAX, UINT32_MAX};
    const uint32_t count = sizeof keys / sizeof keys[0];
    const uint32_t want[] = {1, 7, 5, 8, 10, 3, 2, 4, 9, 11, 13, 6, 0, 12};
    uint32_t order[sizeof keys / sizeof keys[0]];
    tl_sort_rows(order, count, plain_key, keys);
    CHECK(memcmp(order, want, sizeof want) == 0);
    check_sort(keys, count);
    CHECK_INT(tl_find_row(order, count, plain_key, keys, INT64_MIN), 0);
    CHECK_INT(tl_find_row(order, count, plain_key, keys, INT64_MAX), 12);
    CHECK_INT(tl_find_row(order, count, plain_key, keys, INT64_MAX - 2), count);
}

TEST(nothing_and_one)
{
    uint32_t order[2] = {77, 77};
    const int64_t keys[1] = {5};
    tl_sort_rows(order, 0, plain_key, keys);
    CHECK_INT(order[0], 77);
    CHECK_INT(tl_find_row(order, 0, plain_key, keys, 5), 0);
    tl_sort_rows(order, 1, plain_key, keys);
    CHECK_INT(order[0], 0);
    CHECK_INT(order[1], 77);
    CHECK_INT(tl_find_row(order, 1, plain_key, keys, 5), 0);
    CHECK_INT(tl_find_row(order, 1, plain_key, keys, 4), 1);
    CHECK_INT(tl_find_row(order, 1, plain_key, keys, 6), 1);
}

/* ---- cost ---- */

typedef struct counted_rows {
    int shape;
    uint32_t count;
    uint32_t *calls;
} counted_rows;

static int64_t counted_key(const void *rows, uint32_t row)
{
    const counted_rows *r = rows;
    ++*r->calls;
    return shaped(r->shape, row, r->count);
}

/* n log n for every shape: 65536 rows, 16 levels, two comparisons a level, two keys a comparison, and as much again to
 * be generous. A quadratic sort would ask for billions. */
TEST(no_shape_is_slow)
{
    enum { COUNT = 65536 };
    static uint32_t order[COUNT];
    for (int shape = 0; shape < 8; shape++) {
        uint32_t calls = 0;
        const counted_rows rows = {shape, COUNT, &calls};
        tl_sort_rows(order, COUNT, counted_key, &rows);
        CHECK(calls <= COUNT * 16u * 2 * 2 * 2);
        calls = 0;
        tl_find_row(order, COUNT, counted_key, &rows, 42);
        CHECK(calls <= 18);
    }
}

TEST_MAIN(CASE(by_hand), CASE(random_keys), CASE(large_random_keys), CASE(adversarial_shapes), CASE(extreme_keys),
          CASE(nothing_and_one), CASE(no_shape_is_slow))
