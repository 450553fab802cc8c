#include "base/arena.h"
#include "harness.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

/* A hook that keeps books: what is held, what was ever held, and whether each block came back with its own size. */
enum { BOOK_ROOM = 64 };
typedef struct book {
    struct {
        void *start;
        size_t size;
    } blocks[BOOK_ROOM];
    size_t live, held, most, calls;
    size_t deny;  /* the call that is refused, counted from 1; 0: none */
    size_t asked; /* size of the last block that was asked for */
    bool deny_all, wrong;
} book;

static void book_free(book *b, void *old, size_t old_size)
{
    for (size_t i = 0; i < b->live; i++)
        if (b->blocks[i].start == old && b->blocks[i].size == old_size) {
            b->blocks[i] = b->blocks[--b->live];
            b->held -= old_size;
            free(old);
            return;
        }
    b->wrong = true;
}

static void *book_hook(void *user, void *old, size_t old_size, size_t new_size)
{
    book *b = user;
    if (new_size == 0) {
        book_free(b, old, old_size);
        return NULL;
    }
    b->wrong = b->wrong || old != NULL || old_size != 0 || b->live == BOOK_ROOM;
    b->asked = new_size;
    if (++b->calls == b->deny || b->deny_all || b->wrong)
        return NULL;
    void *start = malloc(new_size);
    memset(start, 0xA5, new_size); /* so that zeroes are the arena's doing */
    b->blocks[b->live].start = start;
    b->blocks[b->live++].size = new_size;
    b->held += new_size;
    b->most = b->held > b->most ? b->held : b->most;
    return start;
}

static tl_arena booked_arena(book *b, size_t max_bytes)
{
    tl_arena arena;
    tl_arena_init(&arena, &(trilo_memory){book_hook, b, max_bytes});
    return arena;
}

static void check_closed(const book *b)
{
    CHECK(!b->wrong);
    CHECK_INT(b->live, 0);
    CHECK_INT(b->held, 0);
}

static bool all_bytes(const uint8_t *bytes, size_t size, uint8_t value)
{
    for (size_t i = 0; i < size; i++)
        if (bytes[i] != value)
            return false;
    return true;
}

/* Sizes that hit block borders, doubling and blocks of their own. */
static size_t size_of_turn(size_t turn)
{
    static const size_t sizes[] = {1, 0, 7, 16, 100, 4095, 3, 4096, 4097, 20000, 8, 70000, 15, 1500000, 33};
    return sizes[turn % (sizeof sizes / sizeof sizes[0])];
}
enum { TURNS = 30 };

TEST(arrays_are_aligned_zeroed_and_apart)
{
    book b = {0};
    tl_arena arena = booked_arena(&b, 0);
    uint8_t *arrays[TURNS];
    for (size_t i = 0; i < TURNS; i++) {
        arrays[i] = tl_array(&arena, size_of_turn(i), 1);
        CHECK(arrays[i] != NULL);
        CHECK_INT((uintptr_t)arrays[i] % alignof(max_align_t), 0);
        CHECK(all_bytes(arrays[i], size_of_turn(i), 0));
        memset(arrays[i], (int)i + 1, size_of_turn(i));
    }
    for (size_t i = 0; i < TURNS; i++) /* nothing was written over */
        CHECK(all_bytes(arrays[i], size_of_turn(i), (uint8_t)(i + 1)));
    tl_arena_free(&arena);
    check_closed(&b);
}

TEST(odd_sizes_keep_the_alignment)
{
    book b = {0};
    tl_arena arena = booked_arena(&b, 0);
    for (size_t size = 0; size < 70; size++) {
        CHECK_INT((uintptr_t)tl_array_raw(&arena, size, 1) % alignof(max_align_t), 0);
        CHECK_INT((uintptr_t)tl_array(&arena, size, 3) % alignof(max_align_t), 0);
    }
    tl_arena_free(&arena);
    check_closed(&b);
}

