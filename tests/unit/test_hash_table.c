#include "base/array.h"
#include "base/hash_table.h"
#include "harness.h"
#include "support/allocations.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS = 3000 };

typedef struct rows {
    uint32_t values[ROWS];
    uint64_t comparisons;
} rows;

static int compare_rows(const void *user, uint32_t a, uint32_t b)
{
    rows *r = (rows *)(uintptr_t)user;
    r->comparisons++;
    return (r->values[a] > r->values[b]) - (r->values[a] < r->values[b]);
}

/* A key is a value. */
static int compare_value(const void *user, uint32_t row, const void *key)
{
    const rows *r = user;
    const uint32_t value = *(const uint32_t *)key;
    return (r->values[row] > value) - (r->values[row] < value);
}

typedef uint32_t hash_fn(uint32_t value);

static uint32_t spread(uint32_t value)
{
    return value * 0x9E3779B1u;
}

static uint32_t constant(uint32_t value)
{
    (void)value;
    return 7;
}

static uint32_t two_bits(uint32_t value)
{
    return value & 3;
}

/* Each row must get the first row with its value, as a plain search finds it. */
static void add_all(hash_fn *hash, size_t expected, uint32_t values, uint64_t comparisons_most)
{
    rows *r = calloc(1, sizeof *r);
    tl_arena arena;
    tl_hash_table table;
    uint32_t first[ROWS], random = 1;
    memset(first, 0xFF, sizeof first);
    tl_arena_init(&arena, NULL);
    CHECK(r && tl_hash_table_init(&table, &arena, expected, compare_rows, r));
    for (uint32_t i = 0; i < ROWS; i++) {
        random = random * 1664525u + 1013904223u;
        r->values[i] = (random >> 8) % values;
        const uint32_t before = first[r->values[i]];
        CHECK_INT(tl_hash_table_find(&table, hash(r->values[i]), i), before);
        if (before == TRILO_NONE)
            first[r->values[i]] = i;
        CHECK_INT(tl_hash_table_add(&table, hash(r->values[i]), i), first[r->values[i]]);
    }
    for (uint32_t i = 0; i < ROWS; i++)
        CHECK_INT(tl_hash_table_find(&table, hash(r->values[i]), i), first[r->values[i]]);
    if (r->comparisons > comparisons_most)
        FAIL("%llu comparisons, at most %llu are allowed", (unsigned long long)r->comparisons,
             (unsigned long long)comparisons_most);
    tl_arena_free(&arena);
    free(r);
}

/* Three look-ups a row, each at most one comparison where hashes differ. */
TEST(equal_rows_are_found)
{
    add_all(spread, ROWS, ROWS, 3 * ROWS);
    add_all(spread, ROWS, 10, 3 * ROWS);
}

TEST(a_table_grows)
{
    add_all(spread, 0, ROWS, 3 * ROWS);
}

/* A plain search would take up to 3000 comparisons a look-up. Here it is 32 probes and a binary search in 12 runs of
 * 2^k rows, k + 1 comparisons each: 32 + 78. Growing the table and merging runs adds less than twice as much again. */
TEST(equal_hashes_stay_fast)
{
    add_all(constant, ROWS, ROWS, (uint64_t)3 * 3 * ROWS * (32 + 78));
    add_all(constant, 0, ROWS, (uint64_t)3 * 3 * ROWS * (32 + 78));
    add_all(two_bits, 0, ROWS, (uint64_t)3 * 3 * ROWS * (32 + 78));
}

/* Keys are found in slots and in the sorted runs, and those between the rows are not. */
static void find_keys(hash_fn *hash)
{
    rows *r = calloc(1, sizeof *r);
    tl_arena arena;
    tl_hash_table table;
    tl_arena_init(&arena, NULL);
    CHECK(r && tl_hash_table_init(&table, &arena, 0, compare_rows, r));
    for (uint32_t i = 0; i < ROWS; i++) {
        r->values[i] = 2 * i;
        CHECK_INT(tl_hash_table_add(&table, hash(2 * i), i), i);
    }
    for (uint32_t value = 0; value <= 2 * ROWS; value++) {
        const uint32_t row = value % 2 == 0 && value < 2 * ROWS ? value / 2 : TRILO_NONE;
        CHECK_INT(tl_hash_table_find_key(&table, hash(value), compare_value, &value), row);
    }
    tl_arena_free(&arena);
    free(r);
}

TEST(rows_are_found_by_a_key)
{
    find_keys(spread);
    find_keys(constant);
}

