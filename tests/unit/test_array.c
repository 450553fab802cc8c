/* Arrays that grow: the contents survive, the capacity doubles, sizes that overflow are refused. */
#include "base/array.h"
#include "harness.h"

#include <stdint.h>

TEST(the_first_growth_is_a_quarter_kilobyte)
{
    const size_t sizes[] = {1, 4, 12, 255, 256, 257, 4096}, rooms[] = {256, 64, 21, 1, 1, 1, 1};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        tl_arena arena;
        size_t capacity = 0;
        tl_arena_init(&arena, NULL);
        CHECK(tl_array_grow(&arena, NULL, 0, &capacity, 1, sizes[i]));
        CHECK_INT(capacity, rooms[i]);
        tl_arena_free(&arena);
    }
}

TEST(the_contents_survive_and_the_capacity_doubles)
{
    tl_arena arena;
    uint32_t *items = NULL;
    size_t capacity = 0, moves = 0;
    tl_arena_init(&arena, NULL);
    for (uint32_t i = 0; i < 5000; i++) {
        uint32_t *grown = tl_array_grow(&arena, items, i, &capacity, 1, sizeof *items);
        CHECK(grown && capacity > i);
        moves += grown != items;
        items = grown;
        items[i] = i * 7;
    }
    for (uint32_t i = 0; i < 5000; i++)
        CHECK_INT(items[i], i * 7);
    CHECK_INT(capacity, 8192); /* 64 * 2^7 */
    CHECK_INT(moves, 8);
    const size_t before = capacity;
    CHECK(tl_array_grow(&arena, items, 5000, &capacity, 8192 - 5000, sizeof *items) == items);
    CHECK_INT(capacity, before);
    CHECK(tl_array_grow(&arena, items, 5000, &capacity, 8192 - 5000 + 1, sizeof *items) != items);
    CHECK_INT(capacity, 2 * before);
    tl_arena_free(&arena);
}

TEST(sizes_that_overflow_are_refused)
{
    tl_arena arena;
    size_t capacity = 0;
    tl_arena_init(&arena, NULL);
    char *items = tl_array_grow(&arena, NULL, 0, &capacity, 4, 1);
    CHECK(items);
    const size_t before = capacity;
    CHECK(!tl_array_grow(&arena, items, 4, &capacity, SIZE_MAX / 2, 1));
    CHECK(!tl_array_grow(&arena, items, 4, &capacity, SIZE_MAX - 2, 1));
    CHECK(!tl_array_grow(&arena, items, 4, &capacity, 1000, SIZE_MAX / 2 + 1));
    CHECK(!tl_array_grow(&arena, items, 4, &capacity, 1000, SIZE_MAX / 512));
    CHECK_INT(capacity, before);
    tl_arena_free(&arena);
}

TEST_MAIN(CASE(the_first_growth_is_a_quarter_kilobyte), CASE(the_contents_survive_and_the_capacity_doubles),
          CASE(sizes_that_overflow_are_refused))