TEST(count_times_each_bytes_are_zeroed)
{
    book b = {0};
    tl_arena arena = booked_arena(&b, 0);
    uint8_t *raw = tl_array_raw(&arena, 1000, 12);
    memset(raw, 0xFF, 12000);
    CHECK(all_bytes(tl_array(&arena, 1000, 12), 12000, 0));
    CHECK(all_bytes(raw, 12000, 0xFF));
    double *one = TL_NEW(&arena, double);
    uint16_t *many = TL_ARRAY(&arena, 9, uint16_t);
    CHECK(*one == 0.0);
    CHECK(all_bytes((const uint8_t *)many, 18, 0));
    tl_arena_free(&arena);
    check_closed(&b);
}

/* ---- nothing is something ---- */

TEST(a_count_of_0_is_not_null_in_a_fresh_arena)
{
    book b = {0};
    tl_arena arena = booked_arena(&b, 0);
    CHECK(tl_array(&arena, 0, 8) != NULL);
    tl_arena_free(&arena);
    arena = booked_arena(&b, 0);
    CHECK(tl_array_raw(&arena, 0, 8) != NULL);
    tl_arena_free(&arena);
    arena = booked_arena(&b, 0);
    CHECK(tl_array(&arena, 8, 0) != NULL);
    tl_arena_free(&arena);
    arena = booked_arena(&b, 0);
    CHECK(tl_bytes_copy(&arena, NULL, 0) != NULL);
    tl_arena_free(&arena);
    check_closed(&b);
}

/* Also when the newest block is full to the last byte. */
TEST(a_count_of_0_is_not_null_in_a_used_arena)
{
    book b = {0};
    tl_arena arena = booked_arena(&b, 0);
    for (int i = 0; i < 2000; i++) {
        CHECK(tl_array(&arena, 1, 16) != NULL);
        CHECK(tl_array(&arena, 0, 16) != NULL);
        CHECK(tl_array_raw(&arena, SIZE_MAX, 0) != NULL);
    }
    tl_arena_free(&arena);
    check_closed(&b);
}

/* ---- the limit ---- */

/* Whatever the order of sizes, the hook is never asked for more than max_bytes in all. */
TEST(the_sum_never_passes_the_limit)
{
    for (size_t limit = 1; limit < 40000; limit += 97) {
        book b = {0};
        tl_arena arena = booked_arena(&b, limit);
        size_t refusals = 0;
        for (size_t i = 0; i < 400 && refusals < 20; i++)
            refusals += tl_array(&arena, 1 + i * 37 % 1200, 1) ? 0 : 1;
        CHECK_INT(refusals, 20);
        CHECK(b.most <= limit);
        tl_arena_free(&arena);
        check_closed(&b);
    }
}

static bool fit_below(size_t count, size_t size, size_t limit)
{
    book b = {0};
    tl_arena arena = booked_arena(&b, limit);
    bool fits = true;
    for (size_t i = 0; i < count; i++)
        fits = tl_array(&arena, size, 1) != NULL && fits;
    CHECK(b.most <= limit);
    tl_arena_free(&arena);
    check_closed(&b);
    return fits;
}

/* Where AddressSanitizer keeps arrays apart, they take more room than the next four tests count with. */
#ifdef __SANITIZE_ADDRESS__
enum { ARRAYS_ARE_APART = 1 };
#else
enum { ARRAYS_ARE_APART = 0 };
#endif

/* The limit is the room for the array and a small header, not the size of a usual block. */
TEST(the_limit_can_be_used_up)
{
    static const size_t sizes[] = {16, 160, 4000, 4096, 5008, 100000, 2000000};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        size_t least = sizes[i];
        while (!fit_below(1, sizes[i], least))
            least++;
        CHECK(least > sizes[i]);
        CHECK(least - sizes[i] <= 64);
        CHECK(ARRAYS_ARE_APART || sizes[i] > 1000 ||
              fit_below(3, sizes[i], least + 2 * sizes[i])); /* small ones share the header */
    }
}

