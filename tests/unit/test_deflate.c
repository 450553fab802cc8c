/* Deflate: streams that are known, and all kinds of bytes there and back. */
#include "harness.h"
#include "image/deflate.h"
#include "support/buffer.h"
#include "support/inflate.h"

#include <stdlib.h>
#include <string.h>

static void pack(const uint8_t *bytes, size_t size, buffer *out)
{
    tl_arena arena;
    tl_sink sink = {.fn = buffer_sink, .user = out};
    tl_arena_init(&arena, NULL);
    CHECK(tl_zlib_write(bytes, size, &arena, &sink));
    tl_arena_free(&arena);
}

static size_t there_and_back(const uint8_t *bytes, size_t size)
{
    buffer packed = {0};
    uint8_t *back = malloc(size + 1);
    size_t back_size = 0;
    pack(bytes, size, &packed);
    CHECK(back && inflate_zlib(packed.data, packed.size, back, size, &back_size));
    CHECK_INT(back_size, size);
    CHECK(memcmp(back, bytes, size) == 0);
    const size_t packed_size = packed.size;
    free(back);
    buffer_free(&packed);
    return packed_size;
}

/* "a" in a block with the fixed codes: bits 1, then 01, then 0x30 + 97 from its highest bit on, then seven zeros: 4B 04
 * 00. Its sum is 0x62 and 0x62. Nothing at all is 03 00 and the sum 1. */
TEST(one_byte_by_hand)
{
    static const uint8_t one[] = {0x78, 0x9C, 0x4B, 0x04, 0x00, 0x00, 0x62, 0x00, 0x62};
    static const uint8_t none[] = {0x78, 0x9C, 0x03, 0x00, 0x00, 0x00, 0x00, 0x01};
    buffer packed = {0};
    pack((const uint8_t *)"a", 1, &packed);
    CHECK_INT(packed.size, sizeof one);
    CHECK(memcmp(packed.data, one, sizeof one) == 0);
    buffer_free(&packed);
    packed = (buffer){0};
    pack((const uint8_t *)"", 0, &packed);
    CHECK_INT(packed.size, sizeof none);
    CHECK(memcmp(packed.data, none, sizeof none) == 0);
    buffer_free(&packed);
}

/* A run of zeros costs a length of 258 now and then: with codes of one bit each, 2 bits for 258 bytes. */
TEST(runs_are_short)
{
    static uint8_t zeros[100000];
    const size_t size = there_and_back(zeros, sizeof zeros);
    if (size > 150)
        FAIL("%zu bytes for a run", size);
}

/* Every length and distance that has a code of its own, and skewed bytes whose codes would be longer than 15 bits. */
TEST(all_lengths_and_distances)
{
    static uint8_t bytes[200000];
    uint32_t seed = 1;
    for (size_t i = 0; i < sizeof bytes; i++) {
        seed = seed * 1664525u + 1013904223u;
        bytes[i] = (uint8_t)(seed >> 24);
    }
    const size_t noise = there_and_back(bytes, 40000);
    CHECK(noise < 40000 + 40000 / 50);
    for (uint32_t length = 3; length <= 258; length++) {
        const size_t at = 40000 + 600 * (size_t)(length - 3);
        const size_t distance = 1 + (size_t)length * length * 32700 / (258 * 258);
        for (uint32_t i = 0; i < length; i++)
            bytes[at + i] = bytes[at + i - distance];
    }
    there_and_back(bytes, sizeof bytes);
    size_t at = 0;
    for (uint32_t value = 0, count = 1, last = 1; value < 24;
         value++) { /* Fibonacci's numbers make the longest codes */
        for (uint32_t i = 0; i < count && at < sizeof bytes; i++)
            bytes[at++] = (uint8_t)(value * 10);
        const uint32_t next = count + last;
        last = count, count = next;
    }
    for (size_t i = at; i > 1; i--) { /* shuffled, so that there is nothing to repeat */
        seed = seed * 1664525u + 1013904223u;
        const size_t k = (seed >> 8) % i;
        const uint8_t swap = bytes[i - 1];
        bytes[i - 1] = bytes[k], bytes[k] = swap;
    }
    there_and_back(bytes, at);
}

TEST(every_small_size)
{
    uint8_t bytes[300];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i % 7 * (i % 11));
    for (size_t size = 0; size <= sizeof bytes; size++)
        there_and_back(bytes, size);
}

TEST_MAIN(CASE(one_byte_by_hand), CASE(runs_are_short), CASE(all_lengths_and_distances), CASE(every_small_size))