TEST(a_cleared_table_is_empty)
{
    rows *r = calloc(1, sizeof *r);
    tl_arena arena;
    tl_hash_table table;
    tl_arena_init(&arena, NULL);
    CHECK(r && tl_hash_table_init(&table, &arena, 4, compare_rows, r));
    for (uint32_t i = 0; i < 100; i++) {
        r->values[i] = i;
        CHECK_INT(tl_hash_table_add(&table, constant(i), i), i);
    }
    CHECK(tl_hash_table_clear(&table, 4));
    for (uint32_t i = 0; i < 100; i++)
        CHECK_INT(tl_hash_table_find(&table, constant(i), i), TRILO_NONE);
    CHECK_INT(tl_hash_table_add(&table, 1, 5), 5);
    CHECK_INT(tl_hash_table_find(&table, 1, 5), 5);
    tl_arena_free(&arena);
    free(r);
}

/* Whatever the limit, a row is found again or memory ran out. */
TEST(running_out_of_memory_is_an_answer)
{
    rows *r = calloc(1, sizeof *r);
    CHECK(r != NULL);
    for (uint32_t i = 0; i < ROWS; i++)
        r->values[i] = i;
    bool full = false, complete = false;
    for (size_t limit = 1; !complete && limit < (size_t)1 << 24; limit *= 2) {
        tl_arena arena;
        tl_hash_table table;
        tl_arena_init(&arena, &(trilo_memory){.max_bytes = limit});
        uint32_t i = 0;
        if (tl_hash_table_init(&table, &arena, 0, compare_rows, r))
            while (i < ROWS && tl_hash_table_add(&table, constant(i), i) == i)
                i++;
        complete = i == ROWS;
        full = full || i < ROWS;
        tl_arena_free(&arena);
    }
    CHECK(full && complete);
    free(r);
}

/* Each allocation alone fails: until an answer says so, all rows are found. */
TEST(one_allocation_may_fail)
{
    enum { FEW = 150 };
    rows *r = calloc(1, sizeof *r);
    CHECK(r != NULL);
    for (uint32_t i = 0; i < ROWS; i++)
        r->values[i] = i;
    hash_fn *const hashes[] = {constant, two_bits, spread};
    for (int h = 0; h < 3; h++)
        for (size_t n = 1; allocations_next(n); n++) {
            tl_arena arena;
            tl_hash_table table;
            tl_arena_init(&arena, NULL);
            const bool made = tl_hash_table_init(&table, &arena, 0, compare_rows, r);
            CHECK(made || allocations_denied());
            for (uint32_t i = 0; made && i < FEW; i++) {
                const uint32_t row = tl_hash_table_add(&table, hashes[h](i), i);
                if (row == TRILO_NONE) {
                    CHECK(allocations_denied());
                    break;
                }
                CHECK_INT(row, i);
                for (uint32_t k = 0; k <= i; k += 1 + i / 8)
                    CHECK_INT(tl_hash_table_find(&table, hashes[h](k), k), k);
            }
            allocations_allow();
            tl_arena_free(&arena);
        }
    free(r);
}

TEST(an_array_grows_and_keeps_its_elements)
{
    tl_arena arena;
    uint32_t *items = NULL;
    size_t capacity = 0;
    tl_arena_init(&arena, NULL);
    for (uint32_t i = 0; i < ROWS; i++) {
        items = tl_array_grow(&arena, items, i, &capacity, 1, sizeof *items);
        CHECK(items && capacity > i);
        items[i] = i;
    }
    for (uint32_t i = 0; i < ROWS; i++)
        CHECK_INT(items[i], i);
    CHECK(tl_array_grow(&arena, items, ROWS, &capacity, SIZE_MAX - 5, sizeof *items) == NULL);
    CHECK(tl_array_grow(&arena, items, ROWS, &capacity, SIZE_MAX / 2, sizeof *items) == NULL);
    CHECK(tl_array_grow(&arena, items, ROWS, &capacity, 0, sizeof *items) == items);
    tl_arena_free(&arena);
}

TEST(an_array_of_large_elements_grows)
{
    tl_arena arena;
    size_t capacity = 0;
    tl_arena_init(&arena, NULL);
    void *items = tl_array_grow(&arena, NULL, 0, &capacity, 3, 1000);
    CHECK(items && capacity >= 3);
    items = tl_array_grow(&arena, items, 3, &capacity, 3, 1000);
    CHECK(items && capacity >= 6);
    tl_arena_free(&arena);
}

TEST_MAIN(CASE(equal_rows_are_found), CASE(a_table_grows), CASE(equal_hashes_stay_fast), CASE(a_cleared_table_is_empty),
          CASE(rows_are_found_by_a_key), CASE(running_out_of_memory_is_an_answer), CASE(one_allocation_may_fail),
          CASE(an_array_grows_and_keeps_its_elements), CASE(an_array_of_large_elements_grows))