/* 1 GiB when max_bytes is 0: one byte more never reaches the hook. */
TEST(the_default_limit_is_1_gib)
{
    book b = {.deny_all = true};
    tl_arena arena = booked_arena(&b, 0);
    CHECK(tl_array_raw(&arena, ((size_t)1 << 30) + 1, 1) == NULL);
    CHECK(tl_array_raw(&arena, (size_t)1 << 30, 1) == NULL);
    CHECK_INT(b.calls, 0);
    CHECK(tl_array_raw(&arena, ((size_t)1 << 30) - 64, 1) == NULL);
    CHECK_INT(b.calls, 1);
    CHECK(b.asked <= (size_t)1 << 30);
    CHECK(b.asked >= ((size_t)1 << 30) - 64);
    tl_arena_free(&arena);
    check_closed(&b);
}

TEST(products_that_overflow_are_refused)
{
    static const size_t pairs[][2] = {
        {SIZE_MAX, 2}, {2, SIZE_MAX}, {SIZE_MAX / 2 + 1, 2}, {SIZE_MAX / 8 + 1, 8}, {SIZE_MAX, SIZE_MAX},
        {SIZE_MAX, 1}, {1, SIZE_MAX}, {1, SIZE_MAX - 7},     {SIZE_MAX / 4, 4},
    };
    book b = {0};
    tl_arena arena = booked_arena(&b, SIZE_MAX);
    CHECK(tl_array(&arena, 1, 1) != NULL);
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        CHECK(tl_array(&arena, pairs[i][0], pairs[i][1]) == NULL);
        CHECK(tl_array_raw(&arena, pairs[i][0], pairs[i][1]) == NULL);
    }
    CHECK_INT(b.calls, 1); /* the hook was not even asked */
    tl_arena_free(&arena);
    check_closed(&b);
}

/* ---- the hook ---- */

/* Refused once, the arena goes on and gives back all it has; how many arrays are missing shows that the refusal was
 * seen. */
TEST(every_refusal_of_the_hook_is_survived)
{
    size_t calls = 0;
    for (size_t deny = 1;; deny++) {
        book b = {.deny = deny};
        tl_arena arena = booked_arena(&b, 0);
        size_t missing = 0;
        for (size_t i = 0; i < TURNS; i++) {
            uint8_t *array = tl_array(&arena, size_of_turn(i), 1);
            missing += array ? 0 : 1;
            if (array)
                memset(array, 0xEE, size_of_turn(i));
        }
        tl_arena_free(&arena);
        check_closed(&b);
        if (b.calls < deny) { /* it was never reached */
            CHECK_INT(missing, 0);
            break;
        }
        CHECK(missing >= 1);
        calls = deny;
    }
    CHECK(calls >= 4); /* two arrays of 1.5 MB, one of 70,000 bytes, and the small ones */
}

TEST(small_things_share_a_block)
{
    book b = {0};
    tl_arena arena = booked_arena(&b, 0);
    for (int i = 0; i < 200; i++)
        CHECK(tl_array(&arena, 1, 16) != NULL);
    CHECK_INT(b.calls, ARRAYS_ARE_APART ? 2 : 1);
    tl_arena_free(&arena);
    check_closed(&b);
}

/* 8 MiB in crumbs: 4 KiB doubled to 512 KiB makes 1 MiB in 8 calls, then 1 MiB a call. */
TEST(many_things_take_few_calls)
{
    book b = {0};
    tl_arena arena = booked_arena(&b, 0);
    for (int i = 0; i < 8 << 16; i++)
        CHECK(tl_array_raw(&arena, 1, 16) != NULL);
    CHECK(b.calls <= (ARRAYS_ARE_APART ? 26 : 17));
    CHECK(b.most < (size_t)(ARRAYS_ARE_APART ? 18 : 10) << 20);
    tl_arena_free(&arena);
    check_closed(&b);
}

/* 4 KiB, twice as much each time, up to 1 MiB. A block is asked for when the one before has no room left. */
TEST(blocks_double_in_size)
{
    book b = {0};
    tl_arena arena = booked_arena(&b, 0);
    size_t want = 4096;
    for (size_t block = 1; block <= 11; block++) {
        while (b.calls < block)
            CHECK(tl_array_raw(&arena, 1, 1000) != NULL);
        CHECK_INT(b.asked, want);
        want = want < (size_t)1 << 20 ? 2 * want : want;
    }
    tl_arena_free(&arena);
    check_closed(&b);
}

/* Within what the other arena has left: nothing at all, or less than its first block. */
TEST(a_scratch_arena_takes_one_call)
{
    book b = {0};
    tl_arena arena = booked_arena(&b, 100000), scratch;
    tl_arena_init_scratch(&scratch, &arena);
    CHECK_INT(b.calls, 0);
    for (int i = 0; i < 10; i++)
        CHECK(tl_array_raw(&scratch, 1, 5000) != NULL);
    CHECK_INT(b.calls, 1);
    tl_arena_free(&scratch);
    CHECK(tl_array_raw(&arena, 1, 70000) != NULL);
    tl_arena_init_scratch(&scratch, &arena);
    CHECK(tl_array_raw(&scratch, 1, 20000) != NULL);
    CHECK(tl_array_raw(&scratch, 1, 20000) == NULL);
    tl_arena_free(&scratch);
    arena.left = 0;
    tl_arena_init_scratch(&scratch, &arena);
    CHECK(tl_array_raw(&scratch, 1, 1) == NULL);
    tl_arena_free(&scratch);
    tl_arena_free(&arena);
    CHECK(b.most <= 100000);
    check_closed(&b);
}

/* Its first block is kept, all others are freed; what that block takes counts against the limit as before. */
TEST(a_scratch_arena_begins_again)
{
    enum { BLOCK = 65536, LIMIT = 300000 };
    book b = {0};
    tl_arena arena = booked_arena(&b, LIMIT), scratch = {0};
    tl_arena_restart_scratch(&scratch, &arena); /* one that was never used */
    uint8_t *first = tl_array_raw(&scratch, 100, 1);
    CHECK(first != NULL);
    CHECK_INT(b.held, BLOCK);
    for (int round = 0; round < 3; round++) {
        CHECK(tl_array_raw(&scratch, BLOCK, 1) != NULL); /* a second block */
        CHECK(b.held > 2 * BLOCK);
        tl_arena_restart_scratch(&scratch, &arena);
        CHECK_INT(b.held, BLOCK);
        CHECK_INT(scratch.left, LIMIT - BLOCK);
        CHECK(tl_array_raw(&scratch, 100, 1) == first);
        const uint8_t *zeroed = tl_array(&scratch, 200, 1);
        CHECK(zeroed >= first + 100);
        for (int k = 0; k < 200; k++)
            CHECK_INT(zeroed[k], 0);
        memset(first, 0xAA, 100);
    }
    CHECK(tl_array_raw(&scratch, LIMIT - BLOCK, 1) == NULL); /* the head of a block has no room */
    tl_arena_restart_scratch(&scratch, &(tl_arena){.fn = arena.fn, .user = arena.user, .left = BLOCK - 1});
    CHECK_INT(b.held, 0); /* the limit has no room for the block any more */
    CHECK(tl_array_raw(&scratch, BLOCK, 1) == NULL);
    tl_arena_restart_scratch(&scratch, &arena);
    CHECK(tl_array_raw(&scratch, 2 * BLOCK, 1) != NULL); /* a first block of another size is not kept */
    tl_arena_restart_scratch(&scratch, &arena);
    CHECK_INT(b.held, 0);
    tl_arena_free(&scratch);
    CHECK(!b.wrong);
}

/* What was in several blocks is in one from then on. The limit stays, and after a failure nothing is kept. */
TEST(an_arena_keeps_its_memory)
{
    enum { LIMIT = 300000, EACH = 50000 };
    book b = {0};
    tl_arena arena = booked_arena(&b, LIMIT);
    tl_arena_restart(&arena); /* one that was never used */
    const void *first = NULL;
    for (int round = 0; round < 4; round++) {
        const size_t calls = b.calls;
        for (int k = 0; k < 3; k++) {
            uint8_t *array = tl_array(&arena, EACH, 1);
            CHECK(array != NULL);
            for (int i = 0; i < EACH; i++)
                CHECK_INT(array[i], 0);
            memset(array, 0xAA, EACH);
            if (k == 0 && round > 1)
                CHECK(round == 2 || array == first);
            first = k == 0 ? array : first;
        }
        CHECK_INT(b.calls - calls, round == 0 ? 3 : round == 1 ? 1 : 0);
        tl_arena_restart(&arena);
        CHECK_INT(b.live, round > 0);
        CHECK_INT(arena.left + b.held, LIMIT);
    }
    CHECK(tl_array(&arena, 5 * EACH, 1) == NULL && arena.failed); /* the limit has room for it alone */
    tl_arena_restart(&arena);
    CHECK(!arena.failed);
    CHECK_INT(b.held, 0);
    CHECK(tl_array(&arena, 5 * EACH, 1) != NULL);
    tl_arena_free(&arena);
    CHECK_INT(b.held, 0);
    CHECK(!b.wrong);
}

TEST(a_large_array_does_not_double_what_follows)
{
    book b = {0};
    tl_arena arena = booked_arena(&b, 0);
    CHECK(all_bytes(tl_array(&arena, 3, 1 << 20), (size_t)3 << 20, 0));
    CHECK(b.asked >= (size_t)3 << 20);
    CHECK(b.asked <= ((size_t)3 << 20) + (ARRAYS_ARE_APART ? 1024 + 64 : 64));
    for (int i = 0; i < 1000; i++)
        CHECK(tl_array(&arena, 1, 100) != NULL);
    CHECK(b.asked <= (size_t)1 << 20);
    tl_arena_free(&arena);
    check_closed(&b);
}

/* Neither does one below the largest size of blocks. */
TEST(a_large_array_does_not_make_the_next_block_large)
{
    book b = {0};
    tl_arena arena = booked_arena(&b, 0);
    CHECK(tl_array(&arena, 1, 100) && tl_array(&arena, 3, 100000));
    CHECK(tl_array(&arena, 1, 5000));
    CHECK(b.asked < 20000);
    tl_arena_free(&arena);
    check_closed(&b);
}

TEST(no_memory_options_mean_the_c_library)
{
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    uint8_t *array = tl_array(&arena, 100000, 1);
    CHECK(all_bytes(array, 100000, 0));
    tl_arena_free(&arena);
    tl_arena_init(&arena, &(trilo_memory){.max_bytes = 5000});
    CHECK(tl_array(&arena, 4000, 1) != NULL);
    CHECK(tl_array(&arena, 4000, 1) == NULL);
    tl_arena_free(&arena);
}

TEST(freeing_an_unused_arena_does_nothing)
{
    book b = {0};
    tl_arena arena = booked_arena(&b, 0);
    tl_arena_free(&arena);
    CHECK_INT(b.calls, 0);
    check_closed(&b);
}

/* Models and documents keep their arena in its own first block. */
TEST(an_arena_may_live_in_its_own_block)
{
    book b = {0};
    tl_arena arena = booked_arena(&b, 0);
    tl_arena *inside = TL_NEW(&arena, tl_arena);
    CHECK(inside != NULL);
    *inside = arena;
    CHECK(tl_array(inside, 100, 100) != NULL);
    CHECK(tl_array(inside, 1000, 1000) != NULL);
    tl_arena_free(inside);
    check_closed(&b);
}

/* ---- copies ---- */

TEST(strings_are_copied_with_a_nul)
{
    book b = {0};
    tl_arena arena = booked_arena(&b, 0);
    char text[] = "trilobite";
    trilo_str copy = tl_str_copy(&arena, text, 4);
    text[0] = 'X';
    CHECK_INT(copy.len, 4);
    CHECK_STR(copy.data, "tril");
    trilo_str holed = tl_str_copy(&arena, "a\0b", 3);
    CHECK_INT(holed.len, 3);
    CHECK(memcmp(holed.data, "a\0b", 4) == 0);
    CHECK_STR(tl_str_copy(&arena, "x", 1).data, "x");
    trilo_str empty = tl_str_copy(&arena, NULL, 0);
    CHECK_INT(empty.len, 0);
    CHECK_STR(empty.data, "");
    tl_arena_free(&arena);
    check_closed(&b);
}

/* The NUL has its own room: a string of a whole number of alignments does not touch what lies behind it. */
TEST(the_nul_does_not_reach_into_the_next_array)
{
    book b = {0};
    tl_arena arena = booked_arena(&b, 0);
    char text[64];
    memset(text, 'x', sizeof text);
    for (size_t len = 0; len < sizeof text; len++) {
        char *copy = (char *)(uintptr_t)tl_str_copy(&arena, text, len).data;
        uint8_t *next = tl_array(&arena, 1, 1);
        *next = 7;
        copy[len] = 9;
        CHECK_INT(*next, 7);
    }
    tl_arena_free(&arena);
    check_closed(&b);
}

TEST(strings_fail_whole)
{
    book b = {.deny_all = true};
    tl_arena arena = booked_arena(&b, 0);
    trilo_str copy = tl_str_copy(&arena, "text", 4);
    CHECK(copy.data == NULL);
    CHECK_INT(copy.len, 0);
    b.deny_all = false;
    trilo_str endless = tl_str_copy(&arena, "text", SIZE_MAX); /* with its NUL it would have 0 bytes */
    CHECK(endless.data == NULL);
    CHECK_INT(endless.len, 0);
    tl_arena_free(&arena);
    check_closed(&b);
}

TEST(bytes_are_copied)
{
    book b = {0};
    tl_arena arena = booked_arena(&b, 0);
    uint8_t bytes[5] = {1, 0, 3, 0, 5};
    uint8_t *copy = tl_bytes_copy(&arena, bytes, sizeof bytes);
    bytes[2] = 99;
    CHECK(memcmp(copy, (const uint8_t[]){1, 0, 3, 0, 5}, 5) == 0);
    CHECK_INT(*(uint8_t *)tl_bytes_copy(&arena, bytes + 4, 1), 5);
    CHECK(tl_bytes_copy(&arena, NULL, 0) != NULL);
    b.deny_all = true;
    CHECK(tl_bytes_copy(&arena, bytes, 5) != NULL); /* still room in the block */
    static const uint8_t large[10000] = {0};
    CHECK(tl_bytes_copy(&arena, large, sizeof large) == NULL);
    tl_arena_free(&arena);
    check_closed(&b);
}

/* Two arrays that would take two blocks take the one that was reserved; it is not doubled. */
TEST(reserved_room_is_one_block)
{
    book b = {.live = 0};
    const trilo_memory memory = {book_hook, &b, 0};
    tl_arena arena;
    tl_arena_init(&arena, &memory);
    CHECK(tl_array(&arena, 16, 1));
    const size_t before = b.calls;
    CHECK(tl_arena_reserve(&arena, 300100)); /* with what sanitizers put between arrays */
    CHECK(b.asked < 301000);
    CHECK(tl_array(&arena, 200000, 1) && tl_array(&arena, 100000, 1));
    CHECK_INT(b.calls, before + 1);
    CHECK(tl_arena_reserve(&arena, 0));
    CHECK_INT(b.calls, before + 1);
    b.deny_all = true;
    CHECK(!tl_arena_reserve(&arena, 100000));
    CHECK(arena.failed);
    tl_arena_free(&arena);
    check_closed(&b);
}

/* Pages that are asked for keep what is written in them, and end where the block ends. */
TEST(reserved_pages_come_in_steps)
{
    enum { ARRAYS = 300, EACH = 16384 };
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    CHECK(tl_arena_reserve(&arena, ARRAYS * (EACH + 1024)));
    const size_t at_first = arena.ready;
    uint8_t *arrays[ARRAYS];
    for (int i = 0; i < ARRAYS; i++) {
        arrays[i] = tl_array_raw(&arena, EACH - 1, 1);
        CHECK(arrays[i] && arena.used <= arena.ready && arena.ready <= arena.room);
        memset(arrays[i], i, EACH - 1);
    }
    CHECK(at_first < EACH && arena.ready > ARRAYS * (EACH - 1));
    for (int i = 0; i < ARRAYS; i++)
        CHECK(arrays[i][0] == (uint8_t)i && memcmp(arrays[i], arrays[i] + 1, EACH - 2) == 0);
    tl_arena_free(&arena);
}

/* Half a MiB at a time; a larger array gets all of its pages at once. */
TEST(steps_of_reserved_pages)
{
    enum { STEP = 1 << 19 };
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    CHECK(tl_arena_reserve(&arena, 5 * STEP));
    const size_t head = arena.used;
    CHECK_INT(arena.ready, head);
    CHECK(tl_array_raw(&arena, 1, 1));
    CHECK_INT(arena.ready, head + STEP);
    CHECK(tl_array_raw(&arena, STEP - 4096, 1));
    CHECK_INT(arena.ready, head + STEP);
    CHECK(tl_array_raw(&arena, 8192, 1));
    CHECK_INT(arena.ready, head + 2 * STEP);
    CHECK(tl_array_raw(&arena, 2 * STEP, 1)); /* more than a step beyond what is ready */
    CHECK_INT(arena.ready, arena.used);
    CHECK(tl_array_raw(&arena, STEP, 1));
    CHECK(arena.ready >= arena.used && arena.ready <= arena.room);
    tl_arena_free(&arena);
}

/* What the last block has room for is not reserved again; one byte more is. */
TEST(room_that_is_there_is_not_reserved)
{
    book b = {0};
    tl_arena arena = booked_arena(&b, 0);
    CHECK(tl_array_raw(&arena, 1, 1));
    CHECK_INT(b.calls, 1);
    const size_t left = arena.room - arena.used;
    CHECK(tl_arena_reserve(&arena, left));
    CHECK_INT(b.calls, 1);
    CHECK(tl_arena_reserve(&arena, left + 1));
    CHECK_INT(b.calls, 2);
    tl_arena_free(&arena);
    check_closed(&b);
}

TEST(a_limit_is_not_reserved)
{
    book b = {.live = 0};
    const trilo_memory memory = {book_hook, &b, 80000};
    tl_arena arena;
    tl_arena_init(&arena, &memory);
    CHECK(tl_arena_reserve(&arena, 10001));
    CHECK_INT(b.calls, 0);
    CHECK(tl_arena_reserve(&arena, 10000));
    CHECK_INT(b.calls, 1);
    tl_arena_free(&arena);
    check_closed(&b);
}

TEST_MAIN(CASE(arrays_are_aligned_zeroed_and_apart), CASE(odd_sizes_keep_the_alignment),
          CASE(count_times_each_bytes_are_zeroed), CASE(a_count_of_0_is_not_null_in_a_fresh_arena),
          CASE(a_count_of_0_is_not_null_in_a_used_arena), CASE(the_sum_never_passes_the_limit),
          CASE(the_limit_can_be_used_up), CASE(the_default_limit_is_1_gib), CASE(products_that_overflow_are_refused),
          CASE(every_refusal_of_the_hook_is_survived), CASE(small_things_share_a_block),
          CASE(many_things_take_few_calls), CASE(blocks_double_in_size), CASE(a_scratch_arena_takes_one_call),
          CASE(steps_of_reserved_pages), CASE(room_that_is_there_is_not_reserved), CASE(a_scratch_arena_begins_again),
          CASE(an_arena_keeps_its_memory), CASE(a_large_array_does_not_double_what_follows),
          CASE(a_large_array_does_not_make_the_next_block_large), CASE(no_memory_options_mean_the_c_library),
          CASE(freeing_an_unused_arena_does_nothing), CASE(an_arena_may_live_in_its_own_block),
          CASE(strings_are_copied_with_a_nul), CASE(the_nul_does_not_reach_into_the_next_array),
          CASE(strings_fail_whole), CASE(bytes_are_copied), CASE(reserved_room_is_one_block),
          CASE(reserved_pages_come_in_steps), CASE(a_limit_is_not_reserved))
